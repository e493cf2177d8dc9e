"""One `[[agent]]` block of an agents file: its values, its checks, what trust and people ask of it.

Here: `AgentEntry`, reading one table into it with the exact error texts of spec AGENTS §1, the hash that
trust is kept by, remarks on odd values. Not here: files and merging (`config.py`), finding the program of
an entry (`launch.py`), the memory of what was approved (`trust.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

AGENT_KEYS = ("name", "command", "args", "env", "cwd")
OUR_KEYS = ("mcp", "defaults", "protocol", "timeout", "roots")
"""Keys of ours alone: Turbo Python itself refuses a file that has them."""

BUILT_IN = "built in"
"""The `source` of an entry that is in no file."""
GIVEN = "the command line"
"""The `source` of an entry that was typed for one check."""

MCP_TYPES = ("stdio", "http", "sse")
"""How an MCP server can be reached."""

_MCP_KEYS = ("name", "command", "args", "env", "type", "url", "headers")
_NEAR_MISSES = {"cmd": "command", "program": "command", "exe": "command", "path": "command", "argv": "args"}
_NEAR_MISSES |= {"arguments": "args", "environment": "env", "directory": "cwd", "dir": "cwd", "title": "name"}
_NEAR_MISSES |= {"mcpServers": "mcp", "mcp_servers": "mcp", "agents": "agent"}


class ConfigError(Exception):
    """An agents file that is there and cannot be used; the text is the whole message for a person."""


class McpServer(NamedTuple):
    """One `[[agent.mcp]]` block: an MCP server handed to the agent. `type` is stdio, http or sse."""

    name: str
    type: str = "stdio"
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    url: str = ""
    headers: Mapping[str, str] = {}

    def __repr__(self) -> str:
        """Show no value of `env` or `headers`: they hold secrets."""
        return f"McpServer({self.name!r}, {self.type}, {self.command or self.url!r})"


class AgentEntry(NamedTuple):
    """One `[[agent]]` block, values as written (nothing expanded, nothing looked up).

    `source` is the file it came from (absolute) or `BUILT_IN`; `project_file` says that a project file
    brought it, so that its first start asks. `own_keys` are those keys of `OUR_KEYS` the block has.
    """

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    cwd: str | None = None
    mcp: tuple[McpServer, ...] = ()
    defaults: Mapping[str, str | bool] = {}
    protocol: int = 1
    timeout: float = 60.0
    roots: tuple[str, ...] = ()
    source: str = BUILT_IN
    project_file: bool = False
    own_keys: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Show the names in `env` only: the values may be secrets."""
        shown = f"{self.name!r}, {self.command!r}, {self.args!r}, env={sorted(self.env)}"
        return f"AgentEntry({shown}, from {self.source})"


def unknown_key(key: str, table: str, known: Iterable[str]) -> str:
    """The message for a key the format does not have, with a likely key as a second sentence."""
    shown = key if key.isascii() and key.isprintable() and key else repr(key)
    message = f"{table}{shown} is not a key this file has"
    likely = likely_key(key, tuple(known))
    return f'{message}. Did you mean "{likely}"?' if likely else message


def likely_key(key: str, known: tuple[str, ...]) -> str:
    """The key that was probably meant, or an empty string."""
    import difflib

    plain = key.strip().strip("_-").lower()
    if plain in known:
        return plain
    alias = _NEAR_MISSES.get(key, _NEAR_MISSES.get(plain, ""))
    if alias in known:
        return alias
    return next(iter(difflib.get_close_matches(plain, known, 1, 0.6)), "")


def kind_of(value: object) -> str:
    """What a TOML value is, in words."""
    names = {
        bool: "a boolean",
        int: "an integer",
        float: "a float",
        str: "a string",
        list: "a list",
        dict: "a table",
    }
    return names.get(type(value), "a date or time")


class _Block:
    """One TOML table being read: type checks with messages that name file, agent and key."""

    def __init__(self, table: Mapping[str, object], prefix: str, who: str, label: str) -> None:
        self.table, self.prefix, self.who, self.label = table, prefix, who, label

    def fail(self, key: str, problem: str) -> ConfigError:
        return ConfigError(f"reading {self.label}: {self.who}: {self.prefix}{key} {problem}")

    def known(self, keys: tuple[str, ...]) -> None:
        for key in self.table:
            if key not in keys:
                raise ConfigError(f"reading {self.label}: {unknown_key(key, 'agent.' + self.prefix, keys)}")

    def string(self, key: str) -> str:
        value = self.table.get(key, "")
        if not isinstance(value, str):
            raise self.fail(key, f"must be a string, not {kind_of(value)}")
        if "\0" in value:
            raise self.fail(key, "must not contain a NUL character")
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        value = self.table.get(key, [])
        if not isinstance(value, list):
            raise self.fail(key, f"must be a list of strings, not {kind_of(value)}")
        for number, item in enumerate(value, 1):
            if not isinstance(item, str):
                raise self.fail(key, f"must be a list of strings; item {number} is {kind_of(item)}")
            if "\0" in item:
                raise self.fail(key, f"must not contain a NUL character; item {number} does")
        return tuple(value)

    def mapping(self, key: str, *, booleans: bool = False) -> dict[str, str | bool]:
        value = self.table.get(key, {})
        what = "strings or booleans" if booleans else "strings"
        if not isinstance(value, dict):
            raise self.fail(key, f"must be a table of {what}, not {kind_of(value)}")
        for name, item in value.items():
            if not isinstance(item, str) and not (booleans and isinstance(item, bool)):
                wanted = "a string or a boolean" if booleans else "a string"
                raise self.fail(f"{key}.{name}", f"must be {wanted}, not {kind_of(item)}")
            if isinstance(item, str) and "\0" in item:
                raise self.fail(f"{key}.{name}", "must not contain a NUL character")
        return value

    def variables(self, key: str) -> dict[str, str]:
        found = {name: str(value) for name, value in self.mapping(key).items()}
        for name in found:
            if not name or "=" in name or "\0" in name:
                raise self.fail(f"{key}.{name!r}", "is not a name a variable can have")
        return found


def read_entry(table: Mapping[str, object], number: int, label: str) -> AgentEntry:
    """One block to an entry; raises `ConfigError` at its first problem."""
    name = table.get("name")
    who = f'agent "{name}"' if isinstance(name, str) and name else f"agent {number}"
    block = _Block(table, "", who, label)
    block.known(AGENT_KEYS + OUR_KEYS)
    entry = AgentEntry(
        name=block.string("name"),
        command=block.string("command"),
        args=block.strings("args"),
        env=block.variables("env"),
        cwd=block.string("cwd") or None,
        mcp=_mcp(block),
        defaults=block.mapping("defaults", booleans=True),
        protocol=_protocol(block),
        timeout=_timeout(block),
        roots=block.strings("roots"),
        own_keys=tuple(key for key in OUR_KEYS if key in table),
    )
    if not entry.name:
        raise ConfigError(f"reading {label}: agent {number} has no name")
    if not entry.command:
        raise ConfigError(f'reading {label}: agent "{entry.name}" has no command')
    return entry


def _protocol(block: _Block) -> int:
    value = block.table.get("protocol", 1)
    if isinstance(value, bool) or not isinstance(value, int):
        raise block.fail("protocol", f"must be 1 or 2, not {kind_of(value)}")
    if value not in (1, 2):
        raise block.fail("protocol", f"must be 1 or 2, not {value}")
    return value


def _timeout(block: _Block) -> float:
    value = block.table.get("timeout", 60)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise block.fail("timeout", f"must be a number of seconds, not {kind_of(value)}")
    if not 0 < value <= 86400:
        raise block.fail("timeout", "must be a number of seconds between 0 and 86400")
    return float(value)


def _mcp(outer: _Block) -> tuple[McpServer, ...]:
    """The `[[agent.mcp]]` blocks of an entry."""
    value = outer.table.get("mcp", [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise outer.fail("mcp", f"must be blocks headed [[agent.mcp]], not {kind_of(value)}")
    servers = []
    for number, table in enumerate(value, 1):
        block = _Block(table, "mcp.", outer.who, outer.label)
        block.known(_MCP_KEYS)
        server = McpServer(
            name=block.string("name"),
            type=block.string("type") or "stdio",
            command=block.string("command"),
            args=block.strings("args"),
            env=block.variables("env"),
            url=block.string("url"),
            headers={key: str(item) for key, item in block.mapping("headers").items()},
        )
        _check_mcp(block, server, number)
        servers.append(server)
    return tuple(servers)


def _check_mcp(block: _Block, server: McpServer, number: int) -> None:
    """Refuse a server that has neither a command nor a URL, or both."""
    if not server.name:
        raise ConfigError(f"reading {block.label}: {block.who}: MCP server {number} has no name")
    if server.type not in MCP_TYPES:
        raise block.fail("type", f'must be "http" or "sse", not "{server.type}"')
    wanted, other = ("command", "url") if server.type == "stdio" else ("url", "command")
    if not getattr(server, wanted):
        raise ConfigError(f'reading {block.label}: {block.who}: MCP server "{server.name}" has no {wanted}')
    if getattr(server, other):
        raise block.fail(other, f"does not go with a server that has a {wanted}")


def fingerprint(entry: AgentEntry) -> str:
    """A hash over what decides which program runs with what: command, args, env, cwd, mcp (spec §10)."""
    import hashlib
    import json

    servers = [
        [s.name, s.type, s.command, list(s.args), sorted(s.env.items()), s.url, sorted(s.headers.items())]
        for s in entry.mcp
    ]
    value = [entry.command, list(entry.args), sorted(entry.env.items()), entry.cwd, servers]
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def origins(entry: AgentEntry) -> dict[str, str]:
    """Where each value came from: the entry's file for what it says, else the default in words."""
    given = {
        "name": True,
        "command": True,
        "args": bool(entry.args),
        "env": bool(entry.env),
        "cwd": entry.cwd is not None,
    }
    defaults = {"args": "default: none", "env": "default: the editor's", "cwd": "default: the project"}
    found = {key: entry.source if said else defaults[key] for key, said in given.items()}
    found |= dict.fromkeys(entry.own_keys, entry.source)
    return found


def remarks(entry: AgentEntry) -> list[str]:
    """What looks odd in an entry although it is allowed; never the value of a variable (CASES D-05, D-15)."""
    found = []
    for number, value in enumerate(entry.args, 1):
        if _wants_a_shell(value):
            found.append(f"args: item {number} looks as if it should be expanded; it is passed as written")
    for name, value in entry.env.items():
        if _wants_a_shell(value):
            found.append(f"env: the value of {name} looks as if it should be expanded; it is passed as written")
    if entry.own_keys:
        found.append(f"Turbo Python refuses a file with {', '.join(entry.own_keys)}: keys of this editor alone")
    return found


def _wants_a_shell(value: str) -> bool:
    """Whether a shell would have changed it: a leading `~`, `$NAME` or `${NAME`."""
    if value == "~" or value.startswith("~/"):
        return True
    after = [part[:1] for part in value.split("$")[1:]]
    return any(char == "{" or char == "_" or char.isalpha() for char in after)
