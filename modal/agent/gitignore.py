"""Which paths `.gitignore` files exclude: patterns of one file as one regular expression.

Only the files in the tree are read, not git's own configuration.
"""

from __future__ import annotations

import re
from itertools import groupby


class Rules:
    """The patterns of one `.gitignore`; later ones win, `!` takes back."""

    __slots__ = ("_of_directories", "_of_files")

    def __init__(self, text: str) -> None:
        rules = [rule for rule in map(_rule, text.splitlines()) if rule is not None]
        self._of_directories = _joined(rules)
        self._of_files = _joined([rule for rule in rules if not rule[2]])

    def excludes(self, path: str, *, directory: bool) -> bool | None:
        """Return whether the path (relative to the file's directory, with `/`) is excluded, `None` for no say."""
        verdict: bool | None = None
        for pattern, negated in self._of_directories if directory else self._of_files:
            if pattern.match(path) is not None:
                verdict = not negated
        return verdict


def _joined(rules: list[tuple[str, bool, bool]]) -> list[tuple[re.Pattern[str], bool]]:
    """Return the patterns with neighbours that say the same made one, so that most paths need one look."""
    joined: list[tuple[re.Pattern[str], bool]] = []
    for negated, group in groupby(rules, key=lambda rule: rule[1]):
        joined.append((re.compile("|".join(pattern for pattern, _, _ in group)), negated))
    return joined


def _rule(row: str) -> tuple[str, bool, bool] | None:
    """Return a pattern as a regular expression, whether it takes back, and whether it means directories alone."""
    if not row.endswith("\\ "):
        row = row.rstrip(" ")
    if not row or row.startswith("#"):
        return None
    negated = row.startswith("!")
    row = row[1:] if negated else row.removeprefix("\\")
    only_directories = row.endswith("/")
    row = row.rstrip("/")
    if not row:
        return None
    pattern = ("" if "/" in row else "(?:.*/)?") + _translate(row.lstrip("/")) + r"\Z"
    try:
        re.compile(pattern)
    except re.error:
        return None
    return pattern, negated, only_directories


_CLASS = re.compile(r"\[!?\]?[^\]/]*\]")


def _translate(pattern: str) -> str:
    parts: list[str] = []
    at = 0
    while at < len(pattern):
        rest = pattern[at:]
        in_class = _CLASS.match(rest)
        if rest.startswith("**/") and (at == 0 or pattern[at - 1] == "/"):
            parts.append("(?:.*/)?")
            at += 3
        elif rest == "**" and (at == 0 or pattern[at - 1] == "/"):
            parts.append(".*")
            at += 2
        elif rest[0] == "*":
            parts.append("[^/]*")
            at += len(rest) - len(rest.lstrip("*"))
        elif rest[0] == "?":
            parts.append("[^/]")
            at += 1
        elif in_class is not None:
            inner = in_class[0][1:-1].replace("\\", "\\\\")
            parts.append("[" + ("^" + inner[1:] if inner.startswith("!") else inner) + "]")
            at += in_class.end()
        elif rest[0] == "\\" and len(rest) > 1:
            parts.append(re.escape(rest[1]))
            at += 2
        else:
            parts.append(re.escape(rest[0]))
            at += 1
    return "".join(parts)
