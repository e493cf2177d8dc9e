"""A hundred agents at once, each a process of its own: `:agents` shows them quickly, and typing does not feel them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from agentworld import World

# The smallest agent there is: it answers what it must and streams without end once it is prompted.
LIGHT = """
read line
printf '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentCapabilities":{}}}\\n'
read line
printf '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}\\n'
read line
i=0
while :; do
    i=$((i + 1))
    printf '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":%s}}\\n' \
        '{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"word '$i' and more\\\\n"}}'
    sleep 0.5
done
"""
COUNT = 100


@pytest.fixture
def hundred(world: World) -> World:
    script = world.root / "light.sh"
    script.write_text(LIGHT)
    directory = world.home / ".config" / "turbo-python"
    directory.mkdir(parents=True)
    rows = (f'[[agent]]\nname = "A{n:03}"\ncommand = "sh"\nargs = ["{script}"]\n' for n in range(COUNT))
    (directory / "acp.toml").write_text("".join(rows))
    for entry in world.agents.load().entries:
        if entry.name == "Tutor":
            continue
        world.agents.start(entry)
        world.to_file()
        world.ex("only")
    world.until(lambda: all(talk.session is not None for talk in world.agents.talks))
    return world


def best(times: int, act: Callable[[], object]) -> float:
    found = []
    for _ in range(times):
        began = time.process_time()
        act()
        found.append(time.process_time() - began)
    return min(found)


def test_a_hundred_agents(hundred: World) -> None:
    world = hundred
    assert len(world.agents.talks) == COUNT
    for talk in world.agents.talks:
        talk.submit("go")
    world.until(lambda: all("word 1" in "".join(talk.buffer.lines) for talk in world.agents.talks))

    def listed() -> None:
        world.ex("agents")
        assert world.sees("A003  working")
        assert len(world.editor.buffer.lines) == COUNT
        world.ex("close")

    assert best(3, listed) < 0.1
    world.to_file()
    world.keys("i")

    def typed() -> None:
        world.keys("x")
        assert world.screen

    alone = best(20, typed)
    assert alone < 0.016
    began = time.process_time()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        world.loop.turn(0.05)
    assert time.process_time() - began < 0.5  # two hundred updates that nobody sees
