"""Keys of Normal and Visual mode that stand for ex commands: `&`, `g&`, `:` after an operator."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.registry import action, motion


@action("repeat-substitute", modifies=True)
def repeat_substitute(ctx: Context) -> None:
    """Repeat the last `:s` in `count` lines, without its flags."""
    ctx.engine.run_ex(f".,.+{ctx.count - 1}s" if ctx.count > 1 else "s")


@action("repeat-substitute-everywhere", modifies=True)
def repeat_substitute_everywhere(ctx: Context) -> None:
    """Repeat the last `:s` in all lines, with its flags and the last pattern."""
    ctx.engine.run_ex("%s//~/&")


@motion("ex-command", arg=":")
def ex_command(ctx: Context) -> Target:
    """Run an ex command; the operator works as far as it moves the cursor."""
    start = ctx.cursor
    ctx.engine.run_ex(ctx.arg or "")
    return Target(ctx.cursor, start)
