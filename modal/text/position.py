"""Places in text: `Pos`, `Span` and the rules that turn a motion into a span.

What a span *holds* is cut out by `registers.py`; how a span is changed is the operators' business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tpy.modal.text.chars import is_combining

# The three kinds of span, and of register.
CHAR, LINE, BLOCK = "char", "line", "block"
# The kinds of motion (`:help exclusive`); BLOCK is what `<C-v>` forces.
EXCLUSIVE, INCLUSIVE = "exclusive", "inclusive"
# A wanted column beyond every line, as after `$`.
MAXCOL = 1 << 31


class Pos(NamedTuple):
    """A place in a buffer: `line` and `col`, both from 0, `col` in code points."""

    line: int
    col: int

    @property
    def add(self) -> int:
        """How many display cells it is beyond where the character at `col` begins: 0 but for a `Virtual` place."""
        return 0


class Virtual(Pos):
    """A place between or behind the text's own, as `'virtualedit'` has them: cells on in a tab or behind the line.

    It is a `Pos` to all who do not ask, and equal to no place of the text; made by `beyond` alone.
    """

    cells: int = 0

    @property
    def add(self) -> int:
        """How many display cells it is beyond where the character at `col` begins; more than 0."""
        return self.cells

    def _ordered(self, other: object) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
        assert isinstance(other, Pos)
        return (*self, self.cells), (*other, other.add)

    def __eq__(self, other: object) -> bool:
        """Whether it is the same cell."""
        return isinstance(other, tuple) and self[:] == other[:] and self.cells == getattr(other, "add", 0)

    def __ne__(self, other: object) -> bool:
        """Whether it is another cell."""
        return not self == other

    def __hash__(self) -> int:
        """Return what is the same for the same cell."""
        return hash((*self, self.cells) if self.cells else self[:])

    def __lt__(self, other: object) -> bool:
        """Whether it is before another place."""
        mine, its = self._ordered(other)
        return mine < its

    def __le__(self, other: object) -> bool:
        """Whether it is before another place, or that place."""
        mine, its = self._ordered(other)
        return mine <= its

    def __gt__(self, other: object) -> bool:
        """Whether it is behind another place."""
        mine, its = self._ordered(other)
        return mine > its

    def __ge__(self, other: object) -> bool:
        """Whether it is behind another place, or that place."""
        mine, its = self._ordered(other)
        return mine >= its


def beyond(line: int, col: int, add: int) -> Pos:
    """Return the place `add` display cells beyond the start of the character at `col`."""
    if add <= 0:
        return Pos(line, col)
    place = Virtual(line, col)
    place.cells = add
    return place


class Span(NamedTuple):
    """A stretch of text that an operator works on.

    `CHAR`: from `start` up to and without `end`. `LINE`: the lines `start.line` to `end.line`, both included.
    `BLOCK`: those lines, display columns `left` to `right`, both included and counted from 0; with `dollar`
    to the end of each line. `virtual`: the ends may be `Virtual` places, what is not there counts as blanks; then
    `inclusive` tells whether what gave the end took the character or cell there in.
    """

    start: Pos
    end: Pos
    kind: str
    left: int = 0
    right: int = 0
    dollar: bool = False
    virtual: bool = False
    inclusive: bool = False

    @property
    def empty(self) -> bool:
        """Whether no character lies in it (a `CHAR` span of no width)."""
        start, end = self.start, self.end
        return self.kind == CHAR and (start == end if self.virtual else start[:] == end[:])

    @property
    def line_count(self) -> int:
        """How many lines it touches; a `CHAR` span that ends before a line's first character touches it too."""
        return self.end.line - self.start.line + 1


def first_nonblank(text: str) -> int:
    """Return the column of the first character that is no blank, or of the last one where all are (`:help ^`)."""
    stripped = len(text) - len(text.lstrip(" \t"))
    return stripped if stripped < len(text) else max(len(text) - 1, 0)


def in_line(pos: Pos, line: int, lines: Sequence[str]) -> Pos:
    """Return the place in another line that is as many bytes of UTF-8 from its start, which is what Vim keeps."""
    head, text = lines[pos.line][: pos.col], lines[line]
    if head.isascii() and text.isascii():
        return Pos(line, pos.col)
    size = len(head.encode("utf-8", "surrogatepass"))
    return Pos(line, len(text.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")))


def clamp(pos: Pos, lines: Sequence[str], past_end: bool = False) -> Pos:
    """Return `pos` moved to the nearest place that exists, which is no combining character; `past_end` allows the
    column after the last character."""
    line = min(max(pos.line, 0), len(lines) - 1)
    text = lines[line]
    limit = len(text) - (0 if past_end else 1)
    col = min(max(pos.col, 0), max(limit, 0))
    while 0 < col < len(text) and is_combining(text[col]):
        col -= 1
    return Pos(line, col)


def promote(start: Pos, end: Pos, lines: Sequence[str]) -> Span:
    """Return the span of an exclusive motion from `start` to `end` under Vim's two promotions.

    An end in column 0 moves to the end of the line before; if the start is then at or before the first
    character that is no blank, the span is linewise (`:help exclusive-linewise`).
    """
    if end.col == 0 and end.line > start.line:
        end_line = end.line - 1
        head = lines[start.line][: start.col]
        if not head.strip(" \t"):
            return Span(start, Pos(end_line, 0), LINE)
        return Span(start, Pos(end_line, len(lines[end_line])), CHAR)
    return Span(start, end, CHAR)
