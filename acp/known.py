"""The agents people are likely to have: the rows of `keymaps/known-agents.toml`, and which are installed.

Not here: the user's own list (`config.py`), the starter file made from these rows (`starter.py`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import NamedTuple

from tpy.acp.launch import in_path


class KnownAgent(NamedTuple):
    """One row. `wraps` is the agent's own program where `command` is only an adapter for it."""

    name: str
    command: str
    args: tuple[str, ...] = ()
    wraps: str = ""
    install: str = ""
    about: str = ""
    needs: str = ""


def known_agents() -> list[KnownAgent]:
    """All rows, in the file's order."""
    import tomli

    import tpy.keymaps

    path = os.path.join(os.path.dirname(tpy.keymaps.__file__), "known-agents.toml")
    with open(path, "rb") as stream:
        rows = tomli.load(stream)["known"]
    return [KnownAgent(**{**row, "args": tuple(row.get("args", ()))}) for row in rows]


def installed(agent: KnownAgent, environ: Mapping[str, str]) -> bool:
    """Whether the program that speaks the protocol is in `PATH` and ready to be started as the row says."""
    return not agent.needs and in_path(agent.command, environ) is not None


def missing_program_hint(command: str, environ: Mapping[str, str]) -> str:
    """What to say beyond "not found" of a command we know, telling adapter and agent apart; else ""."""
    row = next((agent for agent in known_agents() if agent.command == command), None)
    if row is None:
        return ""
    how = f"install it: {row.install}" if row.install.startswith(("npm ", "uv ")) else row.install
    if row.wraps and in_path(row.wraps, environ):
        return f"{row.wraps} is there, its adapter {row.command} is not; {how}"
    return how
