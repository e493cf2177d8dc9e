"""Tag blocks of XML and HTML: `at it` (`:help at`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.textobjects.area import area, exclusive_selection, in_indent, selects_more
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, textobject
from tpy.modal.text.position import Pos

_REST = r"(?:\s[^>]*?[^/\n]>|(?=\n|\Z)|\s?>)"
_ANY = re.compile(rf"(?P<open><[^ \t>/!\n]+{_REST})|</[^>\n]*>")
# How many lines are looked at first; more are taken until the tag is found.
_LINES = 50


class _Stretch:
    """Some lines as one text, to search tags in; offsets turn into places and back."""

    def __init__(self, lines: Sequence[str], first: int, last: int) -> None:
        self.first = first
        self.text = "\n".join(lines[first:last])
        self.starts = [0]
        for line in lines[first:last]:
            self.starts.append(self.starts[-1] + len(line) + 1)

    def offset(self, pos: Pos) -> int:
        """Return the offset of a place."""
        return self.starts[pos.line - self.first] + pos.col

    def pos(self, offset: int) -> Pos:
        """Return the place of an offset."""
        low, high = 0, len(self.starts) - 1
        while low < high - 1:
            middle = (low + high) // 2
            if self.starts[middle] <= offset:
                low = middle
            else:
                high = middle
        return Pos(self.first + low, offset - self.starts[low])


def unclosed_before(lines: Sequence[str], at: Pos) -> Pos | None:
    """Return the start tag before a place that is not closed before it."""
    size = _LINES
    while True:
        first = max(at.line - size, 0)
        stretch = _Stretch(lines, first, min(at.line + _LINES, len(lines)))
        limit = stretch.offset(at)
        nested = 0
        for match in reversed([m for m in _ANY.finditer(stretch.text) if m.start() < limit]):
            if match["open"] is None:
                nested += 1
            elif nested:
                nested -= 1
            else:
                return stretch.pos(match.start())
        if first == 0:
            return None
        size *= 8


def closing(lines: Sequence[str], opened: Pos, name: str) -> Pos | None:
    """Return the end tag that closes the start tag of that name."""
    escaped = re.escape(name)
    word = r"\b" if name[-1:].isalnum() or name.endswith("_") else ""
    pattern = re.compile(rf"(?P<open><{escaped}{word}(?:\s[^>]*?[^/]>|\s?>))|</{escaped}>", re.I)
    size = _LINES
    while True:
        last = min(opened.line + size, len(lines))
        stretch = _Stretch(lines, opened.line, last)
        nested = 0
        for match in pattern.finditer(stretch.text, opened.col + 1):
            if match["open"] is not None:
                nested += 1
            elif nested:
                nested -= 1
            else:
                return stretch.pos(match.start())
        if last == len(lines):
            return None
        size *= 8


def in_tag(walker: Walker, *, end: bool) -> bool:
    """Return whether the place is in a start tag that is not closed by itself, or in an end tag."""
    text, col = walker.text, walker.col
    while col > 0 and text[col : col + 1] != "<":
        col -= 1
        if text[col] == ">":
            return False
    if text[col : col + 1] != "<":
        return False
    if text[col + 1 : col + 2] == "/" or end:
        return end and text[col + 1 : col + 2] == "/"
    ahead = Walker(walker.lines, Pos(walker.line, col + 1))
    last = "<"
    while ahead.char != ">":
        last = ahead.char
        if ahead.forward() < 0:
            return False
    return last != "/"


class _Object:
    """A tag block in the making."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.low = self.at = ctx.cursor
        walker = Walker(ctx.lines, ctx.cursor)
        if ctx.visual is None or exclusive_selection(ctx):
            walker.back_skip()
        self.high = walker.pos

    def place(self) -> None:
        """Find out where to look from: inside a tag under the cursor, or at the start of the selection."""
        ctx = self.ctx
        if selects_more(ctx):
            assert ctx.visual is not None
            if ctx.visual.start < ctx.cursor:
                self.low = self.at = ctx.visual.start
            else:
                self.high = ctx.visual.start
            return
        ctx.engine.jump_from(ctx.window, ctx.cursor)
        walker = Walker(ctx.lines, ctx.cursor)
        while in_indent(walker):
            if walker.forward() != 0:
                break
        if in_tag(walker, end=False):
            while walker.char != ">" and walker.forward() >= 0:
                pass
        elif in_tag(walker, end=True):
            while walker.char != "<" and walker.back() >= 0:
                pass
            walker.back()
            self.high = walker.pos
        self.at = walker.pos

    def find(self, count: int) -> tuple[Pos, Pos]:
        """Return where the start tag and the end tag of the `count`th block begin."""
        lines, at = self.ctx.lines, self.at
        while True:
            for _ in range(count):
                opened = unclosed_before(lines, at)
                if opened is None:
                    raise CommandFailed
                at = opened
            name = re.split(r"[ \t>]", lines[at.line][at.col + 1 :], maxsplit=1)[0]
            if not name:
                raise CommandFailed
            closed = closing(lines, at, name)
            if closed is not None and closed >= self.high:
                return at, closed
            # A tag without an end, or one that ends too early: look for the one around it.
            count = 1


def _after(lines: Sequence[str], pos: Pos) -> Walker:
    """Return a walker on the next ">" from a place."""
    walker = Walker(lines, pos)
    while walker.char != ">" and walker.forward() >= 0:
        pass
    return walker


def _tag(ctx: Context, *, around: bool) -> Target:
    found = _Object(ctx)
    found.place()
    start, end = found.find(ctx.count)
    inclusive = True
    if not around:
        opened = _after(ctx.lines, start)
        opened.forward()
        walker = Walker(ctx.lines, end)
        if ctx.visual is None and walker.col == 0:
            inclusive = False
        else:
            walker.back()
        if ctx.visual is not None and (opened.pos, walker.pos) == (found.low, found.high):
            # Selected already: take the tags too.
            found.at = found.low
            start, end = found.find(ctx.count)
            around = True
        else:
            start, end = opened.pos, walker.pos
    if around:
        end = _after(ctx.lines, end).pos
    if end < start:
        return area(ctx, start, start, inclusive=False, exact=True)
    if exclusive_selection(ctx):
        walker = Walker(ctx.lines, end)
        walker.forward()
        end = walker.pos
    return area(ctx, start, end, inclusive=inclusive, exact=True)


@textobject("a-tag", around=True)
def a_tag(ctx: Context) -> Target:
    """The `count`th tag block, with its tags."""
    return _tag(ctx, around=True)


@textobject("inner-tag")
def inner_tag(ctx: Context) -> Target:
    """The text in the `count`th tag block."""
    return _tag(ctx, around=False)
