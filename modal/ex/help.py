"""`:help`: a window with the text that `helptext.py` makes (`:help :help`)."""

from __future__ import annotations

from tpy.modal.ex.complete import provide
from tpy.modal.ex.context import ExContext
from tpy.modal.ex.helptext import find_topic, topics
from tpy.modal.ex.viewcmds import split
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import INTERNAL
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice


@command("h[elp]", bang=True, args="help", bar=False)
def help_(ctx: ExContext) -> None:
    """Open the help, for a command (`:help :w`), an option (`:help 'ts'`) or a key (`:help dw`)."""
    topic = ctx.args.strip()
    lines = find_topic(ctx.engine.keymap, topic)
    if lines is None:
        raise CommandFailed(f"E149: Sorry, no help for {topic}")
    editor = ctx.editor
    shown = next((window for window in editor.layout.windows() if window.buffer.name == "[Help]"), None)
    if shown is None:
        buffer = editor.buffer_named("[Help]") or editor.add_buffer(name="[Help]")
        buffer.options.update(buftype="help", buflisted=False)
        buffer.keeps_undo = False
        buffer.modifiable = False
        shown = split(ctx, buffer, vertical=False)
    editor.focus(shown)
    buffer = shown.buffer
    buffer.apply(Splice(0, tuple(buffer.lines), tuple(lines)), INTERNAL)
    shown.cursor, shown.top = Pos(0, 0), 0


provide("help", lambda engine, prefix: [topic for topic in topics() if topic.startswith(prefix)])
