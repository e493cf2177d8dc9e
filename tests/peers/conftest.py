"""What the tests with other people's agents share: the agents themselves, and editors beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from starting import tpy
from tests.peers.install import commands

__all__ = ["peers", "tpy"]

FOLDER = Path(__file__).parents[2] / ".peers"


@pytest.fixture(scope="session")
def peers() -> dict[str, list[str]]:
    """The command line of each agent by name. Skips where `make peers` has not been run."""
    if not FOLDER.exists():
        pytest.skip("no .peers: run `make peers`")
    found = commands(FOLDER)
    assert {"py-echo", "ts-example"} <= set(found), "run `make peers` again"
    return found
