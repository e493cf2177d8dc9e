"""The title of the terminal's window (`:help 'title'`): what it says, and when it has to be said again."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

from tpy.modal.text.places import absolute
from tpy.modal.ui.statusline import buffer_name, written

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


class Titled(Protocol):
    """What has a title; the one it had comes back by itself in the end."""

    @property
    def titled(self) -> bool:
        """Whether it shows the title that was set last."""

    def set_title(self, title: str) -> None:
        """Show a title."""

    def give_title(self) -> None:
        """Show the one it had at first."""


class Title:
    """Keeps a title up to date; `show` costs next to nothing while `'title'` is off."""

    def __init__(self, engine: Engine, shown: Titled) -> None:
        self.engine = engine
        self.shown = shown
        self._text = ""

    def show(self) -> None:
        """Say what the title is now; called with each frame."""
        if not self.engine.editor.options.values["title"]:
            if self.shown.titled:
                self.shown.give_title()
            return
        text = self.text()
        if text != self._text or not self.shown.titled:
            self._text = text
            self.shown.set_title(text)

    def text(self) -> str:
        """Return `'titlestring'` filled in; where that is empty: name, whether it was changed, directory."""
        editor = self.engine.editor
        wanted = str(editor.options.values["titlestring"])
        if wanted:
            return written(self.engine, editor.window, wanted)
        buffer, name = editor.buffer, buffer_name(editor.window)
        if not buffer.name or "://" in buffer.name:
            return f"{name}{' +' if buffer.modified else ''} - tpy"
        sign = " -" if not buffer.modifiable else " =" if editor.option("readonly") else ""
        sign = " +" if buffer.modified else sign
        home, folder = os.path.expanduser("~"), os.path.dirname(absolute(buffer.name))
        folder = "~" + folder[len(home) :] if f"{folder}/".startswith(f"{home}/") else folder
        return f"{os.path.basename(name)}{sign} ({os.fsdecode(folder)}) - tpy"
