"""Columns of very long lines: a table of where every few thousand characters begin, kept for the last lines asked for.

Ordinary lines are counted directly (`text/width.py`); where rows begin is `display.py`'s matter.
"""

from __future__ import annotations

from bisect import bisect_right

from tpy.modal.text.width import col_at, column_of

# A line longer than this is long; its table has an entry for each so many characters.
LONG = 20_000
STEP = 4096
_KEPT = 3


class LongLine:
    """The columns of one line; `total` is its width."""

    def __init__(self, text: str, tabstop: int, before: LongLine | None = None) -> None:
        """`before` is what the line was, where it has only grown."""
        self.text = text
        self.tabstop = tabstop
        self.plain = text.isascii() and text.isprintable()
        self._starts = [0]
        self.total = len(text)
        if not self.plain:
            if before is not None and not before.plain:
                self._starts = before._starts[: len(before.text) // STEP + 1]
            column = self._starts[-1]
            for at in range((len(self._starts) - 1) * STEP, len(text), STEP):
                column = self._after(text[at : at + STEP], column)
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
        chunk, rest = divmod(min(col, len(self.text)), STEP)
        return self._after(self.text[chunk * STEP : chunk * STEP + rest], self._starts[chunk])

    def at(self, column: int) -> int:
        """The character that covers a column, the length where the line is shorter."""
        if self.plain:
            return min(column, len(self.text))
        if column >= self.total:
            return len(self.text)
        chunk = bisect_right(self._starts, column) - 1
        begin = self._starts[chunk]
        phase = begin % self.tabstop if self.tabstop else 0
        part = self.text[chunk * STEP : (chunk + 1) * STEP]
        return chunk * STEP + col_at(" " * phase + part, column - begin + phase, self.tabstop) - phase


_lines: list[LongLine] = []


def long_line(text: str, tabstop: int) -> LongLine:
    """The table of a line, made when it isn't one of the last that were asked for."""
    for line in _lines:
        if line.text is text and line.tabstop == tabstop:
            return line
    before = next((line for line in _lines if line.tabstop == tabstop and text.startswith(line.text)), None)
    line = LongLine(text, tabstop, before)
    if before is not None:
        _lines.remove(before)
    _lines.insert(0, line)
    del _lines[_KEPT:]
    return line
