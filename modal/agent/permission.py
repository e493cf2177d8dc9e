"""A permission request: what it shows, which option a choice means, and that it is answered once.

Requests come and answers go through the `answer` function that the bridge hands in; rules are in `rules.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tpy.modal.agent.conversation import Item
from tpy.modal.agent.lines import ASK, DETAIL, DIM, OPTION, Line, one_line
from tpy.modal.agent.rules import Subject
from tpy.modal.agent.toolcalls import Piece, piece_lines
from tpy.modal.text.position import Pos
from tpy.modal.view.window import Window

ALLOW_ONCE, ALLOW_ALWAYS, REJECT_ONCE, REJECT_ALWAYS = "allow_once", "allow_always", "reject_once", "reject_always"
_KEYS = {"y": ALLOW_ONCE, "Y": ALLOW_ALWAYS, "n": REJECT_ONCE, "N": REJECT_ALWAYS}
EDITS = "e edits what is proposed, d compares it with what is there"
_LETTERS = {kind: key for key, kind in _KEYS.items()}


class Option(NamedTuple):
    """An answer the agent offers, in its own words."""

    id: str
    name: str
    kind: str


class Request:
    """One open request. `title` is its heading, `purpose` one line of what would be done, `pieces` its diffs.

    `answer` gets the chosen option's id, or `None` for cancelled; it is called once, whatever happens.
    """

    def __init__(
        self,
        title: str,
        options: Sequence[Option],
        answer: Callable[[str | None], None],
        *,
        purpose: str = "",
        pieces: Sequence[Piece] = (),
        subject: Subject | None = None,
        ours: bool = False,
    ) -> None:
        self.title = one_line(title)
        self.options = list(options)
        self.purpose = purpose
        self.pieces = list(pieces)
        self.subject = subject
        # Whether it is the editor that asks, who keeps what is allowed for good.
        self.ours = ours
        self.item: Item | None = None
        self.outcome = ""
        # Where the cursors were when the block was drawn: keys answer only where one has moved since.
        self.parked: list[tuple[Window, Pos]] = []
        # The piece whose text the user edits.
        self.proposal: Piece | None = None
        # What a form asks, and its values once they were checked.
        self.form: Any = None
        self.content: dict[str, Any] | None = None
        # Called once it waits no more, however that came.
        self.closed: Callable[[], None] = lambda: None
        self._answer: Callable[[str | None], None] | None = answer

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return self._answer is not None

    def lines(self, agent: str) -> list[Line]:
        """Return the block: heading, purpose, diffs, the options with their keys; or the outcome."""
        head = Line(f"{agent} asks: {self.title}", ASK)
        detail = [Line(self.purpose, DETAIL)] if self.purpose and self.purpose != self.title else []
        shown = [line for piece in self.pieces for line in piece_lines(piece)]
        if not self.is_open:
            return [Line(head.text, DETAIL), *detail, *shown, Line(self.outcome, DIM)]
        edits = [Line(EDITS, OPTION)] if self.subject is not None and self.proposal_at(0) is not None else []
        return [head, *detail, *shown, *self._option_lines(), *edits]

    def proposal_at(self, row: int) -> Piece | None:
        """Return the change that a line of the block (from 0) belongs to, the first one where it belongs to none."""
        changes = [piece for piece in self.pieces if piece.kind == "diff"]
        end = 2 if self.purpose and self.purpose != self.title else 1
        for piece in self.pieces:
            end += len(piece_lines(piece))
            if row < end and piece in changes:
                return piece
        return changes[0] if changes else None

    def _option_lines(self) -> list[Line]:
        if not self.options:
            return [Line("The agent offers no answer: this can only be dismissed (<Esc> or :deny)", OPTION)]
        seen: set[str] = set()
        lines = []
        for number, option in enumerate(self.options, 1):
            letter = "" if option.kind in seen else _LETTERS.get(option.kind, "")
            seen.add(option.kind)
            keys = f"{number if number < 10 else ''} {letter}".strip()
            always = (
                "  (how far this reaches is up to the agent)"
                if option.kind.endswith("_always") and not self.ours
                else ""
            )
            lines.append(Line(f"[{keys}] {one_line(option.name)}{always}", OPTION))
        return lines

    def by_kind(self, kind: str) -> Option | None:
        """Return the first option of a kind."""
        return next((option for option in self.options if option.kind == kind), None)

    def by_key(self, key: str) -> Option | None:
        """Return the option that a key in the block chooses, `None` for no such option."""
        if key.isascii() and key.isdigit() and key != "0":
            index = int(key) - 1
            return self.options[index] if index < len(self.options) else None
        return self.by_kind(_KEYS.get(key, ""))

    def by_name(self, text: str) -> Option | None:
        """Return the option that `:allow {text}` names: number, id, name, kind or a unique prefix of a name."""
        if text.isascii() and text.isdigit():
            return self.by_key(text) if len(text) == 1 else None
        wanted = text.lower()
        for option in self.options:
            if wanted in (option.id.lower(), option.name.lower(), option.kind):
                return option
        found = [option for option in self.options if option.name.lower().startswith(wanted)]
        return found[0] if len(found) == 1 else None

    @property
    def allowing(self) -> Option | None:
        """What `:allow` without a name means: allow once, else always; never an option of an unknown kind."""
        return self.by_kind(ALLOW_ONCE) or self.by_kind(ALLOW_ALWAYS)

    @property
    def refusing(self) -> Option | None:
        """What dismissing and `:deny` send: reject once, else always; `None` is cancelled."""
        return self.by_kind(REJECT_ONCE) or self.by_kind(REJECT_ALWAYS)

    def choose(self, option: Option | None, how: str = "") -> bool:
        """Answer with an option, `None` for cancelled; `False` when it has its answer already."""
        if self._answer is None:
            return False
        answer, self._answer = self._answer, None
        self.closed()
        self.outcome = (f"→ {one_line(option.name)}" if option is not None else "→ cancelled") + how
        answer(option.id if option is not None else None)
        return True

    def withdraw(self, outcome: str = "→ cancelled") -> bool:
        """It was answered elsewhere (the turn ended or was cancelled): only the display is left to do."""
        if self._answer is None:
            return False
        self._answer = None
        self.closed()
        self.outcome = outcome
        return True
