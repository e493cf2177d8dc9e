"""Texts for agents that were not sent, kept where neither a closed window nor a crash loses them (spec AGENTS §4).

A session that is open has a file of its own as soon as there is text; the next session of that agent in that project
takes over the files whose sessions are gone. When that is done, and with what text, is the bridge's.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from typing import Protocol

from tpy.modal.editor import Editor

# How long, in seconds, a change waits until it is kept.
KEEP_AFTER = 0.3


class Draft:
    """The unsent text of one open session, as it was kept last."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.text = ""
        self._on_disk = False

    def keep(self, text: str, *, on_disk: bool = True) -> None:
        """Keep the text, in a file only where that is wanted; an empty one leaves no file. Raises `OSError`."""
        if text == self.text and (self._on_disk or not on_disk or not text):
            return
        self.text = text
        if text and on_disk:
            self._write()
        elif self._on_disk:
            with suppress(FileNotFoundError):
                os.remove(self.path)
            self._on_disk = False

    def _write(self) -> None:
        os.makedirs(os.path.dirname(self.path), mode=0o700, exist_ok=True)
        temporary = self.path + "~"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="surrogatepass") as file:
            json.dump(self.text, file)
        os.replace(temporary, self.path)
        self._on_disk = True


class Loop(Protocol):
    """What is needed of an event loop."""

    def call_later(self, delay: float, callback: Callable[[], None]) -> object:
        """Call back once, after `delay` seconds."""


class Keeper:
    """Keeps what `text` gives in a draft, a moment after `soon` was called; `'agenthistory'` says whether on disk."""

    def __init__(self, loop: Loop, editor: Editor, text: Callable[[], str]) -> None:
        self.draft: Draft | None = None
        self._loop, self._editor, self._text = loop, editor, text
        self._waits = self._failed = False

    def soon(self) -> None:
        """Keep it in a moment, together with what is typed until then."""
        if not self._waits:
            self._waits = True
            self._loop.call_later(KEEP_AFTER, self.now)

    def now(self) -> None:
        """Keep it; the first time that this is impossible the user is told."""
        self._waits = False
        if self.draft is None:
            return
        try:
            self.draft.keep(self._text(), on_disk=bool(self._editor.option("agenthistory")))
        except OSError as error:
            if not self._failed:
                self._editor.echo(f"The prompt is not kept: {self.draft.path}: {error.strerror}", error=True)
            self._failed = True


class Drafts:
    """The drafts of one editor; `directory` is where they are kept, `project` the directory it was started in."""

    def __init__(self, directory: str, project: str) -> None:
        self._directory = directory
        self._project = project
        self._open: dict[str, Draft] = {}
        self._left: dict[str, list[str]] = {}
        self._count = 0

    def open(self, agent: str) -> tuple[Draft, str]:
        """Begin the draft of a new session; return it with what earlier sessions of the agent have left, oldest first.

        What they left is kept in the new draft before their files go.
        """
        name = sha256(os.fsencode(f"{self._project}\0{agent}")).hexdigest()[:16]
        self._count += 1
        draft = Draft(os.path.join(self._directory, f"{name}.{os.getpid()}.{self._count}.json"))
        files = [path for path in self._files(name) if self._orphan(path)]
        texts = [*self._left.pop(agent, []), *filter(None, map(_read, files))]
        self._open[draft.path] = draft
        if texts:
            draft.keep("\n\n".join(texts), on_disk=bool(files))
        for path in files:
            if path != draft.path:
                with suppress(OSError):
                    os.remove(path)
        return draft, draft.text

    def close(self, agent: str, keeper: Keeper) -> None:
        """The session of a draft is over: its text is for the next one, and nothing is kept in it any more."""
        draft, keeper.draft = keeper.draft, None
        if draft is None:
            return
        self._open.pop(draft.path, None)
        if draft.text and not os.path.exists(draft.path):
            self._left.setdefault(agent, []).append(draft.text)

    def _files(self, name: str) -> list[str]:
        try:
            found = [entry for entry in os.scandir(self._directory) if entry.name.startswith(name + ".")]
            kept = [entry for entry in found if entry.name.endswith(".json") and entry.is_file(follow_symlinks=False)]
            return [entry.path for entry in sorted(kept, key=lambda entry: entry.stat().st_mtime)]
        except OSError:
            return []

    def _orphan(self, path: str) -> bool:
        """Whether the session of a file is gone."""
        if path in self._open:
            return False
        pid = os.path.basename(path).split(".")[1]
        return pid == str(os.getpid()) or not (pid.isdigit() and _alive(int(pid)))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _read(path: str) -> str:
    """Return a text that was kept, "" where the file holds none."""
    try:
        with open(path, encoding="utf-8", errors="surrogatepass") as file:
            text = json.load(file)
    except (OSError, ValueError):
        return ""
    return text if isinstance(text, str) else ""
