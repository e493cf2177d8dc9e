"""Searching a character in the line: `f F t T ; ,` (`:help f`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.keymap import char_of
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.chars import is_combining
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, Pos
from tpy.modal.text.width import next_col, prev_col


def _find(ctx: Context, char: str, *, forward: bool, till: bool, skip: bool) -> Target:
    """Return where the character is for the `count`th time; `skip` passes over one that is right beside."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    left = ctx.count
    at = next_col(text, col) if forward else prev_col(text, col) if col > 0 else -1
    if skip and 0 <= at < len(text) and text[at] == char:
        at = next_col(text, at) if forward else at - 1
    while True:
        if forward:
            at = text.find(char, at)
        else:
            at = text.rfind(char, 0, at + 1) if at >= 0 else -1
        if at < 0:
            raise CommandFailed
        # A combining character belongs to the one before it: only a base character is found.
        left -= not (at > 0 and is_combining(char))
        if left == 0:
            break
        at += 1 if forward else -1
    if till and not forward:
        # Vim goes one character on, be it a combining one, which an operator takes; the cursor cannot stay there.
        at = at + 1 if ctx.operator is not None or next_col(text, at) == at + 1 else at
    elif till:
        at = prev_col(text, at)
    return Target(Pos(line, at), kind=INCLUSIVE if forward else EXCLUSIVE)


def _search(ctx: Context, key: str) -> Target:
    char = char_of(ctx.arg or "")
    if char is None:
        raise CommandFailed
    if not ctx.engine.repeat.replaying:
        ctx.editor.search.char_search = (key, char)
    return _find(ctx, char, forward=key in "ft", till=key in "tT", skip=False)


@motion("find-char", "inclusive", arg="char", opens="hor")
def find_char(ctx: Context) -> Target:
    """Go to the `count`th occurrence of a character in the line."""
    return _search(ctx, "f")


@motion("find-char-back", arg="char", opens="hor")
def find_char_back(ctx: Context) -> Target:
    """Go to the `count`th occurrence of a character before the cursor in the line."""
    return _search(ctx, "F")


@motion("till-char", "inclusive", arg="char", opens="hor")
def till_char(ctx: Context) -> Target:
    """Go to before the `count`th occurrence of a character in the line."""
    return _search(ctx, "t")


@motion("till-char-back", arg="char", opens="hor")
def till_char_back(ctx: Context) -> Target:
    """Go to behind the `count`th occurrence of a character before the cursor in the line."""
    return _search(ctx, "T")


def _repeat(ctx: Context, *, opposite: bool) -> Target:
    last = ctx.editor.search.char_search
    if last is None:
        raise CommandFailed
    key, char = last
    till = key in "tT"
    return _find(ctx, char, forward=(key in "ft") != opposite, till=till, skip=till and ctx.count == 1)


@motion("repeat-find", "inclusive", opens="hor")
def repeat_find(ctx: Context) -> Target:
    """Repeat the last search of a character."""
    return _repeat(ctx, opposite=False)


@motion("repeat-find-back", opens="hor")
def repeat_find_back(ctx: Context) -> Target:
    """Repeat the last search of a character in the other direction."""
    return _repeat(ctx, opposite=True)
