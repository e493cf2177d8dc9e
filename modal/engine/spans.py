"""From a motion or selection to a span, under Vim's kind rules, and the text of a span as a register.

One function applies the rules (`:help exclusive`, `:help o_v`); operators never ask how they got their span.
"""

from __future__ import annotations

from collections.abc import Sequence

from tpy.modal.editor import Visual
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.grammar import Command, Shape
from tpy.modal.text.position import BLOCK, CHAR, EXCLUSIVE, INCLUSIVE, LINE, MAXCOL, Pos, Span, promote
from tpy.modal.text.registers import Register
from tpy.modal.text.width import block_cut, cell_width, col_at, column_of, next_col


def after(lines: Sequence[str], pos: Pos) -> Pos:
    """Return the place behind the character at `pos`, the line's end at most."""
    text = lines[pos.line]
    return Pos(pos.line, min(next_col(text, pos.col), len(text)))


def normalise(ctx: Context, target: Target, command: Command) -> Span:
    """Return the span from the cursor to a motion's target, as the motion's kind and `v`, `V`, `<C-v>` make it."""
    start = target.start if target.start is not None else ctx.cursor
    kind = target.kind or (command.motion.kind if command.motion is not None else EXCLUSIVE)
    start, end = min(start, target.pos), max(start, target.pos)
    if command.force == "V":
        kind = LINE
    elif command.force == "v":
        kind = {LINE: EXCLUSIVE, EXCLUSIVE: INCLUSIVE, INCLUSIVE: EXCLUSIVE}[kind]
    elif command.force == "<C-v>":
        left, right = sorted(_column(ctx, pos) for pos in (start, end))
        if kind == EXCLUSIVE:
            right -= 1
        return Span(start, end, BLOCK, left, max(right, left))
    if kind == LINE:
        return Span(start, end, LINE)
    if kind == INCLUSIVE:
        return Span(start, after(ctx.lines, end), CHAR)
    return Span(start, end, CHAR) if target.exact else promote(start, end, ctx.lines)


def _column(ctx: Context, pos: Pos) -> int:
    return column_of(ctx.lines[pos.line], pos.col, ctx.tabstop)


def _right(ctx: Context, pos: Pos) -> int:
    """Return the last display column of the character at `pos`."""
    text = ctx.lines[pos.line]
    left = column_of(text, pos.col, ctx.tabstop)
    return left + max(cell_width(text, pos.col, left, ctx.tabstop), 1) - 1 if pos.col < len(text) else left


def visual_span(ctx: Context, visual: Visual) -> Span:
    """Return the span of the Visual selection."""
    start, end = sorted((visual.start, ctx.cursor))
    if visual.kind == "V":
        return Span(Pos(start.line, 0), end, LINE)
    if visual.kind == "v":
        if end.col >= len(ctx.lines[end.line]):
            # The line break is selected too: as far as the start of the next line, where there is one.
            if end.line + 1 < len(ctx.lines):
                return Span(start, Pos(end.line + 1, 0), CHAR)
            return Span(start, Pos(end.line, len(ctx.lines[end.line])), CHAR)
        return Span(start, after(ctx.lines, end), CHAR)
    top, bottom = start.line, end.line
    left = min(_column(ctx, visual.start), _column(ctx, ctx.cursor))
    right = max(_right(ctx, visual.start), _right(ctx, ctx.cursor))
    corner = Pos(top, col_at(ctx.lines[top], left, ctx.tabstop))
    last = Pos(bottom, col_at(ctx.lines[bottom], right, ctx.tabstop))
    return Span(corner, last, BLOCK, left, MAXCOL if visual.dollar else right, visual.dollar)


def shape_of(ctx: Context, visual: Visual) -> Shape:
    """Return the size of the selection, for `.` to repeat the command on as much text."""
    start, end = sorted((visual.start, ctx.cursor))
    lines = end.line - start.line + 1
    if visual.kind == "<C-v>":
        left = min(_column(ctx, visual.start), _column(ctx, ctx.cursor))
        right = max(_right(ctx, visual.start), _right(ctx, ctx.cursor))
        return Shape(visual.kind, lines, right - left + 1, visual.dollar)
    columns = end.col - start.col + 1 if lines == 1 else end.col + 1
    return Shape(visual.kind, lines, columns, visual.dollar)


def repeated_span(ctx: Context, shape: Shape) -> Span:
    """Return the span at the cursor that is as large as a selection was (`:help visual-repeat`)."""
    start = ctx.cursor
    last = min(start.line + shape.lines - 1, len(ctx.lines) - 1)
    if shape.kind == "V":
        return Span(Pos(start.line, 0), Pos(last, 0), LINE)
    if shape.kind == "v":
        text = ctx.lines[last]
        end = (start.col if shape.lines == 1 else 0) + shape.columns
        return Span(start, Pos(last, len(text) if shape.dollar else min(end, len(text))), CHAR)
    left = _column(ctx, start)
    right = MAXCOL if shape.dollar else left + shape.columns - 1
    end_col = col_at(ctx.lines[last], min(right, MAXCOL), ctx.tabstop)
    return Span(start, Pos(last, end_col), BLOCK, left, right, shape.dollar)


def extract(lines: Sequence[str], span: Span, tabstop: int) -> Register:
    """Return the text of a span as a register holds it."""
    if span.kind == LINE:
        return Register(tuple(lines[span.start.line : span.end.line + 1]), LINE)
    if span.kind == BLOCK:
        rows = [
            block_cut(text, span.left, span.right, tabstop).middle
            for text in lines[span.start.line : span.end.line + 1]
        ]
        width = max((column_of(row, len(row), tabstop) for row in rows), default=0)
        return Register(tuple(rows), BLOCK, width if span.dollar else span.right - span.left + 1)
    if span.start.line == span.end.line:
        return Register((lines[span.start.line][span.start.col : span.end.col],), CHAR)
    middle = lines[span.start.line + 1 : span.end.line]
    return Register(
        (lines[span.start.line][span.start.col :], *middle, lines[span.end.line][: span.end.col]), CHAR
    )
