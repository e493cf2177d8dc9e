"""What the screen tests start: editors in a fresh directory with a fresh HOME, beside agents that follow scripts."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import Editor

FAKE = Path(__file__).parents[1] / "acp" / "fake_agent.py"


class Start:
    """Starts `tpy` in a fresh directory (`work`) with a fresh HOME (`home`): `tpy("file", size=(40, 10))`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        self.work = root / "work"
        self.work.mkdir()
        self.editors: list[Editor] = []

    def __call__(self, *args: str, **options: Any) -> Editor:
        """Start `tpy ARGS` in the directory, with the home; it is closed when the test is over."""
        self.editors.append(Editor(args, **{"cwd": self.work, "home": self.home, "timeout": 30.0, **options}))
        return self.editors[-1]

    def shell(self, line: str, **options: Any) -> Editor:
        """Run a line of `sh` on a terminal; `tpy` in it is the one under test."""
        path = f"{Path(sys.prefix) / 'bin'}:/usr/bin:/bin"
        return self(program=["/bin/sh", "-c", line], **{"env": {"PATH": path}, **options})

    def file(self, name: str, data: str | bytes) -> Path:
        """Make a file in the working directory."""
        path = self.work / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return path

    def agents_file(self, text: str, *, project: bool = False) -> Path:
        """Write the user's agents file (or the project's)."""
        folder = self.work / ".turbo-python" if project else self.home / ".config" / "turbo-python"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "acp.toml"
        path.write_text(text)
        return path

    def agent(self, name: str, *steps: list[Any], command: list[str] | None = None) -> None:
        """Add an agent to the user's agents file: one that follows the steps of `fake_agent.py`, or a command."""
        argv = command or [sys.executable, str(FAKE), json.dumps(steps)]
        path = self.home / ".config" / "turbo-python" / "acp.toml"
        before = path.read_text() if path.exists() else ""
        entry = (
            f"[[agent]]\nname = {json.dumps(name)}\ncommand = {json.dumps(argv[0])}\nargs = {json.dumps(argv[1:])}\n"
        )
        self.agents_file(before + entry)

    def journals(self) -> list[Path]:
        """The recovery journals there are."""
        return sorted((self.home / ".local/state/turbo-python/recovery").glob("*.journal"))


def ready(editor: Editor) -> Editor:
    """Wait for the first whole frame, the one with the ruler."""
    editor.wait(re.compile(r"\d,\d.* (All|Top|Bot|\d+%)", re.M))
    return editor


@pytest.fixture
def tpy(tmp_path: Path) -> Iterator[Start]:
    """Start editors that end with the test."""
    start = Start(tmp_path)
    yield start
    for editor in start.editors:
        editor.close()
