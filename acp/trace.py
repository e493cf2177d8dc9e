"""The record of what passed between the editor and its agents: kept in memory, written on wish, read back.

Here: `Trace` (the last messages, and the file that `TURBO_ACP_TRACE` names), the form of a line, reading a
file back in readable form. Not here: who calls it (`client.py`), showing it (`modal/agent`, `modal/cli.py`).

One line a message: `2026-11-30T11:51:38.123Z NAME -> LINE`, with `->` for what was sent to the agent and
`<-` for what came from it; blanks and control characters of a name are percent-encoded. LINE is as it was
on the wire, except that the values of `env` and `headers` are replaced (spec AGENTS §11; CASES D-15).
"""

from __future__ import annotations

import os
import stat
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

SENT = "->"
RECEIVED = "<-"
HIDDEN = "***"
"""What stands for a value that is never written."""

LONGEST_STRAY_LINE = 1024 * 1024
"""Bytes kept of a line that is no message."""

_LONGEST_RECENT = 65536
_RECENT_MESSAGES = 500
_RECENT_BYTES = 2 * 1024 * 1024


class Record(NamedTuple):
    """One line that passed: seconds since the epoch, the agent, `->` or `<-`, the line without its end."""

    time: float
    agent: str
    direction: str
    line: str


class Trace:
    """Takes every line that passes; never raises, whatever happens to the file."""

    def __init__(self, path: str = "", clock: Callable[[], float] = time.time) -> None:
        """Append to the file at `path`, if any; one that cannot be opened means no file, nothing else."""
        self._clock = clock
        self._file = _open_private(path) if path else -1
        self._recent: dict[str, deque[tuple[float, str, bytes]]] = {}

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Trace:
        """The trace that `TURBO_ACP_TRACE` asks for, in memory alone when it asks for none."""
        return cls(environ.get("TURBO_ACP_TRACE", ""))

    def record(self, agent: str, direction: str, line: bytes) -> None:
        """Take one line; one that is no message (it does not begin as an object) is cut at 1 MiB."""
        line = line.strip(b"\r\n")
        if len(line) > LONGEST_STRAY_LINE and not line.lstrip().startswith(b"{"):
            line = line[:LONGEST_STRAY_LINE]
        now = self._clock()
        if self._file >= 0 or len(line) > _LONGEST_RECENT:
            line = without_secrets(line)
            if self._file >= 0:
                self._write(format_head(now, agent, direction).encode() + line.replace(b"\n", b" ") + b"\n")
            line = line[:_LONGEST_RECENT]
        self._remember(agent, (now, direction, line))

    def tap(self, agent: str) -> Callable[[bool, bytes], None]:
        """What `client.Client` wants as its `tap`: takes (sent, line) for one agent."""
        return lambda sent, line: self.record(agent, SENT if sent else RECEIVED, line)

    def recent(self, agent: str) -> list[Record]:
        """The last messages of one agent, oldest first; long ones cut at 64 KiB."""
        return [
            Record(when, agent, direction, without_secrets(line).decode("utf-8", "replace"))
            for when, direction, line in self._recent.get(agent, ())
        ]

    def close(self) -> None:
        """Close the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _remember(self, agent: str, passed: tuple[float, str, bytes]) -> None:
        """Keep a line as it was; what may be shown of it is found out when somebody asks."""
        ring = self._recent.get(agent)
        if ring is None:
            ring = self._recent[agent] = deque(maxlen=_RECENT_MESSAGES)
        ring.append(passed)
        if len(passed[2]) > 4096:
            while len(ring) > 1 and sum(len(line) for _, _, line in ring) > _RECENT_BYTES:
                ring.popleft()

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError:
            self.close()


def _open_private(path: str) -> int:
    """A descriptor that appends to a regular file of mode 0600, or -1."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    except (OSError, ValueError):
        return -1
    try:
        # A terminal or a pipe would end up on the screen or block; an existing file may be open to others.
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fchmod(descriptor, 0o600)
            return descriptor
    except OSError:
        pass
    os.close(descriptor)
    return -1


def format_head(when: float, agent: str, direction: str) -> str:
    """Everything of a trace line before the message, the blank before it included."""
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(when))
    return f"{whole}.{int(when % 1 * 1000):03d}Z {_escape(agent)} {direction} "


def _escape(name: str) -> str:
    """Percent-encode what would break the line into other words."""
    plain = name.isprintable() and " " not in name and "%" not in name
    return name if plain else "".join(map(_escape_char, name))


def _escape_char(char: str) -> str:
    if char.isprintable() and char not in " %":
        return char
    return "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))


def _unescape(name: str) -> str:
    from urllib.parse import unquote

    return unquote(name)


# --- secrets --------------------------------------------------------------------------------------------


def without_secrets(line: bytes) -> bytes:
    """The line with the values of every `env` and `headers` replaced; untouched when there are none."""
    if b'"env"' not in line and b'"headers"' not in line and b"\\u00" not in line:
        return line
    import json

    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return line
    if not _hide(value):
        return line
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _hide(value: object) -> bool:
    """Replace the secrets inside a JSON value in place; say whether there were any."""
    found = False
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict):
            for key, inner in item.items():
                if key in ("env", "headers") and isinstance(inner, dict | list):
                    found |= _hide_variables(inner)
                else:
                    todo.append(inner)
    return found


def _hide_variables(variables: dict[str, object] | list[object]) -> bool:
    """Both forms in use: `{NAME: value}` and `[{"name": NAME, "value": value}]`."""
    if isinstance(variables, dict):
        variables.update(dict.fromkeys(variables, HIDDEN))
        return bool(variables)
    for item in variables:
        if isinstance(item, dict) and "value" in item:
            item["value"] = HIDDEN
    return bool(variables)


# --- reading back ---------------------------------------------------------------------------------------


def parse_line(line: str) -> Record | None:
    """One line of a trace file, None for a line that is not of that form."""
    parts = line.rstrip("\n").split(" ", 3)
    if len(parts) < 4 or parts[2] not in (SENT, RECEIVED) or not parts[0].endswith("Z"):
        return None
    import calendar

    try:
        whole = calendar.timegm(time.strptime(parts[0][:19], "%Y-%m-%dT%H:%M:%S"))
        fraction = float("0" + parts[0][19:-1]) if parts[0][19:-1] else 0.0
    except ValueError:
        return None
    return Record(whole + fraction, _unescape(parts[1]), parts[2], parts[3])


def readable(lines: Iterable[str]) -> Iterator[str]:
    """A trace for people: one line a message, requests and their answers matched, times between them."""
    open_requests: dict[tuple[str, str, str], tuple[str, float]] = {}
    for line in lines:
        record = parse_line(line)
        if record is None:
            if line.strip():
                yield visible(f"? {line.rstrip()}")
            continue
        clock = time.strftime("%H:%M:%S", time.gmtime(record.time)) + f".{int(record.time % 1 * 1000):03d}"
        yield visible(f"{clock} {record.agent} {record.direction} {_summary(record, open_requests)}")


def _summary(record: Record, open_requests: dict[tuple[str, str, str], tuple[str, float]]) -> str:
    """What one message is, in one line."""
    import json

    try:
        message = json.loads(record.line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
        return f"no message: {_short(record.line)}"
    ident = json.dumps(message.get("id"))
    if isinstance(message.get("method"), str):
        method = message["method"]
        if "id" in message:
            open_requests[record.agent, record.direction, ident] = (method, record.time)
            method = f"{method} #{ident}"
        return f"{method} {_details(message['method'], message.get('params'))}".rstrip()
    other = SENT if record.direction == RECEIVED else RECEIVED
    asked, since = open_requests.pop((record.agent, other, ident), ("", 0.0))
    head = f"answer #{ident}"
    if asked:
        head += f" to {asked} after {(record.time - since) * 1000:.0f} ms"
    if "error" in message:
        return f"{head}: error {_short(_dump(message['error']))}"
    return f"{head}: {_short(_dump(message.get('result')))}"


def _details(method: str, params: object) -> str:
    """The part of a call that matters: the kind and text of an update, else its parameters."""
    if method == "session/update" and isinstance(params, dict) and isinstance(params.get("update"), dict):
        update = dict(params["update"])
        kind = update.pop("sessionUpdate", "?")
        content = update.get("content")
        if isinstance(content, dict) and content.get("type") == "text":
            return f"{kind} {_short(_dump(content.get('text')))}"
        return f"{kind} {_short(_dump(update))}"
    return _short(_dump(params)) if params else ""


def _dump(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)


def _short(text: str, limit: int = 400) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters)"


def visible(text: str) -> str:
    """The text with control characters made visible: what an agent says never drives the terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else _visible_char(c) for c in text)


def _visible_char(char: str) -> str:
    code = ord(char)
    if code < 32 or code == 127:
        return "^" + chr(code ^ 64)
    return f"<{code:02x}>"
