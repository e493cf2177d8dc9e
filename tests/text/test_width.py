"""Display columns: cells, columns, indexes, and that long lines are not walked through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.text.width import block_cut, char_cells, col_at, column_of, glyph, next_col, prev_col

TEXT = st.text("ab\t\x01\x7fé中e\u0301\u0308😀\udce9\u200b", max_size=20)


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("a", "a"),
        ("é", "é"),
        ("中", "中"),
        ("\x1b", "^["),
        ("\0", "^@"),
        ("\x7f", "^?"),
        ("\x9b", "<9b>"),
        ("\u200b", "<200b>"),
        ("\u202e", "<202e>"),
        ("\ufeff", "<feff>"),
        ("\udce9", "<e9>"),
        ("\ud800", "<d800>"),
        ("\ue0b0", "\ue0b0"),
    ],
)
def test_what_is_shown_takes_its_cells(char: str, shown: str) -> None:
    assert glyph(char) == shown
    assert char_cells(char, 0, 8) == (2 if char == "中" else len(shown))


@pytest.mark.parametrize("code", [*range(32), 0x7F, *range(0x80, 0xA0), 0x200E, 0x2028, 0x2066, 0xE0001, 0xD800])
def test_nothing_shown_can_drive_the_terminal(code: int) -> None:
    if code != 9:
        assert all(char.isprintable() for char in glyph(chr(code)))


def test_tabs_reach_to_the_next_stop() -> None:
    assert [column_of("a\tb\tc", col, 8) for col in range(6)] == [0, 1, 8, 9, 16, 17]
    assert [col_at("a\tb", column, 4) for column in range(6)] == [0, 1, 1, 1, 2, 3]
    assert char_cells("\t", 3, 0) == 2


@given(TEXT, st.integers(1, 9))
def test_an_index_and_its_column_belong_together(text: str, tabstop: int) -> None:
    for col, char in enumerate(text):
        column = column_of(text, col, tabstop)
        cells = char_cells(char, column, tabstop)
        assert column_of(text, col + 1, tabstop) == column + cells
        for inside in range(column, column + cells):
            assert col_at(text, inside, tabstop) == col
    assert col_at(text, column_of(text, len(text), tabstop), tabstop) == len(text)


@given(TEXT)
def test_stepping_goes_over_combining_characters_and_back(text: str) -> None:
    col = 0
    while col < len(text):
        after = next_col(text, col)
        assert after > col
        if after < len(text):
            assert text[after] not in "\u0301\u0308"
        assert next_col(text, prev_col(text, after)) == after
        col = after


@given(TEXT, st.integers(0, 30), st.integers(0, 12))
def test_a_block_cut_keeps_every_cell(text: str, left: int, size: int) -> None:
    cut = block_cut(text, left, left + size, 8)
    whole = "".join(cut)
    if "\t" not in text:
        assert column_of(whole, len(whole), 8) == column_of(text, len(text), 8)
    assert column_of(cut.middle, len(cut.middle), 8) <= size + 8


@pytest.mark.perf
def test_only_the_asked_part_of_a_long_line_is_looked_at() -> None:
    class Counting(str):
        """A line that counts what is cut out of it."""

        seen = 0

        def __getitem__(self, key: object) -> str:  # type: ignore[override]
            part = str.__getitem__(self, key)  # type: ignore[index]
            Counting.seen += len(part)
            return part

    line = Counting("é\t" * 500_000)
    assert col_at(line, 79, 8) > 0
    assert Counting.seen < 10_000
