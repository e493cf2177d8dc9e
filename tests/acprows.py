"""What version 1 of the protocol has, and what of it our code does: the rows of `docs/acp.md` and of `rowcheck.py`.

The names come from the official schemas (`tests/acp/data`), the answers from the tables of `tpy.acp` and from what the
editor announces. Only the reasons for what is left out are written here; one that is not needed any more is an error.

A row is taken away on the wire: its word is changed in everything that comes and goes, as if the other side, or we, had
never heard of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, get_args

import msgspec

from tpy.acp import agententry, entries, schema, session
from tpy.acp.connection import Connection
from tpy.modal.agent import permission
from tpy.modal.agent.bridge.handler import Handler

DATA = Path(__file__).parent / "acp" / "data"
GONE = "gone-from-the-wire"

WHY_NOT = {
    "method:providers/list": "its counterpart `providers/set` carries keys in headers, which this editor neither asks "
    "for in a form nor keeps; which provider an agent uses stays with its own settings",
    "method:providers/set": "as `providers/list`",
    "method:providers/disable": "as `providers/list`",
    "method:mcp/message": "the editor has no tools to offer besides `fs/*` and `terminal/*`, which agents have already;"
    " MCP servers of the user's come from the agents file (stdio, http, sse)",
    "method:proxy/initialize": "for proxies between client and agent, which a client does not see",
    "method:proxy/successor": "as `proxy/initialize`",
    "capability:agent:providers": "as `providers/list`",
    "capability:agent:mcpCapabilities.acp": "as `mcp/message`",
    "mcp:acp": "as `mcp/message`",
}


class Row(NamedTuple):
    """One thing of the protocol. `direction` is where it goes: "to the agent", "from the agent", "both"."""

    kind: str
    name: str
    direction: str
    stable: bool
    ours: bool

    @property
    def key(self) -> str:
        """The name `rowcheck.py` knows it by."""
        return f"{self.kind}:{self.name}"

    @property
    def answer(self) -> str:
        """What the table says."""
        return "yes" if self.ours else f"no: {WHY_NOT[self.key]}"


@cache
def _defs(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))["$defs"]
    return loaded


def rows() -> list[Row]:
    """Return every row, in the order of the page. Raises `SystemExit` where a reason is missing or stale."""
    found = []
    for list_rows, direction in _SECTIONS:
        stable = set(list_rows(_defs("schema.json")))
        for kind, name in list_rows(_defs("schema.unstable.json")):
            key = f"{kind}:{name}"
            ours = name in _ours(kind) and key not in WHY_NOT
            found.append(Row(kind, name, direction or _direction(name), (kind, name) in stable, ours))
    missing = [row.key for row in found if not row.ours and row.key not in WHY_NOT]
    stale = WHY_NOT.keys() - {row.key for row in found}
    if missing or stale:
        raise SystemExit(f"tests/acprows.py: no reason for {missing}, stale reasons for {sorted(stale)}")
    return found


# -- what the schema has -----------------------------------------------------------------------------------


def _methods(defs: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name in sorted({found["x-method"] for found in defs.values() if "x-method" in found}):
        yield "method", name


def _direction(method: str) -> str:
    sides = {found["x-side"] for found in _defs("schema.unstable.json").values() if found.get("x-method") == method}
    if sides in ({"agent"}, {"client"}):
        return "to the agent" if sides == {"agent"} else "from the agent"
    return "both"


def _consts(kind: str, name: str, key: str, default: str = "") -> Callable[[dict[str, Any]], Iterator[tuple[str, str]]]:
    """List the values that the union `name` is told apart by; `default` names the member without one."""

    def list_rows(defs: dict[str, Any]) -> Iterator[tuple[str, str]]:
        union = defs[name]
        for part in union.get("oneOf") or union["anyOf"]:
            value = part.get("const") or part.get("properties", {}).get(key, {}).get("const", default)
            if value:
                yield kind, value

    return list_rows


def _select_kinds(defs: dict[str, Any]) -> Iterator[tuple[str, str]]:
    yield from _consts("config", "SessionConfigOption", "type")(defs)
    if "SessionConfigSelectGroup" in defs:
        yield "config", "group"


# Objects that only hold others: one of these alone says yes to nothing.
_CONTAINERS = ("session", "elicitation", "configOptions", "mode")


def _capabilities(side: str, name: str) -> Callable[[dict[str, Any]], Iterator[tuple[str, str]]]:
    """List the leaves of the capability objects below the definition `name`, as paths."""

    def walk(defs: dict[str, Any], node: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
        for key, value in node.get("properties", {}).items():
            if key == "_meta":
                continue
            refs = [part["$ref"] for part in value.get("allOf", []) + value.get("anyOf", []) if "$ref" in part]
            below = defs[refs[0].rpartition("/")[2]] if refs else {}
            inner = list(walk(defs, below, f"{path}{key}."))
            # An object that is itself a marker (`{}` says yes) is a row, and so is what stands in it.
            if not inner or ("anyOf" in value and key not in _CONTAINERS):
                yield "capability", f"{side}:{path}{key}"
            yield from inner

    return lambda defs: walk(defs, defs[name], "")


_SECTIONS: tuple[tuple[Callable[[dict[str, Any]], Iterator[tuple[str, str]]], str], ...] = (
    (_methods, ""),
    (_consts("update", "SessionUpdate", "sessionUpdate"), "from the agent"),
    (_capabilities("client", "ClientCapabilities"), "to the agent"),
    (_capabilities("agent", "AgentCapabilities"), "from the agent"),
    (_consts("content", "ContentBlock", "type"), "both"),
    (_consts("tool-content", "ToolCallContent", "type"), "from the agent"),
    (_consts("tool-kind", "ToolKind", ""), "from the agent"),
    (_consts("tool-status", "ToolCallStatus", ""), "from the agent"),
    (_select_kinds, "from the agent"),
    (_consts("permission", "PermissionOptionKind", ""), "from the agent"),
    (_consts("elicitation", "CreateElicitationRequest", "mode"), "from the agent"),
    (_consts("field", "ElicitationPropertySchema", "type"), "from the agent"),
    (_consts("login", "AuthMethod", "type", "agent"), "from the agent"),
    (_consts("mcp", "McpServer", "type", "stdio"), "to the agent"),
    (_consts("stop", "StopReason", ""), "from the agent"),
)


# -- what the code has -------------------------------------------------------------------------------------


@cache
def _ours(kind: str) -> frozenset[str]:
    """Return the names of a kind that our code knows, from its own tables."""
    return frozenset(_TABLES[kind]())


def _tags(union: Any) -> Iterator[str]:
    for part in get_args(union):
        yield part.__struct_config__.tag


def _announced(side: str, value: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of all that an encoded capability object says yes to."""
    for key, inner in value.items():
        if inner is True or isinstance(inner, dict):
            yield f"{side}:{path}{key}"
        if isinstance(inner, dict) and key != "_meta":
            yield from _announced(side, inner, f"{path}{key}.")


def _understood(struct: Any, path: str = "") -> Iterator[str]:
    """Yield the paths of all that a capability struct has fields for."""
    for item in msgspec.structs.fields(struct):
        yield f"agent:{path}{item.encode_name}"
        for part in _structs(item.type):
            yield from _understood(part, f"{path}{item.encode_name}.")


def _structs(type_: Any) -> Iterator[Any]:
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        yield type_
    for part in get_args(type_):
        yield from _structs(part)


def _capabilities_of_ours() -> Iterator[str]:
    editor = Handler.__new__(Handler)
    editor.agents = SimpleNamespace(can_run_terminal=True)  # type: ignore[assignment]
    yield from _announced("client", json.loads(schema.encode(editor.capabilities)))
    yield from _understood(schema.AgentCapabilities)


_TABLES: dict[str, Callable[[], Any]] = {
    "method": lambda: {**schema.AGENT_METHODS, **schema.CLIENT_METHODS},
    "update": lambda: (struct.__struct_config__.tag for struct in session._FOLDS),
    "capability": _capabilities_of_ours,
    "content": lambda: _tags(schema.ContentBlock),
    "tool-content": lambda: _tags(schema.ToolCallContent),
    "tool-kind": lambda: get_args(schema.ToolKind),
    "tool-status": lambda: get_args(schema.ToolCallStatus),
    "config": lambda: [*_tags(schema.ConfigOption), *(f.name for f in msgspec.structs.fields(schema.ConfigChoice))],
    "permission": permission._KEYS.values,
    "elicitation": lambda: (name.rpartition(".")[2] for name in _ours("capability") if "client:elicitation." in name),
    "field": lambda: _tags(schema.PropertySchema),
    "login": lambda: ["agent", *(["terminal"] if "client:auth.terminal" in _ours("capability") else [])],
    "mcp": lambda: agententry.MCP_TYPES,
    "stop": lambda: {"end_turn", "cancelled", *entries._ADVICE},
}


# -- seeing a row, and taking it away ----------------------------------------------------------------------

_Objects = Iterator[tuple[str, dict[str, Any]]]


def _objects(value: Any, inside: str = "", outer: str = "") -> _Objects:
    """Yield every object of a message with the key it stands under (of the list, where it is in one)."""
    if isinstance(value, dict):
        yield outer, value
        for key, inner in value.items():
            yield from _objects(inner, key, f"{outer}.{key}" if outer == "properties" else key)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects(inner, inside, outer)


# How a kind is told by: the key of an object whose value is the name, and what tells such objects from others.
_MARKS: dict[str, tuple[str, Callable[[str, dict[str, Any]], bool]]] = {
    "method": ("method", lambda under, found: "jsonrpc" in found),
    "update": ("sessionUpdate", lambda under, found: True),
    "content": ("type", lambda under, found: under in ("content", "prompt", "summary", "blocks")),
    "tool-content": ("type", lambda under, found: under == "content"),
    "tool-kind": ("kind", lambda under, found: "toolCallId" in found),
    "tool-status": ("status", lambda under, found: "toolCallId" in found),
    "config": ("type", lambda under, found: "currentValue" in found),
    "permission": ("kind", lambda under, found: "optionId" in found),
    "elicitation": ("mode", lambda under, found: "message" in found),
    "field": ("type", lambda under, found: under.startswith("properties.")),
    "login": ("type", lambda under, found: under == "authMethods"),
    "mcp": ("type", lambda under, found: under == "mcpServers"),
    "stop": ("stopReason", lambda under, found: True),
}
KINDS = frozenset({*_MARKS, "capability"})
"""The kinds of rows there are."""

_DEFAULT = {"login": "agent", "mcp": "stdio", "tool-status": "pending"}
_HOLDER = {"client": "clientCapabilities", "agent": "agentCapabilities"}


def _capability(path: str, found: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """Return the object and key of a capability in a message's object, `None` where it is not announced."""
    side, _, dotted = path.partition(":")
    *outer, last = dotted.split(".")
    holder = found.get(_HOLDER[side])
    for key in outer:
        holder = holder.get(key) if isinstance(holder, dict) else None
    return (holder, last) if isinstance(holder, dict) and holder.get(last) not in (None, False) else None


def seen(message: Any) -> set[str]:
    """Return the keys of all rows that a message shows."""
    keys: set[str] = set()
    for under, found in _objects(message):
        for kind, (key, fits) in _MARKS.items():
            if fits(under, found):
                name = found.get(key, _DEFAULT.get(kind))
                if isinstance(name, str):
                    keys.add(f"{kind}:{name}")
        if under == "options" and "group" in found:
            keys.add("config:group")
        for row in _capability_rows() if _HOLDER.values() & found.keys() else ():
            if _capability(row, found) is not None:
                keys.add(f"capability:{row}")
    return keys


@cache
def _capability_rows() -> tuple[str, ...]:
    return tuple(row.name for row in rows() if row.kind == "capability")


def without(row: str, message: Any) -> bool:
    """Change a row's word in a message, in place; return whether it was there."""
    kind, _, name = row.partition(":")
    changed = False
    for under, found in list(_objects(message)):
        if kind == "capability":
            place = _capability(name, found)
            if place is not None:
                del place[0][place[1]]
                changed = True
        elif row == "config:group":
            if under == "options" and "group" in found:
                found[GONE] = found.pop("group")
                changed = True
        else:
            key, fits = _MARKS[kind]
            if fits(under, found) and found.get(key, _DEFAULT.get(kind)) == name:
                found[key] = GONE
                changed = True
    return changed


def _each(data: bytes, look: Callable[[Any], bool]) -> bytes:
    """Have every message among whole lines looked at; a line whose message was changed is written anew."""
    if len(data) > 1 << 20 or not data.endswith(b"\n"):
        return data
    lines = data.splitlines(keepends=True)
    for number, line in enumerate(lines):
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(message, dict) and look(message):
            lines[number] = json.dumps(message).encode() + b"\n"
    return b"".join(lines)


def on_the_wire(look: Callable[[Any], bool]) -> None:
    """Have `look` called with every message of every client from now on; it returns whether it changed it."""
    receive, send = Connection.receive_data, Connection.data_to_send
    Connection.receive_data = lambda self, data: receive(self, _each(data, look))  # type: ignore[method-assign]
    Connection.data_to_send = lambda self: [_each(line, look) for line in send(self)]  # type: ignore[method-assign]
