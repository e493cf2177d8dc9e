"""A small event loop for programs without an editor: the benchmark client, the checker, tests.

It has the shape that `child.Loop` asks for. The editor brings a loop of its own, which also serves the
keyboard.
"""

from __future__ import annotations

import selectors
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

from tpy.acp.child import READ, WRITE

BUDGET = 0.004


class PlainTimer:
    """A call to come; `cancel` takes it back."""

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """Make sure that it is not called."""
        self.callback = None


class PlainLoop:
    """Descriptors, timers and sliced work; run it with `run_until`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.time = clock
        self._selector = selectors.DefaultSelector()
        self._watches: dict[int, dict[int, Callable[[], None]]] = {}
        self._timers: list[tuple[float, int, PlainTimer]] = []
        self._order = count()
        self._work: deque[Callable[[float], bool]] = deque()

    def watch(self, fd: int, event: int, callback: Callable[[], None]) -> None:
        """Call back whenever `fd` is ready for READ or WRITE."""
        calls = self._watches.get(fd)
        if calls is None:
            self._watches[fd] = {event: callback}
            self._selector.register(fd, event)
        else:
            calls[event] = callback
            self._selector.modify(fd, sum(calls))

    def unwatch(self, fd: int, event: int = READ | WRITE) -> None:
        """Stop watching `fd` for these events."""
        calls = self._watches.get(fd)
        if calls is None:
            return
        for kind in (READ, WRITE):
            if event & kind:
                calls.pop(kind, None)
        if calls:
            self._selector.modify(fd, sum(calls))
        else:
            del self._watches[fd]
            self._selector.unregister(fd)

    def call_later(self, delay: float, callback: Callable[[], None]) -> PlainTimer:
        """Call back once, after `delay` seconds."""
        timer = PlainTimer(callback)
        heappush(self._timers, (self.time() + delay, next(self._order), timer))
        return timer

    def call_work(self, work: Callable[[float], bool]) -> None:
        """Call `work(deadline)` in slices until it returns False."""
        self._work.append(work)

    def run_until(self, done: Callable[[], bool], limit: float | None = None) -> bool:
        """Take turns until `done()`; False when `limit` seconds pass before."""
        end = None if limit is None else self.time() + limit
        while not done():
            left = None if end is None else end - self.time()
            if left is not None and left <= 0:
                return False
            self.turn(left)
        return True

    def turn(self, timeout: float | None = None) -> None:
        """Wait for the next thing, at most `timeout` seconds, and serve what is there."""
        for key, events in self._selector.select(self._timeout(timeout)):
            calls = self._watches.get(key.fd, {})
            for kind in (READ, WRITE):
                if events & kind and kind in calls:
                    calls[kind]()
        now = self.time()
        while self._timers and self._timers[0][0] <= now:
            callback = heappop(self._timers)[2].callback
            if callback is not None:
                callback()
        deadline = self.time() + BUDGET
        while self._work and self.time() < deadline:
            work = self._work.popleft()
            if work(deadline):
                self._work.append(work)

    def _timeout(self, most: float | None) -> float | None:
        if self._work:
            return 0.0
        while self._timers and self._timers[0][2].callback is None:
            heappop(self._timers)
        if not self._timers:
            return most
        left = max(0.0, self._timers[0][0] - self.time())
        return left if most is None else min(left, most)

    def close(self) -> None:
        """Give the selector back."""
        self._selector.close()
