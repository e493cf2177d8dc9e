"""What a `connection.Connection` tells its owner: one small struct for each thing that can happen.

Here are values only. Requests of the agent arrive as an `Asked` whose `Incoming` must be answered by
`Connection.answer` or `Connection.refuse`, once; everything else is news.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

from tpy.acp.jsonrpc import Id, RpcError
from tpy.acp.schema import AuthStatusResponse, SessionUpdate, Usage


class Incoming:
    """A request of the agent, from its arrival until it is answered; `params` is the decoded struct."""

    __slots__ = ("id", "is_open", "method", "params", "session_id")

    def __init__(self, id_: Id, method: str, params: Any, session_id: str | None) -> None:
        self.id = id_
        self.method = method
        self.params = params
        self.session_id = session_id
        self.is_open = True


class Call(Struct, frozen=True, gc=False):
    """A request of ours that is open: what was called, for which session, and the caller's own `context`."""

    method: str
    session_id: str | None
    context: Any


class UpdateReceived(Struct, frozen=True, gc=False):
    """The agent told something about a session we know; strictly in the order of arrival."""

    session_id: str
    update: SessionUpdate


class BadUpdate(Struct, frozen=True, gc=False):
    """An update that could not be read, or has no session; it is dropped. `kind` is "" when it had none."""

    session_id: str | None
    kind: str
    error: str


class Asked(Struct, frozen=True):
    """The agent wants something: a file, a terminal, a permission, a form."""

    request: Incoming


class Withdrawn(Struct, frozen=True):
    """A request that was asked is answered already: the turn was cancelled or ended, or the agent took it back."""

    request: Incoming


class Answered(Struct, frozen=True):
    """A call of ours succeeded; `result` is the decoded struct."""

    call: Call
    result: Any


class Failed(Struct, frozen=True):
    """A call of ours got an error, or its agent is gone."""

    call: Call
    error: RpcError


class TurnEnded(Struct, frozen=True):
    """A prompt was answered. After a cancel of ours `cancelled` holds whatever the answer was."""

    session_id: str
    stop_reason: str
    cancelled: bool
    context: Any
    error: RpcError | None = None
    usage: Usage | None = None


class PromptAccepted(Struct, frozen=True, gc=False):
    """Version 2 only: the prompt is in the conversation under this id; the turn goes on."""

    session_id: str
    message_id: str
    context: Any


class ElicitationDone(Struct, frozen=True, gc=False):
    """What a URL was opened for has been done."""

    elicitation_id: str


class AuthChanged(Struct, frozen=True, gc=False):
    """The agent's login changed."""

    status: AuthStatusResponse


class Logged(Struct, frozen=True, gc=False):
    """Something for the log only: `kind` "stdout" is a line that was no message, "violation" a broken one."""

    kind: Literal["stdout", "violation", "note"]
    text: str


class Ended(Struct, frozen=True, gc=False):
    """The connection is over; nothing follows. `reason` is empty at a plain end of input."""

    reason: str


Event: TypeAlias = (
    UpdateReceived
    | BadUpdate
    | Asked
    | Withdrawn
    | Answered
    | Failed
    | TurnEnded
    | PromptAccepted
    | ElicitationDone
    | AuthChanged
    | Logged
    | Ended
)
