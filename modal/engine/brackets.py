"""Motions to matching and unclosed brackets, comments and methods: `%`, `[(`, `]}`, `[m`, `[*`, `[#`."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.matching import Matcher, backslashes, conditional_kind
from tpy.modal.engine.motions import start_of
from tpy.modal.engine.walker import Walker
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.position import INCLUSIVE, LINE, Pos


def matcher(ctx: Context) -> Matcher:
    """Return the finder of matches for a command's buffer."""
    return Matcher(ctx.lines, ctx.text("matchpairs"), ctx.engine.poll)


@motion("match", "inclusive", jump=True, numbered=True, opens="percent")
def match(ctx: Context) -> Target:
    """Go to the bracket, comment end or `#if` that matches; with a count, to that percentage of the file."""
    if ctx.explicit:
        if ctx.count > 100:
            raise CommandFailed
        line = min(max((len(ctx.lines) * ctx.count + 99) // 100, 1), len(ctx.lines)) - 1
        return start_of(ctx, line)._replace(kind=LINE, numbered=False)
    found = find_match(ctx, ctx.cursor)
    if found is None:
        raise CommandFailed
    return found


def find_match(ctx: Context, start: Pos) -> Target | None:
    """Return where `%` goes from `start`, `None` where nothing matches."""
    finder = matcher(ctx)
    text = ctx.lines[start.line]
    stripped = text.lstrip(" \t")
    conditional = conditional_kind(text) if start.col <= len(text) - len(stripped) else ""
    if not conditional:
        two, before = text[start.col : start.col + 2], text[max(start.col - 1, 0) : start.col + 1]
        if two == "/*" or before == "/*":
            return _target(finder.comment_end(Pos(start.line, start.col + (two == "/*"))), INCLUSIVE)
        if two == "*/" or before == "*/":
            return _target(finder.comment_start(Pos(start.line, start.col - (two != "*/"))), INCLUSIVE)
        col = min(start.col, max(len(text) - 1, 0))
        while col < len(text) and text[col] not in finder.pairs:
            col += 1
        if col < len(text):
            other, back = finder.pairs[text[col]]
            escaped = backslashes(text, col) & 1
            return _target(finder.bracket(Pos(start.line, col), other, forward=not back, escaped=escaped), INCLUSIVE)
        conditional = conditional_kind(text)
    if not conditional:
        return None
    return _target(finder.conditional(start, forward=conditional != "endif"), LINE)


def _target(pos: Pos | None, kind: str) -> Target | None:
    return None if pos is None else Target(pos, kind=kind)


def _repeated(ctx: Context, find: Callable[[Pos], Pos | None]) -> Pos:
    """Return where `find` leads in `count` steps, or as many as it can."""
    best: Pos | None = None
    pos = ctx.cursor
    for _ in range(ctx.count):
        found = find(pos)
        if found is None:
            break
        best = pos = found
    if best is None:
        raise CommandFailed
    return best


def _unclosed(ctx: Context, char: str, *, forward: bool) -> Pos:
    finder = matcher(ctx)
    if char not in finder.pairs:
        raise CommandFailed
    return _repeated(ctx, lambda pos: finder.bracket(pos, char, forward=forward))


@motion("unclosed-paren-back", jump=True, opens="block")
def unclosed_paren_back(ctx: Context) -> Pos:
    """Go to the `count`th unclosed "(" before."""
    return _unclosed(ctx, "(", forward=False)


@motion("unclosed-brace-back", jump=True, opens="block")
def unclosed_brace_back(ctx: Context) -> Pos:
    """Go to the `count`th unclosed "{" before."""
    return _unclosed(ctx, "{", forward=False)


@motion("unclosed-paren-forward", jump=True, opens="block")
def unclosed_paren_forward(ctx: Context) -> Pos:
    """Go to the `count`th unclosed ")" behind."""
    return _unclosed(ctx, ")", forward=True)


@motion("unclosed-brace-forward", jump=True, opens="block")
def unclosed_brace_forward(ctx: Context) -> Pos:
    """Go to the `count`th unclosed "}" behind."""
    return _unclosed(ctx, "}", forward=True)


@motion("comment-start", jump=True, opens="block")
def comment_start(ctx: Context) -> Pos:
    """Go to the `count`th start of a C comment before."""
    finder = matcher(ctx)
    return _repeated(ctx, lambda pos: finder.comment_start(pos, any_end=True))


@motion("comment-end", jump=True, opens="block")
def comment_end(ctx: Context) -> Pos:
    """Go to the `count`th end of a C comment behind."""
    finder = matcher(ctx)
    return _repeated(ctx, finder.comment_end)


def _conditional(ctx: Context, *, forward: bool) -> Target:
    finder = matcher(ctx)
    pos = _repeated(ctx, lambda pos: finder.conditional(pos, forward=forward, hash_key=True))
    return Target(pos, kind=LINE)


@motion("conditional-back", "line", jump=True, opens="block")
def conditional_back(ctx: Context) -> Target:
    """Go to the `count`th unclosed `#if` or `#else` before."""
    return _conditional(ctx, forward=False)


@motion("conditional-forward", "line", jump=True, opens="block")
def conditional_forward(ctx: Context) -> Target:
    """Go to the `count`th `#else` or `#endif` behind that closes one before."""
    return _conditional(ctx, forward=True)


def _method(ctx: Context, *, forward: bool, end: bool) -> Pos:
    """Go to the `count`th start or end of a method, brackets in a class (`:help ]m`)."""
    finder = matcher(ctx)
    char = "}" if forward else "{"
    # Out of the method, then out of the class: the last but one is the method.
    outer: list[Pos] = []
    pos = ctx.cursor
    while (found := finder.bracket(pos, char, forward=forward)) is not None:
        outer.append(found)
        pos = found
        ctx.engine.poll(len(outer))
    toward = (char == "{") != end
    count = ctx.count
    best: Pos | None = None
    known = bool(outer)
    walker = Walker(ctx.lines, ctx.cursor)
    if len(outer) > 1:
        best = outer[-2]
        walker.go(best)
        count -= toward
    while count > 0:
        found = _next_brace(walker, forward=forward)
        if found is None:
            if best is None:
                raise CommandFailed
            break
        if (walker.char == char and toward) or (count == 1 and not toward):
            return found
        if not known:
            best, known = found, True
        else:
            inside = finder.bracket(found, char, forward=forward)
            best = inside
            if inside is None:
                break
            walker.go(inside)
        count -= 1
    if best is None:
        raise CommandFailed
    return best


def _next_brace(walker: Walker, *, forward: bool) -> Pos | None:
    """Let the walker go to the next brace of either kind."""
    lines = walker.lines
    line, col = walker.pos
    while 0 <= line < len(lines):
        text = lines[line]
        if forward:
            places = [at for at in (text.find("{", col + 1), text.find("}", col + 1)) if at >= 0]
            at = min(places, default=-1)
        else:
            at = max(text.rfind("{", 0, max(col, 0)), text.rfind("}", 0, max(col, 0)))
        if at >= 0:
            walker.go(Pos(line, at))
            return walker.pos
        line += 1 if forward else -1
        col = -1 if forward else 1 << 31
    return None


@motion("method-start-back", jump=True, opens="block")
def method_start_back(ctx: Context) -> Pos:
    """Go to the start of the method before."""
    return _method(ctx, forward=False, end=False)


@motion("method-end-back", jump=True, opens="block")
def method_end_back(ctx: Context) -> Pos:
    """Go to the end of the method before."""
    return _method(ctx, forward=False, end=True)


@motion("method-start-forward", jump=True, opens="block")
def method_start_forward(ctx: Context) -> Pos:
    """Go to the start of the next method."""
    return _method(ctx, forward=True, end=False)


@motion("method-end-forward", jump=True, opens="block")
def method_end_forward(ctx: Context) -> Pos:
    """Go to the end of the next method."""
    return _method(ctx, forward=True, end=True)
