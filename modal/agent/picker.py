"""The lists that open while a prompt is typed: the agent's commands after `/`, the project's files after `@`.

A list is a value fed with the text before the cursor; which keys reach it is `keys.py`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tpy.modal.agent.lines import one_line
from tpy.modal.agent.mentions import MOST_SHOWN, SPECIAL, narrow, quoted

COMMANDS, FILES = "/", "@"
PAGE = 8


class Choice(NamedTuple):
    """An entry: `name` is what is typed, `row` what is shown with its `detail`, `text` what is put in the prompt."""

    name: str
    row: str
    text: str
    detail: str = ""


class Offer(NamedTuple):
    """Where a list belongs: its kind, the column its sign stands in, and what is typed after that."""

    kind: str
    col: int
    typed: str


class SlashCommand(NamedTuple):
    """A command the agent announced; `hint` tells what input it wants, "" for none."""

    name: str
    description: str
    hint: str


def offer_at(line: int, text: str, col: int) -> Offer | None:
    """Return which list fits the text before the cursor in line `line` of the prompt, `None` for none."""
    head = text[:col]
    at = head.rfind("@")
    if at < 0 or (at > 0 and not head[at - 1].isspace()):
        return Offer(COMMANDS, 0, head[1:]) if line == 0 and head.startswith("/") else None
    typed = head[at + 1 :]
    if typed.startswith('"'):
        return Offer(FILES, at, typed[1:]) if '"' not in typed[1:] else None
    return Offer(FILES, at, typed) if not any(char.isspace() for char in typed) else None


def command_choices(commands: Sequence[SlashCommand], typed: str) -> list[Choice]:
    """Return the commands whose name begins with what was typed, whatever its case."""
    return [_command(c) for c in commands if c.name.lower().startswith(typed.lower())]


def _command(command: SlashCommand) -> Choice:
    hint = f" <{one_line(command.hint, 40)}>" if command.hint else ""
    row = f"/{one_line(command.name, 60)}{hint}"
    return Choice(command.name, row, f"/{command.name}" + (" " if command.hint else ""), one_line(command.description))


def file_choices(files: list[str], typed: str) -> tuple[list[Choice], str]:
    """Return the files that fit, and the line that says how many more there are, "" where all are shown."""
    fitting = narrow(files, typed)
    named = [Choice(name, f"@{name}", f"@{name} ") for name in SPECIAL if typed and name.startswith(typed)]
    shown = [Choice(path, one_line(path), f"@{quoted(path)} ") for path in fitting[: MOST_SHOWN - len(named)]]
    more = len(fitting) - len(shown)
    return named + shown, f"… {more} more: type on to narrow" if more > 0 else ""


class Picker:
    """An open list. `index` is the highlighted entry, `moved` whether the user chose it."""

    def __init__(self, offer: Offer, choices: list[Choice], last: str = "") -> None:
        self.offer = offer
        self.choices = choices
        self.last = last
        self.index = 0
        self.moved = False

    @property
    def current(self) -> Choice:
        """The highlighted entry."""
        return self.choices[self.index]

    @property
    def complete(self) -> bool:
        """Whether the word is typed already and the highlight was not moved: `<CR>` then sends."""
        return not self.moved and any(c.name.lower() == self.offer.typed.lower() for c in self.choices)

    def move(self, by: int) -> None:
        """Move the highlight; one step from an end goes round, a page stops there."""
        self.moved = True
        if abs(by) == 1:
            self.index = (self.index + by) % len(self.choices)
        else:
            self.index = min(max(self.index + by, 0), len(self.choices) - 1)
