"""Stopping what doesn't come back: a limit of processor time on a stretch of code.

Python's `re` looks for signals while it matches, so a signal's handler that raises ends even a match that would take
hours. Only the main thread can do it, and only one at a time; elsewhere there is no limit.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stuck(Exception):
    """The time is used up."""


_armed = False


def _ring(signum: int, frame: FrameType | None) -> None:
    if _armed:
        raise Stuck


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `Stuck` in the block when it has used so many seconds of processor time."""
    global _armed
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    previous = signal.signal(signal.SIGVTALRM, _ring)
    try:
        _armed = True
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        _armed = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, previous)
