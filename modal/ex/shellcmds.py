"""`:!`: running a program, or passing lines through one (`:help :!`)."""

from __future__ import annotations

from tpy.modal.ex import shell
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import command
from tpy.modal.text.position import Pos, first_nonblank


@command("!", range=".", args="shell", bar=False)
def bang(ctx: ExContext) -> None:
    """Run a program and show its output; with a range pass the lines through it."""
    line = shell.command_line(ctx, ctx.args)
    ctx.engine.repeat.filtered(line)
    if not ctx.lines_typed:
        shell.tell(ctx, shell.run(ctx.editor, line))
        ctx.editor.run_hooks("shell-done")
        return
    ctx.require_modifiable()
    filter_lines(ctx, line)


def filter_lines(ctx: ExContext, line: str) -> None:
    """Replace the lines of the range by what a program makes of them."""
    buffer, first, last = ctx.buffer, ctx.first, ctx.last
    text = "".join(text + "\n" for text in buffer.lines[first : last + 1])
    done = shell.run(ctx.editor, line, text)
    new = shell.output_lines(done.text)
    ctx.window.cursor = Pos(first, 0)
    buffer.replace(first, last + 1, new)
    buffer.line_undo = None
    end = max(min(first + len(new), len(buffer.lines)) - 1, 0)
    start = min(first, len(buffer.lines) - 1)
    buffer.marks.set_changed(Pos(start, 0), Pos(max(end, start), 0))
    ctx.window.cursor = Pos(start, first_nonblank(buffer.lines[start]))
    ctx.window.want = None
    count = last - first + 1
    if done.status:
        ctx.echo(f"shell returned {done.status}")
    elif count > ctx.option("report"):
        ctx.echo(f"{count} lines filtered")
