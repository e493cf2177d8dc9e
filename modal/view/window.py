"""A window: a view of one buffer with its cursor, wanted column, scroll position and jump list."""

from __future__ import annotations

from typing import Any

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.marks import Jumps, follow_nearest
from tpy.modal.text.position import Pos, clamp
from tpy.modal.text.splice import Splice


class Window:
    """Where a buffer is looked at. `height` and `width` are those of the text, in cells.

    `top` is the first line shown; `left` the first display column without `wrap`. `want` is the display column
    that vertical motions aim at (`MAXCOL` after `$`), `None` when it is the cursor's own.
    """

    def __init__(self, buffer: Buffer, *, height: int = 23, width: int = 80) -> None:
        self.buffer = buffer
        self.cursor = Pos(0, 0)
        self._want: int | None = None
        # Where no column is wanted: the cursor before the last command with the column it was shown in then, which
        # vertical motions aim at as long as it stays there.
        self.noted: tuple[Pos, int] | None = None
        # On a tab: the cursor and the buffer's tick when it went there, with the column it was shown in; that does not
        # change when Visual mode begins.
        self.shown: tuple[Pos, int, int] | None = None
        # How many cells beyond its character the cursor is shown (`:help 'virtualedit'`); in modes where it may not be
        # there it may still have such a place.
        self.beyond = 0
        self.top = 0
        self.left = 0
        # Rows of the top line that are scrolled off, where one line fills the window.
        self.skip = 0
        # In diff mode: a top line and how many of the empty rows above it are shown, where that is not all.
        self.filler: tuple[int, int] | None = None
        self.height = height
        self.width = width
        # The height before it was changed last, until the text is scrolled to fit; then where the cursor was in it, as
        # a fraction (of 16384) and a row, so that shrinking and growing again ends where it began.
        self.resized_from: int | None = None
        self.fraction, self.fraction_row = 0, -1
        self.jumps = Jumps()
        # The place in the change list where `g;` went last, with the tick of the buffer then.
        self.change_index: tuple[int, int] | None = None
        self.alternate: int | None = None
        # The place in each buffer that was shown here before, by buffer number.
        self.places: dict[int, tuple[Pos, int]] = {}
        # The folds in each of those buffers.
        self.folds: dict[int, Any] = {}
        # Window-local option values, by full name.
        self.options: dict[str, Any] = {}
        # What else a room keeps about this window (folds, an agent's pane), by the room's name.
        self.extra: dict[str, Any] = {}
        # The window follows the end of a buffer that a program fills while its cursor is on the last line.
        self.follows_end = False

    @property
    def want(self) -> int | None:
        """The display column that vertical motions aim at, `None` for the cursor's own."""
        return self._want

    @want.setter
    def want(self, column: int | None) -> None:
        """Aim at another column, `None` for the cursor's own."""
        self._want, self.noted = column, None

    def closed_fold(self, line: int) -> tuple[int, int] | None:
        """Return the first and last line of the closed fold over a line, `None` where there is none."""
        folds = self.extra.get("folds")
        return folds.closed(line) if folds is not None else None

    def first_of_fold(self, line: int) -> int:
        """Return the first line of the closed fold over a line, else the line itself."""
        fold = self.closed_fold(line)
        return line if fold is None else fold[0]

    def last_of_fold(self, line: int) -> int:
        """Return the last line of the closed fold over a line, else the line itself."""
        fold = self.closed_fold(line)
        return line if fold is None else fold[1]

    def show(self, buffer: Buffer) -> None:
        """Show another buffer, at the place it was left in this window."""
        if buffer is self.buffer:
            return
        self.places[self.buffer.number] = (self.cursor, self.top)
        self.alternate = self.buffer.number
        self.folds[self.buffer.number] = self.extra.pop("folds", None)
        self.buffer = buffer
        if self.folds.get(buffer.number) is not None:
            self.extra["folds"] = self.folds.pop(buffer.number)
        cursor, self.top = self.places.get(buffer.number, (buffer.marks.get('"') or Pos(0, 0), 0))
        self.cursor = clamp(cursor, buffer.lines)
        self.want, self.left, self.skip, self.change_index = None, 0, 0, None
        self.top = min(self.top, len(buffer.lines) - 1)

    @property
    def state(self) -> tuple[Buffer, int, int, int, int]:
        """What is equal as long as the window stays as a command scrolled it: the text, the cursor's line, the top."""
        return self.buffer, self.buffer.tick, self.cursor.line, self.top, self.height

    def follow(self, splice: Splice) -> None:
        """Move cursor and top line as the splice moved their lines (for windows the change was not made in)."""
        self.jumps.follow(self.buffer.number, splice)
        if len(splice.old) != len(splice.new):
            self.cursor = follow_nearest(self.cursor, splice)
            if splice.line < self.top:
                self.top = follow_nearest(Pos(self.top, 0), splice).line
        self.cursor = clamp(self.cursor, self.buffer.lines, past_end=True)
        self.top = min(self.top, len(self.buffer.lines) - 1)
