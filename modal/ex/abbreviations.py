"""Abbreviations on the command line (`:help abbreviations`); those of Insert mode are in the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine.abbreviations import tries
from tpy.modal.keymap import Mapping, char_of, to_text
from tpy.modal.text import chars

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


def expand_before(engine: Engine, head: str, typed: str) -> str | None:
    """Return `head` with the abbreviation at its end replaced, `None` where there is none.

    `typed` is the character that ends it. The three kinds of abbreviation and what may stand before them are those
    of `:help abbreviations`.
    """
    if not head:
        return None
    keyword = chars.parse_option(engine.editor.option("iskeyword"))
    mapping = _found(engine, head, typed, keyword)
    if mapping is None:
        return None
    if mapping.expr:
        right = engine.evaluate(to_text(mapping.right))
    else:
        right = "".join(char_of(key) or "" for key in mapping.right)
    return head[: len(head) - len(mapping.left)] + right


def _found(engine: Engine, head: str, typed: str, keyword: frozenset[int]) -> Mapping | None:
    is_word = chars.is_word(head[-1], keyword)
    if is_word and typed != "\r" and chars.is_word(typed, keyword):
        return None
    start = len(head)
    while start and chars.is_word(head[start - 1], keyword) == is_word and head[start - 1] not in " \t":
        start -= 1
    starts = [start]
    if is_word:
        wider = start
        while wider and head[wider - 1] not in " \t":
            wider -= 1
        starts.append(wider)
    for begin in starts:
        left = head[begin:]
        for trie in tries(engine, "c"):
            mapping = trie.exact(left)
            if mapping is not None:
                return mapping
    return None
