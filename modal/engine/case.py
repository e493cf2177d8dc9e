"""Changing case: `~ g~ gu gU` and Rot13 `g?` (`:help case`)."""

from __future__ import annotations

from collections.abc import Callable

from tpy.modal.engine.context import Context
from tpy.modal.engine.spanedit import edit_span
from tpy.modal.registry import operator
from tpy.modal.text.chars import to_lower, to_upper
from tpy.modal.text.position import Span

_ROT13 = {
    ord(a): ord(b)
    for one in ("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    for a, b in zip(one, one[13:] + one[:13], strict=True)
}


def toggled(text: str) -> str:
    """Return the text with small letters made capital and capitals made small."""
    return "".join(to_upper(char) if to_lower(char) == char else to_lower(char) for char in text)


def upper(text: str) -> str:
    """Return the text in capitals; `ß` becomes its capital form."""
    return to_upper(text).replace("ß", "\u1e9e")


def rot13(text: str) -> str:
    """Return the text with its ASCII letters moved by thirteen."""
    return text.translate(_ROT13)


def _change(ctx: Context, span: Span, change: Callable[[str], str]) -> None:
    edit_span(ctx, span, change)
    ctx.buffer.marks.set_changed(span.start, span.end)


@operator("toggle-case")
def toggle_case(ctx: Context, span: Span) -> None:
    """Change small letters to capitals and capitals to small letters."""
    _change(ctx, span, toggled)


@operator("lowercase")
def lowercase(ctx: Context, span: Span) -> None:
    """Change all letters to small ones."""
    _change(ctx, span, to_lower)


@operator("uppercase")
def uppercase(ctx: Context, span: Span) -> None:
    """Change all letters to capitals."""
    _change(ctx, span, upper)


@operator("rot13")
def rot13_operator(ctx: Context, span: Span) -> None:
    """Encode the text by Rot13."""
    _change(ctx, span, rot13)
