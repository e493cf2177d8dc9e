"""The Visual selection: beginning, changing, ending and bringing it back (`:help visual-mode`).

What operators do with it is in `spans.py` and `visual.py`.
"""

from __future__ import annotations

from tpy.modal.editor import Visual
from tpy.modal.engine.columns import at_column, block_edges, cursor_column, wanted_column
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import leave_visual, target_of
from tpy.modal.engine.virtual import is_virtual, kept
from tpy.modal.registry import CommandFailed, action, motions
from tpy.modal.text.position import MAXCOL, Pos, clamp, first_nonblank, in_line


def _selects(ctx: Context) -> bool:
    """Whether a command that is typed begins Select mode (`:help 'selectmode'`)."""
    return ctx.engine.key_typed and "c" in ctx.text("selectmode")


def begin(ctx: Context, kind: str, *, select: bool = False) -> None:
    """Begin to select, change the kind of the selection, or end one of this kind; `select`: for Select mode."""
    editor, visual = ctx.editor, ctx.visual
    if visual is not None:
        if visual.kind == kind:
            leave(ctx)
        else:
            visual.kind, visual.select = kind, select
        return
    shape = ctx.engine.repeat.shape
    if ctx.explicit and shape is not None:
        _reselect(ctx, select=select)
        return
    select = select or _selects(ctx)
    shown = cursor_column(ctx)
    ctx.visual = editor.visual = Visual(kind, ctx.cursor, select=select)
    if kind == "<C-v>" and is_virtual(ctx.engine) and ctx.lines[ctx.cursor.line][ctx.cursor.col :][:1] == "\t":
        # The cursor is shown at the end of the tab, and the selection begins there.
        ctx.cursor = ctx.visual.start = at_column(ctx, ctx.cursor.line, shown)
    _take_fold(ctx, ctx.visual)
    exclusive = kind != "V" and ctx.option("selection") == "exclusive"
    if ctx.explicit and ctx.count + exclusive > 1:
        ctx.count -= not exclusive
        target = target_of(ctx, motions["down" if kind == "V" else "right"])
        ctx.cursor = target.pos
        if kind != "V":
            ctx.window.want = None
        elif select:
            ctx.cursor = Pos(ctx.cursor.line, first_nonblank(ctx.lines[ctx.cursor.line]))


def _take_fold(ctx: Context, visual: Visual) -> None:
    """Select a closed fold that the cursor is in whole."""
    fold = ctx.window.closed_fold(ctx.cursor.line)
    if fold is not None:
        visual.start = Pos(fold[0], 0)
        ctx.cursor = Pos(fold[1], len(ctx.lines[fold[1]]))


def _reselect(ctx: Context, *, select: bool) -> None:
    """Select `count` times as much as the last Visual operator worked on (`:help v`)."""
    shape = ctx.engine.repeat.shape
    assert shape is not None
    window = ctx.window
    start = cursor_column(ctx)
    ctx.visual = ctx.editor.visual = Visual(shape.kind, ctx.cursor, dollar=shape.dollar, select=select)
    line = ctx.cursor.line
    if shape.kind != "v" or shape.lines > 1:
        line = min(line + shape.lines * ctx.count - 1, len(ctx.lines) - 1)
    ctx.cursor = clamp(in_line(ctx.cursor, line, ctx.lines), ctx.lines)
    window.want = None
    exclusive = ctx.option("selection") == "exclusive"
    if shape.dollar:
        window.want = MAXCOL
    elif shape.kind == "v":
        width = shape.columns * ctx.count
        want = start + width - (not exclusive) if shape.lines <= 1 else shape.columns
        ctx.cursor = at_column(ctx, line, want)
        return
    elif shape.kind == "<C-v>":
        window.want = start + shape.columns * ctx.count - 1
    if window.want is not None:
        ctx.cursor = at_column(ctx, line, window.want)


@action("visual")
def visual_characters(ctx: Context) -> None:
    """Select characters, or stop selecting them."""
    begin(ctx, "v")


@action("visual-line")
def visual_lines(ctx: Context) -> None:
    """Select whole lines, or stop selecting them."""
    begin(ctx, "V")


@action("visual-block")
def visual_block(ctx: Context) -> None:
    """Select a block, or stop selecting it."""
    begin(ctx, "<C-v>")


@action("leave")
def leave(ctx: Context) -> None:
    """Give up what is half typed and the selection."""
    if ctx.visual is None:
        return
    # Vertical motions still aim at the column behind the end of the line that the cursor comes back from.
    ctx.window.want = wanted_column(ctx)
    leave_visual(ctx.engine)
    if ctx.engine.insert.resume is None and not ctx.text("virtualedit"):
        ctx.cursor = clamp(ctx.cursor, ctx.lines)


@action("end-selection")
def end_selection(ctx: Context) -> None:
    """End Visual mode; the cursor's column is the one that vertical motions aim at from now on."""
    leave_visual(ctx.engine)
    ctx.window.want = None


@action("other-end")
def other_end(ctx: Context) -> None:
    """Go to the other end of the selection."""
    visual = ctx.visual
    assert visual is not None
    visual.start, ctx.cursor = ctx.cursor, visual.start
    ctx.window.want = None


@action("other-corner")
def other_corner(ctx: Context) -> None:
    """Go to the other corner of the block in the same line."""
    visual = ctx.visual
    assert visual is not None
    if visual.kind != "<C-v>":
        other_end(ctx)
        return
    cursor, start = ctx.cursor, visual.start
    left, right = block_edges(ctx, start, cursor)
    exclusive = ctx.option("selection") == "exclusive"
    # With an exclusive selection the corner at the right is one column further where it is the lower one.
    ctx.window.want = right + (exclusive and cursor.line >= start.line)
    visual.start, ctx.cursor = at_column(ctx, start.line, left), at_column(ctx, cursor.line, ctx.window.want)
    if ctx.cursor.col == cursor.col and (ctx.cursor.add == cursor.add or not is_virtual(ctx.engine)):
        ctx.window.want = left
        right += exclusive and cursor.line <= start.line
        visual.start, ctx.cursor = at_column(ctx, start.line, right), at_column(ctx, cursor.line, left)


@action("select-again")
def select_again(ctx: Context) -> None:
    """Select again what was selected last; in Visual mode exchange the two selections."""
    marks, window = ctx.buffer.marks, ctx.window
    last = marks.visual
    if last is None or last[1].line >= len(ctx.lines):
        raise CommandFailed
    if ctx.visual is not None:
        marks.visual = (ctx.visual.kind, ctx.visual.start, ctx.cursor, ctx.visual.dollar)
    kind, start, end, dollar = last
    ctx.editor.visual = Visual(kind, kept(start, ctx.lines), dollar=dollar, select=_selects(ctx))
    ctx.cursor = kept(end, ctx.lines)
    window.want = MAXCOL if dollar else None
