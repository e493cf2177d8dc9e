"""A child process in a session and process group of its own, over non-blocking pipes, driven by a `Loop`.

Here: starting, noticing the exit, ending the whole group, leaving no zombie. What goes through the pipes is
the business of `transport` (agents) and `terminals` (commands that agents run).

The child has no controlling terminal: it gets no Ctrl-C of ours and cannot take keys. Its group is killed
before the leader is reaped, because only then the group's number is certainly still ours.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct

READ = 1
WRITE = 2
_POLL = 0.1


class Timer(Protocol):
    """What `Loop.call_later` returns."""

    def cancel(self) -> None:
        """Make sure that it is not called."""


class Loop(Protocol):
    """What this room needs of an event loop. `plainloop.PlainLoop` is one; the editor has another."""

    @property
    def time(self) -> Callable[[], float]:
        """The clock, in seconds."""

    def watch(self, fd: int, event: int, callback: Callable[[], None]) -> None:
        """Call back whenever `fd` is ready for READ (1) or WRITE (2)."""

    def unwatch(self, fd: int, event: int = READ | WRITE) -> None:
        """Stop that; harmless when it was not watched."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call back once, after `delay` seconds."""

    def call_work(self, work: Callable[[float], bool]) -> None:
        """Call `work(deadline)` in slices until it returns False; all work shares a few milliseconds a turn."""


class StartError(Exception):
    """The program could not be started; the text says why."""


class Exit(Struct, frozen=True):
    """How a process ended: an exit code, or the name of a signal; both None when nobody could tell."""

    code: int | None = None
    signal: str | None = None

    def __str__(self) -> str:
        if self.signal is not None:
            return f"killed by {self.signal}"
        return f"exit status {self.code}" if self.code is not None else "it did not end"


_living: set[Child] = set()


class Child:
    """A running process. `stdin`, `stdout`, `stderr` are our non-blocking ends, -1 where there is none."""

    def __init__(
        self,
        loop: Loop,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        with_stdin: bool,
        merge_stderr: bool,
        on_exit: Callable[[Exit], None],
    ) -> None:
        """Start `argv`. StartError when that is impossible."""
        self.exit: Exit | None = None
        self._loop = loop
        self._on_exit: Callable[[Exit], None] | None = on_exit
        self._reaped = self._disposed = self._lost = False
        self._pidfd = -1
        self._poll: Timer | None = None
        self.stdin = self.stdout = self.stderr = -1
        self.pid = self._spawn(argv, cwd, env, with_stdin, merge_stderr)
        _living.add(self)
        self._watch_exit()

    def _spawn(
        self, argv: Sequence[str], cwd: str, env: Mapping[str, str], with_stdin: bool, merge_stderr: bool
    ) -> int:
        import subprocess

        theirs: list[int] = []
        try:
            stdin = subprocess.DEVNULL
            if with_stdin:
                stdin, self.stdin = os.pipe()
                theirs.append(stdin)
            self.stdout, stdout = os.pipe()
            theirs.append(stdout)
            stderr = subprocess.STDOUT
            if not merge_stderr:
                self.stderr, stderr = os.pipe()
                theirs.append(stderr)
            process = subprocess.Popen(
                list(argv),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                cwd=cwd,
                env=dict(env),
                start_new_session=True,
                preexec_fn=_die_with_parent(),
            )
        except (OSError, ValueError) as error:
            self.close_pipes()
            raise StartError(_why(error, argv, cwd)) from error
        finally:
            for fd in theirs:
                os.close(fd)
        for fd in (self.stdin, self.stdout, self.stderr):
            if fd >= 0:
                os.set_blocking(fd, False)
        process.returncode = 0  # we wait for it ourselves; Popen must not warn about a living child
        return process.pid

    # -- the exit ------------------------------------------------------------------------------------------

    def _watch_exit(self) -> None:
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._pidfd = os.pidfd_open(self.pid)
                self._loop.watch(self._pidfd, READ, self._check_exit)
                return
        self._poll_exit()

    def _poll_exit(self) -> None:
        self._check_exit()
        if self.exit is None:
            self._poll = self._loop.call_later(_POLL, self._poll_exit)

    def _check_exit(self) -> None:
        """Look whether the process has ended."""
        if self.exit is None and (status := self._look()) is not None:
            self._ended(status)

    def _look(self) -> Exit | None:
        """Return how the process ended, None while it runs; without reaping it where the system can do that."""
        try:
            if not hasattr(os, "waitid"):  # macOS before Python 3.13
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                self._reaped = pid != 0
                code = os.waitstatus_to_exitcode(status)
                return None if pid == 0 else Exit(code) if code >= 0 else Exit(signal=_signal_name(-code))
            info = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            self._reaped = self._lost = True
            return Exit()
        if info is None:
            return None
        ended = info.si_code == os.CLD_EXITED
        return Exit(code=info.si_status) if ended else Exit(signal=_signal_name(info.si_status))

    def _ended(self, status: Exit) -> None:
        self.exit = status
        self._unwatch_exit()
        if self._disposed:
            self._reap()
        elif self._on_exit is not None:
            self._on_exit(status)

    def _unwatch_exit(self) -> None:
        if self._poll is not None:
            self._poll.cancel()
        if self._pidfd >= 0:
            self._loop.unwatch(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1

    # -- the end -------------------------------------------------------------------------------------------

    def signal_group(self, number: int) -> None:
        """Send a signal to the process and all its descendants that stayed in its group."""
        if not self._lost:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def close_stdin(self) -> None:
        """Let the process see the end of its input."""
        if self.stdin >= 0:
            self._loop.unwatch(self.stdin)
            os.close(self.stdin)
            self.stdin = -1

    def close_pipes(self) -> None:
        """Close our ends of all pipes."""
        for name in ("stdin", "stdout", "stderr"):
            fd = getattr(self, name)
            if fd >= 0:
                self._loop.unwatch(fd)
                os.close(fd)
                setattr(self, name, -1)

    def dispose(self) -> None:
        """Kill what is left of the group, close the pipes and reap the leader, now or when it has gone."""
        if self._disposed:
            return
        self._disposed = True
        self._on_exit = None
        self.close_pipes()
        self.signal_group(signal.SIGKILL)
        if self.exit is not None:
            self._reap()

    def _reap(self) -> None:
        self._lost = True  # from here on the group's number may be somebody else's
        if not self._reaped:
            self._reaped = True
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self.pid, os.WNOHANG)
        _living.discard(self)


def kill_all() -> None:
    """Kill every group at once, for the outermost barrier of a program that cannot run its loop any more."""
    for child in list(_living):
        child.signal_group(signal.SIGKILL)


def _die_with_parent() -> Callable[[], None] | None:
    """Return what a Linux child runs before its program: ask the kernel for SIGTERM when we die."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    parent = os.getpid()

    def ask() -> None:
        prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os._exit(1)

    return ask


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _why(error: Exception, argv: Sequence[str], cwd: str) -> str:
    """Say why a program did not start, in words."""
    program: Any = argv[0] if argv else ""
    if not os.path.isdir(cwd):
        return f"cannot start {program}: the directory {cwd} does not exist"
    if isinstance(error, FileNotFoundError):
        return f"cannot start {program}: there is no such program"
    if isinstance(error, PermissionError):
        return f"cannot start {program}: it may not be run; is it executable?"
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return f"cannot start {program}: {reason}"
