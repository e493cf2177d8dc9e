"""The operator `=` (`:help =`): lines are indented as C is, which is what Vim does without other options."""

from __future__ import annotations

from tpy.modal.editor import Editor
from tpy.modal.engine import indentation
from tpy.modal.engine.cindent import indent_of
from tpy.modal.engine.cindent.rules import Rules, rules
from tpy.modal.engine.cindent.source import Source
from tpy.modal.engine.columns import line_start
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import BLANKS, Style, style_of
from tpy.modal.engine.spans import before
from tpy.modal.registry import operator
from tpy.modal.text.position import INCLUSIVE, Pos, Span
from tpy.modal.view.window import Window


def c_rules(editor: Editor, window: Window, style: Style) -> Rules:
    """Return how C is indented by the options of a window."""
    options = [str(editor.option(name, window)) for name in ("cinoptions", "cinscopedecls", "cinkeys")]
    return rules(style.shiftwidth, style.tabstop, style.comments, style.iskeyword, style.cinwords, *options)


@operator("reindent", line=True)
def reindent(ctx: Context, span: Span) -> None:
    """Indent the lines anew, as C code."""
    style = style_of(ctx.editor, ctx.window)
    first, last = span.start.line, span.end.line
    lines = list(ctx.lines)
    source = Source(lines, c_rules(ctx.editor, ctx.window, style), ctx.engine.poll)
    with ctx.editor.progress.of("Indenting"):
        for line in range(first, last + 1):
            ctx.editor.progress.at(line - first, last + 1 - first)
            text = lines[line]
            columns = indent_of(source, line) if text.strip(BLANKS) else 0
            if columns is not None:
                lines[line] = indentation.indented(text, columns, style)
                source.changed(line)
    marks, kept = ctx.buffer.marks, ctx.buffer.line_undo
    changed = next((line for line in range(first, last + 1) if lines[line] != ctx.lines[line]), None)
    end = before(ctx.lines, span.end) if ctx.engine.last_kind == INCLUSIVE else span.end
    if changed is None:
        ctx.buffer.save_line(first)
    else:
        ctx.buffer.replace(first, last + 1, lines[first : last + 1], changed=Pos(changed, 0))
    # Vim does not save a line for `U` here.
    ctx.buffer.line_undo = kept
    ctx.cursor = line_start(ctx, first)
    marks.set_changed(span.start, end)
