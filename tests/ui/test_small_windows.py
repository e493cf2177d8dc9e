"""Screens that are too low for their windows: the one with the cursor always has a row of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.keymap import parse_keys

SPLITS = ["<C-w>s<C-w>s<C-w>s", "<C-w>s<C-w>s<C-w>v<C-w>s", "<C-w>v<C-w>s<C-w>s<C-w>l", ":help<CR><C-w>s<C-w>v"]


@pytest.mark.parametrize("height", [2, 3, 4, 5, 7])
@pytest.mark.parametrize("keys", SPLITS)
def test_the_current_window_keeps_a_row_when_the_screen_shrinks(keys: str, height: int) -> None:
    engine = make_engine(vim=True)
    layout = engine.editor.layout
    layout.arrange(23, 80)
    for key in parse_keys(keys):
        engine.feed(key)
    layout.arrange(height, 20)
    for _ in layout.windows():
        if height > len(layout.windows()):  # else not even the status lines have room
            assert layout.rects[layout.current].height >= 1
        for key in ("<C-w>", "w"):
            engine.feed(key)


def test_a_window_is_not_split_where_one_would_have_no_row() -> None:
    engine = make_engine(vim=True)
    layout = engine.editor.layout
    layout.arrange(4, 20)
    for key in parse_keys("<C-w>s<C-w>s"):
        engine.feed(key)
    assert engine.editor.message is not None
    assert engine.editor.message.text == "E36: Not enough room"
    assert [layout.rects[window].height for window in layout.windows()] == [1, 1]


def test_a_window_without_a_row_shows_its_status_line_alone(shown: Callable[..., Any]) -> None:
    screen = shown("text", size=(20, 12))
    for name in ("one", "two", "three"):
        screen.keys(f":split {name}<CR>i{name}<Esc>")
    screen.size = (20, 6)
    screen.draw()
    assert [row.split(" ")[0] for row in screen.rows[:5]] == ["three", "three", "two", "one", "[No"]
