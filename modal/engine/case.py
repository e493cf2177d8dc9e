"""Changing case: `~ g~ gu gU` and Rot13 `g?` (`:help case`)."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine.context import Context
from tpy.modal.engine.spanedit import edit_span, mark_changed
from tpy.modal.registry import operator
from tpy.modal.text.chars import to_lower, to_upper
from tpy.modal.text.position import Pos, Span

_ROT13 = {
    ord(a): ord(b)
    for one in ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for a, b in zip(one, one[13:] + one[:13], strict=True)
}


def toggled(text: str) -> str:
    """Return the text with small letters made capital and capitals made small."""
    if text.isascii():
        return text.swapcase()
    return "".join(up if (up := to_upper(char)) != char else to_lower(char) for char in text)


def upper(text: str) -> str:
    """Return the text in capitals; `ß` becomes two of them."""
    return to_upper(text).replace("ß", "SS")


def lower(text: str) -> str:
    """Return the text in small letters; the title case of a letter pair counts as small."""
    return text.lower() if text.isascii() else "".join(one if to_upper(one) != one else to_lower(one) for one in text)


def rot13(text: str) -> str:
    """Return the text with its ASCII letters moved by thirteen."""
    return text.translate(_ROT13)


def _grown(ctx: Context, span: Span) -> Span:
    """Return what Vim takes for an empty span in the first column: all of the line, or the very first character."""
    if not span.empty or span.start.col:
        return span
    line = span.start.line
    return span._replace(end=Pos(line, len(ctx.lines[line]) if line else min(1, len(ctx.lines[0]))))


def _change(ctx: Context, span: Span, change: Callable[[str], str]) -> None:
    line, col = ctx.cursor
    head = ctx.lines[line][:col]
    changed = edit_span(ctx, _grown(ctx, span), change)
    if not head.isascii():
        # The cursor stays on its byte: `ß` has as many as the two letters it becomes.
        size = len(head.encode("utf-8", "surrogatepass"))
        text = ctx.lines[line].encode("utf-8", "surrogatepass")[:size]
        ctx.cursor = Pos(line, len(text.decode("utf-8", "ignore")))
    mark_changed(ctx, span, changed=changed)


@operator("toggle-case")
def toggle_case(ctx: Context, span: Span) -> None:
    """Change small letters to capitals and capitals to small letters."""
    _change(ctx, span, toggled)


@operator("lowercase")
def lowercase(ctx: Context, span: Span) -> None:
    """Change all letters to small ones."""
    _change(ctx, span, lower)


@operator("uppercase")
def uppercase(ctx: Context, span: Span) -> None:
    """Change all letters to capitals."""
    _change(ctx, span, upper)


@operator("rot13")
def rot13_operator(ctx: Context, span: Span) -> None:
    """Encode the text by Rot13."""
    _change(ctx, span, rot13)
