# ruff: noqa: RUF012  (msgspec copies the empty defaults)
"""Sessions: opening, listing and changing them, their modes and options, and prompting (PROTOCOL §7, §16)."""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, UnsetType

from tpy.acp.schema.base import NullList, Object, Soft, SoftList, SoftListOrNone, Uint
from tpy.acp.schema.content import ContentBlock, TextContent

# -- MCP servers -------------------------------------------------------------------------------------------


class NameValue(Object, frozen=True, gc=False):
    """A header or an environment variable."""

    name: str
    value: str


class McpServer(Object, frozen=True, gc=False):
    """An MCP server for the agent. Make one with `stdio`, `http` or `over_acp`; stdio carries no `type`."""

    name: str
    type: str | UnsetType = UNSET
    command: str | UnsetType = UNSET
    args: NullList[str] | UnsetType = UNSET
    env: NullList[NameValue] | UnsetType = UNSET
    url: str | UnsetType = UNSET
    headers: NullList[NameValue] | UnsetType = UNSET
    server_id: str | UnsetType = UNSET

    @classmethod
    def stdio(cls, name: str, command: str, args: list[str], env: dict[str, str]) -> McpServer:
        """A program; `command` is an absolute path."""
        return cls(name, command=command, args=args, env=_pairs(env))

    @classmethod
    def http(cls, name: str, url: str, headers: dict[str, str], type_: str = "http") -> McpServer:
        """A server at a URL; `type_` is "http" or "sse"."""
        return cls(name, type=type_, url=url, headers=_pairs(headers))

    def __post_init__(self) -> None:
        need = {"http": self.url, "sse": self.url, "acp": self.server_id}
        if need.get(self.type if isinstance(self.type, str) else "", self.command) is UNSET:
            raise ValueError("an MCP server needs a command, a url or a serverId")


def _pairs(values: dict[str, str]) -> list[NameValue]:
    return [NameValue(name, value) for name, value in values.items()]


# -- modes and config options ------------------------------------------------------------------------------


class SessionMode(Object, frozen=True, gc=False):
    """A mode the session can be in."""

    id: str
    name: str
    description: Soft[str | None] = None


class SessionModeState(Object, frozen=True, gc=False):
    """The modes of a session and the current one."""

    current_mode_id: str
    available_modes: SoftList[SessionMode]


class ConfigChoice(Object, frozen=True, gc=False):
    """A value of a select option, or (with `group`) a group of values in `options`."""

    name: str
    value: str | None = None
    description: Soft[str | None] = None
    group: str | None = None
    options: SoftList[ConfigChoice] = []

    def __post_init__(self) -> None:
        if self.value is None and self.group is None:
            raise ValueError("a choice needs a value")


class ConfigSelect(Object, frozen=True, tag="select", gc=False):
    """An option with one of several values."""

    id: str
    name: str
    current_value: str
    options: list[ConfigChoice]
    description: Soft[str | None] = None
    category: Soft[str | None] = None

    def choices(self) -> list[ConfigChoice]:
        """Return the values without their groups, in order."""
        flat: list[ConfigChoice] = []
        for choice in self.options:
            flat.extend(choice.options if choice.group is not None else [choice])
        return flat


class ConfigBoolean(Object, frozen=True, tag="boolean", gc=False):
    """An option that is on or off."""

    id: str
    name: str
    current_value: bool
    description: Soft[str | None] = None
    category: Soft[str | None] = None


ConfigOption: TypeAlias = ConfigSelect | ConfigBoolean


class LegacyModel(Object, frozen=True, gc=False):
    """A model, as very old agents list them."""

    model_id: str
    name: Soft[str] = ""
    description: Soft[str | None] = None


class LegacyModels(Object, frozen=True, gc=False):
    """The models of very old agents (`session/set_model`, removed upstream in 2026-06)."""

    current_model_id: str
    available_models: SoftList[LegacyModel]


# -- opening -----------------------------------------------------------------------------------------------


class SystemPrompt(Object, frozen=True, gc=False):
    """A system prompt; `mode` is append or override."""

    mode: str
    content: list[ContentBlock]


class NewSessionRequest(Object, frozen=True, gc=False):
    """Open a session in `cwd` (absolute)."""

    cwd: str
    mcp_servers: NullList[McpServer]
    additional_directories: NullList[str] = []
    system_prompt: SystemPrompt | None = None


class LoadSessionRequest(Object, frozen=True, gc=False):
    """Open an earlier session; the agent replays it first."""

    session_id: str
    cwd: str
    mcp_servers: NullList[McpServer]
    additional_directories: NullList[str] = []
    system_prompt: SystemPrompt | None = None


class ResumeSessionRequest(Object, frozen=True, gc=False):
    """Open an earlier session without a replay. Also the params of `session/fork`."""

    session_id: str
    cwd: str
    mcp_servers: NullList[McpServer] = []
    additional_directories: NullList[str] = []
    system_prompt: SystemPrompt | None = None


class CommandInput(Object, frozen=True, gc=False):
    """What a command wants after its name."""

    hint: str


class AvailableCommand(Object, frozen=True, gc=False):
    """A slash command."""

    name: str
    description: str
    input: Soft[CommandInput | None] = None


class SessionOpened(Object, frozen=True, gc=False):
    """The result of new, load, resume and fork as a client reads it; load and resume carry no id."""

    session_id: str = ""
    modes: Soft[SessionModeState | None] = None
    config_options: SoftListOrNone[ConfigOption] = None
    models: Soft[LegacyModels | None] = None
    available_commands: SoftListOrNone[AvailableCommand] = None
    """Only in the draft of version 2."""


class NewSessionResponse(Object, frozen=True, gc=False):
    """The result of new and fork as an agent sends it."""

    session_id: str
    modes: Soft[SessionModeState | None] = None
    config_options: SoftListOrNone[ConfigOption] = None


class LoadSessionResponse(Object, frozen=True, gc=False):
    """The result of load and resume as an agent sends it."""

    modes: Soft[SessionModeState | None] = None
    config_options: SoftListOrNone[ConfigOption] = None


# -- the rest of a session's life --------------------------------------------------------------------------


class SessionId(Object, frozen=True, gc=False):
    """Params that name a session: cancel, close, delete, archive, unarchive, status."""

    session_id: str


class ListSessionsRequest(Object, frozen=True, gc=False):
    """Ask for a page of the agent's sessions; `archived` is exclude, include or only."""

    cwd: str | None = None
    cursor: str | None = None
    archived: str | None = None


class SessionInfo(Object, frozen=True, gc=False):
    """One of the agent's sessions; `updated_at` is ISO 8601."""

    session_id: str
    cwd: str
    additional_directories: SoftList[str] = []
    title: Soft[str | None] = None
    updated_at: Soft[str | None] = None
    archived: Soft[bool | None] = None


class ListSessionsResponse(Object, frozen=True, gc=False):
    """A page of sessions; `next_cursor` asks for the next one."""

    sessions: SoftList[SessionInfo]
    next_cursor: Soft[str | None] = None


class SessionStatusResponse(Object, frozen=True, gc=False):
    """`status` is open or saved."""

    status: str


class SetTitleRequest(Object, frozen=True, gc=False):
    """Give a session a title."""

    session_id: str
    title: str


class SetTitleResponse(Object, frozen=True, gc=False):
    """The title as it was stored."""

    title: str


class SetModeRequest(Object, frozen=True, gc=False):
    """Change the mode of a session."""

    session_id: str
    mode_id: str


class SetModelRequest(Object, frozen=True, gc=False):
    """Change the model the old way."""

    session_id: str
    model_id: str


class SetConfigOptionRequest(Object, frozen=True, gc=False):
    """Set an option; `type` is "boolean" for booleans and absent for selects."""

    session_id: str
    config_id: str
    value: bool | str
    type: str | None = None


class SetConfigOptionResponse(Object, frozen=True, gc=False):
    """All options as they are now."""

    config_options: SoftList[ConfigOption]


# -- prompting ---------------------------------------------------------------------------------------------


class PromptRequest(Object, frozen=True, gc=False):
    """The user's turn."""

    session_id: str
    prompt: list[ContentBlock]


class Usage(Object, frozen=True, gc=False):
    """Tokens that one turn took."""

    total_tokens: Uint
    input_tokens: Uint
    output_tokens: Uint
    thought_tokens: Soft[Uint | None] = None
    cached_read_tokens: Soft[Uint | None] = None
    cached_write_tokens: Soft[Uint | None] = None


class PromptResponse(Object, frozen=True, gc=False):
    """The end of a turn. `stop_reason` may be one nobody knew: the turn has ended all the same."""

    stop_reason: str
    usage: Soft[Usage | None] = None


class SteeringResponse(Object, frozen=True, gc=False):
    """`outcome` of `_session/steering`: injected, startedNewTurn or failed."""

    outcome: Soft[str] = ""


def text_prompt(session_id: str, text: str) -> PromptRequest:
    """Return a prompt of one text block."""
    return PromptRequest(session_id, [TextContent(text)])


JsonObject: TypeAlias = dict[str, Any]
