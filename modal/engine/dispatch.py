"""`Engine.feed`: keys in, changed editor out. Typeahead, mappings, the mode that takes a key, macros, nested runs.

What a Normal mode command does is in `execute.py`; how keys become one is in `grammar.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from tpy.modal.editor import Editor
from tpy.modal.engine.abbreviations import tries
from tpy.modal.engine.columns import note_shown
from tpy.modal.engine.context import Context
from tpy.modal.engine.folding import take_folds
from tpy.modal.engine.grammar import Keymap
from tpy.modal.engine.repeat import Repeat
from tpy.modal.engine.typeahead import MappingTable, Typeahead, resolve
from tpy.modal.keymap import Lookup
from tpy.modal.progress import Interrupted
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import Buffer, NotModifiable
from tpy.modal.text.position import EXCLUSIVE, Pos, clamp
from tpy.modal.view.binding import bind
from tpy.modal.view.scrolling import Scroller
from tpy.modal.view.window import Window

# How deep `:normal`, `:global` and macros may call each other before it is taken for an endless loop.
MOST_NESTED = 200


class Handler(Protocol):
    """What takes the keys of a mode."""

    def feed(self, key: str) -> None:
        """Act on one key. Raises `CommandFailed`."""

    def map_mode(self) -> str:
        """Return the letter of the user mappings that apply to the next key, "" for none."""

    @property
    def busy(self) -> bool:
        """Whether a command is half typed."""

    def abort(self) -> None:
        """Give up what is half typed and leave the mode, as `<Esc>` does."""


class Prompt(Handler, Protocol):
    """A command line being typed (`:`, `/`, `?`, `=`), or a question that a key answers; both are in `ex/`.

    `mode` is what `mode()` gives meanwhile.
    """

    kind: str
    mode: str
    text: str
    cursor: int


PromptFactory = Callable[["Engine", str, str, Callable[[str], None], Callable[[], None]], Prompt]


class Engine:
    """Vim's grammar at work on an editor. No terminal and no timer: `deadline` and `expire` are for the loop.

    The rooms above hand in what lies there: `prompt_factory` (a command line), `run_ex` (a line of ex commands)
    and `evaluate` (the value of an expression as text). `interrupted` is asked between keys whether the user wants
    to stop.
    """

    def __init__(self, editor: Editor, keymap: Keymap) -> None:
        self.editor = editor
        self.default_keymap = keymap
        # Asked with each key before the mode's handler; the first that returns true has taken it.
        self.key_hooks: list[Callable[[str], bool]] = []
        self.ahead = Typeahead()
        self.mappings = MappingTable()
        self.abbreviations = MappingTable()
        self.repeat = Repeat(self)
        self.handlers: dict[str, Handler] = {}
        self.prompt: Prompt | None = None
        self.prompt_factory: PromptFactory | None = None
        self.run_ex: Callable[[str], None] = lambda line: None
        self.evaluate: Callable[[str], str] = _cannot_evaluate
        self.interrupted: Callable[[], bool] = lambda: False
        editor.progress.stop = lambda: self.interrupted()
        # Whether more text to insert has been typed already: the window need not follow the cursor to here.
        self.more_typed = False
        self.depth = 0
        # The kind of the last motion or selection that a command worked with.
        # Where a command left the cursor behind the end of its line, as fold commands on a selection do in Vim.
        self.behind_end: Pos | None = None
        # While an operator works: whether the cursor could leave the text when it began (`:help 'virtualedit'`).
        self.virtual_operator: bool | None = None
        self.last_kind = EXCLUSIVE
        # Whether the key being acted on was typed, and did not come from a mapping, macro or command.
        self.key_typed = True
        # Whether mappings, and so abbreviations, may apply to it.
        self.key_remap = True
        self._waiting_since: float | None = None
        self._failed = False
        self._viewed: tuple[object, ...] = ()
        # The buffer in which the command set the mark `'`, until it is known that the cursor left.
        self._jumped_in: Buffer | None = None
        from tpy.modal.engine.insert import InsertHandler
        from tpy.modal.engine.normal import NormalHandler

        self.normal = NormalHandler(self)
        self.insert = InsertHandler(self)

    # The mode

    @property
    def keymap(self) -> Keymap:
        """The built-in keys: those of the current buffer where it has its own (`buffer.extra["keymap"]`)."""
        own = self.editor.buffer.extra.get("keymap")
        return own if isinstance(own, Keymap) else self.default_keymap

    @property
    def handler(self) -> Handler:
        """What takes the next key."""
        if self.prompt is not None:
            return self.prompt
        if self.insert.active:
            return self.insert
        return self.normal

    @property
    def mode(self) -> str:
        """Vim's short mode name, as in `Editor.mode`."""
        if self.prompt is not None:
            return self.prompt.mode
        if self.insert.active:
            return self.insert.mode
        visual = self.editor.visual
        if visual is not None:
            kind = visual.kind
            return {"v": "s", "V": "S", "<C-v>": "<C-s>"}[kind] if visual.select else kind
        if self.normal.pending.operator is not None:
            return "no"
        if self.insert.resume is not None:
            return "ni" + ("V" if self.insert.resume == "Rv" else self.insert.resume.upper())
        return "n"

    def open_prompt(
        self,
        kind: str,
        accept: Callable[[str], None],
        cancel: Callable[[], None] = lambda: None,
        text: str = "",
    ) -> None:
        """Ask for a line: `accept` gets what was typed, `cancel` is called when the user gives up."""
        if self.prompt_factory is None:
            raise CommandFailed("E319: the command line is not available here")
        self.prompt = self.prompt_factory(self, kind, text, accept, cancel)

    def close_prompt(self) -> None:
        """Take the command line away; called by the prompt itself before `accept` or `cancel`."""
        self.prompt = None

    # Keys

    def feed(self, key: str) -> None:
        """Act on a key that was typed, in Vim notation as `keymap.canonical` spells it."""
        self.repeat.typed(key)
        self.ahead.append(key)
        self._run(expired=False)

    def feed_run(self, keys: Sequence[str]) -> bool:
        """Act on characters typed in Insert mode all at once, which is quick; `False` where each is to be fed."""
        quick = self.insert.active and self.prompt is None and self.repeat.recording is None and not len(self.ahead)
        own = self.editor.buffer.extra
        if not quick or own.get("keymap") or own.get("mappings") or not self.editor.buffer.modifiable:
            return False
        mapped = self.mappings.tries["i"]
        if tries(self, "i") or any(mapped.find([key]) != _NOTHING for key in set(keys)):
            return False
        return self.insert.type_run("".join(keys))

    def deadline(self) -> float | None:
        """Return when the wait for the rest of a mapping ends (seconds of `editor.clock`), `None` for no wait."""
        if self._waiting_since is None or not self.editor.options.values["timeout"]:
            return None
        milliseconds = self.editor.options.values["timeoutlen"]
        assert isinstance(milliseconds, int)
        return self._waiting_since + milliseconds / 1000

    def expire(self) -> None:
        """Take the keys that wait for the rest of a mapping as they are."""
        if self._waiting_since is not None:
            self._run(expired=True)

    def poll(self, turn: int = 0) -> None:
        """Raise `Interrupted` when the user wants to stop; long loops call it with their counter."""
        if not turn & 1023 and self.interrupted():
            raise Interrupted

    def push(self, keys: Iterable[str], *, remap: bool = True, times: int = 1) -> None:
        """Put keys before all that wait, as a mapping or macro does, `times` times over."""
        self.ahead.push(keys, remap=remap, times=times)

    def jump_from(self, window: Window, pos: Pos, *, stays: bool = False) -> None:
        """Note a place in the jump list and the `'` mark, as jump motions do; `stays`: also if the cursor does."""
        if not self.editor.keep_jumps:
            self._jumped_in = None if stays else window.buffer
            window.buffer.marks.note_jump(pos)
            window.jumps.push(window.buffer.number, pos)

    def check_jump(self) -> None:
        """Give the `'` mark its place before a jump that did not leave the cursor's place after all, or whose line is
        gone."""
        if self._jumped_in is None or self.insert.active or self.prompt is not None:
            return
        buffer, self._jumped_in = self._jumped_in, None
        if buffer is self.editor.buffer and buffer.marks.get("'") in (None, self.editor.window.cursor):
            buffer.marks.forget_jump()

    def run_nested(self, keys: Iterable[str], *, remap: bool = True) -> bool:
        """Act on keys at once and to the end, as `:normal` and `.` do; `False` when a command failed.

        What is half typed at the end is given up. Raises `CommandFailed` when calls go too deep.
        """
        if self.depth >= MOST_NESTED:
            raise CommandFailed("E169: Command too recursive")
        outer, self.ahead = self.ahead, Typeahead()
        failed_before, self._failed = self._failed, False
        executing = self.repeat.executing
        self.depth += 1
        try:
            self.ahead.push(keys, remap=remap)
            self._run(expired=True)
            if self.prompt is not None or self.insert.active or self.normal.busy:
                self.handler.abort()
            return not self._failed
        finally:
            self.ahead = outer
            self._failed = failed_before
            self.repeat.executing = executing
            self.depth -= 1

    def _run(self, *, expired: bool) -> None:
        """Act on all keys that wait, as far as they can be acted on."""
        self._waiting_since = None
        while len(self.ahead):
            inserted = True
            if not self.ahead.only_typed and self.interrupted():
                raise Interrupted
            try:
                tables = (self._buffer_mappings(), self.mappings)
                limit = self.editor.options.values["maxmapdepth"]
                assert isinstance(limit, int)
                resolved = resolve(
                    self.ahead,
                    tables,
                    self.handler.map_mode(),
                    expired=expired,
                    depth_limit=limit,
                    evaluate=self.evaluate,
                )
                if resolved.wait:
                    self._waiting_since = self.editor.clock()
                    break
                if resolved.stroke is not None:
                    if resolved.stroke.typed and self.depth == 0:
                        self.repeat.executing = False
                        self.boundary()
                    key = resolved.stroke.key
                    self.key_typed = resolved.stroke.typed
                    self.key_remap = resolved.stroke.remap
                    inserted = self.insert.active
                    if not any(hook(key) for hook in self.key_hooks):
                        self.handler.feed(key)
            except CommandFailed as failure:
                self.failed(failure)
            except NotModifiable:
                self.failed(CommandFailed("E21: Cannot make changes, 'modifiable' is off"))
            self.check_jump()
            if self.insert.resume is not None and not inserted and self.prompt is None:
                self.insert.resume_after_command()
        self.editor.mode = self.mode
        if self.depth == 0 and not (self.more_typed and self.insert.active):
            self.keep_in_view()

    def keep_in_view(self) -> None:
        """Scroll the current window so that it shows the cursor, as Vim does after each typed command."""
        for other in self.editor.layout.rects:
            if other.resized_from is not None:
                self._scroller(other).fit()
        window = self.editor.window
        take_folds(self.editor)
        note_shown(Context(self))
        state = (window.buffer, window.buffer.tick, window.cursor, window.top, window.height)
        if state != self._viewed:
            if window.extra.get("free") != window.cursor.line and window.extra.get("scrolled") != window.state:
                self._scroller(window).follow()
            self._viewed = (*state[:3], window.top, window.height)
        bind(self.editor.layout, self.editor.option)

    def _scroller(self, window: Window) -> Scroller:
        return Scroller(window, self.editor.values(window).__getitem__)

    def _buffer_mappings(self) -> MappingTable:
        table = self.editor.buffer.extra.get("mappings")
        if not isinstance(table, MappingTable):
            return _NO_MAPPINGS
        return table

    def failed(self, failure: CommandFailed) -> None:
        """Tell of a failed command and drop the rest of the mapping or macro it came from."""
        self._failed = True
        self.normal.reset()
        self.ahead.flush()
        self.editor.fail(failure)

    def stop_all(self) -> None:
        """Give up everything that is half done, after an interrupt or a bug; text and undo stay whole."""
        self.ahead.clear()
        self.prompt = None
        if self.insert.active:
            self.insert.abort()
        self.normal.abort()
        self.seal()
        self.editor.mode = self.mode

    def has_mapping(self, key: str) -> bool:
        """Whether the next key, if it is `key`, would mean something: a mapping or a built-in key begins with it."""
        mode = self.handler.map_mode()
        if mode and any(t.tries[mode].find([key]) != _NOTHING for t in (self._buffer_mappings(), self.mappings)):
            return True
        if self.prompt is not None or self.insert.active:
            return False
        return self.keymap.normal.find([key]) != _NOTHING

    def paste(self, text: str, *, goes_on: bool = False) -> None:
        """Take text that the terminal pasted: as typed text in Insert mode, and put before the cursor elsewhere, or,
        where the paste `goes_on` after a pause, behind what came of it so far."""
        if self.prompt is not None:
            # A pasted line break is a character of the line: what is pasted is never run by itself.
            insert = getattr(self.prompt, "insert", None)
            if insert is not None:
                insert(text.replace("\n", "\r"))
            return
        if self.insert.active:
            self.insert.paste(text)
            return
        self.seal()
        self.normal.abort()
        window = self.editor.window
        place = window.buffer.marks.get("^") if goes_on else None
        if place is not None:
            window.cursor = clamp(place, window.buffer.lines, past_end=True)
        try:
            self.insert.start()
        except CommandFailed as failure:
            self.failed(failure)
            return
        self.insert.paste(text)
        self.insert.abort()
        self.seal()

    def boundary(self) -> None:
        """Begin a new undo step where a typed command begins (`:help undo-blocks`)."""
        if self.prompt is None and not self.insert.active and not self.normal.busy:
            self.seal()

    def seal(self) -> None:
        """End the open undo step of every buffer."""
        for buffer in self.editor.buffers.values():
            buffer.undo.seal()

    def require_modifiable(self, buffer: Buffer | None = None) -> None:
        """Raise `CommandFailed` (E21) where the buffer may not be changed."""
        if not (buffer or self.editor.buffer).modifiable:
            raise CommandFailed("E21: Cannot make changes, 'modifiable' is off")


def _cannot_evaluate(text: str) -> str:
    raise CommandFailed("E15: Invalid expression: expressions are not available here")


_NO_MAPPINGS = MappingTable()
_NOTHING: Lookup[object] = Lookup(None, 0, False)
