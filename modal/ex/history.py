"""The lines typed before, by kind: `:`, `/` (also `?`), `=`, `@` (`:help history`)."""

from __future__ import annotations

from tpy.modal.editor import Editor


def kind_of(kind: str) -> str:
    """Return the history that a command line of this kind has: `?` shares that of `/`, answers use `@`."""
    return {"?": "/", ":": ":", "/": "/", "=": "="}.get(kind, "@")


def add(editor: Editor, kind: str, line: str) -> None:
    """Add a line as the newest; an older equal one goes (`'history'` says how many are kept)."""
    kept = editor.histories[kind_of(kind)]
    if line in kept:
        kept.remove(line)
    kept.append(line)
    most = editor.options.values["history"]
    assert isinstance(most, int)
    del kept[: max(len(kept) - most, 0)]


class Recall:
    """Where in the history a command line is; the line typed stands behind the newest."""

    def __init__(self, editor: Editor, kind: str) -> None:
        self.editor = editor
        self.kind = kind
        self._index: int | None = None
        self._typed = ""

    def reset(self) -> None:
        """Begin anew: the line was changed."""
        self._index = None

    def older(self, text: str, prefix: str | None) -> str | None:
        """Return the next older line that begins with `prefix` (`None`: with what was typed), `None` at the end."""
        kept = self._begin(text)
        wanted = self._typed if prefix is None else prefix
        assert self._index is not None
        for index in range(self._index - 1, -1, -1):
            if kept[index].startswith(wanted):
                self._index = index
                return kept[index]
        return None

    def newer(self, text: str, prefix: str | None) -> str | None:
        """Return the next newer line that begins so, in the end the one that was typed."""
        kept = self._begin(text)
        wanted = self._typed if prefix is None else prefix
        assert self._index is not None
        if self._index >= len(kept):
            return None
        for index in range(self._index + 1, len(kept)):
            if kept[index].startswith(wanted):
                self._index = index
                return kept[index]
        self._index = len(kept)
        return self._typed

    def _begin(self, text: str) -> list[str]:
        kept = self.editor.histories[kind_of(self.kind)]
        if self._index is None:
            self._index, self._typed = len(kept), text
        return kept
