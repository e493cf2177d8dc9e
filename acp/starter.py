"""The starter agents file that `tpy agents init` and `:agentinit` write.

Here: its text, made from the well-known agents, and writing it without ever harming a file that is there.
Not here: opening it in the editor, printing where it is (`modal/cli.py`, `modal/agent/agentcmds.py`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from tpy.acp import config, trust
from tpy.acp.agententry import AgentEntry, ConfigError
from tpy.acp.known import KnownAgent, installed, known_agents

_HEAD = """\
# Agents for tpy: programs that speak the Agent Client Protocol.
#
# One [[agent]] block each. In the editor, `:agent NAME` starts one, `:agent` alone lists them all, and
# `:agent Tutor` is always there, with nothing to install. `tpy agents check` tells what works.
#
# name     how it is called, here and in the editor
# command  the program; looked up in PATH unless it holds a slash; a leading ~ is your home
# args     its arguments, one string each; no shell reads them
# env      variables for it: env = { NAME = "value" }
# cwd      where it starts; the project's directory unless said
"""


class StarterExists(Exception):
    """There is an agents file already; the text names it and the way to replace it."""


def starter_text(environ: Mapping[str, str], only: str = "") -> str:
    """The text of a starter file: agents found in `PATH` active, the other known ones commented out.

    With `only` (an agent's name, any case) that one alone is written, active. Raises `LookupError`, with the
    known names in its text, when it is not among them. No key of ours alone is used.
    """
    rows = known_agents()
    if only:
        chosen = [row for row in rows if row.name.lower() == only.lower()]
        if not chosen:
            raise LookupError(f"{only} is none of the known agents: {', '.join(row.name for row in rows)}")
        return _HEAD + "\n" + _block(chosen[0])
    there = [row for row in rows if installed(row, environ)]
    rest = [row for row in rows if row not in there]
    blocks = [_block(row) for row in there] + [_commented(row) for row in rest]
    if not there:
        blocks.insert(0, "# None of the agents below was found in PATH: install one, then uncomment its block.\n")
    return _HEAD + "\n" + "\n".join(blocks)


def write_starter(path: str, text: str, *, force: bool = False) -> str:
    """Write the text to a new file, directories included; returns the path really written.

    Raises `StarterExists` when something is there and `force` is not given, `OSError` when it cannot be
    written. A forced write follows a symbolic link and is all or nothing (CASES D-11).
    """
    if os.path.lexists(path) and not force:
        raise StarterExists(path)
    real = os.path.realpath(path)
    os.makedirs(os.path.dirname(real), exist_ok=True)
    replacing = os.path.exists(real)
    target = f"{real}.{os.getpid()}" if replacing else real
    mode = os.stat(real).st_mode & 0o7777 if replacing else 0o666
    if replacing:
        _refuse_read_only(real)
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise StarterExists(path) from None
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if replacing:
            os.replace(target, real)
    except BaseException:
        os.unlink(target)
        raise
    return real


def init(project: str, environ: Mapping[str, str], *, user: bool = False, only: str = "", force: bool = False) -> str:
    """Write the starter file of the user or the project and approve what we wrote; returns its path.

    Raises `StarterExists`, `LookupError` (no such known agent) or `OSError`.
    """
    path = config.user_file(environ) if user else config.project_file(project)
    text = starter_text(environ, only)
    write_starter(path, text, force=force)
    if not user:
        for entry in approved_entries(text, path):
            trust.approve(entry, project, environ)
    return path


def approved_entries(text: str, path: str) -> list[AgentEntry]:
    """The active entries of a text of ours, as they will be read back."""
    try:
        return config.parse(text.encode(), path, source=path, from_project=True)
    except ConfigError as error:  # pragma: no cover - a defect in the rows, caught by a test
        raise AssertionError(f"the starter file does not read back: {error}") from error


def _refuse_read_only(path: str) -> None:
    """Replacing needs no right to the file itself; a read-only file is respected all the same."""
    with open(path, "ab"):
        pass


def _block(row: KnownAgent) -> str:
    lines = [f"# {row.about}", "[[agent]]", f'name = "{row.name}"', f'command = "{row.command}"']
    if row.args:
        lines.append("args = [" + ", ".join(f'"{arg}"' for arg in row.args) + "]")
    if row.needs:
        lines.insert(1, f"# needs {row.needs}")
    return "\n".join(lines) + "\n"


def _commented(row: KnownAgent) -> str:
    note = f"# {row.about}; {row.install}" if row.install else f"# {row.about}"
    body = _block(row).splitlines()[1:]
    return "\n".join([note] + [line if line.startswith("#") else f"# {line}" for line in body]) + "\n"
