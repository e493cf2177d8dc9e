"""The screen as curtsies keeps it: rows compared with what is shown, and only the difference written.

`Row` is a line that is drawn already; `Screen` is curtsies' full-screen window with an output that collects,
so that a frame is one piece of bytes. Which rows there are is `render.py`'s matter; where the bytes go is
`terminal.py`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tpy.modal.ui.lightcurtsies import FmtStr, FullscreenWindow

# Scrolling by hardware needs at least so many rows in place; below that drawing them is as cheap.
_WORTH_SCROLLING = 4


class Ink(NamedTuple):
    """A stretch of a row as it is drawn from and to plain colours: its text, the bytes, its cells, whether a width in
    it is doubtful."""

    text: str
    ansi: str
    cells: int
    doubtful: bool = False


class Row(FmtStr):
    """One line of the screen: its text, the bytes that draw it (from and to plain colours), its width in cells."""

    def __init__(
        self, text: str, ansi: str, width: int, columns: tuple[int, ...] = (), inks: tuple[Ink, ...] = ()
    ) -> None:
        """`columns` and `inks`, where the row can be drawn in parts: where each begins, from 0 on without a gap, and
        what is there; `text` and `ansi` are then what they make together."""
        self.chunks = []
        self.columns, self.inks = columns, inks
        self._text, self._ansi = text, ansi
        self.cells = width

    @property
    def text(self) -> str:
        """What can be read."""
        return self._text or "".join([ink.text for ink in self.inks])

    @property
    def ansi(self) -> str:
        """The bytes that draw it."""
        return self._ansi or "".join([ink.ansi for ink in self.inks])

    @property
    def look(self) -> object:
        """What is equal where rows look the same: they are compared more often than they are drawn."""
        return self.inks or self._ansi

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Row) and self.look == other.look)

    def __hash__(self) -> int:
        return hash(self.look)

    def __str__(self) -> str:
        return self.ansi

    def __len__(self) -> int:
        return self.cells


class _Output:
    """Stands for the stream curtsies writes to: keeps the pieces of a frame."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.write = self.pieces.append

    def flush(self) -> None:
        """Nothing to do: the frame goes out in one write."""

    def take(self) -> str:
        """What was written since the last time."""
        text = "".join(self.pieces)
        self.pieces.clear()
        return text


class _Codes:
    """The few control sequences curtsies asks its terminal object for."""

    hide_cursor = "\x1b[?25l"
    normal_cursor = "\x1b[?25h"
    clear_eol = "\x1b[K"
    clear_bol = "\x1b[1K"

    def __init__(self) -> None:
        self.width = 80
        self.height = 24

    @staticmethod
    def move(row: int, column: int) -> str:
        """Put the cursor on a cell, from 0."""
        return f"\x1b[{row + 1};{column + 1}H"


class Screen(FullscreenWindow):
    """curtsies' window without its terminal object, which would question the terminal; see `lightcurtsies`."""

    def __init__(self) -> None:
        self._output, self._codes = _Output(), _Codes()
        self.out_stream: Any = self._output
        self.t: Any = self._codes
        self.hide_cursor = False
        self._last_lines_by_row: dict[int, FmtStr | None] = {}
        self._last_rendered_width = self._last_rendered_height = None

    def write(self, msg: str) -> None:
        """Add to the frame."""
        self._output.write(msg)

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has this size now; nothing on it is known any more if it is another."""
        if (columns, rows) != (self._codes.width, self._codes.height):
            self._codes.width, self._codes.height = columns, rows
            self.forget()

    def forget(self) -> None:
        """What the terminal shows is not known: the next frame draws everything."""
        self._last_lines_by_row = {}

    def assume(self, rows: Sequence[Row]) -> None:
        """The terminal shows these rows already."""
        self._last_lines_by_row = dict(enumerate(rows))
        self._last_rendered_width, self._last_rendered_height = self._codes.width, self._codes.height

    def frame(self, rows: Sequence[Row], cursor: tuple[int, int] | None) -> str:
        """The bytes that turn what is shown into `rows`, cursor at (row, column) from 0 or hidden."""
        self.hide_cursor = cursor is None
        if cursor is None:
            self.write(self._codes.hide_cursor)
        if self._last_lines_by_row:
            self._scroll(rows)
            self._patch(rows)
        self.render_to_terminal(list(rows), cursor or (0, 0))
        return self._output.take()

    def _scroll(self, rows: Sequence[Row]) -> None:
        """Where most rows are shown already, some lines higher or lower, let the terminal move them."""
        shown = self._last_lines_by_row
        changed = []
        for number, row in enumerate(rows):
            before = shown.get(number)
            if before is not row and before != row:
                changed.append(number)
        if len(changed) < _WORTH_SCROLLING:
            return
        first, last = changed[0], changed[-1]
        above: Any = shown.get(first)
        if above is not None and above.inks and above.inks[:1] == rows[first].inks[:1]:
            return  # a window at the left stays as it is
        places: dict[object, int | None] = {}
        for number in range(first, last + 1):
            known: Any = shown.get(number)
            if known is not None:
                look = known.look
                places[look] = None if look in places else number  # only rows that are shown once tell anything
        votes: dict[int, int] = {}
        for number in changed:
            place = places.get(rows[number].look)
            if place is not None:
                votes[place - number] = votes.get(place - number, 0) + 1
        if not votes:
            return
        by = max(votes, key=lambda distance: votes[distance])
        if by == 0 or votes[by] < max(_WORTH_SCROLLING, len(changed) // 2):
            return
        matching = [n for n in range(first, last + 1) if places.get(rows[n].look) == n + by]
        self._move(min(matching), max(matching), by)

    def _patch(self, rows: Sequence[Row]) -> None:
        """Of rows that are drawn in parts write only those that are not shown yet (windows beside each other)."""
        shown: Any = self._last_lines_by_row
        for number, row in enumerate(rows):
            before = shown.get(number)
            if before is row or before is None or not row.inks or before.columns != row.columns:
                continue
            for column, old, new in zip(row.columns, before.inks, row.inks, strict=True):
                if old is not new and old.ansi != new.ansi:
                    self.write(self._codes.move(number, column))
                    self.write(new.ansi)
            if before.cells > row.cells:
                self.write(self._codes.move(number, row.cells))
                self.write(self._codes.clear_eol)
            shown[number] = row

    def _move(self, first: int, last: int, by: int) -> None:
        """Rows `first` to `last` are to show what is `by` rows below (above, if negative) them now."""
        top, bottom = min(first, first + by), max(last, last + by)
        lines = f"\x1b[{by}M" if by > 0 else f"\x1b[{-by}L"
        self.write(f"\x1b[{top + 1};{bottom + 1}r{self._codes.move(top, 0)}{lines}\x1b[r")
        shown = self._last_lines_by_row
        moved = {n: shown.get(n + by) if top <= n + by <= bottom else None for n in range(top, bottom + 1)}
        self._last_lines_by_row = {**shown, **moved}
