"""How C is to be indented: the values of `'cinoptions'` and what goes with them (`:help cinoptions-values`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from tpy.modal.text import chars

_ENTRY = re.compile(r"(.)(-?)(\d*)(?:\.(\d*))?(s?),?", re.S)


@dataclass(frozen=True, slots=True)
class Rules:
    """Columns to add in each situation; the letter of each in `'cinoptions'` stands in `_LETTERS`."""

    tabstop: int
    level: int
    case: int
    case_code: int
    scope: int
    scope_code: int
    parameter: int
    function_type: int
    base_class: int
    continuation: int
    unclosed: int
    unclosed_deeper: int
    open_end: int = 0
    no_brace: int = 0
    first_open: int = 0
    open_extra: int = 0
    close_extra: int = 0
    open_left: int = 0
    label: int = -1
    keep_case: int = 0
    case_break: int = 0
    namespace: int = 0
    linkage: int = 0
    in_comment: int = 3
    in_comment_always: int = 0
    comment: int = 0
    unclosed_always: int = 0
    unclosed_exact: int = 0
    unclosed_wrapped: int = 0
    head: int = 0
    matching_paren: int = 0
    paren_before: int = 0
    pragma: int = 0
    # How many lines away an open parenthesis and the start of a comment are looked for.
    most_paren: int = 20
    most_comment: int = 70
    # The options `'comments'`, `'cinwords'`, `'cinscopedecls'`, the characters of words by `'iskeyword'`, and whether
    # `'cinkeys'` lets `#` go to the left.
    comments: str = ""
    cinwords: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    keyword: frozenset[int] = frozenset()
    hash_left: bool = True


_LETTERS = {
    ">": "level", "e": "open_end", "n": "no_brace", "f": "first_open", "{": "open_extra", "}": "close_extra",
    "^": "open_left", "L": "label", ":": "case", "=": "case_code", "l": "keep_case", "b": "case_break", "g": "scope",
    "h": "scope_code", "N": "namespace", "E": "linkage", "p": "parameter", "t": "function_type", "i": "base_class",
    "+": "continuation", "c": "in_comment", "C": "in_comment_always", "/": "comment", "(": "unclosed",
    "u": "unclosed_deeper", "U": "unclosed_always", "w": "unclosed_exact", "W": "unclosed_wrapped", "k": "head",
    "m": "matching_paren", "M": "paren_before", "P": "pragma", ")": "most_paren", "*": "most_comment",
}  # fmt: skip
_BY_SHIFTWIDTH = {
    "level": 1, "case": 1, "case_code": 1, "scope": 1, "scope_code": 1, "parameter": 1, "function_type": 1,
    "base_class": 1, "continuation": 1, "unclosed": 2, "unclosed_deeper": 1,
}  # fmt: skip


def _entries(cinoptions: str, shiftwidth: int) -> dict[str, int]:
    """Return what the option sets, by field."""
    found = {}
    for letter, sign, digits, fraction, times in _ENTRY.findall(cinoptions):
        number = int(digits or 0)
        if times:
            number = number * shiftwidth if digits or fraction else shiftwidth
            if fraction:
                part = 10 ** len(fraction)
                number += (shiftwidth * int(fraction) + part // 2) // part
        if letter in _LETTERS:
            found[_LETTERS[letter]] = -number if sign else number
    return found


def words(cinwords: str) -> tuple[str, ...]:
    """Return the words of `'cinwords'`."""
    return tuple(word.strip() for word in cinwords.split(",") if word.strip())


@lru_cache(maxsize=16)
def rules(
    shiftwidth: int, tabstop: int, comments: str, iskeyword: str, cinwords: str, cinoptions: str, scopes: str,
    cinkeys: str,
) -> Rules:  # fmt: skip
    """Return the rules that the options make."""
    values = {name: times * shiftwidth for name, times in _BY_SHIFTWIDTH.items()}
    values.update(_entries(cinoptions, shiftwidth))
    return Rules(
        tabstop=tabstop,
        comments=comments,
        cinwords=words(cinwords),
        scopes=tuple(word for word in scopes.split(",") if word),
        keyword=chars.parse_option(iskeyword),
        hash_left="0#" in cinkeys,
        **values,
    )
