"""The ex commands that set something of an agent: options, modes, models, permission rules; and following it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tpy.modal.agent import rules
from tpy.modal.agent.agentcmds import open_at, show_beside
from tpy.modal.agent.bridge import agents_of
from tpy.modal.agent.lines import one_line
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import INTERNAL, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents

# So many of the places that an agent named last are looked at.
_MOST_PLACES = 1000
_RULES_HEAD = (
    "# One rule a line: allow, ask or deny, then any of agent=, kind=, path=, command= with * and ? as in file names.",
    "# The strictest rule that fits wins. Kinds: read edit delete move search execute fetch other.",
)


@command("agentset", args="agent-option", bar=False)
def agentset(ctx: ExContext) -> None:
    """Show the options of the current agent's session, or set one: `option=value`, for flags `option`, `nooption`."""
    host = agents_of(ctx.editor)
    session = host.current().settings()
    words = ctx.args.strip()
    if not words:
        ctx.echo("\n".join(session.lines()) or "This agent has no options")
        return
    name, equals, value = words.partition("=")
    session.set_option(name.strip(), value.strip() if equals else None)


@command("agentmode", args="agent-mode", bar=False)
def agentmode(ctx: ExContext) -> None:
    """Show the modes of the current agent's session, or change to one."""
    _choose(ctx, "mode")


@command("agentmodel", args="agent-model", bar=False)
def agentmodel(ctx: ExContext) -> None:
    """Show the models of the current agent's session, or change to one."""
    _choose(ctx, "model")


def _choose(ctx: ExContext, what: str) -> None:
    session = agents_of(ctx.editor).current().settings()
    wanted = ctx.args.strip()
    if wanted:
        session.choose(what, wanted)
    else:
        ctx.echo(session.offered(what))


@command("agentpermissions")
def agentpermissions(ctx: ExContext) -> None:
    """Show the permission rules in a buffer that can be edited: one rule a line, kept over restarts."""
    host = agents_of(ctx.editor)
    name = "agent://permissions"
    buffer = ctx.editor.buffer_named(name)
    if buffer is None:
        buffer = ctx.editor.add_buffer(name=name)
        buffer.options.update(buftype="nofile", undofile=False)
        buffer.extra["write"] = lambda: f"Rules kept: {len(host.rules)}"
        buffer.listeners.append(_RulesListener(host))
    lines = [*_RULES_HEAD, *map(str, host.rules)]
    buffer.apply(Splice(0, tuple(buffer.lines), tuple(lines)), INTERNAL)
    show_beside(host, buffer).cursor = Pos(len(lines) - 1, 0)


class _RulesListener:
    """Takes the rules from their buffer when the user has changed it; a line that is no rule is told and left out."""

    def __init__(self, host: Agents) -> None:
        self.host = host

    def __call__(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        if origin == INTERNAL:
            return
        found = []
        buffer.extra.pop("notice", None)
        for number, line in enumerate(buffer.lines, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            try:
                found.append(rules.parse(line))
            except ValueError as error:  # perhaps half typed: it does not count yet
                buffer.extra["notice"] = f"[line {number} is no rule: {one_line(str(error))}]"
        if found != self.host.rules:
            self.host.keep_rules(found)


@command("agentfollow")
def agentfollow(ctx: ExContext) -> None:
    """Go to where the current agent works, in the file window used last; its location list has all such places."""
    from tpy.modal.ex.quickfix import Entry, places_of

    host = agents_of(ctx.editor)
    named = list(dict.fromkeys(host.current().places()))
    places = [place for place in named[:_MOST_PLACES] if os.path.isfile(place[0])]
    if not places:
        raise CommandFailed("The agent has not told where it works")
    open_at(host, *places[0][:2])
    listed = places_of(ctx.editor, local=True)
    listed.index = 0
    listed.entries = [
        Entry(os.path.relpath(path), max((line or 1) - 1, 0), 0, one_line(title)) for path, line, title in places
    ]
