"""What keys do with agents from any window: `gb` and `gB` that give text, the list page, the request that waits."""

from __future__ import annotations

from tpy.modal.agent.agentcmds import quoted
from tpy.modal.agent.bridge import agents_of, existing
from tpy.modal.agent.lines import one_line
from tpy.modal.engine.context import Context
from tpy.modal.engine.spans import extract
from tpy.modal.registry import CommandFailed, action, operator
from tpy.modal.text.position import Span


def _text(ctx: Context, span: Span) -> str:
    host = agents_of(ctx.editor)
    rows = extract(ctx.lines, span, ctx.tabstop).lines
    return quoted(host.files.shown_name(ctx.buffer), span.start.line, span.end.line, rows)


@operator("agent-put", modifies=False)
def put(ctx: Context, span: Span) -> None:
    """Put text, with its path and lines, into the prompt of the current agent."""
    talk = agents_of(ctx.editor).current()
    talk.prompt.add(_text(ctx, span))
    ctx.editor.echo(f"{span.line_count} lines are in the prompt of {one_line(talk.name)}")


@operator("agent-put-send", modifies=False)
def put_send(ctx: Context, span: Span) -> None:
    """Send text, with its path and lines, to the current agent."""
    agents_of(ctx.editor).current().submit(_text(ctx, span))


@action("agent-list-page")
def list_page(ctx: Context) -> None:
    """Show the agents there are."""
    ctx.engine.run_ex("agent")


@action("agent-to-request")
def to_request(ctx: Context) -> None:
    """Go to the request that waits for an answer, in its agent's conversation."""
    host = existing(ctx.editor)
    found = host.oldest_request() if host is not None else None
    if host is None or found is None:
        raise CommandFailed("No request is waiting")
    host.go_to_request(*found)
