"""Commands that tell something: registers, marks, jumps, changes, messages, history, version (`:help :registers`)."""

from __future__ import annotations

import re

from tpy.modal.editor import Editor
from tpy.modal.engine.charinfo import show_character
from tpy.modal.engine.context import Context
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.digraphs import table
from tpy.modal.text.places import visible
from tpy.modal.text.position import BLOCK, LINE, Pos
from tpy.modal.text.width import char_cells

_TYPES = {LINE: "l", BLOCK: "b"}


@command("reg[isters]", args="register")
def registers(ctx: ExContext) -> None:
    """Show what the registers hold."""
    wanted = ctx.args.replace(" ", "")
    lines = ["Type Name Content"]
    for name in ctx.editor.registers.names():
        held = ctx.editor.registers.get(name)
        if held is not None and (not wanted or name in wanted):
            kind = _TYPES.get(held.kind, "c")
            lines.append(f'  {kind}  "{name}   {visible(held.text())[:200]}')
    ctx.show("\n".join(lines))


@command("di[splay]", args="register")
def display(ctx: ExContext) -> None:
    """Show what the registers hold."""
    registers(ctx)


def all_marks(editor: Editor) -> list[tuple[str, Pos, str]]:
    """Return the marks as (name, place, text of the line or name of the file), in the order of `:marks`."""
    buffer = editor.buffer
    found: list[tuple[str, Pos, str]] = []

    def _add(name: str, pos: Pos | None) -> None:
        if pos is not None and pos.line < len(buffer.lines):
            found.append((name, pos, buffer.lines[pos.line].strip()))

    _add("'", buffer.marks.get("'") or Pos(0, 0))
    for name in "abcdefghijklmnopqrstuvwxyz":
        _add(name, buffer.marks.get(name))
    for name, (number, pos) in sorted(editor.file_marks.items()):
        other = editor.buffers.get(number)
        if number == buffer.number:
            _add(name, pos)
        elif other is not None:
            found.append((name, pos, other.name))
    for name in '"[]^.':
        _add(name, buffer.marks.get(name))
    if buffer.marks.visual is not None:
        start, end = sorted((buffer.marks.visual[1], buffer.marks.visual[2]))
        _add("<", start)
        _add(">", end)
    return found


@command("marks", args="mark")
def marks(ctx: ExContext) -> None:
    """Show the marks."""
    wanted = ctx.args.replace(" ", "")
    lines = ["mark line  col file/text"]
    for name, pos, text in all_marks(ctx.editor):
        if not wanted or name in wanted:
            lines.append(f" {name} {pos.line + 1:6} {pos.col:4} {visible(text)}")
    if wanted and len(lines) == 1:
        raise CommandFailed(f'E283: No marks matching "{wanted}"')
    ctx.show("\n".join(lines))


@command("delm[arks]", bang=True, args="mark")
def delmarks(ctx: ExContext) -> None:
    """Delete marks, with `!` all of `a` to `z`."""
    named = ctx.buffer.marks.named
    text = ctx.args.replace(" ", "")
    if ctx.bang:
        if text:
            raise CommandFailed("E474: Invalid argument")
        for name in [name for name in named if "a" <= name <= "z"]:
            del named[name]
        return
    if not text:
        raise CommandFailed("E471: Argument required")
    for first, _, last in re.findall(r"(.)(-(.))?", text):
        end = last or first
        if last and (not first.isalnum() or first > end or first.islower() != end.islower()):
            raise CommandFailed(f"E475: Invalid argument: {text}")
        for code in range(ord(first), ord(end) + 1):
            name = chr(code)
            if not (name.isascii() and name.isalnum()) and name not in '"^.<>[]':
                raise CommandFailed(f"E475: Invalid argument: {text}")
            if name.isupper() or name.isdigit():
                ctx.editor.file_marks.pop(name, None)
            else:
                named.pop(name, None)


def _fitting(ctx: ExContext, text: str, taken: int) -> str:
    """Return what of a line, without indent, is shown in a row of which `taken` cells are not for it."""
    text = text.lstrip(" \t")
    room = ctx.editor.layout.width - taken
    for index, char in enumerate(text):
        room -= char_cells(char, 0, 2)  # a tab is shown as ^I
        if room <= 0:
            return text[:index]
    return text


@command("ju[mps]")
def jumps(ctx: ExContext) -> None:
    """Show the jump list."""
    own = ctx.window.jumps
    own.tidy()
    lines = [" jump line  col file/text"]
    for index, (number, pos) in enumerate(own.places):
        other = ctx.editor.buffers.get(number)
        if other is None:
            continue
        own_text = other is ctx.buffer and pos.line < len(other.lines)
        text = _fitting(ctx, other.lines[pos.line], 16) if own_text else other.name
        mark = ">" if index == own.index else " "
        lines.append(f"{mark}{abs(own.index - index):4} {pos.line + 1:5} {pos.col:4} {visible(text)}")
    if own.index >= len(own.places):
        lines.append(">")
    ctx.show("\n".join(lines))


@command("cle[arjumps]")
def clearjumps(ctx: ExContext) -> None:
    """Empty the jump list of the window."""
    ctx.window.jumps.places, ctx.window.jumps.index = [], 0


@command("changes")
def changes(ctx: ExContext) -> None:
    """Show the change list."""
    own = ctx.buffer.marks.changes
    index = ctx.window.change_index[0] if ctx.window.change_index is not None else len(own)
    lines = ["change line  col text"]
    for number, pos in enumerate(own):
        text = _fitting(ctx, ctx.lines[pos.line], 17) if pos.line < len(ctx.lines) else ""
        mark = ">" if number == index else " "
        lines.append(f"{mark}{abs(index - number):4} {pos.line + 1:5} {pos.col:4} {visible(text)}")
    if index >= len(own):
        lines.append(">")
    ctx.show("\n".join(lines))


@command("mes[sages]", range="count", args="rest", count=True)
def messages(ctx: ExContext) -> None:
    """Show the messages there were; `:messages clear` forgets them."""
    editor = ctx.editor
    if ctx.args == "clear":
        editor.messages.clear()
        return
    if ctx.args:
        raise CommandFailed("E474: Invalid argument")
    texts = [message.text for message in editor.messages]
    if ctx.count:
        texts = texts[-ctx.count :]
    shown = "\n".join(texts)
    editor.echo(shown, keep=False)


@command("his[tory]", args="rest")
def history(ctx: ExContext) -> None:
    """Show the lines typed before: `:history`, `:history /`, `:history all`."""
    names = {
        "": ":", "cmd": ":", "c": ":", ":": ":", "search": "/", "s": "/", "/": "/", "?": "/",
        "expr": "=", "e": "=", "=": "=", "input": "@", "i": "@", "@": "@",
    }  # fmt: skip
    word = ctx.args.strip()
    kinds = list(":/=@") if word in ("all", "a") else [names.get(word, "")]
    if kinds == [""]:
        raise CommandFailed(f"E488: Trailing characters: {word}")
    titles = {":": "cmd", "/": "search", "=": "expr", "@": "input"}
    lines = []
    for kind in kinds:
        kept = ctx.editor.histories[kind]
        lines.append(f"      #  {titles[kind]} history")
        for number, line in enumerate(kept, 1):
            mark = ">" if number == len(kept) else " "
            lines.append(f"{mark}{number:6}  {visible(line)}")
    ctx.show("\n".join(lines))


@command("noh[lsearch]")
def nohlsearch(ctx: ExContext) -> None:
    """Stop showing the matches of the last search, until the next one."""
    ctx.editor.search.shown = False


@command("dig[raphs]", bang=True, args="rest")
def digraphs(ctx: ExContext) -> None:
    """Show the digraphs, or define them: `:digraphs e: 235`."""
    words = ctx.args.split()
    own: dict[str, str] = ctx.editor.extra.setdefault("digraphs", {})
    if not words:
        ctx.show("  ".join(f"{pair} {char} {ord(char)}" for pair, char in {**table(), **own}.items()))
        return
    while words:
        pair = words.pop(0)
        if len(pair) < 2:
            raise CommandFailed("E474: Invalid argument")
        number = pair[2:] or (words.pop(0) if words else "")
        if not number.isdigit():
            raise CommandFailed("E39: Number expected")
        own[pair[:2]] = chr(int(number))


@command("as[cii]")
def ascii_(ctx: ExContext) -> None:
    """Show the number of the character under the cursor."""
    show_character(Context(ctx.engine))


@command("ve[rsion]")
def version(ctx: ExContext) -> None:
    """Show which tpy this is."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as installed

    try:
        ctx.echo(f"tpy {installed('tpy')}")
    except PackageNotFoundError:
        ctx.echo("tpy, not installed as a package")
