"""The lines typed before, by kind: `:`, `/` (also `?`), `=`, `@` (`:help history`)."""

from __future__ import annotations

from tpy.modal.editor import Editor
from tpy.modal.engine import patterns


class Sought(str):
    """A line of the search history that was typed behind `separator`."""

    separator = ""


def behind(line: str, old: str, new: str) -> str:
    """Return a line typed behind the separator `old` as it is typed behind `new`, `/` or `?`."""
    if old == new:
        return line
    text, before = "", ""
    for char in line:
        bare = before != "\\"
        text += new if bare and char == old else "\\" + char if bare and char == new else char
        before = char
    return text


def kind_of(kind: str) -> str:
    """Return the history that a command line of this kind has: `?` shares that of `/`, answers use `@`."""
    return {"?": "/", ":": ":", "/": "/", "=": "="}.get(kind, "@")


def add_pattern(editor: Editor, pattern: str) -> None:
    """Add the pattern of an ex command to the search history, without the separator that it was typed with."""
    patterns.to_history(editor, pattern)
    _limit(editor, editor.histories["/"])


def add(editor: Editor, kind: str, line: str) -> None:
    """Add a line as the newest; an older equal one goes (`'history'` says how many are kept)."""
    kept = editor.histories[kind_of(kind)]
    if kind in "/?":
        line = Sought(line)
        line.separator = kind
        patterns.to_history(editor, line)
    else:
        if line in kept:
            kept.remove(line)
        kept.append(line)
    _limit(editor, kept)


def _limit(editor: Editor, kept: list[str]) -> None:
    most = editor.options.values["history"]
    assert isinstance(most, int)
    del kept[: max(len(kept) - most, 0)]


class Recall:
    """Where in the history a command line is; the line typed stands behind the newest.

    `index` stays when other keys are typed between, as in Vim; what the lines must begin with is taken anew.
    """

    def __init__(self, editor: Editor, kind: str) -> None:
        self.kept = editor.histories[kind_of(kind)]
        self.kind = kind
        self.index = len(self.kept)
        self._typed: str | None = None

    def reset(self) -> None:
        """Note that the line was changed."""
        self._typed = None

    def older(self, head: str, *, alike: bool) -> str | None:
        """Return the next older line, with `alike` one that begins as the text before the cursor, `None` for none."""
        typed = self._begin(head)
        wanted = typed if alike else ""
        for index in range(min(self.index, len(self.kept)) - 1, -1, -1):
            if self.kept[index].startswith(wanted):
                self.index = index
                return self._line()
        return None

    def newer(self, head: str, *, alike: bool) -> str | None:
        """Return the next newer line, in the end what was typed."""
        typed = self._begin(head)
        if self.index >= len(self.kept):
            return None
        for index in range(self.index + 1, len(self.kept)):
            if self.kept[index].startswith(typed if alike else ""):
                self.index = index
                return self._line()
        self.index = len(self.kept)
        return typed

    def _line(self) -> str:
        """Return the line recalled, for the separator it stands behind now."""
        line = self.kept[self.index]
        if self.kind not in ("/", "?"):
            return line
        return behind(line, line.separator if isinstance(line, Sought) else "", self.kind)

    def _begin(self, head: str) -> str:
        if self._typed is None:
            self._typed = head
        return self._typed
