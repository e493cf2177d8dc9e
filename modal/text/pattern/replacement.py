"""The replacement of `:s`: `& ~ \\1 \\u \\U \\r \\=…` read once, expanded for every match.

Lives here: the replacement language. Not here: finding what to replace (`search.py`), the command
(`ex/`). Source: `:help sub-replace-special`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.text import chars
from tpy.modal.text.pattern.compiled import Match

if TYPE_CHECKING:
    from tpy.modal.text.expression import Scope

_PLAIN = {"n": "\0", "t": "\t", "b": "\b", "r": "\n", "\r": "\r"}
"""What follows a backslash -> text; a line break is `\\n`, a NUL (Vim's `\\n` here) is `\\0`."""


class Part(NamedTuple):
    """A piece: literal text (`kind` is `text`), a group (`group`), or a change of case (`case`)."""

    kind: str
    text: str = ""
    group: int = 0


class Replacement(NamedTuple):
    """A replacement read. `source` is its text with `~` filled in: what the next `~` stands for."""

    source: str
    parts: tuple[Part, ...]
    expression: str | None = None

    def expand(self, match: Match, scope: Scope | None = None) -> str:
        """Return the text that replaces the match; `\\n` in it breaks the line.

        `scope` serves a `\\=` expression (`line()`, `col()` …); `submatch()` is answered from the match.
        Raises ExpressionError.
        """
        if self.expression is not None:
            from tpy.modal.text.expression import Scope, evaluate_text  # few replacements need it

            found = (scope or Scope())._replace(submatch=lambda n: _group(match, n))
            return evaluate_text(self.expression, found).replace("\r", "\n")
        if not any(part.kind == "case" for part in self.parts):
            return "".join(part.text if part.kind == "text" else _group(match, part.group) for part in self.parts)
        return _with_case(self.parts, match)


def _group(match: Match, number: int) -> str:
    return (match.groups[number] or "") if 0 <= number < len(match.groups) else ""


def _with_case(parts: tuple[Part, ...], match: Match) -> str:
    """Join the parts while `\\u \\l` change one character and `\\U \\L` all until `\\E`."""
    once: Callable[[str], str] | None = None
    always: Callable[[str], str] | None = None
    out: list[str] = []
    for part in parts:
        if part.kind == "case":
            if part.text in "ul":
                once = chars.to_upper if part.text == "u" else chars.to_lower
            elif part.text in "UL":
                always = chars.to_upper if part.text == "U" else chars.to_lower
            else:
                once = always = None
            continue
        text = part.text if part.kind == "text" else _group(match, part.group)
        if not text:
            continue
        first, rest = (text[0], text[1:]) if once is not None else ("", text)
        if once is not None:
            out.append(once(first))
            once = None
        out.append(always(rest) if always is not None else rest)
    return "".join(out)


def fill_tilde(text: str, magic: bool, previous: str | None) -> str:
    """Put the previous replacement where `~` (without magic: `\\~`) stands; nothing when there is none."""
    out: list[str] = []
    at = 0
    while at < len(text):
        pair = text[at : at + 2]
        if magic and text[at] == "~":
            out.append(previous or "")
            at += 1
        elif pair[0] == "\\" and len(pair) == 2:
            out.append((previous or "") if pair[1] == "~" and not magic else "~" if pair[1] == "~" else pair)
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def parse_replacement(text: str, magic: bool = True, previous: str | None = None) -> Replacement:
    """Read the replacement of `:s`. `previous` is `source` of the one before, for `~`."""
    if text.startswith("\\="):
        return Replacement(text, (), text[2:])
    source = fill_tilde(text, magic, previous)
    parts: list[Part] = []
    literal: list[str] = []

    def flush() -> None:
        """End the literal text."""
        if literal:
            parts.append(Part("text", "".join(literal)))
            literal.clear()

    at = 0
    while at < len(source):
        char = source[at]
        escaped = char == "\\" and at + 1 < len(source)
        if escaped:
            at += 1
            char = source[at]
        at += 1
        if char == "&" and escaped != magic:
            flush()
            parts.append(Part("group", group=0))
        elif escaped and char.isascii() and char.isdigit():
            flush()
            parts.append(Part("group", group=int(char)))
        elif escaped and char in "uUlLeE":
            flush()
            parts.append(Part("case", char))
        elif escaped:
            literal.append(_PLAIN.get(char, char))
        else:
            literal.append("\n" if char == "\r" else char)
    flush()
    return Replacement(source, tuple(parts))
