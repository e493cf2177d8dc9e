"""Normal mode keys that are short for ex commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "one.txt").write_text("see two.txt:3 and (sub/three.txt).\nhttp://host/a?b=c here\nword\n")
    (tmp_path / "two.txt").write_text("1\n2\n3\n4\n")
    made = make_engine(vim=True)
    made.run_ex("edit one.txt")
    return made


def _type(engine: Engine, keys: str) -> None:
    for key in parse_keys(keys):
        engine.feed(key)


def test_zz_writes_what_was_changed_and_leaves(engine: Engine, tmp_path: Path) -> None:
    _type(engine, "ddZZ")
    assert engine.editor.quit_requested
    assert (tmp_path / "one.txt").read_text().startswith("http")


def test_zq_leaves_without_writing(engine: Engine, tmp_path: Path) -> None:
    _type(engine, "ddZQ")
    assert engine.editor.quit_requested
    assert (tmp_path / "one.txt").read_text().startswith("see")


def test_gf_edits_the_file_under_the_cursor_and_the_other_file_key_goes_back(engine: Engine) -> None:
    _type(engine, "wgf")
    assert engine.editor.buffer.name == "two.txt"
    number = engine.editor.buffer.number
    _type(engine, "<C-^>")
    assert engine.editor.buffer.name == "one.txt"
    _type(engine, f"{number}<C-^>")
    assert engine.editor.buffer.name == "two.txt"


def test_gF_goes_to_the_line_behind_the_name(engine: Engine) -> None:
    _type(engine, "wgF")
    assert engine.editor.buffer.name == "two.txt"
    assert engine.editor.window.cursor.line == 2


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("f(lgf", 'E447: Can\'t find file "sub/three.txt" in path'),
        ("<C-^>", "E23: No alternate file"),
        ("jgx", "http://host/a?b=c"),
        ("Ggx", "No address under the cursor"),
        ("g<C-g>", "Col 1 of 34; Line 1 of 3; Word 1 of 7; Byte 1 of 63"),
    ],
)
def test_what_is_told(engine: Engine, keys: str, message: str) -> None:
    _type(engine, keys)
    assert engine.editor.message is not None
    assert engine.editor.message.text == message


def test_file_info_names_the_file(engine: Engine) -> None:
    _type(engine, "<C-g>")
    assert engine.editor.message is not None
    assert "one.txt" in engine.editor.message.text


@pytest.mark.parametrize("keys", ["<F1>", "K"])
def test_help_opens(engine: Engine, keys: str) -> None:
    engine.editor.buffer.replace(0, 1, ["write"])
    _type(engine, keys)
    assert engine.editor.option("buftype") == "help"
