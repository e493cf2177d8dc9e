"""Laws of the agent side: whatever a client sends, every request is answered once and nothing is raised."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.conftest import Clock, check

from tpy.acp.agents.exerciser.agent import Exerciser
from tpy.acp.serve import Server

PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.text(max_size=4)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=5,
)
SESSION = st.sampled_from(["s1", "s2", "gone"])
BLOCK = st.one_of(
    st.sampled_from(["/text", "/tool", "/wait", "/permission", "/read x", "/terminal", "/form", "hello"]).map(
        lambda text: {"type": "text", "text": text}
    ),
    PLAIN,
)
METHODS = st.sampled_from(
    [
        "initialize", "session/new", "session/prompt", "session/load", "session/list", "session/close",
        "session/set_mode", "session/set_config_option", "session/fork", "session/delete", "authenticate", "x/y",
        "session/cancel", "$/cancel_request",
    ]
)  # fmt: skip
PARAMS = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "sessionId": SESSION,
            "cwd": st.sampled_from(["/p", "relative"]),
            "mcpServers": st.just([]),
            "prompt": st.lists(BLOCK, max_size=2),
            "modeId": st.sampled_from(["calm", "none"]),
            "configId": st.sampled_from(["effort", "web", "none"]),
            "value": st.sampled_from(["high", True, 5]),
            "protocolVersion": st.sampled_from([1, "1", True]),
            "requestId": st.integers(0, 3),
        },
    ),
    PLAIN,
)
CALLS = st.lists(st.tuples(METHODS, PARAMS, st.booleans()), max_size=12)
ANSWERS = st.one_of(
    PLAIN.map(lambda value: {"result": value}),
    st.just({"error": {"code": -32603, "message": "no"}}),
    st.just({"result": {"content": "x", "terminalId": "t", "outcome": {"outcome": "selected", "optionId": "allow"}}}),
)


@settings(max_examples=150, deadline=None)
@given(CALLS, st.lists(ANSWERS, min_size=1, max_size=4), st.integers(1, 50))
def test_every_request_is_answered_exactly_once(
    calls: list[tuple[str, Any, bool]], answers: list[dict[str, Any]], chunk: int
) -> None:
    clock, numbers = Clock(), iter(range(1, 100))
    server = Server(Exerciser(), clock=clock, new_id=lambda: f"s{next(numbers)}")
    everything = {"fs": {"readTextFile": True}, "terminal": True, "elicitation": {"form": {}}}
    hello = ("initialize", {"protocolVersion": 1, "clientCapabilities": everything}, True)
    opening = ("session/new", {"cwd": "/p", "mcpServers": []}, True)
    asked, answered, mine = 0, [], 0

    def pump() -> None:
        nonlocal mine
        while data := server.data_to_send():
            for line in data.splitlines():
                message = json.loads(line)
                if "method" not in message:
                    answered.append(message["id"])
                    continue
                check(message)
                if "id" in message:
                    reply = {"jsonrpc": "2.0", "id": message["id"], **answers[mine % len(answers)]}
                    mine += 1
                    server.receive_data(json.dumps(reply).encode() + b"\n")

    for method, params, wants_answer in [hello, opening, *calls]:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if wants_answer:
            message["id"], asked = asked, asked + 1
        data = json.dumps(message).encode() + b"\n"
        for start in range(0, len(data), chunk):
            server.receive_data(data[start : start + chunk])
        pump()
        clock.now += 0.6
        server.expire()
        pump()
    for session in list(server.sessions):
        cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}
        server.receive_data(json.dumps(cancel).encode() + b"\n")
    pump()
    assert sorted(answered) == list(range(asked))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_do_no_harm(data: bytes) -> None:
    server = Server(Exerciser())
    server.receive_data(data)
    server.receive_eof()
    for line in server.data_to_send().splitlines():
        assert json.loads(line)["error"]["code"] in (-32700, -32600, -32601, -32602)
