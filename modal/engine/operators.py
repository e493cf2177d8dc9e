"""Operators that take text away or copy it: delete, change, yank; and the filter (`:help operator`)."""

from __future__ import annotations

from tpy.modal.engine import virtualchars
from tpy.modal.engine.autoformat import auto_format
from tpy.modal.engine.blockedit import change_block
from tpy.modal.engine.columns import line_start
from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import kept
from tpy.modal.registry import CommandFailed, motions, operator
from tpy.modal.text.marks import Joint
from tpy.modal.text.position import BLOCK, INCLUSIVE, LINE, Pos, Span, clamp
from tpy.modal.text.width import block_cut


def remove(ctx: Context, span: Span) -> None:
    """Take the text of a span out and put the cursor where it was."""
    buffer = ctx.buffer
    first, last = span.start.line, span.end.line
    if span.kind == LINE:
        buffer.delete(first, last + 1)
        line = min(first, len(buffer.lines) - 1)
        ctx.cursor = line_start(ctx, line)
    elif span.kind == BLOCK:
        cuts = [block_cut(text, span.left, span.right, ctx.tabstop) for text in ctx.lines[first : last + 1]]
        buffer.replace(first, last + 1, [cut.head + cut.tail for cut in cuts])
        if cuts[0].middle or not span.virtual:
            ctx.cursor = Pos(first, len(cuts[0].head))
        buffer.marks.add_change(ctx.cursor)
    elif span.virtual:
        virtualchars.remove(ctx, span)
    else:
        text = buffer.lines[first][: span.start.col] + buffer.lines[last][span.end.col :]
        joints = [Joint(last, span.start.col)] if last > first else ()
        buffer.replace(first, last + 1, [text], joints=joints, changed=Pos(first, span.start.col))
        if last > first:
            # Vim takes the rest of the last line away before it joins the two.
            buffer.marks.add_change(Pos(first + 1, 0))
        ctx.cursor = kept(span.start, buffer.lines)


@operator("delete", register="delete", joins_blank=True)
def delete(ctx: Context, span: Span) -> None:
    """Delete the text."""
    if ctx.buffer.no_lines:
        return
    if span.empty:
        # Where that is behind the end of the line, the cursor stays there.
        ctx.engine.behind_end = ctx.cursor
        if ctx.selected or ctx.motion is None or motions[ctx.motion].kind != INCLUSIVE:
            ctx.buffer.save_line(span.start.line)
        return
    remove(ctx, span)
    start = span.start
    end = Pos(span.end.line, span.start.col) if span.kind == BLOCK else start
    ctx.buffer.marks.set_changed(start, end)
    if span.kind != BLOCK:
        auto_format(ctx)


@operator("change", register="delete", word_end=True, fills_empty=True)
def change(ctx: Context, span: Span) -> None:
    """Delete the text and begin to insert."""
    if span.kind == BLOCK:
        remove(ctx, span)
        change_block(ctx, span)
    elif span.kind == LINE:
        _change_lines(ctx, span)
    else:
        if span.empty and "E" in ctx.text("cpoptions") and ctx.engine.last_kind != INCLUSIVE:
            ctx.engine.repeat.cancel()
            raise CommandFailed
        if span.empty:
            ctx.buffer.save_line(span.start.line)
        else:
            remove(ctx, span)
        if not span.virtual:
            ctx.cursor = clamp(span.start, ctx.lines, past_end=True)
        ctx.engine.insert.start()
        if (formatting := ctx.engine.insert.pen.formatting) is not None:
            formatting.due = True


def _change_lines(ctx: Context, span: Span) -> None:
    """Leave one line of the lines, with its indent where `autoindent` is on."""
    first, last = span.start.line, span.end.line
    insert = ctx.engine.insert
    text = ctx.lines[first]
    ctx.cursor = Pos(min(first + 1, last), span.start.col)
    ctx.buffer.save_line(first)
    if last > first:
        ctx.buffer.delete(first + 1, last + 1)
    pen = insert.prepare()
    pen.line = first
    style = pen.style
    keep = len(text) - len(text.lstrip(" \t")) if style.autoindent or style.smartindent else 0
    if not style.autoindent:
        keep = 0
    pen.col = keep
    pen.set_text(text[:keep])
    pen.did_ai = style.autoindent
    pen.ai_col = keep
    pen.can_si = style.smartindent
    if pen.indenting is not None:
        pen.indenting.reindent(pen)
    pen.sync()
    insert.start(indented=True)


@operator("yank", register="yank", dot=False, modifies=False)
def yank(ctx: Context, span: Span) -> None:
    """Copy the text into a register."""
    if ctx.editor.extra.get("lockmarks"):
        return
    if span.kind == LINE:
        last = span.end.line
        ctx.buffer.marks.set_changed(Pos(span.start.line, 0), Pos(last, max(len(ctx.lines[last]) - 1, 0)))
    else:
        end = span.end
        if span.kind != BLOCK and end.col > 0:
            end = Pos(end.line, end.col - 1)
        ctx.buffer.marks.set_changed(span.start, end)


@operator("yank-trimmed", register="yank-trimmed", dot=False, modifies=False)
def yank_trimmed(ctx: Context, span: Span) -> None:
    """Copy the text into a register, a block without the blanks at the ends of its lines."""
    yank(ctx, span)


@operator("call-function", modifies=False)
def call_function(ctx: Context, span: Span) -> None:
    """Say that there is no `'operatorfunc'`: it would be a function of Vim script."""
    if ctx.selected:
        # The cursor stays where the selection began, also behind the end of a line.
        ctx.engine.behind_end = ctx.cursor
    raise CommandFailed("E774: 'operatorfunc' is empty: there are no functions of Vim script; map keys instead")


@operator("filter", line=True)
def filter_lines(ctx: Context, span: Span) -> None:
    """Type a shell command that the lines are put through."""
    first, last = span.start.line, span.end.line
    here = ctx.cursor.line
    total = len(ctx.lines) - 1
    start = "." if first == here else str(first + 1)
    if ctx.selected:
        reach = "'<,'>"
    elif first == last and first == here:
        reach = "."
    elif last == total:
        reach = f"{start},$"
    elif first == here:
        reach = f".,.+{last - first}"
    else:
        reach = f"{start},{last + 1}"
    ctx.engine.repeat.filtering = not ctx.engine.repeat.replaying
    ctx.engine.open_prompt(":", ctx.engine.run_ex, text=reach + "!")
