"""Agents as processes of the real editor: bad starts, deaths, silence, floods, and that none is left behind.

CASES A-02, A-05 ... A-09, A-18, A-21, A-38, A-39 as far as they show on a screen.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import Editor
from processes import alive, left_after, with_argument
from starting import FAKE, Start, ready

HELLO = ["hello"]
PROMPT = ["on", "session/prompt"]
END = ["end", "end_turn"]


def started(tpy: Start, name: str = "Bob", **options: object) -> Editor:
    """An editor with a file and an agent that is ready, the cursor in the prompt."""
    tpy.file("a.txt", "one\ntwo\n")
    editor = ready(tpy("a.txt", **options))
    editor.keys(f":agent {name}<CR>")
    editor.wait(f"{name}  idle")
    return editor


def family(editor: Editor) -> list[int]:
    """The editor and all it started."""
    return [editor.pid, *editor.children()]


def to_the_file(editor: Editor) -> None:
    """Leave the prompt for the file's window."""
    editor.keys("<Esc><C-w>t")
    editor.wait(lambda e: e.cursor[0] < 8 and "INSERT" not in e.text)


@pytest.mark.parametrize(
    ("end", "told"),
    [
        (["exit", 0], "The agent stopped. (exit status 0)"),
        (["exit", 3], "The agent stopped. (exit status 3)"),
        (["die", int(signal.SIGKILL)], "The agent stopped. (killed by SIGKILL)"),
    ],
)
def test_a02_a_death_in_a_turn_is_told_and_nothing_typed_is_lost(tpy: Start, end: list[object], told: str) -> None:
    call = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "Working", "status": "in_progress"}
    tpy.agent("Bob", HELLO, PROMPT, ["upd", call], ["say", "partial"], end)
    editor = started(tpy, size=(100, 40))
    pids = editor.children()
    editor.keys("my question<CR>")
    editor.wait(told)
    assert "partial" in editor.text
    assert "in_progress" not in editor.text
    editor.wait(lambda e: e.text.count("my question") == 2)  # asked, and back in the draft
    assert left_after(pids, 3) == []
    editor.keys("<CR>")
    editor.wait("The agent is not running: ")
    editor.keys("<Esc>:qa!<CR>")
    assert editor.exit_status() == 0


def test_kill_9_of_the_agent_from_outside(tpy: Start) -> None:
    tpy.agent("Bob", HELLO, PROMPT, ["say", "half an "], ["hang"])
    editor = started(tpy)
    [pid] = editor.children()
    editor.keys("question<CR>")
    editor.wait("half an")
    os.kill(pid, signal.SIGKILL)
    editor.wait("The agent stopped.")
    editor.wait("SIGKILL")
    editor.keys(" and more")
    editor.wait("question and more")
    editor.keys("<Esc>:agentrestart<CR>")
    editor.wait("Bob  idle")


def test_a05_error_output_never_reaches_the_screen(tpy: Start) -> None:
    tpy.agent("Noisy", HELLO, ["stderr", "warn \x1b[31mred\x1b[2J\n", 500], ["eof"])
    editor = started(tpy, "Noisy")
    to_the_file(editor)
    editor.keys("ityped<Esc>")
    editor.wait("typedone")
    editor.keys(":agentlog<CR>")
    editor.wait("warn ^[[31mred^[[2J")


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ([["stderr", "env: node: not found\n"], ["exit", 127]], ["127", "env: node: not found"]),
        ([["on", "initialize"], ["stderr", "no licence\n"], ["exit", 2]], ["2", "no licence"]),
        ([["raw", "Welcome to the agent!\n"], ["exit", 0]], ["the agent would not start a conversation"]),
    ],
)
def test_a05_a_start_that_fails_says_why(tpy: Start, steps: list[list[object]], told: list[str]) -> None:
    tpy.agent("Bob", *steps)
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys(":agent Bob<CR>")
    editor.keys("typed early<CR>")
    for text in told:
        editor.wait(text)
    editor.wait("typed early")
    editor.keys("<Esc>:qa!<CR>")
    assert editor.exit_status() == 0


def test_a_program_that_is_not_there(tpy: Start) -> None:
    tpy.agent("Gone", command=["no-such-program"])
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys(":agent Gone<CR>")
    editor.wait("no-such-program was not found in PATH")
    editor.keys("<Esc>:q<CR>")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


@pytest.mark.parametrize("command", ["cancel", "agentclose", "qa!"])
def test_a18_a_silent_agent_is_waited_for_in_the_open(tpy: Start, command: str) -> None:
    tpy.agent("Mute", ["stderr", "warming up\n"], ["hang"])
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys(":agent Mute<CR>")
    editor.keys("a question<CR>")
    editor.wait("Waiting for the answer to initialize; :cancel or :agentclose gives up.")
    editor.wait("warming up")
    pids = editor.children()
    to_the_file(editor)
    editor.keys("ix<Esc>:w<CR>")
    editor.wait("written")
    editor.keys(f":{command}{' Mute' if command != 'qa!' else ''}<CR>")
    assert left_after(pids) == []
    if command != "qa!":
        editor.keys(":qa<CR>")
    assert editor.exit_status() == 0


def nested(tpy: Start, *steps: list[object]) -> str:
    """An agent below a wrapper of two shells; returns what marks its processes."""
    import json

    mark = str(tpy.root / "inner.sh")
    Path(mark).write_text(f"'{sys.executable}' '{FAKE}' '{json.dumps(steps)}' {mark}\n")
    tpy.agent("Deep", command=["/bin/sh", "-c", f"sh {mark}; :"])
    return mark


Way = Callable[[Editor], object]
WAYS: dict[str, Way] = {
    "qa": lambda e: e.keys(":qa!<CR>"),
    "agentclose": lambda e: e.keys(":agentclose! Deep<CR>"),
    "close": lambda e: e.keys(":agent Deep<CR><Esc>:q!<CR>"),
    "term": lambda e: e.kill(signal.SIGTERM),
    "hup": lambda e: e.kill(signal.SIGHUP),
    "kill": lambda e: e.kill(signal.SIGKILL),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turn", [False, True], ids=["idle", "running"])
def test_a06_no_process_is_left_however_one_leaves(tpy: Start, way: str, turn: bool) -> None:
    mark = nested(tpy, HELLO, PROMPT, ["say", "working"], ["eof"])
    editor = started(tpy, "Deep")
    if turn:
        editor.keys("go<CR>")
        editor.wait("working")
    pids = [*editor.children(), *with_argument(mark)]
    assert len(alive(pids)) >= 3
    to_the_file(editor)
    WAYS[way](editor)
    assert left_after(pids) == []
    assert with_argument(mark) == []
    if way not in ("agentclose", "close"):
        assert editor.exit_status() == {"qa": 0, "kill": -9}.get(way, 1)


def test_a07_an_agent_that_ignores_everything_is_ended(tpy: Start) -> None:
    tpy.agent("Bob", HELLO, ["stubborn"], ["hang"])
    editor = started(tpy)
    pids = editor.children()
    editor.keys("<Esc>:qa!<CR>")
    editor.wait(lambda e: 1049 not in e.modes, timeout=2)  # the terminal comes back first
    assert editor.exit_status(timeout=6) == 0
    assert left_after(pids, 1) == []


def test_a08_interrupts_are_the_editors(tpy: Start) -> None:
    tpy.agent(
        "Bob", HELLO, PROMPT, ["say", "begun"], ["until", str(tpy.root / "sign")], ["say", " and done"], END, ["eof"]
    )
    editor = started(tpy)
    editor.keys("go<CR>")
    editor.wait("begun")
    to_the_file(editor)
    for keys in ("ihello<C-c>", ":foo<C-c>", "/foo<C-c>", "d<C-c>"):
        editor.keys(keys)
    (tpy.root / "sign").touch()
    editor.wait("begun and done")
    assert "helloone" in editor.text
    assert len(alive(editor.children())) == 1


def test_a09_the_terminal_is_out_of_reach(tpy: Start) -> None:
    script = f"head -c 1 </dev/tty; stty sane </dev/tty; exec '{sys.executable}' '{FAKE}' '[[\"hello\"], [\"eof\"]]'"
    tpy.agent("Thief", command=["/bin/sh", "-c", script])
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    attributes = editor.attributes()
    editor.keys(":agent Thief<CR>")
    editor.keys("abcdefgh")
    editor.wait("Thief  idle")
    editor.wait("abcdefgh")
    assert editor.attributes() == attributes


def test_a21_cancel_that_is_never_answered(tpy: Start) -> None:
    tpy.agent("Bob", HELLO, PROMPT, ["say", "on it"], ["hang"])
    editor = started(tpy)
    pids = editor.children()
    editor.keys("go<CR>")
    editor.wait("on it")
    editor.keys("<Esc>:cancel<CR>")
    editor.wait("cancel")
    editor.keys(":cancel<CR>")
    editor.wait(lambda e: "(y/n)" in e.text or "top" in e.row(-1))
    editor.keys("y")
    editor.keys("<Esc>:agentclose!<CR>")
    assert left_after(pids) == []
    editor.keys(":agent Bob<CR>")
    editor.wait("Bob  idle")


def test_a38_control_codes_of_an_agent_are_shown(tpy: Start) -> None:
    text = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J a\rb \x00 \x9b5n \u202e end"
    tpy.agent("Bob", HELLO, PROMPT, ["say", text], END, ["eof"])
    editor = started(tpy, size=(120, 30))
    editor.keys("go<CR>")
    editor.wait("end")
    assert "^[[31mred" in editor.text
    assert "one" in editor.row(0)
    assert "title" not in editor.title


def test_a39_one_enormous_line_is_moved_in_at_once(tpy: Start) -> None:
    tpy.agent("Bob", HELLO, PROMPT, ["big", 600_000], ["say", "\nlast line"], END, ["eof"])
    editor = started(tpy)
    editor.keys("go<CR>")
    editor.wait("last line")
    editor.keys("<Esc><Tab>")
    for keys in "k$0gg":
        editor.keys(keys)
    editor.keys("/last<CR>")
    editor.wait(lambda e: e.row(e.screen.cursor.y).startswith("last line"))


def test_a_flood_does_not_keep_typing_from_being_shown(tpy: Start) -> None:
    tpy.agent("Bob", HELLO, PROMPT, *[["big", 1000]] * 900, ["say", "\nthe end"], END, ["eof"])
    editor = started(tpy)
    editor.keys("go<CR>")
    to_the_file(editor)
    editor.keys("i")
    for char in "typed meanwhile":
        editor.keys(char)
    editor.wait("typed meanwhile", timeout=10)
    editor.keys("<Esc>:w<CR>")
    editor.wait("written")
    editor.wait("the end")
