"""`Talk`: one session with an agent, from its start to its end: process, conversation, prompt, queue.

What the agent says comes through `handler.py`, how it looks is `drawing.py`'s, files are `fileserver.py`'s. One
process serves one session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tpy.acp import launch
from tpy.acp.agententry import AgentEntry
from tpy.acp.client import Client
from tpy.acp.connection import TurnState
from tpy.acp.entries import Message, ToolUse
from tpy.acp.handler import ClientError
from tpy.acp.link import Stage
from tpy.acp.session import Session
from tpy.modal.agent import panes
from tpy.modal.agent.bridge.blocks import build
from tpy.modal.agent.bridge.drawing import Drawing
from tpy.modal.agent.bridge.login import Login
from tpy.modal.agent.bridge.pace import Pace
from tpy.modal.agent.bridge.settings import Settings
from tpy.modal.agent.bridge.statusline import StatusLine
from tpy.modal.agent.bridge.subagents import Subagents
from tpy.modal.agent.conversation import Conversation, Item
from tpy.modal.agent.drafts import Keeper
from tpy.modal.agent.folding import Folder
from tpy.modal.agent.lines import one_line
from tpy.modal.agent.markdown import last_fence
from tpy.modal.agent.permission import ALLOW_ONCE, REJECT_ONCE, Option, Request
from tpy.modal.agent.picker import SlashCommand
from tpy.modal.agent.prompt import Prompt, Queue
from tpy.modal.agent.proposals import Edited
from tpy.modal.agent.styles import Styles
from tpy.modal.agent.toolcalls import Piece, notice_lines
from tpy.modal.engine.folding import folds_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents

_BUSY = (TurnState.RUNNING, TurnState.WAITING, TurnState.CANCELLING)


class Talk:
    """One session of an agent. `number` tells sessions of the same name apart."""

    def __init__(self, agents: Agents, entry: AgentEntry, number: int) -> None:
        self.agents = agents
        self.editor = agents.editor
        self.entry = entry
        self.name = entry.name
        self.number = number
        name = panes.buffer_name(entry.name, number)
        self.buffer = self._buffer(name)
        self.prompt = Prompt(self._buffer(name + "/prompt"))
        self.conversation = Conversation(self.buffer, self.editor.windows, self._selecting, self._reveal)
        self.queue = Queue()
        self.keeper = Keeper(agents.loop, self.editor, self.unsent)
        self.requests: list[Request] = []
        self.log: list[str] = []
        self.client: Client | None = None
        self.session: Session | None = None
        self.folder = self._new_folder()
        self.subagents = Subagents(self)
        self.drawing = self._new_drawing()
        self._pace = Pace(agents.loop, self.draw, agents.streamed)
        # The texts last served whole to the agent, by real path: the base of a three-way merge; `None`: only parts.
        self.served: dict[str, str | None] = {}
        # Directories outside the project that the user has allowed or refused for this session.
        self.allowed: dict[str, bool] = {}
        self.outside: dict[str, list[Callable[[str | None], None]]] = {}
        self.roots: list[str] = []
        # What the agent is told before the next prompt: refusals with their reasons.
        self.notes: list[str] = []
        # What the user made of proposals, by the real path that the agent is expected to write next.
        self.edits: dict[str, Edited] = {}
        self.login = Login(self)
        # Called once when the turn that was just asked for ends, with whether it ended plainly.
        self.after_turn: Callable[[bool], None] | None = None
        self.why_dead = ""
        self._told = ""
        self.turn_began = 0.0
        # Whether its windows are closed and it is only kept until its process is gone.
        self.closing = False
        self.restarting = False
        self._again: tuple[str, str] | None = None
        self._waiting_note: Item | None = None
        self.status = StatusLine(self)
        self.buffer.extra.update(
            styles=Styles(self.conversation), status=self.status, talk=self, conversation=self.conversation
        )
        self.prompt.buffer.extra.update(status=self.status.of_prompt, talk=self)
        self.prompt.buffer.listeners.append(self._prompt_changed)

    def _buffer(self, name: str) -> Buffer:
        old = self.editor.buffer_named(name)
        if old is not None:  # of a session that is over
            panes.close_windows(self.editor, old)
            self.editor.remove_buffer(old)
        buffer = self.editor.add_buffer(name=name)
        buffer.options.update(buftype="nofile", undofile=False, textwidth=0)
        return buffer

    def _new_folder(self) -> Folder:
        return Folder(self.conversation, self.editor.windows, lambda window: folds_of(self.editor, window))

    def _new_drawing(self) -> Drawing:
        who, find_line = self.subagents.who, self.agents.files.line_of
        return Drawing(self.conversation, self.folder, self.name, self.agents.project, who=who, find_line=find_line)

    def begin_replay(self, session: Session) -> None:
        """The agent tells the whole conversation again: what is shown of it makes room."""
        self.session, self._waiting_note = session, None
        for window in panes.windows_of(self.editor, self.buffer):
            folds_of(self.editor, window).clear()
        self.conversation.clear()
        self.folder = self._new_folder()
        self.drawing = self._new_drawing()

    def _selecting(self, window: Window) -> bool:
        return self.editor.visual is not None and window is self.editor.window

    def _reveal(self, window: Window) -> None:
        panes.reveal_end(self.editor, window)

    def unsent(self) -> str:
        """Return what was typed and not sent: the prompts that wait, then the draft."""
        return "\n\n".join(filter(str.strip, [*self.queue.texts, self.prompt.text]))

    def _prompt_changed(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        self.keeper.soon()
        if len(splice.old) != len(splice.new):
            following = [w for w in panes.windows_of(self.editor, self.buffer) if self.conversation.follows(w)]
            panes.fit_prompt(self.editor, buffer)
            for window in following if self.requests else ():
                self.conversation.to_end(window)  # the request stays in sight while the prompt grows

    # The process

    def start(self) -> None:
        """Start the program and ask for a session; what goes wrong is told in the conversation."""
        agents = self.agents
        self.why_dead, self.closing = "", False
        self.login.forget()
        self.session = None
        for kept in (self.served, self.allowed, self.outside):
            kept.clear()
        self.drawing = self._new_drawing()
        try:
            plan = launch.launch(self.entry, agents.project, agents.environ)
            servers = launch.mcp_servers(self.entry, agents.project, agents.environ)
            handler = agents.handler(self)
            client = Client(
                agents.loop, handler, plan.argv, cwd=plan.cwd, env=plan.env, name=self.name,
                version=agents.version, timeout=self.entry.timeout, protocol=self.entry.protocol,
                tap=agents.trace.tap(self.name),
            )  # fmt: skip
            client.start()
        except (launch.LaunchError, ClientError) as error:
            self.failed(f"{self.name} cannot be started: {error}")
            return
        self.client = client
        handler.watch_start(client)
        self.roots = launch.roots(self.entry, agents.project, agents.environ)
        again, self._again = self._again, None
        if again is None:
            if any(item.kind == "user" for item in self.conversation.items):
                self.tell(f"A new session: {self.name} knows nothing of what was said before.", error=False)
            client.new_session(plan.cwd, mcp_servers=servers, additional_directories=self.roots)
            return
        session_id, method = again
        client.load_session(session_id, plan.cwd, mcp_servers=servers, additional_directories=self.roots, method=method)

    def restart(self, entry: AgentEntry | None = None) -> None:
        """Stop the process, and start the entry (the same one unless given) in the same windows when it is gone."""
        self.entry = entry or self.entry
        self._again = self._resumable()
        if self.gone:
            self.start()
            return
        self.restarting = True
        self._stop()

    def _resumable(self) -> tuple[str, str] | None:
        """Return the session's id and the method that opens it again, `None` where the agent has none."""
        if self.client is None or self.session is None:
            return None
        if self.client.capabilities.session_capabilities.resume is not None:
            return self.session.session_id, "session/resume"
        return (self.session.session_id, "session/load") if self.client.capabilities.load_session else None

    def give_up(self) -> None:
        """End a start or a login that takes too long."""
        if self.client is not None and self.login.wanted:
            self.login.give_up()
        elif self.client is not None:
            self.waiting("")
            self.failed("The start was given up.")
            self.client.stop()

    @property
    def alive(self) -> bool:
        """Whether the process runs, or is being started."""
        return self.client is not None and self.client.stage in (Stage.STARTING, Stage.READY)

    @property
    def never_started(self) -> bool:
        """Whether it failed to start and there is nothing to read but why."""
        over = self.gone and bool(self.why_dead) and self.session is None and not self.restarting
        return over and all(item.kind == "notice" for item in self.conversation.items)

    @property
    def gone(self) -> bool:
        """Whether no process of it is left."""
        return self.client is None or self.client.stage in (Stage.NEW, Stage.CLOSED)

    @property
    def state(self) -> TurnState:
        """Where the session is; IDLE until there is one."""
        if self.client is None or self.session is None:
            return TurnState.IDLE
        return self.client.state(self.session)

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return self.state in _BUSY

    def stop(self) -> None:
        """End the process, for good also in a restart; a running turn is cancelled first, its requests are answered."""
        self.restarting = False
        self._stop()

    def _stop(self) -> None:
        self.cancel()
        self.withdraw_all()
        if self.client is not None:
            self.client.stop()

    def failed(self, message: str, likely: str = "") -> None:
        """There will be no conversation: say why, in the pane with the likely cause, and give the texts back."""
        self.why_dead = message.partition("\n")[0]
        self.tell("\n".join(filter(None, (message, likely))))
        self.editor.echo(one_line(message), error=True)
        self.give_back()

    def give_back(self) -> None:
        """Put what was typed and never sent back into the prompt, the oldest on top."""
        texts, self.queue.texts = self.queue.texts, []
        self.queue.held = False
        for text in reversed(texts):
            self.put_back(text)

    # Prompts

    def submit(self, text: str) -> None:
        """Send a prompt, or let it wait: for the session, for the turn that runs, for a login."""
        if not self.alive and not self.restarting:
            self.put_back(text)
            raise CommandFailed(self._not_running())
        self.queue.texts.append(text)
        self.pump()
        if self.queue.texts:
            self._told = f"The prompt waits: {self.queue.status()} (:agentqueue)"
            self.editor.echo(self._told)

    def _not_running(self) -> str:
        why = self.why_dead
        if not why and self.client is not None:
            why = str(self.client.exit) if self.client.exit is not None else self.client.stage.value
        if why.startswith("The agent stopped. ("):
            why = why.removeprefix("The agent stopped. (").removesuffix(")")
        return f"The agent is not running: {one_line(why or 'not started')} (:agentrestart starts it again)"

    def pump(self) -> None:
        """Send the next prompt that waits, if it may be sent now."""
        if self.queue.held or self.login.wanted or self.client is None or self.session is None or not self.alive:
            return
        while self.queue.texts and self.state is TurnState.IDLE and not self.session.loading:
            text = self.queue.texts.pop(0)
            self.agents.queue_changed(self)
            if not self._send(text):
                break
            message = self.editor.message
            if message is not None and message.text == self._told:
                self.editor.message = None

    def send_form(self) -> str:
        """Send the form that the session waits for, as `:w` in it means. Raises `CommandFailed`."""
        self.agents.answer_form(self, "accept")
        return "The form is sent"

    def release(self) -> bool:
        """Let a held queue go; `False` where none is held."""
        if not self.queue.held:
            return False
        self.queue.held = False
        self.pump()
        return True

    def _send(self, text: str) -> bool:
        assert self.client is not None
        assert self.session is not None
        capabilities = self.client.capabilities.prompt_capabilities
        left_open = self.session.left_open
        try:
            blocks = build(self.agents, "\n".join(self.notes), text, capabilities)
            self.client.prompt(self.session, blocks, text)
        except ClientError as error:
            self.prompt.put_back(text)
            self.editor.echo(one_line(str(error)), error=True)
            return False
        self.turn_began = self.agents.loop.time()
        self.notes.clear()
        if left_open:
            calls = "1 tool call is" if left_open == 1 else f"{left_open} tool calls are"
            self.editor.echo(f"{calls} still at work from the turn before; a new prompt may end that")
        for window in panes.windows_of(self.editor, self.buffer):
            self.conversation.to_end(window)
        self.draw()
        self.agents.event("AgentPrompt", self)
        self.agents.animate()
        return True

    def cancel(self) -> bool:
        """Cancel the running turn, once; `False` when none runs."""
        if self.client is None or self.session is None or not self.client.cancel(self.session):
            return False
        self.draw()
        self.agents.redraw()
        return True

    def steer(self, text: str) -> None:
        """Speak into the running turn where the agent takes that, else queue the text."""
        client, session = self.client, self.session
        if client is None or session is None or not self.busy or not client.steers:
            self.submit(text)
            return

        def done(result: Any) -> None:
            if getattr(result, "outcome", "failed") == "failed":
                self.submit(text)
            else:
                self.tell(f"You, into the running turn: {text}", error=False)

        client.steer(session, build(self.agents, "", text, client.capabilities.prompt_capabilities), done)

    def stop_tool(self, session: Session | None, shown: object) -> None:
        """Stop the tool call that an item of a conversation shows (its `data`), and go on with the turn.

        Raises `CommandFailed` where it shows none, or one that cannot be stopped.
        """
        if not isinstance(shown, ToolUse) or session is None or self.client is None:
            raise CommandFailed("There is no tool call under the cursor")
        name = one_line(shown.heading, 60)
        if not self.client.cancel_tool(session, shown):
            over = shown.finished or shown.mark is not None
            raise CommandFailed(f"{name} is over" if over else f"{name} cannot be stopped alone; :cancel ends the turn")
        self.editor.echo(f"Stopping {name}")

    def slash_commands(self) -> list[SlashCommand]:
        """Return the commands that the agent has announced."""
        known = self.session.commands if self.session is not None else []
        return [SlashCommand(c.name, c.description, c.input.hint if c.input is not None else "") for c in known]

    def withdraw_all(self) -> None:
        """Close the requests that are still shown; their answers are given."""
        for request in list(self.requests):
            if request.choose(None):
                self.close_request(request)

    # What can be asked of it

    @property
    def key(self) -> str:
        """What names this session among all: the agent's name, with the number where that is needed."""
        return self.name if self.number == 1 else f"{self.name}/{self.number}"

    def settings(self) -> Settings:
        """Return what can be set of the session. Raises `CommandFailed` where there is none."""
        if self.client is None or self.session is None or not self.alive:
            raise CommandFailed(self._not_running())
        return Settings(self, self.client, self.session)

    def places(self) -> list[tuple[str, int | None, str]]:
        """Return the files, with their lines from 1 and the call's title, that tool calls named, the latest first."""
        found: list[tuple[str, int | None, str]] = []
        for entry in reversed(self.session.entries if self.session is not None else ()):
            if isinstance(entry, ToolUse):
                found += [(where.path, where.line, entry.title or "") for where in reversed(entry.locations)]
        return found

    def last_fence(self) -> list[str] | None:
        """Return the lines of the last fenced block that the agent said in the last turn, `None` for none."""
        said: list[str] = []
        for entry in reversed(self.session.entries if self.session is not None else ()):
            if isinstance(entry, Message) and entry.local:
                break
            if isinstance(entry, Message) and entry.kind == "agent":
                said.insert(0, entry.text)
        return last_fence("".join(said))

    # Showing

    def offer_change(
        self, place: str, old: list[str], new: list[str], apply: Callable[[], None], drop: Callable[[], None]
    ) -> None:
        """Show a change of lines as a request; `apply` is called when it is allowed, `drop` when not."""

        def answer(choice: str | None) -> None:
            (apply if choice == "apply" else drop)()

        piece = Piece("diff", "\n".join(new) + "\n", place, "\n".join(old) + "\n")
        options = [Option("apply", "Apply", ALLOW_ONCE), Option("drop", "Discard", REJECT_ONCE)]
        self.add_request(Request(f"change {place}", options, answer, pieces=[piece]))

    def remove_buffer(self, name: str) -> None:
        """Close the windows of a buffer of this session, and forget it."""
        buffer = self.editor.buffer_named(name)
        if buffer is not None:
            panes.close_windows(self.editor, buffer)
            self.editor.remove_buffer(buffer)

    def tell(self, text: str, *, error: bool = True) -> Item:
        """Put a notice into the conversation."""
        self.draw()
        item = self.conversation.add("notice", notice_lines(text, error=error))
        item.failed = error
        self.agents.redraw()
        return item

    def waiting(self, text: str) -> None:
        """Show, in one place, what is waited for; an empty text when it has come."""
        if self._waiting_note is not None:
            self.conversation.redraw(self._waiting_note, notice_lines(text, error=False) if text else [])
            if not text:
                self._waiting_note = None
        elif text:
            self._waiting_note = self.tell(text, error=False)

    def draw(self) -> None:
        """Draw what is new in the session now."""
        if self.session is not None:
            self.drawing.draw(self.session)

    def draw_soon(self) -> None:
        """Draw what is new in a moment, together with what comes until then."""
        self._pace.soon()

    def add_request(self, request: Request) -> None:
        """Show a request and wait for its answer."""
        self.draw()
        self.requests.append(request)
        request.item = self.conversation.add("ask", request.lines(self.name), data=request, open=True)
        shown = panes.windows_of(self.editor, self.buffer)
        request.parked = [(window, window.cursor) for window in shown]
        self.agents.notices.waits(self, request.title)
        self.agents.tell_request()
        self.agents.redraw()

    def form_closing(self, buffer: Buffer) -> None:
        """The last window on a buffer goes: a form whose buffer that is gets `cancel` for an answer."""
        for request in list(self.requests):
            if request.form is not None and buffer.name == self.buffer.name + "/form" and request.choose(None):
                self.close_request(request)

    def close_request(self, request: Request) -> None:
        """Show that a request has its answer."""
        if request in self.requests:
            self.requests.remove(request)
        if request.item is not None and request.item.open:
            self.conversation.close(request.item, request.lines(self.name))
        self.agents.tell_request()
        self.agents.redraw()

    def put_back(self, text: str) -> None:
        """Put a text into the prompt again, above the draft, in which the cursor stays where it is."""
        lines, blank = self.prompt.buffer.lines, self.prompt.blank
        windows = panes.windows_of(self.editor, self.prompt.buffer)
        places = [(window, len(lines) - window.cursor.line, window.cursor.col) for window in windows]
        self.prompt.put_back(text)
        for window, from_end, col in places:
            window.cursor = self.prompt.end() if blank else Pos(len(lines) - from_end, col)
