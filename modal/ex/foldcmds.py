"""`:fold`, `:foldopen`, `:foldclose`, `:folddoopen`, `:folddoclosed` (`:help fold-commands`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.engine.foldcmds import make
from tpy.modal.engine.folding import folds_of
from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.globalcmds import each_line
from tpy.modal.registry import CommandFailed, command


@command("fo[ld]", range=".")
def fold(ctx: ExContext) -> None:
    """Make a fold over lines."""
    make(Context(ctx.engine), ctx.first, ctx.last)


def _set(ctx: ExContext, *, opening: bool) -> None:
    """Open or close the folds of a range: one level, with `!` all."""
    folds = folds_of(ctx.editor)
    recurse = ctx.bang
    done = False
    line = ctx.first
    while line <= ctx.last:
        following = line
        if opening and not recurse:
            closed = folds.closed(line)
            following = closed[1] if closed is not None else line
        done = folds.set(line, opening=opening, recurse=recurse)[0] or done
        if not opening and not recurse:
            closed = folds.closed(line)
            following = closed[1] if closed is not None else line
        line = following + 1
    if not done:
        raise CommandFailed("E490: No fold found")


@command("foldo[pen]", range=".", bang=True)
def foldopen(ctx: ExContext) -> None:
    """Open the folds of lines, with `!` those inside them too."""
    _set(ctx, opening=True)


@command("foldc[lose]", range=".", bang=True)
def foldclose(ctx: ExContext) -> None:
    """Close the folds of lines, with `!` those around them too."""
    _set(ctx, opening=False)


@command("foldd[oopen]", range="%", args="command", bar=False, need=True)
def folddoopen(ctx: ExContext) -> Work:
    """Run a command for each line that is in no closed fold."""
    yield from _do(ctx, closed=False)


@command("folddoc[losed]", range="%", args="command", bar=False, need=True)
def folddoclosed(ctx: ExContext) -> Work:
    """Run a command for each line that is in a closed fold."""
    yield from _do(ctx, closed=True)


def _do(ctx: ExContext, *, closed: bool) -> Work:
    folds = folds_of(ctx.editor)
    lines = [n for n in range(ctx.first, ctx.last + 1) if (folds.closed(n) is not None) == closed]
    if lines:
        ctx.push_jump()
        yield from each_line(ctx, ctx.args, lines)
