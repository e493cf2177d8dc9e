"""`:isearch :ilist :ijump :isplit` and `:dsearch :dlist :djump :dsplit`: lines with a keyword or macro."""

from __future__ import annotations

import re

from tpy.modal.engine.context import Context
from tpy.modal.engine.occurrences import GO, LIST, SHOW, Wanted, find
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.viewcmds import split
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.pattern import split_pattern


def _find(ctx: ExContext, what: str, *, defined: bool = False, splits: bool = False) -> None:
    """Read `[count] keyword` or `[count] /pattern/`; with `!` comments count too."""
    number = re.match(r"\d+", ctx.args)
    text = ctx.args[number.end() if number else 0 :].lstrip()
    whole = not text.startswith("/")
    if not whole:
        text, rest = split_pattern(text[1:], "/", bool(ctx.option("magic")))
        if rest and rest.strip():
            raise CommandFailed(f"E488: Trailing characters: {rest.strip()}")
    count = int(number[0]) if number else 1
    wanted = Wanted(text, ctx.first, ctx.last, count, whole=whole, defined=defined, skips=not ctx.bang)
    if splits:
        find(Context(ctx.engine), wanted, SHOW)
        split(ctx, ctx.buffer, vertical=False)
    find(Context(ctx.engine), wanted, what)


@command("is[earch]", range="%", bang=True, args="rest", need=True)
def isearch(ctx: ExContext) -> None:
    """Show the first line that holds a keyword or a `/pattern/`."""
    _find(ctx, SHOW)


@command("il[ist]", range="%", bang=True, args="rest", need=True)
def ilist(ctx: ExContext) -> None:
    """List the lines that hold a keyword or a `/pattern/`."""
    _find(ctx, LIST)


@command("ij[ump]", range="%", bang=True, args="rest", need=True)
def ijump(ctx: ExContext) -> None:
    """Go to the first line that holds a keyword or a `/pattern/`."""
    _find(ctx, GO)


@command("isp[lit]", range="%", bang=True, args="rest", need=True)
def isplit(ctx: ExContext) -> None:
    """Split the window and go to the first line that holds a keyword or a `/pattern/`."""
    _find(ctx, GO, splits=True)


@command("ds[earch]", range="%", bang=True, args="rest", need=True)
def dsearch(ctx: ExContext) -> None:
    """Show where a macro is defined."""
    _find(ctx, SHOW, defined=True)


@command("dli[st]", range="%", bang=True, args="rest", need=True)
def dlist(ctx: ExContext) -> None:
    """List where a macro is defined."""
    _find(ctx, LIST, defined=True)


@command("dj[ump]", range="%", bang=True, args="rest", need=True)
def djump(ctx: ExContext) -> None:
    """Go to where a macro is defined."""
    _find(ctx, GO, defined=True)


@command("dsp[lit]", range="%", bang=True, args="rest", need=True)
def dsplit(ctx: ExContext) -> None:
    """Split the window and go to where a macro is defined."""
    _find(ctx, GO, defined=True, splits=True)
