"""What holds for any keys: the text stays whole, the cursor on it, and nothing takes for ever."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tpy.modal.keymap import parse_keys, to_text
from tpy.modal.progress import Interrupted
from tpy.modal.text.registers import Register

TEXTS = ["¦", "¦abc def\n\n  (a [b]) 'x'\n\ty", "one.  T¦wo.\n{\n  é日本 <b>x</b>\n}", "¦\ta\t日\n\n\n"]
KEYS = (
    "h l j k w b e W B ge 0 ^ $ | gg G f) t( ; , % { } ( ) [[ ]] [{ ]} [m ]m H M L gj gk g$ go n N * # ma 'a `a `` '' "
    '<C-o> <Tab> g; g, d c y x J p P u <C-r> . v V <C-v> o O gv iw aw ip ap is as i( a( i" a" it at i< <Esc> i a I A '
    "<BS> <CR> qa q @a @@ zf zo zc zR zM zj zk zd zz zt zb <C-d> <C-u> <C-f> <C-b> <C-e> <C-y> <C-w>s "
    '<C-w>w <C-w>c 2 3 "a "_ r ~ > < gu gU g~ gJ gn dgn /a<CR> ?b<CR> :s/a/b<CR> :2<CR> <C-a> gi'
).split()


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from(TEXTS), keys=st.lists(st.sampled_from(KEYS), max_size=12))
def test_any_keys_leave_a_cursor_on_the_text_and_an_undo_that_works(
    typist: Callable[..., Any], text: str, keys: list[str]
) -> None:
    typed = typist(text)
    first = list(typed.lines)
    typed.type("".join(keys))
    window = typed.editor.window
    assert typed.lines
    assert 0 <= window.cursor.line < len(typed.lines)
    assert 0 <= window.cursor.col <= len(typed.lines[window.cursor.line])
    assert 0 <= window.top < len(typed.lines)
    typed.type("<Esc><Esc><Esc>")
    assert typed.engine.mode == "n"
    typed.editor.buffer.go_to(0)
    assert typed.lines == first


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.sampled_from(TEXTS),
    # Keys that cannot fail: what fails ends a macro, but not what a person types.
    keys=st.lists(st.sampled_from(["0", "^", "$", "G", "gg", "V", "v", "<Esc>", "o", "A-"]), max_size=10),
)
def test_typing_keys_or_playing_them_from_a_register_is_the_same(
    typist: Callable[..., Any], text: str, keys: list[str]
) -> None:
    typed, played = typist(text).type("".join(keys)), typist(text)
    recorded = to_text(key for name in keys for key in parse_keys(name))
    played.editor.registers.set("q", Register((recorded,)))
    played.type("@q")
    assert typed.after == played.after


@pytest.mark.parametrize(
    "keys",
    [
        *(f"{motion}" for motion in ("j", "k", "l", "h", "w", "b", "e", "ge", "$", "G", "|", "}", "{", ")", "(", "fx")),
        *("gj", "gk", "n", "N", "%", "<Space>", "<BS>", "+", "-", "_", "]]", "[[", "zj", "<C-d>", "<C-e>", "<C-f>"),
        *("x", "dd", "J", "~", "rX", "<C-a>", ">>", "yy", "@a", "u", "<C-r>", "g;", "<C-o>", "zo", "<C-w>w", "gt"),
        *("daw", "dap", "das", "di(", "dit", 'di"', "<C-w>s<C-w>c", "dw", "d}", "vip<Esc>", "vaw<Esc>", ".", "gn"),
    ],
)
@pytest.mark.perf
def test_a_count_of_a_billion_ends(typist: Callable[..., Any], keys: str) -> None:
    typed = typist("\n".join(["a (b) x. <c>d</c>"] * 200) + "\n¦x")
    typed.type('/a<CR>qaq:let @a="lx"<CR>100Gx')
    began = time.monotonic()
    typed.type(f"999999999{keys}<Esc>")
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("keys", [":let @a='x@a'<CR>@a", ":nmap x jkx<CR>x", ":%g/a/normal 9999@b<CR>"])
def test_what_never_ends_can_be_interrupted(typist: Callable[..., Any], keys: str) -> None:
    typed = typist("¦" + "\n".join(["abc"] * 50))
    typed.type(":let @b='A!'<CR>")
    before = list(typed.lines)
    asked = 0

    def interrupted() -> bool:
        nonlocal asked
        asked += 1
        return asked > 200

    typed.engine.interrupted = interrupted
    with contextlib.suppress(Interrupted):
        typed.type(keys)
    typed.engine.interrupted = lambda: False
    typed.engine.ahead.clear()
    typed.type("<Esc><Esc>")
    assert typed.engine.mode == "n"
    typed.editor.buffer.go_to(0)
    assert typed.lines == before


def test_a_mapping_round_in_circles_is_told(typist: Callable[..., Any]) -> None:
    typed = typist("¦abc").type(":nmap x y<CR>:nmap y x<CR>x")
    assert typed.editor.message is not None
    assert typed.editor.message.text.startswith("E223")
    assert typed.lines == ["abc"]


def test_a_half_typed_mapping_waits_for_its_time(typist: Callable[..., Any]) -> None:
    typed = typist("¦abc").type(":nmap xy dd<CR>")
    typed.engine.feed("x")
    assert typed.lines == ["abc"]
    assert typed.engine.deadline() == pytest.approx(1.0)
    typed.engine.expire()
    assert typed.lines == ["bc"]
