"""Keys that wait to be acted on, and the user's mappings applied to them (`:help map.txt`)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from tpy.modal.keymap import Mapping, Trie, from_text, to_text
from tpy.modal.registry import CommandFailed


class Stroke(NamedTuple):
    """One key that waits. `remap`: mappings apply to it. `typed`: it came from the user, not from a mapping,
    register or command. `again` is set in one that is no key: these keys come so many times more."""

    key: str
    remap: bool = True
    typed: bool = True
    again: tuple[tuple[str, ...], int] | None = None


class Typeahead:
    """A queue of strokes with room at the front for what mappings and macros put there."""

    def __init__(self) -> None:
        self.strokes: deque[Stroke] = deque()

    def __len__(self) -> int:
        return len(self.strokes)

    def append(self, key: str) -> None:
        """Add a typed key at the end."""
        self.strokes.append(Stroke(key))

    def push(self, keys: Iterable[str], *, remap: bool, times: int = 1) -> None:
        """Put keys at the front, to be taken before all others, `times` times over."""
        strokes = [Stroke(key, remap, False) for key in keys]
        if times > 1 and strokes:
            self.strokes.appendleft(Stroke("", remap, False, (tuple(stroke.key for stroke in strokes), times - 1)))
        self.strokes.extendleft(reversed(strokes))

    def pop(self) -> Stroke:
        """Take the first stroke."""
        return self.strokes.popleft()

    def flush(self) -> None:
        """Drop what was not typed: the rest of a mapping or macro that failed."""
        self.strokes = deque(stroke for stroke in self.strokes if stroke.typed)

    def clear(self) -> None:
        """Drop everything."""
        self.strokes.clear()

    @property
    def only_typed(self) -> bool:
        """Whether nothing of a mapping or macro is left."""
        return not self.strokes or self.strokes[0].typed


class MappingTable:
    """The user's mappings by mode letter ("n", "x", "s", "o", "i", "c"), for all buffers or one."""

    def __init__(self) -> None:
        self.tries: dict[str, Trie[Mapping]] = {mode: Trie() for mode in "nxsoic"}

    def add(self, modes: str, keys: Iterable[str], mapping: Mapping) -> None:
        """Map the keys in each of the modes."""
        sequence = list(keys)
        for mode in modes:
            self.tries[mode].add(sequence, mapping)

    def remove(self, modes: str, keys: Iterable[str]) -> bool:
        """Unmap the keys; `False` when they were mapped in none of the modes."""
        sequence = list(keys)
        removed = [self.tries[mode].remove(sequence) for mode in modes]
        return any(removed)


class Resolved(NamedTuple):
    """What mapping made of the front of the queue: a `stroke` to act on, or `wait` for the rest of a mapping."""

    stroke: Stroke | None
    wait: bool


def resolve(
    ahead: Typeahead,
    tables: tuple[MappingTable, ...],
    mode: str,
    *,
    expired: bool,
    depth_limit: int,
    evaluate: Callable[[str], str],
) -> Resolved:
    """Apply mappings of `mode` at the front of the queue until a key comes that is to be acted on.

    `mode` is "" where mappings do not apply. `expired`: the time to wait for the rest of a mapping is over.
    `evaluate` gives the value of an expression, whose characters are the keys. Raises `CommandFailed` (E223) when
    mappings go round in circles.
    """
    depth = 0
    strokes = ahead.strokes
    while strokes:
        first = strokes[0]
        if first.again is not None:
            ahead.pop()
            ahead.push(first.again[0], remap=first.remap, times=first.again[1])
            continue
        if not mode or not first.remap:
            return Resolved(ahead.pop(), False)
        best, length, longer = _lookup(strokes, tables, mode)
        if longer and not expired:
            return Resolved(None, True)
        if best is None:
            return Resolved(ahead.pop(), False)
        depth += 1
        if depth > depth_limit:
            ahead.flush()
            raise CommandFailed("E223: Recursive mapping")
        keys = tuple(strokes.popleft().key for _ in range(length))
        right = tuple(from_text(evaluate(to_text(best.right)))) if best.expr else best.right
        if best.remap and keys == right[:length]:
            # A mapping that begins with itself is not applied to that beginning again (`:help recursive_mapping`).
            ahead.push(right[length:], remap=True)
            ahead.push(right[:length], remap=False)
        else:
            ahead.push(right, remap=best.remap)
    return Resolved(None, False)


def _lookup(strokes: deque[Stroke], tables: tuple[MappingTable, ...], mode: str) -> tuple[Mapping | None, int, bool]:
    """Return the longest mapping at the front with its length, and whether keys to come could make a longer one."""
    best: Mapping | None = None
    length, longer = 0, False
    for table in tables:
        trie = table.tries[mode]
        if not trie.begins(strokes[0].key):
            continue
        seen = 0

        def _keys() -> Iterator[str]:
            nonlocal seen
            for stroke in strokes:
                if not stroke.remap or stroke.again is not None:
                    return
                seen += 1
                yield stroke.key

        found = trie.find(_keys())
        if found.length > length:
            best, length = found.value, found.length
        if found.value is not None and found.value.nowait and found.length == seen:
            longer = False
            break
        longer = longer or (found.longer and seen == len(strokes))
    return best, length, longer
