"""The operator `=` (`:help =`): lines are indented as C is, which is what Vim does without other options.

The main rules of `:help C-indenting` are here: brackets, the bodies of `if` and its kin, preprocessor lines, the
middle of statements, lines inside a comment.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tpy.modal.engine import indentation
from tpy.modal.engine.columns import line_start
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import BLANKS, Style, style_of
from tpy.modal.registry import operator
from tpy.modal.text.position import Pos, Span
from tpy.modal.text.width import column_of

# How far back the brackets that a line is in are looked for.
_LOOK_BACK = 2000
_NOT_CODE = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//.*|/\*.*?\*/')
_CONTROL = re.compile(r"(?:\}\s*)?(?:else\s+)?(?:if|for|while|switch)\s*\(.*\)$|(?:\}\s*)?else$|do$")
_HEADED = re.compile(r"(?:\}\s*)?(?:else\s+)?(?:if|for|while|switch)\s*\(")
_CASE = re.compile(r"(?:case\b[^:]*|default\s*|public|private|protected)\s*:(?!:)")
_LABEL = re.compile(r"(?!default\b|case\b|public\b|private\b|protected\b)[A-Za-z_]\w*\s*:$")
_BASE = re.compile(r"class\b.*:$|.*\)\s*:$")
_ELSE = re.compile(r"else\b")
_BESIDE = re.compile(rf"else\b|{_CASE.pattern}")
_FIRST_WORD = re.compile(r"\w+\s+")
_CLOSING = {")": "(", "}": "{"}


class _Open(NamedTuple):
    """A bracket that is open: the indent of the line it stands in, and its column there."""

    bracket: str
    indent: int
    column: int


class _Comment(NamedTuple):
    """A comment that goes on: the columns of its opener and of the text behind that, and the line before, stripped and
    with its indent; `inner` is the indent of the last line within that is not blank, `None` for none yet."""

    column: int
    text: int
    line: str
    indent: int
    inner: int | None = None


class _Scanner:
    """Goes down the lines and knows what each of them is in."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.open: list[_Open] = []
        self.comment: _Comment | None = None
        # How the code before ended: its last character, "" at the start.
        self.last = ""
        # The line before: its indent, how far its second word is from its first, whether it is the head of a body
        # without braces, and whether it began inside the parenthesis that is open now.
        self.before = self.begun = 0
        self.head = self.inside = False
        # Whether the line before opened a parenthesis within another, ended in a `case`, or named what follows it.
        self.nested = self.cased = self.based = False
        # The line with the parenthesis that is open now, where it is a head: its indent.
        self.heading: int | None = None
        # The heads that the last statement was the body of, by how deep in braces they are: `if` or not, the indent.
        self.heads: dict[int, list[tuple[bool, int]]] = {}
        # The indents of the last statements, by how deep in braces they are.
        self.statements: dict[int, int] = {}

    @property
    def depth(self) -> int:
        """How many braces are open."""
        return sum(bracket.bracket == "{" for bracket in self.open)

    def indent(self, text: str) -> int:
        """Return the indent in columns for the next line."""
        code = text.lstrip(BLANKS)
        step = self.style.shiftwidth
        if not code or code.startswith("#"):
            return 0
        if self.comment is not None:
            return self._commented(code, self.comment)
        top = self.open[-1] if self.open else None
        if top is not None and top.bracket == "(":
            if code[0] == ")":
                return min(self.before, top.column)
            if self.nested:
                return self.before + step
            deeper = len(self.open) > 1 and self.open[-2].bracket == "("
            return self.before if self.inside else top.indent + (3 if deeper else 2) * step
        if top is not None and code[0] == "}":
            return top.indent
        if top is not None and _LABEL.match(code):
            return 0
        if self.head:
            return self.before + (0 if code[0] == "{" else step)
        if _ELSE.match(code) and self.last in (";", "}"):
            matching = [indent for is_if, indent in self.heads.get(self.depth, []) if is_if]
            if matching:
                return matching[-1]
        if top is None:
            return self._outside(code)
        if self.last == "{":
            return top.indent + step
        if self.cased and not _CASE.match(code):
            return self.statements.get(self.depth, self.before + step)
        if _CASE.match(code):
            return top.indent + step
        if self.last in (";", "}", ":"):
            return self.statements.get(self.depth, top.indent + step)
        return self._middle(code)

    def _commented(self, code: str, comment: _Comment) -> int:
        """Return the indent within a comment: stars below each other, text below text."""
        if code.startswith("*/"):
            return comment.column + 1
        if code.startswith("*"):
            if comment.line.startswith("*"):
                return comment.indent
            return (comment.indent if comment.line.startswith("/*") else comment.column) + 1
        return comment.text if comment.inner is None else comment.inner

    def _outside(self, code: str) -> int:
        """Return the indent outside of all brackets: 0 where a statement begins, else by how the line before ended."""
        if code.startswith("//"):
            return self.statements.get(0, 0)
        if self.last in ("", ";", "}", "{") or code[0] == "{":
            return 0
        if self.based:
            return self.before + self.style.shiftwidth
        if self.last == ")":
            return max(self.before, self.style.shiftwidth)
        if self.last == ",":
            return self.before or self.begun or self.style.shiftwidth
        return self.before

    def _middle(self, code: str) -> int:
        """Return the indent in the middle of a statement; names that are declared stand below each other."""
        if self.last == ",":
            return self.before + self.begun
        fresh = self.before == self.statements.get(self.depth)
        return self.before + (self.style.shiftwidth if fresh and code[0] != "{" else 0)

    def pass_line(self, text: str) -> None:
        """Take a line, with the indent it has now, into account."""
        code = self._code(text)
        if not code or text.lstrip(BLANKS).startswith("#"):
            return
        indent = indentation.width(text, self.style.tabstop)
        if self.depth and _LABEL.match(code):
            return
        self._note_head(code, indent)
        whole = not (self.open and self.open[-1].bracket == "(")
        if whole and not self.head and not _BESIDE.match(code) and self.last in ("", ";", "}", "{", ":"):
            self.statements[self.depth] = indent
        depth = len(self.open)
        for at, char in enumerate(code):
            if char in "({":
                within = self.open[-1].indent if self.open and self.open[-1].bracket == "(" else indent
                label = _CASE.match(code) if char == "{" else None
                if label is not None and not code[label.end() : at].strip():
                    within += at  # the block of a `case` is what stands behind it
                    self.statements[self.depth] = within
                self.open.append(_Open(char, within, indent + at))
            elif char in _CLOSING and self.open and self.open[-1].bracket == _CLOSING[char]:
                if char == "}":
                    self.statements.pop(self.depth, None)
                self.open.pop()
        closed = not (self.open and self.open[-1].bracket == "(")
        self.inside = not whole and len(self.open) >= depth
        self.nested = not whole and len(self.open) > depth and not closed
        self.cased, self.based = _CASE.match(code) is not None, _BASE.match(code) is not None
        self.head = _CONTROL.match(code) is not None
        if not closed:
            self.heading = (indent if _HEADED.match(code) else None) if whole else self.heading
        elif not whole:
            if self.heading is not None and code[-1] == ")":
                self.head, indent = True, self.heading
            self.heading = None
        word = _FIRST_WORD.match(code)
        self.begun = word.end() if word is not None and self.last != "," else 0
        self.last, self.before = code[-1], indent

    def _note_head(self, code: str, indent: int) -> None:
        """Remember a head for the `else` that may follow its body."""
        heads = self.heads.setdefault(self.depth, [])
        if not self.head and not _ELSE.match(code) and self.last in ("", ";", "}", "{", ":"):
            heads.clear()
        if _ELSE.match(code):
            while heads and not heads.pop()[0]:
                pass
        if _HEADED.match(code) or _CONTROL.match(code):
            heads.append((re.match(r"(?:else\s+)?if\b", code) is not None, indent))

    def _code(self, text: str) -> str:
        """Return the line without strings, comments and blanks around it."""
        whole = text
        if self.comment is not None:
            _, end, text = text.partition("*/")
            if not end:
                self._within(whole)
                return ""
            self.comment = None
        text = _NOT_CODE.sub(lambda found: "" if found[0][0] == "/" else '""', text)
        head, start, _ = text.partition("/*")
        if start:
            self._begin_comment(whole)
        return head.strip()

    def _begin_comment(self, text: str) -> None:
        """Take a line into account that ends inside a comment that begins in it."""
        at = text.rindex("/*")
        behind = text[at + 2 :]
        tabstop = self.style.tabstop
        column = column_of(text, at, tabstop)
        first = column_of(text, len(text) - len(behind.lstrip(BLANKS)), tabstop) if behind else column + 3
        self.comment = _Comment(column, first, text.strip(BLANKS), indentation.width(text, tabstop))

    def _within(self, text: str) -> None:
        """Take a line into account that lies in a comment."""
        assert self.comment is not None
        line, indent = text.strip(BLANKS), indentation.width(text, self.style.tabstop)
        self.comment = self.comment._replace(line=line, indent=indent, inner=indent if line else self.comment.inner)


@operator("reindent", line=True)
def reindent(ctx: Context, span: Span) -> None:
    """Indent the lines anew, as C code."""
    style = style_of(ctx.editor, ctx.window)
    first, last = span.start.line, span.end.line
    scanner = _Scanner(style)
    for text in ctx.lines[max(first - _LOOK_BACK, 0) : first]:
        scanner.pass_line(text)
    new = []
    for text in ctx.lines[first : last + 1]:
        done = indentation.blanks(scanner.indent(text), style) + text.lstrip(BLANKS)
        scanner.pass_line(done)
        new.append(done)
    ctx.buffer.replace(first, last + 1, new)
    ctx.cursor = line_start(ctx, first)
    ctx.buffer.marks.set_changed(Pos(first, 0), Pos(last, 0))
