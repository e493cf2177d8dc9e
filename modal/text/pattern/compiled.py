"""A compiled pattern: finding matches in and from one line.

Lives here: `compile_pattern`, `Pattern`, `Match`, the choice between `re` and our own matcher.
Not here: searching through a buffer (`search.py`), replacing (`replacement.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tpy.modal.text import chars
from tpy.modal.text.pattern.collection import CharOptions
from tpy.modal.text.pattern.context import PatternContext
from tpy.modal.text.pattern.cost import Analysis
from tpy.modal.text.pattern.machine import Machine
from tpy.modal.text.pattern.nodes import (
    Alt,
    Any,
    At,
    Atomic,
    Char,
    Group,
    Look,
    Newline,
    Node,
    PatternError,
    Repeat,
    Seq,
    Set,
    Tree,
)
from tpy.modal.text.pattern.parse import parse
from tpy.modal.text.pattern.places import line_range
from tpy.modal.text.pattern.program import Compiler, Program
from tpy.modal.text.pattern.runs import leading_run
from tpy.modal.text.pattern.translate import Translator, Untranslatable
from tpy.modal.text.pattern.window import Window

_STEPS = 5e7
"""What `re` may be asked to do in the worst case: about half a second."""
_MOST_BREAKS = 50
_MOST_STEPS = 60_000
"""The longest program our own matcher gets."""
_CHUNK = 1024
_CHUNK_STEPS = 5e4
"""The same for each of the lines that are searched at once."""
_NO_CONTEXT = PatternContext()


class Match(NamedTuple):
    """Where a pattern matched, `\\zs` and `\\ze` respected: 0-based, `end` exclusive.

    An end of (number of lines, 0) means the match took the break of the last line. `groups[0]` is the
    whole text, `groups[1]` to `groups[9]` the groups, None when unset; line breaks in them are `\\n`.
    """

    start: tuple[int, int]
    end: tuple[int, int]
    groups: tuple[str | None, ...]

    @property
    def empty(self) -> bool:
        """Say whether nothing was matched."""
        return self.start == self.end


def _children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, Seq):
        return node.items
    if isinstance(node, Alt):
        return node.branches
    return (node.node,) if isinstance(node, Group | Repeat | Look | Atomic) else ()


def _behind_depth(node: Node) -> int:
    """Return how many lines up look-behinds may reach: one for each level of nesting."""
    inner = max(map(_behind_depth, _children(node)), default=0)
    return inner + (isinstance(node, Look) and node.behind)


def _seeks_break(node: Node) -> bool:
    if isinstance(node, Newline) or (isinstance(node, Any | Set) and node.newline):
        return not (isinstance(node, Set) and node.fold)
    return any(map(_seeks_break, _children(node)))


def _anchored(node: Node) -> bool:
    """Say whether a match can only begin where a line begins."""
    if isinstance(node, Seq) and node.items:
        return _anchored(node.items[0])
    if isinstance(node, Alt):
        return all(map(_anchored, node.branches))
    if isinstance(node, Group):
        return _anchored(node.node)
    return isinstance(node, At) and node.kind in ("bol", "bof")


def _certain_places(node: Node, analysis: Analysis) -> list[At]:
    """Return the places every match must hold in the line it begins in."""
    if isinstance(node, Group | Atomic):
        return _certain_places(node.node, analysis)
    if isinstance(node, At):
        return [node]
    found: list[At] = []
    for item in node.items if isinstance(node, Seq) else ():
        found += _certain_places(item, analysis)
        if analysis.breaks(item) != 0:
            break
    return found


def _required(node: Node) -> str:
    """Return the longest text that every match holds, as it is written in the pattern; often empty."""
    if isinstance(node, Group | Atomic) or (isinstance(node, Repeat) and node.low):
        return _required(node.node)
    if isinstance(node, Char):
        return node.char
    best = run = ""
    for item in node.items if isinstance(node, Seq) else ():
        run = run + item.char if isinstance(item, Char) else ""
        best = max(best, run, "" if isinstance(item, Char) else _required(item), key=len)
        if isinstance(item, Char) and item.marks:
            run = ""
    return best


class Pattern:
    """A pattern ready to match; made by `compile_pattern`. Immutable but for what it builds lazily.

    Raises PatternError (E363) for one that is too large; matching then raises nothing but SearchStopped.
    """

    def __init__(self, text: str, tree: Tree, fold: bool, keyword: frozenset[int]) -> None:
        self.text = text
        self.fold = fold
        self._tree = tree
        self._keyword = keyword
        analysis = Analysis(fold)
        if analysis.size(tree.node) > _MOST_STEPS:
            raise PatternError("E363: Pattern uses more memory than 'maxmempattern'")
        self._breaks = analysis.breaks(tree.node)
        self._cost = analysis.whole(tree.node)
        self._anchored = _anchored(tree.node)
        self._places = _certain_places(tree.node, analysis)
        self._above = _behind_depth(tree.node)
        self._required = "" if fold or tree.ignore_marks else _required(tree.node)
        self._first = None if analysis.nullable(tree.node) else analysis.first(tree.node, ())
        self._run = leading_run(tree.node, analysis) if self._breaks == 0 else None

    @property
    def multiline(self) -> bool:
        """Say whether a match may cross a line break."""
        return self._breaks != 0

    @cached_property
    def seeks_break(self) -> bool:
        """Say whether a line break is written outside a collection: `:s///g` then tries the end of a line too."""
        return _seeks_break(self._tree.node)

    @cached_property
    def _ascii_regex(self) -> re.Pattern[str] | None:
        return self._translate(True)

    @cached_property
    def _full_regex(self) -> re.Pattern[str] | None:
        return self._translate(False)

    @cached_property
    def _ascii_runs(self) -> re.Pattern[str] | None:
        return self._translate(True, self._run)

    @cached_property
    def _full_runs(self) -> re.Pattern[str] | None:
        return self._translate(False, self._run)

    def _translate(self, ascii_only: bool, run: Repeat | None = None) -> re.Pattern[str] | None:
        """Return what finds the pattern; with `run` only at the beginnings of such runs."""
        if self._breaks is None or self._breaks > _MOST_BREAKS or self._cost.endless:
            return None
        node = self._tree.node if run is None else Seq((Look(run.node, True, True), self._tree.node))
        try:
            return Translator(self._keyword, self.fold, ascii_only).compile(node)
        except Untranslatable:
            return None

    @cached_property
    def _plain_program(self) -> Program:
        return Compiler(self._keyword, self.fold, False, self._tree.ignore_marks).program(self._tree.node)

    @cached_property
    def _marks_program(self) -> Program:
        return Compiler(self._keyword, self.fold, True, self._tree.ignore_marks).program(self._tree.node)

    @cached_property
    def _first_search(self) -> re.Pattern[str] | None:
        """Return a pattern for the characters a match can begin with, to skip quickly to them."""
        if self._first is None:
            return None
        return re.compile(f"[{chars.class_body(self._first)}]")  # both cases are in the set already

    def search_line(
        self, lines: Sequence[str], line: int, start_col: int = 0, ctx: PatternContext = _NO_CONTEXT
    ) -> Match | None:
        """Return the first match that begins in the line at `start_col` or later, before `\\zs`.

        Raises SearchStopped when the context says so.
        """
        return self._find(lines, line, start_col, ctx, False)

    def match_at(self, lines: Sequence[str], line: int, col: int, ctx: PatternContext = _NO_CONTEXT) -> Match | None:
        """Return the match that begins exactly at a place (before `\\zs`)."""
        return self._find(lines, line, col, ctx, True)

    def candidates(
        self,
        lines: Sequence[str],
        first: int,
        last: int,
        *,
        backward: bool = False,
        ctx: PatternContext | None = None,
    ) -> Iterator[int]:
        """Yield the lines from `first` to before `last` where a match may begin; skips the others quickly.

        The lines must not change meanwhile. `backward` goes from the end. With a context, lines where
        `\\%23l` and kin cannot hold are skipped too.
        """
        for place in self._places if ctx is not None else ():
            low, high = line_range(place, len(lines), ctx or _NO_CONTEXT)
            first, last = max(first, low), min(last, high)
        if self._breaks != 0 and self._required and last - first > _CHUNK:
            # Behind the last line that holds this text nothing can match.
            ends = (line for line in range(len(lines) - 1, first - 1, -1) if self._required in lines[line])
            last = min(last, next(ends, first - 1) + 1)
        starts = range(first, last, _CHUNK)
        for start in reversed(starts) if backward else starts:
            stop = min(start + _CHUNK, last)
            skipping = self._chunk_regex(lines[start:stop])
            if skipping is None:
                yield from reversed(range(start, stop)) if backward else range(start, stop)
                continue
            regex, text = skipping
            if backward:
                if regex.search(text) is not None:
                    yield from reversed(range(start, stop))
                continue
            yield from _lines_found(regex, text, start)

    def lines_with_match(self, lines: Sequence[str], first: int, last: int, ctx: PatternContext) -> Iterator[int]:
        """Yield the lines from `first` to before `last` where a match begins. Raises SearchStopped."""
        size = _CHUNK if self._breaks == 0 else max(last - first, 1)
        for start in range(first, last, size):
            ctx.check()
            stop = min(start + size, last)
            together = self._chunk_regex(lines[start:stop]) if self._breaks == 0 else None
            if together is not None:
                yield from _lines_found(*together, start)
                continue
            for line in self.candidates(lines, start, stop):
                if self.search_line(lines, line, 0, ctx) is not None:
                    yield line

    def together(self, chunk: Sequence[str]) -> tuple[re.Pattern[str], str] | None:
        """Return a regular expression and lines joined by line breaks in which it finds what the pattern finds.

        Its groups are `g1` to `g9`, `zs` and `ze`, where there are such. `None`: search line by line.
        """
        return self._chunk_regex(chunk)

    def _chunk_regex(self, chunk: Sequence[str]) -> tuple[re.Pattern[str], str] | None:
        """Return what can search some lines at once, and those lines joined; None when nothing can."""
        if self._breaks != 0 or self._ascii_regex is None:
            return None
        if self._cost.steps(max(map(len, chunk)), self._anchored) > _CHUNK_STEPS:
            # A long line counts for all: most of the time it is the only one.
            if sum(self._cost.steps(len(line), self._anchored) for line in chunk) > _STEPS:
                return None
        text = "\n".join(chunk)
        if text.isascii():
            return self._ascii_regex, text
        if self._full_regex is None or _MARKS().search(text):
            return None
        return self._full_regex, text

    def _find(self, lines: Sequence[str], line: int, col: int, ctx: PatternContext, exactly: bool) -> Match | None:
        if self._anchored and col:
            return None
        text = lines[line]
        if col > len(text):
            return None
        if self._breaks == 0:
            base = line
        else:
            if self._breaks is not None:
                text = "\n".join(lines[line : line + self._breaks + 1])
                if line + self._breaks + 1 >= len(lines):
                    text += "\n"
            base = line
        marks = not text.isascii() and _MARKS().search(text) is not None
        regex = runs = None
        if not marks and self._cost.steps(len(text), self._anchored) <= _STEPS:
            regex = self._ascii_regex if text.isascii() else self._full_regex
        elif not marks and self._run is not None and self._cost.factor * len(text) <= _STEPS:
            regex = self._ascii_regex if text.isascii() else self._full_regex
            runs = self._ascii_runs if text.isascii() else self._full_runs
        if regex is None:
            if self._breaks == 0 and self._required not in text:
                return None
            return self._match_slowly(lines, line, col, ctx, exactly, marks)
        ctx.check()
        found = regex.match(text, col) if exactly or runs is not None else regex.search(text, col)
        if found is None and runs is not None and not exactly:
            found = runs.search(text, col + 1)
        if found is None or found.start() > len(lines[line]):
            return None
        return self._from_regex(found, text, base, lines)

    def _from_regex(self, found: re.Match[str], text: str, line: int, lines: Sequence[str]) -> Match:
        names = found.re.groupindex
        start, end = found.span()
        if "zs" in names and found.start("zs") >= 0:
            start = found.start("zs")
        if "ze" in names and found.start("ze") >= 0:
            end = found.start("ze")
        end = max(start, end)
        groups = tuple(found.group(f"g{n}") if f"g{n}" in names else None for n in range(1, 10))
        whole = (text[start:end], *groups)
        if self._breaks == 0:
            return Match((line, start), (line, end), whole)
        return Match(_locate(text, start, line), _locate(text, end, line), whole)

    def _match_slowly(
        self, lines: Sequence[str], line: int, col: int, ctx: PatternContext, exactly: bool, marks: bool
    ) -> Match | None:
        first = max(line - self._above, 0)
        window = Window(lines, first, line - first + 1)
        if self._breaks is None:  # what lines further down hold is not known
            marks = True
        machine = Machine(self._marks_program if marks else self._plain_program, window, ctx)
        base = window.offset(line, 0)
        last = base + len(lines[line])
        start = base + col
        while start <= last:
            if not exactly and self._first_search is not None:
                found = self._first_search.search(window.text, start)
                if found is None or found.start() > last:
                    return None
                start = found.start()
            if not (marks and start > base + col and chars.is_combining(window.text[start])):
                end = machine.match(start)
                if end >= 0:
                    return self._from_machine(machine, start, end)
            if exactly or self._anchored:
                return None
            start += 1
        return None

    @staticmethod
    def _from_machine(machine: Machine, start: int, end: int) -> Match:
        slots, window = machine.slots, machine.window
        if slots[0] >= 0:
            start = slots[0]
        if slots[1] >= 0:
            end = slots[1]
        end = max(start, end)
        groups = tuple(
            window.text[slots[2 * n] : slots[2 * n + 1]] if slots[2 * n + 1] >= 0 else None for n in range(1, 10)
        )
        return Match(window.locate(start), window.locate(end), (window.text[start:end], *groups))


def _lines_found(regex: re.Pattern[str], text: str, line: int) -> Iterator[int]:
    """Yield the lines of a joined text, the first of which is `line`, in which something is found."""
    at = 0
    while (found := regex.search(text, at)) is not None:
        line += text.count("\n", at, found.start())
        yield line
        at = text.find("\n", found.start()) + 1
        line += 1
        if not at:
            break


def _locate(text: str, offset: int, line: int) -> tuple[int, int]:
    """Return (line, column) of an offset in lines that were joined from `line` on."""
    last = text.rfind("\n", 0, offset)
    return (line, offset) if last < 0 else (line + text.count("\n", 0, offset), offset - last - 1)


@lru_cache(maxsize=1)
def _MARKS() -> re.Pattern[str]:
    return re.compile(f"[{chars.class_body(chars.combining())}]")


@lru_cache(maxsize=256)
def compile_pattern(
    text: str,
    *,
    ignorecase: bool = False,
    smartcase: bool = False,
    magic: bool = True,
    last_substitute: str | None = None,
    options: CharOptions = CharOptions(),  # noqa: B008  an immutable value
) -> Pattern:
    """Compile a Vim pattern. `last_substitute` is what `~` stands for, None when there is none yet.

    Raises PatternError with Vim's message, such as `E55: Unmatched \\)`.
    """
    tree = parse(text, magic, last_substitute, options)
    fold = tree.fold
    if fold is None:
        fold = ignorecase and not (smartcase and tree.has_upper)
    return Pattern(text, tree, fold, chars.parse_option(options.iskeyword))
