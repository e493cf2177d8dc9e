"""What the client calls, for one `Talk`: news go to the conversation, requests to the user, files to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tpy.acp import schema
from tpy.acp.asks import Ask, ElicitationAsk, FileRead, FileWrite, PermissionAsk
from tpy.acp.client import Client
from tpy.acp.entries import Message, ToolUse, TurnEnd
from tpy.acp.handler import Handler as ClientHandler
from tpy.acp.jsonrpc import AUTH_REQUIRED, RpcError
from tpy.acp.link import Stage
from tpy.acp.session import Session
from tpy.modal.agent import forms, rules
from tpy.modal.agent.bridge.formasks import form_of
from tpy.modal.agent.lines import one_line, visible
from tpy.modal.agent.permission import ALLOW_ONCE, Option, Request
from tpy.modal.agent.proposals import drop_edits
from tpy.modal.agent.toolcalls import ToolView, purpose

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk

MOST_LOG = 2000
# How often, in seconds, a start that takes long is looked at.
LOOK_EVERY = 1.0


class Handler(ClientHandler):
    """The handler of the client of one talk."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.agents = talk.agents
        # What the agent asked and how it is shown, until it is answered.
        self._requests: dict[Ask, Request] = {}
        # What is waited for in a slow start.
        self._waits = ""
        # The prompt of the turn that the agent died in.
        self._unanswered = ""

    @property
    def capabilities(self) -> schema.ClientCapabilities:
        """What we announce: only what works."""
        return schema.ClientCapabilities(
            fs=schema.FileSystemCapabilities(read_text_file=True, write_text_file=True),
            terminal=True,
            session=schema.ClientSessionCapabilities(
                config_options=schema.SessionConfigOptionsCapabilities(boolean={}), notices={}, compaction={}
            ),
            elicitation=schema.ElicitationCapabilities(form={}, url={}),
            auth=schema.AuthCapabilities(terminal=self.agents.can_run_terminal),
            plan={},
            subagents={},
            meta={"terminal_output_delta": True},
        )

    # The start

    def ready(self, client: Client) -> None:
        """`initialize` was answered."""
        self.agents.event("AgentStart", self.talk)
        self.agents.redraw()

    def slow(self, client: Client, method: str) -> None:
        """A call of the handshake has had no answer for a while."""
        told = [f"Waiting for the answer to {method}; :cancel or :agentclose gives up.", *map(visible, client.stderr)]
        self._waits = "\n".join(told)
        self.talk.waiting("\n".join(filter(None, (self._waits, self._printed(client)))))

    def watch_start(self, client: Client) -> None:
        """Tell once a second of a program that prints other things than messages in place of an answer."""
        if client is self.talk.client and client.stage is not Stage.CLOSED and self.talk.session is None:
            if client.waiting_for and client.stray_lines:
                self.talk.waiting("\n".join(filter(None, (self._waits, self._printed(client)))))
                self.agents.redraw()
            self.agents.loop.call_later(LOOK_EVERY, lambda: self.watch_start(client))

    def _printed(self, client: Client) -> str:
        """Return what came in place of messages, "" for nothing."""
        count = client.stray_lines
        last = next((line for line in reversed(self.talk.log) if line.startswith("stdout: ")), "")
        lines = "1 line that was no message" if count == 1 else f"{count} lines that were no messages"
        return f"{lines}, the last: {one_line(last.removeprefix('stdout: '), 120)}" if count else ""

    def _likely(self, client: Client, message: str) -> str:
        """Return which agent could not be started and the likely cause, for one that did not say that itself."""
        who = one_line(f"{self.talk.name} ({' '.join((self.talk.entry.command, *self.talk.entry.args))})", 200)
        if client.stray_lines:
            return f"What {who} printed was not ACP: {self._printed(client)}"
        if client.stderr and str(client.exit) in message:
            return f"{one_line(self.talk.name)} ended before it answered."
        if str(client.exit) in message:  # it was not stopped for another reason
            return f"{who} ended before it answered: is this the program, and are these the arguments, that speak ACP?"
        return ""

    def session_opened(self, client: Client, session: Session) -> None:
        """A session is there."""
        talk = self.talk
        if session.parent is not None:
            talk.subagents.add(session)
            return
        talk.waiting("")
        talk.session = session
        talk.login.wanted = talk.login.restarted = False
        talk.login.close_request("→ logged in")
        self._set_defaults(client, session)
        if session.loaded and not session.entries:
            talk.tell("The agent has opened the session and told nothing of what was said in it.", error=False)
        talk.draw()
        talk.pump()
        self.agents.redraw()

    def _set_defaults(self, client: Client, session: Session) -> None:
        """Set the options and the mode that the entry of the agents file asks for."""
        known = {option.id: option for option in session.config_options or ()}
        for name, value in self.talk.entry.defaults.items():
            if name in known:
                client.set_config_option(session, name, value)
            elif name == "mode" and isinstance(value, str):
                client.set_mode(session, value)
            else:
                self.talk.tell(f"The agents file sets {name}, which {self.talk.name} does not have.", error=False)

    def session_changed(self, client: Client, session: Session, update: Any) -> None:
        """The snapshot has changed."""
        if session.parent is not None:
            self.talk.subagents.changed(session)
        elif session is self.talk.session or self.talk.session is None:
            if session.loading and self.talk.session is None:
                self.talk.begin_replay(session)
            self.talk.draw_soon()

    def turn_ended(self, client: Client, session: Session, end: TurnEnd) -> None:
        """The turn is over."""
        talk = self.talk
        if session is not talk.session:
            return
        talk.draw()
        drop_edits(talk)
        plain = end.stop_reason == "end_turn" and not end.cancelled and end.error is None
        talk.queue.held = bool(talk.queue.texts) and not plain
        if end.error is not None and not end.cancelled:
            if end.error.code == AUTH_REQUIRED:
                talk.put_back(_last_prompt(session))
            elif client.exit is not None:
                self._unanswered = _last_prompt(session)
        self.agents.event("AgentTurnEnd", talk)
        after, talk.after_turn = talk.after_turn, None
        if after is not None:
            after(plain)
        talk.pump()
        if not talk.busy:
            self.agents.notices.done(talk)
        self.agents.check_files()
        self.agents.redraw()

    # Login

    def login_wanted(self, client: Client, error: RpcError) -> None:
        """Offer the ways to log in."""
        self.talk.login.offer(error)

    def auth_changed(self, client: Client, status: schema.AuthStatusResponse) -> None:
        """The agent's login changed."""
        self.talk.tell(f"login: {one_line(status.state)}", error=False)

    # Requests

    def permission_asked(self, client: Client, ask: PermissionAsk) -> None:
        """Ask the user, unless a rule of the user's has the answer."""
        tool = ask.tool
        options = [Option(option.option_id, option.name, option.kind) for option in ask.options]
        by_id = {option.option_id: option for option in reversed(ask.options)}

        def answer(choice: str | None) -> None:
            self._requests.pop(ask, None)
            if choice is None:
                ask.cancel()
            else:
                ask.choose(by_id[choice])

        view = self.talk.drawing.view(ask.session, tool)
        request = Request(
            self._whose(ask.session, _heading(tool)),
            options,
            answer,
            purpose=self._purpose(view),
            pieces=[piece for piece in view.pieces if piece.kind == "diff"],
            subject=self._subject(tool),
        )
        if self.apply_rules(request):
            return
        self._requests[ask] = request
        self.talk.draw()
        if request.pieces and ask.session is self.talk.session:
            self.talk.drawing.leave_to_request(ask.session, tool, request.pieces)
        self.talk.add_request(request)
        self.agents.event("AgentPermission", self.talk)

    def _whose(self, session: Session | None, title: str) -> str:
        """Return the heading of a request with the subagent it comes from, where it comes from one."""
        child = session is not None and session.parent is not None
        return f"{self.talk.subagents.who(session.session_id)}: {title}" if session is not None and child else title

    def _purpose(self, view: ToolView) -> str:
        """Return one line on what would be done, unless the diff below says the same."""
        paths = [piece.path for piece in view.pieces]
        told = self.talk.drawing.place(purpose(view.raw_input, view.places or paths))
        return "" if told in (*paths, ", ".join(paths)) else told

    def _subject(self, tool: ToolUse) -> rules.Subject:
        place = self.talk.drawing.place
        paths = [part.path for part in tool.content if isinstance(part, schema.Diff)]
        paths += [where.path for where in tool.locations]
        command = purpose(tool.raw_input) if tool.kind == "execute" else ""
        return rules.Subject(self.talk.name, tool.kind, tuple(dict.fromkeys(map(place, paths))), command)

    def apply_rules(self, request: Request) -> bool:
        """Answer a request by the user's rules; `False` where they leave it to the user."""
        if request.subject is None:
            return False
        verdict = rules.decide(self.agents.rules, request.subject)
        if verdict == rules.DENY:
            request.choose(request.refusing, " (by a rule of yours)")
        elif verdict == rules.ALLOW and (once := request.by_kind(ALLOW_ONCE)) is not None:
            request.choose(once, " (by a rule of yours)")
        else:
            return False
        return True

    def elicitation_asked(self, client: Client, ask: ElicitationAsk) -> None:
        """Open the form, or show the URL."""
        form = form_of(ask)
        form = form._replace(message=self._whose(ask.session, form.message))

        def answer(action: str, content: dict[str, Any] | None) -> None:
            self._requests.pop(ask, None)
            if action == "accept":
                ask.accept(content)
            elif action == "decline":
                ask.decline()
            else:
                ask.cancel()

        self._requests[ask] = forms.open_form(self.talk, form, answer)

    def elicitation_done(self, client: Client, elicitation_id: str) -> None:
        """What a URL was opened for is done."""
        self.talk.tell("The agent says that what the address was opened for is done.", error=False)

    def ask_withdrawn(self, client: Client, ask: Ask) -> None:
        """A request needs no answer any more."""
        request = self._requests.pop(ask, None)
        if request is not None and request.withdraw():
            self.talk.close_request(request)

    def read_file(self, client: Client, ask: FileRead) -> None:
        """Serve the text of a file."""
        self.agents.files.read(self.talk, ask)

    def write_file(self, client: Client, ask: FileWrite) -> None:
        """Write a file."""
        self.agents.files.write(self.talk, ask)

    # The end

    def failed(self, client: Client, message: str) -> None:
        """There is no conversation, unless another process may do better: each way is tried once."""
        talk = self.talk
        talk.waiting("")
        if client.version_refused:
            talk.tell("The agent refused protocol 2; it is started again with 1.", error=False)
            talk.restart(talk.entry._replace(protocol=1))
        elif client.login_useless and not talk.login.restarted:
            talk.login.restarted = True
            talk.tell("The login had no effect; the agent is started again.", error=False)
            talk.restart()
        elif not talk.why_dead and not talk.restarting:  # given up, which was told, or ended for another start
            talk.failed(message, self._likely(client, message))
            if talk.session is None:
                client.stop()

    def closed(self, client: Client, message: str) -> None:
        """The process is over."""
        talk = self.talk
        talk.waiting("")
        for request in list(talk.requests):
            request.withdraw()
            talk.close_request(request)
        talk.login.forget()
        talk.outside.clear()
        talk.draw()
        if message:
            talk.why_dead = message.partition("\n")[0]
            talk.tell(message)
            self.agents.editor.echo(one_line(f"{talk.name}: {message}"), error=True)
        if not talk.restarting:
            talk.queue.texts[:0] = [self._unanswered] if self._unanswered and message else []
            talk.give_back()
        self.agents.event("AgentExit", talk)
        if talk.restarting:
            talk.restarting = False
            talk.start()
            self.agents.animate()
        else:
            self.agents.closed(talk)

    def log(self, client: Client, kind: str, text: str) -> None:
        """Keep a line for `:agentlog`."""
        self.talk.log.append(f"{kind}: {visible(text)}")
        del self.talk.log[:-MOST_LOG]
        if kind == "error":
            self.talk.editor.echo(one_line(f"{self.talk.name}: {text}"), error=True)


def _heading(tool: ToolUse) -> str:
    """Return what a request about a tool call is called."""
    return tool.title or tool.name or (tool.kind if tool.kind != "other" else "") or "the agent"


def _last_prompt(session: Session) -> str:
    """Return the last prompt that was sent, to go back into the draft."""
    return next((e.text for e in reversed(session.entries) if isinstance(e, Message) and e.local), "")
