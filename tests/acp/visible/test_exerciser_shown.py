"""Every command of the Exerciser in the editor: what is shown of each feature of the protocol, and what is answered."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from agentworld import World

from tpy.acp.agents.exerciser.features import ROWS


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    made.editor.extra["run-in-terminal"] = lambda argv, env, cwd: ""
    folder = made.home / ".config" / "turbo-python"
    folder.mkdir(parents=True)
    argv = json.dumps(["-P", "-m", "tpy.acp.agents.exerciser"])
    (folder / "acp.toml").write_text(f'[[agent]]\nname = "Bob"\ncommand = "{sys.executable}"\nargs = {argv}\n')
    (made.project / "exercise.txt").write_text("one\ntwo\n")
    made.start()
    yield made
    made.close()


def turn(world: World, command: str, *answers: str) -> list[str]:
    """One turn, its questions answered by ex commands; the lines that it added."""
    before = len(world.shown) if world.shown != [""] else 0
    world.ex(f"ask {command}")
    for answer in answers:
        world.until(lambda: world.talk.requests)
        if answer.startswith("keys "):
            world.keys(answer.removeprefix("keys "))
        else:
            world.ex(answer)
    world.until(lambda: not world.talk.busy and not world.talk.queue.texts and world.shown[before:])
    world.talk.draw()
    root = str(world.project)
    return [line.replace(root, "PROJECT") for line in world.shown[before:] if line][2:]


LINES = [json.loads(line) for line in Path(__file__).with_name("exerciser.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("line", LINES, ids=[" ".join([line["command"], *line["answers"]]) for line in LINES])
def test_shown(world: World, line: dict[str, Any]) -> None:
    assert turn(world, line["command"], *line["answers"]) == line["shown"]


def test_every_command_has_a_line() -> None:
    special = {"commands", "title", "usage", "mode", "option", "form", "wait"}
    assert {line["command"].split()[0][1:] for line in LINES} | special == set(ROWS)


def test_what_is_told_of_the_session(world: World) -> None:
    session = world.talk.session
    assert session is not None
    turn(world, "/title A good title")
    assert session.title == "A good title"
    turn(world, "/usage")
    assert " tokens" in world.talk.status(world.editor.window)
    turn(world, "/commands")
    assert "memory show" in [command.name for command in world.talk.slash_commands()]
    before = session.mode_id
    turn(world, "/mode")
    assert session.mode_id != before
    turn(world, "/option")
    assert session.config_options is not None


def test_options_are_listed_and_set(world: World) -> None:
    session = world.talk.session
    assert session is not None

    def value(name: str) -> Any:
        return next(option.current_value for option in session.config_options or () if option.id == name)

    assert [option.id for option in session.config_options or ()] == ["mode", "model", "effort", "web"]
    world.ex("agentset model=L2")
    world.until(lambda: value("model") == "l2")
    world.ex("agentset effort=high")
    world.until(lambda: value("effort") == "high")
    world.ex("agentset web")
    world.until(lambda: value("web") is True)


def test_form_is_filled_in_and_sent(world: World) -> None:
    world.ex("ask /form")
    world.until(lambda: world.talk.requests)
    form = next(b for b in world.editor.buffers.values() if b.name.endswith("/form"))
    given = {"Name": "Ann", "Mail": "a@b.c", "Ratio": "0.5", "Colour": "red", "Size": "Large", "Toppings": "a, c"}
    for number, line in enumerate(form.lines):
        value = given.get(line.partition(" (")[0])
        if value is not None:
            form.set_line(number, f"{line.rstrip()} {value}")
    world.ex("agentanswer")
    world.until(lambda: not world.talk.busy)
    sent = {"name": "Ann", "mail": "a@b.c", "count": 3, "ratio": 0.5, "sure": True, "colour": "red", "size": "l"}
    assert f"accept: {sent | {'toppings': ['a', 'c']}}" in world.shown


def test_cancel_marks_the_call_that_is_open(world: World) -> None:
    world.ex("ask /wait")
    world.wait_for("Wait for a cancel (in progress)")
    world.ex("cancel")
    world.until(lambda: not world.talk.busy)
    assert "Wait for a cancel (failed)" in world.shown
    assert world.shown[-1] == "The turn ended: cancelled"
