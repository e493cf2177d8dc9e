"""Operators that take text away (`:help operator`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.registry import operator
from tpy.modal.text.position import LINE, Pos, Span, clamp, first_nonblank


@operator("delete", register="delete")
def delete(ctx: Context, span: Span) -> None:
    """Delete the text."""
    buffer = ctx.buffer
    first, last = span.start.line, span.end.line
    if span.kind == LINE:
        buffer.delete(first, last + 1)
        line = min(first, len(buffer.lines) - 1)
        ctx.cursor = Pos(line, first_nonblank(buffer.lines[line]))
    else:
        text = buffer.lines[first][: span.start.col] + buffer.lines[last][span.end.col :]
        buffer.replace(first, last + 1, [text])
        ctx.cursor = clamp(span.start, buffer.lines)
    buffer.marks.set_changed(ctx.cursor, ctx.cursor)
