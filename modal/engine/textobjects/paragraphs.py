"""`ap ip` (`:help ap`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.paragraphs import boundary
from tpy.modal.engine.textobjects.area import fail_at
from tpy.modal.registry import CommandFailed, textobject
from tpy.modal.text.position import LINE, Pos


class _Object:
    """A paragraph object in the making."""

    def __init__(self, ctx: Context, *, around: bool) -> None:
        self.ctx = ctx
        self.lines = ctx.lines
        self.around = around
        self.begins = boundary(ctx)
        self.last = len(ctx.lines) - 1

    def white(self, line: int) -> bool:
        """Return whether a line is empty or blank."""
        text = self.lines[line]
        return not text or not text.strip(" \t")

    def starts(self, line: int) -> bool:
        """Return whether a paragraph begins in the line."""
        return self.begins(self.lines[line])

    def extend(self, line: int) -> Target:
        """Make a selection of several lines, whose moving end is `line`, larger."""
        visual = self.ctx.visual
        assert visual is not None
        forward = line >= visual.start.line
        for left in range(self.ctx.count):
            if line == (self.last if forward else 0):
                raise fail_at(self.ctx, Pos(line, 0))
            line = self._next(line, forward=forward)
            self.ctx.engine.poll(left)
        return Target(Pos(line, 0), kind=None)

    def _next(self, line: int, *, forward: bool) -> int:
        step, edge = (1, self.last) if forward else (-1, 0)
        before: bool | None = None
        for _ in range(2):
            line += step
            white = self.white(line)
            if before == white:
                return line - step
            while line != edge:
                if white != self.white(line + step) or (not white and self.starts(line + forward)):
                    break
                line += step
            if not self.around or line == edge:
                break
            before = white
        return line

    def take(self) -> tuple[int, int]:
        """Return the first and last line of the object at the cursor."""
        first = self.ctx.cursor.line
        white = self.white(first)
        while first > 0:
            above = self.white(first - 1)
            if not above if white else above or self.starts(first):
                break
            first -= 1
        end = first
        while end <= self.last and self.white(end):
            end += 1
        end -= 1
        left = self.ctx.count - (white and not self.around)
        while left > 0:
            left -= 1
            if end == self.last:
                raise CommandFailed
            blank = not self.around and self.white(end + 1)
            if not blank:
                end += 1
                while end < self.last and not self.white(end + 1) and not self.starts(end + 1):
                    end += 1
            if left == 0 and white and self.around:
                break
            if self.around or blank:
                while end < self.last and self.white(end + 1):
                    end += 1
            self.ctx.engine.poll(left)
        if not white and self.around and not self.white(end):
            while first > 0 and self.white(first - 1):
                first -= 1
        return first, end


def _paragraph(ctx: Context, *, around: bool) -> Target:
    found = _Object(ctx, around=around)
    visual = ctx.visual
    if visual is not None and visual.start.line != ctx.cursor.line:
        return found.extend(ctx.cursor.line)
    first, end = found.take()
    if visual is not None and visual.kind == "V" and first == end == ctx.cursor.line:
        return found.extend(first)
    start = visual.start if visual is not None and visual.start.line == first else Pos(first, 0)
    return Target(Pos(end, 0), start=start, kind=LINE)


@textobject("a-paragraph", around=True)
def a_paragraph(ctx: Context) -> Target:
    """`count` paragraphs with the empty lines beside them."""
    return _paragraph(ctx, around=True)


@textobject("inner-paragraph")
def inner_paragraph(ctx: Context) -> Target:
    """`count` paragraphs, empty lines counted as paragraphs."""
    return _paragraph(ctx, around=False)
