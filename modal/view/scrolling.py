"""Scrolling a window as Vim does: what keeps the cursor in view, and what `zt`, `<C-e>` and kin do.

Lines and rows are those of a `Geometry`; only `window.top` and the cursor's line are changed. Columns are the
caller's business; pages are in `pages.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tpy.modal.text.position import Pos
from tpy.modal.view.display import Geometry
from tpy.modal.view.window import Window

_FAR = 1 << 30
# Of how many parts the height of a window consists for the place of its cursor.
_PARTS = 16384


class Scroller:
    """Scrolls a window under its options. Lines count from 0; `bottom` is the first line below the window."""

    def __init__(self, window: Window, option: Callable[[str], Any]) -> None:
        geometry = self.geometry = Geometry(window, option)
        self.window = geometry.window
        self.height = geometry.height
        self.last = len(geometry.lines) - 1
        self.scrolloff: int = max(option("scrolloff"), 0)
        # Rows at the bottom that show no line, known once `bottom` was asked for.
        self.empty_rows = 0

    # Lines and rows

    @property
    def line(self) -> int:
        """The cursor's line."""
        return self.window.cursor.line

    @line.setter
    def line(self, line: int) -> None:
        """Move the cursor to `line`, or to the first or last line there is; its column stays."""
        self.window.cursor = Pos(min(max(line, 0), self.last), self.window.cursor.col)

    def rows(self, line: int) -> int:
        """Return the rows of a line, one for a closed fold."""
        return self.geometry.row_count(line)

    def _first(self, line: int) -> int:
        return self.window.first_of_fold(line)

    def _last(self, line: int) -> int:
        return self.window.last_of_fold(line)

    def _back(self, line: int) -> tuple[int, int]:
        """Return the line above, folds as one, with its rows: very many before the first line."""
        if line <= 0:
            return -1, _FAR
        line = self._first(line - 1)
        return line, self.rows(line)

    def _forward(self, line: int) -> tuple[int, int]:
        """Return the line below, folds as one, with its rows: very many behind the last line."""
        if line >= self.last:
            return self.last + 1, _FAR
        rows = self.rows(line + 1)
        return self._last(line + 1), rows

    def bottom(self) -> int:
        """Return the first line that is not shown whole, and note how many rows are empty."""
        used, line = 0, self.window.top
        lines, simple, width = self.geometry.lines, self.geometry.simple, self.geometry.width
        part = lines[line : line + self.height]
        if part and self.geometry.one_row_each(part):
            self.empty_rows = self.height - len(part)
            return line + len(part)
        while line <= self.last:
            text = lines[line]
            short = simple and len(text) < width and text.isascii() and text.isprintable()
            rows = 1 if short else self.rows(line)
            if self.geometry.fillers and line == self.window.top:
                rows = self.geometry.text_rows(line) + self.geometry.top_filler()
            if used + rows > self.height:
                break
            used += rows
            line = self._last(line) + 1
        self.empty_rows = self.height - used if used else 0
        return line

    # Keeping the cursor in view

    def fit(self) -> None:
        """After a change of the window's height show the cursor at the same part of it (`:help window-resize`)."""
        window, old = self.window, self.window.resized_from
        window.resized_from = None
        if old is None:
            return
        row = self._cursor_row()
        if row != window.fraction_row and old > 1:
            window.fraction = (row * _PARTS + old // 2) // old
        if self.height < len(self.geometry.lines) or window.top > 0:
            self._put_cursor_at((window.fraction * self.height - 1) // _PARTS)
        self.follow()
        window.fraction_row = self._cursor_row()

    def _cursor_row(self) -> int:
        """Return the row of the window that the cursor is in."""
        row, line = 0, self.window.top
        while line < self._first(self.line) and row <= self.height:
            row += self.rows(line)
            line = self._last(line) + 1
        return row + self.geometry.place(self.window.cursor)[0]

    def _put_cursor_at(self, row: int) -> None:
        """Scroll so that the cursor is in a row, or nearly."""
        within = self.geometry.place(self.window.cursor)[0]
        left = min(row - within, self.height - self.rows(self.line))
        line, rows = self._first(self.line), 0
        while left > 0 and line > 0:
            line, rows = self._back(line)
            left -= rows
        if left < 0 < rows:
            line = self._last(line) + 1
        self.window.top = line

    def follow(self) -> None:
        """Scroll so that the cursor is shown, with `scrolloff` lines around it."""
        window = self.window
        window.top = min(window.top, self.last)
        if window.top > 0 and (self.line < window.top or self._near_top()):
            if self._lines_above() >= max(self.height // 2 - 1, 2):
                self.centre(at_end=False)
                return
            self.to_top(1, always=False)
        else:
            window.top = self._first(window.top)
        bottom = self.bottom()
        if bottom <= self.last and not self._enough_below(bottom):
            if self._lines_below(bottom) <= self.height + 1:
                self.to_bottom(1, place=False)
            else:
                self.centre(at_end=False)

    def _near_top(self) -> bool:
        """Whether fewer than `scrolloff` rows are shown above the cursor."""
        line, rows = self.line, 0
        if line >= self.window.top + self.scrolloff and "folds" not in self.window.extra:
            return False
        while rows < self.scrolloff:
            line, height = self._back(line)
            if line < self.window.top:
                return True
            rows += height
        return False

    def _lines_above(self) -> int:
        """Return how far the cursor is above where it would be near the top."""
        count, line = 0, self.line
        limit = max(self.height // 2 - 1, 2)
        while line < self.window.top + self.scrolloff and line <= self.last and count < limit:
            line, count = self._last(line) + 1, count + 1
        return count

    def _enough_below(self, bottom: int) -> bool:
        """Whether `scrolloff` rows are shown below the cursor's line."""
        if self.line >= bottom:
            return False
        if self.line < bottom - self.scrolloff and "folds" not in self.window.extra:
            return True
        rows, line, height = self.empty_rows, self._last(self.line), 0
        while line < bottom:
            rows += height
            if rows >= self.scrolloff:
                return True
            line, height = self._forward(line)
        return rows >= self.scrolloff

    def _lines_below(self, bottom: int) -> int:
        """Return how far the cursor is below where it would be near the bottom."""
        count, line = 0, self.line
        while line >= bottom - self.scrolloff and line >= 0 and count <= self.height + 1:
            line, count = self._first(line) - 1, count + 1
        return count

    # Placing the cursor's line

    def to_top(self, least: int, *, always: bool) -> None:
        """Put the cursor's line at the top, `scrolloff` lines above it; scroll at least `least` lines if at all.

        Unless `always`, the window only goes up.
        """
        window, line = self.window, self.line
        used = self.rows(line)
        scrolled = used if line < window.top else 0
        top, below = self._first(line) - 1, self._last(line) + 1
        new, extra = top + 1, 0
        while top >= 0:
            top = self._first(top)
            rows = self.rows(top)
            if top < window.top:
                scrolled += rows
            if (new >= window.top or scrolled > least) and extra >= self.scrolloff:
                break
            used += rows
            if extra + rows <= self.scrolloff and below < self.last:
                used += self.rows(below)
                below = self._last(below)
            if used > self.height:
                break
            extra += rows
            new, top, below = top, top - 1, below + 1
        if used > self.height:
            self.centre(at_end=False)
            return
        if new < window.top or always:
            window.top = new
        window.top = min(window.top, self.line)

    def to_bottom(self, least: int, *, place: bool) -> None:
        """Scroll up until the cursor's line is shown, `scrolloff` lines below it; `place` puts it at the bottom."""
        line = self.line
        if place:
            self._place_bottom(line)
            bottom = line + 1
        else:
            bottom = self.bottom()
        used = self.rows(line)
        scrolled = 0
        if line >= bottom:
            scrolled = used - (self.empty_rows if line == bottom else 0)
        above, below, extra = self._first(line), self._last(line), 0
        while above > 0:
            enough = (scrolled <= 0 or scrolled >= least) and extra >= self.scrolloff
            if (enough or below + 1 > self.last) and above <= bottom:
                break
            above, rows = self._back(above)
            used += rows
            if used > self.height:
                break
            if above >= bottom:
                scrolled += rows - (self.empty_rows if above == bottom else 0)
            if below < self.last:
                below, rows = self._forward(below)
                used += rows
                if used > self.height:
                    break
                if extra < self.scrolloff or scrolled < least:
                    extra += rows
                    if below >= bottom:
                        scrolled += rows - (self.empty_rows if below == bottom else 0)
        self._scroll_for(scrolled, used, bottom, least)

    def _place_bottom(self, line: int) -> None:
        used, top = 0, line + 1
        while top > 0:
            above, rows = self._back(top)
            if used + rows > self.height:
                break
            used += rows
            top = above
        self.window.top = top
        self.empty_rows = self.height - used if used else 0

    def _scroll_for(self, scrolled: int, used: int, bottom: int, least: int) -> None:
        """Scroll up by rows, or put the cursor in the middle where that is more than a window."""
        if scrolled <= 0:
            return
        count = used
        if used <= self.height:
            count, rows, line = 0, 0, self.window.top - 1
            while rows < scrolled and line < bottom:
                line, height = self._forward(line)
                rows += height
                count += 1
            if rows < scrolled:
                count = _FAR
        if count >= self.height and count > least:
            self.centre(at_end=False)
        else:
            self.up(count)

    def centre(self, *, at_end: bool) -> None:
        """Put the cursor's line in the middle; `at_end` counts the rows behind the last line as text."""
        above_line, below_line = self._first(self.line), self._last(self.line)
        used, top = self.rows(above_line), above_line
        above = below = 0
        while top > 0:
            if above < below:
                above_line, rows = self._back(above_line)
                used += rows
                if used > self.height:
                    break
                above += rows
                top = above_line
            elif below_line < self.last:
                below_line, rows = self._forward(below_line)
                used += rows
                if used > self.height:
                    break
                below += rows
            else:
                below += 1
                used += at_end
        self.window.top = top

    # Scrolling

    def up(self, count: int) -> bool:
        """Let the text go up; return whether the cursor had to move."""
        window, geometry = self.window, self.geometry
        if geometry.fillers or "folds" in window.extra:
            for _ in range(min(count, len(geometry.lines) + sum(geometry.fillers.values()))):
                shown = geometry.top_filler() if geometry.fillers else 0
                if shown:
                    window.filler = (window.top, shown - 1)
                else:
                    window.top = min(self._last(window.top) + 1, self.last)
                    window.filler = None
        else:
            window.top = min(window.top + count, self.last)
        if self.line < window.top:
            self.line = window.top
            return True
        return False

    def down(self, count: int) -> bool:
        """Let the text go down; return whether the cursor had to move."""
        window = self.window
        geometry = self.geometry
        for _ in range(min(count, len(geometry.lines) + sum(geometry.fillers.values()))):
            shown = geometry.top_filler() if geometry.fillers else 0
            if geometry.fillers and shown < min(geometry.filler(window.top), self.height - 1):
                window.filler = (window.top, shown + 1)
                continue
            if window.top == 0:
                break
            window.top = self._first(window.top - 1)
            window.filler = (window.top, 0) if geometry.fillers else None
        bottom = max(self.bottom(), window.top + 1)
        if self.line < bottom:
            return False
        self.line = self._first(bottom - 1)
        return True

    def scroll(self, count: int, *, up: bool) -> None:
        """Scroll by lines and keep the cursor in the window (`:help CTRL-E`)."""
        window = self.window
        top, line = window.top, self.line
        if up:
            self.up(count)
        else:
            self.down(count)
        if not self.scrolloff:
            return
        self.correct()
        while window.top == top:
            # Scrolled back to where it was: let the cursor move, not to be stuck.
            if up:
                if self.line > line or self.line == self.last:
                    break
                self.line = self._last(self.line) + 1
            else:
                if self.line < line or top == 0 or self.line == 0:
                    break
                self.line = self._first(self.line - 1)
            self.follow()

    def correct(self) -> None:
        """Move the cursor into the part of the window that `scrolloff` leaves."""
        window = self.window
        above_wanted = below_wanted = self.scrolloff
        if window.top == 0:
            above_wanted, below_wanted = 0, min(below_wanted, self.height // 2)
        end = self.bottom()
        if end == self.last + 1:
            below_wanted, above_wanted = 0, min(above_wanted, (self.height - 1) // 2)
        line = self.line
        if window.top + above_wanted <= line < end - below_wanted and "folds" not in window.extra:
            return
        top, bottom = window.top, end - 1
        above = below = 0
        while (above < above_wanted or below < below_wanted) and top < bottom:
            if below < below_wanted and (below <= above or above >= above_wanted):
                bottom = self._first(bottom)
                below += self.rows(bottom)
                bottom -= 1
            if above < above_wanted and (above < below or below >= below_wanted):
                above += self.rows(top)
                top = self._last(top) + 1
        if top == bottom or bottom < 0:
            self.line = top
        elif top > bottom:
            self.line = bottom
        elif line < top and window.top > 0:
            self.line = top
        elif line > bottom and end <= self.last:
            self.line = bottom
