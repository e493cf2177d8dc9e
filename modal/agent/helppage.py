"""The page of `:help agents`: what agent windows are, their commands and keys, made of the rows that do the work."""

from __future__ import annotations

import tomli

from tpy.modal.agent import actions as rows
from tpy.modal.agent import places
from tpy.modal.registry import Row, actions, commands, motions, textobjects
from tpy.modal.shipped import shipped_text

assert rows is not None
assert places is not None

_WIDTH = 24
_ABOUT = """\
Agents

An agent is a program that works with you: it reads, writes and runs things, and asks before it does.

    :agent Tutor     starts the agent that teaches all this; it needs no network
    :agent           lists the agents there are
    :agentinit       writes the project's agents file, where your own are named

`:agent NAME` opens two windows: the conversation, and below it the prompt. Type into the prompt and send it with
<CR>. `@` offers files, `/` at the very start the agent's commands. A question waits in the conversation: answer it
with `:allow` or `:deny` from anywhere, or go to it with `]a` and press the key before the answer you choose.
`:cancel` ends the turn, `:q` in either window ends the session."""
_PLACES = (
    ("Keys in the prompt, Insert mode", "prompt", ("insert",)),
    ("Keys in the prompt, Normal mode", "prompt", ("normal",)),
    ("Keys in the conversation", "conversation", ("normal", "motions", "objects")),
)


def page() -> list[str]:
    """Return the lines of the page; keys are those we ship."""
    lines = [*_ABOUT.split("\n"), "", "Ex commands", ""]
    own = [row for row in commands if row.function.__module__.startswith("tpy.modal.agent.")]
    lines += [_line(f":{row.notation}{'[!]' if row.bang else ''}", row) for row in sorted(own, key=lambda r: r.name)]
    tables = tomli.loads(shipped_text("agent.toml"))
    for title, kind, parts in _PLACES:
        lines += ["", title, ""]
        for part in parts:
            lines += [_line(keys, _row(name)) for keys, name in tables[kind].get(part, {}).items()]
    lines += ["", "Keys inside a question, with the cursor moved there", ""]
    lines += [_line(keys, _row(name)) for keys, name in tables["ask"].items()]
    return lines


def _row(name: str) -> Row | None:
    return actions.get(name) or motions.get(name) or textobjects.get(name)


def _line(shown: str, row: Row | None) -> str:
    return f"    {shown:<{_WIDTH}}{row.summary if row is not None else ''}"
