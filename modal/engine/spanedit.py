"""Changing the characters of a span, line by line, as one change: what case, `r` and numbers are built on."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine.context import Context
from tpy.modal.text.position import BLOCK, LINE, Pos, Span
from tpy.modal.text.width import char_cells, col_at, prev_col


def columns_in(text: str, span: Span, line: int, tabstop: int) -> tuple[int, int]:
    """Return which characters of a line, from and up to, lie in a span; in a block those that begin in it."""
    if span.kind == LINE:
        return 0, len(text)
    if span.kind != BLOCK:
        first = span.start.col if line == span.start.line else 0
        last = span.end.col if line == span.end.line else len(text)
        return first, max(first, last)
    if text.isascii() and text.isprintable():
        return min(span.left, len(text)), min(span.right + 1, len(text))
    first = col_at(text, span.left, tabstop)
    at = 0
    begin = end = len(text)
    for col, char in enumerate(text):
        if col == first:
            begin = col
        if at > span.right and char_cells(char, at, tabstop):
            end = col
            break
        at += char_cells(char, at, tabstop)
    return begin, max(begin, end)


def mark_changed(ctx: Context, span: Span, *, changed: bool = True) -> None:
    """Set the marks of changed text to the first and last character of a span that has as many lines as before."""
    start, end, marks = span.start, span.end, ctx.buffer.marks
    text = ctx.lines[end.line]
    if span.kind == LINE:
        start, end = Pos(start.line, 0), Pos(end.line, max(len(text) - 1, 0))
    elif span.kind != BLOCK:
        end = Pos(end.line, prev_col(text, min(end.col, len(text))))
    marks.set_changed(start, end)
    if changed:
        marks.add_change(Pos(start.line, 0) if span.kind == BLOCK else start)


def edit_span(ctx: Context, span: Span, change: Callable[[str], str]) -> bool:
    """Replace the text of a span by what `change` makes of each line's part; lines keep their number. Return whether
    that made a difference."""
    first, last = span.start.line, span.end.line
    old = ctx.lines[first : last + 1]
    new = []
    for offset, text in enumerate(old):
        ctx.engine.poll(offset)
        begin, end = columns_in(text, span, first + offset, ctx.tabstop)
        new.append(text[:begin] + change(text[begin:end]) + text[end:])
    if new == old:
        ctx.buffer.save_line(first)
        return False
    ctx.buffer.replace(first, last + 1, new)
    return True
