"""A sans-IO ACP client: which message may be sent when, and what the agent's messages mean.

Feed `Connection.receive_data`, take `Connection.next_event` until `NEED_DATA`, and write what
`Connection.data_to_send` returns after every call of either. The bytes are the business of `jsonrpc`, the
shape of messages that of `schema`, what a session looks like that of `session`; processes and clocks are
in `transport` and `client`.

All knowledge about turns is in `turnstate` (PROTOCOL §8) and `Connection.cancel` (§9). Every request of
the agent gets exactly one answer, whoever gives it.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import msgspec
from msgspec import Raw, Struct

from tpy.acp import draft2, jsonrpc, schema
from tpy.acp.draft2 import Draft2
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
    PromptAccepted,
    TurnEnded,
    UpdateReceived,
    Withdrawn,
)
from tpy.acp.jsonrpc import NEED_DATA, LocalProtocolError, NeedData, RpcError
from tpy.acp.turnstate import Move, Turns, TurnState

__all__ = ["DIALOGS", "OPENING", "Connection", "TurnState", "Turns"]

MAX_HELD = 2_000
"""How many messages are kept for sessions whose `session/new` is not answered yet."""


OPENING = {"session/new", "session/load", "session/resume", "session/fork"}
DIALOGS: dict[str, Any] = {
    "session/request_permission": schema.RequestPermissionResponse(schema.PermissionOutcome("cancelled")),
    "elicitation/create": schema.CreateElicitationResponse("cancel"),
}
"""The requests that a person answers, and the answer when no person will."""

_RESULTS = {name: method.result for name, method in schema.AGENT_METHODS.items()}
_RESULTS.update(dict.fromkeys(OPENING, schema.SessionOpened))
_update = schema.decoder(schema.SessionNotification)

_update_line = schema.decoder(schema.UpdateLine)


class Connection:
    """The client's end of one connection to one agent.

    `capabilities` is what we announce; requests beyond it are refused with `-32601` without an event. `protocol` is
    the version to ask for; with 2 the agent may still answer 1.
    """

    def __init__(
        self, capabilities: schema.ClientCapabilities, *, protocol: int = 1, max_line: int = jsonrpc.MAX_LINE
    ) -> None:
        self.peer = jsonrpc.Peer(max_line=max_line, shortcut=_update_line)
        self.capabilities = capabilities
        self.sessions: dict[str, Turns] = {}
        self._served = schema.served_methods(capabilities)
        self._requests: dict[Incoming, None] = {}
        self._events: deque[Event] = deque()
        self._out: list[bytes] = []
        self._opening = 0
        self._held: dict[str, list[Any]] = {}
        self._ended = False
        self._protocol = protocol
        self._draft: Draft2 | None = None
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
            if type(message) is schema.UpdateLine:
                event = self._take_update(message.params)
                if event is not None:
                    return event
            elif type(message) is jsonrpc.Notification and message.method == "session/update":
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
        if self._draft is not None:
            return self._on_draft_update(message, self._draft)
        try:
            note: schema.SessionNotification = _update(message.params)
        except (ValueError, RecursionError):
            try:
                note = schema.decode(message.params, schema.SessionNotification)
            except ValueError as error:
                return _bad_update(message.params, str(error))
        return self._take_update(note)

    def _take_update(self, note: schema.SessionNotification) -> Event | None:
        session_id, update = note.session_id, note.update
        if session_id not in self.sessions:
            self._hold(session_id, note)
            return None
        if type(update) is schema.SubagentUpdate:
            self.sessions.setdefault(update.session_id, Turns(parent=session_id))
        return UpdateReceived(session_id, update)

    def _on_draft_update(self, message: jsonrpc.Notification, draft: Draft2) -> Event | None:
        """An update in the words of version 2; its state of the agent may end our turn."""
        try:
            session_id, update = draft.update(msgspec.json.decode(message.params))
        except (ValueError, RecursionError) as error:
            return _bad_update(message.params, str(error))
        turns = self.sessions.get(session_id)
        if turns is None:
            self._hold(session_id, message)
            return None
        call = turns.accepted
        if isinstance(update, schema.StateChanged) and update.state == "idle" and call is not None:
            failure = jsonrpc.read_error(Raw(schema.encode(update.error))) if update.error else None
            self._end_turn(call, update.stop_reason, failure, update.usage)
        return UpdateReceived(session_id, update)

    def _hold(self, session_id: str, message: jsonrpc.Request | jsonrpc.Notification | Struct) -> bool:
        """Keep a message for a session that may be about to open; outside of that it is nobody's."""
        if not self._opening:
            return False
        if sum(map(len, self._held.values())) >= MAX_HELD:
            return False
        self._held.setdefault(session_id, []).append(message)
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
            params = self._params(method, message.params)
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

    def _params(self, method: str, raw: Raw) -> Any:
        type_ = schema.CLIENT_METHODS[method].params
        if self._draft is None:
            return schema.decode(raw, type_)
        return schema.convert(self._draft.request(method, msgspec.json.decode(raw)), type_)

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
        try:
            result = self._result(call.method, jsonrpc.EMPTY if raw == Raw(b"null") else raw)
        except (ValueError, RecursionError) as error:
            self._on_failure(id_, call, RpcError(jsonrpc.INTERNAL_ERROR, f"the answer cannot be read: {error}"))
            return
        if isinstance(result, PromptAccepted):
            self._accepted(call, result)
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

    def _result(self, method: str, raw: Raw) -> Any:
        """Read the answer to a call; the first one may show that the agent speaks version 2."""
        type_ = _RESULTS.get(method)
        asked_for_2 = method == "initialize" and self._protocol == draft2.VERSION
        if type_ is not None and self._draft is None and not asked_for_2:
            return schema.decode(raw, type_)
        value = msgspec.json.decode(raw)
        if asked_for_2 and isinstance(value, dict) and value.get("protocolVersion") == draft2.VERSION:
            self._draft = Draft2()
            self.peer.shortcut = None
            value = draft2.greeting(value)
        elif self._draft is not None:
            if method == "session/prompt":
                message_id = value.get("messageId") if isinstance(value, dict) else None
                return PromptAccepted("", message_id if isinstance(message_id, str) else "", None)
            value = self._draft.result(method, value)
        return value if type_ is None else schema.convert(value, type_)

    def _accepted(self, call: Call, result: PromptAccepted) -> None:
        """Version 2: the prompt is in the conversation; the turn ends when the agent says that it is idle."""
        turns = self.sessions.get(call.session_id or "")
        if turns is not None:
            turns.accepted = call
            self._events.append(PromptAccepted(call.session_id or "", result.message_id, call.context))

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
            self._forget(result.session_id)  # of one that had this id before
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
                    elif session_id in self.sessions:
                        note = isinstance(message, schema.SessionNotification)
                        event = self._take_update(message) if note else self._on_update(message)
                        self._events.extend([event] if event is not None else [])

    def early_updates(self, session_id: str) -> list[UpdateReceived]:
        """Take the updates that came before the session which has just opened was known."""
        taken: list[UpdateReceived] = []
        while self._events and isinstance(event := self._events[0], UpdateReceived) and event.session_id == session_id:
            taken.append(event)
            self._events.popleft()
        return taken

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
            cancelled = turns.state is TurnState.CANCELLING or turns.cancelled
            turns.accepted = None
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

    def call(self, method: str, params: Any, context: Any = None) -> int:
        """Send a request; its outcome is an `Answered` or `Failed` with `context`. Return its id."""
        session_id = getattr(params, "session_id", None)
        wire_method, body = method, params
        if method == "initialize" and self._protocol == draft2.VERSION:
            body = draft2.hello(params)
        elif self._draft is not None:
            wire_method, body = self._draft.call(method, params)
        id_, data = self.peer.send_request(wire_method, jsonrpc.bounded(body), Call(method, session_id, context))
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
        turns = self.sessions.get(session_id)
        for request in list(turns.asks if turns is not None else ()):
            self._withdraw(request)

    def cancel_call(self, id_: int) -> None:
        """Tell the agent that the answer to a slow call is not needed any more."""
        note = schema.CancelRequestNotification(id_)
        self._out.append(self.peer.send_notification("$/cancel_request", note))

    def answer(self, request: Incoming, result: Any) -> bool:
        """Answer a request of the agent. False when it has its answer already."""
        if not self._close(request):
            return False
        try:
            self._out.append(self.peer.send_result(request.id, jsonrpc.bounded(result)))
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
        for turns in self.sessions.values():
            if turns.accepted is not None:
                self._end_turn(turns.accepted, "", gone, None)
        self._out.clear()
        self._events.append(Ended(reason))


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
