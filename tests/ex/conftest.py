"""An engine that files are edited with, in a directory of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys


class Session:
    """An engine in a working directory."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine: Engine = make_engine(vim=True, clock=lambda: 0.0)
        self.editor = self.engine.editor
        self.editor.layout.arrange(23, 80)

    def type(self, keys: str) -> str:
        """Type keys and return the last message."""
        for key in parse_keys(keys):
            self.engine.feed(key)
        self.engine.expire()
        message = self.editor.message
        return message.text if message is not None else ""

    def ex(self, line: str) -> str:
        """Run a line of ex commands as typed and return the last message."""
        self.editor.message = None
        return self.type(":" + line.replace("<", "<lt>") + "<CR>")

    @property
    def lines(self) -> list[str]:
        """The text of the current buffer."""
        return list(self.editor.buffer.lines)

    def write(self, name: str, text: str | bytes) -> Path:
        """Make a file."""
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        return (self.folder / name).read_bytes()


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Session]:
    """Make an engine whose working directory is empty."""
    monkeypatch.chdir(tmp_path)
    return lambda: Session(tmp_path)
