"""Fold commands: `zf zo zc za zR zj zd …` (`:help fold-commands`).

The same on lines of a range, `:fold` and its kin, are in `ex/foldcmds.py`.
"""

from __future__ import annotations

from tpy.modal.engine.comments import skip_leader
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.execute import execute
from tpy.modal.engine.folding import check_folding, folds_of
from tpy.modal.engine.grammar import Command
from tpy.modal.registry import CommandFailed, action, motion, operator, operators
from tpy.modal.text.position import Pos, Span, first_nonblank
from tpy.modal.view.folds import Folds


def _folds(ctx: Context) -> Folds:
    return folds_of(ctx.editor, ctx.window)


def _missing() -> CommandFailed:
    return CommandFailed("E490: No fold found")


def _enable(ctx: Context, on: bool = True) -> None:
    ctx.window.options["foldenable"] = on


def _stay(ctx: Context) -> None:
    """Leave the cursor where the selection began, also behind the end of a line."""
    ctx.engine.behind_end = ctx.cursor


def _level(ctx: Context, level: int) -> None:
    """Set `foldlevel` and let all folds follow it."""
    ctx.window.options["foldlevel"] = max(level, 0)
    _folds(ctx).use_level()


# Making and deleting


@operator("fold", dot=False, line=True, modifies=False)
def fold(ctx: Context, span: Span) -> None:
    """Make a fold over the lines."""
    _stay(ctx)
    make(ctx, span.start.line, span.end.line)
    _enable(ctx)
    ctx.window.want = None


def make(ctx: Context, first: int, last: int) -> None:
    """Make a fold over lines, by markers where folds come from those. Raises `CommandFailed` (E350)."""
    check_folding(ctx.editor)
    if ctx.text("foldmethod") == "marker":
        opening, _, closing = ctx.text("foldmarker").partition(",")
        ctx.engine.require_modifiable()
        for line, marker in ((first, opening), (last, closing)):
            text = ctx.lines[line]
            # In a comment that goes on to the end of the line a marker needs none of its own.
            commented = skip_leader(text, ctx.text("comments"), process=False, blanks=False)[1]
            ctx.buffer.set_line(line, text + (marker if commented else f"/*{marker}*/"))
    else:
        _folds(ctx).create(first, last)


@action("fold-selected")
def fold_selected(ctx: Context) -> None:
    """Make a fold over the selected lines and `count - 1` more at the cursor."""
    check_folding(ctx.editor)
    line = min(ctx.cursor.line + ctx.count - 1, len(ctx.lines) - 1)
    ctx.cursor = Pos(line, first_nonblank(ctx.lines[line]))
    execute(ctx.engine, Command(operator=operators["fold"]))


def _delete(ctx: Context, first: int, last: int, *, recurse: bool) -> None:
    _stay(ctx)
    check_folding(ctx.editor, deleting=True)
    if ctx.text("foldmethod") == "marker":
        _delete_markers(ctx, first)
    elif not _folds(ctx).delete(first, last, recurse=recurse):
        raise _missing()


def _delete_markers(ctx: Context, line: int) -> None:
    """Take the markers of the innermost fold over a line out of the text."""
    inner = None
    for found in _folds(ctx).over(line):
        inner = found
    if inner is None:
        raise _missing()
    ctx.engine.require_modifiable()
    opening, _, closing = ctx.text("foldmarker").partition(",")
    for number, marker in ((inner.last, closing), (inner.first, opening)):
        text = ctx.lines[number]
        for form in (f"/*{marker}*/", marker):
            if form in text:
                ctx.buffer.set_line(number, text.replace(form, "", 1))
                break


@action("delete-fold")
def delete_fold(ctx: Context) -> None:
    """Delete the fold at the cursor."""
    _delete(ctx, ctx.cursor.line, ctx.cursor.line, recurse=False)


@action("delete-folds-inside")
def delete_folds_inside(ctx: Context) -> None:
    """Delete the fold at the cursor and all folds in it."""
    _delete(ctx, ctx.cursor.line, ctx.cursor.line, recurse=True)


@action("delete-all-folds")
def delete_all_folds(ctx: Context) -> None:
    """Delete all folds of the window."""
    if ctx.text("foldmethod") not in ("manual", "marker"):
        raise CommandFailed("E352: Cannot erase folds with current 'foldmethod'")
    if ctx.text("foldmethod") == "marker":
        while _folds(ctx).roots:
            _delete_markers(ctx, _folds(ctx).roots[0].first)
    _folds(ctx).clear()


@operator("delete-folds", dot=False, line=True, modifies=False)
def delete_folds(ctx: Context, span: Span) -> None:
    """Delete the folds of the lines."""
    _delete(ctx, span.start.line, span.end.line, recurse=False)


@operator("delete-folds-recursively", dot=False, line=True, modifies=False)
def delete_folds_recursively(ctx: Context, span: Span) -> None:
    """Delete the folds of the lines with all folds in them."""
    _delete(ctx, span.start.line, span.end.line, recurse=True)


# Opening and closing


def _repeat(ctx: Context, *, opening: bool) -> None:
    """Open or close `count` levels."""
    folds = _folds(ctx)
    for turn in range(min(ctx.count, 1000)):
        found, done = folds.set(ctx.cursor.line, opening=opening, recurse=False)
        if not done:
            if not found and turn == 0:
                raise _missing()
            break


def _all(ctx: Context, *, opening: bool) -> None:
    if not _folds(ctx).set(ctx.cursor.line, opening=opening, recurse=True)[0]:
        raise _missing()


@action("open-fold")
def open_fold(ctx: Context) -> None:
    """Open `count` closed folds at the cursor."""
    _repeat(ctx, opening=True)


@action("close-fold")
def close_fold(ctx: Context) -> None:
    """Close `count` open folds at the cursor."""
    _enable(ctx)
    _repeat(ctx, opening=False)


@action("open-folds")
def open_folds(ctx: Context) -> None:
    """Open all folds at the cursor."""
    _all(ctx, opening=True)


@action("close-folds")
def close_folds(ctx: Context) -> None:
    """Close all folds at the cursor."""
    _enable(ctx)
    _all(ctx, opening=False)


@action("toggle-fold")
def toggle_fold(ctx: Context) -> None:
    """Open the closed fold at the cursor, or close the open one."""
    if ctx.window.closed_fold(ctx.cursor.line) is not None:
        _repeat(ctx, opening=True)
    else:
        close_fold(ctx)


@action("toggle-folds")
def toggle_folds(ctx: Context) -> None:
    """Open all folds at the cursor where it is in a closed one, else close them all."""
    if ctx.window.closed_fold(ctx.cursor.line) is not None:
        _all(ctx, opening=True)
    else:
        close_folds(ctx)


@action("open-for-cursor")
def open_for_cursor(ctx: Context) -> None:
    """Open as many folds as hide the cursor's line."""
    _folds(ctx).open_line(ctx.cursor.line)


@action("folds-by-level")
def folds_by_level(ctx: Context) -> None:
    """Let all folds follow `foldlevel` again, but show the cursor's line."""
    folds_follow(ctx)
    _folds(ctx).open_line(ctx.cursor.line)


@action("folds-follow")
def folds_follow(ctx: Context) -> None:
    """Let all folds follow `foldlevel` again."""
    _enable(ctx)
    _folds(ctx).use_level()


@action("fold-more")
def fold_more(ctx: Context) -> None:
    """Close one more level of folds (`foldlevel` less `count`)."""
    _enable(ctx)
    _level(ctx, ctx.number("foldlevel") - ctx.count)


@action("close-all-folds")
def close_all_folds(ctx: Context) -> None:
    """Close all folds."""
    _enable(ctx)
    _level(ctx, 0)


@action("fold-less")
def fold_less(ctx: Context) -> None:
    """Open one more level of folds (`foldlevel` plus `count`)."""
    _level(ctx, min(ctx.number("foldlevel") + ctx.count, _folds(ctx).deepest()))


@action("open-all-folds")
def open_all_folds(ctx: Context) -> None:
    """Open all folds."""
    _level(ctx, _folds(ctx).deepest())


@action("no-folds")
def no_folds(ctx: Context) -> None:
    """Show all folds open, whatever they are."""
    _enable(ctx, False)


@action("use-folds")
def use_folds(ctx: Context) -> None:
    """Show folds as they are."""
    _enable(ctx)


@action("toggle-folding")
def toggle_folding(ctx: Context) -> None:
    """Show folds as they are, or all open."""
    _enable(ctx, not ctx.flag("foldenable"))


def _selected(ctx: Context, span: Span, *, opening: bool, recurse: bool) -> None:
    """Open or close the folds of selected lines."""
    _stay(ctx)
    folds = _folds(ctx)
    line, done = span.start.line, False
    while line <= span.end.line:
        after = ctx.window.last_of_fold(line) if opening and not recurse else line
        done = folds.set(line, opening=opening, recurse=recurse)[0] or done
        line = (after if opening or recurse else ctx.window.last_of_fold(line)) + 1
    if not done:
        raise _missing()


@operator("open-selected", dot=False, line=True, modifies=False)
def open_selected(ctx: Context, span: Span) -> None:
    """Open one level of folds of the lines."""
    _selected(ctx, span, opening=True, recurse=False)


@operator("open-selected-all", dot=False, line=True, modifies=False)
def open_selected_all(ctx: Context, span: Span) -> None:
    """Open all folds of the lines."""
    _selected(ctx, span, opening=True, recurse=True)


@operator("close-selected", dot=False, line=True, modifies=False)
def close_selected(ctx: Context, span: Span) -> None:
    """Close one level of folds of the lines."""
    _enable(ctx)
    _selected(ctx, span, opening=False, recurse=False)


@operator("close-selected-all", dot=False, line=True, modifies=False)
def close_selected_all(ctx: Context, span: Span) -> None:
    """Close all folds of the lines."""
    _enable(ctx)
    _selected(ctx, span, opening=False, recurse=True)


# Moving


def _move(ctx: Context, *, forward: bool, beside: bool) -> Target:
    line = ctx.cursor.line
    for _ in range(ctx.count):
        found = _folds(ctx).move(line, forward=forward, beside=beside)
        if found == line:
            break
        line = found
    if line == ctx.cursor.line:
        raise CommandFailed
    # In Vim `zj` and `zk` do not say of what kind they are: they are of the kind of the motion before.
    return Target(Pos(line, 0), kind=ctx.engine.last_kind if beside else None)


@motion("next-fold", jump=True)
def next_fold(ctx: Context) -> Target:
    """Go to the start of the `count`th fold below."""
    return _move(ctx, forward=True, beside=True)


@motion("previous-fold", jump=True)
def previous_fold(ctx: Context) -> Target:
    """Go to the end of the `count`th fold above."""
    return _move(ctx, forward=False, beside=True)


@motion("fold-start", jump=True)
def fold_start(ctx: Context) -> Target:
    """Go to the start of the open fold."""
    return _move(ctx, forward=False, beside=False)


@motion("fold-end", jump=True)
def fold_end(ctx: Context) -> Target:
    """Go to the end of the open fold."""
    return _move(ctx, forward=True, beside=False)
