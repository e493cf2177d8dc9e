"""Other programs: running one with the shell, giving it lines, taking its output (`:help :!`).

The editor's `extra["shell"]` runs them where it is set (the terminal does), else `subprocess` with the output
captured. The commands and filters are in `shellcmds.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tpy.modal.editor import Editor
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.names import expand_names
from tpy.modal.registry import CommandFailed


class Output(NamedTuple):
    """What a program left: its output (errors mixed in) and its exit status."""

    text: str
    status: int


# Runs a command line with some input (`None`: none) and returns its output.
Shell = Callable[[str, str | None], Output]


def run(editor: Editor, line: str, text: str | None = None) -> Output:
    """Run a command line with the shell. Raises `CommandFailed` where there is no shell."""
    chosen: Shell | None = editor.extra.get("shell")
    return chosen(line, text) if chosen is not None else _captured(editor, line, text)


def _captured(editor: Editor, line: str, text: str | None) -> Output:
    import subprocess

    shell = str(editor.options.values["shell"])
    data = None if text is None else text.encode("utf-8", "surrogateescape")
    try:
        done = subprocess.run(
            [shell, "-c", line],
            input=data,
            stdin=subprocess.DEVNULL if data is None else None,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    except OSError as error:
        raise CommandFailed(f"E484: Can't run {shell}: {error.strerror}") from None
    return Output(done.stdout.decode("utf-8", "surrogateescape"), done.returncode)


def command_line(ctx: ExContext, line: str) -> str:
    """Return a shell command with `%`, `#` and `!` (the last command) replaced. Raises `CommandFailed` (E34)."""
    previous: str | None = ctx.editor.extra.get("shell-command")
    out: list[str] = []
    at = 0
    while at < len(line):
        if line[at] == "\\" and line[at + 1 : at + 2] == "!":
            out.append("!")
            at += 2
            continue
        if line[at] == "!":
            if previous is None:
                raise CommandFailed("E34: No previous command")
            out.append(previous)
        else:
            out.append(line[at])
        at += 1
    expanded = expand_names(ctx.engine, "".join(out))
    ctx.editor.extra["shell-command"] = expanded
    return expanded


def output_lines(text: str) -> list[str]:
    """Return a program's output as lines."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.replace("\0", "\n") if "\0" in line else line for line in lines]


def write_to(ctx: ExContext, line: str) -> None:
    """Give the lines of the range to a program and show what it prints."""
    text = "".join(text + "\n" for text in ctx.lines[ctx.first : ctx.last + 1])
    done = run(ctx.editor, command_line(ctx, line), text)
    tell(ctx, done)


def read_from(ctx: ExContext, line: str) -> list[str]:
    """Return the lines that a program prints."""
    done = run(ctx.editor, command_line(ctx, line))
    if done.status:
        ctx.echo(f"shell returned {done.status}")
    return output_lines(done.text)


def tell(ctx: ExContext, done: Output) -> None:
    """Show a program's output and a status that is not 0."""
    shown = done.text.rstrip("\n")
    if done.status:
        shown = f"{shown}\n\nshell returned {done.status}" if shown else f"shell returned {done.status}"
    ctx.show(shown)
