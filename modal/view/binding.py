"""Windows that scroll together (`:help scroll-binding`), and whose cursors do in diff mode (`:help cursor-binding`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tpy.modal.text.position import Pos, clamp
from tpy.modal.view.differ import Side
from tpy.modal.view.layout import Layout
from tpy.modal.view.window import Window

OptionOf = Callable[[str, Window], Any]


class _Seen(NamedTuple):
    """What a window showed when it was looked at last, and the top line it would have if it had all lines."""

    top: int
    filler: tuple[int, int] | None
    line: int
    wanted: int


def bind(layout: Layout, option: OptionOf) -> None:
    """Let the other windows of a tab page that have `'scrollbind'` scroll as the current one did since last time."""
    current = layout.current
    if not option("scrollbind", current):
        current.extra.pop("bound", None)
        return
    bound = [window for window in layout.windows() if option("scrollbind", window)]
    before: _Seen | None = current.extra.get("bound")
    now = (current.top, current.filler, current.cursor.line)
    if before is None or len(bound) == 1:
        moved = 0
    elif before[:3] == now:
        return
    else:
        moved = current.top - before.top
    side = _side(current)
    for window in bound:
        seen: _Seen | None = window.extra.get("bound")
        wanted = (seen.wanted if seen is not None else window.top) + moved
        other = _side(window) if window is not current else None
        if side is not None and other is not None and other.comparison is side.comparison:
            _beside(current, side, window, other)
            wanted = window.top
        elif window is not current and moved:
            window.top = min(max(wanted, 0), len(window.buffer.lines) - 1)
            _keep_cursor(window, min(max(window.cursor.line, window.top), window.top + max(window.height, 1) - 1))
        window.extra["bound"] = _Seen(window.top, window.filler, window.cursor.line, wanted)


def _side(window: Window) -> Side | None:
    diff: Any = window.extra.get("diff")
    return diff.side() if diff is not None else None


def _beside(current: Window, side: Side, window: Window, other: Side) -> None:
    """Show in a window the lines that stand beside those of the current one, with the cursor in the same line."""
    shown = side.fillers.get(current.top, 0)
    if shown and current.filler is not None and current.filler[0] == current.top:
        shown = min(current.filler[1], shown)
    top, filler = other.place_of(side.row_of(current.top, shown))
    window.top = min(top, len(window.buffer.lines) - 1)
    window.filler = (window.top, filler)
    _keep_cursor(window, side.comparison.corresponding(side.index, current.cursor.line, other.index))


def _keep_cursor(window: Window, line: int) -> None:
    """Put the cursor in a line, and keep the window from being scrolled to show it."""
    if line != window.cursor.line:
        window.cursor = clamp(Pos(line, window.cursor.col), window.buffer.lines)
    window.extra["free"] = window.cursor
