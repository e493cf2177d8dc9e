"""Folds of a conversation: thoughts, tool calls, long output and finished turns; failures stay open.

What a fold is and the keys for them are the engine's; here it is decided which lines become one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tpy.modal.agent.conversation import Conversation, Item
from tpy.modal.view.fold import OPEN
from tpy.modal.view.folds import Folds, find
from tpy.modal.view.window import Window

# Shorter items are not worth a fold.
LEAST = 3


class Folder:
    """Makes the folds of one conversation in each window that shows it."""

    def __init__(
        self,
        conversation: Conversation,
        windows: Callable[[], Iterable[Window]],
        folds_of: Callable[[Window], Folds],
    ) -> None:
        self.conversation = conversation
        self._windows = windows
        self._folds_of = folds_of
        self._settled: list[Item] = []
        self._turns: list[tuple[Item, Item]] = []

    def settle(self, item: Item) -> None:
        """An item is finished: it is folded, closed, unless it failed or still wants an answer."""
        if item.fold is not None or item.failed or item.open or item.kind not in ("thought", "tool"):
            return
        if len(item.codes) < LEAST:
            return
        item.fold = True
        self._settled.append(item)
        for window in self._shown():
            self._fold_item(window, item)

    def end_turn(self, first: Item, last: Item) -> None:
        """A turn is over: its lines become a fold that stays open until the user closes it."""
        self._turns.append((first, last))
        for window in self._shown():
            self._fold_turn(window, first, last)

    def adopt(self, window: Window) -> None:
        """Make all folds in a window that has just begun to show the conversation."""
        for item in self._settled:
            self._fold_item(window, item)
        for first, last in self._turns:
            self._fold_turn(window, first, last)

    def _shown(self) -> list[Window]:
        return [window for window in self._windows() if window.buffer is self.conversation.buffer]

    def _fold_item(self, window: Window, item: Item) -> None:
        talk = self.conversation
        first, last = talk.first(item), talk.end(item) - 1
        while last > first and not talk.buffer.lines[last].strip():
            last -= 1
        reading = first <= window.cursor.line <= last and not talk.follows(window)
        if not reading:
            self._folds_of(window).create(first, last)

    def _fold_turn(self, window: Window, first: Item, last: Item) -> None:
        talk = self.conversation
        top, bottom = talk.first(first), talk.end(last) - 1
        if bottom - top + 1 < LEAST:
            return
        folds = self._folds_of(window)
        folds.create(top, bottom)
        index, inside = find(folds.roots, top)
        if inside:
            folds.roots[index].state = OPEN
