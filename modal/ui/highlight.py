"""Syntax colours of buffers by Pygments: only near what is visible, in slices, never in the way of a key.

A `Colouring` follows one buffer. Per line it keeps the spans and the lexer's states at the line's start; lines before
`valid` are right. After an edit it lexes from a little above until the states agree with the old ones; meanwhile old
spans are shown. Where states can't be recorded, and far below what is lexed, a stretch around the visible lines is
lexed for itself. A lexer that doesn't come back is stopped by an alarm and its buffer stays plain.

`Colours` has them all, and answers the renderer. Which lexer is `languages.py`'s matter, which colours `theme.py`'s.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.splice import Splice
from tpy.modal.ui.alarm import Stuck, alarm
from tpy.modal.ui.tokens import Span, Spans, add, class_of, line_spans, shifted

if TYPE_CHECKING:
    from tpy.modal.ui.recorder import Stack

# Lines lexed below what is visible; lines above where a stretch begins, and where it does after an edit.
AHEAD, ABOVE, ABOVE_EDITED = 50, 200, 40
# Lines lexed in one piece, and lines of text behind them: a match may need them to find its end.
PIECE, MARGIN = 500, 150
# After an edit so few lines are tried first: mostly the states agree again at once.
QUICK = 24
# So many lines may lie between what is lexed and what is visible; beyond, only a stretch is coloured.
REACH = 30_000
# Longer lines are not coloured, nor anything in their buffer.
LINE_MAX = 20_000
# Seconds of processor time after which a lexer counts as stuck.
STUCK = 0.4
# Tokens between two looks at the clock.
TOKENS = 64
# Lines above an edit that are lexed again: a match may have looked ahead, and far when the edit has to do with what
# goes over lines, since one expression may match from its beginning to its end.
BACK, BACK_FAR = 2, 500
_OVER_LINES = re.compile(r"/\*|\*/|\"\"\"|'''|`|<!--|-->|\[\[|\]\]|\?>|%>|#\}|\\$")


class View(NamedTuple):
    """The lines of a buffer that a window shows, `bottom` included."""

    buffer: Buffer
    top: int
    bottom: int


class Colouring:
    """The colours of one buffer in one language. `work` is to be called until it says there is nothing to do."""

    def __init__(self, buffer: Buffer, lexer_class: Any, clock: Callable[[], float] = time.monotonic) -> None:
        from tpy.modal.ui.recorder import ROOT, recording

        self._buffer = buffer
        self._clock = clock
        self._class = lexer_class
        self._recording = recording(lexer_class)
        self._root: Stack = ROOT
        self._spans: list[Spans] = []
        self._states: list[Stack | None] = []
        self._valid = 0
        self._tail = 0  # lines from here on are right again as soon as a fresh state equals theirs
        self._stretch: tuple[int, list[Spans], int] | None = None  # first line, spans, tick: lexed for itself
        self._far = False  # the last edit may matter far away
        self._warm: Iterator[bool] | None = None
        self._run: Iterator[bool] | None = None
        self.failed = ""

    def spans(self, line: int) -> Spans:
        """The colours of a line as far as they are known; nothing is lexed."""
        if line < self._valid or (line < len(self._spans) and self._spans[line]):
            return self._spans[line]
        if self._stretch is not None and 0 <= line - self._stretch[0] < len(self._stretch[1]):
            return self._stretch[1][line - self._stretch[0]]
        return self._spans[line] if line < len(self._spans) else ()

    def changed(self, splice: Splice) -> None:
        """Follow a change of the buffer; the lines changed keep their colours about where they were."""
        self._run = None
        line, old, new = splice
        if self._stretch is not None:
            self._stretch = _spliced_stretch(self._stretch, splice)
        known = len(self._spans)
        if line >= known:
            return
        before = self._spans[line : line + len(old)]
        fresh = [
            shifted(before[at], old[at], new[at]) if at < len(before) and len(new[at]) < LINE_MAX else ()
            for at in range(len(new))
        ]
        if line + len(old) > known:
            fresh = []  # the end of what is known is cut off
        self._spans[line : line + len(old)] = fresh
        self._states[line : line + len(old)] = [None] * len(fresh)
        moved = len(fresh) - len(before)
        self._tail = max(self._tail + moved if self._tail > line else 0, line + len(fresh))
        self._far = any(_OVER_LINES.search(text[:LINE_MAX]) for text in (*old[:100], *new[:100]))
        self._valid = min(self._valid, max(line - (BACK_FAR if self._far else BACK), 0))

    # -- lexing

    def pending(self, top: int, bottom: int) -> bool:
        """Whether colours of these lines are not known to be right."""
        if self.failed:
            return False
        bottom = min(bottom, len(self._buffer.lines) - 1)
        if self._recording is not None and top - self._valid <= REACH:
            return self._valid <= bottom
        return not self._stretch_covers(top, bottom)

    def known(self, top: int, bottom: int) -> bool:
        """Whether these lines have colours, if perhaps those of before an edit."""
        bottom = min(bottom, len(self._buffer.lines) - 1)
        return bool(self.failed) or bottom < len(self._spans) or self._stretch_covers(top, bottom, stale=True)

    def work(self, top: int, bottom: int, deadline: float) -> bool:
        """Lex towards the visible lines until the deadline; whether colours of visible lines have changed."""
        if not self.pending(top, bottom):
            return False
        bottom = min(bottom, len(self._buffer.lines) - 1)
        before = [self.spans(line) for line in range(top, bottom + 1)]
        try:
            with alarm(STUCK):
                self._lex(top, bottom, deadline)
        except Stuck:
            self._give_up("takes too long")
        except RecursionError:
            self._give_up("nests too deeply")
        except Exception as error:  # a lexer's own mistake costs its colours, nothing else
            self._give_up(f"fails with {type(error).__name__}")
        return before != [self.spans(line) for line in range(top, bottom + 1)]

    def _give_up(self, why: str) -> None:
        self.failed = f"no colours: the {self._class.name} lexer {why}"
        self._run = self._stretch = None
        self._spans, self._states, self._valid = [], [], 0

    def _lex(self, top: int, bottom: int, deadline: float) -> None:
        """Go on with what is being lexed, or begin what is most wanted, until the deadline."""
        while not self.failed and self.pending(top, bottom):
            if self._run is None:
                self._run = self._next_run(top, bottom)
            if not next(self._run, False):
                self._run = None
            if self._clock() > deadline:
                return

    def _next_run(self, top: int, bottom: int) -> Iterator[bool]:
        """What is to be lexed now."""
        if self._warm is None:
            from tpy.modal.ui.recorder import warm

            self._warm = warm(self._class)
            return self._warm
        away = top - self._valid
        if self._recording is None or away > REACH:
            known = self._stretch is not None and self._stretch_covers(top, bottom, stale=True)
            return self._lex_stretch(max(top - (ABOVE_EDITED if known else ABOVE), 0), bottom)
        if away > ABOVE and not self._stretch_covers(top, bottom, stale=True):
            return self._lex_stretch(max(top - ABOVE, 0), bottom)
        return self._record(min(bottom + AHEAD, len(self._buffer.lines)))

    def _stretch_covers(self, top: int, bottom: int, *, stale: bool = False) -> bool:
        stretch = self._stretch
        return (
            stretch is not None
            and (stale or stretch[2] == self._buffer.tick)
            and stretch[0] <= top
            and bottom < stretch[0] + len(stretch[1])
        )

    def _lex_stretch(self, first: int, bottom: int) -> Iterator[bool]:
        """Colour a stretch as if the text began with it."""
        last = min(bottom + AHEAD, len(self._buffer.lines))
        part = self._buffer.lines[first : max(last, bottom + 1)]
        if self._too_long(part):
            return
        tick = self._buffer.tick
        tokens: list[tuple[int, Any, str]] = []
        lexer = (self._recording or self._class)()
        for token in lexer.get_tokens_unprocessed("\n".join(part) + "\n"):
            tokens.append(token)
            if len(tokens) % TOKENS == 0:
                yield True
        self._stretch = (first, line_spans(tokens, len(part)), tick)

    def _too_long(self, part: Sequence[str]) -> bool:
        if any(len(text) > LINE_MAX for text in part):
            self.failed = f"no colours: a line is longer than {LINE_MAX} characters"
            return True
        return False

    def _record(self, target: int) -> Iterator[bool]:
        """Lex from the last known state until line `target` or agreement; yields now and then to be interrupted."""
        size = PIECE
        while self._valid < target:
            start = max(self._valid - 1, 0)
            while start > 0 and self._states[start] is None:
                start -= 1
            if self._tail - start <= QUICK // 2 and self._tail < len(self._states) and not self._far:
                self._far = True  # not tried again before the next edit
                yield from self._try(start)
                continue
            before = self._valid
            yield from self._piece(start, start + size, size)
            if self._valid <= max(before, start):
                if self.failed:
                    return
                size *= 4  # one token fills the piece: it needs more text
        yield False

    def _try(self, start: int) -> Iterator[bool]:
        """Lex a few lines in the hope that the states agree again; otherwise all is as before."""
        end, valid = start + QUICK, self._valid
        spans, states = self._spans[start:end], self._states[start:end]
        yield from self._piece(start, end, QUICK)
        if self._valid < len(self._states):
            self._valid = valid
            self._spans[start:end], self._states[start:end] = spans, states

    def _piece(self, start: int, end: int, size: int) -> Iterator[bool]:
        """Lex the lines from `start` to `end`, with some more text in sight."""
        assert self._recording is not None
        lines = self._buffer.lines
        first, last = max(start - 1, 0), min(end + (MARGIN if size >= PIECE else 0), len(lines))
        part = lines[first:last]
        if self._too_long(part):
            return
        whole = last == len(lines)
        text = "\n".join(part) + "\n"
        begins = [0]
        for content in part:
            begins.append(begins[-1] + len(content) + 1)
        states = (self._states[start] if start else None) or self._root
        lexer = self._recording()
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
        """Line `line` is lexed; True when from the next line on the old colours are right again."""
        if line < len(self._spans):
            self._spans[line], self._states[line] = tuple(row), state
        else:
            self._spans.append(tuple(row))
            self._states.append(state)
        self._valid = max(self._valid, line + 1)
        after = line + 1
        if self._tail <= after < len(self._states) and following is not None and self._states[after] == following:
            self._valid = len(self._states)
            return True
        return False


def _spliced_stretch(stretch: tuple[int, list[Spans], int], splice: Splice) -> tuple[int, list[Spans], int]:
    """A stretch with the same colours for lines that have moved."""
    first, spans, _ = stretch
    line, old, new = splice
    if line + len(old) <= first:
        return first + len(new) - len(old), spans, -1
    at = max(line - first, 0)
    if at >= len(spans):
        return first, spans, -1
    kept = [
        shifted(spans[at + n], old[n], new[n]) if n < len(old) and at + n < len(spans) else () for n in range(len(new))
    ]
    return first, spans[:at] + kept + spans[at + len(old) :], -1


class Colours:
    """The colours of all buffers. `language` tells what a buffer is in; `note` is told of lexers given up."""

    def __init__(
        self,
        language: Callable[[Buffer], str],
        note: Callable[[str], None],
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._language = language
        self._note = note
        self._clock = clock
        self._colourings: dict[Buffer, tuple[str, Colouring | None]] = {}
        self._fences: dict[tuple[Buffer, int, str], tuple[list[str], list[Spans]]] = {}
        self._noted: set[Buffer] = set()

    def spans(self, buffer: Buffer, line: int) -> Spans:
        """The colours of a line as far as they are known."""
        entry = self._colourings.get(buffer)
        return entry[1].spans(line) if entry is not None and entry[1] is not None else ()

    def pending(self, views: Sequence[View]) -> bool:
        """Whether there is work to do for these lines."""
        for view in views:
            entry = self._colourings.get(view.buffer)
            if entry is None or entry[0] != self._language(view.buffer):
                return True
            if entry[1] is not None and entry[1].pending(view.top, view.bottom):
                return True
        return False

    def known(self, views: Sequence[View]) -> bool:
        """Whether all these lines have colours, if perhaps old ones: then there is no hurry."""
        for view in views:
            entry = self._colourings.get(view.buffer)
            if entry is None or (entry[1] is not None and not entry[1].known(view.top, view.bottom)):
                return False
        return True

    def work(self, views: Sequence[View], deadline: float) -> bool:
        """Lex for these lines until the deadline; whether something visible looks different now."""
        changed = False
        for view in views:
            before = self._colourings.get(view.buffer)
            colouring = self._colouring(view.buffer)
            changed |= before is not None and before is not self._colourings[view.buffer]
            if colouring is None:
                continue
            changed |= colouring.work(view.top, view.bottom, deadline)
            if colouring.failed and view.buffer not in self._noted:
                self._noted.add(view.buffer)
                self._note(colouring.failed)
                changed = True
            if self._clock() > deadline:
                break
        return changed

    def _colouring(self, buffer: Buffer) -> Colouring | None:
        language = self._language(buffer)
        entry = self._colourings.get(buffer)
        if entry is None or entry[0] != language:
            if entry is None:
                buffer.listeners.append(self._changed)
            entry = self._colourings[buffer] = (language, self._make(buffer, language))
        return entry[1]

    def _make(self, buffer: Buffer, language: str) -> Colouring | None:
        from tpy.modal.ui.languages import lexer_class

        if not language:
            return None
        found = lexer_class(language)
        return Colouring(buffer, found, self._clock) if found is not None else None

    def _changed(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        entry = self._colourings.get(buffer)
        if entry is not None and entry[1] is not None:
            entry[1].changed(splice)

    def forget(self, buffer: Buffer) -> None:
        """The buffer is gone."""
        if self._colourings.pop(buffer, None) is not None:
            buffer.listeners.remove(self._changed)
        self._noted.discard(buffer)

    def fence(self, buffer: Buffer, language: str, first: int, last: int, line: int) -> Spans:
        """The colours of a line of code within a buffer, in a piece that goes from line `first` to `last`.

        A piece is coloured anew when it has other lines; long ones stay plain.
        """
        key = (buffer, first, language)
        lines = buffer.lines[first : last + 1]
        known = self._fences.get(key)
        if known is None or known[0] != lines:
            if len(self._fences) > 500:
                self._fences.clear()
            known = self._fences[key] = (lines, self._fence_spans(language, lines))
        return known[1][line - first] if line - first < len(known[1]) else ()

    @staticmethod
    def _fence_spans(language: str, lines: list[str]) -> list[Spans]:
        from tpy.modal.ui.languages import lexer_class

        if len(lines) > AHEAD * 3 or sum(map(len, lines)) > LINE_MAX:
            return []
        found = lexer_class(language)
        if found is None:
            return []
        try:
            with alarm(STUCK):
                return line_spans(found().get_tokens_unprocessed("\n".join(lines) + "\n"), len(lines))
        except (Stuck, RecursionError):
            return []
