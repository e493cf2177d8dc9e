"""The zero-width places of a pattern: line starts, the cursor, the Visual area, marks, columns.

Lives here: whether a place holds at an offset of a window. Source: `:help /zero-width`.
"""

from __future__ import annotations

from tpy.modal.text.chars import WORD, char_class, is_combining
from tpy.modal.text.pattern.context import PatternContext, VisualArea
from tpy.modal.text.pattern.nodes import At
from tpy.modal.text.pattern.window import Window
from tpy.modal.text.width import column_of


def _compare(value: int, wanted: int, compare: str) -> bool:
    if compare == "<":
        return value < wanted
    if compare == ">":
        return value > wanted
    return value == wanted


def _byte_col(text: str, col: int) -> int:
    part = text[:col]
    return col if part.isascii() else len(part.encode("utf-8", "surrogateescape"))


def _class_before(text: str, pos: int, keyword: frozenset[int]) -> int:
    """Return the word class of the character before `pos`, over combining ones; -1 at a line start."""
    pos -= 1
    while pos > 0 and text[pos - 1] != "\n" and is_combining(text[pos]):
        pos -= 1
    return char_class(text[pos], keyword) if pos >= 0 and text[pos] != "\n" else -1


def _word_edge(kind: str, text: str, pos: int, keyword: frozenset[int]) -> bool:
    here = char_class(text[pos], keyword) if pos < len(text) and text[pos] != "\n" else -1
    before = _class_before(text, pos, keyword)
    return here != before and (here if kind == "bow" else before) >= WORD


def holds(place: At, window: Window, pos: int, context: PatternContext, keyword: frozenset[int]) -> bool:
    """Say whether the place holds at `pos`; `keyword` are the keyword characters below 256."""
    kind, text = place.kind, window.text
    if kind in ("bow", "eow"):
        return _word_edge(kind, text, pos, keyword)
    if kind == "bol":
        return pos == 0 or text[pos - 1] == "\n"
    if kind == "eol":
        return pos >= len(text) or text[pos] == "\n"
    line, col = window.locate(pos)
    if kind == "bof":
        return line == 0 and col == 0
    if kind == "eof":
        last = len(window.lines) - 1
        return line == last and col == len(window.lines[last])
    if kind == "cursor":
        return context.cursor == (line, col)
    if kind == "visual":
        return context.visual is not None and _in_visual(context.visual, window, line, col, context)
    if kind == "mark":
        return _at_mark(place, line, col, context)
    return _at_number(place, window, line, col, context)


def line_range(place: At, count: int, context: PatternContext) -> tuple[int, int]:
    """Return the lines, first and behind the last, in which the place can hold at all."""
    kind, at = place.kind, -1
    if kind == "visual":
        return (context.visual.start[0], context.visual.end[0] + 1) if context.visual is not None else (0, 0)
    if kind in ("bof", "eof"):
        at = 0 if kind == "bof" else count - 1
    elif kind == "cursor" or (kind == "line" and place.number < 0):
        at = context.cursor[0] if context.cursor is not None else -1
    elif kind == "line":
        at = place.number - 1
    elif kind == "mark":
        mark = context.mark(place.name) if context.mark is not None else None
        at = mark[0] if mark is not None else -1
        if mark is not None and place.compare:  # the line of the mark holds places before and after it
            return (0, at + 1) if place.compare == "<" else (at, count)
    else:
        return 0, count
    if at < 0:
        return 0, count if kind == "line" and place.number >= 0 and place.compare == ">" else 0
    if place.compare:
        return (0, at) if place.compare == "<" else (at + 1, count)
    return at, at + 1


def _at_mark(place: At, line: int, col: int, context: PatternContext) -> bool:
    mark = context.mark(place.name) if context.mark is not None else None
    if mark is None:
        return False
    if place.compare == "<":
        return (line, col) < mark
    if place.compare == ">":
        return (line, col) > mark
    return (line, col) == mark


def _at_number(place: At, window: Window, line: int, col: int, context: PatternContext) -> bool:
    here = place.number < 0
    if here and context.cursor is None:
        return False
    cursor_line, cursor_col = context.cursor or (0, 0)
    if place.kind == "line":
        return _compare(line + 1, cursor_line + 1 if here else place.number, place.compare)
    text = window.lines[line] if line < len(window.lines) else ""
    if place.kind == "col":
        wanted = _byte_col(window.lines[cursor_line], cursor_col) + 1 if here else place.number
        if not place.compare and not here and wanted > 0 and col > wanted:
            return False
        return _compare(_byte_col(text, col) + 1, wanted, place.compare)
    wanted = column_of(window.lines[cursor_line], cursor_col, context.tabstop) + 1 if here else place.number
    if place.compare != ">" and col > wanted and text.isascii():  # every character takes a column
        return False
    return _compare(column_of(text, col, context.tabstop) + 1, wanted, place.compare)


def _in_visual(area: VisualArea, window: Window, line: int, col: int, context: PatternContext) -> bool:
    (first, first_col), (last, last_col) = area.start, area.end
    if not first <= line <= last:
        return False
    if area.kind == "v":
        return not (line == first and col < first_col) and not (line == last and col > last_col)
    if area.kind == "V":
        return True
    left, right = area.columns
    text = window.lines[line] if line < len(window.lines) else ""
    column = column_of(text, col, context.tabstop)
    return column >= left and (right is None or column <= right)
