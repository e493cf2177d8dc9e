"""Marks, the jump list and the change list (`:help mark-motions`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.folding import open_for
from tpy.modal.engine.paragraphs import paragraph_back, paragraph_forward
from tpy.modal.engine.sentences import sentence_back, sentence_forward
from tpy.modal.engine.virtual import is_virtual, kept
from tpy.modal.registry import CommandFailed, action, motion
from tpy.modal.text.position import EXCLUSIVE, LINE, MAXCOL, Pos, clamp, first_nonblank

_MOVED = {"{": paragraph_back, "}": paragraph_forward, "(": sentence_back, ")": sentence_forward}


@action("set-mark", arg="mark")
def set_mark(ctx: Context) -> None:
    """Put a mark at the cursor."""
    name = ctx.arg or ""
    marks, pos = ctx.buffer.marks, ctx.cursor
    if name in ("'", "`"):
        ctx.engine.jump_from(ctx.window, pos, stays=True)
    elif name in ("<", ">"):
        kind, start, end, dollar = marks.visual or ("v", pos, pos, False)
        marks.visual = (kind, pos, end, dollar) if name == "<" else (kind, start, pos, dollar)
    elif len(name) == 1 and (name in '[]"' or (name.isascii() and name.isalnum())):
        if name.isupper() or name.isdigit():
            ctx.editor.file_marks[name] = (ctx.buffer.number, pos)
        else:
            marks.set(name, pos)
    else:
        raise CommandFailed


def mark_place(ctx: Context, name: str) -> Pos:
    """Return where a mark of this buffer is. Raises `CommandFailed` (E20, E78)."""
    marks = ctx.buffer.marks
    pos: Pos | None = None
    if name in _MOVED:
        target = _MOVED[name](ctx)
        pos = target.pos
    elif name in ("<", ">"):
        if marks.visual is not None:
            kind, one, other, _ = marks.visual
            pos = min(one, other) if name == "<" else max(one, other)
            if kind == "V":
                pos = Pos(pos.line, 0 if name == "<" else MAXCOL)
    elif name in ("'", "`"):
        pos = marks.get("'")
    elif len(name) == 1 and (name in '[]^."' or ("a" <= name <= "z")):
        pos = marks.get(name)
        if pos is None and name == '"':
            pos = Pos(0, 0)
    elif len(name) == 1 and name.isascii() and (name.isupper() or name.isdigit()):
        number, place = ctx.editor.file_marks.get(name, (0, None))
        if number == ctx.buffer.number:
            pos = place
    else:
        raise CommandFailed("E78: Unknown mark")
    if pos is None:
        raise CommandFailed("E20: Mark not set")
    if pos.line >= len(ctx.lines):
        raise CommandFailed("E19: Mark has invalid line number")
    return pos


def _go(ctx: Context, *, line: bool) -> Target:
    # The wanted column is forgotten, be there such a mark or not.
    ctx.window.want = None
    name = ctx.arg or ""
    number, place = ctx.editor.file_marks.get(name, (0, None))
    if place is not None and number != ctx.buffer.number and ctx.operator is None:
        _show(ctx, number)
    else:
        try:
            place = mark_place(ctx, name)
        except CommandFailed:
            # To Vim a mark that is not set is elsewhere: the fold is opened.
            open_for(ctx, "mark", ctx.cursor.line)
            raise
    pos = _placed(ctx, place)
    if ctx.operator is None and pos != ctx.cursor:
        open_for(ctx, "mark", pos.line)
    if line:
        return Target(Pos(pos.line, first_nonblank(ctx.lines[pos.line])), kind=LINE)
    return Target(pos)


def _placed(ctx: Context, place: Pos) -> Pos:
    """Return a place that was kept as one there is; it stays a virtual one where that may be."""
    return kept(place, ctx.lines) if is_virtual(ctx.engine) else clamp(place, ctx.lines)


def _show(ctx: Context, number: int) -> None:
    """Show another buffer in the window."""
    buffer = ctx.editor.buffers.get(number)
    if buffer is None:
        raise CommandFailed("E92: Buffer not found")
    ctx.engine.jump_from(ctx.window, ctx.cursor)
    ctx.window.show(buffer)


@motion("mark-line", "line", jump=True, arg="mark")
def mark_line(ctx: Context) -> Target:
    """Go to the first non-blank of the line of a mark."""
    return _go(ctx, line=True)


@motion("mark", jump=True, arg="mark", numbered=True)
def mark(ctx: Context) -> Target:
    """Go to a mark."""
    return _go(ctx, line=False)


@motion("mark-line-keep", "line", arg="mark")
def mark_line_keep(ctx: Context) -> Target:
    """Go to the line of a mark and leave the jump list alone."""
    return _go(ctx, line=True)


@motion("mark-keep", arg="mark")
def mark_keep(ctx: Context) -> Target:
    """Go to a mark and leave the jump list alone."""
    return _go(ctx, line=False)


def _next_mark(ctx: Context, *, forward: bool, line: bool) -> Target:
    """Return the `count`th lower-case mark behind or before the cursor, or as far as there are some."""
    marks = sorted(pos for name, pos in ctx.buffer.marks.named.items() if "a" <= name <= "z")
    at = ctx.cursor
    for _ in range(min(ctx.count, len(marks))):
        if forward:
            limit = Pos(at.line, MAXCOL) if line else at
            found = next((pos for pos in marks if pos > limit), None)
        else:
            limit = Pos(at.line, 0) if line else at
            found = next((pos for pos in reversed(marks) if pos < limit), None)
        if found is None:
            break
        at = found
    if at != ctx.cursor:
        at = clamp(at, ctx.lines)
    if line:
        return Target(Pos(at.line, first_nonblank(ctx.lines[at.line])), kind=LINE)
    return Target(at)


@motion("next-mark", jump=True)
def next_mark(ctx: Context) -> Target:
    """Go to the next lower-case mark."""
    return _next_mark(ctx, forward=True, line=False)


@motion("previous-mark", jump=True)
def previous_mark(ctx: Context) -> Target:
    """Go to the lower-case mark before."""
    return _next_mark(ctx, forward=False, line=False)


@motion("next-mark-line", "line", jump=True)
def next_mark_line(ctx: Context) -> Target:
    """Go to the next line with a lower-case mark."""
    return _next_mark(ctx, forward=True, line=True)


@motion("previous-mark-line", "line", jump=True)
def previous_mark_line(ctx: Context) -> Target:
    """Go to the line with a lower-case mark before."""
    return _next_mark(ctx, forward=False, line=True)


def _jump(ctx: Context, count: int) -> None:
    jumps = ctx.window.jumps
    if not jumps.can_go(count):
        raise CommandFailed
    if jumps.index == len(jumps.places):
        # The first step back: where it starts becomes an entry, which is not one to go back to.
        ctx.engine.jump_from(ctx.window, ctx.cursor)
        jumps.index = len(jumps.places) - 1
    place = jumps.go(count)
    if place is None:
        raise CommandFailed
    number, pos = place
    if number != ctx.buffer.number:
        buffer = ctx.editor.buffers.get(number)
        if buffer is None:
            raise CommandFailed("E92: Buffer not found")
        ctx.window.show(buffer)
    if pos.line >= len(ctx.lines):
        raise CommandFailed("E19: Mark has invalid line number")
    _arrive(ctx, _placed(ctx, pos))


def _arrive(ctx: Context, pos: Pos) -> None:
    """Put the cursor at a place of one of the lists."""
    # To Vim that was a motion.
    ctx.engine.last_kind = EXCLUSIVE
    ctx.cursor = pos
    ctx.window.want = None
    open_for(ctx, "mark", pos.line)


@action("jump-older")
def jump_older(ctx: Context) -> None:
    """Go to the `count`th older place of the jump list."""
    _jump(ctx, -ctx.count)


@action("jump-newer")
def jump_newer(ctx: Context) -> None:
    """Go to the `count`th newer place of the jump list."""
    _jump(ctx, ctx.count)


def _change(ctx: Context, count: int) -> None:
    changes, window = ctx.buffer.marks.changes, ctx.window
    if not changes:
        raise CommandFailed("E664: Changelist is empty")
    index = len(changes)
    if window.change_index is not None and window.change_index[1] == ctx.buffer.tick:
        index = min(window.change_index[0], len(changes))
    wanted = index + count
    if wanted < 0:
        if index == 0:
            raise CommandFailed("E662: At start of changelist")
        wanted = 0
    elif wanted >= len(changes):
        if index == len(changes) - 1:
            raise CommandFailed("E663: At end of changelist")
        wanted = len(changes) - 1
    window.change_index = (wanted, ctx.buffer.tick)
    pos = changes[wanted]
    if pos.line >= len(ctx.lines):
        raise CommandFailed("E19: Mark has invalid line number")
    _arrive(ctx, clamp(pos, ctx.lines))


@action("change-older")
def change_older(ctx: Context) -> None:
    """Go to the `count`th older place of the change list."""
    _change(ctx, -ctx.count)


@action("change-newer")
def change_newer(ctx: Context) -> None:
    """Go to the `count`th newer place of the change list."""
    _change(ctx, ctx.count)
