"""Where lines lie: rows of wrapped lines, long lines by table, clicks and cursors as inverse of each other."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.options import Options
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.width import char_cells, column_of, glyph
from tpy.modal.view import longline
from tpy.modal.view.display import Geometry, plain, wrapped
from tpy.modal.view.longline import LongLine
from tpy.modal.view.window import Window

LINES = st.text(st.sampled_from("ab \t日\u0301é\x01,"), max_size=60)
OPTIONS = Options().values


def geometry(lines: list[str], width: int = 20, height: int = 10, **options: Any) -> Geometry:
    window = Window(Buffer(lines), height=height, width=width)
    return Geometry(window, lambda name: options.get(name, OPTIONS[name]))


@given(LINES, st.integers(2, 30), st.sampled_from([0, 4, 8]), st.booleans())
def test_rows_hold_every_character_once_and_none_is_too_wide(text: str, width: int, tabstop: int, lbr: bool) -> None:
    rows = wrapped(text, width, tabstop, lbr)
    assert rows[0] == (0, 0, 0)
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        assert row.column == column_of(text, row.at, tabstop)
        end = following.at if following else len(text)
        used = sum(
            char_cells(c, column_of(text, row.at + n, tabstop), tabstop) for n, c in enumerate(text[row.at : end])
        )
        if following and following.shown:
            used += following.shown
        assert used - row.shown <= max(width, 4)
        assert following is None or following.at > row.at or following.shown


# Rows of 20 cells, as Vim 9.0 breaks a line with 'linebreak'.
BROKEN = (
    ("aaaa bbbb cccc dddd ", "eeee"),
    ("aaaa bbbb cccc ", "ddddd eeee"),
    ("what is said is one ", "sentence."),
    ("what is said is, ", "right, so it is"),
    ("a" * 20, "a" * 10 + " b"),
    ("bacd ea語,fegbbbd,.", "da,ff, c, ,cgc.ced,", "d-dc-. d.g ,bgabba ", "ed--geg, e c-bcd  "),
    (".c   ee.g,dec  e, ", "dg b a,ga a g 語,b ", "b-cb  g語ged  cfg  ", "fbdg,aec-語aadcda.e"),
    ("-fd, b -,b ,e-d- ", "gag.g ,c d. .d d ,,", "cd-.語f"),
    ("b e語 ,fee,.-,-,d.", "e語ddd .d.a.aaeega,", "abd eb語b.c d.f  ", "fdff -cb語b "),
    ("ce語 c.-,e  ac,", "語cadccbfe,- b - ", "b-,  ea語dgd."),
    ("b e .-bfb.cb.g. -", "語b. ag-- de,b ", "語a語-d,ce.g -", "ef語g .bed"),
    ("bgfe語 .aeg,d adc ,", "cadegg  -c - ef- .", "gcde - gcg fdbeff,", "dcaa"),
)


@pytest.mark.parametrize("rows", BROKEN)
def test_linebreak_ends_rows_where_vim_does(rows: tuple[str, ...]) -> None:
    text = "".join(rows)
    starts = [*(row.at for row in wrapped(text, 20, 8, True)), len(text)]
    assert tuple(text[a:b] for a, b in pairwise(starts)) == rows


@given(LINES, st.integers(4, 30), st.integers(0, 60))
def test_a_click_on_the_cursor_is_the_cursor(text: str, width: int, col: int) -> None:
    shown = geometry([text, "next"], width, height=200)
    col = min(col, max(len(text) - 1, 0))
    while col and char_cells(text[col : col + 1] or "x", 0, 8) == 0:
        col -= 1
    row, column = shown.place(Pos(0, col))
    if text and char_cells(text[col], 0, 8):
        assert shown.position(row, column) == (0, col)


@given(st.text(st.sampled_from("ab\t日é"), min_size=1, max_size=400), st.sampled_from([0, 8]))
def test_the_table_of_a_long_line_agrees_with_counting(text: str, tabstop: int) -> None:
    old, longline.STEP = longline.STEP, 7
    try:
        line = LongLine(text, tabstop)
        assert line.total == column_of(text, len(text), tabstop)
        for col in range(0, len(text), 3):
            column = column_of(text, col, tabstop)
            assert line.column(col) == column
            assert line.at(column) == col
        assert line.at(line.total) == len(text)
    finally:
        longline.STEP = old


def test_the_table_is_kept_for_the_same_text() -> None:
    text = "x" * 30_000
    assert longline.long_line(text, 8) is longline.long_line(text, 8)


class OneFold:
    """Lines 2 to 5 are a closed fold."""

    def closed(self, line: int) -> tuple[int, int] | None:
        return (2, 5) if 2 <= line <= 5 else None


def test_a_closed_fold_is_one_row() -> None:
    shown = geometry([f"line {number}" for number in range(20)], height=6)
    shown.window.extra["folds"] = OneFold()
    shown = Geometry(shown.window, lambda name: OPTIONS[name])
    assert [line for line, _ in shown.rows()] == [0, 1, 2, 6, 7, 8]
    assert (shown.after(2), shown.before(6), shown.first(4)) == (6, 2, 2)
    shown.window.cursor = Pos(4, 3)
    assert shown.row_of(4, 0) == 2


@pytest.mark.parametrize(
    ("cursor", "top", "expected"),
    [
        (0, 0, 0),
        (7, 0, 0),
        (8, 0, 1),
        (30, 0, 26),
        (99, 0, 90),
        (50, 52, 46),
        (40, 60, 36),
        (0, 60, 0),
        (99, 95, 95),
        (97, 95, 95),
    ],
)
def test_scrolling_moves_as_little_as_it_must_or_to_the_middle(cursor: int, top: int, expected: int) -> None:
    shown = geometry([f"line {number}" for number in range(100)])
    shown.window.top, shown.window.cursor = top, Pos(cursor, 0)
    shown.follow_cursor()
    assert shown.window.top == expected


@given(st.lists(LINES, min_size=1, max_size=40), st.data())
def test_the_cursor_is_always_in_the_window(lines: list[str], data: Any) -> None:
    draw: Callable[..., Any] = data.draw
    shown = geometry(lines, draw(st.integers(2, 20)), draw(st.integers(1, 12)), wrap=draw(st.booleans()))
    for _ in range(5):
        line = draw(st.integers(0, len(lines) - 1))
        col = draw(st.integers(0, len(lines[line])))
        while col and lines[line][col : col + 1] == "\u0301":  # the cursor is never on a mark alone
            col -= 1
        shown.window.cursor = Pos(line, col)
        shown.follow_cursor()
        inner, column = shown.place(shown.window.cursor)
        row = shown.row_of(line, inner)
        assert 0 <= row < shown.height
        assert shown.rows()[min(row, len(shown.rows()) - 1)][0] == line
        assert 0 <= column < shown.width


def test_what_is_plain_takes_one_cell_and_stands_for_itself() -> None:
    odd = [c for c in map(chr, range(0x110000)) if plain(c) and (char_cells(c, 0, 8) != 1 or glyph(c) != c)]
    assert odd == []
    assert all(map(plain, ("über", "добрый", "naïve “quotes” — 5 €", "")))
