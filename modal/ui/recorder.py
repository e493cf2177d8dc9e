"""Pygments lexers that can begin in the middle: which states they were in at the starts of lines is recorded.

`recording(cls)` makes a lexer class of the same language that, told where to begin and in which states, gives the
tokens from there, and notes the states whenever a match starts at the start of a line. What is done with them, and
when, is `highlight.py`'s matter.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from pygments.lexer import DelegatingLexer, ExtendedRegexLexer, RegexLexer
from pygments.token import Error, Text, _TokenType
from pygments.util import Future

from tpy.modal.ui.firstchars import first_chars

Stack = tuple[str, ...]
Token = tuple[int, Any, str]
ROOT: Stack = ("root",)


class Recorder(RegexLexer):
    """Runs the rules of a `RegexLexer`; stands behind the lexer in the order of classes, so that its own
    `get_tokens_unprocessed` reaches this one.

    `begin`, `states` and `starts` are for the outermost run: where and in which states it begins, and the places whose
    states go into `noted`. Runs within it (`using(this)`) are ordinary.
    """

    begin = 0
    states: Stack = ROOT
    starts: frozenset[int] = frozenset()
    _outermost = True

    def record(self, text: str, begin: int, states: Stack, starts: frozenset[int]) -> Iterator[Token]:
        """The tokens of `text` from `begin` on; `noted` fills while they are taken."""
        self.begin, self.states, self.starts = begin, states, starts
        self.noted: dict[int, Stack] = {}
        self._outermost = True
        return self.get_tokens_unprocessed(text)

    def get_tokens_unprocessed(self, text: str, stack: Iterable[str] = ROOT) -> Iterator[Token]:
        """The tokens as (index, type, text), by the lexer's rules."""
        position, starts = 0, frozenset[int]()
        current = list(stack)
        if self._outermost and hasattr(self, "noted"):
            self._outermost = False
            position, starts = self.begin, self.starts
            current = list(self.states)
        states = self._rules()
        rules = states[current[-1]]
        end = len(text)
        while True:
            if position in starts:
                self.noted[position] = tuple(current)
            for match_rule, action, change in rules[text[position : position + 1]]:
                match = match_rule(text, position)
                if match is None:
                    continue
                if action is not None:
                    if type(action) is _TokenType:
                        yield position, action, match.group()
                    else:
                        yield from action(self, match)
                position = match.end()
                if change is not None:
                    _change(current, change)
                    rules = states[current[-1]]
                break
            else:
                if position >= end:
                    return
                if text[position] == "\n":  # a line no rule knows ends what was open
                    current = ["root"]
                    rules = states["root"]
                    yield position, Text, "\n"
                else:
                    yield position, Error, text[position]
                position += 1

    def _rules(self) -> dict[str, _Rules]:
        """The rules of each state, made once for all lexers of a kind."""
        tokens: dict[str, list[Any]] = self._tokens  # type: ignore[attr-defined]
        known = _by_char.get(id(tokens))
        if known is None:
            known = _by_char[id(tokens)] = tokens, {state: _Rules(rules) for state, rules in tokens.items()}
        return known[1]


class _Rules(dict[str, list[Any]]):
    """The rules of a state by the character at which they are tried ("" at the end): those that may match there."""

    def __init__(self, rules: list[Any]) -> None:
        self._all = rules

    def __missing__(self, char: str) -> list[Any]:
        if not char.isascii():
            return self._all
        self[char] = found = [rule for rule in self._all if _may_match(rule[0], char)]
        return found


_by_char: dict[int, tuple[dict[str, list[Any]], dict[str, _Rules]]] = {}


def _may_match(match: Any, char: str) -> bool:
    """Whether a rule's expression may match something that begins with a character."""
    pattern = getattr(match, "__self__", None)
    first = first_chars(pattern) if isinstance(pattern, re.Pattern) else None
    return first is None or char in first


def _change(current: list[str], change: Any) -> None:
    """Apply what a rule says about the states: names to push, `#pop`, `#push`, or how many to leave."""
    if isinstance(change, tuple):
        for name in change:
            _change(current, name)
    elif isinstance(change, int):
        del current[max(len(current) + change, 1) :]  # the outermost stays whatever the rule says
    elif change == "#pop":
        if len(current) > 1:
            current.pop()
    elif change == "#push":
        current.append(current[-1])
    else:
        current.append(change)


@lru_cache(maxsize=64)
def recording(cls: Any) -> type[Recorder] | None:
    """The recording form of a lexer class; None when its states are more than names (templates, context objects)."""
    if not issubclass(cls, RegexLexer) or issubclass(cls, (DelegatingLexer, ExtendedRegexLexer)):
        return None
    overriding = []
    for base in cls.__mro__[: cls.__mro__.index(RegexLexer)]:
        own = base.__dict__.get("get_tokens_unprocessed")
        if own is not None:
            overriding.append(own)
    body: dict[str, Any] = {}
    for number, own in enumerate(overriding):
        if not isinstance(own, types.FunctionType):
            return None
        if "RegexLexer" in own.__code__.co_names:
            if number:
                return None  # called by another one that can't be told of a copy
            body["get_tokens_unprocessed"] = _rebound(own)
    made: type[Recorder] = type(f"Recording{cls.__name__}", (cls, Recorder), body)
    return made


def _rebound(function: types.FunctionType) -> types.FunctionType:
    """A method that calls `RegexLexer` by name, made to call the recorder instead."""
    globals_ = {**function.__globals__, "RegexLexer": Recorder}
    copy = types.FunctionType(
        function.__code__, globals_, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def warm(cls: Any) -> Iterator[bool]:
    """Compile the expressions of a lexer class one by one, so that making the lexer later doesn't take long."""
    for state in list(getattr(cls, "tokens", {}).values()):
        for rule in state:
            if isinstance(rule, tuple) and rule and type(rule) is tuple:
                source: Any = rule[0]
                if isinstance(source, Future):
                    source = source.get()  # type: ignore[func-returns-value]
                if isinstance(source, str):
                    re.compile(source, cls.flags)
                    yield True
    yield False
