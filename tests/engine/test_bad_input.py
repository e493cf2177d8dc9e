"""What nobody means to type: Vim's message or an interrupt, and text and undo are whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.progress import Interrupted

TEXT = "one two\nthree four\nfive"
MESSAGES = [
    (":frobnicate", "E492: Not an editor command: frobnicate"),
    (":3frob x", "E492: Not an editor command: 3frob x"),
    (":99d", "E16: Invalid range"),
    (":'xd", "E20: Mark not set"),
    (":/nowhere/d", "E486: Pattern not found: nowhere"),
    (":s/\\(/x/", "E54: Unmatched \\("),
    (":s/\\)/x/", "E55: Unmatched \\)"),
    (":s/\\%[/x/", "E69: Missing ] after \\%["),
    (":s/a\\{/x/", "E554: Syntax error in \\{...}"),
    (":s/*\\{2}\\{3}a**/x/", None),
    (":g", "E148: Regular expression missing from global"),
    (":g/two/frob", "E492: Not an editor command: frob"),
    (":s", "E33: No previous substitute regular expression"),
    (":d 99 x", "E488: Trailing characters: x"),
    (":1,2,3,4frob", "E492: Not an editor command: 1,2,3,4frob"),
    (":m 99", "E16: Invalid range"),
    (":normal", "E471: Argument required"),
    (":b 99", "E86: Buffer 99 does not exist"),
    (":set nosuch", "E518: Unknown option: nosuch"),
    (":set ts=x", "E521: Number required after =: ts=x"),
    (":map", None),
    (":e /nowhere/at/all/", None),
]


def whole(typed: Any) -> None:
    """The text is what it was, or is again after undo; keys still work."""
    typed.engine.interrupted = lambda: False
    typed.type("<Esc><Esc>")
    assert typed.engine.mode == "n"
    typed.editor.buffer.go_to(0)
    assert "\n".join(typed.lines) == TEXT
    assert typed.type("ggix<Esc>").lines[0] == "xone two"


@pytest.mark.parametrize(("line", "message"), MESSAGES, ids=[line for line, _ in MESSAGES])
def test_a_bad_line_is_told_as_vim_tells_it(typist: Callable[..., Any], line: str, message: str | None) -> None:
    typed = typist(TEXT).type(line.replace("<", "<lt>") + "<CR>")
    if message is not None:
        assert typed.editor.message.text == message
        assert typed.editor.message.error
    buffer = typed.editor.buffer
    if "\n".join(typed.lines) == TEXT:
        whole(typed)
    else:
        assert buffer.name.startswith("/nowhere")


ENDLESS = [
    ":let @q='@q'<CR>@q",
    ":let @q='ix<C-v><Esc>@q'<CR>@q",
    ":let @q='~@q'<CR>:g/./normal @q<CR>",
    ":nmap x ~x<CR>x",
    ":nmap x ix<lt>Esc>x<CR>999999999x",
    "999999999ix<CR>y<Esc>",
    "999999999@q",
    ":g/\\(o*\\)*\\1zz/d<CR>",
]


@pytest.mark.perf
@pytest.mark.parametrize("keys", ENDLESS)
def test_what_never_ends_is_stopped(typist: Callable[..., Any], keys: str) -> None:
    """It is stopped within 100 ms of processor time after it was asked for, or it was over before."""
    typed = typist(TEXT)
    begun = time.process_time()
    asked: list[float] = []

    def interrupted() -> bool:
        now = time.process_time()
        if now - begun > 0.2 and not asked:
            asked.append(now)
        return bool(asked)

    typed.engine.interrupted = interrupted
    try:
        typed.type(keys)
    except Interrupted:
        typed.engine.stop_all()
    assert time.process_time() - (asked[0] if asked else begun) < (0.1 if asked else 3)
    whole(typed)


LONG = (
    ":%s/o/00/g<CR> :g/o/s/e/x/<CR> :g/o/t.<CR> :g/o/normal%Ax<CR> :%normal%A;<CR> :sort%n<CR> ggVG> ggVGJ ggVGgu "
    "ggVG~ gggqG gg=G 999999999w 999999999ge 999999999) ggVG999<C-a>"
).split()


@pytest.mark.perf
@pytest.mark.parametrize("keys", LONG)
def test_long_work_asks_often_whether_to_stop(typist: Callable[..., Any], keys: str) -> None:
    """Over 6,000 lines no command goes more than 100 ms of processor time without asking."""
    typed = typist("\n".join(f"line {n} of some text, one two" for n in range(6_000)))
    last = time.process_time()
    gaps = [0.0]

    def interrupted() -> bool:
        nonlocal last
        now = time.process_time()
        gaps.append(now - last)
        last = now
        return len(gaps) > 2000

    typed.engine.interrupted = interrupted
    try:
        typed.type(keys.replace("%A", " A").replace("%n", " n"))
    except Interrupted:
        typed.engine.stop_all()
    gaps.append(time.process_time() - last)
    assert max(gaps) < 0.1
