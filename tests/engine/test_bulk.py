"""Commands over many lines or one long line do what they do to few, at a cost that grows no faster than the text."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.engine import formatting
from tpy.modal.ex import sort, typinglines
from tpy.modal.text.pattern import compile_pattern


def prose(seed: int, count: int) -> str:
    """Lines of words, with comments, blank lines and indents among them."""
    draw = random.Random(seed)
    lines = []
    for number in range(count):
        words = " ".join(draw.choices(["word", "longer-word", "a", "end.", "(x)"], k=draw.randint(0, 14)))
        lines.append(draw.choice(["", "", "", "  ", "// ", " * ", "\t"]) + f"{words} {number}" if words else "")
    return "\n".join(lines)


@pytest.mark.parametrize("keys", ["gqG", "gwG", "300jgqG", "300jgw200j", "gggqG"])
def test_long_texts_are_formatted_as_short_ones(
    typist: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, keys: str
) -> None:
    """The formatter looks at a few lines at a time; text, cursor and marks are as if it had all."""
    results = []
    for near in (20, 10_000):
        monkeypatch.setattr(formatting, "_NEAR", near)
        typed = typist(prose(len(keys), 700).replace("word 150", "w¦ord 150", 1) or "¦", {"textwidth": 40})
        typed.type(keys)
        results.append((typed.lines, typed.editor.window.cursor, typed.editor.buffer.marks.get("]")))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "command", [r"s/fox/FOX/g", r"s/\w\+/<&>/g", r"s/o\(.\)/\1\0/g", r"s/\(\a\)\(\a\)\=/\2\1/g", r"s/ /\r/g"]
)
def test_substituting_in_a_long_line_is_as_in_many_short_ones(typist: Callable[..., Any], command: str) -> None:
    """A line too long for the usual way is done at once as well, and every match in it counts."""
    text = "a fox and foxes o o " * 10
    long, short = typist("¦" + text * 600), typist("¦" + text)
    long.type(f":{command}<CR>".replace("<&", "<lt>&"))
    short.type(f":{command}<CR>".replace("<&", "<lt>&"))
    one, many = "\n".join(short.lines), "\n".join(long.lines)
    assert many == one * 600
    assert long.editor.message is None or not long.editor.message.error


@pytest.mark.parametrize(
    ("pattern", "linear"),
    [(r"\w\+", True), (r"fo*", True), (r"\(a\|b\)x*", True), (r"a*b", False), (r"x\{9,}", False),
     (r"\(a*\)\@=b", False), (r"a*\>", False), (r"\(a*\)*", False)],
)  # fmt: skip
def test_what_is_tried_in_vain_counts(pattern: str, linear: bool) -> None:
    """A repeat at the very end of a pattern takes what is there; one before something else may do so in vain."""
    costs = [compile_pattern(pattern)._cost.steps(length, anchored=False) for length in (1000, 2000)]
    assert (costs[1] < 2.1 * costs[0]) is linear


@pytest.mark.parametrize(
    "command",
    [
        "%norm A;",
        "%norm I# x<lt>Esc>",
        "3,280norm! A é",
        "g/1/norm A;;",
        "v/7/normal I  ",
        "%norm A;|u",
        "%norm Ax y<lt>Esc>j",
    ],
)
def test_text_typed_in_many_lines_is_as_typed_in_each(
    typist: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """All lines but a few are done at once; what is undone, repeated and gone to afterwards is the same."""
    results = []
    for few in (100, 10_000):
        monkeypatch.setattr(typinglines, "_TYPED", few)
        typed = typist("¦" + "\n".join(f"{'  ' * (n % 3)}line {n}" if n % 5 else "\t " for n in range(400)))
        seen = []
        for keys in (f":{command}<CR>", "u", "<C-r>", "gg.", "100g;", "g,x", "u"):
            typed.type(keys)
            marks = {name: typed.editor.buffer.marks.get(name) for name in "[].^'"}
            seen.append((typed.lines, typed.editor.window.cursor, marks, typed.editor.registers.get(".")))
        results.append(seen)
    assert results[0] == results[1]


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ("set tw=8", "one\ntwo};};"),
        ("ia ; semi", "one two};"),
        ("nmap A ix", "x};one two"),
        ("imap ; y", "one two}y"),
        ("set fdm=indent", "one two};"),
        ("set noma", "one two"),
        ("set wm=72", "one\ntwo};};"),
    ],
)
def test_what_gives_typing_another_meaning_counts_in_many_lines(
    typist: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, setting: str, text: str
) -> None:
    results = []
    for few in (100, 10_000):
        monkeypatch.setattr(typinglines, "_TYPED", few)
        typed = typist("¦" + "one two\n\tb {\n\t\t;\n" * 100)
        typed.type(f":{setting}<CR>:%norm A}};<CR>")
        results.append(typed.lines)
    assert results[0] == results[1]
    assert "\n".join(results[0]).startswith(text + "\n")


def test_joining_every_marked_line_takes_time_only_for_itself(typist: Callable[..., Any]) -> None:
    """Where the lines that wait are the next of the lines that change, only those are looked at."""
    typed = typist("¦" + "\n".join(map(str, range(8000))))
    typed.type(":g/./j<CR>")
    assert typed.lines == [f"{n} {n + 1}" for n in range(0, 8000, 2)]


@pytest.mark.parametrize("command", ["sort", "sort!", "sort n", "sort i", "sort u", r"sort /\d/"])
def test_sorting_in_parts_gives_the_same_order(
    typist: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Lines that sort alike keep their order, also where the parts meet."""
    draw = random.Random(7)
    text = "\n".join(f"{draw.choice('aAbBc')}{draw.randint(0, 9)} {n % 7}" for n in range(600))
    results = []
    for many in (10, 1000):
        monkeypatch.setattr(sort, "_MANY", many)
        results.append(typist("¦" + text).type(f":{command}<CR>").lines)
    assert results[0] == results[1] != text.split("\n")


@pytest.mark.parametrize(
    "keys",
    ["VGrx", ":retab 4<CR>", ":%center<CR>", ":sort<CR>", ":%join<CR>", "gqG", "gg=G", ":%norm A;<CR>", "VGJ", ">G"],
)
def test_long_commands_can_be_stopped_all_along(typist: Callable[..., Any], keys: str) -> None:
    """They ask whether to stop at least every few thousand lines."""
    typed = typist("¦" + "\tsome (text) here\n" * 4000)
    asked = 0

    def interrupted() -> bool:
        nonlocal asked
        asked += 1
        return False

    typed.engine.interrupted = interrupted
    typed.type(keys)
    assert asked >= 3
