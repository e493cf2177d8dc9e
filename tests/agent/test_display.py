"""AGENTS §7 (display of updates), §4 (folds): what a session's entries look like. CASES A-30, A-41."""

from __future__ import annotations

from typing import Any

import pytest
from agentworld import World

from tpy.acp import schema
from tpy.acp.session import Session
from tpy.modal.agent.bridge.drawing import Drawing
from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.folding import Folder
from tpy.modal.agent.styles import Styles
from tpy.modal.editor import Editor
from tpy.modal.engine.folding import folds_of


class Shown:
    """A session folded and drawn without any process."""

    def __init__(self) -> None:
        self.editor = Editor()
        self.session = Session("s1", "/p")
        self.session.in_turn = True
        self.talk = Conversation(self.editor.buffer, self.editor.windows)
        folder = Folder(self.talk, self.editor.windows, lambda window: folds_of(self.editor, window))
        self.drawing = Drawing(self.talk, folder, "Bob", "/p")

    def update(self, what: str, /, **fields: Any) -> None:
        raw = {"sessionId": "s1", "update": {"sessionUpdate": what, **fields}}
        self.session.apply(schema.convert(raw, schema.SessionNotification).update)
        self.drawing.draw(self.session)

    def say(self, content: str | dict[str, Any], kind: str = "agent_message_chunk", **fields: Any) -> None:
        block = {"type": "text", "text": content} if isinstance(content, str) else content
        self.update(kind, content=block, **fields)

    @property
    def lines(self) -> list[str]:
        return self.editor.buffer.lines


@pytest.fixture
def shown() -> Shown:
    return Shown()


def test_tool_call_is_one_line_and_its_updates_fold_into_it(shown: Shown) -> None:
    shown.update("tool_call", toolCallId="t1", title="Read a", kind="read", locations=[{"path": "/p/a.py", "line": 3}])
    assert shown.lines == ["read: Read a (pending)", "a.py:3"]
    shown.say("meanwhile")
    shown.update("tool_call_update", toolCallId="t1", status="completed",
                 content=[{"type": "content", "content": {"type": "text", "text": "out\nput"}}])  # fmt: skip
    assert shown.lines == ["read: Read a (completed)", "a.py:3", "out", "put", "", "Bob", "meanwhile"]


def test_a41_gaps_are_shown_and_nothing_is_invented(shown: Shown) -> None:
    shown.update("tool_call_update", toolCallId="t9", status="completed")
    shown.update("tool_call", toolCallId="t1", content=None)
    shown.update("tool_call_update", toolCallId="t1", status="failed", rawOutput={"exitCode": 2})
    shown.update("tool_call_update", toolCallId="t1", content=[])
    assert shown.lines == ["t9 (completed)", "t1 (failed)", '{"exitCode": 2}']
    assert shown.talk.items[1].failed
    assert Styles(shown.talk).spans(1) == ((0, 11, "diagnostic.error"),)


def test_diff_of_a_tool_call_is_shown(shown: Shown) -> None:
    diff = {"type": "diff", "path": "/p/a.py", "oldText": "a\nb\n", "newText": "a\nc\n"}
    shown.update("tool_call", toolCallId="t", title="Edit", kind="edit", content=[diff])
    assert shown.lines == ["edit: Edit (pending)", "a.py", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]


def test_new_file_and_large_change_are_shown_without_comparing(shown: Shown) -> None:
    new = {"type": "diff", "path": "/p/n", "newText": "x\n"}
    shown.update("tool_call", toolCallId="t", title="New", content=[new])
    assert shown.lines[1:] == ["n (new or replaced)", "+x"]
    before, after = "same\n" + "a\n" * 3000, "same\n" + "b\n" * 3000
    big = {"type": "diff", "path": "/p/n", "oldText": before, "newText": after}
    shown.update("tool_call", toolCallId="u", title="Big", content=[big])
    assert "@@ -2,3000 +2,3000 @@" in shown.lines


def test_plan_is_a_list_with_states_and_is_replaced_whole(shown: Shown) -> None:
    def step(content: str, status: str) -> dict[str, str]:
        return {"content": content, "priority": "low", "status": status}

    shown.update("plan", entries=[step("one", "in_progress"), step("two", "pending")])
    shown.say("text")
    shown.update("plan", entries=[step("one", "completed"), step("two", "in_progress"), step("three", "pending")])
    assert shown.lines[:4] == ["plan", "[x] one", "[>] two", "[ ] three"]


def test_thought_is_apart_and_in_the_comment_colour(shown: Shown) -> None:
    shown.say("hm", kind="agent_thought_chunk")
    shown.say("Hi", kind="agent_message_chunk")
    shown.say("g", kind="agent_thought_chunk")
    assert shown.lines == ["thinking", "hm", "", "Bob", "Hi", "", "thinking", "g"]
    assert Styles(shown.talk).spans(0) == ((0, 8, "syntax.comment"),)


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ({"type": "image", "data": "A" * 16384, "mimeType": "image/png"}, "[image image/png 12 KiB]"),
        ({"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}, "[audio audio/wav 3 B]"),
        ({"type": "resource_link", "uri": "file:///p/a", "name": "a"}, "[link a: file:///p/a]"),
        ({"type": "resource", "resource": {"uri": "file:///p/a", "text": "abc", "mimeType": "text/plain"}},
         "[file file:///p/a text/plain 3 B]"),
        ({"type": "hologram"}, "[hologram]"),
    ],
)  # fmt: skip
def test_other_content_is_one_dim_line(shown: Shown, block: dict[str, Any], line: str) -> None:
    shown.say("before")
    shown.say(block)
    shown.say("after")
    assert shown.lines == ["Bob", "before", line, "after"]
    assert Styles(shown.talk).spans(2) == ((0, len(line), "syntax.comment"),)


def test_entry_holds_one_mebibyte_and_says_what_was_dropped(shown: Shown) -> None:
    shown.say("x" * (1024 * 1024))
    shown.say("y" * 100)
    shown.say("z" * 50)
    assert len(shown.lines[1]) == 1024 * 1024
    assert shown.lines[2:] == ["[150 bytes more were not kept: one entry holds at most 1 MiB]"]


def test_messages_with_ids_grow_each_at_its_own_place(shown: Shown) -> None:
    shown.say("a", messageId="1")
    shown.say("b", messageId="2")
    shown.say("A", messageId="1")
    assert shown.lines == ["Bob", "aA", "", "Bob", "b"]


def test_notice_and_subagent_and_compaction_are_shown(shown: Shown) -> None:
    shown.update("notice", severity="warning", title="Careful", description="really")
    shown.update("subagent_update", sessionId="c1", title="Helper", state={"state": "running"})
    shown.update("compaction_update", compactionId="k", status="in_progress")
    shown.update("compaction_summary_chunk", compactionId="k", content={"type": "text", "text": "sum"})
    text = "\n".join(shown.lines)
    assert "warning: Careful\nreally" in text
    assert "subagent: Helper (working)" in text
    assert "compacting the conversation\nsum" in text


def test_replaced_text_is_drawn_in_its_place(shown: Shown) -> None:
    shown.update("compaction_update", compactionId="k", status="in_progress",
                 summary=[{"type": "text", "text": "old\ntext"}])  # fmt: skip
    shown.say("answer")
    shown.update("compaction_update", compactionId="k", status="completed", summary=[{"type": "text", "text": "new"}])
    assert shown.lines == ["compacting the conversation", "new", "", "Bob", "answer"]


def test_a30_diff_is_only_shown_never_applied(world: World) -> None:
    path = str(world.project / "a.txt")
    buffer = world.open("a.txt", b"a\n")
    diff = [{"type": "diff", "path": path, "oldText": "a\n", "newText": "a\nb\n"}]
    write = {"sessionId": "$SID", "path": path, "content": "a\nb\n"}
    call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Edit", "kind": "edit", "content": diff}
    over = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed", "content": diff}
    world.agent("Bob", [["upd", call], ["req", "fs/write_text_file", write], ["upd", over], ["say", "done"]])
    world.start()
    world.say("go")
    world.wait_for("done")
    assert buffer.lines == ["a", "b"]
    buffer.undo_once()
    assert buffer.lines == ["a"]


def test_a29_files_changed_behind_the_editor_are_noticed_at_the_end_of_the_turn(world: World) -> None:
    clean = world.open("a.txt", b"a\n")
    dirty = world.open("b.txt", b"b\n")
    dirty.set_line(0, "typed")
    gate = world.root / "gate"
    world.agent("Bob", [["say", "ready"], ["gate", str(gate)]])
    world.start()
    world.say("go")
    world.wait_for("ready")
    for name in ("a.txt", "b.txt"):
        (world.project / name).write_bytes(b"agent\n")
    gate.touch()
    world.idle()
    assert clean.lines == ["agent"]
    assert dirty.lines == ["typed"]
    assert any("changed on disk" in message.text for message in world.editor.messages)
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("w")
    assert world.message.startswith("E13")
    assert (world.project / "b.txt").read_bytes() == b"agent\n"


def test_thoughts_and_finished_calls_are_folded_and_failures_stay_open(shown: Shown) -> None:
    output = [{"type": "content", "content": {"type": "text", "text": "1\n2\n3"}}]
    shown.session.begin_turn("go", [])
    shown.say("a\nb\nc\n", kind="agent_thought_chunk")
    shown.update("tool_call", toolCallId="ok", title="ok", status="completed", content=output)
    shown.update("tool_call", toolCallId="bad", title="bad", status="failed", content=output)
    shown.say("answer")
    folds = folds_of(shown.editor)
    start = shown.lines.index("thinking")
    assert folds.closed(start) == (start, start + 3)
    call = shown.lines.index("ok (completed)")
    assert folds.closed(call) == (call, call + 3)
    assert folds.closed(shown.lines.index("bad (failed)")) is None
    assert folds.closed(shown.lines.index("answer")) is None
    shown.session.end_turn("end_turn", None, None, cancelled=False)
    shown.drawing.draw(shown.session)
    assert folds.closed(0) is None
    assert folds.level(shown.lines.index("answer")) == 1
