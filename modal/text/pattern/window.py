"""The text a match looks at: some lines of a buffer as one string that grows when needed.

Lives here: joining lines, places in them. Not here: matching. Every line ends in a line break, the last
one too, since `\\n` matches there in Vim; behind it lies one empty line that is not in the buffer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


class Window:
    """Lines from `first` on. `text` grows by `extend`; offsets in it stay valid."""

    def __init__(self, lines: Sequence[str], first: int, count: int = 1) -> None:
        self.lines = lines
        self.first = first
        self.next = first
        self.text = ""
        self.starts: list[int] = []
        self._chunk = count
        self.extend()

    @property
    def complete(self) -> bool:
        """Say whether the text reaches to the end of the buffer."""
        return self.next >= len(self.lines)

    def extend(self) -> None:
        """Add more lines, twice as many each time."""
        more = self.lines[self.next : self.next + self._chunk]
        at = len(self.text)
        for line in more:
            self.starts.append(at)
            at += len(line) + 1
        self.text += "\n".join(more) + "\n"
        self.next += len(more)
        self._chunk *= 2

    def locate(self, offset: int) -> tuple[int, int]:
        """Return (line, column) in the buffer; behind the last line break that is (number of lines, 0)."""
        if offset >= len(self.text):
            return self.next, 0
        at = bisect_right(self.starts, offset) - 1
        return self.first + at, offset - self.starts[at]

    def offset(self, line: int, col: int) -> int:
        """Return the place of a column of a line that is in the window."""
        return self.starts[line - self.first] + col
