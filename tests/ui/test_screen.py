"""Frames as bytes: only what changed, and scrolled rows are moved by the terminal."""

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.ui.screen import Row, Screen


def rows(*texts: str) -> list[Row]:
    return [Row(text, text, len(text)) for text in texts]


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
    assert pair.frame(texts) == "\x1b[?25l\x1b[1;1H\x1b[?25h"


def test_one_changed_row_is_the_only_one_drawn() -> None:
    pair = Pair(20, 4)
    pair.frame(["a", "b", "c", "d"])
    assert pair.frame(["a", "b", "x", "d"]) == "\x1b[?25l\x1b[3;1Hx\x1b[K\x1b[1;1H\x1b[?25h"


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
