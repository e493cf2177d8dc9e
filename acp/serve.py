"""The agent side of the protocol: a sans-IO server that runs an agent's turns (PROTOCOL §4–16, §23).

    server = Server(MyAgent())
    server.receive_data(b"...")        # bytes from the client
    write(server.data_to_send())       # bytes to the client
    server.deadline(), server.expire() # for the steps that wait for time

An agent subclasses `Agent` (`agent.py`). Its turns are generators (`turn.py`) that the server advances when
what they wait for has come: an answer, a moment, a descriptor. The rules every agent must keep are kept here:
ids and sessions checked, one turn a session with further prompts queued or refused, nothing before the
`session/new` answer, cancel answered `cancelled`, every tool call finished and every terminal released.
Not here: pipes and processes (`stdio.py`).
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import Any

import msgspec

from tpy.acp import jsonrpc, schema
from tpy.acp.agent import Agent, Work
from tpy.acp.jsonrpc import Id, RpcError
from tpy.acp.turn import Call, Cancelled, Client, Json, NotOffered, Session, Sleep, Step, Turn

_STEPS_AFTER_CANCEL = 200


class _Task:
    """Work in progress: whom to answer, and what it waits for (a call's id, a time, a descriptor)."""

    def __init__(self, request_id: Id, method: str, work: Work, turn: Turn | None) -> None:
        self.request_id, self.method, self.work, self.turn = request_id, method, work, turn
        self.call: int | None = None
        self.due: float | None = None
        self.descriptor: int | None = None
        self.cancelled = False
        self.steps_left = _STEPS_AFTER_CANCEL

    def wait_for_nothing(self) -> None:
        self.call = self.due = self.descriptor = None


class Server:
    """One connection of an agent, without I/O.

    `log` takes text for people who look for a fault (a traceback); `new_id` makes session ids.
    """

    def __init__(
        self,
        agent: Agent,
        *,
        clock: Callable[[], float] = time.monotonic,
        log: Callable[[str], None] = lambda text: None,
        new_id: Callable[[], str] = lambda: f"s-{os.urandom(8).hex()}",
    ) -> None:
        self.agent = agent
        self.client: Client | None = None
        self.sessions: dict[str, Session] = {}
        self.closed = False
        self._clock, self._log, self._new_id = clock, log, new_id
        self._peer = jsonrpc.Peer(answer_junk=True)
        self._out: list[bytes] = []
        self._tasks: list[_Task] = []
        self._queued: dict[str, deque[tuple[Id, Turn]]] = {}
        self._ready: deque[tuple[_Task, Any, BaseException | None]] = deque()
        self._core: dict[str, Callable[[Id, Any], None]] = {
            "session/new": self._new_session,
            "session/prompt": self._prompt,
            "session/set_mode": self._set_mode,
            "session/set_config_option": self._set_config_option,
            "session/close": self._close_session,
        }

    # -- the outside ---------------------------------------------------------------------------------------

    def receive_data(self, data: bytes) -> None:
        """Take bytes from the client and do everything that follows from them at once."""
        self._peer.receive_data(data)
        self._take_events()

    def receive_eof(self) -> None:
        """The client is gone: turns are cancelled so that they can clean up; nothing more is answered."""
        self._peer.receive_eof()
        self._take_events()
        self.closed = True
        for task in list(self._tasks):
            self._cancel_task(task)
        self._run()

    def data_to_send(self) -> bytes:
        """The bytes to write to the client since the last call."""
        data = b"".join(self._out)
        self._out.clear()
        return data

    def deadline(self) -> float | None:
        """When `expire` wants to be called, by the clock given; None when nothing waits for time."""
        return min((task.due for task in self._tasks if task.due is not None), default=None)

    def expire(self) -> None:
        """Go on with the work whose time has come."""
        now = self._clock()
        for task in self._tasks:
            if task.due is not None and task.due <= now:
                # A step that waited for a descriptor as well is told that none became readable.
                self._wake(task, False if task.descriptor is not None else None)
        self._run()

    def watched(self) -> list[int]:
        """The descriptors that some work waits for."""
        return [task.descriptor for task in self._tasks if task.descriptor is not None]

    def readable(self, descriptor: int) -> None:
        """Go on with the work that waits for that descriptor."""
        for task in self._tasks:
            if task.descriptor == descriptor:
                self._wake(task, True)
        self._run()

    def notify(self, method: str, params: Json) -> None:
        """Send a notification."""
        self._send(self._peer.send_notification(method, params))

    def adopt(self, ident: str, cwd: str, roots: list[str] | None = None) -> Session:
        """Make a session known, as `session/new` and an agent's own `session/load` do."""
        if not os.path.isabs(cwd):
            raise RpcError(jsonrpc.INVALID_PARAMS, f"cwd must be an absolute path, not {cwd!r}")
        session = Session(ident, cwd, self.notify, self.client or Client())
        session.roots = [cwd, *(roots or ())]
        self.sessions[ident] = session
        return session

    def session(self, ident: str) -> Session:
        """The session of that id; raises the `RpcError` that answers for an unknown one."""
        if ident not in self.sessions:
            raise RpcError(jsonrpc.NOT_FOUND, f"Session not found: {ident}", {"sessionId": ident})
        return self.sessions[ident]

    # -- messages in ---------------------------------------------------------------------------------------

    def _take_events(self) -> None:
        while True:
            event = self._peer.next_event()
            if isinstance(event, jsonrpc.Request):
                self._request(event)
            elif isinstance(event, jsonrpc.Notification):
                self._notification(event)
            elif isinstance(event, jsonrpc.Response | jsonrpc.ErrorResponse):
                self._answered(event)
            elif isinstance(event, jsonrpc.Junk):
                self._log(f"{event.reason}: {event.line[:200]!r}")
                if event.reply is not None:
                    self._send(event.reply)
            else:
                self.closed = self.closed or isinstance(event, jsonrpc.Closed)
                return
            self._run()

    def _request(self, request: jsonrpc.Request) -> None:
        try:
            if request.method == "initialize":
                self._answer(request.id, self._initialize(request))
            elif self.client is None:
                raise RpcError(jsonrpc.INVALID_REQUEST, "initialize comes first")
            elif request.method in self._core:
                self._core[request.method](request.id, _decode(request))
            else:
                handler = self.agent.handlers().get(request.method)
                if handler is None:
                    raise RpcError(jsonrpc.METHOD_NOT_FOUND, f"Method not found: {request.method}")
                self._serve(request, handler(self, _decode(request)))
        except Exception as error:
            self._answer_error(request.id, error)

    def _serve(self, request: jsonrpc.Request, result: Any) -> None:
        """Answer with a handler's result, now or when its work is done."""
        if isinstance(result, Generator):
            self._start(_Task(request.id, request.method, result, None))
        else:
            self._answer(request.id, result)

    def _notification(self, event: jsonrpc.Notification) -> None:
        try:
            if event.method == "session/cancel":
                self._cancel_session(schema.decode(event.params, schema.SessionId).session_id)
            elif event.method == "$/cancel_request":
                wanted = schema.decode(event.params, schema.CancelRequestNotification).request_id
                self._cancel_request(wanted)
            elif not event.method.startswith("$/"):
                self.agent.notified(event.method, msgspec.json.decode(event.params))
        except Exception as error:
            self._log(f"{event.method}: {error}")

    def _answered(self, event: jsonrpc.Response | jsonrpc.ErrorResponse) -> None:
        task, step = event.context
        if task is None or task.call != event.id:
            self._release_late_terminal(event, step)
        elif isinstance(event, jsonrpc.ErrorResponse):
            self._wake(task, None, event.error)
        else:
            try:
                self._wake(task, step.read(msgspec.json.decode(event.result)))
            except (ValueError, TypeError) as error:
                why = f"{step.method}: the client's answer cannot be used ({error})"
                self._wake(task, None, RpcError(jsonrpc.INTERNAL_ERROR, why))

    def _release_late_terminal(self, event: jsonrpc.Response | jsonrpc.ErrorResponse, step: Call) -> None:
        """Give back a terminal whose id came after the turn that wanted it was cancelled."""
        if step.method != "terminal/create" or isinstance(event, jsonrpc.ErrorResponse):
            return
        result = msgspec.json.decode(event.result)
        if isinstance(result, dict) and isinstance(result.get("terminalId"), str):
            params = {"sessionId": step.params["sessionId"], "terminalId": result["terminalId"]}
            self._call(Call("terminal/release", params, lambda result: None), None)

    # -- the methods served here ---------------------------------------------------------------------------

    def _initialize(self, request: jsonrpc.Request) -> Json:
        if self.client is not None:
            raise RpcError(jsonrpc.INVALID_REQUEST, "initialize happens once")
        params = schema.decode(request.params, schema.InitializeRequest)
        version = params.protocol_version
        if isinstance(version, bool) or not isinstance(version, int | str):
            raise RpcError(jsonrpc.INVALID_PARAMS, "protocolVersion must be an integer")
        plain = msgspec.json.decode(request.params)
        capabilities = plain.get("clientCapabilities")
        info = params.client_info
        self.client = Client(
            capabilities if isinstance(capabilities, dict) else {},
            info.name if info else "",
            info.version if info else "",
        )
        agent = self.agent
        kinds = {"resource": "embeddedContext", "image": "image", "audio": "audio"}
        offered: Json = {
            "promptCapabilities": {kinds[kind]: True for kind in kinds if kind in agent.prompt_kinds},
            "sessionCapabilities": {"close": {}},
        }
        return {
            "protocolVersion": 1,
            "agentInfo": {"name": agent.name, "title": agent.title, "version": agent.version},
            "agentCapabilities": _merged(offered, agent.capabilities()),
            "authMethods": agent.auth_methods(self.client),
        }

    def _new_session(self, request_id: Id, params: schema.NewSessionRequest) -> None:
        session = self.adopt(self._new_id(), params.cwd, params.additional_directories)
        session.mcp_servers = list(params.mcp_servers)
        told = len(self._out)
        try:
            self.agent.open_session(session)
        except BaseException:
            del self.sessions[session.id]
            raise
        finally:
            # Nothing may be told about a session before its id is known.
            early, self._out[told:] = self._out[told:], []
        self._answer(request_id, {"sessionId": session.id, **opened(session)})
        self._out.extend(early)
        if session.commands:
            session.set_commands(session.commands)

    def _set_mode(self, request_id: Id, params: schema.SetModeRequest) -> None:
        self.agent.set_mode(self.session(params.session_id), params.mode_id)
        self._answer(request_id, {})

    def _set_config_option(self, request_id: Id, params: schema.SetConfigOptionRequest) -> None:
        session = self.session(params.session_id)
        self.agent.set_option(session, params.config_id, params.value)
        self._answer(request_id, {"configOptions": session.wire_options()})

    def _close_session(self, request_id: Id, params: schema.SessionId) -> None:
        session = self.session(params.session_id)
        self._cancel_session(session.id)
        self._run()
        self.sessions.pop(session.id, None)
        self.agent.close_session(session)
        self._answer(request_id, {})

    def _prompt(self, request_id: Id, params: schema.PromptRequest) -> None:
        session = self.session(params.session_id)
        for block in params.prompt:
            kind = _block_kind(block)
            if kind not in ("text", "resource_link") and kind not in self.agent.prompt_kinds:
                raise RpcError(jsonrpc.INVALID_PARAMS, f"this agent takes no {kind} in a prompt")
        turn = Turn(session, params.prompt)
        if self._turn_of(session.id) is None:
            self._start(_Task(request_id, "session/prompt", self.agent.prompt(turn), turn))
        elif self.agent.queue_prompts:
            self._queued.setdefault(session.id, deque()).append((request_id, turn))
        else:
            raise RpcError(jsonrpc.INVALID_REQUEST, "a prompt is being worked on in this session")

    # -- work ----------------------------------------------------------------------------------------------

    def _turn_of(self, session_id: str) -> _Task | None:
        found = (task for task in self._tasks if task.turn and task.turn.session.id == session_id)
        return next(found, None)

    def _start(self, task: _Task) -> None:
        self._tasks.append(task)
        self._ready.append((task, None, None))

    def _wake(self, task: _Task, value: Any, error: BaseException | None = None) -> None:
        task.wait_for_nothing()
        self._ready.append((task, value, error))

    def _run(self) -> None:
        """Advance everything that is ready, until all work waits."""
        while self._ready:
            task, value, error = self._ready.popleft()
            if task not in self._tasks:
                continue
            try:
                step = task.work.throw(error) if error is not None else task.work.send(value)
            except StopIteration as stop:
                self._finish(task, stop.value)
            except (Exception, Cancelled) as failure:
                self._fail(task, failure)
            else:
                self._wait(task, step)

    def _wait(self, task: _Task, step: Step) -> None:
        """Arrange for what a step waits for; after a cancel nothing is waited for."""
        if task.cancelled:
            task.steps_left -= 1
            if isinstance(step, Call):
                self._call(step, None)
            if task.steps_left > 0:
                self._ready.append((task, None, None))
            else:
                task.work.close()
                self._finish(task, None)
        elif isinstance(step, Call):
            task.call = self._call(step, task)
        elif isinstance(step, Sleep):
            task.due = self._clock() + step.seconds
        else:
            task.descriptor = step.descriptor
            task.due = None if step.seconds is None else self._clock() + step.seconds

    def _call(self, step: Call, task: _Task | None) -> int:
        ident, data = self._peer.send_request(step.method, step.params, (task, step))
        self._send(data)
        return ident

    def _finish(self, task: _Task, result: Any) -> None:
        self._tasks.remove(task)
        if task.turn is None:
            if task.cancelled:
                self._answer_error(task.request_id, RpcError(jsonrpc.CANCELLED, "cancelled"))
            else:
                self._answer(task.request_id, result)
            return
        reason = "cancelled" if task.cancelled else result or "end_turn"
        self._clean_up(task.turn)
        self._answer(task.request_id, {"stopReason": reason})
        self._next_turn(task.turn.session)

    def _fail(self, task: _Task, failure: BaseException) -> None:
        if task.cancelled or isinstance(failure, Cancelled):
            task.cancelled = True
            self._finish(task, None)
            return
        self._tasks.remove(task)
        if task.turn is not None:
            self._clean_up(task.turn)
        self._answer_error(task.request_id, failure)
        if task.turn is not None:
            self._next_turn(task.turn.session)

    def _clean_up(self, turn: Turn) -> None:
        """Finish what the turn left open, before its answer (PROTOCOL §23)."""
        for call in turn.calls:
            if call.open:
                call.fail()
        while turn.terminals:
            self._call(turn.release_terminal(turn.terminals[0]), None)

    def _next_turn(self, session: Session) -> None:
        waiting = self._queued.get(session.id)
        if waiting:
            request_id, turn = waiting.popleft()
            self._start(_Task(request_id, "session/prompt", self.agent.prompt(turn), turn))

    # -- cancelling ----------------------------------------------------------------------------------------

    def _cancel_session(self, session_id: str) -> None:
        """Cancel the session's turn, and the prompts that wait behind it, each answered."""
        for request_id, _turn in self._queued.pop(session_id, ()):
            self._answer(request_id, {"stopReason": "cancelled"})
        task = self._turn_of(session_id)
        if task is not None:
            self._cancel_task(task)

    def _cancel_request(self, request_id: Id) -> None:
        for task in self._tasks:
            if task.request_id == request_id and type(task.request_id) is type(request_id):
                self._cancel_task(task)
                return
        for waiting in self._queued.values():
            for item in waiting:
                if item[0] == request_id and type(item[0]) is type(request_id):
                    waiting.remove(item)
                    self._answer(request_id, {"stopReason": "cancelled"})
                    return

    def _cancel_task(self, task: _Task) -> None:
        if task.cancelled:
            return
        task.cancelled = True
        if task.call is not None:
            self.notify("$/cancel_request", {"requestId": task.call})
        self._ready = deque(item for item in self._ready if item[0] is not task)
        self._wake(task, None, Cancelled())

    # -- messages out --------------------------------------------------------------------------------------

    def _answer(self, request_id: Id, result: Any) -> None:
        self._send(self._peer.send_result(request_id, {} if result is None else result))

    def _answer_error(self, request_id: Id, error: BaseException) -> None:
        if isinstance(error, schema.Invalid | LookupError):
            error = RpcError(jsonrpc.INVALID_PARAMS, _sentence(error))
        elif isinstance(error, NotOffered):
            error = RpcError(jsonrpc.INTERNAL_ERROR, str(error))
        elif not isinstance(error, RpcError):
            import traceback

            self._log("".join(traceback.format_exception(error)))
            error = RpcError(jsonrpc.INTERNAL_ERROR, f"the agent failed: {type(error).__name__}: {error}")
        self._send(self._peer.send_error(request_id, error))

    def _send(self, data: bytes) -> None:
        self._out.append(data)


def opened(session: Session) -> Json:
    """The part of an answer to new, load and resume that tells modes and options."""
    result: Json = {}
    if session.modes:
        result["modes"] = session.wire_modes()
    if session.modes or session.options:
        result["configOptions"] = session.wire_options()
    return result


def _decode(request: jsonrpc.Request) -> Any:
    """The params by the schema's type for the method, else as plain JSON."""
    method = schema.AGENT_METHODS.get(request.method)
    return msgspec.json.decode(request.params) if method is None else schema.decode(request.params, method.params)


def _block_kind(block: Any) -> str:
    """The wire type of a decoded content block."""
    if isinstance(block, schema.UnknownContent):
        return block.kind
    tag = type(block).__struct_config__.tag
    return str(tag)


def _merged(base: Json, over: Json) -> Json:
    """Two JSON objects as one, inner objects merged."""
    result = dict(base)
    for key, value in over.items():
        inner = result.get(key)
        result[key] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return result


def _sentence(error: BaseException) -> str:
    """The text of an exception; `LookupError` would show quotes around it for a `KeyError`."""
    return str(error.args[0]) if error.args else type(error).__name__
