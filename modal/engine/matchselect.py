"""Selecting a match of the last pattern: `gn gN` (`:help gn`)."""

from __future__ import annotations

from tpy.modal.editor import Visual
from tpy.modal.engine import patterns
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.searches import Rounds
from tpy.modal.engine.spans import after, before
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, action, textobject
from tpy.modal.text.pattern import Match, SearchStopped, search
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, MAXCOL, Pos


class _Finder:
    """Looks for matches of the last pattern; a match is known by its first and last character."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.lines = ctx.lines
        text = patterns.last_pattern(ctx.editor)
        self.pattern = patterns.compiled(ctx.editor, text)
        self.failure = patterns.not_found(text)
        found = self._search(ctx.cursor, forward=True, wrap=True, at_end=False, accept=True)
        if found is None:
            raise self.failure
        self.zero_width = found.empty

    def _search(self, at: Pos, *, forward: bool, wrap: bool, at_end: bool, accept: bool = False) -> Match | None:
        try:
            found = search(
                self.lines,
                self.pattern,
                at,
                forward=forward,
                wrap=wrap,
                accept_at_cursor=accept,
                at_end=at_end and not self.zero_width if not accept else at_end,
                ctx=patterns.match_context(self.ctx.engine),
            )
        except SearchStopped as stopped:
            raise CommandFailed(str(stopped)) from None
        return None if found is None else found[0]

    def last_char(self, match: Match) -> Pos:
        """Return the place of the last character of a match."""
        if match.empty:
            return Pos(*match.start)
        line, col = match.end
        if col == 0 and line > 0:
            return Pos(line - 1, len(self.lines[line - 1]))
        return Pos(line, col - 1)

    def find(self, at: Pos, count: int, *, forward: bool, skip_first: bool) -> Match:
        """Return the match at a place or after (before) it: one search goes away from it, the next one comes back."""
        wrap = self.ctx.flag("wrapscan")
        accept = False
        if not skip_first:
            away = self._search(at, forward=not forward, wrap=False, at_end=forward)
            if away is not None:
                at = self.last_char(away) if forward else Pos(*away.start)
            elif forward:
                at, accept = Pos(0, 0), True
            else:
                at = Pos(len(self.lines) - 1, MAXCOL)
        found: Match | None = None
        rounds = Rounds()
        while count > 0:
            if accept:
                found = self._search(at, forward=True, wrap=wrap, at_end=False, accept=True)
            else:
                found = self._search(at, forward=forward, wrap=wrap, at_end=not forward)
            if found is None:
                raise self.failure
            accept = False
            at = Pos(*found.start) if forward else self.last_char(found)
            count = rounds.left(at, count - 1)
            self.ctx.engine.poll(count)
        assert found is not None
        return found


def _match(ctx: Context, *, forward: bool) -> Target:
    """Return the match for an operator or for the selection that there is or that begins."""
    visual, at = ctx.visual, ctx.cursor
    exclusive = ctx.option("selection") == "exclusive"
    skip = False
    if visual is not None:
        skip = forward and ctx.cursor < visual.start
        if exclusive and visual.start < at:
            at = before(ctx.lines, at)
        walker = Walker(ctx.lines, at)
        if forward:
            walker.forward_skip()
        else:
            walker.back_skip()
        at = walker.pos
    try:
        finder = _Finder(ctx)
        found = finder.find(at, ctx.count, forward=forward, skip_first=skip)
    except CommandFailed:
        ctx.window.want = ctx.want
        raise
    # To an operator the match is a selection.
    ctx.selected = True
    first, last = Pos(*found.start), finder.last_char(found)
    if ctx.operator is None:
        return _selection(ctx, found, last, forward=forward, skip=skip)
    behind = Pos(last.line + 1, 0)
    if last.col >= len(ctx.lines[last.line]) and behind.line < len(ctx.lines):
        # A match at a line's end takes the line break, as a selection does.
        return Target(behind, start=first, kind=EXCLUSIVE, exact=True)
    if forward:
        return Target(last, start=first, kind=INCLUSIVE, exact=True)
    return Target(first, start=last, kind=INCLUSIVE, exact=True)


def _selection(ctx: Context, match: Match, last: Pos, *, forward: bool, skip: bool) -> Target:
    """Return the two ends of the selection once it goes as far as the match, whose last character is at `last`."""
    first, end = Pos(*match.start), Pos(*match.end)
    visual = ctx.visual
    anchor = visual.start if visual is not None else first if forward else last
    pos = first
    if forward and anchor < end and not skip:
        pos = before(ctx.lines, end) if match.empty else last
    elif forward and anchor == end:
        pos = end
    if ctx.option("selection") == "exclusive":
        if forward and anchor <= pos:
            pos = after(ctx.lines, pos)
        elif not forward and pos <= anchor:
            anchor = after(ctx.lines, anchor)
    return Target(pos, start=anchor, kind=INCLUSIVE, exact=True)


@textobject("next-match", selects=True)
def next_match(ctx: Context) -> Target:
    """The match of the last pattern under or behind the cursor."""
    return _match(ctx, forward=True)


@textobject("previous-match", selects=True)
def previous_match(ctx: Context) -> Target:
    """The match of the last pattern under or before the cursor."""
    return _match(ctx, forward=False)


def _select(ctx: Context, *, forward: bool) -> None:
    target = _match(ctx, forward=forward)
    assert target.start is not None
    ctx.editor.visual = Visual("v", target.start)
    ctx.cursor = target.pos
    ctx.window.want = None


@action("select-next-match")
def select_next_match(ctx: Context) -> None:
    """Select the match of the last pattern under or behind the cursor."""
    _select(ctx, forward=True)


@action("select-previous-match")
def select_previous_match(ctx: Context) -> None:
    """Select the match of the last pattern under or before the cursor."""
    _select(ctx, forward=False)
