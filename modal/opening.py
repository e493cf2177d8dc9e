"""Opening what the editor was started with: settings, files, windows, commands, in Vim's order (`:help startup`)."""

from __future__ import annotations

import os
from collections.abc import Callable

from tpy.modal.editor import Editor
from tpy.modal.engine.diffing import join
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex.filestate import open_buffer, set_format
from tpy.modal.ex.scripts import source_file
from tpy.modal.journal import read_journal
from tpy.modal.recovery import Recovery
from tpy.modal.registry import CommandFailed
from tpy.modal.startup import Startup
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.encoding import decode
from tpy.modal.text.position import Pos, first_nonblank
from tpy.modal.ui.ttymode import NoTerminal
from tpy.modal.view.layout import COLUMN, ROW, Layout
from tpy.modal.view.window import Window


class Opening:
    """One start of the editor: `begin` does what can be done at once, `go_on` the rest after questions."""

    def __init__(self, engine: Engine, startup: Startup, recovery: Recovery, stdin: bytes | None) -> None:
        """`stdin` is what standard input held where that is to be edited."""
        self.engine = engine
        self.startup = startup
        self.recovery = recovery
        self.stdin = stdin
        self.commands = list(startup.commands)
        self.done = False
        # What failed, to be shown when all is read: the message about a file would cover it.
        self._problems: list[str] = []

    def begin(self) -> None:
        """Read the user's settings and the files. A failure is a message and the rest goes on."""
        engine, startup, editor = self.engine, self.startup, self.engine.editor
        for command in startup.pre_commands:
            self._try(lambda command=command: engine.run_ex(command))  # type: ignore[misc]
        if not startup.clean and startup.config_file != "NONE":
            self._try(lambda: _keymaps(engine))
            self._try(lambda: _settings(engine, startup))
        editor.arguments = list(startup.files)
        if self.stdin is not None:
            _from_stdin(editor, self.stdin)
        elif startup.files:
            self._open_files()
        if startup.readonly:
            for buffer in editor.buffers.values():
                buffer.options["readonly"] = True
            editor.options.values["readonly"] = True
        if startup.diff:
            for window in editor.layout.windows():
                self._try(lambda window=window: join(editor, window))  # type: ignore[misc]
        if startup.quickfix_file is not None:
            self._try(lambda: engine.run_ex(f"cfile {startup.quickfix_file}"))
        if self._problems:
            editor.echo("\n".join(self._problems), error=True)
        self.recovery.soon()
        self.go_on()

    def go_on(self) -> None:
        """Run the commands of the start, once no question is open."""
        engine = self.engine
        while self.commands and engine.prompt is None and not engine.editor.quit_requested:
            try:
                engine.run_ex(self.commands.pop(0))
            except CommandFailed as failure:
                engine.failed(failure)
        if not self.done and engine.prompt is None:
            self.done = True
            engine.editor.run_hooks("autocmd", "VimEnter", engine.editor.buffer)

    def _open_files(self) -> None:
        """Open the first file in the window there is, others beside it where the call asks for that."""
        editor, startup = self.engine.editor, self.startup
        empty = editor.buffer
        several = startup.split is not None or startup.diff
        wanted = (startup.split_count or len(startup.files)) if several else 1
        opened = [self._open(name) for name in startup.files[:wanted]]
        buffers = [buffer for buffer in opened if buffer is not None]
        if not buffers:
            return
        window = editor.window
        window.show(buffers[0])
        window.alternate = None
        if not empty.name and not empty.modified and empty not in [w.buffer for w in editor.windows()]:
            editor.remove_buffer(empty)
        if len(buffers) == len(startup.files):
            editor.extra["last-argument-seen"] = True
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
        for shown in editor.windows():
            # Commands of the start find the cursor of the first window in column 1.
            if shown.cursor == Pos(0, 0) and not (shown is window and startup.commands):
                shown.cursor = Pos(0, first_nonblank(shown.buffer.lines[0]))

    def _open(self, name: str) -> Buffer | None:
        """Return the buffer of a file, `None` where it cannot be read."""
        buffers: list[Buffer] = []
        found = read_journal(name) if self.startup.recover and name.endswith(".journal") else None
        if found is not None and found.contents.info is not None:
            self._try(lambda: buffers.append(self.recovery.open_journal(found)))
            return buffers[0] if buffers else None
        self._try(lambda: buffers.append(open_buffer(self.engine.editor, name)))
        if self.startup.recover and buffers:
            self._try(lambda: self.recovery.recover(buffers[0]))
        return buffers[0] if buffers else None

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except CommandFailed as failure:
            self.engine.normal.reset()
            self.engine.ahead.flush()
            if failure.message:
                self._problems.append(failure.message)


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
        errors = source_file(engine, path)
        if errors:
            raise CommandFailed("\n".join(errors))


def _keymaps(engine: Engine) -> None:
    """Lay the user's `keymaps.toml`, if there is one, over the built-in keys. Raises `CommandFailed`."""
    path = os.path.join(config_directory(), "keymaps.toml")
    if os.path.exists(path):
        from tpy.modal.userkeys import use

        problems = use(engine, path)
        if problems:
            raise CommandFailed("\n".join(problems))


def read_stdin() -> bytes:
    """Return all of standard input, which is to be edited. Raises `NoTerminal` where it is the keyboard."""
    if os.isatty(0):
        raise NoTerminal("tpy: - edits what comes on standard input, and that is the terminal")
    parts = []
    while part := os.read(0, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _from_stdin(editor: Editor, data: bytes) -> None:
    """Edit what standard input held; keys come from the terminal itself."""
    buffer, text = editor.buffer, decode(data)
    buffer.lines[:] = text.lines
    buffer.no_lines = not data
    buffer.tick += 1
    set_format(buffer, text.format)
    buffer.undo.mark_unsaved()
    editor.echo(f"-stdin- {len(text.lines) if data else 0}L, {len(data)}B")
