"""`Editor`: the state of everything but half-typed commands.

Buffers, tab pages and windows, registers, options, search, messages, hooks. It knows no key and no command:
`engine/` and `ex/` act on it, `ui/` shows it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from tpy.modal.options import BUFFER, GLOBAL, OPTIONS, WINDOW, Options
from tpy.modal.progress import Progress
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import EX, INTERNAL, TYPED, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.registers import Register, RegisterBank
from tpy.modal.text.splice import Splice
from tpy.modal.view.layout import Layout
from tpy.modal.view.window import Window


class Visual:
    """The Visual selection: `kind` is "v", "V" or "<C-v>", `start` its fixed end, `dollar` a block to the line ends.

    `select` tells Select mode from Visual mode; `once`: it comes back after one command. `register`: where typing
    puts what it replaces, `None` for nowhere in particular.
    """

    __slots__ = ("dollar", "kind", "once", "register", "select", "start")

    def __init__(self, kind: str, start: Pos, *, dollar: bool = False, select: bool = False) -> None:
        self.kind = kind
        self.start = start
        self.dollar = dollar
        self.select = select
        self.once = False
        self.register: str | None = None


class Message(NamedTuple):
    """A line for the user, with whether it is an error and when it came (seconds since the epoch)."""

    text: str
    error: bool
    time: float


class Search:
    """What the last search was, for `n`, `N`, an empty pattern and highlighting."""

    def __init__(self) -> None:
        self.pattern = ""
        self.forward = True
        # The offset after the pattern as typed, such as "e+1" (`:help search-offset`).
        self.offset = ""
        # The pattern if it came from `*` or its kin, for which `smartcase` does not count.
        self.starred: str | None = None
        # Whether matches are shown: `:nohlsearch` turns it off until the next search.
        self.shown = False
        # The last substitution: its pattern, replacement and flags.
        self.substitute_pattern = ""
        self.replacement: str | None = None
        # What `~` stands for: the last replacement that was text, with its own `~` filled in.
        self.tilde: str | None = None
        self.substitute_flags = ""
        # Which of the two patterns was used last (`:help last-pattern`).
        self.last_is_substitute = False
        # The last `f`, `F`, `t` or `T`: the key and its character.
        self.char_search: tuple[str, str] | None = None


Hook = Callable[..., None]


class Editor:
    """The whole editor without keys and screen. `clock` gives seconds since the epoch."""

    def __init__(self, *, vim: bool = False, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.options = Options(vim=vim)
        self.registers = RegisterBank(self._read_only_register)
        # What the read-only registers hold, by name; rooms set them.
        self.read_only: dict[str, Callable[[], str | None]] = {}
        self.buffers: dict[int, Buffer] = {}
        self._next_number = 1
        # The marks `A`-`Z` and `0`-`9`: buffer number and place.
        self.file_marks: dict[str, tuple[int, Pos]] = {}
        self.search = Search()
        self.visual: Visual | None = None
        # Vim's short mode name as `mode()` gives it: n no v V <C-v> s S <C-s> i R Rv c niI niR niV.
        self.mode = "n"
        self.messages: list[Message] = []
        self.message: Message | None = None
        self.histories: dict[str, list[str]] = {":": [], "/": [], "=": [], "@": []}
        # How many keys were typed, and how many when the newest pattern came into its history.
        self.keys_typed = self.keys_at_pattern = 0
        self.hooks: dict[str, list[Hook]] = {}
        self.progress = Progress(clock)
        self.arguments: list[str] = []
        self.argument_index = 0
        self.bells = 0
        self.quit_requested = False
        self.exit_status = 0
        # What else a room keeps for the whole editor, by the room's name.
        self.extra: dict[str, Any] = {}
        # Splices are kept from changing marks (`:lockmarks`) or the jump list (`:keepjumps`) by these.
        self.keep_jumps = False
        first = self.add_buffer()
        self.tabs: list[Layout] = [Layout(Window(first))]
        self.tab = 0
        self.previous_tab = 0

    # Buffers

    def add_buffer(self, lines: list[str] | None = None, name: str = "") -> Buffer:
        """Add a buffer and return it; its number is the next free one."""
        buffer = Buffer(lines, number=self._next_number, name=name, clock=self.clock)
        self._next_number += 1
        self.buffers[buffer.number] = buffer
        buffer.listeners.append(self._changed)
        buffer.marks.move_others = partial(self._move_places, buffer)
        buffer.cursor = lambda: self.cursor_in(buffer)
        buffer.undo.levels = self._undo_levels
        return buffer

    def _undo_levels(self) -> int:
        levels = self.options.values["undolevels"]
        assert isinstance(levels, int)
        return levels

    def remove_buffer(self, buffer: Buffer) -> None:
        """Forget a buffer that no window shows."""
        self.buffers.pop(buffer.number, None)
        for name, (number, _) in list(self.file_marks.items()):
            if number == buffer.number:
                del self.file_marks[name]

    def buffer_named(self, name: str) -> Buffer | None:
        """Return the buffer of exactly that name."""
        return next((b for b in self.buffers.values() if b.name == name), None)

    def cursor_in(self, buffer: Buffer) -> Pos:
        """Return the cursor of the window that shows the buffer, the current one first."""
        if self.window.buffer is buffer:
            return self.window.cursor
        for window in self.windows():
            if window.buffer is buffer:
                return window.cursor
        return buffer.marks.get('"') or Pos(0, 0)

    # Windows

    @property
    def layout(self) -> Layout:
        """The windows of the current tab page."""
        return self.tabs[self.tab]

    @property
    def window(self) -> Window:
        """The window with the cursor."""
        return self.layout.current

    @property
    def buffer(self) -> Buffer:
        """The buffer of the window with the cursor."""
        return self.layout.current.buffer

    def windows(self) -> list[Window]:
        """Return the windows of all tab pages."""
        return [window for layout in self.tabs for window in layout.windows()]

    def focus(self, window: Window) -> None:
        """Go to a window, in whichever tab page it is."""
        for index, layout in enumerate(self.tabs):
            if window in layout.windows():
                if index != self.tab:
                    self.previous_tab, self.tab = self.tab, index
                before = layout.current
                layout.focus(window)
                if before is not window:
                    self.run_hooks("window-entered", window)
                return

    # Options

    def option(self, name: str, window: Window | None = None) -> Any:
        """Return an option's value for a window and its buffer (the current ones)."""
        scope = OPTIONS[name].scope
        if scope is not GLOBAL:
            window = window or self.window
            local = window.options if scope is WINDOW else window.buffer.options
            if name in local:
                return local[name]
        return self.options.values[name]

    def values(self, window: Window) -> dict[str, Any]:
        """Return the values of all options for a window and its buffer, for who reads many."""
        return {**self.options.values, **window.buffer.options, **window.options}

    def set_option(self, name: str, value: Any, *, local: bool = True, everywhere: bool = True) -> None:
        """Set an option: the local value, the one for all others, or both (`:help :setlocal`)."""
        scope = OPTIONS[name].scope
        if local and scope == BUFFER:
            self.buffer.options[name] = value
        if local and scope == WINDOW:
            self.window.options[name] = value
        if everywhere or scope not in (BUFFER, WINDOW):
            self._keep_own(name, scope)
            self.options.values[name] = value
        self.run_hooks("option-set", name, value)

    def _keep_own(self, name: str, scope: str) -> None:
        """Let the other windows and buffers there are have the value of an option they had so far."""
        value = self.options.values[name]
        if scope == WINDOW:
            for window in self.windows():
                window.options.setdefault(name, value)
        elif scope == BUFFER:
            for buffer in self.buffers.values():
                buffer.options.setdefault(name, value)

    # Messages and hooks

    def echo(self, text: str, *, error: bool = False, keep: bool = True) -> None:
        """Show a message and, where it is one to `keep`, have it for `:messages`."""
        self.message = Message(text, error, self.clock())
        if text and keep:
            self.messages.append(self.message)
            del self.messages[:-500]

    def fail(self, failure: CommandFailed) -> None:
        """Tell of a failed command: its message, or a bell where it has none."""
        self.bells += 1
        if failure.message:
            self.echo(failure.message, error=True)

    def on(self, event: str, hook: Hook) -> None:
        """Have `hook` called when `event` happens."""
        self.hooks.setdefault(event, []).append(hook)

    def run_hooks(self, event: str, *args: Any) -> None:
        """Call all hooks of an event with `args`, first added first."""
        for hook in self.hooks.get(event, ()):
            hook(*args)

    # Following changes

    def _move_places(self, buffer: Buffer, moves: Callable[[Pos], Pos]) -> None:
        """Move file marks and the places of jump lists in a buffer with its text."""
        for name, (number, pos) in self.file_marks.items():
            if number == buffer.number:
                self.file_marks[name] = (number, moves(pos))
        for window in self.windows():
            jumps = window.jumps
            jumps.places = [(number, moves(pos) if number == buffer.number else pos) for number, pos in jumps.places]

    def _changed(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        """Make windows, jump lists and file marks follow a change."""
        if len(splice.old) != len(splice.new):
            for name, (number, pos) in list(self.file_marks.items()):
                if number == buffer.number:
                    moved = splice.shift(pos.line)
                    line = max(splice.line - 1, 0) if moved is None else moved
                    self.file_marks[name] = (number, Pos(line, pos.col))
        current = self.window
        own = origin not in ("agent", "reload", INTERNAL) and current.buffer is buffer
        for window in self.windows():
            folds = window.extra.get("folds") if window.buffer is buffer else None
            if folds is not None:
                folds.follow(splice)
            if window is current and own:
                # The command that changes the text puts its own cursor; only the jump list follows.
                window.jumps.follow(buffer.number, splice)
            elif window.buffer is buffer:
                window.follow(splice)
            else:
                window.jumps.follow(buffer.number, splice)
        if origin in (TYPED, EX) and self.options.get("readonly", buffer.options):
            self._warn_readonly(buffer)

    def _warn_readonly(self, buffer: Buffer) -> None:
        """Tell once that writing the text that is changed will need `!` (`:help W10`)."""
        if not buffer.extra.get("told-readonly"):
            buffer.extra["told-readonly"] = True
            self.echo("W10: Warning: Changing a readonly file", error=True)

    def _read_only_register(self, name: str) -> Register | None:
        provider = self.read_only.get(name)
        text = provider() if provider is not None else None
        return None if text is None else Register(tuple(text.split("\n")))
