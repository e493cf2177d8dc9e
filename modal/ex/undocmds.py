"""`:undo`, `:redo`, `:earlier`, `:later`, `:undolist` (`:help undo.txt`)."""

from __future__ import annotations

import re

from tpy.modal.engine import undoing
from tpy.modal.engine.context import Context
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@command("u[ndo]", range="count", count=True)
def undo(ctx: ExContext) -> None:
    """Take back a change, or go to the text after a change by its number."""
    engine_context = Context(ctx.engine)
    ctx.require_modifiable()
    if ctx.count is None:
        undoing.walk_back(engine_context, undo=True)
    else:
        if 0 < ctx.count <= ctx.buffer.undo.floor:
            raise CommandFailed(f"E830: Undo number {ctx.count} not found")
        undoing.go_to_state(engine_context, ctx.count)


@command("red[o]")
def redo(ctx: ExContext) -> None:
    """Make a change again that was taken back."""
    ctx.require_modifiable()
    undoing.walk_back(Context(ctx.engine), undo=False)


@command("undoj[oin]")
def undojoin(ctx: ExContext) -> None:
    """Have the next change taken back together with the one before."""
    tree = ctx.buffer.undo
    if tree.steps[tree.current].last_child is not None:
        raise CommandFailed("E790: Undojoin is not allowed after undo")
    tree.reopen()


@command("ea[rlier]", args="rest")
def earlier(ctx: ExContext) -> None:
    """Go to older text: by a number of changes, a time such as `10m`, or writes of the file (`2f`)."""
    _travel(ctx, -1)


@command("lat[er]", args="rest")
def later(ctx: ExContext) -> None:
    """Go to newer text: by a number of changes, a time such as `10m`, or writes of the file (`2f`)."""
    _travel(ctx, 1)


def _travel(ctx: ExContext, direction: int) -> None:
    match = re.fullmatch(r"(\d*)([smhdf]?)", ctx.args.strip())
    if match is None:
        raise CommandFailed(f"E475: Invalid argument: {ctx.args}")
    count, unit = int(match[1] or 1), match[2]
    ctx.require_modifiable()
    if not unit:
        context = Context(ctx.engine, count=count)
        (undoing.older_text if direction < 0 else undoing.newer_text)(context)
        return
    number = _by_write(ctx, direction * count) if unit == "f" else _by_time(ctx, direction * count * _UNITS[unit])
    undoing.go_to_state(Context(ctx.engine), number)


def _by_time(ctx: ExContext, seconds: int) -> int:
    """Return the state the text was in so many seconds away."""
    tree = ctx.buffer.undo
    tree.seal()
    now = ctx.editor.clock() if tree.current == len(tree.steps) - 1 else tree.steps[tree.current].time
    wanted = now + seconds
    found = 0
    for step in tree.steps[1:]:
        if step.time <= wanted:
            found = step.number
    if seconds > 0:
        found = max(found, tree.current)
    return found


def _by_write(ctx: ExContext, count: int) -> int:
    """Return the state the text was in when it was written so many writes away, the original or newest beyond."""
    tree = ctx.buffer.undo
    tree.seal()
    writes = [number for number in writes_of(ctx.buffer) if tree.floor <= number < len(tree.steps)]
    if count < 0:
        before = [number for number in writes if number < tree.current]
        return before[count] if -count <= len(before) else 0
    behind = [number for number in writes if number > tree.current]
    return behind[count - 1] if count <= len(behind) else len(tree.steps) - 1


def writes_of(buffer: Buffer) -> list[int]:
    """Return the states of the text that were written to the file, in order."""
    return sorted(buffer.undo.writes)


@command("undol[ist]")
def undolist(ctx: ExContext) -> None:
    """Show the ends of all branches of the undo tree."""
    steps, floor = ctx.buffer.undo.steps, ctx.buffer.undo.floor
    parents = {step.parent for step in steps[1:]}
    lines = ["number changes  when               saved"]
    for step in steps[1:]:
        if step.number not in parents and step.number > floor:
            depth, at = 0, step.number
            while at > floor:
                depth, at = depth + 1, steps[at].parent
            lines.append(f"{step.number:6} {depth:7}  {undoing.ago(step.time, ctx.editor.clock())}")
    ctx.show("\n".join(lines) if len(lines) > 1 else "Nothing to undo")
