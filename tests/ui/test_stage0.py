"""The first frame: the text where the real one has it, blank where that can't be known, whatever the file is."""

import os
from pathlib import Path

import pytest

from tpy.modal import stage0
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ui.render import Renderer

PLAIN = [
    "one\ntwo\n",
    "no end",
    "",
    "\n",
    "\n\n\n",
    "\tindented\tby\ttabs\n",
    "long " * 40 + "\nnext\n",
    "x" * 40 + "\n" + "y" * 39 + "\n" + "z" * 41 + "\n",
    "dos\r\nlines\r\n",
    "école\nœuvre\n",
    "\n".join(f"line {number}" for number in range(100)),
]


@pytest.mark.parametrize("text", PLAIN)
@pytest.mark.parametrize("size", [(40, 10), (80, 24), (20, 5), (7, 4), (1, 3)])
def test_looks_as_the_frame_of_the_renderer(tmp_path: Path, engine: Engine, text: str, size: tuple[int, int]) -> None:
    path = tmp_path / "file"
    path.write_bytes(text.encode())
    columns, rows = size
    painted = stage0.screen_rows(stage0.beginning(str(path)), columns, rows - 2, rows)
    engine.editor.buffer.lines[:] = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    frame = Renderer(engine).frame(columns, rows)
    for first, real in zip(painted[: rows - 2], frame.rows, strict=False):
        assert first in ("", real.text)
    assert painted[0] == frame.rows[0].text or len(text) > columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (b"good\nbad \x1b[31m\nmore\n", ["good", "", ""]),
        ("good\n日本\nmore\n".encode(), ["good", "", ""]),
        ("e\u0301\n".encode(), ["", "", ""]),
        (b"a\x00b\n", ["", "", ""]),
        (b"caf\xe9\n", ["", "", ""]),
        (b"\xef\xbb\xbfbom\n", ["", "", ""]),
        (b"mixed\r\nends\n", ["", "", ""]),
        (b"one\n", ["one", "~", "~"]),
    ],
)
def test_stops_where_it_can_not_know(tmp_path: Path, text: bytes, shown: list[str]) -> None:
    path = tmp_path / "file"
    path.write_bytes(text)
    assert stage0.screen_rows(stage0.beginning(str(path)), 20, 3, 3) == shown


def test_huge_files_are_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    path.write_bytes(b"line\n" * 100_000)
    lines = stage0.beginning(str(path))
    assert lines is not None
    assert len(lines) < 14_000
    assert stage0.screen_rows(lines, 20, 3, 3) == ["line"] * 3
    path.write_bytes(b"x" * 1_000_000)
    assert stage0.beginning(str(path)) is None


def test_nothing_is_decided_about_what_is_no_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (tmp_path, tmp_path / "pipe", "bad\0name"):
        assert stage0.beginning(str(name)) is None
    assert stage0.beginning(str(tmp_path / "new")) == [""]
    assert stage0.beginning("") == [""]


@pytest.mark.parametrize(
    ("arguments", "only_files"),
    [
        ([], True),
        (["a", "b"], True),
        (["-"], False),
        (["+3", "a"], False),
        (["a", "-R"], False),
        (["agents", "list"], False),
        (["completion", "zsh"], False),
        (["./agents"], True),
        ([""], False),
    ],
)
def test_calls_with_options_go_elsewhere(arguments: list[str], only_files: bool) -> None:
    assert stage0._only_files(arguments) == only_files
