"""AGENTS §6, row by row: what is copied, without furniture, to which registers, and what the message says."""

from __future__ import annotations

from pathlib import Path

import pytest
from agentworld import World
from harness import Editor


@pytest.fixture
def told(world: World) -> World:
    content = [{"type": "content", "content": {"type": "text", "text": "out 1\nout 2"}}]
    update = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Run it", "status": "completed"}
    tool = {**update, "content": content}
    said = "intro\nmore\n\n  ```py\n    x = 1\n      y\n  ```\nend"
    world.agent("Bob", [["say", said], ["upd", tool], ["say", "last"]])
    world.start()
    world.say("question")
    world.wait_for("last")
    world.idle()
    world.keys("<Esc><Tab>zRgg")
    return world


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("intro", "intro\nmore\n"),
        ("more", "intro\nmore\n"),
        ("x = 1", "x = 1\n  y\n"),
        ("```py", "x = 1\n  y\n"),
        ("end", "end\n"),
        ("out 2", "out 1\nout 2\n"),
        ("question", "question\n"),
        ("last", "last\n"),
        ("Run it", "Run it (completed)\n"),
        ("Bob", "Bob\n"),
    ],
)
def test_s6_region_under_the_cursor_without_what_heads_it(told: World, line: str, text: str) -> None:
    told.keys(f"/{line}<CR><C-c>")
    assert told.copied == [text]
    count = text.count("\n")
    assert told.sees("1 line copied" if count == 1 else f"{count} lines copied")


def test_s6_copied_text_is_in_the_unnamed_and_the_plus_register(told: World) -> None:
    told.keys("/x = 1<CR><C-c>")
    told.to_file()
    told.keys("p")
    assert told.editor.buffer.lines == ["", "x = 1", "  y"]
    told.keys('"+P')
    assert told.editor.buffer.lines == ["", "x = 1", "  y", "x = 1", "  y"]


def test_s6_selection_is_of_whole_lines_without_labels(told: World) -> None:
    told.keys("ggvG<C-c>")
    assert told.copied[0].startswith("question\nintro\nmore\n")
    assert told.copied[0].endswith("end\nout 1\nout 2\nlast\n")
    assert "Bob" not in told.copied[0]
    assert not told.sees("-- VISUAL --")


def test_s6_selection_inside_a_fence_touches_the_margin(told: World) -> None:
    told.keys("/x = 1<CR>lllvj<C-c>")
    assert told.copied == ["x = 1\n  y\n"]


def test_s6_mouse_selects_whole_lines(told: World) -> None:
    row, column = told.cell("intro")
    told.mouse("<LeftMouse>", row, column + 2)
    told.mouse("<LeftDrag>", row + 1, column + 1)
    told.mouse("<LeftRelease>", row + 1, column + 1)
    told.keys("<C-c>")
    assert told.copied == ["intro\nmore\n"]


def test_s6_ordinary_yank_does_what_vims_does(told: World) -> None:
    told.keys("/x = 1<CR>yy")
    assert told.copied == []
    told.to_file()
    told.keys("p")
    assert told.editor.buffer.lines == ["", "    x = 1"]


def test_s6_shift_insert_puts_the_unnamed_register(told: World) -> None:
    told.keys("/^last<CR><C-c>")
    told.to_file()
    told.keys("iab<Left><S-Insert>")
    assert told.editor.buffer.lines == ["alast", "b"]
    told.keys("<Esc>ggyiw:echo '<S-Insert>'<CR>")
    assert told.sees("alast")
    assert told.message == "alast"
    told.keys("G$<S-Insert>")
    assert told.editor.buffer.lines == ["alast", "balast"]


def test_s6_copy_reaches_the_terminals_clipboard(tmp_path: Path) -> None:
    with Editor(["a.txt"], size=(100, 30), cwd=tmp_path, timeout=30) as editor:
        editor.wait("a.txt")
        editor.keys(":agent Tutor<CR>")
        editor.wait("Tutor  idle")
        editor.keys("copy me<Esc><C-c>")
        editor.wait("1 line copied")
        assert b"\x1b]52;c;Y29weSBtZQo=\x07" in bytes(editor.raw)
        editor.keys(":qa!<CR>")
