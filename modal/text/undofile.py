"""The undo tree as bytes, for `undofile` (`:help undo-persistence`): pure, reading and writing files is elsewhere.

A tree belongs to the exact text it was written with; for another text it is refused. The form is one JSON document
behind a line that names it; lone surrogates, which stand for bytes that are no UTF-8, survive.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice
from tpy.modal.text.undo import Step, UndoTree

MAGIC = b"tpy undo 1\n"


class BadUndoFile(Exception):
    """The bytes are no undo tree, or one of another text; the text says which."""


def digest(lines: Sequence[str]) -> str:
    """Return what tells one text from another."""
    sha = hashlib.sha256()
    for start in range(0, len(lines), 4096):
        sha.update("\n".join(lines[start : start + 4096]).encode("utf-8", "surrogatepass"))
        sha.update(b"\n")
    return sha.hexdigest()


def dump(tree: UndoTree, lines: Sequence[str]) -> bytes:
    """Return the tree of a buffer whose text is `lines` now, the open step sealed."""
    tree.seal()
    document = {
        "text": digest(lines),
        "current": tree.current,
        "saved": tree.saved,
        "steps": [_packed(step) for step in tree.steps],
    }
    return MAGIC + json.dumps(document, separators=(",", ":")).encode()


def _packed(step: Step) -> list[Any]:
    splices = [[splice.line, splice.old, splice.new] for splice in step.splices]
    return [step.parent, step.time, list(step.cursor), step.label, step.origin, step.last_child, splices]


def load(data: bytes, lines: Sequence[str], clock: Callable[[], float]) -> UndoTree:
    """Return the tree that was written with exactly this text. Raises `BadUndoFile`."""
    if not data.startswith(MAGIC):
        raise BadUndoFile("it is no undo file of this version")
    try:
        document = json.loads(data[len(MAGIC) :])
        if document["text"] != digest(lines):
            raise BadUndoFile("the text has changed since it was written")
        tree = UndoTree(clock)
        steps = [_unpacked(number, packed) for number, packed in enumerate(document["steps"])]
        current, saved = int(document["current"]), int(document["saved"])
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise BadUndoFile(f"it is damaged ({error})") from None
    if steps:
        tree.steps = steps
    if not 0 <= current < len(tree.steps) or any(step.parent >= step.number > 0 for step in tree.steps):
        raise BadUndoFile("it is damaged (steps that do not exist)")
    tree.current = tree.sequence = current
    tree.saved = saved if saved < len(tree.steps) else -1
    return tree


def _unpacked(number: int, packed: list[Any]) -> Step:
    parent, time, cursor, label, origin, last_child, splices = packed
    step = Step(number, int(parent), float(time), Pos(int(cursor[0]), int(cursor[1])), str(label), str(origin))
    step.last_child = None if last_child is None else int(last_child)
    step.splices = [
        Splice(int(line), tuple(map(str, old)), tuple(map(str, new))) for line, old, new in splices
    ]
    return step
