"""Scrolling by pages and halves of them, with the cursor (`:help CTRL-D`, `:help CTRL-F`)."""

from __future__ import annotations

from tpy.modal.view.scrolling import Scroller


class Pager(Scroller):
    """A `Scroller` that goes by pages."""

    def half_page(self, rows: int, *, down: bool) -> None:
        """Scroll `rows` rows with the cursor (`:help CTRL-D`)."""
        self.follow()
        left = self._half_down(rows) if down else self._half_up(rows)
        if left > 0:
            folded = "folds" in self.window.extra
            while folded and left > 0 and 0 <= self.line <= self.last:
                before = self.line
                self.line = self._last(before) + 1 if down else self._first(before - 1) if before else 0
                left = left - 1 if self.line != before else 0
            if not folded:
                self.line += left if down else -left
        self.line = self._first(self.line)
        self.correct()

    def _half_down(self, rows: int) -> int:
        window, scrolled = self.window, 0
        while rows > 0 and self.bottom() <= self.last:
            size = self.rows(window.top)
            rows -= size
            if rows < 0 and scrolled > 0:
                break
            window.top = self._last(window.top) + 1
            self.line += 1
            scrolled += size
        return rows

    def _half_up(self, rows: int) -> int:
        window, scrolled = self.window, 0
        while rows > 0 and window.top > 0:
            size = self.rows(window.top - 1)
            rows -= size
            if rows < 0 and scrolled > 0:
                break
            window.top = self._first(window.top - 1)
            self.line -= 1
            scrolled += size
        return rows

    # Pages

    def can_page(self, *, down: bool) -> bool:
        """Whether there is a page to go to."""
        if not down:
            return self.window.top > 0
        return self.window.top < self.last - self.scrolloff or self.bottom() <= self.last

    def page(self, *, down: bool) -> bool:
        """Scroll one window with two lines of overlap (`:help CTRL-F`); `False` where there is no more."""
        if not self.can_page(down=down):
            return False
        if down:
            bottom = self.bottom()
            if bottom > self.last:
                self.window.top = self.last
            else:
                self.window.top = self.line = self._overlap(bottom, forward=False)
            return True
        self._page_up()
        return True

    def _page_up(self) -> None:
        window = self.window
        line = min(self._overlap(window.top - 1, forward=True), self.last)
        self.line = line
        rows = 0
        while rows <= self.height and line >= 0:
            line, height = self._back(line)
            rows += height
        if line < 0:
            window.top = 0
            return
        # Two lines forward again.
        for _ in range(2):
            line = self._forward(self._last(line))[0]
        line = self._first(min(line, self.last))
        if line >= window.top:
            window.top -= 1
            self.line = self.bottom() - 1
        else:
            window.top = line

    def _overlap(self, line: int, *, forward: bool) -> int:
        """Return the line that a page ends with, two lines from `line` where they are not too tall."""
        move = self._forward if forward else self._back
        limit = self.height - 2
        first = self.rows(line)
        if first > limit:
            return line
        one, second = move(line)
        if second + first > limit:
            return line
        two, third = move(one)
        if third + second > limit:
            return line
        fourth = move(two)[1]
        if fourth + third + second > limit or third + second + first > limit:
            return one
        return two

    def after_pages(self, top: int, *, down: bool) -> None:
        """Put cursor and window right after pages were scrolled from the line `top`."""
        self.line = self._first(self.line)
        self.correct()
        if down and self._near_top():
            self.to_top(1, always=False)
            if self.window.top <= top < self.last:
                self.window.top = self._first(top + 1)
