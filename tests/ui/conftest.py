"""What the tests of rows and frames share: an engine on some text, and a frame of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys
from tpy.modal.ui.render import Frame, Renderer


class Shown:
    """An engine with a renderer: `keys` are typed, `rows` are the screen's texts."""

    def __init__(self, engine: Engine, size: tuple[int, int]) -> None:
        self.engine = engine
        self.editor = engine.editor
        self.renderer = Renderer(engine)
        self.size = size
        self.draw()

    def draw(self) -> Frame:
        """Draw a frame."""
        self.frame = self.renderer.frame(*self.size)
        return self.frame

    def keys(self, notation: str) -> Frame:
        """Type keys in Vim's notation; draw."""
        for key in parse_keys(notation):
            self.engine.feed(key)
        return self.draw()

    def set(self, **options: Any) -> Frame:
        """Set options; draw."""
        for name, value in options.items():
            self.editor.set_option(name, value)
        return self.draw()

    @property
    def rows(self) -> list[str]:
        """The texts of the rows, blanks at their ends cut."""
        return [row.text.rstrip() for row in self.frame.rows]

    @property
    def under_cursor(self) -> str:
        """The cells from the cursor to the end of its row."""
        assert self.frame.cursor is not None
        row, column = self.frame.cursor
        return cells(self.frame.rows[row].text)[column]


def cells(text: str) -> list[str]:
    """Text as a list with an entry for each cell: the second one of a wide character is empty."""
    from tpy.modal.text.width import char_cells

    out: list[str] = []
    for char in text:
        width = char_cells(char, 0, 8)
        if width == 0 and out:
            out[-1 if out[-1] else -2] += char
        else:
            out += [char, *[""] * (width - 1)]
    return out + [" "] * 500


@pytest.fixture
def engine() -> Engine:
    """An engine on an empty buffer."""
    return make_engine()


@pytest.fixture
def shown(engine: Engine) -> Callable[..., Shown]:
    """Make a screen of some lines: `shown("one", "two", size=(20, 6))`."""

    def make(*lines: str, size: tuple[int, int] = (40, 8)) -> Shown:
        engine.editor.buffer.lines[:] = lines or [""]
        return Shown(engine, size)

    return make
