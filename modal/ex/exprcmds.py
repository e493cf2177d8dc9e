"""The little of Vim script there is: `:execute`, `:echo`, `:let`, `:call` (`:help :let`).

Variables hold numbers and text; there are no functions of the user and no loops. `:if` is in `conditions.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.expressions import scope_of
from tpy.modal.ex.run import run_line
from tpy.modal.ex.settings import assign
from tpy.modal.options import find
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.expression import ExpressionError, evaluate_first
from tpy.modal.text.functions import Value, as_number, as_text
from tpy.modal.text.position import BLOCK, CHAR, LINE, Pos, clamp
from tpy.modal.text.registers import Register, from_text
from tpy.modal.text.width import column_of

_TARGET = re.compile(r"(@.|&(?:[lg]:)?\w+|\$\w+|[A-Za-z_][\w:#]*)\s*([-+*/%.]?|\.\.)=\s*")


def _values(ctx: ExContext) -> list[Value]:
    """Return the values of the expressions in the argument, up to `|` or a comment; sets `ctx.rest`."""
    rest = ctx.args.lstrip(" \t")
    values: list[Value] = []
    scope = scope_of(ctx.engine)
    while rest and not rest.startswith(("|", "\n")):
        if rest.startswith('"') and rest.count('"') == 1:
            break
        try:
            value, rest = evaluate_first(rest, scope)
        except ExpressionError as error:
            raise CommandFailed(str(error)) from None
        values.append(value)
        rest = rest.lstrip(" \t")
    if rest.startswith(("|", "\n")):
        ctx.rest = rest[1:]
    return values


def value_of(ctx: ExContext, text: str) -> tuple[Value, str]:
    """Return the value of the expression a text begins with, and what follows. Raises `CommandFailed`."""
    try:
        value, rest = evaluate_first(text, scope_of(ctx.engine))
    except ExpressionError as error:
        raise CommandFailed(str(error)) from None
    return value, rest.lstrip(" \t")


@command("exe[cute]", args="expression", bar=False)
def execute(ctx: ExContext) -> Work:
    """Run the text that expressions give as an ex command."""
    line = " ".join(as_text(value) for value in _values(ctx))
    yield from run_line(ctx.engine, line)


@command("ec[ho]", args="expression", bar=False)
def echo(ctx: ExContext) -> None:
    """Show the value of expressions."""
    ctx.show(" ".join(as_text(value) for value in _values(ctx)))


@command("echom[sg]", args="expression", bar=False)
def echomsg(ctx: ExContext) -> None:
    """Show the value of expressions and keep it among the messages."""
    ctx.echo(" ".join(as_text(value) for value in _values(ctx)))


@command("echon", args="expression", bar=False)
def echon(ctx: ExContext) -> None:
    """Show the value of expressions without blanks between them."""
    ctx.show("".join(as_text(value) for value in _values(ctx)))


@command("echoe[rr]", args="expression", bar=False)
def echoerr(ctx: ExContext) -> None:
    """Fail with the value of expressions as the message."""
    raise CommandFailed(" ".join(as_text(value) for value in _values(ctx)))


@command("let", args="expression", bar=False)
def let(ctx: ExContext) -> None:
    """Give a variable, a register (`@a`) or an option (`&sw`) a value."""
    match = _TARGET.match(ctx.args)
    if match is None:
        raise CommandFailed(f"E121: Undefined variable: {ctx.args.split(None, 1)[0] if ctx.args else ''}")
    value, rest = value_of(ctx, ctx.args[match.end() :])
    if rest and not rest.startswith(("|", "\n", '"')):
        raise CommandFailed(f"E488: Trailing characters: {rest}")
    if rest.startswith(("|", "\n")):
        ctx.rest = rest[1:]
    target, sign = match[1], match[2]
    if target[0] == "@":
        _let_register(ctx, target[1], as_text(value), append=sign.startswith("."))
    elif target[0] == "&":
        _let_option(ctx, target, value, sign)
    else:
        name = target.removeprefix("g:")
        variables: dict[str, Value] = ctx.editor.extra.setdefault("variables", {})
        if sign and name not in variables:
            raise CommandFailed(f"E121: Undefined variable: {target}")
        variables[name] = _combined(variables.get(name, 0), sign, value)
        if name in ("mapleader", "maplocalleader"):
            ctx.editor.extra["leader"] = as_text(value)


def _combined(old: Value, sign: str, value: Value) -> Value:
    if not sign:
        return value
    if sign.startswith("."):
        return as_text(old) + as_text(value)
    one, two = as_number(old), as_number(value)
    if sign in "/%":
        if not two:
            return 0
        quotient = int(one / two)
        return quotient if sign == "/" else one - quotient * two
    return {"+": one + two, "-": one - two, "*": one * two}[sign]


def _let_register(ctx: ExContext, name: str, text: str, *, append: bool) -> None:
    registers = ctx.editor.registers
    if name == "/":
        ctx.editor.search.pattern = text
        ctx.editor.search.last_is_substitute = False
        return
    if name == "@":
        name = '"'
    old = registers.get(name) if append else None
    if old is not None:
        text = old.text() + text
    register = from_text(text)
    if name == '"':
        registers.yank(None, register)
    else:
        registers.set(name, register)


def _let_option(ctx: ExContext, target: str, value: Value, sign: str) -> None:
    name = re.sub(r"&([lg]:)?", "", target)
    option = find(name)
    if option is None:
        raise CommandFailed(f"E355: Unknown option: {name}")
    old: Value = ctx.editor.option(option.name)
    new = _combined(int(old) if isinstance(old, bool) else old, sign, value)
    if option.type is str:
        new = as_text(new)
    else:
        new = int(as_number(new))
    local, everywhere = not target.startswith("&g:"), not target.startswith("&l:")
    assign(ctx.editor, option, bool(new) if option.type is bool else new, local=local, everywhere=everywhere)


@command("unl[et]", bang=True, args="rest", need=True)
def unlet(ctx: ExContext) -> None:
    """Forget variables."""
    variables: dict[str, Value] = ctx.editor.extra.get("variables", {})
    for name in ctx.args.split():
        if variables.pop(name.removeprefix("g:"), None) is None and not ctx.bang:
            raise CommandFailed(f'E108: No such variable: "{name}"')


@command("cal[l]", args="expression", bar=False, need=True)
def call(ctx: ExContext) -> None:
    """Call a function for what it does: `append()`, `cursor()`, `setline()`, `setreg()`."""
    match = re.match(r"(\w+)\s*\(", ctx.args)
    function = _FUNCTIONS.get(match[1]) if match is not None else None
    if match is None or function is None:
        _, rest = value_of(ctx, ctx.args)
    else:
        arguments, rest = _arguments(ctx, ctx.args[match.end() :])
        function(ctx, *arguments)
    if rest.startswith(("|", "\n")):
        ctx.rest = rest[1:]
    elif rest and not rest.startswith('"'):
        raise CommandFailed(f"E488: Trailing characters: {rest}")


Argument = Value | list[Value]


def _arguments(ctx: ExContext, text: str) -> tuple[list[Argument], str]:
    """Read the arguments of a function after its `(`; one may be a list in brackets."""
    arguments: list[Argument] = []
    text = text.lstrip(" \t")
    while not text.startswith(")"):
        if text.startswith("["):
            items: list[Value] = []
            text = text[1:].lstrip(" \t")
            while not text.startswith("]"):
                value, text = value_of(ctx, text)
                items.append(value)
                text = text.removeprefix(",").lstrip(" \t")
            text = text[1:].lstrip(" \t")
            arguments.append(items)
        else:
            value, text = value_of(ctx, text)
            arguments.append(value)
        if not text.startswith((",", ")")):
            raise CommandFailed("E116: Invalid arguments for function")
        text = text.removeprefix(",").lstrip(" \t")
    return arguments, text[1:].lstrip(" \t")


def _texts(value: Argument) -> list[str]:
    return [as_text(each) for each in value] if isinstance(value, list) else [as_text(value)]


def _line_number(ctx: ExContext, value: Argument) -> int:
    """Return the line number an argument means: a number, or `"."` and the like."""
    assert not isinstance(value, list)
    if isinstance(value, str) and not value.isdigit():
        return int(as_number(scope_of(ctx.engine).functions["line"](value)))
    return int(as_number(value))


def _append(ctx: ExContext, line: Argument, text: Argument) -> None:
    number = _line_number(ctx, line)
    if 0 <= number <= len(ctx.lines):
        cursor = ctx.window.cursor
        ctx.buffer.insert(number, _texts(text))
        if number <= cursor.line:
            ctx.window.cursor = Pos(cursor.line + len(_texts(text)), cursor.col)


def _setline(ctx: ExContext, line: Argument, text: Argument) -> None:
    number = _line_number(ctx, line)
    for offset, each in enumerate(_texts(text)):
        at = number - 1 + offset
        if 0 <= at < len(ctx.lines):
            ctx.buffer.set_line(at, each)
        elif at == len(ctx.lines):
            ctx.buffer.insert(at, [each])


def _cursor(ctx: ExContext, line: Argument, col: Argument = 1) -> None:
    if isinstance(line, list):
        _cursor(ctx, *line[:2])
        return
    assert not isinstance(col, list)
    number = _line_number(ctx, line) or ctx.window.cursor.line + 1
    number = min(max(number, 1), len(ctx.lines))
    data = ctx.lines[number - 1].encode("utf-8", "surrogatepass")
    offset = int(as_number(col))
    column = len(data[: offset - 1].decode("utf-8", "ignore")) if offset else ctx.window.cursor.col
    ctx.window.cursor = clamp(Pos(number - 1, column), ctx.lines)
    ctx.window.want = None


def _setreg(ctx: ExContext, name: Argument, text: Argument, kind: Argument = "") -> None:
    lines = tuple(line for each in _texts(text) for line in each.split("\n"))
    words = as_text(kind) if not isinstance(kind, list) else ""
    append = "a" in words
    words = words.replace("a", "").replace('"', "").replace("u", "")
    if isinstance(text, list):
        register = Register(lines, LINE)
    else:
        register = from_text(as_text(text))
    if words[:1] in ("c", "v"):
        register = Register(
            register.lines if register.kind != LINE or isinstance(text, list) else (*register.lines, ""), CHAR
        )
    elif words[:1] in ("l", "V"):
        register = Register(register.lines, LINE)
    elif words[:1] in ("b", "\x16"):
        width = max(column_of(line, len(line), 8) for line in register.lines)
        digits = words[1:]
        register = Register(register.lines, BLOCK, max(int(digits), 1) if digits.isdigit() else width)
    letter = as_text(name) if not isinstance(name, list) else '"'
    ctx.editor.registers.set(letter.upper() if append and letter.islower() else letter, register)


_FUNCTIONS: dict[str, Callable[..., None]] = {
    "append": _append,
    "setline": _setline,
    "cursor": _cursor,
    "setreg": _setreg,
}
