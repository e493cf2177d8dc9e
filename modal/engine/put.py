"""Putting registers into the text (`:help put`): characters, lines and blocks, also over a Visual selection."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.engine import indentation, reporting
from tpy.modal.engine.autoformat import auto_format
from tpy.modal.engine.columns import column, past_end
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import style_of
from tpy.modal.engine.virtual import everywhere, fill, settle
from tpy.modal.engine.visualput import put_over
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.position import BLOCK, CHAR, EXCLUSIVE, LINE, Pos, beyond, clamp, first_nonblank
from tpy.modal.text.registers import Register
from tpy.modal.text.width import char_cells, column_of, next_col, prev_col

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# Vim's limit: a text longer than this is refused (E1240).
MOST_TEXT = 0x7FFFFFFF
# Ours: more than this in one put is refused too, as memory ends somewhere.
MOST_PUT = 200_000_000


class Put(NamedTuple):
    """How to put: `before` the cursor or line, `times` times, with the cursor `after_text`; `fix_indent` as `]p`."""

    before: bool
    times: int = 1
    after_text: bool = False
    fix_indent: bool = False
    # A command of `<C-o>` leaves the cursor behind the text.
    resumes: bool = False
    # Whether a block may be ragged: no blanks behind its short lines.
    ragged: bool = False
    # What `]p` indents to, where that is not the indent of the cursor's line.
    indent: int | None = None


def put_register(
    engine: Engine,
    register: Register,
    *,
    before: bool,
    times: int = 1,
    after_text: bool = False,
    fix_indent: bool = False,
) -> None:
    """Put a register at the cursor of the current window."""
    put(Context(engine), register, Put(before, times, after_text, fix_indent, engine.insert.resume is not None))


def put(ctx: Context, register: Register, how: Put) -> None:
    """Put a register at the cursor. Raises `CommandFailed` (E1240) when that is too much text."""
    size = sum(map(len, register.lines)) + len(register.lines)
    if size * how.times > MOST_PUT:
        raise CommandFailed("E1240: Resulting text too long")
    ctx.window.want = None
    free = everywhere(ctx.engine)
    if free and register.kind == CHAR:
        _make_room(ctx, how)
    if register.kind == LINE:
        put_lines(ctx, register, how)
    elif register.kind == BLOCK:
        put_block(ctx, register, how)
    elif len(register.lines) == 1:
        _put_in_line(ctx, register.lines[0], how)
    else:
        _put_characters(ctx, register, how)
    if free:
        settle(ctx)


def _make_room(ctx: Context, how: Put) -> None:
    """Break a tab into blanks where characters are put within it, and put in blanks up to a place behind the line."""
    line, col = ctx.cursor
    text = ctx.lines[line]
    shown, tabstop = column(ctx, ctx.cursor), ctx.tabstop
    if text[col : col + 1] != "\t":
        if ctx.cursor.add or col >= len(text):
            fill(ctx, shown + (not how.before))
    elif ctx.cursor.add if how.before else char_cells("\t", shown, tabstop) != 1:
        fill(ctx, shown)
    else:
        ctx.cursor = Pos(line, col)


def _put_in_line(ctx: Context, text: str, how: Put) -> None:
    line, col = ctx.cursor
    old = ctx.lines[line]
    if not how.before and old:
        col = min(next_col(old, col), len(old))
    new = text * how.times
    if not new:
        ctx.buffer.save_line(line)
        ctx.buffer.marks.set_changed(ctx.cursor, ctx.cursor)
        return
    ctx.buffer.set_line(line, old[:col] + new + old[col:])
    ctx.buffer.marks.add_change(Pos(line, col))
    last = Pos(line, prev_col(new, len(new)) + col)
    ctx.buffer.marks.set_changed(Pos(line, col), last)
    behind = beyond(line, col + len(new), 0 if everywhere(ctx.engine) else ctx.cursor.add)
    ctx.cursor = behind if how.after_text or how.resumes else last


def _put_characters(ctx: Context, register: Register, how: Put) -> None:
    """Put text of several lines, each repetition behind the one before."""
    line, col = ctx.cursor
    old = ctx.lines[line]
    if not how.before and old:
        col = min(next_col(old, col), len(old))
    lines = list(register.lines)
    joined = lines[-1] + lines[0]
    middle = lines[1:-1]
    new = [old[:col] + lines[0], *middle]
    for _ in range(how.times - 1):
        new.append(joined)
        new.extend(middle)
    new.append(lines[-1] + old[col:])
    if how.fix_indent:
        _fix_indent(ctx, new, 1, how.indent)
    ctx.buffer.replace(line, line + 1, new)
    ctx.buffer.marks.add_change(Pos(line, col))
    last = line + len(new) - 1
    end = len(lines[-1])
    ctx.buffer.marks.set_changed(Pos(line, col), Pos(last, max(end - 1, 0)))
    ctx.cursor = Pos(line + len(new) - 1, end) if how.after_text else Pos(line, col)


def put_lines(ctx: Context, register: Register, how: Put) -> None:
    """Put whole lines above or below the cursor's."""
    here = ctx.cursor.line
    line = ctx.window.first_of_fold(here) if how.before else ctx.window.last_of_fold(here) + 1
    new = list(register.lines) * how.times
    if how.fix_indent:
        _fix_indent(ctx, new, 0, how.indent)
    alone = ctx.buffer.no_lines
    ctx.buffer.insert(line, new)
    if alone:
        # Vim saves the empty line for `U` here, and only here.
        ctx.buffer.line_undo = (0, "", 0)
    last = line + len(new) - 1
    ctx.buffer.marks.set_changed(Pos(line, 0), Pos(last, max(len(new[-1]) - 1, 0)))
    if how.after_text:
        end = min(last + 1, len(ctx.lines) - 1)
        ctx.cursor = Pos(end, 0)
    else:
        ctx.cursor = Pos(line, first_nonblank(ctx.lines[line]))


def _fix_indent(ctx: Context, lines: list[str], first: int, want: int | None) -> None:
    """Shift lines so that the first of them has the wanted indent, that of the cursor's line (`:help ]p`)."""
    style = style_of(ctx.editor, ctx.window)
    if want is None:
        want = indentation.width(ctx.lines[ctx.cursor.line], style.tabstop)
    shift: int | None = None
    for index in range(first, len(lines)):
        text = lines[index]
        if text.startswith("#") and style.smartindent:
            continue
        if not text:
            continue
        here = indentation.width(text, style.tabstop)
        if shift is None:
            shift = want - here
        lines[index] = indentation.indented(text, max(here + shift, 0), style)


def put_block(ctx: Context, register: Register, how: Put) -> None:
    """Put a block: each of its lines into a line of the text, in the same display column."""
    line = ctx.cursor.line
    ts = ctx.tabstop
    at_col, left = _block_place(ctx, how)
    rows = list(register.lines)
    texts = ctx.lines[line : line + len(rows)]
    texts += [""] * (len(rows) - len(texts))
    new: list[str] = []
    end = pad_first = 0
    for index, (text, row) in enumerate(zip(texts, rows, strict=True)):
        width = 0 if how.ragged else register.width
        placed = _place_row(text, row, left, width, how.times, ts)
        new.append(placed.text)
        end = placed.end
        if index == 0:
            pad_first = placed.pad
    ctx.buffer.replace(line, min(line + len(rows), len(ctx.lines)), new)
    first = Pos(line, at_col + pad_first)
    last = Pos(line + len(rows) - 1, max(end - 1, 0))
    ctx.buffer.marks.set_changed(first, last)
    if how.after_text:
        ctx.cursor = clamp(Pos(last.line, end), ctx.lines, past_end=True)
    else:
        ctx.cursor = first


def _cells(text: str, col: int, column: int, tabstop: int) -> int:
    return char_cells(text[col], column, tabstop)


def _block_place(ctx: Context, how: Put) -> tuple[int, int]:
    """Return where a block is put: the cursor's column afterwards but for blanks put in, and the display column."""
    (line, col), add = ctx.cursor, ctx.cursor.add
    text, ts = ctx.lines[line], ctx.tabstop
    left = column_of(text, col, ts)
    if col >= len(text):
        return col, left + add + (add > 0 and not how.before and everywhere(ctx.engine))
    cells = max(_cells(text, col, left, ts), 1)
    if not everywhere(ctx.engine):
        return (col, left + add) if how.before else (min(next_col(text, col), len(text)), left + cells + add)
    tab = text[col] == "\t"
    if how.before:
        # In a tab it is where the cursor is, else behind the character that the cursor is beyond.
        return (col if tab or not add else col + 1), left + add
    at = min(next_col(text, col), len(text))
    if tab and add == cells - 1 and add:
        at += 1
    return at, left + 1 + add


class _Placed(NamedTuple):
    """A line with a row of a block in it, where that ends, and how many blanks were put before it."""

    text: str
    end: int
    pad: int


def _place_row(text: str, row: str, column: int, width: int, count: int, tabstop: int) -> _Placed:
    """Put one row of a block into a line at a display column; a tab there is split, a wide character moves."""
    at, col, cells = 0, 0, 0
    while at < column and col < len(text):
        cells = char_cells(text[col], at, tabstop)
        at += cells
        col += 1
    while col < len(text) and at >= column and char_cells(text[col], at, tabstop) == 0:
        col += 1
    short = at < column or (at == column and col >= len(text))
    pad = fill = drop = 0
    if at < column:
        pad = column - at
    elif at > column:
        col = prev_col(text, col)
        fill = at - column
        pad = cells - fill
        drop = 1
        if text[col] != "\t":
            drop = fill = 0
    # Vim counts each character as if it stood in the first column, combining ones too.
    wide = sum(max(char_cells(char, 0, tabstop), 1) for char in row)
    if not row.isascii():
        # … and each byte of UTF-8 behind the first as one that cannot be shown.
        wide += 4 * (len(row.encode("utf-8", "surrogatepass")) - len(row))
    tail = " " * max(width - wide, 0)
    body = (row + tail) * count
    if short and tail:
        body = body[: len(body) - len(tail)]
    head = text[:col] + " " * pad + body + " " * fill
    return _Placed(head + text[col + drop :], len(head), pad)


def register_to_put(ctx: Context) -> Register:
    """Return the register that a put command names. Raises `CommandFailed` (E353) when it is empty."""
    name = ctx.register or '"'
    register = ctx.editor.registers.get(name)
    if register is None:
        # Vim has made ready to put before it looks: there is something to undo.
        ctx.buffer.save_line(ctx.cursor.line, gap=True)
        ctx.buffer.marks.set_changed(ctx.cursor, ctx.cursor)
        ctx.cursor = beyond(*clamp(ctx.cursor, ctx.lines, past_end=past_end(ctx)), ctx.cursor.add)
        raise CommandFailed(f"E353: Nothing in register {name}")
    return register


def _act(
    ctx: Context, *, before: bool, after_text: bool = False, fix_indent: bool = False, ragged: bool = False
) -> None:
    if ctx.register == "." and ctx.visual is None:
        _put_inserted(ctx, before=before)
        return
    if ctx.visual is not None:
        over = ctx.editor.registers.get(ctx.register or '"')
        put_over(ctx, over, Put(before, ctx.count, after_text, fix_indent, ragged=ragged), put)
        auto_format(ctx)
        return
    register = register_to_put(ctx)
    how = Put(before, ctx.count, after_text, fix_indent, ctx.engine.insert.resume is not None, ragged)
    lines = reporting.size(ctx.buffer)
    put(ctx, register, how)
    reporting.came_or_went(ctx.editor, ctx.buffer, lines)
    auto_format(ctx)


def _put_inserted(ctx: Context, *, before: bool) -> None:
    """Put the `.` register: it is typed again, as Insert mode would take it."""
    insert = ctx.engine.insert
    if insert.last_inserted is None:
        raise CommandFailed("E29: No inserted text yet")
    keys = list(insert.last_inserted)
    if not before and ctx.lines[ctx.cursor.line]:
        ctx.cursor = Pos(ctx.cursor.line, next_col(ctx.lines[ctx.cursor.line], ctx.cursor.col))
    insert.start(count=ctx.count)
    insert.replay(keys)


@action("put-after", dot=True, modifies=True)
def put_after(ctx: Context) -> None:
    """Put a register after the cursor, or below its line; over the selection in Visual mode."""
    _act(ctx, before=False)


@action("put-before", dot=True, modifies=True)
def put_before(ctx: Context) -> None:
    """Put a register before the cursor, or above its line; over the selection the registers stay as they are."""
    _act(ctx, before=True)


@action("put-after-go", dot=True, modifies=True)
def put_after_go(ctx: Context) -> None:
    """Put a register after the cursor and go behind the new text."""
    _act(ctx, before=False, after_text=True)


@action("put-before-go", dot=True, modifies=True)
def put_before_go(ctx: Context) -> None:
    """Put a register before the cursor and go behind the new text."""
    _act(ctx, before=True, after_text=True)


@action("put-after-indented", dot=True, modifies=True)
def put_after_indented(ctx: Context) -> None:
    """Put lines below with the indent of the cursor's line."""
    ctx.engine.last_kind = EXCLUSIVE
    _act(ctx, before=False, fix_indent=True)


@action("put-before-indented", dot=True, modifies=True)
def put_before_indented(ctx: Context) -> None:
    """Put lines above with the indent of the cursor's line."""
    ctx.engine.last_kind = EXCLUSIVE
    _act(ctx, before=True, fix_indent=True)


@action("put-after-ragged", dot=True, modifies=True)
def put_after_ragged(ctx: Context) -> None:
    """Put a register after the cursor, a block without blanks behind its short lines."""
    _act(ctx, before=False, ragged=True)


@action("put-before-ragged", dot=True, modifies=True)
def put_before_ragged(ctx: Context) -> None:
    """Put a register before the cursor, a block without blanks behind its short lines."""
    _act(ctx, before=True, ragged=True)
