"""Emoji of several characters: files show them as Vim does, joiners as `<200d>`, and no column is ever off."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.width import column_of
from tpy.modal.view.layout import ROW
from tpy.modal.view.window import Window

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.mark.parametrize(
    ("line", "row"),
    [
        (FAMILY, "\U0001f468<200d>\U0001f469<200d>\U0001f467"),
        ("a\u200db", "a<200d>b"),
        ("\U0001f1e9\U0001f1ea x", "\U0001f1e9\U0001f1ea x"),
        ("\U0001f44d\U0001f3fd x", "\U0001f44d\U0001f3fd x"),
        ("e\u0301\u0302 x", "e\u0301\u0302 x"),
        ("\u0e01\u0e33 x", "\u0e01\u0e33 x"),
    ],
)
def test_a_file_shows_clusters_as_vim_does(shown: Callable[..., Any], line: str, row: str) -> None:
    screen = shown(line, size=(60, 4))
    assert screen.rows[0] == row
    screen.keys("$")
    assert screen.frame.cursor is not None


@pytest.mark.parametrize("line", [FAMILY * 20, "\U0001f44d\U0001f3fd" * 30, "a" + "\u0301" * 200, "\u200d" * 50])
@pytest.mark.parametrize("width", [20, 21, 40, 41])
def test_what_stands_beside_them_keeps_its_column(shown: Callable[..., Any], line: str, width: int) -> None:
    screen = shown(line, size=(2 * width + 1, 8))
    beside = Window(Buffer(["beside"] * 20))
    screen.editor.layout.split(screen.editor.window, beside, ROW, after=True)
    for row in screen.draw().rows[:6]:
        left = row.text.rpartition("|beside")[0]
        assert column_of(left, len(left), 8) == width
        places = [int(column) for column in re.findall(r"\x1b\[(\d+)G", row.ansi)]
        assert places == sorted(places)
        assert all(column <= 2 * width + 1 for column in places)
