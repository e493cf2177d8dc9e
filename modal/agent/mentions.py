"""`@` mentions in a prompt: finding them in what was typed, and the project's files they are picked from.

What a mention becomes on the wire is the bridge's business.
"""

from __future__ import annotations

import os
import re
from collections import deque
from typing import NamedTuple

from tpy.modal.agent.gitignore import Rules

# So much of a file that says what to leave out is read, in characters.
_MOST_RULES = 1 << 20
MOST_FILES = 5000
MOST_SHOWN = 200
# Mentions of what is no file: the last selection, the current file buffer, the quickfix list, the unstaged diff.
SPECIAL = (":sel", ":buf", ":qf", ":diff")
FILE, DIRECTORY, NAMED = "file", "directory", "named"

_WORD = re.compile(r'(?<!\S)@(?:"([^"\n]+)"|(\S+))')
_PUNCTUATION = ".,;:!?)]}>'\"*`_"


class Piece(NamedTuple):
    """A piece of a prompt: `kind` is "text", "file", "directory" or "named" (`SPECIAL`); `text` is the text or name."""

    kind: str
    text: str


def pieces(text: str, root: str) -> list[Piece]:
    """Return a prompt as texts and mentions, in order; blanks between two mentions are no text."""
    found: list[Piece] = []
    at = 0
    for match in _WORD.finditer(text):
        if match.start() < at:
            continue
        mention, end = _named(match, root)
        if mention is None:
            continue
        _add_text(found, text[at : match.start()])
        found.append(mention)
        at = end
    _add_text(found, text[at:])
    return found


def _add_text(found: list[Piece], text: str) -> None:
    if text.strip():
        found.append(Piece("text", text))


def _named(match: re.Match[str], root: str) -> tuple[Piece | None, int]:
    """Return what a word mentions and where that ends: the longest existing name, then without punctuation."""
    if match[1] is not None:
        kind = kind_of(match[1], root)
        return (Piece(kind, match[1]) if kind else None), match.end()
    name = match[2]
    while name:
        kind = NAMED if name in SPECIAL else kind_of(name, root)
        if kind:
            return Piece(kind, name), match.start(2) + len(name)
        if name[-1] not in _PUNCTUATION:
            break
        name = name[:-1]
    return None, match.end()


def kind_of(name: str, root: str) -> str:
    """Return "file" or "directory" for a name of the project, "" for anything else (also for what leads out of it)."""
    if name.startswith(("/", "~")) or ".." in name.split("/") or "\0" in name:
        return ""
    path = os.path.realpath(os.path.join(root, name))
    if not inside(path, root):
        return ""
    if name.endswith("/"):
        return DIRECTORY if os.path.isdir(path) else ""
    return FILE if os.path.isfile(path) else ""


def inside(path: str, root: str) -> bool:
    """Whether a real path lies in the directory `root`, links of both resolved."""
    top = os.path.realpath(root)
    return path == top or path.startswith(top.rstrip("/") + "/")


def quoted(name: str) -> str:
    """Return a file's name as it is typed after `@`."""
    return f'"{name}"' if re.search(r"\s", name) else name


def project_files(root: str, ignore: str = ".gitignore") -> list[str]:
    """Return the project's files relative to its root, nearest directories first, at most `MOST_FILES`.

    `ignore` is the name of the files that say what to leave out, "" for none; `.git` is always left out.
    """
    found: list[str] = []
    todo: deque[tuple[str, tuple[tuple[str, Rules], ...]]] = deque([("", ())])
    while todo and len(found) < MOST_FILES:
        directory, rules = todo.popleft()
        try:
            with os.scandir(os.path.join(root, directory)) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            continue
        rules += _rules_of(root, directory, ignore, [entry.name for entry in listed])
        for entry in listed:
            path = directory + entry.name
            is_directory = entry.is_dir(follow_symlinks=False)
            if (rules and _excluded(path, is_directory, rules)) or entry.name == ".git":
                continue
            if is_directory:
                todo.append((path + "/", rules))
            elif os.path.isfile(entry.path):  # a link may lead nowhere, or in circles
                found.append(path)
    return found[:MOST_FILES]


def _rules_of(root: str, directory: str, ignore: str, names: list[str]) -> tuple[tuple[str, Rules], ...]:
    path = os.path.join(root, directory, ignore)
    if not ignore or ignore not in names or not os.path.isfile(path):  # a pipe would never end
        return ()
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return ((directory, Rules(file.read(_MOST_RULES))),)
    except OSError:
        return ()


def _excluded(path: str, is_directory: bool, rules: tuple[tuple[str, Rules], ...]) -> bool:
    for base, own in reversed(rules):
        verdict = own.excludes(path[len(base) :], directory=is_directory)
        if verdict is not None:
            return verdict
    return False


def narrow(files: list[str], typed: str) -> list[str]:
    """Return the files that fit what was typed: own name first, then path, then letters in order."""
    if not typed:
        return files
    wanted = typed.lower()
    groups: tuple[list[str], list[str], list[str]] = ([], [], [])
    letters = re.compile(".*?".join(map(re.escape, wanted)), re.S)
    for path in files:
        low = path.lower()
        if low[low.rfind("/") + 1 :].startswith(wanted):
            groups[0].append(path)
        elif wanted in low:
            groups[1].append(path)
        elif letters.search(low) is not None:
            groups[2].append(path)
    return groups[0] + groups[1] + groups[2]
