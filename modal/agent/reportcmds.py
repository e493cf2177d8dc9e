"""The ex commands that show something about agents: states, logs, traces, the checker's report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.agent.agentcmds import show_beside
from tpy.modal.agent.bridge import agents_of
from tpy.modal.agent.lines import one_line
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import INTERNAL, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import between

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents

# A live buffer is brought up to date at most this often, in seconds.
REFRESH = 0.25


class Live:
    """A buffer that shows what a function gives, brought up to date while a window shows it."""

    def __init__(self, host: Agents, buffer: Buffer, rows: Callable[[], list[str]]) -> None:
        self.host = host
        self.buffer = buffer
        self.rows = rows
        self._timer: object | None = None
        self._seen: list[str] = []
        self.refresh()
        for event in ("redraw", "streamed"):
            host.editor.on(event, self._soon)

    def _soon(self) -> None:
        if self._timer is None and any(w.buffer is self.buffer for w in self.host.editor.layout.windows()):
            self._timer = self.host.loop.call_later(REFRESH, self._refresh_now)

    def _refresh_now(self) -> None:
        self._timer = None
        self.refresh()

    def refresh(self) -> None:
        """Show the lines as they are now; a cursor on the last line follows the end."""
        new = self.rows() or [""]
        if new == self._seen:
            return
        self._seen = new
        last = len(self.buffer.lines) - 1
        followers = [w for w in self.host.editor.windows() if w.buffer is self.buffer and w.cursor.line == last > 0]
        for splice in between(self.buffer.lines, new):
            self.buffer.apply(splice, INTERNAL)
        for window in followers:
            window.cursor = Pos(len(self.buffer.lines) - 1, 0)
        self.host.editor.run_hooks("redraw")


def show_live(host: Agents, name: str, rows: Callable[[], list[str]]) -> None:
    """Show a live buffer of that name in a window of its own."""
    buffer = host.editor.buffer_named(name)
    if buffer is None:
        buffer = host.editor.add_buffer(name=name)
        buffer.options.update(buftype="nofile", undofile=False)
        buffer.modifiable = buffer.keeps_undo = False
    live = buffer.extra.get("live")
    if isinstance(live, Live):
        live.rows = rows
        live.refresh()
    else:
        buffer.extra["live"] = Live(host, buffer, rows)
    window = show_beside(host, buffer)
    window.cursor = Pos(0, 0)


@command("agentstatus")
def agentstatus(ctx: ExContext) -> None:
    """Show what was loaded from where, what failed, and the state of each running agent."""
    from tpy.modal.agent.bridge.reports import status_lines

    host = agents_of(ctx.editor)
    show_live(host, "agent://status", lambda: status_lines(host))


@command("agents")
def agents(ctx: ExContext) -> None:
    """List all sessions with their state; `<CR>` goes to one."""
    host = agents_of(ctx.editor)
    if not host.talks:
        raise CommandFailed("No agent is running: :agent lists those there are")
    page = "agent://sessions"

    from tpy.modal.agent.bridge.reports import session_rows

    def rows() -> list[str]:
        found = session_rows(host)
        buffer = ctx.editor.buffer_named(page)
        if buffer is not None:
            buffer.extra["agent-page"] = [command for _, command in found]
        return [row for row, _ in found]

    show_live(host, page, rows)
    host.keys.adopt(ctx.editor.buffer, "page")
    rows()


@command("agentsub", args="agent-sub", bar=False)
def agentsub(ctx: ExContext) -> None:
    """Show the conversation of a subagent of the current agent, by its number or name."""
    host = agents_of(ctx.editor)
    name = ctx.args.strip()
    listed = [child for talk in host.talks for child in talk.subagents.all if child.buffer.name == name]
    (listed[0] if listed else host.current().subagents.named(name)).open()


@command("agentlog", args="agent-running", bar=False)
def agentlog(ctx: ExContext) -> None:
    """Show an agent's stderr and what was odd about its messages, as it comes."""
    from tpy.modal.agent.bridge.reports import log_lines

    host = agents_of(ctx.editor)
    talk = host.named(ctx.args.strip())
    show_live(host, f"{talk.buffer.name}/log", lambda: log_lines(talk))


@command("agenttrace", args="agent-running", bar=False)
def agenttrace(ctx: ExContext) -> None:
    """Show the last messages to and from an agent, as they come."""
    from tpy.modal.agent.bridge.reports import trace_lines

    host = agents_of(ctx.editor)
    talk = host.named(ctx.args.strip())
    show_live(host, f"{talk.buffer.name}/trace", lambda: trace_lines(host, talk.name))


@command("agenthealth")
def agenthealth(ctx: ExContext) -> None:
    """Check the agents files and every agent, as `tpy agents check` does, and show the report."""
    from tpy.modal.agent.bridge.reports import Health

    host = agents_of(ctx.editor)
    health = Health(host, host.redraw)
    show_live(host, "agent://health", lambda: list(health.rows))


@command("agentinit", args="agent-known", bang=True, bar=False)
def agentinit(ctx: ExContext) -> None:
    """Write the starter agents file of the project, with the named known agent alone where one is given; open it."""
    host = agents_of(ctx.editor)
    path = host.init_file(ctx.args.strip(), force=ctx.bang)
    ctx.engine.run_ex("edit " + host.files.escaped(path))
    ctx.echo(f"{one_line(host.files.shown(path), 300)}: take the # away from what you want, then :agent NAME")
