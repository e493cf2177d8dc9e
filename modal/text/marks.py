"""Marks, the jump list and the change list, and how they follow changes (`:help mark-motions`)."""

from __future__ import annotations

from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice

JUMPS_KEPT = 100


class Marks:
    """The marks of one buffer by character: `a`-`z`, `[ ] < > ^ . "`, with the change list.

    Lower-case marks vanish with their line; the others go to the nearest line that is left.
    """

    def __init__(self) -> None:
        self.named: dict[str, Pos] = {}
        self.changes: list[Pos] = []
        # The last Visual selection for `gv`: kind ("v", "V", "<C-v>"), where it began, the cursor, `$` used.
        self.visual: tuple[str, Pos, Pos, bool] | None = None

    def get(self, name: str) -> Pos | None:
        """Return where the mark is, `None` when it is not set."""
        return self.named.get(name)

    def set(self, name: str, pos: Pos) -> None:
        """Put the mark there."""
        self.named[name] = pos

    def delete(self, name: str) -> None:
        """Forget the mark, set or not."""
        self.named.pop(name, None)

    def set_changed(self, start: Pos, end: Pos) -> None:
        """Set `'[` and `']`, the limits of the text that was changed or yanked last."""
        self.named["["], self.named["]"] = start, end

    def add_change(self, pos: Pos, textwidth: int = 79) -> None:
        """Put `pos` on the change list and in `'.`; a change close to the last one replaces it (`:help changelist`)."""
        self.named["."] = pos
        if self.changes and self.changes[-1].line == pos.line and abs(self.changes[-1].col - pos.col) < textwidth:
            self.changes[-1] = pos
            return
        self.changes.append(pos)
        del self.changes[:-JUMPS_KEPT]

    def follow(self, splice: Splice) -> None:
        """Move every mark as the splice moved its line."""
        if len(splice.old) == len(splice.new):
            return
        for name, pos in list(self.named.items()):
            moved = splice.shift(pos.line)
            if moved is not None:
                self.named[name] = Pos(moved, pos.col)
            elif "a" <= name <= "z":
                del self.named[name]
            else:
                self.named[name] = Pos(max(splice.line + len(splice.new) - 1, 0), pos.col)
        self.changes = follow_list(self.changes, splice)
        if self.visual is not None:
            kind, start, end, dollar = self.visual
            self.visual = (kind, follow_nearest(start, splice), follow_nearest(end, splice), dollar)


def follow_nearest(pos: Pos, splice: Splice) -> Pos:
    """Return `pos` moved by the splice; on a deleted line it goes to the line that took its place."""
    moved = splice.shift(pos.line)
    return Pos(max(splice.line + len(splice.new) - (1 if splice.new else 0), 0) if moved is None else moved, pos.col)


def follow_list(places: list[Pos], splice: Splice) -> list[Pos]:
    """Return all `places` moved by the splice."""
    return [follow_nearest(pos, splice) for pos in places]


class Jumps:
    """The jump list of one window (`:help jumplist`): places as (buffer number, Pos), oldest first."""

    def __init__(self) -> None:
        self.places: list[tuple[int, Pos]] = []
        self.index = 0

    def push(self, buffer: int, pos: Pos) -> None:
        """Add the place a jump starts from; an older entry of the same line goes."""
        self.places = [p for p in self.places if not (p[0] == buffer and p[1].line == pos.line)]
        self.places.append((buffer, pos))
        del self.places[:-JUMPS_KEPT]
        self.index = len(self.places)

    def go(self, count: int, buffer: int, pos: Pos) -> tuple[int, Pos] | None:
        """Return the place `count` entries newer (negative: older), `None` when there is none."""
        if count < 0 and self.index >= len(self.places):
            self.push(buffer, pos)
            self.index = len(self.places) - 1
        target = self.index + count
        if not 0 <= target < len(self.places):
            return None
        self.index = target
        return self.places[target]

    def follow(self, buffer: int, splice: Splice) -> None:
        """Move the places of that buffer as the splice moved their lines."""
        if len(splice.old) != len(splice.new):
            self.places = [(b, follow_nearest(p, splice) if b == buffer else p) for b, p in self.places]
