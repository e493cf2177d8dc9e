"""Which processes live, for tests that nothing is left behind. Linux (`/proc`)."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path


def alive(pids: Iterable[int]) -> list[int]:
    """Which of the processes still run; what has ended and only waits to be collected does not count."""
    running = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state not in "ZX":
            running.append(pid)
    return running


def left_after(pids: Iterable[int], seconds: float = 6.0) -> list[int]:
    """Which of the processes still run when the time is over; returns as soon as none does."""
    pids = list(pids)
    deadline = time.monotonic() + seconds
    while alive(pids) and time.monotonic() < deadline:
        time.sleep(0.01)
    return alive(pids)


def with_argument(text: str) -> list[int]:
    """The processes that have `text` in their command line, wherever they hang in the tree."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text in entry.read_bytes().decode("utf-8", "replace"):
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found
