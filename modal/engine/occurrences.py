"""Lines of the file that hold a keyword, or that define it as a macro (`:help include-search`): `[i ]I [<C-i> [d`.

Included files are not looked into. The ex commands for it are in `ex/occurrencecmds.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tpy.modal.engine import comments, patterns
from tpy.modal.engine.context import Context
from tpy.modal.engine.words import words_of
from tpy.modal.engine.wordsearch import word_at
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.chars import WORD
from tpy.modal.text.position import Pos

# Vim's actions: show the first, show all, go to the first.
SHOW, LIST, GO = "show", "list", "go"


class Wanted(NamedTuple):
    """What is looked for: a `text` (a pattern where it is not `whole`), in lines `first` to `last`, from which on the
    `nth` counts; `defined`: only where it is a macro; `skips`: not in comments."""

    text: str
    first: int
    last: int
    nth: int = 1
    whole: bool = True
    defined: bool = False
    skips: bool = True


def occurrences(ctx: Context, wanted: Wanted) -> Iterator[Pos]:
    """Yield the first place in each line that counts."""
    words = words_of(ctx, big=False)
    pattern = patterns.compiled(ctx.editor, f"\\<{wanted.text}\\>" if wanted.whole else wanted.text)
    define = patterns.compiled(ctx.editor, ctx.text("define")) if wanted.defined else None
    context = patterns.match_context(ctx.engine)
    lines, leaders = ctx.lines, ctx.text("comments")
    kept = define if define is not None else pattern
    for line in kept.lines_with_match(lines, wanted.first, wanted.last + 1, context):
        found = kept.search_line(lines, line, 0, context)
        if found is None:
            continue
        text, col = lines[line], found.start[1]
        if define is not None:
            col = found.end[1]
            while col < len(text) and words.kind(text, col) < WORD:
                col += 1
            end = col + len(wanted.text)
            goes_on = wanted.whole and end < len(text) and words.kind(text, end) >= WORD
            same = (
                text[col:end].lower() == wanted.text.lower() if ctx.flag("ignorecase") else text[col:end] == wanted.text
            )
            if not same or goes_on:
                continue
        elif wanted.skips and _in_comment(text, col, leaders):
            continue
        yield Pos(line, col)


def _in_comment(text: str, col: int, option: str) -> bool:
    """Whether a line is a comment, or the place comes after the beginning of one in it."""
    is_define = text.startswith("#") and text[1:].lstrip(" \t").startswith("define")
    inside = not is_define and comments.leader(text, option).length > 0
    at = 0
    while at < col:
        pair = text[at : at + 2]
        if not inside and pair == "//":
            return True
        if pair == ("*/" if inside else "/*"):
            inside = not inside
            at += 1
        at += 1
    return inside


def find(ctx: Context, wanted: Wanted, what: str) -> None:
    """Show or go to the `count`th line, or list all. Raises `CommandFailed` (E387, E388, E389) where there is none."""
    found = occurrences(ctx, wanted)
    if what == LIST:
        listed = [f"{n:3d}: {place.line + 1:4d} {ctx.lines[place.line]}" for n, place in enumerate(found, 1)]
        if listed:
            ctx.editor.echo("\n".join([ctx.buffer.name, *listed]), keep=False)
            return
    else:
        place = next((place for n, place in enumerate(found, 1) if n >= wanted.nth), None)
        if place is not None:
            _take(ctx, place, goes=what == GO)
            return
    raise CommandFailed("E388: Couldn't find definition" if wanted.defined else "E389: Couldn't find pattern")


def _take(ctx: Context, place: Pos, *, goes: bool) -> None:
    here = ctx.cursor.line == place.line
    if goes:
        ctx.engine.jump_from(ctx.window, ctx.cursor)
        ctx.cursor = place
        ctx.window.want = None
    if here:
        raise CommandFailed("E387: Match is on current line")
    if not goes:
        ctx.editor.echo(ctx.lines[place.line], keep=False)


def _by_keyword(ctx: Context, what: str, *, defined: bool, ahead: bool) -> None:
    _, word = word_at(ctx, text_too=False)
    # From the last line on it is that line that is looked at.
    first = min(ctx.cursor.line + 1, len(ctx.lines) - 1) if ahead else 0
    skips = not ctx.explicit and what != LIST
    find(ctx, Wanted(word, first, len(ctx.lines) - 1, ctx.count, defined=defined, skips=skips), what)


def _declare(name: str, what: str, summary: str, *, defined: bool, ahead: bool) -> None:
    def _run(ctx: Context) -> None:
        _by_keyword(ctx, what, defined=defined, ahead=ahead)

    _run.__doc__ = f"{summary} {'below the cursor' if ahead else 'of the file'}."
    action(f"{name}-{'below' if ahead else 'in-file'}")(_run)


for _ahead in (False, True):
    _declare("show-keyword", SHOW, "Show the first line with the keyword under the cursor", defined=False, ahead=_ahead)
    _declare("list-keyword", LIST, "List the lines with the keyword under the cursor", defined=False, ahead=_ahead)
    _declare("go-to-keyword", GO, "Go to the first line with the keyword under the cursor", defined=False, ahead=_ahead)
    _declare("show-macro", SHOW, "Show where the macro under the cursor is defined", defined=True, ahead=_ahead)
    _declare("list-macro", LIST, "List where the macro under the cursor is defined", defined=True, ahead=_ahead)
    _declare("go-to-macro", GO, "Go to where the macro under the cursor is defined", defined=True, ahead=_ahead)
