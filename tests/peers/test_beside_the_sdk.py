"""The official SDK installs a top-level package called `acp`: neither may harm the other, in either order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SDK = "agent-client-protocol==0.12.1"
PROGRAM = """
import acp, tpy.acp.jsonrpc
assert acp.__file__.endswith('site-packages/acp/__init__.py') and hasattr(acp, 'Agent')
print('both')
"""


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd="/")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.peers
@pytest.mark.timeout(600)
@pytest.mark.parametrize("first", ["tpy", "sdk"])
def test_tpy_and_the_sdk_install_beside_each_other(tmp_path: Path, first: str) -> None:
    _run(sys.executable, "-m", "venv", str(tmp_path / "venv"))
    python = str(tmp_path / "venv/bin/python")
    packages = [str(ROOT), SDK] if first == "tpy" else [SDK, str(ROOT)]
    for package in packages:
        _run(python, "-m", "pip", "install", "--quiet", package)
    assert _run(python, "-c", PROGRAM) == "both\n"
    assert _run(str(tmp_path / "venv/bin/tpy"), "--version").startswith("tpy ")
    _run(python, "-m", "pip", "uninstall", "--quiet", "--yes", "tpy")
    assert _run(python, "-c", "import acp; print(hasattr(acp, 'Agent'))") == "True\n"
