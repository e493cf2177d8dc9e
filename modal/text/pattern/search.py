"""Searching through a buffer, forwards and backwards, as `/ ? n N` do, and through a range as `:s` does.

Lives here: `search`, `find_all`, `matches_to_replace`, `split_pattern`. Not here: matching, offsets such as
`/x/e+1` (the engine). Source: `:help /`, `:help cpo-c`: a search goes on at the end of a match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from tpy.modal.text.chars import is_combining
from tpy.modal.text.pattern.collection import find_end
from tpy.modal.text.pattern.compiled import Match, Pattern
from tpy.modal.text.pattern.context import PatternContext

_NO_CONTEXT = PatternContext()


def after(text: str, col: int) -> int:
    """Return the column of the character after the one at `col`, over its combining characters."""
    col += 1
    while col < len(text) and is_combining(text[col]):
        col += 1
    return col


def matches_in_line(
    lines: Sequence[str], pattern: Pattern, line: int, ctx: PatternContext = _NO_CONTEXT
) -> Iterator[Match]:
    """Yield the matches found from one line, each search beginning where the last match ended.

    This is how `/` goes through a line; a match that ends in a later line is the last one.
    """
    text = lines[line]
    col = 0
    while (match := pattern.search_line(lines, line, col, ctx)) is not None:
        yield match
        if match.end[0] > line or match.start[0] > line:
            return
        col = match.end[1]
        if match.empty and col < len(text):
            col = after(text, col)
        if col >= len(text):
            return


def find_all(lines: Sequence[str], pattern: Pattern, line: int, ctx: PatternContext = _NO_CONTEXT) -> Iterator[Match]:
    """Yield every match that begins in one line, as `hlsearch` shows them: also an empty one at its end."""
    for match in matches_to_replace(lines, pattern, line, line, every=True, ctx=ctx):
        if match.start[0] > line:
            return
        yield match


class _Joined(Sequence[str]):
    """Lines of which one reads differently: a line that a replacement before has joined to what it is now."""

    def __init__(self, lines: Sequence[str], at: int, text: str) -> None:
        self.lines, self.at, self.text = lines, at, text

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, key: int) -> str: ...
    @overload
    def __getitem__(self, key: slice) -> Sequence[str]: ...
    def __getitem__(self, key: int | slice) -> str | Sequence[str]:
        if isinstance(key, slice):
            return [self[index] for index in range(*key.indices(len(self.lines)))]
        return self.text if key == self.at else self.lines[key]


def matches_to_replace(
    lines: Sequence[str],
    pattern: Pattern,
    first: int,
    last: int,
    *,
    every: bool = False,
    replaced: Callable[[], str] | None = None,
    ctx: PatternContext = _NO_CONTEXT,
) -> Iterator[Match]:
    """Yield what `:{first},{last}s/x/y/` replaces, in order and apart; `every` is its flag `g`.

    All of it is found in the lines as they are: do not change them meanwhile. Behind a match that joins
    lines the search goes on in the joined rest also without `g`, and an empty match right behind another
    does not count, both as in Vim. `replaced` tells what was put in place of the match yielded last, so that
    the joined line is searched as it is then. A match may start behind `last` (`\\n\\zs`).
    """
    line = first
    for candidate in pattern.candidates(lines, first, min(last + 1, len(lines)), ctx=ctx):
        ctx.check()
        if candidate >= line:
            walk = _Walk(lines, pattern, last, every, replaced, ctx)
            yield from walk.line(candidate)
            line = walk.next


class _Walk:
    """The matches that begin in one line or in what they join to it; `next` is the line to go on with."""

    def __init__(
        self,
        lines: Sequence[str],
        pattern: Pattern,
        last: int,
        every: bool,
        replaced: Callable[[], str] | None,
        ctx: PatternContext,
    ) -> None:
        self.lines = self.view = lines
        self.pattern, self.last, self.every = pattern, last, every
        self.replaced, self.ctx = replaced, ctx
        self.next = 0
        self.joined, self.added = -1, 0
        self.head = ""

    def real(self, match: Match) -> Match:
        """Return a match of the view as it is in the lines."""
        return match._replace(start=self.place(match.start), end=self.place(match.end))

    def place(self, place: tuple[int, int]) -> tuple[int, int]:
        """Return a place of the view in the lines."""
        return (place[0], place[1] - self.added) if place[0] == self.joined else place

    def put(self, match: Match, col: int) -> None:
        """Note what stands before the end of a match now; a match over lines joins the last to that."""
        if self.replaced is None:
            return
        start, end = match.start, match.end
        self.head += self.view[start[0]][col : start[1]] + self.replaced()
        self.head = self.head[self.head.rfind("\n") + 1 :]
        if end[0] > start[0] and end[0] < len(self.lines):
            self.joined, self.added = end[0], len(self.head) - end[1]
            self.view = _Joined(self.lines, end[0], self.head + self.lines[end[0]][end[1] :])

    def line(self, line: int) -> Iterator[Match]:
        """Yield the matches from a line on."""
        match = self.pattern.search_line(self.view, line, 0, self.ctx)
        place, col, behind = line, 0, -1
        while match is not None:
            start = match.start[0]
            if start >= len(self.lines):
                place = start
                break
            ahead, spans = start - place, match.end[0] - start
            again = self.every
            if ahead:
                self.head, col = "", 0
            place = start
            if col == behind and not spans and not ahead and col == match.end[1]:
                done = col >= len(self.view[place])
                col = min(after(self.view[place], col), len(self.view[place]))
            else:
                yield self.real(match)
                done = match.end[0] >= len(self.lines)
                self.put(match, max(behind, 0) if not ahead else 0)
                place, col = match.end
                if spans:
                    again = place <= self.last
                    if place == self.joined:
                        col = len(self.head)
                behind = col
            at_end = not done and not spans and not self.pattern.seeks_break and col >= len(self.view[place])
            if done or at_end or start > self.last or not again:
                place = max(place - ahead, line) if not spans else place
                break
            match = self.pattern.search_line(self.view, place, col, self.ctx)
        self.next = place + 1


def search(
    lines: Sequence[str],
    pattern: Pattern,
    start: tuple[int, int],
    *,
    forward: bool = True,
    wrap: bool = True,
    accept_at_cursor: bool = False,
    at_end: bool = False,
    ctx: PatternContext = _NO_CONTEXT,
) -> tuple[Match, bool] | None:
    """Find the next match from `start` (line, col); return it and whether the search wrapped.

    `accept_at_cursor` takes a match that begins at `start`. `at_end` compares by the last character of
    the match, for the offset `e`. Raises SearchStopped. A match may lie behind the last line: see Match.
    """
    line, col = start
    count = len(lines)
    step = max(after(lines[line], col) - col, 1) if col < len(lines[line]) else 1
    if forward:
        limit = col + (0 if accept_at_cursor else step)
        first = _forward_in_first(lines, pattern, line, limit, at_end, ctx)
        rest, again = (line + 1, count), (0, line + 1)
    else:
        limit = col + (step if accept_at_cursor else 0)
        before = (line, limit)
        first = _last_before(lines, pattern, line, before, at_end, ctx)
        rest, again = (0, line), (line, count)
        if col == 0 and not accept_at_cursor:
            first = None
    if first is not None:
        return first, False
    for wrapped, (low, high) in ((False, rest), (True, again)):
        if wrapped and not wrap:
            break
        for number in pattern.candidates(lines, low, high, backward=not forward, ctx=ctx):
            ctx.check()
            if forward:
                found = pattern.search_line(lines, number, 0, ctx)
            else:
                found = _last_before(lines, pattern, number, None if wrapped else before, at_end, ctx)
            if found is not None:
                return found, wrapped
    return None


def _forward_in_first(
    lines: Sequence[str], pattern: Pattern, line: int, limit: int, at_end: bool, ctx: PatternContext
) -> Match | None:
    """Return the first match of the cursor's line that lies at `limit` or later."""
    for match in matches_in_line(lines, pattern, line, ctx):
        if match.start[0] > line:
            return match
        if at_end:
            below, col = match.end
            if (below, col) == (line + 1, 0):
                # The line break is what the match ends with: its place is behind the line.
                below, col = line, len(lines[line]) + 1
            if below > line or col - 1 >= limit:
                return match
        # The cursor is put on the last character for a match behind it: compare with that place.
        # An empty line under the cursor counts where the cursor's place does.
        elif match.start[1] - (match.start[1] >= len(lines[line])) >= limit or (limit, match.end) == (0, (line, 0)):
            return match
    return None


def _last_before(
    lines: Sequence[str],
    pattern: Pattern,
    line: int,
    before: tuple[int, int] | None,
    at_end: bool,
    ctx: PatternContext,
) -> Match | None:
    """Return the last match of a line that begins (with `at_end`: ends) before a place, None: any."""
    best = None
    for match in matches_in_line(lines, pattern, line, ctx):
        place = (match.end[0], match.end[1] - 1) if at_end else match.start
        if before is not None and place >= before:
            break
        best = match
    return best


def split_pattern(text: str, delimiter: str, magic: bool = True) -> tuple[str, str | None]:
    """Split `pattern/rest` at the first delimiter that is not escaped and not in `[]`.

    Returns the pattern and what follows the delimiter, None when it is missing. An escaped `?` loses its
    backslash when it is the delimiter, as in Vim.
    """
    at, out, very = 0, 0, magic
    parts: list[str] = []
    while at < len(text):
        char = text[at]
        if char == delimiter:
            break
        if text.startswith("[" if very else "\\[", at):
            inside = at + (1 if very else 2)
            end = find_end(text, inside)
            at = len(text) if end < 0 else end  # without its end it takes everything, as in Vim
        elif char == "\\" and at + 1 < len(text):
            if delimiter == "?" and text[at + 1] == "?":
                parts.append(text[out:at])
                out = at + 1
            at += 1
            if text[at] in "vmMV":
                very = text[at] in "vm"
        at += 1
    at = min(at, len(text))
    parts.append(text[out:at])
    return "".join(parts), text[at + 1 :] if at < len(text) else None
