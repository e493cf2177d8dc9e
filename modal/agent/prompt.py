"""The prompt of an agent: the draft in its buffer, the history of what was sent, the queue of what waits.

When something is sent, and what becomes of it, is the bridge's.
"""

from __future__ import annotations

from tpy.modal.text.buffer import EX, Buffer
from tpy.modal.text.position import Pos

QUEUE_MARK = "-" * 20


class Prompt:
    """The draft of one session. `history` is oldest first; `place` counts back from its end while one is shown."""

    def __init__(self, buffer: Buffer) -> None:
        self.buffer = buffer
        self.history: list[str] = []
        self.place = 0
        self._draft = ""

    @property
    def text(self) -> str:
        """What is in the buffer."""
        return "\n".join(self.buffer.lines)

    @property
    def blank(self) -> bool:
        """Whether there is nothing but blanks."""
        return not any(line.strip() for line in self.buffer.lines)

    def take(self) -> str:
        """Empty the buffer as one undo step, so that `u` brings the text back, and return what was in it."""
        text = self.text
        self.show("")
        if text not in self.history[-1:]:
            self.history.append(text)
        self.place = 0
        return text

    def put_back(self, text: str) -> None:
        """Put a text that could not be sent above the draft that is already there, after a blank line."""
        self.show(text if self.blank else f"{text}\n\n{self.text}")

    def add(self, text: str) -> None:
        """Put a text at the end of the draft, on lines of its own."""
        self.show(text if self.blank else f"{self.text}\n{text}")

    def show(self, text: str) -> None:
        """Make the buffer hold a text, as one undo step."""
        lines = text.split("\n")
        if lines != self.buffer.lines:
            with self.buffer.step("prompt", EX):
                self.buffer.replace(0, len(self.buffer.lines), lines)

    def earlier(self) -> bool:
        """Show the prompt before the one shown; `False` when there is none."""
        if self.place >= len(self.history):
            return False
        if self.place == 0:
            self._draft = self.text
        self.place += 1
        self.show(self.history[-self.place])
        return True

    def later(self) -> bool:
        """Show the prompt after the one shown, past the newest the draft; `False` when that is shown."""
        if self.place == 0:
            return False
        self.place -= 1
        self.show(self.history[-self.place] if self.place else self._draft)
        return True

    def end(self) -> Pos:
        """Return the place behind the last character."""
        return Pos(len(self.buffer.lines) - 1, len(self.buffer.lines[-1]))


class Queue:
    """Prompts that wait, first one first. `held` stops them until the user lets them go."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.held = False

    def lines(self) -> list[str]:
        """Return the queue as the lines of its buffer: prompts with a line of dashes between them."""
        return f"\n{QUEUE_MARK}\n".join(self.texts).split("\n")

    def read(self, lines: list[str]) -> None:
        """Take the queue from the lines of its buffer; an empty prompt is none."""
        texts: list[list[str]] = [[]]
        for line in lines:
            if line == QUEUE_MARK:
                texts.append([])
            else:
                texts[-1].append(line)
        self.texts = [text for text in ("\n".join(rows).strip("\n") for rows in texts) if text.strip()]

    def status(self) -> str:
        """Return `2 queued` or `2 held` for the status line, "" for an empty queue."""
        return f"{len(self.texts)} {'held' if self.held else 'queued'}" if self.texts else ""
