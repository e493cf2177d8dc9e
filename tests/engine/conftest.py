"""Typing on a text without a screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.headless import index_of, place
from tpy.modal.keymap import parse_keys
from tpy.modal.text.position import Pos

CURSOR, START = "¦", "«"


class Typist:
    """An engine on a text in which `¦` stands before the cursor's character."""

    def __init__(self, before: str, options: dict[str, Any] | None = None) -> None:
        self.engine: Engine = make_engine(vim=True, clock=lambda: 0.0)
        self.editor = self.engine.editor
        lines = before.split("\n")
        line = next((number for number, text in enumerate(lines) if CURSOR in text), 0)
        col = max(lines[line].find(CURSOR), 0)
        lines[line] = lines[line].replace(CURSOR, "")
        self.editor.buffer.lines[:] = lines
        self.editor.buffer.no_lines = False
        self.editor.layout.arrange(23, 80)
        self.editor.window.cursor = Pos(line, col)
        for name, value in (options or {}).items():
            old = self.editor.options.values[name]
            self.editor.set_option(name, bool(value) if isinstance(old, bool) else value)

    def type(self, keys: str) -> Typist:
        """Type keys in Vim's notation, and let the time of a half-typed mapping pass."""
        for key in parse_keys(keys):
            self.engine.feed(key)
        self.engine.expire()
        return self

    @property
    def lines(self) -> list[str]:
        """The text."""
        return self.editor.buffer.lines

    @property
    def after(self) -> str:
        """The text with `¦` at the cursor and `«` at the other end of a selection."""
        lines = list(self.lines)
        marks = [(self.editor.window.cursor, CURSOR)]
        if self.editor.visual is not None:
            start, cursor = self.editor.visual.start, self.editor.window.cursor
            # The mark of the later place goes in first; at the same place the selection began before the cursor.
            marks = sorted([(start, START), (cursor, CURSOR)], key=lambda mark: (mark[0], mark[1] == CURSOR))[::-1]
        for pos, mark in marks:
            text = lines[pos.line]
            at = index_of(text, place(self.lines, pos)[1])
            lines[pos.line] = text[:at] + mark + text[at:]
        return "\n".join(lines)


@pytest.fixture
def typist() -> Callable[..., Typist]:
    """Make an engine on a text."""
    return Typist


@pytest.fixture
def engine() -> Engine:
    """An engine on an empty buffer."""
    return make_engine(vim=True, clock=lambda: 0.0)
