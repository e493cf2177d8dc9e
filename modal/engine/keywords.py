"""The words of a line that completion offers: of keyword characters, and of one script each (`:help i_CTRL-N`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tpy.modal.text import chars
from tpy.modal.text.chars import is_combining


class Word(NamedTuple):
    """A word from `start` up to `end`; the keyword characters, perhaps of another script, go on up to `last`."""

    text: str
    start: int
    end: int
    last: int


class Keywords:
    """Finds words by the option `'iskeyword'`, given as its value."""

    def __init__(self, iskeyword: str) -> None:
        self.keyword = chars.parse_option(iskeyword)
        letters = "".join(f"\\x{code:02x}" for code in sorted(self.keyword) if code < 256)
        self._runs = re.compile(f"[{letters}\u0100-\U0010ffff]+")

    def words(self, text: str, col: int = 0) -> Iterator[Word]:
        """Yield the words that begin at or behind a column."""
        for run in self._runs.finditer(text, col):
            if run[0].isascii():
                if run.start() != col or not self.goes_on(text, col):
                    yield Word(run[0], run.start(), run.end(), run.end())
            else:
                yield from self._pieces(text, run.start(), run.end())

    def _pieces(self, text: str, at: int, end: int) -> Iterator[Word]:
        """Yield the words in characters that are not all ASCII."""
        while at < end:
            begin, kind = at, self._kind(text[at])
            at += 1
            while at < end and (is_combining(text[at]) or self._kind(text[at]) == kind):
                at += 1
            if kind >= chars.WORD and not (begin > 0 and self.goes_on(text, begin)):
                goes_on = at < end and self._kind(text[at]) >= chars.WORD
                yield Word(text[begin:at], begin, at, at + goes_on)

    def _kind(self, char: str) -> int:
        return chars.char_class(char, self.keyword)

    def goes_on(self, text: str, at: int) -> bool:
        """Whether the word before a column goes on there."""
        if not 0 < at < len(text):
            return False
        kind = self._kind(text[at])
        return is_combining(text[at]) or (kind >= chars.WORD and self._kind(text[at - 1]) == kind)

    def begin(self, text: str, col: int) -> int:
        """Return where the word before a column begins."""
        at = col
        while at > 0 and is_combining(text[at - 1]) and at > 1:
            at -= 1
        if at == 0 or (kind := self._kind(text[at - 1])) < chars.WORD:
            return col
        while at > 0 and (is_combining(text[at - 1]) or self._kind(text[at - 1]) == kind):
            at -= 1
        return at


def begun(words: Iterable[Word], fits: Callable[[str], bool], typed: str) -> Iterable[Word]:
    """Yield the words of a line that begin with what was typed. Where that is not two characters, two keyword
    characters are looked for, and a word that the second is of, in another script, is passed over."""
    behind = 0
    for word in words:
        if word.start < behind or not fits(word.text):
            continue
        size = sum(not chars.is_combining(char) for char in word.text)
        if len(typed) > 1:
            yield word
        elif size > 1 or word.last > word.end:
            behind = word.last if size == 1 else 0
            yield word
