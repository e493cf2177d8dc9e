"""Lines with the keyword under the cursor, shown and listed as Vim 9.0 did; keys for what is left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Type = Callable[..., Any]
TEXT = "one two\nx one\n ¦ one y\n#define one 1"
ALL = "t.txt\n  1:    1 one two\n  2:    2 x one\n  3:    3   one y\n  4:    4 #define one 1"
DEFINED = "t.txt\n  1:    4 #define one 1"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ("[i", "one two"),
        ("]i", "#define one 1"),
        ("2[i", "x one"),
        ("[I", ALL),
        ("]I", DEFINED),
        ("[d", "#define one 1"),
        ("]d", "#define one 1"),
        ("[D", DEFINED),
        ("]D", DEFINED),
        (":isearch /two/<CR>", "one two"),
        (":is 2 one<CR>", "x one"),
        (":is /two/ x<CR>", "E488: Trailing characters: x"),
        (":ilist /two/<CR>", "t.txt\n  1:    1 one two"),
        (":2,3il one<CR>", "t.txt\n  1:    2 x one\n  2:    3   one y"),
        (":dsearch one<CR>", "#define one 1"),
        (":dlist one<CR>", DEFINED),
        ("3[i", "E387: Match is on current line"),
        ("9[i", "E389: Couldn't find pattern"),
        ("2[d", "E388: Couldn't find definition"),
    ],
)
def test_lines_with_the_keyword_are_told(typist: Type, keys: str, told: str) -> None:
    typed = typist(TEXT)
    typed.editor.buffer.name = "t.txt"
    assert typed.type(keys).editor.message.text == told
    assert typed.editor.window.cursor.line == 2


@pytest.mark.parametrize("keys", ["[i", "]i", "[I", "]I", "[d", "]d", "[D", "]D"])
def test_they_are_told_with_a_selection_too(typist: Type, keys: str) -> None:
    plain, selecting = typist(TEXT).type(keys), typist(TEXT).type("v" + keys)
    assert selecting.editor.message.text == plain.editor.message.text
    assert selecting.engine.mode == "v"


def test_without_a_keyword_there_is_nothing_to_look_for(typist: Type) -> None:
    assert typist("one\n¦()").type("[i").editor.message.text == "E349: No identifier under cursor"


@pytest.mark.parametrize(
    ("keys", "line", "windows"),
    [
        ("[<Tab>", 0, 1), ("]<Tab>", 3, 1), ("[<C-d>", 3, 1), ("]<C-d>", 3, 1), (":ijump one<CR>", 0, 1),
        (":isplit one<CR>", 0, 2), (":isplit none<CR>", 2, 1), (":djump one<CR>", 3, 1), (":dsplit one<CR>", 3, 2),
    ],
)  # fmt: skip
def test_they_are_gone_to(typist: Type, keys: str, line: int, windows: int) -> None:
    typed = typist(TEXT).type(keys)
    assert typed.editor.window.cursor.line == line
    assert len(typed.editor.windows()) == windows


@pytest.mark.parametrize("keys", ["[<Tab>", "]<Tab>", "[<C-d>", "]<C-d>"])
def test_they_are_gone_to_with_a_selection_too(typist: Type, keys: str) -> None:
    plain, selecting = typist(TEXT).type(keys), typist(TEXT).type("v" + keys)
    assert selecting.editor.window.cursor == plain.editor.window.cursor
    assert selecting.after.count("«") == 1


def test_what_a_macro_is_says_define(typist: Type) -> None:
    typed = typist("def one\n#define one\n¦one").type("[d")
    assert typed.editor.message.text == "#define one"
    typed.type(":set define=^def<CR>[d")
    assert typed.editor.message.text == "def one"


@pytest.mark.parametrize(("keys", "line"), [("[<Tab>", 0), ("]<Tab>", 3), ("[<C-d>", 3), ("]<C-d>", 3)])
def test_a_selection_goes_there(typist: Type, keys: str, line: int) -> None:
    typed = typist(TEXT).type("v" + keys)
    assert (typed.engine.mode, typed.editor.window.cursor.line, typed.editor.visual.start.line) == ("v", line, 2)


def test_define_says_what_comes_before_the_name_of_a_macro(typist: Type) -> None:
    typed = typist("¦one\ndef one\n#define one").type(":set define=^\\s*def<CR>[d")
    assert typed.editor.message.text == "def one"


@pytest.mark.parametrize("prefix", ["", "v"])
@pytest.mark.parametrize(
    ("keys", "code"),
    [
        *((keys, "E756") for keys in "z= zg zG zw zW zug zuG zuw zuW ]s [s ]S [S".split()),
        *((keys, "E433") for keys in "<C-]> <C-t> g] g<C-]> <C-w>] <C-w><C-]> <C-w>} <C-w>g] <C-w>g}".split()),
        ("<C-w>g<C-]>", "E433"),
        ("<C-w>P", "E441"),
    ],
)
def test_what_is_left_out_answers_with_one_line(typist: Type, prefix: str, keys: str, code: str) -> None:
    typed = typist("one t¦wo\nthree").type(prefix + keys)
    assert typed.editor.message.error
    assert typed.editor.message.text.startswith(code)
    assert "\n" not in typed.editor.message.text
    assert typed.after == ("one t«¦wo\nthree" if prefix else "one t¦wo\nthree")


def test_there_is_no_ex_mode(typist: Type) -> None:
    assert "q:" in typist("¦x").type("gQ").editor.message.text


def test_the_file_that_was_written_does_not_hold_what_joins_its_step(typist: Type) -> None:
    """`:undojoin` behind a write changes the text again, though the step is the one that was written."""
    typed = typist("¦abc").type("x")
    typed.editor.buffer.undo.mark_saved()
    typed.type(":undojoin<CR>")
    assert not typed.editor.buffer.modified
    typed.type(":undojoin|norm x<CR>")
    assert typed.lines == ["c"]
    assert typed.editor.buffer.modified
    assert typed.type("u").lines == ["abc"]
    assert typed.editor.buffer.modified
    assert typed.type(":undojoin<CR>").editor.message.text == "E790: Undojoin is not allowed after undo"
