"""Which room windows get and where the cursor goes when windows open, close and get equal (`:help 'equalalways'`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

# Ex commands, and what Vim 9.0 then tells at 80x24 with 'laststatus' 2: the current window's number, each one's size.
ANSWERS = (
    ("new|new|new|2wincmd w|resize 12|close", "2: 7x80 7x80 6x80"),
    ("new|new|2wincmd w|quit", "2: 10x80 11x80"),
    ("new|new|wincmd b|quit", "2: 10x80 11x80"),
    ("new|new|wincmd t|quit", "1: 11x80 10x80"),
    ("set splitbelow|new|new|2wincmd w|quit", "1: 11x80 10x80"),
    ("vnew|vnew|2wincmd w|quit", "2: 22x39 22x40"),
    ("set splitright|vnew|vnew|2wincmd w|quit", "1: 22x40 22x39"),
    ("new|vnew|vnew|wincmd l|close", "2: 11x39 11x40 10x80"),
    ("new|vnew|wincmd l|resize 3|close", "1: 3x80 18x80"),
    ("vnew|vertical resize 20|new|wincmd w|new", "2: 7x20 7x20 6x20 22x59"),
    ("vnew|vertical resize 20|new|new|resize 2|wincmd b|new|close", "4: 7x20 7x20 6x20 22x59"),
    ("new|new|wincmd b|resize 3|set winfixheight|wincmd =", "3: 9x80 8x80 3x80"),
    ("new|new|wincmd b|resize 3|set winfixheight|wincmd k|close", "1: 18x80 3x80"),
    ("new|new|wincmd b|resize 3|set winfixheight|wincmd t|close", "1: 18x80 3x80"),
    ("new|new|2wincmd w|resize 3|set winfixheight|wincmd t|close", "2: 3x80 18x80"),
    ("new|new|wincmd b|resize 3|set winfixheight|split|close", "2: 8x80 9x80 3x80"),
    ("vnew|new|resize 4|set winfixheight|wincmd b|new|wincmd =", "3: 4x39 17x39 11x40 10x40"),
    ("set noequalalways|new|new|2wincmd w|resize 9|close", "2: 5x80 16x80"),
    ("new|set winfixheight|resize 3|vnew|wincmd b|new|wincmd =", "3: 3x40 3x39 9x80 8x80"),
    ("vnew|new|wincmd l|close", "1: 11x80 10x80"),
)


def _told(typed: Any) -> str:
    """Return the current window's number and each one's size."""
    layout = typed.editor.layout
    windows = layout.windows()
    sizes = " ".join(f"{window.height}x{window.width}" for window in windows)
    return f"{windows.index(layout.current) + 1}: {sizes}"


@pytest.mark.parametrize(("script", "answer"), ANSWERS)
def test_windows_have_the_sizes_that_vim_gives(session: Callable[[], Any], script: str, answer: str) -> None:
    typed = session()
    typed.ex("set laststatus=2 hidden")
    for line in script.split("|"):
        typed.ex(line)
    assert _told(typed) == answer


# Keys of windows with a count behind `<C-w>`, and what Vim then tells of the windows as above.
COUNTED = (
    ("<C-w>s<C-w>5+", "1: 16x80 5x80"),
    ("<C-w>s<C-w>5-", "1: 6x80 15x80"),
    ("<C-w>s<C-w>s<C-w>03+", "1: 7x80 7x80 6x80"),
    ("<C-w>v<C-w>20|", "1: 22x20 22x59"),
    ("<C-w>v<C-w>10<lt>", "1: 22x30 22x49"),
    ("<C-w>v2<C-w>3>", "1: 22x46 22x33"),
    ("<C-w>4s", "1: 4x80 17x80"),
    ("<C-w>10n", "1: 10x80 11x80"),
    (":topleft 4split<CR>", "1: 4x80 17x80"),
    (":botright 4split<CR>", "2: 17x80 4x80"),
    ("<C-w>s<C-w>s<C-w>3w", "3: 7x80 7x80 6x80"),
)


@pytest.mark.parametrize(("keys", "answer"), COUNTED)
def test_a_count_may_stand_behind_the_key_of_windows(session: Callable[[], Any], keys: str, answer: str) -> None:
    typed = session()
    typed.ex("set laststatus=2 hidden")
    typed.type(keys)
    assert _told(typed) == answer
