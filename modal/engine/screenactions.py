"""Normal mode commands for the terminal: draw it anew, give it to the shell. What they do is the application's hook."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.registry import action


@action("suspend")
def suspend(ctx: Context) -> None:
    """Stop the editor until the shell continues it (`:help CTRL-Z`)."""
    ctx.editor.run_hooks("suspend")


@action("clear-screen")
def clear_screen(ctx: Context) -> None:
    """Draw the whole screen anew (`:help CTRL-L`)."""
    ctx.editor.run_hooks("clear-screen")
