"""AGENTS §3, §4, §7, §10: from `:agent` over a streamed answer, a permission and a write to the end."""

from __future__ import annotations

from agentworld import World

PERMISSION = {
    "sessionId": "$SID",
    "toolCall": {"toolCallId": "t1", "title": "Run tests", "kind": "execute", "rawInput": {"command": "make test"}},
    "options": [
        {"optionId": "a", "name": "Allow", "kind": "allow_once"},
        {"optionId": "r", "name": "Reject", "kind": "reject_once"},
    ],
}


def test_agent_opens_a_pane_with_the_cursor_in_the_prompt_in_insert_mode(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    assert world.editor.buffer.name == "agent://Bob/prompt"
    assert [w.buffer.name for w in world.editor.layout.windows()] == ["", "agent://Bob", "agent://Bob/prompt"]
    assert world.engine.mode == "i"
    assert world.editor.window.height == 3
    assert world.calls("session/new") == [{"cwd": str(world.project), "mcpServers": []}]


def test_prompt_is_sent_and_the_answer_streams_into_the_conversation(world: World) -> None:
    world.agent("Bob", [["say", "Hel"], ["say", "lo\nworld"]])
    world.start()
    world.say("hi there")
    world.wait_for("world")
    world.idle()
    assert world.shown == ["You", "hi there", "", "Bob", "Hello", "world"]
    assert world.calls("session/prompt")[0]["prompt"] == [{"type": "text", "text": "hi there"}]
    assert world.editor.buffer.lines == [""]
    assert world.engine.mode == "i"


def test_permission_is_a_block_that_allow_answers(world: World) -> None:
    world.agent("Bob", [["req", "session/request_permission", PERMISSION], ["say", "done"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    assert world.message == "Bob asks: Run tests (:allow / :deny)"
    assert "Bob asks: Run tests" in world.shown
    assert "make test" in world.shown
    assert "[1 y] Allow" in world.shown
    bells = world.editor.bells
    assert bells >= 1
    world.ex("allow")
    world.wait_for("done")
    assert world.answers() == [{"outcome": {"outcome": "selected", "optionId": "a"}}]
    assert not world.talk.requests


def test_write_into_an_open_buffer_is_one_undo_step_and_saved(world: World) -> None:
    buffer = world.open("a.txt", b"one\ntwo\n")
    write = {"sessionId": "$SID", "path": str(world.project / "a.txt"), "content": "one\nTWO\nthree\n"}
    world.agent("Bob", [["req", "fs/write_text_file", write], ["say", "written"]])
    world.start()
    world.say("write")
    world.wait_for("written")
    assert world.answers() == [{}]
    assert buffer.lines == ["one", "TWO", "three"]
    assert (world.project / "a.txt").read_bytes() == b"one\nTWO\nthree\n"
    assert not buffer.modified
    buffer.undo_once()
    assert buffer.lines == ["one", "two"]


def test_cancel_ends_the_turn_and_close_leaves_no_process(world: World) -> None:
    world.agent("Bob", [["say", "working"], ["cancelled"], ["end", "cancelled"]])
    world.start()
    world.say("go")
    world.wait_for("working")
    world.ex("cancel")
    world.idle()
    assert world.calls("session/cancel") == [{"sessionId": "s1"}]
    assert world.shown[-1] == "The turn ended: cancelled"
    talk = world.talk
    world.ex("agentclose")
    world.until(lambda: talk.gone)
    assert [w.buffer.name for w in world.editor.windows()] == [""]
    assert not world.agents.talks


def test_tutor_is_always_there(world: World) -> None:
    world.start("Tutor")
    world.say("hello")
    world.until(lambda: len(world.shown) > 6)
    world.idle()
    assert world.shown[:2] == ["You", "hello"]
    assert "Tutor" in world.shown
