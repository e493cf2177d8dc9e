"""Frames as bytes: only what changed, and scrolled rows are moved by the terminal."""

from functools import lru_cache
from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.ui.rows import Strip, ink
from tpy.modal.ui.screen import Row, Screen
from tpy.modal.ui.theme import Style, Theme


@lru_cache
def row(text: str) -> Row:
    """The row of a text: one that has moved is the same object, as the renderer's are."""
    return Row.plain(text, len(text))


def rows(*texts: str) -> list[Row]:
    return [row(text) for text in texts]


def shown(screen: pyte.Screen) -> list[str]:
    return [line.rstrip() for line in screen.display]


class Pair:
    """Our screen and a terminal that shows its frames."""

    def __init__(self, columns: int, lines: int) -> None:
        self.ours = Screen()
        self.ours.resize(columns, lines)
        self.model = pyte.Screen(columns, lines)
        self.stream = pyte.Stream(self.model)

    def frame(self, texts: list[str]) -> str:
        data = self.ours.frame(rows(*texts), (0, 0))
        self.stream.feed(data)
        assert shown(self.model) == texts
        return data


def test_nothing_changed_draws_nothing() -> None:
    pair = Pair(20, 4)
    texts = ["a", "b", "c", "d"]
    pair.frame(texts)
    assert pair.frame(texts) == ""


def test_one_changed_row_is_the_only_one_drawn() -> None:
    pair = Pair(20, 4)
    pair.frame(["a", "b", "c", "d"])
    assert pair.frame(["a", "b", "x", "d"]) == "\x1b[3;1Hx\x1b[1;1H"


@pytest.mark.parametrize("by", [1, 3, -1, -4])
def test_scrolled_rows_are_moved(by: int) -> None:
    pair = Pair(60, 20)
    lines = [f"line {number} with some text in it" for number in range(60)]
    pair.frame([*lines[10:28], "status", "message"])
    data = pair.frame([*lines[10 + by : 28 + by], "status 2", "message"])
    assert len(data) < 60 * (abs(by) + 3)
    assert ("M" if by > 0 else "L") in data


def test_a_hidden_cursor_stays_hidden() -> None:
    screen = Screen()
    data = screen.frame(rows("a"), None)
    assert "\x1b[?25l" in data
    assert "\x1b[?25h" not in data


def test_full_rows_are_not_followed_by_an_erase() -> None:
    screen = Screen()
    screen.resize(3, 2)
    assert "\x1b[K" not in screen.frame(rows("abc", "def"), (0, 0))


@given(
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 12), st.sampled_from(["", "x", "same"])), min_size=1, max_size=8
    )
)
def test_any_sequence_of_frames_shows_right(steps: list[tuple[int, int, str]]) -> None:
    pair = Pair(12, 10)
    for top, changed, text in steps:
        texts = [f"row {number // 2 * 2}" for number in range(top, top + 8)] + ["status", ""]
        if changed < 10:
            texts[changed] = text
        pair.frame(texts)


THEME = Theme("three", {"red": Style(fg=1), "bold": Style(attributes=frozenset({"bold"}))}, 16)
TEXTS = ("", "a", "ab", "abc", "xbc", "word by word", "ü", "λόγος", "漢字", "e\u0301", "👍🏽")
STRIPS = st.lists(st.tuples(st.sampled_from(TEXTS), st.sampled_from([(), ("red",), ("bold",)])), max_size=3)


def coloured_row(left: list[tuple[str, tuple[str, ...]]], right: list[tuple[str, tuple[str, ...]]]) -> Row:
    """A row of one window, or of two beside each other."""
    strips = [Strip(tuple(pieces), sum(cells(text) for text, _ in pieces)) for pieces in (left, right)]
    inks = [(0, ink(strips[0], THEME, 0)), (40, ink(strips[1], THEME, 40))]
    return Row(tuple(inks[: 1 + bool(right)]), 40 + strips[1].cells if right else strips[0].cells)


def cells(text: str) -> int:
    return {"漢字": 4, "e\u0301": 1, "👍🏽": 2}.get(text, len(text))


def look(model: pyte.Screen) -> list[list[tuple[str, str, bool]]]:
    """Every cell with its colour."""
    lines = [model.buffer[number] for number in range(model.lines)]
    return [[(cell.data, cell.fg, cell.bold) for cell in (line[at] for at in range(model.columns))] for line in lines]


@given(st.lists(st.lists(st.tuples(STRIPS, STRIPS), min_size=5, max_size=5), min_size=2, max_size=5))
def test_a_frame_over_others_looks_like_the_first_one(frames: list[list[tuple[list[Any], list[Any]]]]) -> None:
    ours, model = Screen(), pyte.Screen(80, 5)
    ours.resize(80, 5)
    stream = pyte.Stream(model)
    for number, frame in enumerate(frames):
        wanted = [coloured_row(*parts) for parts in frame]
        stream.feed(ours.frame(wanted, (number % 5, number)))
        fresh, alone = Screen(), pyte.Screen(80, 5)
        fresh.resize(80, 5)
        pyte.Stream(alone).feed(fresh.frame(wanted, (number % 5, number)))
        assert look(model) == look(alone)
        assert (model.cursor.y, model.cursor.x) == (number % 5, number)
        assert not model.cursor.hidden


def test_of_a_changed_row_only_what_differs_is_written() -> None:
    ours = Screen()
    ours.frame([coloured_row([("count ", ()), ("12", ("red",)), (" of 99", ())], [])], (0, 0))
    data = ours.frame([coloured_row([("count ", ()), ("13", ("red",)), (" of 99", ())], [])], (0, 0))
    assert data == "\x1b[1;8H" + THEME.sgr(("red",)) + "3\x1b[m\x1b[1;1H"


def test_the_cursor_is_hidden_while_much_is_drawn() -> None:
    pair = Pair(20, 8)
    pair.frame(list("abcdefgh"))
    data = pair.ours.frame(rows(*"ABCDEFGH"), (0, 0))
    assert data.startswith("\x1b[?25l")
    assert data.endswith("\x1b[?25h")
