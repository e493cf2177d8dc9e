"""Putting a register over a Visual selection (`:help v_p`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.engine import indentation, reporting
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import execute
from tpy.modal.engine.grammar import Command
from tpy.modal.engine.virtual import in_blocks, settle
from tpy.modal.registry import CommandFailed, operators
from tpy.modal.text.position import CHAR, LINE, MAXCOL, Pos, clamp
from tpy.modal.text.registers import Register
from tpy.modal.text.width import col_at, column_of, next_col

if TYPE_CHECKING:
    from tpy.modal.engine.put import Put


def put_over(ctx: Context, register: Register | None, how: Put, put: Callable[[Context, Register, Put], None]) -> None:
    """Delete the selection and put the register in its place; with `before` (`P`) the registers stay."""
    visual = ctx.visual
    assert visual is not None
    kind = visual.kind
    first = min(visual.start, ctx.cursor)
    last = max(visual.start, ctx.cursor)
    end = ctx.cursor.line
    # `P` alone keeps the registers, none of its relatives.
    keeps = how.before and not (how.after_text or how.fix_indent or how.ragged)
    if kind == "V":
        # Without 'startofline' the delete leaves the cursor in the first column.
        ctx.window.want = 0
    # What `.` repeats is the delete alone, as in Vim.
    with reporting.unreported(ctx.editor):
        execute(ctx.engine, Command(operator=operators["delete"], register="_" if keeps else None))
    left = reporting.size(ctx.buffer)
    ctx.visual = ctx.engine.behind_end = None
    if register is None:
        ctx.buffer.marks.visual = (kind, ctx.cursor, ctx.cursor, False)
        settle(ctx)
        raise CommandFailed("E353: Nothing in register " + (ctx.register or '"'))
    start = ctx.buffer.marks.get("[") or ctx.cursor
    emptied = ctx.buffer.no_lines
    before = not (ctx.cursor.line < start.line if kind == "V" else ctx.cursor.col < start.col)
    place = how._replace(before=before)
    if kind == "V":
        register = Register(register.lines, LINE)
    elif register.kind == LINE and kind == "v":
        indent = indentation.width(ctx.lines[ctx.cursor.line], ctx.number("tabstop"))
        _split_line(ctx, before)
        place = how._replace(before=False, indent=indent)
    elif register.kind == LINE and kind == "<C-v>" and not how.before:
        # Below the line where the cursor was, with the indent of the block's first line for `]p`.
        indent = indentation.width(ctx.lines[ctx.cursor.line], ctx.number("tabstop"))
        ctx.cursor = clamp(Pos(end, ctx.cursor.col), ctx.lines)
        place = how._replace(before=False, indent=indent)
    piece = register.lines[0] if register.kind == CHAR and len(register.lines) == 1 else ""
    if kind == "<C-v>" and piece and last.line > first.line:
        _put_on_each_line(ctx, piece * how.times, last.line, before, how)
    else:
        put(ctx, register, place)
    reporting.came_or_went(ctx.editor, ctx.buffer, left)
    marks = ctx.buffer.marks
    begun, ended = marks.get("["), marks.get("]")
    if begun is not None and ended is not None:
        marks.visual = (kind, begun, ended, False)
    if emptied and ctx.lines[-1] == "" and len(ctx.lines) > 1:
        cursor = ctx.cursor
        ctx.buffer.delete(len(ctx.lines) - 1, len(ctx.lines))
        ctx.cursor = clamp(cursor, ctx.lines)
        if cursor.line >= len(ctx.lines):
            ctx.cursor = clamp(Pos(len(ctx.lines) - 1, MAXCOL), ctx.lines)


def _split_line(ctx: Context, before: bool) -> None:
    """Break the line where characters were selected, for lines to come between."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    if not before and col < len(text):
        col = next_col(text, col)
    ctx.buffer.replace(line, line + 1, [text[:col], text[col:]])


def _put_on_each_line(ctx: Context, text: str, last: int, before: bool, how: Put) -> None:
    """Put characters where a block was, on each of its lines that is long enough; on all where blocks may
    be of places beyond the text."""
    line, col = ctx.cursor
    old = ctx.lines[line]
    if not before and old:
        col = min(next_col(old, col), len(old))
    column = column_of(old, col, ctx.tabstop)
    virtual = in_blocks(ctx.engine)
    new = []
    for number in range(line, last + 1):
        row = ctx.lines[number]
        at = col if number == line else col_at(row, column, ctx.tabstop)
        reaches = virtual or number == line or column_of(row, len(row), ctx.tabstop) >= column
        new.append(row[:at] + text + row[at:] if reaches else row)
    ctx.buffer.replace(line, last + 1, new)
    end = col + max(len(text) - 1, 0)
    ctx.buffer.marks.set_changed(Pos(line, col), Pos(last, end))
    ctx.cursor = Pos(line, col + len(text) if how.after_text or how.resumes else end)
