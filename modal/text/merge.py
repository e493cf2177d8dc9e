"""Three-way merge of lines: what an agent wrote with what was typed meanwhile.

Lives here: `merge3`. Not here: when it is needed (`agent/review.py`), minimal splices (`splice.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_MOST_LINES = 5000
"""A changed middle longer than this is one hunk: comparing it would take too long."""


class Hunk(NamedTuple):
    """Lines `start` to before `end` of the base became `new`."""

    start: int
    end: int
    new: tuple[str, ...]


class Conflict(NamedTuple):
    """Both sides changed the base lines `start` to before `end`, differently."""

    start: int
    end: int


def hunks(base: Sequence[str], changed: Sequence[str]) -> list[Hunk]:
    """Return what was changed, in order; equal beginnings and ends are skipped quickly."""
    if base == changed:
        return []
    head, tail = 0, 0
    most = min(len(base), len(changed))
    while head < most and base[head] == changed[head]:
        head += 1
    while tail < most - head and base[-1 - tail] == changed[-1 - tail]:
        tail += 1
    old, new = base[head : len(base) - tail], changed[head : len(changed) - tail]
    if max(len(old), len(new)) > _MOST_LINES or not old or not new:
        return [Hunk(head, head + len(old), tuple(new))]
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [Hunk(head + a, head + b, tuple(new[c:d])) for kind, a, b, c, d in codes if kind != "equal"]


def _touch(one: Hunk, other: Hunk) -> bool:
    """Say whether two hunks change the same lines, or put lines in the same place."""
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end


def merge3(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str] | Conflict:
    """Return `mine` with the changes of `theirs`, or the first Conflict.

    The same change on both sides counts once. Changes that only lie next to each other are merged, but lines
    put in at the same place, or at the edge of lines the other side changed, are a conflict.
    """
    left, right = hunks(base, mine), hunks(base, theirs)
    out: list[str] = []
    at = i = j = 0
    while i < len(left) or j < len(right):
        one = left[i] if i < len(left) else None
        other = right[j] if j < len(right) else None
        if one is not None and other is not None:
            if one == other:
                j += 1
            elif _touch(one, other):
                return Conflict(min(one.start, other.start), max(one.end, other.end))
        take_left = one is not None and (other is None or one == other or one.start <= other.start)
        hunk = one if take_left else other
        assert hunk is not None
        i, j = i + take_left, j + (not take_left)
        out += base[at : hunk.start]
        out += hunk.new
        at = hunk.end
    out += base[at:]
    return out
