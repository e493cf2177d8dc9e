"""`:normal A…` and `:normal I…` for many lines: the same text typed into each, all but a few lines at once.

What is not plain typing is left to `globalcmds.py`, which types it line by line.
"""

from __future__ import annotations

from collections.abc import Sequence

from tpy.modal.engine import abbreviations
from tpy.modal.engine.indentation import blank_count, style_of
from tpy.modal.ex.bulk import Change, apply_changes
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.quickreplace import without_collection
from tpy.modal.text.position import Pos

# So many lines at the end are typed: the change list then holds no other places than after typing all.
_TYPED = 100


def type_at_once(ctx: ExContext, keys: Sequence[str], numbers: Sequence[int], *, remap: bool) -> int:
    """Do `A` or `I` with text behind it in the first of the lines `numbers`, and return how many are done; the others
    are to be typed. 0 where keys or options could give typing another meaning."""
    text = "".join(keys[1:-1] if keys[-1:] == ["<Esc>"] else keys[1:])
    plain = keys[:1] in (["A"], ["I"]) and len(text) >= len(keys) - 2 and text and text.isprintable()
    if not plain or len(numbers) <= 2 * _TYPED or not _plain_typing(ctx, keys, remap):
        return 0
    lines, at_end = ctx.lines, keys[0] == "A"
    first, rest = numbers[0], numbers[1:-_TYPED]
    expected = _typed(lines[first], text, at_end)
    ctx.window.cursor = Pos(first, 0)
    ctx.engine.run_nested(keys, remap=remap)
    if lines[first] != expected:
        return 1
    changes = []
    with without_collection():
        for at, number in enumerate(rest):
            if not at & 1023:
                ctx.tell(at, len(numbers))
            changes.append(Change(number, 1, [_typed(lines[number], text, at_end)]))
        apply_changes(ctx.buffer, changes)
    return 1 + len(rest)


def _typed(line: str, text: str, at_end: bool) -> str:
    if at_end:
        return line + text
    indent = blank_count(line)
    return line[:indent] + text + line[indent:]


def _plain_typing(ctx: ExContext, keys: Sequence[str], remap: bool) -> bool:
    """Whether options, mappings, abbreviations and folds leave typed text what it is."""
    engine, extra = ctx.engine, ctx.buffer.extra
    style = style_of(ctx.editor, ctx.window)
    if style.textwidth or style.wrapmargin or style.smartindent or ctx.option("cindent"):
        return False
    if extra.get("keymap") or extra.get("mappings") or ctx.window.extra.get("folds") or not ctx.buffer.modifiable:
        return False
    mapped = engine.mappings.tries["n"].begins(keys[0]) or any(map(engine.mappings.tries["i"].begins, keys[1:]))
    return not abbreviations.tries(engine, "i") and not (remap and mapped)
