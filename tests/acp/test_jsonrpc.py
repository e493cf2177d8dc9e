"""`acp/jsonrpc.py`: framing, ids, broken messages; always whole, byte by byte, and cut anywhere."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.acp import jsonrpc
from tpy.acp.jsonrpc import (
    NEED_DATA,
    Closed,
    ErrorResponse,
    Junk,
    LocalProtocolError,
    Notification,
    Peer,
    Request,
    Response,
    RpcError,
)


def take(peer: Peer) -> list[Any]:
    """All events that are there."""
    events = []
    while (event := peer.next_event()) is not NEED_DATA:
        events.append(event)
        if isinstance(event, Closed):
            break
    return events


def feed(peer: Peer, data: bytes, size: int = 1 << 30) -> list[Any]:
    for start in range(0, len(data), size):
        peer.receive_data(data[start : start + size])
    return take(peer)


def shape(event: Any) -> tuple[Any, ...]:
    """An event as something that can be compared."""
    if isinstance(event, Request):
        return ("request", type(event.id).__name__, event.id, event.method, bytes(event.params))
    if isinstance(event, Notification):
        return ("notification", event.method, bytes(event.params), event.repaired)
    if isinstance(event, Response):
        return ("response", event.id, event.context, bytes(event.result))
    if isinstance(event, ErrorResponse):
        return ("error", event.id, event.error.code, event.error.message)
    if isinstance(event, Junk):
        return ("junk", event.line, event.reply)
    return ("closed", event.reason)


STREAM = (
    b'{"jsonrpc":"2.0","method":"session/update","params":{"t":"\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x98\x80"}}\n'
    b"Welcome!\n\n"
    b'{"jsonrpc":"2.0","id":"0","method":"a"}\r\n'
    b'{"jsonrpc":"2.0","id":0,"result":null}\n'
    b'{"jsonrpc":"2.0","method":"n","params":{"x":"\\ud800"}}\n'
    b'{"jsonrpc":"2.0","id":5,"method":"last","params":{}}'
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 1 << 30])
def test_A01_A04_any_cut_gives_the_same_events(size: int) -> None:
    peer = Peer()
    peer.send_request("first", {}, "ctx")
    events = feed(peer, STREAM, size)
    peer.receive_eof()
    events += take(peer)
    assert [shape(event) for event in events] == [
        ("notification", "session/update", '{"t":"日本 😀"}'.encode(), False),
        ("junk", b"Welcome!", None),
        ("request", "str", "0", "a", b"{}"),
        ("response", 0, "ctx", b"null"),
        ("notification", "n", '{"x": "�"}'.encode(), True),
        ("request", "int", 5, "last", b"{}"),
        ("closed", ""),
    ]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_cuts_never_matter(cuts: list[int]) -> None:
    whole, cut = Peer(), Peer()
    for peer in (whole, cut):
        peer.send_request("first", {})
    expected = [shape(event) for event in feed(whole, STREAM)]
    edges = [0, *sorted(cuts), len(STREAM)]
    events: list[Any] = []
    for start, end in itertools.pairwise(edges):
        events += feed(cut, STREAM[start:end])
    assert [shape(event) for event in events] == expected


def test_a_last_line_without_newline_counts_only_at_the_end() -> None:
    peer = Peer()
    assert feed(peer, b'{"jsonrpc":"2.0","method":"x"}') == []
    peer.receive_eof()
    assert [shape(e)[0] for e in take(peer)] == ["notification", "closed"]
    peer.receive_data(b'{"jsonrpc":"2.0","method":"late"}\n')
    assert [shape(e)[0] for e in take(peer)] == ["closed"]


def test_a_line_beyond_the_bound_ends_the_connection() -> None:
    peer = Peer(max_line=1 << 20)
    line = b'{"jsonrpc":"2.0","method":"x","params":{"t":"' + b"a" * (1 << 20)
    events = feed(peer, b'{"jsonrpc":"2.0","method":"ok"}\n' + line, 65536)
    assert shape(events[0])[:2] == ("notification", "ok")
    assert shape(events[-1]) == ("closed", "a line longer than 1 MiB")


@pytest.mark.perf
def test_a_long_line_takes_linear_time() -> None:
    def seconds(size: int) -> float:
        peer = Peer()
        line = b'{"jsonrpc":"2.0","method":"x","params":{"t":"' + b"a" * size + b'"}}\n'
        start = time.process_time()  # what others do on the machine does not count
        assert len(feed(peer, line, 65536)) == 1
        return time.process_time() - start

    small = min(seconds(2 << 20) for _ in range(3))
    assert min(seconds(16 << 20) for _ in range(3)) < 40 * small + 0.1


def test_A14_a_call_needs_its_answer_once() -> None:
    peer = Peer()
    feed(peer, b'{"jsonrpc":"2.0","id":7,"method":"x/unknown"}\n')
    line = peer.send_error(7, RpcError(jsonrpc.METHOD_NOT_FOUND, "Method not found"))
    assert json.loads(line) == {
        "jsonrpc": "2.0",
        "id": 7,
        "error": {"code": -32601, "message": "Method not found"},
    }
    with pytest.raises(LocalProtocolError):
        peer.send_result(7, {})


@pytest.mark.parametrize("raw", ["0", '"0"', '"abc-1"', "7", "-1", "null", "1.0", str(10**30), '""'])
def test_A15_ids_are_echoed_as_they_came(raw: str) -> None:
    peer = Peer()
    [request] = feed(peer, b'{"jsonrpc":"2.0","id":%s,"method":"x"}\n' % raw.encode())
    answer = peer.send_result(request.id, {})
    assert answer == b'{"jsonrpc":"2.0","id":%s,"result":{}}\n' % raw.encode()


def test_A15_equal_looking_ids_are_different_calls() -> None:
    peer = Peer()
    feed(peer, b"".join(b'{"jsonrpc":"2.0","id":%s,"method":"x"}\n' % i for i in (b"0", b'"0"', b"0.0", b"null")))
    for id_ in (0, "0", 0.0, None):
        peer.send_result(id_, {})
    with pytest.raises(LocalProtocolError):
        peer.send_result(0, {})


def test_the_same_id_twice_gets_two_answers() -> None:
    peer = Peer()
    feed(peer, b'{"jsonrpc":"2.0","id":1,"method":"a"}\n{"jsonrpc":"2.0","id":1,"method":"b"}\n')
    peer.send_result(1, {})
    peer.send_result(1, {})
    with pytest.raises(LocalProtocolError):
        peer.send_result(1, {})


@pytest.mark.parametrize("id_", [b"0", b'"0"', b"0.0"])
def test_A15_our_own_id_may_come_back_as_text(id_: bytes) -> None:
    peer = Peer()
    peer.send_request("initialize", {}, "mine")
    [event] = feed(peer, b'{"jsonrpc":"2.0","id":%s,"result":{"a":1}}\n' % id_)
    assert shape(event) == ("response", 0, "mine", b'{"a":1}')
    [again] = feed(peer, b'{"jsonrpc":"2.0","id":%s,"result":{"a":1}}\n' % id_)
    assert isinstance(again, Junk)
    assert again.reply is None


@pytest.mark.parametrize("id_", [b"true", b"false", b"1.5", b"[]", b"{}", b'"x"', b"12345", b"null"])
def test_an_answer_to_nobody_is_dropped(id_: bytes) -> None:
    peer = Peer()
    peer.send_request("a", {})
    peer.send_request("b", {})
    [event] = feed(peer, b'{"jsonrpc":"2.0","id":%s,"result":{}}\n' % id_)
    assert isinstance(event, Junk)
    assert event.reply is None


BROKEN = [
    (b'{"jsonrpc":"2.0","id":9,"method":42}', 9, -32600),
    (b'{"jsonrpc":"2.0","id":9}', 9, -32600),
    (b'{"jsonrpc":"2.0","id":9,"method":null}', 9, -32600),
    (b'{"jsonrpc":"2.0","id":"x","method":"m","params":[]}', "x", -32602),
    (b'{"jsonrpc":"2.0","id":0,"method":"m","params":"text"}', 0, -32602),
    (b'{"jsonrpc":"2.0","id":0,"method":"m","params":3}', 0, -32602),
    (b'{"jsonrpc":"2.0","id":3,"method":"m","result":{}}', 3, -32600),
]


@pytest.mark.parametrize(("line", "id_", "code"), BROKEN)
@pytest.mark.parametrize("answer_junk", [False, True])
def test_A16_a_broken_call_gets_its_error(line: bytes, id_: Any, code: int, answer_junk: bool) -> None:
    [event] = feed(Peer(answer_junk=answer_junk), line + b"\n")
    assert isinstance(event, Junk)
    assert event.reply is not None
    reply = json.loads(event.reply)
    assert (reply["id"], reply["error"]["code"]) == (id_, code)


JUNK = [
    (b"{broken", -32700),
    (b"Welcome to agent 1.0!", -32700),
    (b"\xff\xfe", -32700),
    (b'{"jsonrpc":"2.0","method":"x","params":{"t":"\xff"}}', -32700),
    (b"[" * 100_000, -32700),
    (b"42", -32600),
    (b'"text"', -32600),
    (b'[{"jsonrpc":"2.0","id":1,"method":"x"}]', -32600),
    (b'{"level":"info","msg":"log object","id":4,"method":"GET"}', -32600),
    (b'{"jsonrpc":"1.0","id":4,"method":"x"}', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"x"}', -32600),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"x"}', -32600),
    (b'{"jsonrpc":"2.0","id":[1],"method":"x"}', -32600),
]


@pytest.mark.parametrize(("line", "code"), JUNK)
def test_A16_only_an_agent_answers_junk_and_never_with_an_id(line: bytes, code: int) -> None:
    [event] = feed(Peer(), line + b"\n")
    assert isinstance(event, Junk)
    assert event.reply is None
    [event] = feed(Peer(answer_junk=True), line + b"\n")
    assert event.reply is not None
    reply = json.loads(event.reply)
    assert (reply["id"], reply["error"]["code"]) == (None, code)


@pytest.mark.parametrize("params", [b"", b',"params":null', b',"params":{}'])
def test_params_may_be_missing(params: bytes) -> None:
    [event] = feed(Peer(), b'{"jsonrpc":"2.0","method":"x"%s}\n' % params)
    assert shape(event) == ("notification", "x", b"{}", False)


@pytest.mark.parametrize(
    "line",
    [
        b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"x"}',
        b'  {"jsonrpc":"2.0","method":"x"}  \r',
        b'{"jsonrpc":"2.0","method":"x","params":{"a":NaN,"b":Infinity}}',
        b'{"jsonrpc":"2.0","method":"x","params":{"a":"tab\there"}}',
        b'{"jsonrpc":"2.0","method":"x","extra":1,"params":{"n":123456789012345678901234567890}}',
    ],
)
def test_sloppy_json_is_read_all_the_same(line: bytes) -> None:
    [event] = feed(Peer(), line + b"\n")
    assert isinstance(event, Notification)
    json.loads(bytes(event.params))


def test_deep_nesting_does_no_harm() -> None:
    deep = b"[" * 50_000 + b"]" * 50_000
    [event] = feed(Peer(), b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":' + deep + b"}}\n")
    assert isinstance(event, Request | Junk)


def test_an_error_is_read_whatever_it_is() -> None:
    for body, code in [
        (b'{"code":-32000,"message":"log in","data":{"a":1}}', -32000),
        (b'{"code":"x","message":7}', -32603),
        (b'"plain"', -32603),
        (b'{"code":1}', 1),
    ]:
        peer = Peer()
        peer.send_request("m", {})
        [event] = feed(peer, b'{"jsonrpc":"2.0","id":0,"error":%s}\n' % body)
        assert isinstance(event, ErrorResponse)
        assert event.error.code == code


def test_an_answer_with_both_or_neither_still_settles_the_call() -> None:
    peer = Peer()
    for _ in range(3):
        peer.send_request("m", {})
    events = feed(
        peer,
        b'{"jsonrpc":"2.0","id":0,"result":{},"error":null}\n'
        b'{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1,"message":"no"}}\n'
        b'{"jsonrpc":"2.0","id":2,"result":null,"error":null}\n',
    )
    assert [type(event).__name__ for event in events] == ["Response", "ErrorResponse", "Response"]
    peer.send_request("m", {})
    [event] = feed(peer, b'{"jsonrpc":"2.0","id":3,"error":null}\n')
    assert isinstance(event, ErrorResponse)


def test_A33_text_that_is_no_unicode_is_never_sent() -> None:
    peer = Peer()
    feed(peer, b'{"jsonrpc":"2.0","id":1,"method":"x"}\n')
    with pytest.raises(LocalProtocolError):
        peer.send_result(1, {"content": "\ud800"})
    with pytest.raises(LocalProtocolError):
        peer.send_request("x", {"t": "\udfff"})
    line = peer.send_error(1, RpcError(1, "half \ud800", {"t": "\ud800"}))
    assert json.loads(line.decode())["error"]["message"] == "half �"


@given(st.text(), st.text())
def test_whatever_is_sent_arrives(method: str, text: str) -> None:
    """Two peers back to back: requests, answers, notifications; every line is one line of UTF-8."""
    a, b = Peer(), Peer()
    for line in (a.send_notification(method, {"t": text}), a.send_request(method, {"t": text}, 5)[1]):
        assert line.count(b"\n") == 1
        assert line.endswith(b"\n")
        json.loads(line.decode())
        b.receive_data(line)
    note, call = take(b)
    assert json.loads(bytes(note.params)) == {"t": text}
    a.receive_data(b.send_result(call.id, {"back": text}))
    [answer] = take(a)
    assert (answer.context, json.loads(bytes(answer.result))) == (5, {"back": text})


def test_the_tap_sees_every_line() -> None:
    seen: list[tuple[bool, bytes]] = []
    peer = Peer()
    peer.tap = lambda sent, line: seen.append((sent, line))
    peer.send_notification("a", {})
    feed(peer, b"log\n")
    assert seen == [(True, b'{"jsonrpc":"2.0","method":"a","params":{}}'), (False, b"log")]


def test_abandon_returns_the_open_calls_once() -> None:
    peer = Peer()
    peer.send_request("a", {}, "x")
    assert peer.abandon() == [(0, "a", "x")]
    assert peer.abandon() == []


@given(st.binary(max_size=400))
def test_bytes_never_raise(data: bytes) -> None:
    for answer_junk in (False, True):
        peer = Peer(answer_junk=answer_junk)
        peer.send_request("a", {})
        for event in feed(peer, data + b"\n"):
            if isinstance(event, Junk) and event.reply is not None:
                json.loads(event.reply.decode())


ids = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.floats(allow_nan=False), st.text(max_size=3))
values = st.recursive(
    st.one_of(ids, st.just("\ud800")),
    lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=3), v, max_size=3),
)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2]),
            "id": values,
            "method": st.one_of(st.sampled_from(["m", "session/update"]), values),
            "params": values,
            "result": values,
            "error": values,
        },
    )
)
def test_odd_messages_get_at_most_one_answer(message: dict[str, Any]) -> None:
    peer = Peer()
    peer.send_request("mine", {})
    line = json.dumps(message).encode()
    answers = 0
    for event in feed(peer, line + b"\n"):
        if isinstance(event, Request):
            peer.send_result(event.id, {})
            answers += 1
        elif isinstance(event, Junk) and event.reply is not None:
            json.loads(event.reply.decode())
            answers += 1
    assert answers <= (message.get("jsonrpc") == "2.0")
