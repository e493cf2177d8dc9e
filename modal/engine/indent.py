"""The operators `<` and `>` on lines and blocks (`:help shift-left-right`)."""

from __future__ import annotations

from tpy.modal.engine import indentation
from tpy.modal.engine.autoformat import auto_format
from tpy.modal.engine.columns import line_start
from tpy.modal.engine.context import Context
from tpy.modal.engine.folding import show_line
from tpy.modal.engine.indentation import BLANKS, Style, style_of
from tpy.modal.registry import operator
from tpy.modal.text.position import BLOCK, Pos, Span, beyond
from tpy.modal.text.width import char_cells, next_col


def shift_text(text: str, amount: int, style: Style) -> str:
    """Return a line shifted by `amount` times `shiftwidth`; empty lines stay, and `#` lines with `smartindent`."""
    if not text or (style.smartindent and text.startswith("#")):
        return text
    columns = indentation.width(text, style.tabstop)
    return indentation.indented(text, indentation.shifted(columns, amount, style, round_off=style.shiftround), style)


def shift_lines(ctx: Context, first: int, last: int, amount: int) -> None:
    """Shift whole lines as one change."""
    style = style_of(ctx.editor, ctx.window)
    old = ctx.lines[first : last + 1]
    new = []
    for turn, text in enumerate(old):
        ctx.engine.poll(turn)
        new.append(shift_text(text, amount, style))
    ctx.buffer.replace(first, last + 1, new, changed=Pos(first, 0))
    ctx.buffer.marks.set_changed(Pos(first, 0), Pos(last, max(len(ctx.lines[last]) - 1, 0)))


def _shift(ctx: Context, span: Span, amount: int) -> None:
    if span.kind == BLOCK:
        _shift_block(ctx, span, amount)
        show_line(ctx.editor)
        return
    first, last = span.start.line, span.end.line
    shift_lines(ctx, first, last, amount)
    ctx.buffer.marks.set("[", span.start)
    ctx.cursor = line_start(ctx, first)
    show_line(ctx.editor)


class _Left:
    """The character at the left edge of a block: its index, where it begins, and the blanks before the edge."""

    def __init__(self, text: str, column: int, tabstop: int) -> None:
        self.col = self.before = at = 0
        self.blanks = self.blank_cells = 0
        cells = 0
        while at < column and self.col < len(text):
            char, self.before = text[self.col], self.col
            cells = char_cells(char, at, tabstop)
            at += cells
            if char in BLANKS:
                self.blanks, self.blank_cells = self.blanks + 1, self.blank_cells + cells
            else:
                self.blanks = self.blank_cells = 0
            self.col = min(next_col(text, self.col), len(text))
        self.column = at
        self.short = at < column
        self.cells = cells
        # The edge goes through the character before, a tab or a wide one.
        self.split = at > column


def _shift_block(ctx: Context, span: Span, amount: int) -> None:
    """Shift the text right of a block's left edge."""
    style = style_of(ctx.editor, ctx.window)
    first, last = span.start.line, span.end.line
    old = ctx.lines[first : last + 1]
    move = _right if amount > 0 else _left
    total = indentation.bearable(abs(amount) * style.shiftwidth)
    shown = ctx.tabstop
    new = [move(text, span.left, total, style, shown) if text else text for text in old]
    ctx.buffer.replace(first, last + 1, new, changed=Pos(first, 0))
    ctx.buffer.marks.set_changed(span.start, Pos(last, max(len(new[-1]) - 1, 0)))
    ctx.cursor = beyond(first, min(span.start.col, len(new[0])), span.start.add)
    if ctx.cursor.col == len(new[0]):
        # Where the line has become too short, Vim leaves the cursor behind it.
        ctx.engine.behind_end = ctx.cursor


def _right(text: str, column: int, total: int, style: Style, shown: int) -> str:
    edge = _Left(text, column, shown)
    if edge.short:
        return text
    start, begun = edge.col, edge.column
    kept = edge.col - edge.blanks
    white = begun - edge.blank_cells
    if edge.split and not text[edge.before].isascii():
        # A wide character is shifted whole, and its column counts as the first.
        start = kept = edge.before
        white = 0
    total += edge.blank_cells
    while start < len(text) and text[start] in BLANKS:
        cells = char_cells(text[start], begun, shown)
        total, begun, start = total + cells, begun + cells, start + 1
    tabs = 0 if style.expandtab else (white % style.tabstop + total) // style.tabstop
    spaces = (white % style.tabstop + total) % style.tabstop if tabs else total
    return text[:kept] + "\t" * tabs + " " * spaces + text[start:]


def _left(text: str, column: int, total: int, style: Style, shown: int) -> str:
    edge = _Left(text, column, shown)
    if edge.short:
        return text
    start, begun = edge.col, edge.column
    while start < len(text) and text[start] in BLANKS:
        begun += char_cells(text[start], begun, shown)
        start += 1
    goal = begun - min(begun - column, total)
    kept, at = (edge.before, edge.column - edge.cells) if edge.split else (edge.col, edge.column)
    while at < goal and kept < len(text):
        cells = char_cells(text[kept], at, shown)
        if at + cells > goal:
            break
        kept, at = kept + 1, at + cells
    return text[:kept] + " " * (goal - at) + text[start:]


@operator("shift-right", line=True, keeps_block=True)
def shift_right(ctx: Context, span: Span) -> None:
    """Shift lines to the right by 'shiftwidth', a selection as often as the count says."""
    _shift(ctx, span, ctx.count if ctx.motion is None and ctx.selected else 1)
    auto_format(ctx)


@operator("shift-left", line=True, keeps_block=True)
def shift_left(ctx: Context, span: Span) -> None:
    """Shift lines to the left by 'shiftwidth', a selection as often as the count says."""
    _shift(ctx, span, -(ctx.count if ctx.motion is None and ctx.selected else 1))
    auto_format(ctx)
