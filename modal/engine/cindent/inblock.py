"""The indent of a line inside braces: the walk back to a line that tells it (`:help C-indenting`).

What the walk looks for changes on the way. At first it is any statement; behind a line that ends a statement it is the
end of another one before it, so that the first line of the statement between them is known; behind a line that goes on
it is the line that this one goes on from.
"""

from __future__ import annotations

from enum import Enum, auto

from tpy.modal.engine.cindent import code, kinds
from tpy.modal.engine.cindent.blockstart import Block, find_match
from tpy.modal.engine.cindent.declarations import BaseClasses, is_function, names_column, value_column
from tpy.modal.engine.cindent.source import Source
from tpy.modal.text.position import Pos

# How far above its brace a namespace is looked for.
_NAMESPACE_AWAY = 20


class Seeks(Enum):
    """What the walk looks for."""

    ANYTHING = auto()
    CASE = auto()
    SCOPE = auto()
    # A statement before the label that was passed, or no `break` there.
    BEFORE_LABEL = auto()
    NO_BREAK = auto()
    # Below a statement that is at its end; below a line that goes on; below one that ends in a comma.
    ENDED = auto()
    GOING_ON = auto()
    LISTED = auto()
    BASE_CLASS = auto()


class Walk:
    """The walk back from a line, `theline` without its indent, in the block `block`."""

    def __init__(self, source: Source, line: int, theline: str, block: Block, amount: int) -> None:
        self.source, self.rules = source, source.rules
        self.ours, self.theline, self.block = line, theline, block
        self.opens = theline.startswith("{")
        self.line, self.col = line, 0
        self.amount = self.scope_amount = amount
        self.seeks = Seeks.ANYTHING
        self.breaks = False
        if kinds.is_case(theline):
            self.seeks = Seeks.CASE
            self.amount += self.rules.case
        elif kinds.is_scope(theline, self.rules):
            self.seeks = Seeks.SCOPE
            self.amount += self.rules.scope
        else:
            self.breaks = bool(self.rules.case_break) and kinds.starts_with(theline, 0, "break")
            self.amount += self.rules.level
        self.scope_amount = self.amount
        # How many `while (…);` wait for their `do`, and what a line that goes on gets.
        self.whiles = 0
        self.continuation = self.rules.continuation
        self.declared = 0
        self.added = 0
        self.namespace = block.in_column_0
        self.raw_line = -1
        self.base_classes = BaseClasses(source)

    def run(self) -> int:
        """Walk, and return the indent."""
        while True:
            self.line, self.col = self.line - 1, 0
            done = self._at_brace() if self.line <= self.block.start.line else self._at_line()
            if done:
                return self.amount

    # Small steps

    @property
    def here(self) -> Pos:
        """The place of the walk."""
        return Pos(self.line, self.col)

    def _text(self) -> str:
        return self.source.lines[self.line]

    def _again_at(self, pos: Pos) -> bool:
        """Look at the line of `pos` next."""
        self.line, self.col = pos.line + 1, 0
        return False

    def _go_on(self) -> bool:
        """Take the indent of a line that goes on from here."""
        if self.declared > 0:
            self.amount = self.declared
        else:
            self.amount += self.continuation
        return True

    def _extra(self) -> int:
        """What a brace that begins the line gets more."""
        return self.rules.open_extra if self.opens else 0

    @property
    def goes_on(self) -> bool:
        """Whether the line below goes on from somewhere."""
        return self.seeks in (Seeks.GOING_ON, Seeks.LISTED)

    def _skip_text(self, *, remember: bool = False) -> bool:
        """Go to the start of a comment or raw string that the line is in."""
        start = self.source.text_start(self.here)
        if start is None:
            return False
        if remember and start == self.source.raw_string(self.here):
            self.raw_line = start.line
        self._again_at(start)
        return True

    def _skip_macro(self) -> bool:
        """Pass a preprocessor line."""
        found = self.source.preprocessor(self.line, self.amount)
        if found is None:
            return False
        self.line, self.amount = found
        return True

    # The head of the block

    def _at_brace(self) -> bool:
        """Act where the walk has come to the brace of the block; `True` at the end."""
        if self.seeks is Seeks.LISTED:
            return self._above_list()
        if self.seeks is Seeks.GOING_ON:
            return self._go_on()
        if self.seeks not in (Seeks.ENDED, Seeks.BASE_CLASS):
            self.amount = self.scope_amount + self._extra()
            if self.opens:
                self.added = self.rules.open_extra
        return not self.namespace or self._above_namespace()

    def _above_list(self) -> bool:
        """See above the brace whether the list within it is that of an `enum` or of values, or names are declared."""
        if self.line < 0 or self.line < self.block.start.line - self.rules.most_paren:
            return self._go_on()
        if self._skip_text() or self._skip_macro():
            return False
        text = self._text()
        if code.no_code(text):
            return False
        ends = kinds.terminated(text, comma=True)
        if not self.block.in_column_0 or not is_function(self.source, self.line):
            if ends == "," or (ends != ";" and kinds.is_initialisation(text)):
                return True
            if ends in ("", "{"):
                return False
        if ends != ";":
            found = self._open_paren(text)
            if found is None and (last := code.last_closing(text, "{", "}")) is not None:
                found = self.source.brace(Pos(self.line, last))
            if found is not None:
                return self._again_at(found)
        return self._go_on()

    def _open_paren(self, text: str) -> Pos | None:
        """Return the parenthesis that the last one of the line closes."""
        last = code.last_closing(text, "(", ")")
        if last is None:
            self.col = 0
            return None
        self.col = last
        return self.source.paren(self.here)

    def _above_namespace(self) -> bool:
        """Look above the brace for the head of a namespace."""
        start = self.block.start.line
        if self.line == start:
            return False
        if self.line < 0 or self.line < start - _NAMESPACE_AWAY:
            return True
        if self._skip_text() or self._skip_macro():
            return False
        text = self._text()
        if kinds.is_namespace(text, self.rules):
            self.amount += self.rules.namespace - self.added
        elif kinds.is_linkage(text, self.rules):
            self.amount += self.rules.linkage - self.added
        else:
            return not code.no_code(text)
        return True

    # The lines of the block

    def _at_line(self) -> bool:
        """Look at one line; `True` where the indent is known."""
        if self._skip_text(remember=True):
            return False
        text = self._text()
        is_case = kinds.is_case(text)
        if is_case or kinds.is_scope(text, self.rules):
            return self._at_label(text, is_case=is_case)
        if self.seeks in (Seeks.CASE, Seeks.SCOPE):
            last = code.last_closing(text, "{", "}")
            start = None if last is None else self.source.brace(Pos(self.line, last))
            return False if start is None else self._again_at(start)
        if self.source.is_label(self.line):
            at = kinds.after_label(text)
            if at is None or code.no_code(text, at):
                return False
        if self._skip_macro() or code.no_code(text):
            return False
        base = self._at_base_class(text)
        return self._at_code(text) if base is None else base

    def _at_label(self, text: str, *, is_case: bool) -> bool:
        """Act on a label of a `switch` or a scope."""
        if self.seeks is Seeks.BASE_CLASS:
            return True
        if self.whiles > 0:
            return False
        if self.goes_on:
            return self._go_on()
        wanted = self.seeks is Seeks.CASE or self.breaks if is_case else self.seeks is Seeks.SCOPE
        if wanted:
            start = self.source.brace(self.here)
            if start is None or start.line == self.block.start.line:
                self.amount = self.source.indent(self.line)
                return True
            return False
        behind = self.source.label_indent(self.line)
        if self.seeks is Seeks.ENDED:
            self.amount = behind or self.amount
            if not self.breaks:
                return True
        if behind:
            self.amount = behind
            at = kinds.after_label(text)
            if at is not None and kinds.is_cinword(text, at, self.rules.cinwords, self.rules.keyword):
                self.amount += self._extra() if self.opens else self.rules.level + self.rules.no_brace
            return True
        code_indent = self.rules.case_code if is_case else self.rules.scope_code
        self.scope_amount = self.source.indent(self.line) + code_indent
        self.seeks = Seeks.NO_BREAK if self.rules.case_break else Seeks.BEFORE_LABEL
        return False

    def _at_base_class(self, text: str) -> bool | None:
        """Act on a line in a list of base classes; `None` where it is none and the walk goes on as usual."""
        found = None
        if self.seeks is not Seeks.ENDED and self.rules.base_class > 0:
            found = self.base_classes.at(self.line)
        if found is None:
            if self.seeks is not Seeks.BASE_CLASS:
                return None
            return bool(kinds.terminated(text, opens=True))
        if self.seeks is Seeks.GOING_ON:
            return self._go_on()
        if self.opens:
            self.seeks, self.continuation = Seeks.GOING_ON, 0
            return False
        self.amount = self.base_classes.indent(found, self.line)
        return True

    def _at_code(self, text: str) -> bool:
        """Act on a line of a statement, by whether that is at its end."""
        ends = kinds.terminated(text, comma=True)
        if not ends or (self.seeks is not Seeks.GOING_ON and ends == ","):
            return self._unended(text, ends)
        if self._ends_do(text, ends):
            if self.goes_on:
                return self._go_on()
            if self.whiles == 0:
                self.seeks = Seeks.ENDED
                self.amount = self.source.indent(self.line) + self._extra()
            self.whiles += 1
            return False
        return self._ended(text)

    # A line that goes on

    def _unended(self, text: str, ends: str) -> bool:
        if self.seeks is not Seeks.LISTED and (text.lstrip(code.BLANKS).startswith("[") or text.endswith("[")):
            self.amount += self.continuation
        self.col = code.last_closing(text, "(", ")") or 0
        found = self.source.paren_near(self.here, self.ours)
        if found is not None and found < self.block.start:
            found = None
        if found is None and ends == "," and (last := code.last_closing(text, "{", "}")) is not None:
            self.col = last
            found = self.source.brace(self.here)
        if found is not None:
            self.line, self.col = found
            text = self._text()
            if kinds.is_case(text) or kinds.is_scope(text, self.rules):
                return self._again_at(found)
        if ends == ",":
            while self.line > 0 and code.continued(self.source.lines[self.line - 1]):
                self.line, self.col = self.line - 1, 0
        amount, at = self.source.statement(self.line)
        text = self._text()
        if ends != "," and self.seeks is not Seeks.ENDED and self.opens:
            self.amount = amount
            if text[code.skip_blanks(text, at) :][:1] != "{":
                self.amount += self.rules.open_extra
            if self.rules.base_class:
                self.seeks = Seeks.BASE_CLASS
                return False
            return True
        if kinds.is_head(text, at, self.rules):
            return self._at_head(text, amount)
        return self._at_rest(text, amount, ends)

    def _at_head(self, text: str, amount: int) -> bool:
        """Act on the head of a body without braces."""
        if self.goes_on:
            return self._go_on()
        self.amount = amount + self._extra()
        if self.seeks is not Seeks.ENDED:
            self.amount += self.rules.level + self.rules.no_brace
            return True
        at = code.skip_blanks(text, 0)
        if kinds.starts_with(text, at, "do"):
            if self.whiles == 0:
                return True
            self.whiles -= 1
        if kinds.is_else(text, at) and self.whiles == 0:
            if text[at] == "}":
                self.col = at + 1
            return not self._to_if()
        return False

    def _to_if(self) -> bool:
        """Go to the `if` of the `else` here; `False` where there is none."""
        start = self.source.brace(self.here)
        if start is None:
            return False
        found, self.line = find_match(self.source, self.line, start.line, is_else=True)
        self.col = 0
        return found

    def _at_rest(self, text: str, amount: int, ends: str) -> bool:
        """Act on a line in the middle of a statement."""
        if self.seeks is Seeks.GOING_ON:
            if ends == ",":
                self.amount += self.continuation
            return True
        if self.seeks is Seeks.LISTED:
            if ends == ",":
                self.seeks = Seeks.BASE_CLASS
                return not self.rules.base_class
            self.amount = min(self.amount, amount)
            return False
        self.amount = amount
        if ends == "," and (text.lstrip(code.BLANKS).startswith("]") or text[-2:-1] == "]"):
            return True
        if self.seeks is Seeks.ANYTHING and ends == ",":
            self.seeks = Seeks.LISTED
            self.declared = names_column(self.source, self.line)
            return False
        if self.seeks is Seeks.ANYTHING and code.continued(text):
            self.declared = value_column(self.source, self.line)
        if self.seeks is not Seeks.ENDED and self.raw_line != self.line:
            self.seeks = Seeks.GOING_ON
        return False

    # A line at the end of a statement

    def _ends_do(self, text: str, ends: str) -> bool:
        """Whether the line ends a `do` by `while (…);`; goes to its first line then."""
        if ends != ";" or ")" not in text:
            return False
        at = 0
        while at < len(text):
            at = code.skip_comment(text, at)
            behind = code.skip_blanks(text, at + 1)
            if text[at : at + 1] == ")" and text[behind : behind + 1] == ";" and code.no_code(text, behind + 1):
                self.col = at
                found = self.source.paren(self.here)
                if found is not None:
                    first = self.source.lines[found.line]
                    start = code.skip_comment(first)
                    if first[start : start + 1] == "}":
                        start = code.skip_comment(first, start + 1)
                    if kinds.starts_with(first, start, "while"):
                        self.line = found.line
                        return True
            at += 1
        return False

    def _ended(self, text: str) -> bool:
        if self.seeks is Seeks.NO_BREAK and kinds.starts_with(text, code.skip_blanks(text, 0), "break"):
            self.seeks = Seeks.BEFORE_LABEL
            return False
        if self.whiles > 0 and kinds.starts_with(text, code.skip_comment(text), "do"):
            self.amount = self.source.indent(self.line)
            self.whiles -= 1
            return False
        if self.goes_on:
            return self._go_on()
        if self.seeks is Seeks.ENDED:
            return not self.breaks and self.whiles == 0
        return self._first_ended()

    def _first_ended(self) -> bool:
        """Act on the first statement at its end: find where it begins."""
        while True:
            text = self._text()
            last = code.last_closing(text, "(", ")")
            self.col = last or 0
            found = None if last is None else self.source.paren(self.here)
            if found is not None:
                self.line, self.col = found
                text = self._text()
                if kinds.is_case(text) or kinds.is_scope(text, self.rules):
                    return self._again_at(found)
            keeps = bool(self.rules.keep_case) and kinds.is_case(text)
            amount, at = self.source.statement(self.line)
            at = code.skip_blanks(text, at)
            self.amount = amount + self._extra()
            if text[at : at + 1] == "{":
                self.amount -= self.rules.open_extra
            self.seeks = Seeks.BEFORE_LABEL if keeps else Seeks.ENDED
            if not keeps and text[at : at + 1] != "}" and kinds.is_else(text, at) and self.whiles == 0:
                return not self._to_if()
            last = code.last_closing(text, "{", "}")
            start = None if last is None else self.source.brace(Pos(self.line, last))
            if start is None:
                return False
            self.line, self.col = start
            text = self._text()
            at = code.skip_comment(text)
            if text[at : at + 1] != "}" and kinds.is_else(text, at):
                return self._again_at(start)
