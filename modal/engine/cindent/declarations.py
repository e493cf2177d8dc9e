"""Declarations over several lines: functions, C++ base classes, lists of names, values (`:help C-indenting`)."""

from __future__ import annotations

import re

from tpy.modal.engine.cindent import code, kinds
from tpy.modal.engine.cindent.source import Source
from tpy.modal.engine.cindent.statements import Scan
from tpy.modal.text.position import Pos

_IDENTIFIER = re.compile(r"[A-Za-z0-9_]*")
_BLANKS = r"(?:[ \t]+|$)"
_QUALIFIER = re.compile(
    rf"(?:static{_BLANKS})?(?:(?:struct|enum){_BLANKS}|(?:un)?signed[ \t]+(?=(?:int|long|short|char)[ \t]))?"
)


def names_column(source: Source, line: int) -> int:
    """Return the column of the first name that a line declares behind its type, 0 for none."""
    text = source.lines[line]
    at = code.skip_blanks(text, 0)
    found = _QUALIFIER.match(text, at)
    at = at if found is None else found.end()
    found = _IDENTIFIER.match(text, at)
    end = at if found is None else found.end()
    if end == at or text[end : end + 1] not in (" ", "\t") or code.no_code(text, at):
        return 0
    return source.column(Pos(line, code.skip_blanks(text, end)))


def value_column(source: Source, line: int) -> int:
    """Return the column of what is behind the `=` of a line, 0 for none, -1 where the line before goes on in this."""
    lines = source.lines
    if line > 0 and code.continued(lines[line - 1]):
        return -1
    text, at = lines[line], 0
    while at < len(text) and text[at] not in "=;{}\"'":
        at = code.skip_comment(text, at) if code.is_comment(text, at) else at + 1
    if text[at : at + 1] != "=":
        return 0
    at = code.skip_blanks(text, at + 1)
    if code.no_code(text, at):
        return 0
    return source.column(Pos(line, at + 1 if text[at] == '"' else at))


def is_function(source: Source, line: int, least: int = 0) -> bool:
    """Whether a line is the head of a function, or of one that begins not before the line `least`."""
    lines, first = source.lines, line
    text = lines[line]
    last = code.last_closing(text, "(", ")")
    if last is not None and (opening := source.paren(Pos(line, last))) is not None:
        line = opening.line
        if line < least:
            return False
        text = lines[line]
    if kinds.is_preprocessor(text):
        return False
    at = _parameters(text)
    return at is not None and _closes(source, line, at, first)


def _parameters(text: str) -> int | None:
    """Return where the parameters of a head begin, `None` where the line is no head."""
    at = 0
    while at < len(text) and text[at] not in "(;'\"":
        if code.is_comment(text, at):
            at = code.skip_comment(text, at)
        elif text[at] != ":":
            at += 1
        elif text[at + 1 : at + 2] == ":":
            at += 2
        else:
            return None
    return at if text[at : at + 1] == "(" else None


def _closes(source: Source, line: int, at: int, first: int) -> bool:
    """Whether the parameters end with a line, having gone on only behind commas."""
    lines = source.lines
    text, begun = lines[line], True
    while at < len(text) and text[at] not in ";'\"":
        if text[at] == ")" and code.no_code(text, at + 1):
            return first == 0 or not code.continued(lines[first - 1])
        comma = text[at] == ","
        if (comma and code.no_code(text, at + 1)) or at + 1 == len(text) or code.no_code(text, at):
            line += 1
            while line < len(lines) and kinds.is_preprocessor(lines[line]):
                line += 1
            if line >= len(lines) - 1:
                return False
            text = lines[line]
            at = code.skip_blanks(text, 0)
            if not begun and not comma and text[at : at + 1] not in (",", ")"):
                return False
            begun = False
        elif code.is_comment(text, at):
            at = code.skip_comment(text, at)
        else:
            at += 1
            begun = False
    return False


class BaseClasses:
    """Finds lists of base classes; what was found from a line on counts for the lines behind it."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._first: int | None = None
        self._found: Scan | None = None

    def at(self, line: int) -> Scan | None:
        """Return the list that a line is in."""
        if self._first is not None and self._first <= line:
            return self._found
        text = self.source.lines[line]
        if kinds.is_preprocessor(text) or code.no_code(text):
            return None
        scan = self.source.statements.scan(line)
        self._first = line if scan.found else self.source.statements.begin(line)
        self._found = scan if scan.found else None
        return self._found

    def indent(self, found: Scan, line: int) -> int:
        """Return the indent of an entry behind the line, which is in the list `found`."""
        source, step = self.source, self.source.rules.base_class
        text = source.lines[line]
        if found.col:
            col = len(text.encode()[: found.col].decode(errors="ignore"))
            return max(source.column(Pos(line, col)), step)
        amount = source.indent(line)
        last = code.last_closing(text, "(", ")")
        if last is not None and (opening := source.paren(Pos(line, last))) is not None:
            amount = source.indent(opening.line)
        if not code.ends_in(text, ","):
            amount += step
        return max(amount, step)
