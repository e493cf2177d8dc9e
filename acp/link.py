"""One agent process with its connection: starting and stopping it, calls and their time limits.

Here transport and connection meet. What sessions are, and what the agent's requests mean, is in `client`,
which builds on this class.
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from tpy.acp import events, jsonrpc, schema
from tpy.acp.child import Loop, StartError, Timer
from tpy.acp.connection import OPENING, Connection
from tpy.acp.handler import ClientError
from tpy.acp.jsonrpc import NEED_DATA, LocalProtocolError, RpcError
from tpy.acp.session import Session
from tpy.acp.transport import Exit, Transport

Done: TypeAlias = Callable[[Any], None]
"""Called once with the decoded result of a call, or an `RpcError`."""

HANDSHAKE_LIMIT = 60.0
SLOW_AFTER = 3.0
CALL_LIMIT = 30.0
UNLIMITED = {
    "session/load", "session/resume", "session/fork", "authenticate", "session/prompt", "_session/steering",
}  # fmt: skip
STDERR_LINES = 5
EVENTS_A_LOOK = 16
"""How many events are handled between two looks at the clock."""


class Stage(enum.Enum):
    """How far a client is."""

    NEW = "not started"
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    CLOSED = "closed"


class Pending:
    """A call of ours: what to do with its outcome, and the timer that gives up on it."""

    __slots__ = ("done", "expired", "session", "timer")

    def __init__(self, done: Done | None, session: Session | None) -> None:
        self.done = done
        self.session = session
        self.timer: Timer | None = None
        self.expired = False


class Link(ABC):
    """The process, the connection and the calls that are open. `client.Client` is the class to use."""

    def __init__(
        self,
        loop: Loop,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        capabilities: schema.ClientCapabilities,
        timeout: float,
        protocol: int,
        tap: Callable[[bool, bytes], None] | None,
    ) -> None:
        self.stage = Stage.NEW
        self.exit: Exit | None = None
        self.waiting_for = ""
        """The handshake call that is not answered yet, for "waiting for …"."""
        self.waiting_since = 0.0
        self.last_message = 0.0
        """The loop's time at the last bytes from the agent."""
        self._loop = loop
        self._argv, self._cwd, self._env = argv, cwd, env
        self._connection = Connection(capabilities, protocol=protocol)
        self._connection.peer.tap = tap
        self._transport: Transport | None = None
        self._timeout = timeout
        self._limit_left = timeout
        self._handshake_timers: list[Timer] = []
        self._opened_once = False
        self._slow_calls: dict[int, tuple[str, Pending]] = {}
        self._reason = ""

    # -- what the client adds ------------------------------------------------------------------------------

    @abstractmethod
    def _on_update(self, event: events.UpdateReceived) -> None:
        """The agent told something about a session."""

    @abstractmethod
    def _on_event(self, event: events.Event) -> None:
        """Anything else but an outcome of a call or the end."""

    @abstractmethod
    def _on_slow(self, method: str) -> None:
        """A call of the handshake has been silent for `SLOW_AFTER`."""

    @abstractmethod
    def _on_closed(self, reason: str) -> None:
        """The process is over; `reason` is empty when it was stopped on purpose."""

    # -- the process ---------------------------------------------------------------------------------------

    def _launch(self) -> None:
        """Start the process. ClientError when that is impossible."""
        try:
            self._transport = Transport(self._loop, self, self._argv, cwd=self._cwd, env=self._env)
        except StartError as error:
            self.stage = Stage.CLOSED
            raise ClientError(str(error)) from error
        self.stage = Stage.STARTING
        self.last_message = self._loop.time()

    def stop(self) -> None:
        """End the process politely, then firmly, within 3 s; `Handler.closed` tells when it is over."""
        self._end(kill=False)

    def kill(self) -> None:
        """End the process at once."""
        self._end(kill=True)

    def _end(self, *, kill: bool) -> None:
        if self._transport is None or self.stage is Stage.CLOSED:
            return
        if self.stage is not Stage.STOPPING:
            self.stage = Stage.STOPPING
            self._disarm()
            self._flush()
        if kill:
            self._transport.kill()
        else:
            self._transport.stop()

    @property
    def stderr(self) -> list[str]:
        """The last lines of the agent's stderr, with whatever control characters they have."""
        return [] if self._transport is None else self._transport.stderr.lines(STDERR_LINES)

    @property
    def stderr_text(self) -> str:
        """All that is kept of the agent's stderr."""
        return "" if self._transport is None else self._transport.stderr.text

    @property
    def pid(self) -> int | None:
        """The process id, None before the start."""
        return None if self._transport is None else self._transport.pid

    # -- transport.Owner -----------------------------------------------------------------------------------

    def received(self, data: bytes) -> None:
        """Take bytes from the agent; they are handled in `work`."""
        self.last_message = self._loop.time()
        self._connection.receive_data(data)

    def work(self, deadline: float) -> bool:
        """Handle what was received until `deadline`; True when more is left."""
        connection, clock = self._connection, self._loop.time
        while True:
            for _ in range(EVENTS_A_LOOK):
                event = connection.next_event()
                if type(event) is events.UpdateReceived:  # the usual case, without detours
                    self._on_update(event)
                elif event is NEED_DATA:
                    self._flush()
                    return False
                else:  # what it makes us do may take long: look at the clock after each
                    self._handle(event)
                    break
            if clock() >= deadline:
                self._flush()
                return connection.backlog

    def stuck(self, message: str) -> None:
        """The agent reads no more."""
        self._reason = message
        self.stage = Stage.STOPPING

    def gone(self, status: Exit) -> None:
        """The process is over: tell it once to everybody who waits."""
        self.exit = status
        wanted = self.stage is Stage.STOPPING and not self._reason
        self._reason = "" if wanted else self._reason or str(status)
        self.stage = Stage.CLOSED
        self._disarm()
        self._connection.receive_eof(f"the agent stopped: {self._reason}" if self._reason else "the agent was stopped")
        try:
            self._drain()
        finally:
            self._on_closed(self._reason)

    # -- events --------------------------------------------------------------------------------------------

    def _drain(self) -> None:
        """Handle all that is there, and send what that made. A defect in a handler is raised when all is done."""
        defect: Exception | None = None
        while (event := self._connection.next_event()) is not NEED_DATA:
            try:
                self._handle(event)
            except Exception as error:
                defect = defect or error
            if isinstance(event, events.Ended):
                break
        self._flush()
        if defect is not None:
            raise defect

    def _flush(self) -> None:
        """Hand what is to be sent to the transport."""
        lines = self._connection.data_to_send()
        if lines and self._transport is not None and self.stage is not Stage.CLOSED:
            self._transport.write(lines)

    def _handle(self, event: events.Event | jsonrpc.NeedData) -> None:
        if isinstance(event, events.UpdateReceived):
            self._on_update(event)
        elif isinstance(event, events.Answered | events.Failed):
            self._on_outcome(event)
        elif isinstance(event, events.Ended):
            if self.stage is not Stage.CLOSED and event.reason:
                self._reason = event.reason
                self._end(kill=False)
        elif not isinstance(event, jsonrpc.NeedData):
            self._on_event(event)

    # -- calls ---------------------------------------------------------------------------------------------

    def _call(self, method: str, params: Any, done: Done | None, session: Session | None = None) -> None:
        """Send a request; `done` gets its outcome. A LocalProtocolError goes to `done` as well."""
        pending = Pending(done, session)
        try:
            id_ = self._connection.call(method, params, pending)
        except LocalProtocolError as error:
            if done is not None:
                done(RpcError(jsonrpc.INTERNAL_ERROR, str(error)))
            return
        if method == "initialize" or (method in OPENING and method not in UNLIMITED and not self._opened_once):
            self._arm(method)
        elif method not in UNLIMITED:
            limit = self._timeout if method in OPENING else CALL_LIMIT
            why = f"no answer to {method} within {limit:g} s"
            pending.timer = self._loop.call_later(limit, lambda: self._give_up(pending, why))
        else:
            self._slow_calls[id_] = (method, pending)
        self._flush()

    def cancel_calls(self) -> list[str]:
        """Give up on the open calls that have no time limit (load, resume, fork, authenticate); name them.

        The agent is told that the answers are not needed; each `done` gets an error at once.
        """
        cancelled = []
        for id_, (method, pending) in list(self._slow_calls.items()):
            del self._slow_calls[id_]
            cancelled.append(method)
            self._connection.cancel_call(id_)
            self._give_up(pending, f"{method} was cancelled")
        self._flush()
        return cancelled

    def _on_outcome(self, event: events.Answered | events.Failed) -> None:
        pending: Pending = event.call.context
        if pending.timer is not None:
            pending.timer.cancel()
        if event.call.method == self.waiting_for:
            self._disarm()
        self._slow_calls = {id_: call for id_, call in self._slow_calls.items() if call[1] is not pending}
        if event.call.method in OPENING and isinstance(event, events.Answered):
            self._opened_once = True
        if pending.done is not None and not pending.expired:
            pending.done(event.result if isinstance(event, events.Answered) else event.error)

    def _give_up(self, pending: Pending, why: str) -> None:
        pending.expired = True
        if pending.done is not None:
            pending.done(RpcError(jsonrpc.CANCELLED, why))

    # -- the time limit of the handshake -------------------------------------------------------------------

    def _arm(self, method: str) -> None:
        """Start the clock of a handshake call; both share one limit, and it stands still between them."""
        self._disarm()
        self.waiting_for = method
        self.waiting_since = self._loop.time()
        self._handshake_timers = [
            self._loop.call_later(SLOW_AFTER, lambda: self._on_slow(method)),
            self._loop.call_later(max(0.0, self._limit_left), self._handshake_over),
        ]

    def _disarm(self) -> None:
        if self.waiting_for:
            self._limit_left -= self._loop.time() - self.waiting_since
        self.waiting_for = ""
        for timer in self._handshake_timers:
            timer.cancel()
        self._handshake_timers = []

    def _handshake_over(self) -> None:
        self._reason = f"no answer to {self.waiting_for} within {self._timeout:g} s"
        self._end(kill=False)
