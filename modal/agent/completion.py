"""The open list of a prompt: when it opens, narrows, closes, and what taking an entry does to the draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.agent.mentions import project_files
from tpy.modal.agent.picker import COMMANDS, Choice, Offer, Picker, command_choices, file_choices, offer_at
from tpy.modal.text.position import Pos
from tpy.modal.view.popup import Popup, PopupItem

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk


class Lists:
    """The list over the prompt that has the cursor, if any."""

    def __init__(self, agents: Agents) -> None:
        self.agents = agents
        self.engine = agents.engine
        self.picker: Picker | None = None
        self._talk: Talk | None = None
        self._files: list[str] = []
        self._dismissed = ""

    def take_key(self, talk: Talk, key: str) -> None:
        """Have Insert mode take a key, then open, narrow or close the list by what was typed."""
        before = talk.prompt.buffer.tick
        self.engine.insert.feed(key)
        if talk.prompt.buffer.tick == before or not self.engine.insert.active:
            self.close()
            return
        self.refresh(talk)

    def refresh(self, talk: Talk) -> None:
        """Make the list fit the text before the cursor."""
        line, col = self.engine.editor.window.cursor
        offer = offer_at(line, talk.prompt.buffer.lines[line], col)
        if offer is None or talk.prompt.text == self._dismissed:
            self.close()
            return
        self._dismissed = ""
        if offer.kind != COMMANDS and (self.picker is None or self.picker.offer.kind == COMMANDS):
            self._files = project_files(self.agents.project, self.agents.editor.option("agentignore"))
        choices, last = self._choices(talk, offer)
        if not choices:
            self.close()
            return
        self._talk = talk
        self.picker = Picker(offer, choices, last)
        self._show()

    def _choices(self, talk: Talk, offer: Offer) -> tuple[list[Choice], str]:
        if offer.kind == COMMANDS:
            return command_choices(talk.slash_commands(), offer.typed), ""
        return file_choices(self._files, offer.typed)

    def move(self, by: int) -> None:
        """Move the highlight."""
        if self.picker is not None:
            self.picker.move(by)
            self._show()

    def take(self) -> None:
        """Put the highlighted entry in the place of what was typed."""
        picker = self.picker
        if picker is None:
            return
        window = self.engine.editor.window
        line, col = window.cursor
        old = window.buffer.lines[line]
        rest = old[col:]
        text = picker.current.text
        if text.endswith(" ") and rest.startswith(" "):
            text = text[:-1]
        window.buffer.set_line(line, old[: picker.offer.col] + text + rest)
        window.cursor = Pos(line, picker.offer.col + len(text))
        self.dismiss()

    def dismiss(self) -> None:
        """Close the list until the text changes."""
        if self._talk is not None:
            self._dismissed = self._talk.prompt.text
        self.close()

    def close(self) -> None:
        """Take the list away."""
        if self.picker is not None:
            self.picker = None
            self._files = []
            self.engine.editor.extra["popup"] = None

    def _show(self) -> None:
        picker = self.picker
        assert picker is not None
        window = self.engine.editor.window
        items = [PopupItem(choice.row, choice.detail) for choice in picker.choices]
        at = Pos(window.cursor.line, picker.offer.col)
        self.engine.editor.extra["popup"] = Popup(items, picker.index, window, at, note=picker.last, over=True)
