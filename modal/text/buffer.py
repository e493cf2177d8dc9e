"""A buffer: lines of text with one door for changes.

No files and no windows here: `editor.py` joins them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from tpy.modal.text.marks import Joint, Marks, Moves, same_byte
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice
from tpy.modal.text.undo import Step, UndoTree, Walk, landed

# Where a change came from; listeners decide by it.
TYPED, EX, UNDO, RELOAD, AGENT, INTERNAL = "typed", "ex", "undo", "reload", "agent", "internal"

Listener = Callable[["Buffer", Splice, str], None]


class NotModifiable(Exception):
    """The buffer refuses changes (`E21`)."""


class Buffer:
    """Text as a list of lines, never empty, that changes only by `apply`.

    `lines` may be read freely and must not be written. `tick` grows with every change. Listeners are called
    after each splice with the buffer, the splice and its origin.
    """

    def __init__(
        self, lines: list[str] | None = None, *, number: int = 0, name: str = "", clock: Callable[[], float] = time.time
    ) -> None:
        self.number = number
        self.name = name
        self.lines: list[str] = lines or [""]
        # Whether the text has no line at all; the one empty line in `lines` is then none.
        self._no_lines = not lines or lines == [""]
        self.tick = 0
        self.modifiable = True
        self.keeps_undo = True
        self.undo = UndoTree(clock)
        self.marks = Marks(self.lines)
        self.listeners: list[Listener] = []
        # Where the cursor is, asked for when an undo step opens; the editor points it at the current window.
        self.cursor: Callable[[], Pos] = lambda: Pos(0, 0)
        # Buffer-local option values, by full name.
        self.options: dict[str, object] = {}
        # What else a room keeps about this buffer (file state, an agent's session), by the room's name.
        self.extra: dict[str, object] = {}
        # `:help U`: the line that was changed last, its text before and the column of the cursor then.
        self.line_undo: tuple[int, str, int] | None = None
        self._label = "change"
        self._origin = TYPED

    @property
    def no_lines(self) -> bool:
        """Whether all lines were deleted, and the one empty line only stands for none."""
        return self._no_lines and self.lines == [""]

    @no_lines.setter
    def no_lines(self, none: bool) -> None:
        """Say that the one empty line there is stands for no line at all."""
        self._no_lines = none

    @property
    def modified(self) -> bool:
        """Whether the text differs from the file's."""
        return self.undo.modified

    def apply(
        self,
        splice: Splice,
        origin: str | None = None,
        *,
        joints: Sequence[Joint] = (),
        moves: Moves | None = None,
        changed: Pos | None = None,
    ) -> None:
        """Change the text. `splice.old` must be what stands there. Raises `NotModifiable`.

        Without an `origin` it is that of the enclosing `step`, `TYPED` outside of one. `joints` tell of lines that
        become part of the splice's first one: their marks go with the text. `moves` tells where all marks
        in the splice's lines go. `changed` is where `'.` goes.
        """
        origin = origin or self._origin
        if not self.modifiable and origin != INTERNAL:
            raise NotModifiable
        cursor = self.cursor()
        if self.keeps_undo:
            self._note_line(splice, cursor)
        emptied = not splice.new and len(splice.old) == len(self.lines)
        whole = splice
        if emptied:
            # A buffer is never empty: one empty line stays, while the marks see all lines go.
            splice = Splice(0, splice.old, ("",))
        if self.keeps_undo:
            self._record(splice, cursor, origin)
        if joints:
            self.marks.join(splice.line, joints)
        if emptied:
            self.marks.follow(whole)
        self._change(splice, origin, moves, joined=bool(joints))
        if self.keeps_undo:
            self.undo.steps[self.undo.current].empty_after = emptied
        self.no_lines = emptied or (self.no_lines and splice.new == splice.old)
        if origin != INTERNAL:
            single = len(splice.old) == len(splice.new) == 1 and splice.line == cursor.line
            place = Pos(splice.line, cursor.col if single else 0)
            self.marks.add_change(place if changed is None else changed)

    def replace(
        self,
        first: int,
        last: int,
        new: list[str] | tuple[str, ...],
        *,
        joints: Sequence[Joint] = (),
        moves: Moves | None = None,
        changed: Pos | None = None,
    ) -> None:
        """Replace the lines `first` up to and without `last` by `new`: `apply` with the old lines looked up."""
        splice = Splice(first, tuple(self.lines[first:last]), tuple(new))
        self.apply(splice, joints=joints, moves=moves, changed=changed)

    def set_line(self, line: int, text: str) -> None:
        """Replace one line; nothing happens where it is equal already."""
        old = self.lines[line]
        if old != text:
            self.apply(Splice(line, (old,), (text,)))

    def insert(self, line: int, new: list[str] | tuple[str, ...]) -> None:
        """Put whole lines before line `line`."""
        self.apply(Splice(line, (), tuple(new)))

    def delete(self, first: int, last: int) -> None:
        """Delete the lines `first` up to and without `last`."""
        self.apply(Splice(first, tuple(self.lines[first:last]), ()))

    def save_line(self, line: int, count: int = 1, *, gap: bool = False) -> None:
        """Open an undo step, if none is open, as if `count` lines were about to be changed (Vim's `u_save()`), or with
        `gap` as if something was about to be put below the line."""
        if not self.keeps_undo:
            return
        same = tuple(self.lines[line : line + count])
        splice = Splice(line + 1, (), ()) if gap else Splice(line, same, same)
        if not gap:
            self._note_line(splice, self.cursor())
        if not self.undo.open:
            self._record(splice, self.cursor(), self._origin)

    def _record(self, splice: Splice, cursor: Pos, origin: str) -> None:
        """Tell the undo tree of a splice that is about to be applied."""
        opens = not self.undo.open
        self.undo.record(splice, cursor, self._label, origin, self.marks.save)
        if opens:
            self.marks.new_step = True
            step = self.undo.steps[self.undo.current]
            step.empty_before = step.empty_after = self.no_lines

    def append_internal(self, new: list[str]) -> None:
        """Add lines at the end without undo, for buffers that a program fills."""
        self._change(Splice(len(self.lines), (), tuple(new)), INTERNAL)

    @contextmanager
    def step(self, label: str, origin: str) -> Iterator[None]:
        """Make all changes inside one undo step of its own, also in the middle of Insert mode.

        An exception inside takes the changes back, and redo does not know them.
        """
        self.undo.seal()
        before, known = self.undo.current, len(self.undo.steps)
        child = self.undo.steps[before].last_child
        saved = self._label, self._origin
        self._label, self._origin = label, origin
        try:
            yield
        except BaseException:
            if self.undo.current != before:
                # Cursors follow as they followed the changes: nobody puts the one of the current window.
                self._give_up(before, origin if origin in (AGENT, RELOAD) else UNDO)
                self.undo.forget(known, child)
            raise
        finally:
            self._label, self._origin = saved
            self.undo.seal()

    def _give_up(self, before: int, origin: str) -> None:
        """Take back all steps since the state `before`."""
        for step in self.undo.path_to(before)[0]:
            for splice in reversed(step.splices):
                self._change(splice.inverted(), origin)
            if step.marks is not None:
                self.marks.restore(step.marks)
            self.no_lines = step.empty_before
        self.undo.arrived(before)

    def undo_once(self) -> Walk | None:
        """Take the newest step back (`:help u`); `None` when there is none."""
        step = self.undo.undo()
        return None if step is None else self._take_back(step)

    def redo_once(self) -> Walk | None:
        """Apply the step again that was taken back last; `None` when there is none."""
        step = self.undo.redo()
        return None if step is None else self._apply_again(step)

    def go_to(self, number: int) -> list[Walk]:
        """Go to any state of the undo tree (`:help :undo`); return the steps walked, in order."""
        up, down = self.undo.path_to(number)
        cursor = self.cursor()
        walked = []
        for step in up:
            walked.append(self._take_back(step, cursor))
            cursor = walked[-1].cursor
        for step in down:
            walked.append(self._apply_again(step, cursor))
            cursor = walked[-1].cursor
        self.undo.arrived(number)
        return walked

    def _take_back(self, step: Step, cursor: Pos | None = None) -> Walk:
        self.no_lines = step.empty_before
        return self._walk(step, [splice.inverted() for splice in reversed(step.splices)], cursor)

    def _apply_again(self, step: Step, cursor: Pos | None = None) -> Walk:
        self.no_lines = step.empty_after
        line, col = step.cursor
        text = self.lines[line]
        walk = self._walk(step, list(step.splices), cursor)
        if walk.cursor != step.cursor or step.cursor.add:
            return walk
        # What Vim keeps of the column is the byte.
        return walk._replace(cursor=Pos(line, same_byte(text, self.lines[line], col)))

    def _walk(self, step: Step, splices: list[Splice], cursor: Pos | None) -> Walk:
        """Change the text by a step, in either direction, with the marks that go with it."""
        current = self.cursor() if cursor is None else cursor
        marks = self.marks.save()
        old_count = new_count = 0
        first, last = len(self.lines) - 1, -1
        for splice in splices:
            self._change(splice, UNDO)
            if splice.old or splice.new:
                self.marks.add_change(Pos(min(splice.line, len(self.lines) - 1), 0))
            added = len(splice.new) - len(splice.old)
            last += added if last >= splice.line + len(splice.old) else 0
            first = min(first, splice.line)
            last = max(last, splice.line + max(len(splice.new) - 1, 0))
            old_count, new_count = old_count + len(splice.old), new_count + len(splice.new)
        if step.marks is not None:
            self.marks.restore(step.marks)
        step.marks = marks
        end = len(self.lines) - 1
        self.marks.set_changed(Pos(min(first, end), 0), Pos(min(max(last, 0), end), 0))
        return Walk(step, landed(step.cursor, splices, current, self.lines), old_count, new_count)

    def _change(self, splice: Splice, origin: str, moves: Moves | None = None, *, joined: bool = False) -> None:
        line, old, new = splice
        self.lines[line : line + len(old)] = new
        self.tick += 1
        self.marks.follow(splice, moves, joined=joined)
        for listener in self.listeners:
            listener(self, splice, origin)

    def _note_line(self, splice: Splice, cursor: Pos) -> None:
        """Keep the text of a line before the first of several changes on it (`:help U`)."""
        if len(splice.old) == 1 and len(splice.new) == 1:
            if self.line_undo is None or self.line_undo[0] != splice.line:
                self.line_undo = (splice.line, splice.old[0], cursor.col if cursor.line == splice.line else 0)
        elif not splice.new:
            # Other changes of several lines leave it as it is, at the same line number.
            self.line_undo = None
