"""Markdown line by line: what kind of line comes next, and where emphasis, code and links are inside one.

The source is kept as it came, so that what is copied and written is what the agent said; only its looks follow from
here. `classify` needs nothing but the state before the line, so that a streamed text is read once.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tpy.modal.agent.lines import CODE, FENCE, HEADING, LIST, QUOTE, RULE, TABLE, TEXT

# Longer lines are not searched for emphasis: it would be felt at each drawing.
MOST_INLINE = 2000

_FENCE = re.compile(r"^([ \t]*(?:[-*+>] +|\d{1,9}[.)] +)?)(`{3,}|~{3,})[ \t]*([^`\s]*)[^`]*$")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?: |$)")
_LIST = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_RULE = re.compile(r"^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$")
_INLINE = re.compile(
    r"(?P<code>(?P<tick>`+)[^`](?:[^`]|`(?!(?P=tick)))*?(?P=tick)(?!`))"
    r"|(?P<strong>\*\*(?=\S)[^*\n]+?(?<=\S)\*\*|__(?=\S)[^_\n]+?(?<=\S)__(?!\w))"
    r"|(?P<emphasis>(?<![*\w])\*(?=[^\s*])[^*\n]+?(?<=[^\s*])\*(?!\*)|(?<![_\w])_(?=[^\s_])[^_\n]+?(?<=[^\s_])_(?!\w))"
    r"|(?P<link>\[[^\[\]\n]+\]\([^()\s]+\)|https?://[^\s<>()\[\]]+)"
)


class State(NamedTuple):
    """What a line is read by: the fence it stands in, with the blanks before it and its language."""

    fence: str = ""
    indent: int = 0
    language: str = ""


START = State()


class Inline(NamedTuple):
    """A stretch of a line: `start` up to and without `end`; `kind` is code, strong, emphasis or link."""

    start: int
    end: int
    kind: str


def classify(text: str, state: State) -> tuple[str, State]:
    """Return the code of a line and the state after it."""
    if state.fence:
        stripped = text.strip()
        if stripped.startswith(state.fence) and not stripped.strip(state.fence[0]):
            return FENCE, START
        return (f"{CODE} {state.language}" if state.language else CODE), state
    head = text.lstrip(" \t>-*+0123456789.)")
    if head[:1] in ("`", "~"):
        opened = _FENCE.match(text)
        if opened is not None:
            indent = len(opened[1]) if not opened[1].strip() else 0
            return FENCE, State(opened[2], indent, opened[3].lower())
    return _plain(text), state


def _plain(text: str) -> str:
    first = text.lstrip()[:1]
    if first == "#" and _HEADING.match(text):
        return HEADING
    if first in ("-", "*", "_") and _RULE.match(text):
        return RULE
    if first == ">":
        return QUOTE
    if first == "|":
        return TABLE
    if (first in ("-", "*", "+") or first.isdigit()) and _LIST.match(text):
        return LIST
    return TEXT


def inline(text: str) -> tuple[Inline, ...]:
    """Return the emphasised, literal and linked stretches of a line, in order."""
    if len(text) > MOST_INLINE:
        return ()
    return tuple(Inline(match.start(), match.end(), match.lastgroup or "") for match in _INLINE.finditer(text))


def dedent(rows: list[str]) -> list[str]:
    """Return the rows of a fence without the blanks they have in common."""
    indents = [len(row) - len(row.lstrip(" ")) for row in rows if row.strip()]
    common = min(indents, default=0)
    return [row[common:] for row in rows]


def last_fence(text: str) -> list[str] | None:
    """Return the lines of the last fenced block of a text, `None` where there is none."""
    found: list[str] | None = None
    inside: list[str] = []
    state = START
    for row in text.split("\n"):
        code, after = classify(row, state)
        if code == FENCE:
            if state.fence:
                found = dedent(inside)
            inside = []
        else:
            inside.append(row)
        state = after
    return dedent(inside) if state.fence and inside else found
