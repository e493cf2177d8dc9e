"""`<BS>`, `<C-w>` and `<C-u>` in the Insert modes, by the option `backspace` (`:help i_backspacing`)."""

from __future__ import annotations

from tpy.modal.engine.indentation import BLANKS, blank_count
from tpy.modal.engine.pen import VIRTUAL, Pen
from tpy.modal.text import chars
from tpy.modal.text.position import Pos
from tpy.modal.text.width import column_of, prev_col

CHAR, WORD, LINE = "char", "word", "line"


def can(pen: Pen, what: str) -> bool:
    """Whether `backspace` allows "indent", "eol", "start" or "nostop"."""
    value = pen.style.backspace
    if value.isdigit():
        return {"indent": value >= "1", "eol": value >= "1", "start": value >= "2", "nostop": value >= "3"}[what]
    if what == "start":
        return "start" in value or "nostop" in value
    return what in value


def forbidden(pen: Pen, *, moved: bool) -> bool:
    """Whether nothing may be deleted before the cursor. `moved`: a cursor key was used since the last typing."""
    if pen.line == 0 and pen.col == 0:
        return True
    if not can(pen, "start") and (moved or (pen.line == pen.origin.line and pen.col <= pen.origin.col)):
        return True
    if not can(pen, "indent") and not moved and pen.ai_col > 0 and pen.col <= pen.ai_col:
        return True
    return pen.col == 0 and not can(pen, "eol")


def backspace(pen: Pen, unit: str, *, spaced: bool) -> None:
    """Delete a character, word or all that was typed before the cursor; the caller asked `forbidden` first.

    `spaced`: the blank before the cursor was typed as one, so that `softtabstop` does not count it.
    """
    pen.end_comment = ""
    if pen.col == 0:
        _join_lines(pen)
        pen.did_ai = False
    else:
        _delete_before(pen, unit, spaced)
    pen.did_si = pen.can_si = pen.can_si_back = False
    if pen.col <= 1:
        pen.did_ai = False
    if pen.line == pen.origin.line and pen.col < pen.origin.col:
        pen.origin = pen.place


def _join_lines(pen: Pen) -> None:
    """Delete the line break before the cursor."""
    line = pen.line
    above = pen.lines[line - 1]
    first = pen.start.line
    if line == first:
        pen.start = Pos(line - 1, len(above))
    was = pen.stack.pop() if pen.replaces and pen.stack else None
    if pen.replaces and line <= first:
        pen.line, pen.col = line - 1, max(prev_col(above, len(above)), 0) if above else 0
        if above:
            pen.col = len(above)
        return
    if pen.mode != VIRTUAL or line >= pen.line_count:
        text = pen.lines[line]
        pen.line, pen.col = line - 1, len(above)
        pen.join(line - 1, above + text)
    else:
        pen.line, pen.col = line - 1, len(above)
    if pen.replaces and was is not None:
        rest = pen.stack.pop() if pen.stack else ""
        text = pen.text
        pen.set_text(text[: pen.col] + rest + was + text[pen.col :])


def _delete_before(pen: Pen, unit: str, spaced: bool) -> None:
    style = pen.style
    least = 0
    if unit == LINE and style.autoindent:
        first = blank_count(pen.text)
        least = first if first < pen.col else 0
    before = pen.text[pen.col - 1]
    smart = style.smarttab and pen.in_indent()
    if unit == CHAR and (smart or (style.softtabstop and (before == "\t" or (before == " " and not spaced)))):
        _delete_to_stop(pen, style.shiftwidth if smart else style.softtabstop)
        return
    if unit == LINE and not pen.replaces:
        _delete_line_head(pen, least)
        return
    keyword = chars.parse_option(style.iskeyword)
    in_word = False
    kind = _kind(pen, keyword)
    while True:
        pen.back()
        char = pen.char
        last, kind = kind, _kind(pen, keyword)
        if unit == WORD and not char.isspace():
            if in_word and kind != last:
                pen.col = len(pen.text[: pen.col]) + len(_cell(pen))
                break
            in_word = True
        elif unit == WORD and in_word:
            pen.col += len(_cell(pen))
            break
        _remove(pen)
        if unit == CHAR:
            break
        at_origin = pen.line == pen.origin.line and pen.col == pen.origin.col
        if pen.col <= least or (at_origin and not can(pen, "nostop")):
            break


def _kind(pen: Pen, keyword: frozenset[int]) -> int:
    char = pen.char
    return chars.char_class(char, keyword) if char else chars.BLANK


def _cell(pen: Pen) -> str:
    """Return the character under the cursor with its combining characters."""
    text, end = pen.text, pen.col + 1
    while end < len(text) and chars.is_combining(text[end]):
        end += 1
    return text[pen.col : end]


def _remove(pen: Pen) -> None:
    if pen.replaces:
        pen.take_back()
    else:
        pen.delete()


def _delete_line_head(pen: Pen, least: int) -> None:
    """Delete all typed text before the cursor, at once."""
    stop = least
    if not can(pen, "nostop") and pen.line == pen.origin.line and pen.col > pen.origin.col:
        stop = max(stop, pen.origin.col)
    text, col = pen.text, pen.col
    pen.col = stop
    pen.set_text(text[:stop] + text[col:])


def _delete_to_stop(pen: Pen, step: int) -> None:
    """Delete blanks back to the last multiple of `step`, or the character where that is no blank."""
    start = column_of(pen.text, pen.col, pen.tabstop)
    last = column_of(pen.text, prev_col(pen.text, pen.col) + 1, pen.tabstop) - 1
    want = last // step * step
    column = start
    while column > want and pen.col > 0 and pen.text[pen.col - 1] in BLANKS:
        column = _delete_one(pen)
    while column < want:
        if pen.line == pen.origin.line and pen.col < pen.origin.col:
            pen.origin = pen.place
        if pen.mode == VIRTUAL:
            pen.put(" ")
        else:
            pen.raw(" ")
            if pen.replaces:
                pen.stack.append("")
        column = pen.column()
    if column >= start:
        _delete_one(pen)


def _delete_one(pen: Pen) -> int:
    """Delete the character before the cursor; return the display column reached."""
    pen.back()
    column = pen.column()
    if not pen.replaces:
        pen.delete()
    elif pen.line != pen.start.line or pen.col >= pen.start.col:
        pen.take_back()
    return column
