# ruff: noqa: RUF012  (msgspec copies the empty defaults)
"""What an agent asks of the client: files, terminals, forms (PROTOCOL §13–§15)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta

from tpy.acp.schema.base import NullList, Object, RequestId, Soft, SoftListOrNone, Uint, UnknownObject
from tpy.acp.schema.sessions import NameValue

# -- files -------------------------------------------------------------------------------------------------


class ReadTextFileRequest(Object, frozen=True, gc=False):
    """Read a file as the user sees it; `line` counts from 1, `limit` is a number of lines."""

    session_id: str
    path: str
    line: Uint | None = None
    limit: Uint | None = None


class ReadTextFileResponse(Object, frozen=True, gc=False):
    """The text."""

    content: str


class WriteTextFileRequest(Object, frozen=True, gc=False):
    """Replace a file, or create it."""

    session_id: str
    path: str
    content: str


# -- terminals ---------------------------------------------------------------------------------------------


class CreateTerminalRequest(Object, frozen=True, gc=False):
    """Start a command; `output_byte_limit` bounds what is kept of its output."""

    session_id: str
    command: str
    args: NullList[str] = []
    env: NullList[NameValue] = []
    cwd: str | None = None
    output_byte_limit: Uint | None = None


class CreateTerminalResponse(Object, frozen=True, gc=False):
    """The id of the new terminal."""

    terminal_id: str


class TerminalId(Object, frozen=True, gc=False):
    """Params that name a terminal: output, wait_for_exit, kill, release."""

    session_id: str
    terminal_id: str


class ToolCallId(Object, frozen=True, gc=False):
    """Params that name a tool call: `tool_call/cancel` of version 2."""

    session_id: str
    tool_call_id: str


class TerminalExitStatus(Object, frozen=True, gc=False):
    """How a command ended: an exit code, or the name of a signal. Also the result of `wait_for_exit`."""

    exit_code: Soft[Uint | None] = None
    signal: Soft[str | None] = None


class TerminalOutputResponse(Object, frozen=True, gc=False):
    """The output so far; `truncated` when its beginning was dropped."""

    output: str
    truncated: bool
    exit_status: Soft[TerminalExitStatus | None] = None


# -- forms -------------------------------------------------------------------------------------------------


class EnumOption(Object, frozen=True, gc=False):
    """A choice with a title."""

    const: str
    title: str
    description: Soft[str | None] = None


class Property(Object, frozen=True, gc=False):
    """Base of the fields of a form."""

    title: Soft[str | None] = None
    description: Soft[str | None] = None


class StringProperty(Property, frozen=True, tag="string", gc=False):
    """Text, or one choice of `enum` or `one_of`."""

    min_length: Uint | None = None
    max_length: Uint | None = None
    pattern: str | None = None
    format: str | None = None
    default: Soft[str | None] = None
    enum: list[str] | None = None
    one_of: list[EnumOption] | None = None


class NumberProperty(Property, frozen=True, tag="number", gc=False):
    """A number."""

    minimum: float | None = None
    maximum: float | None = None
    default: Soft[float | None] = None


class IntegerProperty(Property, frozen=True, tag="integer", gc=False):
    """A whole number."""

    minimum: int | None = None
    maximum: int | None = None
    default: Soft[int | None] = None


class BooleanProperty(Property, frozen=True, tag="boolean", gc=False):
    """Yes or no."""

    default: Soft[bool | None] = None


class ArrayItems(Object, frozen=True, gc=False):
    """The choices of a multiple choice: `enum` or `any_of`."""

    type: str | None = None
    enum: list[str] | None = None
    any_of: list[EnumOption] | None = None


class ArrayProperty(Property, frozen=True, kw_only=True, tag="array", gc=False):
    """Several choices."""

    items: ArrayItems
    min_items: Uint | None = None
    max_items: Uint | None = None
    default: SoftListOrNone[str] = None


class UnknownProperty(UnknownObject, frozen=True, tag="?", gc=False):
    """A field of a type nobody knew: if the form requires it, the user can only decline."""


PropertySchema: TypeAlias = (
    StringProperty | NumberProperty | IntegerProperty | BooleanProperty | ArrayProperty | UnknownProperty
)


class ElicitationSchema(Object, frozen=True, gc=False):
    """A flat form."""

    type: Soft[Literal["object"]] = "object"
    title: Soft[str | None] = None
    description: Soft[str | None] = None
    properties: dict[str, PropertySchema] = {}
    required: list[str] | None = None


class CreateElicitationRequest(Object, frozen=True, gc=False):
    """Ask the user. `mode` "form" has `requested_schema`, "url" has `elicitation_id` and `url`.

    The scope is `session_id` (perhaps with `tool_call_id`), or `request_id`, one of the client's open calls.
    """

    message: str
    mode: str
    requested_schema: ElicitationSchema | None = None
    elicitation_id: str | None = None
    url: str | None = None
    session_id: str | None = None
    tool_call_id: Soft[str | None] = None
    request_id: RequestId = None


ElicitationValue: TypeAlias = str | int | float | bool | list[str]


class CreateElicitationResponse(Object, frozen=True, gc=False):
    """`action` is accept (with `content` for a form), decline or cancel."""

    action: str
    content: Annotated[dict[str, Any] | None, Meta()] = None


class CompleteElicitationNotification(Object, frozen=True, gc=False):
    """What a URL was opened for is done."""

    elicitation_id: str
