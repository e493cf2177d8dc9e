"""The quickfix list and the location lists: filling them, showing them, going through them (`:help quickfix`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.editor import Editor
from tpy.modal.engine import patterns
from tpy.modal.ex import shell
from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.filecmds import require_saved, show_buffer
from tpy.modal.ex.filestate import open_buffer
from tpy.modal.ex.leavecmds import close_window
from tpy.modal.ex.names import file_names
from tpy.modal.ex.run import run_line
from tpy.modal.ex.viewcmds import copy_window
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.files import FileProblem, load
from tpy.modal.text.pattern import Pattern, SearchStopped, find_all, split_pattern
from tpy.modal.text.places import visible
from tpy.modal.text.position import Pos, clamp
from tpy.modal.view.layout import COLUMN
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# Rows that the window of a list has at first.
_HEIGHT = 10


class Entry(NamedTuple):
    """A place in a file, `line` and `col` from 0 (`None`: only the line is known), with what is said about it.

    `name` is "" for mere text. `end` is where it ends, exclusive, `None` where that is not known.
    """

    name: str
    line: int
    col: int | None
    text: str
    end: Pos | None = None

    @property
    def where(self) -> str:
        """The lines and columns as lists show them, from 1."""
        line, col, end = f"{self.line + 1}", "" if self.col is None else f" col {self.col + 1}", self.end
        if end is not None and end.line != self.line:
            line += f"-{end.line + 1}"
        if end is not None and end.col != self.col:
            col += f"-{end.col + 1}"
        return line + col

    @property
    def said(self) -> str:
        """What is said about the place, without indent."""
        return self.text.lstrip(" \t")


class Places:
    """A list of entries and the one that is current."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.index = 0


def places_of(editor: Editor, *, local: bool) -> Places:
    """Return the quickfix list, or the location list of the current window."""
    keeper = editor.window.extra if local else editor.extra
    places = keeper.get("places")
    if not isinstance(places, Places):
        places = keeper["places"] = Places()
    return places


def _formats(option: str) -> list[re.Pattern[str]]:
    """Return `'errorformat'` as patterns: `%f %l %c %m` and plain text."""
    parts = {"f": r"(?P<name>[^:|\n]+?)", "l": r"(?P<line>\d+)", "c": r"(?P<col>\d+)", "m": r"(?P<text>.*)"}
    found = []
    for form in option.split(","):
        pieces = re.split(r"%([flcm%])", form)
        text = "".join(
            parts.get(piece, re.escape("%")) if number % 2 else re.escape(piece) for number, piece in enumerate(pieces)
        )
        found.append(re.compile(text + r"\Z"))
    return found


def parse_lines(option: str, lines: list[str]) -> list[Entry]:
    """Return the entries that messages of a compiler or `grep` stand for."""
    formats = _formats(option)
    entries = []
    for line in lines:
        match = next((m for form in formats if (m := form.match(line)) is not None), None)
        if match is None:
            entries.append(Entry("", 0, 0, line))
            continue
        groups = match.groupdict()
        column = groups.get("col")
        col = max(int(column) - 1, 0) if column else None
        entries.append(Entry(groups["name"], max(int(groups["line"]) - 1, 0), col, groups["text"].strip()))
    return entries


def _fill(ctx: ExContext, entries: list[Entry], *, local: bool, jump: bool, add: bool = False) -> None:
    """Make the list and go to its first place."""
    places = places_of(ctx.editor, local=local)
    places.entries = places.entries + entries if add else entries
    places.index = 0
    ctx.editor.run_hooks("places-changed", places)
    if jump and any(entry.name for entry in places.entries):
        _go(ctx, places, next(n for n, entry in enumerate(places.entries) if entry.name))


def _go(ctx: ExContext, places: Places, index: int) -> None:
    """Go to an entry, in a window that shows no list."""
    if not places.entries:
        raise CommandFailed("E42: No Errors")
    places.index = index
    entry = places.entries[index]
    editor = ctx.editor
    if "list-of" in editor.window.extra:
        other = next((window for window in editor.layout.windows() if "list-of" not in window.extra), None)
        if other is not None:
            editor.focus(other)
    if entry.name:
        if editor.buffer_named(entry.name) is not ctx.buffer:
            require_saved(ctx, ctx.buffer)
        show_buffer(ctx, open_buffer(editor, entry.name))
        ctx.push_jump()
        if entry.col is None:
            ctx.go_to_nonblank(min(entry.line, len(ctx.lines) - 1))
        else:
            ctx.window.cursor = clamp(Pos(entry.line, entry.col), ctx.lines)
        ctx.window.want = None
    editor.echo(f"({index + 1} of {len(places.entries)}): {entry.said}")
    _follow(editor, places)


def _follow(editor: Editor, places: Places) -> None:
    """Keep the cursor of the window that shows the list on the current entry."""
    for window in editor.windows():
        if window.extra.get("list-of") is places:
            window.cursor = clamp(Pos(places.index, 0), window.buffer.lines)


def _step(ctx: ExContext, by: int, *, local: bool) -> None:
    places = places_of(ctx.editor, local=local)
    if not places.entries:
        raise CommandFailed("E776: No location list" if local else "E42: No Errors")
    index = places.index + by
    while 0 <= index < len(places.entries) and not places.entries[index].name:
        index += 1 if by > 0 else -1
    if not 0 <= index < len(places.entries):
        raise CommandFailed("E553: No more items")
    _go(ctx, places, index)


def _next(ctx: ExContext, local: bool) -> None:
    """Go to the next place of the {list}."""
    _step(ctx, ctx.count or 1, local=local)


def _previous(ctx: ExContext, local: bool) -> None:
    """Go to the place before in the {list}."""
    _step(ctx, -(ctx.count or 1), local=local)


def _first(ctx: ExContext, local: bool) -> None:
    """Go to the first place of the {list}."""
    _go(ctx, places_of(ctx.editor, local=local), (ctx.count or 1) - 1)


def _last(ctx: ExContext, local: bool) -> None:
    """Go to the last place of the {list}."""
    places = places_of(ctx.editor, local=local)
    _go(ctx, places, (ctx.count or len(places.entries)) - 1)


def _current(ctx: ExContext, local: bool) -> None:
    """Go to a place of the {list} by its number."""
    places = places_of(ctx.editor, local=local)
    _go(ctx, places, min(ctx.count - 1 if ctx.count else places.index, max(len(places.entries) - 1, 0)))


def _open_window(ctx: ExContext, local: bool) -> None:
    """Open a window with the {list}."""
    _open(ctx, places_of(ctx.editor, local=local), local=local)


def _close_window(ctx: ExContext, local: bool) -> None:
    """Close the window with the {list}."""
    places = places_of(ctx.editor, local=local)
    for window in list(ctx.editor.layout.windows()):
        if window.extra.get("list-of") is places:
            close_window(ctx.editor, window)


def _window(ctx: ExContext, local: bool) -> None:
    """Open the window with the {list} if there is something in it, else close it."""
    if places_of(ctx.editor, local=local).entries:
        _open_window(ctx, local)
    else:
        _close_window(ctx, local)


def _show(ctx: ExContext, local: bool) -> None:
    """Show the places of the {list}, with `!` the lines between them that name none too."""
    places = places_of(ctx.editor, local=local)
    if not places.entries:
        raise CommandFailed("E776: No location list" if local else "E42: No Errors")
    every = ctx.bang or not any(entry.name for entry in places.entries)
    lines = []
    for number, entry in enumerate(places.entries, 1):
        if every or entry.name:
            place = f" {visible(entry.name)}:{entry.where}" if entry.name else ""
            lines.append(f"{number:2}{place}: {visible(entry.said.expandtabs(ctx.option('tabstop')))}")
    ctx.show("\n".join(lines))


def _each_place(ctx: ExContext, local: bool) -> Work:
    """Run a command at each place of the {list}."""
    yield from _each(ctx, places_of(ctx.editor, local=local), files=False)


def _each_file(ctx: ExContext, local: bool) -> Work:
    """Run a command in each file of the {list}."""
    yield from _each(ctx, places_of(ctx.editor, local=local), files=True)


# The commands of the quickfix list, those of the location list, and what they do.
_BOTH: tuple[tuple[str, str, Callable[[ExContext, bool], Any]], ...] = (
    ("cn[ext]", "lne[xt]", _next),
    ("cp[revious]", "lp[revious]", _previous),
    ("cN[ext]", "lN[ext]", _previous),
    ("cfir[st]", "lfir[st]", _first),
    ("cr[ewind]", "lr[ewind]", _first),
    ("cla[st]", "lla[st]", _last),
    ("cc", "ll", _current),
    ("cope[n]", "lop[en]", _open_window),
    ("ccl[ose]", "lcl[ose]", _close_window),
    ("cw[indow]", "lw[indow]", _window),
    ("cl[ist]", "lli[st]", _show),
    ("cdo", "ld[o]", _each_place),
    ("cfd[o]", "lfd[o]", _each_file),
)


def _declare(notation: str, function: Callable[[ExContext, bool], Any], *, local: bool) -> None:
    def _run(ctx: ExContext) -> Any:
        return function(ctx, local)

    _run.__doc__ = (function.__doc__ or "").format(list="location list" if local else "quickfix list")
    if function in (_each_place, _each_file):
        command(notation, range="quickfix", bang=True, args="command", bar=False, need=True)(_run)
    else:
        command(notation, range="quickfix", bang=True, count=True)(_run)


for _quickfix, _location, _function in _BOTH:
    _declare(_quickfix, _function, local=False)
    _declare(_location, _function, local=True)


def row(entry: Entry) -> str:
    """Return an entry as its window shows it."""
    return f"{visible(entry.name)}|{entry.where}| {entry.said}" if entry.name else f"|| {entry.text}"


def _open(ctx: ExContext, places: Places, *, local: bool) -> None:
    """Open the window of a list below all others, or go there."""
    editor = ctx.editor
    lines = [row(entry) for entry in places.entries] or [""]
    for window in editor.layout.windows():
        if window.extra.get("list-of") is places:
            editor.focus(window)
            return
    buffer = editor.add_buffer(lines, name="[Location List]" if local else "[Quickfix List]")
    buffer.options.update(buftype="quickfix", buflisted=False)
    buffer.modifiable = False
    window = copy_window(editor.window, buffer)
    window.extra["list-of"] = places
    if local:
        window.extra["places"] = places
    editor.layout.split_whole(window, COLUMN, after=True, size=ctx.count or _HEIGHT)
    editor.focus(window)
    _follow(editor, places)
    if "list-keys" not in editor.extra:
        editor.extra["list-keys"] = True
        ctx.engine.key_hooks.append(lambda key: key == "<CR>" and _entered(ctx.engine))


def _entered(engine: Engine) -> bool:
    """Go to the entry under the cursor of a list's window; return whether this is one."""
    window = engine.editor.window
    places = window.extra.get("list-of")
    if places is None or engine.mode != "n" or engine.prompt is not None or engine.normal.busy:
        return False
    engine.run_ex(f"{'ll' if window.extra.get('places') is places else 'cc'} {window.cursor.line + 1}")
    return True


def _each(ctx: ExContext, places: Places, *, files: bool) -> Work:
    """Run the argument at each entry, or once in each file."""
    seen: set[str] = set()
    for index, entry in enumerate(list(places.entries)):
        if not entry.name or (files and entry.name in seen):
            continue
        seen.add(entry.name)
        _go(ctx, places, index)
        yield from run_line(ctx.engine, ctx.args)


# Filling the lists


def _run_program(ctx: ExContext, option: str, *, local: bool, add: bool = False) -> None:
    program = ctx.option(option)
    line = program.replace("$*", ctx.args) if "$*" in program else f"{program} {ctx.args}".rstrip()
    done = shell.run(ctx.editor, shell.command_line(ctx, line.replace("!", r"\!")))
    entries = parse_lines(ctx.option("errorformat"), shell.output_lines(done.text))
    ctx.editor.run_hooks("shell-done")
    _fill(ctx, entries, local=local, jump=not ctx.bang, add=add)


@command("mak[e]", bang=True, args="shell", bar=False)
def make(ctx: ExContext) -> None:
    """Run `'makeprg'` and go to the first place it complains about."""
    _run_program(ctx, "makeprg", local=False)


@command("lmak[e]", bang=True, args="shell", bar=False)
def lmake(ctx: ExContext) -> None:
    """Run `'makeprg'` into the location list."""
    _run_program(ctx, "makeprg", local=True)


@command("gr[ep]", bang=True, args="shell", bar=False)
def grep(ctx: ExContext) -> None:
    """Search with `'grepprg'` and go to the first place."""
    _run_program(ctx, "grepprg", local=False)


@command("grepa[dd]", bang=True, args="shell", bar=False)
def grepadd(ctx: ExContext) -> None:
    """Search with `'grepprg'` and add what is found to the list."""
    _run_program(ctx, "grepprg", local=False, add=True)


@command("lgr[ep]", bang=True, args="shell", bar=False)
def lgrep(ctx: ExContext) -> None:
    """Search with `'grepprg'` into the location list."""
    _run_program(ctx, "grepprg", local=True)


def _vimgrep(ctx: ExContext, *, local: bool, add: bool = False) -> None:
    """Search files with a Vim pattern; the flags are `g` (every match) and `j` (stay here)."""
    args = ctx.args
    if args[:1].isalnum() or args[:1] == "_":
        pattern, _, rest = args.partition(" ")
        flags = ""
    else:
        pattern, tail = split_pattern(args[1:], args[:1])
        if tail is None:
            raise CommandFailed("E682: Invalid search pattern or delimiter")
        flags = tail[: len(tail) - len(tail.lstrip("gjf"))]
        rest = tail[len(flags) :]
    if not rest.strip():
        raise CommandFailed("E683: File name missing or invalid pattern")
    pattern = pattern or patterns.last_pattern(ctx.editor)
    compiled = patterns.compiled(ctx.editor, pattern)
    entries: list[Entry] = []
    names = file_names(ctx.engine, rest)
    for number, name in enumerate(names):
        ctx.tell(number, len(names))
        entries.extend(_matches(ctx, compiled, name, every="g" in flags))
    if not entries:
        raise CommandFailed(f"E480: No match: {pattern}")
    _fill(ctx, entries, local=local, jump="j" not in flags, add=add)


def _matches(ctx: ExContext, pattern: Pattern, name: str, *, every: bool) -> list[Entry]:
    """Return the matches in a file: in its buffer where there is one."""
    buffer = ctx.editor.buffer_named(name)
    try:
        lines = buffer.lines if buffer is not None and not buffer.extra.get("unloaded") else load(name).text.lines
    except FileProblem:
        return []
    context = patterns.match_context(ctx.engine)
    entries = []
    try:
        for number in pattern.candidates(lines, 0, len(lines)):
            context.check()
            found = list(find_all(lines, pattern, number, context))
            for match in found if every else found[:1]:
                entries.append(Entry(name, match.start[0], match.start[1], lines[number], Pos(*match.end)))
    except SearchStopped as stopped:
        raise CommandFailed(str(stopped)) from None
    return entries


@command("vim[grep]", range="count", bang=True, args="files", bar=False, need=True)
def vimgrep(ctx: ExContext) -> None:
    """Search files with a Vim pattern: `:vimgrep /pattern/ files`."""
    _vimgrep(ctx, local=False)


@command("vimgrepa[dd]", range="count", bang=True, args="files", bar=False, need=True)
def vimgrepadd(ctx: ExContext) -> None:
    """Search files with a Vim pattern and add to the list."""
    _vimgrep(ctx, local=False, add=True)


@command("lv[imgrep]", range="count", bang=True, args="files", bar=False, need=True)
def lvimgrep(ctx: ExContext) -> None:
    """Search files with a Vim pattern into the location list."""
    _vimgrep(ctx, local=True)


def read_file(ctx: ExContext, name: str) -> None:
    """Fill the quickfix list from a file with messages (`-q`, `:cfile`). Raises `CommandFailed` (E40)."""
    try:
        loaded = load(name)
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    if loaded.stamp is None:
        raise CommandFailed(f"E40: Can't open errorfile {name}")
    _fill(ctx, parse_lines(ctx.option("errorformat"), loaded.text.lines), local=False, jump=True)


@command("cf[ile]", bang=True, args="file", need=True)
def cfile(ctx: ExContext) -> None:
    """Fill the quickfix list from a file with messages."""
    read_file(ctx, ctx.args)


def enter_pressed(ctx: ExContext, window: Window) -> bool:
    """Go to the entry under the cursor of a list's window; `False` where the window shows none."""
    places = window.extra.get("list-of")
    if not isinstance(places, Places):
        return False
    _go(ctx, places, min(window.cursor.line, max(len(places.entries) - 1, 0)))
    return True
