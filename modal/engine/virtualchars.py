"""Characters between two places that may be virtual (`:help 'virtualedit'`): what a register gets of them, what is left
when they are deleted, and what it is to replace them.

The places are as `virtual.cell` gives them; the end is not included.
"""

from __future__ import annotations

from collections.abc import Sequence

from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import cell, cells_at
from tpy.modal.text.chars import is_combining
from tpy.modal.text.marks import Joint
from tpy.modal.text.position import CHAR, LINE, Pos, Span, beyond
from tpy.modal.text.registers import Register
from tpy.modal.text.width import cell_width, col_at, column_of


def span_of(ctx: Context, start: Pos, end: Pos, *, inclusive: bool) -> Span:
    """Return the span between two places, with the cell or character at `end` where that is included."""
    first = cells_at(ctx, start)[0]
    left, right = cells_at(ctx, end)
    # Beyond a character of one cell, as `<C-o>` leaves the cursor behind a line, Vim means that character.
    begin = start if _single(ctx, start) else cell(ctx, start.line, first)
    if not _single(ctx, end):
        end = cell(ctx, end.line, right + 1 if inclusive else left)
    elif inclusive:
        end = Pos(end.line, end.col + 1)
    return Span(begin, end, CHAR, virtual=True, inclusive=inclusive)


def _single(ctx: Context, pos: Pos) -> bool:
    """Whether a place is beyond the start of a character that takes one cell."""
    text = ctx.lines[pos.line]
    return bool(pos.add) and pos.col < len(text) and _cells(text, pos.col, ctx.tabstop) == 1


def _cells(text: str, col: int, tabstop: int) -> int:
    """Return how many cells a character takes; 1 behind the end."""
    return cell_width(text, col, column_of(text, col, tabstop), tabstop)


def extract(lines: Sequence[str], span: Span, tabstop: int) -> Register:
    """Return the text of a span; parts of tabs and what is behind a line are blanks."""
    start, end = span.start, span.end
    text, tail = lines[start.line], lines[end.line]
    width = _cells(tail, end.col, tabstop)
    # Where a motion stops before the last cell of a tab, Vim takes the rest of the tab or nothing of it.
    stops = not span.inclusive and 0 < end.add == width - 1
    if start.line == end.line and start.col == end.col:
        end_add = (width if start.add else 0) if stops else end.add
        return Register((" " * max(end_add - start.add, 0),))
    head = text[start.col :]
    if start.add and head:
        cells = _cells(text, start.col, tabstop)
        head = " " * (cells - start.add) + head[1:] if cells > 1 else head
    blanks = " " * end.add if end.col >= len(tail) or (width > 1 and not stops) else ""
    if start.line == end.line:
        return Register((head[: len(head) - (len(text) - end.col)] + blanks,))
    last = tail[: end.col] + blanks
    return Register((head, *lines[start.line + 1 : end.line], last))


def remove(ctx: Context, span: Span) -> None:
    """Take the text of a span out and put the cursor where it was. A tab at the start is broken into blanks; of one at
    the end all goes or none, as in Vim."""
    start, end, tabstop = span.start, span.end, ctx.tabstop
    first, last = start.line, end.line
    text = ctx.lines[first]
    virtual_end = column_of(ctx.lines[last], end.col, tabstop) + end.add
    if text[start.col : start.col + 1] == "\t":
        cells = _cells(text, start.col, tabstop)
        if start.add < cells:
            text = text[: start.col] + " " * cells + text[start.col + 1 :]
        start = Pos(first, start.col + min(start.add, cells if start.add < cells else 1))
    tail = text if first == last else ctx.lines[last]
    at, rest = _behind(tail, virtual_end, tabstop, inclusive=span.inclusive)
    if first == last:
        at = max(at, start.col)
    joints = [Joint(last, start.col)] if last > first else ()
    new = text[: start.col] + rest + tail[at:]
    kept = start if start.col >= len(text) and first == last else Pos(*start)
    if new != ctx.lines[first] or last > first:
        ctx.buffer.replace(first, last + 1, [new], joints=joints)
    else:
        ctx.buffer.save_line(first)
    if last > first:
        ctx.buffer.marks.add_change(Pos(first + 1, 0))
    ctx.cursor = kept


def _behind(text: str, column: int, tabstop: int, *, inclusive: bool) -> tuple[int, str]:
    """Return the character that is the first to stay behind a display column, and the blanks before it of a tab that
    was broken there."""
    col, left = _cell(text, column, tabstop)
    if col >= len(text) or column == left:
        return col, ""
    if not inclusive:
        return col + (text[col] != "\t"), ""
    if text[col] == "\t" and column - left == 1:
        # Only a tab of which the first cell is taken is broken.
        return col + 1, " " * (cell_width(text, col, left, tabstop) - 1)
    return col + 1, ""


def _cell(text: str, column: int, tabstop: int) -> tuple[int, int]:
    """Return the character that covers a display column, and where it begins."""
    col = col_at(text, column, tabstop)
    return col, column_of(text, col, tabstop)


def replace(ctx: Context, span: Span, char: str) -> None:
    """Replace each character of a span by another one; tabs count as blanks, and what is behind its last line too.

    Of whole lines, that is all but the rest of a tab at the very end; an empty last line counts as one blank.
    """
    first, last = span.start.line, span.end.line
    if span.kind == LINE:
        text = ctx.lines[last]
        end = beyond(last, len(text) - 1, 1) if text.endswith("\t") else beyond(last, len(text), not text)
        span = span._replace(start=Pos(first, 0), end=end)
    new = []
    for line in range(first, last + 1):
        text = ctx.lines[line]
        begin = span.start if line == first else Pos(line, 0)
        end = span.end if line == last else Pos(line, len(text))
        new.append(_replaced(text, begin, end, char, ctx.tabstop))
    ctx.buffer.replace(first, last + 1, new)


def _replaced(text: str, begin: Pos, end: Pos, char: str, tabstop: int) -> str:
    """Return a line with the characters between two places replaced."""
    out = []
    column = 0
    for col, one in enumerate(text):
        cells = cell_width(text, col, column, tabstop)
        column += cells
        if not begin.col <= col <= end.col or (col == end.col and not end.add):
            out.append(one)
        elif one != "\t":
            out.append("" if is_combining(one) else char)
        else:
            head = begin.add if col == begin.col else 0
            stop = end.add if col == end.col else cells
            out.append(" " * head + char * (stop - head) + " " * (cells - stop))
    if end.col >= len(text) and end.add:
        head = begin.add if begin.col >= len(text) else 0
        out.append(" " * head + char * (end.add - head))
    return "".join(out)
