"""Display columns of text: tabs, wide and combining characters, control characters and unprintables.

Lives here: how many cells a character takes, what is shown for it, columns and indexes of a line, stepping by
base character. Not here: drawing (`ui/`). ASCII is counted by its length; other text by a cached table, and
never more of a line than is asked for.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cwcwidth import wcwidth

from tpy.modal.text import chars
from tpy.modal.text.chars import is_combining

_CONTROL = re.compile("[\x00-\x1f\x7f]")
_SLICE = 4096
# Shown as numbers although Vim sends them: they turn the writing around, break lines or cannot be seen.
_HIDDEN = ((0x61C, 0x61C), (0x2028, 0x2029), (0xE0001, 0xE0001), (0xE0020, 0xE007F))


class _Cells(dict[str, int]):
    """Cells of each character but the tab, computed once."""

    def __missing__(self, char: str) -> int:
        cells = self[char] = _cells(char)
        return cells


def _cells(char: str) -> int:
    code = ord(char)
    if code < 0x20 or code == 0x7F:
        return 2
    if code < 0x7F:
        return 1
    if is_combining(char):
        return 0
    if _is_hidden(char):
        return len(glyph(char))
    cells = int(wcwidth(char))
    if cells < 0:  # not assigned when the table was made
        cells = 2 if chars.contains(chars.wide(), char) else 1
    return cells


def _is_hidden(char: str) -> bool:
    return chars.contains(chars.unprintable(), char) or chars.contains(_HIDDEN, char)


_cells_of = _Cells()


def glyph(char: str) -> str:
    """Return what is shown for a character other than a tab: itself, `^X`, `<9b>` or `<200b>`.

    A byte that is no UTF-8 is shown as `<e9>`. Nothing returned moves a cursor or turns the writing around.
    """
    code = ord(char)
    if code < 0x20:
        return "^" + chr(code + 64)
    if code == 0x7F:
        return "^?"
    if 0xDC80 <= code <= 0xDCFF:
        return f"<{code - 0xDC00:02x}>"
    if is_combining(char) or not _is_hidden(char):
        return char
    return f"<{code:02x}>"


def char_cells(char: str, column: int, tabstop: int) -> int:
    """Return how many cells a character takes that begins at display `column`; `tabstop` 0 shows a tab as `^I`."""
    if char == "\t":
        return tabstop - column % tabstop if tabstop else 2
    return _cells_of[char]


def cell_width(text: str, col: int, column: int, tabstop: int) -> int:
    """Return the cells of the character at `col`, which begins at display `column`; 1 behind the end."""
    return char_cells(text[col], column, tabstop) if col < len(text) else 1


def _advance(part: str, column: int, tabstop: int) -> int:
    """Return the display column behind a part that begins at `column`."""
    for index, piece in enumerate(part.split("\t")):
        if index:
            column += char_cells("\t", column, tabstop)
        if not piece.isascii():
            column += sum(map(_cells_of.__getitem__, piece))
        elif piece.isprintable():
            column += len(piece)
        else:
            column += len(piece) + len(_CONTROL.findall(piece))
    return column


def column_of(text: str, col: int, tabstop: int) -> int:
    """Return the display column at which the character at `col` begins."""
    head = text[:col]
    return len(head) if head.isascii() and head.isprintable() else _advance(head, 0, tabstop)


def col_at(text: str, column: int, tabstop: int) -> int:
    """Return the index of the character that covers display `column`, the length where the text is shorter."""
    if column < _SLICE and (head := text[: column + 1]).isascii() and head.isprintable():
        return min(column, len(text))
    start = at = 0
    while start < len(text):  # in slices: whole ones are counted quickly, the last one by character
        part = text[start : start + min(_SLICE, column - at + 1)]
        end = _advance(part, at, tabstop)
        if end > column:
            break
        start, at = start + len(part), end
    else:
        return len(text)
    if part.isascii() and part.isprintable():
        return start + column - at
    for col, char in enumerate(part, start):
        at += char_cells(char, at, tabstop)
        if at > column:
            return col
    return len(text)


def next_col(text: str, col: int) -> int:
    """Return the index of the character after the one at `col` and its combining characters."""
    col += 1
    while col < len(text) and is_combining(text[col]):
        col += 1
    return col


def prev_col(text: str, col: int) -> int:
    """Return the index of the character before `col`, over its combining characters."""
    col -= 1
    while col > 0 and is_combining(text[col]):
        col -= 1
    return max(col, 0)


class BlockCut(NamedTuple):
    """One line cut at two display columns; tabs and wide characters that a cut goes through become blanks."""

    head: str
    middle: str
    tail: str


def block_cut(text: str, left: int, right: int, tabstop: int) -> BlockCut:
    """Cut a line at the display columns `left` and `right`, both inside the middle."""
    if text.isascii() and text.isprintable():
        return BlockCut(text[:left], text[left : right + 1], text[right + 1 :])
    head: list[str] = []
    middle: list[str] = []
    tail: list[str] = []
    column = 0
    part = head
    for char in text:
        cells = char_cells(char, column, tabstop)
        end = column + cells - 1
        if not cells:
            # A combining character goes with the one it is on.
            part.append(char)
            continue
        part = head if end < left else tail if end > right else middle
        if end < left:
            head.append(char)
        elif column > right:
            tail.append(char)
        elif column >= left and end <= right:
            middle.append(char)
        else:
            head.append(" " * max(left - column, 0))
            middle.append(" " * (min(end, right) - max(column, left) + 1))
            tail.append(" " * max(end - right, 0))
        column += cells
    return BlockCut("".join(head), "".join(middle), "".join(tail))
