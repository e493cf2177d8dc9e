"""Mutated conversations: nothing the agent sends raises, and every request of its gets exactly one answer."""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tpy.acp import events, jsonrpc, schema
from tpy.acp.connection import Connection
from tpy.acp.handler import EVERYTHING
from tpy.acp.jsonrpc import NEED_DATA, RpcError
from tpy.acp.session import Session

TRACES = Path(__file__).parent / "data" / "traces"
AGENT_LINES = [
    entry["msg"]
    for path in sorted(TRACES.glob("*.jsonl"))
    for entry in map(json.loads, path.read_text().splitlines())
    if entry["from"] == "agent" and "msg" in entry and "method" in entry["msg"]
]

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=4),
    st.sampled_from(["s1", "text", "\ud800", "completed", "form", "t1"]),
)
values: st.SearchStrategy[Any] = st.recursive(
    scalars, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=4), v, max_size=3), max_leaves=5
)


def paths(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value."""
    found = [here]
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += paths(inner, (*here, key))
    return found


def changed(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The value with another one at that place; `...` removes it."""
    if not path:
        return value if new is ... else new
    copy = dict(value) if isinstance(value, dict) else list(value)
    if len(path) > 1:
        copy[path[0]] = changed(copy[path[0]], path[1:], new)
    elif new is ...:
        del copy[path[0]]
    else:
        copy[path[0]] = new
    return copy


@st.composite
def messages(draw: st.DrawFn) -> Any:
    """A message of an agent, changed in a few places."""
    message = json.loads(json.dumps(draw(st.sampled_from(AGENT_LINES))))
    if isinstance(message.get("params"), dict) and "sessionId" in message["params"]:
        message["params"]["sessionId"] = draw(st.sampled_from(["s1", "s1", "s1", "s2"]))
    for _ in range(draw(st.integers(0, 2))):
        places = [path for path in paths(message) if path and path[0] not in ("jsonrpc",)]
        if places:
            message = changed(message, draw(st.sampled_from(places)), draw(st.one_of(st.just(...), values)))
    return message


class Client:
    """A connection with one session in a turn, and everybody's answers counted."""

    def __init__(self) -> None:
        self.connection = Connection(EVERYTHING)
        self.session = Session("s1", "/p")
        self.answers: Counter[str] = Counter()
        self.waiting: list[events.Incoming] = []
        self.connection.call("initialize", schema.InitializeRequest(1))
        self.feed(b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}\n')
        self.connection.call("session/new", schema.NewSessionRequest("/p", []))
        self.feed(b'{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}\n')
        self.connection.prompt("s1", [schema.TextContent("go")])
        self.session.begin_turn("go", [])
        self.connection.data_to_send()

    def feed(self, data: bytes) -> None:
        self.connection.receive_data(data)
        self.take()

    def take(self) -> None:
        while (event := self.connection.next_event()) is not NEED_DATA:
            if isinstance(event, events.UpdateReceived) and event.session_id == "s1":
                self.session.apply(event.update)
            elif isinstance(event, events.Asked):
                self.waiting.append(event.request)
                if event.request.method == "session/request_permission":
                    self.session.upsert_tool(event.request.params.tool_call)
            elif isinstance(event, events.Ended):
                break
        for line in self.connection.data_to_send():
            message = json.loads(line.decode())
            if "method" not in message:
                self.answers[json.dumps(message["id"])] += 1


def owed(message: Any) -> str | None:
    """The id of a message that must be answered, as JSON."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or "id" not in message:
        return None
    id_ = message["id"]
    usable = id_ is None or isinstance(id_, str | int) or (isinstance(id_, float) and id_.is_integer())
    if isinstance(id_, bool) or not usable:
        return None
    if "method" in message or not ({"result", "error"} & message.keys()):
        return json.dumps(json.loads(json.dumps(id_).encode("utf-8", "replace")))
    return None


@settings(max_examples=300)
@given(st.lists(messages(), min_size=1, max_size=6), st.integers(1, 400), st.booleans())
def test_every_request_is_answered_once_whatever_comes(sent: list[Any], chunk: int, cancel: bool) -> None:
    client = Client()
    expected: Counter[str] = Counter()
    for message in sent:
        data = json.dumps(message).encode() + b"\n"
        for start in range(0, len(data), chunk):
            client.feed(data[start : start + chunk])
        key = owed(message)
        ours = isinstance(message, dict) and "method" not in message and message.get("id") in (2, "2", 2.0)
        if key is not None and "\\ud" not in key and not ours:
            expected[key] += 1
        elif key is not None:
            expected.clear()
            return
    if cancel:
        client.connection.cancel("s1")
        client.take()
    for request in client.waiting:
        client.connection.refuse(request, RpcError(jsonrpc.INTERNAL_ERROR, "no"))
        client.connection.answer(request, schema.Empty())
    client.take()
    withdrawn = client.answers - expected
    assert client.answers == expected, (withdrawn, expected)
    client.connection.receive_eof("over")
    client.take()


@settings(max_examples=300)
@given(values | messages())
def test_reading_leniently_raises_only_invalid(value: Any) -> None:
    raw = json.dumps(value).encode()
    kinds = [*schema.CLIENT_METHODS.values(), *schema.AGENT_METHODS.values()]
    for method in kinds:
        for type_ in (method.params, method.result):
            if type_ is None:
                continue
            try:
                read = schema.decode(raw, type_)
            except schema.Invalid:
                continue
            schema.encode(read)


def test_bounded_run_of_make_fuzz_acp() -> None:
    """The same rounds each time; `make fuzz-acp` plays others."""
    spec = importlib.util.spec_from_file_location("protocol", Path(__file__).parents[1] / "fuzz" / "protocol.py")
    assert spec is not None
    assert spec.loader is not None
    protocol = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(protocol)
    assert protocol.run(seed=1, rounds=40) == 40
