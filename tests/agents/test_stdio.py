"""An agent as a process: stdout is for messages alone, and it ends when its client does (PROTOCOL §2, §23)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.agents.conftest import Process, text_of

NOISY = str(Path(__file__).with_name("noisy.py"))
HELLO = b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}\n'


def test_only_messages_are_on_stdout_and_descriptors_are_waited_for(
    start: Callable[..., Process], tmp_path: Path
) -> None:
    agent = start(sys.executable, "-P", NOISY)
    agent.until_answer(agent.call("initialize", {"protocolVersion": 1}))
    opened, _ = agent.until_answer(agent.call("session/new", {"cwd": str(tmp_path), "mcpServers": []}))
    prompt = {"sessionId": opened["result"]["sessionId"], "prompt": [{"type": "text", "text": "x"}]}
    # Every line read on the way must be a message, or this fails.
    answer, seen = agent.until_answer(agent.call("session/prompt", prompt))
    assert text_of(seen) == "0 ready\n"
    assert answer["result"]["stopReason"] == "end_turn"
    assert agent.close() == 0
    assert agent.child.stderr is not None
    assert agent.child.stderr.read() == b"printed\nwritten\nby descriptor\nfrom a child\n"


def test_everything_at_once_and_the_end(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tpy.acp.agents.tutor"], input=HELLO, capture_output=True, timeout=60
    )
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["protocolVersion"] == 1
    assert (done.returncode, done.stderr) == (0, b"")


def test_a01_a_last_call_without_a_newline_is_answered() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tpy.acp.agents.tutor"], input=HELLO.rstrip(), capture_output=True, timeout=60
    )
    assert json.loads(done.stdout)["id"] == 0


def test_a_client_that_stops_listening_ends_it_without_a_traceback(start: Callable[..., Process]) -> None:
    agent = start("tpy.acp.agents.tutor")
    assert agent.child.stdout is not None
    assert agent.child.stderr is not None
    agent.child.stdout.close()
    agent.write(HELLO)
    assert agent.child.wait(20) == 1
    assert agent.child.stderr.read() == b""


def test_the_example_of_the_guide_works(start: Callable[..., Process], tmp_path: Path) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "acp-agent.md").read_text()
    program = tmp_path / "shout.py"
    program.write_text(guide.split("```python\n")[1].split("```")[0])
    agent = start(sys.executable, "-P", str(program))
    fs = {"fs": {"readTextFile": True, "writeTextFile": True}}
    agent.until_answer(agent.call("initialize", {"protocolVersion": 1, "clientCapabilities": fs}))
    opened, _ = agent.until_answer(agent.call("session/new", {"cwd": str(tmp_path), "mcpServers": []}))
    replies = {
        "fs/read_text_file": {"content": "quiet\n"},
        "session/request_permission": {"outcome": {"outcome": "selected", "optionId": "allow"}},
        "fs/write_text_file": {},
    }
    prompt = {"sessionId": opened["result"]["sessionId"], "prompt": [{"type": "text", "text": "/shout /p/a"}]}
    _, seen = agent.until_answer(agent.call("session/prompt", prompt), lambda ask: replies[ask["method"]])
    assert [m["params"]["content"] for m in seen if m["method"] == "fs/write_text_file"] == ["QUIET\n"]
    assert text_of(seen) == "Done.\n"
