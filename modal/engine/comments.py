"""Comment leaders by the `comments` option (`:help format-comments`): where they end, and whether two are the same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

BLANKS = " \t"


class Part(NamedTuple):
    """One entry of `comments`: its flags and the string that begins a comment."""

    flags: str
    string: str

    @property
    def offset(self) -> int:
        """The number among the flags: what to add to the indent of a middle part."""
        found = re.search(r"-?\d+", self.flags)
        return int(found[0]) if found else 0


class Leader(NamedTuple):
    """How long the leader of a line is, and which part of the option it was found by (-1 for none)."""

    length: int
    part: int


NO_LEADER = Leader(0, -1)


@lru_cache(maxsize=32)
def parse(option: str) -> tuple[Part, ...]:
    """Return the parts of a value of `comments`."""
    parts = []
    for entry in re.split(r"(?<!\\),", option):
        flags, colon, string = entry.partition(":")
        if colon:
            parts.append(Part(flags, string.replace("\\,", ",")))
    return tuple(parts)


@lru_cache(maxsize=32)
def _first_characters(option: str) -> str | None:
    """Return the characters that comments of a value begin with, `None` where that may be any."""
    strings = [part.string.lstrip(BLANKS) for part in parse(option)]
    return "".join(string[0] for string in strings) if all(strings) else None


def skip_blanks(text: str, at: int) -> int:
    """Return the index of the first character from `at` on that is no blank."""
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def _length_at(text: str, at: int, part: Part) -> int | None:
    """Return how long the string of a part is where it stands at `at`, `None` where it does not."""
    string = part.string
    if string[:1] in (" ", "\t") and string:
        if at == 0 or text[at - 1] not in BLANKS:
            return None
        string = string.lstrip(BLANKS)
    if not text.startswith(string, at):
        return None
    end = at + len(string)
    if "b" in part.flags and end < len(text) and text[end] not in BLANKS:
        return None
    return len(string)


def _match(text: str, at: int, parts: tuple[Part, ...], nested: bool, backward: bool) -> Leader | None:
    """Return the part that a comment at `at` begins with; an end part wins over a middle part it is longer than."""
    middle: Leader | None = None
    for index, part in enumerate(parts):
        if middle is not None and "m" not in part.flags and "e" not in part.flags:
            break
        if (nested and "n" not in part.flags) or (backward and "O" in part.flags):
            continue
        length = _length_at(text, at, part)
        if length is None:
            continue
        if "m" in part.flags:
            middle = middle or Leader(length, index)
            continue
        if middle is None or length > middle.length:
            return Leader(length, index)
        break
    return middle


def leader(text: str, option: str, *, backward: bool = False, blanks: bool = True) -> Leader:
    """Return the comment leader of a line, with the blanks behind it if `blanks`; `backward` for the `O` command."""
    parts = parse(option)
    at = skip_blanks(text, 0)
    known = _first_characters(option)
    if known is not None and text[at : at + 1] not in known:
        return NO_LEADER
    length, first = 0, -1
    while at < len(text):
        found = _match(text, at, parts, first >= 0, backward)
        if found is None:
            break
        at += found.length
        length = at
        at = skip_blanks(text, at)
        if blanks:
            length = at
        if first < 0:
            first = found.part
        if "n" not in parts[found.part].flags:
            break
    return Leader(length, first)


def same(one: str, first: Leader, other: str, second: Leader, option: str) -> bool:
    """Return whether two lines belong to one comment, so that they may be joined."""
    if first.length == 0:
        return second.length == 0
    parts = parse(option)
    for flag in parts[first.part].flags:
        if flag == "f":
            return second.length == 0
        if flag == "e":
            return False
        if flag == "s":
            return len(one) > first.length and second.length > 0 and "m" in parts[second.part].flags
    at = skip_blanks(one, 0)
    here = 0
    while here < second.length:
        if other[here] in BLANKS:
            at = skip_blanks(one, at)
        else:
            if one[at : at + 1] != other[here]:
                break
            at += 1
        here += 1
    return here == second.length and at == first.length


@lru_cache(maxsize=32)
def _beginnings(option: str) -> re.Pattern[str]:
    """Return what finds the characters that leaders begin with, any character where one has no text."""
    strings = [part.string.lstrip(BLANKS) for part in parse(option)]
    if not strings:
        return re.compile(r"(?!)")
    return re.compile("[" + re.escape("".join(string[0] for string in strings)) + "]" if all(strings) else "(?s:.)")


def _last(text: str, option: str) -> Part | None:
    """Return the part by which the last comment in a line begins, wherever that is."""
    parts = parse(option)
    for at in reversed([found.start() for found in _beginnings(option).finditer(text)]):
        for part in parts:
            if _length_at(text, at, part) is None or ("m" in part.flags and text[:at].strip(BLANKS)):
                continue
            string = part.string.lstrip(BLANKS)
            for other in parts:
                # The end of a longer leader is no leader of its own.
                off = other.string.find(string)
                if off > 0 and at >= off and _length_at(text, at - off, other) is not None:
                    return other
            return part
    return None


def skip_leader(text: str, option: str, *, process: bool, blanks: bool) -> tuple[int, bool]:
    """Return where the text of a line begins when it is joined, and whether the line ends in an open comment.

    With `process` the leader is skipped; the end of a comment is kept (`:help fo-j`).
    """
    last = _last(text, option)
    is_comment = last is not None and "e" not in last.flags
    if not process:
        return 0, is_comment
    found = leader(text, option, blanks=blanks)
    if found.part < 0 or "e" in parse(option)[found.part].flags:
        return 0, is_comment
    return found.length, is_comment
