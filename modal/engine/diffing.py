"""Diff mode (`:help diff-mode`): which windows are compared, what that makes of their options, the comparison itself.

What differs is found in `view/differ.py`; the commands are in `ex/diffcmds.py`, the keys in `diffkeys.py`.
"""

from __future__ import annotations

import re
from typing import Any

from tpy.modal.editor import Editor
from tpy.modal.engine.folding import folds_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import Buffer
from tpy.modal.view.differ import MOST_TEXTS, Comparison, Side
from tpy.modal.view.window import Window

# What a window in diff mode has instead of its own options (`:help diff-mode`).
_OPTIONS: dict[str, Any] = {
    "diff": True, "scrollbind": True, "wrap": False, "foldmethod": "diff", "foldenable": True, "foldlevel": 0,
}  # fmt: skip
# Comparisons are kept up to this many.
_KEPT = 8


class DiffWindow:
    """What a window's diff mode is asked for (`window.extra["diff"]`): the comparison as its buffer sees it."""

    def __init__(self, editor: Editor, window: Window) -> None:
        self.editor = editor
        self.window = window

    def side(self) -> Side | None:
        """Return the comparison as it is now, `None` where nothing is compared with this window."""
        layout = next((tab for tab in self.editor.tabs if self.window in tab.windows()), None)
        if layout is None:
            return None
        buffers = compared(self.editor, layout.windows())
        if len(buffers) < 2 or self.window.buffer not in buffers:
            return None
        return _comparison(self.editor, buffers).side(buffers.index(self.window.buffer))


def compared(editor: Editor, windows: list[Window] | None = None) -> list[Buffer]:
    """Return the buffers that are compared in the windows (those of the current tab page), each once."""
    windows = editor.layout.windows() if windows is None else windows
    found = [window.buffer for window in windows if editor.option("diff", window)]
    return list(dict.fromkeys(found))[:MOST_TEXTS]


def side_of(editor: Editor, window: Window | None = None) -> Side | None:
    """Return the comparison as a window (the current one) sees it, `None` where it takes no part in one."""
    diff = (window or editor.window).extra.get("diff")
    return diff.side() if isinstance(diff, DiffWindow) else None


def words(editor: Editor) -> list[str]:
    """Return the items of `'diffopt'`."""
    return str(editor.options.values["diffopt"]).split(",")


def _comparison(editor: Editor, buffers: list[Buffer]) -> Comparison:
    """Return the comparison of the buffers' texts, made when one of them has changed."""
    kept: dict[object, Comparison] = editor.extra.setdefault("comparisons", {})
    how = [word for word in words(editor) if word.startswith("i")]
    key = (tuple((buffer.number, buffer.tick) for buffer in buffers), tuple(how))
    found = kept.pop(key, None)
    if found is None:
        texts = [buffer.lines for buffer in buffers]
        folded = [_folded(lines, how) for lines in texts] if set(how) & _FOLDING else None
        found = Comparison(texts, folded)
    kept[key] = found
    while len(kept) > _KEPT:
        del kept[next(iter(kept))]
    return found


_BLANKS = re.compile(r"[ \t]+")
_FOLDING = {"icase", "iwhite", "iwhiteall", "iwhiteeol"}


def _folded(lines: list[str], how: list[str]) -> list[str]:
    """Return the lines without what `'diffopt'` says is not to be compared."""
    folded = lines
    if "icase" in how:
        folded = [line.lower() for line in folded]
    if "iwhiteall" in how:
        folded = ["".join(line.split()) for line in folded]
    elif "iwhite" in how:
        folded = [_BLANKS.sub(" ", line).rstrip(" ") for line in folded]
    elif "iwhiteeol" in how:
        folded = [line.rstrip(" \t") for line in folded]
    return folded


def join(editor: Editor, window: Window) -> None:
    """Let a window take part, with the options of diff mode. Raises `CommandFailed` (E96)."""
    if window.buffer not in compared(editor) and len(compared(editor)) >= MOST_TEXTS:
        raise CommandFailed(f"E96: Cannot diff more than {MOST_TEXTS} buffers")
    if "diff-saved" not in window.extra:
        window.extra["diff-saved"] = {name: editor.option(name, window) for name in (*_OPTIONS, "foldcolumn")}
    window.options.update(_OPTIONS, foldcolumn=_fold_column(editor))
    if "followwrap" in words(editor):
        window.options["wrap"] = window.extra["diff-saved"]["wrap"]
    window.left = 0
    attend(editor, window)


def leave(editor: Editor, window: Window) -> None:
    """End a window's diff mode and give it its own options back."""
    saved = window.extra.pop("diff-saved", None)
    window.extra.pop("diff", None)
    if saved is None:
        window.options["diff"] = False
    else:
        if window.options.get("foldcolumn") != _fold_column(editor):
            del saved["foldcolumn"]  # another was set meanwhile
        window.options.update({**saved, "diff": False})
    if window.options.get("foldmethod") == "manual":
        window.extra.pop("folds", None)


def _fold_column(editor: Editor) -> int:
    """Return the width of the fold column that `'diffopt'` gives windows in diff mode, 2 where it names none."""
    named = [word.removeprefix("foldcolumn:") for word in words(editor) if word.startswith("foldcolumn:")]
    return min(int(named[-1]), 12) if named and named[-1].isdecimal() else 2


def attend(editor: Editor, window: Window) -> None:
    """Give a window with `'diff'` what asks for the comparison, take it from one without."""
    if not editor.option("diff", window):
        window.extra.pop("diff", None)
        return
    if not isinstance(window.extra.get("diff"), DiffWindow) or window.extra["diff"].window is not window:
        window.extra["diff"] = DiffWindow(editor, window)
    if editor.option("foldmethod", window) == "diff":
        folds_of(editor, window)


def follow_windows(editor: Editor) -> None:
    """Notice windows that enter and leave diff mode by options, by splitting and by closing."""

    def _changed(name: str, _value: object) -> None:
        if name in ("diff", "foldmethod"):
            attend(editor, editor.window)

    def _closed(_window: Window) -> None:
        if "closeoff" in words(editor):
            left = [window for window in editor.layout.windows() if editor.option("diff", window)]
            if len(left) == 1 and "diff-saved" in left[0].extra:
                leave(editor, left[0])

    editor.on("option-set", _changed)
    editor.on("window-entered", lambda window: attend(editor, window))
    editor.on("window-closed", _closed)
