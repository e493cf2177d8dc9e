"""Frames of the whole screen as text: what stands where, and where the cursor is."""

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.text.position import Pos
from tpy.modal.ui.mouse import SEPARATOR, STATUS, TABS, TEXT
from tpy.modal.ui.screen import Row
from tpy.modal.ui.theme import ANSI, Style, Theme, load_theme
from tpy.modal.view.layout import COLUMN, ROW
from tpy.modal.view.popup import Popup, PopupItem
from tpy.modal.view.window import Window

Shown = Any  # tests/ui/conftest.py
Make = Callable[..., Shown]


def styled(shown: Shown, name: str) -> list[tuple[int, str]]:
    """(row, text) of every piece on the screen that has a class."""
    shown.renderer.theme = Theme("test", {name: Style(attributes=frozenset({"reverse"}))}, ANSI)
    found = []
    for number, row in enumerate(shown.draw().rows):
        for part in row.ansi.split("\x1b[7m")[1:]:
            found.append((number, part.split("\x1b[m")[0]))
    return found


# -- text


def test_lines_tildes_status_and_bottom(shown: Make) -> None:
    screen = shown("one", "two", size=(30, 6))
    assert screen.rows[:4] == ["one", "two", "~", "~"]
    assert screen.rows[4].startswith("[No Name]")
    assert screen.frame.cursor == (0, 0)


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("a\tb", "a       b"),
        ("\t\tx", "                x"),
        ("a\x1b[31mb\x07", "a^[[31mb^G"),
        ("\x7f\x80\x9b", "^?<80><9b>"),
        ("caf\udce9", "caf<e9>"),
        ("日本語", "日本語"),
        ("e\u0301x", "e\u0301x"),
        ("\x00", "^@"),
    ],
)
def test_every_character_is_visible(shown: Make, line: str, row: str) -> None:
    screen = shown(line)
    assert screen.rows[0] == row


@pytest.mark.parametrize(
    "char", [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x200B, 0x202E, 0x2028, 0xFEFF)]
)
def test_no_control_character_reaches_the_terminal(shown: Make, char: str) -> None:
    screen = shown(f"a{char}b", size=(30, 4))
    assert char not in "".join(row.ansi for row in screen.frame.rows).replace("\x1b[", "") or char == " "


@pytest.mark.parametrize("keys", ["", "l", "ll", "lll", "llll", "$", "A"])
@pytest.mark.parametrize("line", ["plain text", "日本x語y", "a\x01b\x7fc", "e\u0301e\u0300x", "a<\udcff>b"])
def test_the_cursor_is_on_the_character_it_acts_on(shown: Make, line: str, keys: str) -> None:
    screen = shown(line)
    screen.keys(keys)
    col = screen.editor.window.cursor.col
    char = line[col : col + 1] or " "
    expected = {"\x01": "^", "\x7f": "^", "\udcff": "<"}.get(char, char)
    assert screen.under_cursor.startswith(expected)


def test_the_cursor_is_at_the_end_of_a_tab_in_normal_mode_and_at_its_start_in_insert_mode(shown: Make) -> None:
    screen = shown("\tx")
    assert screen.frame.cursor == (0, 7)
    assert screen.keys("i").cursor == (0, 0)


def test_long_lines_wrap_and_the_cursor_follows(shown: Make) -> None:
    screen = shown("abcdefghij" * 3, "next", size=(12, 8))
    assert screen.rows[:4] == ["abcdefghijab", "cdefghijabcd", "efghij", "next"]
    assert screen.keys("14l").cursor == (1, 2)
    assert screen.keys("$").cursor == (2, 5)
    assert screen.keys("A").cursor == (2, 6)


def test_insert_at_the_end_of_a_full_row_goes_on_in_the_next(shown: Make) -> None:
    screen = shown("x" * 12, "next", size=(12, 8))
    assert screen.keys("A").cursor == (1, 0)
    assert screen.rows[2] == "next"


def test_a_wide_character_is_not_cut_by_the_edge(shown: Make) -> None:
    screen = shown("abc日本", size=(4, 6))
    assert screen.rows[:2] == ["abc", "日本"]


def test_a_tab_goes_on_in_the_next_row(shown: Make) -> None:
    screen = shown("abcd\tx", size=(6, 6))
    assert screen.rows[:2] == ["abcd", "  x"]


def test_without_wrap_the_window_moves_sideways(shown: Make) -> None:
    screen = shown("0123456789" * 5, size=(20, 5))
    screen.set(wrap=False)
    assert screen.rows[0] == "01234567890123456789"
    screen.keys("25l")
    assert screen.under_cursor == "5"
    assert screen.frame.cursor is not None
    assert screen.frame.cursor[0] == 0
    screen.keys("0")
    assert screen.rows[0].startswith("0123")


def test_linebreak_wraps_at_blanks(shown: Make) -> None:
    screen = shown("alpha beta gamma delta", size=(12, 6))
    screen.set(linebreak=True)
    assert screen.rows[:2] == ["alpha beta", "gamma delta"]


def test_a_last_line_that_does_not_fit_is_marked(shown: Make) -> None:
    screen = shown("one", "two", "x" * 50, size=(10, 6))
    assert screen.rows[:4] == ["one", "two", "@", "@@@"]
    screen.set(display="lastline")
    assert screen.rows[:4] == ["one", "two", "x" * 10, "x" * 10]


def test_a_line_taller_than_the_window_shows_the_part_with_the_cursor(shown: Make) -> None:
    screen = shown("".join(f"{number:04}" for number in range(500)), size=(20, 8))
    screen.keys("$")
    assert screen.under_cursor == "9"
    screen.keys("0")
    assert screen.rows[0].startswith("0000")
    assert screen.frame.cursor == (0, 0)


def test_a_line_of_ten_megabytes_is_drawn(shown: Make) -> None:
    screen = shown('{"key": "value"},' * 600_000, size=(80, 24))
    assert screen.rows[0].startswith('{"key"')
    screen.keys("$")
    assert screen.under_cursor == ","
    screen.keys("ix")
    assert screen.rows[0]


# -- columns and marks


def test_numbers(shown: Make) -> None:
    screen = shown(*"abcdefghij", size=(20, 8))
    screen.set(number=True)
    assert screen.rows[:2] == ["  1 a", "  2 b"]
    assert screen.frame.cursor == (0, 4)
    screen.keys("3G")
    screen.set(relativenumber=True)
    assert screen.rows[:5] == ["  2 a", "  1 b", "3   c", "  1 d", "  2 e"]
    screen.set(number=False)
    assert screen.rows[2] == "  0 c"


def test_numbers_give_way_in_a_narrow_window(shown: Make) -> None:
    screen = shown("abc", size=(4, 5))
    screen.set(number=True)
    assert screen.rows[0] == "abc"


def test_list_shows_tabs_ends_and_blanks(shown: Make) -> None:
    screen = shown("a\tb  ")
    screen.set(list=True)
    assert screen.rows[0] == "a^Ib  $"
    screen.set(listchars="tab:>-,trail:.,eol:$")
    assert screen.rows[0] == "a>------b..$"
    screen.set(listchars="tab:<->,space:_,nbsp:+")
    assert screen.rows[0] == "a<----->b__"


def test_colour_column_and_cursor_line(shown: Make) -> None:
    screen = shown("abc", "", "abcdef", size=(10, 6))
    screen.set(colorcolumn="3")
    assert styled(screen, "editor.colorcolumn") == [(0, "c"), (1, " "), (2, "c")]
    screen.set(colorcolumn="", cursorline=True)
    assert styled(screen, "editor.cursorline") == [(0, "abc"), (0, "       ")] or styled(
        screen, "editor.cursorline"
    ) == [(0, "abc       ")]


def test_cursor_column_is_shown_in_the_other_lines(shown: Make) -> None:
    screen = shown("abc", "\tx", "", "abcdefghijklmn", size=(10, 8))
    screen.set(cursorcolumn=True)
    assert styled(screen, "editor.cursorcolumn") == [(1, " "), (2, " "), (3, "a")]
    screen.keys("l")
    assert styled(screen, "editor.cursorcolumn") == [(1, " "), (2, " "), (3, "b")]
    screen.keys("j$")
    assert styled(screen, "editor.cursorcolumn") == [(0, " "), (2, " "), (3, "i")]
    screen.keys("2j$")
    assert styled(screen, "editor.cursorcolumn") == []
    screen.keys("0")
    screen.set(cursorcolumn=False)
    assert styled(screen, "editor.cursorcolumn") == []


def test_signs(shown: Make) -> None:
    screen = shown("one", "two", size=(20, 5))
    screen.editor.buffer.extra["signs"] = {1: ("+", "editor.sign.added")}
    assert screen.draw()
    assert screen.rows[:2] == ["  one", "+ two"]
    screen.set(signcolumn="no")
    assert screen.rows[:2] == ["one", "two"]


@pytest.mark.parametrize(
    ("keys", "marked"),
    [
        ("vl", [(0, "on")]),
        ("lvj", [(0, "ne "), (1, "tw")]),
        ("V", [(0, "one ")]),
        ("jV", [(1, "two ")]),
        ("l<C-v>jl", [(0, "ne"), (1, "wo")]),
        ("v$", [(0, "one ")]),
    ],
)
def test_the_selection_is_marked(shown: Make, keys: str, marked: list[tuple[int, str]]) -> None:
    screen = shown("one", "two", "three")
    screen.keys(keys)
    assert styled(screen, "editor.selection") == marked


def test_an_empty_line_in_a_selection_takes_a_cell(shown: Make) -> None:
    screen = shown("a", "", "b")
    screen.keys("Vj")
    assert styled(screen, "editor.selection") == [(0, "a "), (1, " ")]


def test_matches_of_the_search_are_marked_until_nohlsearch(shown: Make) -> None:
    screen = shown("foo bar foo", "barfoo", size=(20, 5))
    screen.editor.search.pattern, screen.editor.search.shown = "foo", True
    assert styled(screen, "editor.search") == [(0, "foo"), (0, "foo"), (1, "foo")]
    screen.editor.search.shown = False
    assert styled(screen, "editor.search") == []


def test_a_pattern_that_takes_too_long_is_not_shown(shown: Make) -> None:
    screen = shown("a" * 200 + "b", size=(20, 5))
    screen.editor.search.pattern, screen.editor.search.shown = r"\(a*\)*\(a*\)*\(a*\)*c\@<!$x", True
    screen.draw()
    assert screen.rows[0]


def test_the_match_is_shown_while_a_search_is_typed(shown: Make) -> None:
    screen = shown(*(f"line {number}" for number in range(100)), size=(20, 8))
    screen.keys("/line 42")
    assert "line 42" in screen.rows
    assert styled(screen, "editor.incsearch") == [(screen.rows.index("line 42"), "line 42")]
    assert screen.editor.window.cursor == Pos(0, 0)
    screen.keys("<Esc>")
    assert screen.rows[0] == "line 0"


def test_matching_brackets_are_marked(shown: Make) -> None:
    screen = shown("if (a", "  [b])", size=(20, 5))
    screen.keys("f(")
    assert styled(screen, "editor.matchparen") == [(0, "("), (1, ")")]


# -- scrolling


def numbered(count: int) -> list[str]:
    return [f"line {number}" for number in range(count)]


def test_scrolloff_keeps_rows_around_the_cursor(shown: Make) -> None:
    screen = shown(*numbered(100), size=(20, 12))
    assert screen.keys("9j").cursor == (7, 0)
    assert screen.rows[0] == "line 2"
    screen.keys("G")
    assert screen.frame.cursor == (9, 0)
    screen.keys("gg")
    assert screen.frame.cursor == (0, 0)


def test_a_jump_far_away_puts_the_cursor_in_the_middle(shown: Make) -> None:
    screen = shown(*numbered(1000), size=(20, 12))
    screen.keys("500G")
    assert screen.frame.cursor is not None
    assert screen.frame.cursor[0] in (4, 5)


def test_a_window_smaller_than_scrolloff(shown: Make) -> None:
    screen = shown(*numbered(100), size=(20, 4))
    for _ in range(10):
        screen.keys("j")
        assert screen.under_cursor == "l"


# -- sizes


@pytest.mark.parametrize("size", [(1, 1), (2, 2), (1, 10), (10, 1), (3, 3), (20, 5), (500, 200)])
@pytest.mark.parametrize("keys", ["", "i", ":set", "v", "G", "/x"])
def test_any_size(shown: Make, size: tuple[int, int], keys: str) -> None:
    screen = shown("\tone 日本", "x" * 300, "", size=size)
    frame = screen.keys(keys)
    assert len(frame.rows) == size[1]
    assert all(row.cells <= size[0] for row in frame.rows)
    assert frame.cursor is not None
    assert 0 <= frame.cursor[0] < size[1]
    assert 0 <= frame.cursor[1] < size[0]


# -- windows


def split(screen: Shown, kind: str, *lines: str) -> Window:
    window = Window(screen.editor.add_buffer(list(lines)))
    screen.editor.layout.split(screen.editor.window, window, kind, after=True)
    screen.draw()
    return window


def test_windows_beside_each_other(shown: Make) -> None:
    screen = shown("left", "more", size=(21, 5))
    right = split(screen, ROW, "right")
    assert screen.rows[:3] == ["left      |right", "more      |~", "~         |~"]
    screen.editor.focus(right)
    assert screen.draw().cursor == (0, 11)


def test_wide_text_does_not_shift_the_window_beside(shown: Make) -> None:
    screen = shown("❤️👍🏽", "日本語日本", size=(21, 5))
    split(screen, ROW, "right", "second")
    for row, text in zip(screen.frame.rows[:2], ("right", "second"), strict=True):
        assert isinstance(row, Row)
        assert row.ansi.startswith("\x1b[2K")  # nothing of a former row may stay between
        before = row.ansi.split("|" + text)[0]
        assert before.rstrip(" ").endswith("G")  # the cursor is put after what may be of any width
        assert "\ufe0f" not in row.ansi


def test_windows_above_each_other(shown: Make) -> None:
    screen = shown("upper", size=(20, 8))
    split(screen, COLUMN, "lower")
    assert screen.rows[0] == "upper"
    assert "lower" in screen.rows
    assert sum(row.startswith("[No Name]") for row in screen.rows) == 2


def test_hits(shown: Make) -> None:
    screen = shown("left", size=(21, 6))
    left = screen.editor.window
    right = split(screen, ROW, "right")
    assert screen.renderer.hit(1, 3)[:4] == (TEXT, left, 1, 3)
    assert screen.renderer.hit(0, 10)[0] == SEPARATOR
    assert screen.renderer.hit(2, 12)[:4] == (TEXT, right, 2, 1)
    assert screen.renderer.hit(4, 12)[:2] == (STATUS, right)
    assert screen.renderer.hit(5, 0) is None


def test_tab_pages(shown: Make) -> None:
    from tpy.modal.view.layout import Layout

    screen = shown("one", size=(30, 6))
    screen.editor.tabs.append(Layout(Window(screen.editor.add_buffer(["two"], name="dir/second.txt"))))
    screen.draw()
    assert screen.rows[0] == " [No Name]  second.txt"
    assert screen.rows[1] == "one"
    assert screen.frame.cursor == (1, 0)
    assert screen.renderer.hit(0, 15)[:4] == (TABS, None, 0, 1)


# -- status line and bottom


@pytest.mark.parametrize(
    ("written", "shown_line"),
    [
        ("%f %l,%c %%", "[No Name] 2,3 %"),
        ("%F%=%l/%L", "[No Name]                  2/3"),
        ("%-5l|%5l|%05l", "2    |    2|00002"),
        ("a%=b%=c", "a             b              c"),
        ("a%{expr}b", "ab"),
    ],
)
def test_a_written_status_line(shown: Make, written: str, shown_line: str) -> None:
    screen = shown("one", "two", "three", size=(30, 6))
    screen.keys("jll")
    screen.set(statusline=written)
    assert screen.rows[4] == shown_line


def test_the_ruler_counts_bytes_and_columns(shown: Make) -> None:
    screen = shown("\té日x", size=(60, 5))
    assert "1,1-8 " in screen.rows[3]
    screen.keys("lll")
    assert "1,7-12 " in screen.rows[3]
    screen.editor.buffer.lines[:] = [""]
    screen.editor.window.cursor = Pos(0, 0)
    screen.draw()
    assert "0,0-1" in screen.rows[3] or "1,0-1" in screen.rows[3]


@pytest.mark.parametrize(
    ("keys", "cursor", "ruler"),
    [
        ("<C-v>3l", (0, 5), "1,4-6 "),  # behind the line
        ("<C-v>j", (1, 2), "2,3 "),  # at its end
        ("<C-v>jjl", (2, 3), "3,2-4 "),  # within a tab
        ("<C-v>jjjl", (3, 3), "4,0-4 "),  # in an empty line
        ("<C-v>3l<Esc>", (0, 2), "1,3 "),  # and back on the text
    ],
)
def test_the_cursor_of_a_virtual_block_is_in_its_cell(
    shown: Make, keys: str, cursor: tuple[int, int], ruler: str
) -> None:
    screen = shown("abc", "de", "f\tg", "", size=(60, 7))
    screen.set(virtualedit="block", laststatus=2)
    assert screen.keys("ll" + keys).cursor == cursor
    assert ruler in screen.rows[5]


def test_a_virtual_block_is_shown_where_there_is_no_text(shown: Make) -> None:
    screen = shown("abc", "d", "", size=(30, 6))
    screen.set(virtualedit="block")
    screen.keys("l<C-v>3ljj")
    assert styled(screen, "editor.selection") == [(0, "bc  "), (1, "    "), (2, "    ")]
    screen.set(virtualedit="")
    screen.keys("<Esc>gg0l<C-v>lj")
    assert styled(screen, "editor.selection") == [(0, "b"), (1, " ")]


def test_a_changed_buffer_says_so(shown: Make) -> None:
    screen = shown("text", size=(40, 5))
    screen.keys("x")
    assert "[+]" in screen.rows[3]


def test_without_status_line_the_ruler_is_below(shown: Make) -> None:
    screen = shown("text", size=(60, 5))
    screen.set(laststatus=1)
    assert screen.rows[3] == "~"
    assert screen.rows[4].startswith(" " * 42 + "1,1")


def test_mode_message_and_pending_command(shown: Make) -> None:
    screen = shown("text", size=(40, 5))
    screen.editor.echo("a message")
    screen.draw()
    assert screen.rows[4] == "a message"
    assert screen.keys("i")
    assert screen.rows[4].startswith("-- INSERT --")
    assert screen.keys("<Esc>")
    assert screen.rows[4] == ""
    screen.keys("2d")
    assert screen.rows[4] == " " * 29 + "2d"


def test_the_command_line_and_its_cursor(shown: Make) -> None:
    screen = shown("text", size=(10, 5))
    assert screen.keys(":echo").cursor == (4, 5)
    screen.keys(" 1234567")
    assert screen.rows[3:] == [":echo 1234", "567"]
    assert screen.frame.cursor == (4, 3)
    assert screen.keys("<Esc>")
    assert screen.rows[3] != ":echo 1234"


def test_a_message_of_many_lines_is_paged(shown: Make) -> None:
    screen = shown("text", size=(50, 5))
    screen.editor.echo("\n".join(f"entry {number}" for number in range(10)))
    screen.draw()
    assert screen.rows == ["entry 0", "entry 1", "entry 2", "entry 3", "-- More --"]
    assert screen.renderer.take_key(" ")
    screen.draw()
    assert screen.rows[0] == "entry 4"
    assert screen.renderer.take_key("G")
    screen.draw()
    assert screen.rows[3:] == ["entry 9", "Press ENTER or type command to continue"]
    assert screen.renderer.take_key("<CR>")
    screen.draw()
    assert screen.rows[0] == "text"
    assert not screen.renderer.take_key("x")


def test_a_key_that_is_a_command_ends_the_message_and_is_done(shown: Make) -> None:
    screen = shown("text", size=(50, 5))
    screen.editor.echo("one\ntwo")
    screen.draw()
    assert not screen.renderer.take_key("x")
    screen.draw()
    assert screen.rows[0] == "text"


def test_a_menu_lies_over_the_text(shown: Make) -> None:
    screen = shown("fo", *["x" * 30] * 8, size=(40, 12))
    items = [PopupItem("foo", "word"), PopupItem("format")]
    screen.editor.extra["popup"] = Popup(items, 0, screen.editor.window, Pos(0, 0), note="2 more")
    screen.draw()
    assert [row[:16].rstrip() for row in screen.rows[1:5]] == [
        " foo     word xx",
        " format        x"[:16].rstrip(),
        " 2 more",
        "x" * 16,
    ] or screen.rows[1].startswith(" foo")
    assert screen.rows[0] == "fo"
    del screen.editor.extra["popup"]
    screen.draw()
    assert screen.rows[1] == "x" * 30


# -- same rows, same objects


def test_rows_that_have_not_changed_are_the_same_objects(shown: Make) -> None:
    screen = shown(*numbered(100), size=(40, 20))
    before = screen.frame.rows
    screen.keys("jx")
    changed = [
        number for number, (old, new) in enumerate(zip(before, screen.frame.rows, strict=True)) if old is not new
    ]
    assert changed in ([1, 18], [1, 18, 19])


def test_a_theme_with_a_background_paints_whole_rows(shown: Make) -> None:
    screen = shown("text", size=(20, 4))
    screen.renderer.theme = load_theme("turbo", ANSI)
    assert all(row.cells == 20 for row in screen.draw().rows)
