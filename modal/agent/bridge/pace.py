"""How often what an agent says is drawn: the first of it at once, what follows together."""

from __future__ import annotations

from collections.abc import Callable

from tpy.acp.child import Loop

# Updates that come within this time, in seconds, are drawn together: the first at once, more when that was so long ago.
DRAW_AFTER, DRAW_EVERY = 0.004, 0.066


class Pace:
    """Calls `draw`, then `redraw` for the screen, soon after it was asked to, and not too often."""

    def __init__(self, loop: Loop, draw: Callable[[], None], redraw: Callable[[], None]) -> None:
        self._loop = loop
        self._draw = draw
        self._redraw = redraw
        self._timer: object | None = None
        self._drawn_at = 0.0

    def soon(self) -> None:
        """Draw in a moment, together with what comes until then."""
        if self._timer is None:
            now = self._loop.time()
            due = max(now + DRAW_AFTER, self._drawn_at + DRAW_EVERY)
            self._timer = self._loop.call_later(due - now, self._now)

    def _now(self) -> None:
        self._timer = None
        self._drawn_at = self._loop.time()
        self._draw()
        self._redraw()
