"""What a motion, operator, text object or action is given, and what a motion gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.editor import Editor, Visual
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.registers import Register
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


def shown_tabstop(editor: Editor, window: Window) -> int:
    """Return how many columns a tab is shown in, 0 where `list` shows it as `^I`."""
    if editor.option("list", window) and "tab:" not in str(editor.option("listchars", window)):
        return 0
    columns = editor.option("tabstop", window)
    assert isinstance(columns, int)
    return columns


class Target(NamedTuple):
    """Where a motion goes, with what it changes of its declared row.

    `start` replaces the cursor as the other end of the span, `kind` the row's kind ("exclusive", "inclusive",
    "line"), `want` is the wanted display column afterwards (`MAXCOL` for `$`). `exact`: an end in column 0 stays
    there (`:help exclusive-linewise` does not apply), an inclusive end too where 'selection' is "exclusive".
    `numbered` replaces the row's.
    """

    pos: Pos
    start: Pos | None = None
    kind: str | None = None
    want: int | None = None
    exact: bool = False
    numbered: bool | None = None


class Context:
    """One command's surroundings: the window it works in and what was typed with it.

    `count` is 1 where none was typed (`explicit` tells), `register` the one named or `None`, `arg` the character
    or line asked for. `operator` is the name of the operator that waits for this motion or object, `visual` the
    selection where Visual mode is on, `motion` the name of the motion an operator's span came from. An operator
    finds in `origin` and `want` where the cursor was before and the column it wanted, in `selected` whether its span
    was a selection, now or when it is repeated, and in `shortened` whether the span ends a line before the motion's
    target (`:help exclusive-linewise`).
    """

    __slots__ = (
        "arg",
        "count",
        "editor",
        "engine",
        "explicit",
        "motion",
        "operator",
        "origin",
        "register",
        "selected",
        "shortened",
        "visual",
        "want",
        "window",
    )

    def __init__(
        self,
        engine: Engine,
        *,
        count: int | None = None,
        register: str | None = None,
        arg: str | None = None,
        operator: str | None = None,
        motion: str | None = None,
    ) -> None:
        self.engine = engine
        self.editor: Editor = engine.editor
        self.window: Window = self.editor.window
        self.count = 1 if count is None else count
        self.explicit = count is not None
        self.register = register
        self.arg = arg
        self.operator = operator
        self.motion = motion
        self.visual: Visual | None = self.editor.visual
        self.origin = self.window.cursor
        self.selected = self.shortened = False
        self.want = self.window.want

    @property
    def buffer(self) -> Buffer:
        """The buffer of the window."""
        return self.window.buffer

    @property
    def lines(self) -> list[str]:
        """The lines of the buffer; to be read only."""
        return self.window.buffer.lines

    @property
    def cursor(self) -> Pos:
        """The cursor of the window."""
        return self.window.cursor

    @cursor.setter
    def cursor(self, pos: Pos) -> None:
        """Move the window's cursor to `pos`, which the caller has made sure is in the text."""
        self.window.cursor = pos

    def option(self, name: str) -> object:
        """Return an option's value for this window."""
        return self.editor.option(name, self.window)

    def number(self, name: str) -> int:
        """Return a number option's value for this window."""
        value = self.editor.option(name, self.window)
        assert isinstance(value, int)
        return value

    def flag(self, name: str) -> bool:
        """Return an on-off option's value for this window."""
        return bool(self.editor.option(name, self.window))

    def text(self, name: str) -> str:
        """Return a string option's value for this window."""
        value = self.editor.option(name, self.window)
        assert isinstance(value, str)
        return value

    @property
    def tabstop(self) -> int:
        """Columns that a tab is shown in: 0 where `list` shows it as `^I`. Indents ask for the option itself."""
        return shown_tabstop(self.editor, self.window)

    def get_register(self) -> Register | None:
        """Return what the register named (else the unnamed one) holds."""
        return self.editor.registers.get(self.register or '"')
