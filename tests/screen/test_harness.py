"""The harness itself, against small programs whose behaviour is known."""

import re
import signal
import sys

import pytest
from harness import Editor, encode

ECHO = """
import os, sys, termios, tty
tty.setraw(0)
sys.stdout.write({start!r}); sys.stdout.flush()
while True:
    data = os.read(0, 100)
    if b"q" in data: break
    os.write(1, repr(data)[2:-1].encode())
os.write(1, {end!r}.encode())
sys.exit(3)
"""


def program(start: str = "ready", end: str = "") -> Editor:
    return Editor(program=[sys.executable, "-c", ECHO.format(start=start, end=end)], size=(40, 6), timeout=10)


@pytest.mark.parametrize(
    ("notation", "legacy", "kitty"),
    [
        ("ab<Esc>", b"ab\x1b", b"ab\x1b[27u"),
        ("<C-w>v", b"\x17v", b"\x1b[119;5uv"),
        ("<M-a>", b"\x1ba", b"\x1b[97;3u"),
        ("<S-Up><C-F5>", b"\x1b[1;2A\x1b[15;5~", b"\x1b[1;2A\x1b[15;5~"),
        ("<lt>x><CR>é", b"<x>\r\xc3\xa9", b"<x>\r\xc3\xa9"),
        ("a<b", b"a<b", b"a<b"),
        ("<S-Tab>", b"\x1b[Z", b"\x1b[9;2u"),
    ],
)
def test_encode_follows_the_terminal(notation: str, legacy: bytes, kitty: bytes) -> None:
    assert encode(notation) == legacy
    assert encode(notation, kitty=True) == kitty


def test_keys_rows_and_exit() -> None:
    with program() as editor:
        editor.wait("ready")
        editor.keys("xy")
        assert editor.wait(re.compile("ready(x.*)"))[1] == "xy"
        assert editor.rows()[0] == "readyxy"
        assert editor.cursor == (0, 7)
        editor.keys("q")
        assert editor.exit_status() == 3


def test_kitty_keys_only_while_the_program_asks() -> None:
    with program("\x1b[>1uready") as editor:
        editor.wait("ready")
        editor.keys("<C-w>")
        editor.wait("[119;5u")


def test_foreign_sequences_are_noted_and_not_shown() -> None:
    with program("\x1b[?2004;1004h\x1b[6 q\x1b[4:3mcurly\x1b[m\x1b]52;c;QQ==\x07\x1b[?2004l") as editor:
        editor.wait("curly")
        assert editor.rows()[0] == "curly"
        assert editor.modes == {1004}
        assert editor.shape == 6
        assert editor.cell(0, 0).underscore


def test_alternate_screen_brings_the_first_back() -> None:
    with program("first\x1b[?1049h\x1b[2J\x1b[Hsecond", "\x1b[?1049l") as editor:
        editor.wait("second")
        assert "first" not in editor.text
        editor.keys("q")
        editor.exit_status()
        assert editor.rows()[0] == "first"


def test_failure_shows_the_screen() -> None:
    with program() as editor:
        editor.wait("ready")
        with pytest.raises(AssertionError, match=r"waited for 'nothing'(?s:.*)0\|ready"):
            editor.wait("nothing", timeout=0.05)


def test_end_of_the_program_ends_the_wait() -> None:
    with program() as editor:
        editor.wait("ready")
        editor.kill(signal.SIGKILL)
        with pytest.raises(AssertionError, match="has ended"):
            editor.wait("nothing")
        assert editor.exit_status() == -signal.SIGKILL


def test_children_and_resize() -> None:
    script = "trap 'stty size' WINCH; sleep 60 & wait; wait"
    with Editor(program=["/bin/sh", "-c", script], size=(40, 6)) as editor:
        editor.wait(lambda e: len(e.children()) == 1)
        editor.resize(30, 8)
        editor.wait("8 30")
