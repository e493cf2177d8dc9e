"""An undo tree as bytes, so that it outlives the editor (`:help undo-persistence`).

Pure: which file the bytes are in, and when they are written, is `ex/undofiles.py`'s matter. The bytes carry a checksum
and that of the text they belong to: what is torn, foreign or of another text is told apart and not used.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any

from tpy.modal.text.hashing import blake2b
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice
from tpy.modal.text.undo import Step, UndoTree

MAGIC = b"turbo-python undo 1\n"
# Trees and texts of more characters than this are not kept: loading them would be felt.
MOST_CHARACTERS = 20_000_000
_DIGEST = 20


class BadUndoFile(Exception):
    """The bytes are of no use; the text says why. `other` tells that they belong to another text."""

    def __init__(self, why: str, *, foreign: bool = False, other: bool = False) -> None:
        super().__init__(why)
        self.foreign = foreign
        self.other = other


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=_DIGEST).digest()


def text_digest(lines: Sequence[str]) -> str:
    """Return what a text is known by."""
    return _digest("\n".join(lines).encode("utf-8", "surrogatepass")).hex()


def dump(tree: UndoTree, lines: Sequence[str]) -> bytes:
    """Return the tree of a buffer whose text is `lines` now, the open step sealed."""
    tree.seal()
    body = {
        "text": text_digest(lines),
        "current": tree.current,
        "sequence": tree.sequence,
        "saved": tree.saved,
        "floor": tree.floor,
        "writes": sorted(tree.writes),
        "steps": [_packed(step) for step in tree.steps],
    }
    data = zlib.compress(json.dumps(body, separators=(",", ":")).encode("ascii"), 1)
    return MAGIC + _digest(data) + data


def is_small(tree: UndoTree, lines: Sequence[str]) -> bool:
    """Whether a tree and its text are small enough to be kept."""
    size = sum(map(len, lines))
    for step in tree.steps:
        for splice in step.splices:
            size += sum(map(len, splice.old)) + sum(map(len, splice.new)) + 10
        if size > MOST_CHARACTERS:
            return False
    return size <= MOST_CHARACTERS


def _packed(step: Step) -> list[Any]:
    return [
        step.parent, step.time, step.cursor, step.label, step.origin, step.last_child, step.empty_before,
        step.empty_after, [[splice.line, splice.old, splice.new] for splice in step.splices],
    ]  # fmt: skip


def load(data: bytes, lines: Sequence[str], clock: Callable[[], float]) -> UndoTree:
    """Return the tree that was written with exactly this text. Raises `BadUndoFile`."""
    if not data.startswith(MAGIC):
        raise BadUndoFile("it is no undo file of this version", foreign=True)
    at = len(MAGIC)
    checksum, packed = data[at : at + _DIGEST], data[at + _DIGEST :]
    if _digest(packed) != checksum:
        raise BadUndoFile("it is damaged (checksum)")
    try:
        body = json.loads(zlib.decompressobj().decompress(packed, 16 * MOST_CHARACTERS))
        if body["text"] != text_digest(lines):
            raise BadUndoFile("the text has changed since it was written", other=True)
        return _unpacked(body, clock)
    except (ValueError, KeyError, TypeError, IndexError, zlib.error, RecursionError) as error:
        raise BadUndoFile(f"it is damaged ({error})") from None


def _unpacked(body: dict[str, Any], clock: Callable[[], float]) -> UndoTree:
    """Return the tree of a body. Raises `ValueError` and others where it is none."""
    tree = UndoTree(clock)
    tree.steps = [_step(number, row) for number, row in enumerate(body["steps"])]
    count = len(tree.steps)
    for number, step in enumerate(tree.steps):
        child = step.last_child
        if (number and not 0 <= step.parent < number) or (child is not None and not number < child < count):
            raise ValueError("steps that do not exist")
        if child is not None and tree.steps[child].parent != number:
            raise ValueError("steps that do not belong together")
    tree.current, tree.sequence, tree.saved = int(body["current"]), int(body["sequence"]), int(body["saved"])
    if not (0 <= tree.current < count and 0 <= tree.sequence < count and -1 <= tree.saved < count):
        raise ValueError("a state that does not exist")
    tree.floor = int(body.get("floor", 0))
    if not 0 <= tree.floor < count:
        raise ValueError("steps that were dropped and do not exist")
    tree.writes = {int(number) for number in body["writes"]}
    return tree


def _step(number: int, row: list[Any]) -> Step:
    parent, time, cursor, label, origin, child, empty_before, empty_after, splices = row
    line, col = cursor
    step = Step(number, int(parent), float(time), Pos(int(line), int(col)), str(label), str(origin))
    step.last_child = None if child is None else int(child)
    step.empty_before, step.empty_after = bool(empty_before), bool(empty_after)
    step.splices = [Splice(int(at), tuple(map(str, old)), tuple(map(str, new))) for at, old, new in splices]
    return step
