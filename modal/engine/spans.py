"""From a motion or selection to a span, under Vim's kind rules, and the text of a span as a register.

One function applies the rules (`:help exclusive`, `:help o_v`); operators never ask how they got their span.
"""

from __future__ import annotations

from collections.abc import Sequence

from tpy.modal.editor import Visual
from tpy.modal.engine import virtualchars
from tpy.modal.engine.columns import at_column, block_edges, column, right_column
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.grammar import Command, Shape
from tpy.modal.engine.virtual import is_virtual
from tpy.modal.text.position import BLOCK, CHAR, EXCLUSIVE, INCLUSIVE, LINE, MAXCOL, Pos, Span, promote
from tpy.modal.text.registers import Register
from tpy.modal.text.width import block_cut, col_at, column_of, next_col, prev_col


def after(lines: Sequence[str], pos: Pos) -> Pos:
    """Return the place behind the character at `pos`, the line's end at most."""
    text = lines[pos.line]
    return Pos(pos.line, min(next_col(text, pos.col), len(text)))


def before(lines: Sequence[str], pos: Pos) -> Pos:
    """Return the place of the character before `pos`, the end of the line before at the start of one."""
    if pos.col > 0:
        return Pos(pos.line, prev_col(lines[pos.line], pos.col))
    return Pos(pos.line - 1, len(lines[pos.line - 1])) if pos.line else pos


def forced(kind: str, force: str) -> str:
    """Return the kind that `v` or `V` behind an operator makes of a motion's (`:help o_v`)."""
    if force == "V":
        return LINE
    return {LINE: EXCLUSIVE, EXCLUSIVE: INCLUSIVE}.get(kind, EXCLUSIVE)


def normalise(ctx: Context, target: Target, command: Command) -> Span:
    """Return the span from the cursor to a motion's target, as the motion's kind and `v`, `V`, `<C-v>` make it."""
    start = target.start if target.start is not None else ctx.cursor
    kind = target.kind or (command.motion.kind if command.motion is not None else EXCLUSIVE)
    start, end = min(start, target.pos), max(start, target.pos)
    if command.force in ("v", "V") and not (command.object is not None and command.object.selects):
        kind = forced(kind, command.force)
    elif command.force == "<C-v>":
        deletes = command.operator is not None and command.operator.register == "delete"
        if start == end and kind == EXCLUSIVE and deletes:
            return Span(start, end, CHAR)
        if kind == EXCLUSIVE and 0 < end.col == len(ctx.lines[end.line]) and not is_virtual(ctx.engine):
            end = Pos(end.line, prev_col(ctx.lines[end.line], end.col))
        dollar = (ctx.window.want if target.want is None else target.want) == MAXCOL
        return _block(ctx, start, end, dollar=dollar)._replace(inclusive=kind != EXCLUSIVE)
    ctx.engine.last_kind = kind
    if kind == LINE:
        return Span(start, end, LINE)
    if is_virtual(ctx.engine) and (kind == INCLUSIVE or target.exact or end.col or end.line == start.line):
        return virtualchars.span_of(ctx, start, end, inclusive=kind == INCLUSIVE)
    if kind == INCLUSIVE:
        return Span(start, after(ctx.lines, end), CHAR)
    exact = target.exact and target.kind != INCLUSIVE
    span = Span(start, end, CHAR) if exact else promote(start, end, ctx.lines)
    if span.end.line < end.line:
        ctx.engine.last_kind = LINE if span.kind == LINE else INCLUSIVE
    return span


def visual_span(ctx: Context, visual: Visual, *, lines: bool) -> Span:
    """Return the span of the Visual selection; an operator on `lines` does not take a selected line break."""
    start, end = sorted((visual.start, ctx.cursor))
    ctx.engine.last_kind = LINE if visual.kind == "V" else INCLUSIVE
    if visual.kind == "<C-v>":
        return _block(ctx, start, end, dollar=visual.dollar)
    if "folds" in ctx.window.extra:
        start, end = _with_folds(ctx, start, end)
    if visual.kind == "V":
        # The fixed end counts as the first column; the cursor keeps its own.
        first = Pos(start.line, 0) if start.line == visual.start.line else start
        return Span(first, end, LINE)
    if is_virtual(ctx.engine):
        outside = ctx.option("selection") == "exclusive" and start != end
        return virtualchars.span_of(ctx, start, end, inclusive=not outside)._replace(inclusive=True)
    if ctx.option("selection") == "exclusive" and start != end:
        return Span(start, before(ctx.lines, end) if lines and end.col == 0 else end, CHAR)
    return _through(ctx, start, end, lines=lines)


def _with_folds(ctx: Context, start: Pos, end: Pos) -> tuple[Pos, Pos]:
    """Return the ends of a selection with the closed folds there taken whole."""
    first, last = ctx.window.closed_fold(start.line), ctx.window.closed_fold(end.line)
    if first is not None:
        start = Pos(first[0], 0)
    if last is not None:
        end = Pos(last[1], len(ctx.lines[last[1]]))
    return start, end


def _through(ctx: Context, start: Pos, end: Pos, *, lines: bool) -> Span:
    """Return the span of selected characters through the one at `end`, which may be a line's end."""
    if end.col >= len(ctx.lines[end.line]):
        ctx.engine.last_kind = EXCLUSIVE
        # The line break is selected too, where a line follows.
        if ctx.option("selection") == "old":
            return promote(start, end, ctx.lines)
        if not lines and end.line + 1 < len(ctx.lines):
            return Span(start, Pos(end.line + 1, 0), CHAR)
    return Span(start, after(ctx.lines, end), CHAR)


def _block(ctx: Context, start: Pos, end: Pos, *, dollar: bool = False) -> Span:
    """Return the block with two of its corners at these places."""
    top, bottom = start.line, end.line
    left, right = block_edges(ctx, start, end)
    if is_virtual(ctx.engine):
        return _virtual_block(ctx, Pos(top, left), Pos(bottom, right), start.add, dollar=dollar)
    corner = Pos(top, col_at(ctx.lines[top], left, ctx.tabstop))
    last = Pos(bottom, col_at(ctx.lines[bottom], right, ctx.tabstop))
    return Span(corner, last, BLOCK, left, MAXCOL if dollar else right, dollar)


def _virtual_block(ctx: Context, first: Pos, last: Pos, add: int, *, dollar: bool) -> Span:
    """Return the block between two lines and display columns, of places that may be virtual. `$` takes it to the end of
    its longest line, and as in Vim as far behind that as the start of the block was beyond its character."""
    (top, left), (bottom, right) = first, last
    if dollar:
        right = max(column_of(text, len(text), ctx.tabstop) for text in ctx.lines[top : bottom + 1]) + add
    corners = at_column(ctx, top, left), at_column(ctx, bottom, right)
    return Span(*corners, BLOCK, left, right, dollar, virtual=True, inclusive=True)


def shape_of(ctx: Context, visual: Visual, cursor: Pos | None = None) -> Shape:
    """Return the size of the selection up to the cursor, for `.` to repeat the command on as much text."""
    start, end = sorted((visual.start, ctx.cursor if cursor is None else cursor))
    lines = end.line - start.line + 1
    if visual.kind == "<C-v>":
        left, right = block_edges(ctx, start, end)
        return Shape(visual.kind, lines, right - left + 1, visual.dollar)
    if visual.kind == "v" and start != end and ctx.option("selection") == "exclusive":
        end = before(ctx.lines, end)
        lines = end.line - start.line + 1
    left, right = column(ctx, start), right_column(ctx, end)
    if lines > 1:
        return Shape(visual.kind, lines, right, visual.dollar)
    return Shape(visual.kind, lines, right - left + 1, visual.dollar)


def repeated_span(ctx: Context, shape: Shape, *, lines: bool) -> Span:
    """Return the span at the cursor that is as large as a selection was (`:help visual-repeat`)."""
    start = ctx.cursor
    last = min(start.line + shape.lines - 1, len(ctx.lines) - 1)
    if shape.kind == "V":
        return Span(start, Pos(last, 0), LINE)
    if shape.kind == "v":
        want = shape.columns if shape.lines > 1 else right_column(ctx, start) + shape.columns - 1
        if is_virtual(ctx.engine):
            end = at_column(ctx, last, MAXCOL if shape.dollar else want)
            return virtualchars.span_of(ctx, *sorted((start, end)), inclusive=True)
        text = ctx.lines[last]
        end = Pos(last, len(text) if shape.dollar else col_at(text, want, ctx.tabstop))
        if shape.dollar and shape.lines <= 1 and right_column(ctx, start) > 1:
            # In Vim the endless column overflows when it is added to that of the cursor.
            end = Pos(last, 0)
        # Where too few lines follow, the end can lie before the cursor.
        start, end = sorted((start, end))
        return _through(ctx, start, end, lines=lines)
    left = column(ctx, start)
    if is_virtual(ctx.engine):
        last_place = Pos(last, left + shape.columns - 1)
        return _virtual_block(ctx, Pos(start.line, left), last_place, start.add, dollar=shape.dollar)
    right = MAXCOL if shape.dollar else left + shape.columns - 1
    return Span(start, at_column(ctx, last, right), BLOCK, left, right, shape.dollar)


def nothing_in(span: Span, lines: Sequence[str]) -> bool:
    """Whether no character lies in a span: also in a block of one place behind the end of a line."""
    if span.kind == BLOCK and span.start == span.end:
        return span.start.col >= len(lines[span.start.line])
    return span.empty


def whole_lines(span: Span, lines: Sequence[str]) -> Span:
    """Return characters over several lines as whole lines where only blanks stand around them (`:help d`)."""
    start, end = span.start, span.end
    if span.kind != CHAR or start.line == end.line:
        return span
    if lines[start.line][: start.col].strip(" \t") or lines[end.line][end.col :].strip(" \t"):
        return span
    return Span(start, end, LINE)


def extract(lines: Sequence[str], span: Span, tabstop: int) -> Register:
    """Return the text of a span as a register holds it."""
    if span.virtual and span.kind == CHAR:
        return virtualchars.extract(lines, span, tabstop)
    if span.kind == LINE:
        return Register(tuple(lines[span.start.line : span.end.line + 1]), LINE)
    if span.kind == BLOCK:
        if span.virtual:
            return _extract_cells(lines[span.start.line : span.end.line + 1], span, tabstop)
        return _extract_block(lines[span.start.line : span.end.line + 1], span, tabstop)
    if span.start.line == span.end.line:
        return Register((lines[span.start.line][span.start.col : span.end.col],), CHAR)
    middle = lines[span.start.line + 1 : span.end.line]
    return Register((lines[span.start.line][span.start.col :], *middle, lines[span.end.line][: span.end.col]), CHAR)


def _extract_block(lines: Sequence[str], span: Span, tabstop: int) -> Register:
    """Return the text of a block. A line that ends before the block begins gives blanks instead."""
    widths = [column_of(text, len(text), tabstop) for text in lines]
    width = max(widths) - span.left if span.dollar else span.right - span.left + 1
    blanks = " " * (width + span.dollar)
    rows = [
        blanks if cells < span.left else block_cut(text, span.left, span.right, tabstop).middle
        for text, cells in zip(lines, widths, strict=True)
    ]
    return Register(tuple(rows), BLOCK, max(width, 1))


def _extract_cells(lines: Sequence[str], span: Span, tabstop: int) -> Register:
    """Return the cells of a block where the cursor may leave the text: lines that are too short are filled up."""
    rows = []
    size = span.right - span.left + 1
    for text in lines:
        width = column_of(text, len(text), tabstop)
        missing = min(max(span.right + 1 - width, 0), size)
        if missing and width >= span.left and not span.inclusive:
            # What a motion made a block that does not take in its end is filled up to there.
            missing -= 1
        rows.append(block_cut(text, span.left, span.right, tabstop).middle + " " * missing)
    return Register(tuple(rows), BLOCK, size - 1 if span.dollar and size > 1 else size)
