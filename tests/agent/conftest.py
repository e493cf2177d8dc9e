"""The `world` of the agents' tests: an editor with agents, ended without a process left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from agentworld import World
from sentcheck import sent_is_valid

__all__ = ["sent_is_valid"]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.close()
