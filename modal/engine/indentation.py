"""Indents: how wide one is, how it is written, and the shifting of it (`:help shift-left-right`)."""

from __future__ import annotations

from typing import NamedTuple

from tpy.modal.editor import Editor
from tpy.modal.registry import CommandFailed
from tpy.modal.view.window import Window

BLANKS = " \t"
# An indent is not made wider than this by a count.
MOST_COLUMNS = 1_000_000


class Style(NamedTuple):
    """The options that typing, indenting and formatting read, as they are in one window."""

    tabstop: int
    shiftwidth: int
    softtabstop: int
    expandtab: bool
    smarttab: bool
    shiftround: bool
    autoindent: bool
    smartindent: bool
    copyindent: bool
    preserveindent: bool
    textwidth: int
    wrapmargin: int
    formatoptions: str
    comments: str
    cinwords: str
    joinspaces: bool
    backspace: str
    iskeyword: str
    list: bool
    # Whether a line ending in a colon is followed by a deeper one, as in Python.
    colon: bool


def style_of(editor: Editor, window: Window) -> Style:
    """Read the options of a window."""

    def _get(name: str) -> object:
        return editor.option(name, window)

    tabstop, shiftwidth = int(str(_get("tabstop"))), int(str(_get("shiftwidth")))
    softtabstop = int(str(_get("softtabstop")))
    python = not editor.options.vim and _get("filetype") == "python"
    return Style(
        tabstop=tabstop,
        shiftwidth=shiftwidth or tabstop,
        softtabstop=softtabstop if softtabstop >= 0 else shiftwidth or tabstop,
        expandtab=bool(_get("expandtab")),
        smarttab=bool(_get("smarttab")),
        shiftround=bool(_get("shiftround")),
        autoindent=bool(_get("autoindent")),
        smartindent=bool(_get("smartindent")) and not _get("cindent"),
        copyindent=bool(_get("copyindent")),
        preserveindent=bool(_get("preserveindent")),
        textwidth=int(str(_get("textwidth"))),
        wrapmargin=int(str(_get("wrapmargin"))),
        formatoptions=str(_get("formatoptions")),
        comments=str(_get("comments")),
        cinwords=str(_get("cinwords")),
        joinspaces=bool(_get("joinspaces")),
        backspace=str(_get("backspace")),
        iskeyword=str(_get("iskeyword")),
        list=bool(_get("list")),
        colon=python,
    )


def blank_count(text: str) -> int:
    """Return how many blanks the line begins with."""
    return len(text) - len(text.lstrip(BLANKS))


def width(text: str, tabstop: int) -> int:
    """Return the display columns of the blanks that a line begins with."""
    columns = 0
    for char in text:
        if char == "\t":
            columns += tabstop - columns % tabstop
        elif char == " ":
            columns += 1
        else:
            break
    return columns


def blanks(columns: int, style: Style) -> str:
    """Return the blanks for an indent of that many columns."""
    if style.expandtab:
        return " " * columns
    return "\t" * (columns // style.tabstop) + " " * (columns % style.tabstop)


def _kept(text: str, columns: int, style: Style) -> str:
    """Return blanks for an indent that keep as much as possible of the one the line has (`preserveindent`)."""
    kept, done = 0, 0
    for char in text[: blank_count(text)]:
        cells = style.tabstop - done % style.tabstop if char == "\t" else 1
        if done + cells > columns:
            break
        kept, done = kept + 1, done + cells
    rest = columns - done
    if style.expandtab:
        return text[:kept] + " " * rest
    first = style.tabstop - done % style.tabstop
    if rest >= first:
        return text[:kept] + "\t" + blanks(rest - first, style)
    return text[:kept] + " " * rest


def indented(text: str, columns: int, style: Style) -> str:
    """Return the line with an indent of that many columns."""
    new = _kept(text, columns, style) if style.preserveindent else blanks(columns, style)
    return new + text[blank_count(text) :]


def copied(columns: int, source: str, style: Style) -> str:
    """Return blanks for an indent that is written as that of `source` is (`copyindent`)."""
    return _kept(source, columns, style)


def bearable(columns: int) -> int:
    """Return a number of columns that was typed. Raises `CommandFailed` (E1240) where no memory would hold it."""
    if columns > MOST_COLUMNS:
        raise CommandFailed("E1240: Resulting text too long")
    return columns


def shifted(columns: int, amount: int, style: Style, *, round_off: bool) -> int:
    """Return the indent moved by `amount` times `shiftwidth`, to the left where negative, rounded if asked."""
    step = style.shiftwidth
    bearable(abs(amount) * step)
    if not round_off:
        return max(columns + step * amount, 0)
    whole, rest = divmod(columns, step)
    if rest and amount < 0:
        amount += 1
    return max(whole + amount, 0) * step
