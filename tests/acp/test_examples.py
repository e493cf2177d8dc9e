"""The examples of the guides are run as they stand; that of `acp-agent.md` is in `tests/agents/test_stdio.py`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def example(page: str, language: str, beginning: str) -> str:
    """Return the block of a page that begins so."""
    text = (DOCS / page).read_text(encoding="utf-8")
    blocks = [part.partition("```")[0] for part in text.split(f"```{language}\n")[1:]]
    return next(block for block in blocks if block.startswith(beginning))


def run(argv: list[str], folder: Path) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_a_program_that_asks_an_agent(tmp_path: Path) -> None:
    program = tmp_path / "ask.py"
    program.write_text(example("acp-client.md", "python", "import os\n"))
    agent = [sys.executable, "-P", "-m", "tpy.acp.agents.exerciser"]
    assert run([sys.executable, "-P", str(program), *agent], tmp_path).splitlines() == [
        "The first message.",
        "The second message.",
        "The third, right after the second.",
        "The turn ended.",
        "['Message', 'Message', 'Message', 'Message', 'Message', 'TurnEnd']",
    ]
    failed = [sys.executable, "-P", "-m", "tpy.acp.agents.hostile", "--start", "no-id"]
    assert run([sys.executable, "-P", str(program), *failed], tmp_path) == "the agent opened a session with no id\n"


def test_rows_of_the_hostile_agent_played_to_a_client(tmp_path: Path) -> None:
    program = tmp_path / "rows.py"
    program.write_text(example("conformance.md", "python", "import json\n"))
    told = run([sys.executable, "-P", str(program), "silence", "ids", "odd-stop", "bare-permission", "error"], tmp_path)
    assert told.splitlines() == [
        "silence ended []",
        "ids ended [-32601, -32601, -32601, -32601, -32601]",
        "odd-stop The turn ended: ran_away []",
        "bare-permission ended ['result']",
        'error The turn failed: backend said 401 ({"status": 401}) []',
    ]


def test_what_an_agent_says_looked_at_with_a_pipe(tmp_path: Path) -> None:
    said = run(["sh", "-c", example("conformance.md", "sh", "printf")], tmp_path).splitlines()
    assert "Loading model..." in said
    assert said[-1] == '{"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_turn"}}'
