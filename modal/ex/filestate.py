"""Buffers and their files: reading a file into a buffer, writing one, noticing changes on disk.

The one way in and out for `:edit`, `:write`, start-up and agents. Bytes, safe writing and stamps are in `text/`;
the commands are in `filecmds.py`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence

from tpy.modal.editor import Editor
from tpy.modal.progress import Interrupted
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import RELOAD, Buffer
from tpy.modal.text.encoding import EncodeError, FileText, Format, encode
from tpy.modal.text.files import CHANGED, GONE, FileProblem, Loaded, Stamp, check_disk, identity, load
from tpy.modal.text.filesystem import REAL, FileSystem
from tpy.modal.text.places import absolute, visible
from tpy.modal.text.position import Pos, clamp, first_nonblank
from tpy.modal.text.saving import save
from tpy.modal.text.splice import between
from tpy.modal.text.undo import UndoTree


class FileState:
    """The file of a buffer. `path` is absolute; `stamp` is `None` for one that does not exist yet.

    `disk` is "" or, once it was noticed, "changed" or "gone"; `told` is whether the user knows.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.stamp: Stamp | None = None
        self.disk = ""
        self.told = False
        self.fs: FileSystem = REAL


def state_of(buffer: Buffer) -> FileState | None:
    """Return the file state of a buffer, `None` for one that has no file."""
    state = buffer.extra.get("file")
    return state if isinstance(state, FileState) else None


def attach(buffer: Buffer, name: str) -> FileState:
    """Give a buffer a name and the file of that name, unread."""
    state = FileState(absolute(os.path.expanduser(name)))
    buffer.name = name
    buffer.extra["file"] = state
    return state


def find_buffer(editor: Editor, name: str) -> Buffer | None:
    """Return the buffer of a file, by whatever name it goes."""
    path = absolute(os.path.expanduser(name))
    for buffer in editor.buffers.values():
        state = state_of(buffer)
        if state is not None and state.path == path:
            return buffer
        if state is None and buffer.name and absolute(buffer.name) == path:
            return buffer
    # By another name: the same file now, or where it would be. A number in a stamp may be that of another file by now.
    own, real = identity(path), os.path.realpath(path)
    for buffer in editor.buffers.values():
        state = state_of(buffer)
        if state is None:
            continue
        if os.path.realpath(state.path) == real if own is None else identity(state.path) == own:
            return buffer
    return None


def format_of(editor: Editor, buffer: Buffer) -> Format:
    """Return how the buffer's lines are to be stored, from its options."""
    get = editor.options.get
    encoding = get("fileencoding", buffer.options) or "utf-8"
    eol = bool(get("endofline", buffer.options))
    return Format(encoding, bool(get("bomb", buffer.options)), get("fileformat", buffer.options), eol)


def set_format(buffer: Buffer, form: Format) -> None:
    """Note in the options of a buffer how its file is stored."""
    buffer.options["fileencoding"] = form.encoding
    buffer.options["bomb"] = form.bom
    buffer.options["fileformat"] = form.fileformat
    buffer.options["endofline"] = form.eol


def open_buffer(editor: Editor, name: str, *, encoding: str | None = None, fileformat: str | None = None) -> Buffer:
    """Return the buffer of a file, read if it is not there yet. Raises `CommandFailed`."""
    buffer = find_buffer(editor, name)
    if buffer is not None and (state_of(buffer) is not None and not buffer.extra.get("unloaded")):
        return buffer
    fresh = buffer is None
    if buffer is None:
        buffer = editor.add_buffer(name=name)
    try:
        load_into(editor, buffer, name, encoding=encoding, fileformat=fileformat)
    except (CommandFailed, Interrupted):
        if fresh:
            editor.remove_buffer(buffer)
        raise
    return buffer


def load_into(
    editor: Editor, buffer: Buffer, name: str, *, encoding: str | None = None, fileformat: str | None = None
) -> None:
    """Read a file into a buffer that holds nothing worth keeping. Raises `CommandFailed` where it cannot be read."""
    state = attach(buffer, name)
    loaded = _read(editor, state, encoding, fileformat)
    buffer.lines[:] = loaded.text.lines
    buffer.no_lines = _has_no_lines(loaded.text)
    buffer.tick += 1
    buffer.extra.pop("unloaded", None)
    buffer.undo = UndoTree(editor.clock, buffer.undo.levels)
    buffer.marks.set_changed(Pos(0, 0), Pos(len(buffer.lines) - 1, 0))
    buffer.marks.set("'", Pos(0, first_nonblank(buffer.lines[0])))
    _note(editor, buffer, state, loaded)
    editor.echo(shortened(editor, _told(buffer.name, loaded)))
    editor.run_hooks("file-loaded", buffer)
    editor.run_hooks("autocmd", "BufRead" if loaded.stamp is not None else "BufNewFile", buffer)


def _read(editor: Editor, state: FileState, encoding: str | None, fileformat: str | None) -> Loaded:
    try:
        with editor.progress.of(f'Reading "{state.path}"'):
            return load(state.path, encoding=encoding, fileformat=fileformat, fs=state.fs, tick=editor.progress.at)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None


def _has_no_lines(text: FileText) -> bool:
    """Whether a file holds nothing, not even an empty line."""
    return text.lines == [""] and not text.format.eol


def become(buffer: Buffer, text: FileText) -> None:
    """Make the buffer's text that of a file, with few splices."""
    none = _has_no_lines(text)
    if none and not buffer.no_lines:
        buffer.delete(0, len(buffer.lines))
    elif buffer.no_lines and not none:
        buffer.replace(0, 1, text.lines)
        buffer.no_lines = False  # also where the one line is empty
    else:
        for splice in between(buffer.lines, text.lines):
            buffer.apply(splice)


def _note(editor: Editor, buffer: Buffer, state: FileState, loaded: Loaded) -> None:
    state.stamp = loaded.stamp
    state.disk, state.told = "", False
    set_format(buffer, loaded.text.format)
    if loaded.stamp is None:
        buffer.options.pop("endofline", None)
    if loaded.readonly:
        buffer.options["readonly"] = True
    buffer.extra.pop("told-readonly", None)


def _told(name: str, loaded: Loaded) -> str:
    """Return the message about a file that was read."""
    name = named(name)
    if loaded.stamp is None:
        return f'"{name}" [New]'
    form = loaded.text.format
    notes = []
    if loaded.readonly:
        notes.append("[readonly]")
    if form.fileformat != "unix":
        notes.append(f"[{form.fileformat}]")
    if not form.eol and loaded.stamp.size:
        notes.append("[noeol]")
    if form.encoding not in ("utf-8", ""):
        notes.append("[converted]")
    count = 0 if not loaded.stamp.size else len(loaded.text.lines)
    return f'"{name}" ' + "".join(note + " " for note in notes) + f"{count}L, {loaded.stamp.size}B"


def reload(
    editor: Editor, buffer: Buffer, *, encoding: str | None = None, fileformat: str | None = None, origin: str = RELOAD
) -> None:
    """Read the file again as one undo step; the buffer is unmodified then. Raises `CommandFailed`."""
    state = state_of(buffer)
    assert state is not None
    loaded = _read(editor, state, encoding, fileformat)
    with buffer.step("reload", origin):
        become(buffer, loaded.text)
    _note(editor, buffer, state, loaded)
    buffer.undo.mark_saved()
    for window in editor.windows():
        if window.buffer is buffer:
            window.cursor = clamp(window.cursor, buffer.lines)
    editor.echo(shortened(editor, _told(buffer.name, loaded)))
    editor.run_hooks("file-loaded", buffer)
    editor.run_hooks("autocmd", "BufRead", buffer)


def data_of(editor: Editor, buffer: Buffer, lines: Sequence[str], *, whole: bool = True, fix_eol: bool = True) -> bytes:
    """Return the bytes that lines of a buffer are stored as. Raises `CommandFailed` where one cannot be."""
    form = format_of(editor, buffer)
    if not whole or (fix_eol and editor.options.get("fixendofline", buffer.options)):
        form = form._replace(eol=True)
    if whole and buffer.no_lines:
        form = form._replace(eol=False)
    try:
        return encode(lines, form)
    except EncodeError as error:
        raise CommandFailed(str(error)) from None


def write_buffer(editor: Editor, buffer: Buffer, *, force: bool = False, fix_eol: bool = True) -> str:
    """Write the whole buffer to its file and return the message about it.

    `force` overrides read-only files and changes on disk; `fix_eol` lets `'fixendofline'` add a line end to a changed
    text (agents do not). Raises `CommandFailed`; the buffer stays modified and the old file whole then.
    """
    state = state_of(buffer)
    if state is None:
        if not buffer.name:
            raise CommandFailed("E32: No file name")
        state = attach(buffer, buffer.name)
        if os.path.exists(state.path) and not force:
            raise CommandFailed("E13: File exists (add ! to override)")
    if not force:
        _refuse(editor, buffer, state)
    editor.run_hooks("autocmd", "BufWritePre", buffer)
    fix_eol = fix_eol and buffer.modified and bool(editor.options.get("fixendofline", buffer.options))
    data = data_of(editor, buffer, buffer.lines, fix_eol=fix_eol)
    new = state.stamp is None
    editor.run_hooks("file-writing", buffer)
    try:
        with editor.progress.of(f'Writing "{state.path}"'):
            saved = save(state.path, data, force=force, fs=state.fs, tick=editor.progress.at)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    state.stamp, state.disk, state.told = saved.stamp, "", False
    if force:
        buffer.options["readonly"] = False
        buffer.extra.pop("told-readonly", None)
    if fix_eol and not buffer.no_lines:
        buffer.options["endofline"] = True
    buffer.undo.mark_saved()
    buffer.undo.writes.add(buffer.undo.current)
    editor.run_hooks("file-written", buffer)
    editor.run_hooks("autocmd", "BufWritePost", buffer)
    count = 0 if buffer.no_lines else len(buffer.lines)
    told = shortened(editor, written_message(buffer.name, count, len(data), new=new))
    return f"{told} {saved.warning}" if saved.warning else told


def named(name: str) -> str:
    """Return the name of a file as messages show it: with a line break in it as `^@`."""
    return visible(name.replace("\n", "\0"))


def shortened(editor: Editor, message: str) -> str:
    """Return a message about a file, cut at its beginning where the message line has no room for all of it.

    As Vim does with the flag `t` of `'shortmess'`, which is on.
    """
    room = max(editor.layout.width - 12, 10)
    return message if len(message) <= room else "<" + message[len(message) - room + 1 :]


def written_message(name: str, lines: int, size: int, *, new: bool, appended: bool = False) -> str:
    """Return what is told about a file that was written."""
    name = named(name)
    verb = "appended" if appended else "written"
    return f'"{name}" ' + ("[New] " if new else "") + f"{lines}L, {size}B {verb}"


def _refuse(editor: Editor, buffer: Buffer, state: FileState) -> None:
    """Raise `CommandFailed` where writing needs `!`."""
    if editor.options.get("readonly", buffer.options):
        raise CommandFailed("E45: 'readonly' option is set (add ! to override)")
    if state.stamp is None:
        try:
            state.fs.stat(state.path)
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ENAMETOOLONG):
                return  # there can be no such file, as writing will tell
            raise CommandFailed(f"E212: Can't open file for writing: {state.path}: {error.strerror}") from None
        raise CommandFailed("E13: File exists (add ! to override)")
    try:
        disk = check_disk(state.path, state.stamp, state.fs)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    if disk.kind == CHANGED:
        state.disk = CHANGED
        raise CommandFailed(
            "E13: The file has been changed since reading it (add ! to override, :e! takes what is on disk)"
        )
    state.stamp = disk.stamp if disk.stamp is not None else state.stamp


def check_time(editor: Editor, buffer: Buffer) -> None:
    """Look whether the buffer's file changed: a clean buffer is read again, the user is told of a modified one."""
    state = state_of(buffer)
    if state is None or state.stamp is None:
        return
    try:
        disk = check_disk(state.path, state.stamp, state.fs)
    except FileProblem:
        return
    if disk.kind == GONE:
        if state.disk != GONE:
            state.disk, state.told = GONE, True
            editor.echo(f'E211: File "{buffer.name}" no longer available', error=True)
            buffer.undo.mark_unsaved()
        return
    if disk.kind != CHANGED:
        state.stamp, state.disk = disk.stamp, ""
        return
    if not buffer.modified and editor.options.values["autoread"]:
        try:
            reload(editor, buffer)
        except CommandFailed as failure:
            editor.fail(failure)
        return
    if state.disk != CHANGED:
        state.disk, state.told = CHANGED, True
        editor.echo(f'W12: "{buffer.name}" changed on disk: :e! / :w! / :diffdisk', error=True)
