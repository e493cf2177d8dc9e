"""Normal mode commands that are neither motion nor operator."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.position import Pos, clamp
from tpy.modal.text.undo import Step


@action("insert", dot=True, modifies=True)
def insert(ctx: Context) -> None:
    """Begin to insert before the cursor."""
    ctx.engine.insert.start(count=ctx.count)


@action("undo", modifies=True)
def undo(ctx: Context) -> None:
    """Take back `count` undo steps."""
    for _ in range(ctx.count):
        step = ctx.buffer.undo_once()
        if step is None:
            raise CommandFailed("Already at oldest change")
        _show(ctx, step)


@action("redo", modifies=True)
def redo(ctx: Context) -> None:
    """Make `count` undo steps again that were taken back."""
    for _ in range(ctx.count):
        step = ctx.buffer.redo_once()
        if step is None:
            raise CommandFailed("Already at newest change")
        _show(ctx, step)


def _show(ctx: Context, step: Step) -> None:
    ctx.cursor = clamp(Pos(step.splices[0].line, 0), ctx.lines)
    ctx.window.want = None


@action("command-line")
def command_line(ctx: Context) -> None:
    """Type an ex command; a count becomes a range of lines."""
    text = ""
    if ctx.visual is not None:
        text = "'<,'>"
    elif ctx.explicit:
        text = ".,.+%d" % (ctx.count - 1) if ctx.count > 1 else "."
    ctx.engine.open_prompt(":", ctx.engine.run_ex, text=text)
