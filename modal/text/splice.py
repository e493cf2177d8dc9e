"""`Splice`, the only value that changes text: whole lines out, whole lines in."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import NamedTuple

_BLOCK = 4096
_DIFF_LIMIT = 2000


class Splice(NamedTuple):
    """Replace the lines `old`, which stand at `line`, by the lines `new`.

    Vim's marks follow lines, not columns, so lines are the unit of undo, marks, cursors and highlighting.
    """

    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]

    def inverted(self) -> Splice:
        """Return the splice that takes this one back."""
        return Splice(self.line, self.new, self.old)

    def shift(self, line: int) -> int | None:
        """Return where the line number `line` is afterwards, `None` when that line was deleted."""
        if line < self.line:
            return line
        removed, added = len(self.old), len(self.new)
        if line >= self.line + removed:
            return line + added - removed
        return line if line < self.line + added else None


def between(old: Sequence[str], new: Sequence[str]) -> list[Splice]:
    """Return the splices that turn `old` into `new`, last one first, so that they can be applied in order.

    Equal lines at both ends are skipped in blocks; a small middle is compared line by line, a large one
    replaced whole, so that the cost stays linear.
    """
    head = common_prefix(old, new)
    most = min(len(old), len(new)) - head
    tail = common_suffix(old, new, most)
    middle_old, middle_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if not middle_old and not middle_new:
        return []
    if max(len(middle_old), len(middle_new)) > _DIFF_LIMIT or not middle_old or not middle_new:
        return [Splice(head, tuple(middle_old), tuple(middle_new))]
    matcher = difflib.SequenceMatcher(None, middle_old, middle_new, autojunk=False)
    splices = [
        Splice(head + i1, tuple(middle_old[i1:i2]), tuple(middle_new[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    ]
    splices.reverse()
    return splices


def common_prefix(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many lines both begin with, or how many characters two strings do."""
    limit = min(len(old), len(new))
    at, size = 0, min(_BLOCK, limit)
    while size and at < limit:
        if old[at : at + size] == new[at : at + size]:
            at += size
            size = min(2 * size, limit - at)
        else:
            size //= 2
    return at


def common_suffix(old: Sequence[str], new: Sequence[str], most: int) -> int:
    """Return how many lines both end with, at most `most`."""
    count, size = 0, min(_BLOCK, most)
    while size and count < most:
        a, b = len(old) - count, len(new) - count
        if old[a - size : a] == new[b - size : b]:
            count += size
            size = min(2 * size, most - count)
        else:
            size //= 2
    return count
