"""What commands that worked on many lines tell in the last row, in Vim 9's words (`:help 'report'`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

LINES = [f"  line {number} ab" for number in range(1, 31)]

# Keys on the 30 lines, and what Vim's last row shows then; "" for nothing.
CASES = [
    ("3dd", "3 fewer lines"),
    ("2dd", ""),
    ("d2j", "3 fewer lines"),
    ("dG", "--No lines in buffer--"),
    ("VGd", "--No lines in buffer--"),
    ("5dd.", "5 fewer lines"),
    ('"_5dd', "5 fewer lines"),
    ("3D", "3 fewer lines"),
    ("3x", ""),
    ("v4jd", "4 fewer lines"),
    ("V4jd", "5 fewer lines"),
    ("V4jX", "5 fewer lines"),
    ("<C-v>4jd", ""),
    ("5yy", "5 lines yanked"),
    ("2yy", ""),
    ("y5j", "6 lines yanked"),
    ("yw", ""),
    ("v4joy", "5 lines yanked"),
    ("v4jY", "5 lines yanked"),
    ("<C-v>4jly", "block of 5 lines yanked"),
    ('"a5yy', '5 lines yanked into "a'),
    ('"_5yy', ""),
    ("5yyp", "5 more lines"),
    ("5yyP", "5 more lines"),
    ("5yy]p", "5 more lines"),
    ("yy5p", "5 more lines"),
    ("yw5p", ""),
    ("v4jyp", "4 more lines"),
    ("<C-v>4jyGp", "4 more lines"),
    ("5yyVp", "5 more lines"),
    ("yyV4jp", ""),
    ("3yyV5jp", "3 more lines"),
    ("yyVGp", ""),
    (">5j", "6 lines >ed 1 time"),
    ("2>>", ""),
    ("V4j3>", "5 lines >ed 3 times"),
    ("V4j<lt>", "5 lines <ed 1 time"),
    ("<C-v>4j>", "5 lines >ed 1 time"),
    ("gg=G", "30 lines indented"),
    ("=j", ""),
    ("V4j=", ""),
    ("g~5j", "6 lines changed"),
    ("guG", "30 lines changed"),
    ("g?5j", "6 lines changed"),
    ("gUj", ""),
    ("V4jgU", ""),
    ("5J", ""),
    ("V4jgJ", ""),
    ("5cc", "-- INSERT --"),
    ("gqG", "25 fewer lines"),
    ("V4jrx", ""),
    ("V4j<C-a>", ""),
    ("qa5yyq@a", "5 lines yanked"),
    (":5,9d<CR>", "5 fewer lines"),
    (":5,6d<CR>", ""),
    (":5,9d x 3<CR>", "3 fewer lines"),
    (":%d<CR>", "--No lines in buffer--"),
    (":5,9m0<CR>", "5 lines moved"),
    (":5,6m0<CR>", ""),
    (":5,9t.<CR>", "5 more lines"),
    (":5,9co0<CR>", "5 more lines"),
    (":5,9y<CR>", "5 lines yanked"),
    (":5,9y a<CR>", '5 lines yanked into "a'),
    (":5,9y _<CR>", ""),
    ("5yy:put<CR>", "5 more lines"),
    (":5,9><CR>", "5 lines >ed 1 time"),
    (":5,9>><CR>", "5 lines >ed 2 times"),
    (":5,9<lt><CR>", "5 lines <ed 1 time"),
    (":5,9j<CR>", ""),
    (":g/1/d<CR>", "12 fewer lines"),
    (":v/1/d<CR>", "18 fewer lines"),
    (":g/1/t.<CR>", "12 more lines"),
    (":g/1/5,9d<CR>", "20 fewer lines"),
    (":g/1/m0<CR>", ""),
    (":g/1/><CR>", ""),
    (":g/line/d<CR>", "--No lines in buffer--"),
    (":g/1/s/1/x/<CR>", "12 substitutions on 12 lines"),
    (":%s/1/b/g<CR>", "13 substitutions on 12 lines"),
    (":normal! 5dd<CR>", "5 fewer lines"),
    (":exe '5,9d'<CR>", "5 fewer lines"),
    (":5,9d|set ts=4<CR>", "5 fewer lines"),
    (":silent 5,9d<CR>", ""),
    (":r !seq 9<CR>", "9 more lines"),
    (":5,9!sort<CR>", "5 lines filtered"),
    (":sort n<CR>", ""),
]

# The same with 'report' 0.
ALL = [
    ("dd", "1 line less"),
    ("dvj", "1 line less"),
    ("yy", "1 line yanked"),
    ("vy", ""),
    ("vjy", "2 lines yanked"),
    ("<C-v>y", "block of 1 line yanked"),
    ("yyp", "1 more line"),
    ("yiwVp", "1 more line"),
    ("yyviwp", "2 more lines"),
    (">>", "1 line >ed 1 time"),
    ("==", "1 line indented"),
    ("gUU", "1 line changed"),
    ("guiw", "1 line changed"),
    ("~", ""),
    ("x", ""),
    ("J", ""),
    ("ofoo<CR>bar<Esc>", ""),
    ("cc<Esc>", ""),
    (":d<CR>", "1 line less"),
    (":m5<CR>", "1 line moved"),
    (":5,6m4<CR>", ""),
    (":t.<CR>", "1 more line"),
    (":><CR>", "1 line >ed 1 time"),
    (":1,3normal! dd<CR>", "1 line less"),
    (":s/a/b/<CR>", "1 substitution on 1 line"),
]


@pytest.mark.parametrize(("report", "keys", "told"), [(2, *case) for case in CASES] + [(0, *case) for case in ALL])
def test_many_lines_are_told_of(shown: Callable[..., Any], report: int, keys: str, told: str) -> None:
    screen = shown(*LINES, size=(80, 24))
    screen.set(report=report, shiftwidth=2, expandtab=True, ruler=False, showcmd=False, startofline=False)
    screen.keys(keys)
    assert screen.rows[-1] == told


def test_no_more_lines_than_report_are_not_told_of(shown: Callable[..., Any]) -> None:
    screen = shown(*LINES, size=(80, 24))
    screen.set(report=100, ruler=False)
    screen.keys("gg=G50yyyy100p")
    assert screen.rows[-1] == ""
    screen.keys("yy101p")
    assert screen.rows[-1] == "101 more lines"


def test_lines_that_come_into_an_empty_buffer(shown: Callable[..., Any]) -> None:
    """The empty line stays, and is not one of them."""
    screen = shown("a", "b", "c", size=(80, 24))
    screen.set(report=0, ruler=False)
    screen.keys("yG:enew!<CR>p")
    assert screen.rows[-1] == "3 more lines"
