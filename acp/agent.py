"""What a program overrides to be an agent: the base class that `serve.Server` drives.

Here: the questions a client asks an agent, with answers that make an agent which can be talked to and does
nothing. Not here: the protocol's rules (`serve.py`), what a turn can say and ask (`turn.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import TYPE_CHECKING, Any

from tpy.acp.turn import Client, Json, Session, Step, Turn

if TYPE_CHECKING:
    from tpy.acp.serve import Server

Work = Generator[Step, Any, Any]
"""What an agent does over time: it yields steps and returns a result."""

Handler = Callable[["Server", Any], Any]
"""Serves one further method: gets the server and the decoded params; gives the result, or `Work` for it."""


class Agent:
    """What an agent overrides. The defaults make an agent that can be talked to and does nothing."""

    name = "agent"
    title = "Agent"
    version = "1"
    queue_prompts = True
    """Whether a prompt during a turn waits for its end, or is refused with `-32600`."""
    prompt_kinds: frozenset[str] = frozenset()
    """Content block types taken in a prompt beyond text and resource_link: resource, image, audio."""

    def capabilities(self) -> Json:
        """Further `agentCapabilities`, merged over those the server itself answers for."""
        return {}

    def auth_methods(self, client: Client) -> list[Json]:
        """The login methods offered to that client."""
        return []

    def handlers(self) -> Mapping[str, Handler]:
        """Further methods this agent serves, such as `session/load` or `authenticate`."""
        return {}

    def open_session(self, session: Session) -> None:
        """Fill in a new session: its modes, options, commands. May raise `RpcError`, such as `-32000`."""

    def prompt(self, turn: Turn) -> Work:
        """Work on a prompt; the return value is the stop reason, None standing for `end_turn`."""
        yield from ()
        return None

    def set_mode(self, session: Session, mode: str) -> None:
        """The client chose a mode; raises `LookupError` for an unknown one."""
        session.set_mode(mode)

    def set_option(self, session: Session, config_id: str, value: str | bool) -> None:
        """The client chose a value; raises `LookupError` for an unknown option or value."""
        session.set_option(config_id, value)

    def close_session(self, session: Session) -> None:
        """The session was closed; its turns have ended."""

    def notified(self, method: str, params: Json) -> None:
        """A notification the server does not know."""
