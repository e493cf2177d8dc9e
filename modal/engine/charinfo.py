"""Telling what the character under the cursor is: `ga` and `g8`."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.registry import action
from tpy.modal.text.chars import is_combining
from tpy.modal.text.digraphs import table
from tpy.modal.text.places import visible
from tpy.modal.text.width import next_col


def _under_cursor(ctx: Context) -> str:
    line, col = ctx.cursor
    text = ctx.lines[line]
    return text[col : next_col(text, col)] if col < len(text) else ""


def _told(char: str, digraph: str | None) -> str:
    """Return the number of a character in three notations, one of ASCII wider apart, and its digraph."""
    code = ord(char)
    shown = " " + char if is_combining(char) else f"<{code:02x}>" if 0x80 <= code < 0xA0 else visible(char)
    octal = f"Octal {code:03o}" if digraph is None else f"Oct {code:03o}, Digr {digraph}"
    if code < 0x80:
        return f"<{shown}>  {code},  Hex {code:02x},  {octal}"
    return f"<{shown}> {code}, Hex {code:0{4 if code < 0x10000 else 8}x}, {octal}"


@action("show-character")
def show_character(ctx: Context) -> None:
    """Tell the code of the character under the cursor."""
    chars = _under_cursor(ctx)
    if not chars:
        ctx.editor.echo("NUL")
        return
    names = {char: pair for pair, char in reversed(table().items())}
    ctx.editor.echo(" ".join(_told(char, names.get(char)) for char in chars))


@action("show-bytes")
def show_bytes(ctx: Context) -> None:
    """Tell the UTF-8 bytes of the character under the cursor."""
    chars = _under_cursor(ctx)
    ctx.editor.echo(" + ".join(char.encode("utf-8", "surrogateescape").hex(" ") for char in chars) or "NUL")
