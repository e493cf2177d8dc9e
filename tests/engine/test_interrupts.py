"""An interrupt at any moment leaves text and undo whole."""

# ruff: noqa: E501

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.progress import Interrupted

LONG = (
    ':let @q="x2jA!"<CR>5@q', ":let @q='dwj@q'<CR>@q", ":%s/o/00/g<CR>", ":g/o/normal 3Ax<CR>", ":g/o/t.<CR>", ":v/z/normal ddp<CR>",
    "50ix y<CR><Esc>", "3@q", ":%normal A;<CR>", ":nmap x jAy<lt>Esc><CR>9x", ":sort!<CR>", "qaAz<Esc>j0q20@a", "20.", "gqG", "ggVG>", ":%j<CR>",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_what_is_interrupted_can_be_undone(typist: Callable[..., Any], seed: int) -> None:
    """Commands are stopped when they ask for the n-th time; undoing all gives back the text, redoing what was there."""
    draw = random.Random(seed)
    text = "\n".join(" ".join(draw.choices(["foo", "bar", "o", "(x)"], k=4)) for _ in range(12))
    typed = typist("¦" + text).type(":let @q='Afoo'<CR>")
    for _ in range(4):
        left = draw.randint(0, 30)

        def interrupted() -> bool:
            nonlocal left
            left -= 1
            return left < 0

        typed.engine.interrupted = interrupted
        try:
            typed.type(draw.choice(LONG))
        except Interrupted:
            typed.engine.interrupted = lambda: False
            typed.engine.stop_all()
        typed.engine.interrupted = lambda: False
        with contextlib.suppress(Interrupted):
            typed.type("<Esc><Esc>")
        assert typed.engine.mode == "n"
        assert all("\n" not in line for line in typed.lines)
    after, number = list(typed.lines), typed.editor.buffer.undo.current
    typed.editor.buffer.go_to(0)
    assert "\n".join(typed.lines) == text
    typed.editor.buffer.go_to(number)
    assert typed.lines == after
