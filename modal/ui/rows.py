"""One row of the screen from pieces of text with classes: what is visible, how wide, and the bytes that draw it.

Nothing reaches the terminal that has not passed here: control characters are shown as `^X`, what can't be shown as
`<xx>`. Which pieces a row has is decided in `lines.py` (text) and `render.py` (all else).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from tpy.modal.text.width import char_cells, column_of, glyph
from tpy.modal.ui.screen import Ink, Stretch, coloured
from tpy.modal.ui.theme import Theme
from tpy.modal.view.display import plain

Classes = tuple[str, ...]
Piece = tuple[str, Classes]
# Runs that terminals may draw wider or narrower than we count: the cursor is put right after them, and between
# a character and its skin colour, so that both are drawn.
_DOUBTFUL = re.compile("[\u0300-\u036f\u1100-\U0010ffff][\u0300-\u036f\u1100-\U0001f3fa\U0001f400-\U0010ffff]*")
# Selectors between text and picture, which would change the width: left out.
_SELECTORS = {0xFE0E: None, 0xFE0F: None}
SPECIAL = "editor.special"


class Strip(NamedTuple):
    """Pieces that take `cells` cells."""

    pieces: tuple[Piece, ...]
    cells: int


def safe(text: str) -> tuple[str, int]:
    """Text of the interface (a message, a name) made visible, and its cells; tabs are `^I`."""
    if plain(text):
        return text, len(text)
    shown, total = [], 0
    for char in text:
        shown.append(glyph(char))
        total += char_cells(char, 0, 0)
    return "".join(shown), total


def text_cells(text: str) -> int:
    """Cells of text that is visible already."""
    return len(text) if text.isascii() or plain(text) else column_of(text, len(text), 1)


def cut(text: str, width: int) -> tuple[str, int]:
    """The beginning of visible text that fits into `width` cells, and its cells."""
    if text.isascii() or plain(text):
        return text[:width], min(len(text), width)
    used = 0
    for at, char in enumerate(text):
        cells = char_cells(char, 0, 0)
        if used + cells > width:
            return text[:at], used
        used += cells
    return text, used


def crop(pieces: Iterable[Piece], left: int, width: int) -> Strip:
    """The part of pieces between two columns; a wide character at an edge becomes a blank."""
    out: list[Piece] = []
    column, end = 0, left + width
    for text, classes in pieces:
        if column >= end:
            break
        if text.isascii() or plain(text):
            part = text[max(left - column, 0) : max(end - column, 0)]
            column += len(text)
        else:
            shown = []
            for char in text:
                cells = char_cells(char, 0, 0)
                if left <= column and column + cells <= end:
                    shown.append(char)
                else:
                    shown.append(" " * max(min(column + cells, end) - max(column, left), 0))
                column += cells
            part = "".join(shown)
        if part:
            out.append((part, classes))
    return Strip(tuple(out), max(min(column, end) - left, 0))


def padded(strip: Strip, width: int, classes: Classes = ()) -> Strip:
    """The strip filled with blanks to `width` cells."""
    if strip.cells >= width:
        return strip
    return Strip((*strip.pieces, (" " * (width - strip.cells), classes)), width)


def joined(strips: Iterable[Strip]) -> Strip:
    """Strips beside each other."""
    pieces: list[Piece] = []
    cells = 0
    for strip in strips:
        pieces += strip.pieces
        cells += strip.cells
    return Strip(tuple(pieces), cells)


def overlaid(below: Strip, column: int, above: Strip) -> Strip:
    """A strip with another laid over it from a column on."""
    left = padded(crop(below.pieces, 0, column), column)
    end = column + above.cells
    return joined((left, above, crop(below.pieces, end, max(below.cells - end, 0))))


def ink(strip: Strip, theme: Theme, left: int) -> Ink:
    """How a strip is drawn that begins at column `left`."""
    stretches: list[Stretch] = []
    column, last, whole, doubtful = left, None, False, False
    for part, classes in strip.pieces:
        sequence = theme.sgr(classes)
        if part.isascii() or plain(part):
            shown, cells = part, len(part)
        else:
            shown, cells = _exact(part, column)
            whole, doubtful = True, doubtful or shown != part
        if sequence == last:
            stretches[-1] = (stretches[-1][0], sequence, stretches[-1][2] + shown)
        elif shown:
            stretches.append((column, sequence, shown))
            last = sequence
        column += cells
    text = "".join([text for text, _ in strip.pieces])
    return Ink(text, coloured(stretches), tuple(stretches), strip.cells, whole, doubtful)


def _exact(text: str, column: int) -> tuple[str, int]:
    """What draws text so that all terminals show it in the cells that we count, from a column on, and these cells."""
    drawn: list[str] = []
    at = 0
    begin = column
    for match in _DOUBTFUL.finditer(text):
        drawn.append(text[at : match.end()].translate(_SELECTORS))
        column += text_cells(text[at : match.end()])
        drawn.append(f"\x1b[{column + 1}G")
        at = match.end()
    drawn.append(text[at:])
    return "".join(drawn), column + text_cells(text[at:]) - begin
