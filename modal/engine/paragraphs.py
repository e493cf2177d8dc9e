"""Motions over paragraphs and sections (`:help paragraph`, `:help section`)."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine.columns import last_col
from tpy.modal.engine.context import Context, Target
from tpy.modal.registry import CommandFailed, motion
from tpy.modal.text.position import INCLUSIVE, Pos, first_nonblank


def in_macro(option: str, text: str) -> bool:
    """Return whether a line's text behind its dot is one of the nroff macros in the option (`:help 'sections'`)."""
    first, second = text[:1], text[1:2]
    for at in range(0, len(option), 2):
        one, two = option[at], option[at + 1 : at + 2]
        if (one == first or (one == " " and first in ("", " "))) and (
            two == second or (two in ("", " ") and (not first or second in ("", " ")))
        ):
            return True
    return False


def boundary(ctx: Context, what: str = "", *, both: bool = False) -> Callable[[str], bool]:
    """Return the test whether a line begins a paragraph (`what` "") or a section ("{" or "}" in column 0).

    `both`: a "}" does too.
    """
    sections, paragraphs = ctx.text("sections"), ctx.text("paragraphs")

    def _begins(text: str) -> bool:
        if not text:
            return not what
        head = text[0]
        if head == "\f" or head == what or (both and head == "}"):
            return True
        return head == "." and (in_macro(sections, text[1:]) or (not what and in_macro(paragraphs, text[1:])))

    return _begins


def _find(ctx: Context, *, forward: bool, what: str = "", both: bool = False) -> Target:
    lines, step = ctx.lines, 1 if forward else -1
    begins = boundary(ctx, what, both=both)
    line = ctx.cursor.line
    for left in range(ctx.count - 1, -1, -1):
        first, passed = True, False
        while True:
            passed = passed or bool(lines[line])
            fold = ctx.window.closed_fold(line) if first else None
            if fold is not None:
                line = (fold[1] if forward else fold[0]) + step
            if not first and passed and begins(lines[line]):
                break
            first = False
            if fold is not None:
                line -= step
            line += step
            if not 0 <= line < len(lines):
                if left:
                    raise CommandFailed
                line -= step
                break
            ctx.engine.poll(line)
    if both and lines[line].startswith("}"):
        line = min(line + 1, len(lines) - 1)
    # Vim does not ask for the direction here: `{` in the only line goes to its end, too.
    if line == len(lines) - 1 and what != "}" and lines[line]:
        return Target(Pos(line, last_col(lines[line])), kind=INCLUSIVE, exact=True)
    return Target(Pos(line, 0))


@motion("paragraph-forward", jump=True, numbered=True, opens="block")
def paragraph_forward(ctx: Context) -> Target:
    """Go `count` paragraphs on."""
    return _find(ctx, forward=True)


@motion("paragraph-back", jump=True, numbered=True, opens="block")
def paragraph_back(ctx: Context) -> Target:
    """Go `count` paragraphs back."""
    return _find(ctx, forward=False)


def _section(ctx: Context, *, forward: bool, what: str) -> Target:
    # With an operator `]]` also stops at a "}" in the first column.
    target = _find(ctx, forward=forward, what=what, both=ctx.operator is not None and forward and what == "{")
    if ctx.operator is not None:
        return target
    line = target.pos.line
    return target._replace(pos=Pos(line, first_nonblank(ctx.lines[line])))


@motion("section-forward", jump=True, opens="block")
def section_forward(ctx: Context) -> Target:
    """Go `count` sections on, or to the next "{" in the first column."""
    return _section(ctx, forward=True, what="{")


@motion("section-back", jump=True, opens="block")
def section_back(ctx: Context) -> Target:
    """Go `count` sections back, or to the "{" in the first column before."""
    return _section(ctx, forward=False, what="{")


@motion("section-end-forward", jump=True, opens="block")
def section_end_forward(ctx: Context) -> Target:
    """Go `count` sections on, or to the next "}" in the first column."""
    return _section(ctx, forward=True, what="}")


@motion("section-end-back", jump=True, opens="block")
def section_end_back(ctx: Context) -> Target:
    """Go `count` sections back, or to the "}" in the first column before."""
    return _section(ctx, forward=False, what="}")
