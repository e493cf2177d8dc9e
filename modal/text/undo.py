"""The undo tree of one buffer: steps of splices, open or sealed (`:help undo-tree`).

It changes no text itself: `Buffer` applies what `undo` and `redo` return.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tpy.modal.text.marks import Saved
from tpy.modal.text.position import Pos, beyond, first_nonblank
from tpy.modal.text.splice import Splice

# A splice of more lines than this is kept apart from the next one, so that joining them costs little.
_JOINABLE = 64


class Step:
    """One undo step: what changed, when (seconds since the epoch), from which parent, and the cursor before it.

    `number` is Vim's sequence number, 0 for the original text. `last_child` is where `<C-r>` goes. `marks` are
    those of the other side: from before the step while it is applied, from after it while it is taken back.
    """

    __slots__ = (
        "cursor",
        "empty_after",
        "empty_before",
        "label",
        "last_child",
        "marks",
        "number",
        "origin",
        "parent",
        "splices",
        "time",
    )

    def __init__(self, number: int, parent: int, time: float, cursor: Pos, label: str, origin: str) -> None:
        self.number = number
        self.parent = parent
        self.time = time
        self.cursor = cursor
        self.label = label
        self.origin = origin
        self.splices: list[Splice] = []
        self.last_child: int | None = None
        self.marks: Saved | None = None
        # Whether the buffer had no line at all before and after.
        self.empty_before = self.empty_after = False

    def add(self, splice: Splice) -> None:
        """Note a splice; one inside the lines of the splice before becomes one with it."""
        if self.splices:
            last = self.splices[-1]
            at = splice.line - last.line
            if at >= 0 and at + len(splice.old) <= len(last.new) <= _JOINABLE:
                new = last.new[:at] + splice.new + last.new[at + len(splice.old) :]
                self.splices[-1] = Splice(last.line, last.old, new)
                return
        self.splices.append(splice)


class Walk(NamedTuple):
    """What undoing or redoing a step did: the step, where the cursor goes, and the lines before and after."""

    step: Step
    cursor: Pos
    old_count: int
    new_count: int


def landing(cursor_before: Pos, applied: Sequence[Splice], current: Pos) -> int:
    """Return the line to put the cursor in after `applied` was done.

    `cursor_before` is where the cursor was when the step was made, `current` where it is now. It goes to the
    topmost change, but back to where it was if that lies inside.
    """
    saved = cursor_before.line + 1
    line = current.line + 1
    lowest: int | None = None
    for index, splice in enumerate(applied):
        top, old, new = splice.line, splice.old, splice.new
        if lowest is not None and top >= lowest:
            continue
        if top <= saved <= top + len(new) + 1:
            line, lowest = saved, saved - 1
            continue
        same = 0
        while same < min(len(old), len(new)) and old[same] == new[same]:
            same += 1
        if same == len(new) and lowest is None and index == len(applied) - 1:
            lowest = top
            line = top + 1
        elif same < len(new):
            lowest = top + same
            line = lowest + 1
    if saved + 1 == line and line > 1:
        line -= 1
    return line - 1


def landed(cursor_before: Pos, applied: Sequence[Splice], current: Pos, lines: Sequence[str]) -> Pos:
    """Return where the cursor goes after `applied` was done to give `lines` (`:help undo`)."""
    line = min(landing(cursor_before, applied, current), len(lines) - 1)
    if line == cursor_before.line:
        return beyond(line, cursor_before.col, cursor_before.add)
    return Pos(line, first_nonblank(lines[line]))


class UndoTree:
    """All states a buffer went through; `current` is the number of the one it is in.

    A step is *open* while a command or an insert session runs: further splices join it. `seal` ends it.
    """

    def __init__(self, clock: Callable[[], float], levels: Callable[[], int] = lambda: 1000) -> None:
        self._clock = clock
        self.steps: list[Step] = [Step(0, 0, clock(), Pos(0, 0), "original", "internal")]
        self.current = 0
        self.saved = 0
        # The states that were written to the file (`:earlier 1f`).
        self.writes: set[int] = set()
        self.open = False
        self.saved_text_known = True
        # `:undo N` and `g-` may land between states of other branches: the last sequence number asked for.
        self.sequence = 0
        # How many steps can be taken back beside the newest (`'undolevels'`); those up to number `floor` cannot.
        self.levels = levels
        self.floor = 0

    @property
    def modified(self) -> bool:
        """Whether the text differs from what was last written."""
        return self._text(self.current) != self._text(self.saved)

    def _text(self, number: int) -> int:
        """Return the oldest state with the text of this one: steps made ready for a change that failed change none."""
        while number > 0:
            splices = self.steps[number].splices
            if not splices or any(splice.old or splice.new for splice in splices):
                break
            number = self.steps[number].parent
        return number

    def record(self, splice: Splice, cursor: Pos, label: str, origin: str, marks: Callable[[], Saved]) -> None:
        """Note that `splice` is about to be applied; opens a step, with `marks()`, where none is open."""
        if not self.open:
            step = Step(len(self.steps), self.current, self._clock(), cursor, label, origin)
            step.marks = marks()
            self.steps[self.current].last_child = step.number
            self.steps.append(step)
            self.current = self.sequence = step.number
            self.open = True
            self._drop_oldest()
        elif self.saved == self.current:
            # More becomes part of what was written.
            self.saved = -1
        self.steps[self.current].add(splice)

    def _drop_oldest(self) -> None:
        """Forget the text of the steps that are too many; their numbers stay, so that states keep theirs."""
        before, self.floor = self.floor, max(self.floor, self.current - self.levels() - 1)
        for step in self.steps[before + 1 : min(self.floor, self.current - 1) + 1]:
            step.splices = []
            step.marks = None

    def has(self, number: int) -> bool:
        """Whether the state `number` exists and can be gone to from the current one."""
        if not 0 <= number < len(self.steps):
            return False
        up, down = self.path_to(number)
        return all(step.number > self.floor for step in (*up, *down))

    def seal(self) -> None:
        """End the open step; the next change begins another."""
        self.open = False

    def reopen(self) -> None:
        """Let the next change join the newest step, where there is one (`:help :undojoin`)."""
        self.open = self.current > self.floor

    def mark_saved(self) -> None:
        """Note that the text as it is now was written."""
        self.seal()
        self.saved = self.current

    def mark_unsaved(self) -> None:
        """Make the buffer count as modified whatever the tree says (the file was lost or `:set modified`)."""
        self.saved = -1

    def undo(self) -> Step | None:
        """Go to the parent; return the step to take back, `None` at the oldest text."""
        self.seal()
        if self.current <= self.floor:
            return None
        step = self.steps[self.current]
        self.steps[step.parent].last_child = step.number
        self.current = self.sequence = step.parent
        return step

    def redo(self) -> Step | None:
        """Go to the newest child; return the step to apply again, `None` where there is none."""
        self.seal()
        child = self.undone
        if child is None:
            return None
        self.current = self.sequence = child
        return self.steps[child]

    @property
    def undone(self) -> int | None:
        """The number of the step that was taken back last, `None` where there is none to apply again."""
        child = self.steps[self.current].last_child
        return None if child is None or child <= self.floor else child

    def forget(self, number: int, child: int | None) -> None:
        """Forget the states from `number` on, which the text has come back from; `child` is what redo goes to then."""
        del self.steps[number:]
        self.steps[self.current].last_child = child
        self.sequence = self.current
        self.writes = {written for written in self.writes if written < number}
        if self.saved >= number:
            self.saved = -1

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
