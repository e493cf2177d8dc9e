"""Quoted strings: `a" i" a' i' a` i`` (`:help aquote`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.textobjects.area import area, exclusive_selection
from tpy.modal.registry import CommandFailed, textobject
from tpy.modal.text.position import Pos
from tpy.modal.text.width import next_col, prev_col


def next_quote(text: str, col: int, quote: str, escape: str) -> int:
    """Return where the next quote is at `col` or behind it. Raises `CommandFailed` where there is none."""
    while col < len(text):
        if text[col] in escape:
            col += 1
            if col >= len(text):
                break
        elif text[col] == quote:
            return col
        col += 1
    raise CommandFailed


def previous_quote(text: str, col: int, quote: str, escape: str) -> int:
    """Return where the quote before `col` is, 0 where there is none."""
    while col > 0:
        col -= 1
        count = 0
        while escape and col - count > 0 and text[col - count - 1] in escape:
            count += 1
        if count & 1:
            col -= count
        elif text[col] == quote:
            break
    return col


class _Quoted:
    """A quoted string in the making, in the cursor's line: the quotes are at `start` and `end`."""

    def __init__(self, ctx: Context, quote: str, *, around: bool) -> None:
        self.ctx = ctx
        self.quote = quote
        self.around = around
        self.escape = ctx.text("quoteescape")
        self.text = ctx.lines[ctx.cursor.line]
        self.anchor = self.cursor = ctx.cursor.col
        if ctx.visual is not None:
            if ctx.visual.start.line != ctx.cursor.line:
                raise CommandFailed
            self.anchor = ctx.visual.start.col
            self._without_exclusive_end()
        self.forward = self.anchor < self.cursor
        self.selected = self.anchor != self.cursor
        low, high = sorted((self.anchor, self.cursor))
        # The selection is just the text inside of quotes, or has a quote in it.
        self.inside = self.selected and low > 0 and self._is(low - 1) and high < len(self.text) and self._is(high + 1)
        self.has_quote = self.selected and quote in self.text[low : high + 1]
        self.start, self.end = self._find()

    def _without_exclusive_end(self) -> None:
        """Take the ends as they were if the selection included its last character."""
        if exclusive_selection(self.ctx):
            if self.anchor > self.cursor:
                self.anchor, self.cursor = self.cursor, self.anchor
            if self.cursor > self.anchor:
                self.cursor = prev_col(self.text, self.cursor)

    def _is(self, col: int) -> bool:
        return self.text[col : col + 1] == self.quote

    def _next(self, col: int, *, escaped: bool = False) -> int:
        return next_quote(self.text, col, self.quote, self.escape if escaped else "")

    def _previous(self, col: int, *, escaped: bool = False) -> int:
        return previous_quote(self.text, col, self.quote, self.escape if escaped else "")

    def _find(self) -> tuple[int, int]:
        col = self.cursor
        if self.selected and self._is(col):
            return self._another(col)
        if self._is(col) or self.selected:
            return self._from_line_start(col)
        start = self._previous(col, escaped=True)
        if not self._is(start):
            start = self._next(start)
        return start, self._next(start + 1, escaped=True)

    def _another(self, col: int) -> tuple[int, int]:
        """The selection has its moving end on a quote: take the next string."""
        if self.forward:
            start = self._next(col + 1)
            try:
                return start, self._next(start + 1, escaped=True)
            except CommandFailed:
                return col, start
        end = self._previous(col)
        if not self._is(end):
            raise CommandFailed
        start = self._previous(end, escaped=True)
        return (start, end) if self._is(start) else (end, col)

    def _from_line_start(self, col: int) -> tuple[int, int]:
        """Whether a quote opens or closes a string is found out from the start of the line."""
        first = col
        if self.selected:
            first = self._next(col) if self.forward else self._previous(col)
        start = 0
        while True:
            start = self._next(start)
            if start > first:
                raise CommandFailed
            end = self._next(start + 1, escaped=True)
            if start <= first <= end:
                return start, end
            start = end + 1

    def widen(self) -> None:
        """Take the blanks behind the string, else those before it."""
        text = self.text
        if text[self.end + 1 : self.end + 2] in (" ", "\t"):
            while text[self.end + 1 : self.end + 2] in (" ", "\t"):
                self.end += 1
        else:
            while self.start > 0 and text[self.start - 1] in " \t":
                self.start -= 1

    def target(self) -> Target:
        """Return the object."""
        ctx, line, text = self.ctx, self.ctx.cursor.line, self.text
        wide = self.around or ctx.count > 1 or self.inside
        start = self.start if wide else self.start + 1
        end = self.end
        if wide:
            end = next_col(text, end)
        if ctx.visual is None:
            return area(ctx, Pos(line, start), Pos(line, end), inclusive=wide and end >= len(text))
        anchor = self.anchor
        beside = self._is(anchor) or (anchor > 0 and self._is(anchor - 1))
        if not self.selected or self.forward:
            if not self.selected or (not self.has_quote and (self.inside or not beside)):
                anchor = start
            if not exclusive_selection(ctx):
                end = prev_col(text, end)
            return area(ctx, Pos(line, anchor), Pos(line, end), inclusive=True)
        behind = self._is(anchor) or (anchor < len(text) and self._is(anchor + 1))
        if self.inside or (not self.has_quote and not behind):
            anchor = prev_col(text, end)
        return area(ctx, Pos(line, anchor), Pos(line, start), inclusive=True)


def _quoted(ctx: Context, quote: str, *, around: bool) -> Target:
    found = _Quoted(ctx, quote, around=around)
    if around:
        found.widen()
    return found.target()


@textobject("a-double-quote", around=True, block=True)
def a_double_quote(ctx: Context) -> Target:
    """A string in double quotes, with them and blanks beside it."""
    return _quoted(ctx, '"', around=True)


@textobject("inner-double-quote", block=True)
def inner_double_quote(ctx: Context) -> Target:
    """The text in double quotes; with a count of 2 with the quotes."""
    return _quoted(ctx, '"', around=False)


@textobject("a-single-quote", around=True, block=True)
def a_single_quote(ctx: Context) -> Target:
    """A string in single quotes, with them and blanks beside it."""
    return _quoted(ctx, "'", around=True)


@textobject("inner-single-quote", block=True)
def inner_single_quote(ctx: Context) -> Target:
    """The text in single quotes; with a count of 2 with the quotes."""
    return _quoted(ctx, "'", around=False)


@textobject("a-backtick", around=True, block=True)
def a_backtick(ctx: Context) -> Target:
    """A string in backticks, with them and blanks beside it."""
    return _quoted(ctx, "`", around=True)


@textobject("inner-backtick", block=True)
def inner_backtick(ctx: Context) -> Target:
    """The text in backticks; with a count of 2 with the backticks."""
    return _quoted(ctx, "`", around=False)
