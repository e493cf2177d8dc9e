"""Telling what the character under the cursor is: `ga` and `g8`."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.registry import action
from tpy.modal.text.digraphs import table
from tpy.modal.text.width import next_col


def _under_cursor(ctx: Context) -> str:
    line, col = ctx.cursor
    text = ctx.lines[line]
    return text[col : next_col(text, col)] if col < len(text) else ""


@action("show-character")
def show_character(ctx: Context) -> None:
    """Tell the code of the character under the cursor."""
    chars = _under_cursor(ctx)
    if not chars:
        ctx.editor.echo("NUL")
        return
    names = {char: pair for pair, char in reversed(table().items())}
    parts = []
    for char in chars:
        code = ord(char)
        shown = f"^{chr(code ^ 64)}" if code < 32 or code == 127 else char
        width = 2 if code < 0x100 else 4 if code < 0x10000 else 8
        digraph = f", Digr {names[char]}" if char in names else ""
        parts.append(f"<{shown}>  {code},  Hex {code:0{width}x},  Oct {code:o}{digraph}")
    ctx.editor.echo(" ".join(parts))


@action("show-bytes")
def show_bytes(ctx: Context) -> None:
    """Tell the UTF-8 bytes of the character under the cursor."""
    chars = _under_cursor(ctx)
    ctx.editor.echo(" + ".join(char.encode("utf-8", "surrogateescape").hex(" ") for char in chars) or "NUL")
