"""Folds that come from the text: by indent and by markers (`:help fold-indent`, `:help fold-marker`).

What is open and closed is in `folds.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from tpy.modal.text.width import column_of
from tpy.modal.view.fold import LEVEL, Fold

# Lines that begin so take the level of their neighbours (`:help 'foldignore'`), and how deep folds may nest.
IGNORED = "#"
DEEPEST = 20


class Builder:
    """Folds being made from the first line to the last: opened and closed like brackets."""

    def __init__(self) -> None:
        self.roots: list[Fold] = []
        self._open: list[Fold] = []

    @property
    def depth(self) -> int:
        """How many folds are open."""
        return len(self._open)

    def open(self, line: int) -> None:
        """Begin a fold at a line."""
        fold = Fold(line, line, LEVEL)
        (self._open[-1].children if self._open else self.roots).append(fold)
        self._open.append(fold)

    def close(self, last: int) -> None:
        """End the innermost fold with a line."""
        self._open.pop().last = last

    def finish(self, last: int) -> list[Fold]:
        """End all folds and return them."""
        while self._open:
            self.close(last)
        return self.roots


class IndentLevels:
    """Levels by indent: `shift` columns for each."""

    def __init__(self, lines: Sequence[str], shift: int, tabstop: int) -> None:
        self.lines = lines
        self.shift = max(shift or tabstop, 1)
        self.tabstop = tabstop

    def _own(self, line: int) -> int | None:
        """Return the level of a line by itself, `None` where its neighbours decide."""
        text = self.lines[line]
        size = len(text) - len(text.lstrip(" \t"))
        if size == len(text) or text[size] in IGNORED:
            return 0 if line in (0, len(self.lines) - 1) else None
        return min(column_of(text, size, self.tabstop) // self.shift, DEEPEST)

    def level(self, line: int) -> int:
        """Return the level of a line."""
        own = self._own(line)
        if own is not None:
            return own
        above, below = line - 1, line + 1
        while (upper := self._own(above)) is None:
            above -= 1
        while (lower := self._own(below)) is None:
            below += 1
        return min(upper, lower)

    def region(self, first: int, last: int) -> tuple[int, int]:
        """Return the lines around a change whose folds it may change."""
        while first > 0 and (self._own(first - 1) is None or self.level(first - 1) > 0):
            first -= 1
        while last < len(self.lines) - 1 and (self._own(last + 1) is None or self.level(last + 1) > 0):
            last += 1
        return first, last

    def folds(self, first: int, last: int) -> list[Fold]:
        """Return the folds of a region, in which nothing reaches out of it."""
        builder = Builder()
        waiting = 0
        for line in range(first, last + 1):
            level = self._own(line)
            if level is None:
                waiting += 1
                continue
            # Lines without a level of their own end with the fold above them, or belong to a deeper one around them.
            begin = line - waiting
            while builder.depth > level:
                builder.close(begin - 1)
            while builder.depth < level:
                builder.open(line)
            waiting = 0
        return builder.finish(last - waiting)


@lru_cache(maxsize=8)
def _markers(option: str) -> re.Pattern[str]:
    opening, _, closing = option.partition(",")
    return re.compile(f"({re.escape(opening)})(\\d*)|({re.escape(closing or '}}}')})(\\d*)")


def has_marker(text: str, option: str) -> bool:
    """Return whether a line holds a fold marker."""
    return _markers(option).search(text) is not None


def marker_folds(lines: Sequence[str], option: str) -> list[Fold]:
    """Return the folds that the markers of a whole text make."""
    pattern = _markers(option)
    opening, _, closing = option.partition(",")
    builder = Builder()
    for line, text in enumerate(lines):
        if opening not in text and closing not in text:
            continue
        ended = builder.depth
        for match in pattern.finditer(text):
            begins, level, _, end_level = match.groups()
            if begins:
                if level:
                    while builder.depth >= max(int(level), 1):
                        builder.close(line - 1)
                    while builder.depth < min(int(level), DEEPEST):
                        builder.open(line)
                elif builder.depth < DEEPEST:
                    builder.open(line)
                ended = builder.depth
            elif end_level:
                ended = min(ended, max(int(end_level) - 1, 0))
            else:
                ended = max(min(ended, builder.depth) - 1, 0)
        while builder.depth > ended:
            builder.close(line)
    return builder.finish(len(lines) - 1)
