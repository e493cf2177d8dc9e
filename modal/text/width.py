"""Display columns of text: tabs, wide and combining characters, control characters and unprintables."""

from __future__ import annotations

from typing import NamedTuple

from cwcwidth import wcwidth

from tpy.modal.text.chars import is_combining


def char_cells(char: str, column: int, tabstop: int) -> int:
    """Return how many cells a character takes that begins at display `column`; `tabstop` 0 shows a tab as `^I`."""
    if char == "\t":
        return tabstop - column % tabstop if tabstop else 2
    code = ord(char)
    if 0x20 <= code < 0x7F:
        return 1
    if code < 0x20 or code == 0x7F:
        return 2
    if 0x7F < code < 0xA0 or 0xD800 <= code < 0xE000:
        return 4
    return max(int(wcwidth(char)), 0)


def cell_width(text: str, col: int, column: int, tabstop: int) -> int:
    """Return the cells of the character at `col`, which begins at display `column`."""
    return char_cells(text[col], column, tabstop) if col < len(text) else 1


def column_of(text: str, col: int, tabstop: int) -> int:
    """Return the display column at which the character at `col` begins."""
    head = text[:col]
    if head.isascii() and head.isprintable():
        return len(head)
    column = 0
    for char in head:
        column += char_cells(char, column, tabstop)
    return column


def col_at(text: str, column: int, tabstop: int) -> int:
    """Return the index of the character that covers display `column`, the length where the text is shorter."""
    if text.isascii() and text.isprintable():
        return min(column, len(text))
    at = 0
    for col, char in enumerate(text):
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
    head, middle, tail = [], [], []
    column = 0
    for char in text:
        cells = char_cells(char, column, tabstop)
        end = column + cells - 1
        if end < left and cells or (not cells and column <= left):
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
