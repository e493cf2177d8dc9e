"""Where a turn is, and what moves it: the whole state machine of a session as one table (PROTOCOL §8).

`connection` keeps a `Turns` for each session and makes the moves; nothing else changes a state.
"""

from __future__ import annotations

import enum
from typing import Any

from tpy.acp.events import Incoming


class TurnState(enum.Enum):
    """Where a session is (PROTOCOL §8)."""

    IDLE = "idle"
    RUNNING = "running"
    WAITING = "waiting"
    CANCELLING = "cancelling"
    DEAD = "dead"


class Move(enum.Enum):
    """What moves a session from state to state."""

    PROMPT = enum.auto()
    ASK = enum.auto()
    ANSWER = enum.auto()
    CANCEL = enum.auto()
    END = enum.auto()
    DIE = enum.auto()


_IDLE, _RUNNING, _WAITING = TurnState.IDLE, TurnState.RUNNING, TurnState.WAITING
_CANCELLING, _DEAD = TurnState.CANCELLING, TurnState.DEAD
TRANSITIONS: dict[tuple[TurnState, Move], TurnState] = {
    (_IDLE, Move.PROMPT): _RUNNING,
    (_RUNNING, Move.ASK): _WAITING,
    (_WAITING, Move.ANSWER): _RUNNING,
    (_RUNNING, Move.CANCEL): _CANCELLING,
    (_WAITING, Move.CANCEL): _CANCELLING,
    (_RUNNING, Move.END): _IDLE,
    (_WAITING, Move.END): _IDLE,
    (_CANCELLING, Move.END): _IDLE,
    **{(state, Move.DIE): _DEAD for state in TurnState},
}
"""What is not listed changes nothing: an ask while idle is out of turn, an update never moves anything."""


class Turns:
    """A session as the connection sees it: its turn state and the dialogs it has open."""

    def __init__(self, parent: str | None = None) -> None:
        self.state = TurnState.IDLE
        self.parent = parent
        self.prompts = 0
        self.asks: dict[Incoming, None] = {}
        self.cancelled = False
        """Whether a cancel was on its way when the agent died."""
        self.accepted: Any = None
        """Version 2: the call whose prompt is in the conversation and whose turn has not ended."""

    def move(self, move: Move) -> None:
        """Follow `TRANSITIONS`."""
        self.cancelled = self.cancelled or (move is Move.DIE and self.state is _CANCELLING)
        self.state = TRANSITIONS.get((self.state, move), self.state)
