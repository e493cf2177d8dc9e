"""Blocks in brackets: `a( i( a[ i[ a{ i{ a< i<` (`:help a(`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.matching import Matcher
from tpy.modal.engine.textobjects.area import area, exclusive_selection, in_indent, selects_more
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, textobject
from tpy.modal.text.position import Pos

_PAIRS = "(:),{:},[:],<:>"


class _Object:
    """A block object in the making, of the brackets `opening` and `closing`."""

    def __init__(self, ctx: Context, pair: str) -> None:
        self.ctx = ctx
        self.opening, self.closing = pair[0], pair[1]
        self.matcher = Matcher(ctx.lines, _PAIRS, ctx.engine.poll)
        self.low = self.high = self.at = ctx.cursor

    def place(self) -> None:
        """Find out where to look from: inside a bracket under the cursor, or at the start of the selection."""
        ctx = self.ctx
        if not selects_more(ctx):
            ctx.engine.jump_from(ctx.window, ctx.cursor)
            walker = Walker(ctx.lines, ctx.cursor)
            while self.opening == "{" and in_indent(walker):
                if walker.forward() != 0:
                    break
            if walker.char == self.opening:
                walker.col += 1
            self.at = walker.pos
            return
        assert ctx.visual is not None
        if ctx.visual.start < ctx.cursor:
            self.low = self.at = ctx.visual.start
        else:
            self.high = ctx.visual.start

    def pair(self, start: Pos, count: int) -> tuple[Pos, Pos]:
        """Return the brackets of the `count`th block around `start`, else the next block behind it."""
        find = self.matcher.bracket
        forward = find(start, self.opening, forward=False, plain=True) is None
        opened: Pos | None = None
        for turn in range(count):
            opened = find(start, self.opening, forward=forward, plain=True)
            if opened is None:
                break
            start = opened
            self.ctx.engine.poll(turn)
        closed = find(opened, self.closing, forward=True) if opened is not None else None
        if opened is None or closed is None:
            raise CommandFailed
        return opened, closed

    def inside(self, opened: Pos, closed: Pos) -> tuple[Pos, Pos, bool]:
        """Return what lies between two brackets, and whether it ends with a line break."""
        start, end = Walker(self.ctx.lines, opened), Walker(self.ctx.lines, closed)
        start.forward_skip()
        line_break = end.col == 0
        end.back_skip()
        while self.opening == "{" and in_indent(end):
            line_break = True
            if end.back_skip() != 0:
                break
        return start.pos, end.pos, line_break


def _block(ctx: Context, pair: str, *, around: bool) -> Target:
    found = _Object(ctx, pair)
    found.place()
    start, end = found.pair(found.at, ctx.count)
    line_break = False
    while not around:
        start, end, line_break = found.inside(start, end)
        grown = start < found.low or found.high < end or start == end
        if grown or ctx.visual is None:
            break
        # The selection is this block already: take the one around it.
        walker = Walker(ctx.lines, found.low)
        walker.back_skip()
        opened = found.matcher.bracket(walker.pos, found.opening, forward=False)
        closed = found.matcher.bracket(opened, found.closing, forward=True) if opened is not None else None
        if opened is None or closed is None:
            raise CommandFailed
        start, end = opened, closed
    walker = Walker(ctx.lines, end)
    if ctx.visual is not None:
        if exclusive_selection(ctx):
            walker.forward()
        if line_break and walker.char:
            walker.forward()
        return area(ctx, start, walker.pos, inclusive=True)
    if line_break:
        walker.forward_skip()
        return area(ctx, start, walker.pos, inclusive=False)
    if start <= end:
        return area(ctx, start, end, inclusive=True)
    return area(ctx, start, start, inclusive=False)


@textobject("a-paren", around=True)
def a_paren(ctx: Context) -> Target:
    """The `count`th block in parentheses, with them."""
    return _block(ctx, "()", around=True)


@textobject("inner-paren")
def inner_paren(ctx: Context) -> Target:
    """The text in the `count`th pair of parentheses."""
    return _block(ctx, "()", around=False)


@textobject("a-brace", around=True)
def a_brace(ctx: Context) -> Target:
    """The `count`th block in braces, with them."""
    return _block(ctx, "{}", around=True)


@textobject("inner-brace")
def inner_brace(ctx: Context) -> Target:
    """The text in the `count`th pair of braces."""
    return _block(ctx, "{}", around=False)


@textobject("a-bracket", around=True)
def a_bracket(ctx: Context) -> Target:
    """The `count`th block in square brackets, with them."""
    return _block(ctx, "[]", around=True)


@textobject("inner-bracket")
def inner_bracket(ctx: Context) -> Target:
    """The text in the `count`th pair of square brackets."""
    return _block(ctx, "[]", around=False)


@textobject("an-angle", around=True)
def an_angle(ctx: Context) -> Target:
    """The `count`th block in angle brackets, with them."""
    return _block(ctx, "<>", around=True)


@textobject("inner-angle")
def inner_angle(ctx: Context) -> Target:
    """The text in the `count`th pair of angle brackets."""
    return _block(ctx, "<>", around=False)
