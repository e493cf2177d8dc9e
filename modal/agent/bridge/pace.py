"""How often what an agent says is drawn: the first of it at once, what follows together."""

from __future__ import annotations

from collections.abc import Callable

from tpy.acp.child import Loop

# Seconds between two drawings: a little less than two pauses of the transport, so that what it reads is drawn in the
# same turn of the loop.
DRAW_EVERY = 0.11


class Pace:
    """Calls `draw`, then `redraw` for the screen, soon after it was asked to, and not too often."""

    def __init__(self, loop: Loop, draw: Callable[[], None], redraw: Callable[[], None]) -> None:
        self._loop = loop
        self._draw = draw
        self._redraw = redraw
        self._waiting = False
        self._drawn_at = -DRAW_EVERY

    def soon(self) -> None:
        """Draw once what has been read is taken in, or later together with what comes until then."""
        if not self._waiting:
            self._waiting = True
            wait = self._drawn_at + DRAW_EVERY - self._loop.time()
            if wait <= 0:
                self._loop.call_work(self._after_reading)
            else:
                self._loop.call_later(wait, self._now)

    def _after_reading(self, deadline: float) -> bool:
        self._now()
        return False

    def _now(self) -> None:
        self._waiting = False
        self._drawn_at = self._loop.time()
        self._draw()
        self._redraw()
