"""The Tutor's lesson: each step is seen to be done by what reaches the agent, and names only what there is (§13)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import tomli
from tests.agents.conftest import Script, answers, requests, text_of, updates

from tpy.acp.agents.tutor import lessons
from tpy.acp.agents.tutor.agent import Tutor
from tpy.acp.agents.tutor.course import CODE, STEPS, step_text
from tpy.modal.assembly import make_engine
from tpy.modal.registry import commands
from tpy.modal.shipped import shipped_text

Messages = list[dict[str, Any]]
TITLES = [step.title for step in STEPS]


@pytest.fixture
def client(tmp_path: Path) -> Script:
    (tmp_path / "notes.txt").write_text("one\n")
    tutor = Tutor()
    script = Script(tutor)
    tutor._clock = script.clock
    script.hello(cwd=str(tmp_path))
    script.call("session/set_config_option", {"sessionId": script.session, "configId": "pace", "value": "instant"})
    return script


def at(client: Script, title: str) -> None:
    """Go to a step of the lesson."""
    client.prompt(f"/lesson {TITLES.index(title) + 1}")
    client.pass_time(60)


def say(client: Script, text: str, *blocks: dict[str, Any]) -> Messages:
    return client.prompt(text, *blocks) + client.pass_time(60)


def option(client: Script, ask: dict[str, Any], ident: str) -> Messages:
    outcome = {"outcome": {"outcome": "selected", "optionId": ident}}
    return client.answer(ask, outcome) + client.pass_time(60)


def passed(messages: Messages, title: str) -> bool:
    """Whether the step was praised and the next one told."""
    number = TITLES.index(title) + 1
    said = text_of(messages)
    return f"✓ {STEPS[number - 1].praise}" in said and said.endswith(step_text(number + 1))


def hinted(messages: Messages, title: str) -> bool:
    return text_of(messages).startswith(STEPS[TITLES.index(title)].hint)


def resource(path: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": f"file://{path}", "text": "one\n"}}


def write(client: Script) -> str:
    """Have the Tutor change the file; return what it wrote."""
    (read,) = requests(say(client, "/edit notes.txt"))
    (ask,) = requests(client.answer(read, {"content": "one\n"}) + client.pass_time(60))
    (call,) = requests(option(client, ask, "allow"))
    client.answer(call, {})
    client.pass_time(60)
    text: str = call["params"]["content"]
    return text


# Steps that a prompt alone can do: the one that does not, then the one that does.
BY_WORDS = [
    ("The prompt", "one line", "two\nlines"),
    ("Nothing is lost", "something new", "something new"),
    ("The conversation is text", "answer", f"\n{CODE}\n"),
    ("From a file", "what is this?", "what is this?\n\na.py:3\n```\nx\n```"),
    ("Saying no", "a word", 'I refused "Clap my hands": too louda word'),
]


@pytest.mark.parametrize(("title", "wrong", "right"), BY_WORDS, ids=[row[0] for row in BY_WORDS])
def test_words_do_a_step(client: Script, title: str, wrong: str, right: str) -> None:
    at(client, title)
    assert hinted(say(client, wrong), title)
    assert passed(say(client, right), title)


@pytest.mark.parametrize(("ident", "does"), [("allow", True), ("always", True), ("reject", False), ("never", False)])
def test_saying_yes_does_a_step_and_no_does_not(client: Script, ident: str, does: bool) -> None:
    at(client, "Saying yes")
    *_, ask = say(client, "/permission")
    assert passed(option(client, ask, ident), "Saying yes") is does


def test_commands_step_waits_for_a_thought(client: Script) -> None:
    at(client, "Commands")
    assert not passed(say(client, "/plan"), "Commands")
    assert passed(say(client, "/think"), "Commands")


@pytest.mark.parametrize("kind", ["resource", "resource_link"])
def test_a_file_does_a_step(client: Script, tmp_path: Path, kind: str) -> None:
    at(client, "Files")
    assert hinted(say(client, "explain"), "Files")
    link = {"type": "resource_link", "uri": f"file://{tmp_path}/notes.txt", "name": "notes.txt"}
    block = link if kind == "resource_link" else resource(f"{tmp_path}/notes.txt")
    assert passed(say(client, "explain ", block), "Files")


def test_taking_a_change_back_does_a_step(client: Script) -> None:
    at(client, "Changes")
    assert hinted(say(client, "back"), "Changes")
    text = write(client)
    for served, does in ((text, False), ("one\n", True)):
        (read,) = requests(say(client, "back"))
        assert read["method"] == "fs/read_text_file"
        assert passed(client.answer(read, {"content": served}) + client.pass_time(60), "Changes") is does


def test_a_file_that_is_gone_hurts_nothing(client: Script) -> None:
    at(client, "Changes")
    write(client)
    (read,) = requests(say(client, "back"))
    assert hinted(client.refuse(read, -32002, "gone") + client.pass_time(60), "Changes")


def test_a_prompt_that_waited_does_a_step(client: Script) -> None:
    at(client, "Waiting")
    client.pass_time(5)
    assert hinted(say(client, "later"), "Waiting")
    client.prompt("/slow 3")
    client.pass_time(3)
    assert passed(client.prompt("at once") + client.pass_time(60), "Waiting")


@pytest.mark.parametrize("command", ["/slow 60", "/permission", "/form"])
def test_a_cancel_does_a_step(client: Script, command: str) -> None:
    at(client, "Stopping")
    client.prompt(command)
    messages = client.pass_time(2) + client.cancel()
    assert passed(messages, "Stopping")
    assert answers(messages)[-1]["result"] == {"stopReason": "cancelled"}


def test_a_mode_does_a_step_and_is_set_back(client: Script) -> None:
    at(client, "Modes and options")
    assert hinted(say(client, "a word"), "Modes and options")
    client.call("session/set_mode", {"sessionId": client.session, "modeId": "auto"})
    messages = say(client, "a word")
    assert passed(messages, "Modes and options")
    assert updates(messages, "current_mode_update") == [
        {"sessionUpdate": "current_mode_update", "currentModeId": "ask"}
    ]


@pytest.mark.parametrize(("seconds", "does"), [(0.1, True), (3.0, False)])
def test_a_rule_answers_at_once(client: Script, seconds: float, does: bool) -> None:
    at(client, "Rules")
    *_, ask = say(client, "/permission")
    client.clock.now += seconds - 60
    assert passed(option(client, ask, "allow"), "Rules") is does


@pytest.mark.parametrize(("action", "does"), [("accept", True), ("decline", False)])
def test_a_form_does_a_step(client: Script, action: str, does: bool) -> None:
    at(client, "Forms")
    (ask,) = requests(say(client, "/form"))
    result = {"action": action, **({"content": {"name": "Ann"}} if action == "accept" else {})}
    assert passed(client.answer(ask, result) + client.pass_time(60), "Forms") is does


def test_a_command_that_was_run_does_a_step(client: Script) -> None:
    at(client, "Terminals")
    ask = requests(say(client, "/terminal date"))[-1]
    (create,) = requests(option(client, ask, "allow"))
    (wait,) = requests(client.answer(create, {"terminalId": "t1"}))
    (output,) = requests(client.answer(wait, {"exitCode": 0}))
    (release,) = requests(client.answer(output, {"output": "x", "truncated": False}))
    assert passed(client.answer(release, {}) + client.pass_time(60), "Terminals")


def test_lesson_shows_where_it_is_goes_on_and_takes_numbers(client: Script) -> None:
    first = say(client, "/lesson")
    assert text_of(first) == step_text(1)
    assert updates(first, "session_info_update")[0]["title"] == f"lesson 1/{len(STEPS)}"
    assert text_of(say(client, "/lesson")) == step_text(1)
    assert text_of(say(client, "/lesson next")) == step_text(2)
    assert text_of(say(client, "/lesson 99")) == step_text(len(STEPS))
    assert text_of(say(client, "hello")) == lessons.DEFAULT


def test_shows_go_on_working_within_the_lesson(client: Script) -> None:
    at(client, "Rules")
    assert text_of(say(client, "/help")) == lessons.HELP


# What the texts name exists

WORDS = {CODE, "allow agent=Tutor kind=other", "explain @", "explain @:buf", "next", "pace", "auto", "code", "{name}"}
SAID = [lessons.WELCOME, lessons.HELP, lessons.DEFAULT, lessons.MARKDOWN, lessons.THOUGHT, lessons.AFTER_THOUGHT,
        lessons.PERMISSION_INTRO, lessons.EDITED, lessons.NO_CHOICE, lessons.SLOW_INTRO, lessons.SLOW_DONE,
        lessons.FORM, *map(step_text, range(1, len(STEPS) + 1)),
        *(step.praise + step.hint for step in STEPS)]  # fmt: skip


def keys_there_are() -> set[str]:
    """Every key sequence that a keymap binds."""
    found: set[str] = set()
    for name in ("vim.toml", "agent.toml"):
        todo: list[Any] = [tomli.loads(shipped_text(name))]
        while todo:
            for key, value in todo.pop().items():
                found.add(key)
                if isinstance(value, dict):
                    todo.append(value)
    return found


def named() -> list[str]:
    fences = re.compile(r"```.*?```", re.DOTALL)
    return sorted({word for text in SAID for word in re.findall(r"`([^`\n]+)`", fences.sub("", text))})


@pytest.mark.parametrize("word", named())
def test_texts_name_only_what_there_is(word: str) -> None:
    make_engine()
    keys = keys_there_are()
    if word.startswith(":") and len(word) > 1:
        name = re.match(r":(?:\.|'<,'>)?([a-z]+)", word)
        assert name is not None
        assert any(row.name == name[1] or row.notation.partition("[")[0] == name[1] for row in commands)
    elif word.startswith("/") and len(word) > 1:
        assert any(command[0].startswith(re.split(r"\W", word[1:])[0]) for command in lessons.COMMANDS)
    elif word.startswith("@"):
        assert word in ("@", "@:buf", "@:sel", "@:diff", "@:qf")
    elif word in ("gbip", "yif", "dd", "yy"):
        operator, rest = word[:-2] or word[0], word[-2:]
        assert operator in keys
        assert rest in keys or rest[0] == rest[1] == operator
    elif word.startswith("<"):
        assert word in keys | {"<Esc>", "<CR>"}
    else:
        assert word in keys | WORDS, word
