"""Characters that cannot be typed as they are: by `<C-v>` and a code or key, by `<C-k>` and a digraph.

`:help i_CTRL-V`, `:help i_CTRL-K`. Insert mode and the arguments of `r`, `f` and such ask the same collectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from tpy.modal.editor import Editor
from tpy.modal.keymap import char_of
from tpy.modal.text.digraphs import digraph

# How many digits a code may have, by the letter before it, and its base.
_CODES = {"": (3, 10), "o": (3, 8), "x": (2, 16), "u": (4, 16), "U": (8, 16)}
_LAST = 0x10FFFF


class Collected(NamedTuple):
    """What was collected: a character, the name of a key, or "" for nothing; and a key that did not belong to it."""

    text: str
    rest: str | None = None


class Collector(Protocol):
    """Takes keys until they make a character."""

    def feed(self, key: str) -> Collected | None:
        """Take one key; `None` while more are needed."""


class Literal:
    """The keys after `<C-v>`: digits of a code, or any one key.

    As in Vim the letter that tells the base may also come between the digits.
    """

    def __init__(self) -> None:
        self._kind = ""
        self._count = 0
        self._code = 0

    def feed(self, key: str) -> Collected | None:
        """Take one key; `None` while more are needed."""
        char = char_of(key)
        if char is not None and char in "xXoOuU":
            self._kind = char if char == "U" else char.lower()
        elif char is not None and _is_digit(char, _CODES[self._kind][1]):
            self._code = self._code * _CODES[self._kind][1] + int(char, 16)
            self._count += 1
        elif self._count:
            return Collected(chr(self._code), key)
        else:
            return Collected(key if char is None else char)
        self._code = min(self._code, _LAST if self._kind in ("u", "U") else 255)
        return Collected(chr(self._code)) if self._count >= _CODES[self._kind][0] else None


def _is_digit(char: str, base: int) -> bool:
    return char in "0123456789abcdefABCDEF" and int(char, 16) < base


class Digraph:
    """The two keys after `<C-k>`; a key that is no character gives its name. `own`: the user's digraphs."""

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        self._own = dict(own) if own else None
        self._first: str | None = None

    def feed(self, key: str) -> Collected | None:
        """Take one key; `None` while more are needed."""
        if key in ("<Esc>", "<C-c>"):
            return Collected("")
        char = char_of(key)
        if self._first is None:
            if char is None:
                return Collected(key)
            self._first = char
            return None
        return Collected("" if char is None else digraph(self._first, char, self._own))


def collector(key: str, own: object = None) -> Collector | None:
    """Return what collects the keys after `key`, `None` where that begins nothing."""
    if key in ("<C-v>", "<C-q>"):
        return Literal()
    if key == "<C-k>":
        return Digraph(own if isinstance(own, dict) else None)
    return None


class Overtyped:
    """Digraphs that are typed as a character, `<BS>` and another one (`:help 'digraph'`)."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        # The character that `<BS>` took.
        self._taken = ""

    def take(self, key: str, last: str) -> str:
        """Return what a key stands for, the key before being `last`."""
        taken, self._taken = self._taken, ""
        if taken and len(key) == 1:
            return digraph(taken, key, self._editor.extra.get("digraphs"), blank=False)
        if key in ("<BS>", "<C-h>") and len(last) == 1 and self._editor.option("digraph"):
            self._taken = last
        return key
