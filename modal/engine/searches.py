"""Searching patterns: `/ ? n N`, offsets and `;` chains (`:help search-commands`).

The pattern language is `text/pattern/`; which pattern was used last, and options, are in `patterns.py`; searches for
what is under the cursor are in `wordsearch.py`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tpy.modal.engine import patterns
from tpy.modal.engine.columns import one_more, past_end
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.folding import open_for
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.pattern import Match, SearchStopped, search, split_pattern
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, LINE, MAXCOL, Pos, clamp

_OFFSET = re.compile(r"([esb]?)([-+]?\d+|[-+]?)")


class Offset(NamedTuple):
    """What follows a pattern (`:help search-offset`): so many lines, or characters from the start or `end`."""

    line: bool = False
    end: bool = False
    amount: int = 0


def parse_offset(text: str) -> tuple[Offset, str]:
    """Return the offset that a text begins with, and what follows it."""
    match = _OFFSET.match(text)
    assert match is not None
    place, number = match.groups()
    amount = int(number + "1") if number in ("+", "-") else int(number or 0)
    return Offset(line=not place and bool(number), end=place == "e", amount=amount), text[match.end() :]


class Found(NamedTuple):
    """Where a search ended: the place with its offset, and whether it went round the end of the buffer."""

    pos: Pos
    wrapped: bool


class Rounds:
    """Places that a repeated search went to: once it is round, whole rounds need not be gone again."""

    def __init__(self) -> None:
        self._seen: list[Pos] = []

    def left(self, at: Pos, count: int) -> int:
        """Return how many of `count` more steps are to be gone from `at`, the place just reached."""
        if self._seen and at == self._seen[0]:
            count %= len(self._seen)
            self._seen.clear()
        self._seen.append(at)
        return count


class _Search:
    """One search for a pattern, from a place, under an offset."""

    def __init__(self, ctx: Context, pattern: str, offset: Offset, *, smartcase: bool = True) -> None:
        self.ctx = ctx
        self.lines = ctx.lines
        self.text = pattern
        self.offset = offset
        ignorecase = None if smartcase else ctx.flag("ignorecase")
        self.pattern = patterns.compiled(ctx.editor, pattern, ignorecase=ignorecase)
        self.wrap = ctx.flag("wrapscan")

    def run(self, start: Pos, count: int, *, forward: bool) -> Found:
        """Return the `count`th match. Raises `CommandFailed` where there is none."""
        at, at_cursor = self._start(start, forward=forward)
        wrapped = False
        rounds = Rounds()
        while count > 0:
            try:
                found = self._next(at, forward=forward, at_cursor=at_cursor)
            except SearchStopped as stopped:
                raise CommandFailed(str(stopped)) from None
            if found is None:
                raise self._failure(forward=forward)
            at, at_cursor = self._place(found[0]), False
            wrapped = wrapped or found[1]
            count = rounds.left(at, count - 1)
        return Found(at, wrapped)

    def _next(self, at: Pos, *, forward: bool, at_cursor: bool) -> tuple[Match, bool] | None:
        return search(
            self.lines,
            self.pattern,
            at,
            forward=forward,
            wrap=self.wrap,
            accept_at_cursor=at_cursor,
            at_end=self.offset.end,
            ctx=patterns.match_context(self.ctx.engine),
        )

    def _start(self, pos: Pos, *, forward: bool) -> tuple[Pos, bool]:
        """Return where to search from, so that a match under the cursor is not found for its offset, and whether one
        there counts (from before the text)."""
        if self.offset.line or not self.offset.amount or pos.col >= MAXCOL:
            return pos, False
        walker = Walker(self.lines, pos)
        left = abs(self.offset.amount)
        while left and (walker.back_skip() if self.offset.amount > 0 else walker.forward_skip()) != -1:
            left -= 1
        if not left:
            return walker.pos, False
        if self.offset.amount > 0:
            return Pos(0, 0), forward
        return Pos(len(self.lines) - 1, MAXCOL), False

    def _place(self, match: Match) -> Pos:
        """Return the place of a match: its start, or its last character for the offset `e`."""
        line, col = match.start
        if self.offset.end and not match.empty:
            line, col = match.end
            if col == 0 and line > 0:
                line, col = line - 1, len(self.lines[line - 1])
            else:
                col -= 1
        if line >= len(self.lines):
            # A match may begin behind the last line break.
            line = len(self.lines) - 1
            col = max(len(self.lines[line]) - 1, 0)
        return Pos(line, col)

    def _failure(self, *, forward: bool) -> CommandFailed:
        if self.wrap:
            return patterns.not_found(self.text)
        if forward:
            return CommandFailed(f"E385: Search hit BOTTOM without match for: {self.text}")
        return CommandFailed(f"E384: Search hit TOP without match for: {self.text}")

    def with_offset(self, pos: Pos) -> Pos:
        """Return a match's place with the offset added."""
        if self.offset.line:
            return Pos(min(max(pos.line + self.offset.amount, 0), len(self.lines) - 1), 0)
        walker = Walker(self.lines, pos)
        for _ in range(abs(self.offset.amount)):
            if (walker.forward_skip() if self.offset.amount > 0 else walker.back_skip()) == -1:
                break
        return walker.pos


def run(ctx: Context, line: str, *, forward: bool, smartcase: bool = True) -> Target:
    """Search as a line typed after `/` or `?` says. Raises `CommandFailed`.

    The pattern is remembered even where it is not found, its offset and direction too.
    """
    # As in Vim the wanted column is forgotten, be anything found or not.
    ctx.window.want = None
    state = ctx.editor.search
    state.forward = forward
    pos = _outside_fold(ctx, forward=forward)
    while True:
        pattern, rest = split_pattern(line, "/" if forward else "?", ctx.flag("magic"))
        pattern = pattern or patterns.last_pattern(ctx.editor)
        following = ""
        if line:
            offset, following = parse_offset(rest or "")
            state.offset = (rest or "")[: len(rest or "") - len(following)]
        else:
            offset = parse_offset(state.offset)[0]
        patterns.remember(ctx.editor, pattern, search=True)
        state.starred = None if smartcase else pattern
        searching = _Search(ctx, pattern, offset, smartcase=smartcase)
        found = searching.run(pos, ctx.count, forward=forward)
        pos = searching.with_offset(found.pos)
        if not following.startswith(";"):
            break
        if following[1:2] not in ("/", "?"):
            raise CommandFailed("E386: Expected '?' or '/'  after ';'")
        forward, line = following[1] == "/", following[2:]
    _tell(ctx, found, forward=forward)
    return _target(ctx, pos, offset)


def _outside_fold(ctx: Context, *, forward: bool) -> Pos:
    """Return the cursor, at the far end of the closed fold it may be in."""
    fold = ctx.window.closed_fold(ctx.cursor.line)
    if fold is None:
        return ctx.cursor
    return Pos(fold[1], MAXCOL) if forward else Pos(fold[0], 0)


def _tell(ctx: Context, found: Found, *, forward: bool) -> None:
    if found.wrapped:
        ends = ("BOTTOM", "TOP") if forward else ("TOP", "BOTTOM")
        ctx.editor.echo("search hit {}, continuing at {}".format(*ends))


def _target(ctx: Context, pos: Pos, offset: Offset) -> Target:
    kind = LINE if offset.line else INCLUSIVE if offset.end else EXCLUSIVE
    # For an operator, too, the place is one where the cursor may stand.
    pos = clamp(pos, ctx.lines, past_end=past_end(ctx) or one_more(ctx))
    if ctx.operator is None:
        open_for(ctx, "search", pos.line)
    return Target(pos, kind=kind, exact=kind == INCLUSIVE)


def again(ctx: Context, *, opposite: bool) -> Target:
    """Search the last pattern again. Raises `CommandFailed`."""
    ctx.window.want = None
    state = ctx.editor.search
    forward = state.forward != opposite
    pattern = patterns.last_pattern(ctx.editor)
    offset = parse_offset(state.offset)[0]
    searching = _Search(ctx, pattern, offset, smartcase=state.starred != pattern)
    state.shown = True
    start = _outside_fold(ctx, forward=forward)
    found = searching.run(start, ctx.count, forward=forward)
    pos = searching.with_offset(found.pos)
    if clamp(pos, ctx.lines) == ctx.cursor and not found.wrapped and not offset.line:
        # An offset may lead back to where the cursor is: take the next match then.
        found = searching.run(start, ctx.count + 1, forward=forward)
        pos = searching.with_offset(found.pos)
    _tell(ctx, found, forward=forward)
    return _target(ctx, pos, offset)


@motion("search-forward", jump=True, arg="/", numbered=True)
def search_forward(ctx: Context) -> Target:
    """Go to the `count`th match of a pattern behind the cursor."""
    return run(ctx, ctx.arg or "", forward=True)


@motion("search-back", jump=True, arg="?", numbered=True)
def search_back(ctx: Context) -> Target:
    """Go to the `count`th match of a pattern before the cursor."""
    return run(ctx, ctx.arg or "", forward=False)


@motion("search-next", jump=True, numbered=True)
def search_next(ctx: Context) -> Target:
    """Repeat the last search `count` times."""
    return again(ctx, opposite=False)


@motion("search-previous", jump=True, numbered=True)
def search_previous(ctx: Context) -> Target:
    """Repeat the last search `count` times in the other direction."""
    return again(ctx, opposite=True)
