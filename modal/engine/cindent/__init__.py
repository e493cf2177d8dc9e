"""How C is indented: the operator `=` and the option `'cindent'` (`:help C-indenting`).

`rules` reads the options; `code` reads a line, `kinds` says what it is; `source` has the lines and finds what a place
is in; `incomment`, `inparens`, `inblock` (with `blockstart`) and `outside` give the indent of a line that is there.
"""

from __future__ import annotations

from tpy.modal.engine.cindent import blockstart, code, incomment, inparens, kinds, outside
from tpy.modal.engine.cindent.inblock import Walk
from tpy.modal.engine.cindent.source import Source
from tpy.modal.text.position import Pos


def indent_of(source: Source, line: int, cursor: int | None = None) -> int | None:
    """Return the columns that a line is indented by, `None` where its indent must stay.

    `cursor`: the column of the cursor in Insert mode, where a `)` is not yet part of the line.
    """
    if line == 0:
        return 0
    whole = source.lines[line]
    if cursor is not None and whole[cursor : cursor + 1] == ")":
        whole = whole[:cursor]
    text = whole.lstrip(code.BLANKS)
    here = Pos(line, 0)
    is_label = source.is_label(line)
    comment, raw = source.comment(here), source.raw_string(here)
    if raw is not None and (comment is None or raw < comment):
        return None
    return max(_indent(source, line, whole, text, comment, is_label=is_label), 0)


def _indent(source: Source, line: int, whole: str, text: str, comment: Pos | None, *, is_label: bool) -> int:
    rules, here = source.rules, Pos(line, 0)
    pragma = rules.pragma and text[1:].lstrip(code.BLANKS).startswith("pragma")
    if text.startswith("#") and (whole.startswith("#") or rules.hash_left) and not pragma:
        return 0
    if is_label and rules.label < 0:
        return 0
    if text.startswith("//"):
        below = incomment.line_comment(source, line)
        if below is not None:
            return below
    if comment is not None and not code.is_comment(text, 0):
        return incomment.indent(source, line, comment, text)
    if text.startswith("]"):
        found = source.paren(here, char="[")
        if found is not None:
            return source.indent(found.line)
    if (paren := source.paren(here)) is not None:
        amount = inparens.Inside(source, line, paren, text).indent()
    elif (brace := source.brace(here)) is not None:
        amount = _in_block(source, line, text, brace)
    else:
        return outside.indent(source, line, text)
    if code.is_comment(text, 0):
        amount += rules.comment
    return amount - (rules.label if rules.label > 0 and is_label else 0)


def _in_block(source: Source, line: int, text: str, brace: Pos) -> int:
    """Return the indent of a line inside braces."""
    block = blockstart.block_of(source, brace)
    if text.startswith("}"):
        return block.amount + source.rules.close_extra
    head = brace.line
    is_else = kinds.is_else(text, 0)
    if is_else or blockstart.ends_do(source, line, text):
        found, head = blockstart.find_match(source, line, brace.line, is_else=is_else)
        if found:
            return source.indent(head)
    return Walk(source, line, text, block, blockstart.inner_amount(source, block, head)).run()
