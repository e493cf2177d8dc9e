"""The keys of Normal, Visual and Operator-pending mode: what is half typed, and its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine import grammar, selectmode
from tpy.modal.engine.execute import execute, finish, leave_visual
from tpy.modal.engine.folding import check_folding
from tpy.modal.engine.grammar import Cancel, Command, Incomplete, Pending
from tpy.modal.engine.literal import Collector, collector
from tpy.modal.registry import CommandFailed
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
        # What collects the keys after `<C-k>` or `<C-v>` where a character is asked for.
        self._collector: Collector | None = None

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
        self._collector = None

    def abort(self) -> None:
        """Give up what is half typed and any selection."""
        self.reset()
        self.engine.editor.visual = None

    def feed(self, key: str) -> None:
        """Act on one key. Raises `CommandFailed`."""
        if self.want:
            self._argument(key)
            return
        if key in ("<Esc>", "<C-c>") and self.busy:
            counted = not self.pending.keys and self.pending.operator is None
            self.reset()
            if counted and self.engine.editor.visual is not None:
                leave_visual(self.engine)
                self.engine.editor.window.want = None
                finish(self.engine)
            return
        if len(key) > 1 and not self.pending.keys and self.pending.operator is None:
            key = selectmode.by_shift(self.engine, key)
        if not self.busy and selectmode.take(self.engine, key):
            return
        visual = self.engine.editor.visual is not None
        if key == "~" and not (visual or self.pending.keys or self.pending.operator) and self._tilde_operates():
            grammar.step(self.pending, "g", self.engine.keymap, visual=False)
        outcome = grammar.step(self.pending, key, self.engine.keymap, visual=visual)
        operator = outcome.operator if isinstance(outcome, Command) else self.pending.operator
        if operator is not None and operator.name in ("fold", "delete-folds", "delete-folds-recursively"):
            check_folding(self.engine.editor, deleting=operator.name != "fold")
        if isinstance(outcome, Command):
            self._execute(outcome)
        elif isinstance(outcome, Cancel):
            self.reset()
            raise CommandFailed
        elif outcome.want:
            self._ask(outcome)

    def _tilde_operates(self) -> bool:
        """Whether `~` is an operator (`:help 'tildeop'`)."""
        return bool(self.engine.editor.option("tildeop"))

    def _ask(self, outcome: Incomplete) -> None:
        if outcome.want in PROMPTS:
            binding = self.pending.binding
            assert binding is not None
            pending = self.pending

            def _accept(line: str) -> None:
                self._execute(grammar.finish(pending, binding, line))

            self.engine.open_prompt(outcome.want, _accept, self.reset)
        elif outcome.want == "macro" and self.engine.repeat.busy:
            self._execute_argument(None)
        else:
            self.want = outcome.want

    def _ask_expression(self) -> None:
        """Ask for the expression that the register `=` is to hold; an empty line takes the last one."""
        pending = self.pending

        def _accept(line: str) -> None:
            if line:
                self.engine.editor.extra["expression"] = line
            pending.register = "="
            pending.multiply()
            self.pending = pending

        self.engine.open_prompt("=", _accept, self.reset)

    def _argument(self, key: str) -> None:
        """Take the key that a command asked for."""
        want, self.want = self.want, ""
        self.pending.typed.append(key)
        if want == selectmode.REGISTER:
            self.reset()
            selectmode.name_register(self.engine, key)
            return
        if want == "register":
            if key == "=":
                self._ask_expression()
                return
            if len(key) != 1 or key not in READ_ONLY + WRITABLE:
                self.reset()
                raise CommandFailed
            self.pending.register = key
            self.pending.multiply()
            return
        if self._collector is not None:
            self._collect(key, want)
            return
        if key == "<Esc>":
            self.reset()
            if want == "char":
                return
            raise CommandFailed
        binding = self.pending.binding
        if want == "char" and (key == "<C-k>" or binding is None or binding.kind != "motion"):
            self._collector = collector(key, self.engine.editor.extra.get("digraphs"))
            if self._collector is not None:
                self.want = want
                return
        self._execute_argument(key)

    def _collect(self, key: str, want: str) -> None:
        """Take a key of a digraph or of a character's code."""
        assert self._collector is not None
        result = self._collector.feed(key)
        if result is None:
            self.want = want
            return
        self._collector = None
        if len(result.text) != 1:
            self.reset()
            raise CommandFailed
        if result.rest is not None:
            self.engine.push([result.rest])
        self._execute_argument(result.text)

    def _execute_argument(self, arg: str | None) -> None:
        binding = self.pending.binding
        assert binding is not None
        self._execute(grammar.finish(self.pending, binding, arg))

    def _execute(self, command: Command) -> None:
        self.reset()
        visual = self.engine.editor.visual
        try:
            execute(self.engine, command)
        finally:
            selectmode.resume(self.engine, visual)

    def showcmd(self) -> str:
        """Return what is half typed, for the lower right corner (`:help 'showcmd'`)."""
        return "".join(self.pending.typed)
