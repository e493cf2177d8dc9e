"""What is left of a bug: the traceback in a log of the user's state directory, and how many there were lately."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable

from tpy.modal.text.places import state_directory


class CrashLog:
    """The log `tpy.log`, mode 0600. `limit` bugs within a second are too many to go on with."""

    def __init__(self, clock: Callable[[], float], *, limit: int = 3, path: str | None = None) -> None:
        self._clock = clock
        self._limit = limit
        self.path = os.fspath(path or os.path.join(state_directory(), "tpy.log"))
        self._recent: deque[float] = deque(maxlen=limit)

    def note(self, error: BaseException) -> bool:
        """Log a bug; `True` when there were too many lately. A log that can't be written is no second bug."""
        import traceback

        self._write("".join(traceback.format_exception(error)))
        self._recent.append(self._clock())
        return len(self._recent) == self._limit and self._recent[-1] - self._recent[0] < 1.0

    def _write(self, text: str) -> None:
        stamp = time.strftime("%Y-%m-%d %H:%M:%S")
        try:
            os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with open(descriptor, "a", encoding="utf-8", errors="backslashreplace") as log:
                log.write(f"{stamp} Python {sys.version.split()[0]}\n{text}\n")
        except OSError:
            pass


def one_line(error: BaseException) -> str:
    """Return a bug as a message of one line."""
    return f"internal error: {type(error).__name__}: {error}".split("\n")[0]
