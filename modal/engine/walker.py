"""A place that walks through the text character by character, across line ends (`Walker`)."""

from __future__ import annotations

from collections.abc import Sequence

from tpy.modal.text.chars import is_combining
from tpy.modal.text.position import Pos


class Walker:
    """A place in lines. Behind the last character of a line comes its end, where `char` is "".

    `forward` and `back` return -1 at the end or start of the text (and stay), 1 on going to another line, 2 on
    reaching a line's end forward, else 0. `forward_skip` and `back_skip` do not stop at the ends of lines that
    hold text.
    """

    __slots__ = ("col", "line", "lines", "text")

    def __init__(self, lines: Sequence[str], pos: Pos) -> None:
        self.lines = lines
        self.line, self.col = pos
        self.text = lines[self.line]

    @property
    def pos(self) -> Pos:
        """The place."""
        return Pos(self.line, self.col)

    @property
    def char(self) -> str:
        """The character there, "" at a line's end."""
        return self.text[self.col : self.col + 1]

    def go(self, pos: Pos) -> None:
        """Go to a place."""
        self.line, self.col = pos
        self.text = self.lines[self.line]

    def copy(self) -> Walker:
        """Return another one at the same place."""
        return Walker(self.lines, self.pos)

    def forward(self) -> int:
        """Go one character on."""
        text, col = self.text, self.col
        if col < len(text):
            col += 1
            while col < len(text) and is_combining(text[col]):
                col += 1
            self.col = col
            return 0 if col < len(text) else 2
        if self.line + 1 < len(self.lines):
            self.line += 1
            self.col, self.text = 0, self.lines[self.line]
            return 1
        return -1

    def back(self) -> int:
        """Go one character back."""
        if self.col > 0:
            col = min(self.col, len(self.text)) - 1
            while col > 0 and is_combining(self.text[col]):
                col -= 1
            self.col = col
            return 0
        if self.line > 0:
            self.line -= 1
            self.text = self.lines[self.line]
            self.col = len(self.text)
            return 1
        return -1

    def forward_skip(self) -> int:
        """Go one character on, over a line's end."""
        result = self.forward()
        if result >= 1 and self.col:
            result = self.forward()
        return result

    def back_skip(self) -> int:
        """Go one character back, over a line's end."""
        result = self.back()
        if result == 1 and self.col:
            result = self.back()
        return result
