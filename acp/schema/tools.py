"""Tool calls, their content, and the permission request about one (PROTOCOL §11)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from tpy.acp.schema.base import Object, Soft, SoftListOrNone, Uint
from tpy.acp.schema.content import (
    AudioContent,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    UnknownContent,
)

ToolKind: TypeAlias = Literal[
    "read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"
]
ToolCallStatus: TypeAlias = Literal["pending", "in_progress", "completed", "failed"]


class Content(Object, frozen=True, tag="content", gc=False):
    """A content block as tool output."""

    content: ContentBlock


class Diff(Object, frozen=True, tag="diff", gc=False):
    """A change to a file; `old_text` None means a new file. Either side may be whole or only a snippet."""

    path: str
    new_text: str
    old_text: Soft[str | None] = None


class Terminal(Object, frozen=True, tag="terminal", gc=False):
    """The output of a terminal, shown live and kept after its release."""

    terminal_id: str


ToolCallContent: TypeAlias = (
    Content
    | Diff
    | Terminal
    | TextContent
    | ImageContent
    | AudioContent
    | ResourceLink
    | EmbeddedResource
    | UnknownContent
)
"""What the schema allows, and the bare content blocks that some agents send instead."""


class ToolCallLocation(Object, frozen=True, gc=False):
    """A file the call works on; `line` counts from 1."""

    path: str
    line: Soft[Uint | None] = None


class ToolCallFields(Object, frozen=True, gc=False):
    """The fields that `tool_call`, `tool_call_update` and a permission request share; None is "not given"."""

    tool_call_id: str
    title: Soft[str | None] = None
    name: Soft[str | None] = None
    kind: Soft[ToolKind | None] = None
    status: Soft[ToolCallStatus | None] = None
    content: SoftListOrNone[ToolCallContent] = None
    locations: SoftListOrNone[ToolCallLocation] = None
    raw_input: Soft[Any] = None
    raw_output: Soft[Any] = None


class PermissionOption(Object, frozen=True, gc=False):
    """One answer the agent offers. `kind` may be one nobody knows: shown, never chosen by itself."""

    option_id: str
    name: str
    kind: str


class RequestPermissionRequest(Object, frozen=True, gc=False):
    """The agent asks before it acts."""

    session_id: str
    tool_call: ToolCallFields
    options: list[PermissionOption]


class PermissionOutcome(Object, frozen=True, gc=False):
    """`outcome` is "selected" (with `option_id`) or "cancelled"."""

    outcome: str
    option_id: str | None = None


class RequestPermissionResponse(Object, frozen=True, gc=False):
    """The user's answer."""

    outcome: PermissionOutcome
