"""Fixtures of the screen tests: editors that are gone when the test is."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import Editor


@pytest.fixture
def tpy(tmp_path: Path) -> Iterator[Callable[..., Editor]]:
    """Start `tpy` in a fresh directory (`tpy.work`) with a fresh HOME: `tpy("file", size=(40, 10))`."""
    editors: list[Editor] = []
    home = tmp_path / "home"
    home.mkdir()
    work = tmp_path / "work"
    work.mkdir()

    def start(*args: str, **options: Any) -> Editor:
        editors.append(Editor(args, **{"cwd": work, "home": home, **options}))
        return editors[-1]

    start.work = work  # type: ignore[attr-defined]
    yield start
    for editor in editors:
        editor.close()
