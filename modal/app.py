"""The composition root: engine, screen, loop and agents put together, with a barrier round them.

What a key does is the engine's, how things look the renderer's, which bytes go where the terminal's. Here stands who
calls whom, and what happens at the end, also at a bad one.
"""

from __future__ import annotations

import gc
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice

from tpy.modal import assembly, opening
from tpy.modal.agent import bridge as agents
from tpy.modal.colourwork import ColourWork
from tpy.modal.crash import CrashLog, one_line
from tpy.modal.ex import undofiles
from tpy.modal.ex.filestate import check_time
from tpy.modal.ex.shell import Output
from tpy.modal.loop import Loop, Timer
from tpy.modal.progress import Interrupted
from tpy.modal.recovery import Recovery
from tpy.modal.registry import CommandFailed
from tpy.modal.startup import Startup
from tpy.modal.ui.keydecode import Event, Focus, Mouse, Paste, Reply
from tpy.modal.ui.render import Hold, Renderer
from tpy.modal.ui.terminal import Terminal, TerminalGone
from tpy.modal.ui.theme import ThemeError, color_depth, first_theme, load_theme
from tpy.modal.ui.title import Title

# Signals that end the session, with the terminal restored and unsaved text kept.
DEADLY = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
# Frames that no key caused come at most this often a second and take at most so much of the time, but come so many
# seconds after another at last.
AGENT_FRAMES, AGENT_SHARE, AGENT_LATEST = 30, 0.25, 0.08
# Those that show nothing but more of what is being said take much less of both (what fills windows faster than anybody
# reads needs no more).
STREAM_FRAMES, STREAM_SHARE, STREAM_LATEST = 12, 0.05, 0.15
# While a command runs, `<C-c>` is looked for this often, in seconds.
INTERRUPT_INTERVAL = 0.05
# Keys that take longer than so many seconds to act on are a burst: a frame comes so often, `<C-c>` behind them ends it.
BURST = 0.3
# Characters typed in Insert mode that wait are put in at once from so many on, and at most so many.
RUN, MOST_RUN = 8, 250
# Agents get this long to go when the editor does, in seconds.
FAREWELL = 3.5


class App:
    """One running editor on a terminal. `run` returns the exit status."""

    def __init__(
        self, startup: Startup, stdin: bytes | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`stdin` is the text to edit where it came that way."""
        self.clock = clock
        self.loop = Loop(clock)
        self.loop.on_error = self._bug
        self.loop.frame = self._frame
        self.terminal = Terminal(clock)
        self.engine = assembly.make_engine(vim=startup.clean)
        self.editor = self.engine.editor
        self.engine.interrupted = self._interrupted
        self.editor.progress.clock, self.editor.progress.show = clock, self.terminal.paint_message
        self.renderer = Renderer(self.engine, first_theme(os.environ))
        self.title = Title(self.engine, self.terminal)
        self.colours = ColourWork(self.loop, self.renderer, self._redraw)
        self.log = CrashLog(clock)
        self.recovery = Recovery(self.engine, self.loop)
        if not startup.clean:
            undofiles.keep(self.editor)
        self.opening = opening.Opening(self.engine, startup, self.recovery, stdin)
        # Whether something may look different from what is shown: because of a key, of agents, of conversations that
        # have grown, and whether what agents have changed is due.
        self._by_key = True
        self._by_agent = self._by_stream = self._agent_due = False
        # When what agents have changed may be drawn again: anything, and more of a conversation.
        self._next_frame = self._next_stream_frame = 0.0
        self._frame_timer: Timer | None = None
        self._map_timer: Timer | None = None
        # Events of which the first is being acted on: a long command looks for `<C-c>` among the others.
        self._ahead: deque[Event] = deque()
        self._acting = False  # whether something that may last is being done, and looks for `<C-c>` itself
        self._bells = 0
        self._looked = 0.0
        self._ended = ""

    # The run

    def run(self) -> int:
        """Edit until the user leaves or something ends the session."""
        for signum in DEADLY:
            self.loop.on_signal(signum, lambda signum=signum: self._end_badly(f"ended by {signum.name}"))  # type: ignore[misc]
        self.loop.on_signal(signal.SIGINT, self._sigint)
        try:
            self.terminal.enter(mouse=bool(self.editor.options.values["mouse"]))
            self._prepare()
            self.loop.run()
        except TerminalGone:
            self._gone()
        except BaseException as error:  # also MemoryError and the like: what was typed is kept, whatever happened
            self.log.note(error)
            self._end_badly(f"{one_line(error)}; the log is {self.log.path}")
        finally:
            self._leave()
        return self.editor.exit_status

    def _prepare(self) -> None:
        """Wire everything up, open the files, run the commands given."""
        editor, terminal = self.editor, self.terminal
        terminal.decoder.has_meta = self._has_meta
        terminal.attach(self.loop, self._events, self._redraw)
        editor.on("redraw", self._redraw_by_agent)
        editor.on("streamed", self._redraw_by_stream)
        editor.on("option-set", self._option_set)
        editor.on("notify", terminal.notify)
        editor.on("suspend", self._suspend)
        editor.on("clear-screen", terminal.redraw)
        editor.on("theme", self._take_theme)
        editor.on("focus-gained", self._focus_gained)
        editor.on("shell-done", self._check_files)
        editor.extra["terminal"] = terminal
        editor.extra["shell"] = self._run_captured
        editor.extra["run-in-terminal"] = self._run_in_terminal
        editor.extra["open-url"] = self._open_url
        editor.registers.copied = lambda register: self._copy(register.text())
        agents.install(self.engine, self.loop)
        columns, rows = terminal.size
        editor.layout.arrange(rows - 1, columns)
        self._guard(self.opening.begin)
        if editor.quit_requested:
            self.loop.stop()
        gc.freeze()  # what is there now stays
        gc.set_threshold(50_000, 20, 50)
        gc.enable()

    def _leave(self) -> None:
        """Give the terminal back, then let agents go and make sure that nothing unsaved is lost."""
        keep = bool(self._ended)
        try:
            if keep:
                self.recovery.flush()
        finally:
            self.terminal.restore()
        try:
            self._farewell()
        except KeyboardInterrupt:
            agents.kill(self.editor)
        finally:
            self.recovery.close(keep=keep)
            self.loop.close()
        if self._ended:
            self._tell_end()

    def _farewell(self) -> None:
        """Run the loop until the agents are gone, a few seconds at most; a second signal ends them at once."""
        self.loop.frame = lambda: None
        self.loop.unwatch(self.terminal.fd)
        for signum in (*DEADLY, signal.SIGINT):
            self.loop.on_signal(signum, lambda: agents.kill(self.editor))
        deadline = self.clock() + FAREWELL
        running = agents.stop(self.editor)
        while running() and self.clock() < deadline:
            self.loop.turn(0.1)
        agents.kill(self.editor)

    def _tell_end(self) -> None:
        """Say on the ordinary screen what happened and where unsaved text is."""
        told = [f"tpy: {self._ended}"]
        for name, path in self.recovery.kept():
            told.append(f"tpy: unsaved text of {name} is kept; `tpy -r {path}` brings it back")
        with suppress(OSError):  # the terminal may be gone
            os.write(2, "".join(line + "\n" for line in told).encode("utf-8", "backslashreplace"))

    def _end_badly(self, why: str) -> None:
        """End the session although nobody asked for it: unsaved text is kept."""
        self._ended = self._ended or why
        self.editor.exit_status = 1
        self.loop.stop()

    def _gone(self) -> None:
        self._end_badly("the terminal was closed")

    # Input

    def _events(self, events: Sequence[Event]) -> None:
        self.loop.take_signals()  # an interrupt that came before these keys must not act on what they begin
        began = drawn = self.clock()
        self._ahead.extend(events)
        while self._ahead:
            event = self._ahead.popleft()
            self.engine.more_typed = bool(self._ahead) and _inserts(self._ahead[0])
            self._guard(lambda event=event: self._event(event))  # type: ignore[misc]
            if len(self._ahead) > RUN and self.engine.insert.active:
                self._guard(self._run_of_text)
            if self.editor.quit_requested:
                self.loop.stop()
                return
            now = self.clock()
            if now - began > BURST and self._ahead:
                if self.engine.insert.active:
                    self._guard(self._stop_burst)
                if now - drawn > BURST:
                    self.engine.keep_in_view()
                    self._redraw()
                    self._frame()
                    drawn = self.clock()
        self._redraw()
        self._arm_mapping()
        self._guard(self._afterwards)

    def _sigint(self) -> None:
        """Take SIGINT for `<C-c>`: what is being done finds it in the row and stops."""
        if self._acting:
            self._ahead.append("<C-c>")
        else:
            self._events(("<C-c>",))

    def _run_of_text(self) -> None:
        """Act on the characters that wait at once, where they are many and nothing but text is meant."""
        ahead = self._ahead
        run: list[str] = []
        for event in islice(ahead, min(MOST_RUN, len(ahead) - 1)):  # the last one is fed for itself
            if not isinstance(event, str) or len(event) != 1:
                break
            run.append(event)
        if len(run) >= RUN and self.engine.feed_run(run):
            for _ in run:
                ahead.popleft()

    def _stop_burst(self) -> None:
        """End what was typed, or pasted as if it was, faster than it can be acted on, where `<C-c>` is behind it."""
        if self._interrupted():
            self._ahead.clear()
            raise Interrupted

    def _afterwards(self) -> None:
        """What comes after keys: journals, questions about unsaved text, the rest of the start."""
        self.recovery.soon()
        if not self.opening.done:
            self.opening.go_on()
            if self.editor.quit_requested:
                self.loop.stop()

    def _event(self, event: Event) -> None:
        if isinstance(event, str):
            message = self.editor.message
            if message is not None and message.text == "Interrupted":
                self.editor.message = None  # it tells about a moment
            if not self.renderer.take_key(event):
                self.engine.feed(event)
        elif isinstance(event, Paste):
            self.engine.paste(event.text, goes_on=event.goes_on)
        elif isinstance(event, Mouse):
            from tpy.modal.ui import mouse

            mouse.act(self.engine, self.renderer, event)
        elif isinstance(event, Focus):
            self.editor.run_hooks("focus-gained" if event.gained else "focus-lost")
        else:
            assert isinstance(event, Reply)

    def _arm_mapping(self) -> None:
        """Come back when the wait for the rest of a mapping is over."""
        if self._map_timer is not None:
            self._map_timer.cancel()
            self._map_timer = None
        due = self.engine.deadline()
        if due is not None:
            self._map_timer = self.loop.call_later(max(due - self.editor.clock(), 0.0), self._mapping_expired)

    def _mapping_expired(self) -> None:
        self._map_timer = None
        self._guard(self.engine.expire)
        self._events(())

    def _has_meta(self, key: str) -> bool:
        return self.engine.has_mapping(key)

    def _interrupted(self) -> bool:
        """Whether the user typed `<C-c>` while a command runs; asked often, looked up seldom."""
        now = self.clock()
        if now - self._looked < INTERRUPT_INTERVAL:
            return False
        self._looked = now
        self.loop.take_signals()
        self.editor.progress.tick()
        if "<C-c>" in self._ahead:
            while self._ahead.popleft() != "<C-c>":
                pass
            return True
        return bool(self._ended) or self.terminal.interrupted()

    def _guard(self, act: Callable[[], object]) -> None:
        """Do something of which a failure, interrupt or bug must not end the editor."""
        acting, self._acting = self._acting, True
        self.editor.progress.begin()
        try:
            act()
        except CommandFailed as failure:
            self.engine.failed(failure)
        except Interrupted:
            self.engine.stop_all()
            self.editor.echo("Interrupted")
        except TerminalGone:
            raise
        except Exception as error:
            self._bug(error)
        finally:
            self.editor.progress.end()
            self._acting = acting

    def _bug(self, error: Exception) -> None:
        """A bug: what was half done is given up, the user is told, the session goes on unless it goes on failing."""
        if isinstance(error, TerminalGone):
            self._gone()
            return
        too_many = self.log.note(error)
        self.engine.stop_all()
        self.editor.echo(f"tpy: {one_line(error)} (see {self.log.path})", error=True)
        self._redraw()
        if too_many:
            self._end_badly(f"too many internal errors, the last: {one_line(error)}; the log is {self.log.path}")

    # Output

    def _redraw(self) -> None:
        self._by_key = True

    def _redraw_by_agent(self) -> None:
        self._by_agent = True
        self._frame_at(self._next_frame)

    def _redraw_by_stream(self) -> None:
        self._by_stream = True
        self._frame_at(self._next_stream_frame)

    def _frame_at(self, when: float) -> None:
        """Have what agents have changed drawn at a time, where it is not drawn before that anyway."""
        if when <= self.clock():
            self._agent_due = True
        elif self._frame_timer is None or self._frame_timer.when > when:
            if self._frame_timer is not None:
                self._frame_timer.cancel()
            self._frame_timer = self.loop.call_at(when, self._agent_frame)

    def _agent_frame(self) -> None:
        self._frame_timer = None
        self._agent_due = self._by_agent or self._by_stream

    def _frame(self) -> None:
        """Draw what has changed; called by the loop when all keys that are there were taken.

        What a key has changed is drawn at once; what agents have changed beside it waits for its own time. Where
        conversations have grown and nothing else has happened, nothing else is looked at.
        """
        if not (self._by_key or self._agent_due) or self.terminal.busy:
            return
        hold = Hold.NOTHING
        if not self._agent_due:
            hold = Hold.CONVERSATIONS if self._by_agent or self._by_stream else Hold.NOTHING
        elif not (self._by_key or self._by_agent):
            hold = Hold.THE_REST
        self._by_key = False
        if self._agent_due:
            self._by_agent = self._by_stream = self._agent_due = False
        self._guard(partial(self._draw, hold))

    def _draw(self, hold: Hold) -> None:
        began = self.clock()
        frame = self.renderer.frame(*self.terminal.size, hold=hold)
        self.terminal.paint(frame.rows, frame.cursor, frame.shape)
        if hold is not Hold.CONVERSATIONS:
            cost = self.clock() - began
            self._next_frame = began + min(max(1 / AGENT_FRAMES, cost / AGENT_SHARE), AGENT_LATEST)
            self._next_stream_frame = began + min(max(1 / STREAM_FRAMES, cost / STREAM_SHARE), STREAM_LATEST)
        if self.editor.bells != self._bells:
            self._bells = self.editor.bells
            self.terminal.bell()
        self.title.show()
        self.colours.drawn()

    def _copy(self, text: str) -> None:
        if not self.terminal.copy(text):
            self.editor.echo("The text is too long for the terminal's clipboard; it is in the register", error=True)

    def _option_set(self, name: str, value: object) -> None:
        if name == "mouse":
            self.terminal.set_mouse(bool(value))
        elif name == "ttimeoutlen":
            assert isinstance(value, int)
            self.terminal.decoder.ttimeout = max(value, 0) / 1000

    def _take_theme(self, name: str) -> None:
        try:
            self.renderer.theme = load_theme(name, color_depth(os.environ))
        except (ThemeError, OSError) as error:
            raise CommandFailed(str(error)) from None
        self.terminal.redraw()

    # Other programs

    def _suspend(self) -> None:
        self.recovery.flush()
        self.terminal.suspend()

    def _focus_gained(self) -> None:
        self._check_files()
        self.editor.run_hooks("autocmd", "FocusGained", self.editor.buffer)

    def _check_files(self) -> None:
        """Somebody else may have changed files: look at all that are open."""
        for buffer in list(self.editor.buffers.values()):
            check_time(self.editor, buffer)

    def _run_captured(self, line: str, text: str | None) -> Output:
        from tpy.modal.programs import run_captured

        return run_captured([str(self.editor.options.values["shell"]), "-c", line], text, self._interrupted)

    def _open_url(self, url: str) -> None:
        from tpy.modal.programs import open_url

        problem = open_url(url, os.environ)
        if problem:
            self.editor.echo(f"Open this address yourself ({problem}): {url}", error=True)

    def _run_in_terminal(self, argv: Sequence[str], env: Mapping[str, str], directory: str) -> str:
        """Let a program have the terminal for as long as it runs (an agent's login); return what went wrong or ""."""
        from tpy.modal.programs import run_in_terminal

        self.recovery.flush()
        self.terminal.restore()
        try:
            return run_in_terminal(argv, env, directory)
        finally:
            self.terminal.resume()


def _inserts(event: Event) -> bool:
    """Whether an event is a key that stands for text."""
    return isinstance(event, str) and (len(event) == 1 or event in ("<CR>", "<Tab>", "<Space>", "<lt>"))


def run(startup: Startup) -> int:
    """Edit as `startup` says; return the exit status. Raises `NoTerminal` before anything is drawn."""
    stdin = opening.read_stdin() if startup.stdin else None
    return App(startup, stdin).run()
