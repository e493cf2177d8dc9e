"""Telling of what lasts: its name and how far it is, in the message line while it runs, and how it is stopped.

No screen here: `show` draws. Who works long says what in `of` and how far it is in `at`; whoever asks whether the user
wants to stop calls `tick`, because that is done often and at moments at which nothing is half done.
"""

from __future__ import annotations

from collections.abc import Callable

# Seconds after which what lasts is told, and after which it is told again.
AFTER, EVERY = 0.5, 0.1


class Interrupted(Exception):
    """The user stopped what runs (`<C-c>`)."""


class Progress:
    """What is being done. `clock` gives seconds; `show` draws a line of text, `stop` says whether the user wants to
    stop."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.show: Callable[[str], None] = lambda text: None
        self.stop: Callable[[], bool] = lambda: False
        self._depth = 0
        self._what = ""
        self._done = self._total = 0
        self._next = 0.0

    def of(self, what: str = "") -> _Part:
        """Name what is done inside the block, such as `Reading "x"`. Only that of which it is part is told, where that
        has a name."""
        return _Part(self, what)

    def begin(self, what: str = "") -> bool:
        """Begin something, which `end` is to end; whether it is what is told."""
        named = bool(what) and not self._what
        if not self._depth:
            self._next = self.clock() + AFTER
        if named:
            self._what, self._done, self._total = what, 0, 0
        self._depth += 1
        return named

    def end(self, named: bool = False) -> None:
        """End what was begun; `named` is what `begin` said."""
        self._depth -= 1
        if named:
            self._what = ""

    def at(self, done: int, total: int) -> None:
        """Say how far it is, in whatever unit; a `total` of 0 says nothing. Raises `Interrupted` where the user wants
        to stop."""
        if total:
            self._done, self._total = done, total
        if self.stop():
            raise Interrupted

    def tick(self) -> None:
        """Tell of it where it has lasted for long enough."""
        if not self._depth or (now := self.clock()) < self._next:
            return
        self._next = now + EVERY
        far = f" {min(100 * self._done // self._total, 100)}%" if self._what and self._total else ""
        self.show(f"{self._what or 'Working'}…{far} (<C-c> stops)")


class _Part:
    """A block in which something is done."""

    __slots__ = ("_named", "_progress", "_what")

    def __init__(self, progress: Progress, what: str) -> None:
        self._progress, self._what = progress, what

    def __enter__(self) -> None:
        self._named = self._progress.begin(self._what)

    def __exit__(self, *_: object) -> None:
        self._progress.end(self._named)
