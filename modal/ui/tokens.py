"""Tokens of Pygments as spans of lines with the classes themes know (`syntax.keyword`, `syntax.string`, …)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Span = tuple[int, int, str]
Spans = tuple[Span, ...]

# By the token's name without "Token."; what is missing goes by its beginning, "" is ordinary text.
_CLASSES = {
    "Comment": "syntax.comment",
    "Comment.Preproc": "syntax.preproc",
    "Comment.PreprocFile": "syntax.string",
    "Keyword": "syntax.keyword",
    "Keyword.Constant": "syntax.constant",
    "Keyword.Type": "syntax.type",
    "Name": "",
    "Name.Attribute": "syntax.attribute",
    "Name.Builtin": "syntax.builtin",
    "Name.Class": "syntax.type",
    "Name.Constant": "syntax.constant",
    "Name.Decorator": "syntax.decorator",
    "Name.Entity": "syntax.string.escape",
    "Name.Exception": "syntax.type",
    "Name.Function": "syntax.function",
    "Name.Tag": "syntax.tag",
    "Literal": "syntax.constant",
    "Literal.Date": "syntax.constant",
    "Literal.Number": "syntax.number",
    "Literal.String": "syntax.string",
    "Literal.String.Doc": "syntax.string",
    "Literal.String.Escape": "syntax.string.escape",
    "Literal.String.Interpol": "syntax.string.escape",
    "Operator": "syntax.operator",
    "Operator.Word": "syntax.keyword",
    "Generic.Deleted": "syntax.deleted",
    "Generic.Inserted": "syntax.inserted",
    "Generic.Heading": "markup.heading",
    "Generic.Subheading": "markup.heading",
    "Generic.Strong": "markup.strong",
    "Generic.Emph": "markup.emphasis",
    "Generic.EmphStrong": "markup.strong",
    "Generic.Prompt": "syntax.keyword",
    "Generic.Traceback": "syntax.error",
}
_known: dict[Any, str] = {}


def class_of(token: Any) -> str:
    """The class of a token type."""
    known = _known.get(token)
    if known is None:
        name = str(token).removeprefix("Token").removeprefix(".")
        while name and name not in _CLASSES:
            name = name.rpartition(".")[0]
        known = _known[token] = _CLASSES.get(name, "")
    return known


def add(spans: list[Span], start: int, end: int, name: str) -> None:
    """Put a span at the end of a line's, joined with the one before if that is of the same class."""
    if spans and spans[-1][2] == name and spans[-1][1] == start:
        spans[-1] = (spans[-1][0], end, name)
    else:
        spans.append((start, end, name))


def line_spans(tokens: Iterable[tuple[int, Any, str]], lines: int) -> list[Spans]:
    """The spans of each of `lines` lines from tokens of their joined text."""
    rows: list[list[Span]] = [[] for _ in range(lines)]
    line, begin = 0, 0
    for at, token, text in tokens:
        name = class_of(token)
        parts = text.split("\n")
        for number, part in enumerate(parts):
            if name and part and line < lines:
                add(rows[line], at - begin, at - begin + len(part), name)
            at += len(part) + 1
            if number < len(parts) - 1:
                line, begin = line + 1, at
        if line >= lines:
            break
    return [tuple(row) for row in rows]


def shifted(spans: Spans, old: str, new: str) -> Spans:
    """The spans of a line whose text has changed, until it is coloured anew: those beside the change stay in place."""
    if not spans:
        return spans
    least = min(len(old), len(new))
    head = 0
    while head < least and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < least - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    by, edge = len(new) - len(old), len(old) - tail
    moved = []
    for start, end, name in spans:
        first = start if start <= head else max(start, edge) + by
        last = end + by if end >= edge else min(end, head)
        if first < last:
            moved.append((first, last, name))
    return tuple(moved)
