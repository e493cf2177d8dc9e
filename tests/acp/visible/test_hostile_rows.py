"""Every row of the hostile agent in the editor: the exact answers on the wire, the exact conversation (CASES A).

What is expected is `rows.jsonl`, one line a row; `stage.py` says what stands in it and prints it as it is now.
"""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tpy.acp.agents.hostile import __main__ as hostile
from tpy.acp.agents.hostile.wire import STARTS, TURNS

_spec = importlib.util.spec_from_file_location("stage", Path(__file__).with_name("stage.py"))
assert _spec is not None
stage = importlib.util.module_from_spec(_spec)
assert _spec.loader is not None
_spec.loader.exec_module(stage)

LINES: dict[str, dict[str, Any]] = stage.lines()
# Their tests are in `test_hostile_care.py`: they take time, a terminal, or more than one look.
ELSEWHERE = {"long-line", "flood", "stops-reading", "terminal-grab", "slow", "interrupts", "same-session"}

# It sleeps for ever after its turn.
DEAF = {"survivor"}


@pytest.fixture
def staged() -> Iterator[list[Any]]:
    """A list to put stages into; they are struck at the end, without a process left."""
    made: list[Any] = []
    yield made
    for one in made:
        one.world.close()


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A directory whose name is so short that no message with it has to be cut."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.parametrize("line", LINES.values(), ids=[f"{line['seen']} {name}" for name, line in LINES.items()])
def test_row_is_answered_and_shown(line: dict[str, Any], short_path: Path, staged: list[Any]) -> None:
    staged.append(stage.make(short_path, line))
    result = stage.played(staged[0], line)
    assert result == {key: value for key, value in line.items() if key not in stage.PLAYED}
    world = staged[0].world
    if result["state"] == "idle" and not line.get("start") and line["row"] not in DEAF:
        world.ex("ask and now behave")
        before = 1 + line["shown"].count(stage.BEHAVES)
        world.until(lambda: world.shown.count(stage.BEHAVES) == before and not world.talk.busy)


def test_every_row_has_its_line() -> None:
    assert hostile.tables()
    assert {line["row"] for line in LINES.values()} | ELSEWHERE == set(TURNS) | set(STARTS)
    for line in LINES.values():
        assert line["seen"] == (STARTS if line.get("start") else TURNS)[line["row"]].seen
