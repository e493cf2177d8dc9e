"""Terminals of any size, without colours, resized at any moment; stopped and continued (CASES C-10)."""

from __future__ import annotations

import random
import re
import signal
import sys

import pytest
from harness import Editor
from starting import Start, ready

COLOUR = re.compile(rb";(?:3[0-8]|4[0-8]|9[0-7]|10[0-7]);")
OFF = {1002, 1004, 1006, 1049}


@pytest.mark.parametrize("size", [(20, 5), (10, 3), (5, 2), (2, 2), (1, 1), (300, 3), (1, 40)])
def test_any_size_can_be_worked_in(tpy: Start, size: tuple[int, int]) -> None:
    file = tpy.file("a.txt", "one\n" * 9)
    editor = tpy("a.txt", size=size)
    editor.wait(lambda e: 25 in e.modes)
    editor.keys(":vsplit<CR>:split<CR>ix<Esc>:agent Tutor<CR>")
    editor.keys("<Esc>:wall<CR>")
    editor.wait(lambda e: file.read_text().startswith("xone"))
    editor.resize(80, 24)
    editor.wait("prompt f")
    if "Tutor  i" not in editor.text:  # only one half was drawn: the other one takes its place
        editor.keys("<Tab>")
    editor.wait("Tutor  i")
    editor.resize(*size)
    editor.keys("<Esc>:qa!<CR>")
    assert editor.exit_status() == 0


def test_the_pane_is_usable_at_20_by_5(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    editor = tpy("a.txt", size=(20, 5))
    editor.wait("1,1")
    editor.keys(":agent Tutor<CR>")
    editor.wait("INSERT")
    editor.keys("help")
    editor.wait("help")
    editor.keys("<CR>")
    editor.keys("<Esc>")
    editor.keys("<Tab>")
    editor.wait(lambda e: "Tutor" in e.text)
    editor.keys(":qa!<CR>")
    assert editor.exit_status() == 0


def test_a_storm_of_sizes_ends_in_the_last_one(tpy: Start) -> None:
    tpy.file("a.txt", "".join(f"line {n}\n" for n in range(1, 200)))
    editor = ready(tpy("a.txt"))
    sizes = random.Random(7)
    for turn in range(60):
        editor.resize(sizes.randint(1, 200), sizes.randint(1, 60))
        editor.keys("jk"[turn % 2])
    editor.resize(50, 12)
    editor.keys("gg")
    editor.wait(lambda e: e.rows()[:10] == [f"line {n}" for n in range(1, 11)] and "1,1" in e.row(10))
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb", "COLORTERM": None}])
def test_without_colours(tpy: Start, env: dict[str, str | None]) -> None:
    tpy.file("a.py", "def f():\n    return 'text'\n")
    editor = ready(tpy("a.py", env=env))
    editor.keys("A # more<Esc>")
    editor.wait("# more")
    colours = {(cell.fg, cell.bg) for row in editor.screen.buffer.values() for cell in row.values()}
    assert colours <= {("default", "default")}
    coloured = [code for code in re.findall(rb"\x1b\[([0-9;]*)m", editor.raw) if COLOUR.search(b";" + code + b";")]
    assert coloured == []


def test_colours_where_the_terminal_has_them(tpy: Start) -> None:
    tpy.file("a.py", "def f():\n    return 'text'\n")
    editor = ready(tpy("a.py"))
    editor.wait(lambda e: e.cell(0, 0).fg != e.cell(0, 4).fg)


def under_a_shell(tpy: Start, name: str) -> Editor:
    """Start the editor from an interactive shell, so that it can be suspended."""
    editor = tpy(program=["/bin/sh", "-i"], size=(80, 16), env={"PS1": "shell> ", "ENV": None})
    editor.wait("shell> ")
    editor.send(f"{sys.prefix}/bin/tpy {name}\r".encode())
    return editor


@pytest.mark.parametrize("keys", ["", "iabc", "v", ":agent Tutor<CR>"], ids=["normal", "insert", "visual", "agent"])
def test_c10_suspend_and_continue_under_a_shell(tpy: Start, keys: str) -> None:
    tpy.file("a.txt", "one\n")
    editor = under_a_shell(tpy, "a.txt")
    ready(editor)
    editor.keys(keys)
    if keys.startswith(":agent"):
        editor.wait("idle")
    if keys:
        editor.keys("<Esc>")
        editor.wait(lambda e: "INSERT" not in e.text and "VISUAL" not in e.text)
    editor.keys("<C-z>")
    editor.wait(lambda e: e.row(e.screen.cursor.y).startswith("shell>") and not e.modes & OFF)
    if keys == "iabc":  # who suspends it may lose the shell: the journal is up to date
        assert any(b"abcone" in path.read_bytes() for path in tpy.journals())
    editor.send(b"echo normal'ly'\r")
    editor.wait("normally")
    editor.resize(70, 14)
    editor.send(b"fg\r")
    editor.wait(lambda e: 1049 in e.modes and "one" in e.row(0))
    ready(editor)
    assert len(editor.row(12)) > 30
    editor.keys("<Esc>:1<CR>:qa!<CR>")
    editor.wait(lambda e: e.row(e.screen.cursor.y).startswith("shell>") and 1049 not in e.modes)


def test_c10_stopped_and_continued_from_outside(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.kill(signal.SIGSTOP)
    assert editor.stopped()
    editor.screen.reset()
    editor.kill(signal.SIGCONT)
    ready(editor)
    assert editor.row(0) == "one"
