"""From matches to changed lines: what `:s` makes of the matches it found, without the command's syntax.

Which matches count is decided by `matches_to_replace`; they are in order and apart, all found in the text as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tpy.modal.ex.bulk import Change
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.pattern import Match

# Gives the text for a match that begins at a line and column, as they are by then.
Expand = Callable[[Match, int, int], str]


class Result(NamedTuple):
    """What a substitution did: matches replaced, lines they were in, where the last one is now (`None`: nothing
    matched), by how many lines the text grew, and whether the user was asked to the end."""

    matches: int
    lines: int
    last_line: int | None
    shift: int
    asked: bool = False


def replace_matches(lines: Sequence[str], matches: Iterable[Match], expand: Expand) -> tuple[list[Change], Result]:
    """Return the changes that replace all matches, one for each group of lines that belongs together."""
    changes: list[Change] = []
    pieces: list[str] = []
    count = shift = broken = 0
    first = at_line = -1
    # `width`: the length of what the pieces make of the line that is being put together.
    at_col = moved = width = 0
    last_line: int | None = None

    def _finish() -> None:
        nonlocal shift
        if at_line < len(lines):
            pieces.append(lines[at_line][at_col:])
        new = "".join(pieces).split("\n")
        old = min(at_line + 1, len(lines)) - first
        changes.append(Change(first, old, new))
        shift += len(new) - old

    for match in matches:
        (line, col), end, _ = match
        if line != at_line:
            if pieces:
                _finish()
            pieces = []
            first, at_line, at_col, broken, moved, width = line, line, 0, 0, 0, 0
        count += 1
        text = expand(match, first + shift + broken, col + moved)
        pieces.append(lines[line][at_col:col])
        pieces.append(text)
        breaks = text.count("\n")
        broken += breaks
        width = len(text) - text.rfind("\n") - 1 if breaks else width + col - at_col + len(text)
        last_line = first + shift + broken
        if end[0] != line:
            moved = width - end[1]
        at_line, at_col = end
    if pieces:
        _finish()
    return changes, Result(count, len(changes), last_line, shift)


class OneByOne:
    """Replaces single matches of a snapshot in a buffer that follows at once, for the confirm dialogue."""

    def __init__(self, buffer: Buffer, lines: Sequence[str]) -> None:
        self.buffer = buffer
        self.lines = lines
        self.matches = self.groups = self.shift = 0
        self.last_line: int | None = None
        # The line of the snapshot where the last replaced match ended, where that is in the buffer, and how much
        # further right its text is now.
        self._line = -1
        self._now = 0
        self._col = 0

    def place(self, match: Match) -> tuple[int, int]:
        """Return where a match is in the buffer now."""
        line, col = match.start
        if line == self._line:
            return self._now, col + self._col
        return line + self.shift, col

    def replace(self, match: Match, text: str) -> None:
        """Put `text` in the place of a match."""
        line, col = self.place(match)
        span = match.end[0] - match.start[0]
        lines = self.buffer.lines
        head = lines[line][:col]
        last = line + span
        end_col = match.end[1] + (col - match.start[1] if not span else 0)
        tail = lines[last][end_col:] if last < len(lines) else ""
        new = (head + text + tail).split("\n")
        old = min(span + 1, len(lines) - line)
        self.buffer.replace(line, line + old, new)
        self.matches += 1
        self.groups += match.start[0] != self._line
        self.shift += len(new) - old
        self._line, self._now = match.end[0], line + len(new) - 1
        self._col = len(new[-1]) - len(tail) - match.end[1]
        self.last_line = self._now

    def result(self) -> Result:
        """Return what was replaced."""
        return Result(self.matches, self.groups, self.last_line, self.shift)
