"""Joining lines: `J`, `gJ`, `:join`, and what formatting joins (`:help J`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from tpy.modal.engine import comments
from tpy.modal.engine.context import Context
from tpy.modal.engine.indentation import BLANKS, Style, style_of
from tpy.modal.registry import CommandFailed, action, operator
from tpy.modal.text.marks import Joint
from tpy.modal.text.position import Pos, Span


class Joined(NamedTuple):
    """Lines made one: the text, where each line begins in it, and how much was cut from the start of each."""

    text: str
    starts: tuple[int, ...]
    cut: tuple[int, ...]
    # Where the last line was joined: before the blanks put in there.
    seam: int


def join(
    lines: Sequence[str],
    style: Style,
    *,
    spaces: bool,
    uncomment: bool = False,
    poll: Callable[[int], None] = lambda turn: None,
) -> Joined:
    """Return the lines as one. `spaces`: indents go and blanks come between, as `J` does it.

    `uncomment`: comment leaders go too, as `formatoptions` with `j` has it.
    """
    text = ""
    parts: list[str] = []
    starts, cut = [], []
    length = seam = 0
    last = before = ""
    was_comment = False
    for index, line in enumerate(lines):
        poll(index)
        skip = 0
        if uncomment:
            skip, was_comment = comments.skip_leader(
                line, style.comments, process=index > 0 and was_comment, blanks=spaces
            )
        if spaces and index > 0:
            skip += len(line[skip:]) - len(line[skip:].lstrip(BLANKS))
        piece = line[skip:]
        gap = ""
        if spaces and index > 0 and piece and piece[0] != ")" and length and last != "\t":
            if last == " ":
                last = before
            else:
                gap = " "
            if style.joinspaces and last in (".", "?", "!"):
                gap += " "
        seam = length
        parts.append(gap + piece)
        length += len(gap)
        starts.append(length)
        cut.append(skip)
        length += len(piece)
        if piece:
            last, before = piece[-1], piece[-2:-1]
        else:
            last = before = ""
    text = "".join(parts)
    return Joined(text, tuple(starts), tuple(cut), seam)


def join_lines(ctx: Context, first: int, count: int, *, spaces: bool) -> None:
    """Join `count` lines from `first` on, with the cursor where the last two meet. Raises `CommandFailed`."""
    lines = ctx.lines[first : first + count]
    style = style_of(ctx.editor, ctx.window)
    joined = join(lines, style, spaces=spaces, uncomment="j" in style.formatoptions, poll=ctx.engine.poll)
    # Only the marks go by these, and by which is the last.
    marked = {pos.line - first for pos in ctx.buffer.marks.places()} | {len(lines) - 1}
    ctx.buffer.replace(first, first + len(lines), [joined.text], joints=joints(first, lines, joined, marked))
    ctx.buffer.marks.set_changed(Pos(first, len(lines[0])), Pos(first, len(joined.text)))
    # To Vim the lines that went are what was changed last, be there others in their place or not.
    ctx.buffer.marks.add_change(Pos(first, len(lines[0])))
    ctx.buffer.marks.add_change(Pos(first + 1, 0))
    ctx.cursor = Pos(first, joined.seam)
    ctx.window.want = None


def joints(first: int, lines: Sequence[str], joined: Joined, which: Collection[int] | None = None) -> list[Joint]:
    """Return how the lines behind the first come to lie in the joined one, all or those of the numbers `which`."""
    found = []
    for index in range(1, len(lines)) if which is None else sorted(which):
        if 0 < index < len(lines):
            start, cut = joined.starts[index], joined.cut[index]
            end = joined.starts[index - 1] + len(lines[index - 1]) - joined.cut[index - 1]
            found.append(Joint(first + index, start - cut, cut - (start - end)))
    return found


def _join_count(ctx: Context, *, spaces: bool) -> None:
    count = max(ctx.count, 2)
    first = ctx.cursor.line
    if first + count > len(ctx.lines):
        # As many as there are may be asked for with any count, but not fewer than two (`:help J`).
        if count <= 2:
            ctx.engine.repeat.cancel()
            raise CommandFailed
        count = len(ctx.lines) - first
        ctx.engine.repeat.recount(count)
    join_lines(ctx, first, count, spaces=spaces)


@action("join", dot=True, modifies=True)
def join_action(ctx: Context) -> None:
    """Join `count` lines, at least two, with a blank between them."""
    _join_count(ctx, spaces=True)


@action("join-plain", dot=True, modifies=True)
def join_plain(ctx: Context) -> None:
    """Join `count` lines, at least two, as they are."""
    _join_count(ctx, spaces=False)


def _join_span(ctx: Context, span: Span, *, spaces: bool) -> None:
    count = max(span.line_count, 2)
    if span.start.line + count > len(ctx.lines):
        # The cursor stays where the selection began, behind the end of the line too.
        ctx.engine.behind_end = ctx.cursor
        raise CommandFailed
    join_lines(ctx, span.start.line, count, spaces=spaces)
    from tpy.modal.engine.autoformat import auto_format  # which joins lines itself

    auto_format(ctx)


@operator("join-selected", line=True)
def join_selected(ctx: Context, span: Span) -> None:
    """Join the lines with a blank between them."""
    _join_span(ctx, span, spaces=True)


@operator("join-selected-plain", line=True)
def join_selected_plain(ctx: Context, span: Span) -> None:
    """Join the lines as they are."""
    _join_span(ctx, span, spaces=False)
