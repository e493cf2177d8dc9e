"""`Pen`: a place to write at, with what writing there needs to know (`:help Insert-mode`, `:help Replace-mode`).

A pen writes on lines of its own (formatting) or on a buffer (`BufferPen`). It puts and takes characters, with the
stack that Replace mode restores from. Keys are `insert.py`'s business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tpy.modal.engine import indentation
from tpy.modal.engine.indentation import BLANKS, Style
from tpy.modal.text.chars import is_combining
from tpy.modal.text.marks import Joint, Moves
from tpy.modal.text.position import Pos, beyond
from tpy.modal.text.width import char_cells, column_of, next_col, prev_col
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.autoformat import AutoFormat
    from tpy.modal.engine.cindenting import Indenting

REPLACE, VIRTUAL = "R", "Rv"


class Pen:
    """Lines, a cursor in them, and the state that opening lines, indenting and wrapping share.

    `mode` is "i", "R" or "Rv". `stack` holds what each written character replaced, "" for nothing. `start` is
    where the insert began, `origin` the place before which `<BS>` may be forbidden. The flags are those Vim keeps:
    `did_ai` (the indent is automatic and goes when nothing is typed), `ai_col` (where it ends), `did_si`, `can_si`,
    `can_si_back` (smart indent may follow).
    """

    def __init__(self, lines: list[str], style: Style) -> None:
        self.lines = lines
        self.style = style
        self.mode = "i"
        self.line = 0
        self.col = 0
        # How many cells beyond that it is (`:help 'virtualedit'`), until something is written.
        self.add = 0
        self.stack: list[str] = []
        self.reset_flags()
        self.ai_col = 0
        self.end_comment = ""
        # The indent that the next line gets where `^<C-d>` or `#` took it from this one.
        self.old_indent = 0
        self.start = Pos(0, 0)
        self.origin = Pos(0, 0)
        # The display width of the line before typing, and where a blank was typed first (`fo-l`, `fo-b`).
        self.start_width = 0
        self.blank_column: int | None = None
        # The lines that Virtual Replace mode may overwrite: how many there were.
        self.line_count = 0
        # How many characters before the cursor came with it to the new line when the line was wrapped.
        self.after_break = 0
        # Places that go with their text where lines are broken and joined: the cursor for `gw`, and marks.
        self.kept: Pos | None = None
        self.places: list[Pos] = []
        # Where lines of its own were changed last.
        self.last_change: Pos | None = None
        # While a line is opened: whether comment leaders count, and the line that Virtual Replace mode overwrites.
        self.with_comments = False
        self.next_line: str | None = None
        # How C is indented while it is typed.
        self.indenting: Indenting | None = None
        # How the paragraph is formatted while it is typed.
        self.formatting: AutoFormat | None = None
        # Whether the user has changed the indent of the line, so that only the key that always does changes it again.
        self.own_indent = False
        # Where the mark `'.` goes with what is replaced next, `None` for the cursor.
        self.changed: Pos | None = None

    def reset_flags(self) -> None:
        """Forget that anything was indented automatically."""
        self.did_ai = self.did_si = self.can_si = self.can_si_back = False

    # Lines

    @property
    def text(self) -> str:
        """The line of the cursor."""
        return self.lines[self.line]

    def set_text(self, text: str) -> None:
        """Replace the line of the cursor."""
        self.replace(self.line, self.line + 1, [text])

    def replace(self, first: int, last: int, new: list[str], joints: Sequence[Joint] = ()) -> None:
        """Replace the lines from `first` up to and without `last`; `joints` are lines that become part of the first."""
        self.lines[first:last] = new
        self.last_change = self.changed or Pos(first, self.col if len(new) == last - first == 1 else 0)
        added = len(new) - (last - first)
        if added:
            self.carry(lambda pos: Pos(pos.line + added, pos.col) if pos.line >= last else pos)

    def opened(self, *, forward: bool) -> None:
        """Do what is to be done with a line that was opened, below if `forward`."""

    def carry(self, moves: Moves) -> None:
        """Let places go with text that was moved."""
        self.places = [moves(pos) for pos in self.places]
        if self.kept is not None:
            self.kept = moves(self.kept)

    def slide(self, count: int) -> None:
        """Note that `count` lines before all others are the pen's no longer."""
        self.carry(lambda pos: Pos(pos.line - count, pos.col))
        if self.last_change is not None:
            self.last_change = Pos(self.last_change.line - count, self.last_change.col)

    def join(self, first: int, text: str) -> None:
        """Replace line `first` and the next one by one line. To Vim the line that goes is what was changed last."""
        self.changed = Pos(first + 1, 0)
        self.replace(first, first + 2, [text], [Joint(first + 1, len(self.lines[first]))])
        self.changed = None

    @property
    def place(self) -> Pos:
        """The cursor."""
        return beyond(self.line, self.col, self.add)

    @property
    def char(self) -> str:
        """The character under the cursor, "" at the end of the line."""
        return self.text[self.col : self.col + 1]

    # Columns

    @property
    def tabstop(self) -> int:
        """Columns of a tab."""
        return self.style.tabstop

    def column(self, col: int | None = None) -> int:
        """Return the display column of an index, the cursor's without one."""
        return column_of(self.text, self.col if col is None else col, self.tabstop)

    def in_indent(self) -> bool:
        """Whether only blanks are before the cursor, and no text is joined to them."""
        return not self.text[: self.col].strip(BLANKS)

    # Characters

    @property
    def replaces(self) -> bool:
        """Whether characters are written over others."""
        return self.mode != "i"

    def raw(self, text: str) -> None:
        """Put text before the cursor, replacing nothing."""
        line, col = self.text, self.col
        self.set_text(line[:col] + text + line[col:])
        self.col = col + len(text)

    def put(self, text: str) -> None:
        """Write text as it is typed: over other text in the Replace modes, where a character comes with those that
        combine with it, if they are written together."""
        if not self.replaces:
            self.raw(text)
            return
        at = 0
        while at < len(text):
            end = next_col(text, at)
            if self.mode == VIRTUAL:
                self._put_virtual(text[at:end])
            else:
                self._put_over(text[at:end])
            at = end

    def _put_over(self, char: str) -> None:
        line, col = self.text, self.col
        end = min(next_col(line, col), len(line)) if col < len(line) else col
        self.stack.append(line[col:end])
        self.set_text(line[:col] + char + line[end:])
        self.col = col + len(char)

    def _put_virtual(self, char: str) -> None:
        """Write over as many screen cells as the character takes, filling a gap with blanks."""
        line, col = self.text, self.col
        start = column_of(line, col, self.tabstop)
        # A combining character on its own takes the place of another one too.
        goal = start + (1 if is_combining(char[0]) else char_cells(char[0], start, self.tabstop))
        end, at, fill = col, start, 0
        while end < len(line) and at < goal:
            at += char_cells(line[end], at, self.tabstop)
            if at > goal and line[end] == "\t":
                break
            end = min(next_col(line, end), len(line))
            if at > goal:
                fill = at - goal
        self.stack.append(line[col:end])
        self.set_text(line[:col] + char + " " * fill + line[end:])
        self.col = col + len(char)

    def delete(self) -> None:
        """Delete the character under the cursor, with its combining characters."""
        line, col = self.text, self.col
        if col < len(line):
            self.set_text(line[:col] + line[next_col(line, col) :])

    def back(self) -> None:
        """Go one character to the left."""
        self.col = prev_col(self.text, self.col)

    def take_back(self, least: int = 0) -> None:
        """Undo the writing of the character under the cursor in a Replace mode: what was there comes back."""
        if not self.stack:
            return
        was = self.stack.pop()
        line, col = self.text, self.col
        end = next_col(line, col) if col < len(line) else col
        if col < least:
            end = col
        rest = line[end:]
        if self.mode == VIRTUAL and was:
            start = column_of(line, col, self.tabstop)
            here = char_cells(line[col], start, self.tabstop) if col < len(line) else 0
            cells = _restored_cells(was, start, self.tabstop)
            while cells > here and rest.startswith(" "):
                rest, here = rest[1:], here + 1
        self.set_text(line[:col] + was + rest)

    def back_to(self, col: int) -> None:
        """Go back to column `col`, taking away what is passed (`backspace_until_column`)."""
        while self.col > col:
            self.back()
            if self.replaces:
                self.take_back(col)
            else:
                self.delete()

    # Indents

    def drop_indent(self) -> None:
        """Delete blanks that only indent an empty line."""
        while True:
            text = self.text
            if self.col >= len(text) and self.col > 0:
                self.col = len(text) - 1
            char = self.char
            if char not in BLANKS or not char:
                break
            self.set_text(text[: self.col] + text[self.col + 1 :])
        if self.char and self.col + 1 == len(self.text):
            self.col += 1

    def indent(self) -> int:
        """Return the display width of the line's indent."""
        return indentation.width(self.text, self.tabstop)

    def set_indent(self, columns: int) -> bool:
        """Give the line another indent and go to its end; where it is right already nothing happens."""
        text = self.text
        new = indentation.indented(text, columns, self.style)
        if new == text:
            return False
        old_count, new_count = indentation.blank_count(text), indentation.blank_count(new)
        if self.kept is not None and self.kept.line == self.line:
            col = self.kept.col
            self.kept = Pos(self.line, col + new_count - old_count if col >= old_count else min(col, new_count))
        self.set_text(new)
        self.col = new_count
        return True

    def insert_indent(self, columns: int, like: str | None = None) -> None:
        """Put an indent before what the line begins with, written as that of the line `like` if given."""
        style = self.style
        new = indentation.blanks(columns, style) if like is None else indentation.copied(columns, like, style)
        self.set_text(new + self.text)
        self.col = len(new)

    def shift_line(self, amount: int, *, round_off: bool) -> None:
        """Move the line by `amount` times `shiftwidth` and go to its first character that is no blank."""
        self.set_indent(indentation.shifted(self.indent(), amount, self.style, round_off=round_off))


class BufferPen(Pen):
    """A pen on the buffer of a window. `sync` shows the window where the pen is, before each change and after keys."""

    def __init__(self, window: Window, style: Style) -> None:
        super().__init__(window.buffer.lines, style)
        self.window = window

    def sync(self) -> None:
        """Put the window's cursor where the pen is."""
        self.window.cursor = self.place

    def follow(self) -> None:
        """Take the window's cursor as the pen's place."""
        (self.line, self.col), self.add = self.window.cursor, self.window.cursor.add
        self.lines = self.window.buffer.lines

    def replace(self, first: int, last: int, new: list[str], joints: Sequence[Joint] = ()) -> None:
        """Replace lines of the buffer, as one change that undo takes back."""
        self.window.cursor = Pos(self.line, self.col)
        buffer = self.window.buffer
        # `U` knows the line from when typing began; breaking a line makes it forget.
        kept = buffer.line_undo if len(new) == 1 and last > first else None
        buffer.replace(first, last, new, joints=joints, changed=self.changed)
        buffer.line_undo = kept

    def opened(self, *, forward: bool) -> None:
        """Indent a line that was opened as C, where that is wanted."""
        if self.indenting is not None:
            self.indenting.opened(self, forward=forward)

    def carry(self, moves: Moves) -> None:
        """Let the marks of the buffer go with text that was moved."""
        self.window.buffer.marks.move(moves)


def _restored_cells(was: str, start: int, tabstop: int) -> int:
    """Return the cells that Vim takes restored text for: it goes on by the bytes of the first character each time, and
    counts a byte within a character for the four cells of `<xx>`."""
    step = len(was[: next_col(was, 0)].encode())
    cells = byte = wanted = 0
    for char in was:
        for at in range(byte, byte + len(char.encode())):
            if at == wanted:
                cells += char_cells(char, start + cells, tabstop) if at == byte else 4
                wanted += step
        byte += len(char.encode())
    return cells
