"""Commands that go through the undo tree (`:help undo.txt`): what they tell and where the cursor goes.

The tree itself is `text/undo.py`; `:undo`, `:earlier` and `:later` call `go_to_state` here.
"""

from __future__ import annotations

import time

from tpy.modal.engine.columns import at_column, wanted_column
from tpy.modal.engine.context import Context
from tpy.modal.engine.folding import open_for
from tpy.modal.engine.virtual import is_virtual, kept
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos, clamp
from tpy.modal.text.undo import Walk
from tpy.modal.text.width import column_of

# From this many seconds on, the time of day tells more than "seconds ago"; from half a day on, the date too.
_AGO = 100
_SAME_DAY = 12 * 60 * 60


def ago(then: float, now: float) -> str:
    """Return when a step was made, as the undo commands tell it."""
    seconds = int(now) - int(then)
    if seconds < _AGO:
        return f"{seconds} second{'' if seconds == 1 else 's'} ago"
    return time.strftime("%H:%M:%S" if seconds < _SAME_DAY else "%Y/%m/%d %H:%M:%S", time.localtime(then))


def _amount(walked: list[Walk]) -> str:
    """Return how much was changed: by how many lines the text grew or shrank, else how many lines changed."""
    before = sum(walk.old_count for walk in walked)
    after = sum(walk.new_count for walk in walked)
    if after > before:
        return f"{after - before} {'more line' if after - before == 1 else 'more lines'}"
    if before > after:
        return f"{before - after} {'line less' if before - after == 1 else 'fewer lines'}"
    return f"{after} {'change' if after == 1 else 'changes'}"


def tell(ctx: Context, walked: list[Walk], want: int, *, undid: bool) -> None:
    """Show what was done and put the cursor where the change is; the column `want` stays wanted where the cursor goes
    back to where it was."""
    last = walked[-1]
    if is_virtual(ctx.engine):
        line, col = kept(last.cursor, ctx.lines)
        # Vim keeps the display column.
        ctx.cursor = at_column(ctx, line, column_of(ctx.lines[line], col, ctx.tabstop) + last.cursor.add)
    else:
        ctx.cursor = clamp(last.cursor, ctx.lines, past_end=ctx.engine.insert.resume is not None)
    back = all(walk.cursor.line == walk.step.cursor.line for walk in walked)
    ctx.window.want = want if back else None
    open_for(ctx, "undo")
    ctx.editor.extra["undone"] = walked
    side = "before" if undid else "after"
    when = ago(last.step.time, ctx.editor.clock())
    ctx.editor.echo(f"{_amount(walked)}; {side} #{last.step.number}  {when}")


def walk_back(ctx: Context, *, undo: bool) -> None:
    """Take back `count` undo steps, or make them again."""
    walked: list[Walk] = []
    buffer, want = ctx.buffer, wanted_column(ctx)
    for _ in range(ctx.count):
        at = ctx.cursor
        # With no level at all `u` takes itself back, and nothing else makes a change again (`:help 'undolevels'`).
        if not undo and buffer.undo.levels() <= 0:
            raise CommandFailed("Already at newest change")
        buffer.undo.seal()
        oldest = buffer.undo.current <= buffer.undo.floor
        turned = undo and buffer.undo.levels() == 0 and oldest
        if (not oldest) if undo and not turned else (buffer.undo.undone is not None):
            # Each step is a jump, whose line may be gone with it.
            ctx.engine.jump_from(ctx.window, at)
        walk = buffer.undo_once() if undo and not turned else buffer.redo_once()
        if walk is None:
            if not walked:
                raise CommandFailed("Already at oldest change" if undo else "Already at newest change")
            break
        walked.append(walk)
        ctx.cursor = clamp(walk.cursor, ctx.lines)
    tell(ctx, walked, want, undid=undo)


def _by_key(ctx: Context, *, undo: bool) -> None:
    # The keys, not the ex commands, give up the wanted column, also where they fail.
    try:
        walk_back(ctx, undo=undo)
    finally:
        ctx.window.want = None


@action("undo", modifies=True)
def undo(ctx: Context) -> None:
    """Take back `count` undo steps."""
    _by_key(ctx, undo=True)


@action("redo", modifies=True)
def redo(ctx: Context) -> None:
    """Make `count` undo steps again that were taken back."""
    _by_key(ctx, undo=False)


def go_to_state(ctx: Context, number: int) -> None:
    """Go to the text after step `number`, the oldest there is where that was dropped. Raises `CommandFailed` (E830)."""
    buffer: Buffer = ctx.buffer
    number = max(number, buffer.undo.floor)
    if not buffer.undo.has(number):
        raise CommandFailed(f"E830: Undo number {number} not found")
    buffer.undo.seal()
    before, want = buffer.undo.current, wanted_column(ctx)
    if number == before:
        return
    ctx.engine.jump_from(ctx.window, ctx.cursor)
    walked = buffer.go_to(number)
    for walk in walked[:-1]:
        ctx.engine.jump_from(ctx.window, walk.cursor)
    tell(ctx, walked, want, undid=number < before and walked[-1].step.number != number)


@action("older-text", modifies=True)
def older_text(ctx: Context) -> None:
    """Go to the text as it was `count` changes ago, on whatever branch of the undo tree."""
    tree = ctx.buffer.undo
    tree.seal()
    if tree.current <= tree.floor:
        # Vim goes through the motions.
        open_for(ctx, "undo")
        last = tree.steps[min(tree.floor + 1, len(tree.steps) - 1)]
        when = ago(last.time, ctx.editor.clock()) if last.number else ""
        ctx.editor.echo(f"0 changes; before #{last.number}  {when}")
        return
    go_to_state(ctx, tree.current - ctx.count)


@action("newer-text", modifies=True)
def newer_text(ctx: Context) -> None:
    """Go to the text as it was `count` changes later, on whatever branch of the undo tree."""
    tree = ctx.buffer.undo
    tree.seal()
    newest = len(tree.steps) - 1
    if tree.current == newest:
        ctx.editor.echo("Already at newest change")
        return
    go_to_state(ctx, min(tree.current + ctx.count, newest))


@action("undo-line", modifies=True)
def undo_line(ctx: Context) -> None:
    """Take back all the latest changes on one line, the line that was changed last."""
    buffer = ctx.buffer
    kept = buffer.line_undo
    if kept is None or kept[0] >= len(buffer.lines):
        raise CommandFailed
    line, text, col = kept
    now = buffer.lines[line]
    here = ctx.cursor
    buffer.set_line(line, text)
    buffer.marks.add_change(Pos(line, 0))
    buffer.line_undo = (line, now, here.col if here.line == line else col)
    ctx.cursor = clamp(Pos(line, col), ctx.lines)
    ctx.window.want = None
