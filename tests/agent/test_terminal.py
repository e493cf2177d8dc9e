"""AGENTS §4, §7, §10 in a real terminal, with the Tutor. CASES A-06 … A-09."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from harness import Editor

READY = "prompt for Tutor"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    directory = tmp_path / "project"
    directory.mkdir()
    (directory / "a.txt").write_text("one\ntwo\n")
    return directory


def start(project: Path, size: tuple[int, int] = (100, 30)) -> Editor:
    editor = Editor(["a.txt"], size=size, cwd=project, timeout=30)
    editor.wait("two")
    editor.keys(":agent Tutor<CR>")
    editor.wait(READY)
    editor.wait("Tutor  idle")
    return editor


def alive(pids: list[int]) -> list[int]:
    """The processes that still run; zombies do not."""
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(pid)
    return found


def test_answer_list_permission_and_write(project: Path) -> None:
    with start(project) as editor:
        editor.keys("/he")
        editor.wait("what I can do")
        editor.keys("<C-u>change @a.txt<CR>")
        editor.wait("Tutor asks: Edit a.txt (:allow / :deny)")
        editor.keys("<Esc>:allow<CR>")
        editor.wait("Done: line 3")
        editor.wait("Tutor  idle")
        assert (project / "a.txt").read_text().startswith("one\ntwo\nThe Tutor was here")
        editor.keys(":q<CR>")
        editor.wait_gone(READY)
        editor.keys("u")
        editor.wait(lambda e: "was here" not in e.text)
        editor.keys(":qa!<CR>")
        assert editor.exit_status() == 0


def test_quit_leaves_no_process(project: Path) -> None:
    with start(project) as editor:
        children = editor.children()
        assert children
        editor.keys("<Esc>:q<CR>")
        editor.wait_gone(READY)
        editor.wait(lambda e: not alive(children))
        editor.keys(":q<CR>")
        assert editor.exit_status() == 0


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP])
def test_a06_no_process_is_left_after_a_signal(project: Path, signum: signal.Signals) -> None:
    with start(project) as editor:
        children = editor.children()
        assert children
        editor.kill(signum)
        editor.exit_status()
        assert alive(children) == []


def test_agent_has_no_terminal_and_is_in_a_group_of_its_own(project: Path) -> None:
    with start(project) as editor:
        child = editor.children()[0]
        assert os.getsid(child) == child
        assert os.getpgid(child) == child
        editor.keys("<Esc>:qa<CR>")
        assert editor.exit_status() == 0
        assert alive([child]) == []


def test_spinner_stops_with_the_turn_and_nothing_is_drawn_then(project: Path) -> None:
    with start(project) as editor:
        editor.keys("/slow 30<CR>")
        editor.wait("Tutor  working")
        editor.keys("<Esc>:q<CR>")
        editor.wait("E948")
        editor.keys(":cancel<CR>")
        editor.wait("The turn ended: cancelled")
        editor.wait("Tutor  idle")
        editor.keys(":qa<CR>")
        assert editor.exit_status() == 0


def test_works_on_a_small_screen(project: Path) -> None:
    with Editor(["a.txt"], size=(40, 12), cwd=project, timeout=30) as editor:
        editor.wait("two")
        editor.keys(":agent Tutor<CR>")
        editor.wait("-- INSERT --")
        editor.keys("hello<CR>")
        editor.keys("<Esc>:qa!<CR>")
        assert editor.exit_status() == 0


@pytest.mark.parametrize("size", [(80, 24), (120, 32)])
def test_request_is_seen_whole_while_the_cursor_follows_the_end(project: Path, size: tuple[int, int]) -> None:
    with start(project, size) as editor:
        editor.keys("/edit @a.txt<CR>")
        editor.wait("Tutor asks: Edit a.txt (:allow / :deny)")
        for option in ("[1 y]", "[2 Y]", "[3 n]"):
            editor.wait(option)
        editor.keys("one<C-j>two<C-j>three<C-j>four<C-j>five")
        editor.wait("five")
        editor.wait("[3 n]")
        editor.keys("<Esc>]a")
        editor.wait(lambda e: "Tutor asks: Edit a.txt" in e.row(e.cursor[0]))
        editor.keys("y")
        editor.wait("Tutor  idle")
        editor.keys(":qa!<CR>")
        assert editor.exit_status() == 0
