"""Lines of agent buffers: text that is safe to show, each with a code that says what kind of line it is.

A code is a word, or a word and more after a blank ("code python"); `styles.py` turns codes into colours and
`conversation.py` into regions. What a session's lines are is decided by its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

# What an agent may not do to a terminal or to the order of what is read: control characters, bidirectional
# overrides, half characters. A tab stays.
_UNSAFE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\u2028\u2029]"
_SGR = r"\x1b\[[0-9;:]*[mK]"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Return a compiled pattern: made when it is first needed, since the editor may start without any agent."""
    return re.compile(text)


# The kinds of line. LABEL and HEADER are furniture: never copied with what they head.
LABEL = "label"
THINKING = "thinking"
TEXT = "text"
THOUGHT = "thought"
HEADING = "heading"
LIST = "list"
QUOTE = "quote"
TABLE = "table"
RULE = "rule"
FENCE = "fence"
CODE = "code"
HEADER = "header"
FAILED = "failed"
DETAIL = "detail"
OUTPUT = "output"
ADDED = "added"
REMOVED = "removed"
HUNK = "hunk"
CONTEXT = "context"
PLAN = "plan"
NOTICE = "notice"
DIM = "dim"
ASK = "ask"
OPTION = "option"
BLANK = "blank"


class Line(NamedTuple):
    """One line of a conversation and its code."""

    text: str
    code: str


def visible(text: str) -> str:
    """Return text with every control character made visible (`^[`, `<9b>`, `<202e>`); line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return _pattern(_UNSAFE).sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return "^" + chr(code + 64)
    if code == 0x7F:
        return "^?"
    if 0xD800 <= code < 0xE000:
        return "\ufffd"
    return f"<{code:02x}>"


def one_line(text: str, most: int = 200) -> str:
    """Return text as one visible line of at most `most` characters, for headings and messages."""
    text = visible(" ".join(text[: most * 4].split()))
    return text if len(text) <= most else text[: most - 1] + "…"


def split(text: str) -> list[str]:
    """Return the visible lines of a finished text, whatever its line ends; a last line end adds no line."""
    rows = visible(text.replace("\r\n", "\n")).split("\n")
    if len(rows) > 1 and not rows[-1]:
        rows.pop()
    return rows


def terminal_lines(text: str) -> list[str]:
    """Return a terminal's output as lines: colours taken out, a carriage return begins the line again."""
    text = _pattern(_SGR).sub("", text.replace("\r\n", "\n"))
    return split("\n".join(row.rstrip("\r").rsplit("\r", 1)[-1] for row in text.split("\n")))


def coded(rows: Iterable[str], code: str) -> list[Line]:
    """Return the rows as lines of one code."""
    return [Line(row, code) for row in rows]


def size(count: int) -> str:
    """Return a number of bytes for people."""
    if count < 1024:
        return f"{count} B"
    return f"{count // 1024} KiB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MiB"
