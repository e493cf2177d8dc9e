"""The screen as curtsies keeps it: rows compared with what is shown, and only the difference written.

`Row` is a line that is drawn already; `Screen` is curtsies' full-screen window with an output that collects,
so that a frame is one piece of bytes. Which rows there are is `render.py`'s matter; where the bytes go is
`terminal.py`'s.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tpy.modal.ui.lightcurtsies import FmtStr, FullscreenWindow

# Scrolling by hardware needs at least so many rows in place; below that drawing them is as cheap.
_WORTH_SCROLLING = 4
# Where more rows than these change the cursor is hidden meanwhile.
_FEW = 3


# A stretch of a row in one colour: where it begins, what sets its colours ("" for plain ones), what draws it.
Stretch = tuple[int, str, str]


class Ink(NamedTuple):
    """How a strip is drawn from and to plain colours: its text, the bytes, its stretches and cells.

    `whole`: some characters may take other cells than we count, so that it is drawn with its row as a whole;
    `doubtful`: terminals differ on them.
    """

    text: str
    ansi: str
    stretches: tuple[Stretch, ...]
    cells: int
    whole: bool = False
    doubtful: bool = False


class Row(FmtStr):
    """One line of the screen: what is drawn at columns beside each other, in order, blanks between; its cells."""

    def __init__(self, inks: tuple[tuple[int, Ink], ...], width: int) -> None:
        self.chunks = []
        self.inks = inks
        self.cells = width

    @classmethod
    def plain(cls, text: str, cells: int) -> Row:
        """A row of visible text without colours."""
        return cls(((0, Ink(text, text, ((0, "", text),), cells, not text.isascii())),) if text else (), cells)

    @property
    def text(self) -> str:
        """What can be read."""
        return self._joined([ink.text for _, ink in self.inks])

    @property
    def ansi(self) -> str:
        """The bytes that draw it from the first column on."""
        drawn = self._joined([ink.ansi for _, ink in self.inks])
        return "\x1b[2K" + drawn if any(ink.doubtful for _, ink in self.inks) else drawn

    def _joined(self, parts: list[str]) -> str:
        text, end = "", 0
        for (left, ink), part in zip(self.inks, parts, strict=True):
            text += " " * (left - end) + part
            end = left + ink.cells
        return text

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Row) and self.inks == other.inks)

    def __hash__(self) -> int:
        return hash(self.inks)

    def __str__(self) -> str:
        return self.ansi

    def __len__(self) -> int:
        return self.cells


BLANK = Row((), 0)


def coloured(stretches: Iterable[Stretch]) -> str:
    """The bytes that draw stretches beside each other, from and to plain colours."""
    out: list[str] = []
    last = ""
    for _, sequence, text in stretches:
        if sequence != last:
            out.append("\x1b[m" + sequence if last else sequence)
            last = sequence
        out.append(text)
    if last:
        out.append("\x1b[m")
    return "".join(out)


def difference(old: Ink, new: Ink) -> list[Stretch]:
    """What is to be drawn in place of something else at the same column, where each character takes the cells that we
    count."""
    before, after = old.stretches, new.stretches
    most = min(len(before), len(after))
    head = tail = 0
    while head < most and before[head] == after[head]:
        head += 1
    if old.cells == new.cells:
        while tail < most - head and before[-1 - tail] == after[-1 - tail]:
            tail += 1
    wanted, there = list(after[head : len(after) - tail]), before[head : len(before) - tail]
    if not wanted or not there:
        return wanted
    (column, sequence, text), (other_column, other_sequence, other) = wanted[0], there[0]
    if column == other_column and sequence == other_sequence and text.isascii() and other.isascii():
        same = _same(text, other)
        text, other = text[same:], other[same:]
        if len(wanted) == len(there) == 1 and len(text) == len(other):
            text = text[: len(text) - _same(text[::-1], other[::-1])]
        wanted[0] = (column + same, sequence, text)
    return wanted


def _same(one: str, other: str) -> int:
    """How many characters two texts have in common at their beginning."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


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
        # Where the last frame put the cursor, and whether it is visible, None while that is not known.
        self._cursor: tuple[int, int] | None = None
        self._cursor_shown: bool | None = None
        self._last_rendered_width = self._last_rendered_height = None

    def write(self, msg: str) -> None:
        """Add to the frame."""
        self._output.write(msg)

    def resize(self, columns: int, rows: int) -> None:
        """The terminal has this size now; nothing on it is known any more if it is another."""
        if (columns, rows) != (self._codes.width, self._codes.height):
            self._codes.width, self._codes.height = columns, rows
            self.forget()

    @property
    def shown(self) -> Sequence[Row]:
        """The rows of the last frame; none while it is not known what the terminal shows."""
        rows: Any = self._last_lines_by_row.values()
        return tuple(rows)

    def forget(self) -> None:
        """What the terminal shows is not known: the next frame draws everything."""
        self._last_lines_by_row = {}
        self._cursor = None
        self._cursor_shown = None

    def assume(self, rows: Sequence[Row]) -> None:
        """The terminal shows these rows already."""
        self._last_lines_by_row = dict(enumerate(rows))
        self._last_rendered_width, self._last_rendered_height = self._codes.width, self._codes.height

    def frame(self, rows: Sequence[Row], cursor: tuple[int, int] | None) -> str:
        """The bytes that turn what is shown into `rows`, cursor at (row, column) from 0 or hidden; "" for none.

        Where rows are known only what differs is written; else curtsies draws them all.
        """
        changed = self._changed(rows)
        if not changed and cursor == self._cursor and self._cursor_shown is not None:
            return ""
        self._show_cursor(cursor is not None and self._cursor_shown is not None and len(changed) <= _FEW)
        if len(changed) >= _WORTH_SCROLLING and self._last_lines_by_row:
            self._scroll(rows, changed)
            changed = self._changed(rows)
        few = len(changed) <= _FEW
        if len(self._last_lines_by_row) < len(rows):
            self.hide_cursor = True  # it is, or shall not be
            self.render_to_terminal(list(rows))
        else:
            for number in changed:
                self._patch(number, rows[number], exactly=few)
        if cursor is not None:
            self.write(self._codes.move(*cursor))
        self._show_cursor(cursor is not None)
        self._cursor = cursor
        return self._output.take()

    def _show_cursor(self, wanted: bool) -> None:
        """Show or hide the cursor where it is not so already."""
        if wanted is not self._cursor_shown:
            self.write(self._codes.normal_cursor if wanted else self._codes.hide_cursor)
            self._cursor_shown = wanted

    def _changed(self, rows: Sequence[Row]) -> list[int]:
        """The numbers of the rows that are not shown yet."""
        shown: dict[int, Any] = self._last_lines_by_row
        return [
            n
            for n, row in enumerate(rows)
            if (before := shown.get(n)) is not row and (before is None or before.inks != row.inks)
        ]

    def _patch(self, number: int, row: Row, *, exactly: bool) -> None:
        """Write what differs of a row: to the cell or by windows, or as a whole where not all cells can be counted."""
        before: Any = self._last_lines_by_row[number]
        self._last_lines_by_row[number] = row
        pairs = [(a, b) for a, b in zip(before.inks, row.inks, strict=False) if a is not b and a != b]
        whole = len(before.inks) != len(row.inks)
        for (left, old), (column, new) in pairs:
            whole = whole or left != column or old.whole or new.whole
        if not whole:
            for (column, old), (_, new) in pairs:
                self._over(number, column, old, new, exactly=exactly)
            return
        self.write(self._codes.move(number, 0))
        self.write(row.ansi)
        if before is not BLANK and row.cells < self._codes.width:
            self.write(self._codes.clear_eol)

    def _over(self, row: int, column: int, old: Ink, new: Ink, *, exactly: bool) -> None:
        """Write something in place of something else."""
        if exactly:
            wanted = difference(old, new)
            self.write(self._codes.move(row, wanted[0][0] if wanted else column + new.cells))
            self.write(coloured(wanted))
        else:
            self.write(self._codes.move(row, column))
            self.write(new.ansi)
        if old.cells > new.cells:
            self.write(f"\x1b[{old.cells - new.cells}X")

    def _scroll(self, rows: Sequence[Row], changed: list[int]) -> None:
        """Where most rows are shown already, some lines higher or lower, let the terminal move them."""
        shown = self._last_lines_by_row
        first, last = changed[0], changed[-1]
        above: Any = shown.get(first)
        if above is not None and len(above.inks) > 1 and above.inks[:1] == rows[first].inks[:1]:
            return  # a window at the left stays as it is
        # Rows that have moved are the same objects.
        before = [id(shown.get(number)) for number in range(first, last + 1)]
        after = list(map(id, rows[first : last + 1]))
        for probe in (len(after) // 2, len(after) // 4, len(after) * 3 // 4):
            if before.count(after[probe]) != 1:
                continue  # only rows that are shown once tell anything
            by = before.index(after[probe]) - probe
            pairs = zip(after[max(-by, 0) :], before[max(by, 0) :], strict=False)
            matching = [number for number, (one, other) in enumerate(pairs, first + max(-by, 0)) if one == other]
            if by and len(matching) >= max(_WORTH_SCROLLING, len(changed) // 2):
                self._move(matching[0], matching[-1], by)
                return

    def _move(self, first: int, last: int, by: int) -> None:
        """Rows `first` to `last` are to show what is `by` rows below (above, if negative) them now."""
        top, bottom = min(first, first + by), max(last, last + by)
        lines = f"\x1b[{by}M" if by > 0 else f"\x1b[{-by}L"
        self.write(f"\x1b[{top + 1};{bottom + 1}r{self._codes.move(top, 0)}{lines}\x1b[r")
        shown = self._last_lines_by_row
        moved = {n: shown.get(n + by) if top <= n + by <= bottom else BLANK for n in range(top, bottom + 1)}
        self._last_lines_by_row = {**shown, **moved}
