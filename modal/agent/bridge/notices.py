"""Notices to somebody who looks elsewhere: an agent out of sight is done, or waits for an answer.

How is `'agentnotice'`: the bell, or a notification of the terminal's by OSC 9 or OSC 777.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.agent import panes
from tpy.modal.agent.lines import one_line

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk

BELL, NONE = "bell", "none"


class Notices:
    """Knows whether the terminal's window has the keyboard, and gives the notices."""

    def __init__(self, agents: Agents) -> None:
        self.editor = agents.editor
        self._looking = True
        self.editor.on("focus-gained", lambda: self._look(True))
        self.editor.on("focus-lost", lambda: self._look(False))

    def _look(self, looking: bool) -> None:
        self._looking = looking

    def _shown(self, talk: Talk) -> bool:
        here = self.editor.layout.windows()
        return any(window in here for window in panes.windows_of(self.editor, talk.buffer))

    def done(self, talk: Talk) -> None:
        """A session has ended its turn, and nothing waits to be sent to it."""
        if self._shown(talk) and self._looking:
            return
        if self.editor.option("agentnotice") == BELL:
            self.editor.bells += 1
        text = f"{one_line(talk.name, 40)} is done"
        self._notify(text)
        if not self._shown(talk):
            self.editor.echo(text)

    def waits(self, talk: Talk, title: str) -> None:
        """A session waits for an answer: the bell rings in any case."""
        self.editor.bells += 1
        if not (self._shown(talk) and self._looking):
            self._notify(f"{one_line(talk.name, 40)} asks: {title}")

    def _notify(self, text: str) -> None:
        how = str(self.editor.option("agentnotice"))
        if how not in (BELL, NONE):
            self.editor.run_hooks("notify", how, text)
