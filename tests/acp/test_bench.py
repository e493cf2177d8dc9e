"""`acp/bench.py`: the measuring client as the benchmark starts it, and the speed of the path that it measures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tpy.acp.bench import Counter
from tpy.acp.client import Client
from tpy.acp.connection import Turns
from tpy.acp.plainloop import PlainLoop
from tpy.acp.session import Session

AGENT = str(Path(__file__).parent / "fake_agent.py")


def measure(steps: list[Any], updates: int) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "ACPBENCH_AGENT": json.dumps([sys.executable, AGENT, json.dumps(steps)]),
        "ACPBENCH_SESSIONS": "1",
        "ACPBENCH_UPDATES": str(updates),
    }
    return subprocess.run(
        [sys.executable, "-m", "tpy.acp.bench"], env=env, input="", capture_output=True, text=True, timeout=60
    )


def test_the_digest_of_the_benchmarks_own_example() -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "x"}
    content = [
        {"type": "content", "content": {"type": "text", "text": "o"}},
        {"type": "diff", "path": "/p", "newText": "k"},
        {"type": "terminal", "terminalId": "t"},
    ]
    done = {"sessionUpdate": "tool_call_update", "toolCallId": "c1", "status": "completed", "content": content}
    ran = measure(
        [["hello"], ["on", "session/prompt"], ["say", "ab"], ["say", "ü"], ["upd", call], ["upd", done],
         ["end", "end_turn"]],
        4,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.removeprefix("DONE ")) == {
        "updates": 4,
        "bytes": 3,
        "digest": "7eee83e698f43d43d684a982b077895c26e8f4ea488c29222ba5c7c7a78bc4fb",
    }


def test_an_agent_that_fails_is_named() -> None:
    ran = measure([["hello"], ["on", "session/prompt"], ["stderr", "no\n"], ["exit", 3]], 4)
    assert ran.returncode == 1
    assert "The agent stopped. (exit status 3)\nno" in ran.stderr


LINE = (
    b'{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":'
    b'{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"#0000001 The quick br"}}}}\n'
)


@pytest.mark.perf
def test_an_update_costs_about_as_much_as_json_loads() -> None:
    """From bytes to the handler, in CPU time, beside the standard library's parser alone."""
    handler = Counter()
    client = Client(PlainLoop(), handler, ["agent"], cwd="/", env={})
    client.sessions["s1"] = Session("s1", "/")
    client._connection.sessions["s1"] = Turns()
    handler.session_opened(client, client.sessions["s1"])
    count = 20_000
    data = LINE * count

    def ours() -> float:
        start = time.process_time()
        for at in range(0, len(data), 65536):
            client.received(data[at : at + 65536])
            client.work(float("inf"))
        return time.process_time() - start

    def plain() -> float:
        start = time.process_time()
        for line in data.split(b"\n"):
            if line:
                json.loads(line)["params"]["update"]["content"]["text"]
        return time.process_time() - start

    times = [(ours(), plain()) for _ in range(4)]
    assert min(a for a, _ in times) < 3 * min(b for _, b in times)
    assert handler.updates == 4 * count


MILLION = """
import json, pathlib
from tpy.acp import events, schema
from tpy.acp.connection import Connection
from tpy.acp.handler import EVERYTHING
from tpy.acp.jsonrpc import NEED_DATA
from tpy.acp.session import Session

connection, session = Connection(EVERYTHING), Session("s1", "/p")
connection.call("session/new", schema.NewSessionRequest("/p", []))
connection.receive_data(b'{"jsonrpc":"2.0","id":0,"result":{"sessionId":"s1"}}\\n')
update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "twenty bytes of text"}}
note = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update": update}}
lines = (json.dumps(note).encode() + b"\\n") * 1000
for _ in range(1000):
    connection.receive_data(lines)
    while (event := connection.next_event()) is not NEED_DATA:
        if isinstance(event, events.UpdateReceived):
            session.apply(event.update)
[message] = session.entries
[peak] = [line.split()[1] for line in pathlib.Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line]
print(len(message.text), message.dropped, int(peak) // 1024)
"""


@pytest.mark.perf
@pytest.mark.timeout(300)
def test_a_million_chunks_of_one_message_leave_the_process_small() -> None:
    argv = [sys.executable, "-P", "-c", MILLION]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=290, check=True)
    kept, dropped, mib = map(int, done.stdout.split())
    assert (kept, kept + dropped) == (1 << 20, 20_000_000)
    assert mib < 150
