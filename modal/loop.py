"""The event loop: descriptors, timers, signals and slices of longer work, in one thread.

It knows no editor. One turn serves, in this order: urgent descriptors (the keyboard) and signals, the
frame, timers that are due, the frame again, the other descriptors (agents), then queued work within a budget of a few
milliseconds, so that a key is answered and drawn before anything else. Without work or timers it sleeps in
the kernel.

The clock is handed in; `time()` tells what it says. `acp/transport.py` asks for a loop of this shape.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

READ = selectors.EVENT_READ
WRITE = selectors.EVENT_WRITE
BUDGET = 0.004

Callback = Callable[[], None]
Work = Callable[[float], bool]


class Timer:
    """A call to come at `when` on the loop's clock; `cancel` takes it back."""

    __slots__ = ("callback", "when")

    def __init__(self, when: float, callback: Callback) -> None:
        self.when = when
        self.callback: Callback | None = callback

    def cancel(self) -> None:
        """Make sure that it is not called; harmless when it already was."""
        self.callback = None


class _Watch:
    """The callbacks of one descriptor."""

    __slots__ = ("read", "urgent", "write")

    def __init__(self) -> None:
        self.read: Callback | None = None
        self.write: Callback | None = None
        self.urgent = False

    @property
    def events(self) -> int:
        """What the selector is to watch the descriptor for: `READ`, `WRITE`, both or nothing (0)."""
        return (READ if self.read else 0) | (WRITE if self.write else 0)


class Loop:
    """A selector with timers, signals and a budget. `on_error` gets what a callback raised."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        selector: selectors.BaseSelector | None = None,
    ) -> None:
        self.time = clock
        # Called after keys, signals and timers of a turn, and at its end: draws if something is new.
        self.frame: Callback = lambda: None
        self.on_error: Callable[[Exception], None] | None = None
        self._selector = selector or selectors.DefaultSelector()
        self._watches: dict[int, _Watch] = {}
        self._timers: list[tuple[float, int, Timer]] = []
        self._order = count()
        self._work: deque[Work] = deque()
        self._idle: deque[Work] = deque()
        self._signals: dict[int, Callback] = {}
        self._come: list[int] = []  # signals that have come and were not called back for
        self._previous: dict[int, object] = {}
        self._wakeup: tuple[int, int] | None = None
        self._previous_wakeup = -1
        self._running = False

    # -- descriptors

    def watch(self, fd: int, event: int, callback: Callback, *, urgent: bool = False) -> None:
        """Call `callback` whenever `fd` is ready for `event` (READ or WRITE); urgent ones are served first.

        OSError when the descriptor can't be watched (closed, or a regular file under epoll).
        """
        watch = self._watches.get(fd)
        fresh = watch is None
        watch = watch or _Watch()
        if event == READ:
            watch.read = callback
        else:
            watch.write = callback
        watch.urgent = watch.urgent or urgent
        if fresh:
            self._selector.register(fd, watch.events, watch)
            self._watches[fd] = watch
        else:
            self._selector.modify(fd, watch.events, watch)

    def unwatch(self, fd: int, event: int = READ | WRITE) -> None:
        """Stop watching `fd` for `event` (both unless told); harmless when it isn't watched."""
        watch = self._watches.get(fd)
        if watch is None:
            return
        if event & READ:
            watch.read = None
        if event & WRITE:
            watch.write = None
        if watch.events:
            self._selector.modify(fd, watch.events, watch)
        else:
            del self._watches[fd]
            with contextlib.suppress(KeyError, ValueError, OSError):
                self._selector.unregister(fd)

    # -- time and work

    def call_later(self, delay: float, callback: Callback) -> Timer:
        """Call `callback` once, `delay` seconds from now."""
        return self.call_at(self.time() + delay, callback)

    def call_at(self, when: float, callback: Callback) -> Timer:
        """Call `callback` once the clock shows `when`."""
        timer = Timer(when, callback)
        heappush(self._timers, (when, next(self._order), timer))
        return timer

    def call_work(self, work: Work) -> None:
        """Call `work(deadline)` in slices until it returns False; all work shares the budget of a turn.

        `deadline` is on the loop's clock; work looks at it often enough to keep it.
        """
        self._work.append(work)

    def call_idle(self, work: Work) -> None:
        """Like `call_work`, but only in turns in which nothing else was to be done."""
        self._idle.append(work)

    # -- signals

    def on_signal(self, signum: int, callback: Callback) -> None:
        """Call `callback` in the loop after a signal, whatever it interrupted."""
        if self._wakeup is None:
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            os.set_blocking(writer, False)
            self._wakeup = (reader, writer)
            self._previous_wakeup = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
            self.watch(reader, READ, self._woken, urgent=True)
        if signum not in self._signals:
            self._previous[signum] = signal.signal(signum, lambda number, frame: self._come.append(number))
            signal.siginterrupt(signum, False)
        self._signals[signum] = callback

    def _woken(self) -> None:
        """A signal has ended the sleep."""
        if self._wakeup is not None:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wakeup[0], 4096)
        self.take_signals()

    def take_signals(self) -> None:
        """Call back for the signals that have come; `turn` does it, and work that lasts may."""
        if self._come:
            come, self._come = self._come, []
            for signum in dict.fromkeys(come):
                self._call(self._signals[signum])

    # -- turns

    def run(self) -> None:
        """Draw, then take turns until `stop` is called."""
        self._running = True
        self.frame()
        while self._running:
            self.turn()

    def stop(self) -> None:
        """End `run` after the callback that calls this."""
        self._running = False

    def turn(self, timeout: float | None = None) -> None:
        """Wait for the next thing (at most `timeout` seconds; None: without end) and serve what is there."""
        ready = self._select(self._timeout(timeout))
        others: list[tuple[_Watch, int]] = []
        urgent = False
        for watch, events in ready:
            if watch.urgent:
                urgent = True
                self._serve(watch, events)
            else:
                others.append((watch, events))
        if urgent:
            self.frame()
        if self._due():
            self.frame()
        for watch, events in others:
            self._serve(watch, events)
        worked = bool(self._work)
        self._slice(self._work)
        if self._idle and not ready and not worked:
            self._slice(self._idle)
        self.frame()

    def close(self) -> None:
        """Give signals and descriptors back."""
        for signum, handler in self._previous.items():
            signal.signal(signum, handler)  # type: ignore[arg-type]
        if self._wakeup is not None:
            signal.set_wakeup_fd(self._previous_wakeup)
            for fd in self._wakeup:
                os.close(fd)
        self._previous.clear()
        self._signals.clear()
        self._wakeup = None
        self._watches.clear()
        self._selector.close()

    def _select(self, timeout: float | None) -> list[tuple[_Watch, int]]:
        try:
            return [(key.data, events) for key, events in self._selector.select(timeout)]
        except OSError as error:
            if error.errno != errno.EINTR:
                raise
            return []

    def _timeout(self, most: float | None) -> float | None:
        if self._work or self._idle:
            return 0.0
        while self._timers and self._timers[0][2].callback is None:
            heappop(self._timers)
        if self._timers:
            until = max(self._timers[0][0] - self.time(), 0.0)
            return until if most is None else min(until, most)
        return most

    def _serve(self, watch: _Watch, events: int) -> None:
        if events & READ and watch.read:
            self._call(watch.read)
        if events & WRITE and watch.write:
            self._call(watch.write)

    def _due(self) -> bool:
        now = self.time()
        due: list[Timer] = []  # taken first: what a timer sets for now comes in the next turn
        while self._timers and self._timers[0][0] <= now:
            due.append(heappop(self._timers)[2])
        for timer in due:
            if timer.callback is not None:
                self._call(timer.callback)
        return bool(due)

    def _slice(self, work: deque[Work]) -> None:
        """Give each piece of work a turn, round robin, until the budget is spent."""
        if not work:
            return
        deadline = self.time() + BUDGET
        while work and self.time() < deadline:
            piece = work.popleft()
            if self._more(piece, deadline):
                work.append(piece)

    def _more(self, piece: Work, deadline: float) -> bool:
        try:
            return piece(deadline)
        except Exception as error:
            self._failed(error)
            return False

    def _call(self, callback: Callback) -> None:
        try:
            callback()
        except Exception as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        if self.on_error is None:
            raise error
        self.on_error(error)
