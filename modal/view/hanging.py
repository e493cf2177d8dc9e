"""What stands before the rows with which a wrapped line goes on (`:help 'showbreak'`, `:help 'breakindent'`)."""

from __future__ import annotations

from typing import NamedTuple

from tpy.modal.text.width import char_cells

# With an indent text has still so many cells, as Vim has it where 'breakindentopt' says nothing else.
_LEAST = 20


class Hanging(NamedTuple):
    """The options of a window: a `sign` of narrow characters, and whether the line's indent comes before it; `width` is
    that of the text."""

    sign: str
    indents: bool
    width: int
    tabstop: int

    def before(self, text: str) -> str:
        """Return what the rows of a line begin with but the first; one cell at least is left for text."""
        lead = ""
        if self.indents:
            cells = 0
            for char in text:
                if char not in " \t":
                    break
                cells += char_cells(char, cells, self.tabstop)
            lead = " " * min(cells, max(self.width - _LEAST, 0))
        whole = lead + self.sign
        return whole if len(whole) < self.width else ""

    def cells(self, text: str) -> int:
        """Return how many cells that takes."""
        return len(self.before(text))
