"""Reading and writing files for agents: the buffer where a file is open, else the disk (spec AGENTS §7).

Bytes, line ends and safe writing are those of `:w`; whether a path may be used at all is decided by the caller.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from tpy.modal.editor import Editor
from tpy.modal.ex.filestate import become, check_time, find_buffer, format_of, set_format, state_of, write_buffer
from tpy.modal.registry import CommandFailed
from tpy.modal.text import files
from tpy.modal.text.buffer import AGENT, Buffer
from tpy.modal.text.encoding import EncodeError, FileText, encode, merge_format, served_text
from tpy.modal.text.files import FileProblem
from tpy.modal.text.merge import Conflict, merge3
from tpy.modal.text.saving import make_parents, save

# What stands for a base that was never served: the file as it is on disk.
FROM_DISK = "\0disk"


class Missing(Exception):
    """There is no such file."""


def path_of(buffer: Buffer) -> str | None:
    """Return the absolute path of the file a buffer is about, `None` for one that is about none."""
    state = state_of(buffer)
    return state.path if state is not None else None


def buffer_for(editor: Editor, path: str) -> Buffer | None:
    """Return the buffer that a file is open in, whatever name it goes by."""
    buffer = find_buffer(editor, path)
    return None if buffer is None or buffer.extra.get("unloaded") or state_of(buffer) is None else buffer


def text_of(editor: Editor, buffer: Buffer) -> FileText:
    """Return a buffer as the text of its file: its lines, and how they are stored."""
    form = format_of(editor, buffer)
    return FileText(buffer.lines, form._replace(eol=form.eol and buffer.lines != [""]))


def read_text(editor: Editor, path: str) -> str:
    """Return a file as an agent is given it: the buffer's text where that has unsaved changes.

    A buffer without changes is brought up to the disk first. Raises `Missing`, `FileProblem`.
    """
    _refuse_directory(path)
    buffer = buffer_for(editor, path)
    if buffer is not None:
        check_time(editor, buffer)
    try:
        if buffer is not None and buffer.modified:
            return served_text(text_of(editor, buffer))
        loaded = files.load(path)
        if loaded.stamp is None:
            raise Missing
        return served_text(loaded.text)
    except ValueError as error:
        raise FileProblem(str(error)) from None


def _refuse_directory(path: str) -> None:
    """Raise `FileProblem` for a directory, without the advice that a user is given."""
    if os.path.isdir(path):
        raise FileProblem(f'E17: "{path}" is a directory')


def write_text(editor: Editor, path: str, content: str, base: str | None) -> str:
    """Write a file for an agent: one undo step where it is open, else the disk. Return what the user should know.

    `base` is the text the agent knows whole, `FROM_DISK`, or `None` where it knows only parts. Raises `FileProblem`;
    file and buffer are then as they were.
    """
    _refuse_directory(path)
    buffer = buffer_for(editor, path)
    try:
        if buffer is not None:
            return _write_buffer(editor, buffer, content, base)
        loaded = files.load(path)
        text = merge_format(loaded.text if loaded.stamp is not None else None, content)
        data = encode(text.lines, text.format)
        make_parents(path)
        save(path, data)
        return ""
    except (EncodeError, CommandFailed) as error:
        raise FileProblem(str(error)) from None


def _write_buffer(editor: Editor, buffer: Buffer, content: str, base: str | None) -> str:
    """Change an open buffer, and save it as the option `agentwrite` says."""
    state = state_of(buffer)
    assert state is not None
    if not buffer.modifiable:
        raise FileProblem("E21: Cannot make changes, 'modifiable' is off")
    modified = buffer.modified  # before a file that is gone makes it so
    check_time(editor, buffer)
    new = merge_format(text_of(editor, buffer) if modified or state.stamp is not None else None, content)
    encode(new.lines, new.format)
    lines: Sequence[str] = new.lines
    told = ""
    if modified:
        lines, told = _merged(buffer, new, state.path, base)
    policy = editor.options.get("agentwrite", buffer.options)
    saving = policy == "save" or (policy == "auto" and not modified)
    before = dict(buffer.options)
    try:
        with buffer.step("agent write", AGENT):
            become(buffer, new._replace(lines=list(lines)))
            set_format(buffer, new.format)
            if saving:
                make_parents(state.path)
                write_buffer(editor, buffer, fix_eol=False)
    except BaseException:
        buffer.options.clear()
        buffer.options.update(before)
        raise
    return told if saving or told else "changed in the buffer, not written to disk"


def _merged(buffer: Buffer, new: FileText, path: str, base: str | None) -> tuple[Sequence[str], str]:
    """Return the lines of a buffer with unsaved changes after an agent's write, and what to tell the user."""
    before: Sequence[str] | None = None
    if base == FROM_DISK:
        loaded = files.load(path)
        before = loaded.text.lines if loaded.stamp is not None else None
    elif base is not None:
        before = merge_format(FileText([], new.format), base).lines
    if before == buffer.lines:
        return new.lines, ""
    if before is not None:
        merged = merge3(before, buffer.lines, new.lines)
        if not isinstance(merged, Conflict):
            return merged, "merged with your unsaved changes, not written to disk"
    return new.lines, "WARNING: it replaced your unsaved changes: u brings them back"
