"""Expressions with the values of the editor: what `:s/x/\\=…/`, the `=` register and `<C-r>=` compute.

The language itself is `text/expression.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tpy.modal.options import find
from tpy.modal.registry import CommandFailed
from tpy.modal.text.expression import ExpressionError, Scope, evaluate
from tpy.modal.text.functions import Value, as_text

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


def scope_of(engine: Engine, submatch: Callable[[int], str] | None = None) -> Scope:
    """Return what expressions may ask: registers, options, places in the text."""
    editor = engine.editor

    def _register(name: str) -> str:
        held = editor.registers.get(name)
        return "" if held is None else held.text()

    def _option(name: str) -> Value | None:
        row = find(name)
        if row is None:
            return None
        value = editor.option(row.name)
        return int(value) if isinstance(value, bool) else value

    functions: dict[str, Callable[..., Any]] = {
        "line": lambda expr=".": _line(engine, as_text(expr)),
        "col": lambda expr=".": _col(engine, as_text(expr)),
        "getline": lambda expr=".": _getline(engine, expr),
        "mode": lambda *_: editor.mode[:1],
        "bufnr": lambda *_: editor.buffer.number,
        "expand": lambda expr, *_: _expand(engine, as_text(expr)),
        "getreg": lambda name='"', *_: _register(as_text(name)),
    }
    variables: dict[str, Value] = editor.extra.get("variables", {})
    return Scope(submatch, _register, _option, functions, lambda name: variables.get(name.removeprefix("g:")))


def evaluate_text(engine: Engine, text: str, submatch: Callable[[int], str] | None = None) -> str:
    """Return the value of an expression as text. Raises `CommandFailed`."""
    try:
        return as_text(evaluate(text, scope_of(engine, submatch)))
    except ExpressionError as error:
        raise CommandFailed(str(error)) from None


def _place(engine: Engine, expr: str) -> tuple[int, int] | None:
    """Return the place (from 0) that `line()` and `col()` name so, `None` for none."""
    window = engine.editor.window
    if expr == ".":
        return window.cursor
    if expr == "$":
        return len(window.buffer.lines), 0
    if expr == "w0":
        return window.top, 0
    if expr == "v" and engine.editor.visual is not None:
        return engine.editor.visual.start
    if expr[:1] == "'" and len(expr) == 2:
        from tpy.modal.engine.patterns import match_context

        mark = match_context(engine).mark
        assert mark is not None
        return mark(expr[1])
    return window.cursor if expr == "v" else None


def _line(engine: Engine, expr: str) -> int:
    place = _place(engine, expr)
    if place is None:
        return 0
    return place[0] if expr == "$" else place[0] + 1


def _col(engine: Engine, expr: str) -> int:
    lines = engine.editor.buffer.lines
    cursor = engine.editor.window.cursor
    if expr == "$":
        return len(lines[cursor.line].encode("utf-8", "surrogatepass")) + 1
    place = _place(engine, expr)
    return 0 if place is None else len(lines[place[0]][: place[1]].encode("utf-8", "surrogatepass")) + 1


def _getline(engine: Engine, expr: Value) -> str:
    lines = engine.editor.buffer.lines
    number = expr if isinstance(expr, int) else _line(engine, as_text(expr))
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _expand(engine: Engine, expr: str) -> str:
    from tpy.modal.ex.names import expand_names

    return expand_names(engine, expr)
