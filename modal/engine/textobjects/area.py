"""What all text objects share: the two ends that an object sets, in Visual mode and with an operator."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, Pos


def selects_more(ctx: Context) -> bool:
    """Return whether more than one character is selected, which a text object extends."""
    return ctx.visual is not None and ctx.visual.start != ctx.cursor


def exclusive_selection(ctx: Context) -> bool:
    """Return whether the selection ends before the cursor."""
    return ctx.visual is not None and ctx.option("selection") == "exclusive"


def area(ctx: Context, start: Pos, end: Pos, *, inclusive: bool, exact: bool = False) -> Target:
    """Return an object from `start` to `end`, the character there included or not (in Visual mode it always is)."""
    return Target(end, start=start, kind=INCLUSIVE if inclusive else EXCLUSIVE, exact=exact)


def fail_at(ctx: Context, pos: Pos) -> CommandFailed:
    """Return the failure of an object that was extended as far as `pos`, where the cursor stays."""
    if pos[:] != ctx.cursor[:]:  # else it stays as far beyond its character as it was
        ctx.cursor = pos
    ctx.window.want = None
    return CommandFailed()


def in_indent(walker: Walker) -> bool:
    """Return whether the place is on a blank of the line's indent."""
    head = walker.text[: walker.col + 1]
    return len(head) > walker.col and not head.strip(" \t")
