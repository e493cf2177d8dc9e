"""Bad ends: bugs, signals, a terminal that is closed. The terminal comes back, text is kept (CASES C-08, C-09)."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from harness import Editor
from processes import left_after
from starting import Start, ready

BUGGY = [sys.executable, str(Path(__file__).with_name("buggy.py"))]
MODES = {1002, 1004, 1006, 1049, 2004, 2026}


def given_back(editor: Editor, before: list[Any]) -> bool:
    """Whether the terminal is as it was found: attributes, screen, cursor, modes."""
    return (
        editor.attributes() == before and not editor.modes & MODES and 25 in editor.modes and editor.kitty_flags == []
    )


@pytest.fixture
def before() -> list[Any]:
    """The attributes of a fresh terminal."""
    master, slave = os.openpty()
    attributes = termios.tcgetattr(slave)
    os.close(master)
    os.close(slave)
    return attributes


def log(tpy: Start) -> Path:
    return tpy.home / ".local/state/turbo-python/tpy.log"


def test_a_bug_in_a_command_is_told_and_the_session_goes_on(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", program=BUGGY, size=(300, 10)))
    editor.keys("ix<Esc>:bug<CR>")
    editor.wait(f"tpy: internal error: ZeroDivisionError: a bug put in (see {log(tpy)})")
    assert editor.row(0) == "xone"  # half a change is taken back
    assert "buggy.py" in log(tpy).read_text()
    assert log(tpy).stat().st_mode & 0o777 == 0o600
    editor.keys("u")
    editor.wait(lambda e: e.row(0) == "one")
    editor.keys("iy<Esc>:wq<CR>")
    assert editor.exit_status() == 0
    assert file.read_text() == "yone\n"


def test_c09_three_bugs_in_a_second_end_it_with_the_text_kept(tpy: Start, before: list[Any]) -> None:
    file = tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", program=BUGGY, size=(300, 10)))
    editor.keys("ounsaved<Esc>")
    editor.keys(":bug<CR>:bug<CR>:bug<CR>")
    assert editor.exit_status() == 1
    assert given_back(editor, before)
    assert "too many internal errors, the last: " in editor.text
    assert f"the log is {log(tpy)}" in editor.text
    assert "unsaved text of a.txt is kept; `tpy -r a.txt` brings it back" in editor.text
    assert file.read_text() == "one\n"
    editor = tpy("-r", "a.txt")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved"


def test_c09_a_bug_in_the_renderer_ends_it_with_the_text_kept(tpy: Start, before: list[Any]) -> None:
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", program=BUGGY, size=(300, 10)))
    editor.keys("ounsaved<Esc>:drawbug<CR>")
    assert editor.exit_status() == 1
    assert given_back(editor, before)
    assert "unsaved text of a.txt is kept" in editor.text
    assert "Traceback" not in editor.text


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
@pytest.mark.parametrize("keys", ["ix", ":s/x", "<C-v>", '"'])
def test_c09_signals_in_any_mode_give_the_terminal_back(
    tpy: Start, signum: signal.Signals, keys: str, before: list[Any]
) -> None:
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys(keys)
    editor.wait(lambda e: e.row(0) != "one" or e.row(-1) != '"a.txt" 1L, 4B' or e.cursor != (0, 0))
    editor.kill(signum)
    assert editor.exit_status() == 1
    assert given_back(editor, before)
    assert f"tpy: ended by {signum.name}" in editor.text


def test_a_signal_ends_a_command_that_works(tpy: Start, before: list[Any]) -> None:
    editor = ready(tpy("a.txt", program=BUGGY))
    editor.keys("iunsaved<Esc>:hang")
    editor.wait(":hang")
    editor.keys("<CR>")
    editor.kill(signal.SIGTERM)
    assert editor.exit_status() == 1
    assert given_back(editor, before)
    assert "unsaved text of a.txt is kept" in editor.text


def test_a_signal_before_the_editor_is_loaded(tpy: Start, before: list[Any]) -> None:
    """Between the first frame and the loop nothing is typed yet, but the terminal is taken already."""
    tpy.file("a.txt", "one\n")
    editor = tpy("a.txt")
    editor.wait(lambda e: 1049 in e.modes)
    editor.kill(signal.SIGTERM)
    assert editor.exit_status() != 0
    assert given_back(editor, before)


@pytest.mark.parametrize("keys", ["iabc", ":foo", "/foo", '"', "d", ":hang"])
def test_c08_an_interrupt_acts_at_once_and_ends_nothing(tpy: Start, keys: str) -> None:
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", program=BUGGY))
    for interrupt in (lambda: editor.keys("<C-c>"), lambda: editor.kill(signal.SIGINT)):
        editor.keys(keys)
        editor.wait(lambda e: e.row(0) != "one" or e.row(-1) not in ('"a.txt" 1L, 4B', "well") or e.cursor != (0, 0))
        editor.keys("<CR>" if keys == ":hang" else "")
        interrupt()
        editor.keys("<C-c>")
        editor.keys(":<Esc>:s/^.*$/one/<CR>gg0:echo 'well'<CR>")
        editor.wait(lambda e: e.row(0) == "one" and e.row(-1) == "well")
    editor.keys(":q!<CR>")
    assert editor.exit_status() == 0


def test_an_interrupt_reaches_a_command_that_has_keys_waiting_behind_it(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", program=BUGGY))
    editor.keys(":hang<CR>ityped ahead")
    editor.wait(lambda e: e.title == "hanging")
    editor.kill(signal.SIGINT)
    editor.wait("Interrupted")
    editor.keys("<Esc>:q!<CR>")
    assert editor.exit_status() == 0


def test_the_terminal_is_closed_under_it(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    tpy.agent("Quiet", ["hello"], ["eof"])
    editor = ready(tpy("a.txt"))
    editor.keys("ounsaved<Esc>:agent Quiet<CR>")
    editor.wait("idle")
    pids = [editor.pid, *editor.children()]
    assert len(pids) > 1
    os.close(editor.fd)
    editor.fd = os.open(os.devnull, os.O_RDWR)
    _, status = os.waitpid(editor.pid, 0)
    editor._status = os.waitstatus_to_exitcode(status)
    assert editor._status == 1
    assert left_after(pids) == []
    assert file.read_text() == "one\n"
    editor = tpy("-r", "a.txt")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved"


def test_closed_while_a_question_is_open(tpy: Start) -> None:
    """The same in a shell that dies with its terminal: SIGHUP comes as well."""
    tpy.file("a.txt", "one\n")
    editor = ready(tpy.shell("tpy a.txt; true"))
    editor.keys("ounsaved<Esc>:s/u/U/c<CR>")
    editor.wait("replace with")
    pids = [editor.pid, *editor.children()]
    os.close(editor.fd)
    editor.fd = os.open(os.devnull, os.O_RDWR)
    os.waitpid(editor.pid, 0)
    editor._status = 0
    assert left_after(pids) == []
    editor = tpy("-r", "a.txt")
    editor.wait("Recovered")


def test_an_interrupted_substitution_says_so_and_leaves_the_text_whole(tpy: Start) -> None:
    tpy.file("a.txt", "a" * 60 + "bc\n")
    editor = ready(tpy("a.txt"))
    editor.keys(r":%s/\(a*\)*\1c/x/<CR>")
    editor.keys("<C-c>")
    editor.wait("Interrupted")
    editor.keys("l")
    editor.wait(lambda e: "Interrupted" not in e.text)
    assert editor.row(0) == "a" * 60 + "bc"
    assert "[+]" not in editor.text


def test_programs_run_by_commands_can_be_interrupted_and_take_no_keys(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys(":!sleep 60<CR>")
    editor.wait(lambda e: e.children())
    pids = editor.children()
    editor.keys("<C-c>")
    editor.wait("Interrupted")
    assert left_after(pids) == []
    editor.keys(":!cat /dev/tty<CR>")
    editor.wait("/dev/tty")
    editor.wait("shell returned 1")
    editor.keys("<CR>:r !echo added; sleep 60 &<CR>")
    editor.wait(lambda e: e.row(1) == "added")
    editor.keys(":%!tr a-z A-Z<CR>")
    editor.wait(lambda e: e.rows()[:2] == ["ONE", "ADDED"])


def test_recovered_text_that_is_thrown_away_can_be_recovered_again(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys("ounsaved<Esc>")
    editor.wait("unsaved")
    editor.kill(signal.SIGTERM)
    editor.exit_status()
    for end in (":q!<CR>", ":bd!<CR>:q!<CR>", ":w<CR>:q<CR>"):
        editor = tpy("-r", "a.txt")
        editor.wait("Recovered")
        assert editor.row(1) == "unsaved"
        editor.keys(end)
        assert editor.exit_status() == 0
    assert file.read_text() == "one\nunsaved\n"
    editor = tpy("-r", "a.txt")
    editor.wait('E305: No unsaved text of "a.txt" was kept')


def test_what_lasts_is_told_in_the_message_line_and_can_be_stopped(tpy: Start) -> None:
    """The share is drawn while the command runs, over the frame there was; after <C-c> what was done can be undone."""
    tpy.file("a.txt", "line\n" * 200_000)
    editor = ready(tpy("a.txt"))
    editor.keys(":g/./normal xx<CR>")
    editor.wait(re.compile(r"^:g/\./normal xx… \d+% \(<C-c> stops\)", re.M))
    assert editor.row(1) == "line"
    editor.keys("<C-c>")
    editor.wait("Interrupted")
    editor.keys("u:echo 'well'<CR>")
    editor.wait(lambda e: e.row(-1) == "well" and e.row(0) == "line")
    editor.keys(":q!<CR>")
    assert editor.exit_status() == 0
