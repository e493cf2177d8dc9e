"""A change as the lines of a diff, for tool calls and requests."""

from __future__ import annotations

import difflib
import re

from tpy.modal.agent.lines import ADDED, CONTEXT, DETAIL, HUNK, REMOVED, Line, split

CONTEXT_LINES = 3
# Larger texts are not compared line by line: what is equal at both ends is left out, the rest shown whole.
MOST_COMPARED = 2000


def diff_lines(path: str, old: str | None, new: str, first: int = 1) -> list[Line]:
    """Return the lines that show a change of `path`; `old` is `None` for a file that is new or replaced whole.

    `first` is the number of the texts' first line in the file, where they are a part of it.
    """
    if old is None:
        head = Line(f"{path} (new or replaced)", DETAIL)
        return [head, *(Line("+" + row, ADDED) for row in _rows(new))]
    before, after = _rows(old), _rows(new)
    head = Line(path, DETAIL)
    if before == after:
        return [head, Line("(no change)", DETAIL)]
    if max(len(before), len(after)) > MOST_COMPARED:
        return [head, *_whole(before, after, first)]
    # Lines that are in neither text, but above both in the file.
    above = first - 1
    body = list(difflib.unified_diff(before, after, lineterm="", n=CONTEXT_LINES))[2:]
    return [head, *(Line(_moved(row, above) if above else row, _CODES.get(row[:1], CONTEXT)) for row in body)]


def _moved(row: str, by: int) -> str:
    """Return a hunk's head for a place so many lines further down, any other line as it is."""
    return _HUNK.sub(lambda found: f"{found[1]}{int(found[2]) + by}", row) if row.startswith("@@ ") else row


_HUNK = re.compile(r"([-+])(\d+)")


_CODES = {"+": ADDED, "-": REMOVED, "@": HUNK}


def _rows(text: str) -> list[str]:
    return split(text) if text else []


def _whole(before: list[str], after: list[str], first: int) -> list[Line]:
    """Return a large change as one hunk between what is equal at both ends."""
    head, most = 0, min(len(before), len(after))
    while head < most and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < most - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    return [
        Line(f"@@ -{head + first},{len(old)} +{head + first},{len(new)} @@", HUNK),
        *(Line("-" + row, REMOVED) for row in old),
        *(Line("+" + row, ADDED) for row in new),
    ]
