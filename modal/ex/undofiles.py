"""Undo files (`:help 'undofile'`): the undo tree of a buffer is kept beside the journals and read again with the file.

What the bytes mean is in `text/undofile.py`, imported when there are some. `keep` makes an editor do it by itself;
`:wundo` and `:rundo` do it by hand.
"""

from __future__ import annotations

import os
from contextlib import suppress

from tpy.modal.editor import Editor
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.filestate import state_of
from tpy.modal.ex.names import file_name
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.hashing import blake2b
from tpy.modal.text.places import absolute, private_directory

# Undo files are kept up to this many, the newest ones.
MOST_FILES = 1000


def place_of(path: str) -> str:
    """Return the undo file of a file, the same by whatever link it is opened."""
    real = os.path.realpath(path).encode("utf-8", "surrogateescape")
    return os.path.join(private_directory("undo"), blake2b(real, digest_size=16).hexdigest() + ".undo")


def keep(editor: Editor) -> None:
    """Write undo files when files are written, and read them with the files, where `'undofile'` is on."""
    UndoFiles(editor)


class UndoFiles:
    """What an editor does about undo files by itself. Failures are told once and stop nothing."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._told = False
        self._pruned = False
        editor.on("file-loaded", self._loaded)
        editor.on("file-written", self._written)

    def _wanted(self, buffer: Buffer) -> str:
        """Return the path of the buffer's file, "" where its undo tree is not kept."""
        state = state_of(buffer)
        on = self._editor.options.get("undofile", buffer.options)
        if not on or state is None or not buffer.keeps_undo or buffer.options.get("buftype"):
            return ""
        return state.path

    def _loaded(self, buffer: Buffer) -> None:
        path = self._wanted(buffer)
        if not path or len(buffer.undo.steps) > 1:
            return
        try:
            with open(place_of(path), "rb") as file:
                data = file.read()
        except OSError:
            return
        from tpy.modal.text.undofile import BadUndoFile

        with suppress(BadUndoFile):  # it is of another text: nothing can be undone
            take(self._editor, buffer, data)

    def _written(self, buffer: Buffer) -> None:
        path = self._wanted(buffer)
        if not path:
            return
        try:
            place = place_of(path)
            data = bytes_of(buffer)
            if data is not None:
                write(place, data)
            else:
                with suppress(FileNotFoundError):
                    os.unlink(place)
            if not self._pruned:
                self._pruned = True
                _prune(os.path.dirname(place))
        except OSError as error:
            if not self._told:
                self._told = True
                self._editor.echo(f"E828: Cannot open undo file for writing: {error.strerror or error}", error=True)


def bytes_of(buffer: Buffer) -> bytes | None:
    """Return the buffer's undo tree as bytes, `None` where there is nothing to keep."""
    from tpy.modal.text import undofile

    tree = buffer.undo
    return undofile.dump(tree, buffer.lines) if len(tree.steps) > 1 and undofile.is_small(tree, buffer.lines) else None


def take(editor: Editor, buffer: Buffer, data: bytes) -> None:
    """Give the buffer the undo tree of some bytes. Raises `BadUndoFile`."""
    from tpy.modal.text import undofile

    tree, modified = undofile.load(data, buffer.lines, editor.clock), buffer.modified
    tree.levels = buffer.undo.levels
    buffer.undo = tree
    tree.saved = -1 if modified else tree.current


def write(path: str, data: bytes) -> None:
    """Write an undo file, whole or not at all. Raises `OSError`."""
    temporary = f"{path}.{os.getpid()}.tmp"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        with open(fd, "wb") as file:
            file.write(data)
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _prune(place: str) -> None:
    """Remove the oldest undo files where there are too many."""
    with os.scandir(place) as entries:
        files = [entry for entry in entries if entry.name.endswith((".undo", ".tmp"))]
    if len(files) <= MOST_FILES:
        return
    files.sort(key=lambda entry: entry.stat().st_mtime)
    for entry in files[:-MOST_FILES]:
        with suppress(OSError):
            os.unlink(entry.path)


@command("wu[ndo]", bang=True, args="file", need=True)
def wundo(ctx: ExContext) -> None:
    """Write the undo tree to a file, with `!` over one that is no undo file."""
    from tpy.modal.text import undofile

    name = file_name(ctx.engine, ctx.args)
    path = absolute(os.path.expanduser(name))
    try:
        if os.path.exists(path) and not ctx.bang:
            with open(path, "rb") as file:
                if file.read(len(undofile.MAGIC)) != undofile.MAGIC:
                    raise CommandFailed(f"Will not overwrite, this is not an undo file: {name}")
        data = bytes_of(ctx.buffer)
        if data is not None:
            write(path, data)
    except OSError as error:
        raise CommandFailed(f"E828: Cannot open undo file for writing: {name}: {error.strerror}") from None


@command("rund[o]", args="file", need=True)
def rundo(ctx: ExContext) -> None:
    """Read the undo tree of this text from a file."""
    from tpy.modal.text import undofile

    name = file_name(ctx.engine, ctx.args)
    try:
        with open(absolute(os.path.expanduser(name)), "rb") as file:
            data = file.read()
    except OSError:
        raise CommandFailed(f"E822: Cannot open undo file for reading: {name}") from None
    try:
        take(ctx.editor, ctx.buffer, data)
    except undofile.BadUndoFile as problem:
        if problem.other:
            ctx.echo("File contents changed, cannot use undo info")
            return
        if problem.foreign:
            raise CommandFailed(f"E823: Not an undo file: {name}") from None
        raise CommandFailed(f"E825: Corrupted undo file ({problem}): {name}") from None
    ctx.echo(f"Finished reading undo file {name}")
