"""The main job in a real terminal: a file beside an agent, its change in the open buffer, undone, saved, gone."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import left_after
from starting import Start

MARK = "The Tutor was here"


@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_the_main_job(tpy: Start, size: tuple[int, int]) -> None:
    """Unsaved edit, agent, prompt, allow, both edits there, `u`, `<C-r>`, `:w`, `:qa`; nothing is left running."""
    file: Path = tpy.work / "notes.txt"
    file.write_text("one\ntwo\n")
    editor = tpy("notes.txt", size=size)
    editor.wait("two")
    editor.keys("ccfirst<Esc>")
    editor.wait("first")
    editor.keys(":agent Tutor<CR>")
    editor.wait("idle")
    editor.keys("edit notes.txt<CR>")
    editor.wait("Tutor asks: ")
    assert file.read_text() == "one\ntwo\n"
    editor.keys("<Esc>")
    editor.wait(lambda t: "INSERT" not in t.text)
    editor.keys(":allow<CR>")
    editor.wait(lambda t: MARK in "\n".join(row[: size[0] // 2] for row in t.rows()[:4]))
    editor.wait("idle")
    editor.keys("<C-w>t")
    editor.keys("u")
    editor.wait(lambda t: MARK not in "\n".join(row[: size[0] // 2] for row in t.rows()[:4]))
    assert editor.find("first") is not None
    editor.keys("<C-r>")
    editor.wait(lambda t: MARK in "\n".join(row[: size[0] // 2] for row in t.rows()[:4]))
    editor.keys(":w<CR>")
    editor.wait("written")
    pids = [editor.pid, *editor.children()]
    assert len(pids) >= 2
    editor.keys(":qa<CR>")
    assert editor.exit_status() == 0
    text = file.read_text()
    assert text.startswith("first\ntwo\n")
    assert MARK in text
    assert text.endswith("\n")
    assert left_after(pids) == []
