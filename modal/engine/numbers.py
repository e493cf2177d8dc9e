"""Adding to and subtracting from numbers in the text: `<C-a> <C-x> g<C-a> g<C-x>` (`:help 'nrformats'`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from tpy.modal.engine.context import Context
from tpy.modal.engine.spanedit import columns_in
from tpy.modal.registry import CommandFailed, action, operator
from tpy.modal.text.position import CHAR, LINE, Pos, Span

# Vim counts with 64 bits and without sign.
_MOST = (1 << 64) - 1
_HEX = re.compile(r"0[xX][0-9a-fA-F]+")
_BIN = re.compile(r"0[bB][01]+")
_DIGITS = re.compile(r"[0-9]+")


class Formats(NamedTuple):
    """What `nrformats` allows."""

    hex: bool
    octal: bool
    bin: bool
    alpha: bool
    unsigned: bool


def formats(value: str) -> Formats:
    """Read the option."""
    names = value.split(",")
    return Formats(
        hex="hex" in names,
        octal="octal" in names,
        bin="bin" in names,
        alpha="alpha" in names,
        unsigned="unsigned" in names,
    )


class Changed(NamedTuple):
    """A line with another number in it, and where that begins and ends."""

    text: str
    start: int
    end: int


def _is_digit(char: str) -> bool:
    return "0" <= char <= "9" and len(char) == 1


def _is_letter(char: str) -> bool:
    return char.isascii() and char.isalpha()


def _digits_before(text: str, col: int, digits: str) -> int:
    """Return where a run of `digits` goes to from `col` on to the left: the first index that is none of them, or 0."""
    while col > 0 and text[col] in digits:
        col -= 1
    return col


def _find(text: str, col: int, allowed: Formats) -> int:
    """Return where the number at or after `col` begins, without its sign (`:help CTRL-A`)."""
    hexadecimal = "0123456789abcdefABCDEF"
    at = col
    if allowed.bin:
        at = _digits_before(text, at, "01")
    if allowed.hex:
        at = _digits_before(text, at, hexadecimal)
    if allowed.bin and allowed.hex and not _prefixed(text, at, "xX", hexadecimal):
        at = _digits_before(text, col, "0123456789")
    if (allowed.hex and _prefixed(text, at, "xX", hexadecimal)) or (allowed.bin and _prefixed(text, at, "bB", "01")):
        return at - 1
    at = col
    while at < len(text) and not _is_digit(text[at]) and not (allowed.alpha and _is_letter(text[at])):
        at += 1
    while at > 0 and _is_digit(text[at - 1]) and not (allowed.alpha and at < len(text) and _is_letter(text[at])):
        at -= 1
    return at


def _prefixed(text: str, at: int, letters: str, digits: str) -> bool:
    """Whether at `at` stands the letter of a prefix `0x` or `0b`, with a digit behind it."""
    return at > 0 and text[at] in letters and text[at - 1] == "0" and text[at + 1 : at + 2] in tuple(digits)


def add(
    text: str, col: int, amount: int, allowed: Formats, length: int | None = None, cut: bool = False
) -> Changed | None:
    """Add `amount` to the number at or after `col`; `None` where there is none.

    `length`: only that many characters from `col` on count (a selection), and the number is cut off there if `cut`.
    """
    selected = length is not None
    negative, had_minus = False, False
    at = col
    if length is None:
        at = _find(text, col, allowed)
    else:
        left = length
        while at < len(text) and left > 0 and not _is_digit(text[at]) and not (allowed.alpha and _is_letter(text[at])):
            at, left = at + 1, left - 1
        if left <= 0 or at >= len(text):
            return None
        if at > col and text[at - 1] == "-" and not allowed.unsigned:
            negative = had_minus = True
        length = left
    first = text[at : at + 1]
    if allowed.alpha and _is_letter(first):
        new = _letter(first, amount)
        return Changed(text[:at] + new + text[at + 1 :], at, at + 1)
    if not _is_digit(first):
        return None
    if at > 0 and text[at - 1] == "-" and not selected and not allowed.unsigned:
        negative = True
    number = _parse(text, at, allowed, length if cut else None)
    start = at
    if number.prefix and negative:
        if not selected:
            negative = False
    elif negative and not selected:
        start = at - 1
    value, negative = _sum(number, amount, negative and not (number.prefix and not selected), allowed)
    if selected and had_minus and not negative and at > 0:
        start = at - 1
    sign = "-" if negative and (not selected or not had_minus) else ""
    new = sign + _written(number, value, first, allowed)
    return Changed(text[:start] + new + text[number.end :], start, start + len(new))


def _letter(char: str, amount: int) -> str:
    base = ord("A") if char.isupper() else ord("a")
    return chr(base + min(max(ord(char) - base + amount, 0), 25))


class _Number(NamedTuple):
    """A number in the text: the letters of its prefix, its digits, its value, and where it ends."""

    prefix: str
    digits: str
    value: int
    end: int


def _parse(text: str, at: int, allowed: Formats, most: int | None) -> _Number:
    end = len(text) if most is None else min(at + most, len(text))
    for pattern, base, wanted in ((_HEX, 16, allowed.hex), (_BIN, 2, allowed.bin)):
        found = pattern.match(text, at, end) if wanted else None
        if found is not None:
            digits = found[0][2:]
            return _Number(found[0][:2], digits, min(int(digits, base), _MOST), found.end())
    found = _DIGITS.match(text, at, end)
    assert found is not None
    digits = found[0]
    if allowed.octal and digits[0] == "0" and len(digits) > 1 and not set(digits) & {"8", "9"}:
        return _Number("0", digits[1:], min(int(digits, 8), _MOST), found.end())
    return _Number("", digits, min(int(digits), _MOST), found.end())


def _sum(number: _Number, amount: int, negative: bool, allowed: Formats) -> tuple[int, bool]:
    """Return the new value and whether it is negative, in arithmetic of 64 bits as Vim has it."""
    subtract = (amount < 0) != negative
    step = abs(amount)
    value = number.value - step if subtract else number.value + step
    if number.prefix:
        return value & _MOST, negative
    if value < 0:
        value, negative = -value, not negative
    elif value > _MOST:
        value, negative = (value & _MOST) ^ _MOST, not negative
    if value == 0:
        negative = False
    if allowed.unsigned and negative:
        return (0 if subtract else _MOST), False
    return value, negative


def _written(number: _Number, value: int, first: str, allowed: Formats) -> str:
    """Return the number as text, as long as it was where it began with a zero."""
    prefix = number.prefix
    if prefix[1:] in ("x", "X"):
        letters = [char for char in prefix[1:] + number.digits if char.isalpha()]
        digits = f"{value:X}" if letters[-1].isupper() else f"{value:x}"
    elif prefix[1:] in ("b", "B"):
        digits = f"{value:b}"
    elif prefix == "0":
        digits = f"{value:o}"
    else:
        digits = str(value)
    if first == "0" and not (allowed.octal and not prefix):
        digits = digits.rjust(len(number.digits), "0")
    return prefix + digits


def _add_at_cursor(ctx: Context, amount: int) -> None:
    line, col = ctx.cursor
    text = ctx.lines[line]
    changed = add(text, col, amount, formats(ctx.text("nrformats"))) if col < len(text) else None
    if changed is None:
        ctx.buffer.save_line(line)
        raise CommandFailed
    ctx.buffer.replace(line, line + 1, [changed.text])
    ctx.buffer.marks.add_change(Pos(line, 0))
    ctx.buffer.marks.set_changed(Pos(line, changed.start), Pos(line, changed.end - 1))
    ctx.cursor = Pos(line, changed.end - 1)
    ctx.window.want = None


@action("add", dot=True, modifies=True)
def add_action(ctx: Context) -> None:
    """Add `count` to the number at or after the cursor."""
    _add_at_cursor(ctx, ctx.count)


@action("subtract", dot=True, modifies=True)
def subtract_action(ctx: Context) -> None:
    """Subtract `count` from the number at or after the cursor."""
    _add_at_cursor(ctx, -ctx.count)


def _add_in_span(ctx: Context, span: Span, sign: int, *, growing: bool) -> None:
    """Add to the first number of each line; `growing`: more with each line that has one."""
    allowed = formats(ctx.text("nrformats"))
    first, last = span.start.line, span.end.line
    if span.kind == CHAR and span.end.col == 0 and last > first:
        last -= 1
        span = span._replace(end=Pos(last, len(ctx.lines[last])))
    amount = ctx.count
    old = ctx.lines[first : last + 1]
    new = []
    marks: list[Pos] = []
    for offset, text in enumerate(old):
        ctx.engine.poll(offset)
        line = first + offset
        begin, end = columns_in(text, span, line, ctx.tabstop)
        cut = span.kind != LINE and not span.dollar
        changed = add(text, begin, sign * amount, allowed, end - begin, cut) if end > begin else None
        if changed is None:
            new.append(text)
            continue
        new.append(changed.text)
        marks.extend((Pos(line, changed.start), Pos(line, changed.end - 1)))
        if growing:
            amount += ctx.count
    if marks:
        ctx.buffer.replace(first, last + 1, new)
    else:
        ctx.buffer.save_line(first, len(new))
    if span.kind == LINE:
        ctx.cursor = Pos(first, 0)
    if marks:
        ctx.buffer.marks.add_change(Pos(first, 0))
        ctx.buffer.marks.set_changed(marks[0], marks[-1])


@operator("add-selected")
def add_selected(ctx: Context, span: Span) -> None:
    """Add `count` to the first number of each selected line."""
    _add_in_span(ctx, span, 1, growing=False)


@operator("subtract-selected")
def subtract_selected(ctx: Context, span: Span) -> None:
    """Subtract `count` from the first number of each selected line."""
    _add_in_span(ctx, span, -1, growing=False)


@operator("add-growing")
def add_growing(ctx: Context, span: Span) -> None:
    """Add `count` to the first number selected, twice `count` to the second, and so on."""
    _add_in_span(ctx, span, 1, growing=True)


@operator("subtract-growing")
def subtract_growing(ctx: Context, span: Span) -> None:
    """Subtract `count` from the first number selected, twice `count` from the second, and so on."""
    _add_in_span(ctx, span, -1, growing=True)
