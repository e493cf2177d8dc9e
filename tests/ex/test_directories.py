"""Directories of windows and tab pages (`:help current-directory`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def here(session: Callable[[], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """A session in a directory with two others in it."""
    (tmp_path / "a" / "deep").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    monkeypatch.chdir(tmp_path)
    return session()


def where(root: Path) -> str:
    return os.path.relpath(os.getcwd(), root)


def test_a_window_keeps_its_own_directory(here: Any, tmp_path: Path) -> None:
    here.ex("split")
    here.ex("lcd a")
    assert where(tmp_path) == "a"
    here.type("<C-w>j")
    assert where(tmp_path) == "."
    here.type("<C-w>k")
    assert where(tmp_path) == "a"
    here.ex("split")
    assert where(tmp_path) == "a"
    here.ex("lcd deep")
    here.ex("lcd -")
    assert where(tmp_path) == "a"
    here.ex("close")
    here.ex("close")
    assert where(tmp_path) == "."


def test_a_tab_page_keeps_its_own_directory(here: Any, tmp_path: Path) -> None:
    here.ex("tabnew")
    here.ex("tcd a")
    here.ex("split")
    here.ex("lcd ../b")
    assert where(tmp_path) == "b"
    here.type("<C-w>j")
    assert where(tmp_path) == "a"
    here.type("gt")
    assert where(tmp_path) == "."
    here.type("gt")
    assert where(tmp_path) == "a"
    here.ex("tchdir ..")
    assert where(tmp_path) == "."
    here.ex("tabclose")
    assert where(tmp_path) == "."


def test_cd_takes_the_place_of_the_others(here: Any, tmp_path: Path) -> None:
    here.ex("split")
    here.ex("lcd a")
    here.ex("cd ../b")
    here.type("<C-w>j")
    assert where(tmp_path) == "b"
    here.type("<C-w>k")
    assert where(tmp_path) == "b"


def test_names_of_buffers_follow(here: Any, tmp_path: Path) -> None:
    here.write("a/f", "text\n")
    here.ex("e a/f")
    here.ex("split")
    here.ex("lcd a")
    assert here.editor.buffer.name == "f"
    here.type("x:w<CR><C-w>j")
    assert here.editor.buffer.name == "a/f"
    assert (tmp_path / "a" / "f").read_bytes() == b"ext\n"


def test_what_is_not_there_is_told(here: Any, tmp_path: Path) -> None:
    assert here.ex("lcd none").startswith('E344: Can\'t find directory "none" in cdpath')
    assert here.ex("tcd -") == "E186: No previous directory"
    assert where(tmp_path) == "."
