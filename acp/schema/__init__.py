"""The messages of ACP version 1 as frozen structs, and the table of methods (PROTOCOL §4.1, §19).

    from tpy.acp import schema
    schema.decode(raw, schema.SessionNotification)     # tolerant, as the upstream schema says
    schema.encode(schema.TextContent("hello"))         # strict: what we send is always valid

Field names are the wire's in snake_case (`session_id` is `sessionId`); `meta` is `_meta`. Who may send what
when is not here: see `connection` (client) and `serve` (agent).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from tpy.acp.schema.base import *  # noqa: F403
from tpy.acp.schema.base import Empty
from tpy.acp.schema.calls import *  # noqa: F403
from tpy.acp.schema.calls import (
    CompleteElicitationNotification,
    CreateElicitationRequest,
    CreateElicitationResponse,
    CreateTerminalRequest,
    CreateTerminalResponse,
    ReadTextFileRequest,
    ReadTextFileResponse,
    TerminalExitStatus,
    TerminalId,
    TerminalOutputResponse,
    WriteTextFileRequest,
)
from tpy.acp.schema.content import *  # noqa: F403
from tpy.acp.schema.draft import *  # noqa: F403
from tpy.acp.schema.sessions import *  # noqa: F403
from tpy.acp.schema.sessions import (
    ListSessionsRequest,
    ListSessionsResponse,
    LoadSessionRequest,
    LoadSessionResponse,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    ResumeSessionRequest,
    SessionId,
    SessionStatusResponse,
    SetConfigOptionRequest,
    SetConfigOptionResponse,
    SetModelRequest,
    SetModeRequest,
    SetTitleRequest,
    SetTitleResponse,
    SteeringResponse,
)
from tpy.acp.schema.setup import *  # noqa: F403
from tpy.acp.schema.setup import (
    AuthenticateRequest,
    AuthStatusResponse,
    CancelRequestNotification,
    ClientCapabilities,
    InitializeRequest,
    InitializeResponse,
)
from tpy.acp.schema.tools import *  # noqa: F403
from tpy.acp.schema.tools import RequestPermissionRequest, RequestPermissionResponse
from tpy.acp.schema.updates import *  # noqa: F403
from tpy.acp.schema.updates import SessionNotification


class Method(NamedTuple):
    """A method: the types of its params and of its result; `result` None means notification."""

    params: Any
    result: Any


AGENT_METHODS: dict[str, Method] = {
    "initialize": Method(InitializeRequest, InitializeResponse),
    "authenticate": Method(AuthenticateRequest, Empty),
    "logout": Method(Empty, Empty),
    "auth/status": Method(Empty, AuthStatusResponse),
    "session/new": Method(NewSessionRequest, NewSessionResponse),
    "session/load": Method(LoadSessionRequest, LoadSessionResponse),
    "session/resume": Method(ResumeSessionRequest, LoadSessionResponse),
    "session/fork": Method(ResumeSessionRequest, NewSessionResponse),
    "session/list": Method(ListSessionsRequest, ListSessionsResponse),
    "session/close": Method(SessionId, Empty),
    "session/delete": Method(SessionId, Empty),
    "session/archive": Method(SessionId, Empty),
    "session/unarchive": Method(SessionId, Empty),
    "session/status": Method(SessionId, SessionStatusResponse),
    "session/set_title": Method(SetTitleRequest, SetTitleResponse),
    "session/set_mode": Method(SetModeRequest, Empty),
    "session/set_model": Method(SetModelRequest, Empty),
    "session/set_config_option": Method(SetConfigOptionRequest, SetConfigOptionResponse),
    "session/prompt": Method(PromptRequest, PromptResponse),
    "_session/steering": Method(PromptRequest, SteeringResponse),
    "session/cancel": Method(SessionId, None),
    "$/cancel_request": Method(CancelRequestNotification, None),
}
"""What a client may say to an agent."""

CLIENT_METHODS: dict[str, Method] = {
    "session/update": Method(SessionNotification, None),
    "session/request_permission": Method(RequestPermissionRequest, RequestPermissionResponse),
    "fs/read_text_file": Method(ReadTextFileRequest, ReadTextFileResponse),
    "fs/write_text_file": Method(WriteTextFileRequest, Empty),
    "terminal/create": Method(CreateTerminalRequest, CreateTerminalResponse),
    "terminal/output": Method(TerminalId, TerminalOutputResponse),
    "terminal/wait_for_exit": Method(TerminalId, TerminalExitStatus),
    "terminal/kill": Method(TerminalId, Empty),
    "terminal/release": Method(TerminalId, Empty),
    "elicitation/create": Method(CreateElicitationRequest, CreateElicitationResponse),
    "elicitation/complete": Method(CompleteElicitationNotification, None),
    "auth/status_update": Method(AuthStatusResponse, None),
    "$/cancel_request": Method(CancelRequestNotification, None),
}
"""What an agent may say to a client."""


def served_methods(capabilities: ClientCapabilities) -> set[str]:
    """Return the requests of `CLIENT_METHODS` that a client with these capabilities serves."""
    served = {"session/request_permission"}
    if capabilities.fs.read_text_file:
        served.add("fs/read_text_file")
    if capabilities.fs.write_text_file:
        served.add("fs/write_text_file")
    if capabilities.terminal:
        served |= {name for name in CLIENT_METHODS if name.startswith("terminal/")}
    if capabilities.elicitation is not None:
        served.add("elicitation/create")
    return served
