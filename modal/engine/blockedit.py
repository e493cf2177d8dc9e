"""Typing into every line of a block: `c`, `I`, `A` of a Visual block (`:help blockwise-operators`)."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine.blockrow import APPEND, CHANGE, INSERT, Row, row_of
from tpy.modal.engine.columns import column
from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import fill
from tpy.modal.registry import operator
from tpy.modal.text.position import BLOCK, LINE, Pos, Span, clamp
from tpy.modal.text.width import column_of, next_col, prev_col


def change_block(ctx: Context, span: Span) -> None:
    """Begin to insert where a block was deleted; what is typed goes to all its lines."""
    first, last = span.start.line, span.end.line
    if span.virtual and (ctx.cursor.add or ctx.cursor.col >= len(ctx.lines[first])):
        fill(ctx, column(ctx, ctx.cursor))
    elif not span.virtual:
        # Vim goes to the last character of a line that ends here now, and on behind it where the block began there.
        text, ctx.cursor = ctx.lines[first], clamp(ctx.cursor, ctx.lines)
        if span.start.col > ctx.cursor.col:
            ctx.cursor = Pos(first, min(next_col(text, ctx.cursor.col), len(text)))
    line, col = ctx.cursor
    size = len(ctx.lines[line])

    def _ended() -> None:
        # As in Vim, what the line has grown by is what was typed, also where it was broken.
        text = ctx.lines[line][col : col + len(ctx.lines[line]) - size] if line < len(ctx.lines) else ""
        if text:
            _replace(ctx, first + 1, last + 1, lambda row: _typed_at_edge(ctx, row, text, span))

    ctx.engine.insert.start(on_end=_ended)


def _typed_at_edge(ctx: Context, text: str, typed: str, span: Span) -> str:
    """Return a line with what was typed at the left edge of the block, which may be behind it for a virtual one."""
    row = row_of(text, span, ctx.tabstop, CHANGE)
    if row.short and not span.virtual:
        return text
    blanks = " " * (span.left - row.ends if row.short else 0)
    return text[: row.col] + blanks + typed + text[row.col :]


def _replace(ctx: Context, first: int, last: int, change: Callable[[str], str]) -> None:
    """Change the other lines of a block; `U` is for the line that was typed in."""
    if first < last:
        kept = ctx.buffer.line_undo
        ctx.buffer.replace(first, last, [change(text) for text in ctx.lines[first:last]])
        ctx.buffer.line_undo = kept


def _insert_in(row: Row, text: str, typed: str) -> tuple[str, int]:
    """Return a line with what was typed before a block, and where that ends; a tab at the edge is split, a wide
    character is pushed on."""
    at = row.col
    if not row.before:
        return text[:at] + typed + text[at:], at + len(typed)
    tail = " " * (row.first - row.before) + text[at + 1 :] if text[at] == "\t" else text[at:]
    return text[:at] + " " * row.before + typed + tail, at + row.before + len(typed)


def _append_in(row: Row, text: str, typed: str, span: Span) -> tuple[str, int]:
    """Return a line with what was typed behind a block, and where that ends; a line that is too short is filled up,
    but not after `$`."""
    at = row.col + row.size
    if row.short:
        filled = text[:at] + " " * (0 if span.dollar else span.right + 1 - row.ends)
        return filled + typed + text[at:], len(filled) + len(typed)
    blanks = row.last - row.behind if row.behind else 0
    if not blanks:
        return text[:at] + typed + text[at:], at + len(typed)
    at = prev_col(text, at)
    tail = " " * row.behind + text[at + 1 :] if text[at] == "\t" else text[at:]
    return text[:at] + " " * blanks + typed + tail, at + blanks + len(typed)


@operator("insert-before")
def insert_before(ctx: Context, span: Span) -> None:
    """Begin to insert before the text; in a block what is typed goes to all its lines."""
    if span.kind != BLOCK:
        selection = ctx.buffer.marks.visual
        if not ctx.engine.repeat.replaying and selection is not None:
            # The fixed end counts as the first column; repeated, it is where the cursor is.
            ctx.cursor = min(Pos(selection[1].line, 0), ctx.origin)
        ctx.engine.insert.start(count=ctx.count)
        return
    _Session(ctx, span, INSERT)


@operator("insert-after")
def insert_after(ctx: Context, span: Span) -> None:
    """Begin to insert behind the text; in a block what is typed goes to all its lines."""
    if span.kind != BLOCK:
        ctx.cursor = _behind_selection(ctx, span)
        ctx.engine.insert.start(count=ctx.count)
        return
    _Session(ctx, span, APPEND)


def _behind_selection(ctx: Context, span: Span) -> Pos:
    """Return where `A` inserts for lines or characters: in the last line, behind the column of the cursor.

    In the first column, and after `$` mostly, it is before that character: where the columns that Vim last noted for a
    selection are the same.
    """
    last = span.end.line if span.kind == LINE or span.end.col or span.start.line == span.end.line else span.end.line - 1
    selection = ctx.buffer.marks.visual
    text = ctx.lines[last]
    if span.virtual and ctx.origin.line == last and ctx.origin.col >= len(text):
        return ctx.origin
    # The fixed end of a selection of lines counts as the first column.
    col = 0 if selection is not None and selection[1].line > ctx.origin.line else ctx.origin.col
    col = min(col, max(len(text) - 1, 0))
    first_column, last_column = ctx.engine.repeat.columns
    if text and first_column != last_column:
        col = min(next_col(text, col), len(text))
    return Pos(last, col)


class _Session:
    """An insert that `I` or `A` of a block began in its first line, to be repeated in the others when it is over.

    What was typed is found by how much the line has grown in front of what was the rest of it, as in Vim.
    """

    def __init__(self, ctx: Context, span: Span, command: str) -> None:
        self.ctx, self.span, self.command = ctx, span, command
        line = span.start.line
        rows = ctx.lines[line : span.end.line + 1] if span.dollar else ()
        self.longest = max((column_of(text, len(text), ctx.tabstop) for text in rows), default=0)
        if ctx.cursor.add:
            fill(ctx, column(ctx, ctx.cursor) if command == INSERT else span.right + 1)
        row = row_of(ctx.lines[line], span, ctx.tabstop, command)
        text = ctx.lines[line]
        behind = row.col + row.size
        self.rest = len(text) - (row.col if command == INSERT else behind)
        if command == APPEND:
            missing = row.behind if row.short and not span.dollar else 0
            if missing:
                ctx.buffer.set_line(line, text + " " * missing)
            ctx.cursor = Pos(line, min(max(behind, ctx.cursor.col - 1), len(text)) + missing)
            row = row._replace(size=row.size + missing)
        self.row = row
        self.begun = ctx.cursor
        ctx.engine.insert.start(count=ctx.count, on_end=self._ended)

    def _ended(self) -> None:
        ctx, line = self.ctx, self.begun.line
        origin = ctx.engine.insert.pen.origin
        if ctx.cursor.line != line or line >= len(ctx.lines):
            return
        start = self.span.start
        if origin.line == line and origin < start:
            start = origin
        if origin.line == line and not self.span.dollar:
            start = self._follow_cursor(start, origin)
        text = ctx.lines[line]
        row, now = self.row, row_of(text, self.span, ctx.tabstop, self.command)
        if not self.span.dollar or now.size < row.size:
            if self.command == APPEND:
                self.rest += now.size - row.size
                # Where the block ends inside a tab Vim takes the tab for typed too.
                now = now._replace(size=now.size - bool(now.behind))
            row = now
        at = row.col + (row.size if self.command == APPEND else 0)
        back = self.begun.col - ctx.engine.insert.pen.start.col if self.command == APPEND and self.span.dollar else 0
        if back > 0:
            # The cursor was moved to the left: after `$` the block ends there, counted from its longest line.
            self.span = self.span._replace(right=self.longest - back - 1)
            if self.longest <= back:
                return
            at -= back
        size = len(text) - at - self.rest - max(back, 0)
        if size > 0 and self.rest >= 0:
            self._spread(text[at : at + size])
            ctx.cursor = clamp(Pos(line, start.col), ctx.lines, past_end=True)

    def _follow_cursor(self, start: Pos, origin: Pos) -> Pos:
        """Take the block for where the cursor was moved to before anything was typed; return its start."""
        moved = start.col + start.add - origin.col
        if (moved == 0) if self.command == INSERT else (moved < 0):
            return start
        if self.command == APPEND:
            self.rest += self.row.size
            self.command = INSERT
        left = column_of(self.ctx.lines[origin.line], origin.col, self.ctx.tabstop)
        self.rest -= left - self.span.left
        self.span = self.span._replace(left=left)
        return Pos(start.line, origin.col)

    def _spread(self, typed: str) -> None:
        """Put what was typed into the other lines of the block."""
        ctx, span = self.ctx, self.span
        first, last = span.start.line + 1, span.end.line + 1
        end: int | None = None
        new = []
        for text in ctx.lines[first:last]:
            row, end = row_of(text, span, ctx.tabstop, self.command), None
            if self.command == APPEND:
                text, end = _append_in(row, text, typed, span)
            elif not row.short:
                text, end = _insert_in(row, text, typed)
            new.append(text)
        if not new:
            return
        ctx.buffer.replace(first, last, new)
        marks = ctx.buffer.marks
        begun = marks.get("[")
        if begun is not None and end is not None:
            # The changed text ends in the last line.
            marks.set_changed(begun, Pos(last - 1, end))
