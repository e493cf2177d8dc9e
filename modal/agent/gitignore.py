"""Which paths `.gitignore` files exclude: patterns of one file as one regular expression.

Only the files in the tree are read, not git's own configuration.
"""

from __future__ import annotations

import re


class Rules:
    """The patterns of one `.gitignore`; later ones win, `!` takes back."""

    __slots__ = ("_rules",)

    def __init__(self, text: str) -> None:
        self._rules: list[tuple[re.Pattern[str], bool, bool]] = []
        for row in text.splitlines():
            rule = _rule(row)
            if rule is not None:
                self._rules.append(rule)

    def excludes(self, path: str, *, directory: bool) -> bool | None:
        """Return whether the path (relative to the file's directory, with `/`) is excluded, `None` for no say."""
        verdict: bool | None = None
        for pattern, negated, only_directories in self._rules:
            if (directory or not only_directories) and pattern.match(path) is not None:
                verdict = not negated
        return verdict


def _rule(row: str) -> tuple[re.Pattern[str], bool, bool] | None:
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
    anchored = "/" in row
    try:
        pattern = re.compile(("" if anchored else "(?:.*/)?") + _translate(row.lstrip("/")) + r"\Z")
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
