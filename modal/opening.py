"""Opening what the editor was started with: settings, files, windows, commands, in Vim's order (`:help startup`)."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from tpy.modal.editor import Editor
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex.filestate import open_buffer
from tpy.modal.recovery import Recovery
from tpy.modal.registry import CommandFailed
from tpy.modal.startup import Startup
from tpy.modal.text.buffer import Buffer
from tpy.modal.view.layout import COLUMN, ROW, Layout
from tpy.modal.view.window import Window


def open_all(engine: Engine, startup: Startup, recovery: Recovery) -> None:
    """Open the files and run the commands of a start. A failure is a message and the rest goes on."""
    editor = engine.editor
    for command in startup.pre_commands:
        _try(engine, lambda command=command: engine.run_ex(command))  # type: ignore[misc]
    if not startup.clean and startup.config_file != "NONE":
        _try(engine, lambda: _settings(engine, startup))
    editor.arguments = list(startup.files)
    if startup.stdin:
        _try(engine, lambda: _from_stdin(editor))
    elif startup.files:
        _open_files(engine, startup, recovery)
    recovery.soon()
    if startup.readonly:
        for buffer in editor.buffers.values():
            buffer.options["readonly"] = True
        editor.options.values["readonly"] = True
    if startup.diff:
        for window in editor.layout.windows():
            window.options["diff"] = True
    if startup.quickfix_file is not None:
        _try(engine, lambda: engine.run_ex(f"cfile {startup.quickfix_file}"))
    for command in startup.commands:
        if engine.prompt is None and not editor.quit_requested:
            _try(engine, lambda command=command: engine.run_ex(command))  # type: ignore[misc]
    editor.run_hooks("autocmd", "VimEnter", editor.buffer)


def _try(engine: Engine, act: Callable[[], object]) -> None:
    try:
        act()
    except CommandFailed as failure:
        engine.failed(failure)


def config_directory() -> str:
    """Return where the user's `tpyrc` and `keymaps.toml` are."""
    own = os.environ.get("TURBO_PYTHON_DIR")
    if own:
        return own
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "turbo-python")


def _settings(engine: Engine, startup: Startup) -> None:
    """Run the user's `tpyrc`, if there is one."""
    path = startup.config_file or os.path.join(config_directory(), "tpyrc")
    if startup.config_file is not None or os.path.exists(path):
        engine.run_ex(f"source {path}")


def _from_stdin(editor: Editor) -> None:
    """Edit what standard input holds; keys come from the terminal itself."""
    data = sys.stdin.buffer.read()
    text = data.decode("utf-8", "surrogateescape")
    lines = text.split("\n")
    if lines[-1] == "" and len(lines) > 1:
        lines.pop()
    editor.buffer.replace(0, len(editor.buffer.lines), lines)
    editor.echo(f"-stdin- {len(lines)}L, {len(data)}B")


def _open_files(engine: Engine, startup: Startup, recovery: Recovery) -> None:
    """Open the first file in the window there is, others beside it where the call asks for that."""
    editor = engine.editor
    empty = editor.buffer
    several = startup.split is not None or startup.diff
    wanted = (startup.split_count or len(startup.files)) if several else 1
    opened = [_open(engine, name) for name in startup.files[:wanted]]
    buffers = [buffer for buffer in opened if buffer is not None]
    if not buffers:
        return
    window = editor.window
    window.show(buffers[0])
    window.alternate = None
    if not empty.name and not empty.modified and empty not in [w.buffer for w in editor.windows()]:
        editor.remove_buffer(empty)
    last = window
    for buffer in buffers[1:]:
        fresh = Window(buffer)
        if startup.split == "tabs":
            editor.tabs.append(Layout(fresh))
        else:
            side = startup.split == "vertical" or (startup.diff and startup.split is None)
            editor.layout.split(last, fresh, ROW if side else COLUMN, after=True)
            last = fresh
    if len(buffers) > 1 and startup.split != "tabs":
        editor.layout.equalize()
    for buffer in buffers:
        if engine.prompt is None:
            _try(engine, lambda buffer=buffer: recovery.offer(engine, buffer, recover=startup.recover))  # type: ignore[misc]


def _open(engine: Engine, name: str) -> Buffer | None:
    """Return the buffer of a file, `None` after a message where it cannot be read."""
    try:
        return open_buffer(engine.editor, name)
    except CommandFailed as failure:
        engine.failed(failure)
        return None
