"""The clients of both official SDKs drive our agents: prompts, tools, permissions, files, ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import install
import pytest

HERE = Path(__file__).parent
PEERS = HERE.parents[1] / ".peers"
PYTHON = PEERS / "python" / "bin" / "python"
SDK = PEERS / "npm" / "node_modules" / "@agentclientprotocol" / "sdk" / "dist" / "acp.js"
CLIENTS = {
    "python": ([PYTHON, HERE / "sdk_client.py"], PYTHON),
    "typescript": ([install.node(PEERS), HERE / "sdk_client.mjs", SDK], SDK),
}
pytestmark = [pytest.mark.peers, pytest.mark.parametrize("client", CLIENTS)]


def drive(client: str, root: Path, agent: str, *prompts: str) -> dict[str, Any]:
    """Run a client of an SDK with one of our agents; what it tells."""
    command, needed = CLIENTS[client]
    if not needed.exists():
        pytest.skip("run `make peers`")
    line = [*map(str, command), str(root), sys.executable, "-P", "-m", f"tpy.acp.agents.{agent}"]
    done = subprocess.run(line, input="\n".join(prompts), capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_exerciser(client: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    prompts = (
        "/unicode",
        "/plan",
        "/kinds",
        "/diff",
        "/permission",
        "/read a.txt",
        "/write new/b.txt",
        "/stop refusal",
    )
    found = drive(client, tmp_path, "exerciser", *prompts, "/terminal")
    assert found["agent"] == "exerciser"
    assert found["stops"] == ["end_turn"] * 7 + ["refusal", "end_turn"]
    assert found["asked"] == 1
    assert "Answer: " in found["text"]
    assert "8 characters; line 2 is 'two\\n'" in found["text"]
    assert "Not exercised: the client does not offer terminal." in found["text"]
    assert {"plan", "tool_call", "tool_call_update", "agent_message_chunk"} <= set(found["kinds"])
    assert set(found["tools"]) <= {"completed", "failed"}
    assert (tmp_path / "new/b.txt").read_text() == "written by the Exerciser\n"


def test_the_tutor(client: str, tmp_path: Path) -> None:
    found = drive(client, tmp_path, "tutor", "hello")
    assert found["agent"] == "tutor"
    assert found["stops"] == ["end_turn"]
    assert len(found["text"]) > 50
