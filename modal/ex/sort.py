"""`:sort` (`:help sorting`)."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tpy.modal.engine import patterns, reporting
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.pattern import Pattern, SearchStopped, split_pattern
from tpy.modal.text.position import Pos, first_nonblank

# Finds the number in what is sorted on, by the flag: the digits, and the base they are read in.
_NUMBERS = {
    "n": (re.compile(r"-?[0-9]+"), 10),
    "x": (re.compile(r"-?(?:0[xX](?=[0-9a-fA-F]))?([0-9a-fA-F]+)"), 16),
    "o": (re.compile(r"-?[0-9]"), 8),
    "b": (re.compile(r"-?(?:0[bB](?=[01]))?([01]+)"), 2),
}
# What `strtod` takes, hexadecimal numbers too.
_FLOAT = re.compile(
    r"[ \t]*\+?[ \t]*("
    r"[-+]?(?:0x(?=[0-9a-f])[0-9a-f]+\.?[0-9a-f]*(?:p[-+]?[0-9]+)?|[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?"
    r"|[-+]?(?:inf|nan)\w*)?",
    re.I,
)
_MOST = (1 << 63) - 1
# From so many lines on they are sorted in so many parts.
_MANY, _PARTS = 50_000, 64


class Order(NamedTuple):
    """How to sort: `number` is "", or one of "n x o b f"; `pattern` is skipped, or with `inside` sorted on."""

    ignore_case: bool = False
    number: str = ""
    unique: bool = False
    inside: bool = False
    pattern: str | None = None


def _read(ctx: ExContext) -> Order:
    """Read the flags and the pattern; sets `ctx.rest`. Raises `CommandFailed` (E35, E474, E682)."""
    args, at = ctx.args, 0
    order = Order()
    numbers = 0
    while at < len(args):
        char = args[at]
        if char == '"':
            break
        if char in "|\n":
            ctx.rest = args[at + 1 :]
            break
        if char == "i":
            order = order._replace(ignore_case=True)
        elif char == "r":
            order = order._replace(inside=True)
        elif char == "u":
            order = order._replace(unique=True)
        elif char in "nxobf":
            order = order._replace(number=char)
            numbers += 1
        elif char.isascii() and char.isalpha() and char != "l":
            raise CommandFailed(f"E474: Invalid argument: {args[at:]}")
        elif char not in " \tl":
            if order.pattern is not None:
                raise CommandFailed(f"E474: Invalid argument: {args[at:]}")
            pattern, rest = split_pattern(args[at + 1 :], char)
            if rest is None:
                raise CommandFailed("E682: Invalid search pattern or delimiter")
            order = order._replace(pattern=pattern or patterns.last_pattern(ctx.editor))
            at = len(args) - len(rest)
            continue
        at += 1
    if numbers > 1:
        raise CommandFailed("E474: Invalid argument")
    return order


@command("sor[t]", range="%", bang=True, args="rest", bar=False, modifies=True)
def sort(ctx: ExContext) -> None:
    """Sort lines: by text, numbers or what a pattern finds, with `!` the other way round."""
    if ctx.first == ctx.last:
        return
    order = _read(ctx)
    lines = ctx.lines[ctx.first : ctx.last + 1]
    key = _key(ctx, order)
    indexes = range(len(lines))
    try:
        if order.number or order.pattern is not None:
            keys = [key(number) for number in indexes]
        else:
            keys = [line.lower() if line.isascii() else _folded(line) for line in lines] if order.ignore_case else lines
    except SearchStopped as stopped:
        raise CommandFailed(str(stopped)) from None
    ranked = _ranked(ctx, keys)
    if ctx.bang:
        ranked.reverse()
    result = [lines[index] for index in ranked]
    if order.unique:
        result = _unique(result, ignore_case=order.ignore_case)
    before = reporting.size(ctx.buffer)
    ctx.buffer.replace(ctx.first, ctx.last + 1, result)
    ctx.window.cursor = Pos(ctx.first, first_nonblank(ctx.lines[ctx.first]))
    ctx.window.want = None
    reporting.came_or_went(ctx.editor, ctx.buffer, before)


def _ranked(ctx: ExContext, keys: Sequence[Any]) -> list[int]:
    """Return the numbers of the keys in their order; by parts of what sorts alike, between which the user may stop."""
    bounds = sorted(keys[:: max(len(keys) // _PARTS, 1)]) if len(keys) > _MANY else []
    parts: list[list[int]] = [[] for _ in range(len(bounds) + 1)]
    for index, key in enumerate(keys):
        if not index & 1023:
            ctx.tell(index, 2 * len(keys))
        parts[bisect_right(bounds, key)].append(index)
    ranked: list[int] = []
    for part in parts:
        ctx.tell(len(keys) + len(ranked), 2 * len(keys))
        part.sort(key=keys.__getitem__)
        ranked += part
    return ranked


def _unique(lines: list[str], *, ignore_case: bool) -> list[str]:
    """Keep the first of each run of equal lines."""
    kept: list[str] = []
    last: str | None = None
    for line in lines:
        folded = _folded(line) if ignore_case else line
        if folded != last:
            kept.append(line)
            last = folded
    return kept


def _folded(line: str) -> str:
    """Return a line with its ASCII letters small: others are compared as they are, as in Vim."""
    if line.isascii():
        return line.lower()
    return "".join(char.lower() if char.isascii() else char for char in line)


def _key(ctx: ExContext, order: Order) -> Callable[[int], Any]:
    """Return what gives the sort key of a line by its index in the range."""
    pattern = _pattern(ctx, order)
    context = patterns.match_context(ctx.engine)
    lines, first = ctx.lines, ctx.first

    def _part(index: int) -> str:
        ctx.engine.poll(index)
        line = lines[first + index]
        if pattern is None:
            return line
        match = pattern.search_line([line], 0, 0, context)
        if match is None:
            return ""
        start, end = match.start[1], match.end[1] if match.end[0] == 0 else len(line)
        return line[start:end] if order.inside else line[end:]

    if order.number == "f":
        return lambda index: _float(_part(index))
    if order.number:
        regex, base = _NUMBERS[order.number]
        return lambda index: _number(_part(index), regex, base)
    if order.ignore_case:
        return lambda index: _folded(_part(index))
    return _part


def _pattern(ctx: ExContext, order: Order) -> Pattern | None:
    if order.pattern is None:
        return None
    return patterns.compiled(ctx.editor, order.pattern, ignorecase=bool(ctx.option("ignorecase")))


def _number(text: str, regex: re.Pattern[str], base: int) -> tuple[bool, int]:
    """Return (whether there is a number, the number): lines without one come first."""
    match = regex.search(text)
    if match is None:
        return False, 0
    found = match[0]
    negative = found.startswith("-")
    if base == 8:
        octal = re.compile(r"-?0?[oO]?([0-7]*)").match(text, match.start())
        digits = octal[1] if octal is not None else ""
    else:
        digits = match[1] if regex.groups else found.lstrip("-")
    value = min(int(digits, base) if digits else 0, _MOST)
    return True, -value if negative else value


def _float(text: str) -> float:
    """Return the number a line begins with; an empty one comes before all."""
    match = _FLOAT.match(text)
    assert match is not None
    if not text[match.end() :] and match[1] is None and not text.strip(" \t+"):
        return -sys.float_info.max
    try:
        number = match[1] or "0"
        return float.fromhex(number) if "x" in number.lower() else float(number)
    except ValueError:
        return 0.0
