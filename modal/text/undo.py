"""The undo tree of one buffer: steps of splices, open or sealed (`:help undo-tree`).

It changes no text itself: `Buffer` applies what `undo` and `redo` return.
"""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice


class Step:
    """One undo step: what changed, when (seconds since the epoch), from which parent, and the cursor before it.

    `number` is Vim's sequence number, 0 for the original text. `last_child` is where `<C-r>` goes.
    """

    __slots__ = ("cursor", "label", "last_child", "number", "origin", "parent", "splices", "time")

    def __init__(self, number: int, parent: int, time: float, cursor: Pos, label: str, origin: str) -> None:
        self.number = number
        self.parent = parent
        self.time = time
        self.cursor = cursor
        self.label = label
        self.origin = origin
        self.splices: list[Splice] = []
        self.last_child: int | None = None


class UndoTree:
    """All states a buffer went through; `current` is the number of the one it is in.

    A step is *open* while a command or an insert session runs: further splices join it. `seal` ends it.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.steps: list[Step] = [Step(0, 0, clock(), Pos(0, 0), "original", "internal")]
        self.current = 0
        self.saved = 0
        self.open = False
        self.saved_text_known = True
        # `:undo N` and `g-` may land between states of other branches: the last sequence number asked for.
        self.sequence = 0

    @property
    def modified(self) -> bool:
        """Whether the text differs from what was last written."""
        return self.current != self.saved

    def record(self, splice: Splice, cursor: Pos, label: str, origin: str) -> None:
        """Note that `splice` was applied; opens a step where none is open."""
        if not self.open:
            step = Step(len(self.steps), self.current, self._clock(), cursor, label, origin)
            self.steps[self.current].last_child = step.number
            self.steps.append(step)
            self.current = self.sequence = step.number
            self.open = True
        self.steps[self.current].splices.append(splice)

    def seal(self) -> None:
        """End the open step; the next change begins another."""
        self.open = False

    def mark_saved(self) -> None:
        """Note that the text as it is now was written."""
        self.seal()
        self.saved = self.current

    def mark_unsaved(self) -> None:
        """Make the buffer count as modified whatever the tree says (the file was lost or `:set modified`)."""
        self.saved = -1

    def undo(self) -> Step | None:
        """Go to the parent; return the step to take back, `None` at the original text."""
        self.seal()
        if self.current == 0:
            return None
        step = self.steps[self.current]
        self.steps[step.parent].last_child = step.number
        self.current = self.sequence = step.parent
        return step

    def redo(self) -> Step | None:
        """Go to the newest child; return the step to apply again, `None` where there is none."""
        self.seal()
        child = self.steps[self.current].last_child
        if child is None:
            return None
        self.current = self.sequence = child
        return self.steps[child]

    def path_to(self, number: int) -> tuple[list[Step], list[Step]]:
        """Return the steps to take back and then those to apply, in order, to get to the state `number`."""
        self.seal()
        up, ancestors, at = [], [], self.current
        while at:
            ancestors.append(at)
            at = self.steps[at].parent
        down: list[Step] = []
        at = number
        known = {*ancestors, 0}
        while at not in known:
            down.append(self.steps[at])
            at = self.steps[at].parent
        for other in ancestors:
            if other == at:
                break
            up.append(self.steps[other])
        down.reverse()
        return up, down

    def arrived(self, number: int) -> None:
        """Note that the buffer is in the state `number`, with the way there preferred by redo."""
        self.current = self.sequence = number
        at = number
        while at:
            step = self.steps[at]
            self.steps[step.parent].last_child = at
            at = step.parent
