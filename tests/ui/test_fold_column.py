"""The column of folds beside what Vim 9.0 shows for the same folds (`:help 'foldcolumn'`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

# Opened after each, so that the next is not made around a closed one.
FOLDS = ("17,19", "13,14", "11,12", "4,5", "4,6", "3,9", "2,15")
# The rows of Vim in a window of 40 columns, by the width of the column; with 2 lines have numbers.
ROWS = {
    1: [
        " 1",
        "-2",
        "-3",
        "-4",
        "45",
        "36",
        "27",
        "28",
        "29",
        "|10",
        "++---  2 lines: 11----------------------",
        "-a long line 000000000000000000000000000",
        "-000000000000000000000000000000000000000",
        "-0000000000000000000000000000000001",
        "214",
        "|15",
        " 16",
        "++--  3 lines: 17-----------------------",
        " 20",
    ],
    2: [
        "    1 1",
        "-   2 2",
        "-   3 3",
        "-   4 4",
        "4   5 5",
        "3   6 6",
        "2   7 7",
        "2   8 8",
        "2   9 9",
        "|  10 10",
        "|+ 11 +---  2 lines: 11-----------------",
        "-  13 a long line 0000000000000000000000",
        "-     0000000000000000000000000000000000",
        "-     0000000000000000000000000000000000",
        "-     0000000001",
        "2  14 14",
        "|  15 15",
        "   16 16",
        "+  17 +--  3 lines: 17------------------",
        "   20 20",
    ],
    5: [
        "     1",
        "-    2",
        "|-   3",
        "||-- 4",
        "|||| 5",
        "|||  6",
        "||   7",
        "||   8",
        "||   9",
        "|    10",
        "|+   +---  2 lines: 11------------------",
        "|-   a long line 00000000000000000000000",
        "|-   00000000000000000000000000000000000",
        "|-   00000000000000000000000000000000000",
        "|-   0000001",
        "||   14",
        "|    15",
        "     16",
        "+    +--  3 lines: 17-------------------",
        "     20",
    ],
}  # fmt: skip


@pytest.mark.parametrize("width", ROWS)
def test_folds_are_shown_in_their_column(shown: Callable[..., Any], width: int) -> None:
    lines = [str(number) for number in range(1, 21)]
    lines[12] = "a long line " + "1".rjust(100, "0")
    screen = shown(*lines, size=(40, 24))
    screen.set(foldlevel=9)
    for fold in FOLDS:
        screen.engine.run_ex(f"{fold}fold")
        screen.engine.run_ex("normal zR")
    screen.engine.run_ex("17foldclose|11foldclose")
    screen.set(foldcolumn=width, number=width == 2)
    assert screen.rows[: len(ROWS[width])] == ROWS[width]


def test_the_column_is_empty_without_folds_and_gives_way_to_the_text(shown: Callable[..., Any]) -> None:
    screen = shown("one", "two", size=(20, 6))
    screen.set(foldcolumn=3)
    assert screen.rows[:2] == ["   one", "   two"]
    assert screen.frame.cursor == (0, 3)
    screen.keys("jzfk")
    assert screen.rows[0].startswith("+  +--")
    screen.set(foldenable=False)
    assert screen.rows[:2] == ["   one", "   two"]
    screen.set(foldcolumn=30)
    assert screen.rows[:2] == ["one", "two"]
