"""Rows of the screen drawn from strips, each once: the same strip at the same place gives the same row.

Which strips a frame has is `render.py`'s matter, which bytes bring rows to the terminal `screen.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterable

from tpy.modal.ui.rows import Strip, crop, ink
from tpy.modal.ui.screen import Ink, Row
from tpy.modal.ui.theme import Theme

# Drawn rows are kept up to this many.
KEPT = 4000

# A row with the strip it is made from, which is known by its identity and so has to be kept.
_Rows = dict[int, tuple[Strip, Row]]


class Drawing:
    """What was drawn in a theme on a screen of so many columns."""

    def __init__(self, theme: Theme, columns: int) -> None:
        self.theme = theme
        self.columns = columns
        self._kept: dict[tuple[int, int, Strip | None], _Rows] = {}
        self._count = 0

    def rows(self, strips: list[Strip], left: int, end: int, between: Strip | None = None) -> list[Row]:
        """The rows of strips that begin at column `left`, with what stands at column `end` between them and a window
        beside them."""
        known = self._kept.get((left, end, between))
        if known is None:
            known = self._kept[left, end, between] = {}
        return [(known.get(id(strip)) or self._drawn(known, strip, left, end, between))[1] for strip in strips]

    def row(self, strip: Strip) -> Row:
        """The row of a strip over the whole width."""
        return self.rows([strip], 0, self.columns)[0]

    def joined(self, rows: Iterable[Row]) -> Row:
        """One row of several beside each other."""
        return self._painted(tuple([part for row in rows for part in row.inks]))

    def _drawn(self, known: _Rows, strip: Strip, left: int, end: int, between: Strip | None) -> tuple[Strip, Row]:
        self._count += 1
        if self._count > KEPT:
            self._kept.clear()
            self._count = 0
        inks = (self._part(strip, left),) if between is None else (self._part(strip, left), self._part(between, end))
        whole = left == 0 and end >= self.columns
        known[id(strip)] = made = strip, self._painted(inks) if whole else Row(inks, inks[-1][0] + inks[-1][1].cells)
        return made

    def _part(self, strip: Strip, left: int) -> tuple[int, Ink]:
        shown = strip if left + strip.cells <= self.columns else crop(strip.pieces, 0, max(self.columns - left, 0))
        return left, ink(shown, self.theme, left)

    def _painted(self, inks: tuple[tuple[int, Ink], ...]) -> Row:
        """A row, painted to its end where text has a background."""
        column = inks[-1][0] + inks[-1][1].cells if inks else 0
        if self.theme.paints_background and column < self.columns:
            blank = Strip(((" " * (self.columns - column), ()),), self.columns - column)
            return Row((*inks, self._part(blank, column)), self.columns)
        return Row(inks, column)
