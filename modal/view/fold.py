"""`Fold`: a range of lines that is open or closed, with folds inside. The tree of them is in `folds.py`."""

from __future__ import annotations

OPEN, CLOSED, LEVEL = "open", "closed", "level"


class Fold:
    """Lines `first` to `last`, both included, with folds inside. `state` is `OPEN`, `CLOSED`, or `LEVEL`: closed
    where it lies deeper than `foldlevel`, as all folds inside it then do."""

    __slots__ = ("children", "first", "last", "state")

    def __init__(self, first: int, last: int, state: str, children: list[Fold] | None = None) -> None:
        self.first = first
        self.last = last
        self.state = state
        self.children: list[Fold] = children or []


def copied(folds: list[Fold]) -> list[Fold]:
    """Return folds of their own that are as these."""
    return [Fold(fold.first, fold.last, fold.state, copied(fold.children)) for fold in folds]


def without(folds: list[Fold], first: int, last: int) -> list[Fold]:
    """Return the folds after the lines `first` to `last` were deleted."""
    gone = last - first + 1
    left = []
    for fold in folds:
        if fold.last >= first:
            if fold.first >= first and fold.last <= last:
                continue
            if fold.first > last:
                shift([fold], fold.first, -gone)
            else:
                fold.children = without(fold.children, first, last)
                if fold.last <= last:
                    fold.last = first - 1
                elif fold.first >= first:
                    fold.first, fold.last = first, fold.last - gone
                else:
                    fold.last -= gone
        left.append(fold)
    return left


def shift(folds: list[Fold], line: int, amount: int) -> None:
    """Move what is at `line` or below it by an amount of lines."""
    for fold in folds:
        if fold.last >= line:
            shift(fold.children, line, amount)
            fold.last += amount
            if fold.first >= line:
                fold.first += amount
