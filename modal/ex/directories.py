"""The working directory: one for all, unless a tab page or a window has its own (`:help current-directory`).

What a window or tab page has is in its `extra["directory"]`; the process is where the current window is to be.
"""

from __future__ import annotations

import os
from typing import Any

from tpy.modal.editor import Editor
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.names import file_name
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.places import absolute, working_directory

_OWN, _BEFORE = "directory", "previous-directory"


def follow(editor: Editor) -> None:
    """Go along whenever another window becomes the current one."""
    editor.on("window-entered", lambda window: settle(editor))
    editor.on("window-closed", lambda window: settle(editor))


def settle(editor: Editor) -> None:
    """Go to the directory of the current window: its own, that of its tab page, else the one for all."""
    if _OWN not in editor.extra:
        return
    own = editor.window.extra.get(_OWN) or editor.layout.extra.get(_OWN) or editor.extra[_OWN]
    if own != working_directory():
        _go(editor, own)


def _go(editor: Editor, target: str) -> None:
    """Make it the directory of the process, with buffers named from there. Raises `CommandFailed` (E344)."""
    paths = {b.number: absolute(b.name) for b in editor.buffers.values() if b.name}
    try:
        os.chdir(target)
    except OSError as error:
        raise CommandFailed(f'E344: Can\'t find directory "{target}" in cdpath: {error.strerror}') from None
    for number, path in paths.items():
        relative = os.path.relpath(path)
        buffer = editor.buffers[number]
        if not os.path.isabs(buffer.name) or not relative.startswith(".."):
            buffer.name = path if relative.startswith("..") else relative


def _change(ctx: ExContext, owner: dict[str, Any]) -> None:
    """Change the directory of one window or tab page, or the one for all, whose `extra` is `owner`."""
    editor, name = ctx.editor, ctx.args.strip()
    here = working_directory()
    if name == "-" and _BEFORE not in owner:
        raise CommandFailed("E186: No previous directory")
    target = owner[_BEFORE] if name == "-" else file_name(ctx.engine, name) if name else os.path.expanduser("~")
    _go(editor, target)
    editor.extra.setdefault(_OWN, here)
    owner[_BEFORE] = here
    # What is nearer to the window than this gives way.
    for nearer in (editor.window.extra, editor.layout.extra):
        if nearer is owner:
            break
        nearer.pop(_OWN, None)
    owner[_OWN] = working_directory()
    if name in ("-", ""):
        ctx.echo(working_directory())


@command("pw[d]")
def pwd(ctx: ExContext) -> None:
    """Show the working directory."""
    ctx.echo(working_directory())


@command("cd", bang=True, args="directory")
@command("chd[ir]", bang=True, args="directory")
def cd(ctx: ExContext) -> None:
    """Change the working directory; `-` goes back."""
    _change(ctx, ctx.editor.extra)


@command("lc[d]", bang=True, args="directory")
@command("lch[dir]", bang=True, args="directory")
def lcd(ctx: ExContext) -> None:
    """Change the working directory of the window alone; `-` goes back."""
    _change(ctx, ctx.window.extra)


@command("tc[d]", bang=True, args="directory")
@command("tch[dir]", bang=True, args="directory")
def tcd(ctx: ExContext) -> None:
    """Change the working directory of the tab page; `-` goes back."""
    _change(ctx, ctx.editor.layout.extra)
