"""Updates that only the draft of protocol version 2 has, in the shape the session folds (PROTOCOL §20).

They never are on the wire like this: `draft2` makes them of what a version 2 agent sends.
"""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from tpy.acp.schema.calls import TerminalExitStatus
from tpy.acp.schema.tools import ToolCallContent
from tpy.acp.schema.updates import ToolCallUpdate


class MessagePatch(Struct, frozen=True, gc=False):
    """A whole message by id: `kind` user, agent or thought; `content` replaces, None clears, UNSET keeps."""

    kind: str
    message_id: str
    content: list[Any] | UnsetType | None = UNSET


class ToolPatch(Struct, frozen=True, gc=False):
    """A tool call has changed, and with it whether it can be cancelled alone."""

    fields: ToolCallUpdate
    can_cancel: bool


class ToolContentAdded(Struct, frozen=True, gc=False):
    """One more item of a tool call's content."""

    tool_call_id: str
    content: ToolCallContent


class TerminalPatch(Struct, frozen=True, gc=False):
    """A terminal of the agent's own: `output` replaces, `added` appends, `can_cancel` tells of control; None keeps."""

    terminal_id: str
    command: str | None = None
    output: str | None = None
    added: str = ""
    exit_status: TerminalExitStatus | None = None
    can_cancel: bool | None = None


class StateChanged(Struct, frozen=True):
    """The agent's state: `state` running, idle, requires_action or another word; the turn is told by it."""

    state: str
    stop_reason: str = ""
    error: Any = None
    usage: Any = None
