"""What a match may ask about the editor, and how it is told to stop.

Lives here: `PatternContext`, `SearchStopped`. Not here: matching.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class SearchStopped(Exception):
    """The search was interrupted; nothing was found out."""

    def __init__(self) -> None:
        super().__init__("Interrupted")


class VisualArea(NamedTuple):
    """The last Visual area: both ends inclusive, 0-based, in order. `kind` is `v`, `V` or `<C-v>`.

    `columns` are the first and last screen column (0-based) of a block; the last one is None after `$`.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    kind: str = "v"
    columns: tuple[int, int | None] = (0, None)


class PatternContext(NamedTuple):
    """The cursor, Visual area and marks (0-based), `tabstop` for `\\%v`, and the stop signal.

    `stop` is asked every few thousand steps; when it answers True the search ends with SearchStopped.
    `mark(name)` gives (line, col), None when not set.
    """

    cursor: tuple[int, int] | None = None
    visual: VisualArea | None = None
    mark: Callable[[str], tuple[int, int] | None] | None = None
    tabstop: int = 8
    stop: Callable[[], bool] | None = None

    def check(self) -> None:
        """Raise SearchStopped when the search shall end."""
        if self.stop is not None and self.stop():
            raise SearchStopped


Lines = Sequence[str]
