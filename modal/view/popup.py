"""A menu that lies over the text: completion in Insert mode, the lists of a prompt.

Whoever offers choices puts a `Popup` in `editor.extra["popup"]` and takes it away; the renderer only shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tpy.modal.text.position import Pos
from tpy.modal.view.window import Window


class PopupItem(NamedTuple):
    """One choice: its text and what is said about it at the right."""

    text: str
    detail: str = ""


class Popup(NamedTuple):
    """Choices at a place of a window's text (`at` None: above the command line, from `column` on).

    `selected` is -1 for none; `note` is a last row that can't be chosen. `over`: it lies over the rows above the
    window's, where those are enough.
    """

    items: Sequence[PopupItem]
    selected: int = -1
    window: Window | None = None
    at: Pos | None = None
    column: int = 0
    note: str = ""
    most: int = 10
    over: bool = False
