"""Commands that bring in or reshape text: append, insert, change, retab, left, right, center (`:help insert.txt`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tpy.modal.engine.columns import at_column, wanted_column
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import BLANKS, bearable, blank_count, indented, style_of, width
from tpy.modal.ex.bulk import Change, apply_changes
from tpy.modal.ex.context import AskLine, ExContext, Work
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.position import Pos, clamp, first_nonblank
from tpy.modal.text.width import cell_width, column_of

# Runs of blanks and of what is none.
_PIECES = re.compile(r"[ \t]+|[^ \t]+")


@command("a[ppend]", range="0", bang=True, modifies=True)
def append(ctx: ExContext) -> Work:
    """Put the lines that follow, up to one with a single dot, below a line."""
    yield from _lines(ctx, ctx.last, ctx.last, append=True)


@command("i[nsert]", range="0", bang=True, modifies=True)
def insert(ctx: ExContext) -> Work:
    """Put the lines that follow, up to one with a single dot, above a line."""
    yield from _lines(ctx, max(ctx.last, 0) - 1, ctx.last)


@command("c[hange]", range=".", bang=True, count=True, modifies=True)
def change(ctx: ExContext) -> Work:
    """Put the lines that follow, up to one with a single dot, in the place of lines."""
    first, last, buffer = ctx.first, ctx.last, ctx.buffer
    indent = _indent(ctx, first)
    whole = last - first + 1 == len(buffer.lines)
    buffer.delete(first, last + 1)
    ctx.window.cursor = clamp(ctx.window.cursor, buffer.lines)
    yield from _lines(ctx, first - 1, first, indent=indent, empty=whole)


def _auto(ctx: ExContext) -> bool:
    """Whether lines get an indent: `!` turns `'autoindent'` round."""
    return bool(ctx.option("autoindent")) != ctx.bang


def _indent(ctx: ExContext, line: int) -> int:
    if not _auto(ctx) or not 0 <= line < len(ctx.lines):
        return 0
    return width(ctx.lines[line], ctx.option("tabstop"))


def _lines(
    ctx: ExContext,
    below: int,
    start: int,
    *,
    append: bool = False,
    indent: int | None = None,
    empty: bool | None = None,
) -> Work:
    """Ask for lines and put them below a line as they come; the cursor goes to the last one."""
    buffer = ctx.buffer
    if empty is None:
        empty = buffer.no_lines
    if empty:
        below = -1
    columns = indent if indent is not None else _indent(ctx, start)
    source = ctx.source
    if "global" in ctx.editor.extra:
        # Inside of :g the lines are what follows the bar (`:help :g`).
        source = iter([] if ctx.rest is None else ctx.rest.split("\n"))
        ctx.rest = None
    while True:
        if source is not None:
            line: str | None = next(source, None)
        else:
            line = yield AskLine("-", " " * columns)
        if line is None or line[columns:] == "." or (columns and line == "."):
            break
        if not line.strip(" \t") and columns:
            line = ""
        if empty:
            buffer.replace(0, 1, [line])
            empty = False
        else:
            buffer.insert(below + 1, [line])
        below += 1
        columns = _indent(ctx, below)
    line_number = min(max(below, 0), len(buffer.lines) - 1)
    # As in Vim: where lines were put at the end, `'[` is the line before them, or none.
    first = min(start + 1, len(buffer.lines) - 1) - (not append)
    last = below if start < below else first
    buffer.marks.set_changed(Pos(first, 0), Pos(last, 0))
    if first < 0:
        del buffer.marks.named["["], buffer.marks.named["]"]
    ctx.go_to_line(line_number)


@command("ret[ab]", range="%", bang=True, args="rest", modifies=True)
def retab(ctx: ExContext) -> None:
    """Write blanks anew for `'tabstop'`, or for a new one; with `!` blanks without tabs too."""
    argument = ctx.args.strip()
    if argument and not argument.isdigit():
        raise CommandFailed(f"E475: Invalid argument: {argument}")
    old = ctx.option("tabstop")
    new = int(argument or 0) or old
    expand = bool(ctx.option("expandtab"))
    changes = []
    for number in _told(ctx):
        text = ctx.lines[number]
        if "\t" in text or (ctx.bang and "  " in text):
            made = _retabbed(text, old, new, expand=expand, all_blanks=ctx.bang)
            if made != text:
                changes.append(Change(number, 1, [made]))
    here = Context(ctx.engine)
    want = wanted_column(here)
    apply_changes(ctx.buffer, changes)
    ctx.buffer.line_undo = None
    if new != old:
        ctx.editor.set_option("tabstop", new)
    ctx.window.cursor = at_column(here, ctx.window.cursor.line, want)


def _told(ctx: ExContext) -> Iterator[int]:
    """Yield the lines of the range, telling how far that is and stopping where the user wants to."""
    for number in range(ctx.first, ctx.last + 1):
        if not number & 1023:
            ctx.tell(number - ctx.first, ctx.last + 1 - ctx.first)
        yield number


def _retabbed(text: str, old: int, new: int, *, expand: bool, all_blanks: bool) -> str:
    """Return a line with its runs of blanks written anew."""
    out: list[str] = []
    column = 0
    for piece in _PIECES.findall(text):
        start = column
        if piece[0] in BLANKS:
            for char in piece:
                column += old - column % old if char == "\t" else 1
            out.append(_blanks(piece, start, column, new, expand=expand, all_blanks=all_blanks))
            continue
        if piece.isascii() and piece.isprintable():
            column += len(piece)
        else:
            for at in range(len(piece)):
                column += cell_width(piece, at, column, old)
        out.append(piece)
    return "".join(out)


def _blanks(run: str, start: int, end: int, tabstop: int, *, expand: bool, all_blanks: bool) -> str:
    tabbed = "\t" in run
    if not tabbed and not (all_blanks and len(run) > 1):
        return run
    if expand:
        return " " * (end - start)
    first = tabstop - start % tabstop
    blanks = end - start
    tabs = 0
    if blanks >= first:
        tabs, blanks = 1 + (blanks - first) // tabstop, (blanks - first) % tabstop
    if not tabbed and tabs + blanks >= len(run):
        return run
    return "\t" * tabs + " " * blanks


@command("le[ft]", range=".", args="rest", modifies=True)
def left(ctx: ExContext) -> None:
    """Give lines an indent, 0 by default."""
    _align(ctx, "left")


@command("ri[ght]", range=".", args="rest", modifies=True)
def right(ctx: ExContext) -> None:
    """Align lines at the right edge, at a width or `'textwidth'` or 80."""
    _align(ctx, "right")


@command("ce[nter]", range=".", args="rest", modifies=True)
def center(ctx: ExContext) -> None:
    """Center lines between the left edge and a width or `'textwidth'` or 80."""
    _align(ctx, "center")


def _align(ctx: ExContext, side: str) -> None:
    argument = ctx.args.strip()
    digits = argument[: len(argument) - len(argument.lstrip("0123456789"))]
    size = bearable(int(digits or 0))
    style = style_of(ctx.editor, ctx.window)
    if side != "left" and size <= 0:
        size = style.textwidth or (ctx.window.width - style.wrapmargin if style.wrapmargin > 0 else 0) or 80
    changes = []
    for number in _told(ctx):
        text = ctx.lines[number]
        columns: int | None = size
        if side != "left":
            columns = _aligned(text, side, size, style.tabstop, lambda t, n: indented(t, n, style))
        if columns is not None:
            text = indented(text, max(columns, 0), style)
        changes.append(Change(number, 1, [text]))
    apply_changes(ctx.buffer, changes)
    ctx.buffer.marks.add_change(Pos(ctx.last, 0))
    line = ctx.window.cursor.line
    ctx.window.cursor = Pos(line, first_nonblank(ctx.lines[line]))
    ctx.window.want = None


def _length(text: str, tabstop: int) -> int:
    """Return the display width of a line without blanks at its end."""
    kept = text.rstrip(" \t")
    head = max(len(kept), blank_count(text))
    return column_of(text[:head] + " ", head, tabstop)


def _aligned(text: str, side: str, size: int, tabstop: int, indent: Callable[[str, int], str]) -> int | None:
    """Return the indent that puts a line there, `None` for a blank line."""
    length = _length(text, tabstop) - width(text, tabstop)
    if length <= 0:
        return None
    if side == "center":
        return int((size - length) / 2)
    columns = size - length
    if "\t" not in text.lstrip(" \t").rstrip(" \t"):
        return columns
    while columns > 0:
        if _length(indent(text, columns), tabstop) <= size:
            while _length(indent(text, columns + 1), tabstop) <= size:
                columns += 1
            return columns
        columns -= 1
    return columns
