"""Marks, the jump list and the change list, and how they follow changes (`:help mark-motions`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice

JUMPS_KEPT = 100

Selection = tuple[str, Pos, Pos, bool]
# Where text goes that is joined and broken anew: a place before to the place afterwards.
Moves = Callable[[Pos], Pos]


class Saved(NamedTuple):
    """The marks that undo brings back: `a`-`z` and the last Visual selection."""

    letters: dict[str, Pos]
    visual: Selection | None


class Joint(NamedTuple):
    """A line whose text becomes part of another line: `shift` is how far to the right, and `cut` is how many characters
    of its start go beyond those put in their place (Vim's `mark_col_adjust()`)."""

    line: int
    shift: int
    cut: int = 0

    def column(self, col: int) -> int:
        """Return where a column of the line is afterwards."""
        if self.shift < 0 and col <= -self.shift:
            return 0
        return self.shift + max(col, self.cut)


class Marks:
    """The marks of one buffer by character: `a`-`z`, `[ ] < > ^ . "`, with the change list.

    Lower-case marks and `'` vanish with their line; the others go to the nearest line that is left.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.named: dict[str, Pos] = {}
        self.changes: list[Pos] = []
        # Whether an undo step began since the last place was put on the change list: only then another is.
        self.new_step = True
        # Where the mark `'` was before the last jump.
        self.jumped_before: Pos | None = None
        # The last Visual selection for `gv`: kind ("v", "V", "<C-v>"), where it began, the cursor, `$` used.
        self.visual: Selection | None = None
        # Moves the places in this buffer that are kept elsewhere, as its text moves: file marks and jump lists.
        self.move_others: Callable[[Moves], None] = lambda moves: None

    def get(self, name: str) -> Pos | None:
        """Return where the mark is, `None` when it is not set."""
        return self.named.get(name)

    def set(self, name: str, pos: Pos) -> None:
        """Put the mark there."""
        self.named[name] = pos

    def note_jump(self, pos: Pos) -> None:
        """Put the mark `'` there; what it was can come back."""
        self.jumped_before = self.named.get("'")
        self.named["'"] = pos

    def forget_jump(self) -> None:
        """Give the mark `'` the place it had before the last jump, where that is not gone."""
        if self.jumped_before is not None:
            self.named["'"] = self.jumped_before

    def delete(self, name: str) -> None:
        """Forget the mark, set or not."""
        self.named.pop(name, None)

    def set_changed(self, start: Pos, end: Pos) -> None:
        """Set `'[` and `']`, the limits of the text that was changed or yanked last."""
        self.named["["], self.named["]"] = start, end

    def add_change(self, pos: Pos, textwidth: int = 79) -> None:
        """Put `pos` on the change list and in `'.`; a change close to the last one replaces it (`:help changelist`)."""
        self.named["."] = pos
        last = self.changes[-1] if self.changes else None
        if last is not None and (not self.new_step or (last.line == pos.line and abs(last.col - pos.col) < textwidth)):
            self.changes[-1] = pos
            return
        self.new_step = False
        self.changes.append(pos)
        del self.changes[:-JUMPS_KEPT]

    def save(self) -> Saved:
        """Return what an undo step keeps."""
        return Saved({name: pos for name, pos in self.named.items() if "a" <= name <= "z"}, self.visual)

    def restore(self, saved: Saved) -> None:
        """Put back the marks that an undo step kept; those set since stay."""
        self.named.update(saved.letters)
        if saved.visual is not None:
            self.visual = saved.visual

    def join(self, onto: int, joints: Sequence[Joint]) -> None:
        """Move the marks of lines that are about to be joined onto the line `onto`, but `'[` and `']`."""
        shifted = {joint.line: joint for joint in joints}
        last = joints[-1]

        def _moved(pos: Pos) -> Pos:
            joint = shifted.get(pos.line)
            return pos if joint is None else Pos(onto, joint.column(pos.col))

        def _kept(pos: Pos) -> Pos:
            # What stays when its line goes is by then in the last one.
            return _moved(Pos(last.line, pos.col) if onto < pos.line < last.line and pos.line not in shifted else pos)

        self.move(_moved, _kept)
        self.move_others(_kept)

    def places(self) -> list[Pos]:
        """Return where all marks are that `move` moves."""
        found: list[Pos] = []

        def _noted(pos: Pos) -> Pos:
            found.append(pos)
            return pos

        self.move(_noted)
        return found

    def move(self, moves: Moves, kept: Moves | None = None) -> None:
        """Move all marks but `'[` and `']` with their text; `kept` moves those that stay when their line goes."""
        kept = kept or moves
        self.named = {name: pos if name in "[]" else moves(pos) for name, pos in self.named.items()}
        self.changes = [kept(pos) for pos in self.changes]
        if self.jumped_before is not None:
            self.jumped_before = moves(self.jumped_before)
        if self.visual is not None:
            kind, start, end, dollar = self.visual
            self.visual = (kind, kept(start), kept(end), dollar)

    def _keep_bytes(self, splice: Splice, joined: bool) -> None:
        """Keep marks at their byte in lines that are others now: beside ASCII that is another character; where lines
        were `joined`, those in the first one have been moved already."""
        line, old, new = splice
        if len(old) == len(new) == 1 and old[0].isascii() and new[0].isascii():
            return
        following = line + len(new)
        # Marks that stay when their lines go are in the line behind then.
        behind = self.lines[following] if len(old) > len(new) and following < len(self.lines) else None

        def _moved(pos: Pos) -> Pos:
            at = pos.line - line
            if not joined <= at < len(old):
                return pos
            text = new[at] if at < len(new) else behind
            return pos if text is None else Pos(pos.line, same_byte(old[at], text, pos.col))

        self.move(_moved)
        self.move_others(_moved)

    def follow(self, splice: Splice, moves: Moves | None = None, *, joined: bool = False) -> None:
        """Move every mark as the splice moved its line; the marks in its lines as `moves` says, where that is given.

        `joined`: the splice joins lines, and `join` was told.
        """
        if moves is not None:
            first, beyond, added = splice.line, splice.line + len(splice.old), len(splice.new) - len(splice.old)
            self.move(
                lambda pos: (
                    pos
                    if pos.line < first
                    else moves(pos)
                    if pos.line < beyond
                    else pos._replace(line=pos.line + added)
                )
            )
            return
        self._keep_bytes(splice, joined)
        if len(splice.old) == len(splice.new):
            return
        for name, pos in list(self.named.items()):
            moved = splice.shift(pos.line)
            if moved is not None:
                self.named[name] = Pos(moved, pos.col)
            elif "a" <= name <= "z" or name in "'^":
                del self.named[name]
            else:
                self.named[name] = Pos(max(splice.line + len(splice.new) - 1, 0), pos.col)
        if self.jumped_before is not None:
            moved = splice.shift(self.jumped_before.line)
            self.jumped_before = None if moved is None else Pos(moved, self.jumped_before.col)
        self.changes = follow_list(self.changes, splice)
        if self.visual is not None:
            kind, start, end, dollar = self.visual
            self.visual = (kind, follow_kept(start, splice), follow_kept(end, splice), dollar)


def same_byte(old: str, new: str, col: int) -> int:
    """Return the column of the character in one text at the byte where the character at a column of another is."""
    head = old[:col]
    if head.isascii() and new[:col].isascii():
        return col
    size = len(head.encode("utf-8", "surrogateescape")) + col - len(head)
    raw = new.encode("utf-8", "surrogateescape")
    return len(raw[:size].decode("utf-8", "ignore")) + max(size - len(raw), 0)


def follow_nearest(pos: Pos, splice: Splice) -> Pos:
    """Return `pos` moved by the splice; on a deleted line it goes to the line before."""
    moved = splice.shift(pos.line)
    return Pos(max(splice.line + len(splice.new) - 1, 0) if moved is None else moved, pos.col)


def follow_kept(pos: Pos, splice: Splice) -> Pos:
    """Return `pos` moved by the splice; on a deleted line it goes to the line behind, which need not be there."""
    moved = splice.shift(pos.line)
    return Pos(splice.line + len(splice.new) if moved is None else moved, pos.col)


def follow_list(places: list[Pos], splice: Splice) -> list[Pos]:
    """Return all `places` moved by the splice."""
    return [follow_kept(pos, splice) for pos in places]


class Jumps:
    """The jump list of one window (`:help jumplist`): places as (buffer number, Pos), oldest first."""

    def __init__(self) -> None:
        self.places: list[tuple[int, Pos]] = []
        self.index = 0

    def push(self, buffer: int, pos: Pos) -> None:
        """Add the place a jump starts from."""
        self.places.append((buffer, pos))
        del self.places[:-JUMPS_KEPT]
        self.index = len(self.places)

    def tidy(self) -> None:
        """Keep only the newest entry of each line, as Vim does before the list is used or shown."""
        newest = {(buffer, pos.line): at for at, (buffer, pos) in enumerate(self.places)}
        kept = [at for at, (buffer, pos) in enumerate(self.places) if newest[buffer, pos.line] == at]
        self.index = sum(at < self.index for at in kept)
        self.places = [self.places[at] for at in kept]

    def can_go(self, count: int) -> bool:
        """Whether there is a place `count` entries newer (negative: older)."""
        self.tidy()
        return bool(self.places) and 0 <= self.index + count < len(self.places)

    def go(self, count: int) -> tuple[int, Pos] | None:
        """Go to the place `count` entries newer (negative: older); `None` when there is none."""
        if not 0 <= self.index + count < len(self.places):
            return None
        self.index += count
        return self.places[self.index]

    def follow(self, buffer: int, splice: Splice) -> None:
        """Move the places of that buffer as the splice moved their lines."""
        if len(splice.old) != len(splice.new):
            self.places = [(b, follow_kept(p, splice) if b == buffer else p) for b, p in self.places]
