"""When colours are looked for: at once for text that has none, after a pause for text that is edited, and in quiet
times for what may be wrong because of text far above. What is looked for is the renderer's matter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.loop import Loop, Timer

if TYPE_CHECKING:
    from tpy.modal.ui.render import Renderer

# Seconds from an edit to new colours: somebody who types is not slowed down at every key.
PAUSE = 0.06
# Seconds without a frame that count as quiet.
QUIET = 1.5


class ColourWork:
    """The idle work of a loop for a renderer; `redraw` is called when something visible looks different."""

    def __init__(self, loop: Loop, renderer: Renderer, redraw: Callable[[], None]) -> None:
        self._loop = loop
        self._renderer = renderer
        self._redraw = redraw
        self._working = False
        self._quiet: Timer | None = None
        self._drawn_at = 0.0

    def drawn(self) -> None:
        """A frame has been drawn: see to its colours."""
        self._drawn_at = self._loop.time()
        if not self._working and self._renderer.colour_pending():
            self._working = True
            if self._renderer.colour_known():
                self._loop.call_later(PAUSE, lambda: self._loop.call_idle(self._colour))
            else:
                self._loop.call_idle(self._colour)
        self._wait_for_quiet()

    def _colour(self, deadline: float) -> bool:
        if self._renderer.colour(deadline):
            self._redraw()
        self._working = self._renderer.colour_pending()
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
