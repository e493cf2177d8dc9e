"""What a `client.Client` calls: the `Handler` that owners build on, and what it can announce.

The editor's bridge is a handler, so is the measuring client in `bench`, so are the tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tpy.acp import schema
from tpy.acp.asks import Ask, ElicitationAsk, FileRead, FileWrite, PermissionAsk
from tpy.acp.entries import TurnEnd
from tpy.acp.jsonrpc import INTERNAL_ERROR, RpcError
from tpy.acp.session import Session

if TYPE_CHECKING:
    from tpy.acp.client import Client

EVERYTHING = schema.ClientCapabilities(
    fs=schema.FileSystemCapabilities(read_text_file=True, write_text_file=True),
    terminal=True,
    session=schema.ClientSessionCapabilities(
        config_options=schema.SessionConfigOptionsCapabilities(boolean={}), notices={}, compaction={}
    ),
    elicitation=schema.ElicitationCapabilities(form={}, url={}),
    auth=schema.AuthCapabilities(terminal=True),
    subagents={},
    plan={},
    meta={"terminal_output_delta": True},
)
"""All that this room can serve; a handler that can do less announces less."""


class ClientError(Exception):
    """A call that cannot be made now; the text is for people."""


class Handler:
    """What an owner of clients builds on: it overrides what it cares for. No method may block.

    As it is, it serves programs that nobody watches: what is asked is answered at once, by no.
    """

    @property
    def capabilities(self) -> schema.ClientCapabilities:
        """What to announce (PROTOCOL §5); all of it has to be served."""
        return EVERYTHING

    def ready(self, client: Client) -> None:
        """`initialize` was answered; `client.info` holds the answer."""

    def slow(self, client: Client, method: str) -> None:
        """A call of the handshake has had no answer for 3 s; `client.stderr` may tell why."""

    def session_opened(self, client: Client, session: Session) -> None:
        """A session is there: new, loaded, resumed, forked, or a child (`session.parent`)."""

    def session_changed(self, client: Client, session: Session, update: Any) -> None:
        """The snapshot has changed: by `update`, or, when that is None, by a terminal or an answer."""

    def turn_ended(self, client: Client, session: Session, end: TurnEnd) -> None:
        """The turn is over; `end` is the last entry of the session."""

    def permission_asked(self, client: Client, ask: PermissionAsk) -> None:
        """Answer by `ask.choose`, `ask.deny` or `ask.cancel`, now or later."""
        ask.cancel()

    def elicitation_asked(self, client: Client, ask: ElicitationAsk) -> None:
        """Answer by `ask.accept`, `ask.decline` or `ask.cancel`, now or later."""
        ask.cancel()

    def elicitation_done(self, client: Client, elicitation_id: str) -> None:
        """What a URL was opened for is done."""

    def ask_withdrawn(self, client: Client, ask: Ask) -> None:
        """An ask needs no answer any more: close its dialog."""

    def read_file(self, client: Client, ask: FileRead) -> None:
        """Answer by `ask.answer`, `ask.missing` or `ask.fail`, now or later."""
        ask.missing()

    def write_file(self, client: Client, ask: FileWrite) -> None:
        """Answer by `ask.answer` or `ask.fail`, now or later."""
        ask.fail(INTERNAL_ERROR, "this client writes no files")

    def login_wanted(self, client: Client, error: RpcError) -> None:
        """The agent wants a login; offer `client.auth_methods`. After `authenticate` the session opens by itself."""
        self.failed(client, str(error))

    def auth_changed(self, client: Client, status: schema.AuthStatusResponse) -> None:
        """The agent's login changed."""

    def failed(self, client: Client, message: str) -> None:
        """The conversation could not start or the session not open; `message` is for people."""

    def closed(self, client: Client, message: str) -> None:
        """The process is over, once. `message` is empty when it was stopped on purpose."""

    def log(self, client: Client, kind: str, text: str) -> None:
        """For the log: "stdout" a line that was no message, "violation", "note", or "error" a failed call."""
