"""Whole conversations: recorded and written traces, played whole and byte by byte to the same snapshot.

The player is the agent. It waits for nothing but what the client must have said by then: every answer to a
request of the agent's is checked to be given once, and everything the client sends is valid by the schema.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import sentcheck
from msgspec import Raw

from tpy.acp import events, jsonrpc, schema
from tpy.acp.connection import Connection
from tpy.acp.entries import Entry
from tpy.acp.handler import EVERYTHING
from tpy.acp.jsonrpc import NEED_DATA, LocalProtocolError, RpcError
from tpy.acp.session import Session

DATA = Path(__file__).parent / "data"
TRACES = sorted([*(DATA / "traces").glob("*.jsonl"), *(DATA / "recorded").glob("*.jsonl")])


def read(path: Path) -> list[tuple[str, Any]]:
    """A trace as (who, message or raw line)."""
    found: list[tuple[str, Any]] = []
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        who = entry.get("from") or {">": "client", "<": "agent"}[entry["dir"]]
        found.append((who, entry.get("msg", entry.get("text", entry.get("line")))))
    return found


class Player:
    """Plays a trace against a `Connection` with sessions; `chunk` is the size of the pieces."""

    def __init__(self, chunk: int) -> None:
        self.chunk = chunk
        self.connection = Connection(EVERYTHING)
        self.sessions: dict[str, Session] = {}
        self.ids: dict[Any, int] = {}
        self.open: Counter[str] = Counter()
        self.asked: dict[str, str] = {}
        self.answered: Counter[str] = Counter()
        self.sent: list[dict[str, Any]] = []
        self.log: list[str] = []
        self.ended: list[str] = []

    def play(self, trace: list[tuple[str, Any]]) -> None:
        for who, message in trace:
            if who == "client" and isinstance(message, dict):
                self.client_says(message)
            elif who == "agent":
                self.agent_says(message)
        self.connection.receive_eof()
        self.take()

    def client_says(self, message: dict[str, Any]) -> None:
        """Do what the recorded client did, where the protocol allows it."""
        method = message.get("method")
        if method is None or method not in schema.AGENT_METHODS:
            return
        try:
            params = schema.convert(message.get("params") or {}, schema.AGENT_METHODS[method].params)
        except schema.Invalid:
            return
        if method == "session/cancel":
            self.connection.cancel(params.session_id)
            session = self.sessions.get(params.session_id)
            if session is not None:
                session.mark_cancelling()
        elif method == "session/prompt" and params.session_id in self.connection.sessions:
            try:
                self.ids[message["id"]] = self.connection.prompt(params.session_id, params.prompt)
            except LocalProtocolError:
                return
            self.session(params.session_id).begin_turn("prompt", params.prompt)
        elif "id" in message and method != "session/prompt":
            self.ids[message["id"]] = self.connection.call(method, params, params)
        self.take()

    def agent_says(self, message: Any) -> None:
        if isinstance(message, dict):
            if "method" in message and "id" in message:
                self.open[json.dumps(message["id"])] += 1
                self.asked[json.dumps(message["id"])] = message["method"]
            if "method" not in message and message.get("id") in self.ids:
                message = {**message, "id": self.ids.pop(message["id"])}
            message = json.dumps(message)
        data = message.encode() + b"\n"
        for start in range(0, len(data), self.chunk):
            self.connection.receive_data(data[start : start + self.chunk])
            self.take()

    def session(self, session_id: str) -> Session:
        return self.sessions.setdefault(session_id, Session(session_id, "/project"))

    def take(self) -> None:
        while (event := self.connection.next_event()) is not NEED_DATA:
            self.handle(event)
            if isinstance(event, events.Ended):
                break
        for line in self.connection.data_to_send():
            message = json.loads(line)
            self.sent.append(message)
            if "method" not in message:
                self.answered[json.dumps(message["id"])] += 1

    def handle(self, event: Any) -> None:
        if isinstance(event, events.UpdateReceived):
            self.session(event.session_id).apply(event.update)
        elif isinstance(event, events.BadUpdate):
            if event.session_id in self.sessions:
                self.session(event.session_id).note_odd(event.kind, event.error)
        elif isinstance(event, events.Answered):
            if event.call.method in ("session/new", "session/fork"):
                self.session(event.result.session_id).opened(event.result)
        elif isinstance(event, events.TurnEnded):
            self.ended.append(event.stop_reason or str(event.error))
            self.session(event.session_id).end_turn(
                event.stop_reason, event.error, event.usage, cancelled=event.cancelled
            )
        elif isinstance(event, events.Asked):
            self.reply(event.request)
        elif isinstance(event, events.Logged):
            self.log.append(event.text)

    def reply(self, request: events.Incoming) -> None:
        """Answer at once, as a user in a hurry."""
        params = request.params
        if request.method == "session/request_permission":
            self.session(params.session_id).upsert_tool(params.tool_call)
            outcome = schema.PermissionOutcome("cancelled")
            if params.options:
                outcome = schema.PermissionOutcome("selected", params.options[0].option_id)
            self.connection.answer(request, schema.RequestPermissionResponse(outcome))
        elif request.method == "fs/read_text_file":
            self.connection.answer(request, schema.ReadTextFileResponse("text"))
        elif request.method == "elicitation/create":
            self.connection.answer(request, schema.CreateElicitationResponse("decline"))
        elif request.method == "terminal/create":
            self.connection.answer(request, schema.CreateTerminalResponse("term-1"))
        elif request.method == "terminal/output":
            self.connection.answer(request, schema.TerminalOutputResponse("", False))
        elif request.method == "terminal/wait_for_exit":
            self.connection.answer(request, schema.TerminalExitStatus(0))
        elif request.method in ("fs/write_text_file", "terminal/kill", "terminal/release"):
            self.connection.answer(request, schema.Empty())
        else:
            self.connection.refuse(request, RpcError(-32601, "?"))

    def snapshot(self) -> Any:
        """All that is known of all sessions, as something that can be compared."""
        return {
            session_id: (
                [flat(entry) for entry in session.entries],
                session.title,
                session.mode_id,
                session.config_options,
                session.commands,
                session.usage,
                session.odd_updates,
            )
            for session_id, session in self.sessions.items()
        }


def flat(entry: Entry) -> tuple[Any, ...]:
    names = [name for kind in type(entry).__mro__ for name in getattr(kind, "__slots__", ())]
    return (type(entry).__name__, *(str(getattr(entry, name)) for name in sorted(names)))


def played(path: Path, chunk: int) -> Player:
    player = Player(chunk)
    player.play(read(path))
    return player


@pytest.mark.parametrize("path", TRACES, ids=[path.stem for path in TRACES])
def test_a_trace_gives_the_same_snapshot_however_it_is_cut(path: Path) -> None:
    whole = played(path, 1 << 30)
    bytewise = played(path, 1)
    assert whole.snapshot() == bytewise.snapshot()
    assert whole.sent == bytewise.sent
    assert whole.answered == whole.open, "every request is answered exactly once"
    requests = {m["id"]: m["method"] for m in whole.sent if "id" in m and "method" in m}
    assert len(requests) == len([m for m in whole.sent if "id" in m and "method" in m])
    for message in whole.sent:
        sentcheck.check(message, 1, whole.asked)


def cuts(path: Path) -> list[bytes]:
    """The agent's lines of a trace that are short enough to be cut at every position."""
    agent = (json.dumps(m) if isinstance(m, dict) else m for who, m in read(path) if who == "agent")
    return [line for line in dict.fromkeys(text.encode() + b"\n" for text in agent) if len(line) <= 2048]


@pytest.mark.parametrize("path", TRACES, ids=[path.stem for path in TRACES])
def test_a_line_cut_anywhere_is_the_same_message(path: Path) -> None:
    for line in cuts(path):
        whole = Connection(EVERYTHING).peer
        whole.receive_data(line)
        wanted = told(whole)
        for cut in range(1, len(line)):
            peer = Connection(EVERYTHING).peer
            peer.receive_data(line[:cut])
            early = told(peer)
            peer.receive_data(line[cut:])
            assert early + told(peer) == wanted, (cut, line)


def told(peer: jsonrpc.Peer) -> list[Any]:
    """All that a peer has to tell now, raw parts as bytes."""
    found = []
    while (event := peer.next_event()) is not NEED_DATA:
        values = [getattr(event, name) for name in getattr(event, "__struct_fields__", ()) or event._fields]
        found.append((type(event), [bytes(value) if isinstance(value, Raw) else value for value in values]))
    return found


def test_A16_the_hostile_trace_shows_its_good_parts() -> None:
    player = played(DATA / "traces" / "hostile.jsonl", 1 << 30)
    session = player.sessions["s9"]
    texts = [e.text for e in session.entries if hasattr(e, "text") and type(e).__name__ == "Message"]
    assert texts[0] == "early"
    assert texts[-1] == "late"
    assert any("tab\there" in text for text in texts)
    ghost, t1 = session.tool("ghost"), session.tool("t1")
    assert ghost is not None
    assert t1 is not None
    assert [type(item).__name__ for item in ghost.content] == ["UnknownContent", "TextContent"]
    assert [place.path for place in ghost.locations] == ["rel.txt"]
    assert (t1.heading, t1.kind, t1.status) == ("again", "other", "in_progress")
    assert session.mode_id == "plan"
    assert [option.id for option in session.config_options or []] == ["ok"]
    assert player.ended == ["bored"]
    assert len([line for line in player.log if "Welcome" in line or "warn" in line]) == 2
    assert session.odd_updates == 4


def test_a_trace_with_updates_before_the_session_keeps_them() -> None:
    player = played(DATA / "traces" / "devin.jsonl", 1 << 30)
    [session] = player.sessions.values()
    assert session.commands
    assert session.entries


def test_a_loaded_conversation_is_history() -> None:
    player = played(DATA / "traces" / "load-replay.jsonl", 1 << 30)
    kinds = [getattr(entry, "kind", "") for s in player.sessions.values() for entry in s.entries]
    assert "user" in kinds
    assert "agent" in kinds
