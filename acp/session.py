"""A session folded into a snapshot: the conversation as entries, and what is true of the session now.

`Session.apply` takes the updates of one session in their order; the owner tells of turns (`begin_turn`,
`end_turn`, …). Nothing here knows bytes, processes or screens. The classes of the entries are in `entries`.

A display remembers the last `revision` it has seen and asks `changed_since`. Entries never move.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, Struct

from tpy.acp import extensions, schema
from tpy.acp.entries import (
    Compaction,
    Entry,
    Letter,
    Message,
    NoticeEntry,
    PlanState,
    Subagent,
    TerminalView,
    ToolUse,
    TurnEnd,
)
from tpy.acp.entrylog import EntryLog
from tpy.acp.jsonrpc import RpcError


class Session(EntryLog):
    """One conversation with an agent.

    `info_revision` counts changes to everything but the log (title, modes, options, commands, usage).
    """

    def __init__(self, session_id: str, cwd: str, *, parent: str | None = None) -> None:
        super().__init__(parent)
        self.session_id = session_id
        self.cwd = cwd
        self.told: Subagent | None = None
        """Of a child session: its entry in its parent's."""
        self.info_revision = 0
        self.title: str | None = None
        self.updated_at: str | None = None
        self.mode_id: str | None = None
        self.modes: list[schema.SessionMode] = []
        self.config_options: list[schema.ConfigOption] | None = None
        self.models: schema.LegacyModels | None = None
        self.commands: list[schema.AvailableCommand] = []
        self.usage: schema.UsageUpdate | None = None
        self.terminals: dict[str, TerminalView] = {}
        self.loaded = False
        """Whether it was loaded: the agent told its history before it opened."""
        self.refused = False
        """Whether the user said no to a request of this turn."""
        self.agent_state = ""
        """What the agent says of itself in the draft of version 2: running, idle, requires_action, …"""
        self.odd_updates = 0
        self.last_odd = ""
        self._open: Message | None = None
        self._messages: dict[tuple[str, str], Message] = {}
        self._tools: dict[str, ToolUse] = {}
        self._unfinished: dict[str, ToolUse] = {}
        self._shows: dict[str, dict[int, ToolUse]] = {}
        self._plan: PlanState | None = None
        self._echo: Message | None = None
        self._turn_start = 0

    # -- reading -------------------------------------------------------------------------------------------

    def tool(self, tool_call_id: str) -> ToolUse | None:
        """Return the tool call with this id, the latest when the id was used again."""
        return self._tools.get(tool_call_id)

    def subagent(self, session_id: str) -> Subagent | None:
        """Return the entry of a child session."""
        return self._by_id.get((Subagent, session_id))

    def command(self, text: str) -> schema.AvailableCommand | None:
        """Return the command that `text` (with its slash) calls: the longest announced name that fits."""
        rest = text.removeprefix("/")
        found = [c for c in self.commands if rest == c.name or rest.startswith(c.name + " ")]
        return max(found, key=lambda c: len(c.name), default=None)

    @property
    def left_open(self) -> int:
        """How many tool calls the last turn has left at work: another prompt may end what they do."""
        return sum(t.status == "in_progress" and bool(t.mark) and t.turn == self.turn for t in self._tools.values())

    # -- turns ---------------------------------------------------------------------------------------------

    def begin_turn(self, text: str, blocks: list[Any]) -> Message:
        """A prompt goes out: `text` is the line as typed, `blocks` what is sent."""
        self.turn += 1
        self.in_turn = True
        self.refused = False
        entry = Message("user")
        entry.local = True
        entry.blocks = blocks
        entry.append(text)
        self._add(entry)
        self._echo = entry
        self._turn_start = len(self.entries)
        return entry

    def mark_cancelling(self) -> None:
        """The user cancelled: what is unfinished is shown as cancelled at once (PROTOCOL §9)."""
        self._mark_unfinished("cancelled")

    def end_turn(
        self,
        stop_reason: str,
        error: RpcError | None,
        usage: schema.Usage | None,
        *,
        cancelled: bool,
        more: bool = False,
        died: bool = False,
    ) -> TurnEnd:
        """The turn is over; what the agent left unfinished is marked, later text starts anew.

        `more` says that another prompt, which the agent had queued, is still to be answered, `died` that the agent
        is gone.
        """
        if not more:
            self._mark_unfinished("cancelled" if cancelled else "stale")
            self._unfinished.clear()
        end = TurnEnd(stop_reason, error, cancelled)
        end.usage = usage
        end.silent = len(self.entries) == self._turn_start
        end.died, end.refused = died, self.refused
        self._add(end)
        self.in_turn = more
        self._open = self._echo = None
        return end

    def died(self) -> None:
        """The agent is gone: nothing of it runs any more."""
        self._mark_unfinished("stale")
        self._unfinished.clear()
        self.in_turn = False
        self._open = self._echo = None
        for child in [entry for entry in self._by_id.values() if isinstance(entry, Subagent) and entry.works]:
            child.state = "stopped"
            self._touch(child)

    def follow(self, told: Subagent, parent: Session) -> None:
        """This is a child session: take over what its parent's session tells of it (PROTOCOL §19)."""
        self.told, self.cwd = told, told.cwd or parent.cwd
        self.title = told.title or self.title
        self.turn += told.works and not self.in_turn
        self.in_turn = told.works
        if told.state == "idle":
            self._mark_unfinished("stale")
            self._unfinished.clear()
            self._open = None
        self.info_revision += 1

    def _mark_unfinished(self, mark: str) -> None:
        for tool in self._unfinished.values():
            tool.mark = mark
            self._touch(tool)

    # -- answers to our calls ------------------------------------------------------------------------------

    def opened(self, result: schema.SessionOpened) -> None:
        """Take the modes and options of the answer to new, load, resume or fork."""
        if result.modes is not None:
            self.mode_id = result.modes.current_mode_id
            self.modes = result.modes.available_modes
        if result.config_options is not None:
            self.config_options = result.config_options
        if result.models is not None:
            self.models = result.models
        if result.available_commands is not None:
            self.commands = result.available_commands
        self.info_revision += 1

    def set_config_options(self, options: list[schema.ConfigOption]) -> None:
        """All options as they are now."""
        self.config_options = options
        self.info_revision += 1

    def set_mode(self, mode_id: str) -> None:
        """The current mode is another one."""
        self.mode_id = mode_id
        self.info_revision += 1

    def set_model(self, model_id: str) -> None:
        """The model is another one, for agents that list models the old way."""
        listed = [] if self.models is None else self.models.available_models
        self.models = schema.LegacyModels(model_id, listed)
        self.info_revision += 1

    def set_title(self, title: str | None) -> None:
        """The session has another title."""
        self.title = title
        self.info_revision += 1

    def note_odd(self, kind: str, error: str) -> None:
        """Count an update that could not be used."""
        self.odd_updates += 1
        self.last_odd = f"{kind or 'an update'}: {error}"

    # -- updates -------------------------------------------------------------------------------------------

    def apply(self, update: schema.SessionUpdate) -> None:
        """Fold one update into the snapshot. It never fails; odd updates are counted."""
        _FOLDS.get(type(update), Session._unknown)(self, update)

    def _unknown(self, update: schema.UnknownUpdate) -> None:
        self.note_odd(update.kind, "not an update this editor knows")

    def _agent_chunk(self, update: schema.AgentMessageChunk) -> None:
        self._chunk("agent", update)

    def _thought_chunk(self, update: schema.AgentThoughtChunk) -> None:
        self._chunk("thought", update)

    def _user_chunk(self, update: schema.UserMessageChunk) -> None:
        """History while loading; else the echo of our prompt, which is attached and not shown again."""
        message_id = update.message_id
        known = self._messages.get(("user", message_id)) if message_id is not None else None
        if self._echo is not None and len(self.entries) == self._turn_start and known is None:
            known = self._echo
            if message_id is not None:
                known.message_id = message_id
                self._messages["user", message_id] = known
        if known is not None and known.local:
            return
        if not self.in_turn and self._starts_message("user", message_id):
            self.turn += 1
        self._chunk("user", update)

    def _starts_message(self, kind: str, message_id: str | None) -> bool:
        if message_id is not None:
            return (kind, message_id) not in self._messages
        return self._open is None or self._open.kind != kind

    def _chunk(self, kind: str, update: schema.AgentMessageChunk | schema.Chunk) -> None:
        content, message_id = update.content, update.message_id
        text = content.text if type(content) is schema.TextContent else None
        entry: Message | None
        if message_id is None:
            entry = self._open
            if entry is not None and entry.kind != kind:
                entry = None
        else:
            entry = self._messages.get((kind, message_id))
            self._open = None
        if entry is None:
            if text == "":
                return
            entry = self._new_message(kind, message_id, update.meta)
        if text is not None:
            entry.append_text(text)
        else:
            entry.append(content)  # type: ignore[arg-type]
        self._touch(entry)

    def _new_message(self, kind: str, message_id: str | None, meta: dict[str, Any] | None) -> Message:
        entry = Message(kind, message_id)
        entry.parent = None if meta is None else extensions.parent_call(meta)
        self._add(entry)
        if message_id is None:
            self._open = entry
        else:
            self._messages[kind, message_id] = entry
        return entry

    def _announce(self, update: schema.ToolCall) -> None:
        self.upsert_tool(update, announced=True)

    def upsert_tool(self, fields: schema.ToolCallFields, *, announced: bool = False) -> ToolUse:
        """Create or patch a tool call. An announced id of a call finished in an earlier turn is a new call."""
        tool = self._tools.get(fields.tool_call_id)
        if tool is not None and announced and tool.turn != self.turn and (tool.finished or tool.mark):
            tool = None
        if tool is None:
            tool = ToolUse(fields.tool_call_id)
            self._tools[fields.tool_call_id] = tool
            self._add(tool)
        tool.patch(fields)
        for item in fields.content or ():
            if type(item) is schema.Terminal:
                self._shows.setdefault(item.terminal_id, {})[tool.index] = tool
        if tool.finished:
            self._unfinished.pop(fields.tool_call_id, None)
        elif self.in_turn:
            self._unfinished[fields.tool_call_id] = tool
        if fields.meta is not None:
            tool.parent = extensions.parent_call(fields.meta) or tool.parent
            self._terminal_meta(fields.meta)
        self._touch(tool)
        return tool

    def _set_plan(self, update: schema.Plan) -> None:
        plan = self._plan
        if plan is None or plan.turn != self.turn:
            plan = self._plan = PlanState()
            self._add(plan)
        plan.steps = update.entries
        self._touch(plan)

    def _plan_update(self, update: schema.PlanUpdate) -> None:
        given = update.plan
        plan = self._entry(PlanState, given.plan_id)
        plan.removed = False
        plan.steps = given.entries if isinstance(given, schema.PlanItems) else []
        plan.uri = given.uri if isinstance(given, schema.PlanFile) else None
        plan.text = given.content if isinstance(given, schema.PlanMarkdown) else None
        self._touch(plan)

    def _plan_removed(self, update: schema.PlanRemoved) -> None:
        plan: PlanState | None = self._by_id.pop((PlanState, update.plan_id), None)
        if plan is not None:
            plan.removed = True
            self._touch(plan)

    def _notice(self, update: schema.Notice) -> None:
        self._add(NoticeEntry(update.severity, update.title, update.description))

    def _compaction(self, update: schema.CompactionUpdate) -> None:
        entry = self._entry(Compaction, update.compaction_id)
        entry.status = update.status
        if update.summary is not UNSET:
            entry.replace(list(update.summary or []))
        if update.error is not UNSET:
            entry.error = update.error if isinstance(update.error, str) else None
        self._touch(entry)

    def _compaction_chunk(self, update: schema.CompactionSummaryChunk) -> None:
        self._grow(self._entry(Compaction, update.compaction_id), update.content)

    def _subagent(self, update: schema.SubagentUpdate) -> None:
        entry: Subagent = self._entry(Subagent, update.session_id)
        entry.patch(update)
        self._touch(entry)

    def _letter(self, update: schema.SessionMessage) -> None:
        entry = self._entry(Letter, update.message_id)
        entry.sender = update.sender_session_id or entry.sender
        entry.recipient = update.recipient_session_id or entry.recipient
        if update.content is not None:
            entry.replace(update.content)
        self._touch(entry)

    def _letter_chunk(self, update: schema.SessionMessageChunk) -> None:
        self._grow(self._entry(Letter, update.message_id), update.content)

    def _commands(self, update: schema.AvailableCommandsUpdate) -> None:
        self.commands = [_without_slash(command) for command in update.available_commands]
        self.info_revision += 1

    def _mode(self, update: schema.CurrentModeUpdate) -> None:
        self.set_mode(update.mode)

    def _options(self, update: schema.ConfigOptionUpdate) -> None:
        self.set_config_options(update.config_options)

    def _info(self, update: schema.SessionInfoUpdate) -> None:
        if update.title is not UNSET:
            self.title = update.title if isinstance(update.title, str) else None
        if update.updated_at is not UNSET:
            self.updated_at = update.updated_at if isinstance(update.updated_at, str) else None
        self.info_revision += 1

    def _usage(self, update: schema.UsageUpdate) -> None:
        if update.cost is None and self.usage is not None:
            update = schema.UsageUpdate(update.used, update.size, self.usage.cost)
        self.usage = update
        self.info_revision += 1

    # -- what only the draft of version 2 has --------------------------------------------------------------

    def prompt_accepted(self, message_id: str) -> None:
        """The prompt just sent is in the conversation under this id: what comes under it is its echo."""
        if self._echo is not None and message_id:
            self._echo.message_id = message_id
            self._messages["user", message_id] = self._echo

    def _message_patch(self, update: schema.MessagePatch) -> None:
        key = (update.kind, update.message_id)
        entry = self._messages.get(key)
        if update.kind == "user" and entry is None and self._echo is not None and self._echo.message_id is None:
            self.prompt_accepted(update.message_id)
            entry = self._messages.get(key)
        if entry is not None and entry.local:
            return
        if entry is None:
            entry = self._messages[key] = Message(*key)
            self._add(entry)
        if not isinstance(update.content, schema.UnsetType):
            entry.replace(update.content or [])
        self._touch(entry)

    def _tool_patch(self, update: schema.ToolPatch) -> None:
        self.upsert_tool(update.fields).can_cancel = update.can_cancel

    def _tool_content(self, update: schema.ToolContentAdded) -> None:
        tool = self._tools.get(update.tool_call_id)
        content = [*(tool.content if tool is not None else ()), update.content]
        self.upsert_tool(schema.ToolCallFields(update.tool_call_id, content=content))

    def _terminal_patch(self, update: schema.TerminalPatch) -> None:
        view = self.terminal(update.terminal_id)
        view.command = update.command or view.command
        view.can_cancel = view.can_cancel if update.can_cancel is None else update.can_cancel
        view.exit_status = update.exit_status or view.exit_status
        if update.output is not None:
            view.replace(update.output)
        view.append(update.added)
        self.terminal_changed(update.terminal_id)

    def _state(self, update: schema.StateChanged) -> None:
        self.agent_state = update.state
        self.info_revision += 1

    # -- terminals -----------------------------------------------------------------------------------------

    def terminal(self, terminal_id: str) -> TerminalView:
        """Return the view of a terminal, creating it."""
        view = self.terminals.get(terminal_id)
        if view is None:
            view = self.terminals[terminal_id] = TerminalView(terminal_id)
        return view

    def terminal_changed(self, terminal_id: str) -> None:
        """Output or exit of a terminal: the tool calls that show it have changed."""
        self.terminal(terminal_id).revision += 1
        for tool in self._shows.get(terminal_id, {}).values():
            self._touch(tool)

    def _terminal_meta(self, meta: dict[str, Any]) -> None:
        """Output of a command that the agent runs itself, in `_meta` (PROTOCOL §18)."""
        output, ended = extensions.terminal_output(meta), extensions.terminal_exit(meta)
        if output is not None:
            self.terminal(output[0]).append(output[1])
            self.terminal_changed(output[0])
        if ended is not None:
            self.terminal(ended[0]).exit_status = ended[1]
            self.terminal_changed(ended[0])

    def _add(self, entry: Entry) -> None:
        super()._add(entry)
        self._open = None


def _without_slash(command: schema.AvailableCommand) -> schema.AvailableCommand:
    name = command.name.removeprefix("/")
    if name == command.name:
        return command
    return schema.AvailableCommand(name, command.description, command.input)


_FOLDS: dict[type[Struct], Callable[[Session, Any], object]] = {
    schema.AgentMessageChunk: Session._agent_chunk,
    schema.AgentThoughtChunk: Session._thought_chunk,
    schema.UserMessageChunk: Session._user_chunk,
    schema.ToolCall: Session._announce,
    schema.ToolCallUpdate: Session.upsert_tool,
    schema.Plan: Session._set_plan,
    schema.PlanUpdate: Session._plan_update,
    schema.PlanRemoved: Session._plan_removed,
    schema.AvailableCommandsUpdate: Session._commands,
    schema.CurrentModeUpdate: Session._mode,
    schema.ConfigOptionUpdate: Session._options,
    schema.SessionInfoUpdate: Session._info,
    schema.UsageUpdate: Session._usage,
    schema.Notice: Session._notice,
    schema.CompactionUpdate: Session._compaction,
    schema.CompactionSummaryChunk: Session._compaction_chunk,
    schema.SubagentUpdate: Session._subagent,
    schema.SessionMessage: Session._letter,
    schema.SessionMessageChunk: Session._letter_chunk,
    schema.MessagePatch: Session._message_patch,
    schema.ToolPatch: Session._tool_patch,
    schema.ToolContentAdded: Session._tool_content,
    schema.TerminalPatch: Session._terminal_patch,
    schema.StateChanged: Session._state,
}
