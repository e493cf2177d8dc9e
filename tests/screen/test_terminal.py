"""The terminal layer in a pseudo-terminal: modes, events, frames, suspend, and that everything is given back."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness import Editor

DRIVER = str(Path(__file__).with_name("terminal_driver.py"))
MODES_OFF = {1002, 1004, 1006, 1049, 2004, 2026}


@pytest.fixture
def driver() -> Iterator[Callable[..., Editor]]:
    started: list[Editor] = []

    def start(**options: Any) -> Editor:
        started.append(Editor(program=[sys.executable, DRIVER], **{"size": (60, 12), **options}))
        started[-1].wait(f"{started[-1].screen.columns}x{started[-1].screen.lines}")
        return started[-1]

    yield start
    for editor in started:
        editor.close()


@pytest.mark.parametrize("kitty", [True, False])
def test_keys_arrive_and_modes_are_given_back(driver: Callable[..., Editor], kitty: bool) -> None:
    editor = driver(kitty=kitty)
    assert {1049, 2004, 1004} <= editor.modes
    editor.keys("aé<Esc>")
    editor.wait("<Esc>")
    editor.keys("<M-a>")
    editor.wait("<M-a>")
    editor.keys("q")
    assert editor.exit_status() == 7
    assert not editor.modes & MODES_OFF
    assert editor.kitty_flags == []
    assert not editor.screen.cursor.hidden
    assert editor.text.strip() == ""


def test_a_lone_escape_is_decided_by_time(driver: Callable[..., Editor]) -> None:
    editor = driver(kitty=False)
    editor.send(b"\x1b")
    editor.wait("<Esc>")
    editor.send(b"\x1b[")
    editor.wait(lambda e: e.rows()[2:4] == ["<Esc>", "["])


def test_terminal_attributes_come_back(tmp_path: Path) -> None:
    script = f"stty -a >before; {sys.executable} {DRIVER}; stty -a >after"
    editor = Editor(program=["/bin/sh", "-c", script], cwd=tmp_path)
    with editor:
        editor.wait("80x24")
        editor.keys("x")  # an exception: the same restore
        assert editor.exit_status() == 0
        assert "ZeroDivisionError" in editor.text
        assert not editor.modes & MODES_OFF
    assert (tmp_path / "before").read_text() == (tmp_path / "after").read_text()


def test_paste_focus_and_replies(driver: Callable[..., Editor]) -> None:
    editor = driver()
    editor.paste("one\ntwo")
    editor.wait(r"Paste(text='one\ntwo', goes_on=False)")
    editor.send(b"\x1b[I")
    editor.wait("Focus(gained=True)")


def test_mouse_title_clipboard_and_shape(driver: Callable[..., Editor]) -> None:
    editor = driver()
    assert 1006 not in editor.modes
    editor.keys("mtci")
    editor.wait(lambda e: e.title == "a?title" and {1002, 1006} <= e.modes and e.shape == 6)
    assert b"\x1b]52;c;Y2xpcA==\x07" in editor.raw
    editor.send(b"\x1b[<0;3;2M")
    editor.wait("Mouse(key='<LeftMouse>', row=1, column=2)")


def test_resize_is_seen_at_once(driver: Callable[..., Editor]) -> None:
    editor = driver()
    editor.resize(33, 9)
    editor.wait("33x9")
    editor.resize(1, 1)
    editor.keys("a")
    editor.wait(lambda e: e.rows() == ["a"])


def test_a_frame_is_one_write_in_synchronised_marks(driver: Callable[..., Editor]) -> None:
    editor = driver()
    before = len(editor.raw)
    editor.keys("a")
    editor.wait(lambda e: e.row(1) == "a")
    frame = bytes(editor.raw[before:])
    assert frame.startswith(b"\x1b[?2026h")
    assert frame.endswith(b"\x1b[?2026l")
    assert frame.count(b"\x1b[?2026h") == 1
    assert len(frame) < 80


def test_a_terminal_that_does_not_read_gets_the_newest_state(driver: Callable[..., Editor]) -> None:
    editor = driver(size=(300, 100))
    for _ in range(30):  # far more than a pseudo-terminal holds, none of it read
        os.write(editor.fd, b"b")
    editor.wait(lambda e: e.row(99) == "0099" * 75)
    os.write(editor.fd, b"q")
    assert editor.exit_status() == 7


def test_interrupt_is_seen_while_working(driver: Callable[..., Editor]) -> None:
    editor = driver()
    editor.keys("w")
    editor.wait("working")
    editor.keys("dropped<C-c>kept")
    editor.wait("interrupted")
    editor.wait(lambda e: [row for row in e.rows() if row][-4:] == list("kept"))
    assert "dropped" not in "".join(editor.rows())


@pytest.mark.parametrize("shell", [["/bin/sh"], ["/bin/bash", "--norc", "--noprofile"]], ids=["sh", "bash"])
def test_suspend_gives_the_shell_its_terminal_and_continues(shell: list[str]) -> None:
    if not Path(shell[0]).exists():
        pytest.skip(f"no {shell[0]}")
    with Editor(program=[*shell, "-i"], size=(50, 10), env={"PS1": "shell> ", "ENV": None}, kitty=True) as editor:
        editor.wait("shell>")
        editor.keys(f"{sys.executable} {DRIVER}<CR>")
        editor.wait("50x10")
        editor.keys("a")
        editor.wait(lambda e: e.row(1) == "a")
        editor.keys("<C-z>")
        editor.wait(lambda e: "shell>" in e.row(e.screen.cursor.y) and not e.modes & (MODES_OFF - {2004}))
        editor.send(b"echo e''cho-works\r")
        editor.wait("echo-works")
        editor.resize(40, 8)
        editor.send(b"fg\r")
        editor.wait("40x8")
        editor.keys("b")
        editor.wait(lambda e: e.row(7).startswith("0007"))
        editor.keys("q")
        editor.wait(lambda e: "shell>" in e.row(e.screen.cursor.y) and 1049 not in e.modes)


def test_stopped_and_continued_from_outside(driver: Callable[..., Editor]) -> None:
    editor = driver()
    editor.kill(signal.SIGSTOP)
    editor.stopped()
    editor.screen.reset()  # someone else wrote on the screen
    editor.kill(signal.SIGCONT)
    editor.wait("60x12")


def test_without_a_terminal_it_says_so() -> None:
    code = "from tpy.modal.ui.terminal import Terminal; Terminal()"
    script = f"setsid {sys.executable} -c '{code}' </dev/null 2>&1 | cat"
    with Editor(program=["/bin/sh", "-c", script]) as editor:
        editor.wait("NoTerminal: tpy needs a terminal")


def test_keys_come_from_the_terminal_when_input_is_a_pipe() -> None:
    script = f"echo data | {sys.executable} {DRIVER}"
    with Editor(program=["/bin/sh", "-c", script]) as editor:
        editor.wait("80x24")
        editor.keys("aq")
        assert editor.exit_status() == 7
