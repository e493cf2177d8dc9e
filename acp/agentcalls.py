"""What one can ask an agent besides opening sessions and prompting: login, listing, modes, options, titles.

`client.Client` builds on this class and adds sessions, turns and the agent's own requests.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from tpy.acp import extensions, jsonrpc, schema
from tpy.acp.child import Loop
from tpy.acp.handler import ClientError, Handler
from tpy.acp.jsonrpc import RpcError
from tpy.acp.link import Done, Link, Stage
from tpy.acp.session import Session

if TYPE_CHECKING:
    from tpy.acp.client import Client


class AgentCalls(Link):
    """The calls, each made at once (ClientError when the agent is not ready), its outcome given to `done`."""

    def __init__(
        self,
        loop: Loop,
        handler: Handler,
        argv: Sequence[str],
        *,
        cwd: str,
        env: Mapping[str, str],
        timeout: float,
        protocol: int,
        tap: Callable[[bool, bytes], None] | None,
    ) -> None:
        super().__init__(
            loop, argv, cwd=cwd, env=env, capabilities=handler.capabilities, timeout=timeout, protocol=protocol, tap=tap
        )
        self.info = schema.InitializeResponse()
        """The agent's answer to `initialize`."""
        self._handler = handler
        self._retry: Callable[[], None] | None = None
        self._retried = False

    @abstractmethod
    def _forget_session(self, session_id: str) -> None:
        """The session is closed or deleted."""

    @property
    def _client(self) -> Client:
        """This object under the name that handlers know."""
        return cast("Client", self)

    # -- what the agent can do -----------------------------------------------------------------------------

    @property
    def capabilities(self) -> schema.AgentCapabilities:
        """What the agent announced."""
        return self.info.agent_capabilities

    @property
    def auth_methods(self) -> list[schema.AuthMethod]:
        """The ways to log in that the agent offers."""
        return self.info.auth_methods

    @property
    def steers(self) -> bool:
        """Whether the agent takes words into a running turn (PROTOCOL §18)."""
        return extensions.steers(self.info)

    @property
    def queues_prompts(self) -> bool:
        """Whether the agent takes a second prompt while a turn runs (PROTOCOL §18)."""
        return extensions.queues_prompts(self.info)

    # -- login ---------------------------------------------------------------------------------------------

    def can_use(self, method: schema.AuthMethod) -> bool:
        """Whether a way to log in is one that we can offer."""
        terminal = self._handler.capabilities.auth.terminal
        return method.type == "agent" or (method.type == "terminal" and terminal)

    def login_command(self, method: schema.AuthMethod) -> tuple[list[str], dict[str, str]]:
        """Return what to run, in a real terminal, for a method of type "terminal" (PROTOCOL §6)."""
        return [*self._argv, *method.args], {**self._env, **method.env}

    def authenticate(self, method_id: str, done: Done | None = None) -> None:
        """Log in by a method the agent runs itself; then the session that was refused opens by itself, once."""

        def finished(result: Any) -> None:
            if not isinstance(result, RpcError):
                self.retry_open()
            elif done is None:
                self._handler.failed(self._client, f"the login failed: {result}")
            if done is not None:
                done(result)

        self._call_ready("authenticate", schema.AuthenticateRequest(method_id), finished)

    def retry_open(self) -> None:
        """Try once more to open the session that was refused for want of a login."""
        if self._retry is not None and not self._retried:
            self._retried = True
            self._retry()

    def logout(self, done: Done) -> None:
        """Log out, where `capabilities.auth.logout` is there."""
        self._call_ready("logout", schema.Empty(), done)

    def auth_status(self, done: Done) -> None:
        """Ask who is logged in, where `capabilities.auth.status` is there."""
        self._call_ready("auth/status", schema.Empty(), done)

    # -- sessions ------------------------------------------------------------------------------------------

    def list_sessions(
        self, done: Done, *, cwd: str | None = None, cursor: str | None = None, archived: str | None = None
    ) -> None:
        """Ask for a page of the agent's sessions."""
        self._call_ready("session/list", schema.ListSessionsRequest(cwd, cursor, archived), done)

    def manage_session(self, method: str, session_id: str, done: Done | None = None) -> None:
        """Call `session/close`, `delete`, `archive`, `unarchive` or `status`. A missing session counts as gone."""

        def finished(result: Any) -> None:
            gone = isinstance(result, RpcError) and result.code == jsonrpc.NOT_FOUND
            if method in ("session/close", "session/delete") and (gone or not isinstance(result, RpcError)):
                self._forget_session(session_id)
                result = schema.Empty()
            if done is not None:
                done(result)

        self._call_ready(method, schema.SessionId(session_id), finished)

    def set_title(self, session: Session, title: str, done: Done | None = None) -> None:
        """Give a session a title; the title as stored is taken over."""
        params = schema.SetTitleRequest(session.session_id, title)
        self._change(session, "session/set_title", params, done)

    def set_mode(self, session: Session, mode_id: str, done: Done | None = None) -> None:
        """Change the mode of a session."""
        params = schema.SetModeRequest(session.session_id, mode_id)
        self._change(session, "session/set_mode", params, done)

    def set_model(self, session: Session, model_id: str, done: Done | None = None) -> None:
        """Change the model the old way, for agents that list `session.models` and have no option for it."""
        params = schema.SetModelRequest(session.session_id, model_id)
        self._change(session, "session/set_model", params, done)

    def set_config_option(self, session: Session, config_id: str, value: str | bool, done: Done | None = None) -> None:
        """Set an option of a session."""
        type_ = "boolean" if isinstance(value, bool) else None
        params = schema.SetConfigOptionRequest(session.session_id, config_id, value, type_)
        self._change(session, "session/set_config_option", params, done)

    def steer(self, session: Session, blocks: Sequence[Any], done: Done) -> None:
        """Speak into the running turn; only where `steers`."""
        params = schema.PromptRequest(session.session_id, list(blocks))
        self._call_ready("_session/steering", params, done)

    # -- calls ---------------------------------------------------------------------------------------------

    def _need_ready(self) -> None:
        if self.stage is Stage.READY:
            return
        why = self._reason or self.stage.value
        if self.exit is not None and self.stderr:
            why = f"{why}\n" + "\n".join(self.stderr)
        raise ClientError(f"The agent is not running: {why}")

    def _call_ready(self, method: str, params: Any, done: Done | None) -> None:
        """Send a request once the agent is ready. ClientError when it is not."""
        self._need_ready()

        def finished(result: Any) -> None:
            if done is not None:
                done(result)
            elif isinstance(result, RpcError):
                self._handler.log(self._client, "error", f"{method}: {result}")

        self._call(method, params, finished)

    def _change(self, session: Session, method: str, params: Any, done: Done | None) -> None:
        """Send a request that changes a session; its outcome goes into the snapshot, then to `done`."""

        def finished(result: Any) -> None:
            if not isinstance(result, RpcError):
                if isinstance(result, schema.SetConfigOptionResponse):
                    session.set_config_options(result.config_options)
                elif isinstance(result, schema.SetTitleResponse):
                    session.set_title(result.title)
                elif isinstance(params, schema.SetModeRequest):
                    session.set_mode(params.mode_id)
                elif isinstance(params, schema.SetModelRequest):
                    session.set_model(params.model_id)
                self._handler.session_changed(self._client, session, None)
            elif done is None:
                self._handler.log(self._client, "error", f"{method}: {result}")
            if done is not None:
                done(result)

        self._call_ready(method, params, finished)
