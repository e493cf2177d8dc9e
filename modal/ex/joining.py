"""Joining lines for `:join` and `:s/\\n//` (`:help J`)."""

from __future__ import annotations

from tpy.modal.ex.context import ExContext
from tpy.modal.text.position import Pos, first_nonblank


def joined(lines: list[str], *, spaces: bool, joinspaces: bool) -> tuple[str, int]:
    """Return the lines as one, and the column of the last seam. `spaces` removes indents and puts a blank between."""
    text = lines[0]
    seam = len(text)
    for line in lines[1:]:
        if spaces:
            line = line.lstrip(" \t")
            seam = len(text)
            if line and not line.startswith(")") and text and text[-1] != "\t":
                end = text[-2:-1] if text.endswith(" ") else text[-1]
                if not text.endswith(" "):
                    text += " "
                if joinspaces and end in tuple(".?!"):
                    text += " "
            seam = min(seam, len(text))
        else:
            seam = len(text)
        text += line
    return text, seam


def join(ctx: ExContext, first: int, count: int, *, spaces: bool) -> None:
    """Join `count` lines from `first` on; the cursor goes to the first character that is no blank."""
    buffer = ctx.buffer
    text, _ = joined(buffer.lines[first : first + count], spaces=spaces, joinspaces=bool(ctx.option("joinspaces")))
    buffer.replace(first, first + count, [text])
    buffer.marks.set_changed(Pos(first, 0), Pos(first, len(text)))
    ctx.window.cursor = Pos(first, first_nonblank(text))
    ctx.window.want = None
