"""`make fuzz-acp`: mutated messages, random bytes and two sessions at once, for the client's core (in both versions
of the protocol) and an agent.

    python tests/fuzz/protocol.py [--seconds N] [--seed N]

No exception may escape, every request gets exactly one answer, memory stays bounded. The seed is printed; with
`--seed` the run is the same again. Takes recorded messages from `tests/acp/data` and changes them.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tpy.acp import events, jsonrpc, schema
from tpy.acp.agents.exerciser.agent import Exerciser
from tpy.acp.connection import DIALOGS, Connection, TurnState
from tpy.acp.handler import EVERYTHING
from tpy.acp.jsonrpc import NEED_DATA, LocalProtocolError, RpcError
from tpy.acp.serve import Server
from tpy.acp.session import Session

DATA = Path(__file__).parents[1] / "acp" / "data"
SESSIONS = ("s1", "s2")
STEPS = 60
ANSWERS: dict[str, Any] = {
    **DIALOGS,
    "fs/read_text_file": schema.ReadTextFileResponse("text"),
    "terminal/create": schema.CreateTerminalResponse("term-1"),
    "terminal/output": schema.TerminalOutputResponse("", False),
    "terminal/wait_for_exit": schema.TerminalExitStatus(0),
}
# How much the process may grow over a run, in MiB.
GROWTH = 200
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 1 << 70, "", "s1", "\ud800", "\x00", "x" * 3000, [], {}, [[]], [None],
    {"type": "text"}, {"type": 5}, {"sessionUpdate": "plan"}, "completed", "form",
)  # fmt: skip


def recorded(agent: bool) -> list[dict[str, Any]]:
    """Return the recorded calls and notifications of agents, or of clients."""
    found = []
    for path in sorted([*DATA.glob("traces/*.jsonl"), *DATA.glob("recorded/*.jsonl")]):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            message = entry.get("msg")
            from_agent = entry.get("from") == "agent" or entry.get("dir") == "<"
            if from_agent == agent and isinstance(message, dict) and isinstance(message.get("method"), str):
                found.append(message)
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every (container, key) inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from places(inner)


class Source:
    """Random choices, all from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.ids = 0

    def message(self, models: list[dict[str, Any]]) -> dict[str, Any]:
        """A recorded message with an id of its own, changed in a few places."""
        message: dict[str, Any] = json.loads(json.dumps(self.random.choice(models)))
        params = message.get("params")
        if isinstance(params, dict) and "sessionId" in params:
            params["sessionId"] = self.random.choice((*SESSIONS, *SESSIONS, "nobody's"))
        if "id" in message:
            self.ids += 1
            message["id"] = self.random.choice((self.ids, f"a-{self.ids}", -self.ids))
        for _ in range(self.random.choice((0, 0, 1, 1, 2, 4))):
            spots = [spot for spot in places(message.get("params")) if spot[0] is not message]
            if spots:
                holder, key = self.random.choice(spots)
                if isinstance(holder, dict) and self.random.random() < 0.3:
                    holder.pop(key, None)
                elif isinstance(holder, dict) or key < len(holder):
                    holder[key] = json.loads(json.dumps(self.random.choice(ODD)))
        return message

    def junk(self) -> bytes:
        """A line that is no message, whatever its bytes."""
        return self.random.randbytes(self.random.randrange(200)).replace(b"\n", b"") + b"\n"

    def pieces(self, data: bytes) -> Iterator[bytes]:
        """Cut bytes anywhere."""
        while data:
            size = self.random.choice((1, 7, 64, 1 << 16))
            yield data[:size]
            data = data[size:]


class Asker:
    """The client's core with two sessions, and an agent that sends what `Source` gives."""

    protocol = 1

    def __init__(self, source: Source, models: list[dict[str, Any]]) -> None:
        self.source, self.models = source, models
        self.connection = Connection(EVERYTHING, protocol=self.protocol)
        self.sessions = {name: Session(name, "/p") for name in SESSIONS}
        self.owed: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.asked: list[events.Incoming] = []
        self.calls: dict[int, str] = {}
        self.connection.call("initialize", schema.InitializeRequest(1))
        self.tell(b'{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":%d}}\n' % self.protocol)
        for number, name in enumerate(SESSIONS, 1):
            self.connection.call("session/new", schema.NewSessionRequest("/p", []))
            self.tell(b'{"jsonrpc":"2.0","id":%d,"result":{"sessionId":"%b"}}\n' % (number, name.encode()))

    def tell(self, data: bytes) -> None:
        """The agent writes."""
        for piece in self.source.pieces(data):
            self.connection.receive_data(piece)
            self.take()

    def take(self) -> None:
        """Handle what came and what is to be sent."""
        while (event := self.connection.next_event()) is not NEED_DATA:
            if isinstance(event, events.UpdateReceived):
                if event.session_id in self.sessions:
                    self.sessions[event.session_id].apply(event.update)
            elif isinstance(event, events.TurnEnded):
                session = self.sessions[event.session_id]
                session.end_turn(event.stop_reason, event.error, event.usage, cancelled=event.cancelled)
            elif isinstance(event, events.Asked):
                self.asked.append(event.request)
            elif isinstance(event, events.Ended):
                break
        for line in self.connection.data_to_send():
            message = json.loads(line.decode())
            if "method" not in message:
                self.given[json.dumps(message["id"])] += 1
            elif message["method"] == "session/prompt":
                self.calls[message["id"]] = message["params"]["sessionId"]

    def step(self) -> None:
        """One thing happens, on either side."""
        chance = self.source.random
        what = chance.choices(
            ("message", "junk", "prompt", "cancel", "answer", "refuse", "end"), (60, 8, 8, 4, 8, 6, 6)
        )[0]
        name = chance.choice(SESSIONS)
        if what == "message":
            message = self.source.message(self.models)
            if "id" in message:
                self.owed[json.dumps(message["id"])] += 1
            self.tell(json.dumps(message).encode() + b"\n")
        elif what == "junk":
            self.tell(self.source.junk())
        elif what == "prompt":
            if self.connection.sessions[name].state is TurnState.IDLE:
                self.connection.prompt(name, [schema.TextContent("go")])
                self.sessions[name].begin_turn("go", [])
        elif what == "cancel":
            self.connection.cancel(name)
            self.sessions[name].mark_cancelling()
        elif what == "end" and self.calls:
            self.end(*self.calls.popitem())
        elif self.asked and what in ("answer", "refuse"):
            self.answer(self.asked.pop(chance.randrange(len(self.asked))), yes=what == "answer")
        self.take()

    def end(self, ident: int, session: str) -> None:
        """The agent ends a turn."""
        self.tell(b'{"jsonrpc":"2.0","id":%d,"result":{"stopReason":"end_turn"}}\n' % ident)

    def answer(self, request: events.Incoming, *, yes: bool) -> None:
        """Answer a request, twice."""
        for _ in range(2):
            if yes:
                self.connection.answer(request, ANSWERS.get(request.method, schema.Empty()))
            else:
                self.connection.refuse(request, RpcError(jsonrpc.INTERNAL_ERROR, "no"))

    def check(self) -> None:
        """Answer what is open and compare; then the agent goes."""
        for request in self.asked:
            self.answer(request, yes=False)
        self.take()
        assert self.given.items() >= self.owed.items(), f"answers missing or doubled: {self.owed - self.given}"
        assert all(count == 1 for key, count in self.given.items() if key in self.owed), self.given
        self.connection.receive_eof("over")
        self.take()
        assert {turns.state for turns in self.connection.sessions.values()} == {TurnState.DEAD}


class AskerOf2(Asker):
    """The same with an agent that speaks the draft of version 2."""

    protocol = 2

    def end(self, ident: int, session: str) -> None:
        """The agent takes the prompt, and is idle after it."""
        self.tell(b'{"jsonrpc":"2.0","id":%d,"result":{"messageId":"m%d"}}\n' % (ident, ident))
        idle = {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}
        note = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": idle}}
        self.tell(json.dumps(note).encode() + b"\n")


def of_draft_2() -> list[dict[str, Any]]:
    """Return updates and a request as an agent of version 2 has them."""
    text = {"type": "text", "text": "words"}
    patch = {"type": "diff", "changes": [{"operation": "add", "path": "/p/a"}], "patch": {"format": "git_patch"}}
    call = {"toolCallId": "t", "title": "T", "capabilities": {"cancel": {}}, "content": [patch], "locations": None}
    terminal = {"terminalId": "x", "output": {"data": "YQ=="}, "exitStatus": {"exitCode": 0}}
    updates: dict[str, dict[str, Any]] = {
        "state_update": {"state": "running", "background": []},
        "agent_message": {"messageId": "m", "content": [text]},
        "user_message": {"messageId": "u", "content": None},
        "agent_message_chunk": {"messageId": "m", "content": text},
        "tool_call_update": call,
        "tool_call_content_chunk": {"toolCallId": "t", "content": {"type": "content", "content": text}},
        "terminal_update": {**terminal, "capabilities": {"cancel": {}}},
        "terminal_output_chunk": {"terminalId": "x", "data": "w6k="},
        "plan_update": {"plan": {"type": "items", "planId": "p", "entries": [{"content": "c", "status": "pending"}]}},
        "config_option_update": {"configOptions": [{"configId": "o", "type": "select", "options": [{"groupId": "g"}]}]},
    }
    notes = [{"sessionId": "s1", "update": {"sessionUpdate": kind, **fields}} for kind, fields in updates.items()]
    asked = {"sessionId": "s1", "title": "T", "options": [{"optionId": "y", "name": "Y", "kind": "allow_once"}]}
    subjects = ({"type": "tool_call", "toolCall": call}, {"type": "command", "command": "ls", "cwd": "/p"}, None)
    return [
        *({"jsonrpc": "2.0", "method": "session/update", "params": note} for note in notes),
        *(
            {"jsonrpc": "2.0", "id": 1, "method": "session/request_permission", "params": {**asked, "subject": subject}}
            for subject in subjects
        ),
    ]


class Asked:
    """An agent of ours, and a client that sends what `Source` gives."""

    def __init__(self, source: Source, models: list[dict[str, Any]]) -> None:
        self.source, self.models = source, models
        self.now = 0.0
        names = iter((*SESSIONS, *(f"x{n}" for n in range(10_000))))
        self.server = Server(Exerciser(), clock=lambda: self.now, new_id=lambda: next(names))
        self.owed: Counter[str] = Counter()
        self.given: Counter[str] = Counter()
        self.open: list[Any] = []
        hello = {"protocolVersion": 1, "clientCapabilities": json.loads(schema.encode(EVERYTHING))}
        self.say({"id": "hello", "method": "initialize", "params": hello})
        for name in SESSIONS:
            self.say({"id": name, "method": "session/new", "params": {"cwd": "/p", "mcpServers": []}})

    def say(self, message: dict[str, Any]) -> None:
        """The client writes a message."""
        if "id" in message and "method" in message:
            self.owed[json.dumps(message["id"])] += 1
        self.tell(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def tell(self, data: bytes) -> None:
        """Give the server bytes in random pieces; count its answers, keep its requests."""
        for piece in self.source.pieces(data):
            self.server.receive_data(piece)
        for line in self.server.data_to_send().splitlines():
            message = json.loads(line)
            if "method" not in message:
                self.given[json.dumps(message["id"])] += 1
            elif "id" in message:
                self.open.append(message["id"])

    def step(self) -> None:
        """One thing happens."""
        chance = self.source.random
        what = chance.choices(("message", "junk", "command", "answer", "time", "cancel"), (40, 8, 25, 12, 10, 5))[0]
        if what == "message":
            self.say(self.source.message(self.models))
        elif what == "junk":
            self.tell(self.source.junk())
        elif what == "command":
            self.source.ids += 1
            words = chance.choice(
                ("/tool", "/permission", "/terminal", "/form", "/read a", "/wait", "/plan", "hello", "/url")
            )
            params = {"sessionId": chance.choice(SESSIONS), "prompt": [{"type": "text", "text": words}]}
            self.say({"id": f"c-{self.source.ids}", "method": "session/prompt", "params": params})
        elif what == "answer" and self.open:
            ident = self.open.pop(chance.randrange(len(self.open)))
            reply = chance.choice(({"result": chance.choice(ODD)}, {"error": {"code": -1, "message": "no"}}))
            self.say({"id": ident, **reply})
        elif what == "cancel":
            self.say({"method": "session/cancel", "params": {"sessionId": chance.choice(SESSIONS)}})
        self.now += chance.random()
        self.server.expire()
        self.tell(b"\n")

    def check(self) -> None:
        """Cancel until nothing runs, and compare."""
        for _ in range(200):
            for name in list(self.server.sessions):
                self.say({"method": "session/cancel", "params": {"sessionId": name}})
            self.now += 10
            self.server.expire()
            self.tell(b"\n")
            if self.owed.keys() <= self.given.keys():
                break
        late = self.owed - self.given
        assert not late, f"never answered: {late}"
        assert all(self.given[key] == count for key, count in self.owed.items()), "answered twice"
        self.server.receive_eof()


def run(seed: int, seconds: float = 0.0, rounds: int = 0) -> int:
    """Play rounds for a time, or so many; return how many there were. AssertionError names the round that failed."""
    agents = recorded(agent=True)
    kinds = ((Asker, agents), (Asked, recorded(agent=False)), (AskerOf2, [*of_draft_2() * 20, *agents]))
    end = time.monotonic() + seconds
    done, grown = 0, 0
    while done < rounds or (not rounds and time.monotonic() < end):
        kind, models = kinds[done % len(kinds)]
        try:
            side = kind(Source(seed + done), models)
            for _ in range(STEPS):
                side.step()
            side.check()
        except (Exception, LocalProtocolError) as error:
            raise AssertionError(f"seed {seed + done}, {kind.__name__}: {type(error).__name__}: {error}") from error
        done += 1
        size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        grown = grown or size
        assert size - grown < GROWTH, f"the process grew by {size - grown} MiB in {done} rounds"
    return done


def main() -> int:
    """Run, and say how it was."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    try:
        done = run(options.seed, options.seconds)
    except AssertionError as error:
        print(f"{error}\nagain: python tests/fuzz/protocol.py --seconds 1 --seed {str(error).split()[1].rstrip(',')}")
        return 1
    print(f"{done} rounds of {STEPS} steps, nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
