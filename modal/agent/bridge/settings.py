"""The options, modes and models of one session: finding what a person names, and setting it (PROTOCOL §16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tpy.acp import schema
from tpy.acp.client import Client
from tpy.acp.jsonrpc import RpcError
from tpy.acp.session import Session
from tpy.modal.agent.bridge.reports import option_lines
from tpy.modal.agent.lines import one_line
from tpy.modal.registry import CommandFailed

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk


class Settings:
    """What can be set of a session that is open."""

    def __init__(self, talk: Talk, client: Client, session: Session) -> None:
        self.talk = talk
        self.client = client
        self.session = session

    def lines(self) -> list[str]:
        """Return all options with their values, and the modes where the agent has no options."""
        rows = option_lines(self.session)
        for what in ("mode", "model"):
            if self._option(what) is None and self._listed(what):
                rows.append(self.offered(what))
        return rows

    def set_option(self, name: str, value: str | None) -> None:
        """Set an option; a flag is set by its name, unset by `no` before it. Raises `CommandFailed`."""
        known = {option.id: option for option in self.session.config_options or ()}
        option = known.get(name)
        if option is None and value is None and name.startswith("no"):
            option, value = known.get(name.removeprefix("no")), "off"
        if option is None:
            if name in ("mode", "model") and value:
                self.choose(name, value)
                return
            names = ", ".join(one_line(known_id, 40) for known_id in known) or "none"
            raise CommandFailed(f"{one_line(name)} is no option of this agent; it has: {names}")
        self._set(option, value)

    def _set(self, option: Any, value: str | None) -> None:
        if isinstance(option, schema.ConfigBoolean):
            wanted = True if value is None else value.lower() in ("on", "yes", "true", "1")
            self.client.set_config_option(
                self.session, option.id, wanted, self._told(option.id, "on" if wanted else "off")
            )
            return
        if value is None:
            raise CommandFailed(next(line for line in option_lines(self.session) if line.startswith(option.id)))
        found = _match([(c.value or "", c.name) for c in option.choices()], value)
        self.client.set_config_option(self.session, option.id, found, self._told(option.id, found))

    def choose(self, what: str, wanted: str) -> None:
        """Change to a mode or model, by its id, name or a unique beginning of either. Raises `CommandFailed`."""
        option = self._option(what)
        if option is not None:
            self._set(option, wanted)
            return
        found = _match(self._listed(what), wanted)
        if what == "mode":
            self.client.set_mode(self.session, found, self._told(what, found))
        else:
            self.client.set_model(self.session, found, self._told(what, found))

    def offered(self, what: str) -> str:
        """Return the modes or models there are, the current one in brackets."""
        option = self._option(what)
        current: str | None
        if option is not None:
            listed, current = [(c.value or "", c.name) for c in option.choices()], option.current_value
        else:
            listed = self._listed(what)
            models = self.session.models
            current = self.session.mode_id if what == "mode" else models.current_model_id if models else None
        if not listed:
            return f"This agent has no {what}s"
        names = ", ".join(f"[{one_line(i, 40)}]" if i == current else one_line(i, 40) for i, _ in listed)
        return f"{what}: {names}"

    def words(self, what: str) -> list[str]:
        """Return what can be typed for an option with its value, a mode or a model."""
        if what != "option":
            option = self._option(what)
            if option is None:
                return [identity for identity, _ in self._listed(what)]
            return [choice.value or "" for choice in option.choices()]
        found: list[str] = []
        for known in self.session.config_options or ():
            if isinstance(known, schema.ConfigBoolean):
                found += [known.id, f"no{known.id}"]
            else:
                found += [f"{known.id}={choice.value}" for choice in known.choices()]
        return found

    def _option(self, category: str) -> schema.ConfigSelect | None:
        """Return the first option of that category, which stands for the older modes and models."""
        for option in self.session.config_options or ():
            if isinstance(option, schema.ConfigSelect) and category in (option.category, option.id):
                return option
        return None

    def _listed(self, what: str) -> list[tuple[str, str]]:
        if what == "mode":
            return [(mode.id, mode.name) for mode in self.session.modes]
        models = self.session.models
        return [(m.model_id, m.name) for m in models.available_models] if models is not None else []

    def _told(self, name: str, value: str) -> Callable[[Any], None]:
        """Return what tells how setting something ended."""
        who, editor = one_line(self.talk.name, 40), self.talk.editor

        def done(result: Any) -> None:
            if isinstance(result, RpcError):
                editor.echo(f"{who}: {one_line(str(result))}", error=True)
            else:
                editor.echo(f"{who}: {one_line(name, 40)} is {one_line(value, 40)}")

        return done


def _match(listed: list[tuple[str, str]], wanted: str) -> str:
    """Return the id that a person means. Raises `CommandFailed` naming what there is."""
    low = wanted.lower()
    for test in (str.__eq__, str.startswith):
        found = [i for i, name in listed if test(i.lower(), low) or test(name.lower(), low)]
        if len(found) == 1:
            return found[0]
    names = ", ".join(one_line(i, 40) for i, _ in listed) or "nothing"
    raise CommandFailed(f"{one_line(wanted)} is none of: {names}")
