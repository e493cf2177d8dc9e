"""AGENTS §10, row by row: forms and addresses, trust in a project's agents, control characters."""

from __future__ import annotations

import json
from typing import Any

import asking
import pytest
from agentworld import World

FORM = {
    "sessionId": "$SID",
    "mode": "form",
    "message": "Who are you?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name", "minLength": 2, "maxLength": 9},
            "age": {"type": "integer", "minimum": 1, "default": 30},
            "size": {"type": "number", "maximum": 2.5},
            "colour": {"type": "string", "enum": ["red", "green"]},
            "news": {"type": "boolean", "default": True},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}},
        },
        "required": ["name"],
    },
}
URL = "https://xn--80ak6aa92e.com/login?x=1"
ADDRESS = {"sessionId": "$SID", "mode": "url", "message": "Log in", "elicitationId": "e1", "url": URL}


def asked(world: World, params: dict[str, Any], *more: list[Any]) -> World:
    return asking.asked(world, ["req", "elicitation/create", params], *more)


def test_s10_form_is_a_buffer_with_a_field_a_line(world: World) -> None:
    asked(world, FORM)
    for row in (
        "# Bob asks: Who are you?",
        "Name (text, 2–9 characters, required):",
        "age (whole number, 1–): 30",
        "size (number, –2.5):",
        "colour (one of: red | green):",
        "news (yes or no): yes",
        "tags (any of: a | b | c):",
    ):
        assert row in world.screen, "\n".join([row, *world.screen])
    assert world.editor.buffer.name == "agent://Bob/prompt"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("Name", "", "Name: a value is required"),
        ("Name", "A", "Name: "),
        ("Name", "A" * 10, "Name: "),
        ("age", "old", "age: it must be a whole number"),
        ("age", "0", "age: "),
        ("size", "3", "size: "),
        ("colour", "blue", "colour: it must be one of: red | green"),
        ("news", "perhaps", "news: it must be yes or no"),
        ("tags", "a, d", "tags: "),
    ],
)
def test_s10_agentanswer_checks_each_field(world: World, field: str, value: str, said: str) -> None:
    asked(world, FORM)
    world.keys("<Esc>")
    while world.editor.buffer.name != "agent://Bob/form":
        world.keys("<C-w>w")
    if field != "Name":
        world.keys("/Name<CR>A Ada<Esc>")
    world.keys(f"/^{field} <CR>f)lC: {value}<Esc>")
    world.ex("agentanswer")
    assert world.sees(said)
    assert world.answers() == []


def test_s10_writing_a_form_that_is_not_filled_in_keeps_it(world: World) -> None:
    asked(world, FORM)
    world.keys("<Esc>")
    while world.editor.buffer.name != "agent://Bob/form":
        world.keys("<C-w>w")
    world.ex("wq")
    assert world.sees("Name: a value is required")
    assert world.editor.buffer.name == "agent://Bob/form"
    assert not world.answers()


@pytest.mark.parametrize("send", ["agentanswer", "w", "wq", "x"])
def test_s10_agentanswer_or_writing_sends_the_values(world: World, send: str) -> None:
    asked(world, FORM)
    windows = len(world.editor.windows())
    world.keys("<Esc>")
    while world.editor.buffer.name != "agent://Bob/form":
        world.keys("<C-w>w")
    world.keys("/Name<CR>A Ada<Esc>/colour<CR>A Green<Esc>/size<CR>A 1.5<Esc>/tags<CR>A a, c<Esc>")
    world.ex(send)
    world.wait_for("finished")
    assert len(world.editor.windows()) == windows - 1
    content = {"name": "Ada", "age": 30, "size": 1.5, "colour": "green", "news": True, "tags": ["a", "c"]}
    assert world.answers() == [{"action": "accept", "content": content}]
    assert not world.sees("# Bob asks")


@pytest.mark.parametrize(
    ("keys", "action"),
    [(":agentdecline<CR>", "decline"), (":deny<CR>", "decline"), (":cancel<CR>", "cancel"), ("close", "cancel")],
)
def test_s10_declining_closing_and_cancelling_a_form(world: World, keys: str, action: str) -> None:
    asked(world, FORM)
    world.keys("<Esc>")
    if keys == "close":
        while world.editor.buffer.name != "agent://Bob/form":
            world.keys("<C-w>w")
        keys = ":q<CR>"
    world.keys(keys)
    world.until(world.answers)
    assert world.answers() == [{"action": action}]
    assert not world.sees("# Bob asks")


def test_s10_url_is_shown_whole_with_its_host_and_opened_only_by_agentanswer(world: World) -> None:
    opened: list[str] = []
    world.editor.extra["open-url"] = opened.append
    asked(world, ADDRESS)
    assert world.sees(URL)
    assert world.sees("# host: xn--80ak6aa92e.com (CAUTION")
    world.keys("<Esc><Tab>]a")
    assert opened == []
    world.ex("agentanswer")
    world.wait_for("finished")
    assert opened == [URL]
    assert world.answers() == [{"action": "accept"}]


def test_s10_url_that_is_declined_is_not_opened(world: World) -> None:
    opened: list[str] = []
    world.editor.extra["open-url"] = opened.append
    asked(world, ADDRESS)
    world.ex("agentdecline")
    world.wait_for("finished")
    assert opened == []
    assert world.answers() == [{"action": "decline"}]


# Trust


def project_agent(world: World, **more: Any) -> None:
    world.agent("Eve", [], user=False)
    if more:
        path = world.project / ".turbo-python" / "acp.toml"
        path.write_text(path.read_text() + "".join(f"{key} = {json.dumps(value)}\n" for key, value in more.items()))


def test_s10_project_entry_starts_only_after_yes_and_that_is_kept(world: World) -> None:
    project_agent(world)
    world.ex("agent Eve")
    assert world.sees("This project's file wants to run: ")
    assert "scripted_agent.py" in "".join(world.screen)
    world.keys("n")
    assert world.sees("Eve is not started")
    assert world.sent == []
    world.ex("agent Eve")
    world.keys("y")
    world.see("Eve  idle")
    world.ex("agentclose")
    world.until(lambda: not world.agents.talks)
    world.ex("agent Eve")
    world.see("Eve  idle")
    assert len(world.calls("initialize")) == 2


@pytest.mark.parametrize("changed", [{"cwd": "/"}, {"args": ["-c", "pass"]}, {"command": "/bin/sh"}, {"env": 1}])
def test_s10_changed_entry_is_asked_about_again(world: World, changed: dict[str, Any]) -> None:
    project_agent(world)
    world.ex("agent Eve")
    world.keys("y")
    world.see("Eve  idle")
    world.ex("agentclose")
    world.until(lambda: not world.agents.talks)
    path = world.project / ".turbo-python" / "acp.toml"
    (key, value), *_ = changed.items()
    rows = [row for row in path.read_text().splitlines() if not row.startswith(f"{key} =")]
    rows.append('env = { A = "b" }' if key == "env" else f"{key} = {json.dumps(value)}")
    path.write_text("\n".join(rows) + "\n")
    world.ex("agent Eve")
    assert "Startit(y/n)?" in "".join(world.screen).replace(" ", "")
    world.keys("n")


def test_s10_completion_listing_and_checking_start_nothing(world: World) -> None:
    project_agent(world)
    world.keys(":agent E<Tab><Esc>")
    world.ex("agent")
    assert world.sees("(asks first: from this project's file)")
    world.ex("agentstatus")
    assert world.sees("not trusted yet: its first start asks")
    world.ex("agenthealth")
    world.until(lambda: world.editor.buffer.lines[-1] == "done")
    assert any("not trusted" in line for line in world.editor.buffer.lines)
    world.loop.run_until(lambda: False, 0.1)
    assert world.sent == []


def test_s10_entry_that_our_own_init_wrote_is_approved(world: World) -> None:
    program = world.root / "bin" / "opencode"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nsleep 5\n")
    program.chmod(0o755)
    world.environ["PATH"] += f":{program.parent}"
    world.ex("agentinit opencode")
    world.ex("agent")
    row = next(row for row in world.screen if row.strip().lower().startswith("opencode"))
    assert "asks first" not in row


def test_s10_control_characters_are_made_visible(world: World) -> None:
    evil = "\x1b[31mred\x07 \u202e \x9b5n"
    option = {"optionId": "y", "name": evil, "kind": "allow_once"}
    call = {"toolCallId": "t", "title": evil}
    request = {"sessionId": "$SID", "toolCall": call, "options": [option]}
    world.agent("Bob", [["say", evil], ["req", "session/request_permission", request]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    frame = world.renderer.frame(*world.size)
    for row in frame.rows:
        assert not any(ord(char) < 32 or 127 <= ord(char) < 160 or char == "\u202e" for char in row.text)
    assert world.sees("^[[31mred^G")
    assert world.sees("Bob asks: ^[[31mred^G")
