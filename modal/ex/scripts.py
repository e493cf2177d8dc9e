"""Files of ex commands: `:source`, and what belongs to them: `:syntax`, `:filetype`, `:colorscheme`, `:redraw`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tpy.modal.ex.context import ExContext
from tpy.modal.ex.names import file_name
from tpy.modal.ex.run import Run, run_line
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.files import FileProblem, load
from tpy.modal.text.places import absolute
from tpy.modal.text.position import Pos

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

_MOST_NESTED = 100


def source_file(engine: Engine, name: str) -> list[str]:
    """Run the lines of a file and return the errors, each with file and line; a bad line does not end the others.

    Raises `CommandFailed` (E484) where the file cannot be read.
    """
    try:
        loaded = load(absolute(os.path.expanduser(name)))
    except FileProblem as problem:
        raise CommandFailed(str(problem)) from None
    if loaded.stamp is None:
        raise CommandFailed(f"E484: Can't open file {name}")
    return source_lines(engine, loaded.text.lines, name)


def source_lines(engine: Engine, lines: list[str], name: str) -> list[str]:
    """Run lines of ex commands; lines that begin with `\\` go on from the line before."""
    extra = engine.editor.extra
    depth = extra.get("sourcing", 0)
    if depth >= _MOST_NESTED:
        raise CommandFailed("E169: Command too recursive")
    errors: list[str] = []
    extra["sourcing"] = depth + 1
    numbered = iter(_joined(lines))
    current = [0]

    def _following() -> Iterator[str]:
        for number, text in numbered:
            current[0] = number
            yield text

    source = _following()
    try:
        for line in source:
            number = current[0]
            try:
                Run(engine, run_line(engine, line, source)).resume(None)
            except CommandFailed as failure:
                errors.append(f"{name}:{number}: {failure.message}")
    finally:
        extra["sourcing"] = depth
    return errors


def _joined(lines: list[str]) -> list[tuple[int, str]]:
    """Return the lines with their numbers from 1, continuation lines joined (`:help line-continuation`)."""
    joined: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        head = line.lstrip(" \t")
        if head.startswith("\\") and joined:
            joined[-1] = (joined[-1][0], joined[-1][1] + head[1:])
        elif not head.startswith('"\\ '):
            joined.append((number, line))
    return joined


@command("so[urce]", range="%", bang=True, args="file")
def source(ctx: ExContext) -> None:
    """Run the ex commands of a file, or of lines of this buffer."""
    if ctx.args:
        errors = source_file(ctx.engine, file_name(ctx.engine, ctx.args))
    else:
        errors = source_lines(ctx.engine, ctx.lines[ctx.first : ctx.last + 1], ctx.buffer.name)
    if errors:
        raise CommandFailed("\n".join(errors))


@command("colo[rscheme]", args="colorscheme")
def colorscheme(ctx: ExContext) -> None:
    """Take another theme, or show which one is used."""
    editor = ctx.editor
    if not ctx.args:
        editor.echo(str(editor.extra.get("theme", "default")))
        return
    before = editor.extra.get("theme")
    editor.extra["theme"] = ctx.args
    try:
        editor.run_hooks("theme", ctx.args)
    except (ValueError, OSError, KeyError):
        editor.extra["theme"] = before
        raise CommandFailed(f"E185: Cannot find color scheme '{ctx.args}'") from None


@command("sy[ntax]", args="rest")
def syntax(ctx: ExContext) -> None:
    """Turn highlighting on or off: `:syntax on`, `:syntax off`."""
    word = ctx.args.strip()
    if word in ("on", "enable", "manual"):
        ctx.editor.extra["syntax-off"] = False
    elif word in ("off", "clear"):
        ctx.editor.extra["syntax-off"] = True
    elif word:
        raise CommandFailed("E319: syntax rules are Pygments' here: `:syntax on`, `:syntax off` and `:set syntax=…`")
    ctx.editor.run_hooks("redraw")


@command("filet[ype]", args="rest")
def filetype(ctx: ExContext) -> None:
    """Accepted for old configuration files: the kind of file is always detected."""
    ctx.echo("filetype detection:ON  plugin:OFF  indent:OFF" if not ctx.args else "")


@command("redr[aw]", bang=True)
def redraw(ctx: ExContext) -> None:
    """Draw the screen."""
    ctx.editor.run_hooks("clear-screen" if ctx.bang else "redraw")


@command("st[op]", bang=True)
def stop(ctx: ExContext) -> None:
    """Suspend the editor."""
    ctx.editor.run_hooks("suspend")


@command("sus[pend]", bang=True)
def suspend(ctx: ExContext) -> None:
    """Suspend the editor."""
    ctx.editor.run_hooks("suspend")


@command("star[tinsert]", bang=True)
def startinsert(ctx: ExContext) -> None:
    """Begin to insert at the cursor, with `!` at the end of the line."""
    _start(ctx, "i")


@command("stopi[nsert]")
def stopinsert(ctx: ExContext) -> None:
    """Leave Insert mode, or do not go back to it after the command of `<C-o>`."""
    if ctx.engine.insert.active:
        ctx.engine.insert.abort()
    ctx.engine.insert.resume = None


@command("startr[eplace]", bang=True)
def startreplace(ctx: ExContext) -> None:
    """Begin to replace at the cursor, with `!` at the end of the line."""
    _start(ctx, "R")


@command("startg[replace]", bang=True)
def startgreplace(ctx: ExContext) -> None:
    """Begin to replace screen cells at the cursor, with `!` at the end of the line."""
    _start(ctx, "Rv")


def _start(ctx: ExContext, mode: str) -> None:
    """Go to Insert or Replace mode as after a command of `<C-o>`: `.` inserts what is typed and knows of no `A`."""
    window, insert = ctx.window, ctx.engine.insert
    insert.forget_end()
    window.want = None
    insert.resume = mode
    if ctx.bang:
        line = window.cursor.line
        window.cursor = Pos(line, len(ctx.lines[line]))


@command("setf[iletype]", args="rest", need=True)
def setfiletype(ctx: ExContext) -> None:
    """Say what kind of file this is, where that is not known yet."""
    if not ctx.option("filetype"):
        ctx.editor.set_option("filetype", ctx.args.split()[-1], everywhere=False)


@command("redrawt[abline]")
def redrawtabline(ctx: ExContext) -> None:
    """Draw the line of tab pages again."""
    ctx.editor.run_hooks("redraw")


@command("redraws[tatus]", bang=True)
def redrawstatus(ctx: ExContext) -> None:
    """Draw the status lines."""
    ctx.editor.run_hooks("redraw")


@command("mod[e]", args="rest")
def mode(ctx: ExContext) -> None:
    """Draw the screen."""
    ctx.editor.run_hooks("clear-screen")


@command("sl[eep]", range="count", bang=True, args="rest", count=True)
def sleep(ctx: ExContext) -> None:
    """Accepted for old scripts: tpy never stands still."""


@command("fini[sh]")
def finish(ctx: ExContext) -> None:
    """Leave out the rest of the file of commands."""
    if ctx.source is not None:
        for _ in ctx.source:
            pass


@command("echoh[l]", args="rest")
def echohl(ctx: ExContext) -> None:
    """Accepted for old scripts: messages have their own colours."""
