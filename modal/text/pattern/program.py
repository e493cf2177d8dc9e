"""Compiling a syntax tree for our own matcher.

Lives here: the instructions and the compiler. Not here: running them (`machine.py`).
Single characters and literal stretches are small `re` patterns without choices, so most of the work
is done in C and none of it can blow up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from tpy.modal.text import chars
from tpy.modal.text.pattern.nodes import (
    EMPTY,
    Alt,
    Any,
    At,
    Atomic,
    Backref,
    Char,
    Group,
    Look,
    Marks,
    Newline,
    Node,
    Repeat,
    Seq,
    Set,
)
from tpy.modal.text.pattern.translate import boundary_source, set_source

MATCH, TEXT, RUN, SPLIT, JUMP, SAVE, PLACE, LOOK, BEHIND, ATOMIC, BACKREF, ENTER, AGAIN = range(13)

Matcher = Callable[..., "re.Match[str] | None"]
"""The `match` method of a compiled `re`: text, start, end."""


class Step(NamedTuple):
    """One instruction; which fields count depends on `op`."""

    op: int
    match: Matcher | None = None
    """TEXT: the `re` to match. RUN: one repetition after the other."""
    literal: str = ""
    """TEXT: the text it matches, when that is only one."""
    one: Matcher | None = None
    """RUN: a single repetition."""
    first: int = 0
    """SPLIT: preferred branch. JUMP, AGAIN, LOOK, BEHIND, ATOMIC: target. SAVE: slot. BACKREF: group."""
    second: int = 0
    """SPLIT: other branch. AGAIN: where an empty round goes. ENTER, AGAIN: register."""
    low: int = 0
    high: int | None = None
    greedy: bool = True
    negated: bool = False
    newline: bool = False
    place: At | None = None
    register: int = 0


class Program(NamedTuple):
    """The instructions, the number of loop registers, and whether back references forbid a memory."""

    steps: list[Step]
    registers: int
    has_backref: bool
    fold: bool
    marks: bool
    keyword: frozenset[int]


class Compiler:
    """Compiles one tree. `marks`: the text holds combining characters, so step by cluster."""

    def __init__(self, keyword: frozenset[int], fold: bool, marks: bool, ignore_marks: bool) -> None:
        self.keyword = keyword
        self.fold = fold
        self.ignore_marks = ignore_marks
        body = chars.class_body(chars.combining()) if marks else ""
        self.mark = f"(?-i:[{body}])" if marks else ""
        self.marks = marks
        self.steps: list[Step] = []
        self.registers = 0
        self.has_backref = False

    def program(self, node: Node) -> Program:
        """Return the program for a whole pattern."""
        self.emit(node)
        if self.marks and not self.ignore_marks:  # a match does not end inside a cluster
            self.add(Step(TEXT, self.regex(f"(?!{self.mark})|(?<![^\\n])")))
        self.add(Step(MATCH))
        return Program(self.steps, self.registers, self.has_backref, self.fold, self.marks, self.keyword)

    def add(self, step: Step) -> int:
        """Append an instruction and return its index."""
        self.steps.append(step)
        return len(self.steps) - 1

    def regex(self, source: str) -> Matcher:
        """Return the match method of a small pattern."""
        return re.compile(source, re.IGNORECASE if self.fold else 0).match

    def one(self, node: Node) -> str | None:
        """Return a source for a node that takes one cluster, else None.

        A plain letter takes no marks: what follows it in the pattern must, as in Vim.
        """
        tail = f"{self.mark}*" if self.marks else ""
        if isinstance(node, Char):
            if not node.marks or self.ignore_marks:
                return re.escape(node.char) + (tail if self.ignore_marks else "")
            return re.escape(node.char) + self.having(node.marks) if self.marks else None
        if isinstance(node, Set | Any):
            source = set_source(node._replace(newline=False), self.fold) if isinstance(node, Set) else "."
            return f"(?:{source}{tail}|\\n)" if node.newline else source + tail
        if isinstance(node, Newline):
            return "\\n"
        if isinstance(node, Seq) and len(node.items) == 1:
            return self.one(node.items[0])
        return None

    def emit(self, node: Node) -> None:
        """Append the instructions of a node."""
        source = self.one(node)
        if source is not None and isinstance(node, Char):
            self.sequence(Seq((node,)))
        elif source is not None:
            self.add(Step(TEXT, self.regex(source)))
        elif isinstance(node, Char):  # carries marks, and the text has none
            self.add(Step(TEXT, self.regex("(?!)")))
        elif isinstance(node, Seq):
            self.sequence(node)
        elif isinstance(node, Alt):
            self.alternatives(node)
        elif isinstance(node, Repeat):
            self.repeat(node)
        elif isinstance(node, Group):
            self.add(Step(SAVE, first=2 * node.number))
            self.emit(node.node)
            self.add(Step(SAVE, first=2 * node.number + 1))
        elif isinstance(node, Look | Atomic):
            self.apart(node)
        elif isinstance(node, Backref):
            self.has_backref = True
            self.add(Step(BACKREF, first=node.number))
        elif isinstance(node, At):
            self.at(node)
        elif isinstance(node, Marks):
            self.add(Step(TEXT, self.regex(self.marks_source(node))))

    def marks_source(self, node: Marks) -> str:
        """Return a source for `\\%C` or for combining characters that stand alone in the pattern."""
        if not self.marks:
            return "(?!)" if node.marks else ""
        if not node.marks:
            return f"{self.mark}*"
        return "." + self.having(node.marks)

    def having(self, marks: str) -> str:
        """Return a source for the marks of a character, which must include these in any order."""
        wanted = "".join(f"(?={self.mark}*{re.escape(mark)})" for mark in marks)
        return f"{wanted}{self.mark}*"

    def sequence(self, node: Seq) -> None:
        """Append items in order, literal stretches joined."""
        stretch = literal = ""
        for item in (*node.items, EMPTY):
            source = self.one(item) if isinstance(item, Char) else None
            if source is not None:
                stretch += source
                literal += item.char if isinstance(item, Char) else ""
                continue
            if stretch:
                exact = not (self.fold or self.ignore_marks) and stretch == re.escape(literal)
                self.add(Step(TEXT, self.regex(stretch), literal=literal if exact else ""))
                stretch = literal = ""
            if item != EMPTY:
                self.emit(item)

    def alternatives(self, node: Alt) -> None:
        """Append choices that prefer the earlier branch."""
        ends = []
        for branch in node.branches[:-1]:
            split = self.add(Step(SPLIT))
            self.emit(branch)
            ends.append(self.add(Step(JUMP)))
            self.steps[split] = Step(SPLIT, first=split + 1, second=len(self.steps))
        self.emit(node.branches[-1])
        for end in ends:
            self.steps[end] = Step(JUMP, first=len(self.steps))

    def repeat(self, node: Repeat) -> None:
        """Append a run of single characters, or copies and a loop."""
        source = self.one(node.node)
        if source is not None:
            high = "" if node.high is None else node.high
            run = self.regex(f"(?:{source}){{0,{high}}}")
            breaks = "\\n" in source
            one = self.regex(source)
            step = Step(RUN, run, one=one, low=node.low, high=node.high, greedy=node.greedy, newline=breaks)
            self.add(step)
            return
        for _ in range(node.low):
            self.emit(node.node)
        if node.high is None:
            self.loop(node)
        else:
            splits = []
            for _ in range(node.high - node.low):
                splits.append(self.add(Step(SPLIT)))
                self.emit(node.node)
            for split in splits:
                self.split(split, split + 1, len(self.steps), node.greedy)

    def split(self, at: int, body: int, leave: int, greedy: bool) -> None:
        """Fill in the choice at `at` between another round and leaving."""
        first, second = (body, leave) if greedy else (leave, body)
        self.steps[at] = Step(SPLIT, first=first, second=second)

    def loop(self, node: Repeat) -> None:
        """Append an unlimited loop; a round that takes nothing leaves it."""
        register = self.registers
        self.registers += 1
        split = self.add(Step(SPLIT))
        self.add(Step(ENTER, register=register))
        self.emit(node.node)
        again = self.add(Step(AGAIN, first=split, register=register))
        self.split(split, split + 1, again + 1, node.greedy)

    def apart(self, node: Look | Atomic) -> None:
        """Append a node that is matched on its own, its instructions placed behind a jump."""
        if isinstance(node, Atomic):
            at = self.add(Step(ATOMIC))
        else:
            at = self.add(Step(BEHIND if node.behind else LOOK, negated=node.negated, low=node.limit))
        self.emit(node.node)
        self.add(Step(MATCH))
        self.steps[at] = self.steps[at]._replace(first=at + 1, second=len(self.steps))

    def at(self, node: At) -> None:
        """Append a zero-width place."""
        if node.kind in ("zs", "ze"):
            self.add(Step(SAVE, first=0 if node.kind == "zs" else 1))
        elif node.kind in ("bow", "eow") and not self.marks:
            self.add(Step(TEXT, self.regex(boundary_source(node.kind, self.keyword, False))))
        else:
            self.add(Step(PLACE, place=node))
