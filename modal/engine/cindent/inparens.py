"""The indent of a line inside parentheses (`:help cino-(`)."""

from __future__ import annotations

from tpy.modal.engine.cindent import code, kinds
from tpy.modal.engine.cindent.source import Source
from tpy.modal.text.position import Pos

_HEADS = ("if", "for", "while")


class Inside:
    """A line that is indented, `theline` without its indent, and the parenthesis it is in."""

    def __init__(self, source: Source, line: int, paren: Pos, theline: str) -> None:
        self.source, self.rules = source, source.rules
        self.line, self.paren, self.theline = line, paren, theline
        self.closes = theline.startswith(")")
        # No more than this for a line that closes the parenthesis.
        self.most = code.FAR

    def indent(self) -> int:
        """Return the indent."""
        if self.closes and self.rules.paren_before:
            return self._commented(self.source.indent(self.line - 1))
        amount = self._beside()
        return self._commented(self._below() if amount is None else amount)

    def _commented(self, amount: int) -> int:
        return amount + (self.rules.comment if code.is_comment(self.theline, 0) else 0)

    def _beside(self) -> int | None:
        """Return the indent of the last line before that is in the same parenthesis, `None` where none counts."""
        source = self.source
        line, amount = self.line, -1
        while line - 1 > self.paren.line:
            line -= 1
            text = source.lines[line]
            if code.no_code(text):
                continue
            macro = source.preprocessor(line, amount)
            if macro is not None:
                line, amount = macro
                continue
            outer = source.text_start(Pos(line, 0))
            if outer is not None:
                line = outer.line + 1
                continue
            if source.paren_near(Pos(line, 0), self.line) == self.paren:
                amount = source.indent(line)
                if not self.closes:
                    return amount
                self.most = min(self.most, amount)
                return None
        return amount if amount >= 0 else None

    def _below(self) -> int:
        """Return the indent by the line of the parenthesis."""
        rules, source = self.rules, self.source
        head = self._head()
        amount, at = source.statement(self.paren.line)
        text = source.lines[self.paren.line]
        at = code.skip_blanks(text, at)
        first = text[at : at + 1] == "("
        ignored = self._ignored(at) if first else 0
        leads = not rules.unclosed_always and first and not ignored
        flush = (rules.unclosed == 0 and not head) or leads
        col = self.paren.col
        if self.closes or flush:
            if not self.closes:
                self.most = code.FAR
                amount, col = self._wrapped(text, amount)
            if col > 0:
                self.most = min(self.most, source.column(Pos(self.paren.line, col)))
        if self.closes and rules.matching_paren:
            return amount
        if flush:
            return amount if self.most == code.FAR else self.most
        return min(self._nested(amount, text, ignored, head), self.most)

    def _head(self) -> bool:
        """Whether the outermost parenthesis of the line is that of `if`, `for` or `while` (`:help cino-k`)."""
        if not self.rules.head:
            return False
        outermost, found = self.paren, self.source.paren(self.paren)
        while found is not None and found.line == outermost.line:
            outermost, found = found, self.source.paren(found)
        text, end = self.source.lines[outermost.line], outermost.col
        while end > 3 and text[end - 1] in code.BLANKS:
            end -= 1
        return any(
            text.endswith(word, 0, end) and not kinds.is_word(text[: end - len(word)][-1:], 0) for word in _HEADS
        )

    def _ignored(self, at: int) -> int:
        """Return where the parenthesis that the line begins with ends, if before ours, else 0."""
        end = self.source.closing(Pos(self.paren.line, at))
        return end.col + 1 if end is not None and end.line == self.paren.line and end.col < self.paren.col else 0

    def _wrapped(self, text: str, amount: int) -> tuple[int, int]:
        """Return the indent and the place in the line that the text behind the parenthesis gives."""
        col = self.paren.col
        if self.rules.unclosed_wrapped and code.ends_in(text, "("):
            depth = 1
            for char in text[:col]:
                if char in "({":
                    depth += 1
                elif char in ")}" and depth > 1:
                    depth -= 1
            return amount + depth * self.rules.unclosed_wrapped, 0
        if self.rules.unclosed_exact:
            return amount, col + 1
        behind = code.skip_blanks(text, col + 1)
        return amount, behind if behind < len(text) else col + 1

    def _nested(self, amount: int, text: str, ignored: int, head: bool) -> int:
        """Return the indent with one step for each parenthesis before ours in the line."""
        rules = self.rules
        outer = self.paren.col
        at = outer
        while at > ignored:
            at -= 1
            if text[at] == "(":
                amount += rules.unclosed_deeper
                outer = at
            elif text[at] == ")":
                amount -= rules.unclosed_deeper
                outer = code.FAR
        if outer == code.FAR:
            return amount + rules.unclosed
        if self.source.paren_within(Pos(self.paren.line, outer)) is not None:
            return amount + rules.unclosed_deeper
        return amount + (rules.head if head else rules.unclosed)
