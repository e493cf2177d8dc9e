"""Where statements begin, and whether a list of C++ base classes or of a constructor's values begins in one.

What is known of the lines is kept, so that a text of many lines is gone through once.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TypeVar

from tpy.modal.engine.cindent import code, kinds

T = TypeVar("T")


class Known(dict[int, T]):
    """What is known at the start of lines, as long as no line before changes."""

    last = 0

    def __setitem__(self, line: int, value: T) -> None:
        """Keep something for the start of a line."""
        super().__setitem__(line, value)
        self.last = max(self.last, line)

    def changed(self, line: int) -> None:
        """Forget what is known behind a line."""
        for key in range(line + 1, self.last + 1):
            self.pop(key, None)
        self.last = min(self.last, line)


class Scan:
    """Goes through a statement, line by line.

    `found`: a list goes on at the end of the last line. `col`: where its first entry stands, 0 for none; in bytes,
    as it counts in other lines too. `over`: a label or a `?` ended it.
    """

    def __init__(self) -> None:
        self.text = ""
        self.at = self.col = 0
        # What a colon begins: after `class` and a name, after the parameters of a constructor.
        self.named = self.closed = False
        self.found = self.over = False

    def take(self, text: str, *, last: bool = False) -> None:
        """Go through a line; the `last` is the one behind which the next entry may stand."""
        self.over = self.over or kinds.is_case(text)
        if self.over:
            return
        self.text, self.at = text, code.skip_comment(text)
        while self.at < len(text):
            char = text[self.at]
            if char == "?":
                self.found, self.over = False, True
                return
            self._step(char, last=last)

    def _step(self, char: str, *, last: bool) -> None:
        """Take what stands next into account."""
        text, at = self.text, self.at
        if char == '"' or text.startswith('R"', at):
            self.at = code.skip_string(text, at) + 1
        elif char == ":":
            self._colon()
        elif kinds.starts_with(text, at, "class") or kinds.starts_with(text, at, "struct"):
            self.named, self.closed = True, False
            self.at = code.skip_comment(text, at + (5 if char == "c" else 6))
        else:
            self._other(char, last=last)

    def _colon(self) -> None:
        text, at = self.text, self.at
        if text.startswith("::", at):
            self.closed = False
            self.at = code.skip_comment(text, at + 2)
            return
        if self.closed or self.named:
            self.found, self.closed, self.named = True, False, False
            self.col = 0
        self.at = code.skip_comment(text, at + 1)

    def _other(self, char: str, *, last: bool) -> None:
        text, at = self.text, self.at
        if char in "{};":
            self.found = self.closed = self.named = False
        elif char == ")":
            self.named, self.closed = False, True
        elif not (char > "\x7f" or char.isalnum() or char == "_"):
            self.named = self.closed = False
        elif self.col == 0:
            self.closed = False
            if self.found:
                self.col = len(text[:at].encode())
        if char > "\x7f":
            self.named = self.closed = False
        if last and char == "," and code.no_code(text, at + 1):
            self.col = 0
        self.at = code.skip_comment(text, at + 1)


class Statements:
    """The statements of the lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self._begins: Known[int] = Known()
        self._scans: Known[Scan] = Known()

    def changed(self, line: int) -> None:
        """Forget what was found behind a line that changed."""
        self._begins.changed(line)
        self._scans.changed(line)

    def begin(self, line: int) -> int:
        """Return the first line of the statement that a line is in."""
        first = line
        while first > 0 and first not in self._begins and not _stops(self.lines[first - 1]):
            first -= 1
        found = self._begins.get(first, first)
        for passed in range(first, line + 1):
            self._begins[passed] = found
        return found

    def scan(self, line: int) -> Scan:
        """Return the scan from the beginning of a line's statement to the end of the line."""
        begin = self.begin(line)
        known = line
        while known > begin and known not in self._scans:
            known -= 1
        scan = copy(self._scans[known]) if known > begin else Scan()
        for passed in range(known, line):
            scan.take(self.lines[passed])
            self._scans[passed + 1] = copy(scan)
        scan.take(self.lines[line], last=True)
        return scan


def _stops(text: str) -> bool:
    """Whether a statement ends in the line: it is blank, a preprocessor line, has a brace, or `;` at its end."""
    if not text.strip(code.BLANKS) or kinds.is_preprocessor(text):
        return True
    at = code.skip_blanks(text, 0)
    if not any(char in text for char in "{};"):
        return False
    while at < len(text):
        at = code.skip_comment(text, at)
        char = text[at : at + 1]
        if char in ("{", "}") or (char == ";" and code.no_code(text, at + 1)):
            return True
        at += 1
    return False
