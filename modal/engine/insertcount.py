"""What is typed again: the count of an insert, and runs of characters that go into the text at once.

Vim reads what it types again in runs, and each run is one change, where the mark `'.` is put.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tpy.modal.progress import Interrupted
from tpy.modal.registry import CommandFailed

if TYPE_CHECKING:
    from tpy.modal.engine.insert import InsertHandler

# More text than this is not made by a count (Vim's own limit is that of its memory).
MOST_INSERTED = 100_000_000
# Characters that Vim reads on after; others are a run of their own.
_RUN = re.compile(r"[ -/1-\]_-~]{1,101}|.", re.DOTALL)


def plain_run(insert: InsertHandler, keys: list[str]) -> int:
    """Return how many of the keys are characters that can be put in at once."""
    pen = insert.pen
    if (
        insert.asking
        or insert.completion
        or pen.mode != "i"
        or pen.did_ai
        or pen.can_si
        or pen.indenting
        or pen.formatting
        or insert.width
    ):
        return 0
    count = 0
    for key in keys:
        if len(key) != 1:
            break
        count += 1
    return count


def put_runs(insert: InsertHandler, text: str) -> None:
    """Put in plain characters as Vim does when it reads them from what was typed before."""
    for run in _RUN.findall(text):
        insert.put(run)


def repeat(insert: InsertHandler) -> None:
    """Type what was typed as often as the count asks for. Raises `CommandFailed` where a repetition fails: the insert
    then goes on, and the rest is repeated when it ends."""
    left, insert.count = insert.count, 0
    keys = list(insert.keys) if insert.held is None else insert.held
    if left < 2 or not (keys or insert.opens):
        return
    if (len(keys) + 1) * (left - 1) > MOST_INSERTED:
        raise CommandFailed("E1240: Resulting text too long")
    if plain_run(insert, keys) == len(keys) and not insert.opens:
        text = "".join(keys)
        last = _RUN.findall(text)[-1]
        insert.pen.raw((text * (left - 1))[: -len(last)])
        insert.pen.raw(last)
        return
    insert.held = keys
    try:
        while left > 1:
            left -= 1
            if insert.engine.interrupted():
                raise Interrupted
            if insert.opens:
                insert.break_line()
            insert.take_all(keys)
    except CommandFailed:
        insert.count = left
        raise
