"""The lines that are indented, and what a place in them is in: comment, parentheses, braces.

Places are `Pos`; a search begins before its place, as from a cursor, and goes back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tpy.modal.engine import indentation
from tpy.modal.engine.cindent import code, kinds
from tpy.modal.engine.cindent.rules import Rules
from tpy.modal.engine.cindent.statements import Known, Statements
from tpy.modal.engine.matching import Matcher, Reach
from tpy.modal.text.position import Pos
from tpy.modal.text.width import column_of

_RAW = re.compile('R"')
_COMMENT = re.compile(r"(?=/\*|\*/)")
_PAIRS = {"(": ")", "[": "]", "{": "}", ")": "(", "]": "[", "}": "{"}


class Source:
    """Lines as they are now, with the rules for them. What is found is kept while no line before it changes.

    `poll` is called now and then, so that a long search can be stopped.
    """

    def __init__(self, lines: Sequence[str], rules: Rules, poll: Callable[[int], None] = lambda turn: None) -> None:
        self.lines = lines
        self.rules = rules
        self._matcher = Matcher(lines, "(:),{:},[:]", poll)
        self._braces: Known[Pos | None] = Known()
        self.statements = Statements(lines)

    # Columns

    def indent(self, line: int) -> int:
        """Return the columns of a line's indent."""
        return indentation.width(self.lines[line], self.rules.tabstop)

    def column(self, pos: Pos) -> int:
        """Return the display column of a place; that of a tab is where it ends."""
        text, col = self.lines[pos.line], pos.col
        return column_of(text, col, self.rules.tabstop)

    # Comments and strings

    def comment(self, pos: Pos) -> Pos | None:
        """Return where the comment begins that a place is in."""
        most = self.rules.most_comment
        while True:
            found = self._comment_start(pos, most)
            if found is None or not code.in_string(self.lines[found.line], found.col):
                return found
            most = pos.line - found.line - 1
            if most <= 0:
                return None

    def _comment_start(self, pos: Pos, most: int) -> Pos | None:
        found: Pos | None = None
        for line in range(pos.line, max(pos.line - most, 0) - 1, -1):
            text = self.lines[line]
            if "/" not in text:
                continue
            limit = min(pos.col, len(text)) if line == pos.line else len(text)
            comment = code.line_comment(text)
            for at in reversed([mark.start() + 1 for mark in _COMMENT.finditer(text, 0, limit)]):
                two = text[at - 1 : at + 1]
                if two == "/*" and (at == 1 or text[at - 2] != "*") and at < comment:
                    found = Pos(line, at - 1)
                elif two == "*/" and found is not None:
                    return found
                elif two == "*/":
                    whole = at > 1 and text[at - 2] == "/" and at <= comment
                    return Pos(line, at - 2) if whole else None
        return found

    def raw_string(self, pos: Pos) -> Pos | None:
        """Return where the raw string of C++ begins that a place is in."""
        best: Pos | None = None
        for line in range(pos.line, max(pos.line - self.rules.most_comment, 0) - 1, -1):
            text = self.lines[line]
            if 'R"' not in text:
                continue
            for found in reversed(list(_RAW.finditer(text, 0, pos.col if line == pos.line else len(text)))):
                if "(" in text[found.end() :] and not self._raw_ends(Pos(line, found.end()), best or pos):
                    best = Pos(line, found.start())
        return best if best is None or not code.in_string(self.lines[best.line], best.col) else None

    def _raw_ends(self, start: Pos, before: Pos) -> bool:
        """Whether the raw string whose name begins at `start` ends before a place."""
        text = self.lines[start.line]
        end = f'){text[start.col : text.index("(", start.col)]}"'
        for line in range(start.line, before.line + 1):
            text = self.lines[line]
            last = before.col + len(end) - 1 if line == before.line else len(text)
            if text.find(end, start.col if line == start.line else 0, last) >= 0:
                return True
        return False

    def text_start(self, pos: Pos) -> Pos | None:
        """Return where the comment or raw string begins that a place is in."""
        comment, raw = self.comment(pos), self.raw_string(pos)
        if comment is None or (raw is not None and raw < comment):
            return raw
        return comment

    # Brackets

    def paren(self, pos: Pos, most: int | None = None, char: str = "(") -> Pos | None:
        """Return the parenthesis that is open at a place, at most `most` lines away."""
        limit = self.rules.most_paren if most is None else most
        start, left = pos, limit
        while left > 0:
            found = self._matcher.bracket(start, char, forward=False, reach=Reach(left))
            if found is None:
                return None
            text = self.lines[found.line]
            if code.code_before(text, found.col) > found.col:
                start = Pos(found.line, 0)
                left = limit - (pos.line - found.line)
                continue
            outer = self.text_start(found)
            if outer is None:
                return found
            start = outer
            left = limit - (pos.line - outer.line)
        return None

    def closing(self, pos: Pos) -> Pos | None:
        """Return the parenthesis that closes the one at a place, near it."""
        return self._matcher.bracket(pos, ")", forward=True, reach=Reach(self.rules.most_paren))

    def pair(self, pos: Pos) -> Pos | None:
        """Return the other one of the bracket at a place, or of the first behind it in the line (`:help %`)."""
        text = self.lines[pos.line]
        col = next((at for at in range(pos.col, len(text)) if text[at] in _PAIRS), None)
        if col is None:
            return None
        other = _PAIRS[text[col]]
        return self._matcher.bracket(
            Pos(pos.line, col), other, forward=other in ")]}", reach=Reach(self.rules.most_paren)
        )

    def paren_within(self, pos: Pos) -> Pos | None:
        """Return the parenthesis that is open at a place, but not one before the brace that is."""
        found = self.paren(pos)
        brace = self.brace(pos) if found is not None else None
        return None if found is not None and brace is not None and found < brace else found

    def paren_near(self, pos: Pos, our_line: int) -> Pos | None:
        """Return the parenthesis that is open at a place, within reach of the line that is indented."""
        away = our_line - pos.line
        most = self.rules.most_paren
        return self.paren(pos, most - away if 0 < away < most // 2 else most)

    def brace(self, pos: Pos) -> Pos | None:
        """Return the brace that is open at a place."""
        if pos.col == 0 and pos.line in self._braces:
            return self._braces[pos.line]
        start = pos
        while True:
            found = self._matcher.bracket(start, "{", forward=False, reach=Reach(0, True, self._braces))
            if found is None:
                break
            start = found
            if code.code_before(self.lines[found.line], found.col) == found.col:
                outer = self.text_start(found)
                if outer is None:
                    break
                start = outer
        if pos.col == 0:
            self._braces[pos.line] = found
        return found

    def changed(self, line: int) -> None:
        """Forget what was found from a line on."""
        self._braces.changed(line)
        self.statements.changed(line)

    # Labels

    def is_label(self, line: int) -> bool:
        """Whether a line begins with a label to jump to; the line before must be at its end."""
        text = self.lines[line]
        at = code.skip_comment(text)
        if kinds.is_default(text, at) or kinds.is_scope(text, self.rules, at):
            return False
        if kinds.label_end(text, at) is None:
            return False
        while line > 0:
            line -= 1
            outer = self.text_start(Pos(line, 0))
            if outer is not None:
                line = outer.line
            text = self.lines[line]
            if kinds.is_preprocessor(text) or code.no_code(text):
                continue
            return self._is_whole(text)
        return True

    def _is_whole(self, text: str) -> bool:
        text = text[code.skip_comment(text) :]
        if kinds.terminated(text, opens=True) or kinds.is_scope(text, self.rules) or kinds.is_case(text, strict=True):
            return True
        end = kinds.label_end(text, 0)
        return end is not None and code.no_code(text, end)

    def label_indent(self, line: int) -> int:
        """Return the column of the code behind the labels of a line, 0 where there is none."""
        at = kinds.after_label(self.lines[line])
        return 0 if at is None else self.column(Pos(line, at))

    def statement(self, line: int) -> tuple[int, int]:
        """Return the indent of a line without its label, and where its text begins then."""
        text = self.lines[line]
        if kinds.is_case(text) or kinds.is_scope(text, self.rules) or self.is_label(line):
            return self.label_indent(line), kinds.after_label(text) or 0
        return self.indent(line), 0

    # Lines that are no code

    def preprocessor(self, line: int, indent: int) -> tuple[int, int] | None:
        """Return the first line of the preprocessor line that `line` belongs to, and the indent to go on with.

        `None` where it belongs to none. The indent is `indent`, or that of the line where it goes on by a backslash.
        """
        lines = self.lines
        if code.continued(lines[line]):
            indent = self.indent(line)
        while True:
            if kinds.is_preprocessor(lines[line]):
                return line, indent
            if line == 0 or not code.continued(lines[line - 1]):
                return None
            line -= 1
