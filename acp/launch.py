"""What an agent's entry means on this machine: the program's full path, its environment, its directory.

Here: looking a command up, expanding `~`, the child's environment, the directories and MCP servers told to
the agent. Not here: starting anything (`transport.py`), reading the file (`config.py`).

The rules (spec AGENTS §1; CASES D-05, D-12 … D-14): a command without a separator is looked up in the `PATH`
the child will get, where empty and relative parts count for nothing, so that a project directory is never
searched; any other command, `cwd` and `roots` are relative to the project; `~` is expanded in those three.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from tpy.acp.agententry import AgentEntry, McpServer
from tpy.acp.config import display_path, home_directory


class LaunchError(Exception):
    """A program or a directory that is not there; the text names it and says what to do."""


class Launch(NamedTuple):
    """Everything a process needs: `argv` with a full path first, the whole environment, an absolute `cwd`."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str

    def __repr__(self) -> str:
        """Leave the environment out: it holds secrets."""
        return f"Launch({self.argv!r}, cwd={self.cwd!r})"


def launch(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> Launch:
    """What to start for an entry; raises `LaunchError` when the program or the directory is missing."""
    env = child_environment(entry, environ)
    cwd = working_directory(entry, project, environ)
    program = find_program(entry.command, project, env.get("PATH"), environ)
    return Launch((program, *entry.args), env, cwd)


def child_environment(entry: AgentEntry, environ: Mapping[str, str]) -> dict[str, str]:
    """The editor's environment with the entry's own names winning."""
    return {**environ, **entry.env}


def absolute(path: str, project: str, environ: Mapping[str, str]) -> str:
    """A path of the file as an absolute one: `~` expanded, else relative to the project."""
    if path == "~" or path.startswith("~/"):
        path = home_directory(environ) + path[1:]
    elif path.startswith("~"):
        path = os.path.expanduser(path)
    return os.path.normpath(os.path.join(project, path))


def working_directory(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> str:
    """The entry's `cwd`, else the project; raises `LaunchError` naming the directory that is missing."""
    path = os.path.abspath(project) if entry.cwd is None else absolute(entry.cwd, project, environ)
    if not os.path.isdir(path):
        what = "is not a directory" if os.path.exists(path) else "does not exist"
        raise LaunchError(f"the directory {display_path(path, environ)} {what} (cwd of {entry.name})")
    return path


def roots(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> list[str]:
    """The extra directories of the entry, absolute."""
    return [absolute(path, project, environ) for path in entry.roots]


def find_program(command: str, project: str, path: str | None, environ: Mapping[str, str]) -> str:
    """The full path of a command as the child's `PATH` and the project give it.

    Raises `LaunchError` that tells a missing file, a directory, one without the right to run it, stray
    blanks and a whole command line in one string apart.
    """
    if "/" in command or command.startswith("~"):
        found = absolute(command, project, environ)
        if _runs(found):
            return found
        raise LaunchError(_why_not(command, found, environ))
    for directory in (os.defpath if path is None else path).split(os.pathsep):
        candidate = os.path.join(directory, command)
        if os.path.isabs(directory) and _runs(candidate):
            return candidate
    raise LaunchError(_not_in_path(command, path))


def in_path(command: str, environ: Mapping[str, str]) -> str | None:
    """The full path of a bare command in the editor's own `PATH`, or None."""
    try:
        return find_program(command, os.sep, environ.get("PATH"), environ)
    except LaunchError:
        return None


def _runs(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _why_not(command: str, path: str, environ: Mapping[str, str]) -> str:
    shown = display_path(path, environ)
    if os.path.isdir(path):
        return f"{shown} is a directory, not a program"
    if os.path.exists(path):
        return f"{shown} may not be run: make it executable with chmod +x"
    return f"{shown} does not exist{_odd_command(command)}"


def _not_in_path(command: str, path: str | None) -> str:
    if path == "":
        return f"{command} was not found: the PATH the agent would get is empty"
    return f"{command} was not found in PATH{_odd_command(command)}"


def _odd_command(command: str) -> str:
    """A hint for a command with blanks in it that is no program's name (CASES D-13)."""
    words = command.split()
    if not words:
        return ": the command is nothing but blanks"
    if command != command.strip() and len(words) == 1:
        return f': there are blanks around "{words[0]}"; take them out of command'
    if len(words) > 1:
        return f': put "{words[0]}" into command and the rest into args, one string each'
    return ""


def mcp_servers(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> list[dict[str, object]]:
    """The entry's MCP servers as `session/new` wants them (PROTOCOL §7); raises `LaunchError`."""
    path = child_environment(entry, environ).get("PATH")
    return [_mcp_server(server, project, path, environ) for server in entry.mcp]


def _mcp_server(server: McpServer, project: str, path: str | None, environ: Mapping[str, str]) -> dict[str, object]:
    if server.type == "stdio":
        try:
            program = find_program(server.command, project, server.env.get("PATH", path), environ)
        except LaunchError as error:
            raise LaunchError(f'MCP server "{server.name}": {error}') from None
        return {
            "name": server.name,
            "command": program,
            "args": list(server.args),
            "env": [{"name": name, "value": value} for name, value in server.env.items()],
        }
    headers = [{"name": name, "value": value} for name, value in server.headers.items()]
    return {"type": server.type, "name": server.name, "url": server.url, "headers": headers}
