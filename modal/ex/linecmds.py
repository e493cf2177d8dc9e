"""Commands that work on lines: delete, yank, put, move, copy, join, shift (`:help change.txt`)."""

from __future__ import annotations

from tpy.modal.ex.address import Addresses
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.expressions import evaluate_text
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.position import LINE, Pos, first_nonblank
from tpy.modal.text.registers import Register


@command("goto-line", range="0")
def goto_line(ctx: ExContext) -> None:
    """Go to a line: what a range without a command does."""
    ctx.push_jump()
    ctx.go_to_line(ctx.last)


@command("d[elete]", range=".", register=True, count=True, flags=True, modifies=True)
def delete(ctx: ExContext) -> None:
    """Delete lines into a register."""
    ctx.push_jump()
    buffer, first, last = ctx.buffer, ctx.first, ctx.last
    ctx.window.cursor = Pos(first, first_nonblank(buffer.lines[first]))
    ctx.editor.registers.delete(ctx.register, Register(tuple(buffer.lines[first : last + 1]), LINE), numbered=True, small=False)
    buffer.delete(first, last + 1)
    ctx.go_to_line(first)
    buffer.marks.set_changed(Pos(ctx.window.cursor.line, 0), Pos(ctx.window.cursor.line, 0))


@command("y[ank]", range=".", register=True, count=True)
def yank(ctx: ExContext) -> None:
    """Yank lines into a register."""
    lines = tuple(ctx.lines[ctx.first : ctx.last + 1])
    ctx.editor.registers.yank(ctx.register, Register(lines, LINE))
    ctx.buffer.marks.set_changed(Pos(ctx.first, 0), Pos(ctx.last, 0))


@command("pu[t]", range="0", bang=True, register=True, args="rest", modifies=True)
def put(ctx: ExContext) -> None:
    """Put a register's text as lines below the line, with `!` above."""
    if ctx.register == "=":
        text = evaluate_text(ctx.engine, ctx.args) if ctx.args else ctx.editor.extra.get("expression", "")
        lines = text.split("\n")
    else:
        if ctx.args:
            raise CommandFailed(f"E488: Trailing characters: {ctx.args}")
        held = ctx.editor.registers.get(ctx.register or '"')
        if held is None:
            raise CommandFailed(f"E353: Nothing in register {ctx.register or chr(34)}")
        lines = list(held.lines)
    at = max(ctx.last, 0) if ctx.bang else ctx.last + 1
    ctx.push_jump()
    ctx.buffer.insert(at, lines)
    ctx.buffer.marks.set_changed(Pos(at, 0), Pos(at + len(lines) - 1, 0))
    ctx.window.cursor = Pos(at + len(lines) - 1, first_nonblank(lines[-1]))


def _target(ctx: ExContext) -> int:
    """Return the line (from 0) below which the argument's address points, -1 for above all."""
    reader = Addresses(ctx.engine, ctx.args, 0, ".")
    line = reader.single()
    if line is None or not 0 <= line <= len(ctx.lines):
        raise CommandFailed("E16: Invalid range")
    tail = ctx.args[reader.at :].strip(" \t").lstrip("lp#")
    if tail:
        raise CommandFailed(f"E488: Trailing characters: {tail}")
    return line - 1


@command("m[ove]", range=".", args="rest", modifies=True)
def move(ctx: ExContext) -> None:
    """Move lines below another line; their marks go with them."""
    target = _target(ctx)
    first, last, buffer = ctx.first, ctx.last, ctx.buffer
    count = last - first + 1
    if first <= target < last:
        raise CommandFailed("E134: Cannot move a range of lines into itself")
    start = target + 1 if target < first else target + 1 - count
    if target in (first - 1, last):
        ctx.go_to_line(last)
        return
    moved = buffer.lines[first : last + 1]
    marks = {name: pos for name, pos in buffer.marks.named.items() if first <= pos.line <= last}
    if target > last:
        buffer.insert(target + 1, moved)
        buffer.delete(first, last + 1)
    else:
        buffer.delete(first, last + 1)
        buffer.insert(target + 1, moved)
    for name, pos in marks.items():
        buffer.marks.named[name] = Pos(start + pos.line - first, pos.col)
    buffer.marks.set_changed(Pos(start, 0), Pos(start + count - 1, 0))
    ctx.go_to_line(start + count - 1)


@command("co[py]", range=".", args="rest", modifies=True)
def copy(ctx: ExContext) -> None:
    """Copy lines below another line."""
    target = _target(ctx)
    lines = ctx.lines[ctx.first : ctx.last + 1]
    ctx.buffer.insert(target + 1, lines)
    ctx.buffer.marks.set_changed(Pos(target + 1, 0), Pos(target + len(lines), 0))
    ctx.go_to_line(target + len(lines))


@command("t", range=".", args="rest", modifies=True)
def copy_short(ctx: ExContext) -> None:
    """Copy lines below another line."""
    copy(ctx)
