"""With which characters a match of a regular expression can begin, found out from the expression alone.

Lexers try dozens of expressions at each place of the text, and most of them can't match there. What is not known, or
not worth knowing, is taken for any character.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

# Codes below this are told apart; all above are as one.
ASCII = 128
_ALL = frozenset(map(chr, range(ASCII)))
_SEPARATORS = frozenset("\x1c\x1d\x1e\x1f")  # blanks or not, as flags say
_CATEGORIES = {
    op.CATEGORY_DIGIT: re.compile(r"\d"),
    op.CATEGORY_NOT_DIGIT: re.compile(r"\D"),
    op.CATEGORY_SPACE: re.compile(r"\s"),
    op.CATEGORY_NOT_SPACE: re.compile(r"\S"),
    op.CATEGORY_WORD: re.compile(r"\w"),
    op.CATEGORY_NOT_WORD: re.compile(r"\W"),
}

# The characters that something may begin with, and whether it may be empty.
_First = tuple[frozenset[str], bool]


@lru_cache(maxsize=4096)
def first_chars(pattern: re.Pattern[str]) -> frozenset[str] | None:
    """The ASCII characters that a match may begin with (others may always); None where an empty match is possible."""
    if pattern.flags & re.IGNORECASE and not pattern.pattern.isascii():
        return None  # a few letters are the small or large form of ASCII ones
    try:
        parsed = _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    except (re.error, RecursionError, OverflowError):
        return None
    found, empty = _of_sequence(parsed)
    if empty:
        return None
    if pattern.flags & re.IGNORECASE:
        return frozenset(case for char in found for case in (char.lower(), char.upper()))
    return found


def _of_sequence(items: Iterable[tuple[Any, Any]]) -> _First:
    """What may stand at the beginning of things behind each other."""
    found: frozenset[str] = frozenset()
    for kind, value in items:
        one, empty = _of(kind, value)
        found |= one
        if not empty:
            return found, False
    return found, True


def _of(kind: Any, value: Any) -> _First:
    """What one thing may begin with."""
    if kind is op.LITERAL:
        return (frozenset(chr(value)) if value < ASCII else frozenset()), False
    if kind is op.IN:
        return _of_set(value), False
    if kind in (op.AT, op.ASSERT, op.ASSERT_NOT):  # they take nothing, and only forbid
        return frozenset(), True
    if kind is op.SUBPATTERN and not value[1]:  # with flags of its own it may be anything
        return _of_sequence(value[-1])
    if kind is op.BRANCH:
        parts = [_of_sequence(branch) for branch in value[1]]
        return frozenset[str]().union(*[part for part, _ in parts]), any(empty for _, empty in parts)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT):
        one, empty = _of_sequence(value[2])
        return one, empty or not value[0]
    return _ALL, kind not in (op.ANY, op.NOT_LITERAL)


def _of_set(items: Iterable[tuple[Any, Any]]) -> frozenset[str]:
    """The characters of a set in brackets."""
    found = set[str]()
    negated = False
    for kind, value in items:
        if kind is op.NEGATE:
            negated = True
        elif kind is op.LITERAL:
            found.add(chr(value))
        elif kind is op.RANGE:
            found.update(map(chr, range(value[0], min(value[1] + 1, ASCII))))
        else:
            found.update(char for char in _ALL if _CATEGORIES[value].match(char))
    return (_ALL - found if negated else _ALL & found) | _SEPARATORS
