"""Fixtures of the screen tests: editors that are gone when the test is."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starting import Start


@pytest.fixture
def tpy(tmp_path: Path) -> Iterator[Start]:
    """Start editors that end with the test."""
    start = Start(tmp_path)
    yield start
    for editor in start.editors:
        editor.close()
