"""What differs between texts, line by line, and what that means for the display of each (`:help diff-mode`).

Pure: lists of lines in, blocks of changed lines out. Which windows take part is `engine/diffing.py`'s matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tpy.modal.text.splice import common_prefix, common_suffix
from tpy.modal.view.editscript import edits

ADDED, CHANGED, TEXT, FILLER = "diff.added", "diff.changed", "diff.text", "diff.removed"
# How many texts can be compared at once, as in Vim.
MOST_TEXTS = 8


class Edit(NamedTuple):
    """The lines `start` to before `end` of one text stand where `new_start` to before `new_end` of another do."""

    start: int
    end: int
    new_start: int
    new_end: int


class Block(NamedTuple):
    """A place where texts differ: for each text its first line and how many; a text without lines there has 0."""

    first: tuple[int, ...]
    sizes: tuple[int, ...]


def changes(old: Sequence[str], new: Sequence[str]) -> list[Edit]:
    """Return how `new` differs from `old`, first to last, with equal lines between. The cost is bounded."""
    head = common_prefix(old, new)
    tail = common_suffix(old, new, min(len(old), len(new)) - head)
    if head == len(old) == len(new):
        return []
    # A group of changed lines may slide into equal ones around: those near are looked at, too.
    before, after = min(head, 200), min(tail, 200)
    first = head - before
    numbers: dict[str, int] = {}
    one, other = (
        [numbers.setdefault(line, len(numbers)) for line in text[first : len(text) - tail + after]]
        for text in (old, new)
    )
    return [Edit(a + first, b + first, c + first, d + first) for a, b, c, d in edits(one, other)]


def blocks_of(texts: Sequence[Sequence[str]]) -> tuple[Block, ...]:
    """Return where texts differ: each is compared with the first one, and what touches is one block."""
    scripts = [changes(texts[0], text) for text in texts[1:]]
    ranges: list[list[int]] = []
    for start, end in sorted((edit.start, edit.end) for script in scripts for edit in script):
        if ranges and start <= ranges[-1][1]:
            ranges[-1][1] = max(ranges[-1][1], end)
        else:
            ranges.append([start, end])
    blocks = []
    shifts, at = [0] * len(scripts), [0] * len(scripts)
    for start, end in ranges:
        first, count = [start], [end - start]
        for index, script in enumerate(scripts):
            own = start + shifts[index]
            while at[index] < len(script) and script[at[index]].start <= end:
                edit = script[at[index]]
                shifts[index] += (edit.new_end - edit.new_start) - (edit.end - edit.start)
                at[index] += 1
            first.append(own)
            count.append(end + shifts[index] - own)
        blocks.append(Block(tuple(first), tuple(count)))
    return tuple(blocks)


class Comparison:
    """Some texts compared. `folded` is how a line is compared: as it is, or without regard to case or blanks."""

    def __init__(self, texts: Sequence[Sequence[str]], folded: Sequence[Sequence[str]] | None = None) -> None:
        self.texts = texts
        self.folded = folded if folded is not None else texts
        self.blocks = blocks_of(self.folded)
        self._sides: dict[int, Side] = {}

    def side(self, index: int) -> Side:
        """Return what the comparison means for one of the texts."""
        side = self._sides.get(index)
        if side is None:
            side = self._sides[index] = Side(self, index)
        return side

    def corresponding(self, index: int, line: int, other: int) -> int:
        """Return the line of text `other` that stands beside a line of text `index`."""
        shift = 0
        for block in self.blocks:
            inside = line - block.first[index]
            if inside < 0:
                break
            if inside < block.sizes[index]:
                return min(block.first[other] + min(inside, block.sizes[other]), max(len(self.texts[other]) - 1, 0))
            shift = block.first[other] + block.sizes[other] - block.first[index] - block.sizes[index]
        return min(line + shift, max(len(self.texts[other]) - 1, 0))


class Side:
    """A comparison as one text sees it: rows to fill, lines that changed, where the next change is."""

    def __init__(self, comparison: Comparison, index: int) -> None:
        self.comparison = comparison
        self.index = index
        # Rows that are empty above a line because another text has lines there.
        self.fillers: dict[int, int] = {}
        self._blocks: dict[int, Block] = {}
        for block in comparison.blocks:
            first, count = block.first[index], block.sizes[index]
            missing = max(block.sizes) - count
            if missing:
                self.fillers[first + count] = missing
            for line in range(first, first + count):
                self._blocks[line] = block

    def differs(self, line: int) -> bool:
        """Whether a line is in a block, or has empty rows above it."""
        return line in self._blocks or line in self.fillers

    def kind(self, line: int) -> str:
        """Return the class of a line: `ADDED`, `CHANGED`, or "" where it is the same in all texts."""
        block = self._blocks.get(line)
        if block is None:
            return ""
        own = block.sizes[self.index]
        others = [count for index, count in enumerate(block.sizes) if index != self.index]
        if all(count in (0, own) for count in others):
            lines = self._folded(self.index, block)
            rest = [i for i, count in enumerate(block.sizes) if i != self.index and count]
            if all(self._folded(i, block) == lines for i in rest):
                return ADDED if 0 in others else ""
        return CHANGED if any(line - block.first[self.index] < count for count in others) else ADDED

    def _folded(self, index: int, block: Block) -> Sequence[str]:
        return self.comparison.folded[index][block.first[index] : block.first[index] + block.sizes[index]]

    def changed_text(self, line: int) -> tuple[int, int] | None:
        """Return which characters of a changed line differ, from the first to behind the last, `None` for none."""
        block = self._blocks.get(line)
        if block is None:
            return None
        texts, at = self.comparison.texts, line - block.first[self.index]
        own = texts[self.index][line]
        start, end = len(own), 0
        for index, count in enumerate(block.sizes):
            if index == self.index or at >= count:
                continue
            other = texts[index][block.first[index] + at]
            if other == own:
                continue
            head = _shared(own, other)
            most = min(len(own), len(other)) - head
            tail = _shared(own[::-1][:most], other[::-1][:most])
            start, end = min(start, head), max(end, len(own) - tail)
        return (start, end) if start < end else None

    def next_change(self, line: int, count: int, *, forward: bool) -> int:
        """Return the first line of the `count`th block below or above, `line` where there is none."""
        starts = [block.first[self.index] for block in self.comparison.blocks]
        last = len(self.comparison.texts[self.index]) - 1
        for _ in range(count):
            found = [start for start in starts if (start > line if forward else start < line)]
            if not found:
                break
            line = found[0] if forward else found[-1]
        return min(line, max(last, 0))

    def equal_ranges(self, context: int) -> list[tuple[int, int]]:
        """Return the lines, first and last, that are farther than `context` from any block."""
        last = len(self.comparison.texts[self.index]) - 1
        ranges, begin = [], 0
        for block in self.comparison.blocks:
            first = block.first[self.index]
            if first - context > begin:
                ranges.append((begin, first - context - 1))
            begin = max(begin, first + block.sizes[self.index] + context)
        if begin <= last:
            ranges.append((begin, last))
        return ranges

    def row_of(self, line: int, filler: int) -> int:
        """Return how many rows of the comparison lie above: empty rows count, wrapping and folds do not.

        `filler` says how many of the empty rows above the line are below that place.
        """
        return line + sum(rows for at, rows in self.fillers.items() if at <= line) - filler

    def place_of(self, row: int) -> tuple[int, int]:
        """Return the line and how many empty rows above it are shown, of a row as `row_of` counts."""
        above = 0
        for at in sorted(self.fillers):
            rows = self.fillers[at]
            if row < at + above:
                break
            if row < at + above + rows:
                return at, at + above + rows - row
            above += rows
        return row - above, 0


def _shared(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
