"""What a line of C is: label, head of a body, preprocessor line, end of a statement (`:help C-indenting`)."""

from __future__ import annotations

import re

from tpy.modal.engine.cindent import code
from tpy.modal.engine.cindent.rules import Rules

_LABEL = re.compile(r"[A-Za-z0-9_]+")
_QUALIFIERS = ("static", "public", "protected", "private")


def is_word(text: str, at: int) -> bool:
    """Whether an identifier goes on there."""
    char = text[at : at + 1]
    return char == "_" or char.isalnum() or char > "\x7f"


def starts_with(text: str, at: int, word: str) -> bool:
    """Whether that word stands there."""
    return text.startswith(word, at) and not is_word(text, at + len(word))


def is_preprocessor(text: str) -> bool:
    """Whether it is `#if`, `#define` and so on."""
    return text.lstrip(code.BLANKS).startswith("#")


def is_else(text: str, at: int) -> bool:
    """Whether `else` or `} else` stands there."""
    if text[at : at + 1] == "}":
        at = code.skip_comment(text, at + 1)
    return starts_with(text, at, "else")


def is_default(text: str, at: int) -> bool:
    """Whether `default:` stands there."""
    if not text.startswith("default", at):
        return False
    end = code.skip_comment(text, at + 7)
    return text[end : end + 1] == ":" and text[end + 1 : end + 2] != ":"


def is_case(text: str, at: int = 0, *, strict: bool = False) -> bool:
    """Whether a label of a `switch` stands there; `strict`: not one with a string in it."""
    at = code.skip_comment(text, at)
    if not starts_with(text, at, "case"):
        return is_default(text, at)
    at += 4
    while at < len(text):
        at = code.skip_comment(text, at)
        char = text[at : at + 1]
        if char == ":":
            if text[at + 1 : at + 2] != ":":
                return True
            at += 1
        if _is_character(text, at):
            at += 2
        elif code.is_comment(text, at):
            return False
        elif char == '"':
            return not strict
        at += 1
    return False


def _is_character(text: str, at: int) -> bool:
    """Whether a character in single quotes stands there."""
    return text[at : at + 1] == "'" and text[at + 2 : at + 3] == "'" and text[at + 1].isascii()


def is_scope(text: str, rules: Rules, at: int = 0) -> bool:
    """Whether `public:` or its like stands there."""
    at = code.skip_comment(text, at)
    for word in rules.scopes:
        if text.startswith(word, at):
            end = code.skip_comment(text, at + len(word))
            if text[end : end + 1] == ":" and text[end + 1 : end + 2] != ":":
                return True
    return False


def label_end(text: str, at: int) -> int | None:
    """Return where a label that stands at `at` ends, `None` where none does."""
    found = _LABEL.match(text, at)
    if found is None:
        return None
    end = code.skip_comment(text, found.end())
    if text[end : end + 1] == ":" and text[end + 1 : end + 2] != ":":
        return end + 1
    return None


def after_label(text: str) -> int | None:
    """Return where the code behind the labels of the line begins, `None` where there is none."""
    at = 0
    while at < len(text):
        if text[at] == ":":
            if text[at + 1 : at + 2] == ":":
                at += 1
            elif not is_case(text, at + 1):
                break
        elif _is_character(text, at):
            at += 2
        at += 1
    if at >= len(text):
        return None
    at = code.skip_comment(text, at + 1)
    return at if at < len(text) else None


def is_head(text: str, at: int, rules: Rules) -> bool:
    """Whether a word of `'cinwords'` stands there, or `else`."""
    return is_cinword(text, at, rules.cinwords, rules.keyword) or is_else(text, code.skip_blanks(text, at))


def is_cinword(text: str, at: int, words: tuple[str, ...], keyword: frozenset[int]) -> bool:
    """Whether a word of `'cinwords'` stands there; `keyword` are the characters of `'iskeyword'`."""
    at = code.skip_blanks(text, at)
    return any(
        text.startswith(word, at)
        and not (_keyword(text, at + len(word), keyword) and _keyword(text, at + len(word) - 1, keyword))
        for word in words
    )


def _keyword(text: str, at: int, keyword: frozenset[int]) -> bool:
    return at < len(text) and (ord(text[at]) in keyword or text[at] > "\x7f")


def is_namespace(text: str, rules: Rules) -> bool:
    """Whether the line is the head of a C++ namespace."""
    at = code.skip_comment(text)
    while (word := text[at : at + 6]) in ("inline", "export") and not _keyword(text, at + len(word), rules.keyword):
        at = code.skip_comment(text, at + 6)
    if not text.startswith("namespace", at) or _keyword(text, at + 9, rules.keyword):
        return False
    at = code.skip_comment(text, at + 9)
    begun = ended = False
    while at < len(text) and text[at] != "{":
        if text[at] in code.BLANKS:
            ended = True
            at = code.skip_comment(text, at)
        elif _keyword(text, at, rules.keyword):
            begun = True
            if ended:
                return False
            at += 1
        elif text.startswith("::", at) and _keyword(text, at + 2, rules.keyword) and begun and not ended:
            at += 3
        else:
            return False
    return True


def is_linkage(text: str, rules: Rules) -> bool:
    """Whether the line is `extern "C"` or `extern "C++"`, perhaps with its brace."""
    at = code.skip_comment(text)
    if not text.startswith("extern", at) or _keyword(text, at + 6, rules.keyword):
        return False
    at = code.skip_comment(text, at + 6)
    named = False
    while at < len(text) and text[at] != "{":
        if text[at] in code.BLANKS:
            at = code.skip_comment(text, at)
            continue
        name = next((name for name in ('"C"', '"C++"') if text.startswith(name, at)), None)
        if name is None or named:
            return False
        named = True
        at += len(name)
    return named


def is_initialisation(text: str) -> bool:
    """Whether the line begins an `enum` or ends in `=`."""
    at = code.skip_comment(text)
    if starts_with(text, at, "typedef"):
        at = code.skip_comment(text, at + 7)
    while (word := next((word for word in _QUALIFIERS if starts_with(text, at, word)), None)) is not None:
        at = code.skip_comment(text, at + len(word))
    return starts_with(text, at, "enum") or code.ends_in(text, "=", "{", at)


def terminated(text: str, *, opens: bool = False, comma: bool = False) -> str:
    """Return the `;` or `}` that ends the line, with `comma` also `,`, with `opens` also `{`.

    Where nothing does, the brace that the line begins with, or "".
    """
    at = code.skip_comment(text)
    first = text[at : at + 1]
    has_else = is_else(text, at)
    begins = first if first == "{" or (first == "}" and not has_else) else ""
    has_else = has_else and not begins
    ends = ";}," if comma else ";}"
    depth = 0
    for place in code.marks(text, at):
        char = text[place]
        if char == "}" and depth:
            depth -= 1
        if char in ends and not (has_else and depth) and code.no_code(text, place + 1):
            return char
        if char == "{":
            if opens and code.no_code(text, place + 1):
                return char
            depth += 1
    return begins
