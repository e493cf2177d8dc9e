"""The editor's side of patterns: options and marks a match may ask about, and which pattern was used last.

The pattern language itself is in `text/pattern/`; `/` with its offsets is in `searches.py`, `:s` in `ex/`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.editor import Editor
from tpy.modal.registry import CommandFailed
from tpy.modal.text.pattern import (
    CharOptions,
    Pattern,
    PatternContext,
    PatternError,
    VisualArea,
    compile_pattern,
)
from tpy.modal.text.position import Pos
from tpy.modal.text.width import column_of
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


def compiled(editor: Editor, text: str, *, ignorecase: bool | None = None) -> Pattern:
    """Return the pattern under the editor's options; `ignorecase` overrides that option and `smartcase`.

    Raises `CommandFailed` with Vim's message where the pattern is wrong.
    """
    option = editor.option
    try:
        return compile_pattern(
            text,
            ignorecase=option("ignorecase") if ignorecase is None else ignorecase,
            smartcase=option("smartcase") if ignorecase is None else False,
            magic=option("magic"),
            last_substitute=editor.search.tilde,
            options=CharOptions(option("iskeyword"), option("isident"), option("isfname"), option("isprint")),
        )
    except PatternError as error:
        raise CommandFailed(str(error)) from None


def to_history(editor: Editor, line: str) -> None:
    """Add a line to the search history as the newest; an older equal one goes.

    As in Vim only the last of several new ones stays where no key was typed between: those of one ex command or macro.
    """
    kept = editor.histories["/"]
    if kept and editor.keys_at_pattern == editor.keys_typed:
        kept.pop()
    editor.keys_at_pattern = -1
    if line in kept:
        kept.remove(line)
    else:
        editor.keys_at_pattern = editor.keys_typed
    kept.append(line)


def match_context(engine: Engine, window: Window | None = None) -> PatternContext:
    """Return what a match may ask about a window (the current one): cursor, Visual area, marks."""
    editor = engine.editor
    window = window or editor.window
    marks = window.buffer.marks

    def _mark(name: str) -> tuple[int, int] | None:
        if name in "<>":
            if marks.visual is None:
                return None
            return sorted((marks.visual[1], marks.visual[2]))[0 if name == "<" else 1]
        if name.isupper() or name.isdigit():
            number, pos = editor.file_marks.get(name, (0, None))
            return pos if number == window.buffer.number else None
        return marks.get("'" if name == "`" else name)

    tabstop = editor.option("tabstop", window)
    return PatternContext(window.cursor, _visual_area(editor, window, tabstop), _mark, tabstop, engine.interrupted)


def _visual_area(editor: Editor, window: Window, tabstop: int) -> VisualArea | None:
    """Return the Visual area that `\\%V` means: the current one, else the last one of the buffer."""
    if editor.visual is not None and editor.window is window:
        visual = editor.visual
        area = (visual.kind, visual.start, window.cursor, visual.dollar)
    elif window.buffer.marks.visual is not None:
        area = window.buffer.marks.visual
    else:
        return None
    kind, one, other, dollar = area
    start, end = sorted((one, other))
    lines = window.buffer.lines
    columns = [column_of(lines[p.line], p.col, tabstop) for p in (one, other) if p.line < len(lines)] or [0]
    right = max(columns)
    if editor.option("selection", window) == "exclusive":
        end, right = Pos(end.line, end.col - 1), right - 1
    return VisualArea(start, end, kind, (min(columns), None if dollar else right))


def last_pattern(editor: Editor) -> str:
    """Return the pattern used last, by a search or a substitution. Raises `CommandFailed` (E35)."""
    search = editor.search
    found = search.substitute_pattern if search.last_is_substitute else search.pattern
    found = found or search.pattern or search.substitute_pattern
    if not found:
        raise CommandFailed("E35: No previous regular expression")
    return found


def remember(editor: Editor, pattern: str, *, search: bool = False, substitute: bool = False) -> None:
    """Note a pattern as that of the last search, the last substitution, or both (`:help last-pattern`)."""
    if search:
        editor.search.pattern = pattern
        editor.search.last_is_substitute = False
    if substitute:
        editor.search.substitute_pattern = pattern
        editor.search.last_is_substitute = True
    editor.search.shown = True


def not_found(pattern: str) -> CommandFailed:
    """Return the failure for a pattern that matches nowhere."""
    return CommandFailed(f"E486: Pattern not found: {pattern}")


def search_line(engine: Engine, pattern: str, origin: Pos, *, forward: bool) -> int:
    """Return the line of the next match from `origin`, which may lie before or behind all text of its line.

    Raises `CommandFailed` where there is none (`'wrapscan'` is respected).
    """
    from tpy.modal.text.pattern import SearchStopped, search

    editor = engine.editor
    lines = editor.buffer.lines
    line = min(origin.line, len(lines) - 1)
    wrap = bool(editor.option("wrapscan"))
    # A forward search from column -1 may match at the very start of the text.
    start, at_cursor = Pos(line, min(origin.col, len(lines[line]))), False
    if origin.col < 0:
        start, at_cursor = Pos(0, 0), True
    try:
        found = search(
            lines,
            compiled(editor, pattern),
            start,
            forward=forward,
            wrap=wrap,
            accept_at_cursor=at_cursor,
            ctx=match_context(engine),
        )
    except SearchStopped as stopped:
        raise CommandFailed(str(stopped)) from None
    if found is None:
        if wrap:
            raise not_found(pattern)
        if forward:
            raise CommandFailed(f"E385: Search hit BOTTOM without match for: {pattern}")
        raise CommandFailed(f"E384: Search hit TOP without match for: {pattern}")
    return min(found[0].start[0], len(lines) - 1)
