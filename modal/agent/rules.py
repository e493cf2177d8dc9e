"""Permission rules of the user's own: allow, ask or deny by agent, kind of tool, path and command.

Pure but for `load` and `save`, which keep them in a file of the user's alone. The agent's own memory is not touched:
an allow rule answers with "allow once".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import NamedTuple

ALLOW, ASK, DENY = "allow", "ask", "deny"
_STRICTEST = {DENY: 0, ASK: 1, ALLOW: 2}


class Rule(NamedTuple):
    """One rule; an empty pattern fits everything. `path` and `command` are patterns with `*`, `?` and `[…]`."""

    action: str
    agent: str = ""
    kind: str = ""
    path: str = ""
    command: str = ""

    def __str__(self) -> str:
        parts = [f"{key}={value!r}" for key, value in zip(self._fields[1:], self[1:], strict=True) if value]
        return " ".join([self.action, *parts])


class Subject(NamedTuple):
    """What a request is about: the agent, the tool's kind, the paths and the command it names."""

    agent: str
    kind: str
    paths: tuple[str, ...] = ()
    command: str = ""


def parse(text: str) -> Rule:
    """Return the rule of a line such as `allow agent=Bob kind=edit path=src/*`. Raises `ValueError`."""
    import shlex

    words = shlex.split(text)
    if not words or words[0] not in _STRICTEST:
        raise ValueError("a rule begins with allow, ask or deny")
    given: dict[str, str] = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if key not in Rule._fields[1:] or not equals:
            raise ValueError(f"{word} is none of agent=, kind=, path=, command=")
        given[key] = value
    return Rule(words[0], **given)


def fits(rule: Rule, subject: Subject) -> bool:
    """Whether a rule speaks about the subject; one with a path speaks only where it fits every path."""
    if rule.agent and rule.agent != subject.agent:
        return False
    if rule.kind and rule.kind != subject.kind:
        return False
    if rule.path and not (subject.paths and _paths_fit(rule, subject.paths)):
        return False
    return not rule.command or bool(subject.command and _glob(rule.command).match(subject.command))


def _paths_fit(rule: Rule, paths: tuple[str, ...]) -> bool:
    """Whether the path pattern fits: an allow rule must fit all of them, the others any."""
    pattern = _glob(rule.path)
    found = [pattern.match(path) is not None for path in paths]
    return all(found) if rule.action == ALLOW else any(found)


def _glob(pattern: str) -> re.Pattern[str]:
    from fnmatch import translate

    return re.compile(translate(pattern))


def decide(rules: Iterable[Rule], subject: Subject) -> str:
    """Return what the rules say: the strictest that fits wins, `ask` where none does."""
    fitting = [rule.action for rule in rules if fits(rule, subject)]
    return min(fitting, key=_STRICTEST.__getitem__, default=ASK)


def load(path: str) -> list[Rule]:
    """Return the rules kept in a file, none where it is missing or unreadable as rules."""
    import json

    try:
        with open(path, encoding="utf-8") as file:
            rows = json.load(file)
        return [Rule(**row) for row in rows if row.get("action") in _STRICTEST]
    except (OSError, ValueError, TypeError, AttributeError):
        return []


def save(path: str, rules: Iterable[Rule]) -> None:
    """Keep the rules, in a file that only the user may read. Raises `OSError`."""
    import json

    directory = os.path.dirname(path)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump([rule._asdict() for rule in rules], file, indent=1)
    os.replace(temporary, path)
