"""`tpy` in the shell: which of editing, `tpy agents` and `tpy completion` a command line asks for.

    sys.exit(main(sys.argv[1:]))

Not here: the options of editing (`arguments.py`), the agents' commands (`acp/shell.py`), starting the editor
(`app.py`). Each is imported only when it is wanted; click costs more than the first frame may.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tpy.modal.arguments import HELP, VERSION, UsageError, help_text, read_arguments

if TYPE_CHECKING:
    from tpy.modal.startup import Startup
    from tpy.modal.ui.ttymode import TtyMode

SHELLS = ("bash", "zsh", "fish")

SUBCOMMANDS = (
    ("agents init|check|list|trace", "set up, try and list agents; read a trace"),
    ("completion bash|zsh|fish", "print the completion script of a shell"),
)


def is_subcommand(word: str) -> bool:
    """Whether a first argument names one of our commands rather than a file (`tpy ./agents` edits one)."""
    return word in ("agents", "completion")


def main(argv: Sequence[str]) -> int:
    """Do what the command line says; returns the exit status."""
    if argv and is_subcommand(argv[0]):
        return _agents(argv[1:]) if argv[0] == "agents" else _completion(argv[1:])
    try:
        startup = read_arguments(argv)
    except UsageError as error:
        print(f"tpy: {error}. See tpy --help", file=sys.stderr)
        return 1
    if startup == HELP:
        print(help_text(SUBCOMMANDS), end="")
        return 0
    if startup == VERSION:
        print(f"tpy {version()}")
        return 0
    assert not isinstance(startup, str)
    if startup.recover and not startup.files:
        from tpy.modal.recovery import kept_texts

        print("\n".join(kept_texts() or ["No unsaved text was kept"]))
        return 0
    from tpy.modal.stage0 import with_terminal

    return with_terminal(lambda tty: _edit(tty, startup))


def _edit(tty: TtyMode, startup: Startup) -> int:
    """Run the editor, the terminal raw before it is loaded: keys typed meanwhile are neither shown nor lost."""
    if not startup.stdin:  # what gives us the text may still have to be stopped by keys
        tty.open()
        tty.make_raw()
    from tpy.modal import app

    return app.run(startup)


def version() -> str:
    """The version of the installed package."""
    from importlib import metadata

    return metadata.version("tpy")


def completion_script(shell: str) -> str:
    """The static completion script of a shell, as shipped."""
    import tpy

    path = os.path.join(os.path.dirname(tpy.__file__), "completions", f"tpy.{shell}")
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def _completion(argv: Sequence[str]) -> int:
    if len(argv) != 1 or argv[0] not in SHELLS:
        print(f"Usage: tpy completion {'|'.join(SHELLS)}", file=sys.stdout if argv == ["--help"] else sys.stderr)
        return 0 if argv == ["--help"] else 2
    print(completion_script(argv[0]), end="")
    return 0


def _agents(argv: Sequence[str]) -> int:
    if list(argv) == ["list", "--names"]:
        return _print_names()
    from tpy.acp.shell import agents

    try:
        agents.main(list(argv), prog_name="tpy agents")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))


def _print_names() -> int:
    """The agents' names and command lines for completion scripts: quick, silent, never a failure."""
    from tpy.acp.config import load, tutor_entry

    try:
        project = os.getcwd()
    except OSError:
        return 0
    for entry in load(project, os.environ, [tutor_entry()]).entries:
        about = entry.source if entry.name == "Tutor" else " ".join([entry.command, *entry.args])
        if entry.name.isprintable():
            print(f"{entry.name}\t{''.join(c if c.isprintable() else ' ' for c in about)[:60]}")
    return 0
