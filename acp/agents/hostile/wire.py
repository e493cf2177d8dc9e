"""The hostile agent's grip on its pipes: messages right and wrong, written and read by hand.

Deliberately without `jsonrpc` and `serve`, which would not let it misbehave. Blocking: it does one thing at a
time and waits only for its client.
"""

from __future__ import annotations

import json
import os
import select
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

Json = dict[str, Any]

UNANSWERED = "unanswered"
"""What a turn returns that leaves its prompt open, or has answered it itself."""


class EndOfInput(Exception):
    """The client closed our stdin."""


class Row(NamedTuple):
    """One way to misbehave: its name, where it was seen (PROTOCOL §21 row, CASES id), what a client should do."""

    name: str
    seen: str
    does: str
    wanted: str
    act: Callable[..., Any]


TURNS: dict[str, Row] = {}
"""Rows that are prompts: `/NAME`; the function gets the wire and the words after the name."""

STARTS: dict[str, Row] = {}
"""Rows that are chosen at the start: `--start NAME`; the function gets the wire and each call, and says whether it
has dealt with it."""


def turn(name: str, seen: str, wanted: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a row that is a prompt; what it does is the function's docstring."""
    return _register(TURNS, name, seen, wanted)


def start(name: str, seen: str, wanted: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a row that is chosen when the agent is started; what it does is the function's docstring."""
    return _register(STARTS, name, seen, wanted)


def _register(
    rows: dict[str, Row], name: str, seen: str, wanted: str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(act: Callable[..., Any]) -> Callable[..., Any]:
        rows[name] = Row(name, seen, (act.__doc__ or "").rstrip("."), wanted, act)
        return act

    return add


class Wire:
    """Both pipes, the session and the prompt being answered."""

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._tail = b""
        self._held: list[bytes] | None = None
        self._waiting: deque[Json] = deque()
        self._next = 0
        self.session = "s1"
        self.cwd = "/"
        self.prompt_id: Any = None
        self.cancelled = False

    # -- out -----------------------------------------------------------------------------------------------

    def raw(self, data: bytes) -> None:
        """Write bytes as they are."""
        if self._held is not None:
            self._held.append(data)
            return
        while data:
            data = data[os.write(self._sink, data) :]

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write what the block sends as one, so that it is read together."""
        held = self._held = []
        try:
            yield
        finally:
            self._held = None
            self.raw(b"".join(held))

    def send(self, message: Json) -> None:
        """Write one message."""
        self.raw(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")

    def result(self, ident: Any, result: Any) -> None:
        """Answer well."""
        self.send({"id": ident, "result": result})

    def error(self, ident: Any, code: int, message: str, data: Any = None) -> None:
        """Answer with an error."""
        self.send({"id": ident, "error": {"code": code, "message": message} | ({"data": data} if data else {})})

    def end(self, reason: str = "end_turn") -> str:
        """Answer the prompt now; what a turn returns when it goes on afterwards."""
        self.result(self.prompt_id, {"stopReason": reason})
        return UNANSWERED

    def update(self, update_kind: str, /, *, session: str | None = None, **fields: Any) -> None:
        """Send a `session/update`."""
        params = {
            "sessionId": self.session if session is None else session,
            "update": {"sessionUpdate": update_kind, **fields},
        }
        self.send({"method": "session/update", "params": params})

    def say(self, text: str, **more: Any) -> None:
        """Send a message chunk."""
        self.update("agent_message_chunk", content={"type": "text", "text": text}, **more)

    def tool(self, ident: str, **fields: Any) -> None:
        """Announce a tool call."""
        self.update("tool_call", toolCallId=ident, **fields)

    def tool_update(self, ident: str, **fields: Any) -> None:
        """Update a tool call."""
        self.update("tool_call_update", toolCallId=ident, **fields)

    # -- in ------------------------------------------------------------------------------------------------

    def next_call(self) -> Json:
        """The next message that was not taken as an answer; raises `EndOfInput`."""
        return self._waiting.popleft() if self._waiting else self._read()

    def _read(self) -> Json:
        while b"\n" not in self._tail:
            data = os.read(self._source, 65536)
            if not data:
                raise EndOfInput
            self._tail += data
        line, _, self._tail = self._tail.partition(b"\n")
        message: Json = json.loads(line)
        return message

    def request(self, method: str, params: Json, ident: Any = None) -> Json:
        """Ask the client and wait for its answer, which is returned whole; other messages are kept."""
        ident = self.ask(method, params, ident)
        while True:
            message = self._read()
            if "method" not in message and message.get("id") == ident and type(message["id"]) is type(ident):
                return message
            self._keep(message)

    def ask(self, method: str, params: Json, ident: Any = None) -> Any:
        """Ask without waiting; gives the id."""
        if ident is None:
            ident, self._next = f"h-{self._next}", self._next + 1
        self.send({"id": ident, "method": method, "params": {"sessionId": self.session, **params}})
        return ident

    def meanwhile(self, seconds: float) -> list[Json]:
        """The calls that come within that time; they are kept as well."""
        before, end = len(self._waiting), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if b"\n" in self._tail or select.select([self._source], [], [], left)[0]:
                self._keep(self._read())
        return list(self._waiting)[before:]

    def wait_for_cancel(self) -> None:
        """Read until the turn is cancelled; answers to requests of ours on the way are dropped."""
        while not self.cancelled:
            self._keep(self._read())

    def _keep(self, message: Json) -> None:
        if message.get("method") == "session/cancel":
            self.cancelled = True
        elif "method" in message:
            self._waiting.append(message)

    def path(self, name: str) -> str:
        """A path in the session's directory."""
        return os.path.join(self.cwd, name)


def outcome(answer: Json) -> str:
    """An answer in short, for telling it in the conversation."""
    if "error" in answer:
        return f"error {answer['error'].get('code')} {answer['error'].get('message')}"
    return json.dumps(answer.get("result"), ensure_ascii=False)


def options(*rows: tuple[str, str]) -> list[Json]:
    """Permission options from (id, kind) pairs."""
    return [{"optionId": ident, "name": ident.capitalize(), "kind": kind} for ident, kind in rows]
