"""`Agents`: all sessions of an editor, the agents files, rules and trust; where windows and buffers tell of their end.

One session is `talk.py`'s. Commands are in `agentcmds.py`, keys in `keys.py`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

import tpy
from tpy.acp import config, starter, trust
from tpy.acp.agententry import AgentEntry
from tpy.acp.child import Loop, Timer
from tpy.acp.trace import Trace
from tpy.modal.agent import panes, proposals, rules
from tpy.modal.agent.bridge import programs
from tpy.modal.agent.bridge.fileserver import FileServer
from tpy.modal.agent.bridge.handler import Handler
from tpy.modal.agent.bridge.notices import Notices
from tpy.modal.agent.bridge.statusline import FRAMES
from tpy.modal.agent.bridge.talk import Talk
from tpy.modal.agent.drafts import Drafts
from tpy.modal.agent.keys import Keys
from tpy.modal.agent.lines import one_line
from tpy.modal.agent.permission import Option, Request
from tpy.modal.ex.filestate import check_time
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import INTERNAL, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import between
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


class Agents:
    """The agents of one editor. `project` is the directory it was started in, `loop` runs the pipes and timers."""

    def __init__(self, engine: Engine, loop: Loop, project: str, environ: Mapping[str, str]) -> None:
        self.engine = engine
        self.editor = engine.editor
        self.loop = loop
        self.project = os.path.abspath(project)
        self.environ = environ
        self.version: str = getattr(tpy, "__version__", "0")
        self.trace = Trace.from_environment(environ)
        self.talks: list[Talk] = []
        self.drafts = Drafts(os.path.join(trust.state_directory(environ), "drafts"), self.project)
        self.files = FileServer(self)
        self.keys = Keys(self)
        self.notices = Notices(self)
        self._rules_file = os.path.join(trust.state_directory(environ), "permissions.json")
        self.rules = rules.load(self._rules_file)
        self._tick_timer: Timer | None = None
        self._asked = ""
        self._last: Talk | None = None
        self.editor.on("window-closing", self.window_closing)
        self.editor.on("buffer-closing", self.buffer_closing)
        self.editor.on("quitting", self.quitting)
        self.editor.on("window-entered", self._entered)
        self.editor.on("window-closed", self._window_closed)
        self.editor.on("resized", self._resized)

    # The agents files

    def load(self) -> config.Agents:
        """Read the agents files: the entries in order, the Tutor among them, and what is wrong with the files."""
        return config.load(self.project, self.environ, (config.tutor_entry(),))

    def entries(self, name: str) -> list[AgentEntry]:
        """Return the entries a name means: one, or the candidates. Exact, then whatever the case, then a prefix."""
        loaded = self.load()
        exact = loaded.find(name)
        if exact is not None:
            return [exact]
        low = name.lower()
        same = [entry for entry in loaded.entries if entry.name.lower() == low]
        return same or [entry for entry in loaded.entries if entry.name.lower().startswith(low)] if name else []

    def is_trusted(self, entry: AgentEntry) -> bool:
        """Whether an entry may be started without asking."""
        return trust.is_trusted(entry, self.project, self.environ)

    def approve(self, entry: AgentEntry) -> None:
        """Remember that the user said yes to an entry."""
        trust.approve(entry, self.project, self.environ)

    def program_state(self, entry: AgentEntry) -> str:
        """Return "ready", or why the program of an entry cannot be started."""
        return programs.program_state(entry, self.project, self.environ)

    def known_programs(self, besides: set[str]) -> list[tuple[str, str, bool]]:
        """Return the known agents but those named: name, command or how to get it, whether it is there."""
        return programs.known_programs(besides, self.environ)

    def init_file(self, only: str, *, force: bool) -> str:
        """Write the project's starter file and return its path. Raises `CommandFailed`."""
        try:
            return starter.init(self.project, self.environ, only=only, force=force)
        except starter.StarterExists as error:
            where = one_line(self.files.shown(str(error)), 500)
            raise CommandFailed(f"{where} exists already (add ! to write it anew)") from None
        except (LookupError, OSError) as error:
            raise CommandFailed(one_line(str(error), 500)) from None

    def named_text(self, name: str) -> tuple[str, str, str]:
        """Return URI, type and text of `@:buf` and its kin."""
        return programs.named_text(self, name)

    def staged_diff(self) -> str:
        """Return what is staged in git. Raises `CommandFailed`."""
        return programs.git_diff(self.project, staged=True)

    def words(self, kind: str, prefix: str) -> list[str]:
        """Return what `<Tab>` offers for an argument of that kind; nothing is started for it."""
        return programs.words(self, kind, prefix)

    # Sessions

    def start(self, entry: AgentEntry) -> Talk:
        """Start an agent in a new agent window."""
        for dead in [talk for talk in self.talks if talk.never_started]:
            self.close(dead)  # its room is for this one
        numbers = {talk.number for talk in self.talks if talk.name == entry.name}
        talk = Talk(self, entry, next(n for n in range(1, len(numbers) + 2) if n not in numbers))
        self.talks.append(talk)
        self.keys.adopt(talk.buffer, "conversation")
        self.keys.adopt(talk.prompt.buffer, "prompt")
        talk.keeper.draft, unsent = self.drafts.open(entry.name)
        if unsent:
            talk.prompt.put_back(unsent)
        self.show(talk)
        if unsent:
            self.editor.echo("What you had not sent to it is in the prompt")
        talk.start()
        self.animate()
        return talk

    def show(self, talk: Talk) -> None:
        """Go to the prompt of a session, opening its windows where they are not."""
        self._last = talk
        message = self.editor.message
        if message is not None and message.text != self._asked:
            self.editor.message = None  # the mode is shown in its place
        prompts = panes.windows_of(self.editor, talk.prompt.buffer)
        conversations = panes.windows_of(self.editor, talk.buffer)
        if prompts:
            self.editor.focus(prompts[0])
            if not any(window in self.editor.layout.windows() for window in conversations):
                panes.add_conversation(self.editor, prompts[0], talk.buffer)
        elif conversations:
            self.editor.focus(conversations[0])
            panes.add_prompt(self.editor, conversations[0], talk.prompt.buffer)
        else:
            panes.open_pane(self.editor, talk.buffer, talk.prompt.buffer)
            for each in self.talks:
                panes.fit_prompt(self.editor, each.prompt.buffer)
            for window in panes.windows_of(self.editor, talk.buffer):
                talk.folder.adopt(window)
        panes.fit_prompt(self.editor, talk.prompt.buffer)
        self.editor.window.cursor = talk.prompt.end()
        if self.editor.option("agentinsert"):
            self.engine.insert.start()

    def talk_of(self, buffer: Buffer) -> Talk | None:
        """Return the session that a buffer belongs to."""
        talk = buffer.extra.get("talk")
        return talk if isinstance(talk, Talk) and talk in self.talks else None

    def current(self) -> Talk:
        """Return the session meant where none is named: this window's, the one used last, the only one."""
        here = self.talk_of(self.editor.buffer)
        if here is not None:
            return here
        if self._last in self.talks:
            assert self._last is not None
            return self._last
        if len(self.talks) == 1:
            return self.talks[0]
        raise CommandFailed("There is no agent here: start one with :agent NAME")

    def named(self, name: str) -> Talk:
        """Return the running session of an agent's name, the newest one. Raises `CommandFailed`."""
        if not name:
            return self.current()
        for match in (str.__eq__, lambda a, b: a.lower() == b.lower(), lambda a, b: a.lower().startswith(b.lower())):
            found = [
                t for t in self.talks if match(t.name, name) or match(t.buffer.name.removeprefix("agent://"), name)
            ]
            if len({t.name for t in found}) == 1:
                return found[-1]
        raise CommandFailed(f"No agent called {one_line(name)} is running")

    def _entered(self, window: Window) -> None:
        self._last = self.talk_of(window.buffer) or self._last

    def _window_closed(self, window: Window) -> None:
        """What a window leaves is not for the prompts; what was added to a queue may go out."""
        for talk in self.talks:
            panes.fit_prompt(self.editor, talk.prompt.buffer)
            if window.buffer.extra.get("talk") is talk:
                talk.pump()

    def _resized(self) -> None:
        """The screen has another size: prompts get their lines again, and what follows a conversation shows its end."""
        for talk in self.talks:
            shown = panes.windows_of(self.editor, talk.buffer)
            following = [window for window in shown if talk.conversation.follows(window)]
            panes.fit_prompt(self.editor, talk.prompt.buffer)
            for window in following:
                panes.reveal_end(self.editor, window)

    # The end of windows, buffers, the editor

    def window_closing(self, window: Window, force: bool) -> None:
        """A window is about to be closed: the last one on a conversation ends its session. Raises `CommandFailed`."""
        talk = self.talk_of(window.buffer)
        if talk is not None and len(panes.windows_of(self.editor, window.buffer)) == 1:
            talk.form_closing(window.buffer)
        if talk is not None:
            proposals.window_closing(talk, window)
        if talk is None or window.buffer not in (talk.buffer, talk.prompt.buffer):
            return
        here = next((layout for layout in self.editor.tabs if window in layout.windows()), None)
        pair = [w for w in here.windows() if w.buffer in (talk.buffer, talk.prompt.buffer)] if here is not None else []
        upper = [w for w in pair if w.buffer is talk.buffer]
        if window.buffer is talk.buffer and len(upper) > 1:
            return
        elsewhere = [w for w in panes.windows_of(self.editor, talk.buffer) if w not in pair]
        if not elsewhere:
            self.require_idle(talk, force)
            self.end(talk)
        for partner in pair:
            if partner is not window:
                panes.close_window(self.editor, partner, (talk.buffer, talk.prompt.buffer))

    def buffer_closing(self, buffer: Buffer, force: bool) -> None:
        """A buffer is about to be deleted: with a session's, the session ends. Raises `CommandFailed`."""
        talk = self.talk_of(buffer)
        if talk is not None:
            talk.form_closing(buffer)
        if talk is not None and buffer in (talk.buffer, talk.prompt.buffer):
            self.require_idle(talk, force)
            self.end(talk)
            other = talk.prompt.buffer if buffer is talk.buffer else talk.buffer
            panes.close_windows(self.editor, other)
            self.editor.remove_buffer(other)

    def quitting(self, force: bool) -> None:
        """The editor is about to end. Raises `CommandFailed` while a turn runs."""
        for talk in self.talks:
            self.require_idle(talk, force)

    def require_idle(self, talk: Talk, force: bool) -> None:
        """Raise `CommandFailed` (E948) where a turn runs and is not to be given up."""
        if talk.busy and not force:
            raise CommandFailed(f"E948: {one_line(talk.name)} is working (add ! to stop it)")

    def end(self, talk: Talk) -> None:
        """End a session: stop the process, keep what was not sent."""
        talk.keeper.now()
        self.drafts.close(talk.name, talk.keeper)
        talk.closing = True
        panes.close_windows(self.editor, *(child.buffer for child in talk.subagents.all))
        talk.stop()
        self.closed(talk)

    def close(self, talk: Talk, *, force: bool = False) -> None:
        """End a session and close its windows (`:agentclose`). Raises `CommandFailed` while a turn runs."""
        self.require_idle(talk, force)
        self.end(talk)
        buffers = (talk.buffer, talk.prompt.buffer)
        self.engine.insert.active = self.engine.insert.active and self.editor.buffer not in buffers
        panes.close_windows(self.editor, *buffers)
        self.forget(talk)

    def closed(self, talk: Talk) -> None:
        """Forget a session that was ended, once its process is gone and no window shows it."""
        if talk.closing and talk.gone:
            self.forget(talk)
        self.redraw()

    def forget(self, talk: Talk) -> None:
        """Take an ended session's buffers away once nothing shows them; its process may still be leaving."""
        shown = {window.buffer for window in self.editor.windows()}
        own = [b for b in self.editor.buffers.values() if b.extra.get("talk") is talk]
        for buffer in own:
            if buffer not in shown:
                self.editor.remove_buffer(buffer)
        if talk.gone and talk in self.talks and talk.closing:
            self.talks.remove(talk)
        self.tell_request()

    def stop_all(self) -> None:
        """Stop every agent, politely first."""
        for talk in self.talks:
            talk.keeper.now()
            talk.stop()
        self.trace.close()

    @property
    def running(self) -> bool:
        """Whether a process is left."""
        return any(not talk.gone for talk in self.talks)

    # For the sessions

    def handler(self, talk: Talk) -> Handler:
        """Return what the client of a session calls."""
        return Handler(talk)

    @property
    def can_run_terminal(self) -> bool:
        """Whether a program can be given the real terminal for a while."""
        return "terminal" in self.editor.extra or "run-in-terminal" in self.editor.extra

    def event(self, name: str, talk: Talk) -> None:
        """Tell of an event that `:autocmd` knows."""
        self.editor.run_hooks("autocmd", name, talk.buffer)

    def redraw(self) -> None:
        """Something visible has changed without a key."""
        self.editor.run_hooks("redraw")

    def streamed(self) -> None:
        """A conversation has grown, or what its status line says is another; nothing else looks different."""
        if self._tick_timer is not None:  # the spinner turns with it
            self._tick_timer.cancel()
            self._tick_timer = self.loop.call_later(1 / FRAMES, self._tick)
        self.editor.run_hooks("streamed")

    def check_files(self) -> None:
        """Agents may have changed files behind our back: look at all that are open."""
        for buffer in list(self.editor.buffers.values()):
            check_time(self.editor, buffer)

    def animate(self) -> None:
        """Have the spinner turn while a turn runs."""
        if self._tick_timer is None and any(
            t.busy or t.login.began is not None or (t.alive and t.session is None) for t in self.talks
        ):
            self._tick_timer = self.loop.call_later(1 / FRAMES, self._tick)

    def _tick(self) -> None:
        self._tick_timer = None
        self.streamed()
        self.animate()

    def queue_changed(self, talk: Talk) -> None:
        """Show a queue in its buffer, where that is open; keep what waits in it."""
        talk.keeper.soon()
        buffer = self.editor.buffer_named(talk.buffer.name + "/queue")
        if buffer is not None:
            for splice in between(buffer.lines, talk.queue.lines()):
                buffer.apply(splice, INTERNAL)

    # Requests

    def oldest_request(self) -> tuple[Talk, Request] | None:
        """Return the open request that has waited longest, this window's session first."""
        here = self.talk_of(self.editor.buffer)
        for talk in sorted(self.talks, key=lambda talk: talk is not here):
            if talk.requests:
                return talk, talk.requests[0]
        return None

    def go_to_request(self, talk: Talk, request: Request) -> None:
        """Put the cursor into the block of a request, in the conversation; keys answer it there."""
        shown = panes.windows_of(self.editor, talk.buffer)
        if shown:
            self.editor.focus(shown[0])
        else:
            self.show(talk)
            self.engine.insert.abort()
            panes.other_half(self.editor, self.editor.window, talk.buffer, talk.prompt.buffer)
        window = self.editor.window
        self.engine.jump_from(window, window.cursor)
        request.parked.clear()  # the user came on purpose
        if request.item is not None:
            first = talk.conversation.first(request.item)
            window.cursor, window.want = Pos(first, 0), None
            panes.show_block(self.editor, window, first, talk.conversation.end(request.item))

    def tell_request(self) -> None:
        """Show on the message line which request waits; take the line away when none does."""
        found = self.oldest_request()
        message = self.editor.message
        if found is not None:
            who, answers = f"{one_line(found[0].name, 40)} asks: ", " (:allow / :deny)"
            room = max(self.editor.layout.width - len(who) - len(answers) - 1, 20)
            self._asked = who + one_line(found[1].title, room) + answers
            self.editor.echo(self._asked)
        elif message is not None and message.text == self._asked:
            self.editor.message = None

    def answer(self, talk: Talk, request: Request, option: Option | None, how: str = "") -> None:
        """Answer a request for the user. Raises `CommandFailed` where a form is not filled in rightly."""
        if request.form is not None and option is not None and option.id == "accept":
            form = self.editor.buffer_named(talk.buffer.name + "/form")
            if not request.form.url:
                request.content = request.form.read(form.lines if form is not None else [])
            else:
                self.open_url(request.form.url)
        if request.proposal is not None and option is not None and option.kind.startswith("allow"):
            proposals.take_edit(talk, request)
        if request.choose(option, how):
            talk.close_request(request)

    def answer_form(self, talk: Talk, kind: str) -> bool:
        """Send or decline the form that a session waits for; `False` where it has none. Raises `CommandFailed`."""
        for request in talk.requests:
            if request.form is not None:
                self.answer(talk, request, request.by_kind(kind))
                return True
        return False

    def open_url(self, url: str) -> None:
        """Open an address that the user agreed to."""
        opener = self.editor.extra.get("open-url")
        if callable(opener):
            opener(url)
        else:
            self.editor.echo(f"Open this address yourself: {one_line(url, 2000)}")

    def keep_rules(self, new: list[rules.Rule]) -> None:
        """Take and keep the user's rules, and apply them to the requests that wait."""
        self.rules = new
        try:
            rules.save(self._rules_file, new)
        except OSError as error:
            self.editor.echo(f"The rules cannot be kept: {error.strerror}", error=True)
        for talk in self.talks:
            for request in list(talk.requests):
                if Handler(talk).apply_rules(request):
                    talk.close_request(request)
