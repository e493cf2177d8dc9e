"""Character classes and digraphs."""

from __future__ import annotations

import pytest

from tpy.modal.text import chars
from tpy.modal.text.digraphs import digraph, table

KEYWORD = chars.parse_option(chars.ISKEYWORD)


@pytest.mark.parametrize(
    ("value", "inside", "outside"),
    [
        ("@,48-57,_,192-255", "aZ0_é", "-. \t"),
        ("@,^a-z", "AÉ", "amz"),
        ("@-@", "@", "a"),
        ("a-c,#", "abc#", "d,"),
        ("48-57,,", "05,", "a"),
        ("^", "^", "a"),
        ("48-57,^53", "04", "5"),
        ("", "", "a"),
    ],
)
def test_an_option_names_characters(value: str, inside: str, outside: str) -> None:
    codes = chars.parse_option(value)
    assert all(ord(char) in codes for char in inside)
    assert not any(ord(char) in codes for char in outside)


@pytest.mark.parametrize("value", ["a-", "z-a", "1-300", "abc", "a,", "@-z"])
def test_a_malformed_option_is_told(value: str) -> None:
    with pytest.raises(chars.CharOptionError, match="E474"):
        chars.parse_option(value)


def test_words_change_where_scripts_do() -> None:
    def kinds(text: str) -> list[int]:
        return [chars.char_class(char, KEYWORD) for char in text]

    assert kinds(" \t\xa0") == [0, 0, 0]
    assert kinds("-«—。") == [1, 1, 1, 1]
    assert kinds("a_é3Пλ") == [2] * 6
    assert len(set(kinds("aひカ山한😀"))) == 6
    assert kinds("\udce9\udcab") == [2, 1]
    assert chars.is_word("山", KEYWORD)
    assert not chars.is_word("。", KEYWORD)


def test_combining_characters_are_known() -> None:
    assert chars.is_combining("\u0301")
    assert chars.is_combining("\ufe0f")
    assert not chars.is_combining("a")
    assert not chars.is_combining("\u200d")


def test_case_changes_one_for_one() -> None:
    assert chars.to_upper("straße ŉ ǆ ᾳ") == "STRAßE ŉ Ǆ ᾼ"
    assert chars.to_lower("ÄİΣ") == "äiσ"
    assert chars.contains(chars.cased(True), "Ä")
    assert chars.contains(chars.cased(False), "ß")


def test_sets_of_ranges() -> None:
    assert chars.merge([(5, 7), (1, 2), (3, 3), (9, 9)]) == ((1, 3), (5, 7), (9, 9))
    assert chars.complement(chars.complement(((3, 4), (9, 9)))) == ((3, 4), (9, 9))
    assert chars.overlap(((1, 3),), ((3, 5),))
    assert not chars.overlap(((1, 2), (8, 9)), ((3, 7),))


def test_digraphs() -> None:
    assert len(table()) == 1362
    assert digraph("a", ":") == digraph(":", "a") == "ä"
    assert digraph("E", "u") == "€"
    assert digraph("N", "U") == "\0"
    assert digraph("q", "§") == "§"
    assert digraph("a", ":", {"a:": "x"}) == "x"
