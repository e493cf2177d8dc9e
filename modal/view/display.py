"""Where lines lie on the rows of a window: wrapping, scrolling, closed folds. No drawing, no keys.

`Geometry` answers for one window and its options. Columns are display columns of the text, the number and sign
columns (`gutter`) not counted. A closed fold is one row: `window.extra["folds"]`, where there is one, has
`closed(line)`, which gives the first and last line of the closed fold over a line, or None.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from tpy.modal.text.position import Pos
from tpy.modal.text.width import char_cells, col_at, column_of
from tpy.modal.view.differ import Side
from tpy.modal.view.hanging import Hanging
from tpy.modal.view.longline import LONG, long_line
from tpy.modal.view.window import Window

BREAK_AT = " \t!@*-+;:,./?"
# To the last place where a row may end: behind such characters, all of them, and before another one.
_TO_LAST_BREAK = re.compile(r".*[ \t!@*\-+;:,./?](?=[^ \t!@*\-+;:,./?])")
SIGN_WIDTH = 2


class Folds(Protocol):
    """The folds of a window, as far as display goes."""

    def closed(self, line: int) -> tuple[int, int] | None:
        """First and last line of the outermost closed fold over a line."""


class RowStart(NamedTuple):
    """Where a row of a wrapped line begins: at a character, of which the row before has shown some cells (a tab's),
    and which begins at a display column."""

    at: int
    shown: int
    column: int


# Characters but the blank that take one cell and stand for themselves, for a set in a pattern: ASCII, what is written
# in Latin and Cyrillic letters, the usual signs.
PLAIN = "!-~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20ac"
_PLAIN = re.compile(f"[ {PLAIN}]*")


def plain(text: str) -> bool:
    """Whether every character takes one cell and stands for itself, as far as that is found out quickly."""
    return text.isprintable() if text.isascii() else _PLAIN.fullmatch(text) is not None


# By width and options the line that was wrapped last there, with its rows: a line that grows is gone on with.
_growing: dict[tuple[int, int, bool, int], tuple[str, tuple[RowStart, ...]]] = {}


@lru_cache(maxsize=512)
def wrapped(text: str, width: int, tabstop: int, linebreak: bool, hang: int = 0) -> tuple[RowStart, ...]:
    """The rows of a line of at most LONG characters (`:help 'wrap'`, `'linebreak'`), all but the first by `hang` cells
    narrower."""
    key = width, tabstop, linebreak, hang
    before, known = _growing.get(key, ("", ()))
    rows = list(known) if before and text.startswith(before) else [RowStart(0, 0, 0)]
    if not linebreak and plain(text):
        step = width - hang
        rows += [RowStart(at, 0, at) for at in range(len(rows) * step + hang, len(text), step)]
    else:
        _wrap_on(rows, text, width, tabstop, linebreak, hang)
    found = tuple(rows)
    if len(_growing) > 20:
        _growing.clear()
    _growing[key] = text, found
    return found


def _wrap_on(rows: list[RowStart], text: str, width: int, tabstop: int, linebreak: bool, hang: int) -> None:
    """Wrap a line from the last of the rows that are known."""
    while rows[-1].shown:  # not from the middle of a tab
        rows.pop()
    while True:
        begin, _, column = rows[-1]
        room = width - hang if len(rows) > 1 else width
        part = text[begin : begin + room + 1]
        if not plain(part):
            if not _wrap_row(rows, text, room, width - hang, tabstop, linebreak):
                return
            continue
        if len(part) <= room:
            return
        size = room
        if linebreak:
            match = _TO_LAST_BREAK.match(part)
            size = match.end() if match else room
        rows.append(RowStart(begin + size, 0, column + size))


def _wrap_row(rows: list[RowStart], text: str, width: int, later: int, tabstop: int, linebreak: bool) -> bool:
    """Add the rows after the last one by looking at each character, until one begins afresh; False at the end. The
    first is `width` cells wide, the others `later`."""
    begin, _, column = rows[-1]  # `column` is that of the character, in the line
    used = 0  # cells of the row
    gap: tuple[int, int] | None = None  # the last place where the row may end: index, column
    for at, char in enumerate(text[begin:], begin):
        size = char_cells(char, column, tabstop)
        spreads = char == "\t" and tabstop > 0  # its blanks may go on in the next row
        if linebreak and at > rows[-1].at and char not in BREAK_AT and text[at - 1] in BREAK_AT:
            gap = at, column
        if used and used + size > width and (gap or not spreads or used == width):
            rows.append(RowStart(gap[0], 0, gap[1]) if gap else RowStart(at, 0, column))
            return True
        used += size
        while used > width and spreads:
            used -= width
            width = later
            rows.append(RowStart(at, size - used, column))
        column += size
    return False


class Geometry:
    """One window's rows under its options; `option` gives an option's value for the window."""

    def __init__(self, window: Window, option: Callable[[str], Any]) -> None:
        self.window = window
        self.option = option
        self.lines = window.buffer.lines
        self.folds: Folds | None = window.extra.get("folds")
        self._shown: list[tuple[int, int]] | None = None
        self.height = max(window.height, 1)
        diff: Any = window.extra.get("diff")
        # The comparison in diff mode, and the empty rows above lines that keep what is equal side by side.
        self.diff: Side | None = diff.side() if diff is not None else None
        filled = self.diff is not None and "filler" in str(option("diffopt")).split(",")
        self.fillers: dict[int, int] = self.diff.fillers if self.diff is not None and filled else {}
        # Every line is shown by itself.
        self.simple = self.folds is None and not self.fillers
        self.wrap = bool(option("wrap"))
        self.linebreak = bool(option("linebreak"))
        self.tabstop = int(option("tabstop"))
        if option("list") and "tab:" not in str(option("listchars")):
            self.tabstop = 0  # tabs are shown as `^I`
        self.signs = self._sign_width(str(option("signcolumn")))
        self.numbers = 0
        if option("number") or option("relativenumber"):
            self.numbers = max(len(str(len(self.lines))) + 1, int(option("numberwidth")))
        # What stands before every line, as the kind of line does in the command-line window.
        self.prefix = str(window.extra.get("prefix", ""))
        self.fold_column = int(option("foldcolumn"))
        self.gutter = self.fold_column + len(self.prefix) + self.signs + self.numbers
        if self.gutter >= window.width:  # too narrow for both: the text goes first
            self.gutter = self.fold_column = self.signs = self.numbers = 0
            self.prefix = ""
        self.width = max(window.width - self.gutter, 1)
        # What wrapped lines go on with, `None` where that is nothing.
        self.hanging: Hanging | None = None
        if self.wrap and (option("showbreak") or option("breakindent")):
            sign, indents = str(option("showbreak")), bool(option("breakindent"))
            self.hanging = Hanging(sign, indents, self.width, self.tabstop)
        margin = int(option("scrolloff"))
        self.margin = min(max(margin, 0), (self.height - 1) // 2)
        self.sidescroll = int(option("sidescroll"))
        self.side_margin = min(int(option("sidescrolloff")), (self.width - 1) // 2)

    def _sign_width(self, wanted: str) -> int:
        if wanted == "no":
            return 0
        return SIGN_WIDTH if wanted.startswith("yes") or self.window.buffer.extra.get("signs") else 0

    # -- lines and folds

    def closed(self, line: int) -> tuple[int, int] | None:
        """The closed fold over a line."""
        return self.folds.closed(line) if self.folds is not None else None

    def first(self, line: int) -> int:
        """The line that shows for a line: the first of its closed fold, or itself."""
        fold = self.closed(line)
        return fold[0] if fold else line

    def after(self, line: int) -> int:
        """The line below on the screen; the number of lines at the end."""
        fold = self.closed(line)
        return (fold[1] if fold else line) + 1

    def before(self, line: int) -> int:
        """The line above on the screen; -1 at the start."""
        return self.first(line - 1) if line > 0 else -1

    # -- rows of a line

    def row_count(self, line: int) -> int:
        """How many rows a line takes, with the empty ones above it, of which one less than the window has count."""
        if self.simple:
            text = self.lines[line]
            if len(text) < self.width and text.isascii() and text.isprintable():
                return 1
        return self.text_rows(line) + min(self.filler(line), self.height - 1) if self.fillers else self.text_rows(line)

    def filler(self, line: int) -> int:
        """How many empty rows stand above a line; with the number of lines: below the last one."""
        rows = self.fillers.get(line, 0)
        return 0 if rows and line < len(self.lines) and self.closed(line) else rows

    def top_filler(self) -> int:
        """How many of the empty rows above the top line are shown: scrolling by rows hides some."""
        window = self.window
        rows = self.filler(window.top)
        if rows and window.filler is not None and window.filler[0] == window.top:
            return min(window.filler[1], rows)
        return min(rows, self.height - 1)

    def text_rows(self, line: int) -> int:
        """How many rows the text of a line takes, the cursor behind its end counted."""
        if not self.wrap or (self.folds is not None and self.folds.closed(line)):
            return 1
        text = self.lines[line]
        if len(text) <= self.width and plain(text):
            count = 1
        elif len(text) <= LONG:
            count = len(self.wrapped(text))
        else:
            count = self.cut(text, max(self.column(text, len(text)) - 1, 0))[0] + 1
        cursor = self.window.cursor
        if cursor.line == line and cursor.col >= len(text) > 0:
            count = max(count, self.place(cursor)[0] + 1)
        return count

    def row_start(self, line: int, row: int) -> RowStart:
        """Where a row of a wrapped line begins; past the end where the row shows nothing but the cursor.

        A long line is cut at every `width` columns: its wide characters aren't moved to the next row.
        """
        text = self.lines[line]
        if len(text) > LONG:
            column = row * self.width - max(row - 1, 0) * self.hang(text)
            index = self.at(text, column)
            start = self.column(text, index)
            return RowStart(index, column - start, start)
        rows = self.wrapped(text)
        if row < len(rows):
            return rows[row]
        return RowStart(len(text), 0, self.column(text, len(text)))

    def hang(self, text: str) -> int:
        """How many cells stand before the rows of a line but the first."""
        return self.hanging.cells(text) if self.hanging is not None else 0

    def wrapped(self, text: str) -> tuple[RowStart, ...]:
        """The rows of a line of at most LONG characters."""
        return wrapped(text, self.width, self.tabstop, self.linebreak, self.hang(text))

    def cut(self, text: str, column: int) -> tuple[int, int]:
        """(row, column on it) of a display column in a line that is cut at the edge wherever that is."""
        hang = self.hang(text)
        if not hang or column < self.width:
            return divmod(column, self.width)
        row, rest = divmod(column - self.width, self.width - hang)
        return row + 1, rest + hang

    def place(self, pos: Pos) -> tuple[int, int]:
        """(row within its line, column on that row) of a position, the number column not counted.

        The cell of a tab is its last in Normal mode, which is the caller's matter; here it is the first.
        """
        if self.closed(pos.line):
            return 0, 0
        text = self.lines[pos.line]
        add = pos.add and self.window.beyond
        if not self.wrap:
            return 0, self.column(text, pos.col) + add - self.window.left
        if len(text) < self.width and not add and text.isascii() and text.isprintable():
            return 0, min(pos.col, len(text))
        if len(text) > LONG or add:
            return self.cut(text, self.column(text, pos.col) + add)
        rows = self.wrapped(text)
        row = bisect_right(rows, pos.col, key=lambda start: start.at) - 1
        while row > 0 and rows[row].at == pos.col and rows[row].shown:
            row -= 1  # a tab begins on the row before
        used = self.column(text, pos.col) - rows[row].column - rows[row].shown
        if self.hanging is None:
            return (row + 1, 0) if used >= self.width else (row, used)
        hang = self.hang(text)
        used += hang if row else 0
        return (row + 1, hang) if used >= self.width else (row, used)

    def column(self, text: str, col: int) -> int:
        """Display column of a character, tabs as they are shown."""
        if len(text) > LONG:
            return long_line(text, self.tabstop).column(col)
        return column_of(text, col, self.tabstop)

    def at(self, text: str, column: int) -> int:
        """The character that covers a display column, the length where the text is shorter."""
        if len(text) > LONG:
            return long_line(text, self.tabstop).at(column)
        return col_at(text, column, self.tabstop)

    # -- scrolling

    def follow_cursor(self) -> None:
        """Scroll so that the cursor is shown with `'scrolloff'` rows around it (`:help scrolling`)."""
        window = self.window
        self._shown = None
        line = self.first(min(window.cursor.line, len(self.lines) - 1))
        window.top = self.first(min(window.top, len(self.lines) - 1))
        if not self.wrap:
            window.skip = 0
            self._follow_sideways()
        else:
            window.left = 0
        if self._comfortable(line):
            return
        self._shown = None
        if self.wrap:
            if self.text_rows(line) > self.height or (window.skip and window.top == line):
                self._follow_in_line(line)
                return
            if window.top != line:
                window.skip = 0
        highest, lowest = self._highest_top(line), self._lowest_top(line)
        if window.top > highest:
            far = self._distance(highest, window.top) >= max(self.height // 2 - 1, 2)
            window.top = self._centred(line) if far else highest
        elif window.top < lowest:
            far = self._distance(window.top, lowest) > self.height
            window.top = self._centred(line) if far else lowest

    def _comfortable(self, line: int) -> bool:
        """Whether the cursor's line is shown whole and far enough from the edges, so that nothing has to move."""
        shown = self.rows()
        at = bisect_left(shown, (line, 0))
        count = self.text_rows(line)
        if at + count > len(shown) or shown[at] != (line, 0):
            return False
        cursor_row = at + (self.place(self.window.cursor)[0] if count > 1 else 0)
        if cursor_row < self.margin and shown[0] > (0, 0):
            return False
        below = self.after(line)
        return at + count + self.margin <= self.height or (
            len(shown) <= self.height and below + self.margin > len(self.lines) and self._ends(shown)
        )

    def _ends(self, shown: list[tuple[int, int]]) -> bool:
        """Whether the last line of the text is shown whole."""
        line, row = shown[-1]
        return self.after(line) >= len(self.lines) and row + 1 >= self.text_rows(line)

    def _follow_in_line(self, line: int) -> None:
        """A line taller than the window: rows of it are skipped at the top."""
        window = self.window
        rows, row = self.text_rows(line), self.place(window.cursor)[0]
        if window.top != line:
            window.top, window.skip = line, 0
        if row < window.skip + self.margin:
            window.skip = row - self.margin
        elif row > window.skip + self.height - 1 - self.margin:
            window.skip = row - (self.height - 1 - self.margin)
        window.skip = max(min(window.skip, rows - self.height), 0)

    def _highest_top(self, line: int) -> int:
        """The last top line with enough rows above the cursor."""
        wanted = self.margin - (self.place(self.window.cursor)[0] if self.wrap else 0)
        while wanted > 0 and (above := self.before(line)) >= 0:
            line = above
            wanted -= self.row_count(line)
        return line

    def _lowest_top(self, line: int) -> int:
        """The first top line with the cursor's whole line and enough rows below on the screen."""
        room = self.height - self.row_count(line)
        below, wanted = self.after(line), self.margin
        while wanted > 0 and below < len(self.lines) and room > 0:
            size = min(self.row_count(below), wanted)
            room -= size
            wanted -= size
            below = self.after(below)
        return self._up(line, room)

    def _up(self, line: int, room: int) -> int:
        """The top line when at most `room` rows are above a line."""
        while (above := self.before(line)) >= 0:
            room -= self.row_count(above)
            if room < 0:
                break
            line = above
        return line

    def _centred(self, line: int) -> int:
        """The top line that puts a line in the middle, or lower where the text ends."""
        last = self.first(len(self.lines) - 1)
        return min(
            self._up(line, (self.height - self.row_count(line)) // 2),
            self._up(last, max(self.height - self.row_count(last), 0)),
        )

    def _distance(self, top: int, bottom: int) -> int:
        """Rows from one line to another, counted no further than is of interest."""
        rows = 0
        while top < bottom and rows <= self.height + 1:
            rows += self.row_count(top)
            top = self.after(top)
        return rows

    def _follow_sideways(self) -> None:
        window = self.window
        text = self.lines[min(window.cursor.line, len(self.lines) - 1)]
        column = self.column(text, window.cursor.col) + window.beyond
        last = (
            column
            + (char_cells(text[window.cursor.col], column, self.tabstop) if window.cursor.col < len(text) else 1)
            - 1
        )
        too_far = last + self.side_margin - (window.left + self.width - 1)
        too_near = window.left - (column - self.side_margin) if window.left else 0
        if too_far <= 0 and too_near <= 0:
            return
        if self.sidescroll == 0 or max(too_far, too_near) >= self.width // 2:
            window.left = max(column - self.width // 2, 0)
        elif too_near > 0:
            window.left = max(min(window.left - self.sidescroll, column - self.side_margin), 0)
        else:
            window.left += max(self.sidescroll, too_far)
        if last - window.left >= self.width:
            window.left = column

    # -- the screen

    def rows(self) -> list[tuple[int, int]]:
        """(line, row within it) for each row of the window from the top; shorter than the window at the text's end.

        Empty rows of diff mode have numbers below 0, or behind those of the last line's text.
        """
        if self._shown is None:
            self._shown = self._rows()
        return self._shown

    def one_row_each(self, part: list[str]) -> bool:
        """Whether each of some lines takes one row and is no other's, as far as that is found out quickly."""
        if not self.simple or max(map(len, part), default=0) >= self.width:
            return False
        text = "".join(part)
        return text.isascii() and text.isprintable()

    def _rows(self) -> list[tuple[int, int]]:
        lines, height, width = self.lines, self.height, self.width
        line, skip = self.window.top, self.window.skip
        if not skip and (part := lines[line : line + height]) and self.one_row_each(part):
            return [(number, 0) for number in range(line, line + len(part))]
        shown: list[tuple[int, int]] = []
        if self.fillers and not skip:
            skip = -self.top_filler()
        while line < len(lines) and len(shown) < height:
            text = lines[line]
            if self.fillers and line != self.window.top:
                skip = -self.filler(line)
            if not skip and len(text) < width and self.folds is None and text.isascii() and text.isprintable():
                shown.append((line, 0))
                line += 1
                continue
            count = self.text_rows(line)
            shown.extend((line, row) for row in range(skip, min(count, skip + height - len(shown))))
            line, skip = self.after(line), 0
        if self.fillers and len(shown) < height and line >= len(lines) and shown:
            last, row = shown[-1]
            below = min(self.filler(len(lines)), height - len(shown))
            shown.extend((last, row + 1 + number) for number in range(below))
        return shown

    def is_filler(self, line: int, row: int) -> bool:
        """Whether a row as `rows` gives it shows no text but keeps others side by side."""
        return row < 0 or bool(self.fillers and row >= self.text_rows(line) and not self.window.skip)

    def row_of(self, line: int, row: int) -> int:
        """The row of the window that shows a row of a line."""
        return min(bisect_left(self.rows(), (self.first(line), row)), self.height - 1)

    def position(self, row: int, column: int) -> Pos:
        """The place under a cell of the window (row and column from 0, number column included), as a click means it."""
        shown = self.rows()
        if not shown:
            return Pos(0, 0)
        line, inner = shown[min(max(row, 0), len(shown) - 1)]
        inner = max(inner, 0)
        column = max(column - self.gutter, 0)
        text = self.lines[line]
        if self.wrap:
            start = self.row_start(line, inner)
            column = max(column - (self.hang(text) if inner else 0), 0) + start.column + start.shown
        else:
            column += self.window.left
        return Pos(line, min(self.at(text, column), len(text)))
