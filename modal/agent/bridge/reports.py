"""What `:agentstatus`, `:agentlog`, `:agenttrace` and `:agenthealth` show, as lines."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tpy.acp import checker, config, trace
from tpy.modal.agent.lines import one_line, visible

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk

_MARKS = {checker.OK: "ok  ", checker.REMARK: "note", checker.FAILED: "FAIL"}
LOG_LINES = 5


def status_lines(agents: Agents) -> list[str]:
    """Return what was loaded from where, what failed, and the state of each running agent."""
    loaded = agents.load()
    rows: list[str] = []
    for place in loaded.files:
        shown = config.display_path(place.path, agents.environ)
        if place.error:
            rows += [visible(line) for line in place.error.split("\n")]
        elif place.found:
            rows.append(f"{shown}: {place.agents} agents")
        else:
            rows.append(f"{shown}: no such file")
    rows.append("")
    for entry in loaded.entries:
        source = config.display_path(entry.source, agents.environ) if entry.source else "built in"
        rows.append(f"{one_line(entry.name)}: {one_line(' '.join((entry.command, *entry.args)), 300)}  (from {source})")
        state = agents.program_state(entry)
        if state != "ready":
            rows.append(f"  {state}")
        if not agents.is_trusted(entry):
            rows.append("  not trusted yet: its first start asks")
    for talk in agents.talks:
        rows += ["", *talk_lines(talk)]
    return rows


def session_rows(agents: Agents) -> list[tuple[str, str]]:
    """Return all sessions with their state, their subagents below them, each with the command that goes there."""
    from tpy.modal.agent.listpage import command_for

    rows = []
    for talk in agents.talks:
        row = f"{one_line(talk.key)}  {talk.status.state()}  {talk.queue.status()}"
        rows.append((row.rstrip(), command_for(talk.key)))
        for child in talk.subagents.all:
            rows.append((f"    {child.number} {child.name}  {child.state}".rstrip(), f"agentsub {child.buffer.name}"))
    return rows


def talk_lines(talk: Talk) -> list[str]:
    """Return all that is known about a session."""
    client, session = talk.client, talk.session
    rows = [f"{talk.buffer.name}: {talk.status.state()}"]
    if talk.why_dead:
        rows.append(f"  {one_line(talk.why_dead, 500)}")
    if client is None:
        return rows
    info = client.info.agent_info
    if info is not None:
        rows.append(f"  program: {one_line(info.title or info.name)} {one_line(info.version)}")
    rows.append(f"  protocol: {client.info.protocol_version}  process: {client.pid}")
    if client.waiting_for:
        waited = talk.agents.loop.time() - client.waiting_since
        rows.append(f"  waiting for the answer to {client.waiting_for}: {waited:.0f} s")
    if client.last_message:
        rows.append(f"  last message: {talk.agents.loop.time() - client.last_message:.0f} s ago")
    if session is not None:
        rows += _session_lines(talk, session)
    rows += [f"  subagent {one.number}: {one.name}  {one.state}".rstrip() for one in talk.subagents.all]
    if client.stray_lines:
        rows.append(f"  lines on stdout that were no messages: {client.stray_lines}")
    errors = [visible(line) for line in client.stderr]
    if errors:
        rows += ["  stderr:", *(f"    {line}" for line in errors)]
    return rows


def _session_lines(talk: Talk, session: Any) -> list[str]:
    rows = [f"  session: {one_line(session.session_id)}  in {one_line(session.cwd, 300)}"]
    if session.title:
        rows.append(f"  title: {one_line(session.title)}")
    usage = talk.status.usage()
    if usage:
        rows.append(f"  usage: {usage}")
    if session.commands:
        rows.append("  commands:")
        rows += [f"    /{one_line(c.name, 60)}  {one_line(c.description)}" for c in session.commands]
    if session.modes and session.config_options is None:
        rows.append("  modes: " + ", ".join(_current(m.name, m.id == session.mode_id) for m in session.modes))
    rows += [f"  {line}" for line in option_lines(session)]
    if session.odd_updates:
        rows.append(f"  updates not understood: {session.odd_updates}, the last: {one_line(session.last_odd)}")
    return rows


def _current(name: str, current: bool) -> str:
    return f"[{one_line(name, 40)}]" if current else one_line(name, 40)


def option_lines(session: Any) -> list[str]:
    """Return the options of a session with their values, as `:agentset` lists them."""
    rows = []
    for option in session.config_options or ():
        if isinstance(option.current_value, bool):
            shown = "on" if option.current_value else "off"
        else:
            shown = ", ".join(_current(c.value or c.name, c.value == option.current_value) for c in option.choices())
        rows.append(f"{one_line(option.id, 40)} ({one_line(option.name, 40)}): {shown}")
    return rows


def log_lines(talk: Talk) -> list[str]:
    """Return an agent's stderr, then what was noted about its messages."""
    errors = talk.client.stderr_text if talk.client is not None else ""
    rows = ["stderr:", *(visible(line) for line in errors.splitlines())]
    return [*rows, "", "notes:", *talk.log] if talk.log else rows


def trace_lines(agents: Agents, name: str) -> list[str]:
    """Return the last messages to and from an agent, one a line."""
    rows = []
    for record in agents.trace.recent(name):
        clock = time.strftime("%H:%M:%S", time.localtime(record.time)) + f".{int(record.time % 1 * 1000):03d}"
        rows.append(f"{clock} {record.direction} {trace.visible(record.line)}")
    return rows or ["No messages yet."]


class Health:
    """`:agenthealth`: the checker's report on each agent, one after the other, into a list of lines."""

    def __init__(self, agents: Agents, changed: Callable[[], None]) -> None:
        self.agents = agents
        self.rows: list[str] = []
        self._changed = changed
        self._left = list(agents.load().entries)
        for step in checker.file_steps(agents.load(), agents.environ):
            self._take(step)
        self._next()

    def _next(self) -> None:
        """Check the next agent; entries that were not approved are not started."""
        if not self._left:
            self.rows.append("done")
            self._changed()
            return
        entry = self._left.pop(0)
        self.rows += ["", one_line(entry.name)]
        checker.Check(
            self.agents.loop, entry, self.agents.project, self.agents.environ,
            ask=None, on_step=self._take, on_done=lambda report: self._next(),
        ).start()  # fmt: skip

    def _take(self, step: checker.Step) -> None:
        took = f" ({step.seconds:.1f} s)" if step.seconds is not None else ""
        first, *more = visible(step.text).split("\n")
        self.rows.append(f"  {_MARKS[step.status]} {step.name}: {first}{took}")
        self.rows += [f"         {line}" for line in more]
        self._changed()
