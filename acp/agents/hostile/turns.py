"""Ways to misbehave in updates and requests: order, gaps, ids, odd content, permissions, files, terminals."""

from __future__ import annotations

import os
import time

from tpy.acp.agents.hostile.wire import UNANSWERED, Json, Wire, options, outcome, turn

YES_NO = (("yes", "allow_once"), ("no", "reject_once"))


def text(words: str) -> dict[str, object]:
    """A text block as tool content."""
    return {"type": "content", "content": {"type": "text", "text": words}}


# --- updates --------------------------------------------------------------------------------------------


@turn("odd-updates", "21.13, A-13", "that update dropped and counted")
def odd_updates(wire: Wire, words: str) -> None:
    """Kinds nobody knows, none at all, used: null."""
    wire.update("usage_update", used=1, size=2)
    wire.update("usage_update", used=None, size=2)
    wire.update("from_the_future", x=[1])
    wire.update("agent_error", message="oops")
    wire.send({"method": "session/update", "params": {"sessionId": wire.session, "update": {}}})
    wire.send({"method": "session/update", "params": {"sessionId": wire.session}})
    wire.send({"method": "session/update", "params": {"sessionId": wire.session, "update": {"sessionUpdate": 5}}})
    wire.say("ok\n", _meta={"x": 1}, unknown=True)


@turn("every-kind", "21.14", "every one is taken over")
def every_kind(wire: Wire, words: str) -> None:
    """Updates of kinds that the schema has and the guides leave out."""
    wire.update("session_info_update", title="A title", updatedAt="2026-01-01T00:00:00Z")
    wire.update("usage_update", used=10, size=100, cost={"amount": 0.5, "currency": "USD"})
    wire.update("config_option_update", configOptions=[])
    wire.update("current_mode_update", currentModeId="none")
    wire.update("notice", severity="warning", title="A notice")
    wire.update("compaction_update", compactionId="c1", status="in_progress")
    wire.update("compaction_summary_chunk", compactionId="c1", content={"type": "text", "text": "In short."})
    wire.update("compaction_update", compactionId="c1", status="completed")
    wire.say("ok\n")


@turn("error-as-text", "21.48", "shown as the text that it is")
def error_as_text(wire: Wire, words: str) -> None:
    """Tells a failure as plain text and ends well."""
    wire.say("Error: 429 Too Many Requests. Warning: the limit is reached.\n")


@turn("private-notes", "21.51", "ignored")
def private_notes(wire: Wire, words: str) -> None:
    """Private notifications, an empty session id, an update under another name."""
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "not for you"}}
    wire.send({"method": "_vendor/update", "params": {"sessionId": wire.session, "update": update}})
    wire.send({"method": "vendor/event", "params": None})
    wire.update("agent_message_chunk", session="", content={"type": "text", "text": "nobody's"})
    wire.say("ok\n")


@turn("stranger", "21.6", "ignored quietly")
def stranger(wire: Wire, words: str) -> None:
    """Updates for a session never opened."""
    wire.update("agent_message_chunk", session="stranger", content={"type": "text", "text": "from elsewhere"})
    wire.say("ok\n")


@turn("late", "21.7, 21.43, A-11", "shown, answered, still idle")
def late(wire: Wire, words: str) -> str:
    """Text, usage and a permission after the turn's answer."""
    wire.say("one\n")
    wire.end()
    time.sleep(0.3)
    wire.say("late\n")
    wire.update("usage_update", used=5, size=100)
    wire.ask("session/request_permission", {"toolCall": {"toolCallId": "late"}, "options": options(*YES_NO)})
    return UNANSWERED


@turn("echo", "21.23", "not shown twice")
def echo(wire: Wire, words: str) -> None:
    """Repeats the prompt as a user message."""
    content = {"type": "text", "text": f"/echo {words}".rstrip()}
    wire.update("user_message_chunk", content=content, messageId="echo-1")
    wire.say("ok\n")


@turn("split-chunks", "A-40", "exact text")
def split_chunks(wire: Wire, words: str) -> None:
    """A fence, a CR LF and an accent cut between chunks, an empty one, a thought."""
    for piece in ("```py\nx = 1", "\n``", "`\nab\r", "\ncd e", "\u0301f", ""):
        wire.say(piece)
    wire.update("agent_thought_chunk", content={"type": "text", "text": "hm"})
    wire.say("g\n")


@turn("control-codes", "A-38", "visible, harmless, not yanked")
def control_codes(wire: Wire, words: str) -> None:
    """Escape codes in text, title, output and option names."""
    odd = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J a\rb \x00 \x9b5n \u202e end"
    wire.say(odd + "\n")
    wire.tool("t1", title=odd, content=[text(odd)], status="completed")
    chosen = [{"optionId": "y", "name": odd, "kind": "allow_once"}, *options(("n", "reject_once"))]
    answer = wire.request("session/request_permission", {"toolCall": {"toolCallId": "t1"}, "options": chosen})
    wire.say(f"{outcome(answer)}\n")


@turn("slash-names", "21.40", "the slash is dropped")
def slash_names(wire: Wire, words: str) -> None:
    """Command names with a leading slash, with blanks, without input."""
    commands = [{"name": "/help", "description": "x", "input": None}, {"name": "memory show", "description": "y"}]
    wire.update("available_commands_update", availableCommands=[*commands, {"name": 5}, "junk"])


@turn("listed-only", "21.55", "sent as text; nothing else happens")
def listed_only(wire: Wire, words: str) -> None:
    """Announces a command that it takes for plain text."""
    wire.update("available_commands_update", availableCommands=[{"name": "deploy", "description": "not really"}])


# --- tool calls -----------------------------------------------------------------------------------------


@turn("tool-twice", "21.9", "one line, patched")
def tool_twice(wire: Wire, words: str) -> None:
    """One tool call announced twice."""
    wire.tool("t1", title="First title", status="pending")
    wire.tool("t1", title="Second title", status="completed")


@turn("tool-gaps", "21.10, 21.11, A-41", "all are shown")
def tool_gaps(wire: Wire, words: str) -> None:
    """Calls never announced, without title, with null fields."""
    wire.tool_update("t9", status="completed")
    wire.tool("t1", content=None)
    wire.tool_update("t1", status="failed", rawOutput={"exitCode": 2})
    wire.tool_update("t1", content=[text("x")])
    wire.tool_update("t1", content=[])
    wire.tool("t2", title=None, kind="nonsense", status="paused", locations=None)


@turn("same-id", "21.44", "a new line in each turn")
def same_id(wire: Wire, words: str) -> None:
    """The tool call id of the turn before."""
    wire.tool("max_iterations", title="Reached the limit", status="completed")


@turn("left-open", "21.21, 21.46", "marked as stale")
def left_open(wire: Wire, words: str) -> None:
    """Ends the turn with a tool call in progress."""
    wire.tool("t1", title="Never finished", status="in_progress")


@turn("odd-diffs", "21.30, 21.31, A-36", "shown, no junk opened")
def odd_diffs(wire: Wire, words: str) -> None:
    """Diffs by relative path, of a snippet, oldText null, odd locations."""
    name = words or "notes.txt"
    here = wire.path(name)
    diffs = [
        {"type": "diff", "path": name, "oldText": "two", "newText": "TWO"},
        {"type": "diff", "path": here, "oldText": None, "newText": "all new\n"},
    ]
    places = [f"{here}:1-20", wire.path("**"), wire.cwd, wire.path("gone.txt")]
    locations = [*({"path": place} for place in places), {"path": here, "line": 99999}]
    wire.tool("t1", title="Odd diffs", kind="edit", content=diffs, locations=locations, status="completed")


@turn("diff-and-write", "A-30", "the change is there once")
def diff_and_write(wire: Wire, words: str) -> None:
    """Shows a diff and writes the same text."""
    path = wire.path(words or "notes.txt")
    diff = {"type": "diff", "path": path, "oldText": "a\n", "newText": "a\nb\n"}
    wire.tool("t1", title="Append", kind="edit", content=[diff], status="in_progress")
    answer = wire.request("fs/write_text_file", {"path": path, "content": "a\nb\n"})
    wire.tool_update("t1", status="completed", content=[diff])
    wire.say(f"{outcome(answer)}\n")


@turn("behind", "21.29, 21.49, A-29", "an open clean buffer is reloaded")
def behind(wire: Wire, words: str) -> None:
    """Writes a file itself, unasked, and only reports it."""
    path = wire.path(words or "notes.txt")
    with open(path, "a", encoding="utf-8") as out:
        out.write("written behind your back\n")
    wire.tool("t1", title="Wrote it myself", kind="edit", status="completed", locations=[{"path": path}])


# --- permissions ----------------------------------------------------------------------------------------


@turn("bare-permission", "21.10, 21.52", "shown with what is known")
def bare_permission(wire: Wire, words: str) -> None:
    """A permission that names only a call's id."""
    answer = wire.request(
        "session/request_permission", {"toolCall": {"toolCallId": "new"}, "options": options(*YES_NO)}
    )
    wire.say(f"{outcome(answer)}\n")


@turn("odd-options", "21.19, A-23, A-24", "chosen by the user alone")
def odd_options(wire: Wire, words: str) -> None:
    """Reject first, an unknown kind, two allow_once, none at all."""
    lists: tuple[list[Json], ...] = (
        options(("n1", "reject_once"), ("n2", "reject_always"), ("y", "allow_once")),
        options(("y", "allow_once"), ("n", "reject_always"), ("f", "future_kind")),
        options(("y1", "allow_once"), ("y2", "allow_once")),
        [],
    )
    for number, offered in enumerate(lists):
        tool = {"toolCallId": f"t{number}", "title": f"Question {number + 1}"}
        answer = wire.request("session/request_permission", {"toolCall": tool, "options": offered})
        wire.say(f"{number + 1}: {outcome(answer)}\n")


@turn("asks-in-between", "A-25", "no key meant for text answers it")
def asks_in_between(wire: Wire, words: str) -> None:
    """Asks half a second later, while the user types."""
    wire.say("asking soon\n")
    wire.meanwhile(0.5)
    tool = {"toolCallId": "t1", "title": "Did you see me coming?"}
    answer = wire.request("session/request_permission", {"toolCall": tool, "options": options(*YES_NO)})
    wire.say(f"{outcome(answer)}\n")


@turn("many-permissions", "11", "each answered once, by its id")
def many_permissions(wire: Wire, words: str) -> None:
    """Three permissions at once, two for one call."""
    with wire.together():
        for ident in ("p1", "p2", "p3"):
            tool = {"toolCallId": "t1" if ident < "p3" else "t2", "title": ident}
            wire.ask("session/request_permission", {"toolCall": tool, "options": options(*YES_NO)}, ident)
    # This one is read last, and with it the other answers have come, in whatever order.
    wire.request("x/unknown", {})
    wire.say("asked three times\n")


@turn("many-diffs", "21.32", "all are shown")
def many_diffs(wire: Wire, words: str) -> None:
    """Several diffs in one permission."""
    diffs = [{"type": "diff", "path": wire.path(n), "oldText": "x\n", "newText": f"{n}\n"} for n in ("a.txt", "b.txt")]
    tool = {"toolCallId": "t1", "title": "Change two files", "content": diffs}
    answer = wire.request("session/request_permission", {"toolCall": tool, "options": options(*YES_NO)})
    wire.say(f"{outcome(answer)}\n")


@turn("cancel-permission", "21.18", "answered cancelled at once")
def cancel_permission(wire: Wire, words: str) -> str:
    """Waits for its permission to be answered after a cancel."""
    tool = {"toolCallId": "t1", "title": "Cancel me instead of answering"}
    answer = wire.request("session/request_permission", {"toolCall": tool, "options": options(*YES_NO)})
    wire.say(f"{outcome(answer)}\n")
    return wire.end("cancelled" if wire.cancelled else "end_turn")


@turn("withdrawn", "9", "the question closes, answered once")
def withdrawn(wire: Wire, words: str) -> None:
    """Takes a permission back with $/cancel_request."""
    tool = {"toolCallId": "t1", "title": "Never mind"}
    wire.ask("session/request_permission", {"toolCall": tool, "options": options(*YES_NO)}, "w1")
    time.sleep(0.5)
    wire.send({"method": "$/cancel_request", "params": {"requestId": "w1"}})
    wire.send({"method": "$/cancel_request", "params": {"requestId": "never was"}})
    wire.say("taken back\n")


@turn("after-rejection", "21.47", "a hint; the session stays usable")
def after_rejection(wire: Wire, words: str) -> str:
    """Completes a call that was rejected, then ends in an error."""
    answer = wire.request("session/request_permission", {"toolCall": {"toolCallId": "t1"}, "options": options(*YES_NO)})
    wire.tool_update("t1-run", status="completed")
    wire.error(wire.prompt_id, -32603, f"tool was rejected: {outcome(answer)}")
    return UNANSWERED


# --- other requests -------------------------------------------------------------------------------------


@turn("unknown-requests", "21.33, 21.34, A-14", "-32601 at once")
def unknown_requests(wire: Wire, words: str) -> None:
    """Requests nobody knows, which it waits for."""
    for method in ("x/unknown", "cursor/ask_question", "_vendor/thing"):
        wire.say(f"{method}: {outcome(wire.request(method, {}))}\n")
    wire.send({"method": "x/note", "params": {}})


@turn("missing-file", "21.27", "Resource not found")
def missing_file(wire: Wire, words: str) -> None:
    """Looks at the words of the error for a file that is missing."""
    answer = wire.request("fs/read_text_file", {"path": wire.path(words or "no such file.txt")})
    wire.say(f"{outcome(answer)}\n")


@turn("read-ranges", "A-26", "no traceback, documented answers")
def read_ranges(wire: Wire, words: str) -> None:
    """Reads with line and limit null, 0, past the end, as text."""
    path = wire.path(words or "notes.txt")
    for line, limit in ((None, None), (1, 2), (3, 100), (4, 1), (10, None), (1, 0), (0, 1), ("2", 1)):
        answer = wire.request("fs/read_text_file", {"path": path, "line": line, "limit": limit})
        wire.say(f"{line!r},{limit!r}: {outcome(answer)}\n")


@turn("stale", "A-27, A-28", "unsaved text where there is some, else what is on disk now")
def stale(wire: Wire, words: str) -> None:
    """Reads a file, has another text of the same size on disk, reads again."""
    path = wire.path(words or "notes.txt")
    wire.say(f"before: {outcome(wire.request('fs/read_text_file', {'path': path}))}\n")
    size = os.path.getsize(path)
    with open(path, "w", encoding="utf-8") as out:
        out.write("n" * (size - 1) + "\n")
    wire.say(f"after: {outcome(wire.request('fs/read_text_file', {'path': path}))}\n")


@turn("writes-in-between", "A-42", "typed text and its place stay; both are undone apart")
def writes_in_between(wire: Wire, words: str) -> None:
    """Writes a first line into a file half a second later, while the user types in it."""
    path = wire.path(words or "notes.txt")
    wire.say("writing soon\n")
    wire.meanwhile(0.5)
    content = (wire.request("fs/read_text_file", {"path": path}).get("result") or {}).get("content", "")
    answer = wire.request("fs/write_text_file", {"path": path, "content": f"first\n{content}"})
    wire.say(f"{outcome(answer)}\n")


@turn("where", "A-37", "one absolute directory that exists")
def where(wire: Wire, words: str) -> None:
    """Tells where it runs and where its session is."""
    wire.say(f"session in {wire.cwd}, process in {os.getcwd()}\n")


@turn("odd-paths", "A-35", "resolved or refused; never a folder called ~")
def odd_paths(wire: Wire, words: str) -> None:
    """Relative, ~, .. and linked paths."""
    outside = os.path.join(os.path.dirname(wire.cwd), "outside.txt")
    for path in ("a.txt", "~/x.txt", wire.path("../outside.txt"), wire.path("a/../../outside.txt"), outside):
        wire.say(f"{path}: {outcome(wire.request('fs/read_text_file', {'path': path}))}\n")


@turn("ways-out", "A-34", "all treated the same")
def ways_out(wire: Wire, words: str) -> None:
    """Writes through links and .. that lead out of the project."""
    other = os.path.join(os.path.dirname(wire.cwd), "other")
    os.makedirs(other, exist_ok=True)
    for link, target in (("out", other), ("link", os.path.join(other, "g"))):
        if not os.path.lexists(wire.path(link)):
            os.symlink(target, wire.path(link))
    for name in ("out/f", "../other/f", "a/../../other/f", "link"):
        answer = wire.request("fs/write_text_file", {"path": wire.path(name), "content": "x"})
        wire.say(f"{name}: {outcome(answer)}\n")
    wire.say(f"written: {os.listdir(other)}\n")


@turn("bad-writes", "A-31, 21.28", "errors, then the truth")
def bad_writes(wire: Wire, words: str) -> None:
    """Writes over a directory, into a new one, and looks at the disk itself."""
    answer = wire.request("fs/write_text_file", {"path": wire.cwd, "content": "x"})
    wire.say(f"the directory: {outcome(answer)}\n")
    path = wire.path("new/deep/file.txt")
    answer = wire.request("fs/write_text_file", {"path": path, "content": "here\n"})
    wire.say(f"a new one: {outcome(answer)}, on disk: {os.path.exists(path)}\n")


@turn("crlf", "A-32", "the file keeps its own line ends")
def crlf(wire: Wire, words: str) -> None:
    """Writes a CRLF file with LF, then with CRLF."""
    path = wire.path(words or "dos.txt")
    for content in ("a\nB\n", "a\r\nC\r\n"):
        answer = wire.request("fs/write_text_file", {"path": path, "content": content})
        with open(path, "rb") as file:
            wire.say(f"{outcome(answer)}, on disk: {file.read()!r}\n")


@turn("terminal-line", "21.26", "run by a shell")
def terminal_line(wire: Wire, words: str) -> None:
    """A whole shell line as a terminal's command."""
    created = wire.request("terminal/create", {"command": words or "echo one && echo two | cat"})
    ident = (created.get("result") or {}).get("terminalId")
    wire.request("terminal/wait_for_exit", {"terminalId": ident})
    wire.say(f"{outcome(wire.request('terminal/output', {'terminalId': ident}))}\n")


@turn("terminal-misuse", "14", "errors, nothing hangs")
def terminal_misuse(wire: Wire, words: str) -> None:
    """A missing program, an unknown id, use after release, never releasing."""
    wire.say(f"missing: {outcome(wire.request('terminal/create', {'command': '/no/such/program'}))}\n")
    wire.say(f"unknown: {outcome(wire.request('terminal/output', {'terminalId': 'nope'}))}\n")
    created = wire.request("terminal/create", {"command": "sleep", "args": ["600"]})
    ident = (created.get("result") or {}).get("terminalId")
    wire.say(f"released: {outcome(wire.request('terminal/release', {'terminalId': ident}))}\n")
    wire.say(f"after: {outcome(wire.request('terminal/wait_for_exit', {'terminalId': ident}))}\n")
    wire.request("terminal/create", {"command": "sleep", "args": ["600"]})


@turn("odd-form", "15", "only declining; -32602")
def odd_form(wire: Wire, words: str) -> None:
    """A form with a required field of a type nobody knows, and a mode nobody knows."""
    schema = {"type": "object", "properties": {"x": {"type": "matrix"}}, "required": ["x"]}
    answer = wire.request("elicitation/create", {"mode": "form", "message": "Odd", "requestedSchema": schema})
    wire.say(f"form: {outcome(answer)}\n")
    wire.say(f"mode: {outcome(wire.request('elicitation/create', {'mode': 'telepathy', 'message': 'Odd'}))}\n")
