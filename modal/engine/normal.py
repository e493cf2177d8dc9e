"""The keys of Normal, Visual and Operator-pending mode: what is half typed, and its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine import grammar
from tpy.modal.engine.execute import execute
from tpy.modal.engine.grammar import Cancel, Command, Incomplete, Pending
from tpy.modal.keymap import char_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text.digraphs import digraph
from tpy.modal.text.registers import READ_ONLY, WRITABLE

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# Arguments that are typed on a command line.
PROMPTS = "/?:!="


class NormalHandler:
    """Takes the keys while no text is inserted and no command line is open."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.pending = Pending()
        # What the next key is an argument for: "" none, else `Incomplete.want`.
        self.want = ""
        self._digraph: str | None = None

    @property
    def busy(self) -> bool:
        """Whether a command is half typed."""
        return not self.pending.empty

    def map_mode(self) -> str:
        """Return which user mappings apply to the next key: none to an argument or a second key."""
        if self.want or self.pending.keys:
            return ""
        visual = self.engine.editor.visual
        if visual is not None:
            return "s" if visual.select else "x"
        return "o" if self.pending.operator is not None else "n"

    def reset(self) -> None:
        """Forget what is half typed."""
        self.pending = Pending()
        self.want = ""
        self._digraph = None

    def abort(self) -> None:
        """Give up what is half typed and any selection."""
        self.reset()
        self.engine.editor.visual = None

    def feed(self, key: str) -> None:
        """Act on one key. Raises `CommandFailed`."""
        if self.want:
            self._argument(key)
            return
        if key == "<Esc>" and self.busy:
            self.reset()
            return
        visual = self.engine.editor.visual is not None
        outcome = grammar.step(self.pending, key, self.engine.keymap, visual=visual)
        if isinstance(outcome, Command):
            self._execute(outcome)
        elif isinstance(outcome, Cancel):
            self.reset()
            raise CommandFailed
        elif outcome.want:
            self._ask(outcome)

    def _ask(self, outcome: Incomplete) -> None:
        if outcome.want in PROMPTS:
            binding = self.pending.binding
            assert binding is not None
            pending = self.pending

            def accept(line: str) -> None:
                self._execute(grammar.finish(pending, binding, line))

            self.engine.open_prompt(outcome.want, accept, self.reset)
        elif outcome.want == "macro" and self.engine.repeat.busy:
            self._execute_argument(None)
        else:
            self.want = outcome.want

    def _argument(self, key: str) -> None:
        """Take the key that a command asked for."""
        want, self.want = self.want, ""
        self.pending.typed.append(key)
        if want == "register":
            if len(key) != 1 or key not in READ_ONLY + WRITABLE:
                self.reset()
                raise CommandFailed
            self.pending.register = key
            self.pending.multiply()
            return
        if key == "<Esc>":
            self.reset()
            if want == "char":
                return
            raise CommandFailed
        if want == "char" and self._compose(key, want):
            return
        arg = self._digraph if self._digraph is not None and len(self._digraph) > 2 else key
        self._digraph = None
        binding = self.pending.binding
        assert binding is not None
        self._execute(grammar.finish(self.pending, binding, arg))

    def _compose(self, key: str, want: str) -> bool:
        """Collect a digraph (`<C-k>` and two characters) or a literal key (`<C-v>`); `True` while more is needed."""
        if self._digraph is None:
            if key in ("<C-k>", "<C-v>", "<C-q>"):
                self._digraph, self.want = ("k" if key == "<C-k>" else "v"), want
                return True
            return False
        typed = char_of(key)
        if typed is None:
            self.reset()
            raise CommandFailed
        if self._digraph == "v":
            self._digraph = None
            self._execute_argument(typed)
            return True
        if len(self._digraph) == 1:
            self._digraph, self.want = self._digraph + typed, want
            return True
        char = digraph(self._digraph[1], typed)
        self._digraph = None
        self._execute_argument(char)
        return True

    def _execute_argument(self, arg: str | None) -> None:
        binding = self.pending.binding
        assert binding is not None
        self._execute(grammar.finish(self.pending, binding, arg))

    def _execute(self, command: Command) -> None:
        self.reset()
        execute(self.engine, command)

    def showcmd(self) -> str:
        """Return what is half typed, for the lower right corner (`:help 'showcmd'`)."""
        return "".join(self.pending.typed)
