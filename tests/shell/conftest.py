"""What the tests of the shell side share: a project with a home of its own, and `tpy` as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tpy.acp import config

MAIN = "import sys; from tpy.modal.cli import main; sys.exit(main(sys.argv[1:]))"


class Shell:
    """A project, a home, and a way to run `tpy` there without a terminal."""

    def __init__(self, root: Path) -> None:
        self.project, self.home, self.bin = root / "project", root / "home", root / "bin"
        for folder in (self.project, self.home, self.bin):
            folder.mkdir()
        self.environ = {
            "HOME": str(self.home),
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "LANG": "C.UTF-8",
        }
        self.tpy_script = self.bin / "tpy"
        self.tpy_script.write_text(f"#!/bin/sh\nexec {sys.executable} -P -c '{MAIN}' \"$@\"\n")
        self.tpy_script.chmod(0o755)

    def user(self, text: str) -> Path:
        """Write the user's agents file."""
        return self._write(config.user_file(self.environ), text)

    def project_file(self, text: str) -> Path:
        """Write the project's agents file."""
        return self._write(config.project_file(str(self.project)), text)

    def _write(self, path: str, text: str) -> Path:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).write_text(text)
        return Path(path)

    def tpy(self, *args: str, seconds: float = 60.0) -> subprocess.CompletedProcess[str]:
        """Run `tpy ARGS` in the project, without input, to its end."""
        return subprocess.run(
            [str(self.tpy_script), *args],
            cwd=self.project,
            env=self.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=seconds,
        )


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A project and a home, both empty."""
    return Shell(tmp_path)


def agent(name: str, command: str, *args: str, more: str = "") -> str:
    """A block of an agents file."""
    listed = ", ".join(repr(arg).replace("'", '"') for arg in args)
    return f'[[agent]]\nname = "{name}"\ncommand = "{command}"\nargs = [{listed}]\n{more}\n'
