"""Closing windows and leaving the editor, with or without writing (`:help :quit`)."""

from __future__ import annotations

from tpy.modal.editor import Editor
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.filecmds import refuse_type, written_elsewhere
from tpy.modal.ex.filestate import attach, state_of, write_buffer
from tpy.modal.ex.names import file_name
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.view.layout import COLUMN, ROW
from tpy.modal.view.window import Window


def keeps_text(editor: Editor, buffer: Buffer) -> bool:
    """Whether a buffer holds changes that would be lost; buffers without a file by their kind do not count."""
    return buffer.modified and editor.options.get("buftype", buffer.options) in ("", "acwrite")


def close_window(editor: Editor, window: Window) -> None:
    """Take a window away, with its tab page when it was the last one there; the last window ends the editor."""
    for index, layout in enumerate(editor.tabs):
        if window not in layout.windows():
            continue
        parent = layout.leaf(window).parent
        side = parent is not None and parent.kind == ROW
        if parent is not None and layout.close(
            window, to_previous=bool(editor.option("splitright" if side else "splitbelow"))
        ):
            if editor.option("equalalways"):
                layout.equalize(ROW if side else COLUMN, whole=layout.leaf(layout.current).parent is not parent)
            editor.run_hooks("window-closed", window)
            return
        if len(editor.tabs) == 1:
            leave(editor)
            return
        del editor.tabs[index]
        if editor.tab > index or editor.tab >= len(editor.tabs):
            editor.tab -= 1
        editor.previous_tab = min(editor.previous_tab, len(editor.tabs) - 1)
        editor.run_hooks("window-closed", window)
        return


def leave(editor: Editor, status: int = 0) -> None:
    """End the editor."""
    editor.run_hooks("autocmd", "VimLeave", editor.buffer)
    editor.quit_requested = True
    editor.exit_status = status


def _last_window(editor: Editor) -> bool:
    return len(editor.windows()) == 1


def require_all_saved(editor: Editor) -> None:
    """Raise `CommandFailed` (E37, E162) for the first buffer with changes that are not written."""
    if keeps_text(editor, editor.buffer):
        raise CommandFailed("E37: No write since last change (add ! to override)")
    for buffer in editor.buffers.values():
        if keeps_text(editor, buffer):
            raise CommandFailed(f'E162: No write since last change for buffer "{buffer.name or "[No Name]"}"')


@command("q[uit]", range="windows", bang=True)
def quit_(ctx: ExContext) -> None:
    """Close the window; the last one ends the editor, with `!` without writing."""
    editor, window = ctx.editor, ctx.window
    editor.run_hooks("window-closing", window, ctx.bang)
    shown = sum(other.buffer is window.buffer for other in editor.windows())
    if (
        not ctx.bang
        and keeps_text(editor, window.buffer)
        and (_last_window(editor) or (shown == 1 and not ctx.option("hidden")))
    ):
        raise CommandFailed("E37: No write since last change (add ! to override)")
    if _last_window(editor):
        editor.run_hooks("quitting", ctx.bang)
    if _last_window(editor) and not ctx.bang:
        require_all_saved(editor)
        _require_arguments_seen(ctx)
    close_window(editor, window)


def _require_arguments_seen(ctx: ExContext) -> None:
    """Refuse once to leave files of the argument list unseen (E173); the second try goes through."""
    editor = ctx.editor
    left = len(editor.arguments) - editor.argument_index - 1
    if left > 0 and not editor.extra.get("last-argument-seen") and not editor.extra.get("quit-tried"):
        editor.extra["quit-tried"] = True
        more = f"{left} more file" + ("s" if left > 1 else "")
        raise CommandFailed(f"E173: {more} to edit")


@command("clo[se]", range="windows", bang=True)
def close(ctx: ExContext) -> None:
    """Close the window, but not the last one."""
    editor, window = ctx.editor, ctx.window
    if _last_window(editor):
        raise CommandFailed("E444: Cannot close last window")
    editor.run_hooks("window-closing", window, ctx.bang)
    shown = sum(other.buffer is window.buffer for other in editor.windows())
    if keeps_text(editor, window.buffer) and shown == 1 and not ctx.bang and not ctx.option("hidden"):
        raise CommandFailed("E37: No write since last change (add ! to override)")
    close_window(editor, window)


@command("hid[e]", range="windows", bang=True, args="rest", bar=False)
def hide(ctx: ExContext) -> None:
    """Close the window and keep its buffer, changed or not."""
    if _last_window(ctx.editor):
        raise CommandFailed("E444: Cannot close last window")
    close_window(ctx.editor, ctx.window)


def _write_own(ctx: ExContext) -> None:
    """Write the buffer of the window for `:wq` and `:x`, to another name if one was given."""
    buffer = ctx.buffer
    if not ctx.args and written_elsewhere(ctx, buffer):
        return
    refuse_type(ctx, buffer)
    name = file_name(ctx.engine, ctx.args) if ctx.args else ""
    if name and state_of(buffer) is None:
        attach(buffer, name)
    ctx.echo(write_buffer(ctx.editor, buffer, force=ctx.bang))


@command("wq", range="%", bang=True, args="file")
def wq(ctx: ExContext) -> None:
    """Write and close the window."""
    window = ctx.window
    _write_own(ctx)
    if ctx.window is window:  # a form that is sent takes its window along
        quit_(ctx)


@command("x[it]", range="%", bang=True, args="file")
def xit(ctx: ExContext) -> None:
    """Write if there are changes, and close the window."""
    if ctx.args or keeps_text(ctx.editor, ctx.buffer) or "write" in ctx.buffer.extra:
        wq(ctx)
    else:
        quit_(ctx)


@command("exi[t]", range="%", bang=True, args="file")
def exit_(ctx: ExContext) -> None:
    """Write if there are changes, and close the window."""
    xit(ctx)


def _write_all(ctx: ExContext) -> None:
    """Write every changed buffer that has a file. Raises `CommandFailed` for the first that cannot be."""
    for buffer in list(ctx.editor.buffers.values()):
        if keeps_text(ctx.editor, buffer):
            if not buffer.name:
                raise CommandFailed(f"E141: No file name for buffer {buffer.number}")
            ctx.echo(write_buffer(ctx.editor, buffer, force=ctx.bang))


@command("wa[ll]", bang=True)
def wall(ctx: ExContext) -> None:
    """Write all changed buffers."""
    _write_all(ctx)


@command("wqa[ll]", bang=True)
def wqall(ctx: ExContext) -> None:
    """Write all changed buffers and leave the editor."""
    ctx.editor.run_hooks("quitting", ctx.bang)
    _write_all(ctx)
    leave(ctx.editor)


@command("xa[ll]", bang=True)
def xall(ctx: ExContext) -> None:
    """Write all changed buffers and leave the editor."""
    wqall(ctx)


@command("qa[ll]", bang=True)
def qall(ctx: ExContext) -> None:
    """Leave the editor, with `!` without writing."""
    ctx.editor.run_hooks("quitting", ctx.bang)
    if not ctx.bang:
        require_all_saved(ctx.editor)
    leave(ctx.editor)


@command("quita[ll]", bang=True)
def quitall(ctx: ExContext) -> None:
    """Leave the editor, with `!` without writing."""
    qall(ctx)


@command("cq[uit]", range="count", bang=True, count=True)
def cquit(ctx: ExContext) -> None:
    """Leave the editor with an exit status that tells of failure."""
    leave(ctx.editor, 1 if ctx.count is None else ctx.count)
