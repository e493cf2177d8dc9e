"""Markdown's tables with columns that stand below each other."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tpy.modal.text.width import column_of

# Longer tables are left as they came.
MOST_ROWS = 1000
_CELL = re.compile(r"((?:[^|\\]|\\.|\\$)*)(?:\||$)")
_RULE = re.compile(r":?-+:?")


def align(rows: Sequence[str], most: int) -> list[str]:
    """Return the rows of a table with cells of equal width, as its rule (`|:--|--:|`) says.

    Rows are left as they are where they have no such rule, or would be wider than `most` cells of the screen.
    """
    table = [cells(row) for row in rows]
    if not 2 <= len(table) <= MOST_ROWS or not all(_RULE.fullmatch(cell) for cell in table[1]) or not table[1]:
        return list(rows)
    rule = table[1]
    widths = [3] * max(map(len, table))
    for number, row in enumerate(table):
        for column, cell in enumerate(row):
            if number != 1:
                widths[column] = max(widths[column], _width(cell))
    indent = rows[0][: len(rows[0]) - len(rows[0].lstrip())]
    if len(indent) + sum(widths) + 3 * len(widths) + 1 > most:
        return list(rows)
    return [indent + _row(row, widths, rule, ruled=number == 1) for number, row in enumerate(table)]


def cells(row: str) -> list[str]:
    """Return the cells of a row without the blanks around them; a bar behind a backslash ends none."""
    found = [match[1].strip() for match in _CELL.finditer(row.strip().removeprefix("|"))]
    while found and not found[-1]:
        found.pop()  # behind the last bar, and empty cells at the end
    return found


def _row(row: list[str], widths: list[int], rule: list[str], *, ruled: bool) -> str:
    out = []
    for column, width in enumerate(widths):
        cell = row[column] if column < len(row) else ""
        sides = rule[column] if column < len(rule) else "-"
        if ruled:
            left, right = sides.startswith(":"), sides.endswith(":")
            out.append(":" * left + "-" * (width - left - right) + ":" * right)
            continue
        room = width - _width(cell)
        before = room if sides.endswith(":") else 0
        if sides.startswith(":") and sides.endswith(":"):
            before = room // 2
        out.append(" " * before + cell + " " * (room - before))
    return "| " + " | ".join(out) + " |"


def _width(cell: str) -> int:
    return len(cell) if cell.isascii() else column_of(cell, len(cell), 1)
