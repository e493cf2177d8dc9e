"""`acp/draft2.py`: an agent that speaks the draft of version 2, and one that was asked for it and speaks 1."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.acp import events, jsonrpc, schema
from tpy.acp.connection import Connection, TurnState
from tpy.acp.entries import Message, PlanState, ToolUse
from tpy.acp.handler import EVERYTHING
from tpy.acp.session import Session

WHOLE: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "schema.v2.json").read_text())["$defs"]
PARAMS = {
    described["x-method"]: name
    for name, described in WHOLE.items()
    if "x-method" in described and name.endswith(("Request", "Notification"))
}
GREETING = {
    "protocolVersion": 2,
    "info": {"name": "two", "version": "1"},
    "capabilities": {"session": {"prompt": {"image": {}}, "mcp": {"stdio": {}, "http": {}}, "delete": {}}},
    "authMethods": [
        {"type": "terminal", "methodId": "t", "name": "T", "args": ["x"], "env": [{"name": "A", "value": "b"}]}
    ],
}


def validate(name: str, value: Any) -> None:
    import jsonschema

    jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": WHOLE}).validate(value)


class Two:
    """A client that asked for version 2, a session folded from its events, and the agent's side as a peer."""

    def __init__(self, make_pair: Any, greeting: dict[str, Any] | None = None) -> None:
        self.pair = make_pair()
        self.pair.client = Connection(EVERYTHING, protocol=2)
        self.session = Session("s1", "/p")
        info = schema.Implementation("tpy", "1")
        self.pair.client.call("initialize", schema.InitializeRequest(1, EVERYTHING, info))
        self.pair.pump()
        self.hello = json.loads(bytes(self.pair.heard[0].params))
        [answered] = self.pair.answer(greeting or GREETING)
        self.info: schema.InitializeResponse = answered.result

    def open(self) -> Two:
        self.pair.client.call("session/new", schema.NewSessionRequest("/p", []))
        self.take(self.pair.answer({"sessionId": "s1"}))
        return self

    def take(self, found: list[Any]) -> list[Any]:
        for event in found:
            if isinstance(event, events.UpdateReceived):
                self.session.apply(event.update)
            elif isinstance(event, events.PromptAccepted):
                self.session.prompt_accepted(event.message_id)
            elif isinstance(event, events.TurnEnded):
                self.session.end_turn(event.stop_reason, event.error, event.usage, cancelled=event.cancelled)
            elif isinstance(event, events.Answered) and event.call.method == "session/new":
                self.session.opened(event.result)
        return found

    def tell(self, kind: str, /, **fields: Any) -> list[Any]:
        validate("SessionUpdate", {"sessionUpdate": kind, **fields})
        return self.take(self.pair.update("s1", kind, **fields))

    def prompt(self) -> None:
        self.pair.client.prompt("s1", [schema.TextContent("go")])
        self.session.begin_turn("go", [])
        self.pair.pump()

    def sent(self) -> list[tuple[str, Any]]:
        self.pair.pump()
        return [(e.method, json.loads(bytes(e.params))) for e in self.pair.heard if isinstance(e, jsonrpc.Request)]


@pytest.fixture
def two(make_pair: Any) -> Two:
    return Two(make_pair).open()


def texts(session: Session) -> list[tuple[str, str]]:
    return [(entry.kind, entry.text) for entry in session.entries if isinstance(entry, Message)]


def test_the_greeting_can_be_read_by_agents_of_both_versions(
    make_pair: Any, validate: Callable[[str, Any], None]
) -> None:
    two = Two(make_pair)
    validate("InitializeRequest", two.hello)
    globals()["validate"]("InitializeRequest", two.hello)
    assert two.hello["protocolVersion"] == 2
    info = two.info
    assert info.protocol_version == 2
    assert info.agent_info is not None
    assert info.agent_info.name == "two"
    can = info.agent_capabilities
    assert (can.load_session, can.prompt_capabilities.image, can.prompt_capabilities.audio) == (True, True, False)
    assert (can.mcp_capabilities.http, can.session_capabilities.delete, can.session_capabilities.list) == (True, {}, {})
    assert [(m.id, m.type, m.args, m.env) for m in info.auth_methods] == [("t", "terminal", ["x"], {"A": "b"})]


def test_an_agent_that_answers_1_is_spoken_to_in_1(make_pair: Any) -> None:
    two = Two(make_pair, {"protocolVersion": 1, "agentInfo": {"name": "one", "version": "1"}})
    assert two.info.protocol_version == 1
    two.open()
    two.prompt()
    [event] = two.pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert isinstance(event, events.TurnEnded)


def test_what_we_send_is_valid(two: Two) -> None:
    client = two.pair.client
    server = schema.McpServer.stdio("a", "/bin/a", [], {})
    client.call("session/new", schema.NewSessionRequest("/p", [server]))
    client.call("session/load", schema.LoadSessionRequest("old", "/p", []))
    client.call("session/resume", schema.ResumeSessionRequest("old", "/p"))
    client.call("session/list", schema.ListSessionsRequest())
    client.call("session/set_config_option", schema.SetConfigOptionRequest("s1", "c", "v"))
    client.call("session/set_config_option", schema.SetConfigOptionRequest("s1", "c", True, "boolean"))
    client.call("session/close", schema.SessionId("old"))
    client.call("authenticate", schema.AuthenticateRequest("t"))
    client.call("logout", schema.Empty())
    two.prompt()
    sent = two.sent()
    for method, params in sent:
        validate(PARAMS[method], params)
    assert [method for method, _ in sent] == [
        "session/new",
        "session/resume",
        "session/resume",
        "session/list",
        "session/set_config_option",
        "session/set_config_option",
        "session/close",
        "auth/login",
        "auth/logout",
        "session/prompt",
    ]
    assert sent[1][1]["replayFrom"] == {"type": "start"}
    assert "replayFrom" not in sent[2][1]


def test_a_turn_ends_when_the_agent_is_idle(two: Two) -> None:
    turns = two.pair.client.sessions["s1"]
    two.tell("state_update", state="idle")
    two.prompt()
    two.tell("state_update", state="idle")
    assert turns.state is TurnState.RUNNING
    two.take(two.pair.answer({"messageId": "u1"}, method="session/prompt"))
    assert turns.state is TurnState.RUNNING
    two.tell("user_message", messageId="u1", content=[{"type": "text", "text": "go"}])
    two.tell("state_update", state="running")
    two.tell("agent_message_chunk", messageId="m1", content={"type": "text", "text": "one "})
    two.tell("agent_message_chunk", messageId="m1", content={"type": "text", "text": "two"})
    two.tell("agent_message", messageId="m1", content=[{"type": "text", "text": "one two three"}])
    found = two.tell("state_update", state="idle", stopReason="max_tokens")
    assert [type(event).__name__ for event in found] == ["UpdateReceived", "TurnEnded"]
    assert turns.state is TurnState.IDLE
    assert two.tell("state_update", state="idle", stopReason="max_tokens")[0].update.state == "idle"
    assert texts(two.session) == [("user", "go"), ("agent", "one two three")]
    assert two.session.entries[-1].message == "The turn ended: max_tokens"  # type: ignore[attr-defined]
    assert two.session.agent_state == "idle"


def test_an_error_and_a_cancel_end_the_turn(two: Two) -> None:
    two.prompt()
    two.take(two.pair.answer({"messageId": "u1"}, method="session/prompt"))
    two.tell("state_update", state="idle", stopReason="error", error={"code": -32603, "message": "no"})
    assert two.session.entries[-1].message == "The turn failed: no"  # type: ignore[attr-defined]
    two.prompt()
    two.pair.client.cancel("s1")
    two.take(two.pair.answer({"messageId": "u2"}, method="session/prompt"))
    two.tell("state_update", state="idle", stopReason="cancelled")
    assert two.session.entries[-1].message == "The turn ended: cancelled"  # type: ignore[attr-defined]
    two.prompt()
    two.take(two.pair.answer(error=jsonrpc.RpcError(-32000, "login"), method="session/prompt"))
    assert two.session.entries[-1].message == "The turn failed: login"  # type: ignore[attr-defined]


def test_an_agent_that_dies_after_it_took_the_prompt(two: Two) -> None:
    two.prompt()
    two.take(two.pair.answer({"messageId": "u1"}, method="session/prompt"))
    two.pair.client.receive_eof("exit status 1")
    found = two.take(two.pair.pump())
    assert [type(event).__name__ for event in found] == ["TurnEnded", "Ended"]


def test_messages_are_replaced_and_only_then_told_apart(two: Two) -> None:
    two.tell("agent_message", messageId="m", content=[{"type": "text", "text": "draft"}])
    two.tell("agent_message", messageId="m", content=[{"type": "text", "text": "drafted"}])
    [entry] = two.session.entries
    assert isinstance(entry, Message)
    assert (entry.text, entry.generation) == ("drafted", 0)
    two.tell("agent_message", messageId="m", content=[{"type": "text", "text": "final"}])
    assert (entry.text, entry.generation) == ("final", 1)
    two.tell("agent_message", messageId="m")
    assert entry.text == "final"
    two.tell("agent_message", messageId="m", content=None)
    assert entry.text == ""
    two.tell("agent_thought", messageId="m", content=[{"type": "text", "text": "hm"}])
    assert texts(two.session) == [("agent", ""), ("thought", "hm")]


def test_tool_calls_with_states_diffs_and_more_content(two: Two) -> None:
    diff = {
        "type": "diff",
        "changes": [{"operation": "move", "oldPath": "/a", "path": "/b"}, {"operation": "add", "path": "/c"}],
        "patch": {"format": "git_patch", "text": "+x"},
    }
    two.tell("tool_call_update", toolCallId="t", title="T", kind="edit", status="paused", content=[diff])
    tool = two.session.tool("t")
    assert tool is not None
    assert (tool.status, tool.kind) == ("paused", "edit")
    text = {"type": "content", "content": {"type": "text", "text": "more"}}
    two.tell("tool_call_content_chunk", toolCallId="t", content=text)
    two.tell("tool_call_update", toolCallId="t", status="cancelled")
    shown = [item.content.text for item in tool.content]  # type: ignore[union-attr]
    assert shown == ["move: /a → /b\nadd: /c\n\n```diff\n+x\n```", "more"]
    assert tool.finished
    two.tell("tool_call_update", toolCallId="t", content=None)
    assert tool.content == []
    two.tell("tool_call_content_chunk", toolCallId="u", content=text)
    assert isinstance(two.session.entries[-1], ToolUse)


def test_terminals_of_the_agents_own(two: Two) -> None:
    def b64(data: bytes) -> str:
        return base64.b64encode(data).decode()

    two.tell("terminal_update", terminalId="x", command="ls", output={"data": b64(b"a\n")})
    two.tell("terminal_output_chunk", terminalId="x", data=b64("é".encode()[:1]))
    two.tell("terminal_output_chunk", terminalId="x", data=b64("é".encode()[1:]))
    two.tell("terminal_update", terminalId="x", exitStatus={"exitCode": 1})
    view = two.session.terminals["x"]
    assert (view.command, view.text) == ("ls", "a\né")
    assert view.exit_status == schema.TerminalExitStatus(1)
    two.tell("terminal_update", terminalId="x", output={"data": b64(b"a\nb")})
    assert view.text == "a\nb"
    [bad] = two.pair.update("s1", "terminal_output_chunk", terminalId="x", data="!")
    assert isinstance(bad, events.BadUpdate)


def test_options_commands_and_plans(make_pair: Any) -> None:
    two = Two(make_pair)
    options = [
        {
            "type": "select",
            "configId": "m",
            "name": "M",
            "currentValue": "a",
            "options": [{"groupId": "g", "name": "G", "options": [{"value": "a", "name": "A"}]}],
        },
        {"type": "boolean", "configId": "f", "name": "F", "currentValue": True},
        {"type": "slider", "configId": "z", "name": "Z"},
    ]
    two.pair.client.call("session/new", schema.NewSessionRequest("/p", []))
    commands = [{"type": "text", "name": "web", "description": "d", "input": {"type": "text", "hint": "h"}}]
    two.take(two.pair.answer({"sessionId": "s1", "configOptions": options, "availableCommands": commands}))
    assert [option.id for option in two.session.config_options or []] == ["m", "f"]
    assert [command.name for command in two.session.commands] == ["web"]
    two.tell("config_option_update", configOptions=options[1:2])
    assert [option.id for option in two.session.config_options or []] == ["f"]
    entries = [{"content": "x", "priority": "high", "status": "cancelled"}]
    two.tell("plan_update", plan={"type": "items", "planId": "p", "entries": [*entries]})
    [plan] = two.session.entries
    assert isinstance(plan, PlanState)
    assert [step.status for step in plan.steps] == ["cancelled"]


@pytest.mark.parametrize(
    ("subject", "call"),
    [
        ({"type": "tool_call", "toolCall": {"toolCallId": "t", "status": "pending"}}, ("t", "May I?", None)),
        ({"type": "command", "command": "ls", "cwd": "/p"}, ("permission-1", "May I?", {"command": "ls", "cwd": "/p"})),
        (None, ("permission-1", "May I?", None)),
    ],
)
def test_permissions(two: Two, subject: Any, call: Any) -> None:
    params = {
        "sessionId": "s1",
        "title": "May I?",
        "subject": subject,
        "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}],
    }
    validate("RequestPermissionRequest", params)
    [asked] = two.pair.ask("session/request_permission", params)
    tool = asked.request.params.tool_call
    assert (tool.tool_call_id, tool.title, tool.raw_input) == call
    two.pair.client.answer(asked.request, schema.RequestPermissionResponse(schema.PermissionOutcome("selected", "y")))
    [answer] = two.pair.answers()
    validate("RequestPermissionResponse", json.loads(bytes(answer.result)))


@pytest.mark.parametrize("params", [None, {}, {"sessionId": "s1"}, {"sessionId": "s1", "update": {}}])
def test_odd_updates_are_told(two: Two, params: Any) -> None:
    [event] = two.pair.tell("session/update", params)
    assert isinstance(event, events.BadUpdate)


def test_an_unknown_update_is_kept(two: Two) -> None:
    [event] = two.pair.update("s1", "from_the_future", x=1)
    assert isinstance(event.update, schema.UnknownUpdate)


def test_a_client_that_asked_for_2(stage: Any) -> None:
    chunk = {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text", "text": "hi"}}
    stage.start(
        ["reply", "initialize", GREETING],
        ["on", "session/new"],
        ["reply", "session/prompt", {"messageId": "u"}],
        ["upd", chunk],
        ["upd", {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}],
        protocol=2,
    )
    stage.prompt()
    assert stage.until("ended").message == ""
    assert [e.text for e in stage.handler.session.entries[:2]] == ["go", "hi"]


def test_a_version_beyond_ours(stage: Any) -> None:
    stage.start(["reply", "initialize", {**GREETING, "protocolVersion": 3}], protocol=2)
    assert stage.until("failed") == "the agent speaks protocol version 3; this editor speaks 1 and 2"


def test_a_tool_call_or_its_terminal_is_cancelled_alone_where_the_agent_offers_that(stage: Any) -> None:
    def call(name: str, **fields: Any) -> list[Any]:
        return ["upd", {"sessionUpdate": "tool_call_update", "toolCallId": name, **fields}]

    terminal = {"sessionUpdate": "terminal_update", "terminalId": "x", "capabilities": {"cancel": {}}}
    stage.start(
        ["reply", "initialize", GREETING],
        ["on", "session/new"],
        ["reply", "session/prompt", {"messageId": "u"}],
        call("t", title="T", capabilities={"cancel": {}}),
        call("u", title="U", content=[{"type": "terminal", "terminalId": "x"}]),
        ["upd", terminal],
        call("v", title="V", capabilities={"cancel": 1}),
        ["reply", "tool_call/cancel", {}],
        ["reply", "terminal/cancel", {}],
        call("t", status="cancelled"),
        ["upd", {"sessionUpdate": "terminal_update", "terminalId": "x", "exitStatus": {"signal": "SIGTERM"}}],
        protocol=2,
    )
    stage.prompt()
    session = stage.handler.session
    stage.run_until(lambda: session.tool("v") is not None)
    t, u, v = (session.tool(name) for name in "tuv")
    got: list[Any] = []
    assert stage.client.cancel_tool(session, t, got.append)
    assert stage.client.cancel_tool(session, u, got.append)
    assert not stage.client.cancel_tool(session, v)
    stage.run_until(lambda: t.finished and session.terminals["x"].exit_status is not None)
    assert got == [{}, {}]
    sent = [m for m in stage.sent if m.get("method", "").endswith("/cancel") and "id" in m]
    assert [m["method"] for m in sent] == ["tool_call/cancel", "terminal/cancel"]
    for message in sent:
        validate(PARAMS[message["method"]], message["params"])
    assert not stage.client.cancel_tool(session, t)
    assert not stage.client.cancel_tool(session, u)


def test_control_of_a_tool_call_is_taken_away_and_stays_otherwise(two: Two) -> None:
    two.tell("tool_call_update", toolCallId="t", title="T", capabilities={"cancel": {}})
    tool = two.session.tool("t")
    assert tool is not None
    two.tell("tool_call_update", toolCallId="t", status="in_progress")
    assert tool.can_cancel
    two.tell("tool_call_update", toolCallId="t", capabilities=None)
    assert not tool.can_cancel
    two.tell("terminal_update", terminalId="x", capabilities={"cancel": {}})
    two.tell("terminal_update", terminalId="x", command="ls")
    assert two.session.terminals["x"].can_cancel
    two.tell("terminal_update", terminalId="x", capabilities=None)
    assert not two.session.terminals["x"].can_cancel
