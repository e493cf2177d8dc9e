"""The keys of diff mode: `]c`, `[c`, `do`, `dp` (`:help jumpto-diffs`, `:help copy-diffs`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.diffing import side_of
from tpy.modal.registry import CommandFailed, action, motion
from tpy.modal.text.position import Pos


def _to_change(ctx: Context, *, forward: bool) -> Target:
    side = side_of(ctx.editor, ctx.window)
    line = ctx.cursor.line if side is None else side.next_change(ctx.cursor.line, ctx.count, forward=forward)
    if line == ctx.cursor.line:
        raise CommandFailed
    return Target(Pos(line, 0))


@motion("next-change", jump=True)
def next_change(ctx: Context) -> Target:
    """Go to the start of the `count`th next change of a comparison."""
    return _to_change(ctx, forward=True)


@motion("previous-change", jump=True)
def previous_change(ctx: Context) -> Target:
    """Go to the start of the `count`th change before of a comparison."""
    return _to_change(ctx, forward=False)


def _run(ctx: Context, name: str) -> None:
    ctx.engine.run_ex(f"{name} {ctx.count}" if ctx.explicit else name)


@action("diff-obtain")
def diff_obtain(ctx: Context) -> None:
    """Take the other text of the change under the cursor, with `count` that of buffer number `count`."""
    _run(ctx, "diffget")


@action("diff-put")
def diff_put(ctx: Context) -> None:
    """Give the change under the cursor to the other text, with `count` to buffer number `count`."""
    _run(ctx, "diffput")
