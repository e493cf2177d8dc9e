"""Display columns of the cursor: the wanted column of vertical motions, and the place in a line that a column has.

Widths themselves are in `text/width.py`.
"""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import cells_at, is_virtual, place_at
from tpy.modal.text.position import MAXCOL, Pos, first_nonblank
from tpy.modal.text.width import cell_width, col_at, column_of, prev_col


def past_end(ctx: Context) -> bool:
    """Return whether the cursor may stand behind the last character of a line."""
    if ctx.engine.insert.active or ctx.engine.insert.resume is not None:
        return True
    return ctx.visual is not None and ctx.editor.option("selection") != "old"


def one_more(ctx: Context) -> bool:
    """Whether the cursor may stand behind the last character (`:help 'virtualedit'`)."""
    allowed = ctx.text("virtualedit")
    return bool(allowed) and "onemore" in allowed


def last_col(text: str) -> int:
    """Return the index of the last character, combining ones not counted; 0 in an empty line."""
    return prev_col(text, len(text))


def column(ctx: Context, pos: Pos) -> int:
    """Return the first display column of the character at `pos`, or of the place itself where it may be virtual."""
    if is_virtual(ctx.engine):
        return cells_at(ctx, pos)[0]
    return column_of(ctx.lines[pos.line], pos.col, ctx.tabstop)


def right_column(ctx: Context, pos: Pos) -> int:
    """Return the last display column of the character at `pos`, or of the place itself where it may be virtual."""
    if is_virtual(ctx.engine):
        return cells_at(ctx, pos)[1]
    text = ctx.lines[pos.line]
    left = column_of(text, pos.col, ctx.tabstop)
    return left + max(cell_width(text, pos.col, left, ctx.tabstop), 1) - 1 if pos.col < len(text) else left


def block_edges(ctx: Context, one: Pos, other: Pos) -> tuple[int, int]:
    """Return the first and last display column of the block between two places; with 'selection' "exclusive" the lower
    one is not in it where it is the right one."""
    upper, lower = sorted((one, other))
    right, last = right_column(ctx, upper), right_column(ctx, lower)
    begins = column(ctx, lower)
    if last > right:
        right = begins - 1 if ctx.option("selection") == "exclusive" and begins - 1 >= right else last
    return min(column(ctx, upper), begins), right


def cursor_column(ctx: Context) -> int:
    """Return the display column at which the cursor is shown: the end of a tab, but for typing and `list`; the first
    column in a closed fold."""
    line, col = ctx.cursor
    if "folds" in ctx.window.extra and ctx.window.closed_fold(line) is not None:
        return ctx.window.left
    if is_virtual(ctx.engine):
        return cells_at(ctx, ctx.cursor)[0]
    text = ctx.lines[line]
    at_end = text[col : col + 1] == "\t" and not ctx.flag("list") and not ctx.engine.insert.active
    shown = ctx.window.shown
    if at_end and shown is not None and shown[:2] == (ctx.cursor, ctx.buffer.tick):
        return shown[2]
    if at_end and ctx.visual is not None:
        at_end = ctx.option("selection") != "exclusive" and ctx.cursor > ctx.visual.start
    return right_column(ctx, ctx.cursor) if at_end else column_of(text, col, ctx.tabstop)


def note_shown(ctx: Context) -> None:
    """Note in which column the cursor is shown where it came to a tab, and how far beyond its character it is."""
    window, tick = ctx.window, ctx.buffer.tick
    line, col = window.cursor
    window.beyond = window.cursor.add if window.cursor.add and is_virtual(ctx.engine) else 0
    # A command that asks for more lines may have deleted the cursor's.
    text = ctx.lines[line] if line < len(ctx.lines) else ""
    if ctx.engine.insert.active or text[col : col + 1] != "\t":
        window.shown = None
    elif window.shown is None or window.shown[:2] != (window.cursor, tick):
        window.shown = (window.cursor, tick, cursor_column(ctx))


def at_column(ctx: Context, line: int, wanted: int, *, beyond: bool | None = None) -> Pos:
    """Return the place in `line` that covers the display column `wanted`, or the nearest before it.

    `beyond` allows the place behind the last character; `None` does where the mode does.
    """
    if is_virtual(ctx.engine):
        return place_at(ctx, line, wanted, one_more=past_end(ctx))
    text = ctx.lines[line]
    if not (past_end(ctx) or (wanted < MAXCOL and one_more(ctx)) if beyond is None else beyond):
        last = last_col(text)
        return Pos(line, last if wanted >= MAXCOL else min(col_at(text, wanted, ctx.tabstop), last))
    return Pos(line, len(text) if wanted >= MAXCOL else col_at(text, wanted, ctx.tabstop))


def wanted_column(ctx: Context) -> int:
    """Return the column that vertical motions aim at."""
    window = ctx.window
    if window.want is not None:
        return window.want
    return window.noted[1] if window.noted is not None and window.noted[0] == window.cursor else cursor_column(ctx)


def line_start(ctx: Context, line: int) -> Pos:
    """Return where an operator on lines leaves the cursor: the first character that is no blank, or without the
    option `startofline` the column that was wanted before."""
    if ctx.flag("startofline"):
        return Pos(line, first_nonblank(ctx.lines[line]))
    return at_column(ctx, line, ctx.want or 0)


def wanted(ctx: Context, line: int) -> Pos:
    """Return the place in `line` that a vertical motion goes to."""
    return at_column(ctx, line, wanted_column(ctx))
