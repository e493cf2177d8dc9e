"""Reading and writing files for agents: the buffer where a file is open, else the disk (spec AGENTS §7).

Bytes, line ends and safe writing are those of `:w`; whether a path may be used at all is decided by the caller.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from tpy.modal.editor import Editor
from tpy.modal.text import files
from tpy.modal.text.buffer import AGENT, RELOAD, Buffer
from tpy.modal.text.encoding import EncodeError, FileText, Format, encode, merge_format, served_text
from tpy.modal.text.files import FileProblem
from tpy.modal.text.merge import Conflict, merge3
from tpy.modal.text.saving import make_parents, save
from tpy.modal.text.splice import between

# What stands for a base that was never served: the file as it is on disk.
FROM_DISK = "\0disk"


class Missing(Exception):
    """There is no such file."""


def path_of(buffer: Buffer) -> str | None:
    """Return the absolute path of the file a buffer is about, `None` for one that is about none."""
    if not buffer.name or "://" in buffer.name or buffer.options.get("buftype"):
        return None
    return os.path.abspath(buffer.name)


def buffer_for(editor: Editor, path: str) -> Buffer | None:
    """Return the buffer of a file, found by what the file is and not by how its name is spelt."""
    wanted = files.identity(path)
    for buffer in editor.buffers.values():
        own = path_of(buffer)
        if own is None:
            continue
        if own == path or os.path.realpath(own) == path or (wanted is not None and files.identity(own) == wanted):
            return buffer
    return None


def text_of(editor: Editor, buffer: Buffer) -> FileText:
    """Return a buffer as the text of its file: its lines, and how they are stored."""
    option = editor.options.get
    own = buffer.options
    form = Format(
        option("fileencoding", own) or "utf-8",
        bool(option("bomb", own)),
        option("fileformat", own),
        bool(option("endofline", own)) and buffer.lines != [""],
    )
    return FileText(buffer.lines, form)


def read_text(editor: Editor, path: str) -> str:
    """Return a file as an agent is given it: the buffer's text where that has unsaved changes.

    A buffer without changes is brought up to the disk first. Raises `Missing`, `FileProblem`.
    """
    buffer = buffer_for(editor, path)
    try:
        if buffer is not None and buffer.modified:
            return served_text(text_of(editor, buffer))
        loaded = files.load(path)
        if loaded.stamp is None:
            raise Missing
        if buffer is not None:
            refresh(editor, buffer, loaded.text)
        return served_text(loaded.text)
    except ValueError as error:
        raise FileProblem(str(error)) from None


def refresh(editor: Editor, buffer: Buffer, text: FileText) -> None:
    """Show what is on disk in a buffer without changes of its own, as one undo step."""
    if buffer.lines != text.lines:
        change(buffer, text.lines, "read again", RELOAD)
        buffer.undo.mark_saved()
    take_format(buffer, text.format)


def take_format(buffer: Buffer, form: Format) -> None:
    """Have a buffer stored in a format."""
    buffer.options.update(
        fileencoding=form.encoding, bomb=form.bom, fileformat=form.fileformat, endofline=form.eol
    )


def change(buffer: Buffer, lines: Sequence[str], label: str, origin: str) -> None:
    """Make a buffer hold these lines as one undo step, changing no line that is equal."""
    with buffer.step(label, origin):
        for splice in between(buffer.lines, lines):
            buffer.apply(splice)


def write_text(editor: Editor, path: str, content: str, base: str | None) -> str:
    """Write a file for an agent: one undo step where it is open, else the disk. Return what the user should know.

    `base` is the text the agent knows whole, `FROM_DISK`, or `None` where it knows only parts. Raises `FileProblem`;
    file and buffer are then as they were.
    """
    buffer = buffer_for(editor, path)
    try:
        if buffer is None:
            _write_disk(path, content)
            return ""
        return _write_buffer(editor, buffer, path, content, base)
    except EncodeError as error:
        raise FileProblem(str(error)) from None


def _write_disk(path: str, content: str) -> None:
    loaded = files.load(path)
    data = _bytes(merge_format(loaded.text if loaded.stamp is not None else None, content))
    make_parents(path)
    save(path, data)


def _bytes(text: FileText) -> bytes:
    """Return a text's bytes; an empty text is no byte."""
    return encode(text.lines, text.format) if text.lines != [""] or text.format.eol else encode([""], text.format)


def _write_buffer(editor: Editor, buffer: Buffer, path: str, content: str, base: str | None) -> str:
    """Change an open buffer, and save it as the option `agentwrite` says."""
    if not buffer.modifiable:
        raise FileProblem("E21: Cannot make changes, 'modifiable' is off")
    on_disk = files.load(path)
    modified = buffer.modified
    if not modified and on_disk.stamp is not None:
        refresh(editor, buffer, on_disk.text)
    existing = text_of(editor, buffer) if on_disk.stamp is not None or modified else None
    new = merge_format(existing, content)
    data = _bytes(new)
    told = ""
    lines: Sequence[str] = new.lines
    if modified:
        lines, told = _merged(buffer, new, on_disk, base)
    policy = editor.options.get("agentwrite", buffer.options)
    saving = policy == "save" or (policy == "auto" and not modified)
    if saving:
        if lines is not new.lines:
            data = encode(lines, new.format)
        make_parents(path)
    with buffer.step("agent write", AGENT):
        for splice in between(buffer.lines, list(lines)):
            buffer.apply(splice)
        if saving:
            save(path, data)
    take_format(buffer, new.format)
    if saving:
        buffer.undo.mark_saved()
        editor.run_hooks("file-written", buffer)
        return told
    return told or "changed in the buffer, not written to disk"


def _merged(buffer: Buffer, new: FileText, on_disk: files.Loaded, base: str | None) -> tuple[Sequence[str], str]:
    """Return the lines of a buffer with unsaved changes after an agent's write, and what to tell the user."""
    before: Sequence[str] | None
    if base == FROM_DISK:
        before = on_disk.text.lines if on_disk.stamp is not None else None
    else:
        before = None if base is None else merge_format(FileText([], new.format), base).lines
    if before == buffer.lines:
        return new.lines, ""
    if before is not None:
        merged = merge3(before, buffer.lines, new.lines)
        if not isinstance(merged, Conflict):
            return merged, "merged with your unsaved changes; not written to disk"
    return new.lines, "WARNING: it replaced your unsaved changes: u brings them back"
