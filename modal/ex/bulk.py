"""Many changes of a buffer at once: few splices however many lines a command touches.

For `:s`, `:g`, `:sort` and kin, which must be quick on a million lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos

# More places than this are written as one splice.
_MOST_SPLICES = 200


class Change(NamedTuple):
    """Lines `line` up to `line + old` become `new`."""

    line: int
    old: int
    new: Sequence[str]


def apply_changes(buffer: Buffer, changes: list[Change]) -> None:
    """Make changes that are in order and do not overlap, all with line numbers of the text as it is now."""
    merged = _merged(changes)
    if not merged:
        return
    if len(merged) <= _MOST_SPLICES:
        for change in reversed(merged):
            buffer.replace(change.line, change.line + change.old, list(change.new))
        return
    first, last = merged[0], merged[-1]
    start, end = first.line, last.line + last.old
    lines = buffer.lines
    new: list[str] = []
    at = start
    for change in merged:
        new.extend(lines[at : change.line])
        new.extend(change.new)
        at = change.line + change.old
    named = dict(buffer.marks.named)
    buffer.replace(start, end, new)
    if len(new) != end - start:
        _restore_marks(buffer, named, merged)


def _merged(changes: list[Change]) -> list[Change]:
    """Join changes that touch each other and keep their lines' numbers apart."""
    merged: list[Change] = []
    line = old = -1
    new: list[str] = []
    for at, gone, put in changes:
        if line + old == at and ((old == len(new) and gone == len(put)) or not (new or put)):
            new += put
            old += gone
            continue
        if line >= 0:
            merged.append(Change(line, old, new))
        line, old, new = at, gone, list(put)
    return [*merged, Change(line, old, new)] if line >= 0 else merged


def _restore_marks(buffer: Buffer, named: dict[str, Pos], changes: list[Change]) -> None:
    """Put the marks where each change by itself would have left them."""
    moved = mover(changes)
    for name, pos in named.items():
        line = moved(pos.line)
        if line is not None:
            buffer.marks.named[name] = Pos(line, pos.col)
        elif "a" <= name <= "z":
            buffer.marks.named.pop(name, None)


def mover(changes: list[Change]) -> Callable[[int], int | None]:
    """Return a function that tells where a line goes, `None` for one that is deleted."""
    starts = [change.line for change in changes]
    shifts = [0]
    for change in changes:
        shifts.append(shifts[-1] + len(change.new) - change.old)

    def _moved(line: int) -> int | None:
        index = bisect_right(starts, line) - 1
        if index < 0:
            return line
        change = changes[index]
        if line < change.line + change.old:
            offset = line - change.line
            return None if offset >= len(change.new) else line + shifts[index]
        return line + shifts[index + 1]

    return _moved
