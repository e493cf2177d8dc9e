"""What commands tell when they worked on more lines than `'report'` says (`:help 'report'`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tpy.modal.editor import Editor
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import BLOCK, CHAR, Span

if TYPE_CHECKING:
    from tpy.modal.engine.context import Context

# What operators tell of their lines; of a selection only the first ones do, the others Vim draws over at once.
_SELECTED = {"shift-right": "{} >ed {times}", "shift-left": "{} <ed {times}"}
_OPERATED = {
    **_SELECTED,
    "reindent": "{} indented",
    "toggle-case": "{} changed",
    "lowercase": "{} changed",
    "uppercase": "{} changed",
    "rot13": "{} changed",
}
# Operators that do not tell how many lines went.
_SILENT = ("join-selected", "join-selected-plain")
# Ex commands that tell how many lines came or went.
COUNTED = frozenset({"delete", "copy", "t", "put", "global", "vglobal"})


def numbered(count: int, noun: str) -> str:
    """Return "1 line" or "2 lines"."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def size(buffer: Buffer) -> int:
    """Return how many lines a buffer has, 0 where all were deleted."""
    return 0 if buffer.no_lines else len(buffer.lines)


def many(editor: Editor, count: int) -> bool:
    """Whether so many lines are told of."""
    least = editor.options.values["report"]
    assert isinstance(least, int)
    return count > least


def told(editor: Editor, count: int, what: str, times: int = 1) -> None:
    """Tell what was done to `count` lines: "{} moved", the number of lines put in; `{times}` is how often."""
    if many(editor, count):
        editor.echo(what.format(numbered(count, "line"), times=numbered(times, "time")))


def yanked(editor: Editor, count: int, register: str | None, *, block: bool = False) -> None:
    """Tell how many lines were yanked into a register."""
    if register != "_":
        into = f' into "{register}' if register not in (None, '"') else ""
        told(editor, count, f"{'block of ' if block else ''}{{}} yanked{into}")


def substituted(editor: Editor, matches: int, lines: int) -> None:
    """Tell of substitutions; `:global` does so for all of them together, at its end."""
    busy = editor.extra.get("global")
    if busy is not None:
        busy["matches"] += matches
        busy["lines"] += lines
    elif many(editor, matches):
        editor.echo(f"{numbered(matches, 'substitution')} on {numbered(lines, 'line')}")


def came_or_went(editor: Editor, buffer: Buffer, before: int) -> None:
    """Tell by how many lines a buffer grew or shrank whose `size` was `before`; `:global` does so once, at its end."""
    now = size(buffer)
    if now == before or "unreported" in editor.extra or "global" in editor.extra:
        return
    # The one empty line that stands for none counts when others come.
    before = before or 1
    count = abs(now - before)
    if not now:
        editor.echo("--No lines in buffer--")
    elif many(editor, count):
        if now > before:
            editor.echo(f"{count} more {'line' if count == 1 else 'lines'}")
        else:
            editor.echo("1 line less" if count == 1 else f"{count} fewer lines")


def operated(ctx: Context, name: str, span: Span, before: int) -> None:
    """Tell what an operator did to a span of a buffer whose `size` was `before`."""
    count = span.line_count
    if name in ("yank", "yank-trimmed"):
        if count > 1 or span.kind != CHAR:
            yanked(ctx.editor, count, ctx.register, block=span.kind == BLOCK)
    elif (what := (_SELECTED if ctx.selected else _OPERATED).get(name)) is not None:
        told(ctx.editor, count, what, ctx.count if ctx.selected and ctx.motion is None else 1)
    elif name not in _SILENT and not ctx.engine.insert.active:
        came_or_went(ctx.editor, ctx.buffer, before)


@contextmanager
def unreported(editor: Editor) -> Iterator[None]:
    """While it lasts nothing is told of lines that come or go: what is done is a part of something else."""
    outer = editor.extra.get("unreported")
    editor.extra["unreported"] = True
    try:
        yield
    finally:
        if outer is None:
            del editor.extra["unreported"]
