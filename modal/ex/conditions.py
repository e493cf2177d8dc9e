"""`:if`, `:elseif`, `:else`, `:endif` in a line or a script (`:help :if`): which commands are left out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tpy.modal.ex.expressions import scope_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text.expression import ExpressionError, evaluate_first
from tpy.modal.text.functions import as_number

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

_WORD = re.compile(r"[ \t:]*(if|elsei?f?|elseif|el|en(?:dif?)?|end)(?![a-z])[ \t]*(.*)", re.S)
_KINDS = {"if": "if", "elseif": "elseif", "elsei": "elseif", "else": "else", "els": "else", "el": "else"}


class Conditions:
    """The `:if`s that are open: for each whether its commands run, and whether one of its branches did."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.open: list[list[bool]] = []

    @property
    def runs(self) -> bool:
        """Whether commands run here."""
        return all(level[0] for level in self.open)

    def skipped(self, line: str) -> str | None:
        """Return what is left of a line behind `:if` and its kin and all that does not run, `None` for nothing."""
        rest: str | None = line
        while rest is not None:
            match = _WORD.match(rest)
            if match is None:
                if self.runs:
                    return rest
                _, bar, behind = rest.partition("|")
                rest = behind if bar else None
                continue
            rest = self._step(_KINDS.get(match[1], "endif"), match[2])
        return None

    def _step(self, kind: str, text: str) -> str | None:
        """Take one of the words; return what follows it."""
        if kind == "if":
            outer = self.runs
            self.open.append([False, not outer])
            value, rest = self._value(text, evaluates=outer)
            self.open[-1] = [outer and value, not outer or value]
            return rest
        if not self.open:
            codes = {"endif": "E580: :endif without :if", "else": "E581: :else without :if"}
            raise CommandFailed(codes.get(kind, "E582: :elseif without :if"))
        if kind == "endif":
            self.open.pop()
            return _behind(text)
        level = self.open[-1]
        if kind == "else":
            self.open[-1] = [not level[1], True]
            return _behind(text)
        level[0] = False
        value, rest = self._value(text, evaluates=not level[1])
        self.open[-1] = [value and not level[1], level[1] or value]
        return rest

    def _value(self, text: str, *, evaluates: bool) -> tuple[bool, str | None]:
        if not evaluates:
            return False, _behind(text)
        try:
            value, rest = evaluate_first(text, scope_of(self.engine))
        except ExpressionError as error:
            raise CommandFailed(str(error)) from None
        return bool(as_number(value)), _behind(rest)


def _behind(text: str) -> str | None:
    """Return what follows the next `|`."""
    _, bar, rest = text.partition("|")
    return rest if bar else None


def conditions_of(engine: Engine) -> Conditions:
    """Return the conditions of an engine, made when they are first asked for."""
    found = engine.editor.extra.get("conditions")
    if not isinstance(found, Conditions):
        found = engine.editor.extra["conditions"] = Conditions(engine)
    return found
