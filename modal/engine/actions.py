"""Normal mode commands that begin to insert, and the command line (`:help inserting`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import leave_visual
from tpy.modal.engine.grammar import Command
from tpy.modal.engine.openline import open_line
from tpy.modal.engine.spans import visual_span
from tpy.modal.engine.virtual import everywhere, is_virtual
from tpy.modal.registry import action, actions
from tpy.modal.text.position import Pos, beyond, first_nonblank
from tpy.modal.text.width import next_col


@action("insert", dot=True, modifies=True)
def insert(ctx: Context) -> None:
    """Begin to insert before the cursor."""
    ctx.engine.insert.start(count=ctx.count)


@action("insert-line-start", dot=True, modifies=True)
def insert_line_start(ctx: Context) -> None:
    """Begin to insert before the first character of the line that is no blank."""
    line = ctx.cursor.line
    text = ctx.lines[line]
    col = first_nonblank(text)
    if not text.strip(" \t"):
        col = len(text)
    ctx.cursor = Pos(line, col)
    ctx.engine.insert.start(count=ctx.count)


@action("insert-first-column", dot=True, modifies=True)
def insert_first_column(ctx: Context) -> None:
    """Begin to insert in the first column."""
    ctx.cursor = Pos(ctx.cursor.line, 0)
    ctx.engine.insert.start(count=ctx.count)


@action("append", dot=True, modifies=True)
def append(ctx: Context) -> None:
    """Begin to insert after the cursor."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    if is_virtual(ctx.engine) and (ctx.cursor.add or text[col : col + 1] in ("", "\t")):
        ctx.cursor = beyond(line, col, ctx.cursor.add + 1)
    else:
        ctx.cursor = Pos(line, min(next_col(text, col), len(text)) if col < len(text) else col)
    ctx.engine.insert.start(count=ctx.count)


@action("append-line-end", dot=True, modifies=True)
def append_line_end(ctx: Context) -> None:
    """Begin to insert at the end of the line."""
    line = ctx.cursor.line
    ctx.cursor = beyond(line, len(ctx.lines[line]), 0 if everywhere(ctx.engine) else ctx.cursor.add)
    ctx.engine.insert.start(count=ctx.count)


@action("insert-last-place", modifies=True)
def insert_last_place(ctx: Context) -> None:
    """Begin to insert where Insert mode was left last in this buffer."""
    place = ctx.buffer.marks.get("^")
    if place is not None:
        line = min(place.line, len(ctx.lines) - 1)
        col = min(place.col, len(ctx.lines[line]))
        ctx.cursor = beyond(line, col, place.add + place.col - col if is_virtual(ctx.engine) else 0)
    # It is repeated as `i`.
    ctx.engine.repeat.begin(Command(times=ctx.count, action=actions["insert"]))
    ctx.engine.insert.start(count=ctx.count)


def _open(ctx: Context, *, forward: bool) -> None:
    insert = ctx.engine.insert
    pen = insert.prepare()
    open_line(pen, forward=forward, breaks=False, with_comments="o" in pen.style.formatoptions)
    pen.sync()
    insert.start(count=ctx.count, opens=True, indented=True)


@action("open-below", dot=True, modifies=True)
def open_below(ctx: Context) -> None:
    """Open a line below and begin to insert in it."""
    ctx.cursor = Pos(ctx.window.last_of_fold(ctx.cursor.line), ctx.cursor.col)
    _open(ctx, forward=True)


@action("open-above", dot=True, modifies=True)
def open_above(ctx: Context) -> None:
    """Open a line above and begin to insert in it."""
    ctx.cursor = Pos(ctx.window.first_of_fold(ctx.cursor.line), ctx.cursor.col)
    _open(ctx, forward=False)


@action("replace-mode", dot=True, modifies=True)
def replace_mode(ctx: Context) -> None:
    """Begin to replace characters by those that are typed."""
    ctx.engine.insert.start("R", ctx.count)


@action("virtual-replace-mode", dot=True, modifies=True)
def virtual_replace_mode(ctx: Context) -> None:
    """Begin to replace screen cells by the characters that are typed."""
    ctx.engine.insert.start("Rv", ctx.count)


@action("command-line")
def command_line(ctx: Context) -> None:
    """Type an ex command; a count becomes a range of lines."""
    text = ""
    if ctx.visual is not None:
        text = "'<,'>"
        start = visual_span(ctx, ctx.visual, lines=True).start
        leave_visual(ctx.engine)
        ctx.cursor = start
        leave_visual(ctx.engine)
    elif ctx.explicit:
        text = f".,.+{ctx.count - 1}" if ctx.count > 1 else "."
    ctx.engine.open_prompt(":", ctx.engine.run_ex, text=text)
