"""The folds of a window: nested ranges of lines, open or closed (`:help folding`).

`Folds` is what `window.extra["folds"]` holds. How folds come about from indent or markers is in `foldlevels.py`;
the keys are in `engine/foldcmds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.splice import Splice
from tpy.modal.view.differ import Side
from tpy.modal.view.fold import CLOSED, LEVEL, OPEN, Fold, shift, without
from tpy.modal.view.foldlevels import IndentLevels, has_marker, marker_folds


def find(folds: list[Fold], line: int) -> tuple[int, bool]:
    """Return the index of the fold that holds the line and `True`, else that of the next one below and `False`."""
    low, high = 0, len(folds)
    while low < high:
        middle = (low + high) // 2
        if folds[middle].last < line:
            low = middle + 1
        else:
            high = middle
    return low, low < len(folds) and folds[low].first <= line


class Folds:
    """All folds of a window on one buffer; `option` reads the window's fold options.

    Folds by indent and markers are made when they are asked for, after a change only those around it.
    """

    def __init__(self, buffer: Buffer, option: Callable[[str], object]) -> None:
        self.buffer = buffer
        self.option = option
        # In diff mode: what gives the comparison, and how many lines around a change are in no fold.
        self.diff: Callable[[], tuple[Side | None, int]] = lambda: (None, 0)
        # How many rows a line takes on the screen where it is in no closed fold.
        self.rows: Callable[[int], int] = lambda line: 1
        self._roots: list[Fold] = []
        # What the folds were made from, and the lines changed since.
        self._made: tuple[object, ...] = ("manual",)
        self._changed: tuple[int, int] | None = None
        # Whether some folds do not follow `foldlevel` any more.
        self.manual = False

    @property
    def roots(self) -> list[Fold]:
        """The outermost folds, first to last."""
        method = self.option("foldmethod")
        if method == "diff":
            self._make_from((method, *self.diff()))
        elif method not in ("indent", "marker"):
            self._made = ("manual",)
        elif method == "marker":
            self._make((method, self.option("foldmarker")))
        else:
            self._make((method, self.option("shiftwidth"), self.option("tabstop")))
        return self._roots

    @roots.setter
    def roots(self, folds: list[Fold]) -> None:
        """Put other folds in the place of all there are."""
        self._roots = folds

    def _make_from(self, source: tuple[str, Side | None, int]) -> None:
        """Make folds of what is the same in all texts of a comparison, where that has changed."""
        if source == self._made:
            return
        side, context = source[1:]
        folds = [Fold(first, last, LEVEL) for first, last in side.equal_ranges(context)] if side is not None else []
        _keep_states(self._roots, folds)
        self._roots, self._made, self._changed = folds, source, None

    def _make(self, source: tuple[object, ...]) -> None:
        """Make folds from the text, where that or an option has changed."""
        if source == self._made and self._changed is None:
            return
        lines = self.buffer.lines
        first, last = 0, len(lines) - 1
        if source[0] == "marker":
            folds = marker_folds(lines, str(source[1]))
        else:
            levels = IndentLevels(lines, self._number("shiftwidth"), self._number("tabstop"))
            if source == self._made and self._changed is not None:
                first, last = levels.region(min(self._changed[0], last), min(self._changed[1], last))
            folds = levels.folds(first, last)
        begin = find(self._roots, first)[0]
        end, inside = find(self._roots, last)
        old = self._roots[begin : end + inside]
        _keep_states(old, folds)
        self._roots[begin : end + inside] = folds
        self._made, self._changed = source, None

    # Questions

    def _number(self, name: str) -> int:
        value = self.option(name)
        assert isinstance(value, int)
        return value

    def _small(self, fold: Fold, least: int) -> bool:
        """Whether a fold takes no more than `least` rows, so that it is shown open (`:help 'foldminlines'`)."""
        if fold.last - fold.first >= least:
            return False
        return sum(self.rows(line) for line in range(fold.first, fold.last + 1)) <= least

    def path(self, line: int) -> Iterator[tuple[Fold, bool, int]]:
        """Yield the folds over a line, outermost first, with whether each is closed and its level."""
        folds, by_level, level = self.roots, False, 0
        limit, least = self._number("foldlevel"), self._number("foldminlines")
        while True:
            index, inside = find(folds, line)
            if not inside:
                return
            fold = folds[index]
            by_level = by_level or fold.state == LEVEL
            closed = level >= limit if by_level else fold.state == CLOSED
            yield fold, closed and not self._small(fold, least), level
            folds, level = fold.children, level + 1

    def closed(self, line: int) -> tuple[int, int] | None:
        """Return the first and last line of the outermost closed fold over a line, `None` without one."""
        if not self.roots or not self.option("foldenable"):
            return None
        for fold, closed, _ in self.path(line):
            if closed:
                return fold.first, fold.last
        return None

    def over(self, line: int) -> list[Fold]:
        """Return the folds over a line, outermost first."""
        return [fold for fold, _, _ in self.path(line)]

    def level(self, line: int) -> int:
        """Return how many folds lie over a line."""
        return sum(1 for _ in self.path(line))

    def deepest(self) -> int:
        """Return how deep folds are nested."""

        def _depth(folds: list[Fold]) -> int:
            return max((1 + _depth(fold.children) for fold in folds), default=0)

        return _depth(self.roots)

    def move(self, line: int, *, forward: bool, beside: bool) -> int:
        """Return the line that `zj`, `zk` (`beside`) or `]z`, `[z` goes to from `line`; `line` where there is none."""
        folds, found = self.roots, line
        by_level, level = False, 0
        limit, least = self._number("foldlevel"), self._number("foldminlines")
        while folds:
            index, inside = find(folds, line)
            last = not inside
            if last:
                if not beside or (index >= len(folds) if forward else index == 0):
                    break
                if forward:
                    index -= 1
            else:
                fold = folds[index]
                by_level = by_level or fold.state == LEVEL
                closed = level >= limit if by_level else fold.state == CLOSED
                last = closed and not self._small(fold, least)
                if last and not beside:
                    break
            if beside and forward and index + 1 < len(folds):
                found = folds[index + 1].first if folds[index + 1].first > line else found
            elif beside and not forward and index > 0:
                found = folds[index - 1].last if folds[index - 1].last < line else found
            elif not beside:
                fold = folds[index]
                if forward and fold.last > line:
                    found = fold.last
                elif not forward and fold.first < line:
                    found = fold.first
            if last:
                break
            folds, level = folds[index].children, level + 1
        return found

    # Opening and closing

    def set(self, line: int, *, opening: bool, recurse: bool) -> tuple[bool, bool]:
        """Open or close a fold at a line; return whether there is one and whether anything was done."""
        folds, by_level, level = self.roots, False, 0
        limit = self._number("foldlevel")
        deepest: Fold | None = None
        found = done = False
        while True:
            index, inside = find(folds, line)
            if not inside:
                break
            fold = folds[index]
            found = True
            if by_level or fold.state == LEVEL:
                by_level = True
                fold.state = CLOSED if level >= limit else OPEN
                for child in fold.children:
                    child.state = LEVEL
            if not opening and recurse:
                done = done or fold.state != CLOSED
                fold.state = CLOSED
            elif fold.state == CLOSED:
                if opening:
                    fold.state, done = OPEN, True
                    if recurse:
                        self._open_all(fold.children)
                break
            deepest = fold
            folds, level = fold.children, level + 1
        if found:
            if not opening and deepest is not None:
                deepest.state, done = CLOSED, True
            self.manual = True
        return found, done

    def _open_all(self, folds: list[Fold]) -> None:
        for fold in folds:
            fold.state = OPEN
            self._open_all(fold.children)

    def open_line(self, line: int) -> None:
        """Open all folds that hide a line (`:help zv`)."""
        while self.set(line, opening=True, recurse=False)[1]:
            pass

    def use_level(self) -> None:
        """Let all folds follow `foldlevel` again."""
        for fold in self.roots:
            fold.state = LEVEL
        self.manual = False

    # Making and deleting

    def create(self, first: int, last: int) -> None:
        """Make a closed fold over the lines (`:help zf`)."""
        folds, by_level, closed, level = self.roots, False, False, 0
        limit = self._number("foldlevel")
        index = 0
        while True:
            index, inside = find(folds, first)
            if (
                not inside
                or (folds[index].last <= last and folds[index].first != first)
                or not (inside and folds[index].last >= last)
            ):
                break
            outer = folds[index]
            by_level = by_level or outer.state == LEVEL
            closed = closed or (level >= limit if by_level else outer.state == CLOSED)
            folds, level = outer.children, level + 1
        count = 0
        while index + count < len(folds) and folds[index + count].first <= last:
            count += 1
        inner = folds[index : index + count]
        if inner:
            first, last = min(first, inner[0].first), max(last, inner[-1].last)
        fold = Fold(first, last, CLOSED, inner)
        folds[index : index + count] = [fold]
        if by_level and not closed and level < limit:
            self.set(first, opening=False, recurse=False)
        if not by_level:
            self.manual = True
        fold.state = CLOSED

    def delete(self, first: int, last: int, *, recurse: bool) -> bool:
        """Delete the deepest visible fold at each of the lines; `False` where there is none (`:help zd`)."""
        done = False
        line = first
        while line <= last:
            folds = self.roots
            home: list[Fold] | None = None
            for fold, closed, _ in self.path(line):
                home, found = folds, fold
                if closed:
                    break
                folds = fold.children
            if home is None:
                line += 1
                continue
            line = found.last + 1
            if found.state == LEVEL:
                for child in found.children:
                    child.state = LEVEL
            at = home.index(found)
            home[at : at + 1] = [] if recurse else found.children
            done = True
        return done

    def clear(self) -> None:
        """Delete all folds."""
        self._roots = []

    # Following changes

    def follow(self, splice: Splice) -> None:
        """Move the folds as a splice moved their lines."""
        removed, added = len(splice.old), len(splice.new)
        if removed > added:
            self._roots = without(self._roots, splice.line + added, splice.line + removed - 1)
        elif added > removed:
            shift(self._roots, splice.line + removed, added - removed)
        if self._made[0] == "manual":
            return
        if self._made[0] == "marker" and removed == added:
            marker = str(self._made[1])
            if not any(has_marker(text, marker) for text in (*splice.old, *splice.new)):
                return
        first, last = splice.line, splice.line + added
        if self._changed is not None:
            first, last = min(first, self._changed[0]), max(last, self._changed[1] + added - removed)
        self._changed = (first, last)


def _keep_states(old: list[Fold], new: list[Fold]) -> None:
    """Let folds that begin where others of that level did be open or closed as those."""
    states = {fold.first: fold for fold in old}
    for fold in new:
        known = states.get(fold.first)
        if known is not None:
            fold.state = known.state
            _keep_states(known.children, fold.children)
