"""Addresses before an ex command: `.`, `$`, `%`, numbers, marks, patterns, offsets (`:help cmdline-ranges`).

They are resolved while they are read, because `;` moves the cursor for those that follow. Line numbers count
from 1 here, as they are typed; 0 is the place above the first line.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.engine import patterns
from tpy.modal.engine.columns import wanted_column
from tpy.modal.engine.context import Context
from tpy.modal.ex import history
from tpy.modal.registry import CommandFailed
from tpy.modal.text.pattern import split_pattern
from tpy.modal.text.position import MAXCOL, Pos, clamp, in_line
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

_MOST = 2_147_483_647
_BLANKS = " \t"
_OFFSET = re.compile(r"[-+]?[0-9]+|[-+]")


def closed_fold(window: Window, line: int) -> tuple[int, int] | None:
    """Return the first and last line of the closed fold that a line (from 0) lies in, `None` for none."""
    folds = window.extra.get("folds")
    return None if folds is None else folds.closed(line)


class Range(NamedTuple):
    """The lines before a command: `first` and `last` as typed, and how many addresses were `typed` (0: defaults)."""

    first: int
    last: int
    typed: int


class Addresses:
    """Reads the addresses of one command. `kind` is the `range` of the command's row where that is known;
    `keeps` leaves the last search pattern as it is (`:keeppatterns`)."""

    def __init__(self, engine: Engine, text: str, at: int = 0, kind: str = "", *, keeps: bool = False) -> None:
        self.engine = engine
        self.editor = engine.editor
        self.text = text
        self.at = at
        self.kind = kind
        self.keeps = keeps
        self._addressed = 0
        # Behind `0;` the current line is the place above the first one.
        self._above = False

    def read(self) -> Range:
        """Read all addresses; `at` is behind them afterwards. Raises `CommandFailed`."""
        first = last = self._current()
        found: int | None = None
        count = 0
        while True:
            first, last = last, self._current()
            self._blanks()
            found = self._address()
            if found is None:
                if self._peek() == "%":
                    self.at += 1
                    first, last = 1, self._end()
                    count += 1
                elif self._peek() == "*":
                    self.at += 1
                    first, last = self._mark("<"), self._mark(">")
                    count += 1
            else:
                last = found
            count += 1
            char = self._peek()
            if char == ";":
                self._move_to(last)
            elif char != ",":
                break
            self.at += 1
        if count == 1:
            first = last
            if found is None:
                count = 0
        return Range(first, last, count)

    def single(self) -> int | None:
        """Read one address, such as the target of `:move`; `None` where there is none."""
        self._blanks()
        return self._address()

    # What "." and "$" are

    def _current(self) -> int:
        editor = self.editor
        if self.kind == "windows":
            return editor.layout.windows().index(editor.window) + 1
        if self.kind == "tabs":
            return editor.tab + 1
        if self.kind == "buffers":
            return editor.buffer.number
        if self.kind == "arguments":
            return editor.argument_index + 1
        return 0 if self._above else editor.window.cursor.line + 1

    def _end(self) -> int:
        editor = self.editor
        if self.kind == "windows":
            return len(editor.layout.windows())
        if self.kind == "tabs":
            return len(editor.tabs)
        if self.kind == "buffers":
            return max(editor.buffers)
        if self.kind == "arguments":
            return max(len(editor.arguments), 1)
        return len(editor.buffer.lines)

    def _move_to(self, line: int) -> None:
        """Put the cursor where `;` wants it, column kept; line 0 counts as the first."""
        window = self.editor.window
        lines = window.buffer.lines
        self._above = line == 0
        target = min(max(line - 1, 0), len(lines) - 1)
        window.want = wanted_column(Context(self.engine))
        window.cursor = clamp(in_line(window.cursor, target, lines), lines)

    # Reading

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _blanks(self) -> None:
        while self._peek() and self._peek() in _BLANKS:
            self.at += 1

    def _number(self) -> int:
        start = self.at
        while self._peek().isascii() and self._peek().isdigit():
            self.at += 1
        return min(int(self.text[start : self.at]), _MOST)

    def _address(self) -> int | None:
        """Read one address with its offsets."""
        line: int | None = None
        self._addressed += 1
        while True:
            char = self._peek()
            if char == ".":
                self.at += 1
                line = self._current()
            elif char == "$":
                self.at += 1
                line = self._end()
            elif char == "'":
                self.at += 1
                name = self._peek()
                self.at += 1
                line = self._mark(name, alone=self._peek() == "" and self._addressed == 1)
            elif char and char in "/?":
                line = self._search(char, line)
            elif char == "\\":
                line = self._repeated(line)
            elif char.isascii() and char.isdigit():
                line = self._number()
            line = self._offsets(line)
            if not self._peek() or self._peek() not in "/?":
                return line

    def _offsets(self, line: int | None) -> int | None:
        while True:
            self._blanks()
            char = self._peek()
            if not char or not (char in "+-" or (char.isascii() and char.isdigit())):
                return line
            if line is None:
                line = self._current()
            if char in "+-":
                self.at += 1
            number = self._number() if self._peek().isascii() and self._peek().isdigit() else 1
            # What is added to a line above the text overflows in Vim.
            if number >= _MOST or (line < 0 and char != "-"):
                raise CommandFailed("E1247: Line number out of range")
            if self.kind in ("", ".", "%", "0", "$") and char in "+-" and self._addressed >= 2:
                line = self._fold_end(line)
            line += -number if char == "-" else number

    def _fold_end(self, line: int) -> int:
        """Return the last line of the closed fold that `line` lies in (offsets skip closed folds)."""
        fold = closed_fold(self.editor.window, line - 1)
        return line if fold is None else fold[1] + 1

    def _mark(self, name: str, *, alone: bool = False) -> int:
        """Return the line of a mark; one in another buffer is gone to where it stands `alone`."""
        editor = self.editor
        if not name:
            raise CommandFailed("E20: Mark not set")
        if name.isupper() or name.isdigit():
            place = editor.file_marks.get(name)
            if place is None:
                raise CommandFailed("E20: Mark not set")
            if place[0] == editor.buffer.number:
                return self._within(place[1].line)
            if not alone or place[0] not in editor.buffers:
                raise CommandFailed("E20: Mark not set")
            editor.window.show(editor.buffers[place[0]])
            return self._within(place[1].line)
        pos = self._local_mark(name)
        if pos is None:
            known = name in "[]<>'`\"^.(){}" or "a" <= name <= "z"
            raise CommandFailed("E20: Mark not set" if known else "E78: Unknown mark")
        return self._within(pos.line)

    def _within(self, line: int) -> int:
        if line >= len(self.editor.buffer.lines):
            raise CommandFailed("E19: Mark has invalid line number")
        return line + 1

    def _local_mark(self, name: str) -> Pos | None:
        marks = self.editor.buffer.marks
        if name in "<>":
            if marks.visual is None:
                return None
            start, end = sorted((marks.visual[1], marks.visual[2]))
            return start if name == "<" else end
        if name in "'`":
            return marks.get("'")
        return marks.get(name)

    def _search(self, char: str, line: int | None) -> int:
        """Search for the pattern that stands here, from `line` on or the cursor's line."""
        origin = self._origin(line, char)
        pattern, rest = split_pattern(self.text[self.at + 1 :], char)
        self.at = len(self.text) - len(rest or "")
        if pattern and not self.keeps:
            history.add_pattern(self.editor, pattern)
        search = self.editor.search
        # The first offset behind a pattern is that of the search, which stays within the text.
        offset = _OFFSET.match(self.text, self.at) if rest is not None else None
        if offset is not None:
            self.at = offset.end()
        elif rest is None and not pattern:
            # Nothing at all behind the `/`: the last offset counts too.
            offset = _OFFSET.fullmatch(search.offset)
        pattern = pattern or patterns.last_pattern(self.editor)
        if not self.keeps:
            patterns.remember(self.editor, pattern, search=True)
            search.forward, search.offset = char == "/", offset[0] if offset is not None else ""
        found = patterns.search_line(self.engine, pattern, origin, forward=char == "/") + 1
        if offset is not None:
            found += int(offset[0] + "1") if offset[0] in "+-" else int(offset[0])
        return min(max(found, 1), len(self.editor.buffer.lines))

    def _repeated(self, line: int | None) -> int:
        """Search with `\\/`, `\\?` (the last search pattern) or `\\&` (that of the last `:s`)."""
        self.at += 1
        char = self._peek()
        if char == "&":
            pattern = self.editor.search.substitute_pattern
            if not pattern:
                raise CommandFailed("E33: No previous substitute regular expression")
        elif char and char in "/?":
            pattern = self.editor.search.pattern
            if not pattern:
                raise CommandFailed("E35: No previous regular expression")
        else:
            raise CommandFailed("E10: \\ should be followed by /, ? or &")
        self.at += 1
        origin = self._origin(line, char)
        return patterns.search_line(self.engine, pattern, origin, forward=char != "?") + 1

    def _origin(self, line: int | None, char: str) -> Pos:
        """Return where a search starts, so that it cannot match in the line it starts from."""
        lines = self.editor.buffer.lines
        number = self._current() if line is None else min(line, len(lines))
        if number <= 0:
            return Pos(0, -1)
        return Pos(number - 1, 0 if char == "?" else MAXCOL)
