"""A message of many lines over the text, until it has been read (`:help hit-enter`, `:help more-prompt`).

The renderer shows what `rows` gives; a key goes to `key` first, which tells whether it was meant for the pager.
"""

from __future__ import annotations

from tpy.modal.editor import Message
from tpy.modal.ui.rows import Classes, Strip, cut, safe

PRESS_ENTER = "Press ENTER or type command to continue"
MORE = "-- More --"
ERROR, QUESTION = "diagnostic.error", "ui.question"
_STEPS = {"j": 1, "<CR>": 1, "<Down>": 1, "<C-j>": 1, "k": -1, "<Up>": -1, "<BS>": -1}
_PAGES = {" ": 1, "f": 1, "<C-f>": 1, "<PageDown>": 1, "b": -1, "<C-b>": -1, "<PageUp>": -1}
_HALVES = {"d": 1, "<C-d>": 1, "u": -1, "<C-u>": -1}


class Pager:
    """Which part of a long message is shown. `message` is None when there is nothing to page."""

    def __init__(self) -> None:
        self.message: Message | None = None
        self._strips: list[Strip] = []
        self._width = 0
        self._height = 1
        self._top = 0

    def show(self, message: Message, width: int, height: int) -> list[Strip]:
        """The rows for a message, the question at the end; at most `height`."""
        if message is not self.message or width != self._width:
            self.message, self._width, self._top = message, width, 0
            classes: Classes = (ERROR,) if message.error else ()
            self._strips = [strip for line in message.text.split("\n") for strip in folded(line, width, classes)]
        self._height = max(height - 1, 1)
        self._top = max(min(self._top, len(self._strips) - self._height), 0)
        question = MORE if self._more() else PRESS_ENTER
        text, cells = cut(question, width)
        shown = self._strips[self._top : self._top + self._height]
        return [*shown, Strip(((text, (QUESTION,)),), cells)][-max(height, 1) :]

    def _more(self) -> bool:
        return self._top + self._height < len(self._strips)

    def key(self, key: str) -> bool:
        """Take a key while a message is shown; False when it is for the editor (the message then goes away)."""
        if self.message is None:
            return False
        if self._more() or (self._top and key in ("k", "<Up>", "b", "<C-b>", "<PageUp>", "u", "<C-u>", "g")):
            by = _STEPS.get(key, 0) + _PAGES.get(key, 0) * self._height + _HALVES.get(key, 0) * (self._height // 2)
            if by:
                self._top = max(min(self._top + by, len(self._strips) - self._height), 0)
                return True
            if key in ("g", "G"):
                self._top = 0 if key == "g" else len(self._strips) - self._height
                return True
        self.message = None
        return key in ("<CR>", " ", "<Esc>", "q", "<C-c>", "<C-j>", *_STEPS, *_PAGES)


def folded(text: str, width: int, classes: Classes) -> list[Strip]:
    """A text as rows of at most `width` cells."""
    shown, cells = safe(text)
    strips = []
    while cells > width:
        head, used = cut(shown, width)
        if not head:
            break
        strips.append(Strip(((head, classes),), used))
        shown, cells = shown[len(head) :], cells - used
    strips.append(Strip(((shown, classes),), cells))
    return strips
