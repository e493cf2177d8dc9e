"""Formatting text to `textwidth`: the operators `gq` and `gw` (`:help formatting`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tpy.modal.engine import comments
from tpy.modal.engine.comments import Leader
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import BLANKS, Style, style_of
from tpy.modal.engine.joining import join, joints
from tpy.modal.engine.pen import Pen
from tpy.modal.engine.wrapping import list_indent, text_width, wrap
from tpy.modal.registry import operator
from tpy.modal.text.position import Pos, Span, clamp, first_nonblank

_NO_PARAGRAPH = True
# So many lines are kept around the one that is formatted; Vim looks back for the start of a comment in 500.
_NEAR = 600


class Line:
    """What formatting asks of a line: its comment leader, and whether it belongs to no paragraph."""

    def __init__(self, text: str, style: Style, macros: str, *, with_comments: bool) -> None:
        self.leader = comments.leader(text, style.comments) if with_comments else comments.NO_LEADER
        flags = comments.parse(style.comments)[self.leader.part].flags if self.leader.length else ""
        rest = text[self.leader.length :]
        self.apart = not rest.strip(BLANKS) or "e" in flags or _is_macro(text, macros)


def macros_of(ctx: Context) -> str:
    """Return the macros that begin paragraphs and sections."""
    return ctx.text("paragraphs") + ctx.text("sections")


def begins_paragraph(lines: Sequence[str], line: int, style: Style, macros: str) -> bool:
    """Whether no paragraph goes on from the line before to this one, or this one belongs to none."""
    if line <= 0 or not lines[line - 1]:
        return True
    with_comments = "q" in style.formatoptions
    above, here = (Line(lines[at], style, macros, with_comments=with_comments) for at in (line - 1, line))
    if above.apart or here.apart or ("w" in style.formatoptions and lines[line - 1][-1] not in BLANKS):
        return True
    if "n" in style.formatoptions and list_indent(lines[line], style) > 0:
        return True
    return not comments.same(lines[line - 1], above.leader, lines[line], here.leader, style.comments)


def _is_macro(text: str, macros: str) -> bool:
    """Whether the line begins a paragraph or section by an nroff macro (`:help 'paragraphs'`)."""
    if text[:1] == "\f":
        return True
    if text[:1] != ".":
        return False
    names = [macros[at : at + 2].rstrip() for at in range(0, len(macros), 2)]
    return text[1:3].rstrip() in names and bool(text[1:3].rstrip())


class Formatter:
    """Formats lines of a pen; `kept` is a place that goes with its text."""

    def __init__(self, pen: Pen, width: int, macros: str, poll: Callable[[], None] = lambda: None) -> None:
        """`poll` is called for every line, so that formatting can be stopped."""
        self.pen = pen
        # The lines that are done and those that are still far away: the pen has few, so that changes are cheap.
        self.done: list[str] = []
        self.ahead = pen.lines[: _NEAR - 1 : -1]
        del pen.lines[_NEAR:]
        self.style = pen.style
        self.width = width
        self.macros = macros
        self.poll = poll
        self.options = pen.style.formatoptions
        self.second_indent = -1
        self.in_list = False

    def _look(self, line: int) -> Line:
        return Line(self.pen.lines[line], self.style, self.macros, with_comments="q" in self.options)

    def _ends_in_blank(self, line: int) -> bool:
        return self.pen.lines[line][-1:] in (" ", "\t") and bool(self.pen.lines[line])

    def format(self, first: int, count: int, *, one: bool = False) -> None:
        """Format `count` lines from `first` on, or `one` paragraph of them; the pen ends on the last of them."""
        pen, options = self.pen, self.options
        trailing = "w" in options
        apart = self._look(first - 1).apart if first > 0 else _NO_PARAGRAPH
        following = self._look(first)
        ends = apart or following.apart
        if not ends and trailing:
            ends = not self._ends_in_blank(first - 1)
        here = following
        pen.line = first - 1
        advance = fresh = begins = True
        long = False
        after_end = ends
        for left in range(count, 0, -1):
            self.poll()
            self._slide()
            if advance:
                pen.line += 1
                after_end = ends
                here = following
            starts_list = False
            at_last = left == 1 or pen.line == len(pen.lines) - 1
            if at_last:
                following = Line("", self.style, self.macros, with_comments=False)
            else:
                following = self._look(pen.line + 1)
                starts_list = "n" in options and list_indent(pen.lines[pen.line + 1], self.style) > 0
            advance = True
            ends = here.apart or following.apart or starts_list
            if not ends and trailing:
                ends = not self._ends_in_blank(pen.line)
            if here.apart:
                if one:
                    return
                continue
            if begins and ("2" in options or "n" in options) and after_end and pen.line < len(pen.lines) - 1:
                self._find_second_indent(here.leader, following.leader)
            if at_last or not self._same(pen.line, here.leader, following.leader):
                ends = True
            if ends or long:
                if fresh:
                    pen.set_indent(pen.indent())
                self._break()
                if one and ends:
                    return
                fresh = ends
                begins = begins or ends
                long = False
            if not ends:
                advance = False
                self._join_next(following.leader)
                begins = False
                long = len(pen.text) > 3 * self.width

    def _slide(self) -> None:
        """Have the lines near the pen in it and no others."""
        pen = self.pen
        if pen.line > 2 * _NEAR:
            cut = pen.line - _NEAR
            self.done += pen.lines[:cut]
            del pen.lines[:cut]
            pen.line -= cut
            pen.slide(cut)
        if self.ahead and len(pen.lines) - pen.line < 4:
            pen.lines += self.ahead[: -_NEAR - 1 : -1]
            del self.ahead[-_NEAR:]

    def _same(self, line: int, one: Leader, other: Leader) -> bool:
        lines = self.pen.lines
        return comments.same(lines[line], one, lines[line + 1], other, self.style.comments)

    def _find_second_indent(self, here: Leader, following: Leader) -> None:
        pen = self.pen
        below = pen.lines[pen.line + 1]
        plain = here.length == 0 and following.length == 0
        if "2" in self.options and below:
            if plain:
                self.second_indent = len(below[: len(below) - len(below.lstrip(BLANKS))].expandtabs(pen.tabstop))
            else:
                self.second_indent, self.in_list = following.length, True
        elif "n" in self.options:
            self.second_indent = list_indent(pen.text, self.style)
            self.in_list = self.in_list or not plain

    def _break(self) -> None:
        """Break the paragraph that was joined into the pen's line."""
        pen = self.pen
        pen.col = max(len(pen.text.rstrip()) - 1, 0)
        pen.reset_flags()
        wrap(
            pen,
            self.width,
            formatting=True,
            in_comments="q" in self.options,
            second_indent=self.second_indent,
            comment_list=self.in_list and "q" in self.options,
        )
        self.second_indent = -1

    def _join_next(self, leader: Leader) -> None:
        """Join the next line to the pen's, without its comment leader."""
        pen = self.pen
        line = pen.line
        below = pen.lines[line + 1]
        cut = leader.length
        if not cut and self.second_indent > 0:
            cut = len(below) - len(below.lstrip(BLANKS))
        both = [pen.text, below[cut:]]
        joined = join(both, self.style, spaces=True)
        (joint,) = joints(line, both, joined)
        pen.carry(lambda pos: Pos(line, joint.column(max(pos.col - cut, 0))) if pos.line == line + 1 else pos)
        pen.changed = Pos(line + 1, 0)
        pen.replace(line, line + 2, [joined.text])
        pen.changed = None


def format_lines(
    ctx: Context, first: int, last: int, kept: Pos | None = None, width: int | None = None, *, one: bool = False
) -> tuple[int, Pos | None]:
    """Format the lines `first` to `last`, or `one` paragraph of them, as one change.

    Returns the last line afterwards, and where the place `kept` went with its text. `width` instead of 'textwidth'.
    """
    style = style_of(ctx.editor, ctx.window)
    before = 1 if first > 0 else 0
    lines = ctx.lines[first - before : last + 2]
    pen = Pen(lines, style)
    marks = [pos for pos in ctx.buffer.marks.places() if first <= pos.line <= last]
    pen.kept, pen.places = kept, marks[:]
    pen.carry(lambda pos: Pos(pos.line - first + before, pos.col))
    if width is None:
        width = text_width(style, ctx.window.width, formatting=True)
    progress, turn = ctx.editor.progress, 0

    def _tell() -> None:
        nonlocal turn
        turn += 1
        progress.at(turn, last - first + 1)

    formatter = Formatter(pen, width, macros_of(ctx), _tell)
    with progress.of("Formatting"):
        formatter.format(before, last - first + 1, one=one)
    new = [*formatter.done, *pen.lines, *reversed(formatter.ahead)]
    beyond = 1 if last + 1 < len(ctx.lines) else 0
    shift = first - before + len(formatter.done)
    pen.carry(lambda pos: Pos(pos.line + shift, pos.col))
    if pen.last_change is None:
        ctx.buffer.save_line(first, last - first + 1)
    else:
        went = dict(zip(marks, pen.places, strict=True))
        changed = Pos(pen.last_change.line + shift, pen.last_change.col)
        text = new[before : len(new) - beyond]
        ctx.buffer.replace(first, last + 1, text, moves=lambda pos: went.get(pos, pos), changed=changed)
    return pen.line + shift, pen.kept


@operator("format", line=True)
def format_operator(ctx: Context, span: Span) -> None:
    """Format the lines to 'textwidth' and go to the last of them."""
    first, last = span.start.line, span.end.line
    ctx.cursor = ctx.origin
    end, _ = format_lines(ctx, first, last)
    if ctx.shortened and end + 1 < len(ctx.lines):
        end += 1
    ctx.cursor = Pos(end, first_nonblank(ctx.lines[end]))
    ctx.buffer.marks.set_changed(Pos(first, span.start.col), ctx.cursor)


@operator("format-keep", line=True)
def format_keep(ctx: Context, span: Span) -> None:
    """Format the lines to 'textwidth'; the cursor stays on its character."""
    first, last = span.start.line, span.end.line
    ctx.cursor = ctx.origin
    end, moved = format_lines(ctx, first, last, ctx.origin)
    ctx.buffer.marks.set_changed(Pos(first, span.start.col), Pos(end, first_nonblank(ctx.lines[end])))
    ctx.cursor = clamp(moved or ctx.origin, ctx.lines)
