"""The operator `=` (`:help =`): lines are indented as C is, which is what Vim does without other options."""

from __future__ import annotations

from tpy.modal.engine import indentation
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import style_of
from tpy.modal.registry import operator
from tpy.modal.text.position import Pos, Span, first_nonblank


def indent_of(lines: list[str], line: int, shiftwidth: int, tabstop: int) -> int:
    """Return the indent that C code would have in a line, in columns."""
    return indentation.width(lines[line], tabstop)


@operator("reindent", line=True)
def reindent(ctx: Context, span: Span) -> None:
    """Indent the lines anew."""
    style = style_of(ctx.editor, ctx.window)
    first, last = span.start.line, span.end.line
    lines = list(ctx.lines)
    for line in range(first, last + 1):
        text = lines[line].lstrip(indentation.BLANKS)
        columns = indent_of(lines, line, style.shiftwidth, style.tabstop) if text else 0
        lines[line] = indentation.blanks(columns, style) + text
    new = lines[first : last + 1]
    if new != ctx.lines[first : last + 1]:
        ctx.buffer.replace(first, last + 1, new)
    ctx.cursor = Pos(first, first_nonblank(ctx.lines[first]))
    ctx.buffer.marks.set_changed(Pos(first, 0), Pos(last, 0))
