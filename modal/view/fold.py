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
