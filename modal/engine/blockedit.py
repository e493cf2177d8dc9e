"""Typing into every line of a block: `c`, `I`, `A` of a Visual block (`:help blockwise-operators`)."""

from __future__ import annotations

from typing import NamedTuple

from tpy.modal.engine.context import Context
from tpy.modal.registry import operator
from tpy.modal.text.position import BLOCK, LINE, Pos, Span, clamp
from tpy.modal.text.width import block_cut, char_cells, col_at, column_of, next_col


def _typed(ctx: Context, line: int, col: int, rest: int) -> str:
    """Return what stands in a line from `col` to `rest` characters before its end: what was typed there."""
    text = ctx.lines[line] if line < len(ctx.lines) else ""
    return text[col : len(text) - rest] if len(text) - rest > col else ""


def change_block(ctx: Context, span: Span) -> None:
    """Begin to insert where a block was deleted; what is typed goes to all its lines."""
    first, last = span.start.line, span.end.line
    ctx.cursor = clamp(Pos(first, span.start.col), ctx.lines, past_end=True)
    head = block_cut(ctx.lines[first], span.left, span.left, ctx.tabstop).head
    ctx.cursor = Pos(first, max(min(len(head), len(ctx.lines[first])), ctx.cursor.col))
    line, col = ctx.cursor
    size = len(ctx.lines[line])

    def _ended() -> None:
        # As in Vim, what the line has grown by is what was typed, also where it was broken.
        text = ctx.lines[line][col : col + len(ctx.lines[line]) - size] if line < len(ctx.lines) else ""
        if not text:
            return
        new = []
        for row in ctx.lines[first + 1 : last + 1]:
            cut = block_cut(row, span.left, span.left, ctx.tabstop)
            reaches = column_of(row, len(row), ctx.tabstop) > span.left or (
                column_of(row, len(row), ctx.tabstop) == span.left and len(cut.head) == len(row)
            )
            at = len(cut.head)
            new.append(row[:at] + text + row[at:] if reaches else row)
        if new:
            # `U` is for the line that was typed in.
            kept = ctx.buffer.line_undo
            ctx.buffer.replace(first + 1, last + 1, new)
            ctx.buffer.line_undo = kept

    ctx.engine.insert.start(on_end=_ended)


class _Put(NamedTuple):
    """A line with text put in, and where that ends; `None` where the line is too short for it."""

    text: str
    end: int | None


def _insert_in(row: str, text: str, column: int, tabstop: int) -> _Put:
    """Put text into a line at a display column; a tab there is split, a wide character is moved."""
    col = col_at(row, column, tabstop)
    at = column_of(row, col, tabstop)
    if col >= len(row):
        return _Put(row, None) if at < column else _Put(row + text, len(row) + len(text))
    pad = column - at
    end = col + pad + len(text)
    if pad and row[col] == "\t":
        fill = char_cells("\t", at, tabstop) - pad
        return _Put(row[:col] + " " * pad + text + " " * fill + row[col + 1 :], end)
    return _Put(row[:col] + " " * pad + text + row[col:], end)


def _append_in(row: str, text: str, span: Span, tabstop: int) -> _Put:
    """Put text into a line behind a block; a line that is too short is filled with blanks."""
    after = span.right + 1
    width = column_of(row, len(row), tabstop)
    if span.dollar or width <= after:
        filled = row if span.dollar else row + " " * (after - width)
        return _Put(filled + text, len(filled) + len(text))
    return _insert_in(row, text, after, tabstop)


@operator("insert-before")
def insert_before(ctx: Context, span: Span) -> None:
    """Begin to insert before the text; in a block what is typed goes to all its lines."""
    if span.kind != BLOCK:
        selection = ctx.buffer.marks.visual
        if not ctx.engine.repeat.replaying and selection is not None:
            # The fixed end counts as the first column; repeated, it is where the cursor is.
            ctx.cursor = min(Pos(selection[1].line, 0), ctx.origin)
        ctx.engine.insert.start(count=ctx.count)
        return
    _insert_block(ctx, span, append=False)


@operator("insert-after")
def insert_after(ctx: Context, span: Span) -> None:
    """Begin to insert behind the text; in a block what is typed goes to all its lines."""
    if span.kind != BLOCK:
        ctx.cursor = _behind_selection(ctx, span)
        ctx.engine.insert.start(count=ctx.count)
        return
    _insert_block(ctx, span, append=True)


def _behind_selection(ctx: Context, span: Span) -> Pos:
    """Return where `A` inserts for lines or characters: in the last line, behind the column of the cursor.

    In the first column, and after `$` mostly, it is before that character: where the columns that Vim last noted for a
    selection are the same.
    """
    last = span.end.line if span.kind == LINE or span.end.col or span.start.line == span.end.line else span.end.line - 1
    selection = ctx.buffer.marks.visual
    text = ctx.lines[last]
    # The fixed end of a selection of lines counts as the first column.
    col = 0 if selection is not None and selection[1].line > ctx.origin.line else ctx.origin.col
    col = min(col, max(len(text) - 1, 0))
    first_column, last_column = ctx.engine.repeat.columns
    if text and first_column != last_column:
        col = min(next_col(text, col), len(text))
    return Pos(last, col)


def _insert_block(ctx: Context, span: Span, *, append: bool) -> None:
    first = span.start.line
    text = ctx.lines[first]
    ts = ctx.tabstop
    if append:
        end = len(text) if span.dollar else _behind(text, span.right, ts)
        missing = 0 if span.dollar else span.right + 1 - column_of(text, len(text), ts)
        if missing > 0:
            ctx.cursor = Pos(first, len(text))
            ctx.buffer.set_line(first, text + " " * missing)
            end = len(text) + missing
        ctx.cursor = Pos(first, end)
    else:
        ctx.cursor = Pos(first, min(col_at(text, span.left, ts), len(text)))
    # Where the block ends inside a tab Vim takes the tab for typed too.
    tab = "\t" if append and not span.dollar and _ends_in_tab(text, span.right, ts) else ""
    start = ctx.cursor
    rest = len(ctx.lines[first]) - start.col
    count = len(ctx.lines)

    def _ended() -> None:
        if len(ctx.lines) != count:
            return
        # Vim looks for it where the block's edge is now: where that was in a tab, the tab was pushed along.
        edge = start.col if append else col_at(ctx.lines[first], span.left, ts)
        typed = _typed(ctx, first, edge, rest)
        begun = ctx.engine.insert.pen.origin
        if begun.line != first:
            return
        column = span
        if begun.col != start.col and not span.dollar:
            # The cursor was moved before anything was typed: the block is where it went.
            moved = column_of(ctx.lines[first], begun.col, ts)
            typed = _typed(ctx, first, begun.col, rest - (begun.col - start.col))
            column = span._replace(left=moved)
            _spread(ctx, typed, column, append=False)
            return
        if typed:
            _spread(ctx, tab + typed, column, append=append)
            ctx.cursor = Pos(first, span.start.col)

    ctx.engine.insert.start(count=ctx.count, on_end=_ended)


def _spread(ctx: Context, text: str, span: Span, *, append: bool) -> None:
    """Put what was typed into the other lines of the block."""
    first, last = span.start.line + 1, span.end.line + 1
    if not text or last <= first:
        return
    ts = ctx.tabstop
    rows = ctx.lines[first:last]
    if append:
        new = [_append_in(row, text, span, ts) for row in rows]
    else:
        new = [_insert_in(row, text, span.left, ts) for row in rows]
    ctx.buffer.replace(first, last, [put.text for put in new])
    marks = ctx.buffer.marks
    begun, end = marks.get("["), new[-1].end
    if begun is not None and end is not None:
        # The changed text ends in the last line.
        marks.set_changed(begun, Pos(last - 1, end))


def _ends_in_tab(text: str, column: int, tabstop: int) -> bool:
    """Whether a tab covers a display column and the next one."""
    col = col_at(text, column, tabstop)
    return text[col : col + 1] == "\t" and column_of(text, col + 1, tabstop) > column + 1


def _behind(text: str, column: int, tabstop: int) -> int:
    """Return the index behind the character that covers a display column."""
    col = col_at(text, column, tabstop)
    return min(next_col(text, col), len(text)) if col < len(text) else len(text)
