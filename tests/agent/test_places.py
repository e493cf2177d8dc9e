"""AGENTS §4: the motions and text objects of the conversation, and `gB`, which sends what a motion covers."""

from __future__ import annotations

import pytest
from agentworld import World

CALL = {"sessionUpdate": "tool_call", "title": "Look", "kind": "read", "status": "completed"}
OUTPUT = [{"type": "content", "content": {"type": "text", "text": "seen it"}}]
ASK = {
    "sessionId": "$SID",
    "toolCall": {"toolCallId": "t3", "title": "Wipe"},
    "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
}


@pytest.fixture
def told(world: World) -> World:
    """A conversation with two calls, one of them failed, and a request that waits; the cursor on its first line."""
    world.agent(
        "Bob",
        [
            ["say", "before"],
            ["upd", {**CALL, "toolCallId": "t1", "content": OUTPUT}],
            ["upd", {**CALL, "toolCallId": "t2", "title": "Break", "status": "failed"}],
            ["say", "after"],
            ["req", "session/request_permission", ASK],
        ],
    )
    world.start()
    world.say("go")
    world.wait_for("Bob asks: Wipe")
    world.keys("<Esc><Tab>zRgg")
    return world


def _line(world: World) -> str:
    window = world.editor.window
    return window.buffer.lines[window.cursor.line]


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ("]t", "Look"), ("]t]t", "Break"), ("]t]t[t", "Look"), ("G[t", "Wipe"), ("]e", "Break"), ("G[e", "Break"),
        ("]a", "Wipe"), ("G[a", "Wipe"), ("]m", "Bob"), ("G[m", "Bob"), ("G<Home>", "You"), ("G[[", "You"),
        ("v]a", "Wipe"), ("Gv[a", "Wipe"),
    ],
)  # fmt: skip
def test_motions_go_to_their_places(told: World, keys: str, shown: str) -> None:
    told.keys(keys)
    assert shown in _line(told)


@pytest.mark.parametrize(("keys", "way"), [("G<S-PageUp>", -1), ("gg<S-PageDown>", 1)])
def test_shifted_page_keys_select_a_page(told: World, keys: str, way: int) -> None:
    last = len(told.editor.window.buffer.lines) - 1
    start = last if way < 0 else 0
    told.keys(keys)
    window = told.editor.window
    assert told.editor.visual is not None
    assert told.editor.visual.start.line == start
    assert window.cursor.line == min(max(start + way * (window.height - 2), 0), last)


@pytest.mark.parametrize(
    ("keys", "lines"), [("4G2<S-Up>", (3, 1)), ("2G2<S-Down>", (1, 3)), ("3G<S-Home>", (2, 0)), ("3G<S-End>", (2, -1))]
)
def test_shifted_keys_select_lines(told: World, keys: str, lines: tuple[int, int]) -> None:
    told.keys(keys)
    visual, window = told.editor.visual, told.editor.window
    assert visual is not None
    assert (visual.kind, visual.start.line) == ("V", lines[0])
    assert window.cursor.line == lines[1] % len(window.buffer.lines)


def test_end_goes_to_the_last_line(told: World) -> None:
    told.keys("<End>")
    window = told.editor.window
    assert window.cursor.line == len(window.buffer.lines) - 1


@pytest.mark.parametrize(
    ("keys", "text"), [("]tjyik", "seen it\n"), ("]tyak", "Look"), ("]tjyir", "seen it\n"), ("]tjyar", "seen it\n")]
)
def test_text_objects_take_their_part(told: World, keys: str, text: str) -> None:
    told.keys(keys)
    register = told.editor.registers.get('"')
    assert register is not None
    assert text in register.text()
    if text == "seen it\n":
        assert register.text().strip() == "seen it"


def test_put_and_send_sends_what_a_motion_covers(world: World) -> None:
    world.open("a.txt", b"one\ntwo\n")
    world.agent("Bob", [["say", "thanks"]])
    window = world.editor.window
    world.start()
    world.editor.focus(window)
    world.keys("<Esc>gBj")
    world.wait_for("thanks")
    prompt = world.calls("session/prompt")[0]["prompt"]
    assert any("one\ntwo" in str(block.get("text", block)).replace("\\n", "\n") for block in prompt)
