"""Commands for the buffer list and the argument list (`:help buffers`, `:help argument-list`)."""

from __future__ import annotations

from tpy.modal.editor import Editor
from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.filecmds import require_saved, show_buffer, show_instead
from tpy.modal.ex.filestate import load_into, named, open_buffer
from tpy.modal.ex.leavecmds import close_window, keeps_text
from tpy.modal.ex.names import file_names
from tpy.modal.ex.run import run_line
from tpy.modal.ex.viewcmds import split
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos


def listed(editor: Editor) -> list[Buffer]:
    """Return the buffers that `:ls` shows, in order of their numbers."""
    return [b for _, b in sorted(editor.buffers.items()) if editor.options.get("buflisted", b.options)]


def find(editor: Editor, text: str) -> Buffer:
    """Return the buffer that a number, `%`, `#` or a part of a name means. Raises `CommandFailed` (E86, E93, E94)."""
    if text.isdigit():
        buffer = editor.buffers.get(int(text))
        if buffer is None:
            raise CommandFailed(f"E86: Buffer {text} does not exist")
        return buffer
    if text in ("%", ""):
        return editor.buffer
    if text == "#":
        buffer = editor.buffers.get(editor.window.alternate or 0)
        if buffer is None:
            raise CommandFailed("E23: No alternate file")
        return buffer
    exact = editor.buffer_named(text)
    if exact is not None:
        return exact
    for matches in (
        [b for b in listed(editor) if b.name.startswith(text)],
        [b for b in listed(editor) if b.name.endswith("/" + text) or b.name.endswith(text)],
        [b for b in listed(editor) if text in b.name],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise CommandFailed(f"E93: More than one match for {text}")
    raise CommandFailed(f"E94: No matching buffer for {text}")


def _load(ctx: ExContext, buffer: Buffer) -> Buffer:
    """Read the file of a buffer that only has its name yet."""
    if buffer.extra.get("unloaded"):
        load_into(ctx.editor, buffer, buffer.name)
    return buffer


def _wanted(ctx: ExContext) -> Buffer:
    text = ctx.args.strip()
    if not text and ctx.count is not None:
        text = str(ctx.count)
    return _load(ctx, find(ctx.editor, text))


@command("b[uffer]", range="buffers", bang=True, args="buffer", count=True)
def buffer(ctx: ExContext) -> None:
    """Edit a buffer, by number or by a part of its name."""
    _go(ctx, _wanted(ctx))


@command("sb[uffer]", range="buffers", bang=True, args="buffer", count=True)
def sbuffer(ctx: ExContext) -> None:
    """Split the window and edit a buffer there."""
    split(ctx, _wanted(ctx), vertical=False)


def _step(ctx: ExContext, by: int) -> None:
    """Go `by` buffers further in the list, round its ends."""
    buffers = listed(ctx.editor)
    if not buffers:
        raise CommandFailed("E85: There is no listed buffer")
    numbers = [b.number for b in buffers]
    own = ctx.buffer.number
    at = numbers.index(own) if own in numbers else -1 if by > 0 else len(numbers)
    _go(ctx, buffers[(at + by) % len(buffers)])


def _go(ctx: ExContext, wanted: Buffer) -> None:
    if wanted is not ctx.buffer:
        require_saved(ctx, ctx.buffer)
        show_buffer(ctx, _load(ctx, wanted))
        if ctx.option("startofline"):
            ctx.window.cursor = Pos(ctx.window.cursor.line, 0)


@command("bn[ext]", range="count", bang=True, count=True)
def bnext(ctx: ExContext) -> None:
    """Edit the next buffer."""
    _step(ctx, ctx.count or 1)


@command("bp[revious]", range="count", bang=True, count=True)
def bprevious(ctx: ExContext) -> None:
    """Edit the buffer before."""
    _step(ctx, -(ctx.count or 1))


@command("bN[ext]", range="count", bang=True, count=True)
def bback(ctx: ExContext) -> None:
    """Edit the buffer before."""
    bprevious(ctx)


@command("bf[irst]", bang=True)
def bfirst(ctx: ExContext) -> None:
    """Edit the first buffer."""
    _go(ctx, listed(ctx.editor)[0])


@command("br[ewind]", bang=True)
def brewind(ctx: ExContext) -> None:
    """Edit the first buffer."""
    bfirst(ctx)


@command("bl[ast]", bang=True)
def blast(ctx: ExContext) -> None:
    """Edit the last buffer."""
    _go(ctx, listed(ctx.editor)[-1])


@command("bm[odified]", range="count", bang=True, count=True)
def bmodified(ctx: ExContext) -> None:
    """Edit the next buffer with changes that are not written."""
    buffers = [b for b in listed(ctx.editor) if b.modified]
    if not buffers:
        raise CommandFailed("E84: No modified buffer found")
    later = [b for b in buffers if b.number > ctx.buffer.number]
    _go(ctx, (later or buffers)[0])


@command("ls", bang=True, args="rest")
def ls(ctx: ExContext) -> None:
    """Show the buffers."""
    editor = ctx.editor
    shown = [b for _, b in sorted(editor.buffers.items())] if ctx.bang else listed(editor)
    ctx.show("\n".join(_row(editor, each) for each in shown))


@command("buffers", bang=True, args="rest")
def buffers_(ctx: ExContext) -> None:
    """Show the buffers."""
    ls(ctx)


@command("files", bang=True, args="rest")
def files(ctx: ExContext) -> None:
    """Show the buffers."""
    ls(ctx)


def _row(editor: Editor, each: Buffer) -> str:
    """Return a buffer as `:ls` shows it."""
    current = "%" if each is editor.buffer else "#" if each.number == editor.window.alternate else " "
    visible = any(window.buffer is each for window in editor.windows())
    state = "a" if visible else " " if each.extra.get("unloaded") else "h"
    unlisted = " " if editor.options.get("buflisted", each.options) else "u"
    changes = "-" if not each.modifiable else "=" if editor.options.get("readonly", each.options) else " "
    modified = "+" if each.modified else " "
    name = f'"{named(each.name) or "[No Name]"}"'
    line = editor.cursor_in(each).line + 1 if not each.extra.get("unloaded") else 0
    return f"{each.number:3}{unlisted}{current}{state}{changes}{modified} {name:<30} line {line}"


def forget(ctx: ExContext, gone: Buffer, *, wipe: bool) -> None:
    """Take a buffer out of the list (`wipe`: out of memory) and out of all windows. Raises `CommandFailed` (E89)."""
    editor = ctx.editor
    if keeps_text(editor, gone) and not ctx.bang:
        raise CommandFailed(f"E89: No write since last change for buffer {gone.number} (add ! to override)")
    editor.run_hooks("buffer-closing", gone, ctx.bang)
    windows = [window for window in editor.windows() if window.buffer is gone]
    others = [b for b in listed(editor) if b is not gone]
    alternate = editor.buffers.get(editor.window.alternate or 0)
    heir = alternate if alternate in others else (others[0] if others else None)
    for window in windows:
        if len(editor.windows()) > 1 and (window is not editor.window or len(windows) < len(editor.windows())):
            close_window(editor, window)
        else:
            window.show(_load(ctx, heir) if heir is not None else editor.add_buffer())
    editor.run_hooks("buffer-gone", gone)
    if wipe or not gone.name:
        editor.remove_buffer(gone)
    else:
        gone.options["buflisted"] = False
        gone.extra["unloaded"] = True
        gone.undo.mark_saved()
    for window in editor.windows():
        if window.alternate == gone.number and wipe:
            window.alternate = None


def _forget_all(ctx: ExContext, *, wipe: bool) -> None:
    names = ctx.args.split()
    if ctx.count is not None and not names:
        numbers = range(ctx.call.first, ctx.call.last + 1) if ctx.lines_typed else [ctx.count]
        names = [str(number) for number in numbers]
    gone = [find(ctx.editor, name) for name in names] or [ctx.buffer]
    for each in gone:
        forget(ctx, each, wipe=wipe)


@command("bd[elete]", range="buffers", bang=True, args="buffer", count=True)
def bdelete(ctx: ExContext) -> None:
    """Take buffers out of the list."""
    _forget_all(ctx, wipe=False)


@command("bw[ipeout]", range="buffers", bang=True, args="buffer", count=True)
def bwipeout(ctx: ExContext) -> None:
    """Forget buffers with all that is known of them."""
    _forget_all(ctx, wipe=True)


@command("bun[load]", range="buffers", bang=True, args="buffer", count=True)
def bunload(ctx: ExContext) -> None:
    """Take buffers out of the windows."""
    _forget_all(ctx, wipe=False)


@command("bad[d]", args="file", need=True)
def badd(ctx: ExContext) -> None:
    """Add a file to the buffer list without reading it."""
    _list(ctx, file_names(ctx.engine, ctx.args))


def _list(ctx: ExContext, names: list[str]) -> None:
    """Add files to the buffer list without reading them."""
    for name in names:
        if ctx.editor.buffer_named(name) is None:
            ctx.editor.add_buffer(name=name).extra["unloaded"] = True


@command("bufd[o]", range="buffers", bang=True, args="command", bar=False, need=True)
def bufdo(ctx: ExContext) -> Work:
    """Run a command in each buffer."""
    for each in listed(ctx.editor):
        if each.number in ctx.editor.buffers:
            _go(ctx, each)
            yield from run_line(ctx.engine, ctx.args)


# The argument list


@command("ar[gs]", bang=True, args="files")
def args(ctx: ExContext) -> None:
    """Show the argument list, or make another one and edit its first file."""
    editor = ctx.editor
    if not ctx.args:
        names = [f"[{n}]" if i == editor.argument_index else n for i, n in enumerate(editor.arguments)]
        ctx.show(" ".join(names))
        return
    require_saved(ctx, ctx.buffer)
    editor.arguments = file_names(ctx.engine, ctx.args)
    editor.extra["last-argument-seen"] = False
    if not editor.arguments:
        raise CommandFailed("E479: No match")
    _list(ctx, editor.arguments)
    _argument(ctx, 0)


def _argument(ctx: ExContext, index: int) -> None:
    """Edit a file of the argument list. Raises `CommandFailed` (E163, E164, E165)."""
    editor = ctx.editor
    if not editor.arguments:
        raise CommandFailed("E163: There is only one file to edit")
    if index < 0:
        raise CommandFailed("E164: Cannot go before first file")
    if index >= len(editor.arguments):
        raise CommandFailed("E165: Cannot go beyond last file")
    require_saved(ctx, ctx.buffer)
    opened = open_buffer(editor, editor.arguments[index])
    editor.argument_index = index
    if index == len(editor.arguments) - 1:
        editor.extra["last-argument-seen"] = True
    show_instead(ctx, ctx.buffer, opened)


@command("n[ext]", range="count", bang=True, args="files", count=True)
def next_(ctx: ExContext) -> None:
    """Edit the next file of the argument list, or make another list."""
    if ctx.args:
        args(ctx)
    else:
        _argument(ctx, ctx.editor.argument_index + (ctx.count or 1))


@command("prev[ious]", range="count", bang=True, args="rest", count=True)
def previous(ctx: ExContext) -> None:
    """Edit the file before in the argument list."""
    _argument(ctx, ctx.editor.argument_index - (ctx.count or 1))


@command("N[ext]", range="count", bang=True, args="rest", count=True)
def back(ctx: ExContext) -> None:
    """Edit the file before in the argument list."""
    previous(ctx)


@command("fir[st]", bang=True, args="rest")
def first(ctx: ExContext) -> None:
    """Edit the first file of the argument list."""
    _argument(ctx, 0)


@command("rew[ind]", bang=True, args="rest")
def rewind(ctx: ExContext) -> None:
    """Edit the first file of the argument list."""
    _argument(ctx, 0)


@command("la[st]", bang=True, args="rest")
def last(ctx: ExContext) -> None:
    """Edit the last file of the argument list."""
    _argument(ctx, len(ctx.editor.arguments) - 1)


@command("argu[ment]", range="arguments", bang=True, args="rest", count=True)
def argument(ctx: ExContext) -> None:
    """Edit a file of the argument list by its number."""
    _argument(ctx, ctx.editor.argument_index if ctx.count is None else ctx.count - 1)


@command("arga[dd]", range="arguments", args="files")
def argadd(ctx: ExContext) -> None:
    """Add files to the argument list, behind the current one."""
    editor = ctx.editor
    names = file_names(ctx.engine, ctx.args) or [ctx.buffer.name]
    at = editor.argument_index + 1 if editor.arguments else 0
    editor.arguments[at:at] = names
    _list(ctx, names)


@command("argd[elete]", range="arguments", args="files")
def argdelete(ctx: ExContext) -> None:
    """Take files out of the argument list."""
    editor = ctx.editor
    gone = set(file_names(ctx.engine, ctx.args))
    editor.arguments = [name for name in editor.arguments if name not in gone]
    editor.argument_index = min(editor.argument_index, max(len(editor.arguments) - 1, 0))


@command("argdo", range="arguments", bang=True, args="command", bar=False, need=True)
def argdo(ctx: ExContext) -> Work:
    """Run a command for each file of the argument list."""
    for index in range(len(ctx.editor.arguments)):
        _argument(ctx, index)
        yield from run_line(ctx.engine, ctx.args)


@command("wn[ext]", range="count", bang=True, args="rest", count=True)
def wnext(ctx: ExContext) -> Work:
    """Write the buffer and edit the next file of the argument list."""
    yield from run_line(ctx.engine, "write" + ("!" if ctx.bang else ""))
    _argument(ctx, ctx.editor.argument_index + (ctx.count or 1))


@command("wp[revious]", range="count", bang=True, args="rest", count=True)
def wprevious(ctx: ExContext) -> Work:
    """Write the buffer and edit the file before in the argument list."""
    yield from run_line(ctx.engine, "write" + ("!" if ctx.bang else ""))
    _argument(ctx, ctx.editor.argument_index - (ctx.count or 1))
