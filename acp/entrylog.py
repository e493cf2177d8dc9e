"""The log of one conversation: entries in the order of first sight, and which of them have changed since a look.

`session.Session` fills it; what the entries are is in `entries`.
"""

from __future__ import annotations

from typing import Any

from tpy.acp import schema
from tpy.acp.entries import Entry, Growing


class EntryLog:
    """Entries, and the turn that new ones belong to.

    `entries` only grows, `revision` counts all changes. `turn` counts turns, `in_turn` says whether one is open,
    `loading` that history is told; `parent` is the session that a child session belongs to.
    """

    def __init__(self, parent: str | None) -> None:
        self.parent = parent
        self.entries: list[Entry] = []
        self.revision = 0
        self.turn = 0
        self.in_turn = False
        self.loading = False
        self._recent: dict[int, Entry] = {}
        self._last: Entry | None = None
        self._by_id: dict[tuple[type[Entry], str], Any] = {}

    def changed_since(self, revision: int) -> list[Entry]:
        """Return the entries changed after `revision`, in their order in the conversation."""
        changed: list[Entry] = []
        for entry in reversed(self._recent.values()):
            if entry.revision <= revision:
                break
            changed.append(entry)
        changed.sort(key=lambda entry: entry.index)
        return changed

    def _entry(self, kind: type[Any], id_: str) -> Any:
        """Return the entry of this class with this id, adding it at its first sight."""
        entry = self._by_id.get((kind, id_))
        if entry is None:
            entry = self._by_id[kind, id_] = kind(id_)
            self._add(entry)
        return entry

    def _grow(self, entry: Growing, block: Any) -> None:
        entry.append(block.text if isinstance(block, schema.TextContent) else block)
        self._touch(entry)

    def _add(self, entry: Entry) -> None:
        entry.index = len(self.entries)
        entry.turn = self.turn
        entry.in_turn = self.in_turn or self.loading or self.parent is not None
        self.entries.append(entry)
        self._touch(entry)

    def _touch(self, entry: Entry) -> None:
        self.revision += 1
        entry.revision = self.revision
        if entry is not self._last:
            self._recent.pop(entry.index, None)
            self._recent[entry.index] = entry
            self._last = entry
