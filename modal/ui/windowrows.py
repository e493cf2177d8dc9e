"""The rows of one window: number and sign columns, text with its marks, closed folds, what is below the text.

A frame asks for each window's strips; the same row of the same text gives the same strip object, so that nothing is
drawn twice. Where lines lie is `view/display.py`'s matter, how windows are put together `render.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.ui import marks as marking
from tpy.modal.ui.lines import NONTEXT, Chunk, ListChars, Span, parse_listchars, pieces_of
from tpy.modal.ui.rows import Classes, Piece, Strip, crop, cut, joined, overlaid, padded, safe
from tpy.modal.view.differ import CHANGED, FILLER, TEXT, Side
from tpy.modal.view.display import Geometry, RowStart
from tpy.modal.view.foldcolumn import fold_column
from tpy.modal.view.folds import Folds
from tpy.modal.view.longline import LONG
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

NUMBER, CURRENT_NUMBER, FOLD = "editor.linenumber", "editor.linenumber.current", "editor.fold"
CURSOR_LINE, COLUMN, SIGN = "editor.cursorline", "editor.colorcolumn", "editor.sign"
CURSOR_COLUMN = "editor.cursorcolumn"
DIFF_FILL = "-"
# Strips are kept up to this many.
KEPT = 4000
SpansOf = Callable[[Window], Callable[[int], tuple[Span, ...]]]


class _Look(NamedTuple):
    """What a row's strip depends on, beside its chunk."""

    gutter: tuple[Piece, ...]
    cells: tuple[tuple[int, int, str], ...]  # columns of the row with a class: block selection, 'colorcolumn'
    width: int
    blanks: bool  # those columns are marked where there is no text, too


class _Memo(NamedTuple):
    """The rows of a window as they were made under one look: by line and row, from text, spans, marks, cursor line."""

    look: object
    rows: dict[tuple[int, int], _Made]


class _Made(NamedTuple):
    """A row as it was made. `stop` is the index behind its last character, 0 where more than that counts."""

    text: str
    spans: tuple[Span, ...]
    marks: list[Span] | None
    current: bool
    strip: Strip
    stop: int

    def shows(self, text: str, spans: tuple[Span, ...]) -> bool:
        """Whether the row looks the same with this text and these spans: also where the line has only grown below."""
        old, known = self.text, self.spans
        if old is text:
            return known == spans
        if not 0 < self.stop < len(old) or len(text) > LONG or not text.startswith(old):
            return False
        count = len(known)
        return spans[:count] == known and (len(spans) == count or spans[count][0] >= self.stop)


class WindowRows:
    """Makes the strips of windows. `spans_of` gives for a window what gives the colours of its lines."""

    def __init__(self, spans_of: SpansOf) -> None:
        self.spans_of = spans_of
        self._kept: dict[tuple[_Look, Chunk], Strip] = {}
        self._matches = marking.Matches()
        self._below: dict[tuple[str, int], Strip] = {}
        self._memos: dict[Window, _Memo] = {}

    def forget(self) -> None:
        """Drop what was kept (other colours)."""
        self._kept.clear()
        self._below.clear()
        self._memos.clear()

    def strips(self, engine: Engine, window: Window, geometry: Geometry, height: int, *, focused: bool) -> list[Strip]:
        """Exactly `height` strips of the window, each at most its width."""
        if len(self._kept) > KEPT:
            self._kept.clear()
        option, shown = geometry.option, geometry.rows()
        lines = list(dict.fromkeys([line for line, _ in shown]))
        marks: marking.Marks = {}
        if geometry.diff is not None:
            _mark_changes(geometry.diff, lines, marks)
        self._matches.mark(engine, window, lines, marks)
        block = None
        if focused:
            block = self._mark_cursor(engine, window, geometry, lines, marks)
        painter = _Painter(self, window, geometry, marks, block, focused)
        whole = self._whole_rows(geometry, shown, str(option("display")), height)
        strips = self._remembered(window, painter, shown[: min(whole, height)])
        while len(strips) < min(height, len(shown)):
            sign = "@@@" if str(option("display")) == "truncate" and len(strips) == height - 1 else "@"
            strips.append(self._fill(sign, window.width))
        while len(strips) < height:
            strips.append(self._fill("~", window.width))
        return strips

    def _remembered(self, window: Window, painter: _Painter, shown: list[tuple[int, int]]) -> list[Strip]:
        """The strips of some rows; what has not changed since the last frame is taken from there."""
        memo = self._memos.get(window)
        if memo is None or memo.look != painter.look or len(memo.rows) > KEPT:
            if len(self._memos) > 100:
                self._memos.clear()
            memo = self._memos[window] = _Memo(painter.look, {})
        lines, marks, spans_of, current = painter.geometry.lines, painter.marks, painter.spans, painter.cursor_line
        rows, keeps = memo.rows, painter.look is not None
        strips = []
        last = -1
        for place in shown:
            line = place[0]
            if line != last:
                last, spans, text, own, here = line, spans_of(line), lines[line], marks.get(line), line == current
            made = rows.get(place)
            if (
                made is None
                or made[2] != own
                or made[3] != here
                or not ((made[0] is text and made[1] == spans) or made.shows(text, spans))
            ):
                strip = painter.row(line, place[1], spans)
                made = _Made(text, spans, own, here, strip, painter.stop)
                if keeps:
                    rows[place] = made
            strips.append(made[4])
        return strips

    def _mark_cursor(
        self, engine: Engine, window: Window, geometry: Geometry, lines: list[int], marks: marking.Marks
    ) -> marking.Block | None:
        """Marks of the window with the cursor; the columns of a Visual block."""
        editor = engine.editor
        marking.mark_preview(engine, marks)
        visual = editor.visual
        if visual is not None:
            return marking.mark_selection(engine, visual, marks, lines)
        if engine.prompt is None:
            col = window.cursor.col
            text = window.buffer.lines[min(window.cursor.line, len(window.buffer.lines) - 1)]
            if engine.insert.active and text[col - 1 : col] in (")", "]", "}") and col:
                col -= 1
            marking.mark_brackets(window, str(editor.option("matchpairs", window)), col, marks)
        return None

    @staticmethod
    def _whole_rows(geometry: Geometry, shown: list[tuple[int, int]], display: str, height: int) -> int:
        """How many of the rows are shown: a last line that doesn't fit is left out (`:help 'display'`)."""
        if len(shown) < height or "lastline" in display or not shown:
            return len(shown)
        line, row = shown[-1]
        if row < 0 or row + 1 >= geometry.text_rows(line):
            return len(shown)
        begin = next(number for number, (at, inner) in enumerate(shown) if at == line and inner >= 0)
        return begin or len(shown)

    def _fill(self, sign: str, width: int) -> Strip:
        known = self._below.get((sign, width))
        if known is None:
            text = sign[:width]
            known = self._below[sign, width] = Strip(((text, (NONTEXT,)),), len(text))
        return known

    def kept(self, look: _Look, chunk: Chunk) -> Strip:
        """The strip of a row, made when it isn't there yet."""
        strip = self._kept.get((look, chunk))
        if strip is None:
            strip = pieces_of(chunk)
            room = look.width - sum(len(text) for text, _ in look.gutter)
            for start, stop, name in look.cells:
                strip = _marked(strip, start, min(stop, room), (name,), blanks=look.blanks)
            if chunk.base:
                strip = padded(strip, room, chunk.base)
            if look.gutter:
                strip = joined((Strip(look.gutter, look.width - room), strip))
            self._kept[look, chunk] = strip
        return strip


def _marked(strip: Strip, start: int, stop: int, classes: Classes, *, blanks: bool) -> Strip:
    """The strip with classes laid over some columns; where the text is shorter over one blank, or over all `blanks`."""
    if stop <= start:
        return strip
    stop = stop if blanks else min(stop, max(strip.cells, start + 1))
    inner = padded(crop(strip.pieces, start, stop - start), stop - start)
    return overlaid(strip, start, Strip(tuple((text, (*own, *classes)) for text, own in inner.pieces), stop - start))


class _Painter:
    """One window in one frame: its options are read once."""

    def __init__(
        self,
        rows: WindowRows,
        window: Window,
        geometry: Geometry,
        marks: marking.Marks,
        block: marking.Block | None,
        focused: bool,
    ) -> None:
        self.rows, self.window, self.geometry, self.marks, self.block = rows, window, geometry, marks, block
        self.spans = rows.spans_of(window)
        option = geometry.option
        self.number, self.relative = bool(option("number")), bool(option("relativenumber"))
        self.listed: ListChars | None = parse_listchars(str(option("listchars"))) if option("list") else None
        self.cursor_line = window.cursor.line if option("cursorline") and focused else -1
        self.color_columns = _columns(str(option("colorcolumn")), int(option("textwidth")))
        self.cursor_column = _cursor_column(geometry) if option("cursorcolumn") and focused else -1
        self.signs: Any = window.buffer.extra.get("signs") if geometry.signs else None
        self.stop = 0
        # What all rows depend on; None where rows depend on more than can be compared cheaply.
        self.look: object = None
        if geometry.folds is None and not self.relative and block is None and not geometry.signs:
            self.look = (
                window.buffer, window.width, window.left, geometry.wrap, geometry.linebreak, geometry.tabstop,
                geometry.gutter, self.listed, self.color_columns, geometry.diff, self.cursor_column,
                geometry.hanging,
            )  # fmt: skip

    def row(self, line: int, row: int, spans: tuple[Span, ...]) -> Strip:
        """The strip of one row of a line with these colours; notes in `stop` where the row ends."""
        geometry, window = self.geometry, self.window
        self.stop = 0
        fold = geometry.closed(line)
        base: Classes = (
            (CURSOR_LINE,) if line == self.cursor_line or (fold and fold[0] <= self.cursor_line <= fold[1]) else ()
        )
        if geometry.fillers and geometry.is_filler(line, row):
            return self._filler(line)
        if geometry.diff is not None and fold is None and (kind := geometry.diff.kind(line)):
            base = (*base, kind)
        gutter = self._gutter(line, row, base[:1] if self.cursor_line == line else ())
        if fold is not None:
            return self._fold(fold, gutter, base)
        text, hang = window.buffer.lines[line], 0
        if geometry.wrap:
            start = geometry.row_start(line, row)
            if row and geometry.hanging is not None and (before := geometry.hanging.before(text)):
                gutter, hang = (*gutter, (before, (NONTEXT, *base))), geometry.hang(text)
            stop = self._row_end(line, row, text, start, geometry.width - hang)
        else:
            start = self._sideways(text)
            stop = min(start.at + 2 * geometry.width + 2, len(text))
        if self.listed is None:
            self.stop = stop
        chunk = self._chunk(line, text, start, stop, base, spans)
        if hang:
            chunk = chunk._replace(width=chunk.width - hang)
        if not geometry.wrap and self.listed is not None and self.listed.extends:
            return self._extended(line, chunk, gutter, start)
        return self.rows.kept(self._look(gutter, line, start), chunk)

    def _row_end(self, line: int, row: int, text: str, start: RowStart, width: int) -> int:
        """The index behind the last character that begins on this row, which is so wide."""
        geometry = self.geometry
        if len(text) - start.at < width and "\t" not in text[start.at :]:
            return len(text)
        if row + 1 >= geometry.text_rows(line):
            return len(text)
        following = geometry.row_start(line, row + 1)
        return min(following.at + (1 if following.shown else 0), len(text))

    def _sideways(self, text: str) -> RowStart:
        """Where the row begins without `'wrap'`."""
        left = self.window.left
        if not left:
            return RowStart(0, 0, 0)
        at = self.geometry.at(text, left)
        column = self.geometry.column(text, at)
        return RowStart(at, max(left - column, 0) if at < len(text) else 0, column)

    def _chunk(self, line: int, text: str, start: RowStart, stop: int, base: Classes, spans: tuple[Span, ...]) -> Chunk:
        at = start.at
        part = text[at:stop] if at or stop < len(text) else text
        spans = _within(spans, at, stop)
        marks = _within(tuple(self.marks.get(line, ())), at, stop, open_end=stop == len(text))
        lead = trail = 0
        listed = self.listed
        if listed is not None:
            lead = len(text) - len(text.lstrip(" ")) - at if listed.lead else 0
            trail = len(text.rstrip(" ")) - at if listed.trail else len(text)
        return Chunk(
            part, start.column, start.shown, stop == len(text), spans, marks, base,
            self.geometry.tabstop, listed, lead, trail, self.geometry.width,
        )  # fmt: skip

    def _extended(self, line: int, chunk: Chunk, gutter: tuple[Piece, ...], start: RowStart) -> Strip:
        """A row without `'wrap'` that goes on to the right: its last cell says so (`listchars` `extends`)."""
        assert self.listed is not None
        strip = self.rows.kept(self._look(gutter, line, start), chunk)
        whole = chunk._replace(width=chunk.width + 1)
        if chunk.end and pieces_of(whole).cells <= chunk.width:
            return strip
        end = self.window.width - 1
        return overlaid(strip, end, Strip(((self.listed.extends, (NONTEXT,)),), 1))

    def _look(self, gutter: tuple[Piece, ...], line: int, start: RowStart) -> _Look:
        blanks = self.block is not None and self.block.blanks
        return _Look(gutter, self._cell_marks(line, start), self.window.width, blanks)

    def _cell_marks(self, line: int, start: RowStart) -> tuple[tuple[int, int, str], ...]:
        """Columns of this row that are marked by cell: `'colorcolumn'`, `'cursorcolumn'` and the Visual block."""
        if not self.color_columns and self.block is None and self.cursor_column < 0:
            return ()
        left = start.column + start.shown
        width = self.geometry.width
        marks = [(c - left, c - left + 1, COLUMN) for c in self.color_columns if left <= c < left + width]
        if left <= self.cursor_column < left + width and line != self.window.cursor.line:
            marks.append((self.cursor_column - left, self.cursor_column - left + 1, CURSOR_COLUMN))
        block = self.block
        if block is not None and block.first <= line <= block.last:
            first, last = max(block.left - left, 0), min(block.right - left, width)
            if first < last:
                marks.append((first, last, marking.SELECTION))
        return tuple(marks)

    def _gutter(self, line: int, row: int, base: Classes) -> tuple[Piece, ...]:
        """Fold, sign and number columns; only the first row of a line has them filled."""
        geometry = self.geometry
        if not geometry.gutter:
            return ()
        pieces: list[Piece] = []
        if geometry.fold_column:
            folds = self.window.extra.get("folds")
            shown = fold_column(folds if isinstance(folds, Folds) else None, line, geometry.fold_column)
            pieces.append((shown, (FOLD,)))
        if geometry.prefix:
            pieces.append((geometry.prefix, (NONTEXT,)))
        if geometry.signs:
            sign = self.signs.get(line) if self.signs is not None and row == 0 else None
            text, name = sign if sign else ("", SIGN)
            pieces.append((cut(text, geometry.signs)[0].ljust(geometry.signs), (str(name),)))
        if geometry.numbers:
            current = line == self.geometry.first(self.window.cursor.line)
            if row:
                text = ""
            elif self.relative and not (current and self.number):
                text = str(self._rows_away(line))
            else:
                text = str(line + 1)
            width = geometry.numbers - 1
            text = text.ljust(width) if current and self.relative and self.number else text.rjust(width)
            marked = current and (bool(base) or self.relative)
            pieces.append((text + " ", (CURRENT_NUMBER if marked else NUMBER,)))
        return tuple(pieces)

    def _filler(self, line: int) -> Strip:
        """A row that stands for lines that only other texts of a comparison have."""
        gutter, width = self._gutter(line, 1, ()), self.geometry.width
        return Strip((*gutter, (DIFF_FILL * width, (FILLER,))), self.geometry.gutter + width)

    def _rows_away(self, line: int) -> int:
        """Lines to the cursor as `j` and `k` count them: a closed fold is one."""
        here = self.geometry.first(self.window.cursor.line)
        if self.window.extra.get("folds") is None:
            return abs(line - here)
        count, at = 0, min(line, here)
        while at < max(line, here):
            at = self.geometry.after(at)
            count += 1
        return count

    def _fold(self, fold: tuple[int, int], gutter: tuple[Piece, ...], base: Classes) -> Strip:
        """The row of a closed fold."""
        folds = self.window.extra["folds"]
        if hasattr(folds, "label"):
            label = folds.label(*fold)
        else:
            levels = enumerate(folds.path(fold[0]), 1) if isinstance(folds, Folds) else ()
            level = next((number for number, (_, closed, _) in levels if closed), 1)
            label = fold_label(self.window.buffer.lines, *fold, level)
        text, cells = cut(safe(label)[0], self.geometry.width)
        fill = (text + "-" * (self.geometry.width - cells), (FOLD, *base))
        return Strip((*gutter, fill), self.geometry.gutter + self.geometry.width)


def _mark_changes(side: Side, lines: list[int], marks: marking.Marks) -> None:
    """Add what differs within changed lines (`:help hl-DiffText`)."""
    for line in lines:
        if side.kind(line) == CHANGED and (part := side.changed_text(line)) is not None:
            marks.setdefault(line, []).append((*part, TEXT))


def fold_label(lines: list[str], first: int, last: int, level: int) -> str:
    """What a closed fold shows (`:help foldtext()`): its level, how many lines, and the first that says something."""
    text = next((line for line in lines[first : last + 1] if line.strip()), lines[first])
    text = text.strip().removeprefix("/*").removeprefix('"').replace("{{{", "").strip()
    return f"+-{'-' * level}{last - first + 1:3} lines: {text[:500]}"


def _within(spans: tuple[Span, ...], start: int, stop: int, *, open_end: bool = True) -> tuple[Span, ...]:
    """Spans as indices into the part of a line from `start` to `stop`."""
    if not spans or (start == 0 and open_end):
        return spans
    return tuple(
        (max(first - start, 0), (last if open_end else min(last, stop)) - start, name)
        for first, last, name in spans
        if last > start and (first < stop or open_end)
    )


def _cursor_column(geometry: Geometry) -> int:
    """The display column of the cursor in its line."""
    cursor = geometry.window.cursor
    return (
        geometry.column(geometry.lines[min(cursor.line, len(geometry.lines) - 1)], cursor.col) + geometry.window.beyond
    )


@lru_cache(maxsize=16)
def _columns(written: str, textwidth: int) -> tuple[int, ...]:
    """The columns of `'colorcolumn'`, from 0; `+1` counts from `'textwidth'`."""
    columns = []
    for item in written.split(","):
        try:
            number = int(item)
        except ValueError:
            continue
        relative = item.strip()[:1] in ("+", "-")
        if relative and not textwidth:
            continue
        columns.append(number + (textwidth if relative else 0) - 1)
    return tuple(column for column in columns if column >= 0)
