"""Opening a line below or above, or breaking one at the cursor: indent and comment leader of the new line.

`:help 'autoindent'`, `:help 'smartindent'`, `:help fo-r`, `:help fo-o`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tpy.modal.engine import comments, indentation
from tpy.modal.engine.cindent.kinds import is_cinword
from tpy.modal.engine.cindent.rules import words
from tpy.modal.engine.indentation import BLANKS
from tpy.modal.engine.pen import VIRTUAL, Pen
from tpy.modal.text import chars


class Opened(NamedTuple):
    """What opening a line did that the caller may want to know."""

    leader: bool


def match_before(lines: list[str], line: int, col: int, opening: str, closing: str) -> tuple[int, int] | None:
    """Return where the bracket is that is open at a place, looking backwards; `None` where none is."""
    depth = 0
    text = lines[line][:col]
    while True:
        for at in range(len(text) - 1, -1, -1):
            if text[at] == closing:
                depth += 1
            elif text[at] == opening:
                if depth == 0:
                    return line, at
                depth -= 1
        line -= 1
        if line < 0:
            return None
        text = lines[line]


class _Indent:
    """The indent that the new line gets: `columns`, whether one more `shiftwidth` follows, and if `{` takes it."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.deeper = False
        self.fixed = False


def _smart_below(pen: Pen, head: str, indent: _Indent) -> None:
    """Find the smart indent of a line below `head`, the text that stays on the line above."""
    lines, ts, number = pen.lines, pen.tabstop, pen.line
    text = head
    lead = _leader_length(pen, text)
    if lead == 0 and text[:1] == "#":
        while text[:1] == "#" and number > 0:
            number -= 1
            text = lines[number]
        indent.columns = indentation.width(text, ts)
        lead = _leader_length(pen, text)
    if lead > 0:
        _after_comment(pen, text, number, indent)
        return
    stripped = text.rstrip(BLANKS)
    if not stripped:
        return
    last = stripped[-1]
    before = stripped
    if last in "{;" and len(stripped) > 1:
        before = stripped[:-1].rstrip(BLANKS)
    if before[-1:] == ")":
        pair = match_before([*lines[:number], text], number, len(before) - 1, "(", ")")
        if pair is not None:
            text = lines[pair[0]] if pair[0] != number else text
            indent.columns = indentation.width(text, ts)
    if last == "{":
        indent.deeper = indent.fixed = True
    elif last not in ";}" and is_cinword(text, 0, words(pen.style.cinwords), chars.parse_option(pen.style.iskeyword)):
        indent.deeper = True


def _leader_length(pen: Pen, text: str) -> int:
    return comments.leader(text, pen.style.comments).length if pen.with_comments else 0


def _after_comment(pen: Pen, text: str, number: int, indent: _Indent) -> None:
    """Line up with the line where a C comment began that ends here."""
    at = comments.skip_blanks(text, 0)
    if text.startswith("/*", at):
        at += 1
    if text[at : at + 1] != "*":
        return
    end = text.find("*/", at)
    if end >= 0:
        _line_up_with_start(pen, text, number, end, indent)


def _line_up_with_start(pen: Pen, text: str, number: int, end: int, indent: _Indent) -> None:
    for line in range(number, max(number - 500, -1), -1):
        above = text[:end] if line == number else pen.lines[line]
        if "/*" in above:
            indent.columns = indentation.width(above, pen.tabstop)
            return


def _smart_above(pen: Pen, indent: _Indent) -> None:
    """Find the smart indent of a line above the cursor's."""
    lines, number = pen.lines, pen.line
    text = lines[number]
    if text[:1] == "#":
        escaped = False
        while (text[:1] == "#" or escaped) and number < len(lines) - 1:
            escaped = text.endswith("\\")
            number += 1
            text = lines[number]
        indent.columns = 0 if escaped else indentation.width(text, pen.tabstop)
    if text.lstrip(BLANKS)[:1] == "}":
        indent.deeper = True
    else:
        pen.can_si_back = True


class _Leader:
    """The comment leader that the new line gets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.extra_space = False
        # What takes the place of the leader, and the part of the option it comes from.
        self.substitute: str | None = None
        self.part: comments.Part | None = None
        # Where a comment ends on the line, when no leader is used for that reason.
        self.end: int | None = None


def _find_leader(pen: Pen, whole: str, head: str, forward: bool, breaks: bool) -> _Leader:
    """Return the leader for a new line beside `head` (the line, or what stays of it)."""
    style = pen.style
    found = comments.leader(head, style.comments, backward=not forward)
    leader = _Leader(head[: found.length])
    if not found.length:
        return leader
    parts = comments.parse(style.comments)
    part = parts[found.part]
    leader.part = part
    for flag in part.flags:
        if flag in "sm":
            _three_piece(pen, leader, found, head, flag, forward, breaks)
            break
        if flag == "e":
            _at_end_part(pen, leader, parts, found.part, head, forward)
            break
        if flag == "f":
            if forward:
                leader.substitute = ""
            else:
                leader.text = ""
            break
    return leader


def _three_piece(
    pen: Pen, leader: _Leader, found: comments.Leader, head: str, flag: str, forward: bool, breaks: bool
) -> None:
    """Go on with the middle of a comment of three parts."""
    parts = comments.parse(pen.style.comments)
    if flag == "s" and not forward:
        leader.text = ""
        return
    middle = parts[found.part + 1] if flag == "s" else parts[found.part]
    last = parts[found.part + (2 if flag == "s" else 1)]
    if "x" in last.flags:
        pen.end_comment = last.string[-1:]
    if forward:
        end = head.find(last.string, len(leader.text))
        if end >= 0:
            leader.text, leader.end = "", end
    if leader.text:
        if flag == "s":
            leader.substitute = middle.string
        at_leader = pen.col == len(leader.text) if breaks else len(head) == len(leader.text)
        if leader.text[-1] not in BLANKS and (at_leader or "b" in middle.flags):
            leader.extra_space = True


def _at_end_part(
    pen: Pen, leader: _Leader, parts: tuple[comments.Part, ...], index: int, head: str, forward: bool
) -> None:
    """Beside the end of a comment: nothing below it, the middle part above it."""
    if forward:
        leader.end = comments.skip_blanks(head, 0)
        leader.text = ""
        return
    leader.substitute = parts[index - 1].string
    leader.extra_space = True
    if "x" in parts[index].flags:
        pen.end_comment = parts[index].string[-1:]


def _substituted(pen: Pen, leader: _Leader, indent: _Indent) -> str:
    """Return the leader with its middle part in place of the start, lined up as the option says."""
    text, new, part = leader.text, leader.substitute, leader.part
    assert new is not None
    assert part is not None
    start = comments.skip_blanks(text, 0)
    body = text[start:]
    if "r" in part.flags:
        end = len(body.rstrip(BLANKS))
        keep = max(end - len(new), 0)
        rest = body[end:]
        text = text[:start] + " " * keep + new + rest
    else:
        size = min(len(new), len(body))
        rest = "".join(char if char in BLANKS else " " for char in body[size:])
        rest = re.sub(" +(?=\t)", "", rest) if "\t" in rest else rest
        text = text[:start] + new + rest
    if pen.style.autoindent or pen.style.smartindent:
        indent.columns = indentation.width(text, pen.tabstop)
    offset = part.offset
    indent.columns, offset = max(indent.columns + offset, 0), max(offset, -indent.columns)
    while offset > 0 and text.endswith(" ") and "\t" not in text.lstrip(BLANKS):
        text, offset = text[:-1], offset - 1
    if text and text[-1] in BLANKS:
        leader.extra_space = False
    return text


def open_line(
    pen: Pen,
    *,
    forward: bool = True,
    breaks: bool = True,
    with_comments: bool = False,
    drop_blanks: bool = False,
    keep_trailing: bool = False,
    list_indent: int = 0,
) -> Opened:
    """Open a line below (`forward`) or above the cursor's, or break it at the cursor (`breaks`), and go there.

    `with_comments`: a comment leader is repeated. `drop_blanks`: blanks at the break go, as in wrapping.
    `keep_trailing`: blanks before the break stay. `list_indent`: the indent of a list in a comment.
    """
    pen.with_comments = with_comments
    style = pen.style
    whole = pen.text
    virtual = pen.mode == VIRTUAL and breaks
    head = whole[: pen.col] if breaks else whole
    tail = whole[pen.col :] if breaks and not virtual else ""
    if virtual:
        pen.stack += ["", whole[pen.col :]]
    truncate = forward and pen.did_ai
    pen.did_si, pen.ai_col = False, 0
    indent = _new_indent(pen, head, tail, forward, breaks, truncate)
    pen.old_indent, pen.end_comment = 0, ""
    leader = _Leader("")
    if with_comments:
        leader = _find_leader(pen, whole, head, forward, breaks)
    text = _leader_text(pen, leader, head, indent)
    dropped = 0
    if breaks and not virtual and (style.autoindent or drop_blanks):
        dropped = indentation.blank_count(tail)
    if breaks and pen.mode == "R":
        pen.stack.append(tail[:dropped])
    column = len(text)
    if text:
        if list_indent > 0:
            padding = max(list_indent - (indent.columns + len(text)), 0)
            text += " " * padding
            column += padding
        pen.did_ai = True
    else:
        pen.end_comment = ""
    kept = whole[: pen.col] if breaks or truncate else whole
    if truncate and not keep_trailing:
        kept = kept.rstrip(BLANKS)
    # The end of a line that is broken is what was changed last.
    pen.changed = pen.place if forward and (breaks or truncate) else None
    _place(pen, kept, text + tail[dropped:], forward=forward, virtual=virtual)
    column += _apply_indent(pen, indent, whole)
    pen.changed = None
    if pen.mode == "R" and breaks:
        pen.stack.extend([""] * column)
    pen.col = column
    if virtual:
        _overwrite_next(pen)
    pen.opened(forward=forward)
    return Opened(bool(text))


def _new_indent(pen: Pen, head: str, tail: str, forward: bool, breaks: bool, truncate: bool) -> _Indent:
    """Return the indent of the new line: that of the line it comes from, and what smart indent makes of it."""
    style = pen.style
    indent = _Indent(0)
    if style.autoindent or style.smartindent:
        indent.columns = max(indentation.width(head, pen.tabstop), pen.old_indent)
        _smart(pen, head, tail, forward, breaks, truncate, indent)
        pen.did_ai = True
    if style.colon and forward and head.rstrip(BLANKS).endswith(":"):
        indent.deeper = pen.did_ai = True
    return indent


def _smart(pen: Pen, head: str, tail: str, forward: bool, breaks: bool, truncate: bool, indent: _Indent) -> None:
    if not pen.style.smartindent:
        return
    first = tail.lstrip(BLANKS)[:1] if breaks else ""
    if not truncate and head and not (breaks and first == "{"):
        if forward:
            _smart_below(pen, head, indent)
        else:
            _smart_above(pen, indent)
    pen.can_si = True


def _leader_text(pen: Pen, leader: _Leader, head: str, indent: _Indent) -> str:
    """Return the leader as it is put before the new line, which takes over its indent."""
    if not leader.text:
        indents = pen.style.autoindent or pen.style.smartindent
        if indents and leader.end is not None and head.startswith("*/", leader.end):
            _line_up_with_start(pen, head, pen.line, leader.end, indent)
        return ""
    text = leader.text if leader.substitute is None else _substituted(pen, leader, indent)
    if leader.extra_space:
        text += " "
    if indent.columns or indent.deeper:
        text = text.lstrip(BLANKS)
    indent.deeper = False
    pen.can_si = False
    return text


def _place(pen: Pen, kept: str, new: str, *, forward: bool, virtual: bool) -> None:
    """Put the two lines in place and the cursor's line on the new one."""
    line = pen.line
    if not forward:
        pen.replace(line, line, [new])
        return
    if virtual and line + 1 < pen.line_count:
        pen.next_line = pen.lines[line + 1]
        pen.replace(line, line + 2, [kept, new])
    else:
        pen.next_line = "" if virtual else None
        if kept == pen.text:
            pen.replace(line + 1, line + 1, [new])
        else:
            pen.replace(line, line + 1, [kept, new])
    pen.line = line + 1


def _apply_indent(pen: Pen, indent: _Indent, whole: str) -> int:
    """Indent the new line; return how many characters that took."""
    if not indent.columns and not indent.deeper:
        return 0
    columns = indent.columns
    if indent.deeper:
        step = pen.style.shiftwidth
        if pen.style.shiftround:
            columns -= columns % step
        columns += step
    pen.did_si = indent.deeper and not indent.fixed
    pen.insert_indent(columns, whole if pen.style.copyindent else None)
    pen.ai_col = pen.col
    return pen.col


def _overwrite_next(pen: Pen) -> None:
    """In Virtual Replace mode the new line is written over the next one, which can come back."""
    new = pen.text
    pen.set_text(pen.next_line or "")
    pen.col = 0
    pen.put(new)
