"""Syntax colours of buffers by Pygments: only near what is visible, in slices, never in the way of a key.

A `Colouring` follows one buffer. Its text is lexed from the top as far as it was shown; who jumps far away sees a
segment that is lexed from some lines above, and when all has been quiet for a while the text between is lexed, too,
in case that was wrong. Where states can't be recorded a stretch around the visible lines is lexed for itself. A lexer
that doesn't come back is stopped by an alarm and its buffer stays plain.

`Colours` has them all, and answers the renderer. Which lexer is `languages.py`'s matter, which colours `theme.py`'s.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.splice import Splice
from tpy.modal.ui.alarm import Stuck, alarm
from tpy.modal.ui.tokens import Spans, line_spans, shifted

if TYPE_CHECKING:
    from tpy.modal.ui.segment import Segment

# Lines lexed below what is visible; lines above where a segment begins, and where a stretch does after an edit.
AHEAD, ABOVE, ABOVE_EDITED = 60, 200, 40
# Fewer lexed lines than these below what is visible are work to do, so that who scrolls finds colours there.
NEAR = 25
# So many lines are lexed in quiet times to know whether a segment began rightly; beyond it stays as it is.
REACH = 30_000
# Seconds of processor time after which a lexer counts as stuck.
STUCK = 0.4
# Tokens between two looks at the clock; lines and characters of a piece of code that is coloured at once.
TOKENS, FENCE_LINES, FENCE_MAX = 64, 900, 20_000


class View(NamedTuple):
    """The lines of a buffer that a window shows, `bottom` included."""

    buffer: Buffer
    top: int
    bottom: int


class Colouring:
    """The colours of one buffer in one language. `work` is to be called while `pending`, `settle` in quiet times."""

    def __init__(self, buffer: Buffer, lexer_class: Any, clock: Callable[[], float] = time.monotonic) -> None:
        from tpy.modal.ui.recorder import recording, warm

        self._buffer = buffer
        self._clock = clock
        self._class = lexer_class
        self._recording = recording(lexer_class)
        self._warm: Iterator[bool] | None = warm(lexer_class)
        self._head: Segment | None = self._segment(0)
        self._local: Segment | None = None
        self._stretch: tuple[int, list[Spans], int] | None = None  # first line, spans, tick
        self._run: Iterator[bool] | None = None
        self._truth: Iterator[bool] | None = None
        self.failed = ""

    def _segment(self, base: int) -> Segment | None:
        from tpy.modal.ui.segment import Segment

        return Segment(self._buffer, self._recording, base) if self._recording is not None else None

    def spans(self, line: int) -> Spans:
        """The colours of a line as far as they are known; nothing is lexed."""
        head = self._head
        if head is not None and line < head.valid:  # what is asked most
            return head.rows[line - head.base]
        local, stretch = self._local, self._stretch
        if local is not None and local.base <= line < local.end:
            return local.spans(line)
        if head is not None and line < head.end:
            return head.spans(line)
        if stretch is not None and 0 <= line - stretch[0] < len(stretch[1]):
            return stretch[1][line - stretch[0]]
        return ()

    def changed(self, splice: Splice) -> None:
        """Follow a change of the buffer."""
        self._run = self._truth = None
        if self._stretch is not None:
            self._stretch = _spliced_stretch(self._stretch, splice)
        if self._head is not None:
            self._head.changed(splice)
        if self._local is not None:
            self._local.changed(splice)
            if self._local.dead:
                self._local = None

    # -- what is visible

    def _part(self, top: int) -> Segment | None:
        """The segment that shows, or is to show, lines from `top` on."""
        head, local = self._head, self._local
        if head is None or top - head.valid <= ABOVE:
            return head
        if local is not None and local.base <= top and top - local.valid <= ABOVE:
            return local
        return None

    def pending(self, top: int, bottom: int) -> bool:
        """Whether colours of these lines and a few below are not known to be right, so far as the lines above tell."""
        if self.failed:
            return False
        last = len(self._buffer.lines) - 1
        if self._head is None:
            return not self._stretch_covers(top, min(bottom, last))
        part = self._part(top)
        return part is None or part.valid <= min(bottom + NEAR, last)

    def known(self, top: int, bottom: int) -> bool:
        """Whether these lines have colours, if perhaps those of before an edit."""
        bottom = min(bottom, len(self._buffer.lines) - 1)
        if self.failed or self._head is None:
            return bool(self.failed) or self._stretch_covers(top, bottom, stale=True)
        part = self._part(top)
        return part is not None and bottom < part.end

    def work(self, top: int, bottom: int, deadline: float) -> bool:
        """Lex what is visible until the deadline; whether colours of visible lines have changed."""
        if not self.pending(top, bottom):
            return False
        bottom = min(bottom, len(self._buffer.lines) - 1)
        return self._guarded(top, bottom, lambda: self._lex(top, bottom, deadline))

    def _guarded(self, top: int, bottom: int, act: Callable[[], None]) -> bool:
        """Lex something within the limits; whether colours of the lines have changed."""
        from tpy.modal.ui.segment import TooLong

        before = [self.spans(line) for line in range(top, bottom + 1)]
        try:
            with alarm(STUCK):
                act()
        except Stuck:
            self._give_up(f"the {self._class.name} lexer takes too long")
        except TooLong as error:
            self._give_up(str(error))
        except Exception as error:  # a lexer's own mistake costs its colours, nothing else
            self._give_up(f"the {self._class.name} lexer fails with {type(error).__name__}")
        return before != [self.spans(line) for line in range(top, bottom + 1)]

    def _give_up(self, why: str) -> None:
        self.failed = f"no colours: {why}"
        self._head = self._local = self._stretch = self._run = self._truth = None

    def _lex(self, top: int, bottom: int, deadline: float) -> None:
        """Go on with what is being lexed, or begin what is most wanted, until the deadline."""
        while self.pending(top, bottom):
            if self._run is None:
                self._run = self._next_run(top, bottom)
            if not next(self._run, False):
                self._run = None
            if self._clock() > deadline:
                return

    def _next_run(self, top: int, bottom: int) -> Iterator[bool]:
        """What is to be lexed now."""
        if self._warm is not None:
            warming, self._warm = self._warm, None
            return warming
        if self._head is None:
            known = self._stretch_covers(top, bottom, stale=True)
            return self._lex_stretch(max(top - (ABOVE_EDITED if known else ABOVE), 0), bottom)
        part = self._part(top)
        if part is None:
            part = self._local = self._segment(max(top - ABOVE, 0))
            assert part is not None
        return part.lex(min(bottom + AHEAD, len(self._buffer.lines)))

    # -- in quiet times

    def unsettled(self) -> bool:
        """Whether a segment may have begun in the wrong states, and it can be found out."""
        head, local = self._head, self._local
        return head is not None and local is not None and local.base - head.valid <= REACH

    def settle(self, top: int, bottom: int, deadline: float) -> bool:
        """Lex towards the segment from the top; whether colours of visible lines have changed by what was found."""
        bottom = min(bottom, len(self._buffer.lines) - 1)
        return self.unsettled() and self._guarded(top, bottom, lambda: self._seek_truth(deadline))

    def _seek_truth(self, deadline: float) -> None:
        head, local = self._head, self._local
        assert head is not None
        assert local is not None
        while head.valid < local.base + 1:
            if self._truth is None:
                self._truth = head.lex(local.base + 1)
            if not next(self._truth, False):
                self._truth = None
            if self._clock() > deadline:
                return
        from tpy.modal.ui.recorder import ROOT

        if local.base < head.end and head.state(local.base) == ROOT and head.valid < local.valid:
            head.cut(local.base)
            head.append(local)
        self._local = self._run = self._truth = None

    # -- stretches

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
        from tpy.modal.ui.segment import check_lengths

        last = min(bottom + AHEAD, len(self._buffer.lines))
        part = self._buffer.lines[first : max(last, bottom + 1)]
        check_lengths(part)
        tick = self._buffer.tick
        tokens: list[tuple[int, Any, str]] = []
        for token in self._class().get_tokens_unprocessed("\n".join(part) + "\n"):
            tokens.append(token)
            if len(tokens) % TOKENS == 0:
                yield True
        self._stretch = (first, line_spans(tokens, len(part)), tick)


def _no_spans(line: int) -> Spans:
    return ()


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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._language = language
        self._note = note
        self._clock = clock
        self._colourings: dict[Buffer, tuple[str, Colouring | None]] = {}
        self._fences: dict[tuple[Buffer, int, str], tuple[list[str], list[Spans]]] = {}
        self._noted: set[Buffer] = set()

    def spans(self, buffer: Buffer, line: int) -> Spans:
        """The colours of a line as far as they are known."""
        return self.spans_of(buffer)(line)

    def spans_of(self, buffer: Buffer) -> Callable[[int], Spans]:
        """What gives the colours of the lines of a buffer, as far as they are known."""
        entry = self._colourings.get(buffer)
        return entry[1].spans if entry is not None and entry[1] is not None else _no_spans

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

    def unsettled(self, views: Sequence[View]) -> bool:
        """Whether there is work for quiet times."""
        entries = [self._colourings.get(view.buffer) for view in views]
        return any(entry is not None and entry[1] is not None and entry[1].unsettled() for entry in entries)

    def settle(self, views: Sequence[View], deadline: float) -> bool:
        """Do some of it until the deadline; whether something visible looks different now."""
        changed = False
        for view in views:
            entry = self._colourings.get(view.buffer)
            if entry is not None and entry[1] is not None:
                changed |= entry[1].settle(view.top, view.bottom, deadline)
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

        if len(lines) > FENCE_LINES or sum(map(len, lines)) > FENCE_MAX:
            return []
        found = lexer_class(language)
        if found is None:
            return []
        try:
            with alarm(STUCK):
                return line_spans(found().get_tokens_unprocessed("\n".join(lines) + "\n"), len(lines))
        except (Stuck, RecursionError):
            return []
