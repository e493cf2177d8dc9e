"""A row of a buffer's line: text with its syntax and marks as visible pieces (`'list'`, tabs, wide characters).

`Chunk` is the part of a line that one row shows; the same chunk gives the same pieces, so they are kept. Where rows
begin is `view/display.py`'s matter, what the colours are `theme.py`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from tpy.modal.text.width import char_cells, glyph
from tpy.modal.ui.rows import SPECIAL, Classes, Piece, Strip, crop
from tpy.modal.view.display import PLAIN

Span = tuple[int, int, str]
_ODD = re.compile(f"[^ {PLAIN}]")
_ODD_OR_BLANK = re.compile(f"[^{PLAIN}]")
NONTEXT = "editor.nontext"


class ListChars(NamedTuple):
    """What `'listchars'` gives, "" for what it doesn't; `tab` is two or three characters."""

    eol: str = ""
    tab: str = ""
    trail: str = ""
    lead: str = ""
    space: str = ""
    nbsp: str = ""
    extends: str = ""
    precedes: str = ""


@lru_cache(maxsize=16)
def parse_listchars(text: str) -> ListChars:
    """Read `'listchars'`; what is wrong in it is left out."""
    found = {}
    for item in re.split(r",(?=[a-z]+:)", text):
        name, _, value = item.partition(":")
        if name in ListChars._fields and value:
            found[name] = value if name == "tab" else value[0]
    return ListChars(**found)


class Chunk(NamedTuple):
    """What one row shows of a line.

    `text` begins at display `column`; `shown` cells of its first character are on the row before (or left of the
    window). `end`: the line ends with it. `spans` are syntax and marks, as indices into `text`, later ones laid over
    earlier; `listed` is set with `'list'`. `trail` is the index where trailing blanks begin.
    """

    text: str
    column: int
    shown: int
    end: bool
    spans: tuple[Span, ...]
    marks: tuple[Span, ...]
    base: Classes
    tabstop: int
    listed: ListChars | None
    lead: int
    trail: int
    width: int


def pieces_of(chunk: Chunk) -> Strip:
    """The visible pieces of a chunk, at most its width."""
    pieces: list[Piece] = []
    column = chunk.column
    limit = chunk.column + chunk.shown + chunk.width
    for start, stop, classes in _runs(chunk):
        if column >= limit:
            break
        column = _show(chunk, start, stop, column, classes, pieces)
    column = _line_end(chunk, column, pieces)
    if not chunk.shown and column <= limit:
        return Strip(tuple(pieces), column - chunk.column)
    strip = crop(pieces, chunk.shown, chunk.width)
    listed = chunk.listed
    if listed is not None and listed.precedes and chunk.shown:
        strip = Strip(
            ((listed.precedes, (*chunk.base, NONTEXT)), *crop(strip.pieces, 1, strip.cells).pieces), strip.cells
        )
    return strip


def _runs(chunk: Chunk) -> list[tuple[int, int, Classes]]:
    """The text cut where classes change."""
    length, base = len(chunk.text), chunk.base
    if not chunk.marks:
        runs, at = [], 0
        for start, stop, name in chunk.spans:
            start, stop = max(start, at), min(stop, length)
            if start >= stop:
                continue
            if start > at:
                runs.append((at, start, base))
            runs.append((start, stop, (name, *base)))
            at = stop
        if at < length:
            runs.append((at, length, base))
        return runs
    edges = {0, length}
    for start, stop, _ in (*chunk.spans, *chunk.marks):
        edges.update((min(max(start, 0), length), min(max(stop, 0), length)))
    cuts = sorted(edges)
    return [
        (start, stop, _classes_at(chunk.spans, start) + base + _classes_at(chunk.marks, start))
        for start, stop in pairwise(cuts)
    ]


def _classes_at(spans: Sequence[Span], at: int) -> Classes:
    return tuple(name for start, stop, name in spans if start <= at < stop)


def _show(chunk: Chunk, start: int, stop: int, column: int, classes: Classes, pieces: list[Piece]) -> int:
    """Add the text from `start` to `stop`; the column after it."""
    text, listed = chunk.text, chunk.listed
    blanks = listed is not None and (listed.space or listed.trail or listed.lead)
    odd = _ODD_OR_BLANK if blanks else _ODD
    at = start
    while at < stop:
        match = odd.search(text, at, stop)
        end = match.start() if match else stop
        if end > at:
            pieces.append((text[at:end], classes))
            column += end - at
        if match is None:
            break
        cells = char_cells(match[0], column, chunk.tabstop)
        shown, special = _odd(chunk, match.start(), match[0], cells)
        if special:
            pieces.append((shown, (*classes, SPECIAL)))
        elif pieces and pieces[-1][1] == classes:  # what belongs to the character before must be drawn with it
            pieces[-1] = (pieces[-1][0] + shown, classes)
        else:
            pieces.append((shown, classes))
        column += cells
        at = match.end()
    return column


def _odd(chunk: Chunk, at: int, char: str, cells: int) -> tuple[str, bool]:
    """What is shown for a character that may not stand for itself, and whether it is coloured as such."""
    listed = chunk.listed
    if char == "\t":
        if not chunk.tabstop:
            return "^I", True
        if listed is None or not listed.tab:
            return " " * cells, False
        first, rest, last = listed.tab[0], listed.tab[1:2] or " ", listed.tab[2:3]
        if cells == 1:
            return last or first, True
        return first + rest * (cells - 1 - len(last)) + last, True
    if char == " ":
        if listed is None:
            return " ", False
        named = listed.trail if at >= chunk.trail else listed.lead if at < chunk.lead else ""
        shown = named or listed.space
        return shown or " ", bool(shown)
    if char == "\xa0" and listed is not None and listed.nbsp:
        return listed.nbsp, True
    shown = glyph(char)
    return shown, shown != char


def _line_end(chunk: Chunk, column: int, pieces: list[Piece]) -> int:
    """The end of the line: `$` with `'list'`, and the line break where a selection or match includes it."""
    if not chunk.end:
        return column
    over = _classes_at(chunk.marks, len(chunk.text))
    sign = chunk.listed.eol if chunk.listed is not None else ""
    if not sign and not over:
        return column
    pieces.append((sign or " ", (*chunk.base, NONTEXT, *over) if sign else (*chunk.base, *over)))
    return column + 1
