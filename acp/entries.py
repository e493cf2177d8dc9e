"""The entries of a conversation: what `session.Session.entries` holds, in the order of first sight.

An entry only grows or is patched; it is never moved or removed. Each carries the revision of its last change,
and text is kept in parts that are only ever appended to, so a display reads what is new and nothing twice:

    for entry in session.changed_since(seen):
        if isinstance(entry, Message):
            new = entry.parts[shown_parts[entry.index]:]
"""

from __future__ import annotations

from typing import Any, TypeAlias

from msgspec import UNSET, Struct

from tpy.acp import schema
from tpy.acp.jsonrpc import RpcError

TEXT_CAP = 1024 * 1024
"""How many bytes of text one entry keeps (`spec` of the agent window: 1 MiB)."""

Part: TypeAlias = (
    str
    | schema.ImageContent
    | schema.AudioContent
    | schema.ResourceLink
    | schema.EmbeddedResource
    | schema.UnknownContent
)
"""A piece of a message: text, or a block that is not text."""


class Entry:
    """Base of all entries.

    `index` is the position in the session, `revision` the session's revision at the last change, `turn` the
    number of the turn (0 before the first), `in_turn` False for what came when no turn was open.
    """

    __slots__ = ("in_turn", "index", "revision", "turn")

    def __init__(self) -> None:
        self.index = -1
        self.revision = 0
        self.turn = 0
        self.in_turn = True


class Growing(Entry):
    """An entry whose text grows up to `TEXT_CAP`; `dropped` counts the bytes that were not kept.

    `generation` counts how often everything was replaced; while it stays, `parts` is only appended to.
    """

    __slots__ = ("dropped", "generation", "parts", "size")

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[Part] = []
        self.size = 0
        self.dropped = 0
        self.generation = 0

    def replace(self, blocks: list[Any]) -> None:
        """Put other content in place of the old; what only goes on from it is appended."""
        texts = [block.text for block in blocks if isinstance(block, schema.TextContent)]
        if len(texts) == len(blocks) == 1 and texts[0].startswith(self.text) and not self.dropped:
            self.append(texts[0][len(self.text) :])
            return
        self.generation += 1
        self.parts, self.size, self.dropped = [], 0, 0
        for block in blocks:
            self.append(block.text if isinstance(block, schema.TextContent) else block)

    def append(self, part: Part) -> None:
        """Add text or a block at the end."""
        if isinstance(part, str):
            self.append_text(part)
        else:
            self.parts.append(part)

    def append_text(self, text: str) -> None:
        """Add text at the end, as much of it as there is room for."""
        size = len(text) if text.isascii() else len(text.encode())
        if self.size + size > TEXT_CAP:
            kept = cut(text, TEXT_CAP - self.size)
            kept_size = len(kept.encode())
            self.dropped += size - kept_size
            text, size = kept, kept_size
        if text:
            self.parts.append(text)
            self.size += size

    @property
    def text(self) -> str:
        """All text kept, without the blocks that are not text."""
        return "".join(part for part in self.parts if isinstance(part, str))


class Message(Growing):
    """What somebody said. `kind` is "user", "agent" or "thought"; `local` marks a prompt typed here.

    A local prompt keeps in `parts` the line as it was typed, and in `blocks` what was sent.
    """

    __slots__ = ("blocks", "kind", "local", "message_id", "parent")

    def __init__(self, kind: str, message_id: str | None = None) -> None:
        self.index = -1  # without the bases' __init__: there are many messages
        self.revision = self.turn = 0
        self.in_turn = True
        self.parts = []
        self.size = self.dropped = self.generation = 0
        self.kind = kind
        self.message_id = message_id
        self.local = False
        self.blocks: list[Any] = []
        self.parent: str | None = None


class ToolUse(Entry):
    """A tool call, merged from all that was told about it.

    `status` is the wire's; `shown_status` adds "cancelled" and "stale" (left open when its turn ended).
    `parent` is the tool call of a subagent that made this one, where the agent tells.
    """

    __slots__ = (
        "can_cancel", "content", "dropped", "kind", "locations", "mark", "name", "parent", "raw_input", "raw_output",
        "status", "title", "tool_call_id",
    )  # fmt: skip

    def __init__(self, tool_call_id: str) -> None:
        super().__init__()
        self.tool_call_id = tool_call_id
        self.title: str | None = None
        self.name: str | None = None
        self.kind: str = "other"
        self.status: str = "pending"
        self.mark: str | None = None
        self.content: list[schema.ToolCallContent] = []
        self.locations: list[schema.ToolCallLocation] = []
        self.raw_input: Any = None
        self.raw_output: Any = None
        self.parent: str | None = None
        self.dropped = 0
        self.can_cancel = False
        """Whether its agent takes `tool_call/cancel` for it (version 2)."""

    @property
    def heading(self) -> str:
        """The title, else the tool's name, its kind, its id."""
        return self.title or self.name or (self.kind if self.kind != "other" else "") or self.tool_call_id

    @property
    def shown_status(self) -> str:
        """The status for people."""
        return self.mark or self.status

    @property
    def finished(self) -> bool:
        """Whether the agent said that it is over."""
        return self.status in ("completed", "failed", "cancelled")

    def patch(self, fields: schema.ToolCallFields) -> None:
        """Apply an update: what is given replaces, what is None stays (PROTOCOL §11)."""
        if fields.title is not None:
            self.title = fields.title
        if fields.name is not None:
            self.name = fields.name
        if fields.kind is not None:
            self.kind = fields.kind
        if fields.status is not None:
            self.status = fields.status
            self.mark = None
        if fields.content is not None:
            self.content, self.dropped = cap_content(fields.content)
        if fields.locations is not None:
            self.locations = fields.locations
        if fields.raw_input is not None:
            self.raw_input = cap_raw(fields.raw_input)
        if fields.raw_output is not None:
            self.raw_output = cap_raw(fields.raw_output)

    def terminal_ids(self) -> list[str]:
        """The terminals whose output belongs to this call."""
        return [item.terminal_id for item in self.content if isinstance(item, schema.Terminal)]


class PlanState(Entry):
    """A plan: a list of steps, or Markdown `text`, or the `uri` of a file. `plan_id` None is the only plan."""

    __slots__ = ("plan_id", "removed", "steps", "text", "uri")

    def __init__(self, plan_id: str | None = None) -> None:
        super().__init__()
        self.plan_id = plan_id
        self.steps: list[schema.PlanEntry] = []
        self.text: str | None = None
        self.uri: str | None = None
        self.removed = False


class NoticeEntry(Entry):
    """A notice of the agent about the session."""

    __slots__ = ("description", "severity", "title")

    def __init__(self, severity: str, title: str, description: str | None) -> None:
        super().__init__()
        self.severity = severity
        self.title = title
        self.description = description


class Compaction(Growing):
    """A compaction of the context; its parts are the summary."""

    __slots__ = ("compaction_id", "error", "status")

    def __init__(self, compaction_id: str) -> None:
        super().__init__()
        self.compaction_id = compaction_id
        self.status = "in_progress"
        self.error: str | None = None


class Subagent(Entry):
    """A child session. `state` is running, idle, requires_action, "stopped" with its agent, or "" while unknown."""

    __slots__ = (
        "can_cancel", "cwd", "description", "error", "session_id", "state", "stop_reason", "title", "usage",
    )  # fmt: skip

    def __init__(self, session_id: str) -> None:
        super().__init__()
        self.session_id = session_id
        self.title: str | None = None
        self.description: str | None = None
        self.cwd: str | None = None
        self.state = ""
        self.stop_reason: str | None = None
        self.error: dict[str, Any] | None = None
        self.usage: schema.Usage | None = None
        self.can_cancel = False

    @property
    def works(self) -> bool:
        """Whether it is at work, as far as its agent has told; a state nobody knows is one of work."""
        return self.state not in ("", "idle", "unknown", "stopped")

    def patch(self, update: schema.SubagentUpdate) -> None:
        """Apply an update: what is given replaces, null clears, what is not given stays (PROTOCOL §19)."""
        for name in ("title", "description", "cwd"):
            value = getattr(update, name)
            if value is not UNSET:
                setattr(self, name, value)
        if not isinstance(update.capabilities, schema.UnsetType):
            self.can_cancel = update.capabilities is not None and update.capabilities.cancel is not None
        if not isinstance(update.state, schema.UnsetType):
            state = update.state or schema.ChildState("")
            self.state, self.stop_reason = state.state, state.stop_reason
            self.error, self.usage = state.error, state.usage


class Letter(Growing):
    """A message from one session to another."""

    __slots__ = ("message_id", "recipient", "sender")

    def __init__(self, message_id: str) -> None:
        super().__init__()
        self.message_id = message_id
        self.sender: str | None = None
        self.recipient: str | None = None


class TurnEnd(Entry):
    """The end of a turn: its stop reason, or the error; `cancelled` after our cancel, whatever was answered."""

    __slots__ = ("cancelled", "died", "error", "refused", "silent", "stop_reason", "usage")

    def __init__(self, stop_reason: str, error: RpcError | None, cancelled: bool) -> None:
        super().__init__()
        self.stop_reason = stop_reason
        self.error = error
        self.cancelled = cancelled
        self.usage: schema.Usage | None = None
        self.silent = False
        """True when the turn brought no entry of the agent at all."""
        self.died = False
        """True when the agent is gone, which is told by itself."""
        self.refused = False
        """True when the user said no to something in the turn: some agents end it by an error then."""

    @property
    def failed(self) -> bool:
        """Whether this is an error to be shown as one."""
        return self.error is not None and not self.cancelled and not self.refused

    @property
    def message(self) -> str:
        """What to tell; empty after `end_turn`."""
        if self.cancelled:
            return "The turn ended: cancelled"
        if self.error is not None:
            return f"The turn failed: {self.error}"
        return "" if self.stop_reason == "end_turn" else f"The turn ended: {self.stop_reason}"

    @property
    def advice(self) -> str:
        """What to do about an end that is not `end_turn`; empty when there is nothing to do."""
        if self.cancelled or self.error is not None:
            refused = self.refused and not (self.cancelled or self.died)
            return "You had refused what it wanted to do; the session goes on with the next prompt." if refused else ""
        return _ADVICE.get(self.stop_reason, "")


_ADVICE = {
    "max_tokens": "The answer reached the length limit; ask it to go on.",
    "max_turn_requests": "The agent used all the steps it has for one turn; ask it to go on.",
    "refusal": "The agent refused; it has forgotten that prompt and all after it. Ask in another way.",
}


class TerminalView:
    """The output of a terminal that tool calls show, kept to its last `TEXT_CAP` characters.

    `total` counts all characters that ever came; `since(seen)` returns what came after `seen` of them.
    """

    __slots__ = (
        "_parts", "_size", "can_cancel", "command", "exit_status", "released", "revision", "terminal_id", "total",
    )  # fmt: skip

    def __init__(self, terminal_id: str, command: str = "") -> None:
        self.terminal_id = terminal_id
        self.command = command
        self.exit_status: schema.TerminalExitStatus | None = None
        self.released = False
        self.can_cancel = False
        self.revision = 0
        self.total = 0
        self._parts: list[str] = []
        self._size = 0

    def replace(self, text: str) -> None:
        """Put other output in place of the old; what only goes on from it is appended."""
        if text.startswith(self.text) and not self.dropped:
            text = text[len(self.text) :]
        else:
            self._parts, self._size = [], 0
        self.append(text)

    def append(self, text: str) -> None:
        """Add output at the end, dropping from the beginning beyond the cap."""
        self.total += len(text)
        self._parts.append(text)
        self._size += len(text)
        if self._size > 2 * TEXT_CAP:
            kept = "".join(self._parts)[-TEXT_CAP:]
            self._parts, self._size = [kept], len(kept)

    @property
    def dropped(self) -> int:
        """How many characters at the beginning are not kept."""
        return self.total - min(self._size, TEXT_CAP)

    @property
    def text(self) -> str:
        """What is kept of the output."""
        return "".join(self._parts)[-TEXT_CAP:]

    def since(self, seen: int) -> str:
        """Return what came after the first `seen` characters, as far as it is kept."""
        new = self.total - seen
        if new <= 0:
            return ""
        taken: list[str] = []
        size = 0
        for part in reversed(self._parts):
            taken.append(part)
            size += len(part)
            if size >= new:
                break
        return "".join(reversed(taken))[-new:]


class RawTooLarge(Struct, frozen=True):
    """Stands in a tool call for raw input or output of more than `TEXT_CAP` bytes."""

    size: int


def cut(text: str, room: int) -> str:
    """Return the beginning of `text` that fits `room` bytes of UTF-8, at a character boundary."""
    if room <= 0:
        return ""
    return text[:room].encode()[:room].decode("utf-8", "ignore")


def cap_content(content: list[schema.ToolCallContent]) -> tuple[list[schema.ToolCallContent], int]:
    """Return the content of a tool call within `TEXT_CAP`, and how many bytes were dropped."""
    size = 0
    for item in content:
        size += _length(item)
    if size * 4 <= TEXT_CAP:
        return content, 0
    kept: list[schema.ToolCallContent] = []
    room, dropped = TEXT_CAP, 0
    for item in content:
        if isinstance(item, schema.Content) and isinstance(item.content, schema.TextContent):
            text = cut(item.content.text, room)
            dropped += len(item.content.text.encode()) - len(text.encode())
            room -= len(text.encode())
            kept.append(schema.Content(schema.TextContent(text)))
        elif isinstance(item, schema.TextContent):
            text = cut(item.text, room)
            dropped += len(item.text.encode()) - len(text.encode())
            room -= len(text.encode())
            kept.append(schema.TextContent(text))
        else:
            kept.append(item)
    return kept, dropped


def _length(item: schema.ToolCallContent) -> int:
    """How many characters of output an item holds; diffs are kept whole, since reviews need them."""
    block = item.content if type(item) is schema.Content else item
    return len(block.text) if type(block) is schema.TextContent else 0


def cap_raw(value: Any) -> Any:
    """Return raw input or output, or a stand-in when it is too large to keep."""
    if isinstance(value, str) and len(value) < TEXT_CAP // 4:
        return value
    size = len(schema.encode(value))
    return value if size <= TEXT_CAP else RawTooLarge(size)
