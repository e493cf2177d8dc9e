"""The agent's requests as a `client.Handler` gets them: objects with the ways to answer.

Each is answered exactly once; a second answer, or one that comes after the agent took its request back, does
nothing and returns False. `is_open` tells. Answers may come at any time, at once or hours later.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from typing import Any

from tpy.acp import jsonrpc, schema
from tpy.acp.connection import DIALOGS
from tpy.acp.entries import ToolUse
from tpy.acp.events import Incoming
from tpy.acp.jsonrpc import RpcError
from tpy.acp.session import Session


class Ask:
    """Base: a request of the agent, about `session` (None for a form about one of our own calls)."""

    def __init__(self, request: Incoming, session: Session | None, send: Callable[[Incoming, Any], bool]) -> None:
        self.request = request
        self._session = session
        self._send = send

    @property
    def is_open(self) -> bool:
        """Whether it still wants an answer."""
        return self.request.is_open

    def fail(self, code: int, message: str, data: Any = None) -> bool:
        """Answer with an error."""
        return self._send(self.request, RpcError(code, message, data))


class SessionAsk(Ask):
    """A request about a session."""

    @property
    def session(self) -> Session:
        """The session it belongs to."""
        assert self._session is not None
        return self._session


class PermissionAsk(SessionAsk):
    """The agent asks before it acts (PROTOCOL §11). `tool` is the call, with all that is known about it."""

    def __init__(
        self, request: Incoming, session: Session, send: Callable[[Incoming, Any], bool], tool: ToolUse
    ) -> None:
        super().__init__(request, session, send)
        self.tool = tool
        self.options: list[schema.PermissionOption] = request.params.options

    def option(self, *kinds: str) -> schema.PermissionOption | None:
        """Return the first option of the first of these kinds that is offered."""
        for kind in kinds:
            for option in self.options:
                if option.kind == kind:
                    return option
        return None

    def choose(self, option: schema.PermissionOption) -> bool:
        """Answer with an option the agent offered."""
        self.session.refused = self.session.refused or option.kind.startswith("reject")
        outcome = schema.PermissionOutcome("selected", option.option_id)
        return self._send(self.request, schema.RequestPermissionResponse(outcome))

    def deny(self) -> bool:
        """Answer no: the first `reject_once`, else `reject_always`, else cancelled. Also for dismissing."""
        option = self.option("reject_once", "reject_always")
        return self.cancel() if option is None else self.choose(option)

    def cancel(self) -> bool:
        """Answer that the turn was cancelled; agents may end the turn on it."""
        return self._send(self.request, DIALOGS[self.request.method])


class ElicitationAsk(Ask):
    """The agent asks for input (PROTOCOL §15); `form` has the message, and a form or a URL."""

    @property
    def session(self) -> Session | None:
        """The session it belongs to, None when it is about a call such as `authenticate`."""
        return self._session

    @property
    def form(self) -> schema.CreateElicitationRequest:
        """What was asked."""
        form: schema.CreateElicitationRequest = self.request.params
        return form

    def accept(self, content: dict[str, schema.ElicitationValue] | None = None) -> bool:
        """Answer with the values of a form; without any for a URL that the user agreed to open."""
        return self._send(self.request, schema.CreateElicitationResponse("accept", content))

    def decline(self) -> bool:
        """Answer that the user says no."""
        return self._send(self.request, schema.CreateElicitationResponse("decline"))

    def cancel(self) -> bool:
        """Answer that the user dismissed it."""
        return self._send(self.request, DIALOGS[self.request.method])


class FileRead(SessionAsk):
    """`fs/read_text_file`: `line` counts from 1 (None or 0: the beginning), `limit` lines (None: all)."""

    def __init__(self, request: Incoming, session: Session, send: Callable[[Incoming, Any], bool], empty: bool) -> None:
        super().__init__(request, session, send)
        params: schema.ReadTextFileRequest = request.params
        self.path = params.path
        self.line = params.line
        self.limit = params.limit
        self._missing_is_empty = empty

    def answer(self, content: str) -> bool:
        """Answer with the text."""
        return self._send(self.request, schema.ReadTextFileResponse(content))

    def missing(self) -> bool:
        """Answer that there is no such file, in the words that agents look for (PROTOCOL §13)."""
        if self._missing_is_empty:
            return self.answer("")
        from urllib.parse import quote

        uri = "file://" + quote(posixpath.join(self.session.cwd, self.path))
        return self.fail(jsonrpc.NOT_FOUND, f"Resource not found: {self.path}", {"uri": uri})


class FileWrite(SessionAsk):
    """`fs/write_text_file`: replace or create `path`."""

    def __init__(self, request: Incoming, session: Session, send: Callable[[Incoming, Any], bool]) -> None:
        super().__init__(request, session, send)
        params: schema.WriteTextFileRequest = request.params
        self.path = params.path
        self.content = params.content

    def answer(self) -> bool:
        """Answer that it is done; only after it is."""
        return self._send(self.request, schema.Empty())
