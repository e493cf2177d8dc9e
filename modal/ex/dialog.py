"""A question of a command that one key answers, in the place of the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.ex.context import Ask

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


class KeyDialog:
    """Waits for one of the keys of an `Ask`; others are ignored, `<Esc>` and `<C-c>` give up (`None`).

    It is a `Prompt` of the engine whose `kind` is "" and whose `text` is the question.
    """

    kind = ""
    mode = "r?"

    def __init__(self, engine: Engine, ask: Ask, answer: Callable[[str | None], None]) -> None:
        self.engine = engine
        self.ask = ask
        self.text = ask.question
        self.cursor = len(ask.question)
        self._answer = answer

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited: always."""
        return True

    def map_mode(self) -> str:
        """Return "": mappings do not apply to answers."""
        return ""

    def abort(self) -> None:
        """Give up."""
        self.engine.close_prompt()
        self._answer(None)

    def feed(self, key: str) -> None:
        """Take a key. Raises `CommandFailed` where what runs then fails."""
        if key in ("<Esc>", "<C-c>"):
            self.abort()
        elif not self.ask.keys or key in self.ask.keys:
            self.engine.close_prompt()
            self._answer(key)
