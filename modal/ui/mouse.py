"""What the mouse does: places the cursor, selects, scrolls, drags borders, presses the buttons of status lines.

Cells become places by `Renderer.hit`. Which bytes are mouse events is `keydecode.py`'s matter (`:help mouse-using`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.editor import Visual
from tpy.modal.text.position import Pos
from tpy.modal.ui.keydecode import Mouse
from tpy.modal.view.layout import COLUMN, ROW
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine
    from tpy.modal.ui.render import Renderer

WHEEL = 3
TEXT, STATUS, SEPARATOR, TABS = "text", "status", "separator", "tabs"
# In a status line, what closes its window and what makes it as large as possible.
CLOSE, MAXIMISE = "[x]", "[■]"


class Hit(NamedTuple):
    """What a cell belongs to: a part of a window (row and column within it), or the tab line."""

    part: str
    window: Window | None
    row: int
    column: int
    text: str = ""


class Press(NamedTuple):
    """Where a button went down, until it is released."""

    hit: Hit
    pos: Pos


def enabled(engine: Engine) -> bool:
    """Whether `'mouse'` has it on in this mode."""
    flags = str(engine.editor.options.values["mouse"])
    mode = "c" if engine.prompt is not None else "i" if engine.insert.active else "v" if engine.editor.visual else "n"
    return "a" in flags or mode in flags


def act(engine: Engine, renderer: Renderer, event: Mouse) -> None:
    """Do what an event means; nothing where it means nothing."""
    if not enabled(engine):
        return
    name = event.key.strip("<>").rpartition("-")[2]
    hit = renderer.hit(event.row, event.column)
    if name.startswith("ScrollWheel"):
        if hit is not None and hit.window is not None:
            _scroll(engine, renderer, hit.window, name)
    elif engine.prompt is None:
        if name == "LeftMouse" and hit is not None:
            _press(engine, renderer, hit)
        elif name in ("LeftDrag", "RightMouse"):
            _drag(engine, renderer, hit, event)
        elif name == "LeftRelease":
            engine.editor.extra.pop("mouse", None)


def _press(engine: Engine, renderer: Renderer, hit: Hit) -> None:
    editor = engine.editor
    if hit.part == TABS:
        if 0 <= hit.column < len(editor.tabs) and hit.column != editor.tab:
            editor.focus(editor.tabs[hit.column].current)
        return
    assert hit.window is not None
    if editor.visual is not None:
        engine.feed("<Esc>")
    if hit.window is not editor.window:
        if engine.insert.active:
            engine.feed("<Esc>")
        editor.focus(hit.window)
    pos = hit.window.cursor
    if hit.part == TEXT:
        pos = _place(engine, renderer, hit)
        _move(engine, pos)
    elif hit.part == STATUS:
        for label, command in ((CLOSE, "close"), (MAXIMISE, "resize")):
            at = hit.text.find(label)
            if 0 <= at <= hit.column < at + len(label):
                engine.run_ex(command)
                return
    editor.extra["mouse"] = Press(hit, pos)


def _place(engine: Engine, renderer: Renderer, hit: Hit) -> Pos:
    assert hit.window is not None
    pos = renderer.geometry(hit.window).position(hit.row, hit.column)
    last = len(hit.window.buffer.lines[pos.line])
    return pos if engine.insert.active or not last else Pos(pos.line, min(pos.col, last - 1))


def _move(engine: Engine, pos: Pos) -> None:
    """Put the cursor somewhere as a cursor key would: what was typed before is an undo step of its own."""
    window = engine.editor.window
    if engine.insert.active:
        engine.seal()
    window.cursor, window.want = pos, None
    window.extra.pop("free", None)


def _drag(engine: Engine, renderer: Renderer, hit: Hit | None, event: Mouse) -> None:
    """Move a border, or select from where the button went down."""
    editor = engine.editor
    press = editor.extra.get("mouse")
    if isinstance(press, Press) and press.hit.part in (STATUS, SEPARATOR) and press.hit.window is not None:
        rect = editor.layout.rects.get(press.hit.window)
        if rect is not None and press.hit.part == STATUS:
            editor.layout.resize(press.hit.window, COLUMN, max(event.row - renderer.text_top - rect.top, 1))
        elif rect is not None:
            editor.layout.resize(press.hit.window, ROW, max(event.column - rect.left, 1))
        return
    window = editor.window
    if hit is None or hit.window is not window or hit.part != TEXT or engine.insert.active:
        return
    if editor.visual is None:
        start = press.pos if isinstance(press, Press) and press.hit.window is window else window.cursor
        lines = window.extra.get("agent") == "conversation"
        editor.visual = Visual("V" if lines else "v", start)
    _move(engine, _place(engine, renderer, hit))


def _scroll(engine: Engine, renderer: Renderer, window: Window, name: str) -> None:
    """Scroll the window under the pointer; its cursor goes along only as far as it must, in a conversation never."""
    if name.endswith(("Left", "Right")):
        if not engine.editor.option("wrap", window):
            window.left = max(window.left + (-6 if name.endswith("Left") else 6), 0)
            window.extra["free"] = window.cursor
        return
    geometry = renderer.geometry(window)
    for _ in range(WHEEL):
        line = geometry.after(window.top) if name.endswith("Down") else geometry.before(window.top)
        if 0 <= line < len(window.buffer.lines):
            window.top, window.skip = line, 0
    window.extra["free"] = window.cursor
    if window.extra.get("agent") != "conversation":
        shown = renderer.geometry(window).rows()
        first, last = shown[0][0], shown[-1][0]
        margin = geometry.margin if last + 1 < len(window.buffer.lines) else 0
        line = min(max(window.cursor.line, first + (geometry.margin if first else 0)), max(last - margin, first))
        if line != window.cursor.line:
            col = min(window.cursor.col, max(len(window.buffer.lines[line]) - 1, 0))
            window.cursor = Pos(line, col)
            window.extra.pop("free", None)
