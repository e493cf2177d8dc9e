"""Abbreviations of Insert mode (`:help abbreviations`): finding the one before the cursor, and typing it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine.typeahead import MappingTable
from tpy.modal.keymap import Mapping, Trie, from_text, to_text
from tpy.modal.text import chars
from tpy.modal.text.width import prev_col

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine
    from tpy.modal.engine.insert import InsertHandler


def tries(engine: Engine, mode: str) -> list[Trie[Mapping]]:
    """Return the abbreviations of a mode ("i" or "c"), those of the buffer first; none where there are none."""
    tables = (engine.editor.buffer.extra.get("abbreviations"), engine.abbreviations)
    return [table.tries[mode] for table in tables if isinstance(table, MappingTable) and table.tries[mode]]


def expand(insert: InsertHandler, key: str) -> bool:
    """Put the abbreviation that `key` ends in its long form before all keys that wait, with `key` behind it.

    `False` where there is none, or where abbreviations do not count: after the cursor was moved, and in text that
    was not typed.
    """
    engine = insert.engine
    typed = not (insert.unabbreviated or not engine.key_remap or engine.repeat.replaying)
    if insert.moved or not (typed or key == "<C-]>"):
        return False
    pen = insert.pen
    tables = tries(engine, "i")
    if not tables:
        return False
    keyword = chars.parse_option(pen.style.iskeyword)
    if len(key) == 1 and chars.is_word(key, keyword):
        return False
    least = pen.start.col if pen.line == pen.start.line else 0
    start = _start(pen.text, pen.col, least, keyword)
    word = list(pen.text[start : pen.col])
    found = next((found for table in tables if word and (found := table.exact(word)) is not None), None)
    if found is None:
        return False
    count = 0
    at = pen.col
    while at > start:
        at, count = prev_col(pen.text, at), count + 1
    named = {"\r": "<CR>", "\t": "<Tab>"}.get(key, key)
    last = [] if key == "<C-]>" else ["<C-v>", named] if named < " " else [named]
    right = _right(insert, found)
    insert.unabbreviated = count + len(right) + len(last) + 1
    engine.push(last, remap=False)
    engine.push(right, remap=found.remap)
    engine.push(["<BS>"] * count, remap=False)
    return True


def _right(insert: InsertHandler, mapping: Mapping) -> tuple[str, ...]:
    if mapping.expr:
        return tuple(from_text(insert.engine.evaluate(to_text(mapping.right))))
    return mapping.right


def _start(text: str, col: int, least: int, keyword: frozenset[int]) -> int:
    """Return where the word before `col` begins that may be an abbreviation: of keyword characters, of others that
    end in a keyword character, or of anything but blanks where it ends in another."""
    if col == 0:
        return 0
    at = prev_col(text, col)
    ends_in_word = chars.is_word(text[at], keyword)
    inner = at > 0 and chars.is_word(text[prev_col(text, at)], keyword)
    while at > least:
        before = prev_col(text, at)
        char = text[before]
        if char.isspace() or (ends_in_word and chars.is_word(char, keyword) != inner):
            break
        at = before
    return max(at, least)
