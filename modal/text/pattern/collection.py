"""Sets of characters in a pattern: `[a-z]` collections and the classes `\\w \\k [:alpha:]`.

Lives here: their parsing and what they hold. Not here: the rest of the language (`parse.py`).
Source: `:help /collection`, `:help character-classes`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tpy.modal.text import chars, unicode_ranges
from tpy.modal.text.chars import Ranges
from tpy.modal.text.pattern.nodes import PatternError, Set


class CharOptions(NamedTuple):
    """The options that say what classes hold."""

    iskeyword: str = chars.ISKEYWORD
    isident: str = chars.ISIDENT
    isfname: str = chars.ISFNAME
    isprint: str = chars.ISPRINT


_DIGITS = ((48, 57),)
_ASCII = {
    "s": ((9, 9), (32, 32)),
    "d": _DIGITS,
    "x": ((48, 57), (65, 70), (97, 102)),
    "o": ((48, 55),),
    "w": ((48, 57), (65, 90), (95, 95), (97, 122)),
    "h": ((65, 90), (95, 95), (97, 122)),
    "a": ((65, 90), (97, 122)),
    "l": ((97, 122),),
    "u": ((65, 90),),
}
_NAMED: dict[str, Ranges] = {
    "alnum": ((48, 57), (65, 90), (97, 122)),
    "alpha": ((65, 90), (97, 122)),
    "blank": ((9, 9), (32, 32)),
    "cntrl": ((1, 31), (127, 127)),
    "digit": _DIGITS,
    "graph": ((33, 126),),
    "punct": ((33, 47), (58, 64), (91, 96), (123, 126)),
    "space": ((9, 13), (32, 32)),
    "xdigit": ((48, 57), (65, 70), (97, 102)),
    "tab": ((9, 9),),
    "return": ((13, 13),),
    "backspace": ((8, 8),),
    "escape": ((27, 27),),
}
_BY_OPTION = {"ident": "i", "keyword": "k", "fname": "f", "print": "p"}
_ESCAPES = {"e": "\x1b", "t": "\t", "r": "\r", "b": "\b"}
_NUMBERS = {"d": (10, 99), "o": (8, 4), "x": (16, 2), "u": (16, 4), "U": (16, 8)}


@lru_cache(maxsize=64)
def _option_class(letter: str, options: CharOptions) -> Ranges:
    if letter == "k":
        return chars.word_ranges(chars.parse_option(options.iskeyword))
    if letter == "i":
        return chars.from_codes(chars.parse_option(options.isident))
    if letter == "f":
        return chars.merge([*chars.from_codes(chars.parse_option(options.isfname)), (0x100, chars.LAST)])
    low = chars.from_codes(chars.parse_option(options.isprint))
    high = chars.complement(chars.merge([(0, 0xFF), *chars.unprintable()]))
    return chars.merge([*low, (32, 126), (0xA0, 0xFF), *high])


def class_set(letter: str, newline: bool, options: CharOptions) -> Set | None:
    """Return the set of `\\s` and kin, or None when the letter names no class."""
    small = letter.lower()
    if letter in _ASCII:
        return Set(_ASCII[letter], newline=newline)
    if small in _ASCII:
        return Set(_ASCII[small], negated=True, newline=newline)
    if len(letter) == 1 and small in "ikfp":
        ranges = _option_class(small, options)
        if letter != small:  # "like \k, but excluding digits"
            ranges = chars.complement(chars.merge([*chars.complement(ranges), *_DIGITS]))
        return Set(ranges, newline=newline)
    return None


def _named_class(name: str, options: CharOptions) -> Ranges:
    if name in _NAMED:
        return _NAMED[name]
    if name in _BY_OPTION:
        return _option_class(_BY_OPTION[name], options)
    return chars.cased(name == "upper")


def _class_name(text: str, at: int) -> str:
    """Return the NAME of `[:NAME:]` at `at`, empty when there is none."""
    end = text.find(":]", at + 2)
    name = text[at + 2 : end] if text.startswith("[:", at) and end > 0 else ""
    return name if name in _NAMED or name in _BY_OPTION or name in ("lower", "upper") else ""


def _bracketed(text: str, at: int, mark: str) -> str:
    """Return the character of `[=a=]` or `[.a.]` at `at`, empty when there is none."""
    ok = text.startswith("[" + mark, at) and text[at + 3 : at + 5] == mark + "]"
    return text[at + 2] if ok else ""


def find_end(text: str, at: int) -> int:
    """Return the index of the `]` that ends the collection whose inside starts at `at`, -1 without one."""
    if text.startswith("^", at):
        at += 1
    if at < len(text) and text[at] in "]-":
        at += 1
    while at < len(text) and text[at] != "]":
        if text[at] == "-":
            at += 1
            if at < len(text) and text[at] != "]":
                at += 1
        elif text[at] == "\\" and at + 1 < len(text) and text[at + 1] in "]^-n\\rtebdoxuU":
            at += 2
        elif name := _class_name(text, at):
            at += len(name) + 4
        elif _bracketed(text, at, "=") or _bracketed(text, at, "."):
            at += 5
        else:
            at += 1
    return at if at < len(text) else -1


def equivalents(char: str) -> str:
    """Return the characters that differ from this one only by an accent, itself included (`[[=a=]]`)."""
    return next((row for row in unicode_ranges.EQUIVALENT if char in row), char)


class _Items:
    """What a collection holds so far, and the start of a range that waits for its end."""

    def __init__(self) -> None:
        self.spans: list[tuple[int, int]] = []
        self.plain: list[tuple[int, int]] = []
        self.newline = False
        self.start = -1
        self.in_range = False

    def add(self, code: int) -> None:
        """Add a character, or end the open range with it; E944 when the range goes backwards."""
        if self.in_range:
            if self.start > code:
                raise PatternError("E944: Reverse range in character class")
            self.spans.append((self.start, code))
            self.in_range, self.start = False, -1
        else:
            self.spans.append((code, code))
            self.start = code

    def add_all(self, spans: Ranges) -> None:
        """Add a class as a whole."""
        self.plain += spans
        self.start = -1


def _escape(text: str, at: int, items: _Items) -> int:
    """Add the escape whose letter is at `at`; return the index behind it."""
    letter = text[at]
    if letter == "n":
        items.newline = True
        items.start = -1
        return at + 1
    if letter in _NUMBERS:
        base, most = _NUMBERS[letter]
        digits = "0123456789abcdef"[:base]
        end = at + 1
        while end < len(text) and end - at - 1 < most and text[end].lower() in digits:
            end += 1
        if end == at + 1:
            items.add(ord("\\"))
            return at
        code = min(int(text[at + 1 : end], base), chars.LAST)
        items.add(0 if code == 10 else code)  # a NUL in the text is what Vim keeps as a line feed
        return end
    items.add(ord(_ESCAPES.get(letter, letter)))
    return at + 1


def parse_collection(text: str, at: int, end: int, newline: bool, options: CharOptions) -> Set:
    """Return the collection whose inside is `text[at:end]`; `newline` for `\\_[`."""
    negated = text.startswith("^", at)
    at += negated
    items = _Items()
    if text.startswith("-", at) and at < end:
        items.add(ord("-"))
        at += 1
    if text.startswith("]", at) and at < end:
        items.add(ord("]"))
        at += 1
    while at < end:
        char = text[at]
        if name := _class_name(text, at):
            items.add_all(_named_class(name, options))
            at += len(name) + 4
        elif same := _bracketed(text, at, "="):
            items.spans += [(ord(c), ord(c)) for c in equivalents(same)]
            items.start = -1
            at += 5
        elif element := _bracketed(text, at, "."):
            items.add(ord(element))
            at += 5
        elif char == "-" and items.start >= 0 and not items.in_range:
            items.in_range = True
            at += 1
        elif char == "\\" and at + 1 <= end and text[at + 1 : at + 2] in tuple("]^-n\\rtebdoxuU"):
            at = _escape(text, at + 1, items)
        else:
            items.add(ord(char))
            at += 1
    if items.in_range:
        items.spans.append((45, 45))
    line_break = newline or (items.newline and not negated)
    plain = chars.merge(items.plain)
    return Set(chars.merge(items.spans), negated=negated, newline=line_break, fold=True, plain=plain)
