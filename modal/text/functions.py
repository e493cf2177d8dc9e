"""The functions an expression can call, and how values become numbers and text.

Lives here: what needs nothing of the editor. `line() col() getline()` are handed in by the caller
(`Scope.functions`). Not here: the grammar (`expression.py`). Source: `:help functions`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from tpy.modal.text import chars

Value = int | float | str

_NUMBER = re.compile(r"\s*-?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|\d+)")
_FORMAT = re.compile(r"%(?:(?P<pos>\d+)\$)?(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<prec>\*|\d+))?(?P<kind>.)")
_MOST = 100_000_000
"""The longest text a function may make; more is a mistake."""


def as_number(value: Value) -> int | float:
    """Return a value as a number: text counts with the number it begins with, else 0."""
    if not isinstance(value, str):
        return value
    found = _NUMBER.match(value)
    if found is None:
        return 0
    digits = found[0].strip()
    plain = digits.lstrip("-")
    if len(plain) > 1 and plain[0] == "0" and plain.isdigit():
        return int(digits, 8) if not set(plain) & set("89") else int(digits)
    return int(digits, 0) if not plain.isdigit() else int(digits)


def as_text(value: Value) -> str:
    """Return a value as text; a Float keeps its point."""
    if isinstance(value, float):
        if math.isinf(value) or math.isnan(value):
            return str(value)
        text = f"{value:g}" if abs(value) < 1e6 else f"{value:.6e}"
        if "e" in text:
            mantissa, _, exponent = text.partition("e")
            mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
            return f"{mantissa if '.' in mantissa else mantissa + '.0'}e{int(exponent)}"
        return text if "." in text else text + ".0"
    return str(value)


def _integer(value: Value) -> int:
    return int(as_number(value))


def _bytes(value: Value) -> bytes:
    return as_text(value).encode("utf-8", "surrogateescape")


def _repeat(text: Value, count: Value) -> str:
    times = max(_integer(count), 0)
    if times * len(as_text(text)) > _MOST:
        raise ValueError("E342: Out of memory: repeat() would make too long a text")
    return as_text(text) * times


def _nr2char(code: Value, _utf8: Value = 1) -> str:
    number = _integer(code)
    return chr(number) if 0 < number <= chars.LAST else "\0" if number == 0 else ""


def _char2nr(text: Value, _utf8: Value = 1) -> int:
    return ord(as_text(text)[0]) if as_text(text) else 0


def _strpart(text: Value, start: Value, size: Value = _MOST, by_chars: Value = 0) -> str:
    first, count = _integer(start), _integer(size)
    if first < 0:
        first, count = 0, count + first
    last = first + max(count, 0)
    if by_chars:
        return as_text(text)[first:last]
    return _bytes(text)[first:last].decode("utf-8", "surrogateescape")


def _stridx(text: Value, part: Value, start: Value = 0) -> int:
    return _bytes(text).find(_bytes(part), max(_integer(start), 0))


def _strridx(text: Value, part: Value) -> int:
    return _bytes(text).rfind(_bytes(part))


def _str2nr(text: Value, base: Value = 10) -> int:
    radix = _integer(base)
    prefix = {16: "0[xX]", 8: "0[oO]?", 2: "0[bB]"}.get(radix, "")
    digits = {16: "[0-9a-fA-F]", 8: "[0-7]", 2: "[01]"}.get(radix, r"\d")
    found = re.match(rf"\s*([-+]?)(?:{prefix})?({digits}+)" if prefix else rf"\s*([-+]?)({digits}+)", as_text(text))
    return int(found[1] + found[2], radix) if found else 0


def _str2float(text: Value) -> float:
    found = re.match(r"\s*[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", as_text(text))
    return float(found[0]) if found else 0.0


def _trim(text: Value, mask: Value = "", side: Value = 0) -> str:
    wanted = as_text(mask) or " \t\n\r\v\f\xa0" + "".join(map(chr, range(1, 32)))
    strip = (str.strip, str.lstrip, str.rstrip)[_integer(side) % 3]
    return strip(as_text(text), wanted)


def _tr(text: Value, old: Value, new: Value) -> str:
    source, target = as_text(old), as_text(new)
    if len(source) != len(target):
        raise ValueError(f"E475: Invalid argument: {target}")
    return as_text(text).translate(str.maketrans(source, target))


def _escape(text: Value, which: Value) -> str:
    return "".join("\\" + char if char in as_text(which) else char for char in as_text(text))


def _float(function: Callable[[float], float]) -> Callable[[Value], Value]:
    def apply(value: Value) -> Value:
        """Call it with a number; what has no value is not a number."""
        try:
            return float(function(float(as_number(value))))
        except (ValueError, OverflowError):
            return math.nan

    return apply


def _pow(base: Value, exponent: Value) -> float:
    try:
        return math.pow(as_number(base), as_number(exponent))
    except OverflowError:
        return math.inf
    except ValueError:  # zero to a negative power, or a root of a negative number
        return math.nan if as_number(base) else math.inf


def _abs(value: Value) -> Value:
    return abs(as_number(value))


def _float2nr(value: Value) -> int:
    return int(as_number(value))


def _round(value: float) -> float:
    return math.copysign(math.floor(abs(value) + 0.5), value)


def _printf(form: Value, *values: Value) -> str:
    """Format as C does; `%S` counts cells as `%s` counts bytes, here both count characters."""
    left = list(values)

    def take() -> Value:
        """Return the next argument."""
        if not left:
            raise ValueError("E766: Insufficient arguments for printf()")
        return left.pop(0)

    def one(found: re.Match[str]) -> str:
        """Return one item formatted."""
        kind = found["kind"]
        if kind == "%":
            return "%"
        width, precision = (
            str(_integer(take())) if part == "*" else part or "" for part in (found["width"], found["prec"])
        )
        dot = "." + precision if found["prec"] is not None else ""
        if int(width or 0) > _MOST or int(precision or 0) > _MOST:
            raise ValueError("E342: Out of memory: printf() would make too long a text")
        value = take()
        if kind in "sS":
            return f"%{found['flags']}{width}{dot}s" % as_text(value)
        if kind == "c":
            return f"%{found['flags']}{width}s" % _nr2char(value)
        if kind in "dxXou":
            return f"%{found['flags']}{width}{dot}{'d' if kind == 'u' else kind}" % _integer(value)
        if kind in "bB":
            digits = format(_integer(value) % (1 << 64), "b").rjust(int(precision or 0), "0")
            return digits.rjust(int(width or 0), "0" if "0" in found["flags"] else " ")
        if kind in "fFeEgG":
            return f"%{found['flags']}{width}{dot}{kind}" % float(as_number(value))
        return found[0]

    text = _FORMAT.sub(one, as_text(form))
    if left:
        raise ValueError("E767: Too many arguments to printf()")
    return text


FUNCTIONS: dict[str, tuple[int, int, Callable[..., Value]]] = {
    "abs": (1, 1, _abs),
    "ceil": (1, 1, _float(math.ceil)),
    "char2nr": (1, 2, _char2nr),
    "cos": (1, 1, _float(math.cos)),
    "escape": (2, 2, _escape),
    "exp": (1, 1, _float(math.exp)),
    "float2nr": (1, 1, _float2nr),
    "floor": (1, 1, _float(math.floor)),
    "fmod": (2, 2, lambda a, b: math.fmod(as_number(a), as_number(b))),
    "len": (1, 1, lambda text: len(_bytes(text))),
    "log": (1, 1, _float(math.log)),
    "log10": (1, 1, _float(math.log10)),
    "nr2char": (1, 2, _nr2char),
    "pow": (2, 2, _pow),
    "printf": (1, 20, _printf),
    "repeat": (2, 2, _repeat),
    "round": (1, 1, _float(_round)),
    "sin": (1, 1, _float(math.sin)),
    "sqrt": (1, 1, _float(math.sqrt)),
    "str2float": (1, 1, _str2float),
    "str2nr": (1, 2, _str2nr),
    "strcharlen": (1, 1, lambda text: len(re.sub("[\u0300-\u036f]", "", as_text(text)))),
    "strchars": (1, 2, lambda text, skip=0: len(as_text(text))),
    "stridx": (2, 3, _stridx),
    "string": (1, 1, lambda value: "'" + value.replace("'", "''") + "'" if isinstance(value, str) else as_text(value)),
    "strlen": (1, 1, lambda text: len(_bytes(text))),
    "strpart": (2, 4, _strpart),
    "strridx": (2, 2, _strridx),
    "tan": (1, 1, _float(math.tan)),
    "tolower": (1, 1, lambda text: chars.to_lower(as_text(text))),
    "toupper": (1, 1, lambda text: chars.to_upper(as_text(text))),
    "tr": (3, 3, _tr),
    "trim": (1, 3, _trim),
    "trunc": (1, 1, _float(math.trunc)),
}
"""name -> (least arguments, most arguments, function)."""
