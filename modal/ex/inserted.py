"""What `<C-r>` puts on the command line: registers, and text under the cursor (`:help c_CTRL-R`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.registry import CommandFailed
from tpy.modal.text import chars
from tpy.modal.text.position import LINE

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine
    from tpy.modal.ex.prompt import CommandLine


def register_text(engine: Engine, name: str, line: CommandLine) -> str:
    """Return the text for a register's name, a key such as `<C-w>`, or `=` and an expression."""
    if len(name) > 1 and name[0] == "=":
        from tpy.modal.ex.expressions import evaluate_text

        return evaluate_text(engine, name[1:])
    if name in _UNDER_CURSOR:
        return _UNDER_CURSOR[name](engine, line)
    register = engine.editor.registers.get(name)
    if register is None:
        raise CommandFailed
    text = "\r".join(register.lines)
    return text + "\r" if register.kind == LINE else text


def _place(engine: Engine, line: CommandLine | None) -> tuple[str, int]:
    """Return the buffer's line and column that the keys work on: the end of the match of a search being typed."""
    number, col = engine.editor.window.cursor if line is None else line.preview.place(line.text)
    lines = engine.editor.buffer.lines
    return lines[min(number, len(lines) - 1)], col


def keyword_at(text: str, col: int, keyword: frozenset[int]) -> str:
    """Return the keyword under or after a column, else the run of other characters there (`:help star`)."""
    at = col
    while at < len(text) and not chars.is_word(text[at], keyword):
        at += 1
    if at == len(text):
        at = col
        while at < len(text) and text[at] in " \t":
            at += 1
        if at == len(text):
            raise CommandFailed("E348: No string under cursor")
    kind = chars.char_class(text[at], keyword)
    start = end = at
    while start and chars.char_class(text[start - 1], keyword) == kind and at == col:
        start -= 1
    while end < len(text) and chars.char_class(text[end], keyword) == kind:
        end += 1
    return text[start:end]


def _word(engine: Engine, line: CommandLine) -> str:
    """The keyword; what is typed of it already is left out where a search preview is shown."""
    text, col = _place(engine, line)
    keyword = chars.parse_option(engine.editor.option("iskeyword"))
    word = keyword_at(text, col, keyword)
    if engine.editor.option("incsearch"):
        head = line.text[: line.cursor]
        start = len(head)
        while start and chars.is_word(head[start - 1], keyword):
            start -= 1
        typed = head[start:]
        fold = engine.editor.option("ignorecase")
        if word.lower().startswith(typed.lower()) if fold else word.startswith(typed):
            return word[len(typed) :]
    return word


def _big_word(engine: Engine, line: CommandLine | None) -> str:
    """The WORD under the cursor."""
    text, col = _place(engine, line)
    at = col
    while at < len(text) and text[at] in " \t":
        at += 1
    if at >= len(text):
        raise CommandFailed("E349: No identifier under cursor")
    start = end = at
    while start and text[start - 1] not in " \t":
        start -= 1
    while end < len(text) and text[end] not in " \t":
        end += 1
    return text[start:end]


def _line(engine: Engine, line: CommandLine) -> str:
    """The whole line."""
    return _place(engine, line)[0]


def _file(engine: Engine, line: CommandLine | None) -> str:
    """The file name under the cursor."""
    text, col = _place(engine, line)
    allowed = chars.parse_option(engine.editor.option("isfname"))

    def _is_name(char: str) -> bool:
        return ord(char) in allowed or ord(char) > 255

    at = col
    while at < len(text) and not _is_name(text[at]):
        at += 1
    if at >= len(text):
        raise CommandFailed("E446: No file name under cursor")
    start = end = at
    while start and _is_name(text[start - 1]):
        start -= 1
    while end < len(text) and _is_name(text[end]):
        end += 1
    return text[start:end].rstrip(".,:;!")


_UNDER_CURSOR = {
    "<C-w>": _word,
    "<C-a>": _big_word,
    "<C-l>": _line,
    "<C-f>": _file,
    "<C-p>": _file,
}


def under_cursor(engine: Engine, name: str) -> str:
    """Return the text for `<cword>`, `<cWORD>` or `<cfile>` in an argument. Raises `CommandFailed`."""
    if name == "<cfile>":
        return _file(engine, None)
    if name == "<cWORD>":
        return _big_word(engine, None)
    text, col = _place(engine, None)
    return keyword_at(text, col, chars.parse_option(engine.editor.option("iskeyword")))
