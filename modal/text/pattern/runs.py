"""Patterns that begin with a run of characters, such as `\\s\\+$`: of each run in a line only its beginning is tried.

Where a match fails from the beginning of a run it fails from the places further on in it, which reach the same ends.
That makes a search through one line of many megabytes grow as the line does. Not here: the search (`compiled.py`).
"""

from __future__ import annotations

from collections.abc import Iterator

from tpy.modal.text import chars
from tpy.modal.text.pattern.cost import Analysis
from tpy.modal.text.pattern.nodes import Alt, Atomic, Backref, Group, Look, Node, Repeat, Seq

_SHORT = 8
"""A repeat of at most so many takes the same time everywhere."""


def leading_run(node: Node, analysis: Analysis) -> Repeat | None:
    """Return the run that a pattern within a line begins with, `None` where trying only the beginnings of its runs
    would find something else, or would still take longer than the line is long."""
    items = node.items if isinstance(node, Seq) else (node,)
    head: Node = items[0] if items else node
    while isinstance(head, Group) or (isinstance(head, Seq) and len(head.items) == 1):
        head = head.node if isinstance(head, Group) else head.items[0]
    if not isinstance(head, Repeat) or head.high is not None or analysis.single(head.node) is None:
        return None
    rest = Seq(items[1:])
    parts = list(_walk(rest))
    if any(isinstance(part, Look | Atomic | Backref) for part in parts):
        return None
    long = [part for part in parts if isinstance(part, Repeat) and (part.high is None or part.high > _SHORT)]
    cost = analysis.cost(rest, ())
    retries = chars.overlap(analysis.single(head.node) or (), analysis.first(rest, ()))
    if cost.degree or cost.endless or (long and retries):
        return None
    return head if all(_apart(head, other, analysis) for other in long) else None


def _walk(node: Node) -> Iterator[Node]:
    yield node
    parts: tuple[Node, ...] = ()
    if isinstance(node, Seq):
        parts = node.items
    elif isinstance(node, Alt):
        parts = node.branches
    elif isinstance(node, Group | Repeat):
        parts = (node.node,)
    for part in parts:
        yield from _walk(part)


def _apart(head: Repeat, other: Repeat, analysis: Analysis) -> bool:
    """Whether no run of `head` begins within one of `other`, so that each is gone through but once or twice."""
    one, two = analysis.single(head.node), analysis.single(other.node)
    return head.node == other.node or (one is not None and two is not None and not chars.overlap(one, two))
