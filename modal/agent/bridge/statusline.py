"""The status lines of a session: name, state, spinner, usage, queue, what is new, who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.acp.connection import TurnState
from tpy.modal.agent.lines import one_line
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
# Steps of the spinner a second: drawn from the clock, so that all turn in phase.
FRAMES = 6
_WORDS = {
    TurnState.IDLE: "idle",
    TurnState.RUNNING: "working",
    TurnState.WAITING: "asks you",
    TurnState.CANCELLING: "cancelling",
    TurnState.DEAD: "stopped",
}


class StatusLine:
    """What a session tells of itself in the status lines of its windows."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk

    def __call__(self, window: Window) -> str:
        """Return the status line of a window on the conversation."""
        talk = self.talk
        title = f" {one_line(talk.session.title, 40)}" if talk.session is not None and talk.session.title else ""
        number = f" {talk.number}" if talk.number > 1 else ""
        spinner = f" {SPINNER[int(talk.agents.loop.time() * FRAMES) % len(SPINNER)]}" if talk.busy else ""
        unseen = talk.conversation.unseen(window)
        parts = [
            self._asks() or f"{one_line(talk.name, 40)}{number}{title}", f"{self.state()}{spinner}", self.usage(),
            talk.queue.status(), f"{unseen} new" if unseen else "",
        ]  # fmt: skip
        return "  ".join(part for part in parts if part)

    def of_prompt(self, window: Window) -> str:
        """Return the status line of a window on the prompt."""
        return self._asks() or f"prompt for {one_line(self.talk.name, 40)}"

    def _asks(self) -> str:
        talk = self.talk
        return f"{one_line(talk.name, 40)} asks: {talk.requests[0].title} (:allow / :deny)" if talk.requests else ""

    def state(self) -> str:
        """Return what the session is doing, with how long where that matters."""
        talk, client = self.talk, self.talk.client
        if client is None or not talk.alive:
            return "stopped"
        now = talk.agents.loop.time()
        if talk.login.began is not None:
            return f"logging in {now - talk.login.began:.0f}s (:cancel)"
        if talk.login.wanted:
            return "wants a login (:agentlogin)"
        if talk.session is None:
            waited = f" for {client.waiting_for} {now - client.waiting_since:.0f}s" if client.waiting_for else ""
            return f"starting{waited}"
        words = _WORDS[talk.state]
        return f"{words} {now - talk.turn_began:.0f}s" if talk.busy else words

    def usage(self) -> str:
        """Return tokens and cost, "" until the agent has told any."""
        usage = self.talk.session.usage if self.talk.session is not None else None
        if usage is None:
            return ""
        cost = f" {usage.cost.amount:.2f} {one_line(usage.cost.currency, 12)}" if usage.cost is not None else ""
        return f"{_short(usage.used)}/{_short(usage.size)} tokens{cost}"


def _short(count: int) -> str:
    return str(count) if count < 10_000 else f"{count / 1000:.0f}k" if count < 10_000_000 else f"{count / 1e6:.0f}M"
