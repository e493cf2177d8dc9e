"""`as is` (`:help as`)."""

from __future__ import annotations

from contextlib import suppress

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.sentences import Sentences
from tpy.modal.engine.textobjects.area import area, exclusive_selection, selects_more
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, textobject
from tpy.modal.text.position import Pos
from tpy.modal.text.width import prev_col


class _Object:
    """A sentence object in the making; `at` is its end, or the cursor on the way there."""

    def __init__(self, ctx: Context, *, around: bool) -> None:
        self.ctx = ctx
        self.lines = ctx.lines
        self.around = around
        self.sentences = Sentences(ctx)
        self.at = ctx.cursor

    def _step(self, *, forward: bool) -> None:
        """Go one sentence on or back, or stay where there is none."""
        with suppress(CommandFailed):
            found = self.sentences.go(self.at, 1, forward=forward)
            # As in Vim the search for it is a jump of its own.
            self.ctx.engine.jump_from(self.ctx.window, self.at)
            self.at = found

    def to_next(self) -> None:
        """Go to the start of the next sentence."""
        self._step(forward=True)

    def _char(self, pos: Pos) -> str:
        return self.lines[pos.line][pos.col : pos.col + 1]

    def blank(self, pos: Pos) -> bool:
        """Return whether there is a blank."""
        return self._char(pos) in (" ", "\t") and self._char(pos) != ""

    def first_blank(self, pos: Pos) -> Pos:
        """Return the first of the blanks before a place."""
        walker = Walker(self.lines, pos)
        while walker.back_skip() != -1:
            if walker.char not in (" ", "\t"):
                walker.forward_skip()
                break
        return walker.pos

    def before(self, pos: Pos) -> Pos:
        """Return the place of the character before."""
        walker = Walker(self.lines, pos)
        walker.back_skip()
        return walker.pos

    def forward(self, count: int, *, at_start: bool) -> None:
        """Go on over `count` sentences and blanks between them."""
        places: list[Pos] = []
        while count:
            places.append(self.at)
            if len(places) > 2 and places[-1] == places[-3]:
                # At the end of the text it goes to and fro: the rest of the steps need not be gone.
                count, places = count % 2, []
                continue
            count -= 1
            self._step(forward=True)
            if at_start:
                self.at = self.first_blank(self.at)
            if count == 0 or at_start:
                self.at = self.before(self.at)
            at_start = not at_start
            self.ctx.engine.poll(count)

    def extend(self, start: Pos, count: int) -> Target:
        """Make the selection, whose moving end is `start`, larger."""
        visual = self.ctx.visual
        assert visual is not None
        count = count * 2 if self.around else count
        if start < visual.start:
            self._extend_back(start, count)
            return Target(self.at)
        walker = Walker(self.lines, start)
        walker.forward_skip()
        at_start = True
        if walker.pos != self.at:
            at_start = False
            while walker.pos < self.at:
                if walker.char not in (" ", "\t"):
                    at_start = True
                    break
                walker.forward_skip()
            if at_start:
                self._step(forward=False)
            else:
                self.at = start
        self.forward(count, at_start=at_start)
        if exclusive_selection(self.ctx):
            self.at = Pos(self.at.line, self.at.col + 1)
        return Target(self.at)

    def _extend_back(self, start: Pos, count: int) -> None:
        walker = Walker(self.lines, start)
        walker.back_skip()
        at_start = True
        while walker.pos < self.at:
            if walker.char not in (" ", "\t"):
                at_start = False
                break
            walker.forward_skip()
        if not at_start:
            self._step(forward=False)
            if self.at == start:
                at_start = True
            else:
                self._step(forward=True)
        while count and self.at != Pos(0, 0):
            count -= 1
            if at_start:
                self.at = self.first_blank(self.at)
            if not at_start or (not self.around and not self.blank(self.at)):
                self._step(forward=False)
            at_start = not at_start

    def take(self, count: int) -> tuple[Pos, Pos]:
        """Return the first and last character of the object at the cursor."""
        start = self.ctx.cursor
        walker = Walker(self.lines, start)
        self._step(forward=True)
        while walker.char in (" ", "\t"):
            if walker.forward_skip() == -1:
                break
        on_blank = walker.pos == self.at
        if on_blank:
            start = self.first_blank(start)
        else:
            self._step(forward=False)
            start = self.at
        steps = count * 2 if self.around else count - on_blank
        if steps > 0:
            self.forward(steps, at_start=True)
        else:
            self.at = self.before(self.at)
        if self.around:
            if on_blank:
                self.at = self.first_blank(self.at)
                if self.blank(self.at):
                    self.at = self.before(self.at)
            elif not self.blank(self.at):
                start = self.first_blank(start)
        return start, self.at


def _sentence(ctx: Context, *, around: bool) -> Target:
    found = _Object(ctx, around=around)
    if selects_more(ctx):
        found.to_next()
        return found.extend(ctx.cursor, ctx.count)
    start, end = found.take(ctx.count)
    if ctx.visual is not None:
        if start == end:
            return found.extend(start, ctx.count)
        if exclusive_selection(ctx):
            end = Pos(end.line, end.col + 1)
        return area(ctx, start, end, inclusive=True)
    walker = Walker(ctx.lines, end)
    inclusive = walker.forward_skip() == -1
    line, col = walker.pos
    if inclusive and col > 0:
        # At the end of the text it is the last character that is taken, not the place behind it.
        col = min(col, prev_col(ctx.lines[line], len(ctx.lines[line])))
    return area(ctx, start, Pos(line, col), inclusive=inclusive)


@textobject("a-sentence", around=True)
def a_sentence(ctx: Context) -> Target:
    """`count` sentences with the blanks beside them."""
    return _sentence(ctx, around=True)


@textobject("inner-sentence")
def inner_sentence(ctx: Context) -> Target:
    """`count` sentences, blanks counted as sentences."""
    return _sentence(ctx, around=False)
