"""The Exerciser itself: its sessions, which can be listed, loaded, resumed, forked and deleted, and its login.

Sessions live as long as the process. Not here: its commands (`features.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tpy.acp import jsonrpc, schema
from tpy.acp.agent import Agent, Handler, Work
from tpy.acp.agents.exerciser.features import ROWS, TurnFailed
from tpy.acp.jsonrpc import RpcError
from tpy.acp.serve import Server, opened
from tpy.acp.turn import Client, Json, NotOffered, Session, Turn


class Exerciser(Agent):
    """The agent: sessions that can be listed, loaded, resumed, forked and deleted, and the commands."""

    name, title, version = "exerciser", "Exerciser", "1"
    prompt_kinds = frozenset({"resource", "image", "audio"})

    def __init__(self, *, login: bool = False) -> None:
        self.logged_in = not login
        self._login = login
        self._known: dict[str, Session] = {}
        self._archived: set[str] = set()

    def capabilities(self) -> Json:
        """Return what `initialize` announces (PROTOCOL §5): all of it is served by `handlers`."""
        names = ("list", "resume", "delete", "fork", "additionalDirectories", "archive", "status", "title")
        markers: Json = {name: {} for name in names}
        auth: Json = {"auth": {"logout": {}}} if self._login else {}
        return {"loadSession": True, "sessionCapabilities": markers, "mcpCapabilities": {"http": True}} | auth

    def auth_methods(self, client: Client) -> list[Json]:
        """Return the one way to log in, with `--login` (PROTOCOL §6)."""
        return [{"id": "nod", "name": "Nod", "description": "Logs in at once"}] if self._login else []

    def handlers(self) -> Mapping[str, Handler]:
        """Return what serves each call beyond those that every agent has (PROTOCOL §4.1, §19)."""
        return {
            "authenticate": self._authenticate,
            "logout": self._logout,
            "session/load": self._load,
            "session/resume": self._resume,
            "session/fork": self._fork,
            "session/list": self._list,
            "session/delete": self._delete,
            "session/archive": lambda server, params: self._archive(params, True),
            "session/unarchive": lambda server, params: self._archive(params, False),
            "session/status": self._status,
            "session/set_title": self._set_title,
            "_exerciser/echo": lambda server, params: params,
        }

    def open_session(self, session: Session) -> None:
        """Give a new session its modes, options and commands. Raises `RpcError` (-32000) before the login."""
        if not self.logged_in:
            raise RpcError(jsonrpc.AUTH_REQUIRED, "Authentication required")
        session.data = []
        session.modes = [
            {"id": "calm", "name": "Calm", "description": "The usual mode"},
            {"id": "brisk", "name": "Brisk", "description": "Another mode"},
        ]
        session.mode = "calm"
        groups = [
            {"group": "small", "name": "Small", "options": [{"value": "s1", "name": "S1"}]},
            {
                "group": "large",
                "name": "Large",
                "options": [{"value": "l1", "name": "L1"}, {"value": "l2", "name": "L2"}],
            },
        ]
        session.options = [
            _option("model", "Model", "model", "select", "s1", options=groups),
            _option("effort", "Effort", "thought_level", "select", "low", options=_values("low", "high")),
            _option("web", "Web search", None, "boolean", False),
        ]
        session.commands = [
            {"name": row.name, "description": row.about} | ({"input": {"hint": row.hint}} if row.hint else {})
            for row in ROWS.values()
        ]
        self._known[session.id] = session

    def prompt(self, turn: Turn) -> Work:
        """Run the command; anything else is answered with the list of block types that came."""
        words = turn.text.strip().partition(" ")
        row = ROWS.get(words[0].removeprefix("/")) if words[0].startswith("/") else None
        turn.session.data.append(("user_message_chunk", turn.text))
        if row is None:
            kinds = ", ".join(_kind(block) for block in turn.prompt)
            turn.say(f"You sent: {kinds}. Type `/` for the commands.\n")
            yield turn.sleep(0)
            return None
        try:
            return (yield from row.feature(turn, words[2].strip()))
        except NotOffered as missing:
            turn.say(f"Not exercised: {missing}.\n")
        except TurnFailed:
            raise
        except RpcError as error:
            turn.say(f"The client answered {error.code}: {error}\n")
        return None

    # -- further methods -----------------------------------------------------------------------------------

    def _authenticate(self, server: Server, params: schema.AuthenticateRequest) -> Json:
        if params.method_id != "nod":
            raise RpcError(jsonrpc.INVALID_PARAMS, f"there is no login method {params.method_id}")
        self.logged_in = True
        return {}

    def _logout(self, server: Server, params: object) -> Json:
        self.logged_in = not self._login
        return {}

    def _find(self, ident: str) -> Session:
        if ident not in self._known:
            raise RpcError(jsonrpc.NOT_FOUND, f"Session not found: {ident}", {"sessionId": ident})
        return self._known[ident]

    def _reopen(self, server: Server, params: Any, ident: str) -> Session:
        old = self._find(params.session_id)
        session = server.adopt(ident, params.cwd, params.additional_directories)
        self.open_session(session)
        session.data = list(old.data)
        return session

    def _load(self, server: Server, params: schema.LoadSessionRequest) -> Json:
        session = self._reopen(server, params, params.session_id)
        for number, (kind, text) in enumerate(session.data):
            session.update(kind, content={"type": "text", "text": text}, messageId=f"replay-{number}")
        return opened(session)

    def _resume(self, server: Server, params: schema.ResumeSessionRequest) -> Json:
        return opened(self._reopen(server, params, params.session_id))

    def _fork(self, server: Server, params: Any) -> Json:
        session = self._reopen(server, params, f"{params.session_id}-fork-{len(self._known)}")
        return {"sessionId": session.id, **opened(session)}

    def _list(self, server: Server, params: schema.ListSessionsRequest) -> Json:
        """Two to a page, so that the cursor is exercised."""
        shown = {"include": (True, False), "only": (True,)}.get(params.archived or "", (False,))
        fitting = [s for s in self._known.values() if params.cwd in (None, s.cwd) and (s.id in self._archived) in shown]
        start = int(params.cursor) if params.cursor and params.cursor.isdecimal() else 0
        page = [{"sessionId": s.id, "cwd": s.cwd, "title": s.title or s.id} for s in fitting[start : start + 2]]
        return {"sessions": page} | ({"nextCursor": str(start + 2)} if len(fitting) > start + 2 else {})

    def _delete(self, server: Server, params: schema.SessionId) -> Json:
        self._known.pop(params.session_id, None)
        server.sessions.pop(params.session_id, None)
        return {}

    def _archive(self, params: schema.SessionId, archived: bool) -> Json:
        self._find(params.session_id)
        (self._archived.add if archived else self._archived.discard)(params.session_id)
        return {}

    def _status(self, server: Server, params: schema.SessionId) -> Json:
        return {"status": "open" if params.session_id in server.sessions else "saved"}

    def _set_title(self, server: Server, params: schema.SetTitleRequest) -> Json:
        """Stored in one line and cut at 60 characters, so that what comes back may differ from what was sent."""
        session = self._find(params.session_id)
        session.title = " ".join(params.title.split())[:60]
        return {"title": session.title}


def _option(ident: str, name: str, category: str | None, kind: str, value: object, **more: object) -> Json:
    found: Json = {"id": ident, "name": name, "type": kind, "currentValue": value, **more}
    return found | ({"category": category} if category else {})


def _values(*values: str) -> list[Json]:
    return [{"value": value, "name": value.capitalize()} for value in values]


def _kind(block: Any) -> str:
    return block.kind if isinstance(block, schema.UnknownContent) else str(type(block).__struct_config__.tag)
