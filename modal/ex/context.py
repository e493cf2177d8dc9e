"""What an ex command is given, and how it asks the user something.

A command is a function of an `ExContext`. One that asks is a generator: it yields a question (`Ask`, `AskLine`) and
is sent the answer, `None` when the user gives up. How lines are run is in `run.py`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.editor import Editor
from tpy.modal.engine.columns import wanted_column
from tpy.modal.engine.context import Context
from tpy.modal.ex.parse import ExCall
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos, clamp, first_nonblank, in_line
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


class Ask(NamedTuple):
    """A question that one key answers: the text, and the keys that do (`""`: every key)."""

    question: str
    keys: str | tuple[str, ...]


class AskLine(NamedTuple):
    """A line to be typed, as `:append` wants them; `kind` is the character before it, `text` what stands there."""

    kind: str = "-"
    text: str = ""


Work = Generator[Ask | AskLine, str | None, Any]


class ExContext:
    """One command's surroundings. Lines count from 0; `last` is -1 for the address 0.

    `lines_typed` tells how many addresses were typed; `count` is `None` where none was. `source` gives the lines
    behind this one in a script, `None` when they are typed. `rest`: what follows, for commands that find the end of
    their argument themselves to set.
    """

    __slots__ = ("call", "engine", "rest", "source")

    def __init__(self, engine: Engine, call: ExCall, source: Iterator[str] | None = None) -> None:
        self.engine = engine
        self.call = call
        self.source = source
        self.rest = call.rest

    @property
    def editor(self) -> Editor:
        """The editor."""
        return self.engine.editor

    @property
    def window(self) -> Window:
        """The current window."""
        return self.engine.editor.window

    @property
    def buffer(self) -> Buffer:
        """The buffer of the current window."""
        return self.engine.editor.window.buffer

    @property
    def lines(self) -> list[str]:
        """The lines of the buffer; to be read only."""
        return self.engine.editor.window.buffer.lines

    @property
    def first(self) -> int:
        """The first line of the range."""
        return self.call.first - 1

    @property
    def last(self) -> int:
        """The last line of the range, included."""
        return self.call.last - 1

    @property
    def lines_typed(self) -> int:
        """How many addresses were typed."""
        return self.call.addresses

    @property
    def bang(self) -> bool:
        """Whether `!` was typed."""
        return self.call.bang

    @property
    def args(self) -> str:
        """The argument."""
        return self.call.args

    @property
    def register(self) -> str | None:
        """The register named, `None` for none."""
        return self.call.register

    @property
    def count(self) -> int | None:
        """The count typed, `None` for none."""
        return self.call.number

    def tell(self, done: int, total: int) -> None:
        """Say how far the command is. Raises `Interrupted` where the user wants to stop."""
        # What is done for one line of many is no share of the whole.
        self.editor.progress.at(done, 0 if "global" in self.editor.extra else total)

    def option(self, name: str) -> Any:
        """Return an option's value for the current window."""
        return self.engine.editor.option(name)

    def echo(self, text: str) -> None:
        """Show a message."""
        self.engine.editor.echo(text)

    def show(self, text: str) -> None:
        """Show what the user asked for, such as a list: no message that `:messages` would have."""
        self.engine.editor.echo(text, keep=False)

    def modifier(self, name: str) -> int:
        """Return what a modifier was given with, 0 where it was not typed."""
        return self.call.modifiers.get(name, 0)

    def go_to_line(self, line: int) -> None:
        """Put the cursor on the first character of a line that is no blank (`'startofline'` off: keep the column)."""
        window = self.window
        line = min(max(line, 0), len(self.lines) - 1)
        if self.option("startofline"):
            window.cursor = Pos(line, first_nonblank(self.lines[line]))
            window.want = None
        else:
            window.cursor = clamp(Pos(line, window.cursor.col), self.lines)

    def go_to_nonblank(self, line: int) -> None:
        """Put the cursor on the first character of a line that is no blank, whatever `'startofline'` says."""
        self.window.cursor = Pos(line, first_nonblank(self.lines[line]))
        self.window.want = None

    def to_line(self, line: int) -> None:
        """Put the cursor in a line, its column kept (in bytes) as far as the line has it, and the wanted one too."""
        self.keep_want()
        self.window.cursor = clamp(in_line(clamp(self.window.cursor, self.lines), line, self.lines), self.lines)

    def keep_want(self) -> None:
        """Have vertical motions aim at the column they would aim at from here, wherever the cursor is put."""
        self.window.want = wanted_column(Context(self.engine))

    def push_jump(self) -> None:
        """Note the cursor's place in the jump list and the `'` mark, as commands that move far do."""
        self.engine.jump_from(self.window, self.window.cursor)

    def require_modifiable(self) -> None:
        """Raise `CommandFailed` (E21) where the buffer may not be changed."""
        self.engine.require_modifiable(self.buffer)

    def unsupported(self, what: str) -> CommandFailed:
        """Return the failure for something that tpy leaves out on purpose."""
        return CommandFailed(f"E319: {what}")
