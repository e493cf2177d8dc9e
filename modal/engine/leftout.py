"""Keys for what tpy leaves out (`:help differences`): each answers with one line, and nothing moves."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.registry import CommandFailed, action


@action("no-spelling")
def no_spelling(ctx: Context) -> None:
    """Say that there is no spell checking."""
    raise CommandFailed("E756: Spell checking is not possible: there is none in tpy")


@action("no-tags")
def no_tags(ctx: Context) -> None:
    """Say that there are no tags."""
    raise CommandFailed("E433: No tags file: there are no tags in tpy; search with :vimgrep, :grep or [<C-i>")


@action("no-preview")
def no_preview(ctx: Context) -> None:
    """Say that there is no preview window."""
    raise CommandFailed("E441: There is no preview window")


@action("no-ex-mode")
def no_ex_mode(ctx: Context) -> None:
    """Say that there is no Ex mode."""
    raise CommandFailed("E319: There is no Ex mode here: type q: for many ex commands")
