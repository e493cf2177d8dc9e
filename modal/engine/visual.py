"""Commands on a Visual selection that are no operators of Normal mode: `r`, `R S C`, `X D Y`, `$`-blocks, Select mode.

Selecting itself is in `selection.py`, typing into blocks in `blockedit.py`.
"""

from __future__ import annotations

from tpy.modal.engine import virtualchars
from tpy.modal.engine.changes import replacement
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import execute
from tpy.modal.engine.grammar import Command
from tpy.modal.engine.spanedit import columns_in, mark_changed
from tpy.modal.registry import action, operator, operators
from tpy.modal.text.chars import is_combining
from tpy.modal.text.position import BLOCK, LINE, MAXCOL, Pos, Span
from tpy.modal.text.width import block_cut, char_cells, column_of


@operator("replace-selected", arg="char")
def replace_selected(ctx: Context, span: Span) -> None:
    """Replace every selected character by the one typed; line breaks stay."""
    char = replacement(ctx)
    if span.empty:
        # The cursor stays where there is nothing to replace, also behind the end of the line.
        ctx.engine.behind_end = ctx.cursor
        return
    first, last = span.start.line, span.end.line
    if span.kind != BLOCK and ctx.engine.virtual_operator:
        virtualchars.replace(ctx, span, char)
        return
    old = ctx.lines[first : last + 1]
    breaks = span.kind == BLOCK and ctx.arg in ("<CR>", "<C-j>")
    new: list[str] = []
    for offset, text in enumerate(old):
        ctx.engine.poll(offset)
        if span.kind == BLOCK:
            new.extend(_in_block(ctx, text, char, span, breaks=breaks))
            continue
        begin, end = columns_in(text, span, first + offset, ctx.tabstop)
        part = text[begin:end]
        number = len(part) if part.isascii() else sum(not is_combining(one) for one in part)
        new.append(text[:begin] + char * number + text[end:])
    ctx.buffer.replace(first, last + 1, new)
    if span.kind == LINE:
        ctx.cursor = Pos(first, 0)
    mark_changed(ctx, span)
    if breaks:
        ctx.buffer.marks.set_changed(span.start, Pos(first + len(new) - 1, span.end.col))
    ctx.buffer.marks.add_change(Pos(first, 0 if span.kind == LINE else span.start.col))


def _in_block(ctx: Context, text: str, char: str, span: Span, *, breaks: bool) -> list[str]:
    """Replace the screen cells of a block by the character; a tab at its edge becomes blanks."""
    cut = block_cut(text, span.left, span.right, ctx.tabstop)
    width = column_of(text, len(text), ctx.tabstop)
    filled = span.virtual and not span.dollar and width <= span.right
    if not cut.middle and not filled:
        return [text]
    cells = 0
    column = span.left
    for one in cut.middle:
        cells += char_cells(one, column + cells, ctx.tabstop)
    if filled:
        # A line that is too short is replaced up to the block's end, as if it had blanks there.
        cut = cut._replace(head=cut.head + " " * (span.left - width))
        cells = span.right - span.left + 1
    width = max(char_cells(char, 0, 1), 1)
    number = cells // width
    # Half a cell is filled only where the line goes to the end of the block.
    reaches = column + cells > span.right and not filled
    tail = " " * (cells - number * width if reaches else 0) + cut.tail
    if breaks:
        return [cut.head, cut.tail]
    return [cut.head + char * number + tail]


def _on_lines(ctx: Context, name: str, *, to_end: bool | None = None) -> None:
    """Run an operator on the whole lines of the selection; a block stays one unless `to_end` is `None`, and goes to
    the line ends where it is true."""
    visual = ctx.visual
    assert visual is not None
    if visual.kind == "<C-v>" and to_end is not None:
        visual.dollar = visual.dollar or to_end
        ctx.window.want = MAXCOL if to_end else ctx.window.want
    elif visual.kind != "V":
        visual.kind = "V"
    command = Command(times=ctx.count if ctx.explicit else None, register=ctx.register, operator=operators[name])
    execute(ctx.engine, command)


@action("delete-lines", modifies=True)
def delete_lines(ctx: Context) -> None:
    """Delete the selected lines, or the block."""
    _on_lines(ctx, "delete", to_end=False)


@action("delete-to-ends", modifies=True)
def delete_to_ends(ctx: Context) -> None:
    """Delete the selected lines, of a block up to the line ends."""
    _on_lines(ctx, "delete", to_end=True)


@action("change-lines", modifies=True)
def change_lines(ctx: Context) -> None:
    """Delete the selected lines and begin to insert."""
    _on_lines(ctx, "change")


@action("change-to-ends", modifies=True)
def change_to_ends(ctx: Context) -> None:
    """Delete the selected lines, of a block up to the line ends, and begin to insert."""
    _on_lines(ctx, "change", to_end=True)


@action("yank-lines")
def yank_lines(ctx: Context) -> None:
    """Copy the selected lines, or the block."""
    _on_lines(ctx, "yank", to_end=False)
