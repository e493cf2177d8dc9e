"""A bad agents file, seen from the editor: told on `:agent` and `:agentstatus`, the other file's agents stay."""

from __future__ import annotations

import pytest
from starting import Start, ready

BAD = [
    ("[[agent]]\nname = 'Bob'\n", 'agent "Bob" has no command'),
    ("[[agent]]\ncommand = 'x'\n", "agent 1 has no name"),
    ("[[agent]]\nname = 'Bob'\ncomand = 'x'\n", "agent.comand is not a key this file has"),
    ("[[agent]\n", "acp.toml"),
    ("\x00", "acp.toml"),
]


@pytest.mark.parametrize(("text", "told"), BAD)
def test_a_bad_file_is_told_and_hides_no_other(tpy: Start, text: str, told: str) -> None:
    tpy.agents_file(text, project=True)
    tpy.agent("Good", ["hello"], ["eof"])
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", size=(150, 40)))
    editor.keys(":agentstatus<CR>")
    editor.wait(told)
    editor.wait("Good")
    editor.keys("<CR>:agent Good<CR>")
    editor.wait("Good  idle")
    editor.keys("<Esc>:messages<CR>")
    editor.wait(told)
    editor.keys("<CR><Esc>:qa!<CR>")
    assert editor.exit_status() == 0


def test_a_project_agent_asks_before_its_first_start(tpy: Start) -> None:
    import json
    import sys

    from starting import FAKE

    args = [str(FAKE), '[["hello"], ["eof"]]']
    tpy.agents_file(
        f"[[agent]]\nname = 'Ours'\ncommand = '{sys.executable}'\nargs = {json.dumps(args)}\n", project=True
    )
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt", size=(150, 40)))
    editor.keys(":agent Ours<CR>")
    editor.wait("fake_agent.py")
    assert editor.children() == []
    editor.keys("n")
    editor.keys(":agent Ours<CR>")
    editor.wait("fake_agent.py")
    editor.keys("y")
    editor.wait("Ours  idle")
    editor.keys("<Esc>:qa!<CR>")
    assert editor.exit_status() == 0
    editor = ready(tpy("a.txt", size=(150, 40)))
    editor.keys(":agent Ours<CR>")
    editor.wait("Ours  idle")


def test_an_agents_file_that_cannot_be_read(tpy: Start) -> None:
    path = tpy.agents_file("", project=True)
    path.unlink()
    path.mkdir()
    editor = ready(tpy(size=(150, 40)))
    editor.keys(":agent Tutor<CR>")
    editor.wait("Tutor  idle")
    editor.keys("<Esc>:agentstatus<CR>")
    editor.wait("acp.toml")
