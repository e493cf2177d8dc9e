"""The Exerciser: every command is run against a client that serves everything, every message checked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.agents.conftest import Process, Script, answers, requests, text_of, updates

from tpy.acp.agents.exerciser.agent import Exerciser
from tpy.acp.agents.exerciser.features import ROWS, table

ANSWERS: dict[str, Any] = {
    "fs/read_text_file": {"content": "one\ntwo\n"},
    "fs/write_text_file": {},
    "terminal/create": {"terminalId": "t1"},
    "terminal/wait_for_exit": {"exitCode": 0, "signal": None},
    "terminal/output": {"output": "out\n", "truncated": False},
    "terminal/kill": {},
    "terminal/release": {},
    "session/request_permission": {"outcome": {"outcome": "selected", "optionId": "allow"}},
    "elicitation/create": {"action": "accept", "content": {"name": "Ann"}},
    "_exerciser/ping": {},
}


@pytest.fixture
def client(tmp_path: Path) -> Script:
    script = Script(Exerciser())
    script.hello(cwd=str(tmp_path))
    return script


def run(client: Script, text: str) -> list[dict[str, Any]]:
    """Prompt, serve every request, until the turn has ended; gives everything the agent sent."""
    seen = waiting = client.prompt(text)
    for _ in range(200):
        if answers(seen):
            return seen
        waiting = client.pass_time(1) if not requests(waiting) else serve(client, requests(waiting))
        seen = seen + waiting
    raise AssertionError(f"{text} does not end")


def serve(client: Script, asked: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [message for ask in asked for message in client.answer(ask, ANSWERS[ask["method"]])]


EXPECTED = {
    "text": {"agent_message_chunk"},
    "messages": {"agent_message_chunk", "agent_thought_chunk"},
    "unicode": {"agent_message_chunk"},
    "long": {"agent_message_chunk"},
    "blocks": {"agent_message_chunk"},
    "silence": set(),
    "plan": {"plan"},
    "plan-by-id": {"plan_update", "plan_removed"},
    "commands": {"available_commands_update"},
    "title": {"session_info_update"},
    "usage": {"usage_update"},
    "mode": {"current_mode_update", "config_option_update"},
    "option": {"config_option_update"},
    "notice": {"notice"},
    "compaction": {"compaction_update", "compaction_summary_chunk"},
    "tool": {"tool_call", "tool_call_update"},
    "kinds": {"tool_call", "tool_call_update"},
    "diff": {"tool_call", "tool_call_update"},
    "permission": {"tool_call", "tool_call_update", "agent_message_chunk"},
    "read": {"agent_message_chunk"},
    "write": {"agent_message_chunk"},
    "terminal": {"tool_call", "tool_call_update", "agent_message_chunk"},
    "terminal-kill": {"tool_call", "tool_call_update", "agent_message_chunk"},
    "form": {"agent_message_chunk"},
    "url": {"agent_message_chunk"},
    "subagent": {
        "subagent_update",
        "session_message",
        "session_message_chunk",
        "tool_call",
        "tool_call_update",
        "agent_message_chunk",
    },
    "extension": {"agent_message_chunk"},
    "stop": {"agent_message_chunk"},
    "error": {"agent_message_chunk"},
}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_command_sends_what_it_is_for_and_ends(client: Script, name: str) -> None:
    messages = run(client, f"/{name}")
    assert {update["sessionUpdate"] for update in updates(messages)} == EXPECTED[name]
    (answer,) = answers(messages)
    if name == "error":
        assert answer["error"]["data"] == {"status": 401}
    else:
        assert answer["result"]["stopReason"] == ("max_tokens" if name == "stop" else "end_turn")


def test_no_command_is_left_out() -> None:
    assert set(ROWS) == set(EXPECTED) | {"wait"}


def test_wait_is_there_to_be_cancelled(client: Script) -> None:
    client.prompt("/wait")
    client.pass_time(3)
    messages = client.cancel()
    assert updates(messages, "tool_call_update")[0]["status"] == "failed"
    assert answers(messages)[0]["result"] == {"stopReason": "cancelled"}


@pytest.mark.parametrize("name", [n for n in EXPECTED if n not in ("long", "unicode")])
def test_nothing_is_used_that_the_client_does_not_offer(tmp_path: Path, name: str) -> None:
    script = Script(Exerciser())
    script.hello({}, cwd=str(tmp_path))
    used = {ask["method"] for ask in requests(run(script, f"/{name}"))}
    assert used <= {"session/request_permission", "_exerciser/ping"}


def test_a_refusal_is_told_and_ends_the_turn_well(client: Script) -> None:
    (ask,) = requests(client.prompt("/extension"))
    messages = client.refuse(ask, -32601, "Method not found")
    assert text_of(messages) == "The client answered -32601: Method not found\n"
    assert answers(messages)[0]["result"]["stopReason"] == "end_turn"


def test_blocks_of_a_prompt_are_named(client: Script) -> None:
    image = {"type": "image", "data": "AA==", "mimeType": "image/png"}
    messages = client.prompt("look", image)
    assert "You sent: text, image." in text_of(messages)


def test_sessions_are_listed_in_pages_loaded_resumed_forked_and_deleted(client: Script, tmp_path: Path) -> None:
    def call(method: str, **params: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        *before, answer = client.call(method, params)
        return before, answer

    run(client, "hello")
    where = {"cwd": str(tmp_path), "mcpServers": []}
    for _ in range(2):
        client.call("session/new", where)
    _, page = call("session/list")
    assert [s["sessionId"] for s in page["result"]["sessions"]] == ["s1", "s2"]
    _, page = call("session/list", cursor=page["result"]["nextCursor"])
    assert [s["sessionId"] for s in page["result"]["sessions"]] == ["s3"]
    assert "nextCursor" not in page["result"]

    call("session/close", sessionId="s1")
    replay, answer = call("session/load", sessionId="s1", **where)
    assert [(u["sessionUpdate"], u["content"]["text"]) for u in updates(replay)] == [("user_message_chunk", "hello")]
    assert answer["result"]["modes"]["currentModeId"] == "calm"
    replay, _ = call("session/resume", sessionId="s1", **where)
    assert replay == []
    _, answer = call("session/fork", sessionId="s1", **where)
    assert answer["result"]["sessionId"].startswith("s1-fork")
    call("session/delete", sessionId="s1")
    for method in ("session/load", "session/resume"):
        _, answer = call(method, sessionId="s1", **where)
        assert answer["error"]["code"] == -32002
    _, answer = call("session/delete", sessionId="s1")
    assert answer["result"] == {}


def test_unstable_session_methods(client: Script) -> None:
    def call(method: str, **params: Any) -> Any:
        return client.call(method, params)[-1]["result"]

    assert call("session/set_title", sessionId="s1", title=" a\nb ") == {"title": "a b"}
    call("session/archive", sessionId="s1")
    assert call("session/list")["sessions"] == []
    assert call("session/list", archived="only")["sessions"][0]["title"] == "a b"
    call("session/unarchive", sessionId="s1")
    assert len(call("session/list")["sessions"]) == 1
    assert call("session/status", sessionId="s1") == {"status": "open"}
    assert call("session/status", sessionId="gone") == {"status": "saved"}


def test_login_is_wanted_once(tmp_path: Path) -> None:
    script = Script(Exerciser(login=True))
    (hello,) = script.call("initialize", {"protocolVersion": 1})
    assert [m["id"] for m in hello["result"]["authMethods"]] == ["nod"]
    where = {"cwd": str(tmp_path), "mcpServers": []}
    assert script.call("session/new", where)[0]["error"]["code"] == -32000
    assert script.call("authenticate", {"methodId": "other"})[0]["error"]["code"] == -32602
    assert script.call("authenticate", {"methodId": "nod"})[0]["result"] == {}
    assert "sessionId" in script.call("session/new", where)[0]["result"]
    script.call("logout", {})
    assert script.call("session/new", where)[0]["error"]["code"] == -32000


def test_the_guide_lists_every_command() -> None:
    guide = Path(__file__).parents[2] / "docs" / "conformance.md"
    assert table() in guide.read_text()


def test_it_runs_as_a_process(start: Callable[..., Process], tmp_path: Path) -> None:
    agent = start("tpy.acp.agents.exerciser")
    agent.until_answer(agent.call("initialize", {"protocolVersion": 1}))
    opened, _ = agent.until_answer(agent.call("session/new", {"cwd": str(tmp_path), "mcpServers": []}))
    prompt = {"sessionId": opened["result"]["sessionId"], "prompt": [{"type": "text", "text": "/long 4096"}]}
    answer, seen = agent.until_answer(agent.call("session/prompt", prompt))
    assert answer["result"]["stopReason"] == "end_turn"
    assert len(text_of(seen)) == 4096 * 1024
    assert agent.close() == 0
