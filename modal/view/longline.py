"""Columns of very long lines, by tables of chunks of some thousand characters; those asked for last are kept.

Ordinary lines are counted directly (`text/width.py`); where rows begin is `display.py`'s matter.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate

from tpy.modal.text.splice import common_prefix, common_suffix
from tpy.modal.text.width import col_at, column_of

# A line longer than this is long; its table has an entry for at most so many characters each.
LONG = 20_000
STEP = 4096
_KEPT = 3


class _Chunk:
    """Some thousand characters of a line; `widths` are its cells by the column within a tab stop it begins at."""

    __slots__ = ("length", "widths")

    def __init__(self, length: int) -> None:
        self.length = length
        self.widths: dict[int, int] = {}


class LongLine:
    """The columns of one line; `total` is its width."""

    def __init__(self, text: str, tabstop: int, before: LongLine | None = None) -> None:
        """`before` is what the line was before it was changed: only what differs is counted anew."""
        self.text = text
        self.tabstop = tabstop
        self.total = len(text)
        self._chunks: list[_Chunk] = []
        old = "" if before is None else before.text
        head = common_prefix(old, text)
        tail = common_suffix(old, text, min(len(old), len(text)) - head)
        same = before is None or before.plain
        self.plain: bool = text.isascii() and same and text[head : len(text) - tail].isprintable()
        if not self.plain:
            self._cut(before._chunks if before is not None else [], len(old), head, tail)
            self._count()

    def _cut(self, before: list[_Chunk], length: int, head: int, tail: int) -> None:
        """Cut the line into chunks, with those of `before` that lie in the first `head` or last `tail` characters."""
        ends = list(accumulate((chunk.length for chunk in before), initial=0))
        first = bisect_right(ends, head) - 1
        last = max(bisect_left(ends, length - tail), first)
        kept, rest = before[:first], before[last:]
        begin = ends[first]
        end = len(self.text) - (ends[-1] - ends[min(last, len(before))])
        middle = [_Chunk(min(STEP, end - at)) for at in range(begin, end, STEP)]
        self._chunks = kept + middle + rest

    def _count(self) -> None:
        """Find out where the chunks begin, in characters and in columns."""
        at = column = 0
        self._places, self._starts = [0], [0]
        for chunk in self._chunks:
            phase = column % self.tabstop if self.tabstop else 0
            width = chunk.widths.get(phase)
            if width is None:
                width = chunk.widths[phase] = self._after(self.text[at : at + chunk.length], column) - column
            at, column = at + chunk.length, column + width
            self._places.append(at)
            self._starts.append(column)
        self.total = column

    def _after(self, part: str, column: int) -> int:
        """The column behind a part that begins at a column: tabs depend only on where they are within a tab stop."""
        phase = column % self.tabstop if self.tabstop else 0
        return column - phase + column_of(" " * phase + part, phase + len(part), self.tabstop)

    def column(self, col: int) -> int:
        """The column at which a character begins."""
        if self.plain:
            return min(col, len(self.text))
        col = min(col, len(self.text))
        chunk = bisect_right(self._places, col) - 1
        return self._after(self.text[self._places[chunk] : col], self._starts[chunk])

    def at(self, column: int) -> int:
        """The character that covers a column, the length where the line is shorter."""
        if self.plain:
            return min(column, len(self.text))
        if column >= self.total:
            return len(self.text)
        chunk = bisect_right(self._starts, column) - 1
        begin = self._starts[chunk]
        phase = begin % self.tabstop if self.tabstop else 0
        part = self.text[self._places[chunk] : self._places[chunk + 1]]
        return self._places[chunk] + col_at(" " * phase + part, column - begin + phase, self.tabstop) - phase


_lines: list[LongLine] = []


def long_line(text: str, tabstop: int) -> LongLine:
    """The table of a line, made when it isn't one of the last that were asked for."""
    for line in _lines:
        if line.text is text and line.tabstop == tabstop:
            return line
    before = next((line for line in _lines if line.tabstop == tabstop and _is_like(text, line.text)), None)
    line = LongLine(text, tabstop, before)
    if before is not None:
        _lines.remove(before)
    _lines.insert(0, line)
    del _lines[_KEPT:]
    return line


def _is_like(text: str, before: str) -> bool:
    """Whether a line may be what another was changed to: one of their ends is the same for some way."""
    return text[:STEP] == before[:STEP] or text[-STEP:] == before[-STEP:]
