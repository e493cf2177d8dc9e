"""`tpy agents check -- COMMAND` with agents of the official SDKs and with programs that are none."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.peers
TPY = str(Path(sys.prefix) / "bin" / "tpy")


def check(folder: Path, *command: str) -> tuple[int, str]:
    """The exit status and what was printed, in a project of its own."""
    done = subprocess.run(
        [TPY, "agents", "check", "--", *command],
        cwd=folder,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=90,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("name", ["py-echo", "ts-example"])
def test_the_examples_are_well(peers: dict[str, list[str]], tmp_path: Path, name: str) -> None:
    status, text = check(tmp_path, *peers[name])
    assert status == 0, text
    assert "protocol 1" in text
    assert "session/new  ok" in " ".join(text.split(" ")) or "session/new" in text


def test_with_a_banner_first_it_is_a_remark(peers: dict[str, list[str]], tmp_path: Path) -> None:
    line = " ".join(f"'{part}'" for part in peers["py-echo"])
    status, text = check(tmp_path, "sh", "-c", f"echo 'Welcome to the agent!'; exec {line}")
    assert status == 0, text
    assert "Welcome to the agent!" in text


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["no-such-agent"], "no-such-agent"),
        (["sh", "-c", "echo broken >&2; exit 3"], "broken"),
        (["sh", "-c", "exit 0"], "exit status 0"),
    ],
)
def test_what_cannot_be_an_agent_is_told(tmp_path: Path, command: list[str], told: str) -> None:
    status, text = check(tmp_path, *command)
    assert status == 1
    assert told in text
    assert "Traceback" not in text
