"""A client of one agent process: its sessions, its requests, and all that one can ask of it.

    client = Client(loop, handler, argv, cwd="/project", env=os.environ, name="Bob")
    client.start()
    client.new_session("/project")          # may be called at once; it is sent after `initialize`

Nothing here blocks and nothing waits: every call returns at once, outcomes come through the `Handler` or the
`done` function given to a call, which gets the decoded result or an `RpcError`. How to use it from an editor is
in `docs/acp-client.md`. Which process, which directory, which MCP servers: `launch`; policy: the handler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from tpy.acp import draft2, events, extensions, jsonrpc, quirks, schema
from tpy.acp.agentcalls import AgentCalls
from tpy.acp.asks import Ask, ElicitationAsk, FileRead, FileWrite, PermissionAsk
from tpy.acp.child import Loop
from tpy.acp.connection import TurnState
from tpy.acp.entries import ToolUse
from tpy.acp.handler import EVERYTHING, ClientError, Handler
from tpy.acp.jsonrpc import LocalProtocolError, RpcError
from tpy.acp.link import HANDSHAKE_LIMIT, Done, Pending, Stage
from tpy.acp.session import Session
from tpy.acp.terminals import Terminals

__all__ = ["EVERYTHING", "Client", "ClientError", "Handler", "Stage", "TurnState"]


class Client(AgentCalls):
    """One agent process with its sessions. `name` is the agent's name in the agents file."""

    def __init__(
        self,
        loop: Loop,
        handler: Handler,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        name: str = "agent",
        version: str = "0",
        timeout: float = HANDSHAKE_LIMIT,
        protocol: int = schema.PROTOCOL_VERSION,
        tap: Callable[[bool, bytes], None] | None = None,
    ) -> None:
        super().__init__(loop, handler, argv, cwd=cwd, env=env, timeout=timeout, protocol=protocol, tap=tap)
        self.name = name
        self.sessions: dict[str, Session] = {}
        self.stray_lines = 0
        """How many lines of stdout were no messages."""
        self._version = version
        self._protocol = protocol
        self._terminals = Terminals(loop, self._connection, env, self._terminal_changed)
        self._asks: dict[events.Incoming, Ask] = {}
        self._quirk = quirks.NONE
        self.version_refused = False
        """Whether the question for protocol 2 was answered by an error: a new client may ask for 1."""
        self.login_useless = False
        """Whether a login went well and the session is refused for want of one: a new process may take it up."""
        self._queued: list[Callable[[], None]] = []
        self._failed = False

    def start(self) -> None:
        """Start the process and introduce ourselves. ClientError when it cannot be started."""
        self._launch()
        info = schema.Implementation("tpy", self._version, title="tpy")
        hello = schema.InitializeRequest(schema.PROTOCOL_VERSION, self._connection.capabilities, info)
        self._call("initialize", hello, self._initialized)

    # -- opening sessions ----------------------------------------------------------------------------------

    def new_session(
        self,
        cwd: str,
        *,
        mcp_servers: Sequence[Any] = (),
        additional_directories: Sequence[str] = (),
        system_prompt: schema.SystemPrompt | None = None,
        done: Done | None = None,
    ) -> None:
        """Open a session in `cwd`. MCP servers are `schema.McpServer` or plain objects of that shape."""

        def params() -> Any:
            return schema.NewSessionRequest(cwd, *self._setting(mcp_servers, additional_directories, system_prompt))

        self._open("session/new", "", params, cwd, done)

    def load_session(
        self,
        session_id: str,
        cwd: str,
        *,
        mcp_servers: Sequence[Any] = (),
        additional_directories: Sequence[str] = (),
        system_prompt: schema.SystemPrompt | None = None,
        method: str = "session/load",
        done: Done | None = None,
    ) -> None:
        """Open an earlier session: `session/load` (replayed), `session/resume` (not), or `session/fork` it."""
        type_ = schema.LoadSessionRequest if method == "session/load" else schema.ResumeSessionRequest

        def params() -> Any:
            return type_(session_id, cwd, *self._setting(mcp_servers, additional_directories, system_prompt))

        self._open(method, session_id, params, cwd, done)

    def _setting(
        self, mcp_servers: Sequence[Any], directories: Sequence[str], prompt: schema.SystemPrompt | None
    ) -> tuple[list[Any], list[str], schema.SystemPrompt | None]:
        """Return of what a session is opened with only that which the agent can take; the log names the rest."""
        can = self.capabilities
        kinds = {"http": can.mcp_capabilities.http, "sse": can.mcp_capabilities.sse, "acp": can.mcp_capabilities.acp}
        servers = []
        for given in mcp_servers:
            try:
                server = given if isinstance(given, schema.McpServer) else schema.convert(given, schema.McpServer)
            except schema.Invalid as error:
                self._note(f"an MCP server is left out: {error}")
                continue
            if kinds.get(str(server.type), True):
                servers.append(server)
            else:
                self._note(f"the agent takes no {server.type} MCP servers; {server.name} is left out")
        if directories and can.session_capabilities.additional_directories is None:
            self._note("the agent takes no additional directories; they are left out")
            directories = ()
        if prompt is not None and can.session_capabilities.system_prompt is None:
            self._note("the agent takes no system prompt; it is left out")
            prompt = None
        return servers, list(directories), prompt

    def _note(self, text: str) -> None:
        self._handler.log(self, "note", text)

    def _open(self, method: str, session_id: str, params: Callable[[], Any], cwd: str, done: Done | None) -> None:
        def send() -> None:
            session = Session(session_id, cwd)
            session.loading = method == "session/load"
            if method in ("session/load", "session/resume"):
                self.sessions[session_id] = session
            self._retry = send
            self._call(method, params(), lambda result: self._session_opened(session, result, method, done), session)

        self._retried = False
        if self.stage is Stage.STARTING:
            self._queued.append(send)
        else:
            self._need_ready()
            send()

    def _forget_session(self, session_id: str) -> None:
        session = self.sessions.pop(session_id, None)
        if session is not None:
            self._terminals.release_session(session)

    def state(self, session: Session) -> TurnState:
        """Return where a session is."""
        turns = self._connection.sessions.get(session.session_id)
        return TurnState.DEAD if turns is None or self.stage is Stage.CLOSED else turns.state

    # -- prompting -----------------------------------------------------------------------------------------

    def prompt(self, session: Session, blocks: Sequence[Any], text: str) -> None:
        """Start a turn with content blocks; `text` is the line as typed, for the conversation.

        ClientError, and nothing is sent, when the agent is not running or a turn runs in this session.
        """
        self._need_ready()
        if session.parent is not None:
            raise ClientError("this is a subagent's session; it takes no prompts")
        try:
            self._connection.prompt(session.session_id, list(blocks), Pending(None, session), queue=self.queues_prompts)
        except (LocalProtocolError, KeyError) as error:
            raise ClientError(str(error) if isinstance(error, LocalProtocolError) else "no session") from error
        session.begin_turn(text, list(blocks))
        self._flush()
        self._handler.session_changed(self, session, None)

    def cancel(self, session: Session) -> bool:
        """Cancel the turn of a session. False when there is none to cancel."""
        if not self._connection.cancel(session.session_id):
            return False
        session.mark_cancelling()
        self._drain()
        self._handler.session_changed(self, session, None)
        return True

    def cancel_child(self, session: Session) -> bool:
        """Ask a child session to stop. False, and nothing is sent, where its agent does not offer that."""
        if session.told is None or not session.told.can_cancel or self.stage is not Stage.READY:
            return False
        self._connection.cancel_child(session.session_id)
        self._drain()
        return True

    def cancel_tool(self, session: Session, tool: ToolUse, done: Done | None = None) -> bool:
        """Stop one tool call, or the commands that it runs, and leave the turn alone. False where nothing can be.

        Commands that run in terminals of ours are ended here. The rest is the agent's, which says of each call and
        terminal whether it takes this (version 2 alone); `done` gets its answer.
        """
        if self.stage is not Stage.READY:
            return False
        if tool.can_cancel and not tool.finished:
            params = schema.ToolCallId(session.session_id, tool.tool_call_id)
            self._call_ready("tool_call/cancel", params, done)
            return True
        stopped = False
        for terminal_id in tool.terminal_ids():
            view = session.terminal(terminal_id)
            if self._terminals.stop(terminal_id, session):
                stopped = True
            elif view.can_cancel and view.exit_status is None:
                self._call_ready("terminal/cancel", schema.TerminalId(session.session_id, terminal_id), done)
                stopped = True
        return stopped

    # -- the handshake -------------------------------------------------------------------------------------

    def _initialized(self, result: Any) -> None:
        if isinstance(result, RpcError):
            self.version_refused = self._protocol != 1 and self.stage is Stage.STARTING
            hint = "" if self._protocol == 1 else " (asked for protocol 2; it may know only 1: take `protocol` out)"
            self._fail(f"the agent would not start a conversation: {self._told(result)}{hint}")
            return
        version = result.protocol_version
        if type(version) is not int or not schema.PROTOCOL_VERSION <= version <= self._protocol:
            spoken = msgspec.json.encode(version).decode()
            ours = "1 and 2" if self._protocol == draft2.VERSION else "1"
            self._fail(f"the agent speaks protocol version {spoken}; this editor speaks {ours}")
            return
        self.info = result
        self._quirk = quirks.for_agent(result.agent_info)
        self.stage = Stage.READY
        self._handler.ready(self)
        queued, self._queued = self._queued, []
        for send in queued:
            send()

    def _told(self, error: RpcError) -> str:
        """Return an error with the last lines of stderr when the agent is gone or said nothing."""
        if self.stage in (Stage.CLOSED, Stage.STOPPING) and self.stderr:
            return f"{self._reason or error}\n" + "\n".join(self.stderr)
        return self._reason or str(error)

    def _fail(self, message: str) -> None:
        """The conversation cannot start: say so once, and end the process."""
        self._queued.clear()
        self._failed = True
        self._handler.failed(self, message)
        self.stop()

    def _session_opened(self, session: Session, result: Any, method: str, done: Done | None) -> None:
        if isinstance(result, RpcError):
            self._open_failed(session, result, method, done)
            return
        if method in ("session/new", "session/fork"):
            if not result.session_id:
                self._handler.failed(self, "the agent opened a session with no id")
                return
            self._forget_session(result.session_id)  # of one that had this id before
            session.session_id = result.session_id
            self.sessions[session.session_id] = session
        session.loading, session.loaded = False, method == "session/load"
        session.opened(result)
        self._retry = None
        listed = extensions.commands(self.info)
        if listed is not None and not session.commands:
            session.apply(listed)
        early = self._connection.early_updates(session.session_id)
        for event in early:
            session.apply(event.update)
        self._handler.session_opened(self, session)
        for event in early:
            if isinstance(event.update, schema.SubagentUpdate):
                self._child_changed(session, event.update)
            self._handler.session_changed(self, session, event.update)
        if done is not None:
            done(session)

    def _open_failed(self, session: Session, error: RpcError, method: str, done: Done | None) -> None:
        if method != "session/fork" and self.sessions.get(session.session_id) is session:
            del self.sessions[session.session_id]
        wants_login = error.code == jsonrpc.AUTH_REQUIRED and self.stage is Stage.READY
        self.login_useless = wants_login and self._retried
        if wants_login and not self._retried and any(self.can_use(method) for method in self.auth_methods):
            self._handler.login_wanted(self, error)
            return
        if wants_login and not any(self.can_use(method) for method in self.auth_methods):
            message = (
                f"the agent wants to be logged in first ({self.name}); log in with its own command and start it again"
            )
        else:
            told = error.message if wants_login else self._told(error)  # its data are the methods that were offered
            message = f"the agent would not open a session: {told}"
        self._failed = self._failed or not self.sessions
        if done is not None:
            done(error)
        self._handler.failed(self, message)

    # -- events --------------------------------------------------------------------------------------------

    def _on_update(self, event: events.UpdateReceived) -> None:
        session, update = self.sessions.get(event.session_id), event.update
        if session is not None:
            session.apply(update)
            if type(update) is schema.SubagentUpdate:
                self._child_changed(session, update)
            self._handler.session_changed(self, session, update)

    def _on_event(self, event: events.Event) -> None:
        if isinstance(event, events.TurnEnded):
            self._turn_ended(event)
        elif isinstance(event, events.Asked):
            self._asked(event.request)
        elif isinstance(event, events.Withdrawn):
            ask = self._asks.pop(event.request, None)
            if ask is not None:
                self._handler.ask_withdrawn(self, ask)
        elif isinstance(event, events.PromptAccepted):
            session = self.sessions.get(event.session_id)
            if session is not None:
                session.prompt_accepted(event.message_id)
        elif isinstance(event, events.BadUpdate):
            session = self.sessions.get(event.session_id or "")
            for known in [session] if session is not None else list(self.sessions.values())[:1]:
                known.note_odd(event.kind, event.error)
            self._handler.log(self, "violation", f"session/update {event.kind}: {event.error}")
        elif isinstance(event, events.ElicitationDone):
            self._handler.elicitation_done(self, event.elicitation_id)
        elif isinstance(event, events.AuthChanged):
            self._handler.auth_changed(self, event.status)
        elif isinstance(event, events.Logged):
            self.stray_lines += event.kind == "stdout"
            self._handler.log(self, event.kind, event.text)

    def _child_changed(self, parent: Session, update: schema.SubagentUpdate) -> None:
        """A child session is announced, or has another state (PROTOCOL §19)."""
        child = self.sessions.get(update.session_id)
        if child is None:
            child = self.sessions[update.session_id] = Session(update.session_id, "", parent=parent.session_id)
        told = parent.subagent(update.session_id)
        if child.parent is None or told is None:
            return  # an id that is one of ours
        new = child.told is None
        child.follow(told, parent)
        if new:
            self._handler.session_opened(self, child)
        else:
            self._handler.session_changed(self, child, None)

    def _turn_ended(self, event: events.TurnEnded) -> None:
        session = self.sessions.get(event.session_id)
        if session is None:
            return
        turns = self._connection.sessions.get(event.session_id)
        more = turns is not None and turns.prompts > 0
        end = session.end_turn(
            event.stop_reason, event.error, event.usage, cancelled=event.cancelled, more=more,
            died=turns is not None and turns.state is TurnState.DEAD,
        )  # fmt: skip
        self._handler.turn_ended(self, session, end)
        if event.error is not None and event.error.code == jsonrpc.AUTH_REQUIRED and not event.cancelled:
            self._handler.login_wanted(self, event.error)

    def _asked(self, request: events.Incoming) -> None:
        session = self.sessions.get(request.session_id or "")
        if session is None and request.session_id is not None:
            gone = RpcError(jsonrpc.NOT_FOUND, f"Session not found: {request.session_id}")
            self._connection.refuse(request, gone)
        elif session is not None and request.method.startswith("terminal/"):
            self._terminals.serve(request, session)
            self._handler.session_changed(self, session, None)
        elif request.method == "elicitation/create":
            elicitation = ElicitationAsk(request, session, self._send)
            self._asks[request] = elicitation
            self._handler.elicitation_asked(self, elicitation)
        elif session is None:
            self._connection.refuse(request, RpcError(jsonrpc.INVALID_PARAMS, "sessionId is missing"))
        elif request.method == "session/request_permission":
            tool = session.upsert_tool(request.params.tool_call)
            permission = PermissionAsk(request, session, self._send, tool)
            self._asks[request] = permission
            self._handler.session_changed(self, session, None)
            self._handler.permission_asked(self, permission)
        elif request.method == "fs/read_text_file":
            empty = self._quirk.missing_file_is_empty
            self._handler.read_file(self, FileRead(request, session, self._send, empty))
        else:
            self._handler.write_file(self, FileWrite(request, session, self._send))

    def _send(self, request: events.Incoming, result: Any) -> bool:
        """Answer a request for an `Ask`."""
        self._asks.pop(request, None)
        if isinstance(result, RpcError):
            sent = self._connection.refuse(request, result)
        else:
            sent = self._connection.answer(request, result)
        self._flush()
        return sent

    def _terminal_changed(self, session: Session) -> None:
        self._flush()
        self._handler.session_changed(self, session, None)

    def _on_slow(self, method: str) -> None:
        self._handler.slow(self, method)

    def _on_closed(self, reason: str) -> None:
        self._terminals.release_session(None)
        for session in self.sessions.values():
            session.died()
        lines = [f"The agent stopped. ({reason})", *self.stderr] if reason and not self._failed else []
        self._handler.closed(self, "\n".join(lines))
