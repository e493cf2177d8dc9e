"""Completion on the command line: what the word before the cursor may become (`:help cmdline-completion`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.ex.names import expand_home
from tpy.modal.ex.parse import _modifiers, _skip, _skip_range, find_command
from tpy.modal.options import OPTIONS
from tpy.modal.registry import commands

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# Short forms whose flags follow at once, so that they look like other names.
_SUBSTITUTES = re.compile(r"s[cgiIr]|k.$")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*|[^A-Za-z0-9\s]")


class Completion:
    """The matches for the word at `start` and which one is shown (-1: the word as typed)."""

    def __init__(self, text: str, start: int, cursor: int, matches: list[str]) -> None:
        self.text = text
        self.start = start
        self.end = cursor
        self.matches = matches
        self.index = -1

    def whole(self, word: str) -> tuple[str, int]:
        """Return the line with `word` in the place of what was typed, and the cursor behind it."""
        head = self.text[: self.start] + word
        return head + self.text[self.end :], len(head)

    def step(self, by: int) -> tuple[str, int]:
        """Go to another match; behind the last one comes the word as typed."""
        self.index = (self.index + 1 + by) % (len(self.matches) + 1) - 1
        if len(self.matches) == 1:
            self.index = 0
        return self.original() if self.index < 0 else self.whole(self.matches[self.index])

    def original(self) -> tuple[str, int]:
        """Return the line as it was typed."""
        return self.text, self.end

    def common(self) -> tuple[str, int]:
        """Return the line with the longest beginning of all matches."""
        word = _common(self.matches)
        return self.whole(word) if len(word) >= self.end - self.start else self.original()


def _common(words: list[str]) -> str:
    """Return what all words begin with."""
    first, last = min(words), max(words)
    size = next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    return first[:size]


def begin(engine: Engine, text: str, cursor: int) -> Completion | None:
    """Return the completion of the word before the cursor, `None` where nothing of a known kind stands."""
    head = text[:cursor]
    start, matches = _matches(engine, head)
    return Completion(text, start, cursor, matches) if matches is not None else None


def words(engine: Engine, text: str) -> tuple[int, list[str]]:
    """Return where the last word of a line of ex commands begins, and what it may become (`:help i_CTRL-X_CTRL-V`)."""
    start, matches = _matches(engine, text)
    return start, matches or []


def _matches(engine: Engine, head: str) -> tuple[int, list[str] | None]:
    """Return where the word begins and what it may become, `None` where it is mere text."""
    at = _command_start(head)
    if head[at:].lstrip(" \t:").startswith('"'):
        return len(head), None
    at = _modifiers(head, _skip(head, at))[1]
    at = _skip_range(head, at)
    match = _NAME.match(head, at)
    name = match[0] if match else ""
    end = match.end() if match else at
    if end == len(head) and (not name or name.isalnum()):
        return at, _command_names(engine, name)
    row = find_command(name)
    if row is None and not _SUBSTITUTES.match(name):
        return len(head), []
    if head[end : end + 1] == "!":
        end += 1
    kind = row.args if row is not None else ""
    start = _skip(head, end, " \t")
    if kind.startswith("agent"):
        return start, _of_agents(engine, kind, head[start:])
    provider = _PROVIDERS.get(kind)
    if provider is None:
        return len(head), None
    if kind != "command":
        word = re.search(r"(?:\\.|[^\\\s])*$", head[start:])
        assert word is not None
        start += word.start()
        return start, provider(engine, head[start:])
    inner, found = _matches(engine, head[start:])
    return start + inner, found


def _command_start(head: str) -> int:
    """Return where the last command of a line begins: behind the last `|` that no pattern or string holds."""
    at = head.rfind("|")
    while at > 0 and head[at - 1] in "\\\x16":
        at = head.rfind("|", 0, at)
    return at + 1


def _command_names(engine: Engine, prefix: str) -> list[str]:
    names = {
        row.name for row in commands if row.name.startswith(prefix) and row.name[0].isalpha() and "-" not in row.name
    }
    users = engine.editor.extra.get("user-commands", {})
    return sorted(names) + sorted(name for name in users if name.startswith(prefix))


def _options(engine: Engine, prefix: str) -> list[str]:
    lead = re.match(r"no|inv", prefix)
    names = sorted(OPTIONS)
    found = [name for name in names if name.startswith(prefix)]
    if prefix and not found:
        found = [row.name for row in OPTIONS.values() if row.short and row.short == prefix]
    if not found and lead is not None:
        rest = prefix[lead.end() :]
        found = [lead[0] + name for name in names if name.startswith(rest) and OPTIONS[name].type is bool]
    return found


def files(engine: Engine, prefix: str, *, directories: bool = False) -> list[str]:
    """Return the names of files that begin so, directories with a slash behind them, `/` and `~` understood."""
    plain = re.sub(r"\\(.)", r"\1", prefix)
    _, _, base = plain.rpartition("/")
    shown = plain[: len(plain) - len(base)]
    try:
        entries = sorted(os.scandir(expand_home(shown) or "."), key=lambda entry: entry.name)
    except OSError:
        return []
    found = []
    for entry in entries:
        if not entry.name.startswith(base) or (entry.name.startswith(".") and not base.startswith(".")):
            continue
        is_folder = entry.is_dir()
        if directories and not is_folder:
            continue
        name = shown + entry.name + ("/" if is_folder else "")
        found.append(re.sub(r"([ \t\\%#|\"'*?\[{`$])", r"\\\1", name))
    return found


def _directories(engine: Engine, prefix: str) -> list[str]:
    return files(engine, prefix, directories=True)


def _buffers(engine: Engine, prefix: str) -> list[str]:
    names = [
        b.name for b in engine.editor.buffers.values() if b.name and engine.editor.options.get("buflisted", b.options)
    ]
    return [name for name in names if prefix in name]


def _registers(engine: Engine, prefix: str) -> list[str]:
    return engine.editor.registers.names()


def _marks(engine: Engine, prefix: str) -> list[str]:
    return sorted(name for name in engine.editor.buffer.marks.named if name.isalpha())


def _of_agents(engine: Engine, kind: str, prefix: str) -> list[str]:
    """Return what the agents' room knows of that kind; names there may hold blanks and run to the end of the line."""
    provider = engine.editor.extra.get("agent-words")
    return provider(kind, prefix) if callable(provider) else []


_PROVIDERS: dict[str, Callable[[Engine, str], list[str]]] = {
    "file": files,
    "files": files,
    "directory": _directories,
    "buffer": _buffers,
    "option": _options,
    "command": lambda engine, prefix: _command_names(engine, prefix),
    "register": _registers,
    "mark": _marks,
}


def provide(kind: str, provider: Callable[[Engine, str], list[str]]) -> None:
    """Declare how arguments of a kind are completed (rooms above do, for the kinds of their commands)."""
    _PROVIDERS[kind] = provider
