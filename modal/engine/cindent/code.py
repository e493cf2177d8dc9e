"""One line of C as Vim reads it to indent: what is comment, what is string, how the line ends.

Places are indexes into the line; its length stands for its end. Vim looks at lines, not at a program: a comment or a
string that begins in another line is not known here.
"""

from __future__ import annotations

import re

BLANKS = " \t"
# A column behind every line.
FAR = 1 << 31
_BLANKS = re.compile(r"[ \t]*")
_TEXT = re.compile(r'"(?:\\.|[^"\\])*"', re.S)
_RAW = re.compile(r'R"(?P<name>[^(]*)\(')
_CHARACTER = re.compile(r"'(?:\\[0-9]+|\\[^0-9]|[\x01-\x5b\x5d-\x7f])'", re.S)
_QUOTE = re.compile("[\"'R]")
_MARK = re.compile(r"""[/"'R(){}\[\];,]""")


def skip_blanks(text: str, at: int) -> int:
    """Return where the blanks at `at` end."""
    found = _BLANKS.match(text, at)
    return found.end() if found is not None else at


def is_comment(text: str, at: int) -> bool:
    """Whether a comment begins there."""
    return text.startswith(("/*", "//"), at)


def skip_comment(text: str, at: int = 0) -> int:
    """Return where blanks and comments at `at` end; a lone slash is passed too."""
    size = len(text)
    while at < size:
        at = skip_blanks(text, at)
        if text[at : at + 1] != "/":
            break
        following = text[at + 1 : at + 2]
        if following == "/":
            return size
        if following != "*":
            return at + 1
        end = text.find("*/", at + 2)
        at = size if end < 0 else end + 2
    return at


def no_code(text: str, at: int = 0) -> bool:
    """Whether only blanks and comments follow."""
    return skip_comment(text, at) >= len(text)


def skip_string(text: str, at: int) -> int:
    """Return where the strings and characters at `at` end, but never the end of the line: then its last character."""
    size = len(text)
    while at < size:
        char = text[at]
        if char == "'":
            found = _CHARACTER.match(text, at)
            if found is None:
                break
            at = found.end()
        elif char == '"':
            found = _TEXT.match(text, at)
            at = size if found is None else found.end()
        elif char == "R" and (found := _RAW.match(text, at)) is not None:
            end = text.find(f'){found["name"]}"', at + 3)
            at = size if end < 0 else end + len(found["name"]) + 2
        else:
            break
    return at if at < size else size - 1


def in_string(text: str, col: int) -> bool:
    """Whether a place lies in a string of the line."""
    at = 0
    while at < col:
        found = _QUOTE.search(text, at, col)
        if found is None:
            return False
        at = skip_string(text, found.start()) + 1
    return at > col


def line_comment(text: str) -> int:
    """Return where a `//` comment begins in the line, `FAR` for nowhere."""
    at = text.find("//")
    while at >= 0:
        beside = text[at - 1 : at] == "*" and text[at + 2 : at + 3] == "*"
        if not beside and not in_string(text, at):
            return at
        at = text.find("//", at + 1)
    return FAR


def code_before(text: str, col: int) -> int:
    """Return the first place from `col` on that code begins at: beyond it where a comment or string is there."""
    at = 0
    while at < min(col, len(text)):
        if is_comment(text, at):
            at = skip_comment(text, at)
        else:
            behind = skip_string(text, at)
            at = at + 1 if behind == at else behind
    return at


def marks(text: str, at: int = 0) -> list[int]:
    """Return the places from `at` on of brackets, `;` and `,` that are code."""
    found = []
    size = len(text)
    while at < size:
        mark = _MARK.search(text, at)
        if mark is None:
            break
        at = mark.start()
        at = skip_string(text, skip_comment(text, at))
        found.append(at)
        at += 1
    return found


def last_closing(text: str, opening: str, closing: str) -> int | None:
    """Return the place of the last closing bracket that nothing in the line opens."""
    if closing not in text:
        return None
    depth, last = 0, None
    for at in marks(text):
        if text[at] == opening:
            depth += 1
        elif text[at] == closing and depth:
            depth -= 1
        elif text[at] == closing:
            last = at
    return last


def ends_in(text: str, what: str, but: str = "", at: int = 0) -> bool:
    """Whether `what` is the last code of the line, perhaps with `but` behind it."""
    if what not in text:
        return False
    size = len(text)
    while at < size:
        at = skip_comment(text, at)
        if text.startswith(what, at):
            rest = skip_blanks(text, at + len(what))
            if but and text.startswith(but, rest):
                rest = skip_blanks(text, rest + len(but))
            if no_code(text, rest):
                return True
        at += 1
    return False


def continued(text: str) -> bool:
    """Whether the line goes on in the next one by a backslash."""
    return text.endswith("\\")
