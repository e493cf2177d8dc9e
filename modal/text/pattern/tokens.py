"""The characters of a pattern with their magic: `*` or `\\*`, special or itself, by level and place.

Lives here: the reader that knows `\\v \\m \\M \\V`, when `^ $ *` are literal, and numbers.
Not here: what the special characters mean (`parse.py`, `collection.py`). Source: `:help /magic`.
"""

from __future__ import annotations

from typing import NamedTuple

NONE, OFF, ON, ALL = 1, 2, 3, 4
"""Magic levels: `\\V`, `\\M`, `\\m`, `\\v`."""

_META = frozenset("%&()*+.123456789<=>?@ACDFHIKLMOPSUVWXZ[_acdfhiklmnopsuvwxz{|~")
_ABBREVIATIONS = {"e": "\x1b", "t": "\t", "r": "\r", "b": "\b"}
_VERY_MAGIC = frozenset("(){%+=?@!&|<>#\"',-:;`/")
_OPENERS = frozenset("(|&")
_LEVEL_LETTERS = {"v": ALL, "m": ON, "M": OFF, "V": NONE}


class Token(NamedTuple):
    """One character and whether it is special. The end of the pattern is `Token("", False)`."""

    char: str
    magic: bool


END = Token("", False)


class Reader:
    """Reads a pattern token by token. `at_start` and the last two tokens decide about `^` and `*`."""

    def __init__(self, text: str, level: int) -> None:
        self.text = text
        self.level = level
        self.pos = 0
        self._size = 0
        self._token: Token | None = None
        self._at_start = True
        self._was_at_start = False
        self._last = self._before_last = END

    def peek(self) -> Token:
        """Return the next token without taking it."""
        if self._token is None:
            self._token, self._size = self._read(self.pos, False)
            if self._token == Token("^", True):
                self._at_start = True
        return self._token

    def take(self) -> Token:
        """Return the next token and go behind it."""
        token = self.peek()
        self.pos += self._size
        self._was_at_start, self._at_start = self._at_start, False
        self._before_last, self._last = self._last, token
        self._token = None
        return token

    def skip_keeping_start(self) -> None:
        """Take a token such as `\\v` or `\\c` that leaves the next one at the start of the pattern."""
        self.peek()
        kept = self._was_at_start, self._before_last, self._last  # peeking moved the start there
        self.take()
        self._at_start, self._before_last, self._last = kept

    def set_level(self, letter: str) -> None:
        """Change the magic level from here on, for the letter `v m M V`."""
        self.level = _LEVEL_LETTERS[letter]
        self._token = None

    def jump(self, pos: int) -> None:
        """Go on at `pos`, behind something that was read as plain text."""
        self.pos = pos
        self._token = None

    def number(self, base: int, most: int) -> int | None:
        """Take up to `most` digits of the base from the plain text; None when there is none."""
        digits = "0123456789abcdef"[:base]
        end = self.pos
        while end < len(self.text) and end - self.pos < most and self.text[end].lower() in digits:
            end += 1
        if end == self.pos:
            return None
        value = int(self.text[self.pos : end], base)
        self.jump(end)
        return value

    def _read(self, at: int, after_slash: bool) -> tuple[Token, int]:
        char = self.text[at : at + 1]
        if char == "\\":
            return self._read_escape(at)
        magic = False
        if char in ("[", ".", "~") and char:
            magic = self.level >= ON
        elif char == "*":
            magic = self.level >= ON and self._star_is_magic(after_slash)
        elif char == "^":
            magic = self.level >= OFF and self._caret_is_magic()
        elif char == "$":
            magic = self.level >= OFF and self._dollar_is_magic(at)
        elif char in _VERY_MAGIC:
            magic = self.level == ALL
        return Token(char, magic), len(char)

    def _read_escape(self, at: int) -> tuple[Token, int]:
        char = self.text[at + 1 : at + 2]
        if not char:
            return Token("\\", False), 1
        if char in _META:
            self._was_at_start, self._at_start = self._at_start, False  # "\*" counts after a "^"
            token, size = self._read(at + 1, True)
            return Token(token.char, not token.magic), size + 1
        if char in _ABBREVIATIONS:
            return Token(_ABBREVIATIONS[char], False), 2
        return Token(char, self.level == NONE and char in "$^"), 2

    def _star_is_magic(self, after_slash: bool) -> bool:
        if self._at_start or (self._was_at_start and self._last == Token("^", True)):
            return False
        return after_slash or not (self._last.magic and self._last.char in _OPENERS)

    def _caret_is_magic(self) -> bool:
        last = self._last
        return (
            self._at_start
            or self.level == ALL
            or (last.magic and last.char in "(|&n")
            or (last.char == "(" and self._before_last == Token("%", True))
        )

    def _dollar_is_magic(self, at: int) -> bool:
        rest, very = self.text[at + 1 :], self.level == ALL
        while len(rest) > 1 and rest[0] == "\\" and rest[1] in "cCmMvVZ":
            if rest[1] in _LEVEL_LETTERS:
                very = rest[1] == "v"
            rest = rest[2:]
        return (
            not rest
            or (rest[0] == "\\" and rest[1:2] in ("|", "&", ")", "n"))
            or (very and rest[0] in ")|&")
            or self.level == ALL
        )
