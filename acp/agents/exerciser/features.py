"""The Exerciser's commands: one for each feature of the protocol, as rows of `ROWS`.

Each is a turn. What a client should show is in `docs/conformance.md`. Not here: sessions and logins (`agent.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from tpy.acp import jsonrpc
from tpy.acp.agent import Work
from tpy.acp.jsonrpc import RpcError
from tpy.acp.turn import (
    ALLOW_OPTIONS,
    Cancelled,
    Json,
    Turn,
    diff_content,
    location,
    terminal_content,
    text_content,
)

Feature = Callable[[Turn, str], Work]


class Row(NamedTuple):
    """One command: what to type after it, what it shows, which section of the protocol reference it is."""

    name: str
    hint: str
    about: str
    feature: Feature


ROWS: dict[str, Row] = {}


def command(name: str, about: str, hint: str = "") -> Callable[[Feature], Feature]:
    """Register a feature under a command."""

    def register(feature: Feature) -> Feature:
        ROWS[name] = Row(name, hint, about, feature)
        return feature

    return register


class TurnFailed(RpcError):
    """An error meant as the answer to the prompt, not one that the client gave us."""


def _path(turn: Turn, argument: str, default: str) -> str:
    return os.path.normpath(os.path.join(turn.session.cwd, argument or default))


# --- messages -------------------------------------------------------------------------------------------

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="


@command("text", "one message in three chunks")
def _text(turn: Turn, argument: str) -> Work:
    for piece in ("One ", "message, ", "three chunks.\n"):
        turn.say(piece)
        yield turn.sleep(0)


@command("messages", "two messages and a thought between them, each with its id")
def _messages(turn: Turn, argument: str) -> Work:
    turn.say("The first message.\n")
    turn.think("A thought.\n")
    turn.say("The second message.\n")
    turn.end_message()
    turn.say("The third, right after the second.\n")
    yield turn.sleep(0)


@command("unicode", "wide, combining, right-to-left and astral characters, cut between chunks")
def _unicode(turn: Turn, argument: str) -> Work:
    for piece in ("日本語 ", "e", "\u0301 ", "😀 ", "👩‍", "👩‍👧 ", "שלום ", "\u202eabc\u202c ", "\x1b[31mnot red\n"):
        turn.say(piece)
        yield turn.sleep(0)


@command("long", "that many KiB in one message, in chunks of 1 KiB", "KiB")
def _long(turn: Turn, argument: str) -> Work:
    for number in range(min(int(argument) if argument.isdecimal() else 64, 65536)):
        turn.say(f"{number:08d} ".ljust(1023, "x") + "\n")
        if number % 16 == 0:
            yield turn.sleep(0)


@command("blocks", "a message of every content type: image, audio, link, embedded text and bytes")
def _blocks(turn: Turn, argument: str) -> Work:
    turn.show({"type": "image", "data": PIXEL, "mimeType": "image/png"})
    turn.show({"type": "audio", "data": SILENCE, "mimeType": "audio/wav"})
    turn.show({"type": "resource_link", "uri": "file:///tmp/a%20b.txt", "name": "a b.txt", "mimeType": "text/plain"})
    turn.show({"type": "resource", "resource": {"uri": "file:///tmp/a.txt", "text": "text\n"}})
    turn.show({"type": "resource", "resource": {"uri": "file:///tmp/a.bin", "blob": "AAEC"}})
    yield turn.sleep(0)


@command("silence", "a turn with no output at all")
def _silence(turn: Turn, argument: str) -> Work:
    yield turn.sleep(0)


# --- state of the session -------------------------------------------------------------------------------


@command("plan", "a plan, sent whole at each change")
def _plan(turn: Turn, argument: str) -> Work:
    for states in (("in_progress", "pending"), ("completed", "in_progress"), ("completed", "completed")):
        turn.plan(list(zip(("First", "Second"), states, strict=True)), priority="high")
        yield turn.sleep(0)


@command("plan-by-id", "plans with ids: items, a file, Markdown, one removed (unstable)")
def _plan_by_id(turn: Turn, argument: str) -> Work:
    turn.client.need("plan")
    entries = [{"content": "Only step", "priority": "low", "status": "pending"}]
    turn.session.update("plan_update", plan={"type": "items", "planId": "p1", "entries": entries})
    turn.session.update("plan_update", plan={"type": "markdown", "planId": "p2", "content": "# A plan\n"})
    turn.session.update("plan_removed", planId="p1")
    yield turn.sleep(0)


@command("commands", "another list of commands: one with a blank and one with a colon in its name")
def _commands(turn: Turn, argument: str) -> Work:
    extra = [{"name": "memory show", "description": "two words"}, {"name": "skill:x", "description": "a colon"}]
    turn.session.set_commands([*turn.session.commands[: len(ROWS)], *extra])
    yield turn.sleep(0)


@command("title", "a title for the session, or none with an empty argument", "text")
def _title(turn: Turn, argument: str) -> Work:
    turn.session.title = argument
    turn.session.update("session_info_update", title=argument or None, updatedAt="2026-11-30T12:00:00Z")
    yield turn.sleep(0)


@command("usage", "how much of the context is used, and what it cost")
def _usage(turn: Turn, argument: str) -> Work:
    turn.session.update("usage_update", used=12345, size=200000, cost={"amount": 0.25, "currency": "USD"})
    yield turn.sleep(0)


@command("mode", "the agent itself changes the mode")
def _mode(turn: Turn, argument: str) -> Work:
    turn.session.set_mode("brisk" if turn.session.mode == "calm" else "calm")
    yield turn.sleep(0)


@command("option", "the agent itself changes a config option")
def _change_option(turn: Turn, argument: str) -> Work:
    current = turn.session.option("effort")["currentValue"]
    turn.session.set_option("effort", "high" if current == "low" else "low")
    yield turn.sleep(0)


@command("notice", "a notice of each severity")
def _notice(turn: Turn, argument: str) -> Work:
    for severity in ("info", "warning", "error"):
        turn.notice(severity, f"A notice: {severity}", "It passes.")
    yield turn.sleep(0)


@command("compaction", "a compaction that starts, tells its summary and ends")
def _compaction(turn: Turn, argument: str) -> Work:
    turn.client.need("session", "compaction")
    ident = turn.session.new_id("compaction")
    turn.session.update("compaction_update", compactionId=ident, status="in_progress")
    for piece in ("What went ", "before."):
        content = {"type": "text", "text": piece}
        turn.session.update("compaction_summary_chunk", compactionId=ident, content=content)
        yield turn.sleep(0)
    turn.session.update("compaction_update", compactionId=ident, status="completed")


# --- tool calls -----------------------------------------------------------------------------------------


@command("tool", "a tool call from pending to completed, with input, output and text")
def _tool(turn: Turn, argument: str) -> Work:
    call = turn.tool_call("Look something up", "search", name="lookup", rawInput={"query": "x"})
    yield turn.sleep(0)
    call.start()
    yield turn.sleep(0)
    call.complete(text_content("Found it."), rawOutput={"hits": 1})


@command("kinds", "a tool call of every kind, every second one failed")
def _kinds(turn: Turn, argument: str) -> Work:
    kinds = ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other")
    for number, kind in enumerate(kinds):
        call = turn.tool_call(f"A call of kind {kind}", kind)
        (call.fail if number % 2 else call.complete)(text_content(kind))
        yield turn.sleep(0)


@command("diff", "a change, a new file and locations to follow; nothing is written")
def _diff(turn: Turn, argument: str) -> Work:
    path = _path(turn, argument, "exercise.txt")
    changed, created = diff_content(path, "one\ntwo\n", "one\n2\n"), diff_content(path + ".new", None, "new\n")
    call = turn.tool_call("Show a change", "edit", content=[changed, created], locations=[location(path, 2)])
    yield turn.sleep(0)
    call.complete()


# --- requests -------------------------------------------------------------------------------------------


@command("permission", "a permission with all four kinds of options; the answer is told")
def _permission(turn: Turn, argument: str) -> Work:
    never: Json = {"optionId": "never", "name": "Never", "kind": "reject_always"}
    call = turn.tool_call("Do something", "execute", rawInput={"command": "true"})
    answer = yield turn.ask_permission(call, [*ALLOW_OPTIONS, never])
    (call.complete if answer.allowed else call.fail)()
    turn.say(f"Answer: {answer.option_id or 'none of the options'}\n")


@command("read", "read a file whole, then line 2 of it", "file")
def _read(turn: Turn, argument: str) -> Work:
    path = _path(turn, argument, "exercise.txt")
    text = yield turn.read_text_file(path)
    second = yield turn.read_text_file(path, line=2, limit=1)
    turn.say(f"{len(text)} characters; line 2 is {second!r}\n")


@command("write", "write a file in a new directory, read it again", "file")
def _write(turn: Turn, argument: str) -> Work:
    path = _path(turn, argument, "exercise/new.txt")
    yield turn.write_text_file(path, "written by the Exerciser\n")
    text = yield turn.read_text_file(path)
    turn.say(f"It reads {text!r} again.\n")


@command("terminal", "run a command in a terminal, embedded in a tool call", "command")
def _terminal(turn: Turn, argument: str) -> Work:
    line = argument or "echo out; echo err >&2"
    ident = yield turn.create_terminal("sh", ["-c", line], env={"EXERCISER": "1"}, output_byte_limit=4096)
    call = turn.tool_call(f"Run {line}", "execute", content=[terminal_content(ident)], status="in_progress")
    ended = yield turn.wait_for_exit(ident)
    output = yield turn.terminal_output(ident)
    yield turn.release_terminal(ident)
    call.complete()
    turn.say(f"exitCode {ended.get('exitCode')}, signal {ended.get('signal')}, output {output.get('output')!r}\n")


@command("terminal-kill", "a terminal that is killed; its output stays")
def _terminal_kill(turn: Turn, argument: str) -> Work:
    ident = yield turn.create_terminal("sh", ["-c", "echo started; sleep 600"])
    call = turn.tool_call("Run and kill", "execute", content=[terminal_content(ident)], status="in_progress")
    yield turn.sleep(0.3)
    yield turn.kill_terminal(ident)
    ended = yield turn.wait_for_exit(ident)
    yield turn.release_terminal(ident)
    call.complete()
    turn.say(f"exitCode {ended.get('exitCode')}, signal {ended.get('signal')}\n")


@command("form", "a form with every type of field")
def _form(turn: Turn, argument: str) -> Work:
    choice: Json = {"type": "string", "title": "Colour", "enum": ["red", "green"]}
    titled: Json = {
        "type": "string",
        "title": "Size",
        "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}],
    }
    many: Json = {
        "type": "array",
        "title": "Toppings",
        "items": {"type": "string", "enum": ["a", "b", "c"]},
        "maxItems": 2,
    }
    properties: Json = {
        "name": {"type": "string", "title": "Name", "minLength": 1, "maxLength": 20},
        "mail": {"type": "string", "title": "Mail", "format": "email"},
        "count": {"type": "integer", "title": "Count", "minimum": 1, "maximum": 9, "default": 3},
        "ratio": {"type": "number", "title": "Ratio"},
        "sure": {"type": "boolean", "title": "Sure", "default": True},
        "colour": choice,
        "size": titled,
        "toppings": many,
    }
    schema = {"type": "object", "properties": properties, "required": ["name", "colour"]}
    action, content = yield turn.ask_form("A form with every type of field", schema)
    turn.say(f"{action}: {content}\n")


@command("url", "a page to open, and the word that it is done")
def _url(turn: Turn, argument: str) -> Work:
    ident = turn.session.new_id("url")
    action, _ = yield turn.ask_url("Please look at this page", ident, "https://example.com/exercise?x=1")
    if action == "accept":
        turn.session.notify("elicitation/complete", {"elicitationId": ident})
    turn.say(f"{action}\n")


@command("subagent", "a child session that gets a message, talks, asks for permission and ends (unstable)")
def _subagent(turn: Turn, argument: str) -> Work:
    turn.client.need("subagents")
    session, child = turn.session, f"{turn.session.id}-{turn.session.new_id('child')}"

    def told(kind: str, /, **fields: Any) -> None:
        session.notify("session/update", {"sessionId": child, "update": {"sessionUpdate": kind, **fields}})

    session.update("subagent_update", sessionId=child, title="Helper", description="looks things up")
    session.update("subagent_update", sessionId=child, state={"state": "running"})
    order = [{"type": "text", "text": "Look it up.\n"}]
    told("session_message", messageId="1", senderSessionId=session.id, recipientSessionId=child, content=order)
    told("session_message_chunk", messageId="1", content={"type": "text", "text": "Quickly.\n"})
    told("agent_message_chunk", content={"type": "text", "text": "The helper speaks.\n"}, messageId="2")
    call = {"toolCallId": f"{child}-1", "title": "Look it up", "kind": "search"}
    told("tool_call", **call)
    options = [{"optionId": kind, "name": kind, "kind": kind} for kind in ("allow_once", "reject_once")]
    reason, status = "cancelled", "failed"
    try:
        asked = {"sessionId": child, "toolCall": call, "options": options}
        outcome = (yield turn.request("session/request_permission", asked)).get("outcome", {})
        reason, status = "end_turn", "completed" if outcome.get("optionId") == "allow_once" else "failed"
        turn.say(f"The helper was answered {outcome.get('optionId', outcome.get('outcome'))}.\n")
    finally:
        told("tool_call_update", toolCallId=call["toolCallId"], status=status)
        session.update("subagent_update", sessionId=child, state={"state": "idle", "stopReason": reason})


@command("extension", "a private request, which a client that does not know it refuses with -32601")
def _extension(turn: Turn, argument: str) -> Work:
    yield turn.request("_exerciser/ping", {})
    turn.say("The client knows `_exerciser/ping`.\n")


# --- ends -----------------------------------------------------------------------------------------------


@command("stop", "end with that stop reason", "reason")
def _stop(turn: Turn, argument: str) -> Work:
    reasons = ("max_tokens", "max_turn_requests", "refusal", "end_turn")
    turn.say("The turn ends now.\n")
    yield turn.sleep(0)
    return argument if argument in reasons else reasons[0]


@command("error", "end with an error answer that has data")
def _error(turn: Turn, argument: str) -> Work:
    turn.say("Some text first.\n")
    yield turn.sleep(0)
    turn.session.data.append(("agent_message_chunk", "Some text first.\n"))
    raise TurnFailed(jsonrpc.INTERNAL_ERROR, "the backend said no", {"status": 401})


@command("wait", "work until it is cancelled, with a tool call open")
def _wait(turn: Turn, argument: str) -> Work:
    call = turn.tool_call("Wait for a cancel", "other", status="in_progress")
    try:
        while True:
            yield turn.sleep(1)
            turn.say(".")
    except Cancelled:
        call.fail(text_content("cancelled"))
        turn.say(" cancelled\n")


def table() -> str:
    """The commands as a Markdown table, for `docs/conformance.md`."""
    lines = ["| command | what the agent does |", "| --- | --- |"]
    lines += [f"| `/{row.name}{f' {row.hint.upper()}' if row.hint else ''}` | {row.about} |" for row in ROWS.values()]
    return "\n".join(lines) + "\n"
