"""AGENTS §10: requests, keys inside a block, rules, forms, trust. CASES A-23 … A-25."""

from __future__ import annotations

from typing import Any

import pytest
from agentworld import World
from asking import OPTIONS, ask, asked


def outcome(world: World) -> Any:
    world.wait_for("finished")
    world.idle()
    return world.answers()[0]["outcome"]


def chosen(option: str) -> dict[str, str]:
    return {"outcome": "selected", "optionId": option}


@pytest.mark.parametrize(
    ("key", "option"), [("y", "y"), ("Y", "Y"), ("n", "n1"), ("N", "n2"), ("2", "n2"), ("<Esc>", "n1")]
)
def test_a23_keys_inside_the_block_answer(world: World, key: str, option: str) -> None:
    asked(world, ask())
    world.keys(f"<Esc><Tab>]a{key}")
    assert outcome(world) == chosen(option)
    assert world.calls("session/cancel") == []


@pytest.mark.parametrize("window", [0, 1, 2], ids=["file", "conversation", "prompt"])
def test_bracket_a_goes_to_the_request_from_any_window(world: World, window: int) -> None:
    asked(world, ask())
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[window])
    world.keys("]a")
    assert world.engine.mode == "n"
    assert world.editor.buffer is world.talk.buffer
    assert world.shown[world.editor.window.cursor.line] == "Bob asks: Run"
    world.keys("y")
    assert outcome(world) == chosen("y")


def test_bracket_a_shows_a_conversation_that_is_hidden(world: World) -> None:
    asked(world, ask())
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("only")
    world.keys("]ay")
    assert outcome(world) == chosen("y")


@pytest.mark.parametrize("window", [0, 1, 2], ids=["file", "conversation", "prompt"])
def test_bracket_a_says_that_no_request_is_waiting(world: World, window: int) -> None:
    world.agent("Bob", [["say", "finished"]])
    world.start()
    world.say("go")
    world.idle()
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[window])
    world.keys("]a")
    assert world.message == "No request is waiting"


@pytest.mark.parametrize(
    ("line", "option"),
    [("allow", "y"), ("deny", "n1"), ("allow Always", "Y"), ("allow 2", "n2"), ("deny not now", "n1")],
)
def test_commands_answer_from_anywhere(world: World, line: str, option: str) -> None:
    asked(world, ask())
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex(line)
    assert outcome(world) == chosen(option)


DIFF = {"type": "diff", "path": "/x/a.txt", "oldText": "one\n", "newText": "two\n"}


def test_diff_of_a_call_that_asks_is_shown_once(world: World) -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Edit", "kind": "edit", "content": [DIFF]}
    over = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed", "content": [DIFF]}
    asked(world, ["upd", call], ask("Edit", kind="edit", content=[DIFF]), ["upd", over])
    assert world.shown.count("+two") == 1
    assert world.shown.index("Bob asks: Edit") < world.shown.index("+two")
    world.ex("allow")
    assert outcome(world) == chosen("y")
    assert world.shown.count("+two") == 1
    assert "edit: Edit (completed)" in world.shown


def test_other_diff_of_a_call_that_asked_is_shown(world: World) -> None:
    other = {**DIFF, "newText": "three\n"}
    over = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "status": "completed", "content": [other]}
    asked(world, ask("Edit", kind="edit", content=[DIFF]), ["upd", over])
    world.ex("allow")
    world.wait_for("+three")
    assert world.shown.count("+two") == 1


def test_reason_of_a_refusal_is_told_with_the_next_prompt(world: World) -> None:
    world.agent("Bob", [ask(), ["say", "finished"]], [["say", "second"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("deny use make instead")
    world.wait_for("finished")
    world.idle()
    world.keys("i")
    world.say("again")
    world.wait_for("second")
    blocks = world.calls("session/prompt")[1]["prompt"]
    assert [block["text"] for block in blocks] == ['I refused "Run": use make instead', "again"]


def test_a25_keys_meant_for_text_do_not_answer(world: World) -> None:
    buffer = world.open("a.txt", b"\n")
    gate = world.root / "gate"
    world.agent("Bob", [["say", "ready"], ["gate", str(gate)], ask(), ["say", "finished"]])
    world.start()
    world.say("go")
    world.wait_for("ready")
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.keys("iyes, yes")
    gate.touch()
    world.until(lambda: world.talk.requests)
    world.keys(", y<CR>y")
    assert buffer.lines[:2] == ["yes, yes, y", "y"]
    assert world.talk.requests
    assert world.answers() == []
    world.ex("allow")
    assert outcome(world) == chosen("y")


def test_keys_in_the_conversation_outside_the_block_keep_their_meaning(world: World) -> None:
    asked(world, ask())
    world.keys("<Esc><Tab>ggyj")
    assert world.answers() == []
    register = world.editor.registers.get('"')
    assert register is not None
    assert register.text().startswith("You\n")


def test_following_cursor_is_not_in_the_block(world: World) -> None:
    asked(world, ask())
    world.keys("<Esc><Tab>y")
    assert world.answers() == []
    assert world.talk.requests


def test_cancelling_the_turn_answers_cancelled_once(world: World) -> None:
    world.agent("Bob", [ask(), ["cancelled"], ["end", "cancelled"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("cancel")
    world.idle()
    assert world.answers() == [{"outcome": {"outcome": "cancelled"}}]
    assert not world.talk.requests
    assert any("cancelled" in line for line in world.shown)
    world.ex("allow")
    assert world.message == "No request is waiting"


def test_closing_the_window_answers_cancelled(world: World) -> None:
    asked(world, ask())
    talk = world.talk
    world.ex("q!")
    world.until(lambda: talk.gone)
    assert {"outcome": {"outcome": "cancelled"}} in world.answers()


def test_diff_is_shown_before_the_answer(world: World) -> None:
    diff = {"type": "diff", "path": f"{world.project}/a.py", "oldText": "a\nb\n", "newText": "a\nc\n"}
    asked(world, ask(content=[diff]))
    block = world.shown[world.shown.index("Bob asks: Run") :]
    assert block[:6] == ["Bob asks: Run", "a.py", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]


def test_several_requests_are_answered_oldest_first(world: World) -> None:
    first, second = ask("One"), ask("Two")
    world.agent("Bob", [["send", *first[1:]], ["send", *second[1:]], ["wait"], ["say", "finished"]])
    world.start()
    world.say("go")
    world.until(lambda: len(world.talk.requests) == 2)
    world.ex("allow")
    assert world.message == "Bob asks: Two (:allow / :deny)"
    world.ex("deny")
    world.wait_for("finished")
    assert [answer["outcome"] for answer in world.answers()] == [chosen("y"), chosen("n1")]


def test_allow_rule_answers_allow_once_and_asks_where_there_is_none(world: World) -> None:
    world.agent("Bob", [ask(kind="read"), ask(kind="read", options=OPTIONS[:2]), ["say", "finished"]])
    world.ex("agentpermissions")
    world.keys("Goallow kind=read<Esc>")
    assert [str(rule) for rule in world.agents.rules] == ["allow kind='read'"]
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    assert world.answers() == [{"outcome": chosen("y")}]
    world.ex("deny")
    world.wait_for("finished")


def test_rule_is_applied_to_requests_that_wait_and_kept_over_restarts(world: World) -> None:
    asked(world, ask(kind="execute", rawInput={"command": "make test"}))
    world.ex("agentpermissions")
    world.keys("Goallow command='make *'<Esc>")
    assert outcome(world) == chosen("y")
    assert any("by a rule of yours" in line for line in world.shown)
    kept = world.home / ".local" / "state" / "turbo-python" / "permissions.json"
    assert kept.stat().st_mode & 0o777 == 0o600


FORM = {
    "sessionId": "$SID",
    "mode": "form",
    "message": "Who are you?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name", "minLength": 2},
            "age": {"type": "integer", "minimum": 1, "default": 30},
            "colour": {"type": "string", "enum": ["red", "green"]},
            "news": {"type": "boolean", "default": True},
            "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}},
        },
        "required": ["name"],
    },
}


def form(world: World) -> list[str]:
    buffer = world.editor.buffer_named("agent://Bob/form")
    assert buffer is not None
    return buffer.lines


def test_form_is_a_buffer_checked_and_sent(world: World) -> None:
    asked(world, ["req", "elicitation/create", FORM])
    assert form(world)[0] == "# Bob asks: Who are you?"
    assert form(world)[2:] == [
        "Name (text, 2– characters, required):",
        "age (whole number, 1–): 30",
        "colour (one of: red | green):",
        "news (yes or no): yes",
        "tags (any of: a | b | c):",
    ]
    world.ex("agentanswer")
    assert world.message == "Name: a value is required"
    buffer = world.editor.buffer_named("agent://Bob/form")
    assert buffer is not None
    for number, value in ((2, "Ada"), (4, "Green"), (6, "a, c")):
        buffer.set_line(number, f"{buffer.lines[number]} {value}")
    world.ex("agentanswer")
    world.wait_for("finished")
    content = {"name": "Ada", "age": 30, "colour": "green", "news": True, "tags": ["a", "c"]}
    assert world.answers() == [{"action": "accept", "content": content}]
    assert world.editor.buffer_named("agent://Bob/form") is None


@pytest.mark.parametrize(("line", "action"), [("agentdecline", "decline"), ("deny", "decline")])
def test_form_can_be_declined(world: World, line: str, action: str) -> None:
    asked(world, ["req", "elicitation/create", FORM])
    world.ex(line)
    world.wait_for("finished")
    assert world.answers() == [{"action": action}]


def test_cancelling_the_turn_cancels_the_form(world: World) -> None:
    world.agent("Bob", [["req", "elicitation/create", FORM], ["cancelled"], ["end", "cancelled"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("cancel")
    world.idle()
    assert world.answers() == [{"action": "cancel"}]
    assert world.editor.buffer_named("agent://Bob/form") is None


def test_entry_of_a_project_file_is_started_only_after_yes(world: World) -> None:
    world.agent("Eve", [], user=False)
    world.ex("agent Eve")
    question = world.engine.prompt.text if world.engine.prompt is not None else ""
    assert "scripted_agent.py" in question
    assert not world.agents.talks
    world.keys("n")
    assert not world.agents.talks
    world.ex("agent Eve")
    world.keys("y")
    world.until(lambda: world.talk.session is not None)
    world.keys("<Esc>")
    world.ex("agentclose")
    world.until(lambda: not world.agents.talks)
    world.ex("agent Eve")
    world.until(lambda: world.talk.session is not None)
