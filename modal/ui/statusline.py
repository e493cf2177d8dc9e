"""The status line of a window and the ruler: `'statusline'`, `'ruler'` (`:help 'statusline'`).

Expressions (`%{…}`) are Vim script and not known. `buffer.extra["status"]`, where a room has put one, is a function of
the window that gives the left part of the line; of `'statusline'` only the window's own value comes before it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from tpy.modal.text.places import absolute, working_directory
from tpy.modal.text.width import column_of
from tpy.modal.ui.mouse import CLOSE, MAXIMISE
from tpy.modal.ui.rows import Classes, Strip, crop, cut, padded, safe, text_cells
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

RULER_WIDTH = 18
# With at least so many cells before the ruler a conversation's line has buttons.
ROOM_FOR_BUTTONS = 40
_ITEM = re.compile(r"%\{[^}]*\}|%(?:([-0]*)(\d*)(?:\.(\d+))?([a-zA-Z%=<({\)*]))")


def buffer_name(window: Window) -> str:
    """The name of a window's buffer as status and title lines show it."""
    buffer = window.buffer
    if not buffer.name:
        return "[No Name]"
    if "://" in buffer.name:
        return buffer.name
    name = os.fsdecode(buffer.name)
    here = working_directory().rstrip("/") + "/"
    if name.startswith(here):
        return name[len(here) :]
    home = _home()
    return "~/" + name[len(home) :] if name.startswith(home) else name


@lru_cache(maxsize=1)
def _home() -> str:
    return os.path.expanduser("~/")


def share(window: Window) -> str:
    """How far down the window is: All, Top, Bot or a percentage."""
    count = len(window.buffer.lines)
    above, below = window.top, max(count - window.top - max(window.height, 1), 0)
    if not above:
        return "Top" if below else "All"
    return f"{above * 100 // (above + below):2}%" if below else "Bot"


def columns_text(window: Window, tabstop: int) -> str:
    """The cursor's column as the ruler gives it: byte and display column, `5-9` where they differ."""
    text = window.buffer.lines[min(window.cursor.line, len(window.buffer.lines) - 1)]
    col, add = min(window.cursor.col, len(text)), window.beyond
    if not text:
        return f"0-{add + 1}"
    if not add and text.isascii() and "\t" not in text[: col + 1]:
        return str(col + 1)
    number = len(text[:col].encode("utf-8", "surrogatepass")) + 1
    shown = column_of(text, col, tabstop) + add + 1
    if window.shown is not None and window.shown[:2] == (window.cursor, window.buffer.tick):
        shown = window.shown[2] + 1
    elif col < len(text) and text[col] == "\t" and not add:
        shown = column_of(text, col + 1, tabstop)
    return str(number) if number == shown else f"{number}-{shown}"


def ruler(window: Window, tabstop: int, room: int) -> str:
    """The ruler: line and column at the left of so many cells, at the right the share where there is room for it."""
    place, where = f"{window.cursor.line + 1},{columns_text(window, tabstop)}", share(window)
    return place + where.rjust(room - len(place)) if len(place) + len(where) < room else place


def status_strip(engine: Engine, window: Window, width: int, *, active: bool) -> Strip:
    """The status line of a window in exactly `width` cells."""
    editor = engine.editor
    classes = ("ui.statusline",) if active else ("ui.statusline.inactive",)
    provider = window.buffer.extra.get("status")
    own = callable(provider)  # what somebody waits for in it is not hidden by a line meant for files
    written = str(window.options.get("statusline", "") if own else editor.option("statusline", window))
    if written:
        return _written(engine, window, written, width, classes)
    if callable(provider):
        left, cells = cut(safe(str(provider(window)))[0], width)
    else:
        left = buffer_name(window) + "".join(" " + flag for flag in _flags(engine, window))
        room = _ruler_column(width) - 1 if editor.option("ruler", window) else width
        left, cells = cut(_within(safe(left), max(room, 0))[0], width)
    right = None
    if editor.option("ruler", window):
        right = ruler(window, int(editor.option("tabstop", window)), width - _ruler_column(width))
    buttons = MAXIMISE + CLOSE if window.extra.get("agent") == "conversation" and editor.option("mouse", window) else ""
    return _with_ruler(left, cells, right, buttons, width, classes)


def _ruler_column(width: int) -> int:
    """Where the ruler begins in a line of that width (`:help 'ruler'`)."""
    return max(width - RULER_WIDTH, (width + 1) // 2)


@lru_cache(maxsize=64)
def _with_ruler(left: str, cells: int, right: str | None, buttons: str, width: int, classes: Classes) -> Strip:
    """A status line of a text, what the mouse may press where there is room, and the ruler."""
    strip = Strip(((left, classes),), cells)
    at = _ruler_column(width) if right is not None else width
    if buttons and at >= ROOM_FOR_BUTTONS:
        start = at - len(buttons) - 1
        strip = padded(crop(strip.pieces, 0, start - 1), start, classes)
        strip = Strip((*strip.pieces, (buttons, classes)), at - 1)
    if right is not None:
        text, size = cut(right, width - at)
        strip = padded(crop(strip.pieces, 0, max(at - 1, 0)), at, classes)
        strip = Strip((*strip.pieces, (text, classes)), at + size)
    return padded(strip, width, classes)


def _within(text_and_cells: tuple[str, int], width: int) -> tuple[str, int]:
    """Text that is too wide loses its beginning, as Vim shows long names."""
    text, cells = text_and_cells
    while cells > width and len(text) > 1:
        text = "<" + text[2:]
        cells = text_cells(text)
    return (text, cells) if cells <= width else ("", 0)


def _flags(engine: Engine, window: Window) -> list[str]:
    buffer = window.buffer
    option = engine.editor.option
    flags = []
    if option("buftype", window) == "help" and buffer.name != "[Help]":
        flags.append("[Help]")
    if buffer.modified and option("buftype", window) != "nofile":
        flags.append("[+]")
    if not option("modifiable", window) or not buffer.modifiable:
        flags.append("[-]")
    if option("readonly", window):
        flags.append("[RO]")
    notice = buffer.extra.get("notice")
    return flags + ([str(notice)] if notice else [])


def _written(engine: Engine, window: Window, description: str, width: int, classes: Classes) -> Strip:
    """The line that `'statusline'` describes."""
    shown = [safe(part)[0] for part in _parts(engine, window, description)]
    room = width - sum(text_cells(part) for part in shown)
    gaps = len(shown) - 1
    line = shown[0]
    for number, part in enumerate(shown[1:], 1):
        gap = max(room, 0) // gaps + (max(room, 0) % gaps if number == gaps else 0)
        line += " " * gap + part
    text, cells = cut(line, width)
    return padded(Strip(((text, classes),), cells), width, classes)


def written(engine: Engine, window: Window, description: str) -> str:
    """What a value like that of `'statusline'` describes, as text."""
    return " ".join(_parts(engine, window, description))


def _parts(engine: Engine, window: Window, description: str) -> list[str]:
    """The items of a description filled in, split where it says `%=`."""
    parts: list[str] = [""]
    at = 0
    for match in _ITEM.finditer(description):
        parts[-1] += description[at : match.start()]
        at = match.end()
        flags, least, most, letter = match.groups()
        if letter is None:
            continue
        if letter == "=":
            parts.append("")
        elif letter == "%":
            parts[-1] += "%"
        elif letter not in "<()*":
            value = _item(engine, window, letter)
            if most and len(value) > int(most):
                value = value[-int(most) :] if not value.isdigit() else f"{value[:1]}>{len(value) - 1}"
            if least:
                fill = "0" if "0" in flags and value.isdigit() else " "
                value = value.ljust(int(least)) if "-" in flags else value.rjust(int(least), fill)
            parts[-1] += value
    parts[-1] += description[at:]
    return parts


def _item(engine: Engine, window: Window, letter: str) -> str:
    """What `%{letter}` stands for; "" for what isn't known."""
    buffer, cursor = window.buffer, window.cursor
    option = engine.editor.option
    name = buffer_name(window)
    text = buffer.lines[min(cursor.line, len(buffer.lines) - 1)]
    items: dict[str, Callable[[], str]] = {
        "f": lambda: name,
        "F": lambda: absolute(buffer.name) if buffer.name and "://" not in buffer.name else name,
        "t": lambda: os.path.basename(name),
        "m": lambda: "[+]" if buffer.modified else "" if buffer.modifiable else "[-]",
        "M": lambda: ",+" if buffer.modified else "" if buffer.modifiable else ",-",
        "r": lambda: "[RO]" if option("readonly", window) else "",
        "R": lambda: ",RO" if option("readonly", window) else "",
        "h": lambda: "[Help]" if option("buftype", window) == "help" else "",
        "H": lambda: ",HLP" if option("buftype", window) == "help" else "",
        "y": lambda: f"[{option('filetype', window)}]" if option("filetype", window) else "",
        "Y": lambda: f",{str(option('filetype', window)).upper()}" if option("filetype", window) else "",
        "n": lambda: str(buffer.number),
        "b": lambda: f"{ord(text[cursor.col]):X}" if cursor.col < len(text) else "0",
        "B": lambda: f"{ord(text[cursor.col]):X}" if cursor.col < len(text) else "0",
        "l": lambda: str(cursor.line + 1),
        "L": lambda: str(len(buffer.lines)),
        "c": lambda: str(len(text[: cursor.col].encode("utf-8", "surrogatepass")) + 1 if text else 0),
        "v": lambda: str(column_of(text, cursor.col, int(option("tabstop", window))) + 1),
        "V": lambda: columns_text(window, int(option("tabstop", window))).partition("-")[2],
        "p": lambda: str((cursor.line + 1) * 100 // len(buffer.lines)),
        "P": lambda: share(window),
        "a": lambda: _argument(engine),
    }
    return items.get(letter, lambda: "")()


def _argument(engine: Engine) -> str:
    editor = engine.editor
    count = len(editor.arguments)
    return f"({editor.argument_index + 1} of {count})" if count > 1 else ""
