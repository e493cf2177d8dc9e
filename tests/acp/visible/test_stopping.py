"""`:agentstop`: one tool call is stopped and its turn goes on (PROTOCOL §14, §20)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agentworld import World


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()


def tool(**fields: Any) -> list[Any]:
    return ["upd", {"sessionUpdate": "tool_call", "toolCallId": "t1", **fields}]


def to_tool(world: World) -> None:
    """Go to the last tool call of the conversation."""
    world.keys("<Esc><Tab>G[t")


def test_the_command_of_a_tool_call_is_ended_and_its_agent_told(world: World) -> None:
    running = {"type": "terminal", "terminalId": "term-1"}
    world.agent("Bob", [["req", "terminal/create", {"sessionId": "$SID", "command": "sleep", "args": ["600"]}],
                        tool(title="Wait", kind="execute", status="in_progress", content=[running]),
                        ["req", "terminal/wait_for_exit", {"sessionId": "$SID", "terminalId": "term-1"}],
                        ["say", "Ended."]])  # fmt: skip
    world.start()
    world.say("go")
    world.wait_for("Wait (in progress)")
    to_tool(world)
    world.ex("agentstop")
    assert world.message == "Stopping Wait"
    world.wait_for("Ended.")
    world.idle()
    assert world.answers()[1] == {"signal": "SIGTERM"}
    assert world.calls("session/cancel") == []


def test_a_call_that_cannot_be_stopped_alone_says_what_can(world: World) -> None:
    gate = world.root / "gate"
    world.agent("Bob", [tool(title="Think hard", status="in_progress"), ["gate", str(gate)]])
    world.start()
    world.say("go")
    world.wait_for("Think hard (in progress)")
    to_tool(world)
    world.ex("agentstop")
    assert world.message == "Think hard cannot be stopped alone; :cancel ends the turn"
    gate.touch()
    world.idle()
    world.talk.draw()
    world.ex("agentstop")
    assert world.message == "Think hard is over"


def test_elsewhere_there_is_nothing_to_stop(world: World) -> None:
    world.ex("agentstop")
    assert world.message == "There is no tool call under the cursor"
    world.agent("Bob", [["say", "words"]])
    world.start()
    world.say("go")
    world.wait_for("words")
    world.keys("<Esc><Tab>G")
    world.ex("agentstop")
    assert world.message == "There is no tool call under the cursor"
