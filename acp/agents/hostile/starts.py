"""Ways to misbehave before the first prompt: versions, capabilities, logins, the opening of a session.

Each function gets every call of the client and says whether it has dealt with it.
"""

from __future__ import annotations

import sys
import time
from typing import Any

from tpy.acp.agents.hostile.wire import Json, Wire, start

LOGIN = [{"id": "login", "name": "Browser login"}, {"id": "key", "name": "API key", "description": "Set a key"}]


def hello(**changes: Any) -> Json:
    """The answer to `initialize` that the hostile agent gives when it behaves."""
    answer: Json = {
        "protocolVersion": 1,
        "agentInfo": {"name": "hostile", "title": "Hostile", "version": "1"},
        "agentCapabilities": {},
        "authMethods": [],
    }
    return {key: value for key, value in (answer | changes).items() if value is not ...}


def _version(name: str, version: Any, shown: str) -> None:
    def act(wire: Wire, call: Json) -> bool:
        if call["method"] != "initialize":
            return False
        wire.result(call["id"], hello(protocolVersion=version))
        return True

    act.__doc__ = f"Answers protocol version {shown}."
    start(f"version-{name}", "A-17, 21.16", "one clear message, no session/new")(act)


for _row in (("2", 2, "2"), ("0", 0, "0"), ("text", "1", '"1"'), ("true", True, "true"), ("null", None, "null")):
    _version(*_row)
_version("missing", ..., "nothing")


@start("refuses-2", "20", "asked again for 1")
def refuses_2(wire: Wire, call: Json) -> bool:
    """Answers a question for protocol 2 by an error."""
    if call["method"] != "initialize" or call["params"]["protocolVersion"] == 1:
        return False
    wire.error(call["id"], -32602, "only version 1 is spoken here")
    return True


@start("hang", "A-18", "the editor stays usable, names the step, gives up in time")
def hang(wire: Wire, call: Json) -> bool:
    """Never answers initialize."""
    print("still warming up", file=sys.stderr, flush=True)
    return bool(call["method"] == "initialize")


@start("hang-new", "A-18", "as hang, naming session/new")
def hang_new(wire: Wire, call: Json) -> bool:
    """Never answers session/new."""
    return bool(call["method"] == "session/new")


@start("slow", "21.41", "the editor stays usable, then the session opens")
def slow(wire: Wire, call: Json) -> bool:
    """Answers initialize after 5 seconds."""
    if call["method"] == "initialize":
        time.sleep(5)
    return False


@start("exit-127", "A-05", "status and last lines of stderr are shown")
def exit_127(wire: Wire, call: Json) -> bool:
    """Prints a reason on stderr and exits 127."""
    print("env: node: not found \x1b[31mred\x1b[0m", file=sys.stderr, flush=True)
    sys.exit(127)


@start("bad-initialize", "7", "the conversation does not start, and why is shown")
def bad_initialize(wire: Wire, call: Json) -> bool:
    """Answers initialize with an error."""
    if call["method"] != "initialize":
        return False
    wire.error(call["id"], -32603, "no license", {"hint": "buy one"})
    return True


@start("bad-new", "7", "the error is shown, nothing loops")
def bad_new(wire: Wire, call: Json) -> bool:
    """Answers session/new with an error."""
    if call["method"] != "session/new":
        return False
    wire.error(call["id"], -32603, "no model configured")
    return True


@start("no-id", "7", "told as such; no prompt is sent")
def no_id(wire: Wire, call: Json) -> bool:
    """Opens a session without an id."""
    if call["method"] != "session/new":
        return False
    wire.result(call["id"], {})
    return True


@start("nulls", "21.12", "as absent")
def nulls(wire: Wire, call: Json) -> bool:
    """Null wherever something may be absent."""
    if call["method"] == "initialize":
        wire.result(call["id"], hello(agentInfo=None, agentCapabilities=None, authMethods=None))
    elif call["method"] == "session/new":
        wire.result(call["id"], {"sessionId": wire.session, "modes": None, "configOptions": None})
    else:
        return False
    return True


@start("odd-capabilities", "21.15, A-43", "ignored")
def odd_capabilities(wire: Wire, call: Json) -> bool:
    """Capabilities nobody knows, and known ones of the wrong type."""
    if call["method"] != "initialize":
        return False
    odd = {"loadSession": "yes", "promptCapabilities": [], "teleport": {"range": 5}, "sessionCapabilities": {"list": 1}}
    wire.result(call["id"], hello(agentCapabilities=odd))
    return True


@start("early-update", "21.5, A-10", "they are offered")
def early_update(wire: Wire, call: Json) -> bool:
    """Announces commands before session/new is answered."""
    if call["method"] != "session/new":
        return False
    wire.update("available_commands_update", availableCommands=[{"name": "web", "description": "searches"}])
    wire.say("Early words.\n")
    wire.result(call["id"], {"sessionId": wire.session})
    return True


@start("strict-new", "21.25", "mcpServers is always sent")
def strict_new(wire: Wire, call: Json) -> bool:
    """Refuses session/new without mcpServers."""
    if call["method"] != "session/new" or isinstance(call["params"].get("mcpServers"), list):
        return False
    wire.error(call["id"], -32602, "mcpServers is missing")
    return True


@start("text-ids", "A-15", "accepted when nothing else fits")
def text_ids(wire: Wire, call: Json) -> bool:
    """Answers number ids as text."""
    if call["method"] != "initialize":
        return False
    wire.result(str(call["id"]), hello())
    return True


def _login(wire: Wire, call: Json, *, helps: bool, answers: bool) -> bool:
    """An agent that wants a login; `wire.session` becomes the mark that it happened."""
    if call["method"] == "initialize":
        wire.result(call["id"], hello(authMethods=LOGIN))
    elif call["method"] == "authenticate":
        wire.cancelled = helps
        if answers:
            wire.result(call["id"], {})
    elif call["method"] == "session/new" and not wire.cancelled:
        wire.error(call["id"], -32000, "Authentication required", {"authMethods": LOGIN})
    else:
        return False
    return True


@start("login", "A-19", "both methods offered; then one new session/new")
def login(wire: Wire, call: Json) -> bool:
    """Wants a login, which works."""
    return _login(wire, call, helps=True, answers=True)


@start("login-useless", "21.35, A-19", "the second refusal is shown, no loop")
def login_useless(wire: Wire, call: Json) -> bool:
    """A login that succeeds without effect."""
    return _login(wire, call, helps=False, answers=True)


@start("login-silent", "21.35", "can be cancelled")
def login_silent(wire: Wire, call: Json) -> bool:
    """A login that is never answered."""
    return _login(wire, call, helps=False, answers=False)


@start("login-terminal", "21.36", "shown, usable ones offered")
def login_terminal(wire: Wire, call: Json) -> bool:
    """Terminal logins, one only in _meta, one of a removed type."""
    legacy = {"terminal-auth": {"command": "true", "args": [], "label": "Log in"}}
    methods = [
        {"id": "tty", "name": "Terminal", "type": "terminal", "args": ["--login"]},
        {"id": "old", "name": "Old terminal", "_meta": legacy},
        {"id": "env", "name": "A key", "type": "env_var", "vars": [{"name": "KEY"}]},
    ]
    if call["method"] == "initialize":
        wire.result(call["id"], hello(authMethods=methods))
        return True
    return _login(wire, call, helps=True, answers=True)


@start("legacy-models", "21.37", "both shown; set_model works")
def legacy_models(wire: Wire, call: Json) -> bool:
    """Modes and models, no config options."""
    if call["method"] == "session/new":
        modes = {"currentModeId": "a", "availableModes": [{"id": "a", "name": "A"}, {"id": "b", "name": "B"}]}
        models = {
            "currentModelId": "m1",
            "availableModels": [{"modelId": "m1", "name": "M1"}, {"modelId": "m2", "name": "M2"}],
        }
        wire.result(call["id"], {"sessionId": wire.session, "modes": modes, "models": models})
    elif call["method"] in ("session/set_model", "session/set_mode"):
        wire.result(call["id"], {})
    else:
        return False
    return True


@start("load-nothing", "21.24", "the reader is told that it is empty")
def load_nothing(wire: Wire, call: Json) -> bool:
    """Session/load replays nothing and knows every id."""
    if call["method"] == "initialize":
        wire.result(call["id"], hello(agentCapabilities={"loadSession": True}))
    elif call["method"] == "session/load":
        wire.session = call["params"]["sessionId"]
        wire.result(call["id"], None)
    else:
        return False
    return True


@start("silent-work", "21.8", "loaded again, all is shown")
def silent_work(wire: Wire, call: Json) -> bool:
    """Goes on after its turn and tells it only to session/load."""
    if call["method"] == "initialize":
        wire.result(call["id"], hello(agentCapabilities={"loadSession": True}))
    elif call["method"] == "session/prompt":
        wire.say("I go on alone.\n")
        wire.result(call["id"], {"stopReason": "end_turn"})
    elif call["method"] == "session/load":
        wire.session = call["params"]["sessionId"]
        wire.update("user_message_chunk", content={"type": "text", "text": "hello"}, messageId="m1")
        wire.say("I go on alone.\n", messageId="m2")
        wire.say("Finished alone.\n", messageId="m3")
        wire.result(call["id"], {})
    else:
        return False
    return True


@start("same-session", "21.45", "nothing old is shown in it")
def same_session(wire: Wire, call: Json) -> bool:
    """Every session has the same id, also after session/delete."""
    if call["method"] == "initialize":
        wire.result(call["id"], hello(agentCapabilities={"sessionCapabilities": {"delete": {}}}))
    elif call["method"] == "session/delete":
        wire.result(call["id"], {})
    else:
        return False
    return True


@start("follows-no-links", "21.50", "a file in a prompt comes embedded")
def follows_no_links(wire: Wire, call: Json) -> bool:
    """Takes embedded files and follows no link."""
    if call["method"] == "initialize":
        wire.result(call["id"], hello(agentCapabilities={"promptCapabilities": {"embeddedContext": True}}))
    elif call["method"] == "session/prompt":
        kinds = [block["type"] for block in call["params"]["prompt"]]
        wire.say(f"There came: {', '.join(kinds)}.\n")
        wire.result(call["id"], {"stopReason": "end_turn"})
    else:
        return False
    return True


@start("needs-info", "21.56", "asked for 1, or in both shapes at once")
def needs_info(wire: Wire, call: Json) -> bool:
    """Refuses protocol 2 in the shape of protocol 1."""
    params = call.get("params") or {}
    if call["method"] != "initialize" or params["protocolVersion"] == 1 or {"info", "capabilities"} <= params.keys():
        return False
    wire.error(call["id"], -32602, "info is missing")
    return True


@start("late-commands", "21.39", "taken over then")
def late_commands(wire: Wire, call: Json) -> bool:
    """A session that tells commands and modes only with the first turn."""
    if call["method"] == "session/new":
        wire.result(call["id"], {"sessionId": wire.session})
    elif call["method"] == "session/prompt":
        wire.update("available_commands_update", availableCommands=[{"name": "late", "description": "came late"}])
        wire.say("Now you know.\n")
        wire.result(call["id"], {"stopReason": "end_turn"})
    else:
        return False
    return True
