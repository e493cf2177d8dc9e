"""What an agent says and asks while it works: sessions, turns, tool calls, and the steps a turn waits for.

A turn is a generator. It tells things at once (`turn.say`, `turn.tool_call`), and yields a step for whatever
it has to wait for; the answer is the value of the `yield`:

    def prompt(self, turn):
        text = yield turn.read_text_file(path)
        yield turn.sleep(0.2)

so that it can be cancelled at every step and needs no thread. Here also: which capability of the client each
of these needs (PROTOCOL §5, §23). Not here: running turns and answering requests (`serve.py`), pipes and
clocks (`stdio.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from tpy.acp.schema import text_of

Json = dict[str, Any]
"""A JSON object on its way out."""

Send = Callable[[str, Json], None]
"""Sends a notification: method, params."""


class Cancelled(BaseException):
    """Thrown into a turn at the step it waits for when the client cancels it.

    Like `GeneratorExit` it is no `Exception`, so that `except Exception` does not swallow it. A turn may
    catch it to say last things; nothing it yields afterwards is waited for.
    """


class NotOffered(Exception):
    """The client has not announced what the agent is about to use; the text names the capability."""


class Call(NamedTuple):
    """A step: a request to the client. The `yield` gives `read(result)` or raises `RpcError`."""

    method: str
    params: Json
    read: Callable[[Any], Any]


class Sleep(NamedTuple):
    """A step: go on after some seconds. `Sleep(0)` lets what has arrived be handled first."""

    seconds: float


class Readable(NamedTuple):
    """A step: go on when a descriptor is readable. The `yield` gives False when `seconds` passed instead."""

    descriptor: int
    seconds: float | None = None


Step = Call | Sleep | Readable


class Permission(NamedTuple):
    """The answer to a permission request: `kind` of the option chosen, empty when none of ours was."""

    option_id: str = ""
    kind: str = ""

    @property
    def allowed(self) -> bool:
        """Only an offered allow option is an approval (PROTOCOL §23)."""
        return self.kind in ("allow_once", "allow_always")


class Client(NamedTuple):
    """What `initialize` told of the client."""

    capabilities: Mapping[str, Any] = MappingProxyType({})
    name: str = ""
    version: str = ""

    def has(self, *path: str) -> bool:
        """Whether a capability is announced: `has("fs", "readTextFile")`; a marker is an object."""
        value: Any = self.capabilities
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        return value is True or isinstance(value, dict)

    def need(self, *path: str) -> None:
        """Raise `NotOffered` unless the capability is announced."""
        if not self.has(*path):
            raise NotOffered(f"the client does not offer {'.'.join(path)}")


class Session:
    """One conversation, as the agent sees it. An agent keeps what it likes in `data`.

    `modes` and `options` are the complete lists as they go out; the mode is offered in both forms, as
    `modes` and as a config option of category `mode`, while old clients exist (PROTOCOL §16, §23).
    """

    def __init__(self, ident: str, cwd: str, send: Send, client: Client) -> None:
        self.id, self.cwd, self.client = ident, cwd, client
        self._send = send
        self.roots: list[str] = [cwd]
        self.mcp_servers: list[Any] = []
        self.modes: list[Json] = []
        self.mode = ""
        self.options: list[Json] = []
        self.commands: list[Json] = []
        self.title = ""
        self.data: Any = None
        self._counters: dict[str, int] = {}

    def update(self, update_kind: str, /, **fields: Any) -> None:
        """Send one `session/update`."""
        update = {"sessionUpdate": update_kind, **fields}
        self._send("session/update", {"sessionId": self.id, "update": update})

    def notify(self, method: str, params: Json) -> None:
        """Send any other notification."""
        self._send(method, params)

    def new_id(self, prefix: str) -> str:
        """An id that is unique in this session."""
        self._counters[prefix] = self._counters.get(prefix, 0) + 1
        return f"{prefix}-{self._counters[prefix]}"

    def set_commands(self, commands: Sequence[Json]) -> None:
        """Announce the slash commands, the complete list."""
        self.commands = list(commands)
        self.update("available_commands_update", availableCommands=self.commands)

    def set_title(self, title: str) -> None:
        """Give the session a title."""
        self.title = title
        self.update("session_info_update", title=title)

    def usage(self, used: int, size: int) -> None:
        """Tell how much of the context is used, in tokens."""
        self.update("usage_update", used=used, size=size)

    def set_mode(self, mode: str) -> None:
        """Change the mode and tell it in both forms; raises `LookupError` for one that was not offered."""
        if mode not in [item["id"] for item in self.modes]:
            raise LookupError(f"there is no mode {mode}")
        self.mode = mode
        self.update("current_mode_update", currentModeId=mode)
        self.update("config_option_update", configOptions=self.wire_options())

    def set_option(self, config_id: str, value: str | bool) -> None:
        """Change a config option and tell the list; raises `LookupError` for what was not offered."""
        if config_id == "mode" and self.modes and isinstance(value, str):
            self.set_mode(value)
            return
        option = self.option(config_id)
        if isinstance(value, bool) != (option["type"] == "boolean"):
            raise LookupError(f"{config_id} takes {'true or false' if option['type'] == 'boolean' else 'a value id'}")
        if option["type"] == "select" and value not in _values(option["options"]):
            raise LookupError(f"{config_id} has no value {value}")
        option["currentValue"] = value
        self.update("config_option_update", configOptions=self.wire_options())

    def option(self, config_id: str) -> Json:
        """The option of that id; raises `LookupError`."""
        found = [option for option in self.options if option["id"] == config_id]
        if not found:
            raise LookupError(f"there is no option {config_id}")
        return found[0]

    def wire_modes(self) -> Json | None:
        """The `modes` object of `session/new`, None when there are none."""
        return {"currentModeId": self.mode, "availableModes": self.modes} if self.modes else None

    def wire_options(self) -> list[Json]:
        """The complete `configOptions`, without boolean ones for a client that cannot show them."""
        found = []
        if self.modes:
            values = [{"value": m["id"], "name": m["name"], "description": m["description"]} for m in self.modes]
            found.append(
                {
                    "id": "mode",
                    "name": "Mode",
                    "category": "mode",
                    "type": "select",
                    "currentValue": self.mode,
                    "options": values,
                }
            )
        booleans = self.client.has("session", "configOptions", "boolean")
        return found + [dict(o) for o in self.options if booleans or o["type"] != "boolean"]


def _values(options: Sequence[Json]) -> list[str]:
    """The value ids of a select, whether its list is flat or in groups."""
    flat = [option["value"] for option in options if "value" in option]
    return flat + [inner["value"] for group in options for inner in group.get("options", ())]


# --- pieces of tool calls -------------------------------------------------------------------------------


def text_block(text: str) -> Json:
    """A text content block."""
    return {"type": "text", "text": text}


def text_content(text: str) -> Json:
    """Text as the output of a tool call."""
    return {"type": "content", "content": text_block(text)}


def diff_content(path: str, old: str | None, new: str) -> Json:
    """A change to a file, whole texts; `old` None is a new file."""
    return {"type": "diff", "path": path, "newText": new} | ({} if old is None else {"oldText": old})


def terminal_content(terminal: str) -> Json:
    """The live output of a client's terminal."""
    return {"type": "terminal", "terminalId": terminal}


def location(path: str, line: int | None = None) -> Json:
    """A place a tool call works on; `line` counts from 1."""
    return {"path": path} | ({} if line is None else {"line": line})


ALLOW_OPTIONS: list[Json] = [
    {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
    {"optionId": "always", "name": "Allow for this session", "kind": "allow_always"},
    {"optionId": "reject", "name": "Deny", "kind": "reject_once"},
]


class ToolCall:
    """A tool call that was announced; `open` until it is completed or failed."""

    def __init__(self, session: Session, ident: str, title: str) -> None:
        self._session, self.id, self.title = session, ident, title
        self.open = True

    def update(self, **fields: Any) -> None:
        """Patch fields (wire names: `status`, `content`, `locations`, `rawOutput` …); lists are whole."""
        if fields.get("status") in ("completed", "failed"):
            self.open = False
        self.title = fields.get("title", self.title)
        self._session.update("tool_call_update", toolCallId=self.id, **fields)

    def start(self) -> None:
        """Say that it runs."""
        self.update(status="in_progress")

    def complete(self, *content: Json, **fields: Any) -> None:
        """Say that it worked; content given replaces what was shown."""
        self.update(status="completed", **({"content": list(content)} if content else {}), **fields)

    def fail(self, *content: Json, **fields: Any) -> None:
        """Say that it did not; content given replaces what was shown."""
        self.update(status="failed", **({"content": list(content)} if content else {}), **fields)


class Turn:
    """One prompt being worked on; `prompt` holds its content blocks (`schema.ContentBlock`).

    What it leaves open, tool calls and terminals, is finished when it ends.
    """

    def __init__(self, session: Session, prompt: Sequence[Any]) -> None:
        self.session, self.prompt, self.client = session, list(prompt), session.client
        self.calls: list[ToolCall] = []
        self.terminals: list[str] = []
        self._last_kind = ""
        self._message_id = ""

    @property
    def text(self) -> str:
        """The words of the prompt, its text blocks joined."""
        return "".join(text for text in map(text_of, self.prompt) if text)

    # -- telling -------------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Append Markdown to the current message; a new one begins after anything else was told."""
        self._chunk("agent_message_chunk", text_block(text))

    def think(self, text: str) -> None:
        """Append to the current thought."""
        self._chunk("agent_thought_chunk", text_block(text))

    def show(self, block: Json) -> None:
        """Append any content block to the current message."""
        self._chunk("agent_message_chunk", block)

    def end_message(self) -> None:
        """Let the next `say` or `think` begin a new message."""
        self._last_kind = ""

    def _chunk(self, kind: str, block: Json) -> None:
        if kind != self._last_kind:
            self._last_kind, self._message_id = kind, self.session.new_id("message")
        self.session.update(kind, content=block, messageId=self._message_id)

    def plan(self, entries: Sequence[tuple[str, str]], priority: str = "medium") -> None:
        """Tell the whole plan: (content, status) each."""
        self.end_message()
        items = [{"content": what, "priority": priority, "status": status} for what, status in entries]
        self.session.update("plan", entries=items)

    def tool_call(self, title: str, kind: str = "other", **fields: Any) -> ToolCall:
        """Announce a tool call; further fields by their wire names. The turn's end fails one left open."""
        self.end_message()
        call = ToolCall(self.session, self.session.new_id("call"), title)
        self.calls.append(call)
        status = fields.pop("status", "pending")
        call.open = status not in ("completed", "failed")
        self.session.update("tool_call", toolCallId=call.id, title=title, kind=kind, status=status, **fields)
        return call

    def notice(self, severity: str, title: str, description: str = "") -> None:
        """Show a passing notice; raises `NotOffered`."""
        self.client.need("session", "notices")
        self.session.update("notice", severity=severity, title=title, description=description)

    # -- steps ---------------------------------------------------------------------------------------------

    def sleep(self, seconds: float) -> Sleep:
        """Go on after some seconds."""
        return Sleep(seconds)

    def ask_permission(self, call: ToolCall, options: Sequence[Json] | None = None, **fields: Any) -> Call:
        """Ask for a tool call that was announced before; gives a `Permission`."""
        offered = list(ALLOW_OPTIONS if options is None else options)
        kinds = {option["optionId"]: option["kind"] for option in offered}

        def read(result: Any) -> Permission:
            outcome = result.get("outcome") if isinstance(result, dict) else None
            if not isinstance(outcome, dict) or outcome.get("outcome") != "selected":
                return Permission()
            chosen = str(outcome.get("optionId"))
            return Permission(chosen, kinds[chosen]) if chosen in kinds else Permission()

        params = {"toolCall": {"toolCallId": call.id, "title": call.title, **fields}, "options": offered}
        return self._call("session/request_permission", params, read)

    def read_text_file(self, path: str, line: int | None = None, limit: int | None = None) -> Call:
        """Read a file through the client, its unsaved text included; gives the text."""
        self.client.need("fs", "readTextFile")
        params = {"path": path, "line": line, "limit": limit}
        given = {key: value for key, value in params.items() if value is not None}
        return self._call("fs/read_text_file", given, lambda result: _text(result, "content"))

    def write_text_file(self, path: str, content: str) -> Call:
        """Write a whole file through the client; gives None."""
        self.client.need("fs", "writeTextFile")
        return self._call("fs/write_text_file", {"path": path, "content": content}, lambda result: None)

    def create_terminal(
        self,
        command: str,
        args: Sequence[str] = (),
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        output_byte_limit: int | None = None,
    ) -> Call:
        """Run a program in a terminal of the client; gives its id. The turn's end releases it."""
        self.client.need("terminal")
        params: Json = {"command": command, "args": list(args)}
        if env:
            params["env"] = [{"name": name, "value": value} for name, value in env.items()]
        params |= {} if cwd is None else {"cwd": cwd}
        params |= {} if output_byte_limit is None else {"outputByteLimit": output_byte_limit}

        def read(result: Any) -> str:
            terminal = _text(result, "terminalId")
            self.terminals.append(terminal)
            return terminal

        return self._call("terminal/create", params, read)

    def terminal_output(self, terminal: str) -> Call:
        """Gives the result object: `output`, `truncated`, `exitStatus`."""
        return self._call("terminal/output", {"terminalId": terminal}, dict)

    def wait_for_exit(self, terminal: str) -> Call:
        """Gives the result object: `exitCode`, `signal`."""
        return self._call("terminal/wait_for_exit", {"terminalId": terminal}, dict)

    def kill_terminal(self, terminal: str) -> Call:
        """End the command, keep its output; gives None."""
        return self._call("terminal/kill", {"terminalId": terminal}, lambda result: None)

    def release_terminal(self, terminal: str) -> Call:
        """Give the terminal back; gives None."""
        if terminal in self.terminals:
            self.terminals.remove(terminal)
        return self._call("terminal/release", {"terminalId": terminal}, lambda result: None)

    def ask_form(self, message: str, schema: Json, call: ToolCall | None = None) -> Call:
        """Ask the user to fill in a form; gives (action, content), action being accept, decline or cancel."""
        self.client.need("elicitation", "form")
        params: Json = {"mode": "form", "message": message, "requestedSchema": schema}
        if call is not None:
            params["toolCallId"] = call.id
        return self._call("elicitation/create", params, _read_elicitation)

    def ask_url(self, message: str, ident: str, url: str) -> Call:
        """Ask the user to open a page; gives (action, {})."""
        self.client.need("elicitation", "url")
        params = {"mode": "url", "message": message, "elicitationId": ident, "url": url}
        return self._call("elicitation/create", params, _read_elicitation)

    def request(self, method: str, params: Json) -> Call:
        """Any other request about this session, such as an extension; gives the result as it came."""
        return self._call(method, params, lambda result: result)

    def _call(self, method: str, params: Json, read: Callable[[Any], Any]) -> Call:
        self.end_message()
        return Call(method, {"sessionId": self.session.id, **params}, read)


def _text(result: Any, key: str) -> str:
    """A string of a result; raises `ValueError` when the client answered something else."""
    value = result.get(key) if isinstance(result, dict) else None
    if not isinstance(value, str):
        raise ValueError(f"the client's answer has no {key}")
    return value


def _read_elicitation(result: Any) -> tuple[str, Json]:
    action = result.get("action") if isinstance(result, dict) else None
    content = result.get("content") if isinstance(result, dict) else None
    if action == "accept":
        return "accept", content if isinstance(content, dict) else {}
    return ("decline" if action == "decline" else "cancel"), {}
