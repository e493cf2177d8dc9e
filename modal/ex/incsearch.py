"""The match shown while a search is typed (`:help 'incsearch'`): found when it is asked for, not at each key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tpy.modal.engine import patterns
from tpy.modal.engine.context import shown_tabstop
from tpy.modal.registry import CommandFailed
from tpy.modal.text.pattern import Match, SearchStopped, search, split_pattern
from tpy.modal.text.position import Pos
from tpy.modal.text.width import column_of

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


# The substitutions of which Vim shows the match while their pattern is typed.
_PATTERN = re.compile(r"[^a-zA-Z]*(?:s|sm(?:agic)?|sno(?:magic)?)[^\w\s\"|\\]+.")


class Preview:
    """The preview of one command line. `origin` is where the search starts; `<C-g>` and `<C-t>` move it."""

    def __init__(self, engine: Engine, kind: str) -> None:
        self.engine = engine
        self.kind = kind
        self.saved = self.origin = engine.editor.window.cursor
        self._found: tuple[str, Pos, Match | None] | None = None

    @property
    def active(self) -> bool:
        """Whether a match is to be shown."""
        return self.kind in "/?" and bool(self.kind) and bool(self.engine.editor.option("incsearch"))

    def changed(self) -> None:
        """Note that the pattern is another one."""
        self._found = None

    def match(self, text: str) -> Match | None:
        """Return the match for the pattern typed so far, `None` for none."""
        if not self.active or not text:
            return None
        if self._found is None or self._found[:2] != (text, self.origin):
            self._found = (text, self.origin, self._search(text, self.origin, forward=self.kind == "/"))
        return self._found[2]

    def _search(self, text: str, start: Pos, *, forward: bool) -> Match | None:
        engine = self.engine
        pattern = split_pattern(text, self.kind)[0]
        if not pattern:
            return None
        try:
            found = search(
                engine.editor.buffer.lines,
                patterns.compiled(engine.editor, pattern),
                start,
                forward=forward,
                wrap=bool(engine.editor.option("wrapscan")),
                ctx=patterns.match_context(engine),
            )
        except (CommandFailed, SearchStopped):
            return None
        return None if found is None else found[0]

    def place(self, text: str) -> Pos:
        """Return where the keys for text under the cursor work: the end of the match, else the cursor."""
        match = self.match(text)
        return self.engine.editor.window.cursor if match is None else Pos(*match.end)

    def move(self, text: str, direction: int) -> bool:
        """Go to another match: the search will start from it. `False` where there is no preview."""
        match = self.match(text)
        if match is None:
            return self.active
        forward = (direction > 0) == (self.kind == "/")
        here = Pos(*match.start)
        if forward == (self.kind == "/"):
            self.origin = here
            return True
        other = self._search(text, here, forward=forward)
        if other is not None:
            before = self._search(text, Pos(*other.start), forward=forward)
            if before is not None:
                self.origin = Pos(*before.start)
        return True

    def next_char(self, text: str) -> str:
        """Return the character behind the match as it is to be typed, "" where there is none."""
        match = self.match(text)
        if match is None:
            return ""
        line, col = match.end
        lines = self.engine.editor.buffer.lines
        char = lines[line][col : col + 1] if line < len(lines) else ""
        special = "\\~^$.*[" if self.engine.editor.option("magic") else "\\^$"
        return "\\" + char if char and (char in special or char == self.kind) else char

    def finish(self, text: str) -> None:
        """Put the cursor where the search is to start, when `<C-g>` or `<C-t>` moved that."""
        self._note_tab(text)
        if self.origin != self.saved and self.active:
            window = self.engine.editor.window
            self.engine.jump_from(window, window.cursor)
            window.cursor = self.origin

    def _note_tab(self, text: str) -> None:
        """Note that on a tab the cursor counts as at its start once a pattern was typed, as Vim's preview has it."""
        editor, window = self.engine.editor, self.engine.editor.window
        line, col = window.cursor
        typed = text if self.kind in "/?" else _PATTERN.match(text) if self.kind == ":" else ""
        # A command that asks for more lines may have deleted the cursor's.
        row = window.buffer.lines[line] if line < len(window.buffer.lines) else ""
        if typed and row[col : col + 1] == "\t" and editor.option("incsearch"):
            window.shown = (window.cursor, window.buffer.tick, column_of(row, col, shown_tabstop(editor, window)))
            window.noted = None

    def abandon(self) -> None:
        """Forget the preview: nothing moved yet."""
        self.origin = self.saved
