"""Logging in to an agent: the ways it offers, the one that is taken, what became of it (PROTOCOL §6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tpy.acp import schema
from tpy.acp.jsonrpc import RpcError
from tpy.modal.agent.bridge import programs
from tpy.modal.agent.lines import one_line
from tpy.modal.agent.permission import Option, Request
from tpy.modal.registry import CommandFailed

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk

NO_LOGIN = "the agent wants to be logged in first ({}); log in with its own command and start it again"


class Login:
    """The login of one session's agent."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        # Whether nothing can be sent before one.
        self.wanted = False
        # Since when one runs.
        self.began: float | None = None
        # Whether the agent was started again because a login had no effect; that is tried once.
        self.restarted = False
        self._request: Request | None = None
        self._error: RpcError | None = None

    def forget(self) -> None:
        """The process is another one, or gone."""
        self.wanted, self.began, self._request = False, None, None

    def methods(self) -> list[schema.AuthMethod]:
        """Return the ways to log in that can be used."""
        client = self.talk.client
        return [] if client is None else [method for method in client.auth_methods if client.can_use(method)]

    def offer(self, error: RpcError) -> None:
        """A call was refused with `error` for want of a login: offer the ways there are."""
        talk, methods = self.talk, self.methods()
        talk.waiting("")
        if not methods or talk.client is None:
            talk.tell(NO_LOGIN.format(one_line(talk.name)))
            return
        self.wanted, self._error = True, error
        options = [Option(method.id, _told(method), "login") for method in methods]
        others = ", ".join(one_line(_told(method)) for method in talk.client.auth_methods if method not in methods)
        how = "choose with its number here, or :agentlogin METHOD" + (f"; not from here: {others}" if others else "")
        self._request = Request(f"log in first: {one_line(error.message)}", options, self._chosen, purpose=how)
        talk.add_request(self._request)

    def _chosen(self, choice: str | None) -> None:
        self._request = None
        if choice is None:
            self.talk.give_back()
        else:
            self.take(choice)

    def take(self, method_id: str) -> None:
        """Log in by a way that the agent offers. Raises `CommandFailed`."""
        talk, client = self.talk, self.talk.client
        method = next((one for one in self.methods() if one.id == method_id), None)
        if client is None or method is None:
            raise CommandFailed("The agent offers no such way to log in")
        self.close_request()
        if method.type == "terminal":
            problem = programs.run_in_terminal(talk.agents, *client.login_command(method))
            if problem:
                self._failed(problem)
            else:
                talk.restart()
            return
        self.began = talk.agents.loop.time()
        talk.waiting(f"Logging in with {one_line(method.name)}; :cancel gives up.")
        client.authenticate(method.id, self._done)
        talk.agents.animate()

    def _done(self, result: Any) -> None:
        talk = self.talk
        self.began = None
        if isinstance(result, RpcError):
            self._failed(str(result))
            return
        self.wanted = False
        talk.waiting("")
        talk.tell("You are logged in.", error=False)
        talk.pump()

    def _failed(self, why: str) -> None:
        """Say so, give back what waits for it, and offer the ways again."""
        talk = self.talk
        talk.waiting("")
        talk.tell(f"The login failed: {one_line(why)}")
        talk.give_back()
        if self._error is not None and talk.alive:
            self.offer(self._error)

    def give_up(self) -> None:
        """End a login that takes too long. Raises `CommandFailed` where none runs."""
        if self.talk.client is None or self.began is None:
            raise CommandFailed("No login is running: :agentlogin METHOD begins one, :agentclose ends the session")
        self.talk.client.cancel_calls()

    def close_request(self, outcome: str = "→ logging in") -> None:
        """Close the request that offers the ways."""
        request, self._request = self._request, None
        if request is not None and request.withdraw(outcome):
            self.talk.close_request(request)

    def out(self) -> None:
        """Log out, where the agent offers that. Raises `CommandFailed`."""
        talk, client = self.talk, self.talk.client
        if client is None or client.capabilities.auth.logout is None:
            raise CommandFailed(f"{one_line(talk.name)} does not offer to log out")

        def told(result: Any) -> None:
            talk.tell(f"logout: {result if isinstance(result, RpcError) else 'done'}", error=False)

        client.logout(told)


def _told(method: schema.AuthMethod) -> str:
    """Return a way to log in as it is offered: some agents say only in the description what there is to do."""
    return f"{method.name}: {method.description}" if method.description else method.name
