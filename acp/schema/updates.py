"""`session/update`: what an agent tells while it works (PROTOCOL §10, §19)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from tpy.acp.schema.base import Marker, Object, Soft, SoftList, SoftListOrNone, Uint, UnknownObject
from tpy.acp.schema.content import ContentBlock
from tpy.acp.schema.sessions import AvailableCommand, ConfigOption, Usage
from tpy.acp.schema.tools import ToolCallFields


class Update(Object, frozen=True, tag_field="sessionUpdate", gc=False):
    """Base of all updates; the wire's `sessionUpdate` is the class."""


class Chunk(Update, frozen=True, gc=False):
    """A piece of a message."""

    content: ContentBlock
    message_id: Soft[str | None] = None


class UserMessageChunk(Chunk, frozen=True, tag="user_message_chunk", gc=False):
    """What the user said: history, or the echo of a prompt."""


class AgentMessageChunk(Chunk, frozen=True, tag="agent_message_chunk", gc=False):
    """What the agent says."""


class AgentThoughtChunk(Chunk, frozen=True, tag="agent_thought_chunk", gc=False):
    """What the agent thinks."""


class ToolCall(ToolCallFields, frozen=True, tag_field="sessionUpdate", tag="tool_call", gc=False):
    """A tool call is announced."""


class ToolCallUpdate(ToolCallFields, frozen=True, tag_field="sessionUpdate", tag="tool_call_update", gc=False):
    """A tool call has changed: what is given replaces."""


class PlanEntry(Object, frozen=True, gc=False):
    """A step of a plan."""

    content: str
    priority: Literal["high", "medium", "low"]
    status: Literal["pending", "in_progress", "completed"]


class Plan(Update, frozen=True, tag="plan", gc=False):
    """The whole plan, as it is now."""

    entries: SoftList[PlanEntry]


class PlanItems(Object, frozen=True, tag="items", gc=False):
    """A plan by id, as a list."""

    plan_id: str
    entries: SoftList[PlanEntry]


class PlanFile(Object, frozen=True, tag="file", gc=False):
    """A plan by id, kept in a file."""

    plan_id: str
    uri: str


class PlanMarkdown(Object, frozen=True, tag="markdown", gc=False):
    """A plan by id, as Markdown."""

    plan_id: str
    content: str


class PlanUpdate(Update, frozen=True, tag="plan_update", gc=False):
    """A plan by id is created or replaced."""

    plan: PlanItems | PlanFile | PlanMarkdown


class PlanRemoved(Update, frozen=True, tag="plan_removed", gc=False):
    """A plan by id is gone."""

    plan_id: str


class AvailableCommandsUpdate(Update, frozen=True, tag="available_commands_update", gc=False):
    """All slash commands, as they are now."""

    available_commands: SoftList[AvailableCommand]


class CurrentModeUpdate(Update, frozen=True, tag="current_mode_update", gc=False):
    """The mode has changed. `mode_id` is the key of a wrong upstream example; read `mode`."""

    current_mode_id: str | None = None
    mode_id: str | None = None

    def __post_init__(self) -> None:
        if self.current_mode_id is None and self.mode_id is None:
            raise ValueError("currentModeId is missing")

    @property
    def mode(self) -> str:
        """The id of the mode."""
        return self.current_mode_id or self.mode_id or ""


class ConfigOptionUpdate(Update, frozen=True, tag="config_option_update", gc=False):
    """All config options, as they are now."""

    config_options: SoftList[ConfigOption]


class SessionInfoUpdate(Update, frozen=True, tag="session_info_update", gc=False):
    """A patch of the session's title and time: UNSET keeps, None clears."""

    title: Soft[str | UnsetType | None] = UNSET
    updated_at: Soft[str | UnsetType | None] = UNSET


class Cost(Object, frozen=True, gc=False):
    """Cumulative cost; `currency` is ISO 4217 or a unit such as "credits"."""

    amount: float
    currency: str


class UsageUpdate(Update, frozen=True, tag="usage_update", gc=False):
    """How full the context is, in tokens."""

    used: Uint
    size: Uint
    cost: Soft[Cost | None] = None


class Notice(Update, frozen=True, tag="notice", gc=False):
    """A message about the session; `severity` is info, warning, error or another word."""

    severity: str
    title: str
    description: Soft[str | None] = None


class CompactionUpdate(Update, frozen=True, tag="compaction_update", gc=False):
    """The context is being compacted: upsert by id; UNSET keeps, None clears."""

    compaction_id: str
    status: str
    summary: SoftListOrNone[ContentBlock] | UnsetType = UNSET
    error: Soft[str | UnsetType | None] = UNSET


class CompactionSummaryChunk(Update, frozen=True, tag="compaction_summary_chunk", gc=False):
    """A piece of a compaction's summary."""

    compaction_id: str
    content: ContentBlock


class ChildState(Object, frozen=True, gc=False):
    """`state` is running, idle (with `stop_reason`, `error`, `usage`), requires_action or another word."""

    state: str
    stop_reason: Soft[str | None] = None
    usage: Soft[Usage | None] = None
    error: Soft[dict[str, Any] | None] = None
    """A JSON-RPC error object."""


class ChildCapabilities(Object, frozen=True, gc=False):
    """What the client may do with a child session."""

    cancel: Soft[Marker | None] = None


class SubagentUpdate(Update, frozen=True, tag="subagent_update", gc=False):
    """A child session of this one: upsert by its id; UNSET keeps, None clears."""

    session_id: str
    title: Soft[str | UnsetType | None] = UNSET
    description: Soft[str | UnsetType | None] = UNSET
    capabilities: Soft[ChildCapabilities | UnsetType | None] = UNSET
    state: Soft[ChildState | UnsetType | None] = UNSET
    cwd: Soft[str | UnsetType | None] = UNSET
    additional_directories: SoftListOrNone[str] | UnsetType = UNSET


class SessionMessage(Update, frozen=True, tag="session_message", gc=False):
    """A message between sessions: upsert by id."""

    message_id: str
    sender_session_id: Soft[str | None] = None
    recipient_session_id: Soft[str | None] = None
    sender_message_id: Soft[str | None] = None
    recipient_message_id: Soft[str | None] = None
    content: SoftListOrNone[ContentBlock] = None


class SessionMessageChunk(Update, frozen=True, tag="session_message_chunk", gc=False):
    """A piece of a message between sessions."""

    message_id: str
    content: ContentBlock


class UnknownUpdate(UnknownObject, frozen=True, tag_field="sessionUpdate", tag="?", gc=False):
    """An update of a kind nobody knew, kept raw."""


SessionUpdate: TypeAlias = (
    UserMessageChunk
    | AgentMessageChunk
    | AgentThoughtChunk
    | ToolCall
    | ToolCallUpdate
    | Plan
    | PlanUpdate
    | PlanRemoved
    | AvailableCommandsUpdate
    | CurrentModeUpdate
    | ConfigOptionUpdate
    | SessionInfoUpdate
    | UsageUpdate
    | Notice
    | CompactionUpdate
    | CompactionSummaryChunk
    | SubagentUpdate
    | SessionMessage
    | SessionMessageChunk
    | UnknownUpdate
)


class SessionNotification(Object, frozen=True, gc=False):
    """The params of `session/update`."""

    session_id: str
    update: SessionUpdate


class UpdateLine(Struct, gc=False):
    """A whole `session/update` line, to be read at once. One with an id is a call, and is refused."""

    jsonrpc: Literal["2.0"]
    method: Literal["session/update"]
    params: SessionNotification
    id: Literal["\0none"] = "\0none"
