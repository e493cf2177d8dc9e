"""`:wundo` and `:rundo`, and what an editor keeps by itself (`:help undo-persistence`)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.ex import undofiles


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


def test_a_tree_is_written_and_read_by_hand(typist: Callable[..., Any]) -> None:
    typist("¦one two").type("dwx:wundo undo.file<CR>")
    typed = typist("¦wo").type(":rundo undo.file<CR>u")
    assert typed.lines == ["two"]
    assert typed.type("u").lines == ["one two"]
    assert typed.type("<C-r><C-r>").lines == ["wo"]


def test_another_text_takes_no_tree(typist: Callable[..., Any]) -> None:
    typist("¦one two").type("dw:wundo undo.file<CR>")
    typed = typist("¦other").type(":rundo undo.file<CR>")
    assert typed.editor.message.text == "File contents changed, cannot use undo info"
    assert typed.type("u").lines == ["other"]


def test_what_is_no_undo_file_is_neither_read_nor_written_over(typist: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "mine"
    path.write_text("my text")
    typed = typist("¦one").type("x:wundo mine<CR>")
    assert typed.editor.message.text == "Will not overwrite, this is not an undo file: mine"
    assert path.read_text() == "my text"
    assert typed.type(":rundo mine<CR>").editor.message.text == "E823: Not an undo file: mine"
    assert typed.type(":rundo none<CR>").editor.message.text == "E822: Cannot open undo file for reading: none"
    assert typed.type(":wundo! mine<CR>:rundo mine<CR>u").lines == ["one"]


def test_an_editor_that_keeps_them_reads_them_with_the_file(typist: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a").write_text("one\n")
    for keys, lines in (("x:w<CR>", ["ne"]), ("x:w<CR>", ["e"]), ("uu:w<CR>", ["one"]), ("<C-r>", ["ne"])):
        typed = typist("", {"undofile": True})
        undofiles.keep(typed.editor)
        assert typed.type(f":e a<CR>{keys}").lines == lines
        assert typed.editor.message.error is False


def test_only_the_newest_are_kept(typist: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undofiles, "MOST_FILES", 3)
    for name in "abcdef":
        typed = typist("", {"undofile": True})
        undofiles.keep(typed.editor)
        typed.type(f":e {name}<CR>ix<Esc>:w<CR>")
    assert len(list((tmp_path / "state" / "turbo-python" / "undo").iterdir())) == 3


def test_a_state_directory_that_cannot_be_is_told_once(typist: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    typed = typist("", {"undofile": True})
    undofiles.keep(typed.editor)
    typed.type(":e a<CR>ix<Esc>:w<CR>")
    assert [m.text for m in typed.editor.messages if m.error] == [
        "E828: Cannot open undo file for writing: Not a directory"
    ] or [m.text for m in typed.editor.messages if m.error] == ["E828: Cannot open undo file for writing: File exists"]
    assert (tmp_path / "a").read_text() == "x\n"
