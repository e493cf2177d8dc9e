"""`'showbreak'` and `'breakindent'`: rows and cursor as Vim 9.0 showed them in 30 columns, and laws about both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import Pos
from tpy.modal.view.display import Geometry
from tpy.modal.view.hanging import Hanging

Make = Callable[..., Any]
WORDS = "  one two three four five six seven eight nine ten eleven twelve thirteen"
TAB = "\ttab and three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
BOTH = {"showbreak": ">>", "breakindent": True}
SIGNS = {"showbreak": "++", "linebreak": True, "number": True, "tabstop": 4}
INDENTED = {"breakindent": True, "linebreak": True, "number": True}
ROWS = ["  one two three four five six", "  >>seven eight nine ten eleve", "  >>n twelve thirteen", "short"]
SIGN_ROWS = [
    "  1     tab and three four", "    ++five six seven eight", "    ++nine ten eleven twelve",
    "    ++thirteen fourteen", "    ++fifteen sixteen", "  2 short",
]  # fmt: skip
INDENT_ROWS = [
    "  1         tab and three", "          four five six seven", "          eight nine ten", "          eleven twelve",
    "          thirteen fourteen", "          fifteen sixteen",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "options", "keys", "cursor", "rows"),
    [
        (WORDS, BOTH, "$", (2, 20), ROWS),
        (WORDS, BOTH, "0gj", (1, 4), ROWS),
        (TAB, SIGNS, "$", (4, 20), SIGN_ROWS),
        (TAB, SIGNS, "8w", (1, 21), SIGN_ROWS),
        (TAB, INDENTED, "9w", (2, 16), INDENT_ROWS),
        (TAB, INDENTED, "$", (5, 24), INDENT_ROWS),
    ],
)
def test_rows_and_cursor_are_as_in_vim(
    shown: Make, text: str, options: dict[str, Any], keys: str, cursor: tuple[int, int], rows: list[str]
) -> None:
    screen = shown(text, "short", size=(30, 10))
    screen.set(**options)
    screen.keys(keys)
    assert screen.rows[: len(rows)] == rows
    assert screen.frame.cursor == cursor


@pytest.mark.parametrize(
    ("keys", "cursor"),
    [
        ("11wgk", (0, 25)), ("5wgj", (1, 21)), ("11wg0", (1, 4)), ("8wg0", (1, 4)), ("8wg$", (1, 29)), ("g$", (0, 29)),
        ("8wg^", (1, 4)), ("5wgjgj", (2, 20)), ("12wgkgk", (0, 6)), ("$gk", (1, 29)), ("5wgjgjgjgk", (2, 20)),
    ],
)  # fmt: skip
def test_motions_over_rows_go_where_vims_go(shown: Make, keys: str, cursor: tuple[int, int]) -> None:
    screen = shown(WORDS, "short", size=(30, 10))
    screen.set(**BOTH)
    assert screen.keys(keys).cursor == cursor


def test_a_click_behind_the_sign_is_on_the_character_there(shown: Make) -> None:
    screen = shown(WORDS, "short", size=(30, 10))
    screen.set(**BOTH)
    geometry = Geometry(screen.editor.window, lambda name: screen.editor.option(name))
    assert [geometry.position(1, column).col for column in (0, 3, 4, 5)] == [30, 30, 30, 31]


@settings(max_examples=150, deadline=None)
@given(
    st.text("ab \t日-", max_size=60), st.sampled_from(["", "+", ">>"]), st.booleans(), st.booleans(),
    st.integers(4, 40),
)  # fmt: skip
def test_every_character_has_a_cell_of_its_own(
    text: str, sign: str, indents: bool, linebreak: bool, width: int
) -> None:
    """A click on that cell finds the character."""
    from tpy.modal.editor import Editor

    editor = Editor(vim=True)
    editor.buffer.lines[:] = [text]
    editor.layout.arrange(40, width)
    for name, value in {"showbreak": sign, "breakindent": indents, "linebreak": linebreak}.items():
        editor.set_option(name, value)
    geometry = Geometry(editor.window, lambda name: editor.option(name))
    seen = set()
    for col in range(len(text)):
        place = geometry.place(Pos(0, col))
        assert place not in seen
        assert place[0] < geometry.text_rows(0)
        assert place[1] >= (geometry.hang(text) if place[0] else 0)
        seen.add(place)
        assert geometry.position(*place).col == col


def test_a_very_long_line_is_cut_at_the_edge_behind_the_sign(shown: Make) -> None:
    screen = shown("ab" * 6000, size=(30, 10))
    screen.set(showbreak="+")
    assert screen.rows[:2] == ["ab" * 15, "+" + "ab" * 14 + "a"]
    screen.keys("59|")
    assert screen.frame.cursor == (1, 29)
    screen.keys("l")
    assert screen.frame.cursor == (2, 1)


def test_little_room_is_left_to_the_text() -> None:
    assert Hanging(">", True, 40, 8).before("\t\t\t\tx") == " " * 20 + ">"
    assert Hanging("", True, 15, 8).before("\tx") == ""
    assert Hanging(">>>>", False, 4, 8).cells("x") == 0


def test_signs_that_take_two_cells_are_refused(shown: Make) -> None:
    engine = shown("x").engine
    with pytest.raises(CommandFailed, match="E595"):
        engine.run_ex("set showbreak=日")
