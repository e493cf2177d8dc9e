"""Formatting a paragraph again whenever the user changes it (`:help auto-format`): `a` in `'formatoptions'`.

Called by what types, deletes, joins and puts; changes of agents and of ex commands do not come here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine import comments
from tpy.modal.engine.context import Context
from tpy.modal.engine.formatting import Line, begins_paragraph, format_lines, macros_of
from tpy.modal.engine.indentation import BLANKS, Style, style_of
from tpy.modal.text.position import Pos, clamp
from tpy.modal.text.width import prev_col

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine
    from tpy.modal.engine.pen import BufferPen


class AutoFormat:
    """The formatting of paragraphs while text is typed; `spaced`: a blank at the end of the line is ours, put there
    for the paragraph to go on (`w` in the option); `due`: text was deleted before typing began, so that there is
    something to format when it ends."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.spaced = self.due = False

    def typed(self, pen: BufferPen, *, back: bool) -> None:
        """Format after a key has changed the text; with `back` from the line before on."""
        self._drop_space(pen)
        text, at_end = pen.text, pen.col == len(pen.text)
        if text and at_end and self._ends_in_blank(pen):
            return
        self._format(pen, back=back)
        if at_end or "w" not in pen.style.formatoptions:
            return
        if pen.col == len(pen.text):
            pen.set_text(pen.text + " ")
            self.spaced = True
        else:
            self._drop_space(pen)

    def left(self, pen: BufferPen) -> None:
        """Format when typing ends, also where the text ends in a blank; the cursor stays on that."""
        blank = pen.col > 0 and pen.col == len(pen.text) and pen.text[-1] in BLANKS
        pen.col -= blank
        self._drop_space(pen)
        self._format(pen, back=False)
        if blank and pen.col < len(pen.text):
            pen.col += 1
        if self.spaced and pen.char and pen.char in BLANKS:
            pen.delete()
        self.spaced = False

    def _ends_in_blank(self, pen: BufferPen) -> bool:
        """Whether the user may go on with another word, and is not to be taken to the next line before that."""
        col = prev_col(pen.text, pen.col)
        if pen.text[col] not in BLANKS and col > 0 and "1" in pen.style.formatoptions:
            col = prev_col(pen.text, col)
        return pen.text[col] in BLANKS

    def _drop_space(self, pen: BufferPen) -> None:
        """Take the blank away that was put at the end of the line, once it is not there any more."""
        if self.spaced:
            if pen.char not in (" ", "\t"):
                self.spaced = False
            elif pen.col + 1 < len(pen.text):
                pen.delete()
                self.spaced = False

    def _format(self, pen: BufferPen, *, back: bool) -> None:
        pen.sync()
        context = Context(self.engine)
        place = format_paragraph(context, pen.style, back=back, past_end=True)
        pen.line, pen.col = place
        pen.sync()


def auto_format(ctx: Context) -> None:
    """Format the paragraph of the cursor after a command of Normal mode has changed it, where that is wanted."""
    if "a" in ctx.text("formatoptions"):
        past_end = ctx.engine.insert.resume is not None
        ctx.cursor = clamp(ctx.cursor, ctx.lines, past_end=past_end)
        ctx.cursor = format_paragraph(ctx, style_of(ctx.editor, ctx.window), back=True, past_end=past_end)


def format_paragraph(ctx: Context, style: Style, *, back: bool, past_end: bool) -> Pos:
    """Format from the cursor's line, or the one before, to the end of the paragraph; return where the cursor goes."""
    here, lines = ctx.cursor, ctx.lines
    options, macros = style.formatoptions, macros_of(ctx)
    if "c" in options and "t" not in options and not comments.leader(lines[here.line], style.comments).length:
        return here
    first = here.line
    if back and first > 0 and not begins_paragraph(lines, first, style, macros):
        first -= 1
    last = first
    with_comments = "q" in options
    while last + 1 < len(lines) and not Line(lines[last], style, macros, with_comments=with_comments).apart:
        last += 1
    _, kept = format_lines(ctx, first, last, here, one=True)
    return clamp(kept or here, ctx.lines, past_end=past_end)
