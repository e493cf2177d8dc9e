"""Subagents in the editor: a conversation for each, questions answered where their agent's are (PROTOCOL §19)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agentworld import World

CHUNK = "agent_message_chunk"
YES_NO = [
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def child(kind: str, session: str = "c1", /, **fields: Any) -> list[Any]:
    """A step: an update of a child session."""
    return ["note", "session/update", {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}]


def announce(session: str = "c1", **fields: Any) -> list[Any]:
    """A step: what the parent's session tells of a child."""
    return ["upd", {"sessionUpdate": "subagent_update", "sessionId": session, **fields}]


HELPER = announce(title="Helper", description="looks things up", state={"state": "running"})


def run(world: World, *steps: Any) -> None:
    """Start Bob, give it a prompt that is answered by these steps, wait for the end."""
    world.agent("Bob", list(steps))
    world.start()
    world.say("go")
    world.idle()
    world.talk.draw()
    for one in world.talk.subagents.all:
        one.draw()


def lines(world: World, number: int = 1) -> list[str]:
    return world.talk.subagents.all[number - 1].buffer.lines


def test_a_subagent_is_a_line_in_its_agents_conversation_and_a_buffer_of_its_own(world: World) -> None:
    order = [text("Look it up.\n")]
    run(
        world,
        HELPER,
        child("session_message", messageId="1", senderSessionId="s1", recipientSessionId="c1", content=order),
        child("agent_thought_chunk", content=text("Where?")),
        child(CHUNK, content=text("Here it is.\n")),
        child("tool_call", toolCallId="t1", title="Search", kind="search", status="in_progress"),
        announce(state={"state": "idle", "stopReason": "end_turn"}),
        ["say", "Done."],
    )
    assert world.shown == ["You", "go", "", "subagent: Helper (idle)", "looks things up", "", "Bob", "Done."]
    assert lines(world) == [
        "Bob to Helper", "Look it up.", "", "thinking", "Where?", "", "Helper", "Here it is.", "",
        "search: Search (stale)",
    ]  # fmt: skip
    assert world.editor.buffer_named("agent://Bob/sub/1") is world.talk.subagents.all[0].buffer


def test_it_never_takes_the_cursor_and_is_shown_on_request(world: World) -> None:
    run(world, HELPER, child(CHUNK, content=text("Words.\n")))
    assert world.editor.buffer is world.talk.prompt.buffer
    windows = len(world.editor.windows())
    world.ex("agentsub")
    assert world.editor.buffer.name == "agent://Bob/sub/1"
    assert len(world.editor.windows()) == windows + 1
    assert world.talk.subagents.all[0].status(world.editor.window) == "Bob: Helper  working"
    world.keys("ix<Esc>")
    assert world.message.startswith("E21")
    world.keys("<Tab>")
    assert world.editor.buffer is world.talk.buffer
    world.keys("gg4jgf")
    assert world.editor.buffer.name == "agent://Bob/sub/1"
    assert len(world.editor.windows()) == windows + 1
    world.ex("q")
    assert len(world.editor.windows()) == windows
    assert world.talk.alive


def test_what_comes_later_is_drawn_while_it_is_shown(world: World) -> None:
    gate = world.root / "gate"
    world.agent("Bob", [HELPER, child(CHUNK, content=text("One.\n")), ["gate", str(gate)],
                        child(CHUNK, content=text("Two.\n")), announce(title="Librarian"),
                        child(CHUNK, content=text("Three.\n"), messageId="m")])  # fmt: skip
    world.start()
    world.say("go")
    world.until(lambda: world.talk.subagents.all and "One." in lines(world))
    gate.touch()
    world.until(lambda: "Three." in lines(world))
    assert lines(world) == ["Helper", "One.", "Two.", "", "Librarian", "Three.", ""]


def test_its_question_is_asked_in_its_agents_conversation_and_answered_once(world: World) -> None:
    call = {"toolCallId": "t1", "title": "Write it", "kind": "edit"}
    asked = {"sessionId": "c1", "toolCall": call, "options": YES_NO}
    world.agent("Bob", [HELPER, ["req", "session/request_permission", asked]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    assert world.message == "Bob asks: Helper: Write it (:allow / :deny)"
    assert world.editor.buffer is world.talk.prompt.buffer
    assert world.shown[-3:] == ["Bob asks: Helper: Write it", "[1 y] Yes", "[2 n] No"]
    world.talk.subagents.all[0].draw()
    assert lines(world) == ["edit: Write it (pending)"]
    world.ex("allow")
    world.idle()
    assert world.answers() == [{"outcome": {"outcome": "selected", "optionId": "yes"}}]
    assert world.shown[-2:] == ["Bob asks: Helper: Write it", "→ Yes"]


def test_cancel_in_its_window_stops_it_alone_where_its_agent_offers_that(world: World) -> None:
    asked = {"sessionId": "c1", "toolCall": {"toolCallId": "t1", "title": "Write it"}, "options": YES_NO}
    world.agent("Bob", [announce(title="Helper", capabilities={"cancel": {}}, state={"state": "running"}),
                        ["req", "session/request_permission", asked], ["cancelled"],
                        announce(state={"state": "idle", "stopReason": "cancelled"})])  # fmt: skip
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("agentsub helper")
    world.ex("cancel")
    world.idle()
    assert world.calls("session/cancel") == [{"sessionId": "c1"}]
    assert world.answers() == [{"outcome": {"outcome": "cancelled"}}]
    assert "subagent: Helper (idle: cancelled)" in world.shown
    assert not world.shows("The turn ended")


def test_one_that_cannot_be_cancelled_alone_says_so(world: World) -> None:
    run(world, HELPER)
    world.ex("agentsub 1")
    world.ex("cancel")
    assert world.message == "Helper cannot be cancelled alone; :cancel Bob ends the turn it works for"
    assert world.calls("session/cancel") == []


def test_several_are_told_apart_and_listed(world: World) -> None:
    run(world, HELPER, announce("c2", title="Reviewer"), announce("c3"), child(CHUNK, "c2", content=text("b")))
    world.ex("agentsub")
    assert world.message == "Which subagent? :agentsub 1 Helper | 2 Reviewer | 3 subagent 3"
    world.ex("agentsub rev")
    assert world.editor.buffer.lines == ["Reviewer", "b"]
    world.ex("agents")
    assert world.editor.buffer.lines == ["Bob  idle", "    1 Helper  working", "    2 Reviewer", "    3 subagent 3"]
    world.keys("gg2j<CR>")
    assert world.editor.buffer.name == "agent://Bob/sub/2"
    assert world.agents.words("agent-sub", "h") == ["Helper"]


def test_without_one_the_command_says_so(world: World) -> None:
    run(world)
    world.ex("agentsub")
    assert world.message == "Bob has no subagents"


def test_a_deleted_buffer_comes_back_with_all_that_was_said(world: World) -> None:
    run(world, HELPER, child(CHUNK, content=text("Words.")))
    world.ex("agentsub")
    world.ex("bw")
    assert world.editor.buffer_named("agent://Bob/sub/1") is None
    world.ex("agentsub")
    assert world.editor.buffer.lines == ["Helper", "Words."]


def test_it_stops_with_its_agent_and_its_windows_close_with_the_session(world: World) -> None:
    run(world, HELPER, ["exit", 3])
    world.until(lambda: world.talk.gone)
    world.talk.draw()
    assert "subagent: Helper (stopped)" in world.shown
    world.ex("agentsub")
    world.ex("agentclose")
    assert not any(window.buffer.name.startswith("agent://") for window in world.editor.windows())
    assert not any(buffer.name.startswith("agent://") for buffer in world.editor.buffers.values())


def test_its_directory_gives_no_right_to_files_outside_the_project(world: World) -> None:
    secret = world.root / "secret.txt"
    secret.write_text("s\n")
    run_with = {"sessionId": "c1", "path": str(secret)}
    world.agent("Bob", [announce(title="Helper", cwd=str(world.root), state={"state": "running"}),
                        ["req", "fs/read_text_file", run_with]])  # fmt: skip
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("deny")
    world.idle()
    assert world.answers()[0]["message"] == f"outside the project: {secret}"


def test_a_failed_one_says_why(world: World) -> None:
    error = {"code": -32603, "message": "no more tokens"}
    run(world, announce(title="Helper", state={"state": "idle", "stopReason": "error", "error": error}))
    assert world.shown[3:] == ["subagent: Helper (idle: error)", "no more tokens"]


def test_an_id_of_the_sessions_own_is_no_subagent(world: World) -> None:
    run(world, announce("s1", title="Me"), ["say", "ok"])
    assert world.talk.subagents.all == []
    assert world.talk.session is not None
    assert world.talk.session.parent is None
    assert "ok" in world.shown
