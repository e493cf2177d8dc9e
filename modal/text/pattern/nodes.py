"""The syntax tree of a Vim pattern, as plain values.

Lives here: the kinds of node and `PatternError`. Not here: reading a pattern (`parse.py`), matching.
Every set of characters is a `Set`; what a class such as `\\k` holds is decided by the parser.
"""

from __future__ import annotations

from typing import NamedTuple, Union

from tpy.modal.text.chars import Ranges


class PatternError(Exception):
    """The pattern is not one; the text is Vim's message, such as `E54: Unmatched \\(`."""


class Char(NamedTuple):
    """One literal character; `marks` are the combining characters that must follow it."""

    char: str
    marks: str = ""


class Set(NamedTuple):
    """One character of a set. `fold`: a collection, to whose `ranges` the case rule of the pattern applies.

    `plain` are further characters, from `[:upper:]` and kin, to which it never applies.
    """

    ranges: Ranges
    negated: bool = False
    newline: bool = False
    fold: bool = False
    plain: Ranges = ()


class Any(NamedTuple):
    """Any character; with `newline` also a line break (`\\_.`)."""

    newline: bool = False


class Newline(NamedTuple):
    """A line break (`\\n`)."""


class Marks(NamedTuple):
    """Combining characters alone: match any character that carries them; empty is `\\%C`: skip all."""

    marks: str = ""


class Seq(NamedTuple):
    """Nodes one after the other."""

    items: tuple[Node, ...]


class Alt(NamedTuple):
    """Alternatives, the first that matches wins."""

    branches: tuple[Node, ...]


class Group(NamedTuple):
    """A capturing group, numbered from 1."""

    number: int
    node: Node


class Repeat(NamedTuple):
    """A node `low` to `high` times; `high` is None for no limit."""

    node: Node
    low: int
    high: int | None
    greedy: bool = True


class Look(NamedTuple):
    """Zero-width: the node matches (or not, `negated`) here, or ends here (`behind`); `limit` bytes back."""

    node: Node
    behind: bool = False
    negated: bool = False
    limit: int = 0


class Atomic(NamedTuple):
    """The node matched as a pattern of its own, never retried (`\\@>`)."""

    node: Node


class Backref(NamedTuple):
    """The text of a group again."""

    number: int


class At(NamedTuple):
    """A zero-width place. `kind` is one of

    `bol eol bow eow bof eof cursor visual zs ze`, or `line col vcol` with `number` (-1: the cursor's) and
    `compare` (`<`, `>` or empty), or `mark` with `name` and `compare`.
    """

    kind: str
    number: int = 0
    compare: str = ""
    name: str = ""


Node = Union[Char, Set, Any, Newline, Marks, Seq, Alt, Group, Repeat, Look, Atomic, Backref, At]  # noqa: UP007


class Tree(NamedTuple):
    """A parsed pattern. `fold` is None when neither `\\c` nor `\\C` was given."""

    node: Node
    groups: int
    fold: bool | None
    ignore_marks: bool
    has_upper: bool


EMPTY = Seq(())
