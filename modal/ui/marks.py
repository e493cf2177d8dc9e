"""What is marked in the text of a window: search matches, the match being typed, matching brackets, the selection.

Marks are spans of a line in code points with a class, later ones laid over earlier ones; a Visual block is a span of
display columns. Colours of the text itself are `highlight.py`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.editor import Visual
from tpy.modal.engine.columns import block_edges
from tpy.modal.engine.context import Context
from tpy.modal.engine.virtual import is_virtual
from tpy.modal.text.position import Pos
from tpy.modal.text.width import next_col
from tpy.modal.ui.lines import Span
from tpy.modal.view.longline import LONG
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine
    from tpy.modal.text.pattern import Pattern

SELECTION, SEARCH, INCSEARCH, BRACKET = "editor.selection", "editor.search", "editor.incsearch", "editor.matchparen"
# A frame spends at most so many seconds on finding matches; a pattern that needs more is no longer shown.
SEARCH_TIME = 0.05
# How many lines away the matching bracket may be.
BRACKET_REACH = 200
_TO_END = 1 << 30

Marks = dict[int, list[Span]]


class Matches:
    """The matches of the last search in the lines on the screen, kept by line text (`:help 'hlsearch'`)."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._key: object = None
        self._pattern: Pattern | None = None
        self._spans: dict[str, tuple[Span, ...]] = {}

    def mark(self, engine: Engine, window: Window, lines: list[int], marks: Marks) -> None:
        """Add the matches in some lines of a window."""
        editor = engine.editor
        if not editor.search.shown or not editor.option("hlsearch") or not self._compile(engine):
            return
        pattern = self._pattern
        assert pattern is not None
        alone = not pattern.multiline and "\\%" not in pattern.text
        deadline = self._clock() + SEARCH_TIME
        for line in lines:
            text = window.buffer.lines[line]
            if len(text) > LONG:
                continue
            known = self._spans.get(text) if alone else None
            if known is None:
                found = self._find(engine, window, pattern, line, deadline)
                if found is None:
                    self._pattern = None
                    return
                known = tuple((start, end, SEARCH) for at, start, end in found if at == line)
                if alone:
                    self._spans[text] = known
                for at, start, end in found:
                    if at != line:
                        marks.setdefault(at, []).append((start, end, SEARCH))
            if known:
                marks.setdefault(line, []).extend(known)

    def _compile(self, engine: Engine) -> bool:
        """Have the last pattern ready; False when there is none, or it was too slow."""
        from tpy.modal.engine import patterns
        from tpy.modal.registry import CommandFailed

        editor = engine.editor
        text = editor.search.substitute_pattern if editor.search.last_is_substitute else editor.search.pattern
        key = (text, editor.option("ignorecase"), editor.option("smartcase"), editor.option("magic"))
        if key != self._key or len(self._spans) > 5000:
            self._key, self._pattern = key, None
            self._spans.clear()
            if text:
                try:
                    self._pattern = patterns.compiled(editor, text)
                except CommandFailed:
                    return False
        return self._pattern is not None

    def _find(
        self, engine: Engine, window: Window, pattern: Pattern, line: int, deadline: float
    ) -> list[tuple[int, int, int]] | None:
        """(line, start, end) of the matches that begin in a line; None when it took too long."""
        from tpy.modal.engine import patterns
        from tpy.modal.text.pattern import SearchStopped, find_all

        context = patterns.match_context(engine, window)._replace(stop=lambda: self._clock() > deadline)
        found: list[tuple[int, int, int]] = []
        try:
            for match in find_all(window.buffer.lines, pattern, line, context):
                found.extend(_lines_of(match.start, match.end))
                if self._clock() > deadline:
                    return None
        except SearchStopped:
            return None
        return found


def _lines_of(start: tuple[int, int], end: tuple[int, int]) -> Iterator[tuple[int, int, int]]:
    """A range as (line, start, end); an empty one takes a cell."""
    for line in range(start[0], end[0] + 1):
        first = start[1] if line == start[0] else 0
        last = end[1] if line == end[0] else _TO_END
        if line == start[0] == end[0]:
            last = max(last, first + 1)
        if last > first:
            yield line, first, last


def mark_preview(engine: Engine, marks: Marks) -> Pos | None:
    """Add the match of the search being typed (`:help 'incsearch'`); where it begins."""
    prompt: Any = engine.prompt
    preview = getattr(prompt, "preview", None)
    match = preview.match(prompt.text) if preview is not None else None
    if match is None:
        return None
    for line, start, end in _lines_of(match.start, match.end):
        marks.setdefault(line, []).append((start, end, INCSEARCH))
    return Pos(*match.start)


def mark_brackets(window: Window, pairs: str, cursor_col: int, marks: Marks) -> None:
    """Add the bracket at `cursor_col` of the cursor's line and its partner, if that is near (`'matchpairs'`)."""
    lines, line = window.buffer.lines, window.cursor.line
    char = lines[line][cursor_col : cursor_col + 1] if line < len(lines) and 0 <= cursor_col < LONG else ""
    if not char:
        return
    for pair in pairs.split(","):
        opening, _, closing = pair.partition(":")
        if char not in (opening, closing):
            continue
        partner = _partner(lines, Pos(line, cursor_col), opening, closing)
        if partner is not None:
            for place in (Pos(line, cursor_col), partner):
                marks.setdefault(place.line, []).append((place.col, place.col + 1, BRACKET))
        return


def _partner(lines: list[str], at: Pos, opening: str, closing: str) -> Pos | None:
    forward = lines[at.line][at.col] == opening
    depth = 0
    reach = range(at.line, at.line + BRACKET_REACH) if forward else range(at.line, at.line - BRACKET_REACH, -1)
    for line in reach:
        if not 0 <= line < len(lines) or len(lines[line]) > LONG:
            return None
        text = lines[line]
        if opening not in text and closing not in text:
            continue
        first = at.col if line == at.line else 0 if forward else len(text) - 1
        for col in range(first, len(text)) if forward else range(first, -1, -1):
            if text[col] in (opening, closing):
                depth += 1 if (text[col] == opening) == forward else -1
                if depth == 0:
                    return Pos(line, col)
    return None


class Block(NamedTuple):
    """A Visual block: lines and display columns, the right one not included; `blanks`: also where there is no text."""

    first: int
    last: int
    left: int
    right: int
    blanks: bool


def mark_selection(engine: Engine, visual: Visual, marks: Marks, lines: list[int]) -> Block | None:
    """Add the selection in some lines; a Visual block is no span of characters and is answered instead."""
    window = engine.editor.window
    start, end = sorted((visual.start, window.cursor))
    text_lines = window.buffer.lines
    if visual.kind == "<C-v>":
        left, right = block_edges(Context(engine), visual.start, window.cursor)
        blanks = is_virtual(engine) and not visual.dollar
        return Block(start.line, end.line, left, _TO_END if visual.dollar else right + 1, blanks)
    for line in lines:
        if start.line <= line <= end.line:
            first = start.col if line == start.line and visual.kind == "v" else 0
            last = _TO_END
            if line == end.line and visual.kind == "v":
                last = next_col(text_lines[line], end.col) if end.col < len(text_lines[line]) else end.col + 1
            marks.setdefault(line, []).append((first, last, SELECTION))
    return None
