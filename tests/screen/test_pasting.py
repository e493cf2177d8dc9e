"""Bracketed paste in every mode: exact text, and nothing of it is ever run (CASES B-29, C-04)."""

from __future__ import annotations

import pytest
from harness import Editor
from starting import Start, ready


@pytest.fixture
def editor(tpy: Start) -> Editor:
    tpy.file("f", "")
    return ready(tpy("f"))


def written(tpy: Start, editor: Editor) -> str:
    editor.keys("<Esc>")
    editor.keys(":w<CR>")
    editor.wait("written")
    return (tpy.work / "f").read_text()


def test_b29_a_thousand_lines_in_normal_mode(tpy: Start, editor: Editor) -> None:
    text = "".join(f"row {n:04} of the paste\n" for n in range(1000))
    editor.paste(text)
    editor.wait("row 0999 of the paste")
    assert "INSERT" not in editor.text
    assert written(tpy, editor) == text or written(tpy, editor) == text + "\n"
    editor.keys("u")
    editor.wait(lambda e: e.row(0) == "" and e.row(1) == "~")


@pytest.mark.parametrize("text", ["a\n\tb\n\t\tc\n", "x\x1b:q!\n", "é日😀", "  two\n  spaces", "("])
def test_b29_insert_mode_adds_nothing(tpy: Start, editor: Editor, text: str) -> None:
    editor.keys(":set autoindent smartindent textwidth=10 expandtab<CR>i")
    editor.wait("INSERT")
    editor.paste(text)
    editor.keys("end")
    editor.wait("end")
    assert written(tpy, editor) == text + "end\n"


@pytest.mark.parametrize("keys", [":", "/"])
def test_b29_a_command_line_waits_for_enter(tpy: Start, editor: Editor, keys: str) -> None:
    editor.keys("ione<Esc>" + keys)
    editor.wait(lambda e: e.row(-1) == keys)
    editor.paste("d\nq!\n")
    editor.wait(lambda e: "q!" in e.row(-1))
    assert editor.row(0) == "one"
    editor.keys("<Esc>")
    editor.wait(lambda e: e.cursor[0] == 0)
    assert written(tpy, editor) == "one\n"


def test_b29_a_question_is_not_answered_by_a_paste(tpy: Start, editor: Editor) -> None:
    editor.keys("ione one<Esc>:s/one/two/gc<CR>")
    editor.wait("replace with two")
    editor.paste("y")
    editor.keys("n")
    editor.keys("n")
    editor.wait(lambda e: "replace with" not in e.text)
    assert written(tpy, editor) == "one one\n"


def test_visual_and_pending_commands_survive(tpy: Start, editor: Editor) -> None:
    editor.keys("ione two<Esc>0ve")
    editor.wait("VISUAL")
    editor.paste("X")
    editor.wait(lambda e: "VISUAL" not in e.text)
    assert written(tpy, editor) in ("X two\n", "onXe two\n", "Xone two\n", "oneX two\n")


def test_c04_markers_never_show(tpy: Start, editor: Editor) -> None:
    assert 2004 in editor.modes
    editor.keys("i")
    editor.wait("INSERT")
    for piece in (b"\x1b[200~hel", b"lo\nwor", b"ld\x1b[20", b"1~", b"\x1b[200~\x1b[201~"):
        editor.send(piece)
    editor.wait("world")
    assert written(tpy, editor) == "hello\nworld\n"
    editor.keys(":q<CR>")
    editor.exit_status()
    assert 2004 not in editor.modes


def test_c04_a_paste_without_an_end_does_not_lock_the_keyboard(editor: Editor) -> None:
    editor.keys("i")
    editor.wait("INSERT")
    editor.send(b"\x1b[200~never ending")
    editor.wait("never ending")  # given out when nothing more comes
    editor.keys("<Esc>")
    editor.wait(lambda e: "INSERT" not in e.text)
    editor.keys(":q!<CR>")
    assert editor.exit_status() == 0


def test_b29_the_prompt_of_an_agent_keeps_the_lines(tpy: Start) -> None:
    tpy.file("f", "")
    tpy.agent("Echo", ["hello"], ["on", "session/prompt"], ["say", "thanks"], ["end", "end_turn"], ["eof"])
    editor = ready(tpy("f"))
    editor.keys(":agent Echo<CR>")
    editor.wait("idle")
    editor.paste("first\nsecond")
    editor.wait("second")
    assert "thanks" not in editor.text
    editor.keys("<CR>")
    editor.wait("thanks")
    first = editor.find("first")
    assert first is not None
    assert editor.row(first[0] + 1) == "second"


def test_text_typed_faster_than_anybody_can(tpy: Start, editor: Editor) -> None:
    text = "".join(f"  row {n:04}: what a paste without brackets brings\n" for n in range(2000))
    editor.keys(":set noautoindent<CR>i")
    editor.wait("INSERT")
    editor.send(text.replace("\n", "\r").encode())
    editor.wait("row 1999", timeout=20)
    assert written(tpy, editor) == text + "\n"


def test_an_interrupt_ends_a_burst(tpy: Start, editor: Editor) -> None:
    editor.keys(":set textwidth=70<CR>i")
    editor.wait("INSERT")
    editor.send(b"words that go on and on " * 20000 + b"\x03")
    editor.wait("Interrupted", timeout=20)
    editor.keys("<Esc>:1<CR>")
    editor.wait(lambda e: e.row(0).startswith("words that go on") and "Interrupted" not in e.text)
    editor.keys("u")
    editor.wait(lambda e: e.row(0) == "" and e.row(1) == "~")
