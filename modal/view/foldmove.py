"""Folds whose lines are moved elsewhere in the text (`:help :move`)."""

from __future__ import annotations

from tpy.modal.view.fold import Fold, copied, shift, without


def moved_folds(folds: list[Fold], first: int, last: int, target: int) -> list[Fold]:
    """Return the folds after the lines `first` to `last` were moved below the line `target` (-1: above all)."""
    folds = copied(folds)
    if target < first:
        # The lines between go down past them instead.
        return _move_down(folds, target + 1, first - 1, last)
    return _move_down(folds, first, last, target)


def _move_down(folds: list[Fold], first: int, last: int, target: int) -> list[Fold]:
    """Move lines below a line under them: folds inside go along, those that hold only some of the lines are cut."""
    size, way = last - first + 1, target - last
    left: list[Fold] = []
    gone: list[Fold] = []
    for fold in folds:
        if fold.last < first or fold.first > target:
            left.append(fold)
        elif fold.first < first:
            left.append(_around(fold, first, last, target))
        elif fold.first <= last and fold.last > target:
            # It begins in the lines that go and ends behind where they go to.
            fold.children = without(fold.children, last + 1, target)
            fold.first += way
            shift(fold.children, 0, way)
            left.append(fold)
        elif fold.first <= last:
            _cut(fold, last)
            shift([fold], 0, way)
            gone.append(fold)
        else:
            _cut(fold, target)
            shift([fold], 0, -size)
            left.append(fold)
    return sorted(left + gone, key=lambda fold: fold.first)


def _around(fold: Fold, first: int, last: int, target: int) -> Fold:
    """Change a fold that begins above the lines that move."""
    if fold.last > target:
        fold.children = _move_down(fold.children, first, last, target)
    elif fold.last > last:
        fold.children = without(fold.children, first, last)
        fold.last -= last - first + 1
    else:
        _cut(fold, first - 1)
    return fold


def _cut(fold: Fold, last: int) -> None:
    """Let a fold end at a line where it goes on behind it."""
    if fold.last > last:
        fold.children = without(fold.children, last + 1, fold.last)
        fold.last = last
