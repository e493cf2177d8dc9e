"""How long a pattern may take: which patterns `re` can be trusted with.

Lives here: first sets, line breaks, and an upper bound of the backtracking `re` may do on a line.
`re` cannot be stopped, so what the bound does not clear goes to our own matcher (`machine.py`), which
remembers failures and polls a stop signal. Not here: matching.
"""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

from tpy.modal.text import chars
from tpy.modal.text.chars import Ranges
from tpy.modal.text.pattern.nodes import (
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

_BREAK: Ranges = ((10, 10),)
_ALL: Ranges = ((0, chars.LAST),)
_NOT_BREAK: Ranges = chars.complement(_BREAK)
_WIDE_ENOUGH = 8
"""A repeat with more choices than this counts as unlimited."""


class Cost(NamedTuple):
    """`factor * length ** degree`; `endless` when no such bound holds; `runs`: it has unlimited repeats."""

    degree: int = 0
    factor: int = 1
    runs: bool = False
    endless: bool = False

    def then(self, other: Cost) -> Cost:
        """Return the cost of one part followed by another."""
        return Cost(
            self.degree + other.degree,
            self.factor * other.factor,
            self.runs or other.runs,
            self.endless or other.endless,
        )

    def steps(self, length: int, anchored: bool) -> float:
        """Return the bound for a search through a line of `length` characters."""
        if self.endless:
            return float("inf")
        degree = max(self.degree, int(self.runs)) + (0 if anchored else 1)
        return self.factor * float(length + 1) ** degree / factorial(degree)


def _both_cases(ranges: Ranges) -> Ranges:
    """Return the set widened by the other case; beyond ASCII everything, which is safe."""
    more = list(ranges)
    for low, high in ranges:
        for first, last, shift in ((65, 90, 32), (97, 122, -32)):
            if max(low, first) <= min(high, last):
                more.append((max(low, first) + shift, min(high, last) + shift))
    more.append((0x80, chars.LAST))
    return chars.merge(more)


class Analysis:
    """Questions about the nodes of one pattern, with its case rule."""

    def __init__(self, fold: bool) -> None:
        self.fold = fold

    def single(self, node: Node) -> Ranges | None:
        """Return the set of a node that always takes exactly one character, else None."""
        if isinstance(node, Char) and not node.marks:
            code = ((ord(node.char), ord(node.char)),)
            return _both_cases(code) if self.fold else code
        if isinstance(node, Set):
            ranges = node.ranges
            if self.fold and node.fold and not node.negated:
                ranges = _both_cases(ranges)
            ranges = chars.merge([*ranges, *node.plain])
            if node.negated:
                ranges = chars.complement(chars.merge([*ranges, *_BREAK]))
            return chars.merge([*ranges, *_BREAK]) if node.newline else ranges
        if isinstance(node, Any):
            return _ALL if node.newline else _NOT_BREAK
        if isinstance(node, Newline):
            return _BREAK
        if isinstance(node, Seq) and len(node.items) == 1:
            return self.single(node.items[0])
        return None

    def nullable(self, node: Node) -> bool:
        """Say whether the node may match without taking a character."""
        if isinstance(node, Seq):
            return all(map(self.nullable, node.items))
        if isinstance(node, Alt):
            return any(map(self.nullable, node.branches))
        if isinstance(node, Repeat):
            return node.low == 0 or self.nullable(node.node)
        if isinstance(node, Group | Atomic):
            return self.nullable(node.node)
        if isinstance(node, Marks):
            return not node.marks
        return isinstance(node, Look | At | Backref)

    def first(self, node: Node, follow: Ranges) -> Ranges:
        """Return the characters a match of the node can begin with, `follow` coming after it."""
        one = self.single(node)
        if one is not None:
            return one
        if isinstance(node, Seq):
            for item in reversed(node.items):
                follow = self.first(item, follow)
            return follow
        if isinstance(node, Alt):
            return chars.merge([span for branch in node.branches for span in self.first(branch, follow)])
        if isinstance(node, Repeat):
            begin = self.first(node.node, follow)
            return chars.merge([*begin, *follow]) if node.low == 0 else begin
        if isinstance(node, Group | Atomic):
            return self.first(node.node, follow)
        if isinstance(node, At) and node.kind == "eol":
            return _BREAK
        if isinstance(node, Char):
            return self.single(Char(node.char)) or _ALL
        if isinstance(node, Marks | Backref):
            return _ALL
        return follow

    def breaks(self, node: Node) -> int | None:
        """Return how many line breaks the node can take at most; None when there is no limit."""
        if isinstance(node, Newline) or (isinstance(node, Set | Any) and node.newline):
            return 1
        if isinstance(node, Seq | Alt):
            parts = [self.breaks(n) for n in (node.items if isinstance(node, Seq) else node.branches)]
            known = [part for part in parts if part is not None]
            if len(known) < len(parts):
                return None
            return sum(known) if isinstance(node, Seq) else max(known)
        if isinstance(node, Repeat):
            inner = self.breaks(node.node)
            if inner == 0:
                return 0
            return None if inner is None or node.high is None else inner * node.high
        if isinstance(node, Group | Atomic | Look):
            return self.breaks(node.node)
        if isinstance(node, Backref):
            return 0
        return 0

    def size(self, node: Node) -> int:
        """Return how many instructions our own matcher needs at most: counted groups are copied."""
        if isinstance(node, Seq | Alt):
            return 2 + sum(map(self.size, node.items if isinstance(node, Seq) else node.branches))
        if isinstance(node, Repeat) and self.single(node.node) is None:
            return (node.low + 1 if node.high is None else node.high) * (self.size(node.node) + 3)
        if isinstance(node, Group | Atomic | Look | Repeat):
            return 3 + self.size(node.node)
        return 1

    def whole(self, node: Node) -> Cost:
        """Return the bound for a whole pattern: an unlimited repeat at its very end is never tried in vain."""
        cost = self.cost(node, ())
        last = node
        while isinstance(last, Seq | Group):
            if isinstance(last, Group):
                last = last.node
                continue
            if any(self.cost(item, _ALL).runs for item in last.items[:-1]) or not last.items:
                return cost
            last = last.items[-1]
        ends = isinstance(last, Repeat) and self.single(last.node) is not None and last.low <= _WIDE_ENOUGH
        return cost._replace(runs=False) if ends else cost

    def cost(self, node: Node, follow: Ranges) -> Cost:
        """Return the bound of the backtracking in a node that `follow` comes after (empty: the end)."""
        if isinstance(node, Seq):
            total = Cost()
            for item in reversed(node.items):
                total = self.cost(item, follow).then(total)
                follow = self.first(item, follow)
            return total
        if isinstance(node, Alt):
            return self._alternatives(node, follow)
        if isinstance(node, Repeat):
            return self._repeat(node, follow)
        if isinstance(node, Group):
            return self.cost(node.node, follow)
        if isinstance(node, Look | Atomic):
            return self.cost(node.node, ())
        if isinstance(node, Backref):
            return Cost(degree=1)
        return Cost()

    def _alternatives(self, node: Alt, follow: Ranges) -> Cost:
        costs = [self.cost(branch, follow) for branch in node.branches]
        seen: list[tuple[int, int]] = []
        disjoint = True
        for branch in node.branches:
            begin = self.first(branch, follow)
            disjoint = disjoint and not chars.overlap(chars.merge(seen), begin) and not self.nullable(branch)
            seen += begin
        factors = [cost.factor for cost in costs]
        return Cost(
            max(cost.degree for cost in costs),
            max(factors) if disjoint else sum(factors),
            any(cost.runs for cost in costs),
            any(cost.endless for cost in costs),
        )

    def _repeat(self, node: Repeat, follow: Ranges) -> Cost:
        begin = self.first(node.node, follow)
        choices = None if node.high is None else node.high - node.low + 1
        many = choices is None or choices > _WIDE_ENOUGH
        clash = chars.overlap(begin, follow)
        if self.single(node.node) is not None:
            inner = Cost()
        else:
            inner = self.cost(node.node, chars.merge([*begin, *follow]))
            if (node.high is None or node.high > 1) and (inner.degree or inner.factor > 1 or self.nullable(node.node)):
                return Cost(endless=True)
        if many:
            return inner.then(Cost(degree=int(clash), runs=True))
        return inner.then(Cost(factor=(choices or 1) if clash else 1))
