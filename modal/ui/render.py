"""The whole screen as rows: windows beside and above each other, status lines, tab line, menu, bottom rows, cursor.

Pure: the engine's state and a size give a `Frame`; the terminal is `terminal.py`'s. Strips and rows that have not
changed are the same objects as in the frame before, which is what makes a key cheap.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.editor import Message
from tpy.modal.engine.virtual import is_virtual
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.width import char_cells
from tpy.modal.ui import bottom, marks
from tpy.modal.ui.drawing import Drawing
from tpy.modal.ui.highlight import Colours, View
from tpy.modal.ui.languages import NONE, language_of
from tpy.modal.ui.menu import menu_strips
from tpy.modal.ui.mouse import SEPARATOR as BORDER
from tpy.modal.ui.mouse import STATUS, TABS, TEXT, Hit
from tpy.modal.ui.pager import Pager
from tpy.modal.ui.rows import Piece, Strip, crop, joined, overlaid, padded, safe, text_cells
from tpy.modal.ui.screen import BLANK, Row
from tpy.modal.ui.statusline import buffer_name, status_strip
from tpy.modal.ui.theme import Theme
from tpy.modal.ui.tokens import Spans
from tpy.modal.ui.windowrows import WindowRows
from tpy.modal.view.binding import bind
from tpy.modal.view.display import Geometry
from tpy.modal.view.layout import Rect
from tpy.modal.view.popup import Popup, PopupItem
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

BLOCK, UNDERLINE, BAR = 2, 4, 6
# Between windows, and between their status lines.
SEPARATOR = Strip((("|", ("ui.separator",)),), 1)
STATUS_SEPARATOR = Strip(((" ", ("ui.statusline.inactive",)),), 1)
# A menu over the rows above a window wants more than so many there.
LEAST_OVER = 3


class Frame(NamedTuple):
    """What the screen shows: a row each, the cursor at (row, column) from 0 or hidden, its shape (DECSCUSR)."""

    rows: tuple[Row, ...]
    cursor: tuple[int, int] | None
    shape: int


class Hold(enum.Enum):
    """Which windows a frame shows as the one before did, if they are where they were and no cursor came or went."""

    NOTHING = enum.auto()
    CONVERSATIONS = enum.auto()  # but the one a key may be meant for
    THE_REST = enum.auto()

    def of(self, window: Window, *, focused: bool) -> bool:
        """Whether a window is one of them."""
        if self is Hold.NOTHING:
            return False
        streams = "styles" in window.buffer.extra
        return not streams if self is Hold.THE_REST else streams and not focused


class _Held(NamedTuple):
    """A window as the last frame showed it: its strips, its rows with what separates them from those of the window
    beside it, and the cursor's cell where it was there."""

    rect: Rect
    focused: bool
    view: View
    strips: list[Strip]
    rows: list[Row]
    cursor: tuple[int, int] | None


class Renderer:
    """Makes frames of an engine's state. `theme` may be set at any time."""

    def __init__(self, engine: Engine, theme: Theme | None = None) -> None:
        self.engine = engine
        self._theme = theme or Theme("plain", {}, 0)
        self._windows = WindowRows(self._spans_of)
        self._colours = Colours(self._language, engine.editor.echo)
        self._views: list[View] = []
        self._drawing = Drawing(self._theme, 0)
        # The rows of the last frame, and what they all depend on beside the windows.
        self._key: object = None
        self._rows: list[Row] = []
        self._held: dict[Window, _Held] = {}
        self._pager = Pager()
        self._shown_message: Message | None = None
        self._shown_mode = ""
        self._shown_place = (0, Pos(0, 0))
        self._covered = False  # the last message has been read, or the mode is shown in its place
        self.text_top = 0  # rows above the windows: the tab line

    @property
    def theme(self) -> Theme:
        """The colours."""
        return self._theme

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._theme = theme
        self._windows.forget()

    # -- colours

    def colour_pending(self) -> bool:
        """Whether the text shown by the last frame is not coloured yet, or wrongly."""
        return self._colours.pending(self._views)

    def colour_known(self) -> bool:
        """Whether all that is shown has colours, if perhaps those of before an edit: then there is no hurry."""
        return self._colours.known(self._views)

    def colour_unsettled(self) -> bool:
        """Whether colours may be wrong because of text far above, which quiet times can find out."""
        return self._colours.unsettled(self._views)

    def settle(self, deadline: float) -> bool:
        """Do some of that until `deadline`; whether a frame is due."""
        return self._colours.settle(self._views, deadline)

    def colour(self, deadline: float) -> bool:
        """Go on colouring what the last frame showed until `deadline` (of `time.monotonic`); whether a frame is due."""
        return self._colours.work(self._views, deadline)

    def _language(self, buffer: Buffer) -> str:
        """The language of a buffer: `'syntax'`, else by its name or first line; none for what is no file."""
        if self.engine.editor.extra.get("syntax-off"):
            return ""
        chosen = str(self.engine.editor.options.get("syntax", buffer.options))
        if chosen or buffer.options.get("buftype") or "://" in buffer.name:
            return "" if chosen in NONE else chosen
        return language_of(buffer.name, buffer.lines[0][:200])

    def _spans_of(self, window: Window) -> Callable[[int], Spans]:
        """What gives the colours of a line: what its room says (`buffer.extra["styles"]`), else its language."""
        buffer = window.buffer
        styles: Any = buffer.extra.get("styles")
        if styles is None:
            return self._colours.spans_of(buffer)

        def styled(line: int) -> Spans:
            spans = tuple(styles.spans(line))
            if not spans and hasattr(styles, "code"):
                code = styles.code(line)
                if code is not None:
                    return self._colours.fence(buffer, code.language, code.first, code.last, line)
            return spans

        return styled

    def geometry(self, window: Window) -> Geometry:
        """Where the lines of a window are, for clicks and scrolling."""
        return Geometry(window, self.engine.editor.values(window).__getitem__)

    # -- the frame

    def frame(self, columns: int, rows: int, *, hold: Hold = Hold.NOTHING) -> Frame:
        """The screen in that size. Scrolls windows so that their cursors are shown."""
        engine, editor = self.engine, self.engine.editor
        if columns != self._drawing.columns or self._theme is not self._drawing.theme:
            self._drawing = Drawing(self._theme, columns)
            self._held.clear()
        before, self._key = self._key, None  # a frame that fails is followed by a whole one
        tabs = 1 if len(editor.tabs) > 1 and rows > 2 else 0
        height = max(rows - 1 - tabs, 1)
        self._arrange(height, columns, rows)
        self.text_top = tabs
        cursor, changed = self._place_windows(tabs, height, columns, hold)
        popup = self._popup()
        status_shown = editor.layout.status_always or len(editor.layout.rects) > 1
        lower = bottom.bottom_of(engine, self._message(), self._pager, columns, rows, not status_shown)
        key = (
            None if popup is not None else (self._drawing, rows, tabs, len(lower.strips), *editor.layout.rects.items())
        )
        if key is None or key != before:
            self._rows, changed = [BLANK] * rows, set(range(rows))
        self._place_rows(tabs, columns, changed)
        if tabs:
            self._rows[0] = self._drawing.row(self._tab_line(columns))
        if popup is not None and popup.items:
            self._place_popup(popup, tabs, columns)
        if rows > 1 or engine.prompt is not None:
            first = rows - len(lower.strips)
            self._rows[first:] = map(self._drawing.row, lower.strips)
            if lower.cursor is not None:
                cursor = (first + lower.cursor[0], lower.cursor[1])
        self._key = key
        if cursor is not None:
            cursor = (min(cursor[0], rows - 1), min(cursor[1], columns - 1))
        return Frame(tuple(self._rows), cursor, self._shape())

    def _message(self) -> Message | None:
        """The message to show: the mode takes its place when that changes afterwards, or with what is typed."""
        place = (self.engine.editor.buffer.tick, self.engine.editor.window.cursor)
        message, mode = self.engine.editor.message, bottom.mode_text(self.engine)
        if message is not self._shown_message:
            self._shown_message, self._covered = message, False
        elif mode != self._shown_mode or (self.engine.insert.active and place != self._shown_place):
            self._covered = True
        self._shown_mode, self._shown_place = mode, place
        return None if self._covered else message

    def take_key(self, key: str) -> bool:
        """Offer a key to the message that waits to be read; False when it is for the editor."""
        waiting = self._pager.message is not None
        taken = self._pager.key(key)
        if waiting and self._pager.message is None:
            self._covered = True
        return taken

    def _arrange(self, height: int, columns: int, rows: int) -> None:
        """Give the layout its size when that, or the need for status lines, is another."""
        editor = self.engine.editor
        layout = editor.layout
        always = editor.option("laststatus") == 2 and rows > 2
        if (layout.height, layout.width, layout.status_always) != (height, columns, always) or not layout.rects:
            layout.status_always = always
            layout.arrange(height, columns)
            editor.run_hooks("resized")

    def _place_windows(
        self, top: int, height: int, columns: int, hold: Hold
    ) -> tuple[tuple[int, int] | None, set[int]]:
        """Have all windows at hand as they look now; the cursor's cell, and the rows of the screen that changed."""
        engine, layout = self.engine, self.engine.editor.layout
        cursor: tuple[int, int] | None = None
        changed: set[int] = set()
        before, self._held = self._held, {}
        self._views = []
        bind(layout, engine.editor.option)
        for window, rect in layout.rects.items():
            focused = window is layout.current
            old = held = before.get(window)
            if held is None or held[:2] != (rect, focused) or not hold.of(window, focused=focused):
                held = self._window(window, rect, height - layout.spare, columns, focused=focused)
                if rect.width < columns:
                    rows = held.rows
                    known = old.rows if old is not None and len(old.rows) == len(rows) else repeat(None, len(rows))
                    pairs = enumerate(zip(known, rows, strict=True), top + rect.top)
                    changed.update([number for number, (one, other) in pairs if one is not other])
            self._held[window] = held
            self._views.append(held.view)
            if held.cursor is not None:
                cursor = (top + rect.top + held.cursor[0], rect.left + held.cursor[1])
        return cursor, changed

    def _place_rows(self, top: int, columns: int, changed: Iterable[int]) -> None:
        """Put the rows of windows on the screen; of those beside each other only what has changed."""
        beside = []
        for held in self._held.values():
            if held.rect.width < columns:
                beside.append((held.rows, top + held.rect.top))
            else:
                first = top + held.rect.top
                self._rows[first : first + len(held.rows)] = held.rows[: len(self._rows) - first]
        for number in changed if beside else ():
            parts = [rows[number - first] for rows, first in beside if 0 <= number - first < len(rows)]
            if parts and number < len(self._rows):
                self._rows[number] = self._drawing.joined(parts)

    def _window(self, window: Window, rect: Rect, height: int, columns: int, *, focused: bool) -> _Held:
        """A window with its status line, scrolled so that its cursor is shown, in a layout of that size."""
        geometry = self.geometry(window)
        if window.extra.get("free") not in (window.cursor, window.cursor.line):  # not scrolled away from the cursor
            window.extra.pop("free", None)
            geometry.follow_cursor()
            if focused:
                self._show_preview(window, geometry)
        shown = geometry.rows()
        view = View(window.buffer, window.top, shown[-1][0] if shown else window.top)
        strips = self._windows.strips(self.engine, window, geometry, rect.height, focused=focused)
        if rect.top + rect.height < height:
            strips.append(status_strip(self.engine, window, rect.width, active=focused))
        cursor = None
        if focused and self._in_sight(geometry):
            row, column = self._cursor(window, geometry)
            cursor = min(row, max(rect.height - 1, 0)), min(column, rect.width - 1)
        return _Held(rect, focused, view, strips, self._drawn(strips, rect, columns), cursor)

    @staticmethod
    def _in_sight(geometry: Geometry) -> bool:
        """Whether the cursor's line is on the screen: the wheel may have scrolled it away."""
        shown = geometry.rows()
        line = geometry.first(geometry.window.cursor.line)
        return bool(shown) and shown[0][0] <= line <= shown[-1][0]

    def hit(self, row: int, column: int) -> Hit | None:
        """What a cell of the screen belongs to; None for the bottom rows."""
        editor = self.engine.editor
        layout = editor.layout
        if row < self.text_top:
            return Hit(TABS, None, 0, self._tab_at(column))
        row -= self.text_top
        for window, rect in layout.rects.items():
            inside = rect.left <= column < rect.left + rect.width
            if inside and rect.top <= row < rect.top + rect.height:
                return Hit(TEXT, window, row - rect.top, column - rect.left)
            if inside and row == rect.top + rect.height and row < layout.height - layout.spare:
                strip = status_strip(self.engine, window, rect.width, active=window is layout.current)
                return Hit(STATUS, window, 0, column - rect.left, "".join(text for text, _ in strip.pieces))
            if column == rect.left + rect.width and rect.top <= row <= rect.top + rect.height:
                return Hit(BORDER, window, row - rect.top, 0)
        return None

    def _show_preview(self, window: Window, geometry: Geometry) -> None:
        """While a search is typed, scroll to its match; the cursor itself stays (`:help 'incsearch'`)."""
        match = marks.mark_preview(self.engine, {})
        if match is None:
            return
        here, window.cursor = window.cursor, Pos(*match)
        geometry.follow_cursor()
        window.cursor = here

    def _cursor(self, window: Window, geometry: Geometry) -> tuple[int, int]:
        """The cell of the window's cursor: on the last cell of a tab in Normal mode, as in Vim."""
        engine, virtual = self.engine, is_virtual(self.engine)
        pos = window.cursor
        inner, column = geometry.place(pos)
        row = geometry.row_of(pos.line, inner)
        text = window.buffer.lines[pos.line]
        if text[pos.col : pos.col + 1] == "\t" and geometry.tabstop and not geometry.closed(pos.line):
            if not (virtual or engine.insert.active or engine.editor.option("list", window) or engine.editor.visual):
                column += char_cells("\t", geometry.column(text, pos.col), geometry.tabstop) - 1
        return row, geometry.gutter + min(max(column, 0), geometry.width - 1)

    def _shape(self) -> int:
        """A bar in Insert mode, an underline in Replace mode, a block elsewhere."""
        mode = self.engine.mode
        prompt: Any = self.engine.prompt
        if mode == "c":
            return BAR if prompt is not None and not getattr(prompt, "overstrike", False) else UNDERLINE
        return BAR if mode == "i" else UNDERLINE if mode in ("R", "Rv", "r") else BLOCK

    # -- tab line and menu

    def _tab_line(self, columns: int) -> Strip:
        """The tab pages by their current window's buffer (`:help tabline`)."""
        return padded(crop(self._tab_labels(), 0, columns), columns, ("ui.tabline",))

    def _tab_at(self, column: int) -> int:
        """The number of the tab page under a column of the tab line, -1 for none."""
        end = 0
        for number, (text, _) in enumerate(self._tab_labels()):
            end += text_cells(text)
            if column < end:
                return number
        return -1

    def _tab_labels(self) -> list[Piece]:
        editor = self.engine.editor
        pieces: list[Piece] = []
        for number, layout in enumerate(editor.tabs):
            name = buffer_name(layout.current).rpartition("/")[2] or "[No Name]"
            count = len(layout.windows())
            changed = "+" if any(window.buffer.modified for window in layout.windows()) else ""
            head = f"{count if count > 1 else ''}{changed}"
            text = safe(f" {head}{' ' if head else ''}{name} ")[0]
            pieces.append((text, ("ui.tabline.selected",) if number == editor.tab else ("ui.tabline",)))
        return pieces

    def _place_popup(self, popup: Popup, top: int, columns: int) -> None:
        """Lay the open menu over the rows (`view/popup.py`), or the matches of the command line."""
        last = len(self._rows) - 2
        row, column = last, popup.column
        above = True
        rect = self.engine.editor.layout.rects.get(popup.window) if popup.window is not None else None
        if popup.window is not None and popup.at is not None and rect is not None:
            geometry = self.geometry(popup.window)
            here, popup.window.cursor = popup.window.cursor, popup.at
            at_row, at_column = self._cursor(popup.window, geometry)
            popup.window.cursor = here
            row, column = top + rect.top + at_row, rect.left + at_column + popup.column
            if popup.over and rect.top > LEAST_OVER:
                row = top + rect.top - 1  # the status line there stays in sight
                popup = popup._replace(most=min(popup.most, row - 1))
            else:
                above = last - row < min(len(popup.items), popup.most) and row > len(self._rows) // 2
        strips = menu_strips(popup, columns)
        room = row + (1 if rect is None else 0) if above else last - row
        strips = strips[: max(room, 0)]
        first = (row - len(strips) + (1 if rect is None else 0)) if above else row + 1
        for number, strip in enumerate(strips):
            at = first + number
            left = max(min(column, columns - strip.cells), 0)
            below = self._flat(at - top, columns) if at >= top else self._tab_line(columns)
            self._rows[at] = self._drawing.row(overlaid(below, left, strip))

    def _popup(self) -> Popup | None:
        prompt: Any = self.engine.prompt
        completion = getattr(prompt, "completion", None)
        if completion is not None:
            items = [PopupItem(str(match)) for match in completion.matches]
            return Popup(items, completion.index, column=1)
        typed = self.engine.insert.completion
        if typed is not None and (words := typed.menu):
            popup = Popup((), -1, self.engine.editor.window, Pos(self.engine.insert.pen.line, typed.start), column=-1)
            first = min(max(typed.chosen - popup.most // 2, 0), max(len(words) - popup.most, 0))
            items = [PopupItem(safe(word)[0]) for word in words[first : first + popup.most]]
            return popup._replace(items=items, selected=-1 if typed.selected is None else typed.selected - first)
        shown = self.engine.editor.extra.get("popup")
        return shown if isinstance(shown, Popup) else None

    # -- rows

    def _flat(self, row: int, columns: int) -> Strip:
        """What the windows show on a row (from 0, the tab line not counted), as one strip."""
        strips: list[Strip] = []
        column = 0
        for held in self._held.values():
            rect, at = held.rect, row - held.rect.top
            if not 0 <= at < len(held.strips):
                continue
            if rect.left > column:
                strips.append(Strip(((" " * (rect.left - column), ()),), rect.left - column))
            end = rect.left + rect.width
            strips.append(padded(held.strips[at], rect.width))
            if end < columns:
                strips.append(SEPARATOR if at < rect.height else STATUS_SEPARATOR)
            column = end + (end < columns)
        return joined(strips)

    def _drawn(self, strips: list[Strip], rect: Rect, columns: int) -> list[Row]:
        """The rows of a window, the status line among them, with what stands between it and the window beside it."""
        rows, end = self._drawing.rows, rect.left + rect.width
        if end >= columns:
            return rows(strips, rect.left, end)
        text, below = strips[: rect.height], strips[rect.height :]
        return rows(text, rect.left, end, SEPARATOR) + rows(below, rect.left, end, STATUS_SEPARATOR)
