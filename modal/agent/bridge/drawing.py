"""A session's entries drawn into its conversation: what is new since the last look, and nothing twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tpy.acp import schema
from tpy.acp.entries import (
    Compaction,
    Entry,
    Growing,
    Letter,
    Message,
    NoticeEntry,
    PlanState,
    RawTooLarge,
    Subagent,
    ToolUse,
    TurnEnd,
)
from tpy.acp.session import Session
from tpy.modal.agent import lines as kinds
from tpy.modal.agent.conversation import Conversation, Item
from tpy.modal.agent.folding import Folder
from tpy.modal.agent.lines import Line, coded, one_line, size, split
from tpy.modal.agent.toolcalls import (
    Piece,
    ToolView,
    dropped_text,
    notice_lines,
    plan_lines,
    tool_lines,
)


class _Shown:
    """How much of an entry is drawn: its item, the parts of a text, the generation of a replaced one."""

    __slots__ = ("dropped", "generation", "item", "parts")

    def __init__(self, item: Item, generation: int = 0) -> None:
        self.item = item
        self.parts = 0
        self.dropped = 0
        self.generation = generation


class Drawing:
    """Draws one session into one conversation. `name` is the agent's name in the agents file, `you` who prompts it.

    `who` gives the name of the owner of a session, for messages between sessions; `find_line` the number of the line
    of a file at which a text begins, 1 where it does not.
    """

    def __init__(
        self, conversation: Conversation, folder: Folder, name: str, project: str,
        *, you: str = "You", who: Callable[[str], str] = str, find_line: Callable[[str, str], int] = lambda *_: 1,
    ) -> None:  # fmt: skip
        self.conversation = conversation
        self.folder = folder
        self.name = name
        self.project = project
        self.you = you
        self.who = who
        self.find_line = find_line
        self._first_lines: dict[tuple[str, int], int] = {}
        self._seen = 0
        self._shown: dict[int, _Shown] = {}
        self._unsettled: set[int] = set()
        # What requests show of tool calls, by the entry's index.
        self._asked: dict[int, list[Piece]] = {}
        # The first message of the turn that runs, and the entry that ended the last one.
        self._turn: Item | None = None
        self._ended = -1

    def draw(self, session: Session) -> None:
        """Draw all that has changed since the last call."""
        if session.revision == self._seen:
            return
        for entry in session.changed_since(self._seen):
            _DRAW[type(entry)](self, session, entry)
        self._seen = session.revision
        self._settle(session)

    def _settle(self, session: Session) -> None:
        """Fold what is finished: messages that something follows, tool calls that are over, turns that ended."""
        last = len(session.entries) - 1
        for index in sorted(self._unsettled):
            entry, item = session.entries[index], self._shown[index].item
            if isinstance(entry, ToolUse):
                over = entry.finished or entry.mark is not None
            else:
                over = index < last or not session.in_turn
            if over:
                self._unsettled.discard(index)
                self.conversation.finish(item)
                self.folder.settle(item)
            if isinstance(entry, Message) and entry.kind == "user":
                self._turn = item
        end = session.entries[-1] if session.entries else None
        if isinstance(end, TurnEnd) and self._turn is not None and end.index > self._ended:
            self._ended = end.index
            self.folder.end_turn(self._turn, self.conversation.items[-1])
            self._turn = None

    def item_of(self, entry: Entry) -> Item | None:
        """Return the item an entry is drawn as."""
        shown = self._shown.get(entry.index)
        return None if shown is None else shown.item

    def _message(self, session: Session, entry: Message) -> None:
        label = {"user": self.you, "agent": self.name, "thought": "thinking"}.get(entry.kind, entry.kind)
        self._grow(entry, entry.kind, label if entry.in_turn else f"{label} (between turns)")

    def _compaction(self, session: Session, entry: Compaction) -> None:
        self._grow(entry, "thought", "compacting the conversation")
        if entry.error:
            self.conversation.note(self._shown[entry.index].item, one_line(f"{entry.status}: {entry.error}"))

    def _letter(self, session: Session, entry: Letter) -> None:
        ends = (self.who(end or session.session_id) for end in (entry.sender, entry.recipient))
        self._grow(entry, "agent", " to ".join(map(one_line, ends)))

    def _grow(self, entry: Growing, kind: str, label: str) -> None:
        """Add the parts that are new; an entry whose text was replaced is drawn again in its place."""
        talk = self.conversation
        shown = self._shown.get(entry.index)
        if shown is None:
            shown = self._shown[entry.index] = _Shown(talk.message(kind, label), entry.generation)
            self._unsettled.add(entry.index)
        elif shown.generation != entry.generation:
            talk.empty(shown.item)
            shown.generation, shown.parts, shown.dropped = entry.generation, 0, 0
        text: list[str] = []
        for part in entry.parts[shown.parts :]:
            if isinstance(part, str):
                text.append(part)
                continue
            if text:
                talk.append(shown.item, "".join(text))
                text.clear()
            talk.append_lines(shown.item, coded(split(block_text(part)), kinds.DIM))
        if text:
            talk.append(shown.item, "".join(text))
        shown.parts = len(entry.parts)
        if entry.dropped != shown.dropped:
            shown.dropped = entry.dropped
            talk.note(shown.item, dropped_text(entry.dropped))

    def _tool(self, session: Session, entry: ToolUse) -> None:
        view = self.view(session, entry)
        asked = self._asked.get(entry.index)
        if asked is not None and any(piece in asked for piece in view.pieces):
            left = tuple(piece for piece in view.pieces if piece not in asked)
            view = view._replace(pieces=left, raw_output=view.raw_output if left else None)
        item = self._put(entry, "tool", tool_lines(view))
        item.failed, item.data = entry.shown_status == "failed", entry

    def leave_to_request(self, session: Session, tool: ToolUse, pieces: list[Piece]) -> None:
        """A request shows these pieces of a tool call: the call itself does not show them as well."""
        self._asked[tool.index] = pieces
        self._tool(session, tool)

    def view(self, session: Session, tool: ToolUse) -> ToolView:
        """Return a tool call as it is shown."""
        return ToolView(
            tool.heading,
            tool.kind,
            tool.shown_status,
            tuple(self.place(where.path, where.line) for where in tool.locations),
            tuple(self.pieces(session, tool)),
            _raw(tool.raw_input),
            _raw(tool.raw_output),
            tool.dropped,
        )

    def pieces(self, session: Session, tool: ToolUse) -> list[Piece]:
        """Return the content of a tool call as plain pieces."""
        pieces = []
        for part in tool.content:
            if isinstance(part, schema.Diff):
                first = self._first_line(os.path.join(session.cwd, part.path), part)
                pieces.append(Piece("diff", part.new_text, self.place(part.path), part.old_text, first))
            elif isinstance(part, schema.Terminal):
                view = session.terminals.get(part.terminal_id)
                if view is not None:
                    pieces.append(Piece("terminal", view.text, f"$ {view.command}" if view.command else ""))
            else:
                block = part.content if isinstance(part, schema.Content) else part
                text = schema.text_of(block)
                pieces.append(Piece("dim", block_text(block)) if text is None else Piece("text", text))
        return pieces

    def _first_line(self, path: str, diff: schema.Diff) -> int:
        """Return where a diff begins in its file: agents give whole files or a snippet (PROTOCOL §21, row 31)."""
        if not diff.old_text:
            return 1
        key = (path, hash(diff.old_text))
        if key not in self._first_lines:
            self._first_lines[key] = self.find_line(path, diff.old_text)
        return self._first_lines[key]

    def place(self, path: str, line: int | None = None) -> str:
        """Return a path for people: relative inside the project, with its line."""
        inside = path.startswith(self.project.rstrip("/") + "/")
        shown = os.path.relpath(path, self.project) if inside else path
        return f"{shown}:{line}" if line else shown

    def _plan(self, session: Session, entry: PlanState) -> None:
        title = "plan (removed)" if entry.removed else "plan"
        if entry.text is not None:
            lines = [Line(title, kinds.HEADER), *coded(split(entry.text), kinds.PLAN)]
        elif entry.uri is not None:
            lines = [Line(title, kinds.HEADER), Line(one_line(entry.uri), kinds.DETAIL)]
        else:
            lines = plan_lines([(step.content, step.status) for step in entry.steps], title=title)
        self._put(entry, "plan", lines)

    def _notice(self, session: Session, entry: NoticeEntry) -> None:
        text = f"{entry.severity}: {entry.title}" + (f"\n{entry.description}" if entry.description else "")
        self._put(entry, "notice", notice_lines(text, error=entry.severity == "error"))

    def _subagent(self, session: Session, entry: Subagent) -> None:
        state = child_state(entry)
        head = f"subagent: {entry.title or entry.session_id}" + (f" ({state})" if state else "")
        failed = entry.stop_reason == "error"
        lines = [Line(one_line(head), kinds.FAILED if failed else kinds.HEADER)]
        if entry.description:
            lines.append(Line(one_line(entry.description), kinds.DETAIL))
        error = entry.error.get("message") if entry.error is not None else None
        if failed and isinstance(error, str):
            lines.append(Line(one_line(error, 500), kinds.DETAIL))
        item = self._put(entry, "tool", lines)
        item.failed, item.data = failed, entry

    def _turn_end(self, session: Session, entry: TurnEnd) -> None:
        lines = end_lines(entry)
        if lines:
            self._put(entry, "notice", lines).failed = entry.failed

    def _put(self, entry: Entry, kind: str, lines: list[Line]) -> Item:
        shown = self._shown.get(entry.index)
        if shown is None:
            shown = self._shown[entry.index] = _Shown(self.conversation.add(kind, lines))
            if kind == "tool":
                self._unsettled.add(entry.index)
        else:
            self.conversation.redraw(shown.item, lines)
        return shown.item


def end_lines(end: TurnEnd) -> list[Line]:
    """Return what is said at the end of a turn: nothing after a plain one that brought something."""
    if end.died and not end.cancelled:
        return []  # told by itself, with how it ended
    if not end.message:
        return notice_lines("The turn ended without any output.", error=False) if end.silent else []
    advice = end.advice or ("" if end.cancelled or end.failed else "Send another prompt to go on.")
    return [
        *notice_lines(end.message, error=not (end.cancelled or end.refused)),
        *(notice_lines(advice, error=False) if advice else []),
    ]


def child_state(entry: Subagent) -> str:
    """Return what a subagent is doing, "" where its agent has not told."""
    words = {"running": "working", "requires_action": "asks you", "unknown": ""}.get(entry.state, entry.state)
    plain = entry.stop_reason in (None, "", "end_turn")
    return one_line(words if plain else f"{words}: {entry.stop_reason}", 60)


def block_text(block: Any) -> str:
    """Return the line that stands for content that is not text."""
    if isinstance(block, schema.ImageContent | schema.AudioContent):
        what = "image" if isinstance(block, schema.ImageContent) else "audio"
        return f"[{what} {one_line(block.mime_type, 60)} {size(len(block.data) * 3 // 4)}]"
    if isinstance(block, schema.ResourceLink):
        return f"[link {one_line(block.title or block.name)}: {one_line(block.uri)}]"
    if isinstance(block, schema.EmbeddedResource):
        held = block.resource
        kept = len(held.text) if held.text is not None else len(held.blob or "") * 3 // 4
        return f"[file {one_line(held.uri)} {one_line(held.mime_type or '', 60)} {size(kept)}]"
    return f"[{one_line(getattr(block, 'kind', 'content'))}]"


def _raw(value: Any) -> Any:
    return f"[{size(value.size)}]" if isinstance(value, RawTooLarge) else value


_DRAW: dict[type, Callable[[Drawing, Session, Any], None]] = {
    Message: Drawing._message,
    ToolUse: Drawing._tool,
    PlanState: Drawing._plan,
    NoticeEntry: Drawing._notice,
    Compaction: Drawing._compaction,
    Subagent: Drawing._subagent,
    Letter: Drawing._letter,
    TurnEnd: Drawing._turn_end,
}
