"""Motions over characters and lines (`:help left-right-motions`, `:help up-down-motions`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import wanted
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.position import Pos
from tpy.modal.text.width import next_col, prev_col


@motion("left")
def left(ctx: Context) -> Pos:
    """Go `count` characters to the left."""
    line, col = ctx.cursor
    if col == 0:
        raise CommandFailed
    for _ in range(ctx.count):
        col = prev_col(ctx.lines[line], col)
        if col == 0:
            break
    return Pos(line, col)


@motion("right")
def right(ctx: Context) -> Pos:
    """Go `count` characters to the right."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    last = len(text) if ctx.operator or ctx.visual else len(text) - 1
    if col >= last:
        raise CommandFailed
    for _ in range(ctx.count):
        col = next_col(text, col)
        if col >= last:
            break
    return Pos(line, min(col, last))


@motion("down", "line", keeps_column=True)
def down(ctx: Context) -> Pos:
    """Go `count` lines down."""
    line = ctx.cursor.line + ctx.count
    if line >= len(ctx.lines):
        if ctx.operator or ctx.cursor.line == len(ctx.lines) - 1:
            raise CommandFailed
        line = len(ctx.lines) - 1
    return wanted(ctx, line)


@motion("up", "line", keeps_column=True)
def up(ctx: Context) -> Pos:
    """Go `count` lines up."""
    line = ctx.cursor.line - ctx.count
    if line < 0:
        if ctx.operator or ctx.cursor.line == 0:
            raise CommandFailed
        line = 0
    return wanted(ctx, line)
