"""`tpy` with bugs put in, for the tests of what happens then: `python buggy.py FILE`.

`:bug` raises in a command, after half a change; `:drawbug` makes every frame from then on fail; `:hang` works
until it is interrupted, with the window's title telling that it does.
"""

import sys

from tpy.modal.ex.context import ExContext
from tpy.modal.registry import command
from tpy.modal.text.buffer import EX
from tpy.modal.ui.render import Renderer


@command("bug")
def bug(ctx: ExContext) -> None:
    """Fail in the middle of a change."""
    with ctx.buffer.step("bug", EX):
        ctx.buffer.set_line(0, "half a change")
        raise ZeroDivisionError("a bug put in")


@command("drawbug")
def drawbug(ctx: ExContext) -> None:
    """Have no frame drawn any more."""

    def frame(*args: object) -> None:
        raise KeyError("no frame")

    Renderer.frame = frame  # type: ignore[method-assign, assignment]


@command("hang")
def hang(ctx: ExContext) -> None:
    """Work for ever, as a command with a long loop does."""
    ctx.editor.extra["terminal"].set_title("hanging")  # type: ignore[attr-defined]
    turn = 0
    while True:
        turn += 1
        ctx.engine.poll(turn)


if __name__ == "__main__":
    from tpy.modal import stage0

    sys.exit(stage0.main())
