"""Translating a syntax tree to Python's `re`, where that means exactly the same.

Lives here: the translation and its limits: what it refuses (`Untranslatable`) our own matcher takes.
It is exact for text without combining characters. Not here: whether `re` is fast enough (`cost.py`).
"""

from __future__ import annotations

import re

from tpy.modal.text import chars
from tpy.modal.text.pattern.nodes import (
    Alt,
    Any,
    At,
    Atomic,
    Backref,
    Char,
    Group,
    Look,
    Newline,
    Node,
    Repeat,
    Seq,
    Set,
)


class Untranslatable(Exception):
    """`re` has no equal for this pattern."""


def set_source(node: Set, fold: bool) -> str:
    """Return a `re` source for one character of the set (its line break included)."""
    ranges, plain = node.ranges, ""
    if not (fold and node.fold):
        ranges = chars.merge([*ranges, *node.plain])
    elif node.plain:
        plain = f"(?-i:[{chars.class_body(node.plain)}])"
    body = chars.class_body(ranges)
    if node.negated:
        source = (f"(?!{plain})" if plain else "") + f"[^{body}\\n]"
    elif plain:
        source = f"(?:[{body}]|{plain})" if body else plain
    else:
        source = f"[{body}]" if body else "(?!)"
    if fold and not node.fold:
        source = f"(?-i:{source})"
    return f"(?:{source}|\\n)" if node.newline else source


def boundary_source(kind: str, keyword: frozenset[int], ascii_only: bool) -> str:
    """Return a `re` source for `\\<` (kind `bow`) or `\\>` (`eow`): words also end where scripts change."""
    branches = []
    for ranges in chars.class_ranges(keyword).values():
        if ascii_only:
            ranges = tuple((low, min(high, 127)) for low, high in ranges if low < 128)
        body = chars.class_body(ranges)
        if body:
            branches.append(f"(?<![{body}])(?=[{body}])" if kind == "bow" else f"(?<=[{body}])(?![{body}])")
    return f"(?-i:{'|'.join(branches)})"


class Translator:
    """Translates one tree. `ascii_only`: the text will be ASCII, which makes word boundaries short."""

    def __init__(self, keyword: frozenset[int], fold: bool, ascii_only: bool) -> None:
        self.keyword = keyword
        self.fold = fold
        self.ascii_only = ascii_only
        self.used: set[str] = set()
        self.optional = 0
        self.certain: set[int] = set()

    def compile(self, node: Node) -> re.Pattern[str]:
        """Return the compiled equivalent, with groups named `g1`…`g9`, `zs` and `ze`."""
        flags = re.MULTILINE | (re.IGNORECASE if self.fold else 0)
        try:
            return re.compile(self.source(node), flags)
        except (re.error, RecursionError, OverflowError) as error:
            raise Untranslatable from error

    def source(self, node: Node) -> str:
        """Return the source of a node, safe to put anywhere in a sequence."""
        if isinstance(node, Char):
            if node.marks:
                raise Untranslatable
            return re.escape(node.char)
        if isinstance(node, Set):
            return set_source(node, self.fold)
        if isinstance(node, Any):
            return "(?s:.)" if node.newline else "."
        if isinstance(node, Newline):
            return "\\n"
        if isinstance(node, Seq):
            return "".join(map(self.source, node.items))
        if isinstance(node, Alt):
            self.optional += 1
            body = "|".join(map(self.source, node.branches))
            self.optional -= 1
            return f"(?:{body})"
        if isinstance(node, Group):
            body = self.source(node.node)
            if not self.optional:
                self.certain.add(node.number)
            return f"(?P<g{node.number}>{body})"
        if isinstance(node, Repeat):
            return self._repeat(node)
        if isinstance(node, Look):
            return self._look(node)
        if isinstance(node, Atomic):
            body = self.source(node.node)
            if "(?P<z" in body:
                raise Untranslatable
            return f"(?>{body})"
        if isinstance(node, Backref):
            if node.number not in self.certain:  # an unset group matches empty in Vim and fails in re
                raise Untranslatable
            return f"(?P=g{node.number})"
        if isinstance(node, At):
            return self._place(node)
        raise Untranslatable

    def _repeat(self, node: Repeat) -> str:
        self.optional += node.low == 0
        body = self.source(node.node)
        self.optional -= node.low == 0
        high = "" if node.high is None else node.high
        lazy = "" if node.greedy else "?"
        return f"(?:{body}){{{node.low},{high}}}{lazy}"

    def _look(self, node: Look) -> str:
        if node.limit:
            raise Untranslatable
        self.optional += node.negated
        body = self.source(node.node)
        self.optional -= node.negated
        if node.behind and ("\\n" in body or "(?s" in body or "(?P" in body):
            raise Untranslatable
        if "(?P<z" in body:
            raise Untranslatable
        return f"(?{'<' if node.behind else ''}{'!' if node.negated else '='}{body})"

    def _place(self, node: At) -> str:
        if node.kind in ("zs", "ze"):
            if node.kind in self.used:
                raise Untranslatable
            self.used.add(node.kind)
            return f"(?P<{node.kind}>)"
        if node.kind in ("bow", "eow"):
            return boundary_source(node.kind, self.keyword, self.ascii_only)
        if node.kind in ("bol", "eol"):
            return "^" if node.kind == "bol" else "$"
        raise Untranslatable
