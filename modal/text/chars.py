"""Character classes: what is a letter of a word, a blank, a combining or an unprintable character.

Lives here: the options `iskeyword`, `isident`, `isfname`, `isprint` read into sets of characters, the word class
of a character (`:help word`, with scripts and emoji apart), and sets of code points with their use in `re`.
Not here: widths (`width.py`), the tables themselves (`unicode_ranges.py`), patterns (`pattern/`).
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from tpy.modal.text import unicode_ranges

Ranges = tuple[tuple[int, int], ...]
"""Sorted, disjoint, inclusive ranges of code points."""

LAST = 0x10FFFF
ISKEYWORD = "@,48-57,_,192-255"
ISIDENT = "@,48-57,_,192-255"
ISFNAME = "@,48-57,/,.,-,_,+,,,#,$,%,~,="
ISPRINT = "@,161-255"

BLANK, PUNCTUATION, WORD, EMOJI = 0, 1, 2, 3
"""Word classes; a larger number is a script of its own, where words also change."""


def _is_alpha(code: int) -> bool:
    """Say whether `@` in an option covers this character below 256 (as in Vim with a UTF-8 locale)."""
    return chr(code).isalpha() and code not in (0xAA, 0xBA)  # ª º have no case: no letters to Vim


class CharOptionError(ValueError):
    """The value of `iskeyword` or a kin is malformed; the text is Vim's `E474` or `E539`."""


def _char_or_number(value: str, at: int) -> tuple[int, int]:
    """Read one decimal number or one character at `at`; return the code and the index after it."""
    end = at
    while end < len(value) and value[end].isascii() and value[end].isdigit():
        end += 1
    if end > at:
        return int(value[at:end]), end
    return ord(value[at]), at + 1


@lru_cache(maxsize=64)
def parse_option(value: str) -> frozenset[int]:
    """Return the codes below 256 that a value such as `@,48-57,_,^a-z` stands for (`:help isfname`).

    Raises CharOptionError when a part is malformed.
    """
    codes: set[int] = set()
    at, size = 0, len(value)
    while at < size:
        exclude = value[at] == "^" and at + 1 < size
        if exclude:
            at += 1
        letters = value[at] == "@" and value[at : at + 3] != "@-@"
        low, at = (_char_or_number(value, at)) if not letters else (0, at + 1)
        high = low
        if at < size and value[at] == "-" and at + 1 < size:
            if letters:
                raise CharOptionError("E474: Invalid argument: " + value)
            high, at = _char_or_number(value, at + 1)
        if value[at : at + 1] not in ("", ",") or high < low or high > 255:
            raise CharOptionError("E474: Invalid argument: " + value)
        if letters:
            part = {code for code in range(1, 256) if _is_alpha(code)}
        elif value[at - 3 : at] == "@-@":
            part = {64}
        else:
            part = set(range(low, high + 1))
        codes = codes - part if exclude else codes | part
        if at < size:
            at += 1
            if at == size or value[at] == " ":
                raise CharOptionError("E474: Invalid argument: " + value)
    return frozenset(codes)


# --- sets of code points -------------------------------------------------------------------------------------


def merge(ranges: list[tuple[int, int]]) -> Ranges:
    """Return the ranges sorted, with those that touch or overlap joined."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = (out[-1][0], max(out[-1][1], high))
        else:
            out.append((low, high))
    return tuple(out)


def complement(ranges: Ranges) -> Ranges:
    """Return every code point that is not in `ranges`."""
    out, start = [], 0
    for low, high in ranges:
        if low > start:
            out.append((start, low - 1))
        start = high + 1
    if start <= LAST:
        out.append((start, LAST))
    return tuple(out)


def overlap(one: Ranges, other: Ranges) -> bool:
    """Say whether two sets share a character."""
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i][1] < other[j][0]:
            i += 1
        elif other[j][1] < one[i][0]:
            j += 1
        else:
            return True
    return False


def contains(ranges: Ranges, char: str) -> bool:
    """Say whether the set holds the character."""
    at = bisect_right(ranges, (ord(char), LAST + 1)) - 1
    return at >= 0 and ord(char) <= ranges[at][1]


def from_codes(codes: frozenset[int]) -> Ranges:
    """Return a set of codes as ranges."""
    return merge([(code, code) for code in codes])


@lru_cache(maxsize=256)
def class_body(ranges: Ranges) -> str:
    """Return the inside of a `re` character class for these ranges, all characters escaped."""
    return "".join(f"\\U{low:08x}" if low == high else f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


def _read(table: str) -> Ranges:
    out = []
    for word in table.split():
        low, _, high = word.partition("-")
        out.append((int(low, 16), int(high or low, 16)))
    return tuple(out)


@lru_cache(maxsize=1)
def combining() -> Ranges:
    """Return the characters that are drawn on the one before them."""
    return _read(unicode_ranges.COMBINING)


@lru_cache(maxsize=1)
def wide() -> Ranges:
    """Return the characters two cells wide."""
    return _read(unicode_ranges.WIDE)


@lru_cache(maxsize=1)
def unprintable() -> Ranges:
    """Return the characters above ASCII shown as `<xx>` (lone surrogates, which stand for odd bytes, too)."""
    return merge([*_read(unicode_ranges.UNPRINTABLE), (0xD800, 0xDFFF)])


@lru_cache(maxsize=1)
def _classes() -> tuple[tuple[int, ...], tuple[tuple[int, int, int], ...]]:
    rows = []
    for word in unicode_ranges.CLASSES.split():
        span, _, kind = word.partition(":")
        low, _, high = span.partition("-")
        rows.append((int(low, 16), int(high or low, 16), int(kind, 16)))
    return tuple(row[0] for row in rows), tuple(rows)


@lru_cache(maxsize=4096)
def is_combining(char: str) -> bool:
    """Say whether the character belongs to the one before it."""
    return char >= "\u0300" and contains(combining(), char)


@lru_cache(maxsize=8192)
def char_class(char: str, keyword: frozenset[int]) -> int:
    """Return the word class of a character: where it changes, a word begins or ends (`:help word`).

    `keyword` is `parse_option(iskeyword)`. 0 is blank, 1 punctuation, 2 keyword, 3 emoji, more a script. A
    combining character has the class of a word character; callers step by cell and never ask for it alone.
    """
    code = ord(char)
    if code < 0x100:
        if char in " \t\0\xa0":
            return BLANK
        return WORD if code in keyword else PUNCTUATION
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8: Vim looks at the byte as a Latin-1 character
        return WORD if code - 0xDC00 in keyword else PUNCTUATION
    starts, rows = _classes()
    at = bisect_right(starts, code) - 1
    return rows[at][2] if at >= 0 and code <= rows[at][1] else WORD


def is_word(char: str, keyword: frozenset[int]) -> bool:
    """Say whether `\\k` matches the character: a keyword character, of whatever script."""
    return char_class(char, keyword) >= WORD


@lru_cache(maxsize=16)
def class_ranges(keyword: frozenset[int]) -> dict[int, Ranges]:
    """Return every word class from 2 up with its characters, for boundaries in patterns."""
    found: dict[int, list[tuple[int, int]]] = {WORD: [(code, code) for code in keyword if chr(code) not in " \t\xa0"]}
    start = 0x100
    for low, high, kind in _classes()[1]:
        if low > start:
            found[WORD].append((start, low - 1))
        if kind >= WORD:
            found.setdefault(kind, []).append((low, high))
        start = high + 1
    found[WORD].append((start, LAST))
    return {kind: merge(ranges) for kind, ranges in found.items()}


@lru_cache(maxsize=16)
def word_ranges(keyword: frozenset[int]) -> Ranges:
    """Return all keyword characters: the set of `\\k`."""
    return merge([span for ranges in class_ranges(keyword).values() for span in ranges])


def _one_upper(char: str) -> str:
    big = char.upper()
    if len(big) > 1:
        big = char.title()  # ᾳ has the single capital ᾼ, ß has none
    return big if len(big) == 1 else char


def _one_lower(char: str) -> str:
    return char.lower()[0]  # İ is lowered to i with a dot above; Vim keeps the i


@lru_cache(maxsize=2)
def cased(upper: bool) -> Ranges:
    """Return the upper-case (or lower-case) characters of Unicode that have a counterpart. Computed once, 30 ms."""
    other = _one_lower if upper else _one_upper
    found = [code for code in range(0x41, 0x1E944) if other(chr(code)) != chr(code)]
    return merge([(code, code) for code in found] + ([] if upper else [(0xDF, 0xDF)]))


def to_upper(text: str) -> str:
    """Return the text in capitals, one for one: a letter without a single capital, such as ß, stays (`gU`)."""
    return text.upper() if text.isascii() else "".join(map(_one_upper, text))


def to_lower(text: str) -> str:
    """Return the text in small letters, one for one."""
    return text.lower() if text.isascii() else "".join(map(_one_lower, text))
