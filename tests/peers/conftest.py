"""What the tests with other people's agents share: the agents themselves, and editors beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starting import Start
from tests.peers.install import commands

FOLDER = Path(__file__).parents[2] / ".peers"


@pytest.fixture(scope="session")
def peers() -> dict[str, list[str]]:
    """The command line of each agent by name. Skips where `make peers` has not been run."""
    if not FOLDER.exists():
        pytest.skip("no .peers: run `make peers`")
    found = commands(FOLDER)
    assert {"py-echo", "ts-example"} <= set(found), "run `make peers` again"
    return found


@pytest.fixture
def tpy(tmp_path: Path) -> Iterator[Start]:
    """Start editors that end with the test."""
    start = Start(tmp_path)
    yield start
    for editor in start.editors:
        editor.close()
