"""Motions over the rows that wrapped lines take on the screen (`:help gj`, `:help g0`)."""

from __future__ import annotations

from tpy.modal.engine.columns import at_column, column, cursor_column
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.motions import down_from, line_width, step_left, up_from
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.position import INCLUSIVE, LINE, MAXCOL, Pos
from tpy.modal.view.display import Geometry


def _geometry(ctx: Context) -> Geometry:
    return Geometry(ctx.window, lambda name: ctx.editor.option(name, ctx.window))


def text_width(ctx: Context) -> int:
    """Return how many columns of the window text has."""
    return _geometry(ctx).width


class Rows:
    """A column of a line that goes from row to row of the screen, as `gj` and `gk` move it. `want` counts what stands
    before the rows of wrapped lines (`'showbreak'`) as columns."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.geometry = _geometry(ctx)
        self.width = self.geometry.width
        self.line = ctx.cursor.line
        want = ctx.window.want
        at = self._on_rows(self.line, cursor_column(ctx))
        self.to_end = want == MAXCOL
        if self.to_end:
            self.want = self.width - 1
            if at > self.want:
                self.want += ((at - self.want - 1) // self.width + 1) * self.width
        else:
            self.want = at if want is None else self._on_rows(self.line, want)
            rows = self._cells(self.line)
            if self.want > rows + 1:
                self.want -= ((self.want - rows) // self.width + 1) * self.width

    def _cells(self, line: int) -> int:
        """Return the columns of all rows of a line, the empty ones of the last row too."""
        return max(-(-self._line_width(line) // self.width), 1) * self.width

    def _line_width(self, line: int) -> int:
        return self._on_rows(line, line_width(self.ctx, line))

    def _on_rows(self, line: int, column: int) -> int:
        """Return a column of the text as one of rows that are all as wide as the window."""
        if self.geometry.hanging is None:
            return column
        row, cell = self.geometry.cut(self.ctx.lines[line], column)
        return row * self.width + cell

    def _in_text(self, line: int, column: int) -> int:
        """Return a column of rows as wide as the window as one of the text."""
        row, cell = divmod(column, self.width)
        hang = self.geometry.hang(self.ctx.lines[line]) if row else 0
        return column if not hang else row * self.width - (row - 1) * hang + max(cell - hang, 0)

    def up(self) -> bool:
        """Go one row up; `False` at the first."""
        closed = self.ctx.window.closed_fold(self.line)
        if self.want >= self.width and closed is None:
            self.want -= self.width
            return True
        line = closed[0] if closed else self.line
        if line == 0:
            return False
        self.line = self.ctx.window.first_of_fold(line - 1)
        length = self._line_width(self.line)
        if length > self.width:
            self.want += ((length - self.width - 1) // self.width + 1) * self.width
        return True

    def down(self) -> bool:
        """Go one row down; `False` at the last."""
        closed = self.ctx.window.closed_fold(self.line)
        if self.want + self.width < self._cells(self.line) and closed is None:
            self.want += self.width
            return True
        line = closed[1] if closed else self.line
        if line == len(self.ctx.lines) - 1:
            return False
        self.line = line + 1
        self.want %= self.width
        return True

    @property
    def target(self) -> Target:
        """Where the cursor goes."""
        ctx = self.ctx
        want = self._in_text(self.line, self.want)
        pos = at_column(ctx, self.line, want)
        if pos.col > 0:
            shown = self._on_rows(self.line, column(ctx, pos))
            half = self.want if self.want < self.width else (self.want - self.width) % self.width
            if shown > self.want and half > self.width // 2:
                pos = Pos(pos.line, step_left(ctx.lines[pos.line], pos.col, 1))
        kind = INCLUSIVE if self.to_end else None
        return Target(pos, kind=kind, want=MAXCOL if self.to_end else want)


def _go(ctx: Context, count: int, *, forward: bool) -> Target:
    rows = Rows(ctx)
    for left in range(count):
        if not (rows.down() if forward else rows.up()):
            target = rows.target
            ctx.cursor, ctx.window.want = target.pos, target.want
            raise CommandFailed
        ctx.engine.poll(left)
    return rows.target


@motion("row-down", keeps_column=True)
def row_down(ctx: Context) -> Target:
    """Go `count` rows of the screen down."""
    if not ctx.flag("wrap"):
        line = down_from(ctx, ctx.count)
        return Target(at_column(ctx, line, ctx.window.want or 0), kind=LINE)
    return _go(ctx, ctx.count, forward=True)


@motion("row-up", keeps_column=True)
def row_up(ctx: Context) -> Target:
    """Go `count` rows of the screen up."""
    if not ctx.flag("wrap"):
        line = up_from(ctx, ctx.count)
        return Target(at_column(ctx, line, ctx.window.want or 0), kind=LINE)
    return _go(ctx, ctx.count, forward=False)


def _row_start(ctx: Context) -> int:
    """Return the display column at which the cursor's row begins."""
    if not ctx.flag("wrap"):
        return ctx.window.left
    geometry = _geometry(ctx)
    text, at = ctx.lines[ctx.cursor.line], cursor_column(ctx)
    row = geometry.cut(text, at)[0]
    return row * geometry.width - max(row - 1, 0) * geometry.hang(text)


@motion("row-start")
def row_start(ctx: Context) -> Pos:
    """Go to the first character of the row."""
    return at_column(ctx, ctx.cursor.line, _row_start(ctx))


@motion("row-first-nonblank")
def row_first_nonblank(ctx: Context) -> Pos:
    """Go to the first character of the row that is no blank."""
    line, col = row_start(ctx)
    text = ctx.lines[line]
    while text[col : col + 1] in (" ", "\t") and col + 1 < len(text):
        col += 1
    return Pos(line, col)


@motion("row-middle")
def row_middle(ctx: Context) -> Pos:
    """Go to the middle of the row of the screen."""
    return at_column(ctx, ctx.cursor.line, _row_start(ctx) + text_width(ctx) // 2)


@motion("row-end", "inclusive")
def row_end(ctx: Context) -> Target:
    """Go to the last character of the row, and `count - 1` rows down."""
    width = text_width(ctx)
    if not ctx.flag("wrap"):
        line = min(ctx.cursor.line + ctx.count - 1, len(ctx.lines) - 1)
        pos = at_column(ctx, line, ctx.window.left + width - 1)
        return Target(pos, want=column(ctx, pos))
    if ctx.count > 1:
        ctx.window.want = MAXCOL
        return _go(ctx, ctx.count - 1, forward=True)
    start = _row_start(ctx)
    wanted = start + width - 1 - (_geometry(ctx).hang(ctx.lines[ctx.cursor.line]) if start else 0)
    pos = at_column(ctx, ctx.cursor.line, wanted)
    if pos.col > 0 and column(ctx, pos) > wanted:
        pos = Pos(pos.line, step_left(ctx.lines[pos.line], pos.col, 1))
    return Target(pos, want=column(ctx, pos))
