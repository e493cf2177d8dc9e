"""Insert, Replace and Virtual Replace mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.keymap import char_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import Pos

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


class InsertHandler:
    """Takes the keys while text is typed. `resume` is the mode to come back to after a command of `<C-o>`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.active = False
        self.mode = "i"
        self.resume: str | None = None
        self.count = 1

    @property
    def busy(self) -> bool:
        """Whether text is being typed."""
        return self.active

    def map_mode(self) -> str:
        """Return the letter of the mappings of Insert mode."""
        return "i"

    def start(self, mode: str = "i", count: int = 1) -> None:
        """Begin to insert at the cursor; what is typed is put `count` times in all when it ends."""
        self.engine.require_modifiable()
        self.active, self.mode, self.count = True, mode, count
        self.resume = None

    def resume_after_command(self) -> None:
        """Go back to Insert mode after the command of `<C-o>` is done."""
        if self.resume is not None and self.engine.editor.visual is None:
            self.active, self.mode, self.resume = True, self.resume, None

    def abort(self) -> None:
        """Leave Insert mode."""
        self.feed("<Esc>")

    def feed(self, key: str) -> None:
        """Act on one key. Raises `CommandFailed`."""
        window = self.engine.editor.window
        if key == "<Esc>":
            self.active = False
            window.cursor = Pos(window.cursor.line, max(window.cursor.col - 1, 0))
            return
        self.engine.repeat.insert_key(key)
        char = char_of(key)
        if char is None:
            raise CommandFailed
        self.insert_text(char)

    def insert_text(self, text: str) -> None:
        """Put text that holds no line break before the cursor."""
        window = self.engine.editor.window
        line, col = window.cursor
        old = window.buffer.lines[line]
        window.buffer.set_line(line, old[:col] + text + old[col:])
        window.cursor = Pos(line, col + len(text))
