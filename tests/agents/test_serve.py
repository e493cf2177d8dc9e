"""The agent side without I/O: every rule of PROTOCOL §23, and the engine that runs turns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.agents.conftest import ALL, Script, answers, requests, text_of, updates

from tpy.acp.agent import Agent, Work
from tpy.acp.jsonrpc import RpcError
from tpy.acp.serve import opened
from tpy.acp.turn import Cancelled, Readable, Session, Sleep, Turn, diff_content


class Puppet(Agent):
    """An agent whose turn is a function of the test."""

    name, title, version = "tester", "Tester", "1.2"
    prompt_kinds = frozenset({"resource"})

    def __init__(self, work: Callable[[Turn], Work] | None = None) -> None:
        self.work = work

    def open_session(self, session: Session) -> None:
        session.modes = [
            {"id": "ask", "name": "Ask", "description": "asks first"},
            {"id": "do", "name": "Do", "description": "just does"},
        ]
        session.mode = "ask"
        session.options = [
            {
                "id": "pace",
                "name": "Pace",
                "type": "select",
                "currentValue": "fast",
                "options": [{"value": "fast", "name": "Fast"}, {"value": "slow", "name": "Slow"}],
            },
            {"id": "web", "name": "Web", "type": "boolean", "currentValue": False},
        ]
        session.commands = [{"name": "go", "description": "goes"}]
        session.usage(1, 100)

    def prompt(self, turn: Turn) -> Work:
        assert self.work is not None
        return self.work(turn)


def script(work: Callable[[Turn], Work] | None = None, capabilities: Any = None, chunk: int = 0) -> Script:
    found = Script(Puppet(work), chunk=chunk)
    found.hello(capabilities)
    return found


def stop_reason(messages: list[dict[str, Any]]) -> Any:
    (answer,) = answers(messages)
    return answer["result"]["stopReason"]


def error(messages: list[dict[str, Any]]) -> tuple[int, str]:
    (answer,) = answers(messages)
    return answer["error"]["code"], answer["error"]["message"]


# --- the handshake --------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [1, 2, 99, 0, "0.1"])
def test_any_version_is_answered_by_one(version: object) -> None:
    (answer,) = Script(Puppet()).call("initialize", {"protocolVersion": version})
    assert answer["result"]["protocolVersion"] == 1
    assert answer["result"]["agentInfo"] == {"name": "tester", "title": "Tester", "version": "1.2"}
    assert answer["result"]["authMethods"] == []
    assert answer["result"]["agentCapabilities"]["promptCapabilities"] == {"embeddedContext": True}


@pytest.mark.parametrize("params", [{}, {"protocolVersion": True}, {"protocolVersion": None}])
def test_no_version_is_refused(params: dict[str, Any]) -> None:
    code, _ = error(Script(Puppet()).call("initialize", params))
    assert code == -32602


def test_initialize_comes_first_and_once() -> None:
    fresh = Script(Puppet())
    assert error(fresh.call("session/new", {"cwd": "/p", "mcpServers": []}))[0] == -32600
    fresh.call("initialize", {"protocolVersion": 1})
    assert error(fresh.call("initialize", {"protocolVersion": 1}))[0] == -32600


@pytest.mark.parametrize("ident", [0, -7, "0", "abc-1", 2**40])
def test_a15_ids_come_back_as_they_were(ident: object) -> None:
    (answer,) = Script(Puppet()).call("initialize", {"protocolVersion": 1}, ident=ident)
    assert answer["id"] == ident
    assert type(answer["id"]) is type(ident)


def test_new_session_is_answered_before_any_update() -> None:
    fresh = Script(Puppet())
    fresh.call("initialize", {"protocolVersion": 1, "clientCapabilities": ALL})
    first, *rest = fresh.call("session/new", {"cwd": "/p", "mcpServers": []})
    assert first["result"]["sessionId"] == "s1"
    assert [u["sessionUpdate"] for u in updates(rest)] == ["usage_update", "available_commands_update"]
    assert first["result"]["modes"]["currentModeId"] == "ask"
    assert [o["id"] for o in first["result"]["configOptions"]] == ["mode", "pace", "web"]


def test_boolean_options_need_the_capability() -> None:
    fresh = Script(Puppet())
    fresh.call("initialize", {"protocolVersion": 1})
    first, *_ = fresh.call("session/new", {"cwd": "/p", "mcpServers": []})
    assert [o["id"] for o in first["result"]["configOptions"]] == ["mode", "pace"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("session/new", {"cwd": "p", "mcpServers": []}, -32602),
        ("session/new", {"mcpServers": []}, -32602),
        ("session/new", {"cwd": "/p"}, -32602),
        ("session/new", [], -32602),
        ("session/prompt", {"sessionId": "no", "prompt": []}, -32002),
        ("session/prompt", {"sessionId": "s1"}, -32602),
        ("session/prompt", {"sessionId": "s1", "prompt": [{"type": "image", "data": "", "mimeType": "i/p"}]}, -32602),
        ("session/prompt", {"sessionId": "s1", "prompt": [{"type": "hologram"}]}, -32602),
        ("session/set_mode", {"sessionId": "s1", "modeId": "none"}, -32602),
        ("session/set_config_option", {"sessionId": "s1", "configId": "none", "value": "x"}, -32602),
        ("session/set_config_option", {"sessionId": "s1", "configId": "pace", "value": "x"}, -32602),
        ("session/set_config_option", {"sessionId": "s1", "configId": "pace", "value": True}, -32602),
        ("session/set_config_option", {"sessionId": "s1", "configId": "web", "value": "x"}, -32602),
        ("session/close", {"sessionId": "no"}, -32002),
        ("session/load", {"sessionId": "s1", "cwd": "/p", "mcpServers": []}, -32601),
        ("_private/thing", {}, -32601),
        ("nonsense", None, -32601),
    ],
)
def test_what_cannot_be_done_is_refused_with_its_code(method: str, params: Any, code: int) -> None:
    assert error(script().call(method, params))[0] == code


def test_an_unknown_session_names_itself() -> None:
    (answer,) = script().call("session/prompt", {"sessionId": "gone", "prompt": []})
    assert answer["error"] == {"code": -32002, "message": "Session not found: gone", "data": {"sessionId": "gone"}}


@pytest.mark.parametrize(
    ("line", "code"),
    [(b"{broken\n", -32700), (b"[]\n", -32600), (b'"text"\n', -32600), (b'{"jsonrpc":"2.0","method":5}\n', -32600)],
)
def test_a16_what_is_no_message_is_answered_with_a_null_id(line: bytes, code: int) -> None:
    (answer,) = script().raw(line)
    assert (answer["id"], answer["error"]["code"]) == (None, code)


def test_unknown_notifications_are_ignored() -> None:
    client = script()
    assert client.notify("x/y", {}) == []
    assert client.notify("$/whatever", {}) == []
    assert client.notify("session/cancel", {"sessionId": "nobody"}) == []
    assert client.cancel() == []


# --- modes and options ----------------------------------------------------------------------------------


def test_a_mode_is_told_in_both_forms() -> None:
    client = script()
    *told, answer = client.call("session/set_mode", {"sessionId": "s1", "modeId": "do"})
    assert answer["result"] == {}
    assert updates(told, "current_mode_update")[0]["currentModeId"] == "do"
    assert updates(told, "config_option_update")[0]["configOptions"][0]["currentValue"] == "do"
    *told, answer = client.call("session/set_config_option", {"sessionId": "s1", "configId": "mode", "value": "ask"})
    assert answer["result"]["configOptions"][0]["currentValue"] == "ask"
    assert updates(told, "current_mode_update")[0]["currentModeId"] == "ask"


def test_an_answer_carries_the_complete_list() -> None:
    params = {"sessionId": "s1", "configId": "web", "type": "boolean", "value": True}
    *_, answer = script().call("session/set_config_option", params)
    assert [(o["id"], o["currentValue"]) for o in answer["result"]["configOptions"]] == [
        ("mode", "ask"),
        ("pace", "fast"),
        ("web", True),
    ]


# --- turns ----------------------------------------------------------------------------------------------


def test_chunks_are_grouped_by_message_ids() -> None:
    def work(turn: Turn) -> Work:
        turn.say("a")
        turn.say("b")
        turn.think("c")
        turn.say("d")
        turn.plan([("step", "pending")])
        turn.say("e")
        yield turn.sleep(0)
        turn.say("f")

    client = script(work)
    messages = client.prompt("hi") + client.pass_time(1)
    chunks = [(u["content"]["text"], u["messageId"]) for u in updates(messages) if "messageId" in u]
    assert [text for text, _ in chunks] == list("abcdef")
    ids = [ident for _, ident in chunks]
    assert ids[0] == ids[1]
    assert len(set(ids)) == 4
    assert ids[4] == ids[5]
    assert stop_reason(messages) == "end_turn"


def test_a_step_waits_and_gives_its_answer() -> None:
    def work(turn: Turn) -> Work:
        text = yield turn.read_text_file("/p/a", line=2, limit=3)
        yield turn.write_text_file("/p/a", text.upper())
        turn.say("written")
        return "max_tokens"

    client = script(work)
    (ask,) = client.prompt("go")
    assert ask["params"] == {"sessionId": "s1", "path": "/p/a", "line": 2, "limit": 3}
    (write,) = client.answer(ask, {"content": "abc"})
    assert write["params"]["content"] == "ABC"
    messages = client.answer(write, {})
    assert text_of(messages) == "written"
    assert stop_reason(messages) == "max_tokens"


def test_an_error_answer_is_raised_where_it_was_asked() -> None:
    def work(turn: Turn) -> Work:
        try:
            yield turn.read_text_file("/p/gone")
        except RpcError as failure:
            turn.say(f"{failure.code} {failure}")

    client = script(work)
    (ask,) = client.prompt("go")
    assert text_of(client.refuse(ask, -32002, "Resource not found: /p/gone")) == "-32002 Resource not found: /p/gone"


@pytest.mark.parametrize("result", [None, [], {}, {"content": 5}])
def test_an_answer_that_cannot_be_used_is_an_error_too(result: object) -> None:
    def work(turn: Turn) -> Work:
        try:
            yield turn.read_text_file("/p/a")
        except RpcError as failure:
            turn.say(str(failure.code))

    client = script(work)
    (ask,) = client.prompt("go")
    assert text_of(client.answer(ask, result)) == "-32603"


USES = {
    "fs.readTextFile": lambda turn: turn.read_text_file("/p/a"),
    "fs.writeTextFile": lambda turn: turn.write_text_file("/p/a", ""),
    "terminal": lambda turn: turn.create_terminal("ls"),
    "elicitation.form": lambda turn: turn.ask_form("?", {"type": "object", "properties": {}}),
    "elicitation.url": lambda turn: turn.ask_url("?", "1", "https://example.com"),
    "session.notices": lambda turn: turn.notice("info", "x"),
}


@pytest.mark.parametrize("capability", USES)
def test_nothing_is_used_that_was_not_offered(capability: str) -> None:
    def work(turn: Turn) -> Work:
        yield USES[capability](turn)

    messages = script(work, capabilities={"elicitation": {}}).prompt("go")
    assert requests(messages) == []
    assert error(messages) == (-32603, f"the client does not offer {capability}")


PERMISSIONS = [
    ({"outcome": {"outcome": "selected", "optionId": "allow"}}, True),
    ({"outcome": {"outcome": "selected", "optionId": "always"}}, True),
    ({"outcome": {"outcome": "selected", "optionId": "reject"}}, False),
    ({"outcome": {"outcome": "selected", "optionId": "never offered"}}, False),
    ({"outcome": {"outcome": "cancelled"}}, False),
    ({"outcome": "selected"}, False),
    ({}, False),
    (None, False),
]


@pytest.mark.parametrize(("result", "allowed"), PERMISSIONS)
def test_only_an_offered_allow_option_is_an_approval(result: object, allowed: bool) -> None:
    def work(turn: Turn) -> Work:
        call = turn.tool_call("Edit", "edit", content=[diff_content("/p/a", None, "x")])
        answer = yield turn.ask_permission(call)
        turn.say(str(answer.allowed))

    client = script(work)
    *told, ask = client.prompt("go")
    assert updates(told, "tool_call")[0]["toolCallId"] == ask["params"]["toolCall"]["toolCallId"]
    messages = client.answer(ask, result)
    assert text_of(messages) == str(allowed)
    assert stop_reason(messages) == "end_turn"


def test_what_a_turn_leaves_open_is_finished_before_its_answer() -> None:
    def work(turn: Turn) -> Work:
        turn.tool_call("left", "other")
        turn.tool_call("done", "other").complete()
        yield turn.create_terminal("sh", ["-c", "true"], env={"A": "b"}, cwd="/p", output_byte_limit=5)

    client = script(work)
    create = client.prompt("go")[-1]
    assert create["params"] == {
        "sessionId": "s1",
        "command": "sh",
        "args": ["-c", "true"],
        "env": [{"name": "A", "value": "b"}],
        "cwd": "/p",
        "outputByteLimit": 5,
    }
    failed, release, answer = client.answer(create, {"terminalId": "t1"})
    assert failed["params"]["update"] == {
        "sessionUpdate": "tool_call_update",
        "toolCallId": "call-1",
        "status": "failed",
    }
    assert (release["method"], release["params"]["terminalId"]) == ("terminal/release", "t1")
    assert answer["result"] == {"stopReason": "end_turn"}


def test_a_fault_of_the_agent_ends_the_turn_with_an_error_and_is_logged() -> None:
    def work(turn: Turn) -> Work:
        turn.say("before")
        yield turn.sleep(0)
        raise ValueError("broken inside")

    client = script(work)
    messages = client.prompt("go") + client.pass_time(1)
    assert text_of(messages) == "before"
    assert error(messages) == (-32603, "the agent failed: ValueError: broken inside")
    assert "Traceback" in client.logged[0]


def test_time_steps_use_the_clock_given() -> None:
    def work(turn: Turn) -> Work:
        for word in ("one", "two", "three"):
            turn.say(word)
            yield turn.sleep(2)

    client = script(work)
    assert text_of(client.prompt("go")) == "one"
    assert client.pass_time(1.9) == []
    assert text_of(client.pass_time(0.2)) == "two"
    assert stop_reason(client.pass_time(10)) == "end_turn"


def test_a_descriptor_or_its_time_limit() -> None:
    def work(turn: Turn) -> Work:
        turn.say(str((yield Readable(77, 5))))
        turn.say(str((yield Readable(77, 5))))

    client = script(work)
    client.prompt("go")
    assert client.server.watched() == [77]
    client.server.readable(77)
    assert text_of(client.take()) == "True"
    assert text_of(client.pass_time(6)) == "False"
    assert client.server.watched() == []


# --- queue, cancel, close -------------------------------------------------------------------------------


def slow(turn: Turn) -> Work:
    turn.say(f"<{turn.text}>")
    yield turn.sleep(10)


def test_a_prompt_during_a_turn_waits() -> None:
    client = script(slow)
    assert text_of(client.prompt("one")) == "<one>"
    assert client.prompt("two") == []
    messages = client.pass_time(11)
    assert answers(messages)[0]["id"] == 2
    assert text_of(messages) == "<two>"
    assert answers(client.pass_time(11))[0]["id"] == 3


def test_or_is_refused_where_the_agent_wants_it() -> None:
    client = script(slow)
    client.server.agent.queue_prompts = False
    client.prompt("one")
    assert error(client.prompt("two"))[0] == -32600
    assert stop_reason(client.pass_time(11)) == "end_turn"


def test_many_queued_prompts_do_not_nest() -> None:
    def work(turn: Turn) -> Work:
        yield turn.sleep(0)

    client = script(work)
    for _ in range(3000):
        client.prompt("x")
    assert len(answers(client.pass_time(1))) == 3000


def test_cancel_is_answered_cancelled_and_queued_prompts_with_it() -> None:
    client = script(slow)
    client.prompt("one")
    client.prompt("two")
    messages = client.cancel()
    assert {m["id"]: m["result"]["stopReason"] for m in answers(messages)} == {2: "cancelled", 3: "cancelled"}
    assert client.cancel() == []
    assert text_of(client.prompt("three")) == "<three>"


def test_cancel_sends_last_updates_and_waits_for_nothing() -> None:
    def work(turn: Turn) -> Work:
        call = turn.tool_call("Read", "read")
        try:
            yield turn.read_text_file("/p/a")
        except Cancelled:
            call.fail()
            turn.say("stopped")
            yield turn.write_text_file("/p/log", "x")
            yield turn.sleep(1000)

    client = script(work)
    ask = client.prompt("go")[-1]
    messages = client.cancel()
    assert messages[0]["method"] == "$/cancel_request"
    assert messages[0]["params"] == {"requestId": ask["id"]}
    assert text_of(messages) == "stopped"
    assert [m["method"] for m in requests(messages)] == ["fs/write_text_file"]
    assert messages[-1]["result"] == {"stopReason": "cancelled"}
    assert client.answer(ask, {"content": "late"}) == []


def test_a_late_terminal_is_given_back() -> None:
    def work(turn: Turn) -> Work:
        yield turn.create_terminal("sleep", ["9"])

    client = script(work)
    (create,) = client.prompt("go")
    client.cancel()
    (release,) = client.answer(create, {"terminalId": "t9"})
    assert (release["method"], release["params"]) == ("terminal/release", {"sessionId": "s1", "terminalId": "t9"})


def test_a_turn_that_ignores_cancel_is_ended_all_the_same() -> None:
    def work(turn: Turn) -> Work:
        while True:
            try:
                yield turn.sleep(1)
            except Cancelled:
                turn.say("no!")

    client = script(work)
    client.prompt("go")
    assert stop_reason(client.cancel()) == "cancelled"


@pytest.mark.parametrize(("ident", "hit"), [(2, True), ("2", False), (99, False)])
def test_cancel_request_finds_its_call_by_value_and_type(ident: object, hit: bool) -> None:
    client = script(slow)
    client.prompt("go")
    messages = client.notify("$/cancel_request", {"requestId": ident})
    assert (stop_reason(messages) == "cancelled") if hit else messages == []


def test_closing_a_session_ends_its_turn_first() -> None:
    client = script(slow)
    client.prompt("go")
    first, second = answers(client.call("session/close", {"sessionId": "s1"}))
    assert first["result"] == {"stopReason": "cancelled"}
    assert second["result"] == {}
    assert error(client.prompt("again"))[0] == -32002


def test_sessions_are_independent() -> None:
    client = script(slow)
    client.prompt("one")
    *_, opened, _usage, _commands = client.call("session/new", {"cwd": "/q", "mcpServers": []})
    client.session = opened["result"]["sessionId"]
    assert text_of(client.prompt("two")) == "<two>"
    client.cancel()
    (left,) = answers(client.pass_time(11))
    assert left["id"] == 2


def test_the_end_of_input_lets_turns_clean_up() -> None:
    cleaned = []

    def work(turn: Turn) -> Work:
        try:
            yield turn.sleep(100)
        finally:
            cleaned.append(True)

    client = script(work)
    client.prompt("go")
    client.server.receive_eof()
    assert client.server.closed
    assert cleaned == [True]


def test_one_byte_at_a_time_gives_the_same() -> None:
    def work(turn: Turn) -> Work:
        text = yield turn.read_text_file("/p/ü")
        turn.say(text + " 日本語 😀")

    whole, bytewise = script(work), script(work, chunk=1)
    results = []
    for client in (whole, bytewise):
        (ask,) = client.prompt("é")
        results.append((ask, client.answer(ask, {"content": "ø"})))
    assert results[0] == results[1]
    assert text_of(results[1][1]) == "ø 日本語 😀"


# --- further methods ------------------------------------------------------------------------------------


class Extended(Puppet):
    """An agent with methods of its own: one that answers at once, one that takes its time."""

    def handlers(self) -> dict[str, Any]:
        return {"_x/now": lambda server, params: {"got": params}, "session/load": self._load}

    def _load(self, server: Any, params: Any) -> Work:
        yield Sleep(5)
        session = server.adopt(params.session_id, params.cwd)
        self.open_session(session)
        session.update("agent_message_chunk", content={"type": "text", "text": "replayed"})
        return opened(session)


def test_a_further_method_answers_at_once_or_over_time() -> None:
    client = Script(Extended())
    client.hello()
    (answer,) = client.call("_x/now", {"a": 1})
    assert answer["result"] == {"got": {"a": 1}}
    assert client.call("session/load", {"sessionId": "old", "cwd": "/p", "mcpServers": []}) == []
    *told, answer = client.pass_time(6)
    assert text_of(told) == "replayed"
    assert answer["result"]["modes"]["currentModeId"] == "ask"


def test_a_further_method_can_be_cancelled() -> None:
    client = Script(Extended())
    client.hello()
    client.call("session/load", {"sessionId": "old", "cwd": "/p", "mcpServers": []}, ident="load")
    assert error(client.notify("$/cancel_request", {"requestId": "load"})) == (-32800, "cancelled")
    assert client.pass_time(60) == []
