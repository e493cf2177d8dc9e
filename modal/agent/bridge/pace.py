"""How often what an agent says is drawn: the first of it at once, what follows together."""

from __future__ import annotations

from collections.abc import Callable

from tpy.acp.child import Loop, Timer

# Seconds between two drawings where more has been read, and where nothing more comes: later than what is read in two
# paces of the transport, so that the loop mostly wakes for both together.
DRAW_EVERY, DRAW_AT_LAST = 0.1, 0.15


class Pace:
    """Calls `draw`, then `redraw` for the screen, soon after it was asked to, and not too often."""

    def __init__(self, loop: Loop, draw: Callable[[], None], redraw: Callable[[], None]) -> None:
        self._loop = loop
        self._draw = draw
        self._redraw = redraw
        self._timer: Timer | None = None
        self._working = False
        self._drawn_at = -DRAW_EVERY

    def soon(self) -> None:
        """Draw once what has been read is taken in, or later together with what comes until then."""
        if self._working:
            return
        passed = self._loop.time() - self._drawn_at
        if passed >= DRAW_EVERY:
            self._working = True
            self._loop.call_work(self._after_reading)
        elif self._timer is None:
            self._timer = self._loop.call_later(DRAW_AT_LAST - passed, self._now)

    def _after_reading(self, deadline: float) -> bool:
        self._now()
        return False

    def _now(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._working = False
        self._drawn_at = self._loop.time()
        self._draw()
        self._redraw()
