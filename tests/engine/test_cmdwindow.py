"""The command-line window, as Vim has it (`:help cmdline-window`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.ui.render import Renderer

TEXT = "¦one\ntwo\nthree\nfour one"
CASES = [
    # What is typed on the text, and the text with the cursor then; each leaves Normal mode and one window.
    ("q:id<Esc><CR>", "¦two\nthree\nfour one"),
    ("q:ireg<BS><BS><BS>2d<CR>", "one\n¦three\nfour one"),
    (":s/o/0/<CR>jq:k<CR>", "0ne\n¦tw0\nthree\nfour one"),
    (":s/o/0/<CR>q:kccs/n/N/<CR>", "¦0Ne\ntwo\nthree\nfour one"),
    (":d<C-f>a 2<CR>", "¦three\nfour one"),
    (":d<C-f>a 2<C-c><BS>3<CR>", "¦four one"),
    ("d/fo<C-f>aur<CR>", "¦four one"),
    ("/o<C-f>ane<CR>", "one\ntwo\nthree\nfour ¦one"),
    ("G?t<C-f>Awo<Esc><CR>", "one\n¦two\nthree\nfour one"),
    ("v/th<C-f><CR>x", "one\ntwo\n¦hree\nfour one"),
    ("q/ithr<CR>x", "one\ntwo\n¦hree\nfour one"),
    ("q:id<Esc>:q<CR>", "¦one\ntwo\nthree\nfour one"),
    ("q:id<Esc>:close<CR>x", "¦ne\ntwo\nthree\nfour one"),
    ("d/fo<C-f>:q<CR>x", "¦ne\ntwo\nthree\nfour one"),
    (":set cedit=<C-v><C-g><CR>:d<C-g>a 2<CR>", "¦three\nfour one"),
]


@pytest.mark.parametrize(("keys", "after"), CASES, ids=[keys for keys, _ in CASES])
def test_a_line_of_the_history_is_edited_and_run(typist: Callable[..., Any], keys: str, after: str) -> None:
    typed = typist(TEXT).type(keys)
    assert typed.after == after
    assert typed.engine.mode == "n"
    assert len(typed.editor.windows()) == 1
    assert len(typed.editor.buffers) == 1


@pytest.mark.parametrize("keys", ["<C-w>k", "<C-w>s", ":e other<CR>", ":new<CR>", ":tabnew<CR>", ":b1<CR>"])
def test_it_is_not_left_for_another_window(typist: Callable[..., Any], keys: str) -> None:
    typed = typist(TEXT).type("q:" + keys)
    assert typed.editor.message.text == "E11: Invalid in command-line window; <CR> executes, CTRL-C quits"
    assert typed.editor.buffer.name == "[Command Line]"
    assert len(typed.editor.windows()) == 2


def test_it_does_not_open_twice(typist: Callable[..., Any]) -> None:
    typed = typist(TEXT).type("q/q:")
    assert typed.editor.message.text == "E1292: Command-line window is already open"


def test_the_line_run_is_the_newest_of_the_history(typist: Callable[..., Any]) -> None:
    typed = typist(TEXT).type(":s/o/0/<CR>:s/n/N/<CR>q:kk<CR>")
    assert typed.editor.histories[":"] == ["s/n/N/", "s/o/0/"]


def test_it_goes_when_the_mouse_enters_another_window(typist: Callable[..., Any]) -> None:
    typed = typist(TEXT).type("q:")
    typed.editor.focus(typed.editor.layout.windows()[0])
    assert len(typed.editor.windows()) == 1
    assert typed.type("x").after == "¦ne\ntwo\nthree\nfour one"


def test_its_lines_begin_with_their_kind(typist: Callable[..., Any]) -> None:
    typed = typist(TEXT)
    screen = Renderer(typed.engine)
    screen.frame(40, 16)
    typed.type("/two<CR>q/")
    rows = [row.text.rstrip() for row in screen.frame(40, 16).rows]
    assert rows[7:9] == ["/two", "/"]
    assert rows[14].startswith("[Command Line]")
