"""`acp/client.py` and `acp/link.py`: a client with real agent processes that follow a script."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sentcheck import ANNOUNCED

from tpy.acp import quirks, schema
from tpy.acp.client import ClientError
from tpy.acp.connection import TurnState
from tpy.acp.entries import Message, ToolUse
from tpy.acp.jsonrpc import RpcError
from tpy.acp.link import Stage as Phase

HELLO = ["hello"]
PROMPT = ["on", "session/prompt"]
OPTIONS = [
    {"optionId": "n1", "name": "No", "kind": "reject_once"},
    {"optionId": "n2", "name": "Never", "kind": "reject_always"},
    {"optionId": "y", "name": "Yes", "kind": "allow_once"},
]


def permission(options: list[Any] | None = None, call: str = "t1") -> list[Any]:
    params = {"sessionId": "s1", "toolCall": {"toolCallId": call}, "options": OPTIONS if options is None else options}
    return ["req", "session/request_permission", params]


def texts(stage: Any, kind: str = "agent") -> list[str]:
    return [e.text for e in stage.handler.session.entries if isinstance(e, Message) and e.kind == kind]


def methods(stage: Any) -> list[str]:
    return [message["method"] for message in stage.sent if "method" in message]


# -- starting ----------------------------------------------------------------------------------------------


def test_a_turn_from_start_to_stop(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["say", "hi "], ["say", "there"], ["end", "end_turn"])
    stage.prompt("hello")
    end = stage.until("ended")
    assert (end.message, texts(stage), texts(stage, "user")) == ("", ["hi there"], ["hello"])
    assert methods(stage) == ["initialize", "session/new", "session/prompt"]
    stage.client.stop()
    assert stage.until("closed") == ""
    assert stage.client.exit.code == 0


def test_A43_what_initialize_says(stage: Any, validate: Any) -> None:
    stage.start(["on", "initialize"])
    stage.until("ready")
    params = stage.sent[0]["params"]
    validate("InitializeRequest", params)
    assert params["protocolVersion"] == 1
    assert params["clientInfo"]["name"] == "tpy"
    assert params["clientCapabilities"] == ANNOUNCED


@pytest.mark.parametrize(("version", "shown"), [(2, "2"), (0, "0"), ("1", '"1"'), (None, "null"), (True, "true")])
def test_A17_another_protocol_version(stage: Any, version: Any, shown: str) -> None:
    stage.start(["reply", "initialize", {"protocolVersion": version}], ["eof"])
    message = stage.until("failed")
    assert message == f"the agent speaks protocol version {shown}; this editor speaks 1"
    assert stage.until("closed") == ""
    assert methods(stage) == ["initialize"]


def test_A17_no_protocol_version(stage: Any) -> None:
    stage.start(["reply", "initialize", {}])
    assert "protocol version null" in stage.until("failed")


def test_A18_no_answer_to_initialize(stage: Any) -> None:
    stage.start(["pid", str(stage.folder / "pid")], ["stderr", "loading\n"], ["stubborn"], ["hang"])
    stage.run_until((stage.folder / "pid").exists)
    assert stage.client.waiting_for == "initialize"
    stage.clock.advance(3.5)
    assert stage.until("slow") == "initialize"
    stage.clock.advance(60)
    stage.loop.turn(0)
    stage.clock.advance(3)
    message = stage.until("failed")
    assert message.startswith("the agent would not start a conversation: no answer to initialize within 60 s")
    assert "loading" in message
    stage.until("closed")
    assert len(stage.handler.of("failed")) == 1


def test_A18_no_answer_to_session_new(stage: Any) -> None:
    stage.start(["on", "initialize"], ["eof"], timeout=5.0)
    stage.until("ready")
    assert stage.client.waiting_for == "session/new"
    stage.clock.advance(6)
    message = stage.until("failed")
    assert message == "the agent would not open a session: no answer to session/new within 5 s"
    stage.until("closed")


def test_a_program_that_is_not_there(stage: Any) -> None:
    with pytest.raises(ClientError, match="there is no such program"):
        stage.start(argv=["/nowhere/agent"])
    assert stage.client.stage is Phase.CLOSED
    with pytest.raises(ClientError, match="The agent is not running"):
        stage.client.new_session("/")


def test_a_directory_that_is_not_there(stage: Any) -> None:
    stage.folder = Path("/nowhere/project")
    with pytest.raises(ClientError, match="the directory /nowhere/project does not exist"):
        stage.start(HELLO)


def test_A05_an_agent_that_cannot_start(stage: Any) -> None:
    stage.start(["stderr", "env: node: not found\n"], ["exit", 127])
    message = stage.until("failed")
    assert message.startswith("the agent would not start a conversation: exit status 127")
    assert "env: node: not found" in message
    assert stage.until("closed") == ""


def test_initialize_is_refused(stage: Any) -> None:
    stage.start(["err", "initialize", -32603, "no licence", {"see": "manual"}])
    assert stage.until("failed") == ('the agent would not start a conversation: no licence ({"see": "manual"})')


@pytest.mark.parametrize("result", [{}, {"sessionId": ""}])
def test_a_session_without_an_id(stage: Any, result: Any) -> None:
    stage.start(["on", "initialize"], ["reply", "session/new", result])
    assert stage.until("failed") == "the agent opened a session with no id"


def test_a_session_that_is_refused(stage: Any) -> None:
    stage.start(["on", "initialize"], ["err", "session/new", -32603, "no room"])
    assert stage.until("failed") == "the agent would not open a session: no room"


def test_session_new_names_directory_and_servers(stage: Any, validate: Any) -> None:
    stage.start(["on", "initialize"], ["eof"])
    stage.until("ready")
    [params] = [m["params"] for m in stage.sent if m.get("method") == "session/new"]
    assert params == {"cwd": str(stage.folder), "mcpServers": []}


# -- login -------------------------------------------------------------------------------------------------

METHODS = [{"id": "login", "name": "Browser login"}, {"id": "key", "name": "API key"}]


def greet(**fields: Any) -> list[Any]:
    return ["reply", "initialize", {"protocolVersion": 1, **fields}]


def test_A19_a_login_is_offered_and_the_session_opens_by_itself(stage: Any) -> None:
    stage.start(
        greet(authMethods=METHODS),
        ["err", "session/new", -32000, "Authentication required"],
        ["reply", "authenticate", {}],
        ["on", "session/new"],
    )
    assert stage.until("login").code == -32000
    assert [m.name for m in stage.client.auth_methods] == ["Browser login", "API key"]
    assert stage.client.waiting_for == ""
    stage.clock.advance(300)
    stage.client.authenticate("key")
    stage.until("opened")
    assert methods(stage) == ["initialize", "session/new", "authenticate", "session/new"]
    assert stage.sent[2]["params"] == {"methodId": "key"}


def test_A19_a_second_refusal_is_shown_and_nothing_loops(stage: Any) -> None:
    stage.start(
        greet(authMethods=METHODS),
        ["err", "session/new", -32000, "Authentication required"],
        ["reply", "authenticate", {}],
        ["err", "session/new", -32000, "Authentication required"],
    )
    stage.until("login")
    stage.client.authenticate("login")
    assert stage.until("failed") == "the agent would not open a session: Authentication required"
    assert methods(stage).count("session/new") == 2
    assert len(stage.handler.of("login")) == 1


@pytest.mark.parametrize("offered", [[], [{"id": "x", "name": "X", "type": "env_var"}]])
def test_A19_no_usable_way_to_log_in(stage: Any, offered: Any) -> None:
    stage.start(greet(authMethods=offered), ["err", "session/new", -32000, "Authentication required"], name="Bob")
    assert stage.until("failed") == (
        "the agent wants to be logged in first (Bob); log in with its own command and start it again"
    )


def test_A20_a_login_wanted_by_a_prompt(stage: Any) -> None:
    stage.start(greet(authMethods=METHODS), ["on", "session/new"], ["err", "session/prompt", -32000, "expired"])
    stage.prompt("long text")
    end = stage.until("ended")
    assert end.error.code == -32000
    assert stage.until("login").message == "expired"
    assert methods(stage).count("session/prompt") == 1


def test_the_command_of_a_terminal_login(stage: Any) -> None:
    terminal = {"id": "t", "name": "T", "type": "terminal", "args": ["--login"], "env": {"A": "b"}}
    stage.start(greet(authMethods=[terminal]), ["eof"])
    stage.until("ready")
    argv, env = stage.client.login_command(stage.client.auth_methods[0])
    assert argv[-1] == "--login"
    assert argv[1].endswith("fake_agent.py")
    assert env["A"] == "b"


def test_a_login_can_be_given_up(stage: Any) -> None:
    stage.start(greet(authMethods=METHODS), ["on", "session/new"], ["on", "authenticate"], ["eof"])
    stage.until("opened")
    got: list[Any] = []
    stage.client.authenticate("login", got.append)
    assert stage.client.cancel_calls() == ["authenticate"]
    assert [str(error) for error in got] == ["authenticate was cancelled"]
    assert methods(stage)[-1] == "$/cancel_request"


# -- dying -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "how"),
    [(["exit", 0], "exit status 0"), (["exit", 3], "exit status 3"), (["die", 9], "killed by SIGKILL")],
)
def test_A02_an_agent_leaves_in_the_middle_of_a_turn(stage: Any, step: list[Any], how: str) -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "T", "status": "in_progress"}
    stage.start(HELLO, PROMPT, ["upd", call], ["say", "partial"], ["stderr", "oh no\n"], step)
    stage.prompt()
    end = stage.until("ended")
    assert end.message == f"The turn failed: the agent stopped: {how}"
    assert stage.until("closed") == f"The agent stopped. ({how})\noh no"
    assert texts(stage) == ["partial"]
    [tool] = [e for e in stage.handler.session.entries if isinstance(e, ToolUse)]
    assert tool.shown_status == "stale"
    assert stage.client.state(stage.handler.session) is TurnState.DEAD
    with pytest.raises(ClientError, match=f"The agent is not running: {how}"):
        stage.client.prompt(stage.handler.session, [schema.TextContent("x")], "x")
    assert not Path(f"/proc/{stage.client.pid}").exists()


def test_A01_the_last_answer_without_a_newline(stage: Any) -> None:
    answer = '{"jsonrpc":"2.0","id":2,"result":{"stopReason":"end_turn"}}'
    stage.start(HELLO, PROMPT, ["say", "done"], ["raw", answer], ["exit", 0])
    stage.prompt()
    assert stage.until("ended").message == ""
    assert stage.until("closed") == "The agent stopped. (exit status 0)"


def test_A03_answering_an_agent_that_has_just_died(stage: Any) -> None:
    stage.handler.answers["read"] = lambda ask: ask.answer("x" * (5 << 20))
    stage.start(HELLO, PROMPT, ["ask", "fs/read_text_file", {"sessionId": "s1", "path": "/x"}], ["exit", 1])
    stage.prompt()
    stage.until("closed")
    assert [end.failed for end in stage.handler.of("ended")] == [True]


def test_an_agent_that_dies_in_the_middle_of_a_line(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["say", "whole"], ["raw", '{"jsonrpc":"2.0","method":"session/up'], ["exit", 1])
    stage.prompt()
    stage.until("closed")
    assert texts(stage) == ["whole"]
    assert stage.client.stray_lines == 1


def test_death_between_turns_is_told_once(stage: Any) -> None:
    stage.start(HELLO, ["exit", 2])
    assert stage.until("closed") == "The agent stopped. (exit status 2)"
    assert stage.handler.of("ended") == []


# -- lines -------------------------------------------------------------------------------------------------


def test_A04_characters_that_come_byte_by_byte(stage: Any) -> None:
    text = "日本語 😀 é"
    line = json.dumps(
        {
            "jsonrpc": "2.0",
            "method": "session/update",
            "params": {
                "sessionId": "s1",
                "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}},
            },
        },
        ensure_ascii=False,
    )
    write = json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "fs/write_text_file",
            "params": {"sessionId": "s1", "path": "/x", "content": text},
        },
        ensure_ascii=False,
    )
    stage.handler.answers["write"] = lambda ask: ask.answer()
    stage.start(HELLO, PROMPT, ["drip", line + "\n" + write + "\n"], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    assert texts(stage) == [text]
    [ask] = stage.handler.of("write")
    assert ask.content == text


def test_A16_broken_frames(stage: Any) -> None:
    stage.start(
        HELLO,
        PROMPT,
        ["raw", '{"jsonrpc":"2.0","id":9,"method":42}\n{broken\n{"jsonrpc":"2.0","id":12345,"result":{}}\n'],
        ["req", "fs/read_text_file", {"sessionId": "s1"}],
        ["say", "ok"],
        ["end", "end_turn"],
    )
    stage.prompt()
    stage.until("ended")
    answers = {m["id"]: m["error"]["code"] for m in stage.sent if "error" in m}
    assert answers == {9: -32600, 1: -32602}
    assert texts(stage)[-1].endswith("ok")
    assert stage.client.stray_lines == 1


def test_a_line_of_ten_megabytes(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["big", 10_000_000], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    [entry] = [e for e in stage.handler.session.entries if isinstance(e, Message) and e.kind == "agent"]
    assert entry.size + entry.dropped == 10_000_000


def test_A10_commands_before_the_session(stage: Any) -> None:
    commands = {
        "sessionUpdate": "available_commands_update",
        "availableCommands": [{"name": "web", "description": "d"}],
    }
    stage.start(["on", "initialize"], ["upd", commands], ["on", "session/new"], PROMPT, ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    assert [command.name for command in stage.handler.session.commands] == ["web"]


def test_A11_text_after_the_turn(stage: Any) -> None:
    go = str(stage.folder / "go")
    stage.start(
        HELLO, PROMPT, ["say", "one"], ["end", "end_turn"], ["say", " late"], ["mark", go],
        PROMPT, ["say", "two"], ["end", "end_turn"],
    )  # fmt: skip
    stage.prompt("first")
    stage.until("ended")
    stage.run_until(lambda: texts(stage) == ["one", " late"])
    assert stage.client.state(stage.handler.session) is TurnState.IDLE
    stage.prompt("second")
    stage.until("ended", 2)
    shown = [e.text for e in stage.handler.session.entries if isinstance(e, Message)]
    assert shown == ["first", "one", " late", "second", "two"]


def test_a_prompt_while_a_turn_runs_is_refused_and_not_sent(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["hang"])
    stage.prompt()
    with pytest.raises(ClientError, match="a turn is running"):
        stage.prompt("again")
    assert texts(stage, "user") == ["go"]
    assert methods(stage).count("session/prompt") == 1


# -- asking ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "outcome"),
    [
        (lambda ask: ask.choose(ask.options[0]), {"outcome": "selected", "optionId": "n1"}),
        (lambda ask: ask.choose(ask.options[2]), {"outcome": "selected", "optionId": "y"}),
        (lambda ask: ask.deny(), {"outcome": "selected", "optionId": "n1"}),
        (lambda ask: ask.cancel(), {"outcome": "cancelled"}),
    ],
)
def test_A23_no_is_not_cancelled(stage: Any, how: Any, outcome: Any) -> None:
    stage.handler.answers["permission"] = how
    stage.start(HELLO, PROMPT, permission(), ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    assert json.loads(texts(stage)[0]) == {"outcome": outcome}


def test_A24_options_as_the_agent_offers_them(stage: Any) -> None:
    odd = [
        {"optionId": "a", "name": "Once", "kind": "allow_once"},
        {"optionId": "b", "name": "Never", "kind": "reject_always"},
        {"optionId": "c", "name": "Later", "kind": "future_kind"},
    ]
    stage.handler.answers["permission"] = lambda ask: ask.deny()
    stage.start(HELLO, PROMPT, permission(odd), permission([]), ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    first, second = stage.handler.of("permission")
    assert [(o.name, o.kind) for o in first.options] == [(o["name"], o["kind"]) for o in odd]
    assert second.options == []
    assert [json.loads(line) for line in texts(stage)[0].splitlines()] == [
        {"outcome": {"outcome": "selected", "optionId": "b"}},
        {"outcome": {"outcome": "cancelled"}},
    ]


def test_a_permission_shows_what_is_known_about_the_call(stage: Any) -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Edit a.txt", "kind": "edit"}
    stage.handler.answers["permission"] = lambda ask: ask.deny()
    stage.start(HELLO, PROMPT, ["upd", call], permission(), permission(call="t2"), ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    first, second = stage.handler.of("permission")
    assert (first.tool.heading, first.tool.kind) == ("Edit a.txt", "edit")
    assert second.tool.heading == "t2"


def test_A21_cancel_closes_the_dialog_and_a_hanging_agent_can_be_ended(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["stubborn"], ["ask", *permission()[1:]], ["eof"])
    stage.prompt()
    ask = stage.until("permission")
    assert stage.client.cancel(stage.handler.session)
    assert not stage.client.cancel(stage.handler.session)
    assert stage.handler.of("withdrawn") == [ask]
    assert not ask.choose(ask.options[2])
    assert stage.client.state(stage.handler.session) is TurnState.CANCELLING
    assert methods(stage)[-1] == "session/cancel"
    assert [m["result"] for m in stage.sent if "result" in m] == [{"outcome": {"outcome": "cancelled"}}]
    stage.client.kill()
    stage.until("closed")


def test_a_cancelled_turn_is_told_as_cancelled(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["on", "session/cancel"], ["err", "session/prompt", -32603, "aborted"])
    stage.prompt()
    stage.client.cancel(stage.handler.session)
    end = stage.until("ended")
    assert (end.message, end.failed) == ("The turn ended: cancelled", False)


def test_files_are_read_and_written_through_the_handler(stage: Any) -> None:
    stage.handler.answers["read"] = lambda ask: ask.answer("text") if ask.path == "/a" else ask.missing()
    stage.handler.answers["write"] = lambda ask: ask.fail(-32603, "read-only")
    stage.start(
        HELLO,
        PROMPT,
        ["req", "fs/read_text_file", {"sessionId": "s1", "path": "/a", "line": 2, "limit": None}],
        ["req", "fs/read_text_file", {"sessionId": "s1", "path": "/b c"}],
        ["req", "fs/write_text_file", {"sessionId": "s1", "path": "/a", "content": "new"}],
        ["end", "end_turn"],
    )
    stage.prompt()
    stage.until("ended")
    assert [json.loads(line) for line in texts(stage)[0].splitlines()] == [
        {"content": "text"},
        {"code": -32002, "message": "Resource not found: /b c", "data": {"uri": "file:///b%20c"}},
        {"code": -32603, "message": "read-only"},
    ]
    first = stage.handler.of("read")[0]
    assert (first.line, first.limit, first.session) == (2, None, stage.handler.session)


QUIRKS = {quirk.agent: quirk for quirk in quirks.QUIRKS}


def recorded(quirk: quirks.Quirk, side: str) -> list[Any]:
    """The messages of one side (`<` the agent) in the recording that shows a quirk."""
    path = Path(__file__).parent / "data" / "recorded" / quirk.trace
    entries = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [entry["msg"] for entry in entries if entry["dir"] == side and isinstance(entry["msg"], dict)]


@pytest.mark.parametrize("name", QUIRKS)
def test_every_quirk_has_a_recording_of_that_agent(name: str) -> None:
    hello = recorded(QUIRKS[name], "<")[0]["result"]["agentInfo"]
    assert hello["name"] == name
    assert hello["version"].startswith(QUIRKS[name].seen_in)


def test_the_quirk_of_an_agent_that_takes_a_missing_file_for_a_failure(stage: Any) -> None:
    agent = recorded(QUIRKS["gemini-cli"], "<")
    read = next(message for message in agent if message.get("method") == "fs/read_text_file")
    stage.handler.answers["read"] = lambda ask: ask.missing()
    stage.start(
        ["reply", "initialize", agent[0]["result"]],
        ["on", "session/new"],
        PROMPT,
        ["req", "fs/read_text_file", {**read["params"], "sessionId": "s1"}],
        ["end", "end_turn"],
    )
    stage.prompt()
    stage.until("ended")
    assert json.loads(texts(stage)[0]) == {"content": ""}
    answers = [message.get("result") for message in recorded(QUIRKS["gemini-cli"], ">") if "method" not in message]
    assert answers[0] == {"content": ""}


def test_a_form_is_asked_and_answered(stage: Any, validate: Any) -> None:
    form = {
        "sessionId": "s1",
        "message": "Who?",
        "mode": "form",
        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
    }
    stage.handler.answers["elicitation"] = lambda ask: ask.accept({"name": "x"})
    stage.start(HELLO, PROMPT, ["req", "elicitation/create", form], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    answer = json.loads(texts(stage)[0])
    assert answer == {"action": "accept", "content": {"name": "x"}}
    validate("CreateElicitationResponse", answer)
    assert stage.handler.of("elicitation")[0].form.message == "Who?"


# -- the other calls ---------------------------------------------------------------------------------------


def test_sessions_can_be_loaded_and_the_history_shows(stage: Any) -> None:
    chunk = {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "before"}}
    stage.start(HELLO, ["on", "session/load"], ["upd", chunk, "old"], ["reply", "session/load", None])
    stage.until("opened")
    stage.client.load_session("old", "/project")
    session = stage.until("opened", 2)
    assert session.session_id == "old"
    assert [e.text for e in session.entries] == ["before"]
    assert not session.loading


def test_a_session_that_cannot_be_loaded(stage: Any) -> None:
    stage.start(HELLO, ["err", "session/load", -32002, "gone"])
    stage.until("opened")
    got: list[Any] = []
    stage.client.load_session("old", "/project", done=got.append)
    assert stage.until("failed") == "the agent would not open a session: gone"
    assert got[0].code == -32002
    assert list(stage.client.sessions) == ["s1"]


def test_what_changes_a_session(stage: Any, validate: Any) -> None:
    option = {"id": "f", "name": "F", "type": "boolean", "currentValue": True}
    stage.start(
        HELLO,
        ["reply", "session/set_mode", {}],
        ["reply", "session/set_config_option", {"configOptions": [option]}],
        ["reply", "session/set_title", {"title": "Short"}],
        ["reply", "session/fork", {"sessionId": "s2"}],
        ["reply", "session/list", {"sessions": [{"sessionId": "a", "cwd": "/"}, 3], "nextCursor": "n"}],
        ["err", "session/close", -32002, "unknown"],
        ["reply", "_session/steering", {"outcome": "injected"}],
        ["err", "session/set_mode", -1, "no such mode"],
    )
    stage.until("opened")
    client, session, got = stage.client, stage.handler.session, []
    client.set_mode(session, "plan", got.append)
    client.set_config_option(session, "f", True, got.append)
    client.set_title(session, "A long title", got.append)
    client.load_session("s1", "/project", method="session/fork")
    client.list_sessions(got.append, cwd="/project")
    client.manage_session("session/close", "s2", got.append)
    client.steer(session, [schema.TextContent("x")], got.append)
    client.set_mode(session, "other")
    stage.run_until(lambda: len(got) == 6)
    stage.until("log error")
    assert (session.mode_id, session.title) == ("plan", "Short")
    assert [o.current_value for o in session.config_options] == [True]
    assert [info.session_id for info in got[3].sessions] == ["a"]
    assert got[3].next_cursor == "n"
    assert not isinstance(got[4], RpcError)
    assert got[5].outcome == "injected"
    assert list(client.sessions) == ["s1"]
    for name, definition in [
        ("session/set_mode", "SetSessionModeRequest"),
        ("session/set_config_option", "SetSessionConfigOptionRequest"),
        ("session/set_title", "SetSessionTitleRequest"),
        ("session/fork", "ForkSessionRequest"),
        ("session/list", "ListSessionsRequest"),
        ("session/close", "CloseSessionRequest"),
    ]:
        validate(definition, next(m["params"] for m in stage.sent if m.get("method") == name))


@pytest.mark.parametrize(
    ("method", "answer", "definition"),
    [
        ("session/delete", {}, "DeleteSessionRequest"),
        ("session/archive", {}, "ArchiveSessionRequest"),
        ("session/unarchive", {}, "UnarchiveSessionRequest"),
        ("session/status", {"sessionId": "s1", "status": "idle"}, "SessionStatusRequest"),
    ],
)
def test_what_is_done_with_an_old_session(stage: Any, validate: Any, method: str, answer: Any, definition: str) -> None:
    """It is called by its name, and the answer is not an error; a deleted session is forgotten."""
    stage.start(HELLO, ["reply", method, answer])
    stage.until("opened")
    got: list[Any] = []
    stage.client.manage_session(method, "s1", got.append)
    stage.run_until(lambda: bool(got))
    assert not isinstance(got[0], RpcError)
    assert list(stage.client.sessions) == ([] if method == "session/delete" else ["s1"])
    params = next(m["params"] for m in stage.sent if m.get("method") == method)
    assert params["sessionId"] == "s1"
    validate(definition, params)


def test_a_call_that_is_never_answered_is_given_up(stage: Any) -> None:
    stage.start(HELLO, ["on", "session/list"], ["eof"])
    stage.until("opened")
    got: list[Any] = []
    stage.client.list_sessions(got.append)
    stage.clock.advance(31)
    stage.run_until(lambda: bool(got))
    assert str(got[0]) == "no answer to session/list within 30 s"
    assert stage.client.stage is Phase.READY


def test_a_child_session_has_its_own_conversation(stage: Any) -> None:
    announced = {"sessionUpdate": "subagent_update", "sessionId": "c1", "title": "Helper"}
    running = {**announced, "state": {"state": "running"}}
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "child"}}
    stage.start(HELLO, PROMPT, ["upd", running], ["upd", chunk, "c1"], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    child = stage.client.sessions["c1"]
    assert (child.parent, child.title, child.in_turn) == ("s1", "Helper", True)
    assert [e.text for e in child.entries] == ["child"]


def test_all_that_an_agent_says_it_can_do_is_known(stage: Any) -> None:
    """Whatever is asked for later is looked up in what was announced: nothing of it is lost."""
    announced = {
        "loadSession": True,
        "promptCapabilities": {"image": True, "audio": True, "embeddedContext": True},
        "mcpCapabilities": {"http": True, "sse": True},
        "sessionCapabilities": {
            "list": {},
            "delete": {},
            "additionalDirectories": {},
            "systemPrompt": {"mode": {"override": {}}},
            "fork": {},
            "archive": {},
            "status": {},
            "title": {},
            "resume": {},
            "close": {},
        },
        "auth": {"status": {}, "logout": {}},
    }
    stage.start(["reply", "initialize", {"protocolVersion": 1, "agentCapabilities": announced}], ["on", "session/new"])
    stage.until("opened")
    known = json.loads(schema.encode(stage.client.capabilities))
    for group, kinds in announced.items():
        assert known[group] == kinds, group


def test_a_call_may_wait_again_and_be_of_no_kind(stage: Any) -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "", "kind": "edit", "status": "in_progress"}
    again = {"sessionUpdate": "tool_call_update", "toolCallId": "t1", "kind": "other", "status": "pending"}
    stage.start(HELLO, PROMPT, ["upd", call], ["upd", again], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    entry = next(entry for entry in stage.handler.session.entries if isinstance(entry, ToolUse))
    assert (entry.heading, entry.status) == ("t1", "pending")


def test_what_an_agent_says_it_can_do_beyond_the_protocol(stage: Any) -> None:
    stage.start(
        [
            "reply",
            "initialize",
            {
                "protocolVersion": 1,
                "agentCapabilities": {"_meta": {"claudeCode": {"promptQueueing": True}}},
                "_meta": {"steering": {"supported": True}, "availableCommands": [{"name": "a", "description": "b"}]},
            },
        ],
        ["on", "session/new"],
        PROMPT,
        ["end", "end_turn"],
        ["end", "end_turn"],
    )
    stage.until("opened")
    assert stage.client.steers
    assert stage.client.queues_prompts
    assert [c.name for c in stage.handler.session.commands] == ["a"]
    stage.prompt("one")
    stage.prompt("two")
    stage.until("ended", 2)
    first, second = stage.handler.of("ended")
    assert (first.in_turn, second.in_turn) == (True, True)
    assert not stage.handler.session.in_turn
    assert stage.client.state(stage.handler.session) is TurnState.IDLE


def test_two_sessions_on_one_process_are_apart(stage: Any) -> None:
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "two"}}
    stage.start(HELLO, ["reply", "session/new", {"sessionId": "s2"}], ["upd", chunk, "s2"], ["say", "one"])
    stage.until("opened")
    stage.client.new_session("/elsewhere")
    stage.until("changed", 2)
    assert [e.text for e in stage.client.sessions["s1"].entries] == ["one"]
    assert [e.text for e in stage.client.sessions["s2"].entries] == ["two"]


def opening(stage: Any, method: str = "session/new") -> Any:
    return next(m["params"] for m in stage.sent if m.get("method") == method)


SERVERS = [
    {"name": "a", "command": "/bin/a", "args": [], "env": []},
    {"name": "b", "type": "http", "url": "http://x", "headers": []},
    {"name": "c", "type": "sse", "url": "http://y", "headers": []},
    {"name": "d"},
]


def test_a_session_is_opened_with_what_the_agent_can_take(stage: Any, validate: Any) -> None:
    prompt = schema.SystemPrompt("append", [schema.TextContent("be brief")])
    able = {
        "mcpCapabilities": {"http": True},
        "sessionCapabilities": {"additionalDirectories": {}, "systemPrompt": {}},
    }
    stage.start(greet(agentCapabilities=able), ["on", "session/new"], ["reply", "session/resume", {}])
    stage.client._queued.clear()
    stage.client.new_session("/p", mcp_servers=SERVERS, additional_directories=["/q"], system_prompt=prompt)
    stage.until("opened")
    sent = opening(stage)
    validate("NewSessionRequest", sent)
    assert sent == {
        "cwd": "/p",
        "mcpServers": SERVERS[:2],
        "additionalDirectories": ["/q"],
        "systemPrompt": {"mode": "append", "content": [{"type": "text", "text": "be brief"}]},
    }
    assert [text for text in stage.handler.of("log note") if "MCP" in text] == [
        "the agent takes no sse MCP servers; c is left out",
        "an MCP server is left out: an MCP server needs a command, a url or a serverId",
    ]
    stage.client.load_session("old", "/p", method="session/resume", mcp_servers=SERVERS[:1])
    stage.until("opened", 2)
    validate("ResumeSessionRequest", opening(stage, "session/resume"))


def test_a_poor_agent_is_not_sent_what_it_does_not_know(stage: Any) -> None:
    prompt = schema.SystemPrompt("append", [schema.TextContent("be brief")])
    stage.start(HELLO)
    stage.client._queued.clear()
    stage.client.new_session("/p", mcp_servers=SERVERS[1:3], additional_directories=["/q"], system_prompt=prompt)
    stage.until("opened")
    assert opening(stage) == {"cwd": "/p", "mcpServers": []}
    assert len(stage.handler.of("log note")) == 4


def test_a_subagents_session_takes_no_prompts(stage: Any) -> None:
    announced = {"sessionUpdate": "subagent_update", "sessionId": "c1", "capabilities": {"cancel": {}}}
    stage.start(HELLO, ["upd", announced], ["on", "session/cancel"], ["upd", {**announced, "state": {"state": "idle"}}])
    child = stage.until("opened", 2)
    with pytest.raises(ClientError, match="takes no prompts"):
        stage.client.prompt(child, [schema.TextContent("x")], "x")
    stage.client.cancel_child(child)
    stage.until("changed", 2)
    assert stage.sent[-1] == {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "c1"}}


def test_login_status_and_forms_about_a_login(stage: Any) -> None:
    form = {"requestId": 2, "message": "m", "mode": "url", "elicitationId": "e", "url": "http://x"}
    stage.start(
        HELLO,
        ["note", "auth/status_update", {"state": "unauthenticated"}],
        ["on", "authenticate"],
        ["ask", "elicitation/create", form],
        ["note", "elicitation/complete", {"elicitationId": "e"}],
        ["err", "authenticate", -32603, "no luck"],
        ["reply", "auth/status", {"state": "authenticated", "accounts": [{"label": "me"}]}],
        ["reply", "logout", {}],
    )
    assert stage.until("auth").state == "unauthenticated"
    client, got = stage.client, []
    stage.until("opened")
    client.authenticate("m")
    ask = stage.until("elicitation")
    assert ask.session is None
    assert stage.until("elicitation_done") == "e"
    assert stage.until("failed") == "the login failed: no luck"
    assert stage.handler.of("withdrawn") == [ask]
    client.auth_status(got.append)
    client.logout(got.append)
    stage.run_until(lambda: len(got) == 2)
    assert got[0].accounts[0].label == "me"


def test_odd_updates_are_counted_where_status_shows_them(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["upd", {"sessionUpdate": "zap"}], ["upd", {"sessionUpdate": "usage_update"}],
                ["upd", {}], ["note", "session/update", None], ["end", "end_turn"])  # fmt: skip
    stage.prompt()
    stage.until("ended")
    session = stage.handler.session
    assert session.odd_updates == 4
    assert session.last_odd.startswith("an update: ")
    assert len(stage.handler.of("log violation")) == 3


def test_the_old_way_to_change_the_model(stage: Any) -> None:
    models = {"currentModelId": "a", "availableModels": [{"modelId": "a", "name": "A"}, {"modelId": "b"}]}
    stage.start(
        ["on", "initialize"],
        ["reply", "session/new", {"sessionId": "s1", "models": models}],
        ["reply", "session/set_model", None],
    )
    stage.until("opened")
    session = stage.handler.session
    assert [m.model_id for m in session.models.available_models] == ["a", "b"]
    stage.client.set_model(session, "b")
    stage.until("changed")
    assert session.models.current_model_id == "b"


def test_the_usage_of_a_turn(stage: Any) -> None:
    usage = {"totalTokens": 3, "inputTokens": 1, "outputTokens": 2}
    stage.start(HELLO, ["reply", "session/prompt", {"stopReason": "end_turn", "usage": usage}])
    stage.prompt()
    end = stage.until("ended")
    assert (end.usage.total_tokens, end.silent) == (3, True)


def test_a_defect_in_a_handler_stops_nothing_else(stage: Any) -> None:
    told: list[str] = []

    def fail_once(ask: Any) -> None:
        told.append(ask.path)
        ask.answer("x")
        raise ZeroDivisionError

    stage.handler.answers["read"] = fail_once
    ask = ["ask", "fs/read_text_file", {"sessionId": "s1", "path": "/a"}]
    stage.start(HELLO, PROMPT, ask, ["say", "on"], ["end", "end_turn"], ask, ["exit", 0])
    stage.prompt()
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            stage.until("never")
    assert stage.until("closed").startswith("The agent stopped.")
    assert stage.until("ended").message == ""
    assert texts(stage) == ["on"]
    assert told == ["/a", "/a"]


@pytest.mark.parametrize(("how", "answer"), [("decline", {"action": "decline"}), ("cancel", {"action": "cancel"})])
def test_a_form_that_is_not_filled_in(stage: Any, how: str, answer: Any) -> None:
    form = {"sessionId": "s1", "message": "m", "mode": "url", "elicitationId": "e", "url": "http://x"}
    stage.handler.answers["elicitation"] = lambda ask: getattr(ask, how)()
    stage.start(HELLO, PROMPT, ["req", "elicitation/create", form], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    assert json.loads(texts(stage)[0]) == answer
    [ask] = stage.handler.asks
    assert not ask.is_open
    assert not ask.accept()


def test_a_call_too_large_to_send_is_told_to_its_caller(stage: Any) -> None:
    stage.start(HELLO)
    stage.until("opened")
    got: list[Any] = []
    stage.client.set_title(stage.handler.session, "x" * (17 << 20), got.append)
    assert str(got[0]) == "too large to send: 17 MiB, at most 16"
    with pytest.raises(ClientError, match="too large to send"):
        stage.prompt("x" * (17 << 20))
    assert stage.client.state(stage.handler.session) is TurnState.IDLE


def test_work_stops_at_its_deadline_and_goes_on_later(stage: Any) -> None:
    stage.start(HELLO)
    stage.until("opened")
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}
    line = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update": chunk}}
    stage.client.received((json.dumps(line) + "\n").encode() * 100)
    assert stage.client.work(0.0) is True
    assert 0 < len(texts(stage)[0]) < 100
    assert stage.client.work(float("inf")) is False
    assert texts(stage) == ["x" * 100]


def test_21_45_an_id_that_is_used_again_is_another_session(stage: Any) -> None:
    asked = {"sessionId": "s1", "toolCall": {"toolCallId": "t"}, "options": []}
    permission = {"jsonrpc": "2.0", "id": "p", "method": "session/request_permission", "params": asked}
    again = ["reply", "session/new", {"sessionId": "s1"}]
    stage.start(HELLO, ["say", "old"], ["raw", json.dumps(permission) + "\n"], again)
    first = stage.until("opened")
    stage.until("permission")
    stage.client.new_session("/p")
    second = stage.until("opened", 2)
    assert second is not first
    assert second.entries == []
    assert stage.client.sessions["s1"] is second
    assert stage.handler.of("withdrawn")
