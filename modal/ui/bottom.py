"""The last rows of the screen: command line, question, message, mode, half-typed command, ruler.

What the texts say is decided elsewhere; here is where they stand (`:help 'showcmd'`, `'showmode'`, `'ruler'`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.editor import Message
from tpy.modal.ui.pager import ERROR, Pager, folded
from tpy.modal.ui.rows import Strip, crop, cut, padded, safe
from tpy.modal.ui.statusline import RULER_WIDTH, ruler

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

SHOWCMD_WIDTH = 10
MODE = "ui.mode"
_MODES = {
    "i": "-- INSERT --",
    "R": "-- REPLACE --",
    "Rv": "-- VREPLACE --",
    "v": "-- VISUAL --",
    "V": "-- VISUAL LINE --",
    "<C-v>": "-- VISUAL BLOCK --",
    "s": "-- SELECT --",
    "S": "-- SELECT LINE --",
    "<C-s>": "-- SELECT BLOCK --",
    "niI": "-- (insert) --",
    "niR": "-- (replace) --",
    "niV": "-- (vreplace) --",
}


class Bottom(NamedTuple):
    """The rows at the bottom, last at the bottom, and the cursor in them (row from their top, column) or None."""

    strips: tuple[Strip, ...]
    cursor: tuple[int, int] | None


def bottom_of(engine: Engine, message: Message | None, pager: Pager, width: int, most: int, ruler_here: bool) -> Bottom:
    """What the bottom shows in at most `most` rows; `ruler_here`: no status line shows the ruler."""
    if engine.prompt is not None:
        return _prompt(engine, width, most)
    if message is None or not message.text:
        text = mode_text(engine)
        return Bottom((_with_right(engine, Strip(((text, (MODE,)),), len(text)), width, ruler_here),), None)
    if "\n" in message.text:
        paged = pager.show(message, width, most)
        return Bottom(tuple(paged), (len(paged) - 1, min(paged[-1].cells, width - 1)))
    strips = folded(message.text, width, (ERROR,) if message.error else ())
    if len(strips) > 1:
        return Bottom(tuple(strips[: max(most // 2, 1)]), None)
    return Bottom((_with_right(engine, strips[0], width, ruler_here),), None)


def mode_text(engine: Engine) -> str:
    """What `'showmode'` shows, with the register being recorded."""
    text = _MODES.get(engine.mode, "") if engine.editor.option("showmode") else ""
    if text and engine.insert.completion is not None:
        text = f"-- {engine.insert.completion.told}"
    recording = engine.repeat.recording
    return f"{text}recording @{recording}" if recording else text


def _with_right(engine: Engine, strip: Strip, width: int, ruler_here: bool) -> Strip:
    """The strip with the half-typed command and the ruler at the right; they give way to nothing."""
    editor = engine.editor
    shows_ruler = ruler_here and bool(editor.option("ruler"))
    at = width - RULER_WIDTH if shows_ruler else width
    if shows_ruler and at >= SHOWCMD_WIDTH:
        text = ruler(editor.window, int(editor.option("tabstop")), width - at - 1)
        strip = padded(_within(strip, at - 1), at)
        strip = Strip((*strip.pieces, (cut(text, width - at)[0], ())), width)
    if editor.option("showcmd"):
        command = safe(showcmd(engine))[0][-SHOWCMD_WIDTH:]
        at -= SHOWCMD_WIDTH + 1
        if command and at > 0:
            left = padded(_within(strip, at), at)
            right = crop(strip.pieces, at + SHOWCMD_WIDTH, width)
            strip = Strip(
                (*left.pieces, (command.ljust(SHOWCMD_WIDTH), ()), *right.pieces), at + SHOWCMD_WIDTH + right.cells
            )
    return _within(strip, width)


def _within(strip: Strip, width: int) -> Strip:
    """The strip, cut off where it is wider."""
    return strip if strip.cells <= width else crop(strip.pieces, 0, width)


def showcmd(engine: Engine) -> str:
    """The half-typed command, or the size of the selection."""
    pending = engine.normal.showcmd()
    visual = engine.editor.visual
    if pending or visual is None:
        return pending
    cursor = engine.editor.window.cursor
    lines = abs(cursor.line - visual.start.line) + 1
    if visual.kind == "v" and lines == 1:
        return str(abs(cursor.col - visual.start.col) + 1)
    return str(lines)


def _prompt(engine: Engine, width: int, most: int) -> Bottom:
    """The command line, over several rows when it is long; the one with the cursor is always among them."""
    prompt = engine.prompt
    assert prompt is not None
    wants = getattr(prompt, "wants", "")
    sign = {"register": '"', "literal": "^", "digraph": "?"}.get(wants, "?" if wants else "")
    before = safe(prompt.text[: prompt.cursor])[0]
    after = safe(prompt.text[prompt.cursor :])[0]
    head = folded(safe(prompt.kind)[0] + before, width, ())
    whole = folded(safe(prompt.kind)[0] + before + sign + after, width, ())
    row, column = len(head) - 1, head[-1].cells
    if column >= width:
        row, column = row + 1, 0
    while len(whole) <= row:
        whole.append(Strip((), 0))
    first = max(min(len(whole) - most, row), 0) if len(whole) > most else 0
    return Bottom(tuple(whole[first : first + most]), (row - first, column))
