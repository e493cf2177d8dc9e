"""What there is besides the sessions: programs in `PATH`, known agents, texts that `@:buf` and its kin stand for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tpy.acp import known, launch
from tpy.acp.agententry import AgentEntry
from tpy.modal.agent import panes
from tpy.modal.agent.bridge.blocks import file_uri
from tpy.modal.agent.fileaccess import path_of
from tpy.modal.agent.lines import one_line
from tpy.modal.registry import CommandFailed

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents

GIT_LIMIT = 10


def program_state(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> str:
    """Return "ready", or why the program of an entry cannot be started."""
    try:
        launch.launch(entry, project, environ)
    except launch.LaunchError as error:
        hint = known.missing_program_hint(entry.command, environ)
        return one_line(f"{error}{'; ' + hint if hint else ''}")
    return "ready"


def known_programs(besides: set[str], environ: Mapping[str, str]) -> list[tuple[str, str, bool]]:
    """Return the known agents that are not configured: name, how to get it or its command, whether it is there."""
    rows = []
    for row in known.known_agents():
        if row.name not in besides:
            there = known.installed(row, environ)
            rows.append((row.name, " ".join((row.command, *row.args)) if there else row.install, there))
    return rows


def named_text(agents: Agents, name: str) -> tuple[str, str, str]:
    """Return what `@:buf`, `@:sel`, `@:qf` or `@:diff` stands for: URI, type and text. Raises `CommandFailed`."""
    if name == ":diff":
        return file_uri(agents.project) + "#diff", "text/x-diff", git_diff(agents.project)
    if name == ":qf":
        from tpy.modal.ex.quickfix import places_of

        found = places_of(agents.editor, local=False).entries
        rows = [f"{e.name}:{e.line + 1}:{(e.col or 0) + 1}: {e.text}" for e in found]
        return file_uri(agents.project) + "#quickfix", "text/plain", "\n".join(rows) + "\n"
    window = panes.last_file_window(agents.editor)
    if window is None:
        raise CommandFailed(f"There is no file window for @{name}")
    buffer = window.buffer
    path = path_of(buffer)
    uri = file_uri(path) if path is not None else f"buffer:{buffer.number}"
    if name == ":buf":
        return uri, "text/plain", "\n".join(buffer.lines) + "\n"
    selection = buffer.marks.visual
    if selection is None:
        raise CommandFailed("There is no selection for @:sel")
    first, last = sorted((selection[1], selection[2]))
    rows = buffer.lines[first.line : last.line + 1]
    if selection[0] == "v" and rows:
        rows[-1] = rows[-1][: last.col + 1]
        rows[0] = rows[0][first.col :]
    return f"{uri}#L{first.line + 1}:{last.line + 1}", "text/plain", "\n".join(rows) + "\n"


def run_in_terminal(agents: Agents, argv: list[str], env: Mapping[str, str]) -> str:
    """Give a program the real terminal until it ends; return what went wrong, "" for nothing.

    Raises `CommandFailed` where there is no terminal.
    """
    import subprocess

    run = agents.editor.extra.get("run-in-terminal")
    terminal: Any = agents.editor.extra.get("terminal")
    if callable(run):
        return run(argv, env, agents.project) or ""
    if terminal is not None:
        terminal.restore()
        try:
            status = subprocess.run(argv, env=dict(env), cwd=agents.project, check=False).returncode
            return f"{argv[0]} returned {status}" if status else ""
        except OSError as error:
            raise CommandFailed(f"{one_line(argv[0])} cannot be run: {error.strerror}") from None
        finally:
            terminal.resume()
    raise CommandFailed("There is no terminal to log in with")


def git_diff(project: str, *, staged: bool = False) -> str:
    """Return the unstaged (or staged) changes of the project. Raises `CommandFailed` where git cannot tell."""
    import subprocess

    try:
        done = subprocess.run(
            ["git", "-C", project, "--no-optional-locks", "diff", "--no-ext-diff", "--no-color",
             *(["--cached"] if staged else [])],
            capture_output=True, timeout=GIT_LIMIT, check=False, stdin=subprocess.DEVNULL,
            env={**os.environ, "GIT_PAGER": "cat"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CommandFailed(f"git cannot tell what has changed: {error}") from None
    if done.returncode:
        raise CommandFailed(f"git cannot tell what has changed: {one_line(done.stderr.decode('utf-8', 'replace'))}")
    return done.stdout.decode("utf-8", "replace")


def words(agents: Agents, kind: str, prefix: str) -> list[str]:
    """Return the words of a kind of argument that begin so, whatever the case."""
    low = prefix.lower()
    return [word for word in dict.fromkeys(_all_words(agents, kind)) if word.lower().startswith(low)]


def _all_words(agents: Agents, kind: str) -> list[str]:
    if kind == "agent":
        return [*(entry.name for entry in agents.load().entries), *(talk.key for talk in agents.talks)]
    if kind == "agent-running":
        return [talk.key for talk in agents.talks]
    if kind == "agent-known":
        return [row.name for row in known.known_agents()]
    if kind == "agent-answer":
        found = agents.oldest_request()
        return [option.name for option in found[1].options] if found is not None else []
    try:
        talk = agents.current()
        if kind == "agent-sub":
            return [child.name for child in talk.subagents.all]
        if kind == "agent-login":
            return [method.name for method in talk.login.methods()]
        return talk.settings().words(kind.removeprefix("agent-"))
    except CommandFailed:
        return []
