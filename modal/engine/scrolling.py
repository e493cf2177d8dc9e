"""Scrolling commands and motions to lines of the window (`:help scroll.txt`, `:help H`)."""

from __future__ import annotations

from tpy.modal.engine.columns import at_column, wanted_column
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.motions import start_of
from tpy.modal.registry import CommandFailed, action, motion
from tpy.modal.text.position import Pos, first_nonblank, in_line
from tpy.modal.view.pages import Pager


def scroller(ctx: Context) -> Pager:
    """Return what scrolls the window of a command."""
    return Pager(ctx.window, ctx.option)


def _to_start(ctx: Context) -> None:
    """Put the cursor at the start of its line, as `startofline` says."""
    target = start_of(ctx, ctx.cursor.line)
    ctx.cursor = target.pos
    ctx.window.want = target.want


def _to_nonblank(ctx: Context) -> None:
    """Put the cursor on the first non-blank of its line."""
    line = ctx.cursor.line
    ctx.cursor = Pos(line, first_nonblank(ctx.lines[line]))
    ctx.window.want = None


def _lines(ctx: Context, *, up: bool) -> None:
    want, before = wanted_column(ctx), ctx.cursor.line
    scroller(ctx).scroll(ctx.count, up=up)
    if ctx.cursor.line != before:
        ctx.window.want = want
        ctx.cursor = at_column(ctx, ctx.cursor.line, want)
    # 'scrolloff' is not looked at again until the cursor leaves its line.
    ctx.window.extra["scrolled"] = ctx.window.state


@action("scroll-line-down")
def scroll_line_down(ctx: Context) -> None:
    """Scroll `count` lines on."""
    _lines(ctx, up=True)


@action("scroll-line-up")
def scroll_line_up(ctx: Context) -> None:
    """Scroll `count` lines back."""
    _lines(ctx, up=False)


def _half(ctx: Context, *, down: bool) -> None:
    if ctx.cursor.line == (len(ctx.lines) - 1 if down else 0):
        raise CommandFailed
    if ctx.explicit:
        ctx.window.options["scroll"] = min(ctx.count, ctx.window.height)
    ctx.window.want = wanted_column(ctx)
    rows = ctx.number("scroll") or max(ctx.window.height // 2, 1)
    scroller(ctx).half_page(min(rows, ctx.window.height), down=down)
    _to_start(ctx)


@action("scroll-half-down")
def scroll_half_down(ctx: Context) -> None:
    """Scroll half a window on, or `count` lines now and from now on."""
    _half(ctx, down=True)


@action("scroll-half-up")
def scroll_half_up(ctx: Context) -> None:
    """Scroll half a window back, or `count` lines now and from now on."""
    _half(ctx, down=False)


def _pages(ctx: Context, *, down: bool) -> None:
    if len(ctx.lines) == 1:
        raise CommandFailed
    scrolling = scroller(ctx)
    top, begun = ctx.window.top, ctx.cursor
    ctx.window.want = wanted_column(ctx)
    for turn in range(ctx.count):
        if not scrolling.page(down=down):
            scrolling.after_pages(top, down=False)
            ctx.cursor = in_line(begun, ctx.cursor.line, ctx.lines)
            raise CommandFailed
        ctx.engine.poll(turn)
    scrolling.after_pages(top, down=False)
    _to_start(ctx)
    if down:
        scrolling.after_pages(top, down=True)


@action("page-down")
def page_down(ctx: Context) -> None:
    """Scroll `count` windows on."""
    _pages(ctx, down=True)


@action("page-up")
def page_up(ctx: Context) -> None:
    """Scroll `count` windows back."""
    _pages(ctx, down=False)


# Placing the cursor's line


def _to_count(ctx: Context) -> None:
    """Go to line `count`, where one is given."""
    if ctx.explicit and ctx.count - 1 != ctx.cursor.line:
        ctx.engine.jump_from(ctx.window, ctx.cursor)
        ctx.cursor = in_line(ctx.cursor, min(ctx.count, len(ctx.lines)) - 1, ctx.lines)


@action("cursor-to-top")
def cursor_to_top(ctx: Context) -> None:
    """Scroll the cursor's line, or line `count`, to the top."""
    _to_count(ctx)
    scroller(ctx).to_top(0, always=True)


@action("line-to-top")
def line_to_top(ctx: Context) -> None:
    """Scroll the cursor's line, or line `count`, to the top and go to its first non-blank."""
    _to_count(ctx)
    _to_nonblank(ctx)
    scroller(ctx).to_top(0, always=True)


@action("cursor-to-middle")
def cursor_to_middle(ctx: Context) -> None:
    """Scroll the cursor's line, or line `count`, to the middle."""
    _to_count(ctx)
    scroller(ctx).centre(at_end=True)


@action("line-to-middle")
def line_to_middle(ctx: Context) -> None:
    """Scroll the cursor's line, or line `count`, to the middle and go to its first non-blank."""
    _to_count(ctx)
    _to_nonblank(ctx)
    scroller(ctx).centre(at_end=True)


@action("cursor-to-bottom")
def cursor_to_bottom(ctx: Context) -> None:
    """Scroll the cursor's line, or line `count`, to the bottom."""
    _to_count(ctx)
    scroller(ctx).to_bottom(0, place=True)


@action("line-to-bottom")
def line_to_bottom(ctx: Context) -> None:
    """Scroll the cursor's line, or line `count`, to the bottom and go to its first non-blank."""
    _to_count(ctx)
    _to_nonblank(ctx)
    scroller(ctx).to_bottom(0, place=True)


@action("below-to-top")
def below_to_top(ctx: Context) -> None:
    """Scroll the line below the window, or line `count`, to the top."""
    _to_count(ctx)
    if not ctx.explicit:
        scrolling = scroller(ctx)
        scrolling.line = scrolling.bottom()
    _to_nonblank(ctx)
    scroller(ctx).to_top(0, always=True)


@action("above-to-bottom")
def above_to_bottom(ctx: Context) -> None:
    """Scroll the line above the window to the bottom, with `count` the line above the window that ends with it."""
    _to_count(ctx)
    if ctx.explicit:
        scroller(ctx).to_bottom(0, place=True)
        ctx.cursor = Pos(ctx.window.top, ctx.cursor.col)
    else:
        ctx.cursor = Pos(max(ctx.window.top - 1, 0), ctx.cursor.col)
    _to_nonblank(ctx)
    scroller(ctx).to_bottom(0, place=True)


# Sideways, without `wrap`


def _sideways(ctx: Context, left: int) -> None:
    """Scroll so that display column `left` is the first, and keep the cursor in the window."""
    if ctx.flag("wrap"):
        return
    window = ctx.window
    geometry = scroller(ctx).geometry
    window.left = max(left, 0)
    at = wanted_column(ctx) if window.want is None else geometry.column(ctx.lines[ctx.cursor.line], ctx.cursor.col)
    margin = min(ctx.number("sidescrolloff"), (geometry.width - 1) // 2)
    lowest, highest = window.left + margin, window.left + geometry.width - 1 - margin
    if window.left == 0:
        lowest = 0
    if at < lowest or at > highest:
        window.want = None
        ctx.cursor = at_column(ctx, ctx.cursor.line, min(max(at, lowest), highest))


@action("scroll-left")
def scroll_left(ctx: Context) -> None:
    """Let the text go `count` columns to the left, without `wrap`."""
    _sideways(ctx, ctx.window.left + ctx.count)


@action("scroll-right")
def scroll_right(ctx: Context) -> None:
    """Let the text go `count` columns to the right, without `wrap`."""
    _sideways(ctx, ctx.window.left - ctx.count)


@action("scroll-half-left")
def scroll_half_left(ctx: Context) -> None:
    """Let the text go half a window to the left, without `wrap`."""
    _sideways(ctx, ctx.window.left + ctx.count * (ctx.window.width // 2))


@action("scroll-half-right")
def scroll_half_right(ctx: Context) -> None:
    """Let the text go half a window to the right, without `wrap`."""
    _sideways(ctx, ctx.window.left - ctx.count * (ctx.window.width // 2))


@action("scroll-cursor-start")
def scroll_cursor_start(ctx: Context) -> None:
    """Scroll sideways until the cursor is in the first column, without `wrap`."""
    _sideways(ctx, wanted_column(ctx) - ctx.number("sidescrolloff"))


@action("scroll-cursor-end")
def scroll_cursor_end(ctx: Context) -> None:
    """Scroll sideways until the cursor is in the last column, without `wrap`."""
    width = scroller(ctx).geometry.width
    _sideways(ctx, wanted_column(ctx) - width + 1 + ctx.number("sidescrolloff"))


# Lines of the window


def _line_of_window(ctx: Context, line: int) -> Target:
    before = ctx.cursor
    if ctx.operator is None:
        scrolling = scroller(ctx)
        scrolling.line = line
        scrolling.correct()
        line = ctx.cursor.line
        ctx.cursor = before
    return start_of(ctx, min(max(line, 0), len(ctx.lines) - 1))


@motion("window-top", "line", jump=True)
def window_top(ctx: Context) -> Target:
    """Go to the `count`th line of the window."""
    scrolling = scroller(ctx)
    line, bottom = ctx.window.top, scrolling.bottom()
    for _ in range(min(ctx.count - 1, len(ctx.lines))):
        if line >= bottom - 1 and "folds" in ctx.window.extra:
            break
        line = ctx.window.last_of_fold(min(line, len(ctx.lines) - 1)) + 1
    return _line_of_window(ctx, line)


@motion("window-middle", "line", jump=True)
def window_middle(ctx: Context) -> Target:
    """Go to the line in the middle of the window."""
    scrolling = scroller(ctx)
    scrolling.bottom()
    half = (scrolling.height - scrolling.empty_rows + 1) // 2
    line, used = ctx.window.top, 0
    while line < len(ctx.lines) - 1:
        used += scrolling.rows(line)
        if used >= half:
            break
        line = ctx.window.last_of_fold(line) + 1
    if line > ctx.window.top and used > scrolling.height:
        line -= 1
    return _line_of_window(ctx, line)


@motion("window-bottom", "line", jump=True)
def window_bottom(ctx: Context) -> Target:
    """Go to the `count`th line from the bottom of the window."""
    scrolling = scroller(ctx)
    line = scrolling.bottom() - 1
    if ctx.count - 1 > line:
        line = 0
    elif "folds" in ctx.window.extra:
        for _ in range(min(ctx.count - 1, len(ctx.lines))):
            line = ctx.window.first_of_fold(line)
            if line <= ctx.window.top:
                break
            line -= 1
    else:
        line -= ctx.count - 1
    return _line_of_window(ctx, line)
