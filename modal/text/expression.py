"""Expressions: what `:s/x/\\=…/` and the `=` register can compute.

Lives here: arithmetic, strings, comparisons, the ternary and a few functions, with Vim's rules for numbers.
Not here: variables, lists and everything else of Vim script, which the editor does not have.
Source: `:help expression-syntax`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from tpy.modal.text.functions import FUNCTIONS, Value, as_number, as_text

_MAX = (1 << 63) - 1
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<float>\d+\.\d+(?:[eE][-+]?\d+)?)
  | (?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|\d+)
  | (?P<name>[a-zA-Z_][\w:\#]*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:''|[^'])*')
  | (?P<register>@.?)
  | (?P<option>&(?!&)(?:[lg]:)?[a-z]+)
  | (?P<mark>"|')
  | (?P<op>\?\?|\|\||&&|[=!]=[\#?]?|[=!]~[\#?]?|[<>]=?[\#?]?|->|\.\.|[-+*/%.!?:(),\[\]])
    )""",
    re.VERBOSE,
)
_SPACE = re.compile(r"\s*")
_LEVELS: tuple[tuple[str, ...], ...] = (("||",), ("&&",), (), ("+", "-", ".", ".."), ("*", "/", "%"))
_COMPARE = 2
_NAMES = {"isnot": "isnot", "is": "is"}
_ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "e": "\x1b", "b": "\b", "f": "\f"}
_KEYS = {"cr": "\r", "nl": "\n", "tab": "\t", "esc": "\x1b", "space": " ", "bs": "\b", "lt": "<", "bar": "|"}


class ExpressionError(Exception):
    """The expression cannot be computed; the text is Vim's message, such as `E15: Invalid expression`."""


class Scope(NamedTuple):
    """What an expression may ask about the editor; what is None is not known there.

    `functions` adds functions or replaces ours: name -> callable of the evaluated arguments.
    """

    submatch: Callable[[int], str] | None = None
    register: Callable[[str], str] | None = None
    option: Callable[[str], Value | None] | None = None
    functions: Mapping[str, Callable[..., Value]] = {}
    variable: Callable[[str], Value | None] | None = None


def evaluate_first(text: str, scope: Scope = Scope()) -> tuple[Value, str]:  # noqa: B008
    """Compute the expression that a text begins with; return its value and what follows. Raises ExpressionError."""
    parser = _Parser(text, scope, partial=True)
    try:
        return parser.ternary(True), text[parser.at :]
    except RecursionError:
        raise ExpressionError(f'E1169: Expression too recursive: "{text[:40]}"') from None
    except (ValueError, ArithmeticError, TypeError) as error:
        raise ExpressionError(str(error)) from error


def evaluate(text: str, scope: Scope = Scope()) -> Value:  # noqa: B008  an immutable value
    """Compute an expression. Raises ExpressionError with Vim's message."""
    parser = _Parser(text, scope)
    try:
        value = parser.ternary(True)
        if parser.rest():
            raise ExpressionError(f"E488: Trailing characters: {parser.rest()}")
        return value
    except RecursionError:
        raise ExpressionError(f'E1169: Expression too recursive: "{text[:40]}"') from None
    except (ValueError, ArithmeticError, TypeError) as error:
        raise ExpressionError(str(error)) from error


def evaluate_text(text: str, scope: Scope = Scope()) -> str:  # noqa: B008
    """Compute an expression as text, as the `=` register inserts it."""
    return as_text(evaluate(text, scope))


def _wrap(number: int) -> int:
    """Return the number as 64 bits hold it."""
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _unquote(literal: str) -> str:
    """Return the text of a string literal (`:help expr-quote`, `:help literal-string`)."""
    if literal[0] == "'":
        return literal[1:-1].replace("''", "'")
    return re.sub(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|[0-7]{1,3}|<[^>]+>|.)", _escape, literal[1:-1], flags=re.S)


def _escape(found: re.Match[str]) -> str:
    body = found[1]
    if body[0] in "xu" and len(body) > 1:
        return chr(int(body[1:], 16))
    if body[0] in "01234567":
        return chr(int(body, 8) & 255)
    if body[0] == "<" and len(body) > 1:
        name = body[1:-1].lower()
        if name.startswith("char-"):
            return chr(int(name[5:], 0))
        if len(name) == 3 and name.startswith("c-"):
            return chr(ord(name[2].upper()) ^ 64)
        return _KEYS.get(name, body)
    return _ESCAPES.get(body, body)


_COMPARING = ("==", "!=", "<", ">", "<=", ">=", "=~", "!~")
_SIGNS = (*_COMPARING, *(sign + case for sign in _COMPARING for case in "#?"), "is", "isnot")


@lru_cache(maxsize=16)
def _seen(text: str) -> dict[int, tuple[str, str, int]]:
    """Return where the tokens of an expression that have been read are remembered: `:s` computes one for each match."""
    return {}


class _Parser:
    """Computes while it reads; `live` is False in the branch of a ternary that is not taken.

    `partial`: what is no token ends the expression.
    """

    def __init__(self, text: str, scope: Scope, *, partial: bool = False) -> None:
        self.text = text
        self.scope = scope
        self.partial = partial
        self.at = 0
        self.seen = _seen(text)

    def rest(self) -> str:
        """Return what is left, without leading blanks."""
        return self.text[self.at :].lstrip()

    def invalid(self) -> ExpressionError:
        """Return the error for text that is no expression."""
        return ExpressionError(f'E15: Invalid expression: "{self.text.strip()}"')

    def peek(self) -> tuple[str, str, int]:
        """Return (kind, text, end) of the next token; kind is empty at the end."""
        if (known := self.seen.get(self.at)) is not None:
            return known
        found = _TOKEN.match(self.text, self.at)
        if found is None:
            if self.rest() and not self.partial:
                raise self.invalid()
            return "", "", self.at
        kind = found.lastgroup or ""
        token = self.seen[self.at] = kind, found[kind], found.end()
        return token

    def accept(self, *wanted: str) -> str:
        """Take an operator if it is one of `wanted`; return it or an empty text."""
        kind, text, end = self.peek()
        if (kind == "op" or text in _NAMES) and text in wanted:
            self.at = end
            return text
        return ""

    def ternary(self, live: bool) -> Value:
        """Read `a ? b : c` or `a ?? b` (`:help expr1`)."""
        value = self.binary(0, live)
        if self.accept("??"):
            other = self.ternary(live)
            return value if value not in (0, "", 0.0) else other
        if not self.accept("?"):
            return value
        chosen = bool(as_number(value)) if live else False
        first = self.ternary(live and chosen)
        if not self.accept(":"):
            raise ExpressionError("E109: Missing ':' after '?'")
        second = self.ternary(live and not chosen)
        return first if chosen else second

    def binary(self, level: int, live: bool) -> Value:
        """Read operands joined by the operators of a level, weakest first."""
        if level == len(_LEVELS):
            return self.unary(live)
        if level == _COMPARE:
            return self.comparison(live)
        left = self.binary(level + 1, live)
        while sign := self.accept(*_LEVELS[level]):
            needed = live
            if sign in ("||", "&&"):
                known = bool(as_number(left))
                needed = live and known == (sign == "&&")
                right = self.binary(level + 1, needed)
                left = int(bool(as_number(right))) if needed else int(known)
            else:
                left = self.compute(left, sign, self.binary(level + 1, needed)) if live else self.skip(level)
        return left

    def skip(self, level: int) -> Value:
        """Read an operand whose value does not matter."""
        self.binary(level + 1, False)
        return 0

    def comparison(self, live: bool) -> Value:
        """Read one comparison, which does not chain (`:help expr4`)."""
        left = self.binary(_COMPARE + 1, live)
        sign = self.accept(*_SIGNS)
        if not sign:
            return left
        right = self.binary(_COMPARE + 1, live)
        return int(_compare(left, sign, right)) if live else 0

    def compute(self, left: Value, sign: str, right: Value) -> Value:
        """Apply an arithmetic operator or a concatenation."""
        if sign in (".", ".."):
            return as_text(left) + as_text(right)
        a, b = as_number(left), as_number(right)
        if isinstance(a, float) or isinstance(b, float):
            if sign == "%":
                raise ExpressionError("E804: Cannot use '%' with Float")
            if sign == "/":
                return a / b if b else float("nan") if not a else float("inf") * (1 if a > 0 else -1)
            return a + b if sign == "+" else a - b if sign == "-" else a * b
        if sign in "/%":
            return _divide(a, b, sign)
        return _wrap(a + b if sign == "+" else a - b if sign == "-" else a * b)

    def unary(self, live: bool) -> Value:
        """Read signs before a value (`:help expr7`)."""
        sign = self.accept("!", "-", "+")
        if not sign:
            return self.indexed(self.primary(live), live)
        value = as_number(self.unary(live))
        if sign == "!":
            return int(not value)
        return value if sign == "+" else -value if isinstance(value, float) else _wrap(-value)

    def indexed(self, value: Value, live: bool) -> Value:
        """Apply `[i]`, `[i:j]` and `->function()` to a value."""
        while True:
            if self.text.startswith("[", self.at):
                self.at += 1
                value = self.index(as_text(value), live)
            elif self.accept("->"):
                kind, name, end = self.peek()
                self.at = end
                if kind != "name" or not self.accept("("):
                    raise self.invalid()
                value = self.call(name, [value], live)
            else:
                return value

    def index(self, text: str, live: bool) -> str:
        """Read `i]` or `i:j]` and cut the bytes out of the text."""
        first: Value = 0
        sliced = False
        if not self.accept(":"):
            first = self.ternary(live)
            sliced = bool(self.accept(":"))
        else:
            sliced = True
        last: Value = -1
        if sliced and not self.rest().startswith("]"):
            last = self.ternary(live)
        if not self.accept("]"):
            raise ExpressionError("E111: Missing ']'")
        data = text.encode("utf-8", "surrogateescape")  # Vim indexes bytes
        low, high = int(as_number(first)), int(as_number(last))
        if not sliced:
            part = data[low : low + 1] if low >= 0 else b""
        else:
            low, high = (low + len(data) if low < 0 else low), (high + len(data) if high < 0 else high)
            part = data[max(low, 0) : high + 1]
        return part.decode("utf-8", "surrogateescape")

    def primary(self, live: bool) -> Value:
        """Read a value: a number, a string, brackets, a register, an option, a call."""
        kind, text, end = self.peek()
        self.at = end
        if kind == "float":
            return float(text)
        if kind == "number":
            octal = len(text) > 1 and text[0] == "0" and text.isdigit() and not set(text) & set("89")
            return _wrap(min(int(text, 8 if octal else 10 if text.isdigit() else 0), _MAX))
        if kind == "string":
            return _unquote(text)
        if kind == "mark":
            quote = "double quote: " if text == '"' else "single quote: "
            raise ExpressionError(f"E{114 if text == chr(34) else 115}: Missing {quote}{self.text[end - 1 :]}")
        if kind == "op" and text == "(":
            value = self.ternary(live)
            if not self.accept(")"):
                raise ExpressionError("E110: Missing ')'")
            return value
        if kind == "register" and len(text) == 2 and self.scope.register is not None:
            return self.scope.register(text[1])
        if kind == "option" and self.scope.option is not None:
            found = self.scope.option(text[1:])
            if found is None:
                raise ExpressionError(f"E113: Unknown option: {text[1:]}")
            return found
        if kind == "name":
            return self.named(text, live)
        raise self.invalid()

    def named(self, name: str, live: bool) -> Value:
        """Read what a name begins: a call, or a constant."""
        if self.accept("("):
            return self.call(name, [], live)
        if name in ("v:true", "v:false"):
            return int(name == "v:true")
        if not live:
            return 0
        known = self.scope.variable(name) if self.scope.variable is not None else None
        if known is not None:
            return known
        raise ExpressionError(f"E121: Undefined variable: {name}")

    def call(self, name: str, values: list[Value], live: bool) -> Value:
        """Read the arguments of a function, after its `(`, and call it."""
        if not self.accept(")"):
            while True:
                values.append(self.ternary(live))
                if self.accept(")"):
                    break
                if not self.accept(","):
                    raise ExpressionError(f"E116: Invalid arguments for function {name}")
        return self.result(name, values) if live else 0

    def result(self, name: str, values: list[Value]) -> Value:
        """Call a function with its values."""
        if name == "submatch":
            if self.scope.submatch is None:
                return ""
            return self.scope.submatch(int(as_number(values[0])) if values else 0)
        function = self.scope.functions.get(name)
        if function is not None:
            return function(*values)
        if name not in FUNCTIONS:
            raise ExpressionError(f"E117: Unknown function: {name}")
        least, most, known = FUNCTIONS[name]
        if len(values) < least:
            raise ExpressionError(f"E119: Not enough arguments for function: {name}")
        if len(values) > most:
            raise ExpressionError(f"E118: Too many arguments for function: {name}")
        return known(*values)


def _divide(a: int, b: int, sign: str) -> int:
    """Divide as C does: towards zero; by zero gives the largest number (`:help expr-/`)."""
    if b == 0:
        return 0 if sign == "%" else _MAX if a > 0 else -_MAX if a else -_MAX - 1
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return _wrap(quotient) if sign == "/" else a - b * quotient


def _compare(left: Value, sign: str, right: Value) -> bool:
    case = sign[-1] if sign[-1] in "#?" else ""
    sign = sign[: len(sign) - len(case)]
    if sign in ("=~", "!~"):
        return _matches(as_text(left), as_text(right), case == "?") == (sign == "=~")
    if isinstance(left, str) and isinstance(right, str):
        a: Value = left.lower() if case == "?" else left
        b: Value = right.lower() if case == "?" else right
    elif sign in ("is", "isnot") and isinstance(left, str) != isinstance(right, str):
        return sign == "isnot"
    else:
        a, b = as_number(left), as_number(right)
    if sign in ("==", "is"):
        return a == b
    if sign in ("!=", "isnot"):
        return a != b
    less, same = a < b, a == b  # type: ignore[operator]  # both text or both numbers
    return {"<": less, ">": not (less or same), "<=": less or same, ">=": not less}[sign]


def _matches(text: str, pattern: str, ignore_case: bool) -> bool:
    from tpy.modal.text.pattern import PatternError, compile_pattern

    try:
        return compile_pattern(pattern, ignorecase=ignore_case).search_line([text], 0) is not None
    except PatternError as error:
        raise ExpressionError(str(error)) from error
