"""The cursor of the Insert modes where it may leave the text (`:help 'virtualedit'`): blanks are put in when text is
typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine import backspacing
from tpy.modal.engine.columns import at_column, column
from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import everywhere, fill, is_virtual, step_left, step_right
from tpy.modal.text.position import Pos
from tpy.modal.text.width import prev_col

if TYPE_CHECKING:
    from tpy.modal.engine.insert import InsertHandler


def settle(insert: InsertHandler) -> None:
    """Take the cursor where an insert begins for the cell it is in: behind the last character, not beyond that."""
    window = insert.pen.window
    if window.cursor.add:
        ctx = Context(insert.engine)
        window.cursor = at_column(ctx, window.cursor.line, column(ctx, window.cursor))


def fill_up(insert: InsertHandler) -> None:
    """Put in blanks up to the cursor, a tab there broken into blanks."""
    pen = insert.pen
    pen.sync()
    ctx = Context(insert.engine)
    fill(ctx, column(ctx, ctx.cursor))
    pen.follow()


def eat(insert: InsertHandler, unit: str) -> bool:
    """Let `<BS>` and its kin take cells before the cursor that are no text; whether nothing else is to be deleted."""
    pen = insert.pen
    if not pen.add:
        return False
    pen.add = pen.add - 1 if unit == backspacing.CHAR else 0
    return unit != backspacing.LINE


def go_back(insert: InsertHandler) -> int | None:
    """Go to the character or cell before the cursor. For a command of `<C-o>` it stays in its cell, but motions up and
    down aim at the display column before it, which is returned then."""
    pen = insert.pen
    if not pen.add and not everywhere(insert.engine):
        pen.col = prev_col(pen.text, pen.col)
        return None
    ctx = Context(insert.engine)
    pos, _ = step_left(ctx, pen.place, 1)
    pen.col, pen.add = pos.col, pos.add + (insert.resume is not None)
    return column(ctx, pos) if insert.resume is not None else None


def stepped(insert: InsertHandler, *, forward: bool) -> Pos | None:
    """Return where `<Left>` or `<Right>` goes where the cursor may leave the text, `None` where it may not or stays."""
    if not is_virtual(insert.engine):
        return None
    place = insert.pen.place
    insert.pen.sync()
    pos, left = (step_right if forward else step_left)(Context(insert.engine), place, 1)
    return None if left else pos
