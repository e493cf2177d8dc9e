"""Going through a conversation: motions from item to item, text objects, the request under the cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.agent.conversation import Conversation, Item
from tpy.modal.agent.lines import HUNK
from tpy.modal.agent.permission import Request
from tpy.modal.agent.regions import FENCED, FURNITURE, region_at
from tpy.modal.engine.context import Context, Target
from tpy.modal.registry import CommandFailed, motion, textobject
from tpy.modal.text.position import LINE, Pos
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk

Test = Callable[[Item], bool]


def conversation_of(ctx: Context) -> Conversation:
    """Return the conversation in the window. Raises `CommandFailed` where it shows something else."""
    found = ctx.buffer.extra.get("conversation")
    if not isinstance(found, Conversation):
        raise CommandFailed
    return found


def request_here(talk: Talk, window: Window) -> Request | None:
    """Return the open request whose block the user has gone to, `None` elsewhere."""
    if window.buffer is not talk.buffer:
        return None
    item = talk.conversation.item_at(window.cursor.line)
    if item is None or not item.open or window.cursor.line < talk.conversation.first(item):
        return None
    request = item.data
    if not isinstance(request, Request) or (window, window.cursor) in request.parked:
        return None
    return request


def _prompts(item: Item) -> bool:
    return item.kind == "user"


def _messages(item: Item) -> bool:
    return item.kind in ("user", "agent", "thought")


def _tools(item: Item) -> bool:
    return item.kind == "tool"


def _failures(item: Item) -> bool:
    return item.failed


def _requests(item: Item) -> bool:
    return item.open


def _go(ctx: Context, test: Test, step: int) -> Pos:
    """Return the first line of the `count`th item that passes, before or after the cursor."""
    talk = conversation_of(ctx)
    item = talk.item_at(ctx.cursor.line)
    if item is None:
        raise CommandFailed
    index = item.index
    # Backwards, the item under the cursor counts when the cursor is below its first line.
    if step < 0 and test(item) and ctx.cursor.line > talk.first(item):
        index += 1
    left = ctx.count
    while left:
        index += step
        if not 0 <= index < len(talk.items):
            raise CommandFailed
        if test(talk.items[index]):
            left -= 1
    return Pos(talk.first(talk.items[index]), 0)


@motion("agent-next-prompt", "line", jump=True)
def next_prompt(ctx: Context) -> Pos:
    """Go to the next message of yours."""
    return _go(ctx, _prompts, 1)


@motion("agent-previous-prompt", "line", jump=True)
def previous_prompt(ctx: Context) -> Pos:
    """Go to the previous message of yours."""
    return _go(ctx, _prompts, -1)


@motion("agent-next-message", "line", jump=True)
def next_message(ctx: Context) -> Pos:
    """Go to the next message, whoever said it."""
    return _go(ctx, _messages, 1)


@motion("agent-previous-message", "line", jump=True)
def previous_message(ctx: Context) -> Pos:
    """Go to the previous message, whoever said it."""
    return _go(ctx, _messages, -1)


@motion("agent-next-tool", "line", jump=True)
def next_tool(ctx: Context) -> Pos:
    """Go to the next tool call."""
    return _go(ctx, _tools, 1)


@motion("agent-previous-tool", "line", jump=True)
def previous_tool(ctx: Context) -> Pos:
    """Go to the previous tool call."""
    return _go(ctx, _tools, -1)


@motion("agent-next-failure", "line", jump=True)
def next_failure(ctx: Context) -> Pos:
    """Go to the next failure."""
    return _go(ctx, _failures, 1)


@motion("agent-previous-failure", "line", jump=True)
def previous_failure(ctx: Context) -> Pos:
    """Go to the previous failure."""
    return _go(ctx, _failures, -1)


@motion("agent-next-request", "line", jump=True)
def next_request(ctx: Context) -> Pos:
    """Go to the next request that wants an answer, round the end."""
    return _round(ctx, 1)


@motion("agent-previous-request", "line", jump=True)
def previous_request(ctx: Context) -> Pos:
    """Go to the previous request that wants an answer, round the beginning."""
    return _round(ctx, -1)


def _round(ctx: Context, step: int) -> Pos:
    talk = conversation_of(ctx)
    waiting = [item for item in talk.items if item.open]
    if not waiting:
        raise CommandFailed("No request is waiting")
    line = ctx.cursor.line
    beyond = [item for item in waiting if (talk.first(item) > line if step > 0 else talk.first(item) < line)]
    item = (beyond or waiting)[0 if step > 0 else -1]
    if isinstance(item.data, Request):
        item.data.parked.clear()  # the user came on purpose, also where the cursor was there already
    return Pos(talk.first(item), 0)


def _hunk(ctx: Context, step: int) -> Pos:
    """Return the first line of the `count`th hunk of a diff before or after the cursor."""
    talk = conversation_of(ctx)
    line, left = ctx.cursor.line, ctx.count
    while left:
        line += step
        if not 0 <= line < len(ctx.lines):
            raise CommandFailed
        left -= talk.code(line) == HUNK
    return Pos(line, 0)


@motion("agent-next-hunk", "line", jump=True)
def next_hunk(ctx: Context) -> Pos:
    """Go to the next hunk of a diff."""
    return _hunk(ctx, 1)


@motion("agent-previous-hunk", "line", jump=True)
def previous_hunk(ctx: Context) -> Pos:
    """Go to the previous hunk of a diff."""
    return _hunk(ctx, -1)


@motion("agent-first-line", "line", jump=True)
def first_line(ctx: Context) -> Target:
    """Go to the first line."""
    return Target(Pos(0, 0))


@motion("agent-last-line", "line", jump=True)
def last_line(ctx: Context) -> Target:
    """Go to the last line."""
    return Target(Pos(len(ctx.lines) - 1, 0))


# Text objects


def _item_span(ctx: Context, test: Test, *, inner: bool) -> Target:
    talk = conversation_of(ctx)
    item = talk.item_at(ctx.cursor.line)
    if item is None or not test(item):
        raise CommandFailed
    first = talk.first(item) + (1 if inner and len(item.codes) > 1 else 0)
    return _lines(min(first, talk.end(item) - 1), talk.end(item) - 1)


def _lines(first: int, last: int) -> Target:
    return Target(Pos(last, 0), Pos(first, 0), LINE)


@textobject("agent-inner-message")
def inner_message(ctx: Context) -> Target:
    """The message under the cursor, without its label."""
    return _item_span(ctx, _messages, inner=True)


@textobject("agent-a-message", around=True)
def a_message(ctx: Context) -> Target:
    """The message under the cursor with its label."""
    return _item_span(ctx, _messages, inner=False)


@textobject("agent-inner-tool")
def inner_tool(ctx: Context) -> Target:
    """The output of the tool call under the cursor."""
    return _item_span(ctx, _tools, inner=True)


@textobject("agent-a-tool", around=True)
def a_tool(ctx: Context) -> Target:
    """The tool call under the cursor with its header."""
    return _item_span(ctx, _tools, inner=False)


def _fence(ctx: Context) -> Target:
    region = region_at(conversation_of(ctx), ctx.cursor.line)
    if region is None or region.kind != FENCED:
        raise CommandFailed
    return _lines(region.first, region.last)


@textobject("agent-inner-fence")
def inner_fence(ctx: Context) -> Target:
    """The code under the cursor without its fence lines."""
    talk = conversation_of(ctx)
    region = region_at(talk, ctx.cursor.line)
    if region is None or region.kind != FENCED:
        raise CommandFailed
    first = region.first + 1
    last = region.last - (1 if talk.code(region.last) == "fence" and region.last > region.first else 0)
    if last < first:
        raise CommandFailed
    return _lines(first, last)


@textobject("agent-a-fence", around=True)
def a_fence(ctx: Context) -> Target:
    """The code under the cursor with its fence lines."""
    return _fence(ctx)


@textobject("agent-region")
def a_region(ctx: Context) -> Target:
    """What `<C-c>` copies: code, a stretch of prose, a tool call's output."""
    found = region_at(conversation_of(ctx), ctx.cursor.line)
    if found is None or found.kind == FURNITURE:
        raise CommandFailed
    return _lines(found.first, found.last)
