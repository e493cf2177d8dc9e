"""Finding the other one of a pair: brackets, C comments, `#if` … `#endif` (`:help %`).

The motions and text objects that use it are in `brackets.py` and `textobjects/`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from tpy.modal.text.position import Pos

_QUOTES = re.compile(r'\\.|"', re.S)
# How far back a line is looked at in one go.
_WINDOW = 4096
_CONDITIONAL = re.compile(r"[ \t]*#[ \t]*(if|el|endif)")


@lru_cache(maxsize=64)
def _special(pair: str) -> re.Pattern[str]:
    return re.compile("[" + re.escape(pair) + "\"']")


@lru_cache(maxsize=64)
def _plain(pair: str) -> re.Pattern[str]:
    return re.compile("[" + re.escape(pair) + "]")


def _backwards(text: str, special: re.Pattern[str], limit: int) -> Iterator[int]:
    """Yield where single characters match before `limit`, the last first, without looking further than needed."""
    for low in range((limit - 1) // _WINDOW * _WINDOW, -1, -_WINDOW):
        yield from reversed([match.start() for match in special.finditer(text, low, min(low + _WINDOW, limit))])


def pairs_of(matchpairs: str) -> dict[str, tuple[str, bool]]:
    """Return for each bracket of the option the other one, and whether that lies before it."""
    found: dict[str, tuple[str, bool]] = {}
    for pair in matchpairs.split(","):
        if len(pair) >= 3:
            found.setdefault(pair[0], (pair[2], False))
            found.setdefault(pair[2], (pair[0], True))
    return found


def backslashes(text: str, col: int) -> int:
    """Return how many backslashes stand right before `col`."""
    head = text[max(col - 64, 0) : col]
    count = len(head) - len(head.rstrip("\\"))
    return count if count < 64 else col - len(text[:col].rstrip("\\"))


class _Quotes:
    """Whether the scan is inside a string, as far as Vim looks at that: only in lines where quotes pair up."""

    def __init__(self, lines: Sequence[str], *, backwards: bool) -> None:
        self.lines = lines
        self.backwards = backwards
        self.inside = False
        # Whether the scan began inside a string; `None` until that is known.
        self.began_inside: bool | None = None
        self.counts = False

    def enter(self, line: int, col: int) -> None:
        """Look at a line that the scan enters at `col`."""
        text = self.lines[line]
        number, at_start, place = -1, True, col + self.backwards
        if '"' in text:
            number, at_start = self._count(text, place)
        self.counts = bool(number & 1)
        if not self.counts:
            self.inside = False
            if text.endswith("\\"):
                self.counts = True
                if self.began_inside is None:
                    self.inside = self.began_inside = True
                elif self.backwards:
                    self.inside = True
            if line > 0 and self.lines[line - 1].endswith("\\"):
                self.counts = True
                if self.began_inside is None:
                    self.inside = at_start
                    if at_start:
                        self.began_inside = True
                elif not self.backwards:
                    self.inside = True
        if self.began_inside is None:
            self.began_inside = False

    @staticmethod
    def _count(text: str, place: int) -> tuple[int, bool]:
        """Return the number of quotes, less one, and whether an even number stands before `place`."""
        if "\\" not in text and "'\"'" not in text:
            return text.count('"') - 1, not text.count('"', 0, place) & 1
        number, at_start, known = -1, True, False
        for match in _QUOTES.finditer(text):
            if not known and match.start() >= place:
                at_start, known = bool(number & 1), True
            at = match.start()
            if match[0] == '"' and not (at > 0 and text[at - 1] == "'" and text[at + 1 : at + 2] == "'"):
                number += 1
        return number, at_start if known else bool(number & 1)

    def line_end(self, text: str, col: int) -> None:
        """Pass the end of a line."""
        if col == 0 or text[col - 1] != "\\":
            self.inside = self.began_inside = False

    def quote(self) -> None:
        """Pass a quote that is not escaped."""
        if self.counts:
            self.inside = not self.inside
            self.began_inside = False


class Reach(NamedTuple):
    """How far a search goes: `lines` away, 0 for any; with `block` not beyond a brace in the first column.

    `known`: what is found from the start of a line, where that is known.
    """

    lines: int = 0
    block: bool = False
    known: Mapping[int, Pos | None] = MappingProxyType({})


ANYWHERE = Reach()


class Matcher:
    """Finds matches in lines. `poll` is called now and then so that a long search can be stopped."""

    def __init__(self, lines: Sequence[str], matchpairs: str, poll: Callable[[int], None]) -> None:
        self.lines = lines
        self.pairs = pairs_of(matchpairs)
        self.poll = poll

    def bracket(
        self, start: Pos, char: str, *, forward: bool, escaped: int = 0, plain: bool = False, reach: Reach = ANYWHERE
    ) -> Pos | None:
        """Return the unmatched bracket `char` on from `start`, which is not looked at itself.

        `escaped` is 1 to find brackets behind an odd number of backslashes. `plain`: quotes mean nothing.
        """
        other = self.pairs[char][0]
        quotes = _Quotes(self.lines, backwards=not forward)
        only, special = _plain(char + other), _special(char + other)
        count, line, col = 0, start.line, start.col
        last = len(self.lines) - 1
        fresh = True
        while True:
            text = self.lines[line]
            # A line without brackets matters only where it may be continued.
            busy = char in text or other in text or (not plain and "\\" in text)
            if plain:
                pass
            elif fresh or busy:
                if forward or not fresh or col > 0:
                    quotes.enter(line, col + 1 if forward and fresh and col < len(text) else max(col - fresh, 0))
            else:
                quotes.inside = quotes.began_inside = False
            if busy:
                escapes = "\\" in text
                quoted = not plain and (quotes.counts or "'" in text)
                places = self._places(text, special if quoted else only, col, forward=forward, fresh=fresh)
                for turn, at in enumerate(places):
                    self.poll(turn)
                    found = text[at]
                    if at == 0 and reach.block and found in "{}":
                        return Pos(line, 0) if found == char and count == 0 else None
                    if found == '"':
                        if not escapes or not backslashes(text, at) & 1:
                            quotes.quote()
                    elif quotes.inside and not quotes.began_inside:
                        continue
                    elif (backslashes(text, at) & 1 if escapes else 0) == escaped:
                        if found != char:
                            count += 1
                        elif count == 0:
                            return Pos(line, at)
                        else:
                            count -= 1
            if forward:
                quotes.line_end(text, len(text))
            elif count == 0 and line in reach.known and not (line and self.lines[line - 1].endswith("\\")):
                return reach.known[line]
            if line == (last if forward else 0) or (reach.lines and abs(line - start.line) == reach.lines):
                return None
            line += 1 if forward else -1
            fresh, text = False, self.lines[line]
            col = 0 if forward else len(text)
            if not forward:
                quotes.line_end(text, len(text))
            self.poll(line)

    @staticmethod
    def _places(text: str, special: re.Pattern[str], col: int, *, forward: bool, fresh: bool) -> Iterator[int]:
        """Yield where brackets and quotes stand, but for characters in single quotes such as `'('`."""
        if forward:
            begin = col + 1 if fresh else 0
            for match in special.finditer(text, begin):
                at = match.start()
                if at < begin:
                    continue
                if text[at] == "'":
                    if text[at + 1 : at + 2] == "\\" and text[at + 3 : at + 4] == "'":
                        begin = at + 4
                    elif text[at + 2 : at + 3] == "'" and at + 1 < len(text):
                        begin = at + 3
                    continue
                yield at
            return
        limit = col
        for at in _backwards(text, special, col):
            if at >= limit:
                continue
            if text[at] == "'":
                if at > 1 and text[at - 2] == "'":
                    limit = at - 2
                elif at > 2 and text[at - 2] == "\\" and text[at - 3] == "'":
                    limit = at - 3
                continue
            yield at

    def comment_end(self, start: Pos) -> Pos | None:
        """Return the slash of the `*/` behind `start`."""
        col = start.col + 1
        for line in range(start.line, len(self.lines)):
            at = self.lines[line].find("*/", col)
            if at >= 0:
                return Pos(line, at + 1)
            col = 0
            self.poll(line)
        return None

    def comment_start(self, start: Pos, *, any_end: bool = False) -> Pos | None:
        """Return the slash of the `/*` before `start`. `any_end`: the end of another comment is passed over."""
        best: Pos | None = None
        limit = start.col
        for line in range(start.line, -1, -1):
            text = self.lines[line]
            comment = line_comment(text)
            for at in range(min(limit, len(text)) - 1, 0, -1) if "/*" in text or "*/" in text else ():
                two = text[at - 1 : at + 1]
                if two == "/*" and (at == 1 or text[at - 2] != "*") and at < comment:
                    best = Pos(line, at - 1)
                elif two == "*/":
                    if best is not None:
                        return best
                    if at > 1 and text[at - 2] == "/" and at <= comment:
                        return Pos(line, at - 2)
                    if not any_end:
                        return None
            if line > 0:
                limit = len(self.lines[line - 1]) + 1
            self.poll(line)
        return best

    def conditional(self, start: Pos, *, forward: bool, hash_key: bool = False) -> Pos | None:
        """Return the `#else` or `#endif` behind (or the `#if` before) the line of `start` that belongs to it.

        `hash_key`: as `[#` does, which also stops at `#else` on the way back.
        """
        count, step = 0, 1 if forward else -1
        line = start.line + step
        while 0 <= line < len(self.lines):
            match = _CONDITIONAL.match(self.lines[line])
            if match is not None:
                kind = match[1]
                opens, closes = ("if", "endif") if forward else ("endif", "if")
                at = Pos(line, self.lines[line].index("#"))
                if kind == opens:
                    count += 1
                elif count == 0 and (kind == closes or forward or hash_key):
                    return at
                elif kind == closes:
                    count -= 1
            line += step
            self.poll(line)
        return None


def conditional_kind(text: str) -> str:
    """Return "if", "el" or "endif" where the line is a C preprocessor conditional, else ""."""
    match = _CONDITIONAL.match(text)
    return match[1] if match else ""


def line_comment(text: str) -> int:
    """Return where a `//` comment begins in the line, else a number beyond it."""
    at = text.find("//")
    while at >= 0:
        # Not inside `/* */` nor part of `*//`.
        if (at == 0 or text[at - 1] != "*" or text[at + 2 : at + 3] != "*") and not in_string(text, at):
            return at
        at = text.find("//", at + 1)
    return 1 << 31


def in_string(text: str, col: int) -> bool:
    """Return whether `col` lies in a double-quoted string of the line."""
    inside, at = False, 0
    while at < col:
        if text[at] == '"' and not backslashes(text, at) & 1:
            inside = not inside
        at += 1
    return inside
