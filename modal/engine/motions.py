"""Motions over characters and whole lines (`:help left-right-motions`, `:help up-down-motions`)."""

from __future__ import annotations

from tpy.modal.engine.columns import at_column, last_col, one_more, past_end, wanted, wanted_column
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.folding import open_for
from tpy.modal.engine.virtual import is_virtual, virtual_left, virtual_right
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, MAXCOL, Pos, beyond, first_nonblank
from tpy.modal.text.width import column_of, next_col, prev_col


def step_left(text: str, col: int, count: int) -> int:
    """Return the column `count` characters before `col`, 0 at the least."""
    if text.isascii():
        return max(col - count, 0)
    while count > 0 and col > 0:
        col, count = prev_col(text, col), count - 1
    return col


def step_right(text: str, col: int, count: int) -> int:
    """Return the column `count` characters behind `col`, the length at most."""
    if text.isascii():
        return min(col + count, len(text))
    while count > 0 and col < len(text):
        col, count = next_col(text, col), count - 1
    return min(col, len(text))


def _go_left(ctx: Context, letter: str) -> Target:
    line, col = ctx.cursor
    wraps = letter in ctx.text("whichwrap")
    if is_virtual(ctx.engine):
        return virtual_left(ctx, wraps=wraps)
    count, exact = ctx.count, False
    while True:
        text = ctx.lines[line]
        reached = step_left(text, col, count)
        count -= col - reached if text.isascii() else _characters(text, reached, col)
        col = reached
        if count == 0:
            break
        if not wraps or line == 0:
            if ctx.operator is None and count == ctx.count:
                raise CommandFailed
            break
        line, count = line - 1, count - 1
        text = ctx.lines[line]
        col = len(text) if past_end(ctx) else last_col(text)
        if ctx.operator in ("delete", "change") and text:
            col, exact = len(text), True
    if ctx.operator is None and (line, col) != ctx.cursor:
        open_for(ctx, "hor", line)
    return Target(beyond(line, col, ctx.cursor.add), exact=exact)


def _characters(text: str, start: int, end: int) -> int:
    count = 0
    while end > start:
        end, count = prev_col(text, end), count + 1
    return count


def _go_right(ctx: Context, letter: str) -> Target:
    line, col = ctx.cursor
    wraps = letter in ctx.text("whichwrap")
    if is_virtual(ctx.engine):
        return virtual_right(ctx, wraps=wraps)
    count, inclusive = ctx.count, False
    while count > 0:
        text = ctx.lines[line]
        further = (ctx.visual is not None and past_end(ctx)) or one_more(ctx)
        last = len(text) if further else last_col(text)
        if col < last:
            reached = min(step_right(text, col, count), last)
            count -= reached - col if text.isascii() else _characters(text, col, reached)
            col = reached
        elif wraps and line < len(ctx.lines) - 1:
            # An operator counts the line break as a character of its own.
            if ctx.operator is not None and not inclusive and text:
                inclusive = True
            else:
                line, col, inclusive = line + 1, 0, False
            count -= 1
        else:
            if ctx.operator is None and count == ctx.count:
                raise CommandFailed
            inclusive = inclusive or (ctx.operator is not None and bool(text))
            break
    return Target(beyond(line, col, ctx.cursor.add), kind=INCLUSIVE if inclusive else EXCLUSIVE)


def line_width(ctx: Context, line: int) -> int:
    """Return how many display columns a line takes."""
    text = ctx.lines[line]
    return column_of(text, len(text), ctx.tabstop)


@motion("left")
def left(ctx: Context) -> Target:
    """Go `count` characters to the left."""
    return _go_left(ctx, "h")


@motion("left-key")
def left_key(ctx: Context) -> Target:
    """Go `count` characters to the left, as the arrow key does."""
    return _go_left(ctx, "<")


@motion("backspace")
def backspace(ctx: Context) -> Target:
    """Go `count` characters back, also into the line before."""
    return _go_left(ctx, "b")


@motion("right", opens="hor")
def right(ctx: Context) -> Target:
    """Go `count` characters to the right."""
    return _go_right(ctx, "l")


@motion("right-key", opens="hor")
def right_key(ctx: Context) -> Target:
    """Go `count` characters to the right, as the arrow key does."""
    return _go_right(ctx, ">")


@motion("space", opens="hor")
def space(ctx: Context) -> Target:
    """Go `count` characters on, also into the next line."""
    return _go_right(ctx, "s")


@motion("line-start", opens="hor")
def line_start(ctx: Context) -> Pos:
    """Go to the first character of the line."""
    ctx.engine.insert.forget_end()
    return Pos(ctx.cursor.line, 0)


@motion("line-home")
def line_home(ctx: Context) -> Target:
    """Go to the first character of the line; unlike `0` it opens no fold, and motions up and down stay in column 0."""
    return Target(line_start(ctx), want=0)


@motion("first-nonblank", opens="hor")
def first_nonblank_of_line(ctx: Context) -> Pos:
    """Go to the first character of the line that is no blank."""
    ctx.engine.insert.forget_end()
    line = ctx.cursor.line
    return Pos(line, first_nonblank(ctx.lines[line]))


@motion("line-end", "inclusive", opens="hor")
def line_end(ctx: Context) -> Target:
    """Go to the end of the line, and `count - 1` lines down."""
    here, text = ctx.cursor, ctx.lines[ctx.cursor.line]
    virtual = ctx.visual is None and is_virtual(ctx.engine)
    if virtual and ctx.operator is not None and here.col >= len(text):
        # Behind the line an operator works on the place there is.
        line = down_from(ctx, ctx.count - 1)
        return Target(here if line == here.line else wanted(ctx, line))
    ctx.window.want = MAXCOL
    line = down_from(ctx, ctx.count - 1)
    # Where it may go anywhere the cursor does not stay at the ends of lines.
    want = max(line_width(ctx, line) + past_end(ctx) - 1, 0) if virtual else MAXCOL
    return Target(at_column(ctx, line, MAXCOL), want=want)


@motion("last-nonblank", "inclusive")
def last_nonblank(ctx: Context) -> Target:
    """Go to the last character of the line that is no blank, and `count - 1` lines down."""
    # Where it cannot go there, it is the column that counts all the same, as for `$`.
    ctx.window.want = MAXCOL
    line = down_from(ctx, ctx.count - 1)
    # A block that it makes (`d<C-v>g_`) goes to the line ends.
    want = None if ctx.operator is None else MAXCOL
    return Target(Pos(line, max(len(ctx.lines[line].rstrip(" \t")) - 1, 0)), want=want)


@motion("column")
def column(ctx: Context) -> Target:
    """Go to the display column `count`."""
    want = ctx.count - 1 if ctx.explicit else 0
    return Target(at_column(ctx, ctx.cursor.line, want), want=want)


@motion("line-middle")
def line_middle(ctx: Context) -> Target:
    """Go to the middle of the text of the line, or `count` percent of it."""
    cells = line_width(ctx, ctx.cursor.line)
    percent = ctx.count if ctx.explicit and ctx.count <= 100 else 50
    return Target(at_column(ctx, ctx.cursor.line, cells * percent // 100))


@motion("byte", jump=True)
def byte(ctx: Context) -> Target:
    """Go to the byte `count` of the buffer; it is of the kind that the motion before was, as in Vim."""
    return Target(_byte(ctx), kind=ctx.engine.last_kind)


def _byte(ctx: Context) -> Pos:
    left_over = max(ctx.count - 1, 0)
    for number, text in enumerate(ctx.lines):
        size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
        if left_over <= size:
            col = left_over
            if size != len(text):
                head = text.encode("utf-8", "surrogateescape")[:left_over]
                col = len(head.decode("utf-8", "ignore"))
            return Pos(number, min(col, last_col(text)))
        left_over -= size + 1
    return Pos(len(ctx.lines) - 1, last_col(ctx.lines[-1]))


# Lines


def down_from(ctx: Context, count: int) -> int:
    """Return the line `count` lines below the cursor's, the last one at most, a closed fold counted as one line.

    Raises `CommandFailed` where it is the last already.
    """
    window, last = ctx.window, len(ctx.lines) - 1
    line = ctx.cursor.line
    if count <= 0:
        return line
    if window.last_of_fold(line) >= last:
        raise CommandFailed
    if "folds" not in window.extra:
        return min(line + count, last)
    while count > 0 and line < last:
        line, count = window.last_of_fold(line) + 1, count - 1
    return min(line, last)


def up_from(ctx: Context, count: int) -> int:
    """Return the line `count` lines above the cursor's, the first at least, a closed fold counted as one line.

    Raises `CommandFailed` where it is the first already.
    """
    line = ctx.cursor.line
    if count <= 0:
        return line
    if line == 0:
        raise CommandFailed
    if "folds" not in ctx.window.extra or count > line:
        return max(line - count, 0)
    line = ctx.window.first_of_fold(line)
    while count > 0 and line > 0:
        line, count = ctx.window.first_of_fold(line - 1), count - 1
    return line


def start_of(ctx: Context, line: int) -> Target:
    """Return the place in `line` for commands that obey `startofline`: first non-blank or wanted column."""
    if ctx.flag("startofline"):
        return Target(Pos(line, first_nonblank(ctx.lines[line])))
    return Target(wanted(ctx, line), want=wanted_column(ctx))


@motion("down", "line", keeps_column=True)
def down(ctx: Context) -> Pos:
    """Go `count` lines down."""
    return wanted(ctx, down_from(ctx, ctx.count))


@motion("up", "line", keeps_column=True)
def up(ctx: Context) -> Pos:
    """Go `count` lines up."""
    return wanted(ctx, up_from(ctx, ctx.count))


@motion("next-line-start", "line")
def next_line_start(ctx: Context) -> Pos:
    """Go to the first non-blank of the line `count` lines down."""
    line = down_from(ctx, ctx.count)
    return Pos(line, first_nonblank(ctx.lines[line]))


@motion("previous-line-start", "line")
def previous_line_start(ctx: Context) -> Pos:
    """Go to the first non-blank of the line `count` lines up."""
    line = up_from(ctx, ctx.count)
    return Pos(line, first_nonblank(ctx.lines[line]))


@motion("lines", "line")
def lines(ctx: Context) -> Target:
    """Take `count` lines from the cursor's: `_`, and what a doubled operator works on."""
    line = down_from(ctx, ctx.count - 1)
    if ctx.operator in ("yank", "yank-trimmed"):
        return Target(Pos(line, ctx.cursor.col) if line == ctx.cursor.line else wanted(ctx, line))
    if ctx.operator in ("delete", "indent-left", "indent-right"):
        return start_of(ctx, line)
    return Target(Pos(line, first_nonblank(ctx.lines[line])))


def _to_line(ctx: Context, line: int) -> Target:
    return start_of(ctx, min(max(line, 0), len(ctx.lines) - 1))


@motion("goto-line", "line", jump=True, opens="jump")
def goto_line(ctx: Context) -> Target:
    """Go to line `count`, else the last one."""
    return _to_line(ctx, ctx.count - 1 if ctx.explicit else len(ctx.lines) - 1)


@motion("goto-first-line", "line", jump=True, opens="jump")
def goto_first_line(ctx: Context) -> Target:
    """Go to line `count`, else the first one."""
    return _to_line(ctx, ctx.count - 1)


@motion("buffer-end", "inclusive", jump=True, opens="hor")
def buffer_end(ctx: Context) -> Target:
    """Go to the end of line `count`, else of the last one."""
    line = min(ctx.count - 1 if ctx.explicit else len(ctx.lines) - 1, len(ctx.lines) - 1)
    return Target(at_column(ctx, line, MAXCOL), want=None if ctx.operator is None else MAXCOL)
