"""The indent of a line inside a comment, by `'comments'` and by the lines of the comment before it."""

from __future__ import annotations

from tpy.modal.engine import comments
from tpy.modal.engine.cindent import code
from tpy.modal.engine.cindent.source import Source
from tpy.modal.text.position import Pos
from tpy.modal.text.width import column_of


def line_comment(source: Source, line: int) -> int | None:
    """Return the column of the `//` comment that one in this line goes below, `None` for none."""
    lines = source.lines
    before = line - 1
    while before >= 0:
        text = lines[before]
        at = code.skip_blanks(text, 0)
        if text.startswith("//", at):
            return source.column(Pos(before, at))
        if at < len(text):
            break
        before -= 1
    if line > 0 and (col := code.line_comment(lines[line - 1])) != code.FAR:
        return source.column(Pos(line - 1, col))
    return None


def indent(source: Source, line: int, start: Pos, theline: str) -> int:
    """Return the indent of a line in the comment that begins at `start`; `theline` is the line without its indent."""
    by_option = _by_option(source, line, start, theline)
    if by_option is not None:
        return by_option
    if theline.startswith("*"):
        return source.column(start) + 1
    for before in range(line - 1, start.line, -1):
        if source.lines[before].strip(code.BLANKS):
            return source.indent(before)
    rules = source.rules
    text = source.lines[start.line]
    behind = start.col + 2
    if rules.in_comment_always or behind >= len(text):
        return source.column(start) + rules.in_comment
    return source.column(Pos(start.line, code.skip_blanks(text, behind)))


def _by_option(source: Source, line: int, start: Pos, theline: str) -> int | None:
    """Return the indent of a middle or an end part of a comment of three parts."""
    first = middle = comments.Part("", "")
    other: int | None = None
    for part in comments.parse(source.rules.comments):
        kind = next((flag for flag in reversed(part.flags) if flag in "sme"), "")
        if kind == "s":
            first = part
        elif kind == "m":
            middle = part
        elif kind == "e":
            is_middle, is_end = theline.startswith(middle.string), theline.startswith(part.string)
            if is_middle and not is_end:
                found = _middle(source, line, start, first, middle)
                if found is not None:
                    return found
                other = source.column(start)
            elif is_end and not is_middle:
                return _shifted(source.indent(line - 1), part, first, middle)
    return other


def _middle(source: Source, line: int, start: Pos, first: comments.Part, middle: comments.Part) -> int | None:
    """Return the indent of a middle part, `None` where the comment begins by other strings."""
    before = source.lines[line - 1].lstrip(code.BLANKS)
    if before.startswith(first.string):
        return _shifted(source.indent(line - 1), first, first, middle)
    if before.startswith(middle.string):
        return source.indent(line - 1)
    if not source.lines[start.line].startswith(first.string, start.col):
        return None
    return _shifted(source.column(start), first, first, middle)


def _shifted(amount: int, by: comments.Part, first: comments.Part, middle: comments.Part) -> int:
    """Return the indent with the offset or the alignment that the flags of `by` ask for."""
    if by.offset:
        return amount + by.offset
    if "r" in by.flags:
        return amount + _cells(first.string) - _cells(middle.string)
    return amount


def _cells(text: str) -> int:
    return column_of(text, len(text), 8)
