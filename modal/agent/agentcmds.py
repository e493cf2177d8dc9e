"""The ex commands that start, steer and stop agents.

What an agent changed and kept conversations have modules of their own; reports are in `reports.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tpy.modal.agent import panes
from tpy.modal.agent.bridge import agents_of
from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.lines import one_line, visible
from tpy.modal.agent.prompt import Queue
from tpy.modal.editor import Message
from tpy.modal.ex.context import Ask, ExContext, Work
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import AGENT, INTERNAL, UNDO, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice
from tpy.modal.view.layout import COLUMN
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.acp.agententry import AgentEntry
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk

# A window with at least so many lines is split for a page; a lower one stays as it is.
ROOM = 16


@command("agent", args="agent", bang=True, bar=False)
def agent(ctx: ExContext) -> Work | None:
    """Start an agent in a new agent window, or go to its window; `!` starts a new session; no name: the list."""
    host = agents_of(ctx.editor)
    name = ctx.args.strip()
    if not name:
        from tpy.modal.agent.listpage import open_page

        open_page(host)
        return None
    found = host.entries(name)
    if not ctx.bang:
        wanted = found[0].name if len(found) == 1 else name
        for talk in reversed(host.talks):
            if wanted in (talk.name, talk.key) and not talk.closing:
                return _go_to(host, talk, found[0] if len(found) == 1 else talk.entry)
    if len(found) != 1:
        raise CommandFailed(_not_one(host, name, found))
    return _start(host, found[0])


def _go_to(host: Agents, talk: Talk, entry: AgentEntry) -> Work | None:
    """Show a session; one whose agent is gone is started again, as its entry is now."""
    if not talk.alive and not talk.restarting:
        return _start(host, entry, talk)
    host.show(talk)
    return None


def _not_one(host: Agents, name: str, found: list[AgentEntry]) -> str:
    loaded = host.load()
    problems = "".join(f"\n{error}" for error in loaded.errors)
    if found:
        return f"{one_line(name)} may be: " + ", ".join(one_line(entry.name) for entry in found)
    known = ", ".join(one_line(entry.name) for entry in loaded.entries)
    return f"No agent is called {one_line(name)}; there are: {known} (:agent lists them){problems}"


def _start(host: Agents, entry: AgentEntry, talk: Talk | None = None) -> Work:
    """Start an entry, in the windows of `talk` if given; one that a project file brought is asked about first."""
    if not host.is_trusted(entry):
        state = host.program_state(entry)
        if state != "ready":
            raise CommandFailed(f"{one_line(entry.name)} cannot be started: {state}")
        words = " ".join(map(visible, (entry.command, *entry.args)))
        answer = yield Ask(f"This project's file wants to run: {words}  Start it (y/n)?", ("y", "n"))
        if answer != "y":
            host.editor.echo(f"{one_line(entry.name)} is not started")
            return
        host.approve(entry)
    if talk is None:
        talk = host.start(entry)
    else:
        host.show(talk)
        talk.restart(entry)
        host.animate()
    failure = host.editor.message if talk.why_dead else None
    for error in host.load().errors:
        host.editor.echo(visible(error), error=True)
        failure = failure or Message(_in_a_row(error, host.editor.layout.width), True, host.editor.clock())
    host.editor.message = failure or host.editor.message


def _in_a_row(error: str, width: int) -> str:
    """Return what is wrong with an agents file in one row, so that no status line is covered; the file's name stays."""
    more = " (:agentstatus)"
    room = max(width - len(more) - 1, 20)
    text = " ".join(error.split())
    if len(text) > room:
        text = "acp.toml" + text.partition("acp.toml")[2]
    return one_line(text, room) + more


@command("cancel", args="agent-running", bar=False)
def cancel(ctx: ExContext) -> Work | None:
    """Cancel the turn of this window's agent (or its subagent), the named one, or the only one that runs."""
    host = agents_of(ctx.editor)
    name = ctx.args.strip()
    here = host.talk_of(ctx.buffer)
    child = here.subagents.at(ctx.buffer) if here is not None and not name else None
    if child is not None:
        child.cancel()
        return None
    running = [talk for talk in host.talks if talk.busy]
    if name:
        chosen = host.named(name)
    elif here is not None:
        chosen = here
    elif len(running) > 1:
        raise CommandFailed("Several turns are running: :cancel " + " | ".join(one_line(talk.name) for talk in running))
    elif running:
        chosen = running[0]
    else:
        raise CommandFailed("No turn is running")
    if chosen.busy:
        return None if chosen.cancel() else _offer_stop(host, chosen)
    if chosen.alive and (chosen.session is None or chosen.login.wanted):
        chosen.give_up()
        return None
    raise CommandFailed("No turn is running")


@command("agentstop")
def agentstop(ctx: ExContext) -> None:
    """Stop the tool call under the cursor, where that can be stopped alone; the turn goes on."""
    talk = agents_of(ctx.editor).talk_of(ctx.buffer)
    shown = ctx.buffer.extra.get("conversation")
    if talk is None or not isinstance(shown, Conversation):
        raise CommandFailed("There is no tool call under the cursor")
    child = talk.subagents.at(ctx.buffer)
    item = shown.item_at(ctx.editor.window.cursor.line)
    talk.stop_tool(child.session if child is not None else talk.session, item.data if item is not None else None)


def _offer_stop(host: Agents, talk: Talk) -> Work:
    answer = yield Ask(f"{one_line(talk.name)} has not ended its turn yet. Stop the agent (y/n)?", ("y", "n"))
    if answer == "y":
        talk.stop()
        talk.tell("The agent was stopped.", error=False)


@command("agentclose", args="agent-running", bang=True, bar=False)
def agentclose(ctx: ExContext) -> None:
    """End the session and stop the agent; `!` also while a turn runs."""
    host = agents_of(ctx.editor)
    host.close(host.named(ctx.args.strip()), force=ctx.bang)


@command("agentrestart", args="agent-running", bang=True, bar=False)
def agentrestart(ctx: ExContext) -> None:
    """Stop an agent and start it again in the same windows; `!` also while a turn runs."""
    host = agents_of(ctx.editor)
    talk = host.named(ctx.args.strip())
    host.require_idle(talk, ctx.bang)
    loaded = host.load().find(talk.name)
    if loaded is not None and not host.is_trusted(loaded):
        raise CommandFailed(f"The entry of {one_line(talk.name)} has changed: start it with :agent, which asks")
    talk.restart(loaded)


@command("agentreload")
def agentreload(ctx: ExContext) -> None:
    """Read the agents files again and restart the idle agents whose entry has changed."""
    host = agents_of(ctx.editor)
    loaded = host.load()
    for error in loaded.errors:
        ctx.editor.echo(visible(error), error=True)
    count = 0
    for talk in host.talks:
        entry = loaded.find(talk.name)
        if entry is None or entry == talk.entry:
            continue
        if talk.busy or not host.is_trusted(entry):
            ctx.echo(f"{one_line(talk.name)} has changed: :agentrestart it when you are ready")
            continue
        talk.restart(entry)
        count += 1
    if not loaded.errors:
        ctx.echo(f"{len(loaded.entries)} agents, {count} restarted")


# Prompting


@command("ask", range="0", args="rest", bar=False)
def ask(ctx: ExContext) -> None:
    """Prompt the current agent; a range is sent as context."""
    host = agents_of(ctx.editor)
    talk = host.current()
    text = ctx.args.strip()
    if ctx.lines_typed:
        text = f"{text}\n\n{quoted_lines(host, ctx.buffer, ctx.first, ctx.last)}".strip()
    if not text:
        raise CommandFailed("E471: Argument required")
    talk.submit(text)


@command("agentsend", range=".", bang=True)
def agentsend(ctx: ExContext) -> None:
    """Put the lines, with their path, into the prompt of the current agent; `!` sends them."""
    host = agents_of(ctx.editor)
    talk = host.current()
    text = quoted_lines(host, ctx.buffer, ctx.first, ctx.last)
    if ctx.bang:
        talk.submit(text)
    else:
        talk.prompt.add(text)
        ctx.echo(f"{ctx.last - ctx.first + 1} lines are in the prompt of {one_line(talk.name)}")


def quoted_lines(host: Agents, buffer: Buffer, first: int, last: int) -> str:
    """Return lines of a buffer as a fence headed by their place."""
    return quoted(host.files.shown_name(buffer), first, last, buffer.lines[max(first, 0) : last + 1])


def quoted(where: str, first: int, last: int, rows: Sequence[str]) -> str:
    """Return text as a fence headed by the place it is from."""
    span = f"{first + 1}" if first == last else f"{first + 1}-{last + 1}"
    fence = "```"
    while any(fence in row for row in rows):
        fence += "`"
    return "\n".join([f"{where}:{span}", fence, *rows, fence])


@command("steer", args="rest", bar=False)
def steer(ctx: ExContext) -> None:
    """Speak into the running turn where the agent offers that, else let the words wait for its end."""
    talk = agents_of(ctx.editor).current()
    text = ctx.args.strip()
    if not text:
        raise CommandFailed("E471: Argument required")
    talk.steer(text)


@command("agentqueue")
def agentqueue(ctx: ExContext) -> None:
    """Show the prompts that wait in a buffer that can be edited; a held queue is let go."""
    host = agents_of(ctx.editor)
    talk = host.current()
    if talk.release() and not talk.queue.texts:
        return
    name = talk.buffer.name + "/queue"
    buffer = ctx.editor.buffer_named(name) or ctx.editor.add_buffer(name=name)
    buffer.options.update(buftype="nofile", undofile=False)
    buffer.extra["talk"] = talk
    buffer.extra["write"] = lambda: _queue_kept(talk)
    buffer.replace(0, len(buffer.lines), talk.queue.lines())
    if not any(isinstance(listener, _QueueListener) for listener in buffer.listeners):
        buffer.listeners.append(_QueueListener(talk.queue))
    show_beside(host, buffer)


def _queue_kept(talk: Talk) -> str:
    """The user is done with the queue: what may be sent now is sent."""
    talk.pump()
    return f"The queue of {one_line(talk.name)}: {talk.queue.status() or 'empty'}"


class _QueueListener:
    """Takes the queue from its buffer when the user changes that."""

    def __init__(self, queue: Queue) -> None:
        self.queue = queue

    def __call__(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        if origin not in (INTERNAL, AGENT) or origin == UNDO:
            self.queue.read(buffer.lines)


def show_beside(host: Agents, buffer: Buffer) -> Window:
    """Show a buffer in a window of its own, below the current one, or below all where that is too low, and go there."""
    editor = host.editor
    shown = [w for w in panes.windows_of(editor, buffer) if w in editor.layout.windows()]
    if shown:
        editor.focus(shown[0])
        return shown[0]
    window = Window(buffer)
    layout = editor.layout
    if editor.window.height >= ROOM:
        layout.split(editor.window, window, COLUMN, after=True)
    else:
        layout.split_whole(window, COLUMN, after=True, size=layout.height // 2)
    editor.focus(window)
    return window


def open_at(host: Agents, path: str, line: int | None) -> None:
    """Show a file at a line (from 1) in the file window used last. Raises `CommandFailed` where there is none."""
    editor = host.editor
    window = panes.last_file_window(editor)
    if window is None:
        raise CommandFailed("There is no file window to show it in")
    editor.focus(window)
    host.engine.jump_from(window, window.cursor)
    if not host.files.is_shown(window.buffer, path):
        host.engine.run_ex("edit " + host.files.escaped(path))
    window = editor.window
    wanted = min(max((line or window.cursor.line + 1) - 1, 0), len(window.buffer.lines) - 1)
    window.cursor = Pos(wanted, 0)
    window.want = None
    editor.echo(f"{one_line(host.files.shown(path), 200)}:{wanted + 1}")


# Answering


@command("allow", args="agent-answer", bar=False)
def allow(ctx: ExContext) -> None:
    """Answer the oldest open request: allow once, or the option named by number, name or kind."""
    host = agents_of(ctx.editor)
    found = host.oldest_request()
    if found is None:
        raise CommandFailed("No request is waiting")
    talk, request = found
    wanted = ctx.args.strip()
    option = request.by_name(wanted) if wanted else request.allowing or request.by_kind("accept")
    if option is None:
        offered = ", ".join(one_line(option.name, 60) for option in request.options) or "nothing to allow"
        raise CommandFailed(f"{one_line(talk.name)} offers: {offered}")
    host.answer(talk, request, option)


@command("deny", args="rest", bar=False)
def deny(ctx: ExContext) -> None:
    """Say no to the oldest open request; a reason is told to the agent with the next prompt."""
    host = agents_of(ctx.editor)
    found = host.oldest_request()
    if found is None:
        raise CommandFailed("No request is waiting")
    talk, request = found
    reason = ctx.args.strip()
    host.answer(talk, request, request.refusing or request.by_kind("decline"), f": {reason}" if reason else "")
    if reason:
        talk.notes.append(f'I refused "{request.title}": {reason}')


@command("agentanswer")
def agentanswer(ctx: ExContext) -> None:
    """Check the form that an agent waits for, and send it."""
    _form_answer(ctx, accept=True)


@command("agentdecline")
def agentdecline(ctx: ExContext) -> None:
    """Decline the form that an agent waits for."""
    _form_answer(ctx, accept=False)


def _form_answer(ctx: ExContext, *, accept: bool) -> None:
    host = agents_of(ctx.editor)
    here = host.talk_of(ctx.buffer)
    for talk in sorted(host.talks, key=lambda talk: talk is not here):
        if host.answer_form(talk, "accept" if accept else "decline"):
            return
    raise CommandFailed("No form is waiting")


@command("agentlogin", args="agent-login", bar=False)
def agentlogin(ctx: ExContext) -> None:
    """Log in to the current agent by a method it offers."""
    host = agents_of(ctx.editor)
    talk = host.current()
    methods = [(method.id, method.name) for method in talk.login.methods()]
    wanted = ctx.args.strip().lower()
    chosen = [m for m in methods if wanted in (m[0].lower(), m[1].lower())] if wanted else methods
    if len(chosen) != 1:
        names = ", ".join(one_line(name, 60) for _, name in methods) or "no way to log in from here"
        raise CommandFailed(f"{one_line(talk.name)} offers: {names}")
    talk.login.take(chosen[0][0])


@command("agentlogout")
def agentlogout(ctx: ExContext) -> None:
    """Log out of the current agent."""
    agents_of(ctx.editor).current().login.out()
