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
    # All at once: this is done for every command that types, of which a macro may have a million.
    get = editor.values(window)
    tabstop, shiftwidth, softtabstop = get["tabstop"], get["shiftwidth"], get["softtabstop"]
    return Style(
        tabstop=tabstop,
        shiftwidth=shiftwidth or tabstop,
        softtabstop=softtabstop if softtabstop >= 0 else shiftwidth or tabstop,
        expandtab=get["expandtab"],
        smarttab=get["smarttab"],
        shiftround=get["shiftround"],
        autoindent=get["autoindent"],
        smartindent=get["smartindent"] and not get["cindent"],
        copyindent=get["copyindent"],
        preserveindent=get["preserveindent"],
        textwidth=get["textwidth"],
        wrapmargin=get["wrapmargin"],
        formatoptions=get["formatoptions"],
        comments=get["comments"],
        cinwords=get["cinwords"],
        joinspaces=get["joinspaces"],
        backspace=get["backspace"],
        iskeyword=get["iskeyword"],
        list=get["list"],
        colon=not editor.options.vim and get["filetype"] == "python",
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
