"""What agents flood the window with leaves it whole and quick. AGENTS §7, §10; CASES A-38, A-39."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from agentworld import World

from tpy.modal.text.width import column_of

ALL_CONTROLS = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x200B, 0xFEFF, 0xD800)))
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"


def tool(number: int, **fields: Any) -> list[Any]:
    return ["upd", {"sessionUpdate": "tool_call", "toolCallId": f"t{number}", "title": f"Run {number}", **fields}]


def output(text: str) -> dict[str, Any]:
    return {"content": [{"type": "content", "content": {"type": "text", "text": text}}]}


def plan(number: int) -> list[Any]:
    steps = [{"content": f"step {at} of {number}", "priority": "low", "status": "pending"} for at in range(20)]
    return ["upd", {"sessionUpdate": "plan", "entries": steps}]


def flooded(world: World, *steps: list[Any]) -> None:
    """Have an agent do the steps and then say that it is done, while the loop runs as it does for an editor."""
    world.agent("Bob", [*steps, ["say", "\n\nTHE END"]])
    world.start()
    world.say("go")
    world.wait_for("THE END")
    world.idle()


def whole(world: World) -> None:
    """Every row of the screen fits and shows nothing that could move the cursor; the windows are all there."""
    columns, rows = world.size
    frame = world.renderer.frame(columns, rows)
    assert len(frame.rows) == rows
    for row in frame.rows:
        assert column_of(row.text, len(row.text), 8) <= columns
        assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in row.text)
        assert not any(char in row.text for char in "\u202e\u2066\u2028\u200b\ufeff")
    assert any(row.startswith("Bob") and "  idle" in row for row in world.screen)
    assert world.sees("prompt for Bob")


def quick(act: Callable[[], object], seconds: float = 0.05) -> None:
    """The best of several is fast enough, however busy the machine is."""
    best = 9.0
    for _ in range(5):
        began = time.process_time()
        act()
        best = min(best, time.process_time() - began)
    assert best < seconds, best


def typing_is_quick(world: World) -> None:
    def type_and_draw() -> None:
        world.keys("x")
        world.renderer.frame(*world.size)

    world.keys("" if world.engine.insert.active else "i")
    quick(type_and_draw)
    world.keys("<Esc><Tab>G")
    quick(lambda: (world.keys("k"), world.renderer.frame(*world.size)))
    quick(lambda: (world.keys("gg"), world.renderer.frame(*world.size), world.keys("G")), 0.1)


STORM = [["say", ALL_CONTROLS * 20 + "\n"], ["think", "\x1b]52;c;eA==\x07\x1b[2J" * 500], ["say", "\r" * 5000]]
FLOODS: dict[str, list[list[Any]]] = {
    "control characters": STORM,
    "10 MB of output in lines": [tool(1, status="completed", **output("0123456789abcde\n" * 655_360))],
    "10 MB of output in one line": [tool(1, status="completed", **output("x" * 10_485_760))],
    "10 MB of wide output": [tool(1, status="completed", **output("漢字かな交じり文\n" * 400_000))],
    "2000 tool calls": [tool(number, kind="read", status="completed", **output("ok")) for number in range(2000)],
    "a title of 10,000 characters": [
        [*tool(1)[:1], {**tool(1)[1], "status": "failed", "title": "long \x1b[1m title\n" * 600}],
        ["upd", {"sessionUpdate": "session_info_update", "title": "session " * 1250}],
    ],
    "a plan that changes": [plan(number) for number in range(300)],
    "bidi and emoji": [
        ["say", "שלום עולם \u202eevil\u202c مرحبا 👍🏽 🇩🇪 ❤️ e\u0301\u0301\u0301 " + FAMILY + "\n"],
        ["say", (FAMILY + "👍🏽") * 300 + "\n"],
        ["say", "a" + "\u0301" * 3000 + "\n"],
    ],
}


@pytest.mark.parametrize("name", FLOODS)
def test_what_floods_the_window_leaves_it_whole_and_quick(world: World, name: str) -> None:
    flooded(world, *FLOODS[name])
    whole(world)
    typing_is_quick(world)
    whole(world)
    if name.startswith("10 MB"):
        assert world.shows("bytes more were not kept: one entry holds at most 1 MiB]")
        assert sum(map(len, world.shown)) < 1_100_000


def test_2000_tool_calls_are_all_there(world: World) -> None:
    flooded(world, *FLOODS["2000 tool calls"])
    assert sum(line.startswith("read: Run ") for line in world.shown) == 2000


def test_a_plan_that_changes_is_one_plan(world: World) -> None:
    flooded(world, *FLOODS["a plan that changes"])
    assert [line for line in world.shown if line.startswith("[ ]")] == [f"[ ] step {at} of 299" for at in range(20)]
