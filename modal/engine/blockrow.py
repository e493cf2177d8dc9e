"""A line of a Visual block as the commands that type into it see it: which characters, and how far they reach out.

Where an edge goes through a tab or a wide character, that belongs to the block at the left edge and not at the right.
"""

from __future__ import annotations

from typing import NamedTuple

from tpy.modal.text.position import Span
from tpy.modal.text.width import char_cells, col_at, column_of, prev_col

INSERT, APPEND, CHANGE = "insert", "append", "change"


class Row(NamedTuple):
    """The characters `col` to `col + size` of a line.

    `before` and `behind` are the cells by which the first and the last of them lie outside the block; `first` and
    `last` are how many cells those characters have; they end at the display column `ends`. `short`: the line ends
    before the block does, for `c` and `I` before it begins.
    """

    col: int
    size: int
    before: int
    behind: int
    first: int
    last: int
    ends: int
    short: bool


def row_of(text: str, span: Span, tabstop: int, command: str) -> Row:
    """Return what of a line a block takes, for `INSERT`, `APPEND` or `CHANGE`."""
    col, begins, first, previous = _left_edge(text, span.left, tabstop)
    if begins < span.left:
        behind = span.right - span.left + 1 if command == APPEND else 0
        return Row(col, 0, 0, behind, first, 0, begins, short=True)
    # The part of the first character that is in the block, then the part before it.
    inside = begins - span.left
    before = first - inside if inside else 0
    start = previous if before else col
    if begins > span.right:
        size, width = col - start, span.right - span.left + 1
        if command == APPEND:
            return Row(start, size, before + width, first - before - width, first, first, begins, short=False)
        behind = first - before if command == INSERT else begins - span.right - 1
        return Row(start, size, before, behind, first, first, begins, short=False)
    end, ends, last = col, begins, first
    if span.right >= begins:
        end, ends, last, _ = _left_edge(text, span.right + 1, tabstop)
    short = ends <= span.right and command == APPEND
    behind = span.right + 1 - ends if short else max(ends - span.right - 1, 0)
    return Row(start, end - start, before, behind, first, last, ends, short)


def _left_edge(text: str, column: int, tabstop: int) -> tuple[int, int, int, int]:
    """Return the first character that begins at or behind a display column, where it begins, and the cells and place of
    the one before it; the end of the text where there is no such character."""
    col = col_at(text, column, tabstop)
    begins = column_of(text, col, tabstop)
    if col < len(text) and begins < column:
        cells = char_cells(text[col], begins, tabstop)
        after = col + 1
        while after < len(text) and not char_cells(text[after], begins + cells, tabstop):
            after += 1
        return after, begins + cells, cells, col
    previous = prev_col(text, col) if col else 0
    cells = begins - column_of(text, previous, tabstop)
    return col, begins, cells, previous
