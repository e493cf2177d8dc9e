"""The command-line window: a history as text to edit, of which one line is then run (`:help cmdline-window`).

The command line that opened it waits until the window is left; what may not be done meanwhile asks `require_leavable`
in `engine/windows.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine.windows import COMMAND_WINDOW
from tpy.modal.ex.history import kind_of
from tpy.modal.ex.leavecmds import close_window
from tpy.modal.ex.viewcmds import copy_window
from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import Pos
from tpy.modal.view.layout import COLUMN
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine
    from tpy.modal.ex.prompt import CommandLine


class CommandWindow:
    """The window on the history of the kind of `prompt`, whose own line is the last."""

    def __init__(self, prompt: CommandLine) -> None:
        """Open it below all others. Raises `CommandFailed` where it is open (E1292) or there is no room."""
        self.engine: Engine = prompt.engine
        self.prompt = prompt
        editor = self.engine.editor
        if COMMAND_WINDOW in editor.extra:
            raise CommandFailed("E1292: Command-line window is already open")
        if self.engine.insert.active or not editor.layout.has_room(editor.window):
            raise CommandFailed
        self.caller = editor.window
        editor.visual = None
        # The half-typed command that the line is for.
        self.pending = self.engine.normal.pending
        self.engine.normal.reset()
        lines = [*editor.histories[kind_of(prompt.kind)], prompt.text]
        buffer = editor.add_buffer(lines, name="[Command Line]")
        buffer.options.update(buftype="nofile", bufhidden="wipe", buflisted=False)
        buffer.options["filetype"] = "vim" if prompt.kind == ":" else ""
        self.window = copy_window(self.caller, buffer)
        self.window.options.update(winfixheight=True, diff=False, scrollbind=False, foldenable=False)
        self.window.extra["prefix"] = prompt.kind
        self.window.cursor = Pos(len(lines) - 1, prompt.cursor)
        self.engine.close_prompt()
        editor.layout.split_whole(self.window, COLUMN, after=True, size=int(editor.option("cmdwinheight")))
        editor.focus(self.window)
        if not prompt.text:
            self.window.cursor = Pos(len(lines) - 1, 0)
        editor.extra[COMMAND_WINDOW] = self

    def run(self) -> None:
        """Run the line of the cursor."""
        text, _ = self._leave()
        self._resume(text, len(text))
        self.prompt.accept()

    def edit(self) -> None:
        """Go on in the command line with the line of the cursor."""
        self._resume(*self._leave())

    def discard(self) -> None:
        """Give up: nothing is run."""
        self._leave()
        self.prompt.cancel()

    def _leave(self) -> tuple[str, int]:
        """Close the window; return the line and the column of its cursor."""
        engine, editor, window = self.engine, self.engine.editor, self.window
        line, col = window.cursor
        text = window.buffer.lines[line]
        if engine.insert.active:
            engine.insert.abort()
        engine.normal.reset()
        del editor.extra[COMMAND_WINDOW]
        if window in editor.windows():
            close_window(editor, window)
        editor.remove_buffer(window.buffer)
        if self.caller in editor.windows():
            editor.focus(self.caller)
        return text, col

    def _resume(self, text: str, cursor: int) -> None:
        self.engine.prompt = self.prompt
        self.engine.normal.pending = self.pending
        self.prompt.replace(text)
        self.prompt.cursor = min(cursor, len(text))


def follow(engine: Engine) -> None:
    """Give the window its keys `<CR>` and `<C-c>`, and notice when it is closed by a command or another is entered."""
    editor = engine.editor

    def _open() -> CommandWindow | None:
        found = editor.extra.get(COMMAND_WINDOW)
        return found if isinstance(found, CommandWindow) else None

    def _take(key: str) -> bool:
        if key not in ("<CR>", "<C-c>") or (opened := _open()) is None or engine.prompt is not None:
            return False
        # Not where the key is the argument of another, as in `r<CR>`.
        if engine.insert.asking is not None if engine.insert.active else engine.normal.want:
            return False
        if key == "<CR>":
            opened.run()
        else:
            opened.edit()
        return True

    def _changed(window: Window) -> None:
        opened = _open()
        if opened is not None and editor.window is not opened.window:
            opened.discard()

    engine.key_hooks.append(_take)
    editor.on("window-closed", _changed)
    editor.on("window-entered", _changed)
