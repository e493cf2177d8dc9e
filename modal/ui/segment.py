"""A part of a buffer lexed from its first line on, kept right after edits by lexing few lines again.

Per line a `Segment` has spans and the lexer's states at the line's start; lines before `valid` are right. After an edit
lines are lexed from a little above until the states agree with the old ones; meanwhile old spans are shown. Which
parts there are, and when they are lexed, is `highlight.py`'s matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.splice import Splice
from tpy.modal.ui.recorder import ROOT, Recorder, Stack
from tpy.modal.ui.tokens import Span, Spans, add, class_of, shifted

# Longer lines are not coloured, nor anything in their buffer.
LINE_MAX = 20_000
# Tokens between two looks at the clock.
TOKENS = 64
# Lines lexed in one piece, and lines of text behind them: a match may need them to find its end.
PIECE, MARGIN = 500, 150
# After an edit so few lines are tried first: mostly the states agree again at once.
QUICK = 24
# Lines above an edit that are lexed again: a match may have looked ahead, and far when the edit has to do with what
# goes over lines, since one expression may match from its beginning to its end.
BACK, BACK_FAR = 2, 500
_OVER_LINES = re.compile(r"/\*|\*/|\"\"\"|'''|`|<!--|-->|\[\[|\]\]|\?>|%>|#\}|\\$")


class TooLong(Exception):
    """A line is too long to be coloured."""


def check_lengths(part: Sequence[str]) -> None:
    """Raise `TooLong` where a line is longer than lexers should be given."""
    if any(len(text) > LINE_MAX for text in part):
        raise TooLong(f"a line is longer than {LINE_MAX} characters")


class Segment:
    """The lines of a buffer from `base` on, which is lexed as if the text began there (`known` states apart)."""

    def __init__(self, buffer: Buffer, lexer: type[Recorder], base: int, states: Stack = ROOT) -> None:
        self.base = base
        self.valid = base  # lines from the base to here are right
        self.dead = False  # an edit has gone over the base
        self._buffer = buffer
        self._lexer = lexer
        self._first = states
        self.rows: list[Spans] = []  # the colours of each line from the base on, right or old
        self._states: list[Stack | None] = []
        self._tail = base  # lines from here on are right again as soon as a fresh state equals theirs
        self._far = False  # the last edit may matter far away, or a quick try has failed

    @property
    def end(self) -> int:
        """The line behind the last one that has colours, right or old."""
        return self.base + len(self.rows)

    def spans(self, line: int) -> Spans:
        """The colours of a line of the segment."""
        return self.rows[line - self.base]

    def state(self, line: int) -> Stack | None:
        """The states at the start of a line that is right; None within a match over lines."""
        return self._states[line - self.base]

    def changed(self, splice: Splice) -> None:
        """Follow a change of the buffer; the lines changed keep their colours about where they were."""
        line, old, new = splice
        moved = len(new) - len(old)
        if line + len(old) <= self.base and self.base:
            self.base, self.valid, self._tail = self.base + moved, self.valid + moved, self._tail + moved
            return
        if line < self.base:
            self.dead = True
            return
        if line >= self.end:
            return
        at = line - self.base
        before = self.rows[at : at + len(old)]
        fresh = [
            shifted(before[n], old[n], new[n]) if n < len(before) and len(new[n]) < LINE_MAX else ()
            for n in range(len(new))
        ]
        if line + len(old) > self.end:
            fresh = []  # the end of what is known is cut off
        self.rows[at : at + len(old)] = fresh
        self._states[at : at + len(old)] = [None] * len(fresh)
        grown = len(fresh) - len(before)
        self._tail = max(self._tail + grown if self._tail > line else self.base, line + len(fresh))
        self._far = any(_OVER_LINES.search(text[:LINE_MAX]) for text in (*old[:100], *new[:100]))
        self.valid = min(self.valid, max(line - (BACK_FAR if self._far else BACK), self.base))

    def lex(self, target: int) -> Iterator[bool]:
        """Lex until line `target` or agreement with what was; yields now and then. Raises `TooLong`."""
        size = PIECE
        while self.valid < target:
            start = max(self.valid - 1, self.base)
            while start > self.base and self.state(start) is None:
                start -= 1
            if self._tail - start <= QUICK // 2 and self._tail < self.end and not self._far:
                self._far = True  # not tried again before the next edit
                yield from self._try(start)
                continue
            before = self.valid
            yield from self._piece(start, start + size, MARGIN)
            if self.valid <= max(before, start):
                size *= 4  # one token fills the piece: it needs more text
        yield False

    def _try(self, start: int) -> Iterator[bool]:
        """Lex a few lines in the hope that the states agree again; otherwise all is as before."""
        valid, first, last = self.valid, start - self.base, start - self.base + QUICK
        spans, states = self.rows[first:last], self._states[first:last]
        yield from self._piece(start, start + QUICK, 0)
        if self.valid < self.end:
            self.valid = valid
            self.rows[first:last], self._states[first:last] = spans, states

    def _piece(self, start: int, end: int, margin: int) -> Iterator[bool]:
        """Lex the lines from `start` to `end`, with some more text in sight."""
        lines = self._buffer.lines
        first, last = max(start - 1, self.base), min(end + margin, len(lines))
        part = lines[first:last]
        check_lengths(part)
        whole = last == len(lines)
        text = "\n".join(part) + "\n"
        begins = [0]
        for content in part:
            begins.append(begins[-1] + len(content) + 1)
        states = (self.state(start) if start > self.base else None) or self._first
        lexer = self._lexer()
        row: list[Span] = []
        line, stop_line = start - first, len(part) if whole else min(end - first, len(part))
        tokens = lexer.record(text, begins[line], states, frozenset(begins[line:-1]))
        for taken, (at, token, value) in enumerate(tokens, 1):
            stop = at + len(value)
            if stop >= len(text) and not whole and stop - at > 1:
                return  # runs into the end of the text: not known to be right
            name = class_of(token)
            while at < stop:
                while at >= begins[line + 1]:
                    if self._finish(
                        first + line, row, lexer.noted.get(begins[line]), lexer.noted.get(begins[line + 1])
                    ):
                        return
                    row, line = [], line + 1
                    if line >= stop_line:
                        return
                edge = min(stop, begins[line + 1] - 1)
                if name and edge > at:
                    add(row, at - begins[line], edge - begins[line], name)
                at = begins[line + 1] if edge < stop else stop
            if taken % TOKENS == 0:
                yield True
        while line < len(part) and whole:
            if self._finish(first + line, row, lexer.noted.get(begins[line]), None):
                return
            row, line = [], line + 1

    def _finish(self, line: int, row: list[Span], state: Stack | None, following: Stack | None) -> bool:
        """A line is lexed; True when from the next line on the old colours are right again."""
        at = line - self.base
        if at < len(self.rows):
            self.rows[at], self._states[at] = tuple(row), state
        else:
            self.rows.append(tuple(row))
            self._states.append(state)
        self.valid = max(self.valid, line + 1)
        after = line + 1
        if self._tail <= after < self.end and following is not None and self.state(after) == following:
            self.valid = self.end
            return True
        return False

    def cut(self, line: int) -> None:
        """Forget what is known from a line on."""
        at = line - self.base
        del self.rows[at:], self._states[at:]
        self.valid, self._tail = min(self.valid, line), min(self._tail, line)

    def append(self, other: Segment) -> None:
        """Take over the lines of another segment that begins where this one ends."""
        self.rows += other.rows
        self._states += other._states
        self.valid, self._tail, self._far = other.valid, other._tail, other._far
