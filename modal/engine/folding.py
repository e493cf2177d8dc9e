"""Folds as commands meet them: the window's folds, opening them where the cursor goes, moving over closed ones.

The tree itself is `view/folds.py`; the keys that open and close are in `foldcmds.py`.
"""

from __future__ import annotations

from tpy.modal.editor import Editor
from tpy.modal.engine.context import Context, shown_tabstop
from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import Pos
from tpy.modal.text.width import column_of
from tpy.modal.view.differ import Side
from tpy.modal.view.display import Geometry
from tpy.modal.view.folds import Folds
from tpy.modal.view.window import Window


def folds_of(editor: Editor, window: Window | None = None) -> Folds:
    """Return the folds of a window (the current one), made where it has none yet."""
    window = window or editor.window
    folds = window.extra.get("folds")
    if not isinstance(folds, Folds):
        if window.want is None and window.noted is None:
            # In a closed fold the cursor is shown in the first column; before it was where it is.
            line, col = window.cursor
            text = window.buffer.lines[line]
            window.noted = (window.cursor, column_of(text, col, shown_tabstop(editor, window)))
        folds = Folds(window.buffer, lambda name: editor.option(name, window))
        folds.diff = lambda: _compared(editor, window)
        folds.rows = lambda line: _rows(editor, window, line)
        window.extra["folds"] = folds
    return folds


def _rows(editor: Editor, window: Window, line: int) -> int:
    """Return how many rows a line takes, whatever folds there are."""
    geometry = Geometry(window, lambda name: editor.option(name, window))
    geometry.folds, geometry.wrap = None, True
    return geometry.text_rows(line)


def _compared(editor: Editor, window: Window) -> tuple[Side | None, int]:
    """Return a window's comparison in diff mode and how many lines around changes are in no fold."""
    diff = window.extra.get("diff")
    words = str(editor.options.values["diffopt"]).split(",")
    context = next((int(word[8:]) for word in words if word.startswith("context:") and word[8:].isdigit()), 6)
    return (diff.side() if diff is not None else None), max(context, 1)


def check_folding(editor: Editor, *, deleting: bool = False) -> None:
    """Raise `CommandFailed` (E350, E351) where folds cannot be made or deleted by hand."""
    if editor.option("foldmethod", editor.window) not in ("manual", "marker"):
        number, verb = ("E351", "delete") if deleting else ("E350", "create")
        raise CommandFailed(f"{number}: Cannot {verb} fold with current 'foldmethod'")


def follow_options(editor: Editor) -> None:
    """Have windows make their folds from the text where `foldmethod` says so."""

    def _option_set(name: str, _value: object) -> None:
        if name == "foldmethod":
            _make(editor.window)
        elif name == "foldlevel" and isinstance(folds := editor.window.extra.get("folds"), Folds) and folds.manual:
            folds.use_level()

    def _make(window: Window) -> None:
        if editor.option("foldmethod", window) in ("indent", "marker"):
            folds_of(editor, window)

    editor.on("option-set", _option_set)
    editor.on("window-entered", _make)


def open_for(ctx: Context, reason: str, line: int | None = None) -> None:
    """Open the folds over a line (the cursor's) where `foldopen` names the reason and the key was typed."""
    if "folds" not in ctx.window.extra or not ctx.engine.key_typed:
        return
    if reason in ctx.text("foldopen").split(","):
        folds_of(ctx.editor, ctx.window).open_line(ctx.cursor.line if line is None else line)


def take_folds(editor: Editor) -> None:
    """Stretch the Visual selection over the closed folds at its ends."""
    visual, window = editor.visual, editor.window
    if visual is None or "folds" not in window.extra:
        return
    first, last = window.closed_fold(visual.start.line), window.closed_fold(window.cursor.line)
    backward = window.cursor < visual.start
    if backward:
        first, last = last, first
    start, end = min(visual.start, window.cursor), max(visual.start, window.cursor)
    if first is not None:
        start = Pos(first[0], 0)
    if last is not None:
        text = window.buffer.lines[last[1]]
        end = Pos(last[1], max(len(text) - (editor.option("selection", window) == "old"), 0))
    visual.start, window.cursor = (end, start) if backward else (start, end)


def show_line(editor: Editor) -> None:
    """Open the folds over the cursor's line, as inserting and shifting do."""
    if "folds" in editor.window.extra:
        folds_of(editor).open_line(editor.window.cursor.line)
