"""`aw iw aW iW` (`:help aw`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.textobjects.area import area, exclusive_selection, fail_at, selects_more
from tpy.modal.engine.virtual import is_virtual, step_left
from tpy.modal.engine.walker import Walker
from tpy.modal.engine.words import Walk
from tpy.modal.registry import textobject
from tpy.modal.text.chars import BLANK
from tpy.modal.text.position import Pos


class _Object:
    """A word object in the making: `walk` is its end, `start` its start."""

    def __init__(self, ctx: Context, *, big: bool, around: bool) -> None:
        self.ctx = ctx
        self.around = around
        self.walk = Walk(ctx, big=big)
        self.start = ctx.visual.start if ctx.visual is not None else ctx.cursor
        self.inclusive = True
        if exclusive_selection(ctx) and self.start < ctx.cursor:
            self._skip(forward=False)

    def _blank(self) -> bool:
        return self.walk.kind == BLANK

    def _skip(self, *, forward: bool) -> int:
        walker = Walker(self.ctx.lines, self.walk.pos)
        result = walker.forward_skip() if forward else walker.back_skip()
        self.walk.line, self.walk.col = walker.pos
        return result

    def select(self) -> bool:
        """Take the word or blanks under the cursor; return whether blanks are wanted at either end."""
        walk = self.walk
        walk.to_run_start()
        # In the first column Vim does not forget how far the cursor is beyond it.
        self.start = self.ctx.cursor if walk.pos == Pos(self.ctx.cursor.line, 0) == self.ctx.cursor[:] else walk.pos
        if self._blank() == self.around:
            if not walk.end(1, stop=True, empty=True):
                raise fail_at(self.ctx, walk.pos)
            return False
        walk.forward(1, eol=True)
        if walk.col == 0:
            self._skip(forward=False)
        else:
            walk.step_back()
        return self.around

    def extend(self, left: int) -> bool:
        """Take one more word or blanks; `False` where there is none."""
        walk = self.walk
        self.inclusive = True
        if self.ctx.visual is not None and walk.pos < self.start:
            if self._skip(forward=False) == -1:
                return False
            if self.around != (not self._blank()):
                return walk.back(1, stop=True)
            if not walk.end_back(1, eol=True):
                return False
            self._skip(forward=True)
            return True
        if self._skip(forward=True) == -1:
            return False
        if self.around != self._blank():
            if not walk.forward(1, eol=True) and left > 1:
                return False
            self.inclusive = walk.step_back()
            return True
        return walk.end(1, stop=True, empty=True)

    def take_blanks_before(self) -> None:
        """Take the blanks before the start, unless they are the indent of the line."""
        walk = self.walk
        end = walk.pos
        walk.line, walk.col = self.start
        if walk.step_back():
            walk.to_run_start()
            if self._blank() and walk.col > 0:
                self.start = walk.pos
        walk.line, walk.col = end


def _word(ctx: Context, *, big: bool, around: bool) -> Target:
    word = _Object(ctx, big=big, around=around)
    count, wants_blanks = ctx.count, False
    if not selects_more(ctx):
        wants_blanks = word.select()
        count -= 1
    while count > 0:
        if not word.extend(count):
            if ctx.visual is not None:
                ctx.visual.start = word.start
            raise fail_at(ctx, word.walk.pos)
        count -= 1
        ctx.engine.poll(count)
    walk = word.walk
    if wants_blanks and (walk.kind != BLANK or (walk.col == 0 and not word.inclusive)):
        word.take_blanks_before()
    end = walk.pos
    if exclusive_selection(ctx) and word.inclusive and word.start <= end:
        end = Pos(end.line, end.col + 1)
    elif word.inclusive and ctx.lines[end.line][end.col : end.col + 1] == "\t" and is_virtual(ctx.engine):
        # The last cell of the tab.
        end = step_left(ctx, Pos(end.line, end.col + 1), 1)[0]
    return area(ctx, word.start, end, inclusive=word.inclusive)


@textobject("a-word", around=True, block=True)
def a_word(ctx: Context) -> Target:
    """`count` words with the blanks beside them."""
    return _word(ctx, big=False, around=True)


@textobject("inner-word", block=True)
def inner_word(ctx: Context) -> Target:
    """`count` words, blanks counted as words."""
    return _word(ctx, big=False, around=False)


@textobject("a-WORD", around=True, block=True)
def a_big_word(ctx: Context) -> Target:
    """`count` WORDs with the blanks beside them."""
    return _word(ctx, big=True, around=True)


@textobject("inner-WORD", block=True)
def inner_big_word(ctx: Context) -> Target:
    """`count` WORDs, blanks counted as WORDs."""
    return _word(ctx, big=True, around=False)
