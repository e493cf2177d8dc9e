"""`:set` in all its forms (`:help set-option`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tpy.modal.editor import Editor
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.optionvalues import UNSUPPORTED, checked
from tpy.modal.options import BUFFER, OPTIONS, WINDOW, Option, Value, find
from tpy.modal.registry import CommandFailed, command

_WORD = re.compile(r"(?:\\.|[^\\ \t])+|\\$")
# Cells of a column of `:set all`.
_COLUMN = 20
_FORM = re.compile(r"(no|inv)?([a-z]\w*|t_..|all)(.*)", re.S)


@command("se[t]", args="option")
def set_(ctx: ExContext) -> None:
    """Set or show options."""
    _set(ctx, local=True, everywhere=True)


@command("setl[ocal]", args="option")
def setlocal(ctx: ExContext) -> None:
    """Set options for this buffer or window only."""
    _set(ctx, local=True, everywhere=False)


@command("setg[lobal]", args="option")
def setglobal(ctx: ExContext) -> None:
    """Set the values that new buffers and windows begin with."""
    _set(ctx, local=False, everywhere=True)


def _set(ctx: ExContext, *, local: bool, everywhere: bool) -> None:
    editor = ctx.editor
    if not ctx.args:
        changed = [o for o in OPTIONS.values() if current(editor, o) != editor.options.default(o.name)]
        show(editor, changed)
        return
    for word in _WORD.findall(ctx.args):
        _one(ctx, word, local=local, everywhere=everywhere)


def _one(ctx: ExContext, word: str, *, local: bool, everywhere: bool) -> None:
    """Do one word of the argument."""
    editor = ctx.editor
    if word == "all":
        show(editor, sorted(OPTIONS.values(), key=lambda option: option.name))
        return
    if word == "all&":
        for option in OPTIONS.values():
            assign(editor, option, editor.options.default(option.name), local=True, everywhere=True)
        return
    prefix, option, tail = _split(word)
    rest = tail.lstrip(" \t")
    bad = CommandFailed(f"E474: Invalid argument: {word}")
    if rest[:1] in ("=", ":") or rest[:2] in ("+=", "-=", "^="):
        if prefix or option.type is bool:
            raise bad
        sign, text = ("", rest[1:]) if rest[0] in "=:" else (rest[0], rest[2:])
        value = checked(option, current(editor, option, local=local), sign, text, word)
        assign(editor, option, value, local=local, everywhere=everywhere)
        return
    if rest == "?" or (not rest and not prefix and option.type is not bool):
        show(editor, [option], local=local)
        return
    if rest.startswith("&"):
        if rest not in ("&", "&vi", "&vim"):
            raise CommandFailed(f"E488: Trailing characters: {word}")
        assign(editor, option, editor.options.default(option.name), local=local, everywhere=everywhere)
        return
    if rest == "<":
        assign(editor, option, editor.options.values[option.name], local=True, everywhere=False)
        return
    if rest and rest != "!":
        raise CommandFailed(f"E488: Trailing characters: {word}")
    if option.type is not bool:
        raise bad
    if prefix == "inv" or rest == "!":
        if prefix == "no" or (prefix == "inv" and rest):
            raise bad
        wanted = not current(editor, option, local=local)
    else:
        wanted = prefix != "no"
    assign(editor, option, wanted, local=local, everywhere=everywhere)


def _split(word: str) -> tuple[str, Option, str]:
    """Return the prefix `no` or `inv`, the option and what follows. Raises `CommandFailed` (E518, E519)."""
    match = _FORM.match(word)
    if match is None:
        raise CommandFailed(f"E518: Unknown option: {word}")
    whole = re.match(r"[a-z]\w*", word)
    if whole is not None:
        option = find(whole[0])
        if option is not None:
            return "", option, word[whole.end() :]
    option = find(match[2])
    if option is not None and match[1]:
        return match[1], option, match[3]
    names = {name for name in (match[2], whole[0] if whole else "") if name in UNSUPPORTED}
    if names:
        raise CommandFailed(f"E519: Option not supported: {word}")
    raise CommandFailed(f"E518: Unknown option: {word}")


def current(editor: Editor, option: Option, *, local: bool = True) -> Any:
    """Return the value that counts here, or with `local=False` the one for all others."""
    if option.name == "modified":
        return editor.buffer.modified
    if option.name == "modifiable":
        return editor.buffer.modifiable
    return editor.option(option.name) if local else editor.options.values[option.name]


def assign(editor: Editor, option: Option, value: Value, *, local: bool, everywhere: bool) -> None:
    """Give an option a value, with what follows from it."""
    effect = _EFFECTS.get(option.name)
    if effect is not None:
        effect(editor, value)
    editor.set_option(option.name, value, local=local or option.scope not in (BUFFER, WINDOW), everywhere=everywhere)


def _modified(editor: Editor, value: Value) -> None:
    if value:
        editor.buffer.undo.mark_unsaved()
    else:
        editor.buffer.undo.mark_saved()


def _modifiable(editor: Editor, value: Value) -> None:
    editor.buffer.modifiable = bool(value)


def _file_form(editor: Editor, value: Value) -> None:
    """A file whose form was changed is to be written."""
    editor.buffer.undo.mark_unsaved()


def _highlight(editor: Editor, value: Value) -> None:
    editor.search.shown = True


_EFFECTS: dict[str, Callable[[Editor, Value], None]] = {
    "modified": _modified,
    "modifiable": _modifiable,
    "fileformat": _file_form,
    "fileencoding": _file_form,
    "bomb": _file_form,
    "endofline": _file_form,
    "hlsearch": _highlight,
}


def shown(option: Option, value: Value) -> str:
    """Return an option with its value as `:set` shows it."""
    if isinstance(value, bool):
        return ("  " if value else "no") + option.name
    return f"  {option.name}={value}"


def show(editor: Editor, options: list[Option], *, local: bool = True) -> None:
    """Show options: short ones in columns, read downwards, and the long ones below, a line each, as Vim does."""
    if len(options) == 1:
        editor.echo(shown(options[0], current(editor, options[0], local=local)), keep=False)
        return
    told = [shown(option, current(editor, option, local=local)) for option in options]
    short = [text for text in told if len(text) < _COLUMN]
    columns = max((editor.layout.width + 2) // _COLUMN, 1)
    height = -(-len(short) // columns)
    lines = ["".join(text.ljust(_COLUMN) for text in short[row::height]).rstrip() for row in range(height)]
    editor.echo("\n".join(["--- Options ---", *lines, *(text for text in told if len(text) >= _COLUMN)]), keep=False)
