"""File names in ex commands: `~`, `$VAR`, `%`, `#`, `<cword>`, modifiers such as `:p:h`, wildcards, escapes.

Source: `:help cmdline-special`, `:help wildcards`. No file is read or written here.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tpy.modal.registry import CommandFailed
from tpy.modal.text.places import absolute, working_directory

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

_SPECIAL = re.compile(
    r"\\([%#])|(%|##|#<?\d*|<(?:cword|cWORD|cfile|afile|abuf|amatch|sfile)>)((?::(?:[phtre8~.]|g?s(.).*?\4.*?\4))*)"
)
_VARIABLE = re.compile(r"\$(\w+)|\$\{(\w+)\}")


def expand_home(name: str) -> str:
    """Return the name with a leading `~` or `~user` replaced."""
    return os.path.expanduser(name) if name.startswith("~") else name


def modified(name: str, modifiers: str) -> str:
    """Return a file name under modifiers such as `:p:h:t:r:e` (`:help filename-modifiers`)."""
    for modifier in re.findall(r":(g?s(.).*?\2.*?\2|.)", modifiers):
        letter = modifier[0]
        if letter == "p":
            name = absolute(expand_home(name)) if name else name
        elif letter == "~":
            home = os.path.expanduser("~")
            name = "~" + name[len(home) :] if name.startswith(home + "/") else name
        elif letter == ".":
            relative = os.path.relpath(name, working_directory()) if os.path.isabs(name) else name
            name = name if relative.startswith("..") else relative
        elif letter == "h":
            name = os.path.dirname(name) or "."
        elif letter == "t":
            name = os.path.basename(name)
        elif letter == "r":
            name = os.path.splitext(name)[0]
        elif letter == "e":
            name = os.path.splitext(name)[1].lstrip(".")
        else:
            flag, _, rest = letter.partition("s")
            old, new = rest[1:].split(rest[0])[:2]
            name = name.replace(old, new) if flag else name.replace(old, new, 1)
    return name


def expand_names(engine: Engine, text: str) -> str:
    """Return the text with `%`, `#` and the other special names replaced. Raises `CommandFailed` (E194, E499)."""
    if not any(char in text for char in "%#<"):
        return text

    def _replaced(match: re.Match[str]) -> str:
        if match[1]:
            return match[1]
        return modified(_special(engine, match[2]), match[3])

    return _SPECIAL.sub(_replaced, text)


def _special(engine: Engine, name: str) -> str:
    editor = engine.editor
    if name == "%":
        if not editor.buffer.name:
            raise CommandFailed("E499: Empty file name for '%' or '#', only works with \":p:h\"")
        return editor.buffer.name
    if name == "##":
        return " ".join(editor.arguments)
    if name.startswith("#"):
        digits = name.lstrip("#<")
        number = int(digits) if digits else editor.window.alternate
        buffer = editor.buffers.get(number) if number is not None else None
        if buffer is None or not buffer.name:
            raise CommandFailed("E194: No alternate file name to substitute for '#'")
        return buffer.name
    if name in ("<cword>", "<cWORD>", "<cfile>"):
        from tpy.modal.ex.inserted import under_cursor

        return under_cursor(engine, name)
    found = editor.extra.get("autocmd-file", "")
    return str(found)


def file_name(engine: Engine, text: str) -> str:
    """Return the one file that an argument names, everything expanded, `""` for none.

    Raises `CommandFailed` (E77) where wildcards match several.
    """
    names = file_names(engine, text)
    if len(names) > 1:
        raise CommandFailed("E77: Too many file names")
    return names[0] if names else ""


def file_names(engine: Engine, text: str) -> list[str]:
    """Return the files that an argument names; a backslash protects a blank, a pattern without match stays."""
    names: list[str] = []
    for word in re.findall(r"(?:\\.|[^\\\s]|\\$)+", text):
        expanded = _VARIABLE.sub(lambda m: os.environ.get(m[1] or m[2], m[0]), expand_names(engine, word))
        expanded = expand_home(expanded)
        if re.search(r"(?<!\\)[*?\[{]", expanded):
            import glob

            pattern = re.sub(r"\\([^*?\[])", r"\1", expanded)
            found = sorted(glob.glob(pattern, recursive=True))
            names.extend(found or [_unescaped(expanded)])
        else:
            names.append(_unescaped(expanded))
    return names


def _unescaped(name: str) -> str:
    return re.sub(r"\\([^\w])", r"\1", name)
