"""Normal mode keys that are short for ex commands: leaving, the file under the cursor, the other file, help.

`ZZ ZQ <C-g> g<C-g> <C-^> gf gF gx K` (`:help ZZ`, `:help gf`, `:help K`).
"""

from __future__ import annotations

import os
import re

from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import leave_visual
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.chars import parse_option
from tpy.modal.text.position import LINE, Pos

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s<>\"'`]+[^\s<>\"'`.,;:!?)\]}]")
_LINE = re.compile(r"(?:[:(,\s@]+|\s+line\s+)(\d+)")


@action("write-and-quit")
def write_and_quit(ctx: Context) -> None:
    """Write the file if it was changed and close the window, as `:x`."""
    ctx.engine.run_ex("x")


@action("quit-without-writing")
def quit_without_writing(ctx: Context) -> None:
    """Close the window and forget changes, as `:q!`."""
    ctx.engine.run_ex("q!")


@action("file-info")
def file_info(ctx: Context) -> None:
    """Show the file's name, whether it was changed, and where the cursor is, as `:file`."""
    ctx.engine.run_ex("file")


@action("cursor-info")
def cursor_info(ctx: Context) -> None:
    """Show in which column, line, word and byte the cursor is."""
    lines, (line, col) = ctx.lines, ctx.cursor
    text = lines[line]
    before, here = lines[:line], text[: col + 1]
    words = sum(len(each.split()) for each in lines)
    word = sum(len(each.split()) for each in before) + len(here.split())
    size = sum(len(each.encode("utf-8", "surrogatepass")) + 1 for each in lines)
    byte = sum(len(each.encode("utf-8", "surrogatepass")) + 1 for each in before)
    byte += len(here.encode("utf-8", "surrogatepass"))
    ctx.editor.echo(
        f"Col {col + 1} of {len(text)}; Line {line + 1} of {len(lines)}; Word {word} of {words}; Byte {byte} of {size}"
    )


@action("other-file")
def other_file(ctx: Context) -> None:
    """Edit the alternate file, with a count the buffer of that number, as `:buffer #`."""
    if ctx.explicit:
        ctx.engine.run_ex(f"buffer {ctx.count}")
    elif ctx.window.alternate is None or ctx.window.alternate not in ctx.editor.buffers:
        raise CommandFailed("E23: No alternate file")
    else:
        ctx.engine.run_ex(f"buffer {ctx.window.alternate}")


def name_under_cursor(ctx: Context) -> tuple[str, int | None]:
    """Return the file name under or behind the cursor, or selected, and the line number behind it.

    Raises `CommandFailed` (E446). What is selected is taken as it is, without the blanks before it (`:help v_gf`).
    """
    if ctx.visual is not None:
        return _selected_name(ctx)
    text, col = ctx.lines[ctx.cursor.line], ctx.cursor.col
    codes = parse_option(ctx.text("isfname"))

    def _in_name(char: str) -> bool:
        return ord(char) in codes or ord(char) > 255

    while col < len(text) and not _in_name(text[col]):
        col += 1
    if col >= len(text):
        raise CommandFailed("E446: No file name under cursor")
    start = col
    while start and _in_name(text[start - 1]):
        start -= 1
    end = col
    while end < len(text) and _in_name(text[end]):
        end += 1
    name = text[start:end].rstrip(".,:;!")
    number = _LINE.match(text, start + len(name))
    return name, int(number[1]) if number else None


def _selected_name(ctx: Context) -> tuple[str, int | None]:
    assert ctx.visual is not None
    first, last = sorted((ctx.visual.start, ctx.cursor))
    if first.line != last.line:
        raise CommandFailed
    text = ctx.lines[first.line]
    end = len(text) if ctx.visual.kind == LINE else last.col + 1
    name = text[0 if ctx.visual.kind == LINE else first.col : end].lstrip()
    leave_visual(ctx.engine)
    number = _LINE.match(text, end)
    return name, int(number[1]) if number else None


def _found(ctx: Context, name: str) -> str:
    """Return the file of that name, looked for beside the buffer's file and below the current directory."""
    name = os.path.expanduser(name)
    folder = os.path.dirname(ctx.buffer.name)
    for place in (name, os.path.join(folder, name)):
        if os.path.exists(place):
            return place
    raise CommandFailed(f'E447: Can\'t find file "{name}" in path')


def _edit(ctx: Context, name: str) -> None:
    escaped = re.sub(r"([\\ %#|\t])", r"\\\1", name)
    ctx.engine.run_ex(f"edit {escaped}")


@action("file-under-cursor")
def file_under_cursor(ctx: Context) -> None:
    """Edit the file whose name is under the cursor."""
    _edit(ctx, _found(ctx, name_under_cursor(ctx)[0]))


@action("file-line-under-cursor")
def file_line_under_cursor(ctx: Context) -> None:
    """Edit the file whose name is under the cursor, at the line number behind the name."""
    name, line = name_under_cursor(ctx)
    _edit(ctx, _found(ctx, name))
    if line is not None:
        window = ctx.editor.window
        window.cursor = Pos(min(max(line, 1), len(window.buffer.lines)) - 1, 0)


@action("address-under-cursor")
def address_under_cursor(ctx: Context) -> None:
    """Show the address (URL) under the cursor; nothing is opened."""
    text, col = ctx.lines[ctx.cursor.line], ctx.cursor.col
    for match in _URL.finditer(text):
        if match.start() <= col < match.end():
            ctx.editor.echo(match[0])
            return
    raise CommandFailed("No address under the cursor")


@action("help-under-cursor")
def help_under_cursor(ctx: Context) -> None:
    """Look up the keyword under the cursor in the help."""
    text, col = ctx.lines[ctx.cursor.line], ctx.cursor.col
    word = next((m[0] for m in re.finditer(r"[\w:'<>-]+", text) if m.end() > col), "")
    if not word:
        raise CommandFailed("E349: No identifier under cursor")
    ctx.engine.run_ex(f"help {word}")


@action("help")
def help_(ctx: Context) -> None:
    """Open the help."""
    ctx.engine.run_ex("help")
