"""The indent of a line outside of all brackets: functions, their parameters, declarations (`:help C-indenting`)."""

from __future__ import annotations

from tpy.modal.engine.cindent import code, kinds
from tpy.modal.engine.cindent.declarations import BaseClasses, is_function, names_column, value_column
from tpy.modal.engine.cindent.source import Source
from tpy.modal.text.position import Pos


def indent(source: Source, line: int, theline: str) -> int:
    """Return the indent of a line, `theline` without the one it has."""
    rules = source.rules
    if theline.startswith("{"):
        return rules.first_open
    if _names_type(source, line, theline):
        return rules.function_type
    amount = _by_lines_before(source, line, theline)
    if code.is_comment(theline, 0):
        amount += rules.comment
    if code.continued(source.lines[line - 1]):
        column = value_column(source, line - 1)
        if column > 0:
            amount = column
        elif column == 0:
            amount += rules.continuation
    return amount


def _names_type(source: Source, line: int, theline: str) -> bool:
    """Whether the line is the type of the function that the next line declares."""
    if line + 1 >= len(source.lines) or code.no_code(theline) or "{" in theline or "}" in theline:
        return False
    if code.ends_in(theline, ":") or code.ends_in(theline, ","):
        return False
    return is_function(source, line + 1, line + 1) and not kinds.terminated(theline, comma=True)


def _by_lines_before(source: Source, ours: int, theline: str) -> int:
    lines, rules = source.lines, source.rules
    bases = BaseClasses(source)
    amount, line = 0, ours
    while line > 0:
        line -= 1
        outer = source.text_start(Pos(line, 0))
        if outer is not None:
            line = outer.line + 1
            continue
        if rules.base_class and not theline.startswith("{"):
            base = bases.at(line)
            if base is not None:
                return bases.indent(base, line)
        macro = source.preprocessor(line, amount)
        if macro is not None:
            line, amount = macro
            continue
        text = lines[line]
        if code.no_code(text):
            continue
        if code.ends_in(text, ",") or code.continued(text):
            return _in_list(source, line, text)
        if is_function(source, ours) or text.lstrip(code.BLANKS).startswith("}") or code.ends_in(text, "};"):
            return amount
        if code.ends_in(text, "["):
            return source.indent(line) + rules.continuation
        if _lone_semicolon(source, line, text):
            return amount
        if is_function(source, line):
            return rules.parameter
        if code.ends_in(text, ";") and line > 0 and _goes_on(lines[line - 1]):
            return amount
        return source.indent(_start(source, line, text).line)
    return amount


def _goes_on(text: str) -> bool:
    return code.ends_in(text, ",") or code.continued(text)


def _start(source: Source, line: int, text: str) -> Pos:
    """Return where the parentheses begin that the line closes, or the line itself."""
    pos = Pos(line, code.last_closing(text, "(", ")") or 0)
    return source.paren(pos) or pos


def _in_list(source: Source, line: int, text: str) -> int:
    """Return the indent below a line that ends in a comma or a backslash."""
    if code.last_closing(text, "(", ")") is not None:
        line = _start(source, line, text).line
    if not code.continued(text):
        while line > 0 and code.continued(source.lines[line - 1]):
            line -= 1
    return source.indent(line) or names_column(source, line) or source.rules.continuation


def _lone_semicolon(source: Source, line: int, text: str) -> bool:
    """Whether the line is only the `;` behind the `}` of a line before."""
    at = code.skip_blanks(text, 0)
    if text[at : at + 1] != ";" or not code.no_code(text, at + 1):
        return False
    while line > 0:
        line -= 1
        above = source.lines[line]
        macro = None if code.no_code(above) else source.preprocessor(line, 0)
        if macro is not None:
            line = macro[0]
        elif not code.no_code(above):
            return code.ends_in(above, "}")
    return False
