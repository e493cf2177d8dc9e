"""Everything that a client of ours sends in a test is looked at afterwards: it is valid by the official schema.

A `conftest.py` that imports `sent_is_valid` has it done for all tests beside and below it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tpy.acp import draft2, jsonrpc
from tpy.acp.connection import Connection

DATA = Path(__file__).parents[1] / "acp" / "data"
SCHEMAS = {1: "schema.unstable.json", draft2.VERSION: "schema.v2.json"}
# What is not in the schema: an extension, and what older agents have.
BEYOND = {"_session/steering", "session/set_model"}
# Stands where `rowcheck.py` has taken a row off the wire (`acprows.GONE`): what fails then must be a test, not this.
GONE = b"gone-from-the-wire"
# Larger messages, and what comes after so many in one test, are like those before.
LARGEST, MOST = 1 << 16, 400
# What the editor on a screen tells agents that it can do.
ANNOUNCED = {
    "fs": {"readTextFile": True, "writeTextFile": True},
    "terminal": True,
    "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}},
    "elicitation": {"form": {}, "url": {}},
    "auth": {"terminal": True},
    "subagents": {},
    "plan": {},
    "_meta": {"terminal_output_delta": True},
}


@cache
def _definitions(version: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DATA / SCHEMAS[version]).read_text(encoding="utf-8"))["$defs"]
    return found


@cache
def _by_method(version: int, endings: tuple[str, ...]) -> dict[str, str]:
    """Return the definition of each method's params or result."""
    return {
        described["x-method"]: name
        for name, described in _definitions(version).items()
        if "x-method" in described and name.endswith(endings)
    }


@cache
def _validator(version: int, name: str) -> Any:
    import jsonschema

    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": _definitions(version)})


def check(message: dict[str, Any], version: int, asked: dict[str, str]) -> None:
    """Look at one message; `asked` gives the method of each request of the agent by its id, as JSON."""
    assert message["jsonrpc"] == "2.0"
    method = message.get("method")
    if method in BEYOND:
        return
    if method is not None:
        definition = _by_method(version, ("Request", "Notification"))[method]
        _validator(version, definition).validate(message.get("params", {}))
    elif "error" in message:
        assert "result" not in message
        _validator(version, "Error").validate(message["error"])
    else:
        definition = _by_method(version, ("Response",))[asked[json.dumps(message["id"])]]
        _validator(version, definition).validate(message["result"])


@pytest.fixture(autouse=True)
def sent_is_valid(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keep what all clients send in a test, and look at it in the end."""
    sent: list[tuple[Connection, bytes]] = []
    asked: dict[int, dict[str, str]] = {}
    take, hear = Connection.data_to_send, Connection._on_request

    def data_to_send(self: Connection) -> list[bytes]:
        lines = take(self)
        fit = [line for line in lines if len(line) < LARGEST and GONE not in line]
        sent.extend((self, line) for line in fit[: max(MOST - len(sent), 0)])
        return lines

    def on_request(self: Connection, message: jsonrpc.Request) -> None:
        asked.setdefault(id(self), {})[json.dumps(message.id)] = message.method
        hear(self, message)

    monkeypatch.setattr(Connection, "data_to_send", data_to_send)
    monkeypatch.setattr(Connection, "_on_request", on_request)
    yield
    for connection, line in sent:
        message = json.loads(line)
        old = connection._draft is None or message.get("method") == "initialize"
        check(message, 1 if old else draft2.VERSION, asked.get(id(connection), {}))
