"""A sans-IO ACP client: which message may be sent when, and what the agent's messages mean.

Feed `Connection.receive_data`, take `Connection.next_event` until `NEED_DATA`, and write what
`Connection.data_to_send` returns after every call of either. The bytes are the business of `jsonrpc`, the
shape of messages that of `schema`, what a session looks like that of `session`; processes and clocks are
in `transport` and `client`.

All knowledge about turns is in `TRANSITIONS` (PROTOCOL §8) and `Connection.cancel` (§9). Every request of
the agent gets exactly one answer, whoever gives it.
"""

from __future__ import annotations

import enum
from collections import deque
from typing import Any

import msgspec
from msgspec import Raw, Struct

from tpy.acp import jsonrpc, schema
from tpy.acp.events import (
    Answered,
    Asked,
    AuthChanged,
    BadUpdate,
    Call,
    ElicitationDone,
    Ended,
    Event,
    Failed,
    Incoming,
    Logged,
    TurnEnded,
    UpdateReceived,
    Withdrawn,
)
from tpy.acp.jsonrpc import NEED_DATA, LocalProtocolError, NeedData, RpcError

MAX_OUTGOING = 16 * 1024 * 1024
"""The longest message in bytes that we send; some peers refuse more (PROTOCOL §2)."""
MAX_HELD = 2_000
"""How many updates are kept for a session whose `session/new` is not answered yet."""


class TurnState(enum.Enum):
    """Where a session is (PROTOCOL §8)."""

    IDLE = "idle"
    RUNNING = "running"
    WAITING = "waiting"
    CANCELLING = "cancelling"
    DEAD = "dead"


class Move(enum.Enum):
    """What moves a session from state to state."""

    PROMPT = enum.auto()
    ASK = enum.auto()
    ANSWER = enum.auto()
    CANCEL = enum.auto()
    END = enum.auto()
    DIE = enum.auto()


_IDLE, _RUNNING, _WAITING = TurnState.IDLE, TurnState.RUNNING, TurnState.WAITING
_CANCELLING, _DEAD = TurnState.CANCELLING, TurnState.DEAD
TRANSITIONS: dict[tuple[TurnState, Move], TurnState] = {
    (_IDLE, Move.PROMPT): _RUNNING,
    (_RUNNING, Move.ASK): _WAITING,
    (_WAITING, Move.ANSWER): _RUNNING,
    (_RUNNING, Move.CANCEL): _CANCELLING,
    (_WAITING, Move.CANCEL): _CANCELLING,
    (_RUNNING, Move.END): _IDLE,
    (_WAITING, Move.END): _IDLE,
    (_CANCELLING, Move.END): _IDLE,
    **{(state, Move.DIE): _DEAD for state in TurnState},
}
"""What is not listed changes nothing: an ask while idle is out of turn, an update never moves anything."""


class Turns:
    """A session as the connection sees it: its turn state and the dialogs it has open."""

    def __init__(self, parent: str | None = None) -> None:
        self.state = TurnState.IDLE
        self.parent = parent
        self.prompts = 0
        self.asks: dict[Incoming, None] = {}

    def move(self, move: Move) -> None:
        """Follow `TRANSITIONS`."""
        self.state = TRANSITIONS.get((self.state, move), self.state)


OPENING = {"session/new", "session/load", "session/resume", "session/fork"}
DIALOGS: dict[str, Any] = {
    "session/request_permission": schema.RequestPermissionResponse(schema.PermissionOutcome("cancelled")),
    "elicitation/create": schema.CreateElicitationResponse("cancel"),
}
"""The requests that a person answers, and the answer when no person will."""

_RESULTS = {name: method.result for name, method in schema.AGENT_METHODS.items()}
_RESULTS.update(dict.fromkeys(OPENING, schema.SessionOpened))
_update = schema.decoder(schema.SessionNotification)


class Connection:
    """The client's end of one connection to one agent.

    `capabilities` is what we announce; requests beyond it are refused with `-32601` without an event.
    """

    def __init__(self, capabilities: schema.ClientCapabilities, *, max_line: int = jsonrpc.MAX_LINE) -> None:
        self.peer = jsonrpc.Peer(max_line=max_line)
        self.capabilities = capabilities
        self.sessions: dict[str, Turns] = {}
        self._served = _served_methods(capabilities)
        self._requests: dict[Incoming, None] = {}
        self._events: deque[Event] = deque()
        self._out: list[bytes] = []
        self._opening = 0
        self._held: dict[str, list[jsonrpc.Request | jsonrpc.Notification]] = {}
        self._ended = False
        self._end_reason = ""

    # -- bytes ---------------------------------------------------------------------------------------------

    def receive_data(self, data: bytes) -> None:
        """Take bytes of the agent's stdout."""
        self.peer.receive_data(data)

    def receive_eof(self, reason: str = "") -> None:
        """The agent's stdout ended, for `reason`; what came before still counts."""
        self._end_reason = reason
        self.peer.receive_eof()

    def data_to_send(self) -> list[bytes]:
        """Return, and forget, the lines that have to go to the agent's stdin."""
        out, self._out = self._out, []
        return out

    @property
    def backlog(self) -> bool:
        """Whether `next_event` has something to say without more bytes."""
        return bool(self._events) or self.peer.backlog > 0

    def next_event(self) -> Event | NeedData:
        """Return the next event, or `NEED_DATA`."""
        while True:
            if self._events:
                return self._events.popleft()
            message = self.peer.next_event()
            if type(message) is jsonrpc.Notification and message.method == "session/update":
                event = self._on_update(message)
                if event is not None:
                    return event
            elif message is NEED_DATA or not self._dispatch(message):
                return NEED_DATA

    def _dispatch(self, message: jsonrpc.Event | NeedData) -> bool:
        """Handle any message but an update; its events are queued. False when nothing more can come."""
        if isinstance(message, jsonrpc.Request):
            self._on_request(message)
        elif isinstance(message, jsonrpc.Notification):
            self._on_notification(message)
        elif isinstance(message, jsonrpc.Response):
            self._on_response(message.id, message.context, message.result)
        elif isinstance(message, jsonrpc.ErrorResponse):
            self._on_failure(message.id, message.context, message.error)
        elif isinstance(message, jsonrpc.Junk):
            if message.reply is not None:
                self._out.append(message.reply)
            stdout = message.reason in ("not JSON", "not a message")
            text = _shown(message.line) if stdout else f"{message.reason}: {_shown(message.line)}"
            self._events.append(Logged("stdout" if stdout else "violation", text))
        elif isinstance(message, jsonrpc.Closed):
            if self._ended:
                return False
            self._end(message.reason or self._end_reason)
        return True

    # -- the agent's messages ------------------------------------------------------------------------------

    def _on_update(self, message: jsonrpc.Notification) -> Event | None:
        try:
            note: schema.SessionNotification = _update(message.params)
        except (ValueError, RecursionError):
            try:
                note = schema.decode(message.params, schema.SessionNotification)
            except ValueError as error:
                return _bad_update(message.params, str(error))
        session_id, update = note.session_id, note.update
        if session_id not in self.sessions:
            self._hold(session_id, message)
            return None
        if isinstance(update, schema.SubagentUpdate):
            self.sessions.setdefault(update.session_id, Turns(parent=session_id))
        return UpdateReceived(session_id, update)

    def _hold(self, session_id: str, message: jsonrpc.Request | jsonrpc.Notification) -> bool:
        """Keep a message for a session that may be about to open; outside of that it is nobody's."""
        if not self._opening:
            return False
        held = self._held.setdefault(session_id, [])
        if len(held) >= MAX_HELD or len(self._held) > 64:
            return False
        held.append(message)
        return True

    def _on_notification(self, message: jsonrpc.Notification) -> None:
        try:
            if message.method == "$/cancel_request":
                self._on_cancel_request(schema.decode(message.params, schema.CancelRequestNotification))
            elif message.method == "elicitation/complete":
                done = schema.decode(message.params, schema.CompleteElicitationNotification)
                self._events.append(ElicitationDone(done.elicitation_id))
            elif message.method == "auth/status_update":
                self._events.append(AuthChanged(schema.decode(message.params, schema.AuthStatusResponse)))
        except ValueError as error:
            self._events.append(Logged("violation", f"{message.method}: {error}"))

    def _on_cancel_request(self, note: schema.CancelRequestNotification) -> None:
        for request in list(self._requests):
            same = request.id == note.request_id and type(request.id) is type(note.request_id)
            if same and request.method in {*DIALOGS, "terminal/wait_for_exit"}:
                self.refuse(request, RpcError(jsonrpc.CANCELLED, "Request cancelled"))
                self._events.append(Withdrawn(request))

    def _on_request(self, message: jsonrpc.Request) -> None:
        method = message.method
        if method not in self._served:
            self._refuse_id(message.id, jsonrpc.METHOD_NOT_FOUND, f"Method not found: {method}")
            self._events.append(Logged("note", f"the agent called {method}, which is not served"))
            return
        try:
            params = schema.decode(message.params, schema.CLIENT_METHODS[method].params)
            if message.repaired:
                raise schema.Invalid("a text holds half a character (a lone surrogate)")
            session_id = self._scope(params)
        except ValueError as error:
            self._refuse_id(message.id, jsonrpc.INVALID_PARAMS, f"Invalid params: {error}")
            self._events.append(Logged("violation", f"{method}: {error}"))
            return
        if session_id is not None and session_id not in self.sessions:
            if not self._hold(session_id, message):
                data = {"sessionId": session_id}
                self._refuse_id(message.id, jsonrpc.NOT_FOUND, f"Session not found: {session_id}", data)
            return
        self._ask(Incoming(message.id, method, params, session_id))

    def _scope(self, params: Any) -> str | None:
        """Return the session a request belongs to; None only for a form about one of our own calls."""
        if isinstance(params, schema.CreateElicitationRequest):
            modes = self.capabilities.elicitation or schema.ElicitationCapabilities()
            if {"form": modes.form, "url": modes.url}.get(params.mode) is None:
                raise schema.Invalid(f"the elicitation mode {params.mode!r} is not offered")
            if params.mode == "form" and params.requested_schema is None:
                raise schema.Invalid("requestedSchema is missing")
            if params.mode == "url" and (params.url is None or params.elicitation_id is None):
                raise schema.Invalid("url or elicitationId is missing")
            return params.session_id
        session_id: str = params.session_id
        return session_id

    def _ask(self, request: Incoming) -> None:
        self._requests[request] = None
        if request.method in DIALOGS and request.session_id is not None:
            turns = self.sessions[request.session_id]
            if turns.state is TurnState.CANCELLING:
                self.answer(request, DIALOGS[request.method])
                return
            turns.asks[request] = None
            turns.move(Move.ASK)
        self._events.append(Asked(request))

    def _on_response(self, id_: int, call: Call, raw: Raw) -> None:
        type_ = _RESULTS.get(call.method)
        result: Any = None
        try:
            if type_ is not None:
                result = schema.decode(jsonrpc.EMPTY if raw == Raw(b"null") else raw, type_)
            else:
                result = msgspec.json.decode(raw)
        except (ValueError, RecursionError) as error:
            self._on_failure(id_, call, RpcError(jsonrpc.INTERNAL_ERROR, f"the answer cannot be read: {error}"))
            return
        if call.method == "session/prompt":
            self._end_turn(call, result.stop_reason, None, result.usage)
            return
        if call.method in OPENING:
            self._opened(call, result)
        elif call.method in ("session/close", "session/delete"):
            self._forget(call.session_id)
        self._settle_scoped(id_)
        self._events.append(Answered(call, result))
        self._release_held(call)

    def _on_failure(self, id_: int, call: Call, error: RpcError) -> None:
        if call.method == "session/prompt":
            self._end_turn(call, "", error, None)
            return
        if call.method in OPENING:
            self._opening -= 1
            if call.session_id is not None and call.method != "session/fork":
                self.sessions.pop(call.session_id, None)
        self._settle_scoped(id_)
        self._events.append(Failed(call, error))
        self._release_held(call)

    def _opened(self, call: Call, result: schema.SessionOpened) -> None:
        self._opening -= 1
        if result.session_id and call.method in ("session/new", "session/fork"):
            self.sessions[result.session_id] = Turns()

    def _release_held(self, call: Call) -> None:
        """Deliver what came too early for the session that has just opened; refuse it when none can open."""
        if call.method not in OPENING:
            return
        for session_id in list(self._held):
            if session_id in self.sessions or not self._opening:
                for message in self._held.pop(session_id):
                    if isinstance(message, jsonrpc.Request):
                        self._on_request(message)
                    elif session_id in self.sessions and (event := self._on_update(message)) is not None:
                        self._events.append(event)

    def _settle_scoped(self, id_: int) -> None:
        """Close the forms that belonged to a call of ours which is over now."""
        for request in list(self._requests):
            form = request.params
            if isinstance(form, schema.CreateElicitationRequest) and form.request_id in (id_, str(id_)):
                self._withdraw(request)

    def _end_turn(self, call: Call, stop: str, error: RpcError | None, usage: schema.Usage | None) -> None:
        session_id = call.session_id or ""
        turns = self.sessions.get(session_id)
        cancelled = False
        if turns is not None:
            cancelled = turns.state is TurnState.CANCELLING
            turns.prompts -= 1
            if turns.prompts <= 0:
                for request in list(turns.asks):
                    self._withdraw(request)
                turns.move(Move.END)
        self._events.append(TurnEnded(session_id, stop, cancelled, call.context, error, usage))

    def _withdraw(self, request: Incoming) -> None:
        if self.answer(request, DIALOGS[request.method]):
            self._events.append(Withdrawn(request))

    def _forget(self, session_id: str | None) -> None:
        turns = self.sessions.pop(session_id or "", None)
        if turns is not None:
            for request in list(turns.asks):
                self._withdraw(request)

    # -- our messages --------------------------------------------------------------------------------------

    def call(self, method: str, params: Struct, context: Any = None) -> int:
        """Send a request; its outcome is an `Answered` or `Failed` with `context`. Return its id."""
        session_id = getattr(params, "session_id", None)
        body = _bounded(params)
        id_, data = self.peer.send_request(method, body, Call(method, session_id, context))
        self._out.append(data)
        if method in OPENING:
            self._opening += 1
            if session_id is not None and method != "session/fork":
                self.sessions.setdefault(session_id, Turns())
        return id_

    def prompt(self, session_id: str, blocks: list[Any], context: Any = None, *, queue: bool = False) -> int:
        """Start a turn; it ends with `TurnEnded`. LocalProtocolError while one runs, unless the agent queues."""
        turns = self.sessions[session_id]
        if turns.state is not TurnState.IDLE and not (queue and turns.state is not TurnState.CANCELLING):
            raise LocalProtocolError("a turn is running in this session")
        id_ = self.call("session/prompt", schema.PromptRequest(session_id, blocks), context)
        turns.prompts += 1
        turns.move(Move.PROMPT)
        return id_

    def cancel(self, session_id: str) -> bool:
        """Cancel the running turn and answer its dialogs (PROTOCOL §9). False when there is none to cancel."""
        turns = self.sessions.get(session_id)
        if turns is None or turns.state not in (TurnState.RUNNING, TurnState.WAITING):
            return False
        self._out.append(self.peer.send_notification("session/cancel", schema.SessionId(session_id)))
        turns.move(Move.CANCEL)
        for request in list(turns.asks):
            self._withdraw(request)
        return True

    def cancel_child(self, session_id: str) -> None:
        """Ask a child session to stop; it has no turn of ours, its parent's goes on (PROTOCOL §19)."""
        self._out.append(self.peer.send_notification("session/cancel", schema.SessionId(session_id)))

    def cancel_call(self, id_: int) -> None:
        """Tell the agent that the answer to a slow call is not needed any more."""
        note = schema.CancelRequestNotification(id_)
        self._out.append(self.peer.send_notification("$/cancel_request", note))

    def answer(self, request: Incoming, result: Any) -> bool:
        """Answer a request of the agent. False when it has its answer already."""
        if not self._close(request):
            return False
        try:
            self._out.append(self.peer.send_result(request.id, _bounded(result)))
        except LocalProtocolError as error:
            self._refuse_id(request.id, jsonrpc.INTERNAL_ERROR, str(error))
        return True

    def refuse(self, request: Incoming, error: RpcError) -> bool:
        """Answer a request of the agent with an error. False when it has its answer already."""
        if not self._close(request):
            return False
        self._out.append(self.peer.send_error(request.id, error))
        return True

    def _close(self, request: Incoming) -> bool:
        if not request.is_open:
            return False
        request.is_open = False
        del self._requests[request]
        turns = self.sessions.get(request.session_id or "")
        if turns is not None and request in turns.asks:
            del turns.asks[request]
            if not turns.asks:
                turns.move(Move.ANSWER)
        return True

    def _refuse_id(self, id_: jsonrpc.Id, code: int, message: str, data: Any = None) -> None:
        self._out.append(self.peer.send_error(id_, RpcError(code, message, data)))

    def _end(self, reason: str) -> None:
        """The connection is over: every open call fails, every dialog closes, then comes `Ended`."""
        self._ended = True
        for turns in self.sessions.values():
            turns.move(Move.DIE)
            turns.asks.clear()
        for request in list(self._requests):
            request.is_open = False
            self._events.append(Withdrawn(request))
        self._requests.clear()
        gone = RpcError(jsonrpc.INTERNAL_ERROR, reason or "the agent stopped")
        for id_, _, call in self.peer.abandon():
            self._on_failure(id_, call, gone)
        self._out.clear()
        self._events.append(Ended(reason))


def _served_methods(capabilities: schema.ClientCapabilities) -> set[str]:
    """Return the requests that we serve, from what we announce."""
    served = {"session/request_permission"}
    if capabilities.fs.read_text_file:
        served.add("fs/read_text_file")
    if capabilities.fs.write_text_file:
        served.add("fs/write_text_file")
    if capabilities.terminal:
        served |= {name for name in schema.CLIENT_METHODS if name.startswith("terminal/")}
    if capabilities.elicitation is not None:
        served.add("elicitation/create")
    return served


def _bounded(message: Any) -> Raw:
    """Encode a message. LocalProtocolError when it is longer than peers accept or no Unicode text."""
    try:
        data = schema.encode(message)
    except UnicodeEncodeError as error:
        raise LocalProtocolError("the text holds half a character (a lone surrogate)") from error
    if len(data) > MAX_OUTGOING:
        raise LocalProtocolError(f"too large to send: {len(data) >> 20} MiB, at most {MAX_OUTGOING >> 20}")
    return Raw(data)


def _bad_update(params: Raw, error: str) -> BadUpdate:
    """Describe an update that cannot be read by what can be read of it."""
    try:
        value = msgspec.json.decode(params)
    except (ValueError, RecursionError):
        return BadUpdate(None, "", error)
    update = value.get("update") if isinstance(value, dict) else None
    kind = update.get("sessionUpdate") if isinstance(update, dict) else None
    session_id = value.get("sessionId") if isinstance(value, dict) else None
    return BadUpdate(session_id if isinstance(session_id, str) else None, kind if isinstance(kind, str) else "", error)


def _shown(line: bytes) -> str:
    text = line[:500].decode("utf-8", "replace")
    return text if len(line) <= 500 else text + "…"
