"""The last row and the status line beside Vim's own: messages, modes, rulers, names; the menu of completion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORDS = ["alpha beta", "alphabet gamma", "alpine", ""]


def test_completion_shows_a_menu_and_what_is_chosen(shown: Callable[..., Any]) -> None:
    """As in Vim, in the order of the keys, with the word chosen marked and counted in the last row."""
    screen = shown(*WORDS, size=(60, 12))
    screen.keys("Goalp<C-n>")
    assert [row.strip() for row in screen.rows[4:9]] == ["alpha", "alpha", "alphabet", "alpine", "~"]
    assert screen.rows[-1].startswith("-- Keyword completion (^N^P) match 1 of 3")
    screen.keys("<C-p>")
    assert screen.rows[4] == "alp"
    assert screen.rows[-1].startswith("-- Keyword completion (^N^P) Back at original")
    screen.keys("<C-p>")
    assert screen.rows[4] == "alpine"
    assert "match 3 of 3" in screen.rows[-1]
    screen.keys("<C-e>")
    assert [row.strip() for row in screen.rows[4:6]] == ["alp", "~"]
    assert screen.rows[-1].startswith("-- INSERT --")


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("Goalph<C-x><C-n>", "-- Keyword Local completion (^N^P) match 1 of 2"),
        ("Goalpi<C-n>", "-- Keyword completion (^N^P) The only match"),
        ("Goalpha<C-x><C-l>", "-- Whole line completion (^L^N^P) match 2 of 2"),
        ("Gozzz<C-n>", "-- Keyword completion (^N^P) Pattern not found"),
        ("Gozzz<C-x><C-l>", "-- Whole line completion (^L^N^P) Pattern not found"),
        ("Gozzz/<C-x><C-f>", "-- File name completion (^F^N^P) Pattern not found"),
        ("Gozzz<C-x><C-d>", "-- Definition completion (^D^N^P) Pattern not found"),
        ("Gozzz<C-x><Tab>", "-- Path pattern completion (^N^P) Pattern not found"),
    ],
)
def test_kinds_of_completion_are_named(shown: Callable[..., Any], keys: str, told: str) -> None:
    screen = shown(*WORDS, size=(60, 12))
    screen.keys(keys)
    assert screen.rows[-1].startswith(told)


def test_a_second_completion_of_a_name_goes_on_into_the_directory(shown: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    for name in ("a.h", "b.h", "c.h"):
        (tmp_path / "include" / name).touch()
    screen = shown("", size=(200, 12))
    screen.keys(f"i{tmp_path}/inc<C-x><C-f>")
    assert screen.editor.buffer.lines == [f"{tmp_path}/include/"]
    screen.keys("<C-x><C-f>")
    assert screen.editor.buffer.lines == [f"{tmp_path}/include/a.h"]
    assert screen.rows[-1].startswith("-- File name completion (^F^N^P) match 1 of 3")


def test_many_words_are_shown_around_the_chosen_one(shown: Callable[..., Any]) -> None:
    screen = shown(*[f"word{number:03}" for number in range(10)], "", size=(60, 24))
    screen.editor.buffer.insert(0, [" ".join(f"word{number:03}" for number in range(10, 60))])
    screen.keys("Gowo" + "<C-p>" * 30)
    assert screen.rows[-1].startswith("-- Keyword completion (^N^P) match 31 of 60")
    menu = [row[:8] for row in screen.rows if row.startswith(" word")]
    assert menu == [f" word{number:03}" for number in range(35, 45)]


def test_the_mode_comes_back_with_what_is_typed_after_a_message(shown: Callable[..., Any]) -> None:
    screen = shown(*["one"], size=(60, 6))
    screen.keys("i<C-o>:echo 'hello'<CR>")
    assert screen.rows[-1].startswith("hello")
    screen.keys("x")
    assert screen.rows[-1].startswith("-- INSERT --")


@pytest.mark.parametrize(
    ("lines", "keys", "width", "ruler"),
    [
        (1, "", 80, "1,1            All"),
        (1000, "100G", 80, "100,1           9%"),
        (1000, "G", 80, "1000,1         Bot"),
        (1000, "G", 30, "1000,1      Bot"),
    ],
)
def test_the_share_stands_at_the_end_of_the_status_line(
    shown: Callable[..., Any], lines: int, keys: str, width: int, ruler: str
) -> None:
    """As Vim shows it, with `'laststatus'` 2 in the last column, else one before."""
    screen = shown(*["x"] * lines, size=(width, 8))
    screen.set(laststatus=2)
    screen.keys(keys)
    assert screen.frame.rows[-2].text.endswith(" " + ruler)
    screen.set(laststatus=0)
    screen.keys(keys)
    assert screen.frame.rows[-1].text.rstrip().endswith(ruler.split()[-1])
    assert len(screen.frame.rows[-1].text.rstrip()) == width - 1


def test_a_long_name_leaves_the_ruler_its_place(shown: Callable[..., Any]) -> None:
    """The name loses its beginning, as in Vim."""
    screen = shown(*["x"], size=(30, 8))
    screen.editor.buffer.name = "/nowhere/averyveryveryverylongnamethatislong.txt"
    screen.set(laststatus=2)
    assert screen.frame.rows[-2].text == "<hatislong.txt 1,1         All"


def test_a_line_break_in_a_name_is_shown(shown: Callable[..., Any], tmp_path: Path) -> None:
    """Messages stay on one row: `^@` stands for it, as in Vim."""
    name = tmp_path / "odd\nname.txt"
    name.write_text("x\n")
    screen = shown(*["one"], size=(200, 6))
    screen.engine.run_ex(f"cd {tmp_path}|e odd*")
    assert screen.editor.message.text == '"odd^@name.txt" 1L, 2B'
    screen.engine.run_ex("w")
    assert screen.editor.message.text == '"odd^@name.txt" 1L, 2B written'
    for command in ("ls", "f"):
        screen.engine.run_ex(command)
        assert '"odd^@name.txt"' in screen.editor.message.text


def test_messages_keeps_messages_alone(shown: Callable[..., Any]) -> None:
    """What lists and `:echo` show is not among the messages, as in Vim."""
    screen = shown(*["one", "two"], size=(80, 24))
    for command in (
        "ls",
        "set all",
        "reg",
        "marks",
        "echo 1",
        "set ts?",
        "his",
        "echomsg 'kept'",
        "1,2p",
        "ju",
        "digraphs",
    ):
        screen.engine.run_ex(command)
    screen.engine.run_ex("messages")
    assert screen.editor.message.text == "kept"


def test_places_without_a_column(shown: Callable[..., Any], tmp_path: Path) -> None:
    """`grep -n` gives none: the list shows none, and the cursor goes to the first character that is no blank."""
    (tmp_path / "a.txt").write_text("one\n  two\n")
    (tmp_path / "log").write_text("a.txt:2:said\n")
    screen = shown(*["x"], size=(80, 24))
    screen.engine.run_ex(f"cd {tmp_path}|set errorformat=%f:%l:%m|cfile log")
    assert screen.editor.window.cursor == (1, 2)
    screen.engine.run_ex("copen")
    assert screen.editor.buffer.lines == ["a.txt|2| said"]


@pytest.mark.parametrize("keys", ["g@w", "g@g@", "vg@"])
def test_there_are_no_operator_functions(shown: Callable[..., Any], keys: str) -> None:
    """`g@` says so, changes nothing and leaves Normal mode, as in Vim without `'operatorfunc'`."""
    screen = shown("one two", size=(120, 6))
    screen.keys(keys)
    assert screen.rows[-1].startswith("E774: 'operatorfunc' is empty")
    assert (screen.rows[0], screen.engine.mode) == ("one two", "n")


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        (":set ts=4<CR>", ""),
        (":normal! dd<CR>", ""),
        (":5<CR>", ""),
        (":silent set ts=4<CR>", ""),
        (":<Esc>", ""),
        (":<BS>", ""),
        (":<CR>", ""),
        ("/three<CR>", ""),
        (":echo<CR>", ""),
        (":echo 'hello'<CR>", "hello"),
        (":set ts=4|nosuch2<CR>", "E492: Not an editor command: nosuch2"),
        (":nnoremap <lt>F2> :set ts=4<lt>CR><CR>:nosuch<CR><F2>", ""),
        ("jj", "E492: Not an editor command: nosuch"),
        ("gg", "E492: Not an editor command: nosuch"),
        ("G", "E492: Not an editor command: nosuch"),
        ("zz", "E492: Not an editor command: nosuch"),
        ("x", "E492: Not an editor command: nosuch"),
        (">>", "E492: Not an editor command: nosuch"),
        ('"ayy', "E492: Not an editor command: nosuch"),
        (":nnoremap <lt>F3> <lt>Cmd>set ts=4<lt>CR><CR>:nosuch<CR><F3>", "E492: Not an editor command: nosuch"),
    ],
)
def test_a_command_line_takes_the_place_of_the_message(shown: Callable[..., Any], keys: str, told: str) -> None:
    """As in Vim, where the line typed is to be seen there; what moves and changes in Normal mode lets it stay."""
    screen = shown("one", "two", "three", "four", "five", "six", size=(80, 8))
    screen.set(ruler=False)
    screen.keys(":nosuch<CR>")
    assert screen.rows[-1] == "E492: Not an editor command: nosuch"
    screen.keys(keys)
    assert screen.rows[-1] == told
