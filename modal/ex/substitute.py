"""`:s` and its short forms: syntax, flags, what is remembered, the confirm dialogue (`:help :substitute`).

The replacing itself is in `substitution.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.engine import patterns, reporting
from tpy.modal.engine.context import Context
from tpy.modal.engine.joining import join_lines
from tpy.modal.ex import history
from tpy.modal.ex.bulk import Change, apply_changes
from tpy.modal.ex.context import Ask, ExContext, Work
from tpy.modal.ex.expressions import scope_of
from tpy.modal.ex.quickreplace import expander, replace_quickly, without_collection
from tpy.modal.ex.substitution import Expand, OneByOne, Result, replace_matches
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.expression import ExpressionError
from tpy.modal.text.pattern import (
    Match,
    Pattern,
    Replacement,
    SearchStopped,
    matches_to_replace,
    parse_replacement,
    split_pattern,
)
from tpy.modal.text.position import MAXCOL, Pos, clamp, first_nonblank

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

_REPEATED = '0123456789cegnriIp|"&#l'
# What makes a match depend on the text before it in its line.
_LOOK_BACK = ("^", "<", "%", "zs", "@")
_KEYS = ("y", "n", "a", "q", "l", "<C-e>", "<C-y>")


class Flags(NamedTuple):
    """The flags of one `:s` as they apply: all but `last` are remembered for `&&`."""

    each: bool = False
    ask: bool = False
    counting: bool = False
    quiet: bool = False
    last: bool = False
    case: str = ""
    show: str = ""


class Wanted(NamedTuple):
    """A `:s` that was read: `pattern` is `None` for the one before, `use` says which ("last", "search",
    "substitute"); `replacement` is `None` for the one before."""

    pattern: str | None
    use: str
    replacement: str | None
    flags: Flags
    first: int
    last: int


@command("s[ubstitute]", range=".", args="pattern", bar=False)
def substitute(ctx: ExContext) -> Work:
    """Replace what matches a pattern: `:s/pattern/replacement/flags`."""
    yield from run(ctx, read(ctx, "substitute"))


@command("sm[agic]", range=".", args="pattern", bar=False)
def smagic(ctx: ExContext) -> Work:
    """Replace as `:s` does, with `'magic'` on."""
    yield from _with_magic(ctx, True)


@command("sno[magic]", range=".", args="pattern", bar=False)
def snomagic(ctx: ExContext) -> Work:
    """Replace as `:s` does, with `'magic'` off."""
    yield from _with_magic(ctx, False)


def _with_magic(ctx: ExContext, magic: bool) -> Work:
    values = ctx.editor.options.values
    before, values["magic"] = values["magic"], magic
    try:
        yield from run(ctx, read(ctx, "substitute"))
    finally:
        values["magic"] = before


@command("&", range=".", args="pattern", bar=False)
def again(ctx: ExContext) -> Work:
    """Repeat the last `:s` with other flags; `&&` keeps its flags."""
    yield from run(ctx, read(ctx, "substitute"))


@command("~", range=".", args="pattern", bar=False)
def again_last_pattern(ctx: ExContext) -> Work:
    """Repeat the last `:s` with the last pattern used, also by a search."""
    yield from run(ctx, read(ctx, "last"))


def read(ctx: ExContext, use: str) -> Wanted:
    """Read pattern, replacement, flags and count; sets `ctx.rest`. Raises `CommandFailed`."""
    args = ctx.args
    name = ctx.call.command.name
    pattern: str | None = None
    replacement: str | None = None
    separator = args[:1]
    if name in ("substitute", "smagic", "snomagic") and separator and separator not in ' \t0123456789cegriIp|"':
        pattern, use, replacement, args = _parts(args)
    elif ctx.editor.search.replacement is None:
        raise CommandFailed("E33: No previous substitute regular expression")
    first, last = ctx.first, ctx.last
    flags, args = _flags(ctx, args)
    args = args.lstrip(" \t")
    number = re.match(r"[0-9]+", args)
    if number is not None:
        count = int(number[0])
        if count <= 0 and not flags.quiet:
            raise CommandFailed("E939: Positive count required")
        first, last = last, min(last + count - 1, len(ctx.lines) - 1)
        args = args[number.end() :].lstrip(" \t")
    if args and args[0] != '"':
        if args[0] not in "|\n":
            raise CommandFailed(f"E488: Trailing characters: {args}")
        ctx.rest = args[1:]
    if flags.last:
        use = "last"
    return Wanted(pattern, use, replacement, flags, first, last)


def _parts(args: str) -> tuple[str | None, str, str, str]:
    """Split `/pattern/replacement/rest`; return pattern, which one an empty pattern means, replacement, rest."""
    separator = args[0]
    if separator.isalpha():
        raise CommandFailed("E146: Regular expressions can't be delimited by letters")
    if separator == "\\":
        separator = args[1:2]
        if not separator or separator not in "/?&":
            raise CommandFailed("E10: \\ should be followed by /, ? or &")
        use = "substitute" if separator == "&" else "search"
        pattern, rest = None, args[2:]
    else:
        use = "last"
        found, tail = split_pattern(args[1:], separator)
        pattern, rest = found or None, tail or ""
    at = 0
    while at < len(rest) and rest[at] != separator:
        at += 2 if rest[at] == "\\" else 1
    return pattern, use, rest[:at], rest[at + 1 :]


def _flags(ctx: ExContext, args: str) -> tuple[Flags, str]:
    """Read the flags; `&` in front keeps those of the last `:s`."""
    remembered: Flags = ctx.editor.extra.get("substitute-flags", Flags())
    if args.startswith("&"):
        flags, args = remembered, args[1:]
    else:
        flags = Flags(each=bool(ctx.option("gdefault")))
    at = 0
    while at < len(args):
        flag = args[at]
        if flag == "g":
            flags = flags._replace(each=not flags.each)
        elif flag == "c":
            flags = flags._replace(ask=not flags.ask)
        elif flag == "n":
            flags = flags._replace(counting=True)
        elif flag == "e":
            flags = flags._replace(quiet=not flags.quiet)
        elif flag == "r":
            flags = flags._replace(last=True)
        elif flag in "iI":
            flags = flags._replace(case=flag)
        elif flag in "p#l":
            flags = flags._replace(show=flag)
        else:
            break
        at += 1
    if flags.counting:
        flags = flags._replace(ask=False)
    return flags, args[at:]


def resolve(engine: Engine, pattern: str | None, use: str) -> str:
    """Return the pattern that is meant. Raises `CommandFailed` (E33, E35) where there is none."""
    if pattern:
        return pattern
    search = engine.editor.search
    if use == "last":
        return patterns.last_pattern(engine.editor)
    if use == "search":
        if not search.pattern:
            raise CommandFailed("E35: No previous regular expression")
        return search.pattern
    if not search.substitute_pattern:
        raise CommandFailed("E33: No previous substitute regular expression")
    return search.substitute_pattern


def run(ctx: ExContext, wanted: Wanted, numbers: list[int] | None = None) -> Work:
    """Replace; `numbers` are the lines that `:g` marked, `None` outside of it."""
    editor, flags = ctx.editor, wanted.flags
    search = editor.search
    if not flags.counting:
        ctx.require_modifiable()
    source = wanted.replacement if wanted.replacement is not None else search.replacement
    assert source is not None
    pattern = resolve(ctx.engine, wanted.pattern, wanted.use)
    keeps = ctx.modifier("keeppatterns")
    if wanted.pattern and not keeps:
        history.add_pattern(editor, wanted.pattern)
    compiled = patterns.compiled(editor, pattern, ignorecase={"i": True, "I": False}.get(flags.case))
    replacement = parse_replacement(source, bool(ctx.option("magic")), search.tilde)
    if not keeps:
        # A repetition with the same pattern does not make it the last one used.
        known = not wanted.pattern and wanted.use == "substitute"
        patterns.remember(editor, pattern, substitute=not known)
    search.replacement = source
    if replacement.expression is None:
        search.tilde = replacement.source
    editor.extra["substitute-flags"] = flags._replace(last=False)
    if wanted.pattern == "\\n" and source == "" and not flags.ask and not flags.counting:
        _join(ctx, wanted)
        return
    result = yield from _replace(ctx, wanted, compiled, replacement, numbers)
    _finish(ctx, wanted, result, pattern)


def _join(ctx: ExContext, wanted: Wanted) -> None:
    """Do `:s/\\n//` as the join that it is: one line more than the range, where there is one."""
    count = wanted.last - wanted.first + 1
    if wanted.last < len(ctx.lines) - 1:
        count += 1
    ctx.window.cursor = Pos(wanted.first, 0)
    if count > 1:
        join_lines(Context(ctx.engine), wanted.first, count, spaces=False)


def _matches(
    ctx: ExContext, wanted: Wanted, pattern: Pattern, numbers: list[int] | None, put: list[str]
) -> Iterator[Match]:
    """Yield the matches to replace, in a snapshot of the text where the buffer changes meanwhile.

    `put` holds what the last match was replaced with: a line joined by that is searched as it is then.
    """
    lines = ctx.lines[:] if wanted.flags.ask else ctx.lines
    context = patterns.match_context(ctx.engine)
    every = wanted.flags.each
    looks_back = any(mark in pattern.text for mark in _LOOK_BACK)
    replaced = None if wanted.flags.ask or wanted.flags.counting or not looks_back else lambda: put[0]
    if numbers is None:
        return matches_to_replace(
            lines, pattern, wanted.first, wanted.last, every=every, replaced=replaced, ctx=context
        )
    return chain.from_iterable(
        matches_to_replace(lines, pattern, number, number, every=every, replaced=replaced, ctx=context)
        for number in numbers
    )


def _replace(
    ctx: ExContext, wanted: Wanted, pattern: Pattern, replacement: Replacement, numbers: list[int] | None
) -> Work:
    """Find and replace; the generator's value is the `Result`."""
    engine, flags, buffer = ctx.engine, wanted.flags, ctx.buffer

    put: list[str] = []
    scope = scope_of(engine) if replacement.expression is not None else None

    def _expand(match: Match, line: int, col: int) -> str:
        ctx.tell(match.start[0] - wanted.first, wanted.last + 1 - wanted.first)
        if replacement.expression is None:
            text = replacement.expand(match)
        else:
            ctx.window.cursor = Pos(line, col)
            text = replacement.expand(match, scope)
        put[:] = [text]
        return text

    try:
        if not flags.ask and not flags.counting and not pattern.multiline:
            quick = _quickly(ctx, wanted, pattern, replacement, numbers)
            if quick is not None:
                return quick
        matches = _matches(ctx, wanted, pattern, numbers, put)
        if flags.counting:
            found = list(matches)
            if found:
                ctx.push_jump()
            lines = len({match.start[0] for match in found})
            return Result(len(found), lines, found[-1].start[0] if found else None, 0)
        first = next(matches, None)
        if first is None:
            return Result(0, 0, None, 0)
        ctx.push_jump()
        if flags.ask:
            return (yield from _ask(ctx, chain((first,), matches), replacement, _expand))
        with without_collection():
            changes, result = replace_matches(buffer.lines, chain((first,), matches), _expand)
        # Where the cursor is when the step is undone.
        ctx.window.cursor = Pos(min(first.start[0], len(buffer.lines) - 1), 0)
        _apply(buffer, changes)
        return result
    except SearchStopped as stopped:
        raise CommandFailed(str(stopped)) from None
    except ExpressionError as error:
        raise CommandFailed(str(error)) from None


def _quickly(
    ctx: ExContext, wanted: Wanted, pattern: Pattern, replacement: Replacement, numbers: list[int] | None
) -> Result | None:
    """Replace over whole chunks of lines where pattern and replacement allow that."""
    expand = expander(replacement)
    if expand is None:
        return None
    where = range(wanted.first, wanted.last + 1) if numbers is None else numbers
    done = replace_quickly(ctx.lines, where, pattern, expand, each=wanted.flags.each, tell=ctx.tell)
    if done is None:
        return None
    changes, result = done
    if changes:
        ctx.push_jump()
        ctx.window.cursor = Pos(changes[0].line, 0)
        _apply(ctx.buffer, changes)
    return result


def _apply(buffer: Buffer, changes: list[Change]) -> None:
    """Change the lines; what `U` takes back stays the same."""
    kept = buffer.line_undo
    apply_changes(buffer, changes)
    buffer.line_undo = kept


def _ask(ctx: ExContext, matches: Iterator[Match], replacement: Replacement, expand: Expand) -> Work:
    """Ask about each match: y, n, a (all that follow), l (this one and no more), q; <C-e> and <C-y> scroll."""
    work = OneByOne(ctx.buffer, ctx.lines)
    answer: str | None = None
    question = f"replace with {replacement.source} (y/n/a/q/l/^E/^Y)?"
    try:
        for match in matches:
            line, col = work.place(match)
            ctx.window.cursor = Pos(min(line, len(ctx.lines) - 1), col)
            while answer != "a":
                ctx.editor.extra["substitute-match"] = match
                answer = yield Ask(question, _KEYS)
                if answer not in ("<C-e>", "<C-y>"):
                    break
                _scroll(ctx, answer)
            if answer in ("q", None):
                break
            if answer != "n":
                ctx.window.cursor = Pos(min(line, len(ctx.lines) - 1), 0)
                work.replace(match, expand(match, line, col))
                ctx.window.cursor = Pos(work.last_line or 0, 0)
            if answer == "l":
                break
    finally:
        ctx.editor.extra.pop("substitute-match", None)
    result = work.result()._replace(asked=answer != "a")
    return result if result.matches else result._replace(last_line=ctx.window.cursor.line)


def _scroll(ctx: ExContext, key: str) -> None:
    window = ctx.window
    window.top = min(max(window.top + (1 if key == "<C-e>" else -1), 0), window.cursor.line)


def _finish(ctx: ExContext, wanted: Wanted, result: Result, pattern: str) -> None:
    """Put the cursor, the marks and the message."""
    editor, flags, window = ctx.editor, wanted.flags, ctx.window
    busy = editor.extra.get("global")
    if not result.matches:
        if result.last_line is not None:
            window.cursor = Pos(min(result.last_line, len(ctx.lines) - 1), window.cursor.col)
        elif busy is None and not flags.quiet:
            raise patterns.not_found(pattern)
        return
    if flags.counting:
        matches = f"{result.matches} match" + ("es" if result.matches > 1 else "")
        editor.echo(f"{matches} on {result.lines} line" + ("s" if result.lines > 1 else ""))
        ctx.buffer.marks.set_changed(Pos(wanted.first, 0), Pos(wanted.last, 0))
        if busy is None:
            ctx.go_to_nonblank(window.cursor.line)
        return
    ctx.buffer.marks.set_changed(Pos(wanted.first, 0), Pos(max(wanted.last + result.shift, 0), 0))
    assert result.last_line is not None
    line = min(result.last_line, len(ctx.lines) - 1)
    if busy is not None:
        busy["begin-line"] = True
        window.cursor = Pos(line, 0)
    elif result.asked:
        window.cursor = clamp(window.cursor, ctx.lines)
    elif wanted.replacement is None and window.want == MAXCOL:
        window.cursor = Pos(line, max(len(ctx.lines[line]) - 1, 0))
    else:
        window.cursor = Pos(line, first_nonblank(ctx.lines[line]))
        window.want = None
    reporting.substituted(editor, result.matches, result.lines)
    if flags.show:
        ctx.show(ctx.lines[line])


__all__ = ["Flags", "Wanted", "read", "resolve", "run"]
