"""The agents files: where they are, reading `acp.toml`, merging the user's and the project's.

Here: `parse` (bytes to entries), `load` (both files to one list), the exact error texts of spec AGENTS §1
that concern a whole file. Not here: one block of a file (`agententry.py`), finding the program of an entry
(`launch.py`), the memory of what was approved (`trust.py`), the starter file (`starter.py`).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tpy.acp.agententry import (
    AGENT_KEYS,
    OUR_KEYS,
    AgentEntry,
    ConfigError,
    kind_of,
    likely_key,
    read_entry,
    unknown_key,
)

MAX_FILE_BYTES = 4 * 1024 * 1024


class AgentsFile(NamedTuple):
    """One of the two places: its path, whether there is a file, and the message when it cannot be used."""

    path: str
    found: bool
    error: str = ""
    agents: int = 0


class Agents(NamedTuple):
    """What `load` found: the merged entries in order, and both places with their errors."""

    project: str
    entries: tuple[AgentEntry, ...]
    files: tuple[AgentsFile, ...]

    @property
    def errors(self) -> tuple[str, ...]:
        """The messages of the files that were refused."""
        return tuple(f.error for f in self.files if f.error)

    def find(self, name: str) -> AgentEntry | None:
        """The entry of exactly that name."""
        return next((e for e in self.entries if e.name == name), None)


# --- where the files are --------------------------------------------------------------------------------


def home_directory(environ: Mapping[str, str]) -> str:
    """`$HOME`, else what the password database says."""
    return environ.get("HOME") or os.path.expanduser("~")


def user_directory(environ: Mapping[str, str]) -> str:
    """The directory of the user's own files (agents, `tpyrc`, keymaps, themes): spec AGENTS §1, first row."""
    own = environ.get("TURBO_PYTHON_DIR")
    if own:
        return os.path.abspath(own)
    base = environ.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(home_directory(environ), ".config")
    return os.path.join(base, "turbo-python")


def user_file(environ: Mapping[str, str]) -> str:
    """The path of the user's agents file."""
    return os.path.join(user_directory(environ), "acp.toml")


def project_file(project: str) -> str:
    """The path of the agents file of a project directory."""
    return os.path.join(project, ".turbo-python", "acp.toml")


def display_path(path: str, environ: Mapping[str, str]) -> str:
    """The path as a person writes it: `~` for the home directory."""
    home = home_directory(environ).rstrip("/")
    if home and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    return path


def read_bytes(path: str) -> bytes | None:
    """The bytes of a regular file, or None where there is none.

    Never waits: a FIFO, a device or a directory is a `ConfigError` and not a pause (CASES D-09).
    The message lacks the path: the caller adds it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigError(error.strerror or str(error)) from None
    try:
        state = os.fstat(descriptor)
        if stat.S_ISDIR(state.st_mode):
            raise ConfigError("it is a directory")
        if not stat.S_ISREG(state.st_mode):
            raise ConfigError("it is not an ordinary file")
        if state.st_size > MAX_FILE_BYTES:
            raise ConfigError("it is larger than 4 MiB")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ConfigError(error.strerror or str(error)) from None
    finally:
        os.close(descriptor)


# --- one file -------------------------------------------------------------------------------------------


def parse(data: bytes, label: str, *, source: str = "", from_project: bool = False) -> list[AgentEntry]:
    """Read the bytes of an agents file; `label` is the path as shown in messages.

    Raises `ConfigError` with the exact messages of spec AGENTS §1; the first problem in file order wins.
    """
    import tomli

    text = _decode(data, label)
    try:
        table = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ConfigError(_toml_message(label, text, error.msg, error.pos)) from None
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"reading {label}: {error}") from None
    entries: list[AgentEntry] = []
    for key, value in table.items():
        if key != "agent":
            raise ConfigError(f"reading {label}: {_unknown_top_level(key)}")
        if not isinstance(value, list) or not all(isinstance(block, dict) for block in value):
            raise ConfigError(f"reading {label}: agent must be blocks headed [[agent]], not {kind_of(value)}")
        names: set[str] = set()
        for number, block in enumerate(value, 1):
            entry = read_entry(block, number, label)._replace(source=source or label, project_file=from_project)
            if entry.name in names:
                raise ConfigError(f'reading {label}: two agents are called "{entry.name}"')
            names.add(entry.name)
            entries.append(entry)
    return entries


def _unknown_top_level(key: str) -> str:
    """The message for a key outside every block, which may be one that belongs inside."""
    message = unknown_key(key, "", ("agent",))
    inside = "" if "?" in message else likely_key(key, AGENT_KEYS + OUR_KEYS)
    return f'{message}. Did you mean "{inside}", inside an [[agent]] block?' if inside else message


def _decode(data: bytes, label: str) -> str:
    """Bytes to text: UTF-8, with or without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        body = data[3:] if data.startswith(b"\xef\xbb\xbf") else data
        before = body[: error.start].decode("utf-8", "replace")
        where = _where(before, len(before))
        raise ConfigError(
            f"reading {label}: {where}the byte 0x{body[error.start]:02x} is not UTF-8. Save the file as UTF-8"
        ) from None


def _where(text: str, position: int) -> str:
    """`line L, column C: ` and, inside a block, its number before it."""
    before = text[:position]
    line = before.count("\n") + 1
    column = position - (before.rfind("\n") + 1) + 1
    blocks = sum(1 for row in before.split("\n") if row.replace(" ", "").startswith("[[agent]]"))
    return (f"agent {blocks}: " if blocks else "") + f"line {line}, column {column}: "


def _toml_message(label: str, text: str, problem: str, position: int) -> str:
    """The message for a syntax error, duplicate keys and tables included."""
    where = _where(text, position)
    row_start = text.rfind("\n", 0, position) + 1
    key = text[row_start:].split("\n", 1)[0].split("=", 1)[0].strip().strip("\"'[] ")
    again = ("overwrite", "twice", "Duplicate", "Mutate", "mutate", "redefine")
    if key and any(word in problem for word in again):
        return f"reading {label}: {where}{key} is there twice"
    odd = text[position : position + 1]
    if odd and (not odd.isascii() or not odd.isprintable()) and odd not in "\r\n\t":
        import unicodedata

        problem += f", at the character U+{ord(odd):04X} {unicodedata.name(odd, '')}".rstrip()
    return f"reading {label}: {where}{problem[:1].lower()}{problem[1:]}"


# --- both files -----------------------------------------------------------------------------------------


def read_agents(path: str, environ: Mapping[str, str], *, from_project: bool) -> list[AgentEntry] | None:
    """The entries of the file at `path`, None where there is no file; raises `ConfigError`."""
    label = display_path(path, environ)
    try:
        data = read_bytes(path)
    except ConfigError as error:
        raise ConfigError(f"reading {label}: {error}") from None
    return None if data is None else parse(data, label, source=path, from_project=from_project)


def merge(*layers: Iterable[AgentEntry]) -> tuple[AgentEntry, ...]:
    """Lay later entries over earlier ones: the same name replaces whole and keeps its place."""
    merged: dict[str, AgentEntry] = {}
    for layer in layers:
        for entry in layer:
            merged[entry.name] = entry
    return tuple(merged.values())


def load(project: str, environ: Mapping[str, str], built_in: Iterable[AgentEntry] = ()) -> Agents:
    """Read and merge the user's file and the project's; never raises.

    A broken file contributes no entry and leaves its message in `files`; the other one still counts.
    An entry of `built_in` (the Tutor) comes last, and only while no file has one of its name.
    """
    layers: list[list[AgentEntry]] = []
    files = []
    for path, from_project in ((user_file(environ), False), (project_file(project), True)):
        try:
            found = read_agents(path, environ, from_project=from_project)
            layers.append(found or [])
            files.append(AgentsFile(path, found is not None, "", len(found or ())))
        except ConfigError as error:
            files.append(AgentsFile(path, True, str(error)))
    own = merge(*layers)
    names = {entry.name for entry in own}
    extra = tuple(entry for entry in built_in if entry.name not in names)
    return Agents(project, own + extra, tuple(files))


def tutor_entry() -> AgentEntry:
    """The agent that is always there: run by the Python that runs the editor.

    `-P` keeps a project's own `json.py` or `tpy/` from being imported instead of ours.
    """
    import sys

    return AgentEntry("Tutor", sys.executable or "python3", ("-P", "-m", "tpy.acp.agents.tutor"))
