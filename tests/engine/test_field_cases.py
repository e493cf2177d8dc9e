"""Troubles seen in comparable programs (CASES part B), as far as they concern editing, each under its id.

What is `BY_VIM` was compared with Vim 9.0 as well. Writing files (B-21 to B-28) is in `tests/text` and `tests/screen`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from tpy.modal.progress import Interrupted
from tpy.modal.ui.render import Renderer


class Case(NamedTuple):
    """A text, keys typed at its start, and the text then; `cursor` is line and column from 1 where it matters."""

    id: str
    before: str
    keys: str
    after: str
    cursor: tuple[int, int] | None = None


FIVE = "a\nb\nc\nd\ne"
DASHED = "- a\n- b\n- c\n- d\n- e"
BY_VIM = [
    Case("B-01", "ab cd ef", "wyiw0pu", "ab cd ef", (1, 1)),
    Case("B-01", "ab cd ef", "wyiw0pupupu", "ab cd ef", (1, 1)),
    Case("B-02", "one two three", "wciwXX<Esc>$u", "one two three", (1, 5)),
    Case("B-02", "abcdef", "vllldu", "abcdef", (1, 1)),
    Case("B-02", "a1\na2\na3", ":%s/a/b/<CR>ggu", "a1\na2\na3", (1, 1)),
    Case("B-03", "1\n2\n3\n4\n5", "jj2ddggu", "1\n2\n3\n4\n5", (3, 1)),
    Case("B-04", "a1\na2\na3", "jxGu0gg<C-r>", "a1\n2\na3", (2, 1)),
    Case("B-05", "", "ix<Esc>4.", "xxxxx"),
    Case("B-05", "q", "3az<Esc>.", "qzzzzzz"),
    Case("B-05", "", "itap<Esc>2.", "tataptapp"),
    Case("B-05", "k l m n o p q", "2dw3.", "p q"),
    Case("B-06", "red red red", "ciwtan<Esc>wv<Esc>.", "tan tan red"),
    Case("B-06", "red red red", "ciwtan<Esc>w:<Esc>.", "tan tan red"),
    Case("B-07", "", "6Oxyz<Esc>0<C-v>kd.", "xyz\nxyz\nxyz\nxyz\nz\nz\n", (5, 1)),
    Case("B-08", "xyz\nかきく\nuvw", "gg0l<C-v>jjI#<Esc>", "x#yz\n #かきく\nu#vw"),
    Case("B-08", "xyz\nかきく\nuvw", "gg0<C-v>jjA#<Esc>", "x#yz\n #かきく\nu#vw"),
    Case("B-09", "abcde\nfügen\nhijkl", "ggllvly0ll<C-v>ljjp", "abcde\nfücdn\nhicdl"),
    Case("B-10", FIVE, "qqI- <Esc>jq10@q", DASHED),
    Case("B-11", FIVE, "qqqqqI- <Esc>j@qqugg@q", DASHED),
    Case("B-12", "r\ns\nt", ":%s/\\n/+/<CR>", "r+s+t+"),
    Case("B-12", "one;two;six", ":s/;/\\r/g<CR>", "one\ntwo\nsix", (3, 1)),
    Case("B-13", "left x", ":s /left/right<CR>", "right x"),
    Case("B-13", "a/b/c", ":s#/#-#g<CR>", "a-b-c"),
    Case("B-13", "abc", ":s/b*/X/g<CR>", "XaXc"),
    Case("B-13", "aXbX", ":s/x/-/gi<CR>", "a-b-"),
    Case("B-13", "x", ":s/y/z/<CR>ihi<Esc>", "hix"),
    Case("B-14", "foo(bar)", ":s/(bar)/X/<CR>", "fooX"),
    Case("B-14", "foo(bar)", ":s/\\v\\(bar\\)/X/<CR>", "fooX"),
    Case("B-14", "a+b aab", ":s/a+b/X/<CR>", "X aab"),
    Case("B-14", "aaa", ":s/a\\{2}/X/<CR>", "Xa"),
    Case("B-14", "foobar foo", ":s/\\<lt>foo\\>/X/g<CR>", "foobar X"),
    Case("B-14", "f(x)", ":s/(\\(.*\\))/[\\1]/<CR>", "f[x]"),
    Case("B-14", "a[b", ":s/[/X/<CR>", "a[b"),
    Case("B-14", "a(b", ":s/\\(/X/<CR>x", "(b"),
    Case("B-14", "aa", ":s/a**/X/<CR>x", "a"),
    Case("B-14", "az", ":s/\\z/X/<CR>x", "z"),
    Case("B-16", 'He said "yes"\nShe: "no" too', 'j0ci"Z<Esc>', 'He said "yes"\nShe: "Z" too'),
    Case("B-16", 'a = "up",\n  b = "down";', 'j0f=ci"Z<Esc>', 'a = "up",\n  b = "Z";'),
    Case("B-16", '("ab", "cde")', '0f"f"f"ci"Z<Esc>', '("ab", "Z")'),
    Case("B-16", 'put "x \\"y\\" z" in', '0fyci"Z<Esc>', 'put "Z" in'),
    Case("B-17", "f{\n  a\n}", "ggjyi{Gp", "f{\n  a\n}\n  a"),
    Case("B-17", "f(a,\n  (b)\n)", "gg0fadi(", "f(\n)"),
    Case("B-18", "acegik", "dtg", "gik"),
    Case("B-18", "acegik", "dfg", "ik"),
    Case("B-18", "acegik", "df<Esc>x", "cegik"),
    Case("B-18", "acegik", "dtzx", "cegik"),
    Case("B-19", "sun\nmoon", "yiwjviwpp", "sun\nsunmoon"),
    Case("B-19", "sun\nmoon", 'yiwjviwp"0p', "sun\nsunsun"),
    Case("B-19", "red\ngreen\nblue", '"byyjV"bpj"bp', "red\nred\nblue\nred"),
    Case("B-20", "1\n2\n3", "88888888888888888888j", "1\n2\n3", (3, 1)),
    Case("B-20", "1\n2\n3", "5000000jiX<Esc>", "1\n2\nX3"),
    Case("B-20", "abc", "99999999x", ""),
    Case("B-20", "a\nb", "v99999999ipd", "\nb"),
    Case("B-32", "cat cats cat", "*x", "cat cats at"),
    Case("B-32", "山 山頂 山", "*x", "山 山頂 "),
    Case("B-32", "a.b axb a.b", "l*x", "a.b axb a."),
    Case("B-32", "a.b axb a.b", "l*:%s//X&/<CR>", "a.Xb axb a.b"),
    Case("B-33", "p\nq\nr\ns", ":g/q/d<CR>u", "p\nq\nr\ns", (2, 1)),
    Case("B-33", "p\nq\nr\ns", ":g/[qr]/m0<CR>", "r\nq\np\ns"),
    Case("B-33", "red\ndark\nblue\nlight", ":g/^/normal J<CR>", "red dark\nblue light"),
    Case("B-33", "a\nfoo\nb\nfoo", "/foo<CR>:g//d<CR>", "a\nb"),
    Case("B-33", "drop 2", ":g/drop/s/drop/gone/<CR>", "gone 2"),
]


def ids(cases: list[Case]) -> list[str]:
    """Return the names of the tests: the case's id and its keys."""
    return [f"{case.id} {case.keys}" for case in cases]


@pytest.mark.parametrize("case", BY_VIM, ids=ids(BY_VIM))
def test_it_is_as_vim_does_it(typist: Callable[..., Any], case: Case) -> None:
    typed = typist(case.before).type(case.keys)
    assert "\n".join(typed.lines) == case.after
    assert typed.engine.mode == "n"
    if case.cursor is not None:
        line, col = typed.editor.window.cursor
        assert (line + 1, col + 1) == case.cursor


def test_b03_what_undo_restores_is_in_view(typist: Callable[..., Any]) -> None:
    typed = typist("1\n2\n3\n4\n5")
    screen = Renderer(typed.engine)
    screen.frame(20, 3)
    typed.type("jj2ddggu")
    frame = screen.frame(20, 3)
    assert frame.cursor is not None
    assert frame.rows[frame.cursor[0]].text.strip() == "3"


@pytest.mark.perf
def test_b11_a_recursive_macro_over_20000_lines(typist: Callable[..., Any]) -> None:
    typed = typist("\n".join(str(n) for n in range(20_000)))
    typed.editor.registers.set("q", _register("I- \x1bj@q"))
    begun = time.process_time()
    typed.type("gg@q")
    assert typed.lines == [f"- {n}" for n in range(20_000)]
    assert time.process_time() - begun < 20


def _register(text: str) -> Any:
    from tpy.modal.text.registers import Register

    return Register((text,))


@pytest.mark.perf
@pytest.mark.parametrize("keys", ["/\\(a*\\)*c<CR>", ":%s/\\(a\\|aa\\)*$/x/<CR>"])
def test_b15_a_search_that_would_take_for_ever_ends(typist: Callable[..., Any], keys: str) -> None:
    typed = typist("a" * 40 + "b")
    deadline = time.monotonic() + 1.0
    typed.engine.interrupted = lambda: time.monotonic() > deadline
    begun = time.process_time()
    try:
        typed.type(keys)
    except Interrupted:
        typed.engine.stop_all()
    assert time.process_time() - begun < 5
    typed.engine.interrupted = lambda: False
    assert typed.type("u0ix<Esc>").lines[0].startswith("x")


def test_b20_a_put_of_very_many_is_refused_or_stopped(typist: Callable[..., Any]) -> None:
    typed = typist("abc")
    deadline = time.monotonic() + 1.0
    typed.engine.interrupted = lambda: time.monotonic() > deadline
    try:
        typed.type("yl99999999999p")
    except Interrupted:
        typed.engine.stop_all()
    typed.engine.interrupted = lambda: False
    assert typed.type("uuix<Esc>").lines[0].startswith(("xabc", "ax"))


def test_b29_a_paste_is_text_in_every_mode(typist: Callable[..., Any]) -> None:
    rows = "\n".join(f"row {n:04} of the paste" for n in range(1000)) + "\n"
    typed = typist("")
    typed.engine.paste(rows)
    assert "\n".join(typed.lines).rstrip("\n") == rows.rstrip("\n")
    typed = typist("", {"autoindent": True}).type("i")
    typed.engine.paste("a\n\tb\n\t\tc\n")
    assert typed.lines == ["a", "\tb", "\t\tc", ""]
    typed = typist("").type("i")
    typed.engine.paste("x\x1b:q!\r")
    assert typed.engine.mode == "i"
    assert not typed.editor.quit_requested
    typed = typist("keep").type(":")
    typed.engine.paste("%d\n")
    assert typed.engine.mode == "c"
    assert typed.lines == ["keep"]


@pytest.mark.parametrize("mode", ["", "i", "l", "v"])
@pytest.mark.parametrize("at", range(len("one\ntwo é\n") + 1))
def test_b29_a_paste_that_pauses_is_the_same_text(typist: Callable[..., Any], mode: str, at: int) -> None:
    text = "one\ntwo é\n"
    whole, cut = (typist("ab").type(mode) for _ in range(2))
    whole.engine.paste(text + "end")
    cut.engine.paste(text[:at])
    cut.engine.paste(text[at:], goes_on=True)
    cut.engine.paste("end", goes_on=True)
    assert cut.lines == whole.lines
    assert cut.editor.window.cursor == whole.editor.window.cursor


@pytest.mark.perf
def test_b31_a_line_of_megabytes_is_usable(typist: Callable[..., Any]) -> None:
    item = '"foo":"bar",'
    text = "{" + item * (5 * 1024 * 1024 // len(item)) + "}"
    typed = typist(text)
    screen = Renderer(typed.engine)
    for keys in ("$", "0", "20l", "/bar<CR>", "ix<Esc>", "u"):
        begun = time.process_time()
        typed.type(keys)
        screen.frame(80, 24)
        assert time.process_time() - begun < 0.3 * len(keys), keys
    assert typed.lines == [text]


@pytest.mark.perf
def test_b33_reversing_20000_lines_is_one_undo_step(typist: Callable[..., Any]) -> None:
    lines = [str(n) for n in range(20_000)]
    typed = typist("\n".join(lines))
    begun = time.process_time()
    typed.type(":g/^/m0<CR>")
    assert typed.lines == lines[::-1]
    typed.type("u")
    assert typed.lines == lines
    assert time.process_time() - begun < 20
