"""Commands that work on lines: delete, yank, put, move, copy, join, shift (`:help change.txt`)."""

from __future__ import annotations

import re

from tpy.modal.engine import reporting
from tpy.modal.engine.columns import wanted_column
from tpy.modal.engine.context import Context
from tpy.modal.engine.dispatch import MOST_NESTED
from tpy.modal.engine.indent import shift_text
from tpy.modal.engine.indentation import blank_count, style_of
from tpy.modal.engine.joining import join_lines
from tpy.modal.engine.patterns import compiled
from tpy.modal.ex.address import Addresses
from tpy.modal.ex.bulk import Change, apply_changes
from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.expressions import evaluate_text
from tpy.modal.ex.run import run_line
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.pattern import find_all, split_pattern
from tpy.modal.text.position import LINE, Pos, first_nonblank
from tpy.modal.text.registers import Register
from tpy.modal.view.foldmove import moved_folds


@command("goto-line", range="0")
def goto_line(ctx: ExContext) -> None:
    """Go to a line: what a range without a command does."""
    ctx.go_to_line(ctx.last)


@command("o[pen]", range=".", args="rest", bar=False)
def open_line(ctx: ExContext) -> None:
    """Go to a line, in a changed buffer to the match of a pattern in it; Vi's open mode itself is not there."""
    ctx.go_to_line(ctx.last)
    if ctx.args.startswith("/"):
        text, _ = split_pattern(ctx.args[1:], "/", bool(ctx.option("magic")))
        found = next(find_all(ctx.lines, compiled(ctx.editor, text), ctx.last), None)
        if found is None:
            raise CommandFailed("E479: No match")
        if ctx.buffer.modified:
            ctx.window.cursor = Pos(ctx.last, found.start[1])
    # Vim would read the file again now.
    if ctx.buffer.modified:
        raise CommandFailed("E37: No write since last change (add ! to override)")


@command("d[elete]", range=".", register=True, count=True, flags=True, modifies=True)
def delete(ctx: ExContext) -> None:
    """Delete lines into a register."""
    ctx.push_jump()
    buffer, first, last = ctx.buffer, ctx.first, ctx.last
    if buffer.no_lines:
        return
    ctx.window.cursor = Pos(first, first_nonblank(buffer.lines[first]))
    ctx.editor.registers.delete(
        ctx.register, Register(tuple(buffer.lines[first : last + 1]), LINE), numbered=True, small=False
    )
    buffer.delete(first, last + 1)
    line = min(first, len(buffer.lines) - 1)
    ctx.window.cursor, ctx.window.want = Pos(line, first_nonblank(buffer.lines[line])), None
    buffer.marks.set_changed(Pos(ctx.window.cursor.line, 0), Pos(ctx.window.cursor.line, 0))


@command("y[ank]", range=".", register=True, count=True)
def yank(ctx: ExContext) -> None:
    """Yank lines into a register."""
    lines = tuple(ctx.lines[ctx.first : ctx.last + 1])
    ctx.editor.registers.yank(ctx.register, Register(lines, LINE))
    ctx.buffer.marks.set_changed(Pos(ctx.first, 0), Pos(ctx.last, 0))
    reporting.yanked(ctx.editor, len(lines), ctx.register)


@command("pu[t]", range="0", bang=True, register=True, args="rest", modifies=True)
def put(ctx: ExContext) -> None:
    """Put a register's text as lines below the line, with `!` above."""
    ctx.to_line(max(ctx.last, 0))
    if ctx.register == "=":
        text = evaluate_text(ctx.engine, ctx.args) if ctx.args else ctx.editor.extra.get("expression")
        if text is None:
            raise CommandFailed("E353: Nothing in register =")
        lines = text.split("\n")
    else:
        if ctx.args:
            raise CommandFailed(f"E488: Trailing characters: {ctx.args}")
        held = ctx.editor.registers.get(ctx.register or '"')
        if held is None:
            ctx.buffer.save_line(ctx.window.cursor.line, gap=True)
            ctx.buffer.marks.set_changed(ctx.window.cursor, ctx.window.cursor)
            raise CommandFailed(f"E353: Nothing in register {ctx.register or chr(34)}")
        lines = list(held.lines)
    at = max(ctx.last, 0) if ctx.bang else ctx.last + 1
    ctx.buffer.insert(at, lines)
    ctx.buffer.marks.set_changed(Pos(at, 0), Pos(at + len(lines) - 1, max(len(lines[-1]) - 1, 0)))
    ctx.go_to_nonblank(at + len(lines) - 1)


def _target(ctx: ExContext) -> int:
    """Return the line (from 0) below which the argument's address points, -1 for above all."""
    reader = Addresses(ctx.engine, ctx.args, 0, ".")
    line = reader.single()
    if line is None or not 0 <= line <= len(ctx.lines):
        raise CommandFailed("E16: Invalid range")
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
    windows = [one for one in ctx.editor.layout.windows() if one.buffer is buffer and "folds" in one.extra]
    folds = [moved_folds(one.extra["folds"].roots, first, last, target) for one in windows]
    marks = {name: pos for name, pos in buffer.marks.named.items() if first <= pos.line <= last}
    selected = buffer.marks.visual
    buffer.insert(target + 1, moved)
    gone = first if target > last else last + 1
    buffer.delete(gone, gone + count)
    for window, roots in zip(windows, folds, strict=True):
        window.extra["folds"].roots = roots
    for name, pos in marks.items():
        buffer.marks.named[name] = Pos(start + pos.line - first, pos.col)
    if selected is not None and buffer.marks.visual is not None:
        ends = [
            Pos(start + old.line - first, old.col) if first <= old.line <= last else now
            for old, now in zip(selected[1:3], buffer.marks.visual[1:3], strict=True)
        ]
        buffer.marks.visual = (selected[0], ends[0], ends[1], selected[3])
    buffer.marks.set_changed(Pos(start, 0), Pos(start + count - 1, 0))
    buffer.marks.add_change(Pos(min(first, start), 0))
    ctx.go_to_line(start + count - 1)
    if "global" not in ctx.editor.extra:
        reporting.told(ctx.editor, count, "{} moved")


@command("co[py]", range=".", args="rest", modifies=True)
def copy(ctx: ExContext) -> None:
    """Copy lines below another line."""
    target = _target(ctx)
    lines = ctx.lines[ctx.first : ctx.last + 1]
    ctx.buffer.insert(target + 1, lines)
    ctx.buffer.line_undo = None
    ctx.buffer.marks.set_changed(Pos(target + 1, 0), Pos(target + len(lines), 0))
    ctx.go_to_line(target + len(lines))


@command("t", range=".", args="rest", modifies=True)
def copy_short(ctx: ExContext) -> None:
    """Copy lines below another line."""
    copy(ctx)


@command("j[oin]", range=".", bang=True, count=True, flags=True, modifies=True)
def join(ctx: ExContext) -> None:
    """Join lines with a blank between them, with `!` as they are."""
    first, last = ctx.first, ctx.last
    if first == last:
        ctx.to_line(first)
        if ctx.lines_typed >= 2 or last == len(ctx.lines) - 1:
            return
        last += 1
    join_lines(Context(ctx.engine), first, last - first + 1, spaces=not ctx.bang)
    ctx.window.cursor = Pos(first, first_nonblank(ctx.lines[first]))


@command(">", range=".", args="shift", count=True, flags=True, modifies=True)
def shift_right(ctx: ExContext) -> None:
    """Move lines to the right by `'shiftwidth'`, for each `>` once."""
    _shift(ctx, 1)


@command("<", range=".", args="shift", count=True, flags=True, modifies=True)
def shift_left(ctx: ExContext) -> None:
    """Move lines to the left by `'shiftwidth'`, for each `<` once."""
    _shift(ctx, -1)


def _shift(ctx: ExContext, direction: int) -> None:
    if ctx.args:
        raise CommandFailed(f"E488: Trailing characters: {ctx.args}")
    ctx.push_jump()
    # Without 'startofline' the wanted column stays.
    want = None if ctx.option("startofline") else wanted_column(Context(ctx.engine))
    ctx.go_to_line(ctx.first)
    times = 1 + sum(flag in "<>" for flag in ctx.call.flags)
    style = style_of(ctx.editor, ctx.window)
    changes = []
    # Vim's cursor goes along behind the indents, and stays in its column where there is nothing to shift.
    col = ctx.window.cursor.col
    for number in range(ctx.first, ctx.last + 1):
        text = ctx.lines[number]
        new = shift_text(text, direction * times, style)
        changes.append(Change(number, 1, [new]))
        if new != text or not text:
            col = blank_count(new)
    apply_changes(ctx.buffer, changes)
    end = max(len(ctx.lines[ctx.last]) - 1, 0)
    ctx.buffer.marks.set_changed(Pos(ctx.first, 0), Pos(ctx.last, end))
    ctx.buffer.marks.add_change(Pos(ctx.first, 0))
    if "global" in ctx.editor.extra:
        ctx.go_to_nonblank(ctx.last)
    else:
        # Behind blanks alone it stays.
        ctx.window.cursor = ctx.engine.behind_end = Pos(ctx.last, min(col, len(ctx.lines[ctx.last])))
    ctx.window.want = want
    reporting.told(ctx.editor, ctx.last - ctx.first + 1, f"{{}} {'>' if direction > 0 else '<'}ed {{times}}", times)


@command("k", range=".", args="mark")
def k(ctx: ExContext) -> None:
    """Set a mark at the start of a line."""
    mark(ctx)


@command("ma[rk]", range=".", args="mark")
def mark(ctx: ExContext) -> None:
    """Set a mark at the start of a line."""
    name = ctx.args
    if not name:
        raise CommandFailed("E471: Argument required")
    if len(name) > 1:
        raise CommandFailed(f"E488: Trailing characters: {name}")
    pos = Pos(ctx.last, first_nonblank(ctx.lines[ctx.last]))
    if "a" <= name <= "z" or name in "[]":
        ctx.buffer.marks.set(name, pos)
    elif name in "'`":
        ctx.buffer.marks.set("'", pos)
    elif name.isupper():
        ctx.editor.file_marks[name] = (ctx.buffer.number, pos)
    else:
        raise CommandFailed("E191: Argument must be a letter or forward/backward quote")


def show_lines(ctx: ExContext, *, numbers: bool = False, visibly: bool = False) -> None:
    """Show lines as a message and go to the last of them."""
    shown = []
    for number in range(ctx.first, ctx.last + 1):
        text = ctx.lines[number]
        if visibly or "l" in ctx.call.flags:
            text = "".join(f"^{chr(ord(c) ^ 64)}" if c < " " or c == "\x7f" else c for c in text) + "$"
        if numbers or "#" in ctx.call.flags or ctx.option("number"):
            text = f"{number + 1:3} {text}"
        shown.append(text)
    ctx.push_jump()
    ctx.go_to_line(ctx.last)
    ctx.show("\n".join(shown))


@command("p[rint]", range=".", count=True, flags=True)
def print_(ctx: ExContext) -> None:
    """Show lines."""
    show_lines(ctx)


@command("P[rint]", range=".", count=True, flags=True)
def print_capital(ctx: ExContext) -> None:
    """Show lines."""
    show_lines(ctx)


@command("nu[mber]", range=".", count=True, flags=True)
def number(ctx: ExContext) -> None:
    """Show lines with their numbers."""
    show_lines(ctx, numbers=True)


@command("#", range=".", count=True, flags=True)
def number_sign(ctx: ExContext) -> None:
    """Show lines with their numbers."""
    show_lines(ctx, numbers=True)


@command("l[ist]", range=".", count=True, flags=True)
def list_(ctx: ExContext) -> None:
    """Show lines with tabs and line ends visible."""
    show_lines(ctx, visibly=True)


@command("=", range="$", flags=True)
def line_number(ctx: ExContext) -> None:
    """Show the number of a line, the last one by default."""
    ctx.echo(str(ctx.last + 1))


_Z = re.compile(r"([-+=^.]?)([-+]*)(\d*)(.*)")


@command("z", range=".", bang=True, args="rest", flags=True)
def z(ctx: ExContext) -> None:
    """Show a screenful of lines round a line."""
    match = _Z.match(ctx.args)
    assert match is not None
    kind, more, digits, rest = match.groups()
    if rest:
        raise CommandFailed("E144: Non-numeric argument to :z")
    total, line = len(ctx.lines), ctx.call.last
    scroll = ctx.option("scroll") or max(ctx.window.height // 2, 1)
    size = ctx.window.height if ctx.bang else scroll * 2
    if digits:
        size = min(int(digits), 2 * total) + (2 if kind == "=" else 0)
    times = 1 + len(more) - len(more.lstrip(kind)) if kind else 1
    if kind == "-":
        start = line - size * times + 1
        end = cursor = start + size - 1
    elif kind == "=":
        start, end, cursor = line - (size + 1) // 2 + 1, line + (size + 1) // 2 - 1, line
    elif kind == "^":
        start, end, cursor = line - size * 2, line - size, line - size
    elif kind == ".":
        start, end = line - (size + 1) // 2 + 1, line + (size + 1) // 2 - 1
        cursor = end
    else:
        start = line + (size * (times - 1) + 1 if kind else 0 if ctx.lines_typed else 1)
        end = cursor = start + size - 1
    start, end = max(start, 1), min(end, total)
    cursor = min(max(cursor, 1), total) - 1
    if ctx.window.cursor.line != cursor:
        ctx.keep_want()
        ctx.window.cursor = Pos(cursor, 0)
    ctx.show("\n".join(ctx.lines[start - 1 : end]))


@command("go[to]", range="count", count=True)
def goto(ctx: ExContext) -> None:
    """Go to a byte of the text, counted from 1 with one byte for each line end."""
    left = max((ctx.count or 1) - 1, 0)
    ctx.push_jump()
    for number, text in enumerate(ctx.lines):
        size = len(text.encode("utf-8", "surrogatepass")) + 1
        if left < size:
            head = text.encode("utf-8", "surrogatepass")[:left].decode("utf-8", "ignore")
            ctx.window.cursor = Pos(number, min(len(head), max(len(text) - 1, 0)))
            break
        left -= size
    else:
        last = len(ctx.lines) - 1
        ctx.window.cursor = Pos(last, max(len(ctx.lines[last]) - 1, 0))
    ctx.window.want = None


@command("@", range=".", args="register", bar=False)
def at(ctx: ExContext) -> Work:
    """Run the contents of a register as ex commands, at a line; `:@:` and `:@@` repeat the last line and register."""
    name = ctx.args.strip() or "@"
    editor = ctx.editor
    if name == "@":
        name = editor.extra.get("ex-register", "")
        if not name:
            raise CommandFailed("E748: No previously used register")
    ctx.to_line(ctx.last)
    if name == ":":
        line = editor.extra.get("ran-line")
        if line is None:
            raise CommandFailed("E30: No previous command line")
        lines: tuple[str, ...] = (line,)
        editor.extra["ran-again"] = True
    else:
        held = editor.registers.get(name)
        editor.extra["ex-register"] = name
        lines = held.lines if held is not None else ()
    depth = editor.extra.get("ex-depth", 0)
    if depth >= MOST_NESTED:
        raise CommandFailed("E169: Command too recursive")
    editor.extra["ex-depth"] = depth + 1
    try:
        for line in lines:
            yield from run_line(ctx.engine, line)
    finally:
        editor.extra["ex-depth"] = depth
