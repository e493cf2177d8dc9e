"""What the keys of agent windows do: sending, cancelling, copying, answering, the keys of the lists."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from tpy.modal.agent import panes
from tpy.modal.agent.bridge import agents_of
from tpy.modal.agent.picker import PAGE
from tpy.modal.agent.places import conversation_of, request_here
from tpy.modal.agent.regions import FENCED, region_at, region_text, selected_text
from tpy.modal.editor import Visual
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import leave_visual
from tpy.modal.registry import CommandFailed, action, actions
from tpy.modal.text.position import LINE, Pos, clamp
from tpy.modal.text.registers import Register

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk
    from tpy.modal.agent.permission import Request

_NAME = re.compile(r"(?P<name>[^\s`'\"()\[\]<>|,;:*]+)(?::(?P<line>\d{1,9}))?")


def _talk(ctx: Context) -> Talk:
    talk = agents_of(ctx.editor).talk_of(ctx.buffer)
    if talk is None:
        raise CommandFailed
    return talk


@action("agent-send")
def send(ctx: Context) -> None:
    """Send the prompt; an empty one lets a held queue go."""
    talk = _talk(ctx)
    if talk.prompt.blank:
        talk.release()
        return
    inserting = ctx.engine.insert.active
    if inserting:
        ctx.engine.insert.abort()
    text = talk.prompt.take()
    ctx.cursor = Pos(0, 0)
    try:
        talk.submit(text)
    finally:
        ctx.cursor = clamp(ctx.cursor, ctx.lines)
        if inserting:
            ctx.engine.insert.start()


@action("agent-newline")
def newline(ctx: Context) -> None:
    """Begin a new line in the prompt."""
    ctx.engine.insert.feed("<CR>")


@action("agent-other-half")
def other_half(ctx: Context) -> None:
    """Go to the other half of the pane, in Normal mode."""
    talk = _talk(ctx)
    if ctx.engine.insert.active:
        ctx.engine.insert.abort()
    panes.other_half(ctx.editor, ctx.editor.window, talk.buffer, talk.prompt.buffer)


@action("agent-main")
def main(ctx: Context) -> None:
    """Go from a subagent's conversation to that of its agent."""
    talk = _talk(ctx)
    shown = panes.windows_of(ctx.editor, talk.buffer)
    if shown:
        ctx.editor.focus(shown[0])
    else:
        agents_of(ctx.editor).show(talk)


@action("agent-leave-insert")
def leave_insert(ctx: Context) -> None:
    """Leave Insert mode for a key that goes to another window."""
    ctx.engine.insert.abort()
    ctx.engine.push([ctx.arg or ""], remap=False)


@action("agent-insert")
def insert(ctx: Context) -> None:
    """Go to the prompt in Insert mode."""
    talk = _talk(ctx)
    panes.other_half(ctx.editor, ctx.window, talk.buffer, talk.prompt.buffer)
    ctx.editor.window.cursor = talk.prompt.end()
    ctx.engine.insert.start()


@action("agent-escape")
def escape(ctx: Context) -> None:
    """Cancel the turn in progress, unless something else was left a moment ago."""
    talk = _talk(ctx)
    if not talk.busy:
        return
    if agents_of(ctx.editor).keys.just_left():
        ctx.editor.echo("The turn goes on: :cancel or <Esc> once more cancels it")
    elif talk.cancel():
        ctx.editor.echo("Cancelling the turn")


@action("agent-copy")
def copy(ctx: Context) -> None:
    """Copy the selection, else the region under the cursor, else the whole draft."""
    talk = _talk(ctx)
    if ctx.buffer is talk.prompt.buffer:
        lines = _selected(ctx) if ctx.visual is not None else list(ctx.lines)
    elif ctx.visual is not None:
        first, last = sorted((ctx.visual.start.line, ctx.cursor.line))
        lines = _dedented(ctx, first, last)
    else:
        conversation = conversation_of(ctx)
        region = region_at(conversation, ctx.cursor.line)
        lines = region_text(conversation, region) if region is not None else []
    if ctx.visual is not None:
        leave_visual(ctx.engine)
    if not lines:
        raise CommandFailed("Nothing to copy here")
    register = Register(tuple(lines), LINE)
    ctx.editor.registers.yank(None, register)
    ctx.editor.registers.set("+", register)
    ctx.editor.echo("1 line copied" if len(lines) == 1 else f"{len(lines)} lines copied")


def _selected(ctx: Context) -> list[str]:
    assert ctx.visual is not None
    first, last = sorted((ctx.visual.start.line, ctx.cursor.line))
    return ctx.lines[first : last + 1]


def _dedented(ctx: Context, first: int, last: int) -> list[str]:
    """Return the selected lines; inside one fence they lose the indent that the fence has."""
    conversation = conversation_of(ctx)
    region = region_at(conversation, first)
    if region is not None and region.kind == FENCED and last <= region.last:
        rows = ctx.lines[region.first + 1 : region.last]
        indent = min((len(row) - len(row.lstrip(" ")) for row in rows if row.strip()), default=0)
        return [row[indent:] for row in selected_text(conversation, first, last)]
    return selected_text(conversation, first, last)


def _history(ctx: Context, *, earlier: bool) -> None:
    prompt = _talk(ctx).prompt
    for _ in range(ctx.count):
        if not (prompt.earlier() if earlier else prompt.later()):
            raise CommandFailed
    ctx.cursor = prompt.end()


@action("agent-earlier")
def earlier(ctx: Context) -> None:
    """Show an earlier prompt."""
    _history(ctx, earlier=True)


@action("agent-later")
def later(ctx: Context) -> None:
    """Show a later prompt; past the newest one the draft comes back."""
    _history(ctx, earlier=False)


@action("agent-up")
def up(ctx: Context) -> None:
    """Go up; on the first line show an earlier prompt."""
    if ctx.cursor.line == 0:
        _history(ctx, earlier=True)
    else:
        ctx.engine.push([str(ctx.count), "k"] if ctx.explicit else ["k"], remap=False)


@action("agent-down")
def down(ctx: Context) -> None:
    """Go down; on the last line show a later prompt."""
    if ctx.cursor.line == len(ctx.lines) - 1:
        _history(ctx, earlier=False)
    else:
        ctx.engine.push([str(ctx.count), "j"] if ctx.explicit else ["j"], remap=False)


@action("agent-open-file")
def open_file(ctx: Context) -> None:
    """Show the file whose name is under the cursor, at the line behind it, in the file window used last.

    On the line of a subagent: show its conversation.
    """
    from tpy.modal.agent.agentcmds import open_at

    host = agents_of(ctx.editor)
    item = conversation_of(ctx).item_at(ctx.cursor.line)
    child = _talk(ctx).subagents.told(item.data) if item is not None else None
    if child is not None:
        child.open()
        return
    text, col = ctx.lines[ctx.cursor.line], ctx.cursor.col
    word = next((m for m in _NAME.finditer(text) if m.start() <= col < m.end()), None)
    if word is None:
        raise CommandFailed("E446: No file name under cursor")
    path = os.path.join(host.project, word["name"].rstrip(".,:;"))
    if not os.path.isfile(path):
        raise CommandFailed(f'E447: Can\'t find file "{word["name"]}" in path')
    open_at(host, path, int(word["line"]) if word["line"] else None)


# Selecting lines with Shift


def _select(ctx: Context, line: int) -> None:
    """Extend a linewise selection to a line."""
    if ctx.editor.visual is None:
        ctx.editor.visual = Visual("V", ctx.cursor)
    ctx.cursor = Pos(min(max(line, 0), len(ctx.lines) - 1), 0)


@action("agent-select-up")
def select_up(ctx: Context) -> None:
    """Select lines upwards."""
    _select(ctx, ctx.cursor.line - ctx.count)


@action("agent-select-down")
def select_down(ctx: Context) -> None:
    """Select lines downwards."""
    _select(ctx, ctx.cursor.line + ctx.count)


@action("agent-select-page-up")
def select_page_up(ctx: Context) -> None:
    """Select a page upwards."""
    _select(ctx, ctx.cursor.line - ctx.count * max(ctx.window.height - 2, 1))


@action("agent-select-page-down")
def select_page_down(ctx: Context) -> None:
    """Select a page downwards."""
    _select(ctx, ctx.cursor.line + ctx.count * max(ctx.window.height - 2, 1))


@action("agent-select-first")
def select_first(ctx: Context) -> None:
    """Select up to the first line."""
    _select(ctx, 0)


@action("agent-select-last")
def select_last(ctx: Context) -> None:
    """Select up to the last line."""
    _select(ctx, len(ctx.lines) - 1)


# The lists


@action("agent-list-up")
def list_up(ctx: Context) -> None:
    """Go up in the list."""
    agents_of(ctx.editor).keys.lists.move(-1)


@action("agent-list-down")
def list_down(ctx: Context) -> None:
    """Go down in the list."""
    agents_of(ctx.editor).keys.lists.move(1)


@action("agent-list-page-up")
def list_page_up(ctx: Context) -> None:
    """Go up a page in the list."""
    agents_of(ctx.editor).keys.lists.move(-PAGE)


@action("agent-list-page-down")
def list_page_down(ctx: Context) -> None:
    """Go down a page in the list."""
    agents_of(ctx.editor).keys.lists.move(PAGE)


@action("agent-list-take")
def list_take(ctx: Context) -> None:
    """Take the highlighted entry."""
    agents_of(ctx.editor).keys.lists.take()


@action("agent-list-enter")
def list_enter(ctx: Context) -> None:
    """Take the highlighted entry; send where the word is complete and the highlight was not moved."""
    lists = agents_of(ctx.editor).keys.lists
    if lists.picker is not None and lists.picker.complete:
        lists.close()
        actions["agent-send"].function(ctx)
    else:
        lists.take()


@action("agent-list-close")
def list_close(ctx: Context) -> None:
    """Close the list until the text changes."""
    agents_of(ctx.editor).keys.lists.dismiss()


# Requests


@action("agent-answer")
def answer(ctx: Context) -> None:
    """Answer the request under the cursor: the option of the key's number or letter."""
    talk = _talk(ctx)
    request = request_here(talk, ctx.window)
    option = request.by_key(ctx.arg or "") if request is not None else None
    if request is None or option is None:
        raise CommandFailed
    agents_of(ctx.editor).answer(talk, request, option)


@action("agent-dismiss")
def dismiss(ctx: Context) -> None:
    """Say no to the request under the cursor, without cancelling the turn."""
    talk = _talk(ctx)
    request = request_here(talk, ctx.window)
    if request is None:
        raise CommandFailed
    agents_of(ctx.editor).answer(talk, request, request.refusing)


def _proposal(ctx: Context) -> tuple[Talk, Request, int]:
    talk = _talk(ctx)
    request = request_here(talk, ctx.window)
    if request is None or request.item is None:
        raise CommandFailed
    return talk, request, ctx.cursor.line - talk.conversation.first(request.item)


@action("agent-edit-proposal")
def edit_proposal(ctx: Context) -> None:
    """Edit what the request under the cursor proposes; `:allow` then accepts it as it was edited."""
    from tpy.modal.agent import proposals

    proposals.edit(agents_of(ctx.editor), *_proposal(ctx))


@action("agent-compare-proposal")
def compare_proposal(ctx: Context) -> None:
    """Compare what the request under the cursor proposes with what is there, in diff mode."""
    from tpy.modal.agent import proposals

    proposals.compare(agents_of(ctx.editor), *_proposal(ctx))


# Pages with a command behind each line


@action("agent-page-enter")
def page_enter(ctx: Context) -> None:
    """Run the command that the line stands for."""
    commands = ctx.buffer.extra.get("agent-page")
    line = ctx.cursor.line
    command = commands[line] if isinstance(commands, list) and line < len(commands) else ""
    if not command:
        raise CommandFailed
    ctx.engine.run_ex(command)
