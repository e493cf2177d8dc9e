"""`:global`, `:vglobal` and `:normal`: running commands for many lines (`:help :global`)."""

from __future__ import annotations

import operator
import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from tpy.modal.editor import Message
from tpy.modal.engine import patterns, reporting
from tpy.modal.ex import history
from tpy.modal.ex.bulk import Change, apply_changes
from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.parse import find_command, parse
from tpy.modal.ex.run import run_line
from tpy.modal.ex.substitute import Wanted, resolve
from tpy.modal.ex.substitute import read as read_substitute
from tpy.modal.ex.substitute import run as substitute_lines
from tpy.modal.ex.typinglines import type_at_once
from tpy.modal.keymap import from_text
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.pattern import Pattern, SearchStopped, split_pattern
from tpy.modal.text.position import LINE, Pos, first_nonblank
from tpy.modal.text.registers import Register
from tpy.modal.text.splice import Splice

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


_ERROR = re.compile(r"E\d+:")
_NORMAL = re.compile(r"\s*norm(?:al?)?(!?) +(.+)")
_SUBSTITUTE = re.compile(r"\s*s(u|ub|ubstitute)?[/#,;:!]")
# From so many lines on a substitution is done for all of them together.
_MANY = 50


class MarkedLines:
    """Lines that wait for their command, lowest first; they follow changes, and deleted ones are forgotten."""

    def __init__(self, buffer: Buffer, numbers: list[int]) -> None:
        self.buffer = buffer
        # Sorted downwards so that the next one is at the end; `_shift` is to be added to all.
        self._waiting = numbers[::-1]
        self._shift = 0
        buffer.listeners.append(self._follow)

    def close(self) -> None:
        """Stop following."""
        self.buffer.listeners.remove(self._follow)

    def next(self) -> int | None:
        """Take the lowest line, `None` where none is left."""
        return self._waiting.pop() + self._shift if self._waiting else None

    def _follow(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        """Move what waits behind a change; only the lines that it touches and those before it are looked at."""
        change = len(splice.new) - len(splice.old)
        waiting, shift = self._waiting, self._shift
        if not change or not waiting or splice.line > waiting[0] + shift:
            return
        behind = bisect_right(waiting, -(splice.line + len(splice.old) - shift), key=operator.neg)
        near = waiting[behind:]
        del waiting[behind:]
        self._shift += change
        moved = (splice.shift(number + shift) for number in near)
        waiting += [number - self._shift for number in moved if number is not None]


@command("g[lobal]", range="%", bang=True, args="command", bar=False)
def global_(ctx: ExContext) -> Work:
    """Run a command for every line that matches: `:g/pattern/command`; with `!` for those that do not."""
    yield from _global(ctx, inverted=ctx.bang)


@command("v[global]", range="%", args="command", bar=False)
def vglobal(ctx: ExContext) -> Work:
    """Run a command for every line that does not match."""
    yield from _global(ctx, inverted=True)


def _read(ctx: ExContext) -> tuple[str, str]:
    """Return the pattern and the command of the argument, both remembered as Vim does."""
    args = ctx.args
    if not args:
        raise CommandFailed("E148: Regular expression missing from global")
    if args[0] == "\\":
        if args[1:2] not in ("/", "?", "&"):
            raise CommandFailed("E10: \\ should be followed by /, ? or &")
        found, rest = "", args[2:]
        use = "substitute" if args[1] == "&" else "search"
    else:
        if args[0].isalpha():
            raise CommandFailed("E146: Regular expressions can't be delimited by letters")
        found, tail = split_pattern(args[1:], args[0])
        rest, use = tail or "", "last"
    pattern = resolve(ctx.engine, found or None, use)
    if found and not ctx.modifier("keeppatterns"):
        history.add_pattern(ctx.editor, found)
    if not ctx.modifier("keeppatterns"):
        patterns.remember(ctx.editor, pattern, search=True, substitute=True)
    return pattern, rest


def matching(ctx: ExContext, pattern: Pattern, *, inverted: bool) -> list[int]:
    """Return the lines of the range that match, or do not. Raises `CommandFailed` when it takes too long."""
    lines, first, last = ctx.lines, ctx.first, ctx.last
    context = patterns.match_context(ctx.engine)
    found: list[int] = []
    due = 0
    try:
        for number in pattern.lines_with_match(lines, first, last + 1, context):
            if number >= due:
                ctx.tell(0, 0)
                due = number + 1024
            found.append(number)
    except SearchStopped as stopped:
        raise CommandFailed(str(stopped)) from None
    if not inverted:
        return found
    taken = set(found)
    return [number for number in range(first, last + 1) if number not in taken]


def _global(ctx: ExContext, *, inverted: bool) -> Work:
    editor = ctx.editor
    busy = "global" in editor.extra
    if busy and (ctx.first != 0 or ctx.last != len(ctx.lines) - 1):
        raise CommandFailed("E147: Cannot do :global recursive with a range")
    pattern, line = _read(ctx)
    compiled = patterns.compiled(editor, pattern)
    if busy:
        cursor = ctx.window.cursor.line
        matches = compiled.search_line(ctx.lines, cursor, 0, patterns.match_context(ctx.engine)) is not None
        if matches != inverted:
            yield from _one(ctx, line or "p")
        return
    numbers = matching(ctx, compiled, inverted=inverted)
    if not numbers:
        editor.echo(f"Pattern found in every line: {pattern}" if inverted else f"E486: Pattern not found: {pattern}")
        return
    ctx.push_jump()
    if _delete_all(ctx, line, numbers) or _turn_round(ctx, line, numbers):
        return
    if (wanted := _plain_substitute(ctx, line, numbers)) is not None:
        yield from substitute_lines(ctx, wanted, numbers)
        ctx.go_to_nonblank(min(ctx.window.cursor.line, len(ctx.lines) - 1))
        return
    if (found := _NORMAL.match(line)) is not None:
        numbers = numbers[type_at_once(ctx, from_text(found[2]), numbers, remap=not found[1]) :]
    yield from each_line(ctx, line, numbers)


def each_line(ctx: ExContext, line: str, numbers: list[int]) -> Work:
    """Run the command for each of the lines; an error message ends it."""
    editor, buffer = ctx.editor, ctx.buffer
    marked = MarkedLines(buffer, numbers)
    done = 0
    editor.extra["global"] = {"begin-line": False, "matches": 0, "lines": 0}
    keep_jumps, editor.keep_jumps = editor.keep_jumps, True
    try:
        while (number := marked.next()) is not None:
            editor.progress.at(done, len(numbers))
            done += 1
            ctx.window.cursor = Pos(min(number, len(buffer.lines) - 1), 0)
            message = editor.message
            try:
                yield from _one(ctx, line or "p")
            except CommandFailed as failure:
                if _ERROR.match(failure.message):
                    raise
                if failure.message:
                    editor.echo(failure.message)
            if editor.message is not message and _ends(editor.message):
                break
            if editor.buffer is not buffer:
                break
    finally:
        marked.close()
        editor.keep_jumps = keep_jumps
        state = editor.extra.pop("global")
        if state["begin-line"] and editor.buffer is buffer:
            cursor = ctx.window.cursor
            line_number = min(cursor.line, len(buffer.lines) - 1)
            ctx.window.cursor = Pos(line_number, first_nonblank(buffer.lines[line_number]))
        if state["matches"]:
            reporting.substituted(editor, state["matches"], state["lines"])


def _ends(message: Message | None) -> bool:
    """Whether a message is an error that ends `:global`: one with a number, not a mere notice."""
    return message is not None and message.error and _ERROR.match(message.text) is not None


def _one(ctx: ExContext, line: str) -> Work:
    yield from run_line(ctx.engine, line)


def _delete_all(ctx: ExContext, line: str, numbers: list[int]) -> bool:
    """Do `:g/pattern/d` at once, also for a million lines; `False` where the command is another one."""
    words = line.split()
    if not words or len(words) > 2 or not words[0].isalpha() or len(numbers) < 2:
        return False
    row = find_command(words[0])
    register = words[1] if len(words) == 2 else None
    if row is None or row.name != "delete" or words[0][-1] in "lp" or (register and not register.isalpha()):
        return False
    if register is not None and len(register) > 1:
        return False
    ctx.require_modifiable()
    buffer, registers = ctx.buffer, ctx.editor.registers
    if len(numbers) == len(buffer.lines):
        return False
    kept = numbers if register is not None and register.isupper() else numbers[-10:]
    for number in kept:
        registers.delete(register, Register((buffer.lines[number],), LINE), numbered=True, small=False)
    ctx.window.cursor = Pos(numbers[0], first_nonblank(buffer.lines[numbers[0]]))
    apply_changes(buffer, [Change(number, 1, []) for number in numbers])
    last = min(numbers[-1] - len(numbers) + 1, len(buffer.lines) - 1)
    ctx.go_to_line(last)
    buffer.marks.set_changed(Pos(last, 0), Pos(last, 0))
    return True


def _turn_round(ctx: ExContext, line: str, numbers: list[int]) -> bool:
    """Do `:g/pattern/m0` at once: the lines come first, the last of them on top; `False` for another command."""
    if not re.fullmatch(r"\s*m(o|ov|ove)?\s*0\s*", line) or len(numbers) < 2:
        return False
    ctx.require_modifiable()
    buffer = ctx.buffer
    taken = set(numbers)
    last = numbers[-1] + 1
    order = [*reversed(numbers), *(number for number in range(last) if number not in taken)]
    places = {old: new for new, old in enumerate(order)}
    ctx.window.cursor = Pos(numbers[0], 0)
    buffer.replace(0, last, [buffer.lines[number] for number in order])
    for name, pos in list(buffer.marks.named.items()):
        if pos.line < last:
            buffer.marks.named[name] = Pos(places[pos.line], pos.col)
    buffer.marks.set_changed(Pos(0, 0), Pos(0, 0))
    ctx.go_to_line(0)
    return True


def _plain_substitute(ctx: ExContext, line: str, numbers: list[int]) -> Wanted | None:
    """Return the `:s` that a command of `:g` is where all lines can be done in one go, `None` where they cannot."""
    if len(numbers) < _MANY or not _SUBSTITUTE.match(line) or "|" in line or "\n" in line or "~" in line:
        return None
    call = parse(ctx.engine, line)
    assert call is not None
    inner = ExContext(ctx.engine, call._replace(first=1, last=1))
    try:
        wanted = read_substitute(inner, "substitute")
    except CommandFailed:
        return None
    flags = wanted.flags
    if flags.ask or flags.counting or flags.show or wanted.last != 0 or call.modifiers:
        return None
    return wanted._replace(flags=flags._replace(quiet=True), first=numbers[0], last=numbers[-1])


@command("norm[al]", range=".", bang=True, args="rest", bar=False, need=True)
def normal(ctx: ExContext) -> None:
    """Type Normal mode commands, for each line of a range; with `!` without mappings."""
    engine: Engine = ctx.engine
    keys = from_text(ctx.args)
    if not ctx.lines_typed:
        engine.run_nested(keys, remap=not ctx.bang)
        # `:g` puts the cursor in the first column of the next line, but vertical motions aim at this one.
        ctx.keep_want()
        return
    window = ctx.window
    # The first line is begun in the first column too, with the one that was wanted before still wanted.
    ctx.keep_want()
    numbers = range(ctx.first, ctx.last + 1)
    for line in numbers[type_at_once(ctx, keys, numbers, remap=not ctx.bang) :]:
        ctx.tell(line - ctx.first, len(numbers))
        window.cursor = Pos(min(line, len(window.buffer.lines) - 1), 0)
        engine.run_nested(keys, remap=not ctx.bang)
    ctx.keep_want()
