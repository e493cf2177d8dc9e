"""What can be copied from a conversation: the region under a line, and the text of it or of a selection.

A region is a block of code, a stretch of prose, a tool call's output, or a piece of furniture (a label, a heading),
which is never copied with what it heads.
"""

from __future__ import annotations

from typing import NamedTuple

from tpy.modal.agent import lines as kinds
from tpy.modal.agent.conversation import Conversation, Item
from tpy.modal.agent.markdown import dedent

FENCED, PROSE, OUTPUT, FURNITURE = "code", "prose", "output", "furniture"
_GROUPS = {
    kinds.LABEL: FURNITURE,
    kinds.THINKING: FURNITURE,
    kinds.HEADER: FURNITURE,
    kinds.FAILED: FURNITURE,
    kinds.DETAIL: FURNITURE,
    kinds.ASK: FURNITURE,
    kinds.OPTION: FURNITURE,
    kinds.DIM: FURNITURE,
    kinds.BLANK: FURNITURE,
    kinds.FENCE: FENCED,
    kinds.CODE: FENCED,
    kinds.OUTPUT: OUTPUT,
    kinds.ADDED: OUTPUT,
    kinds.REMOVED: OUTPUT,
    kinds.CONTEXT: OUTPUT,
    kinds.HUNK: OUTPUT,
}


class Region(NamedTuple):
    """Lines `first` to `last`, both included, and what they are."""

    first: int
    last: int
    kind: str


def group(code: str) -> str:
    """Return the kind of region that a line of this code belongs to."""
    return _GROUPS.get(code.partition(" ")[0], PROSE)


def region_at(conversation: Conversation, line: int) -> Region | None:
    """Return the region that a line lies in, `None` in an empty conversation."""
    item = conversation.item_at(line)
    if item is None:
        return None
    start = conversation.start(item)
    at = line - start
    if group(item.codes[at]) == FENCED:
        first, last = fence_bounds(item, at)
    else:
        first, last = _run(item, at)
    lines = conversation.buffer.lines
    if group(item.codes[at]) == PROSE:
        while first < at and not lines[start + first].strip():
            first += 1
        while last > at and not lines[start + last].strip():
            last -= 1
    return Region(start + first, start + last, group(item.codes[at]))


def _run(item: Item, at: int) -> tuple[int, int]:
    kind = group(item.codes[at])
    first = last = at
    if kind == FURNITURE:
        return first, last
    while first > 0 and group(item.codes[first - 1]) == kind:
        first -= 1
    while last + 1 < len(item.codes) and group(item.codes[last + 1]) == kind:
        last += 1
    return first, last


def fence_bounds(item: Item, at: int) -> tuple[int, int]:
    """Return the first and last line of the fence around the line `at` of an item, fence lines included."""
    opening = None
    for index, code in enumerate(item.codes):
        if code == kinds.FENCE:
            if opening is None:
                opening = index
            else:
                if opening <= at <= index:
                    return opening, index
                opening = None
    return (opening if opening is not None else at), len(item.codes) - 1


def region_text(conversation: Conversation, region: Region) -> list[str]:
    """Return the lines of a region as they are copied: a fence without its fence lines and indent."""
    rows = conversation.buffer.lines[region.first : region.last + 1]
    if region.kind != FENCED:
        return rows
    return dedent([row for at, row in enumerate(rows, region.first) if conversation.code(at) != kinds.FENCE])


def selected_text(conversation: Conversation, first: int, last: int) -> list[str]:
    """Return whole lines as they are copied: without furniture, unless nothing else was selected."""
    chosen = range(first, last + 1)
    kept = [line for line in chosen if group(conversation.code(line)) != FURNITURE]
    return [conversation.buffer.lines[line] for line in kept or chosen]
