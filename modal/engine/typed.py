"""What a typed character does to the text: smart indent, wrapping, the end of a comment, tabs, shifting the indent.

All of it works on a `Pen`; which key means what is in `insertkeys.py`.
"""

from __future__ import annotations

from tpy.modal.engine import comments, indentation
from tpy.modal.engine.indentation import BLANKS
from tpy.modal.engine.openline import match_before
from tpy.modal.engine.pen import REPLACE, VIRTUAL, Pen
from tpy.modal.engine.wrapping import wrap
from tpy.modal.text.position import Pos
from tpy.modal.text.width import char_cells, column_of


def type_char(pen: Pen, char: str, width: int) -> None:
    """Write one character; a line longer than `width` (0: any may be) is broken first (`:help 'textwidth'`)."""
    if width and char not in BLANKS and _may_wrap(pen, width):
        wrap(pen, width, char)
    if pen.did_ai and char == pen.end_comment:
        _end_comment(pen, char)
    pen.end_comment = ""
    pen.reset_flags()
    pen.put(char)


def _may_wrap(pen: Pen, width: int) -> bool:
    """Whether `formatoptions` lets the line be broken while typing in it."""
    if pen.mode == REPLACE and pen.char:
        return False
    options = pen.style.formatoptions
    if pen.line != pen.start.line:
        return True
    if "l" in options and pen.start_width > width:
        return False
    return "b" not in options or (pen.blank_column is not None and pen.blank_column <= width)


def _end_comment(pen: Pen, char: str) -> None:
    """Put the end of a three-piece comment in place of the middle part that was put in automatically."""
    text, option = pen.text, pen.style.comments
    found = comments.leader(text, option)
    parts = comments.parse(option)
    if found.part < 0 or "m" not in parts[found.part].flags:
        return
    middle = parts[found.part].string.rstrip(BLANKS)
    end = parts[found.part + 1].string
    start = len(text[: pen.col].rstrip(BLANKS)) - len(middle)
    if start >= 0 and end.endswith(char):
        pen.back_to(start)
        pen.put(end[:-1])


def smart_indent(pen: Pen, char: str) -> None:
    """Change the indent before `{`, `}` or `#` is typed (`:help 'smartindent'`)."""
    if char == "}" and pen.can_si:
        _close_brace(pen)
    elif char == "{" and (pen.did_si or pen.can_si_back) and pen.col > 0:
        _open_brace(pen)
    if char == "#" and pen.can_si and pen.col > 0 and pen.in_indent():
        pen.old_indent = pen.indent()
        pen.set_indent(0)
    pen.ai_col = min(pen.ai_col, pen.col)


def _close_brace(pen: Pen) -> None:
    lines, ts = pen.lines, pen.tabstop
    pair = match_before(lines, pen.line, pen.col, "{", "}")
    if pair is None:
        if pen.col > 0:
            pen.shift_line(-1, round_off=False)
        return
    line, col = pair
    before = lines[line][:col].rstrip(BLANKS)
    if before.endswith(")"):
        start = match_before(lines, line, len(before) - 1, "(", ")")
        line = start[0] if start is not None else line
    columns = indentation.width(lines[line], ts)
    if pen.mode == VIRTUAL:
        change_indent(pen, columns, 0)
    else:
        pen.set_indent(columns)


def _open_brace(pen: Pen) -> None:
    """Take back the extra indent, but not to less than the indent of the line before."""
    if pen.can_si_back and pen.line > 0:
        here = pen.indent()
        line = pen.line - 1
        while line > 0 and pen.lines[line].lstrip(BLANKS)[:1] in ("#", ""):
            line -= 1
        if indentation.width(pen.lines[line], pen.tabstop) >= here:
            return
    pen.shift_line(-1, round_off=False)


def type_tab(pen: Pen) -> bool:
    """Type a tab where options make it more than a character; `False` where it is one."""
    style = pen.style
    indent = pen.in_indent()
    smart = style.smarttab and indent
    if not style.expandtab and not (smart and style.tabstop != style.shiftwidth) and style.softtabstop == 0:
        return False
    pen.reset_flags()
    step = style.shiftwidth if smart else style.softtabstop or style.tabstop
    count = step - pen.column() % step
    pen.put(" ")
    for _ in range(count - 1):
        if pen.mode == REPLACE:
            pen.raw(" ")
            pen.stack.append("")
        else:
            pen.put(" ")
    if not style.expandtab and (style.softtabstop > 0 or smart):
        _use_tabs(pen)
    return True


def _use_tabs(pen: Pen) -> None:
    """Replace the blanks before the cursor by as many tabs as possible."""
    text = pen.text
    first = len(text[: pen.col].rstrip(BLANKS))
    if pen.replaces and pen.line == pen.start.line:
        first = max(first, pen.start.col)
    column, want = column_of(text, first, pen.tabstop), pen.column()
    kept, at = first, column
    while kept < pen.col:
        cells = char_cells("\t", at, pen.tabstop)
        if at + cells > want or text[kept] != "\t":
            break
        kept, at = kept + 1, at + cells
    new, here = "", at
    while here + char_cells("\t", here, pen.tabstop) <= want:
        new += "\t"
        here += char_cells("\t", here, pen.tabstop)
    if not new:
        return
    if pen.line == pen.start.line and kept < pen.start.col:
        pen.start = Pos(pen.line, kept)
    new += " " * (want - here)
    gone = pen.col - kept - len(new)
    if pen.mode == VIRTUAL:
        pen.back_to(kept)
        pen.put(new)
        return
    if pen.mode == REPLACE and gone > 0:
        _join_stack(pen, gone)
    pen.set_text(text[:kept] + new + text[pen.col :])
    pen.col = kept + len(new)


def _join_stack(pen: Pen, count: int) -> None:
    """Make the last entries of the replace stack one, for characters that were put together."""
    for _ in range(min(count, len(pen.stack) - 1)):
        last = pen.stack.pop()
        pen.stack[-1] += last


def change_indent(pen: Pen, columns: int | None, amount: int, *, replaced: str = "") -> None:
    """Set the indent, or shift it by `amount`, while typing: the cursor stays on its character.

    `:help i_CTRL-T`. `replaced` is a character that `0<C-d>` took from the replace stack.
    """
    if pen.mode == VIRTUAL:
        _change_indent_virtual(pen, columns, amount)
        return
    before = pen.col
    column = pen.column()
    first = indentation.blank_count(pen.text)
    offset = pen.col - first
    inside = pen.indent() - column if offset < 0 else 0
    pen.col = first
    less = first
    if columns is not None:
        pen.set_indent(columns)
    else:
        pen.shift_line(amount, round_off=True)
    now = indentation.blank_count(pen.text)
    less -= now
    if offset >= 0:
        if offset == 0:
            less = 1 << 30
        pen.col = now + offset
    else:
        _to_column_in_indent(pen, max(pen.indent() - inside, 0))
        less = 1 << 30
    if pen.line == pen.start.line and pen.start.col != 0:
        pen.start = Pos(pen.line, max(pen.start.col - less, 0))
    pen.ai_col = max(pen.ai_col - less, 0)
    if pen.mode == REPLACE and offset <= 0:
        if before > pen.col:
            _join_stack(pen, before - pen.col)
        else:
            pen.stack.extend([""] * (pen.col - before))
    if replaced:
        pen.stack.append(replaced)


def _to_column_in_indent(pen: Pen, want: int) -> None:
    """Go to a display column inside the indent, with blanks put in where a tab covers it."""
    text = pen.text
    column, col = 0, 0
    while col < len(text) and column < want:
        cells = char_cells(text[col], column, pen.tabstop)
        if column + cells > want:
            break
        column, col = column + cells, col + 1
    pen.col = col
    if column < want:
        pen.raw(" " * (want - column))


def _change_indent_virtual(pen: Pen, columns: int | None, amount: int) -> None:
    """Change the indent in Virtual Replace mode: go back over what was typed and write it again after the indent."""
    original, mode = pen.text, pen.mode
    col = pen.col
    pen.mode = "i"
    change_indent(pen, columns, amount)
    pen.mode = mode
    new, new_col = pen.text, pen.col
    pen.set_text(original)
    pen.col = col
    pen.back_to(0)
    pen.put(new[:new_col])
