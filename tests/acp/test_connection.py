"""`acp/connection.py`: an agent-side peer and the client back to back in memory."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tpy.acp import events, jsonrpc, schema
from tpy.acp.jsonrpc import LocalProtocolError, RpcError
from tpy.acp.turnstate import TRANSITIONS, Move, TurnState

OPTIONS = [
    {"optionId": "y", "name": "Yes", "kind": "allow_once"},
    {"optionId": "n", "name": "No", "kind": "reject_once"},
]


def permission(session_id: str = "s1", call: str = "t1") -> dict[str, Any]:
    return {"sessionId": session_id, "toolCall": {"toolCallId": call}, "options": OPTIONS}


def kinds(found: list[Any]) -> list[str]:
    return [type(event).__name__ for event in found]


def results(pair: Any) -> list[Any]:
    """The client's answers as values: a result, or (code, message)."""
    return [
        json.loads(bytes(a.result)) if isinstance(a, jsonrpc.Response) else (a.error.code, a.error.message)
        for a in pair.answers()
    ]


# -- the state table ---------------------------------------------------------------------------------------


def test_every_state_survives_every_move() -> None:
    for state in TurnState:
        for move in Move:
            assert TRANSITIONS.get((state, move), state) in TurnState
    assert all(TRANSITIONS[state, Move.DIE] is TurnState.DEAD for state in TurnState)
    assert not [key for key, to in TRANSITIONS.items() if key[0] is TurnState.DEAD and to is not TurnState.DEAD]


def test_a_turn_from_prompt_to_end(pair: Any) -> None:
    turns = pair.client.sessions["s1"]
    pair.prompt()
    assert turns.state is TurnState.RUNNING
    pair.ask("session/request_permission", permission())
    assert turns.state is TurnState.WAITING
    [ask] = [e.request for e in pair.events if isinstance(e, events.Asked)]
    pair.client.answer(ask, schema.RequestPermissionResponse(schema.PermissionOutcome("selected", "y")))
    assert turns.state is TurnState.RUNNING
    assert results(pair) == [{"outcome": {"outcome": "selected", "optionId": "y"}}]
    [end] = pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert (end.stop_reason, end.cancelled, end.error) == ("end_turn", False, None)
    assert turns.state is TurnState.IDLE


def test_one_turn_at_a_time_unless_the_agent_queues(pair: Any) -> None:
    pair.prompt()
    with pytest.raises(LocalProtocolError):
        pair.prompt()
    pair.client.prompt("s1", [schema.TextContent("more")], queue=True)
    pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert pair.client.sessions["s1"].state is TurnState.RUNNING
    pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert pair.client.sessions["s1"].state is TurnState.IDLE


def test_an_unknown_stop_reason_ends_the_turn(pair: Any) -> None:
    pair.prompt()
    [end] = pair.answer({"stopReason": "bored", "usage": {"totalTokens": "x"}}, method="session/prompt")
    assert (end.stop_reason, end.usage) == ("bored", None)


@pytest.mark.parametrize("result", [{}, [], "text", {"stopReason": 7}])
def test_an_answer_that_cannot_be_read_ends_the_turn(pair: Any, result: Any) -> None:
    pair.prompt()
    [end] = pair.answer(result, method="session/prompt")
    assert end.error is not None
    assert pair.client.sessions["s1"].state is TurnState.IDLE


def test_A12_an_error_ends_its_own_turn_only(pair: Any) -> None:
    pair.prompt("one")
    [end] = pair.answer(error=RpcError(-32603, "backend said 401", {"why": "key"}), method="session/prompt")
    assert "backend said 401" in str(end.error)
    assert "key" in str(end.error)
    pair.prompt("two")
    pair.update("s1", "agent_message_chunk", content={"type": "text", "text": "two"})
    [end] = pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert (end.error, end.stop_reason) == (None, "end_turn")


# -- sessions that are not known yet -----------------------------------------------------------------------


def test_A10_what_comes_before_the_session_is_delivered_after_it(make_pair: Any) -> None:
    pair = make_pair()
    pair.client.call("initialize", schema.InitializeRequest(1))
    pair.answer({"protocolVersion": 1})
    pair.client.call("session/new", schema.NewSessionRequest("/p", []))
    commands = [{"name": "web", "description": "d"}]
    assert pair.update("s1", "available_commands_update", availableCommands=commands) == []
    assert pair.update("elsewhere", "agent_message_chunk", content={"type": "text", "text": "x"}) == []
    pair.ask("session/request_permission", permission())
    found = pair.answer({"sessionId": "s1"}, method="session/new")
    assert kinds(found) == ["Answered", "UpdateReceived", "Asked"]
    assert found[1].update.available_commands[0].name == "web"
    assert pair.update("elsewhere", "agent_message_chunk", content={"type": "text", "text": "x"}) == []


def test_a_request_for_a_session_that_never_opens_is_refused(make_pair: Any) -> None:
    pair = make_pair()
    pair.client.call("session/new", schema.NewSessionRequest("/p", []))
    pair.ask("session/request_permission", permission("s9"))
    assert results(pair) == []
    pair.answer(error=RpcError(-32000, "login"), method="session/new")
    assert results(pair) == [(-32002, "Session not found: s9")]


def test_held_updates_are_bounded(make_pair: Any) -> None:
    pair = make_pair()
    pair.client.call("session/new", schema.NewSessionRequest("/p", []))
    for number in range(2_500):
        pair.update("s1", "agent_message_chunk", content={"type": "text", "text": str(number)})
    found = pair.answer({"sessionId": "s1"}, method="session/new")
    assert len(found) == 2_001


def test_a_loaded_session_is_known_at_once(pair: Any) -> None:
    pair.client.call("session/load", schema.LoadSessionRequest("old", "/p", []))
    [event] = pair.update("old", "user_message_chunk", content={"type": "text", "text": "before"})
    assert event.session_id == "old"
    [event] = pair.answer(None, method="session/load")
    assert isinstance(event, events.Answered)
    pair.client.call("session/load", schema.LoadSessionRequest("gone", "/p", []))
    pair.answer(error=RpcError(-32002, "no"), method="session/load")
    assert "gone" not in pair.client.sessions


# -- the agent's requests ----------------------------------------------------------------------------------


def test_A14_unknown_requests_are_refused_at_once(make_pair: Any) -> None:
    pair = make_pair(schema.ClientCapabilities())
    pair.hello()
    for method, params in [
        ("x/unknown", {}),
        ("_vendor/thing", None),
        ("cursor/ask_question", {"q": 1}),
        ("terminal/create", {"sessionId": "s1", "command": "true"}),
        ("fs/read_text_file", {"sessionId": "s1", "path": "/x"}),
        ("elicitation/create", {"sessionId": "s1", "message": "m", "mode": "form"}),
    ]:
        pair.ask(method, params)
        assert results(pair) == [(-32601, f"Method not found: {method}")]
    pair.tell("x/note", {})
    pair.tell("$/unknown", {})
    assert results(pair) == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("fs/read_text_file", {"sessionId": "s1"}),
        ("fs/read_text_file", {"sessionId": "s1", "path": "/x", "line": "2"}),
        ("fs/read_text_file", {"sessionId": "s1", "path": "/x", "line": -1}),
        ("fs/read_text_file", {"path": "/x"}),
        ("fs/write_text_file", {"sessionId": "s1", "path": "/x"}),
        ("session/request_permission", {"sessionId": "s1"}),
        ("session/request_permission", {"sessionId": "s1", "toolCall": {}, "options": []}),
        ("terminal/create", {"sessionId": "s1", "command": "x", "env": [1]}),
        ("elicitation/create", {"sessionId": "s1", "message": "m", "mode": "telepathy"}),
        ("elicitation/create", {"sessionId": "s1", "message": "m", "mode": "form"}),
        ("elicitation/create", {"sessionId": "s1", "message": "m", "mode": "url", "url": "http://x"}),
    ],
)
def test_A16_bad_params_are_refused(pair: Any, method: str, params: Any) -> None:
    pair.ask(method, params)
    [(code, message)] = results(pair)
    assert code == -32602
    assert message.startswith("Invalid params: ")


def test_A16_params_that_are_a_list(pair: Any) -> None:
    pair.raw(b'{"jsonrpc":"2.0","id":4,"method":"fs/read_text_file","params":[]}\n')
    assert [type(e).__name__ for e in pair.heard] == ["Junk"]
    assert b'"id":4,"error":{"code":-32602' in pair.heard[0].line


def test_A33_half_a_character_in_a_write_is_an_error(pair: Any) -> None:
    pair.raw(
        b'{"jsonrpc":"2.0","id":4,"method":"fs/write_text_file",'
        b'"params":{"sessionId":"s1","path":"/x","content":"a\\ud800"}}\n'
    )
    assert not [e for e in pair.events if isinstance(e, events.Asked)]
    [junk] = pair.heard
    assert b'"code":-32602' in junk.line
    pair.heard.clear()
    [event] = pair.raw(
        b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'
        b'{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"a\\ud83d"}}}}\n'
    )
    assert event.update.content.text == "a�"


def test_A33_an_answer_with_half_a_character_becomes_an_error(pair: Any) -> None:
    [asked] = pair.ask("fs/read_text_file", {"sessionId": "s1", "path": "/x"})
    assert pair.client.answer(asked.request, schema.ReadTextFileResponse("\udce9"))
    [(code, message)] = results(pair)
    assert code == -32603
    assert "half a character" in message


def test_an_answer_too_large_becomes_an_error(pair: Any) -> None:
    [asked] = pair.ask("fs/read_text_file", {"sessionId": "s1", "path": "/x"})
    pair.client.answer(asked.request, schema.ReadTextFileResponse("x" * (17 << 20)))
    [(code, message)] = results(pair)
    assert (code, message) == (-32603, "too large to send: 17 MiB, at most 16")


def test_a_request_for_another_session_is_refused(pair: Any) -> None:
    pair.ask("fs/read_text_file", {"sessionId": "s2", "path": "/x"})
    assert results(pair) == [(-32002, "Session not found: s2")]


def test_a_second_answer_does_nothing(pair: Any) -> None:
    [asked] = pair.ask("fs/read_text_file", {"sessionId": "s1", "path": "/x"})
    assert pair.client.answer(asked.request, schema.ReadTextFileResponse("a"))
    assert not pair.client.answer(asked.request, schema.ReadTextFileResponse("b"))
    assert not pair.client.refuse(asked.request, RpcError(1, "c"))
    assert results(pair) == [{"content": "a"}]


# -- cancelling --------------------------------------------------------------------------------------------


def test_cancel_answers_all_that_is_open_and_all_that_comes(pair: Any) -> None:
    pair.prompt()
    pair.ask("session/request_permission", permission(call="t1"))
    pair.ask("session/request_permission", permission(call="t2"))
    form = {"sessionId": "s1", "message": "m", "mode": "form", "requestedSchema": {}}
    pair.ask("elicitation/create", form)
    assert pair.client.cancel("s1")
    assert kinds(pair.pump()) == ["Withdrawn"] * 3
    cancelled = {"outcome": {"outcome": "cancelled"}}
    assert results(pair) == [cancelled, cancelled, {"action": "cancel"}]
    assert [e.method for e in pair.heard if isinstance(e, jsonrpc.Notification)] == ["session/cancel"]
    assert pair.ask("session/request_permission", permission(call="t3")) == []
    assert pair.ask("elicitation/create", form) == []
    assert results(pair) == [cancelled, {"action": "cancel"}]
    assert not pair.client.cancel("s1")
    [asked] = pair.ask("fs/read_text_file", {"sessionId": "s1", "path": "/x"})
    pair.client.answer(asked.request, schema.ReadTextFileResponse("still served"))
    assert results(pair) == [{"content": "still served"}]
    with pytest.raises(LocalProtocolError):
        pair.prompt()


@pytest.mark.parametrize("result", [{"stopReason": "end_turn"}, {"stopReason": "cancelled"}, None])
def test_A21_after_a_cancel_every_end_is_cancelled(pair: Any, result: Any) -> None:
    pair.prompt()
    pair.client.cancel("s1")
    error = RpcError(-32603, "aborted") if result is None else None
    [end] = pair.answer(result, error=error, method="session/prompt")
    assert end.cancelled
    pair.prompt("next")
    [end] = pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert not end.cancelled


def test_cancel_without_a_turn_sends_nothing(pair: Any) -> None:
    assert not pair.client.cancel("s1")
    assert not pair.client.cancel("nobody")
    assert pair.client.data_to_send() == []


def test_a_cancel_in_one_session_leaves_the_others(pair: Any) -> None:
    pair.client.call("session/new", schema.NewSessionRequest("/p", []))
    pair.answer({"sessionId": "s2"}, method="session/new")
    pair.prompt(session_id="s1")
    pair.prompt(session_id="s2")
    pair.ask("session/request_permission", permission("s1"))
    pair.ask("session/request_permission", permission("s2"))
    pair.client.cancel("s1")
    assert pair.client.sessions["s2"].state is TurnState.WAITING
    assert len(results(pair)) == 1


def test_A11_a_dialog_left_at_the_end_of_the_turn_is_closed_and_a_later_one_stays(pair: Any) -> None:
    pair.prompt()
    pair.ask("session/request_permission", permission())
    found = pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert kinds(found) == ["Withdrawn", "TurnEnded"]
    assert results(pair) == [{"outcome": {"outcome": "cancelled"}}]
    [asked] = pair.ask("session/request_permission", permission(call="late"))
    assert pair.client.sessions["s1"].state is TurnState.IDLE
    assert asked.request.is_open
    [event] = pair.update("s1", "agent_message_chunk", content={"type": "text", "text": "late"})
    assert isinstance(event, events.UpdateReceived)
    assert pair.client.sessions["s1"].state is TurnState.IDLE


def test_the_agent_takes_a_request_back(pair: Any) -> None:
    id_, line = pair.agent.send_request("session/request_permission", permission())
    pair.raw(line)
    found = pair.tell("$/cancel_request", {"requestId": id_})
    assert kinds(found) == ["Withdrawn"]
    assert results(pair) == [(-32800, "Request cancelled")]
    assert pair.tell("$/cancel_request", {"requestId": id_}) == []
    assert pair.tell("$/cancel_request", {"requestId": 12345}) == []
    assert kinds(pair.tell("$/cancel_request", {"requestId": {}})) == ["Logged"]


def test_a_read_is_not_cancelled(pair: Any) -> None:
    id_, line = pair.agent.send_request("fs/read_text_file", {"sessionId": "s1", "path": "/x"})
    [asked] = pair.raw(line)
    assert pair.tell("$/cancel_request", {"requestId": id_}) == []
    assert asked.request.is_open


def test_a_form_about_a_call_of_ours_closes_with_it(pair: Any) -> None:
    id_ = pair.client.call("authenticate", schema.AuthenticateRequest("m"))
    other = pair.client.call("session/list", schema.ListSessionsRequest())
    form = {"requestId": id_, "message": "m", "mode": "url", "elicitationId": "e", "url": "http://x"}
    [asked] = pair.ask("elicitation/create", form)
    assert other != id_
    pair.answer({"sessions": []}, method="session/list")
    assert asked.request.is_open
    found = pair.answer({}, method="authenticate")
    assert kinds(found) == ["Withdrawn", "Answered"]
    assert results(pair) == [{"action": "cancel"}]
    [done] = pair.tell("elicitation/complete", {"elicitationId": "e"})
    assert done == events.ElicitationDone("e")


# -- odd updates -------------------------------------------------------------------------------------------


def test_A13_odd_updates_are_told_and_dropped(pair: Any) -> None:
    pair.prompt()
    assert kinds(pair.update("s1", "usage_update", used=1, size=2)) == ["UpdateReceived"]
    [event] = pair.update("s1", "from_the_future", x=[1])
    assert isinstance(event.update, schema.UnknownUpdate)
    [event] = pair.tell("session/update", {"sessionId": "s1", "update": {}})
    assert (event.session_id, event.kind) == ("s1", "")
    [event] = pair.tell("session/update", {"sessionId": "s1"})
    assert event.session_id == "s1"
    [event] = pair.update("s1", "usage_update", used=None, size=None)
    assert event.kind == "usage_update"
    assert "used" in event.error
    for params in ({}, {"sessionId": 3}, None):
        assert kinds(pair.tell("session/update", params)) == ["BadUpdate"]
    [end] = pair.answer({"stopReason": "end_turn"}, method="session/prompt")
    assert end.stop_reason == "end_turn"


def test_a_child_session_is_known_from_its_announcement(pair: Any) -> None:
    pair.update("s1", "subagent_update", sessionId="child", state={"state": "running"})
    [event] = pair.update("child", "agent_message_chunk", content={"type": "text", "text": "x"})
    assert event.session_id == "child"
    assert pair.client.sessions["child"].parent == "s1"


def test_the_login_state_is_told(pair: Any) -> None:
    [event] = pair.tell("auth/status_update", {"state": "authenticated", "accounts": [{"label": "a"}, 3]})
    assert [account.label for account in event.status.accounts] == ["a"]


# -- the end -----------------------------------------------------------------------------------------------


def test_the_end_fails_what_is_open_once(pair: Any) -> None:
    pair.prompt()
    pair.ask("session/request_permission", permission())
    pair.client.call("session/list", schema.ListSessionsRequest(), "mine")
    pair.client.receive_data(b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":')
    pair.client.receive_data(b'{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"last"}}}}')
    pair.client.receive_eof("exit status 3")
    found = pair.pump()
    assert kinds(found) == ["UpdateReceived", "Withdrawn", "TurnEnded", "Failed", "Ended"]
    assert str(found[2].error) == "exit status 3"
    assert found[3].call.context == "mine"
    assert pair.client.sessions["s1"].state is TurnState.DEAD
    assert pair.pump() == []


def test_A01_the_last_answer_counts_without_its_newline(pair: Any) -> None:
    pair.prompt()
    [call] = [e for e in pair.heard if isinstance(e, jsonrpc.Request)]
    pair.client.receive_data(pair.agent.send_result(call.id, {"stopReason": "end_turn"}).rstrip(b"\n"))
    assert pair.pump() == []
    pair.client.receive_eof()
    assert kinds(pair.pump()) == ["TurnEnded", "Ended"]
    assert pair.events[-2].error is None


def test_a_prompt_too_large_is_refused_before_it_is_sent(pair: Any) -> None:
    with pytest.raises(LocalProtocolError, match="too large"):
        pair.prompt("x" * (17 << 20))
    assert pair.client.sessions["s1"].state is TurnState.IDLE
    assert pair.client.data_to_send() == []


def test_close_forgets_the_session(pair: Any) -> None:
    pair.ask("session/request_permission", permission())
    pair.client.call("session/close", schema.SessionId("s1"))
    found = pair.answer({}, method="session/close")
    assert kinds(found) == ["Withdrawn", "Answered"]
    assert "s1" not in pair.client.sessions
