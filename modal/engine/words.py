"""Word motions (`:help word-motions`) and where words lie in a line.

A word is a run of characters of one class, a WORD a run of non-blanks; an empty line counts as a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from tpy.modal.engine.columns import last_col, one_more, past_end
from tpy.modal.engine.context import Context, Target
from tpy.modal.engine.virtual import is_virtual
from tpy.modal.registry import CommandFailed, motion, operators
from tpy.modal.text.chars import BLANK, WORD, char_class, is_combining, parse_option
from tpy.modal.text.position import EXCLUSIVE, INCLUSIVE, Pos
from tpy.modal.text.width import next_col, prev_col

# How far back a line is looked at in one go.
_WINDOW = 256
# From how many words on lines are passed whole.
_MANY = 100


class Words:
    """What words are in one buffer: by its `iskeyword`, or WORDs where `big`."""

    def __init__(self, iskeyword: str, *, big: bool) -> None:
        self.keyword = parse_option(iskeyword)
        self.big = big
        letters = "".join(f"\\x{code:02x}" for code in sorted(self.keyword) if code < 128)
        blank = " \\t\\0"
        pattern = f"[^{blank}]+" if big or not letters else f"[{letters}]+|[^{letters}{blank}]+"
        self._ascii = re.compile(pattern)

    def kind(self, text: str, col: int) -> int:
        """Return the class of the character at `col`, that of a blank at the line's end."""
        if col >= len(text):
            return BLANK
        found = char_class(text[col], self.keyword)
        return WORD if self.big and found != BLANK else found

    def runs(self, text: str, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
        """Yield start and end of the words from `start` on; the first is cut there if `start` lies inside it."""
        end = len(text) if end is None else end
        if text.isascii():
            for match in self._ascii.finditer(text, start, end):
                yield match.span()
            return
        col = start
        while col < end:
            kind = self.kind(text, col)
            first, col = col, col + 1
            while col < end and (is_combining(text[col]) or self.kind(text, col) == kind):
                col += 1
            if kind != BLANK:
                yield first, col

    def count(self, text: str) -> int:
        """Return how many words a line has."""
        return len(self._ascii.findall(text)) if text.isascii() else sum(1 for _ in self.runs(text))

    def run_end(self, text: str, col: int) -> int:
        """Return where the run of the character at `col` ends, a run of blanks too."""
        kind = self.kind(text, col)
        if kind != BLANK:
            return next(self.runs(text, col), (col, len(text)))[1]
        while col < len(text) and self.kind(text, col) == BLANK:
            col = next_col(text, col)
        return col

    def runs_back(self, text: str, col: int) -> Iterator[tuple[int, int]]:
        """Yield the words that begin before `col`, the last one first."""
        high = self.run_end(text, col) if self.kind(text, col) != BLANK else col
        limit = col
        while limit > 0:
            low = max(limit - _WINDOW, 0)
            while True:
                found = [run for run in self.runs(text, low, high) if run[0] < limit and (run[0] > low or low == 0)]
                if found or low == 0:
                    break
                low = max(low - 4 * (limit - low), 0)
            yield from reversed(found)
            if not found:
                return
            limit = high = found[0][0]


@lru_cache(maxsize=16)
def _words(iskeyword: str, big: bool) -> Words:
    return Words(iskeyword, big=big)


def words_of(ctx: Context, *, big: bool) -> Words:
    """Return what words are in the buffer of a command."""
    return _words(ctx.text("iskeyword"), big)


class Walk:
    """A place that goes from word to word; `ctx` gives the lines, the options and whether to stop."""

    def __init__(self, ctx: Context, *, big: bool) -> None:
        self.lines = ctx.lines
        self.words = words_of(ctx, big=big)
        self.line, self.col = ctx.cursor
        self.poll = ctx.engine.poll
        folds = ctx.window.extra.get("folds")
        self._window = ctx.window if folds is not None and folds.roots else None

    def _leave_fold(self, *, forward: bool) -> None:
        """Go to the end of the closed fold it is in, or its start."""
        fold = self._window.closed_fold(self.line) if self._window is not None else None
        if fold is not None:
            self.line = fold[1] if forward else fold[0]
            self.col = last_col(self.lines[self.line]) if forward else 0

    @property
    def pos(self) -> Pos:
        """Where it is; the column may be behind the last character."""
        return Pos(self.line, self.col)

    @property
    def kind(self) -> int:
        """The class of the character there."""
        return self.words.kind(self.lines[self.line], self.col)

    def step_back(self) -> bool:
        """Go one character to the left; `False` at the start of the line."""
        if self.col == 0:
            return False
        self.col = prev_col(self.lines[self.line], self.col)
        return True

    def to_run_start(self) -> None:
        """Go to the first character of the word or blanks it stands on."""
        text, kind = self.lines[self.line], self.kind
        if kind == BLANK:
            while self.col > 0 and self.words.kind(text, prev_col(text, self.col)) == BLANK:
                self.col = prev_col(text, self.col)
        else:
            self.col = next(self.words.runs_back(text, self.col + 1))[0]

    def _hurry(self, count: int, *, forward: bool, ends: bool, empty: bool) -> int:
        """Go over whole lines where many words are to be passed; return how many of `count` are left.

        `ends`: the last characters of words count, not the first; `empty`: an empty line counts as a word.
        """
        if count < _MANY or self._window is not None:
            return count
        count = self._pass_stops(count, forward=forward, ends=ends)
        step, edge = (1, len(self.lines) - 1) if forward else (-1, 0)
        while count and self.line != edge:
            self.line += step
            text = self.lines[self.line]
            found = self.words.count(text) if text else int(empty)
            self.poll(self.line)
            if found < count and self.line != edge:
                count -= found
                continue
            self.col = 0 if forward else len(text)
            if text:
                count = self._pass_stops(count, forward=forward, ends=ends, fresh=True)
            else:
                count -= found
        return count

    def _pass_stops(self, count: int, *, forward: bool, ends: bool, fresh: bool = False) -> int:
        """Go over words of the line it stands in, as far as there are any; return how many of `count` are left.

        `fresh`: the line was just entered, so that a word right here counts.
        """
        text, here = self.lines[self.line], self.col
        if forward:
            stops = (prev_col(text, run[1]) if ends else run[0] for run in self.words.runs(text, here))
            passed = (stop for stop in stops if stop > here or fresh)
        else:
            runs = self.words.runs_back(text, here)
            passed = (prev_col(text, run[1]) if ends else run[0] for run in runs if not ends or run[1] <= here)
        turn = 0
        for turn, stop in enumerate(islice(passed, count), 1):
            self.col = stop
            self.poll(turn)
        return count - turn

    def forward(self, count: int, *, eol: bool) -> bool:
        """Go to the start of the `count`th next word; with `eol` the last step stops at a line's end (`:help w`).

        Return `False` where it was at the end of the buffer already, which is as far as it goes.
        """
        last = len(self.lines) - 1
        count = self._hurry(count - 1, forward=True, ends=False, empty=True) + 1
        for left in range(count - 1, -1, -1):
            self._leave_fold(forward=True)
            text = self.lines[self.line]
            behind = next_col(text, self.col)
            if self.line == last and behind >= len(text):
                self.col = len(text)
                return False
            if eol and left == 0:
                if not text:
                    self.line += 1
                    return True
                if behind >= len(text) or not text[self.words.run_end(text, self.col) :].strip(" \t"):
                    self.col = len(text)
                    return True
            if not self._next_start():
                return True
            self.poll(left)
        return True

    def _next_start(self) -> bool:
        """Go to the next word, else to the end of the buffer, and return which."""
        text = self.lines[self.line]
        col = self.words.run_end(text, self.col)
        found = next(self.words.runs(text, col), None)
        while found is None and self.line < len(self.lines) - 1:
            self.line += 1
            text = self.lines[self.line]
            found = next(self.words.runs(text), None) if text else (0, 0)
        self.col = len(text) if found is None else found[0]
        return found is not None

    def back(self, count: int, *, stop: bool = False) -> bool:
        """Go to the start of the `count`th word before. Return `False` at the start of the buffer.

        `stop`: a word whose start it stands on counts.
        """
        began = self.pos
        count = self._hurry(count - 1, forward=False, ends=False, empty=True) + 1
        if self.line == 0 and self.col == 0 and self.lines[0] and began != (0, 0):
            return True
        for left in range(count - 1, -1, -1):
            self._leave_fold(forward=False)
            if self.line == 0 and self.col == 0:
                return False
            kind = self.kind
            if stop and kind != BLANK:
                text = self.lines[self.line]
                if self.col == 0 or self.words.kind(text, prev_col(text, self.col)) != kind:
                    stop = False
                    continue
            stop = False
            found = next(self.words.runs_back(self.lines[self.line], self.col), None)
            while found is None and self.line > 0:
                self.line -= 1
                text = self.lines[self.line]
                found = next(self.words.runs_back(text, len(text)), None) if text else (0, 0)
            self.col = 0 if found is None else found[0]
            if self.line == 0 and self.col == 0 and self.lines[0]:
                return True
            self.poll(left)
        return True

    def end(self, count: int, *, stop: bool = False, empty: bool = False) -> bool:
        """Go to the last character of the `count`th word from here. Return `False` where there are too few.

        `stop`: a word whose end it stands on counts; `empty`: an empty line counts.
        """
        last = len(self.lines) - 1
        count = self._hurry(count - 1, forward=True, ends=True, empty=empty) + 1
        for left in range(count - 1, -1, -1):
            self._leave_fold(forward=True)
            text = self.lines[self.line]
            kind = self.words.kind(text, self.col)
            end = self.words.run_end(text, self.col) if kind != BLANK else self.col
            behind = next_col(text, self.col)
            if end > behind:
                self.col = prev_col(text, end)
            elif not stop or kind == BLANK:
                found = next(self.words.runs(text, min(behind, len(text))), None)
                while found is None and self.line < last:
                    self.line += 1
                    text = self.lines[self.line]
                    found = next(self.words.runs(text), None)
                    if empty and not text:
                        break
                if found is None and (text or not empty or self.line == last):
                    self.col = len(text)
                    return False
                self.col = 0 if found is None else prev_col(text, found[1])
            stop = False
            self.poll(left)
        return True

    def end_back(self, count: int, *, eol: bool = False) -> bool:
        """Go to the last character of the `count`th word before. Return `False` at the start of the buffer.

        `eol`: the end of the line before counts too; the column is then behind its last character.
        """
        if not eol:
            count = self._hurry(count - 1, forward=False, ends=True, empty=True) + 1
        for left in range(count - 1, -1, -1):
            if self.line == 0 and self.col == 0:
                return False
            text = self.lines[self.line]
            col = self.col
            found = next((run for run in self.words.runs_back(text, col) if run[1] <= col), None)
            if found is None and eol and self.line > 0:
                self.line -= 1
                self.col = len(self.lines[self.line])
                return True
            while found is None and self.line > 0:
                self.line -= 1
                text = self.lines[self.line]
                found = next(self.words.runs_back(text, len(text)), None) if text else (0, 0)
            if found is None:
                self.col = 0
                return True
            self.col = prev_col(text, found[1])
            self.poll(left)
        return True


def _stands_behind(ctx: Context) -> bool:
    """Whether the cursor may go behind the last character: in a selection, while text is typed, and where 'virtualedit'
    says so."""
    return (
        one_more(ctx)
        or is_virtual(ctx.engine)
        or (past_end(ctx) and (ctx.visual is not None or ctx.engine.insert.active))
    )


def _land(ctx: Context, pos: Pos, kind: str, *, done: bool) -> Target:
    """Return the target of a word motion: never behind a line's end without selection, where an operator
    takes the last character."""
    text = ctx.lines[pos.line]
    if done and pos[:] == ctx.cursor[:]:
        # Behind the end of a line a virtual cursor that finds no word stays in its cell.
        pos = ctx.cursor
    if pos.col > 0 and pos.col >= len(text) and not _stands_behind(ctx) and pos > ctx.cursor:
        pos, kind = Pos(pos.line, last_col(text)), INCLUSIVE
    if not done and ctx.operator is None:
        ctx.cursor = pos
        ctx.window.want = None
        raise CommandFailed
    return Target(pos, kind=kind)


def _forward(ctx: Context, big: bool) -> Target:
    walk = Walk(ctx, big=big)
    text = ctx.lines[ctx.cursor.line]
    if ctx.operator is not None and operators[ctx.operator].word_end and text and text[ctx.cursor.col] not in " \t":
        # `cw` leaves the blanks behind the word alone (`:help cw`).
        done = walk.end(ctx.count, stop=True)
        return _land(ctx, walk.pos, INCLUSIVE, done=done)
    done = walk.forward(ctx.count, eol=ctx.operator is not None)
    return _land(ctx, walk.pos, EXCLUSIVE, done=done)


def _end(ctx: Context, big: bool) -> Target:
    walk = Walk(ctx, big=big)
    done = walk.end(ctx.count)
    return _land(ctx, walk.pos, INCLUSIVE, done=done)


def _back(ctx: Context, big: bool, *, end: bool) -> Pos:
    walk = Walk(ctx, big=big)
    done = walk.end_back(ctx.count) if end else walk.back(ctx.count)
    if not done:
        ctx.cursor = walk.pos
        ctx.window.want = None
        raise CommandFailed
    return walk.pos


@motion("word-forward", opens="hor")
def word_forward(ctx: Context) -> Target:
    """Go `count` words on."""
    return _forward(ctx, False)


@motion("WORD-forward", opens="hor")
def big_word_forward(ctx: Context) -> Target:
    """Go `count` WORDs on."""
    return _forward(ctx, True)


@motion("word-end", "inclusive", opens="hor")
def word_end(ctx: Context) -> Target:
    """Go to the end of the `count`th word."""
    return _end(ctx, False)


@motion("WORD-end", "inclusive", opens="hor")
def big_word_end(ctx: Context) -> Target:
    """Go to the end of the `count`th WORD."""
    return _end(ctx, True)


@motion("word-back", opens="hor")
def word_back(ctx: Context) -> Pos:
    """Go `count` words back."""
    return _back(ctx, False, end=False)


@motion("WORD-back", opens="hor")
def big_word_back(ctx: Context) -> Pos:
    """Go `count` WORDs back."""
    return _back(ctx, True, end=False)


@motion("word-end-back", "inclusive")
def word_end_back(ctx: Context) -> Target:
    """Go back to the end of the `count`th word before."""
    return Target(_back(ctx, False, end=True), exact=ctx.visual is not None)


@motion("WORD-end-back", "inclusive")
def big_word_end_back(ctx: Context) -> Target:
    """Go back to the end of the `count`th WORD before."""
    return Target(_back(ctx, True, end=True), exact=ctx.visual is not None)
