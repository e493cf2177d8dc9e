"""Searching what is under the cursor: `* # g* g# gd gD` (`:help star`, `:help gd`)."""

from __future__ import annotations

from tpy.modal.engine import patterns, searches
from tpy.modal.engine.brackets import matcher
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.folding import open_for
from tpy.modal.engine.motions import step_left
from tpy.modal.engine.paragraphs import section_back
from tpy.modal.engine.words import words_of
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.chars import BLANK, WORD
from tpy.modal.text.pattern import search
from tpy.modal.text.position import Pos


def word_at(ctx: Context, *, text_too: bool) -> tuple[int, str]:
    """Return the keyword under or behind the cursor with its column; `text_too`: else the non-blanks there.

    Raises `CommandFailed` (E348, E349) where there is none.
    """
    text = ctx.lines[ctx.cursor.line]
    words = words_of(ctx, big=False)
    for attempt in range(2 if text_too else 1):
        col = ctx.cursor.col
        while col < len(text) and (words.kind(text, col) == BLANK or (not attempt and words.kind(text, col) < WORD)):
            col += 1
        if col >= len(text):
            continue
        kind = words.kind(text, col)
        start = col
        while start > 0 and words.kind(text, step_left(text, start, 1)) == kind:
            start = step_left(text, start, 1)
        end = words.run_end(text, start)
        while attempt and end < len(text) and words.kind(text, end) != BLANK:
            end = words.run_end(text, end)
        return start, text[start:end]
    raise CommandFailed("E348: No string under cursor" if text_too else "E349: No identifier under cursor")


def _star(ctx: Context, *, forward: bool, whole: bool) -> Target:
    start, word = word_at(ctx, text_too=True)
    words = words_of(ctx, big=False)
    special = ("/" if forward else "/?") + ("^$\\" if not ctx.flag("magic") else ".*~[^$\\")
    pattern = "".join("\\" + char if char in special else char for char in word)
    if whole and words.kind(word, 0) >= WORD:
        pattern = "\\<" + pattern
    if whole and words.kind(word, step_left(word, len(word), 1)) >= WORD:
        pattern += "\\>"
    patterns.to_history(ctx.editor, pattern)
    ctx.engine.jump_from(ctx.window, ctx.cursor)
    if ctx.operator is None:
        ctx.cursor = Pos(ctx.cursor.line, start)
        return searches.run(ctx, pattern, forward=forward, smartcase=False)
    before = ctx.cursor
    ctx.cursor = Pos(ctx.cursor.line, start)
    # Where nothing is found the cursor stays at the start of the word.
    target = searches.run(ctx, pattern, forward=forward, smartcase=False)._replace(start=before)
    ctx.cursor = before
    return target


@motion("search-word", numbered=True)
def search_word(ctx: Context) -> Target:
    """Go to the `count`th next place of the word under the cursor."""
    return _star(ctx, forward=True, whole=True)


@motion("search-word-back", numbered=True)
def search_word_back(ctx: Context) -> Target:
    """Go to the `count`th place before of the word under the cursor."""
    return _star(ctx, forward=False, whole=True)


@motion("search-text", numbered=True)
def search_text(ctx: Context) -> Target:
    """Go to the `count`th next place of the text of the word under the cursor, also inside of words."""
    return _star(ctx, forward=True, whole=False)


@motion("search-text-back", numbered=True)
def search_text_back(ctx: Context) -> Target:
    """Go to the `count`th place before of the text of the word under the cursor, also inside of words."""
    return _star(ctx, forward=False, whole=False)


def in_code(text: str, col: int) -> bool:
    """Return whether a place of a line is outside of strings and comments."""
    comment, quote, before = False, "", ""
    for char in text[:col]:
        if quote:
            if before != "\\" and char == quote:
                quote = ""
        elif char in "\"'" and not comment:
            quote = char
        elif comment:
            comment = not (before == "*" and char == "/")
        elif before == "/" and char == "*":
            comment = True
        elif before == "/" and char == "/":
            return False
        before = char
    return not comment and not quote


def _declaration(ctx: Context, *, local: bool) -> Pos:
    """Return the first place of the word under the cursor, in its function or in the file."""
    _, word = word_at(ctx, text_too=False)
    pattern = f"\\V\\<{word}\\>" if words_of(ctx, big=False).kind(word, 0) >= WORD else f"\\V{word}"
    block, ctx.count = ctx.explicit, 1
    ctx.engine.jump_from(ctx.window, ctx.cursor)
    first, body = 0, 0
    origin = ctx.cursor
    if local:
        try:
            ctx.operator, operator = None, ctx.operator
            first = body = section_back(ctx).pos.line
        except CommandFailed:
            pass
        finally:
            ctx.operator = operator
        while first > 0 and ctx.lines[first].strip(" \t"):
            first -= 1
    patterns.remember(ctx.editor, pattern, search=True)
    compiled = patterns.compiled(ctx.editor, pattern, ignorecase=ctx.flag("ignorecase"))
    at, accept = Pos(first, 0), True
    best: Pos | None = None
    while True:
        found = search(ctx.lines, compiled, at, wrap=False, accept_at_cursor=accept)
        if found is None or found[0].start[0] >= origin.line:
            break
        at, accept = Pos(*found[0].start), False
        text = ctx.lines[at.line]
        if block and (end := matcher(ctx).bracket(at, "}", forward=True)) is not None and end.line < origin.line:
            # With a count, what is in a block that ends before the cursor does not count.
            at = end
            continue
        if is_comment(ctx, text):
            at, accept = Pos(at.line + 1, 0), True
            continue
        valid = in_code(text, at.col)
        if not valid and best is not None:
            break
        if valid and (not local or at.line >= body):
            best = best or at
            break
        if valid:
            best = at
        else:
            best = None
    if best is None:
        raise CommandFailed
    ctx.editor.search.forward = True
    open_for(ctx, "search", best.line)
    return best


def is_comment(ctx: Context, text: str) -> bool:
    """Return whether a line begins with a comment leader (`:help 'comments'`)."""
    head = text.lstrip(" \t")
    for part in ctx.text("comments").split(","):
        flags, _, leader = part.partition(":")
        if leader and head.startswith(leader):
            behind = head[len(leader) : len(leader) + 1]
            if "b" not in flags or behind in ("", " ", "\t"):
                return True
    return False


@motion("local-declaration")
def local_declaration(ctx: Context) -> Target:
    """Go to the first place of the word under the cursor in the function; it is of the kind that the motion before
    was, as in Vim."""
    return Target(_declaration(ctx, local=True), kind=ctx.engine.last_kind)


@motion("global-declaration")
def global_declaration(ctx: Context) -> Target:
    """Go to the first place of the word under the cursor in the file; of the kind that the motion before was."""
    return Target(_declaration(ctx, local=False), kind=ctx.engine.last_kind)
