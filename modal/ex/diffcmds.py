"""The commands of diff mode (`:help diff.txt`): joining and leaving a comparison, copying changes, the file on disk."""

from __future__ import annotations

import re

from tpy.modal.editor import Editor
from tpy.modal.engine import diffing
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.filecmds import FileArgument
from tpy.modal.ex.filestate import check_time, open_buffer, set_format, state_of
from tpy.modal.ex.viewcmds import split
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import EX, Buffer
from tpy.modal.text.files import FileProblem, load
from tpy.modal.text.position import Pos, clamp
from tpy.modal.text.splice import Splice
from tpy.modal.view.differ import Block


@command("difft[his]")
def diffthis(ctx: ExContext) -> None:
    """Let this window take part in the comparison of the tab page."""
    diffing.join(ctx.editor, ctx.window)


@command("diffo[ff]", bang=True)
def diffoff(ctx: ExContext) -> None:
    """End the comparison for this window, with `!` for all windows of the tab page."""
    editor = ctx.editor
    for window in editor.layout.windows() if ctx.bang else [ctx.window]:
        if ctx.bang and not editor.option("diff", window):
            continue
        diffing.leave(editor, window)


@command("dif[fupdate]", bang=True)
def diffupdate(ctx: ExContext) -> None:
    """Compare again; with `!` look first whether the files have changed on disk."""
    if ctx.bang:
        for buffer in diffing.compared(ctx.editor):
            check_time(ctx.editor, buffer)
    ctx.editor.extra.pop("comparisons", None)
    ctx.editor.run_hooks("redraw")


@command("diffs[plit]", args="file", need=True)
def diffsplit(ctx: ExContext) -> None:
    """Open a file in a window beside this one and compare both."""
    argument = FileArgument(ctx)
    buffer = open_buffer(ctx.editor, argument.name, encoding=argument.encoding, fileformat=argument.fileformat)
    compare_beside(ctx, buffer, vertical="vertical" in diffing.words(ctx.editor))


def compare_beside(ctx: ExContext, buffer: Buffer, *, vertical: bool) -> None:
    """Open a window on a buffer, compare it with the current window's, and go to the line beside the cursor's."""
    old = ctx.window
    new = split(ctx, buffer, vertical=vertical)
    for window in (new, old):
        diffing.join(ctx.editor, window)
    side = diffing.side_of(ctx.editor, old)
    if side is not None and buffer is not old.buffer:
        buffers = diffing.compared(ctx.editor)
        line = side.comparison.corresponding(side.index, old.cursor.line, buffers.index(buffer))
        new.cursor = clamp(Pos(line, 0), buffer.lines)


@command("diffp[atch]", args="file", bar=False)
def diffpatch(ctx: ExContext) -> None:
    """Not in tpy: write a patched copy with `patch -o` and open that by `:diffsplit`."""
    raise ctx.unsupported(":diffpatch is not in tpy: `:!patch -o NEW FILE PATCH`, then `:diffsplit NEW`")


@command("diffg[et]", range=".", args="rest", modifies=True)
def diffget(ctx: ExContext) -> None:
    """Make the changes in the range as they are in the other buffer, or the one named."""
    _copy(ctx, get=True)


@command("diffpu[t]", range=".", args="rest")
def diffput(ctx: ExContext) -> None:
    """Make the changes in the range in the other buffer, or the one named, as they are here."""
    _copy(ctx, get=False)


@command("diffd[isk]", bang=True)
def diffdisk(ctx: ExContext) -> None:
    """Compare the buffer with its file as it is on disk now."""
    state = state_of(ctx.buffer)
    if state is None:
        raise CommandFailed("E32: No file name")
    try:
        loaded = load(state.path, fs=state.fs)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    if loaded.stamp is None:
        raise CommandFailed(f'E211: File "{ctx.buffer.name}" no longer available')
    name = f"disk://{state.path}"
    disk = ctx.editor.buffer_named(name)
    shown = disk is not None and any(window.buffer is disk for window in ctx.editor.layout.windows())
    if disk is None:
        disk = ctx.editor.add_buffer(name=name)
    _fill(disk, loaded.text.lines)
    set_format(disk, loaded.text.format)
    disk.options.update(buftype="nofile", buflisted=False, syntax=ctx.buffer.options.get("syntax", ""))
    if not shown:
        mine = ctx.window
        compare_beside(ctx, disk, vertical=True)
        ctx.editor.focus(mine)


def _fill(buffer: Buffer, lines: list[str]) -> None:
    """Give a buffer that only shows something its text."""
    buffer.keeps_undo = False
    buffer.modifiable = True
    buffer.replace(0, len(buffer.lines), lines)
    buffer.modifiable = False


def _copy(ctx: ExContext, *, get: bool) -> None:
    """Copy changes from one buffer to another (`:help copy-diffs`)."""
    editor = ctx.editor
    buffers = diffing.compared(editor)
    if ctx.buffer not in buffers:
        raise CommandFailed("E99: Current buffer is not in diff mode")
    other = _named(editor, buffers, ctx.args.strip()) if ctx.args.strip() else _other(ctx, buffers, get=get)
    side = diffing.side_of(editor, ctx.window)
    if other is ctx.buffer or side is None:
        return
    source, target = (other, ctx.buffer) if get else (ctx.buffer, other)
    ctx.engine.require_modifiable(target)
    here, start, end = side.index, buffers.index(source), buffers.index(target)
    first, last = ctx.call.first, ctx.call.last
    if not ctx.lines_typed:
        # Also what is above the cursor's line; in the last line what is below it, if there is nothing above.
        line = first - 1
        below = get and line == len(ctx.lines) - 1
        if below and not side.differs(line) and (line == 0 or not side.differs(line - 1)):
            last += 1
        elif first > 0:
            first -= 1
    splices = []
    for block in side.comparison.blocks:
        if block.first[here] + 1 > last:
            break
        if block.first[here] + 1 + block.sizes[here] > first:
            typed = (first, last) if ctx.lines_typed else None
            splices.append(_splice(block, source, target, (here, start, end), typed))
    if get:
        _apply_here(ctx, splices)
    elif splices:
        with target.step("diffput", EX):
            for splice in reversed(splices):
                target.apply(splice)


def _splice(
    block: Block, source: Buffer, target: Buffer, sides: tuple[int, int, int], typed: tuple[int, int] | None
) -> Splice:
    """Return what makes a block of `target` as it is in `source`; of a range that was typed (from 1) only its lines."""
    here, start, end = sides
    line, count = block.first[end], block.sizes[end]
    skipped = left = 0
    if typed is not None:
        skipped = max(typed[0] - block.first[here] - 1, 0)
        step = min(skipped, count)
        line, count = line + step, count - step
        left = max(block.first[here] + block.sizes[here] - typed[1], 0)
        if left and here == start:
            count = min(count, block.sizes[here] - skipped - left)
        elif left:
            count -= left
            left = max(block.sizes[start] - skipped - count, 0)
    begin = block.first[start] + skipped
    new = source.lines[begin : begin + max(block.sizes[start] - skipped - left, 0)]
    return Splice(line, tuple(target.lines[line : line + max(count, 0)]), tuple(new))


def _apply_here(ctx: ExContext, splices: list[Splice]) -> None:
    """Apply splices to the current buffer, last one first, with the cursor following its line."""
    window = ctx.window
    line, col = window.cursor
    for splice in reversed(splices):
        ctx.buffer.apply(splice)
        removed, added = len(splice.old), len(splice.new)
        if line >= splice.line + removed:
            line += added - removed
        elif line >= splice.line and added < removed:
            line = splice.line
    if splices:
        window.cursor = clamp(Pos(max(line, 0), col), ctx.lines)
        window.want = None


def _other(ctx: ExContext, buffers: list[Buffer], *, get: bool) -> Buffer:
    """Return the other buffer of the comparison. Raises `CommandFailed` (E100, E101, E793)."""
    others = [buffer for buffer in buffers if buffer is not ctx.buffer]
    usable = [buffer for buffer in others if get or buffer.modifiable]
    if not usable:
        raise CommandFailed(
            "E793: No other buffer in diff mode is modifiable" if others else "E100: No other buffer in diff mode"
        )
    if len(usable) > 1:
        raise CommandFailed("E101: More than two buffers in diff mode, don't know which one to use")
    return usable[0]


def _named(editor: Editor, buffers: list[Buffer], name: str) -> Buffer:
    """Return the buffer of a number or a part of its name. Raises `CommandFailed` (E93, E94, E102, E103)."""
    if re.fullmatch(r"[0-9]+", name):
        found = editor.buffers.get(int(name))
        if found is None:
            raise CommandFailed(f'E102: Can\'t find buffer "{name}"')
    else:
        exact = [buffer for buffer in editor.buffers.values() if buffer.name == name]
        matching = exact or [buffer for buffer in editor.buffers.values() if name in buffer.name]
        if len(matching) != 1:
            what = "More than one match" if matching else "No matching buffer"
            raise CommandFailed(f"{'E93' if matching else 'E94'}: {what} for {name}")
        found = matching[0]
    if found not in buffers:
        raise CommandFailed(f'E103: Buffer "{name}" is not in diff mode')
    return found
