"""Registries: what the editor can do, declared once as rows, used by keymaps, help, completion and docs.

A row is a function with properties; registering happens when the room that holds the function is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar


class CommandFailed(Exception):
    """A command cannot be done: the message for the user, empty where Vim only beeps.

    It ends the command and the mapping, macro or `:normal` it came from, nothing else.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


Function = Callable[..., Any]


class Row:
    """What all rows have: a name, the function and its help (the docstring, whose first line is the summary)."""

    __slots__ = ("function", "help", "name")

    def __init__(self, name: str, function: Function) -> None:
        self.name = name
        self.function = function
        self.help = (function.__doc__ or "").strip()
        if not self.help:
            raise ValueError(f"{name} has no docstring to be its help")

    @property
    def summary(self) -> str:
        """The first line of the help."""
        return self.help.partition("\n")[0]


class Motion(Row):
    """A motion: `function(ctx) -> Pos | Target`, raising `CommandFailed` where it cannot move.

    `kind`: "exclusive", "inclusive" or "line". `jump`: sets the `'` mark and the jump list. `arg`: what it asks
    for first ("char": one character, "pattern": a search line, `None`). `keeps_column`: moves to the wanted column
    and leaves that as it is (`j`, `k`); otherwise the column reached becomes the wanted one. `numbered`: a delete
    with it always fills `"1` (`:help quote_number`). `opens`: the word of `foldopen` that lets it open folds where
    it goes, "" for none.
    """

    __slots__ = ("arg", "jump", "keeps_column", "kind", "numbered", "opens")

    def __init__(
        self,
        name: str,
        function: Function,
        *,
        kind: str,
        jump: bool,
        arg: str | None,
        keeps_column: bool,
        numbered: bool,
        opens: str,
    ) -> None:
        super().__init__(name, function)
        self.kind = kind
        self.jump = jump
        self.arg = arg
        self.keeps_column = keeps_column
        self.numbered = numbered
        self.opens = opens


class Operator(Row):
    """An operator: `function(ctx, span) -> None`, the cursor already at the start of the span.

    `register`: "delete" or "yank" when the dispatcher fills registers with the span first, else `None`; "yank-trimmed":
    without the blanks at the ends of a block's lines.
    `dot`: `.` repeats it. `line`: it always works on whole lines.
    `modifies`: refused where the buffer is read-only for changes.
    `word_end`: `w` and `W` on a word go to its end only (`:help cw`). `joins_blank`: characters over several lines
    with only blanks around them are taken as whole lines (`:help d`). `keeps_block`: with `line`, a block stays one.
    `fills_empty`: an inclusive motion in an empty line fills registers with nothing. `arg`: "char" when it asks for
    one in Visual mode.
    """

    __slots__ = (
        "arg",
        "dot",
        "fills_empty",
        "joins_blank",
        "keeps_block",
        "line",
        "modifies",
        "register",
        "word_end",
    )

    def __init__(
        self,
        name: str,
        function: Function,
        *,
        register: str | None,
        dot: bool,
        line: bool,
        modifies: bool,
        word_end: bool,
        joins_blank: bool,
        keeps_block: bool,
        fills_empty: bool,
        arg: str | None,
    ) -> None:
        super().__init__(name, function)
        self.fills_empty = fills_empty
        self.keeps_block = keeps_block
        self.arg = arg
        self.word_end = word_end
        self.joins_blank = joins_blank
        self.register = register
        self.dot = dot
        self.line = line
        self.modifies = modifies


class TextObject(Row):
    """A text object: `function(ctx) -> Target` with a `start`; in Visual mode it may start from `ctx.visual` and
    extend that. `around` tells `a` from `i`. `block`: a block selection stays one, else it selects characters.
    `selects`: to an operator it is a selection, which `v` and `V` between them do not change."""

    __slots__ = ("around", "block", "selects")

    def __init__(self, name: str, function: Function, *, around: bool, block: bool, selects: bool) -> None:
        super().__init__(name, function)
        self.around = around
        self.block = block
        self.selects = selects


class Action(Row):
    """A Normal or Visual mode command that is neither motion nor operator: `function(ctx) -> None`.

    `arg`: "char", "mark", "register" or another word of the grammar when it asks for one key first. `dot`: `.`
    repeats it, with the insert session it may start. `modifies`: refused where the buffer may not be changed.
    """

    __slots__ = ("arg", "dot", "modifies")

    def __init__(self, name: str, function: Function, *, arg: str | None, dot: bool, modifies: bool) -> None:
        super().__init__(name, function)
        self.arg = arg
        self.dot = dot
        self.modifies = modifies


class Command(Row):
    """An ex command: `function(ctx) -> None` with an `ExContext`.

    `notation` is the full name with the optional part in brackets, `"w[rite]"`. `range`: the default range, ""
    (none allowed), "." (current line), "%" (whole buffer), "$" (last line), "0" (current line, and 0 is allowed),
    "count" (a number), "buffers", "tabs", "windows", "arguments" or "quickfix" (numbers of those, no lines).
    `bang`: takes `!`. `args`: kinds of its arguments for completion ("file", "buffer", "option", "command", "agent",
    …), "" for none allowed, "rest" for free text. `bar`: `|` ends it (otherwise `|` belongs to the argument).
    `register`/`count`: it takes a register name or a count as first arguments (`:d x 3`). `flags`: it takes the
    flags `#`, `l` and `p` behind those. `need`: it is nothing without an argument. `modifies`: refused where the
    buffer may not be changed.
    """

    __slots__ = ("args", "bang", "bar", "count", "flags", "modifies", "need", "notation", "range", "register")

    def __init__(
        self,
        name: str,
        function: Function,
        *,
        notation: str,
        range: str,
        bang: bool,
        args: str,
        bar: bool,
        register: bool,
        count: bool,
        flags: bool,
        need: bool,
        modifies: bool,
    ) -> None:
        super().__init__(name, function)
        self.notation = notation
        self.range = range
        self.bang = bang
        self.args = args
        self.bar = bar
        self.register = register
        self.count = count
        self.flags = flags
        self.need = need
        self.modifies = modifies

    @property
    def shortest(self) -> str:
        """The shortest form that names it."""
        return self.notation.partition("[")[0]


R = TypeVar("R", bound=Row)


class Registry(Generic[R]):
    """Rows of one kind by name. A name is given once; a second row of that name is an error."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._rows: dict[str, R] = {}

    def add(self, row: R) -> None:
        """Add a row. Raises `ValueError` when the name is taken."""
        if row.name in self._rows:
            raise ValueError(f"two {self.kind}s are called {row.name}")
        self._rows[row.name] = row

    def get(self, name: str) -> R | None:
        """Return the row, `None` when there is none of that name."""
        return self._rows.get(name)

    def __getitem__(self, name: str) -> R:
        return self._rows[name]

    def __contains__(self, name: str) -> bool:
        return name in self._rows

    def __iter__(self) -> Iterator[R]:
        return iter(self._rows.values())

    def __len__(self) -> int:
        return len(self._rows)

    def remove(self, name: str) -> R:
        """Take a row out and return it (for tests that prove it is needed)."""
        return self._rows.pop(name)


motions: Registry[Motion] = Registry("motion")
operators: Registry[Operator] = Registry("operator")
textobjects: Registry[TextObject] = Registry("textobject")
actions: Registry[Action] = Registry("action")
commands: Registry[Command] = Registry("command")

F = TypeVar("F", bound=Function)


def motion(
    name: str,
    kind: str = "exclusive",
    *,
    jump: bool = False,
    arg: str | None = None,
    keeps_column: bool = False,
    numbered: bool = False,
    opens: str = "",
) -> Callable[[F], F]:
    """Declare a motion; see `Motion`."""

    def _register(function: F) -> F:
        motions.add(
            Motion(
                name,
                function,
                kind=kind,
                jump=jump,
                arg=arg,
                keeps_column=keeps_column,
                numbered=numbered,
                opens=opens,
            )
        )
        return function

    return _register


def operator(
    name: str,
    *,
    register: str | None = None,
    dot: bool = True,
    line: bool = False,
    modifies: bool = True,
    word_end: bool = False,
    joins_blank: bool = False,
    keeps_block: bool = False,
    fills_empty: bool = False,
    arg: str | None = None,
) -> Callable[[F], F]:
    """Declare an operator; see `Operator`."""
    fills = register

    def _add(function: F) -> F:
        operators.add(
            Operator(
                name,
                function,
                register=fills,
                dot=dot,
                line=line,
                modifies=modifies,
                word_end=word_end,
                joins_blank=joins_blank,
                keeps_block=keeps_block,
                fills_empty=fills_empty,
                arg=arg,
            )
        )
        return function

    return _add


def textobject(name: str, *, around: bool = False, block: bool = False, selects: bool = False) -> Callable[[F], F]:
    """Declare a text object; see `TextObject`."""

    def _register(function: F) -> F:
        textobjects.add(TextObject(name, function, around=around, block=block, selects=selects))
        return function

    return _register


def action(name: str, *, arg: str | None = None, dot: bool = False, modifies: bool = False) -> Callable[[F], F]:
    """Declare an action; see `Action`."""

    def _register(function: F) -> F:
        actions.add(Action(name, function, arg=arg, dot=dot, modifies=modifies))
        return function

    return _register


def command(
    notation: str,
    *,
    range: str = "",
    bang: bool = False,
    args: str = "",
    bar: bool = True,
    register: bool = False,
    count: bool = False,
    flags: bool = False,
    need: bool = False,
    modifies: bool = False,
) -> Callable[[F], F]:
    """Declare an ex command by its notation such as `"w[rite]"`; see `Command`."""
    takes_register = register

    def _add(function: F) -> F:
        name = notation.replace("[", "").replace("]", "")
        commands.add(
            Command(
                name,
                function,
                notation=notation,
                range=range,
                bang=bang,
                args=args,
                bar=bar,
                register=takes_register,
                count=count,
                flags=flags,
                need=need,
                modifies=modifies,
            )
        )
        return function

    return _add
