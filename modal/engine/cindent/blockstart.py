"""The brace that a line is in: the indent that it gives, and the `if` or `do` in its block that a line belongs to."""

from __future__ import annotations

from typing import NamedTuple

from tpy.modal.engine.cindent import code, kinds
from tpy.modal.engine.cindent.source import Source
from tpy.modal.text.position import Pos


class Block(NamedTuple):
    """A brace: where it stands, the indent it gives, and whether it begins its line, or the first column."""

    start: Pos
    amount: int
    begins_line: bool
    in_column_0: bool


def block_of(source: Source, start: Pos) -> Block:
    """Return what the brace at `start` gives to the lines in it."""
    text = source.lines[start.line]
    if text.lstrip(code.BLANKS).startswith("{"):
        return Block(start, source.column(start), True, text.startswith("{"))
    line = start.line
    last = code.last_closing(text, "(", ")")
    if last is not None and (found := source.paren(Pos(line, last))) is not None:
        line = found.line
    if source.rules.keep_case and kinds.is_case(text):
        return Block(start, source.indent(start.line), False, False)
    return Block(start, source.statement(line)[0], False, False)


def inner_amount(source: Source, block: Block, head: int) -> int:
    """Return the indent that the block gives before the level of its lines is added; `head` is the line of its head."""
    rules = source.rules
    if block.in_column_0:
        return rules.open_left
    if block.begins_line:
        return max(block.amount - rules.open_extra, 0)
    amount = block.amount + rules.open_end
    text = source.lines[head]
    if kinds.is_namespace(text, rules):
        return amount + rules.namespace
    return amount + (rules.linkage if kinds.is_linkage(text, rules) else 0)


def ends_do(source: Source, line: int, text: str) -> bool:
    """Whether a line, or the `text` of it, is the `while (…);` of a `do`."""
    at = code.skip_comment(text)
    if text[at : at + 1] == "}":
        at = code.skip_comment(text, at + 1)
    if not kinds.starts_with(text, at, "while"):
        return False
    whole = source.lines[line]
    end = source.pair(Pos(line, max(whole.find("w"), 0)))
    return end is not None and _is_semicolon(source.lines[end.line], end.col + 1)


def _is_semicolon(text: str, at: int) -> bool:
    at = code.skip_comment(text, at)
    return text[at : at + 1] == ";"


def find_match(source: Source, line: int, scope: int, *, is_else: bool) -> tuple[bool, int]:
    """Look for the `if` of an `else`, or else the `do` of a `while`, above a line in the block of the line `scope`.

    Returns whether it was found and the line that the search came to.
    """
    elses, whiles = (1, 0) if is_else else (0, 1)
    while line > scope + 1:
        line -= 1
        text = source.lines[line]
        at = code.skip_comment(text)
        has_else, has_if = kinds.is_else(text, at), kinds.starts_with(text, at, "if")
        has_do, has_while = kinds.starts_with(text, at, "do"), ends_do(source, line, text)
        if not (has_else or has_if or has_do or has_while):
            continue
        start = source.brace(Pos(line, 0))
        if start is None or start.line < scope:
            break
        if start.line > scope:
            continue
        if has_else:
            elses += not kinds.starts_with(text, code.skip_comment(text, at + 4), "if")
            continue
        if has_while:
            whiles += 1
            continue
        if has_if:
            elses -= 1
            if elses == 0 and is_else:
                whiles = 0
        if has_do:
            whiles -= 1
        if elses <= 0 and whiles <= 0:
            return True, line
    return False, line
