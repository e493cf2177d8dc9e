"""Leaving the text with the cursor (`:help 'virtualedit'`): whether it may now, and in which cells places are then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.grammar import Command
from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, MAXCOL, Pos, beyond, clamp
from tpy.modal.text.width import cell_width, col_at, column_of, glyph, prev_col
from tpy.modal.view.display import Geometry

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


def everywhere(engine: Engine) -> bool:
    """Whether the cursor may stand anywhere in every mode: 'virtualedit' is "all" and nothing else."""
    return engine.editor.options.values["virtualedit"] == "all"


def is_virtual(engine: Engine) -> bool:
    """Whether the cursor may stand between and behind characters now.

    While an operator works it may where it could when that began, and so while text is typed that `c`, `I` or `A` of
    a block began.
    """
    allowed = engine.editor.options.values["virtualedit"]
    if not allowed:
        return False
    if engine.virtual_operator is not None:
        return engine.virtual_operator
    assert isinstance(allowed, str)
    if allowed == "all":
        return True
    if engine.insert.active:
        return "insert" in allowed or "all" in allowed
    visual = engine.editor.visual
    return visual is not None and visual.kind == "<C-v>" and in_blocks(engine)


def in_blocks(engine: Engine) -> bool:
    """Whether Visual blocks may be of places beyond the text."""
    allowed = str(engine.editor.options.values["virtualedit"])
    return "block" in allowed or "all" in allowed


def repeats_block(engine: Engine, command: Command) -> bool:
    """Whether a command is repeated on a block as large as that it was used on, which is a virtual one."""
    return command.shape is not None and command.shape.kind == "<C-v>" and in_blocks(engine)


def follow_option(engine: Engine) -> None:
    """Have the cursor keep its cell when 'virtualedit' is set: within a tab, or back from behind the line."""

    before: object = engine.editor.options.values["virtualedit"]

    def _option_set(name: str, value: object) -> None:
        nonlocal before
        if name == "virtualedit" and value != before:
            before = value
            _keep_cell(Context(engine))

    engine.editor.on("option-set", _option_set)


def _keep_cell(ctx: Context) -> None:
    window, (line, col) = ctx.window, ctx.cursor
    if window.shown is not None and window.shown[:2] == (window.cursor, ctx.buffer.tick):
        shown = window.shown[2]
    else:
        shown = column_of(ctx.lines[line], col, ctx.tabstop) + ctx.cursor.add
    if is_virtual(ctx.engine):
        ctx.cursor = place_at(ctx, line, shown, one_more=False)
    elif ctx.cursor.add or col >= len(ctx.lines[line]):
        ctx.cursor = clamp(cell(ctx, line, shown), ctx.lines)


def cells_at(ctx: Context, pos: Pos) -> tuple[int, int]:
    """Return the first and the last display column of a place as a virtual one: a tab is left and right of it, too."""
    text = ctx.lines[pos.line]
    left = column_of(text, pos.col, ctx.tabstop)
    width = wide(text, pos.col, left, ctx.tabstop)
    if width and pos.add < width:
        return left, left + width - 1
    return left + pos.add, left + pos.add


def settle(ctx: Context) -> None:
    """Take a cursor of Normal mode that came behind the end of its line back to the last character, and beyond it."""
    line, col = ctx.cursor
    typing = ctx.engine.insert.active or ctx.engine.insert.resume is not None
    if everywhere(ctx.engine) and 0 < col >= len(ctx.lines[line]) > 0 and not typing:
        text = ctx.lines[line]
        col = prev_col(text, len(text))
        ctx.cursor = beyond(line, col, cell_width(text, col, column_of(text, col, ctx.tabstop), ctx.tabstop))


def kept(pos: Pos, lines: Sequence[str]) -> Pos:
    """Return a place that was kept: in the text there is now, behind the end of its line at most, but as far beyond."""
    return beyond(*clamp(pos, lines, past_end=True), pos.add)


def wide(text: str, col: int, left: int, tabstop: int) -> int:
    """Return how many cells a character takes that the cursor can't stand in; 0 for a tab, a control character, and
    behind the end."""
    if col >= len(text) or text[col] == "\t" or glyph(text[col]) != text[col]:
        return 0
    return max(cell_width(text, col, left, tabstop), 1)


def place_at(ctx: Context, line: int, wanted: int, *, one_more: bool) -> Pos:
    """Return the place in a line at the display column `wanted`, be there text or not; `MAXCOL` is its last cell, or
    the one behind that where there may be `one_more`. In a wrapped line it is in the line's rows."""
    text, tabstop = ctx.lines[line], ctx.tabstop
    if wanted >= MAXCOL:
        if one_more or not text:
            return Pos(line, len(text))
        wanted = column_of(text, len(text), tabstop) - 1
        return cell(ctx, line, wanted)
    return cell(ctx, line, max(_on_screen(ctx, text, wanted), 0))


def cell(ctx: Context, line: int, wanted: int) -> Pos:
    """Return the place in a line at the display column `wanted`, be there text or not."""
    text, tabstop = ctx.lines[line], ctx.tabstop
    col = col_at(text, wanted, tabstop)
    left = column_of(text, col, tabstop)
    add = wanted - left
    # No cursor on the right half of a wide character; in the first column Vim forgets that.
    return Pos(line, col) if add == 1 and col and wide(text, col, left, tabstop) > 1 else beyond(line, col, add)


def _on_screen(ctx: Context, text: str, wanted: int) -> int:
    """Return the column, or the last one of the last row of a wrapped line where it would be in a row behind that."""
    if wanted < ctx.window.width // 2 or not ctx.flag("wrap"):
        return wanted
    width = Geometry(ctx.window, lambda name: ctx.editor.option(name, ctx.window)).width
    last = max(column_of(text, len(text), ctx.tabstop) - 1, 0)
    if wanted < width or wanted // width <= last // width or (ctx.engine.insert.active and wanted <= last + 1):
        return wanted
    return (last // width + 1) * width - 1


def step_right(ctx: Context, pos: Pos, count: int) -> tuple[Pos, int]:
    """Return the place `count` characters, or cells of what is none, to the right, and how many steps could not be
    taken."""
    while count > 0:
        text = ctx.lines[pos.line]
        left, _ = cells_at(ctx, pos)
        # Behind the text all cells are alike.
        step = count if pos.col >= len(text) else 1
        moved = place_at(ctx, pos.line, left + max(wide(text, pos.col, left, ctx.tabstop), step), one_more=False)
        if moved == pos:
            break
        pos, count = moved, count - step
    return pos, count


def step_left(ctx: Context, pos: Pos, count: int) -> tuple[Pos, int]:
    """Return the place `count` characters, or cells of what is none, to the left, and how many steps could not be
    taken."""
    while count > 0:
        left, _ = cells_at(ctx, pos)
        if left == 0:
            break
        text = ctx.lines[pos.line]
        pos, count = place_at(ctx, pos.line, left - 1, one_more=False), count - 1
        if pos.add == 1 and wide(text, pos.col, column_of(text, pos.col, ctx.tabstop), ctx.tabstop) > 1:
            pos = Pos(*pos)
    return pos, count


def virtual_right(ctx: Context, *, wraps: bool) -> Target:
    """Return where `l` goes; only the end of a wrapped line's last row stops it, where `wraps` takes it on."""
    pos, left, inclusive = ctx.cursor, ctx.count, False
    while True:
        pos, left = step_right(ctx, pos, left)
        if not left or not wraps or pos.line + 1 >= len(ctx.lines):
            break
        if ctx.operator is not None and not inclusive and pos.col < len(ctx.lines[pos.line]):
            inclusive = True
        else:
            pos, inclusive = Pos(pos.line + 1, 0), False
        left -= 1
    if left and ctx.operator is None and left == ctx.count:
        raise CommandFailed
    inclusive = inclusive or bool(left and ctx.operator is not None and ctx.lines[pos.line])
    return Target(pos, kind=INCLUSIVE if inclusive else EXCLUSIVE)


def virtual_left(ctx: Context, *, wraps: bool) -> Target:
    """Return where `h` goes, with `wraps` also to the end of the line before."""
    pos, left, exact = ctx.cursor, ctx.count, False
    while True:
        pos, left = step_left(ctx, pos, left)
        if not left or not wraps or pos.line == 0:
            break
        pos, left = place_at(ctx, pos.line - 1, MAXCOL, one_more=ctx.visual is not None), left - 1
        text = ctx.lines[pos.line]
        if ctx.operator in ("delete", "change") and text:
            pos, exact = Pos(pos.line, len(text)), True
    if left and ctx.operator is None and left == ctx.count:
        raise CommandFailed
    return Target(pos, exact=exact)


def fill(ctx: Context, wanted: int) -> None:
    """Put in blanks so that there is text before the display column `wanted` of the cursor's line, a tab there broken
    into blanks, and go there."""
    line, tabstop = ctx.cursor.line, ctx.tabstop
    text = ctx.lines[line]
    col = col_at(text, wanted, tabstop)
    left = column_of(text, col, tabstop)
    cells = cell_width(text, col, left, tabstop)
    new = text
    if col == len(text):
        new = text + " " * (wanted - left)
    elif cells > 1 and text[col].isascii():
        new = text[:col] + " " * cells + text[col + 1 :]
    if new != text:
        ctx.buffer.set_line(line, new)
    ctx.cursor = Pos(line, col + wanted - left if new != text else col)
