"""When colours are looked for: at once for text that has none, after a pause for text that is edited, and in quiet
times for what may be wrong because of text far above. What is looked for is the renderer's matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.loop import Loop, Timer

if TYPE_CHECKING:
    from tpy.modal.ui.render import Renderer

# Seconds without a key until edited text gets new colours, and how long they may be put off by keys: somebody who types
# is not slowed down at every key.
PAUSE, LATEST = 0.06, 0.5
# Seconds without a frame that count as quiet.
QUIET = 1.5


class ColourWork:
    """The idle work of a loop for a renderer; `redraw` is called when something visible looks different."""

    def __init__(self, loop: Loop, renderer: Renderer, redraw: Callable[[], None]) -> None:
        self._loop = loop
        self._renderer = renderer
        self._redraw = redraw
        self._working = False
        self._pause: Timer | None = None
        self._quiet: Timer | None = None
        # When the last frame was drawn, the last one that is not for the colours, and when colours were first put off.
        self._drawn_at = self._moved_at = self._put_off_at = 0.0
        self._own_frame = False

    def drawn(self) -> None:
        """A frame has been drawn: see to its colours."""
        self._drawn_at = self._loop.time()
        if self._own_frame:
            self._own_frame = False
        else:
            self._moved_at = self._drawn_at
        if not self._working:
            if self._renderer.colour_pending():
                self._working = True
                self._begin()
        elif self._pause is not None and not self._renderer.colour_known():
            self._pause.cancel()
            self._start()
        self._wait_for_quiet()

    def _begin(self) -> None:
        """Look for colours now if there are none, else when the keys make a pause."""
        if self._renderer.colour_known():
            self._put_off_at = self._loop.time()
            self._pause = self._loop.call_at(self._moved_at + PAUSE, self._perhaps_paused)
        else:
            self._start()

    def _perhaps_paused(self) -> None:
        until = min(self._moved_at + PAUSE, self._put_off_at + LATEST)
        if self._loop.time() < until:
            self._pause = self._loop.call_at(until, self._perhaps_paused)
        else:
            self._start()

    def _start(self) -> None:
        self._pause = None
        self._loop.call_idle(self._colour)

    def _colour(self, deadline: float) -> bool:
        began = self._loop.time()
        if self._renderer.colour(deadline):
            self._own_frame = True
            self._redraw()
        self._working = self._renderer.colour_pending()
        if self._working and began < self._moved_at + PAUSE and self._renderer.colour_known():
            self._begin()
            return False
        return self._working

    def _wait_for_quiet(self) -> None:
        if self._quiet is None and self._renderer.colour_unsettled():
            self._quiet = self._loop.call_at(self._drawn_at + QUIET, self._perhaps_quiet)

    def _perhaps_quiet(self) -> None:
        self._quiet = None
        if self._loop.time() < self._drawn_at + QUIET:
            self._wait_for_quiet()
        else:
            self._loop.call_idle(self._settle)

    def _settle(self, deadline: float) -> bool:
        """Go on until it is done, or somebody does something."""
        if self._renderer.settle(deadline):
            self._redraw()
        if self._loop.time() < self._drawn_at + QUIET:
            self._wait_for_quiet()
            return False
        return self._renderer.colour_unsettled()
