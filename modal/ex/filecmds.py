"""Commands for files: edit, write, read, save as (`:help editing.txt`). Leaving is in `leavecmds.py`."""

from __future__ import annotations

import os
import re

from tpy.modal.engine import reporting
from tpy.modal.engine.windows import require_leavable
from tpy.modal.ex import shell
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.filestate import (
    FileState,
    attach,
    check_time,
    data_of,
    find_buffer,
    named,
    open_buffer,
    reload,
    state_of,
    write_buffer,
    written_message,
)
from tpy.modal.ex.names import file_name
from tpy.modal.ex.run import run_ex
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.files import FileProblem, load, read_bytes
from tpy.modal.text.places import absolute
from tpy.modal.text.position import Pos, first_nonblank
from tpy.modal.text.saving import save

_OPTION = re.compile(r"\+\+(\w+)(?:=(\S+))?\s*")
_LEADING = re.compile(r"\+((?:\\.|[^\\ \t])*)(?:[ \t]+|$)")


class FileArgument:
    """The argument of a command for files: `++enc=` and `++ff=`, `+command`, the name (`""` for none)."""

    def __init__(self, ctx: ExContext) -> None:
        text = ctx.args
        self.encoding: str | None = None
        self.fileformat: str | None = None
        self.command = ""
        while (match := _OPTION.match(text)) is not None:
            self._option(match)
            text = text[match.end() :]
        if ctx.call.command.name not in ("write", "read", "saveas", "update", "wq", "xit"):
            match = _LEADING.match(text)
            if match is not None:
                self.command = re.sub(r"\\(.)", r"\1", match[1]) or "$"
                text = text[match.end() :]
        self.name = file_name(ctx.engine, text)

    def _option(self, match: re.Match[str]) -> None:
        name, value = match[1], match[2]
        if name in ("enc", "encoding") and value:
            self.encoding = value
        elif name in ("ff", "fileformat") and value in ("unix", "dos", "mac"):
            self.fileformat = value
        elif name not in ("bin", "binary", "nobin", "nobinary", "edit", "bad"):
            raise CommandFailed("E474: Invalid argument")


def require_saved(ctx: ExContext, buffer: Buffer) -> None:
    """Raise `CommandFailed` (E37) where leaving a buffer would hide changes that are not written."""
    require_leavable(ctx.editor)
    if ctx.bang or not buffer.modified or ctx.option("hidden") or ctx.modifier("hide"):
        return
    if sum(window.buffer is buffer for window in ctx.editor.windows()) > 1:
        return
    if ctx.option("autowrite") and state_of(buffer) is not None:
        ctx.echo(write_buffer(ctx.editor, buffer))
        return
    raise CommandFailed("E37: No write since last change (add ! to override)")


def show_buffer(ctx: ExContext, buffer: Buffer) -> None:
    """Show a buffer in the current window, the cursor where it was left."""
    window = ctx.window
    if window.buffer is not buffer:
        window.jumps.push(window.buffer.number, window.cursor)
        ctx.editor.run_hooks("autocmd", "BufLeave", window.buffer)
        window.show(buffer)
        ctx.editor.run_hooks("autocmd", "BufEnter", buffer)


@command("e[dit]", bang=True, args="file")
def edit(ctx: ExContext) -> None:
    """Edit a file; without a name read this one again, with `!` also when changes are lost by it."""
    argument = FileArgument(ctx)
    buffer = ctx.buffer
    if os.path.isdir(argument.name or ""):
        raise CommandFailed(f'E17: "{argument.name}" is a directory: use :find to open files under it')
    other = find_buffer(ctx.editor, argument.name) if argument.name else buffer
    if argument.name and other is not buffer:
        require_saved(ctx, buffer)
        opened = open_buffer(ctx.editor, argument.name, encoding=argument.encoding, fileformat=argument.fileformat)
        show_instead(ctx, buffer, opened)
    else:
        if buffer.modified and not ctx.bang:
            raise CommandFailed("E37: No write since last change (add ! to override)")
        if state_of(buffer) is None and buffer.name:
            attach(buffer, buffer.name)
        if state_of(buffer) is not None:
            reload(ctx.editor, buffer, encoding=argument.encoding, fileformat=argument.fileformat)
            _to_line_start(ctx)
    if argument.command:
        run_ex(ctx.engine, argument.command)


def _to_line_start(ctx: ExContext) -> None:
    if ctx.option("startofline"):
        line = ctx.window.cursor.line
        ctx.window.cursor = Pos(line, first_nonblank(ctx.lines[line]))


def show_instead(ctx: ExContext, old: Buffer, new: Buffer) -> None:
    """Show the new buffer; the empty one without a name that the editor began with goes."""
    show_buffer(ctx, new)
    _to_line_start(ctx)
    unused = not old.name and not old.modified and old.lines == [""] and len(old.undo.steps) == 1
    if unused and all(window.buffer is not old for window in ctx.editor.windows()):
        ctx.editor.remove_buffer(old)
        ctx.window.alternate = None


@command("ex", bang=True, args="file")
def ex(ctx: ExContext) -> None:
    """Edit a file, as `:edit` does."""
    edit(ctx)


@command("vi[sual]", bang=True, args="file")
def visual(ctx: ExContext) -> None:
    """Edit a file, as `:edit` does."""
    edit(ctx)


@command("vie[w]", bang=True, args="file")
def view(ctx: ExContext) -> None:
    """Edit a file that is not to be written."""
    edit(ctx)
    ctx.buffer.options["readonly"] = True


@command("rec[over]", bang=True, args="file")
def recover(ctx: ExContext) -> None:
    """Bring back the unsaved text of a file, of this one without a name, that a crash left (`tpy -r`)."""
    edit(ctx)
    bring_back = ctx.editor.extra.get("recover")
    if not callable(bring_back):
        raise CommandFailed(f'E305: No unsaved text of "{ctx.buffer.name}" was kept')
    bring_back(ctx.buffer)


@command("ene[w]", bang=True)
def enew(ctx: ExContext) -> None:
    """Edit a new buffer without a name."""
    require_saved(ctx, ctx.buffer)
    show_buffer(ctx, ctx.editor.add_buffer())


@command("fin[d]", range="count", bang=True, args="file", need=True)
def find(ctx: ExContext) -> None:
    """Edit a file that is looked for in `'path'`."""
    name = file_name(ctx.engine, ctx.args)
    found = find_in_path(ctx, name)
    if found is None:
        raise CommandFailed(f'E345: Can\'t find file "{name}" in path')
    require_saved(ctx, ctx.buffer)
    show_instead(ctx, ctx.buffer, open_buffer(ctx.editor, found))


def find_in_path(ctx: ExContext, name: str) -> str | None:
    """Return the first file of that name in the directories of `'path'`, `None` for none."""
    if os.path.isabs(name):
        return name if os.path.exists(name) else None
    here = os.path.dirname(ctx.buffer.name)
    for part in ctx.option("path").split(","):
        base, deep = (part[:-2].rstrip("/"), True) if part.endswith("**") else (part, False)
        base = here if base == "." else base
        if os.path.exists(os.path.join(base, name)):
            return os.path.join(base, name)
        if deep:
            for folder, folders, files in os.walk(base or "."):
                folders[:] = sorted(f for f in folders if not f.startswith("."))
                if name in files:
                    return os.path.normpath(os.path.join(folder, name))
    return None


@command("w[rite]", range="%", bang=True, args="file")
def write(ctx: ExContext) -> None:
    """Write the buffer, or lines of it, to its file or another; `>>` appends, `!cmd` gives them to a program."""
    if ctx.args.startswith("!"):
        shell.write_to(ctx, ctx.args[1:])
        return
    _write(ctx)


@command("up[date]", range="%", bang=True, args="file")
def update(ctx: ExContext) -> None:
    """Write the buffer if it was changed."""
    if ctx.buffer.modified:
        _write(ctx)


def _write(ctx: ExContext) -> None:
    """Write to the buffer's file, or with a name to another one."""
    buffer = ctx.buffer
    if ctx.args.startswith(">>"):
        _append(ctx, file_name(ctx.engine, ctx.args[2:].strip()) or buffer.name)
        return
    argument = FileArgument(ctx)
    whole = ctx.first == 0 and ctx.last == len(ctx.lines) - 1
    name = argument.name
    own = state_of(buffer)
    path = absolute(name) if name else None
    if path is None and written_elsewhere(ctx, buffer):
        return
    if path is None or (own is not None and own.path == path):
        refuse_type(ctx, buffer)
        if not whole and not ctx.bang:
            raise CommandFailed("E140: Use ! to write partial buffer")
        if whole:
            ctx.echo(write_buffer(ctx.editor, buffer, force=ctx.bang))
            return
    if not name and not buffer.name:
        raise CommandFailed("E32: No file name")
    if name and not buffer.name and whole:
        _refuse_existing(ctx, name)
        attach(buffer, name)
        ctx.echo(write_buffer(ctx.editor, buffer, force=ctx.bang))
        return
    if name and not ctx.bang:
        _refuse_existing(ctx, name)
    _write_lines(ctx, name or buffer.name, whole=whole)


def written_elsewhere(ctx: ExContext, buffer: Buffer) -> bool:
    """Hand the text to what it belongs to where that is no file (rules, a form, a queue); `False` for other buffers.

    The buffer's `extra["write"]` does it and returns the message, as an autocommand of Vim's would (`:help acwrite`).
    """
    write = buffer.extra.get("write")
    if not callable(write):
        return False
    ctx.echo(write())
    buffer.undo.mark_saved()
    return True


def refuse_type(ctx: ExContext, buffer: Buffer) -> None:
    """Raise `CommandFailed` (E382) for a buffer that has no file by its kind."""
    if ctx.editor.options.get("buftype", buffer.options) not in ("", "acwrite"):
        raise CommandFailed("E382: Cannot write, 'buftype' option is set")


def _refuse_existing(ctx: ExContext, name: str) -> None:
    if not ctx.bang and os.path.isdir(name):
        raise CommandFailed(f'E17: "{name}" is a directory')
    if not ctx.bang and os.path.exists(name):
        raise CommandFailed("E13: File exists (add ! to override)")


def _write_lines(ctx: ExContext, name: str, *, whole: bool) -> None:
    """Write the lines of the range to a file that is not the buffer's; it becomes the alternate file."""
    lines = ctx.lines[ctx.first : ctx.last + 1]
    data = data_of(ctx.editor, ctx.buffer, lines, whole=whole)
    new = not os.path.exists(name)
    try:
        saved = save(absolute(name), data, force=ctx.bang, tick=ctx.tell)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    own = state_of(ctx.buffer)
    if own is not None and own.path == absolute(name):
        own.stamp = saved.stamp
    elif whole and find_buffer(ctx.editor, name) is None:
        other = ctx.editor.add_buffer(name=name)
        other.extra["unloaded"] = True
        other.extra["file"] = FileState(absolute(name))
        ctx.window.alternate = other.number
    ctx.echo(written_message(name, 0 if whole and ctx.buffer.no_lines else len(lines), len(data), new=new))


def _append(ctx: ExContext, name: str) -> None:
    """Add the lines of the range to a file."""
    if not name:
        raise CommandFailed("E32: No file name")
    lines = ctx.lines[ctx.first : ctx.last + 1]
    data = data_of(ctx.editor, ctx.buffer, lines)
    try:
        old, _ = read_bytes(absolute(name))
    except FileNotFoundError:
        if not ctx.bang:
            raise CommandFailed(f"E212: Can't open file for writing: {name}: it does not exist") from None
        old = b""
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    if old and not old.endswith(b"\n"):
        old += b"\n"
    try:
        save(absolute(name), old + data, force=ctx.bang, tick=ctx.tell)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    ctx.echo(written_message(name, len(lines), len(data), new=False, appended=True))


@command("sav[eas]", bang=True, args="file", need=True)
def saveas(ctx: ExContext) -> None:
    """Write the buffer to another file and go on with that one."""
    name = file_name(ctx.engine, ctx.args)
    refuse_type(ctx, ctx.buffer)
    _refuse_existing(ctx, name)
    buffer, old, old_name = ctx.buffer, ctx.buffer.extra.get("file"), ctx.buffer.name
    attach(buffer, name)
    try:
        ctx.echo(write_buffer(ctx.editor, buffer, force=True))
    except CommandFailed:
        buffer.name = old_name
        buffer.extra["file"] = old
        raise
    if old_name:
        other = ctx.editor.add_buffer(name=old_name)
        other.extra["unloaded"] = True
        ctx.window.alternate = other.number


@command("f[ile]", range="count", bang=True, args="file")
def file(ctx: ExContext) -> None:
    """Show the name of the file and the place in it, or give the buffer another name."""
    buffer = ctx.buffer
    if ctx.args:
        name = file_name(ctx.engine, ctx.args)
        other = find_buffer(ctx.editor, name)
        if other is not None and other is not buffer:
            raise CommandFailed("E95: Buffer with this name already exists")
        attach(buffer, name)
        buffer.undo.mark_unsaved()
    ctx.echo(info(ctx))


def info(ctx: ExContext) -> str:
    """Return what `:file` and `<C-g>` tell."""
    buffer, line = ctx.buffer, ctx.window.cursor.line + 1
    total = len(buffer.lines)
    name = f'"{named(buffer.name)}"' if buffer.name else '"[No Name]"'
    flags = " [Modified]" if buffer.modified else ""
    state = state_of(buffer)
    if state is not None and state.stamp is None:
        flags += " [New]"
    if ctx.option("readonly"):
        flags += " [readonly]"
    if total == 1 and not buffer.lines[0]:
        return f"{name}{flags} --No lines in buffer--"
    plural = "" if total == 1 else "s"
    return f"{name}{flags} {total} line{plural} --{line * 100 // total}%--"


@command("r[ead]", range="0", bang=True, args="file", modifies=True)
def read(ctx: ExContext) -> None:
    """Put a file, or what a program prints (`:r !cmd`), below the line."""
    if ctx.bang or ctx.args.startswith("!"):
        lines = shell.read_from(ctx, ctx.args.removeprefix("!"))
        if lines:
            before = reporting.size(ctx.buffer)
            put_below(ctx, lines)
            ctx.go_to_line(ctx.last + len(lines))
            reporting.came_or_went(ctx.editor, ctx.buffer, before)
        return
    else:
        name = FileArgument(ctx).name or ctx.buffer.name
        if not name:
            raise CommandFailed("E32: No file name")
        try:
            loaded = load(absolute(name), tick=ctx.tell)
        except FileProblem as problem:
            raise CommandFailed(str(problem)) from None
        if loaded.stamp is None:
            raise CommandFailed(f"E484: Can't open file {name}")
        lines = loaded.text.lines if loaded.stamp.size else []
        ctx.echo(f'"{named(name)}" {len(lines)}L, {loaded.stamp.size}B')
    if lines:
        put_below(ctx, lines)


def put_below(ctx: ExContext, lines: list[str]) -> None:
    """Insert lines below the range, the cursor on the first of them."""
    at = ctx.last + 1
    ctx.buffer.insert(at, lines)
    ctx.buffer.line_undo = None
    ctx.buffer.marks.set_changed(Pos(at, 0), Pos(at + len(lines) - 1, 0))
    ctx.window.cursor = Pos(at, first_nonblank(lines[0]))


@command("checkt[ime]", range="buffers", args="buffer")
def checktime(ctx: ExContext) -> None:
    """Look whether files were changed outside of the editor."""
    for buffer in list(ctx.editor.buffers.values()):
        check_time(ctx.editor, buffer)
