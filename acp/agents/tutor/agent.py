"""The Tutor itself: which prompt leads to which show, and the shows, written as turns.

Not here: its texts (`lessons.py`), the change it makes to a file (`remark.py`), the protocol (`serve.py`).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from typing import Any

from tpy.acp import schema
from tpy.acp.agent import Agent, Work
from tpy.acp.agents.tutor import lessons, remark
from tpy.acp.agents.tutor.course import AT_ONCE, STEPS, Course, step_text
from tpy.acp.jsonrpc import RpcError
from tpy.acp.turn import (
    ALLOW_OPTIONS,
    Cancelled,
    Json,
    NotOffered,
    Session,
    Turn,
    diff_content,
    location,
    terminal_content,
    text_content,
)

_PACES = {"instant": 0.0, "natural": 0.02, "slow": 0.15}

_EDITING = r"edit|edits|change|improve|fix|modify|update|rewrite|write|add"
_LONGEST_COUNT = 600


class Tutor(Agent):
    """The agent that is always there."""

    name, title, version = "tutor", "Tutor", "1"
    prompt_kinds = frozenset({"resource"})

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock

    def open_session(self, session: Session) -> None:
        """Offer commands, two modes, and the pace."""
        session.data = {"met": False, "course": Course(), "allowed": set(), "clock": self._clock}
        session.modes = [
            {"id": "ask", "name": "Ask", "description": "Asks before every change"},
            {"id": "auto", "name": "Auto", "description": "Changes files without asking"},
        ]
        session.mode = "ask"
        paces = [{"value": pace, "name": pace.capitalize()} for pace in _PACES]
        session.options = [
            {
                "id": "pace",
                "name": "Pace",
                "description": "How fast I talk",
                "type": "select",
                "currentValue": "natural",
                "options": paces,
            }
        ]
        session.commands = [
            {"name": name, "description": about} | ({"input": {"hint": hint}} if hint else {})
            for name, about, hint in lessons.COMMANDS
        ]

    def prompt(self, turn: Turn) -> Work:
        """Do what the prompt asks for, and see whether it was what the lesson waits for."""
        course: Course = turn.session.data["course"]
        facts = {type_ for block in turn.prompt if isinstance(type_ := schema_kind(block), str)}
        course.begin(turn.text, facts | {turn.session.mode or ""}, self._clock())
        try:
            yield from _look_for_undo(turn, course)
            words = not turn.text.startswith("/")
            if not (words and course.passed):
                show, argument = choose(turn)
                if course.running and show in (talk, welcome):
                    yield from tell(turn, course.hint)
                else:
                    yield from show(turn, argument)
        except Cancelled:
            course.facts.add("cancelled")
            turn.say(lessons.STOPPED)
        except NotOffered as missing:
            yield from tell(turn, lessons.NOT_OFFERED.format(what=str(missing).rsplit(" ", 1)[-1]))
        if course.passed:
            yield from _go_on(turn, course)
        course.end(self._clock())
        turn.session.data["met"] = True


def schema_kind(block: Any) -> str | None:
    """The fact that a block of a prompt is for the lesson: "resource" or "resource_link"."""
    if isinstance(block, schema.EmbeddedResource):
        return "resource"
    return "resource_link" if isinstance(block, schema.ResourceLink) else None


def _go_on(turn: Turn, course: Course) -> Work:
    """Praise, and say the next step; after a cancel all at once, since the turn is over."""
    if course.waits_for("auto"):
        turn.session.set_mode("ask")
    cancelled = "cancelled" in course.facts
    text = course.advance()
    turn.session.set_title(f"lesson {course.at}/{len(STEPS)}")
    if cancelled:
        turn.say("\n" + text)
    else:
        turn.end_message()
        yield from tell(turn, text)


def _look_for_undo(turn: Turn, course: Course) -> Work:
    """Find out whether the user has taken back what was written last, where the lesson waits for that."""
    if course.waits_for("undone") and course.written is not None and turn.client.has("fs", "readTextFile"):
        path, new = course.written
        line = re.search(re.escape(remark.MARK) + r" \(edit \d+\)", new)
        try:
            text = yield turn.read_text_file(path)
        except RpcError:
            return
        if line is not None and line[0] not in text:
            course.facts.add("undone")


Show = Callable[[Turn, str], Work]


def choose(turn: Turn) -> tuple[Show, str]:
    """The show a prompt asks for, by command or by a word in it, and the argument."""
    text = turn.text.strip()
    command = re.match(r"/(\w+)\s*(.*)", text, re.DOTALL)
    if command and command[1] in _SHOWS:
        return _SHOWS[command[1]], command[2].strip()
    lower = text.lower()
    if re.search(rf"\b(?:{_EDITING})\b", lower):
        return edit, ""
    for name in ("slow", "lesson", "permission", "plan", "terminal", "think", "markdown", "form", "help"):
        if re.search(rf"\b{name}", lower):
            number = re.search(r"\d+", lower)
            return _SHOWS[name], number[0] if number and name in ("slow", "lesson") else ""
    if remark.mentioned_file(turn.prompt, turn.session.cwd):
        return describe, ""
    return (talk if turn.session.data["met"] else welcome), ""


def tell(turn: Turn, text: str) -> Work:
    """Stream a text word by word at the session's pace."""
    pace = _PACES[turn.session.option("pace")["currentValue"]]
    for piece in re.findall(r"\s*\S+\s*", text):
        turn.say(piece)
        yield turn.sleep(pace)


# --- shows ----------------------------------------------------------------------------------------------


def welcome(turn: Turn, argument: str) -> Work:
    """The first words."""
    yield from tell(turn, lessons.WELCOME)


def talk(turn: Turn, argument: str) -> Work:
    """The answer to what no show is for."""
    yield from tell(turn, lessons.DEFAULT)


def help_(turn: Turn, argument: str) -> Work:
    """List the commands."""
    yield from tell(turn, lessons.HELP)


def lesson(turn: Turn, argument: str) -> Work:
    """The step of that number, with `next` the one after, else the one that waits."""
    course: Course = turn.session.data["course"]
    course.go(argument)
    turn.session.set_title(f"lesson {course.at}/{len(STEPS)}")
    yield from tell(turn, step_text(course.at))


def markdown(turn: Turn, argument: str) -> Work:
    """What an answer may hold. Streamed by lines, so that the table and the fence stay as they are."""
    pace = _PACES[turn.session.option("pace")["currentValue"]]
    for line in lessons.MARKDOWN.splitlines(keepends=True):
        turn.say(line)
        yield turn.sleep(pace * 5)


def think(turn: Turn, argument: str) -> Work:
    """A thought, then an answer."""
    pace = _PACES[turn.session.option("pace")["currentValue"]]
    for piece in re.findall(r"\S+\s*", lessons.THOUGHT):
        turn.think(piece)
        yield turn.sleep(pace)
    yield from tell(turn, lessons.AFTER_THOUGHT)
    turn.session.data["course"].facts.add("think")


def plan(turn: Turn, argument: str) -> Work:
    """A plan whose steps get done."""
    pace = _PACES[turn.session.option("pace")["currentValue"]]
    for done in range(len(lessons.PLAN) + 1):
        states = ["completed"] * done + ["in_progress"] + ["pending"] * len(lessons.PLAN)
        turn.plan(list(zip(lessons.PLAN, states, strict=False)))
        yield turn.sleep(pace * 20)
    yield from tell(turn, lessons.AFTER_PLAN)


def permission(turn: Turn, argument: str) -> Work:
    """A question nothing hangs on, with an option of every kind."""
    yield from tell(turn, lessons.PERMISSION_INTRO)
    call = turn.tool_call("Clap my hands", "other", rawInput={"times": 3})
    never: Json = {"optionId": "never", "name": "Never", "kind": "reject_always"}
    clock, facts = turn.session.data["clock"], turn.session.data["course"].facts
    asked = clock()
    answer = yield turn.ask_permission(call, [*ALLOW_OPTIONS, never])
    facts.add(answer.kind)
    if answer.allowed and clock() - asked < AT_ONCE:
        facts.add("at once")
    if answer.allowed:
        call.complete(text_content("Clap, clap, clap."))
    else:
        call.fail(text_content("Not done."))
    yield from tell(turn, lessons.ANSWERS[answer.kind])


def slow(turn: Turn, argument: str) -> Work:
    """Count the seconds."""
    total = min(max(int(argument[:6]), 1), _LONGEST_COUNT) if argument[:6].isdecimal() else 10
    yield from tell(turn, lessons.SLOW_INTRO.format(total=total))
    call = turn.tool_call(f"Count to {total}", "other", status="in_progress")
    count = 0
    try:
        while count < total:
            yield turn.sleep(1)
            count += 1
            turn.say(f"{count} ")
    except Cancelled:
        call.fail(text_content(f"Cancelled at {count}."))
        turn.session.data["course"].facts.add("cancelled")
        turn.say("\n\n" + lessons.STOPPED_SLOW.format(count=count, total=total))
        return
    call.complete(text_content(f"Counted to {total}."))
    yield from tell(turn, lessons.SLOW_DONE)


def terminal(turn: Turn, argument: str) -> Work:
    """Run a command in a terminal of the client."""
    turn.client.need("terminal")
    line = argument or "echo 'Hello from a terminal of your editor.'; pwd"
    call = turn.tool_call(f"Run {line}", "execute", rawInput={"command": line})
    if not (yield from approved(turn, call, "execute")):
        call.fail(text_content("Denied."))
        yield from tell(turn, lessons.TERMINAL_DENIED)
        return
    try:
        ident = yield turn.create_terminal("sh", ["-c", line], cwd=turn.session.cwd)
        call.update(status="in_progress", content=[terminal_content(ident)])
        ended = yield turn.wait_for_exit(ident)
        status = ended.get("exitCode")
        said = f"status {status}" if isinstance(status, int) else str(ended.get("signal") or "an unknown status")
        yield turn.terminal_output(ident)
        yield turn.release_terminal(ident)
    except RpcError as error:
        call.fail(text_content(str(error)))
        yield from tell(turn, lessons.FAILED.format(why=error))
        return
    (call.complete if status == 0 else call.fail)()
    turn.session.data["course"].facts.add("terminal")
    yield from tell(turn, lessons.TERMINAL_DONE.format(status=said))


def form(turn: Turn, argument: str) -> Work:
    """A form with one field of each common kind."""
    schema = {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Your name", "maxLength": 40},
            "keys": {"type": "integer", "title": "Keys you know", "minimum": 0, "maximum": 999, "default": 10},
            "more": {"type": "boolean", "title": "Do you want more lessons?", "default": True},
        },
        "required": ["name"],
    }
    action, content = yield turn.ask_form(lessons.FORM, schema)
    if action == "accept":
        answers = ", ".join(f"{key} = {value}" for key, value in content.items())
        turn.session.data["course"].facts.add("form")
        yield from tell(turn, lessons.FORM_DONE.format(answers=answers or "nothing"))
    else:
        yield from tell(turn, lessons.FORM_DECLINED)


# --- files ----------------------------------------------------------------------------------------------


def target(turn: Turn, argument: str) -> str | None:
    """The file to work on: one the prompt names, the argument, else the only one that can be meant."""
    cwd = turn.session.cwd
    named = remark.mentioned_file(turn.prompt, cwd) or remark.unseen_file(turn.prompt, cwd)
    if named is None and argument:
        return os.path.normpath(os.path.join(cwd, argument.strip('@"')))
    return named or remark.only_candidate(cwd)


def edit(turn: Turn, argument: str) -> Work:
    """Read a file, propose a change, ask, write it: all through the client."""
    path = target(turn, argument)
    if path is None:
        yield from tell(turn, lessons.NO_CHOICE)
        return
    name = os.path.relpath(path, turn.session.cwd)
    turn.client.need("fs", "readTextFile")
    turn.client.need("fs", "writeTextFile")
    turn.think(f"The file is {name}. I read it first, since it may hold text that is not saved yet.")
    _plan_edit(turn, name, 0)
    text = yield from read(turn, path, name)
    if text is None:
        return
    change = remark.change(path, text)
    if change is None:
        yield from tell(turn, lessons.NO_COMMENTS.format(name=name))
        return
    _plan_edit(turn, name, 1)
    diff = diff_content(path, change.old, change.new)
    places = [location(path, change.line)]
    call = turn.tool_call(f"Edit {name}", "edit", content=[diff], locations=places, rawInput={"path": path})
    if not (yield from approved(turn, call, "edit")):
        call.fail()
        yield from tell(turn, lessons.DENIED.format(name=name))
        return
    _plan_edit(turn, name, 2)
    call.start()
    try:
        yield turn.write_text_file(path, change.new)
    except RpcError as error:
        call.fail(text_content(str(error)))
        yield from tell(turn, lessons.FAILED.format(why=error))
        return
    turn.session.data["course"].written = (path, change.new)
    call.complete(diff)
    _plan_edit(turn, name, 3)
    yield from tell(turn, lessons.EDITED.format(line=change.line, name=name))


def _plan_edit(turn: Turn, name: str, done: int) -> None:
    steps = (f"Read {name}", "Propose a change", "Write it")
    states = ["completed"] * done + ["in_progress"] + ["pending"] * 3
    turn.plan(list(zip(steps, states, strict=False)))


def describe(turn: Turn, argument: str) -> Work:
    """Say a few true things about a file that was mentioned."""
    path = target(turn, argument)
    assert path is not None
    name = os.path.relpath(path, turn.session.cwd)
    text = yield from read(turn, path, name)
    if text is not None:
        lines, words = text.count("\n") + (not text.endswith("\n") and text != ""), len(text.split())
        yield from tell(
            turn,
            f"`{name}` has {lines} lines and {words} words: I read it as your editor has it, with what you have "
            "not saved. An agent with a model would now explain it. `/edit` changes it.\n",
        )


def read(turn: Turn, path: str, name: str) -> Work:
    """Read a file through the client as a tool call; gives the text, None when it failed (which is told)."""
    call = turn.tool_call(f"Read {name}", "read", locations=[location(path)], status="in_progress")
    try:
        text: Any = yield turn.read_text_file(path)
    except (RpcError, NotOffered) as error:
        call.fail(text_content(str(error)))
        yield from tell(turn, lessons.FAILED.format(why=error))
        return None
    call.complete()
    return text


def approved(turn: Turn, call: Any, kind: str) -> Work:
    """Whether a call may go on: by mode, by an earlier "always", or by asking now."""
    data = turn.session.data
    if turn.session.mode == "auto" or kind in data["allowed"]:
        return True
    answer = yield turn.ask_permission(call)
    if answer.kind == "allow_always":
        data["allowed"].add(kind)
    return answer.allowed


_SHOWS: dict[str, Show] = {
    "help": help_,
    "lesson": lesson,
    "edit": edit,
    "permission": permission,
    "plan": plan,
    "think": think,
    "terminal": terminal,
    "slow": slow,
    "markdown": markdown,
    "form": form,
}
