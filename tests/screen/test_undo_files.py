"""Undo that outlives the editor (`:help undo-persistence`), in the real program."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

from starting import Start, ready


def undo_files(tpy: Start) -> list[Path]:
    """Return the undo files there are."""
    return sorted((tpy.home / ".local/state/turbo-python/undo").glob("*"))


def leave(editor: Any, keys: str) -> None:
    """Type keys that end the editor."""
    editor.keys(keys)
    assert editor.exit_status() == 0


def test_what_was_typed_in_another_session_is_undone(tpy: Start) -> None:
    path = tpy.file("a.txt", "one\n")
    leave(ready(tpy("a.txt")), "xoTWO<Esc>:w<CR>dd:w<CR>:q<CR>")
    assert path.read_text() == "ne\n"
    kept = undo_files(tpy)
    assert len(kept) == 1
    assert stat.S_IMODE(kept[0].stat().st_mode) == 0o600
    assert stat.S_IMODE(kept[0].parent.stat().st_mode) == 0o700
    editor = ready(tpy("a.txt"))
    editor.keys("uu")
    editor.wait("ne")
    leave(editor, "u:w<CR>:q<CR>")
    assert path.read_text() == "one\n"
    editor = ready(tpy("a.txt"))
    leave(editor, "<C-r><C-r><C-r>:w<CR>:q<CR>")
    assert path.read_text() == "ne\n"


def test_a_text_that_others_changed_has_no_undo_and_no_message(tpy: Start) -> None:
    path = tpy.file("a.txt", "one\n")
    leave(ready(tpy("a.txt")), "x:wq<CR>")
    path.write_text("other\n")
    editor = ready(tpy("a.txt"))
    editor.keys("u")
    editor.wait("Already at oldest change")
    assert "E8" not in editor.text
    leave(editor, ":q<CR>")


def test_a_torn_undo_file_is_ignored(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    leave(ready(tpy("a.txt")), "x:wq<CR>")
    (kept,) = undo_files(tpy)
    kept.write_bytes(kept.read_bytes()[:-5])
    editor = ready(tpy("a.txt"))
    editor.keys("u")
    editor.wait("Already at oldest change")
    leave(editor, ":q<CR>")


def test_clean_and_noundofile_keep_nothing(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    leave(ready(tpy("--clean", "a.txt")), "x:wq<CR>")
    leave(ready(tpy("-c", "set noundofile", "a.txt")), "x:wq<CR>")
    assert undo_files(tpy) == []


def test_by_hand(tpy: Start) -> None:
    path = tpy.file("a.txt", "one\n")
    tpy.file("other", "not an undo file")
    editor = ready(tpy("--clean", "a.txt"))
    editor.keys("x:w<CR>:wundo other<CR>")
    editor.wait("Will not overwrite, this is not an undo file: other")
    leave(editor, ":wundo mine<CR>:q<CR>")
    editor = ready(tpy("--clean", "a.txt"))
    editor.keys(":rundo other<CR>")
    editor.wait("E823: Not an undo file: other")
    editor.keys(":rundo none<CR>")
    editor.wait("E822: Cannot open undo file for reading: none")
    editor.keys(":rundo mine<CR>")
    editor.wait("Finished reading undo file mine")
    leave(editor, "u:wq<CR>")
    assert path.read_text() == "one\n"
