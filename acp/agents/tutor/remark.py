"""The Tutor's remark in a file: which file is meant, and what its text becomes.

Pure, but for looking at what is in the directory. The change is small, visible and always the same: one line
of the Tutor's at the end of the file, in the file's own way of writing remarks, or that line counted up when
it is there already. Not here: reading and writing (`agent.py`, through the client).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from tpy.acp import schema

MARK = "The Tutor was here"

_STYLES = (
    ("# {}", "py pyi toml yaml yml sh bash zsh fish rb pl r mk cfg conf ini Makefile Dockerfile"),
    ("// {}", "js ts jsx tsx c h cc cpp hpp java go rs swift kt scala cs php dart zig"),
    ("-- {}", "sql lua hs elm"),
    ("; {}", "lisp clj el scm asm"),
    ('" {}', "vim vimrc"),
    ("% {}", "tex erl"),
    ("/* {} */", "css scss less"),
    ("<!-- {} -->", "html htm xml svg vue"),
)
"""How a remark is written, and the last parts of the names of the files that write it so."""

_NO_REMARKS = {"json", "csv", "tsv", "lock", "ipynb"}


class Change(NamedTuple):
    """A file's text before and after, and the line (from 1) that is new."""

    old: str
    new: str
    line: int


def change(path: str, text: str) -> Change | None:
    """The text with the Tutor's line added or counted up; None where the kind of file has no remarks."""
    style = _style(path)
    if style is None:
        return None
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.split(end)
    for number, line in enumerate(lines):
        count = re.search(re.escape(MARK) + r" \(edit (\d{1,9})\)", line)
        if count:
            return _with_line(text, lines, end, number, style, int(count[1]) + 1)
    # A text that ends in a newline has an empty last part: the new line takes its place before it.
    number = len(lines) - 1 if lines[-1] == "" else len(lines)
    lines.insert(number, "")
    return _with_line(text, lines, end, number, style, 1)


def _with_line(text: str, lines: list[str], end: str, number: int, style: str, count: int) -> Change:
    remark = f"{MARK} (edit {count}). Press u to take this line back."
    return Change(text, end.join([*lines[:number], style.format(remark), *lines[number + 1 :]]), number + 1)


def _style(path: str) -> str | None:
    """How a remark is written in that kind of file: plain text where nothing is known."""
    name = os.path.basename(path)
    kind = name.rsplit(".", 1)[-1]
    if kind.lower() in _NO_REMARKS:
        return None
    return next((style for style, kinds in _STYLES if kind in kinds.split()), "{}")


# --- which file -----------------------------------------------------------------------------------------


def mentioned_file(prompt: Sequence[Any], cwd: str) -> str | None:
    """The absolute path of the file a prompt names: by a resource, else by a word of its text."""
    for block in prompt:
        uri = ""
        if isinstance(block, schema.EmbeddedResource):
            uri = block.resource.uri
        elif isinstance(block, schema.ResourceLink):
            uri = block.uri
        path = _path_of(uri, cwd)
        if path:
            return path
    words = " ".join(text for text in map(schema.text_of, prompt) if text)
    return next((path for word in _words(words) if (path := named_file(word, cwd))), None)


def _path_of(uri: str, cwd: str) -> str | None:
    """The path of a `file:` URI, or of the bare path some clients send in its place."""
    if not uri:
        return None
    parts = urlsplit(uri)
    if parts.scheme == "file":
        return unquote(parts.path)
    return None if parts.scheme else os.path.normpath(os.path.join(cwd, unquote(parts.path)))


def _words(text: str) -> list[str]:
    """The words of a text, quoted ones whole, a leading `@` and punctuation around them taken off."""
    found = re.findall(r"@?\"([^\"]+)\"|(\S+)", text)
    return [quoted or bare.lstrip("@(`'").rstrip(".,;:!?)`'") for quoted, bare in found]


def named_file(word: str, cwd: str) -> str | None:
    """The absolute path when a word names an existing file under `cwd` or absolutely."""
    if not word or word.startswith("~"):
        return None
    path = os.path.normpath(os.path.join(cwd, word))
    return path if os.path.isfile(path) else None


def unseen_file(prompt: Sequence[Any], cwd: str) -> str | None:
    """The absolute path when a word looks like the name of a file that is not on disk: a buffer may have it."""
    words = " ".join(text for text in map(schema.text_of, prompt) if text)
    for word in _words(words):
        if re.fullmatch(r"[\w./+-]*[\w+-]{2,}\.\w{1,8}", word) and "//" not in word:
            return os.path.normpath(os.path.join(cwd, word))
    return None


def only_candidate(cwd: str) -> str | None:
    """The file that is clearly meant when none is named: the only text in the directory, else its README."""
    try:
        names = sorted(entry.name for entry in os.scandir(cwd) if entry.is_file() and entry.name[0] != ".")
    except OSError:
        return None
    texts = [name for name in names if _style(name) is not None and _is_text(os.path.join(cwd, name))]
    readmes = [name for name in texts if name.upper().startswith("README")]
    clear = texts if len(texts) == 1 else readmes[:1]
    return os.path.join(cwd, clear[0]) if clear else None


def _is_text(path: str) -> bool:
    try:
        with open(path, "rb") as stream:
            return b"\0" not in stream.read(4096)
    except OSError:
        return False
