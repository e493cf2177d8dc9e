"""Breaking a line that is longer than `textwidth`, while typing and for `gq` (`:help fo-table`)."""

from __future__ import annotations

import re

from tpy.modal.engine import comments
from tpy.modal.engine.indentation import Style
from tpy.modal.engine.openline import open_line
from tpy.modal.engine.pen import VIRTUAL, Pen
from tpy.modal.text.chars import is_combining
from tpy.modal.text.position import Pos
from tpy.modal.text.width import char_cells, col_at

# Vim's default of `formatlistpat`: what begins an entry of a numbered list.
_NUMBERED = re.compile(r"\s*\d+[\]:.)}\t ]\s*")


def text_width(style: Style, columns: int, *, formatting: bool = False) -> int:
    """Return the width to break at: `textwidth`, else by `wrapmargin`, else for formatting the screen's, 79 at most."""
    width = style.textwidth
    if width == 0 and style.wrapmargin:
        width = max(columns - style.wrapmargin, 0)
    if width == 0 and formatting:
        width = min(columns - 1, 79)
    return width


def list_indent(text: str, style: Style) -> int:
    """Return the indent for the text of a numbered list entry (`:help fo-n`), -1 where the line begins none."""
    start = 0
    if "q" in style.formatoptions:
        start = comments.leader(text, style.comments).length
    found = _NUMBERED.match(text, start)
    if found is None or found.end() >= len(text):
        return -1
    columns = 0
    for char in text[: found.end()]:
        columns += char_cells(char, columns, style.tabstop)
    return columns


def _is_blank(text: str, at: int) -> bool:
    """Whether a blank stands there that carries no combining character."""
    return text[at : at + 1] in (" ", "\t") and not (at + 1 < len(text) and is_combining(text[at + 1]))


def _wide(char: str) -> bool:
    return ord(char) >= 0x100


def _too_long(pen: Pen, width: int, char: str) -> bool:
    """Whether the line goes beyond `width` with the character at the cursor, or `char` written there."""
    column = pen.column()
    under = char or pen.char
    return column + (char_cells(under, column, pen.tabstop) if under else 0) > width


def _break_at(pen: Pen, width: int, lead: int, char: str, *, formatting: bool) -> tuple[int, int] | None:
    """Return where the blanks begin that the line is to be broken at, and where the text after them begins."""
    text, options = pen.text, pen.style.formatoptions
    start = pen.col
    want = col_at(text, width, pen.tabstop)
    stops = ("v" in options or "b" in options) and not formatting and pen.line == pen.start.line
    found: tuple[int, int] | None = None
    at = start
    while at >= (pen.start.col if stops else 0):
        blank = char in (" ", "\t") if at == start and char else _is_blank(text, at)
        if blank:
            end = at
            begin = at
            wide = 0
            while begin > 0 and (blank if begin == at else _is_blank(text, begin)):
                begin -= 1
                wide += 1
            if begin == 0 and _is_blank(text, 0):
                break
            if "p" in options and text[begin] == "." and wide < 2:
                at = begin
                continue
            if begin < lead:
                break
            if "1" in options:
                if begin == 0 or begin <= lead:
                    break
                if _is_blank(text, begin - 1):
                    at = begin - 1
                    continue
            found = (begin + 1, end + 1)
            if begin + 1 <= want:
                break
            at = begin + 1
        elif "m" in options and at < len(text) and at > lead and _wide(text[at]) and not is_combining(text[at]):
            found = (at, at)
            if at <= want:
                break
        if at <= 0:
            break
        # Only blanks count, but for wide characters with `m`.
        at = at - 1 if "m" in options else max(text.rfind(" ", 0, at), text.rfind("\t", 0, at))
    return found


def wrap(
    pen: Pen,
    width: int,
    char: str = "",
    *,
    formatting: bool = False,
    in_comments: bool = False,
    second_indent: int = -1,
    comment_list: bool = False,
) -> None:
    """Break the cursor's line until it is no longer than `width`; `char` is about to be written at the cursor.

    `formatting`: for `gq`, whatever `formatoptions` says of typing. `in_comments`: leaders are repeated.
    `second_indent`: the indent of the second line, -1 for that of `autoindent`.
    """  # fmt: skip
    style = pen.style
    options = style.formatoptions
    if not _too_long(pen, width, char):
        return
    hidden = ""
    if not style.autoindent and pen.mode != VIRTUAL and pen.char in (" ", "\t") and pen.char:
        # Without `autoindent` a blank under the cursor must survive.
        hidden = pen.char
        pen.set_text(pen.text[: pen.col] + "x" + pen.text[pen.col + 1 :])
    first, no_leader, repeats = True, False, in_comments
    while _too_long(pen, width, char):
        if no_leader:
            repeats = False
        elif not formatting and "c" in options:
            repeats = True
        lead = comments.leader(pen.text, style.comments).length if repeats else 0
        if lead == 0:
            no_leader = True
        if (not formatting and lead == 0 and "t" not in options) or pen.col == 0:
            break
        place = _break_at(pen, width, lead, char, formatting=formatting)
        if place is None:
            break
        opened = _break(pen, place[0], repeats, second_indent if comment_list else -1, comment_list)
        if opened:
            no_leader = False
        if first and not comment_list:
            if second_indent < 0 and "n" in options:
                second_indent = list_indent(pen.lines[pen.line - 1], style)
            if second_indent >= 0:
                _indent_second(pen, lead, second_indent)
        first = False
        pen.reset_flags()
    if hidden:
        pen.set_text(pen.text[: pen.col] + hidden + pen.text[pen.col + 1 :])


def _break(pen: Pen, found: int, repeats: bool, second_indent: int, comment_list: bool) -> bool:
    """Break the line at `found` and put the cursor where it was in the text; `True` when a leader was repeated."""
    keeps = "w" in pen.style.formatoptions
    text, start = pen.text, pen.col
    end = found
    while end < len(text) and _is_blank(text, end) and (not keeps or end < start):
        end += 1
    after = max(start - end, 0)
    moved = ""
    if pen.mode == VIRTUAL:
        moved = text[end : end + after]
        pen.col = start
        if not keeps:
            pen.back_to(found)
    else:
        pen.col = end if keeps else found
    opened = open_line(
        pen,
        with_comments=repeats,
        drop_blanks=True,
        keep_trailing=keeps,
        list_indent=max(second_indent, 0),
    )
    if not moved:
        _carry(pen, end if keeps else found, end)
    if pen.mode == VIRTUAL:
        pen.put(moved)
    else:
        pen.col = min(pen.col + after, len(pen.text))
        pen.after_break = after
    return opened.leader


def _carry(pen: Pen, found: int, end: int) -> None:
    """Let places go with their text to the line that was opened."""
    line, begun = pen.place

    def _moved(pos: Pos) -> Pos:
        if pos.line != line - 1 or pos.col < found:
            return pos
        return Pos(line, begun + pos.col - end) if pos.col >= end else Pos(line - 1, found)

    pen.carry(_moved)


def _indent_second(pen: Pen, lead: int, columns: int) -> None:
    """Give the second line of a paragraph its indent, keeping the cursor in its text."""
    after = pen.after_break
    pen.col -= after
    if lead > 0 and columns - lead > 0:
        pen.raw(" " * (columns - lead))
    else:
        pen.set_indent(columns)
    pen.col = min(pen.col + after, len(pen.text))
