"""A conversation in a buffer: items of lines, drawn where they change and nowhere else.

An item is a message, a tool call, a plan, a notice or a request. Text is appended to its last line, so streaming into
twenty thousand lines costs what it costs in an empty buffer. What a session's entries look like as lines is the
bridge's; colours are in `styles.py`, what can be copied in `regions.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Any

from tpy.modal.agent import markdown, tables
from tpy.modal.agent.lines import BLANK, DIM, LABEL, TABLE, TEXT, THINKING, THOUGHT, Line, visible
from tpy.modal.text.buffer import INTERNAL, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice
from tpy.modal.view.window import Window


class Item:
    """A stretch of lines with one meaning. `codes` has one code a line; `open` marks a request that waits.

    `kind` is user, agent, thought, tool, plan, notice, ask or info; `failed` marks what stays in sight; `data` is the
    maker's. A message keeps the Markdown state before its last line, and the line where a table that is not over began.
    """

    __slots__ = (
        "codes", "cr", "data", "failed", "fold", "index", "kind", "noted", "open", "revision", "state", "table", "tail",
    )  # fmt: skip

    def __init__(self, kind: str, index: int) -> None:
        self.kind = kind
        self.index = index
        self.codes: list[str] = []
        self.state = markdown.START
        self.tail = ""
        self.table = -1
        self.cr = False
        self.noted = False
        self.open = False
        self.failed = False
        self.revision = 0
        self.fold: Any = None
        self.data: Any = None


# How wide rows of tables may become while no window shows them.
MOST_ALIGNED = 100
# Between items of these kinds stands no empty line.
_TIGHT = {("tool", "tool")}


class Conversation:
    """The items of one conversation and the buffer they are shown in.

    `windows` gives the windows that may show the buffer; `selecting` tells whether the user selects text in one, which
    then is not moved; `reveal` scrolls one so that the end is seen, wherever its cursor is.
    """

    def __init__(
        self,
        buffer: Buffer,
        windows: Callable[[], Iterable[Window]],
        selecting: Callable[[Window], bool] = lambda window: False,
        reveal: Callable[[Window], None] = lambda window: None,
    ) -> None:
        self.buffer = buffer
        buffer.keeps_undo = False
        buffer.modifiable = False
        self.items: list[Item] = []
        self.revision = 0
        self._windows = windows
        self._selecting = selecting
        self._reveal = reveal
        self._starts: list[int] = [0]
        # How many lines all items have: none at first, while the buffer has its one empty line.
        self._height = 0
        self._recent: dict[int, Item] = {}

    # Places

    def start(self, item: Item) -> int:
        """Return the number of the first line of an item (from 0)."""
        starts = self._starts
        while len(starts) <= item.index:
            before = self.items[len(starts) - 1]
            starts.append(starts[-1] + len(before.codes))
        return starts[item.index]

    def end(self, item: Item) -> int:
        """Return the number of the line after the item's last one."""
        return self.start(item) + len(item.codes)

    def first(self, item: Item) -> int:
        """Return the item's first line that is not the empty one before it."""
        start = self.start(item)
        return start + 1 if item.codes and item.codes[0] == BLANK else start

    def item_at(self, line: int) -> Item | None:
        """Return the item that a line belongs to, `None` in an empty conversation."""
        if not self.items:
            return None
        self.start(self.items[-1])
        return self.items[min(bisect_right(self._starts, line) - 1, len(self.items) - 1)]

    def code(self, line: int) -> str:
        """Return the code of a line."""
        item = self.item_at(line)
        if item is None:
            return TEXT
        at = line - self.start(item)
        return item.codes[at] if 0 <= at < len(item.codes) else TEXT

    # Items

    def message(self, kind: str, label: str) -> Item:
        """Begin a message ("user", "agent" or "thought") under its speaker's label."""
        item = self._new(kind)
        head = [Line(visible(label), THINKING if kind == "thought" else LABEL), Line("", _text_code(kind))]
        self._draw(item, head)
        return item

    def append(self, item: Item, text: str) -> None:
        """Add text to a message, exactly as it came but for control characters and carriage returns of line ends."""
        if item.cr:
            text = "\r" + text
        item.cr = text.endswith("\r")
        rows = visible((text[:-1] if item.cr else text).replace("\r\n", "\n")).split("\n")
        rows[0] = item.tail + rows[0]
        codes, state = [], item.state
        for row in rows:
            item.state = state
            code, state = self._classify(item, row, state)
            codes.append(code)
        item.tail = rows[-1]
        first = len(item.codes) - 1
        self._splice(item, first, len(item.codes), rows, codes)
        if item.kind == "agent" and (item.table >= 0 or TABLE in codes):
            self._tables(item, first, len(item.codes) - 1)

    def finish(self, item: Item) -> None:
        """No text comes any more, as far as is known: a table at the end is over."""
        if item.kind == "agent" and item.codes[-1] == TABLE:
            self._tables(item, len(item.codes) - 1, len(item.codes))
        if item.table >= 0:
            self._align(item, item.table, len(item.codes))

    def _tables(self, item: Item, first: int, last: int) -> None:
        """Look at lines that are complete: a table is aligned when a line follows that is none of its rows."""
        for line in range(first, last):
            if item.codes[line] == TABLE:
                item.table = line if item.table < 0 else item.table
            elif item.table >= 0:
                self._align(item, item.table, line)

    def _align(self, item: Item, first: int, last: int) -> None:
        """Give the cells of a table's columns the same width, where no row becomes too wide for a window."""
        item.table = -1
        start = self.start(item)
        rows = self.buffer.lines[start + first : start + last]
        most = min((window.width for window in self._shown()), default=MOST_ALIGNED)
        aligned = tables.align(rows, most)
        if aligned != rows:
            self._splice(item, first, last, aligned, item.codes[first:last])

    def append_lines(self, item: Item, lines: list[Line]) -> None:
        """Add lines of their own to a message (an image's stand-in); text after them begins on a new line."""
        keep = len(item.codes) if item.tail else len(item.codes) - 1
        new = [*lines, Line("", _text_code(item.kind))]
        item.tail, item.state, item.table = "", markdown.START, -1
        self._splice(item, keep, len(item.codes), [line.text for line in new], [line.code for line in new])

    def empty(self, item: Item) -> None:
        """Take a message's text away; its label stays, and text that is appended takes the old one's place."""
        keep = 2 if item.codes[0] == BLANK else 1
        item.tail, item.state, item.cr, item.noted, item.table = "", markdown.START, False, False, -1
        self._splice(item, keep, len(item.codes), [""], [_text_code(item.kind)])

    def note(self, item: Item, text: str) -> None:
        """Say something as the item's last line, replacing what was said so before."""
        at = len(item.codes) - 1 if item.noted else len(item.codes)
        item.noted = True
        self._splice(item, at, len(item.codes), [text], [DIM])

    def add(self, kind: str, lines: list[Line], *, data: Any = None, open: bool = False) -> Item:
        """Add an item of whole lines at the end; an `open` one is a request that waits."""
        item = self._new(kind)
        item.data, item.open = data, open
        self._draw(item, lines)
        return item

    def redraw(self, item: Item, lines: list[Line]) -> None:
        """Give an item other lines; equal lines at both ends are left alone."""
        self._draw(item, lines)

    def clear(self) -> None:
        """Take all items away."""
        self.items.clear()
        self._recent.clear()
        self._starts, self._height = [0], 0
        self.buffer.apply(Splice(0, tuple(self.buffer.lines), ("",)), INTERNAL)

    def _classify(self, item: Item, row: str, state: markdown.State) -> tuple[str, markdown.State]:
        return (THOUGHT, state) if item.kind == "thought" else markdown.classify(row, state)

    def _new(self, kind: str) -> Item:
        item = Item(kind, len(self.items))
        self.items.append(item)
        return item

    def _draw(self, item: Item, lines: list[Line]) -> None:
        start = self.start(item)
        tight = start == 0 or (self.items[item.index - 1].kind, item.kind) in _TIGHT
        if lines and not tight and self.buffer.lines[start - 1]:
            lines = [Line("", BLANK), *lines]
        old = self.buffer.lines[start : start + len(item.codes)]
        texts, codes = [line.text for line in lines], [line.code for line in lines]
        head = 0
        most = min(len(old), len(texts))
        while head < most and old[head] == texts[head] and item.codes[head] == codes[head]:
            head += 1
        tail = 0
        while tail < most - head and old[-1 - tail] == texts[-1 - tail] and item.codes[-1 - tail] == codes[-1 - tail]:
            tail += 1
        end = len(texts) - tail
        if head < end or head < len(old) - tail:
            self._splice(item, head, len(old) - tail, texts[head:end], codes[head:end])

    def _splice(self, item: Item, first: int, last: int, rows: list[str], codes: list[str]) -> None:
        """Replace the lines `first` up to and without `last` of an item."""
        followers = [w for w in self._shown() if self.follows(w)]
        start = self.start(item)
        grown = len(rows) - (last - first)
        if not self._height:
            self.buffer.apply(Splice(0, tuple(self.buffer.lines), tuple(rows)), INTERNAL)
        else:
            old = tuple(self.buffer.lines[start + first : start + last])
            self.buffer.apply(Splice(start + first, old, tuple(rows)), INTERNAL)
        item.codes[first:last] = codes
        self._height += grown
        if grown:
            del self._starts[item.index + 1 :]
        self._touch(item)
        for window in followers:
            self.to_end(window)

    def _touch(self, item: Item) -> None:
        self.revision += 1
        item.revision = self.revision
        self._recent.pop(item.index, None)
        self._recent[item.index] = item

    # Following the end

    def _shown(self) -> list[Window]:
        return [w for w in self._windows() if w.buffer is self.buffer]

    def follow_line(self) -> int:
        """Return the line that followers stand on: the last one before the requests that wait at the end."""
        line = len(self.buffer.lines) - 1
        for item in reversed(self.items):
            if not item.open:
                break
            line = max(self.start(item) - 1, 0)
        return line

    def follows(self, window: Window) -> bool:
        """Whether a window moves on with the end of the conversation."""
        return window.cursor.line == self.follow_line() and not self._selecting(window)

    def to_end(self, window: Window) -> None:
        """Put the cursor of a window where followers stand, with a request that waits below it in sight."""
        last = len(self.buffer.lines) - 1
        line = self.follow_line()
        window.cursor, window.want = Pos(line, 0), None
        if line < last:
            self._reveal(window)
        window.extra["agent-seen"] = self.revision

    def close(self, item: Item, lines: list[Line]) -> None:
        """A request is answered: show that, and let those who read it follow the end again."""
        start, end = self.start(item), self.end(item)
        inside = [w for w in self._shown() if start <= w.cursor.line < end and end == len(self.buffer.lines)]
        followers = [w for w in self._shown() if self.follows(w)]
        item.open = False
        self.redraw(item, lines)
        for window in {*inside, *followers}:
            self.to_end(window)

    def unseen(self, window: Window) -> int:
        """Return how many items are new or have grown since the window was last at the end."""
        if self.follows(window):
            window.extra["agent-seen"] = self.revision
            return 0
        seen = window.extra.setdefault("agent-seen", self.revision)
        count = 0
        for item in reversed(self._recent.values()):
            if item.revision <= seen:
                break
            count += 1
        return count


def _text_code(kind: str) -> str:
    return THOUGHT if kind == "thought" else TEXT
