"""What the tests of agents share: a scripted client without I/O, checks against the schema, an agent process."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tpy.acp.agent import Agent
from tpy.acp.serve import Server

DATA = Path(__file__).parent.parent / "data" / "acp"
ALL = {
    "fs": {"readTextFile": True, "writeTextFile": True},
    "terminal": True,
    "session": {"notices": {}, "configOptions": {"boolean": {}}, "compaction": {}},
    "elicitation": {"form": {}, "url": {}},
    "plan": {},
    "subagents": {},
}
"""Everything a client can announce."""


@cache
def _schema() -> dict[str, Any]:
    return json.loads((DATA / "v1.unstable.json").read_text())  # type: ignore[no-any-return]


@cache
def _methods() -> dict[str, dict[str, Any]]:
    rows = json.loads((DATA / "methods.json").read_text())["v1"]
    return {row["method"]: row for row in rows}


@cache
def _validator(definition: str) -> Any:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{definition}", "$defs": _schema()["$defs"]})


def check(message: dict[str, Any], asked: str | None = None) -> None:
    """Fail unless a message of an agent is valid; `asked` is the method an answer belongs to."""
    assert message["jsonrpc"] == "2.0"
    if message.get("method", "").startswith("_"):
        return
    if "method" in message:
        row = _methods()[message["method"]]
        _validator(row["params"]).validate(message["params"])
        assert ("id" in message) == (row["kind"] == "request")
    elif "result" in message and asked in _methods():
        _validator(_methods()[asked]["result"]).validate(message["result"])


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        """The time now, in seconds."""
        return self.now


class Script:
    """A client in a test: says things, sees every message the agent sends, all of them checked."""

    def __init__(self, agent: Agent, *, chunk: int = 0) -> None:
        self.clock, self.logged = Clock(), []  # type: ignore[var-annotated]
        numbers = iter(range(1, 1000))
        self.server = Server(agent, clock=self.clock, log=self.logged.append, new_id=lambda: f"s{next(numbers)}")
        self._chunk = chunk
        self._next = 0
        self._asked: dict[Any, str] = {}
        self.session = ""

    # -- saying ----------------------------------------------------------------------------------------

    def raw(self, data: bytes) -> list[dict[str, Any]]:
        """Give the agent bytes, in pieces where `chunk` says so; return what it sends."""
        if self._chunk:
            for start in range(0, len(data), self._chunk):
                self.server.receive_data(data[start : start + self._chunk])
        else:
            self.server.receive_data(data)
        return self.take()

    def send(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Give the agent a message."""
        return self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def call(self, method: str, params: Any = None, *, ident: Any = None) -> list[dict[str, Any]]:
        """Call a method, under an id of its own unless `ident` is given."""
        if ident is None:
            ident, self._next = self._next, self._next + 1
        self._asked[json.dumps(ident)] = method
        return self.send({"id": ident, "method": method, "params": params})

    def notify(self, method: str, params: Any = None) -> list[dict[str, Any]]:
        """Send a notification."""
        return self.send({"method": method, "params": params})

    def answer(self, request: dict[str, Any], result: Any) -> list[dict[str, Any]]:
        """Answer a request of the agent."""
        return self.send({"id": request["id"], "result": result})

    def refuse(self, request: dict[str, Any], code: int, message: str) -> list[dict[str, Any]]:
        """Answer a request of the agent with an error."""
        return self.send({"id": request["id"], "error": {"code": code, "message": message}})

    # -- seeing ----------------------------------------------------------------------------------------

    def take(self) -> list[dict[str, Any]]:
        """Return what the agent has to send, checked."""
        messages = [json.loads(line) for line in self.server.data_to_send().splitlines()]
        for message in messages:
            check(message, self._asked.get(json.dumps(message.get("id"))))
        return messages

    def pass_time(self, seconds: float) -> list[dict[str, Any]]:
        """Let time pass, stopping at every deadline on the way."""
        end, found = self.clock.now + seconds, []
        while (due := self.server.deadline()) is not None and due <= end:
            self.clock.now = max(self.clock.now, due)
            self.server.expire()
            found += self.take()
        self.clock.now = end
        return found

    # -- whole steps -----------------------------------------------------------------------------------

    def hello(self, capabilities: Any = None, cwd: str = "/p") -> list[dict[str, Any]]:
        """Initialize and open a session; gives what followed the answer."""
        caps = ALL if capabilities is None else capabilities
        self.call("initialize", {"protocolVersion": 1, "clientCapabilities": caps})
        first, *rest = self.call("session/new", {"cwd": cwd, "mcpServers": []})
        self.session = first["result"]["sessionId"]
        return rest

    def prompt(self, text: str, *blocks: dict[str, Any]) -> list[dict[str, Any]]:
        """Prompt with a text and further blocks."""
        content = [{"type": "text", "text": text}, *blocks]
        return self.call("session/prompt", {"sessionId": self.session, "prompt": content})

    def cancel(self) -> list[dict[str, Any]]:
        """Cancel the turn."""
        return self.notify("session/cancel", {"sessionId": self.session})


def updates(messages: list[dict[str, Any]], kind: str | None = None) -> list[dict[str, Any]]:
    """The session updates among messages, of one kind or all."""
    found = [m["params"]["update"] for m in messages if m.get("method") == "session/update"]
    return [update for update in found if kind is None or update["sessionUpdate"] == kind]


def text_of(messages: list[dict[str, Any]], kind: str = "agent_message_chunk") -> str:
    """The text of the chunks among messages, joined."""
    return "".join(update["content"]["text"] for update in updates(messages, kind))


def requests(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The agent's own requests among messages."""
    return [m for m in messages if "method" in m and "id" in m]


def answers(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The agent's answers among messages."""
    return [m for m in messages if "method" not in m]


class Process:
    """An agent as a real process, driven over its pipes; every wait has a deadline."""

    def __init__(self, argv: list[str], cwd: str, env: dict[str, str] | None = None) -> None:
        self.child = subprocess.Popen(
            argv, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self._tail = b""
        self._lines: list[bytes] = []
        self._next = 0
        self._asked: dict[Any, str] = {}

    def raw_line(self, seconds: float = 20.0) -> bytes:
        """The next line on stdout; empty at its end."""
        assert self.child.stdout is not None
        end = time.monotonic() + seconds
        while not self._lines:
            left = end - time.monotonic()
            assert left > 0, "the agent said nothing in time"
            if not select.select([self.child.stdout], [], [], left)[0]:
                continue
            data = os.read(self.child.stdout.fileno(), 65536)
            if not data:
                last, self._tail = self._tail, b""
                return last
            *lines, self._tail = (self._tail + data).split(b"\n")
            self._lines += lines
        return self._lines.pop(0)

    def message(self, seconds: float = 20.0) -> dict[str, Any]:
        """The next message, checked."""
        message: dict[str, Any] = json.loads(self.raw_line(seconds))
        check(message, self._asked.get(json.dumps(message.get("id"))))
        return message

    def write(self, data: bytes) -> None:
        """Write bytes to the process."""
        assert self.child.stdin is not None
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        """Write a message."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def call(self, method: str, params: Any) -> int:
        """Call a method; return the id of the call."""
        ident, self._next = self._next, self._next + 1
        self._asked[json.dumps(ident)] = method
        self.send({"id": ident, "method": method, "params": params})
        return ident

    def until_answer(
        self, ident: int, on_request: Callable[[dict[str, Any]], Any] | None = None
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The answer to a call, and everything before it; requests on the way are answered by `on_request`."""
        seen = []
        while True:
            message = self.message()
            if "method" not in message and message["id"] == ident:
                return message, seen
            seen.append(message)
            if "method" in message and "id" in message:
                assert on_request is not None, message
                self.send({"id": message["id"], "result": on_request(message)})

    def close(self, seconds: float = 10.0) -> int:
        """Close its stdin and wait for its end."""
        assert self.child.stdin is not None
        self.child.stdin.close()
        return self.child.wait(seconds)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Start agents by module or command line; whatever still runs at the end is killed."""
    running: list[Process] = []

    def run(*argv: str, cwd: str | None = None) -> Process:
        command = list(argv) if len(argv) > 1 else [sys.executable, "-P", "-m", argv[0]]
        process = Process(command, cwd or str(tmp_path))
        running.append(process)
        return process

    yield run
    for process in running:
        if process.child.poll() is None:
            process.child.kill()
        process.child.wait()
        for stream in (process.child.stdin, process.child.stdout, process.child.stderr):
            if stream is not None:
                stream.close()
