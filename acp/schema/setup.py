# ruff: noqa: RUF012  (msgspec copies the empty defaults)
"""The start of a connection: versions, capabilities, authentication (PROTOCOL §5, §6)."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import field

from tpy.acp.schema.base import Marker, NullList, NullMap, Object, RequestId, Soft, SoftList

PROTOCOL_VERSION = 1


class Implementation(Object, frozen=True, gc=False):
    """The name and version of a program; `title` (else `name`) is for display."""

    name: str
    version: str
    title: Soft[str | None] = None


# -- what a client can do ----------------------------------------------------------------------------------


class FileSystemCapabilities(Object, frozen=True, gc=False):
    """Whether the client serves `fs/read_text_file` and `fs/write_text_file`."""

    read_text_file: Soft[bool] = False
    write_text_file: Soft[bool] = False


class SessionConfigOptionsCapabilities(Object, frozen=True, gc=False):
    """Whether the client can show boolean options."""

    boolean: Soft[Marker | None] = None


class ClientSessionCapabilities(Object, frozen=True, gc=False):
    """What the client can show of a session."""

    config_options: Soft[SessionConfigOptionsCapabilities | None] = None
    notices: Soft[Marker | None] = None
    compaction: Soft[Marker | None] = None


class ElicitationCapabilities(Object, frozen=True, gc=False):
    """Which modes of elicitation the client offers; the empty object offers none."""

    form: Soft[Marker | None] = None
    url: Soft[Marker | None] = None


class AuthCapabilities(Object, frozen=True, gc=False):
    """Whether the client can run a login command in a real terminal."""

    terminal: Soft[bool] = False


class ClientCapabilities(Object, frozen=True, gc=False):
    """All that the client promises."""

    fs: Soft[FileSystemCapabilities] = field(default_factory=FileSystemCapabilities)
    terminal: Soft[bool] = False
    session: Soft[ClientSessionCapabilities | None] = None
    elicitation: Soft[ElicitationCapabilities | None] = None
    auth: Soft[AuthCapabilities] = field(default_factory=AuthCapabilities)
    subagents: Soft[Marker | None] = None
    plan: Soft[Marker | None] = None


# -- what an agent can do ----------------------------------------------------------------------------------


class PromptCapabilities(Object, frozen=True, gc=False):
    """Which content blocks a prompt may hold besides text and links."""

    image: Soft[bool] = False
    audio: Soft[bool] = False
    embedded_context: Soft[bool] = False


class McpCapabilities(Object, frozen=True, gc=False):
    """Which MCP transports the agent has besides stdio."""

    http: Soft[bool] = False
    sse: Soft[bool] = False
    acp: Soft[bool] = False


class SystemPromptModes(Object, frozen=True, gc=False):
    """The ways to give a system prompt besides appending."""

    override: Soft[Marker | None] = None


class SystemPromptCapabilities(Object, frozen=True, gc=False):
    """Present: the agent takes a system prompt."""

    mode: Soft[SystemPromptModes | None] = None


class SessionCapabilities(Object, frozen=True, gc=False):
    """Which session methods the agent serves besides new and prompt."""

    list: Soft[Marker | None] = None
    resume: Soft[Marker | None] = None
    close: Soft[Marker | None] = None
    delete: Soft[Marker | None] = None
    fork: Soft[Marker | None] = None
    archive: Soft[Marker | None] = None
    status: Soft[Marker | None] = None
    title: Soft[Marker | None] = None
    additional_directories: Soft[Marker | None] = None
    system_prompt: Soft[SystemPromptCapabilities | None] = None


class AgentAuthCapabilities(Object, frozen=True, gc=False):
    """Which authentication methods the agent serves besides `authenticate`."""

    logout: Soft[Marker | None] = None
    status: Soft[Marker | None] = None


class AgentCapabilities(Object, frozen=True, gc=False):
    """All that the agent promises."""

    load_session: Soft[bool] = False
    prompt_capabilities: Soft[PromptCapabilities] = field(default_factory=PromptCapabilities)
    mcp_capabilities: Soft[McpCapabilities] = field(default_factory=McpCapabilities)
    session_capabilities: Soft[SessionCapabilities] = field(default_factory=SessionCapabilities)
    auth: Soft[AgentAuthCapabilities] = field(default_factory=AgentAuthCapabilities)
    providers: Soft[Marker | None] = None


class AuthMethod(Object, frozen=True, gc=False):
    """A way to log in. `type` is "agent" (also when absent), "terminal", or one we cannot use.

    `args` and `env` belong to "terminal": they extend the configured agent command.
    """

    id: str
    name: str
    description: Soft[str | None] = None
    type: Soft[str] = "agent"
    args: NullList[str] = []
    env: NullMap[str] = {}


# -- messages ----------------------------------------------------------------------------------------------


class InitializeRequest(Object, frozen=True, gc=False):
    """The first message. `protocol_version` is whatever was sent; the receiver checks it."""

    protocol_version: Any
    client_capabilities: Soft[ClientCapabilities] = field(default_factory=ClientCapabilities)
    client_info: Soft[Implementation | None] = None


class InitializeResponse(Object, frozen=True, gc=False):
    """The agent's introduction. `protocol_version` is whatever was sent, None when missing; check it."""

    protocol_version: Any = None
    agent_capabilities: Soft[AgentCapabilities] = field(default_factory=AgentCapabilities)
    auth_methods: SoftList[AuthMethod] = []
    agent_info: Soft[Implementation | None] = None


class AuthenticateRequest(Object, frozen=True, gc=False):
    """Log in by a method the agent runs itself."""

    method_id: str


class AuthAccount(Object, frozen=True, gc=False):
    """An account the agent knows."""

    label: str
    active: Soft[bool | None] = None
    name: Soft[str | None] = None
    email: Soft[str | None] = None
    organization: Soft[str | None] = None


class AuthStatusResponse(Object, frozen=True, gc=False):
    """`state` is authenticated, unauthenticated, not_required or unknown. Also the params of the update."""

    state: str
    accounts: SoftList[AuthAccount] = []


class CancelRequestNotification(Object, frozen=True, gc=False):
    """`$/cancel_request`: the sender does not need the answer to its request any more."""

    request_id: RequestId


AuthStatusUpdate: TypeAlias = AuthStatusResponse
