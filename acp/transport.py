"""An agent's process and its pipes: bytes to and from it, without ever blocking the loop.

Here: the read budget, the queue of what is to be written, the kept end of stderr, noticing death, the stop
ladder (PROTOCOL §2, spec AGENTS §7). What the bytes mean is in `connection`; who listens is `client`.

Death is an exit, or the end of stdout plus 200 ms; a grandchild may hold the pipe open, so after an exit the
pipe gets 200 ms too. Whatever happens, `Owner.gone` is called once, at the end, with how the process ended.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Protocol

from tpy.acp.child import READ, WRITE, Child, Exit, Loop, StartError, Timer

__all__ = ["Exit", "Loop", "Owner", "StartError", "Transport"]

READ_SIZE = 64 * 1024
WRITES_A_TURN = 8
QUEUE_CAP = 64 * 1024 * 1024
STDERR_CAP = 64 * 1024
GRACE = 0.2
TERM_AFTER = 1.0
KILL_AFTER = 2.5
GIVE_UP_AFTER = 4.0
PACE, SMALL_READ = 0.06, 32 * 1024
"""Small reads that follow each other quickly are taken at most so often, in seconds, and what "small" is in bytes: each
wakes the whole program. An agent that waits for an answer is read at once."""
LAST_READS = 64
"""How much is still read, in reads, when the process has ended but something keeps its stdout open."""


class Owner(Protocol):
    """Who listens to a transport."""

    def received(self, data: bytes) -> None:
        """Take bytes of stdout; only keep them, `work` is called for them soon."""

    def work(self, deadline: float) -> bool:
        """Handle what was received until the loop's clock shows `deadline`; True when more is left."""

    def stuck(self, message: str) -> None:
        """The agent reads no more; it is being stopped."""

    def gone(self, status: Exit) -> None:
        """The process is over and everything it said was handed over; nothing follows."""


class Transport:
    """One agent process. StartError when it cannot be started."""

    def __init__(self, loop: Loop, owner: Owner, argv: Sequence[str], *, cwd: str, env: Mapping[str, str]) -> None:
        self.stderr = Tail()
        self._loop = loop
        self._owner = owner
        self._queue: deque[memoryview] = deque()
        self._queued = 0
        self._writing = self._reading = self._working = False
        self._eof = self._grace_over = self._finished = self._stopping = False
        self._timers: list[Timer] = []
        self._last_reads = LAST_READS
        self._read_at = self._paced_until = 0.0
        self._pause: Timer | None = None
        self._child = Child(loop, argv, cwd=cwd, env=env, with_stdin=True, merge_stderr=False, on_exit=self._on_exit)
        loop.watch(self._child.stderr, READ, self._on_stderr)
        self._watch_stdout(True)

    @property
    def pid(self) -> int:
        """The process id of the agent."""
        return self._child.pid

    @property
    def queued(self) -> int:
        """How many bytes wait for the agent to read them."""
        return self._queued

    # -- reading -------------------------------------------------------------------------------------------

    def _watch_stdout(self, on: bool) -> None:
        if on and not self._reading and not self._eof and self._child.stdout >= 0:
            self._loop.watch(self._child.stdout, READ, self._on_stdout)
            self._reading = True
        elif not on and self._reading:
            self._loop.unwatch(self._child.stdout, READ)
            self._reading = False

    def _on_stdout(self) -> None:
        """Take one read's worth; while that is not worked off the pipe pushes back on the agent."""
        data = _read(self._child.stdout)
        if data is None:
            return
        if not data:
            self._watch_stdout(False)
            self._eof = True
            if self._child.exit is None and not self._stopping:
                self._timers.append(self._loop.call_later(GRACE, self._stop_after_eof))
            self._finish_if_over()
            return
        now = self._loop.time()
        quick = now - self._read_at < 2 * PACE and len(data) < SMALL_READ
        self._read_at, self._paced_until = now, now + PACE if quick else 0.0
        self._owner.received(data)
        if not self._working:
            self._working = True
            self._loop.call_work(self._work)

    def _rest(self) -> None:
        """Read on, at once or when some more of a stream has come together."""
        left = self._paced_until - self._loop.time() if self._paced_until else 0.0
        if left <= 0:
            self._watch_stdout(True)
        elif self._pause is None:
            self._watch_stdout(False)
            self._pause = self._loop.call_later(left, self._go_on)

    def _go_on(self) -> None:
        """End a pause: read what has come, or wait for more where nothing has."""
        if self._pause is None or self._finished:
            return
        self._pause.cancel()
        self._pause = None
        self._paced_until = 0.0
        self._on_stdout()
        if not self._working:
            self._watch_stdout(True)

    def _work(self, deadline: float) -> bool:
        if self._finished:
            return False
        try:
            more = self._owner.work(deadline)
        except Exception:
            self._loop.call_work(self._work)  # a defect in a handler is the loop's to report; the agent goes on
            raise
        self._working = more
        if more:
            self._watch_stdout(False)
        else:
            self._rest()
            self._finish_if_over()
        return more

    def _on_stderr(self) -> None:
        data = _read(self._child.stderr)
        if data:
            self.stderr.append(data)
        elif data is not None:
            self._loop.unwatch(self._child.stderr)

    # -- writing -------------------------------------------------------------------------------------------

    def write(self, lines: Sequence[bytes]) -> None:
        """Queue lines for the agent and write what it takes at once."""
        if self._child.stdin < 0 or self._stopping:
            return
        self._paced_until = 0.0
        if self._pause is not None and not self._working:
            self._loop.call_later(0.0, self._go_on)
        for line in lines:
            self._queue.append(memoryview(line))
            self._queued += len(line)
        if not self._writing:
            self._flush()
        if self._queued > QUEUE_CAP:
            self._owner.stuck(f"it has stopped reading; {self._queued >> 20} MiB wait for it")
            self.stop()

    def _flush(self) -> None:
        for _ in range(WRITES_A_TURN):
            if not self._queue:
                break
            chunk = self._queue[0][:READ_SIZE]
            try:
                written = os.write(self._child.stdin, chunk)
            except BlockingIOError:
                break
            except OSError:
                self._input_broke()
                return
            self._queued -= written
            if written == len(self._queue[0]):
                self._queue.popleft()
            else:
                self._queue[0] = self._queue[0][written:]
        waiting = bool(self._queue)
        if waiting and not self._writing:
            self._loop.watch(self._child.stdin, WRITE, self._flush)
        elif not waiting and self._writing:
            self._loop.unwatch(self._child.stdin, WRITE)
        self._writing = waiting

    def _input_broke(self) -> None:
        """The agent closed its input: it is about to end, or is of no use any more."""
        self._child.close_stdin()
        self._queue.clear()
        self._queued = 0
        self._writing = False
        self._timers.append(self._loop.call_later(GRACE, self._stop_after_eof))

    # -- the end -------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """End the process: close its input, then TERM, then KILL the group; `Owner.gone` tells when it is over."""
        if self._finished or self._stopping:
            return
        self._stopping = True
        self._queue.clear()
        self._queued = 0
        self._child.close_stdin()
        if self._child.exit is not None:
            self._finish()
            return
        for delay, step in (
            (TERM_AFTER, lambda: self._child.signal_group(signal.SIGTERM)),
            (KILL_AFTER, lambda: self._child.signal_group(signal.SIGKILL)),
            (GIVE_UP_AFTER, self._finish),
        ):
            self._timers.append(self._loop.call_later(delay, step))

    def kill(self) -> None:
        """End the process at once, without courtesy."""
        self._child.signal_group(signal.SIGKILL)
        self._stopping = True

    def _stop_after_eof(self) -> None:
        if self._child.exit is None:
            self.stop()

    def _on_exit(self, status: Exit) -> None:
        if self._stopping:
            self._finish()
            return
        self._timers.append(self._loop.call_later(GRACE, self._end_grace))
        self._finish_if_over()

    def _end_grace(self) -> None:
        self._grace_over = True
        self._finish_if_over()

    def _finish_if_over(self) -> None:
        """Finish once the process has ended and its output was read to the end (or nobody ends it)."""
        if self._child.exit is None or self._working or not (self._eof or self._grace_over):
            return
        self._last_reads -= 1
        if not self._eof and self._last_reads > 0 and (data := _read(self._child.stdout)):
            self._owner.received(data)
            self._working = True
            self._loop.call_work(self._work)
            return
        self._finish()

    def _finish(self) -> None:
        if self._finished:
            return
        self._finished = True
        for timer in self._timers:
            timer.cancel()
        while data := _read(self._child.stderr):
            self.stderr.append(data)
        status = self._child.exit or Exit()
        self._child.dispose()
        self._owner.gone(status)


class Tail:
    """The end of a stream of bytes, kept to `STDERR_CAP`; `total` counts all that ever came."""

    def __init__(self, cap: int = STDERR_CAP) -> None:
        self.total = 0
        self._cap = cap
        self._data = bytearray()

    def append(self, data: bytes) -> None:
        """Add bytes at the end and drop as many at the beginning as are too many."""
        self.total += len(data)
        self._data += data
        if len(self._data) > self._cap:
            del self._data[: len(self._data) - self._cap]

    @property
    def text(self) -> str:
        """What is kept, as text; control characters are still in it."""
        return self._data.decode("utf-8", "replace")

    def since(self, seen: int) -> str:
        """Return what came after the first `seen` bytes, as far as it is kept."""
        new = min(self.total - seen, len(self._data))
        return self._data[len(self._data) - new :].decode("utf-8", "replace") if new > 0 else ""

    def lines(self, count: int) -> list[str]:
        """Return the last lines that are not blank."""
        return [line for line in self.text.splitlines() if line.strip()][-count:]


def _read(fd: int) -> bytes | None:
    """Read once; None when there is nothing now, empty at the end."""
    if fd < 0:
        return b""
    try:
        return os.read(fd, READ_SIZE)
    except BlockingIOError:
        return None
    except OSError:
        return b""
