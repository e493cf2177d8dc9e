"""A sans-IO JSON-RPC 2.0 peer: bytes in, events out, and messages out as bytes.

Here live line framing, ids, the envelope and the standard errors (PROTOCOL §2, §17). What the methods mean
is in `schema`, what may be said when is in `connection` (client) and `serve` (agent). Nothing here reads or
writes a file descriptor: feed `Peer.receive_data`, take `Peer.next_event` until `NEED_DATA`, and write what
the `send_…` methods return.

    peer = Peer()
    call, data = peer.send_request("initialize", {"protocolVersion": 1})
    peer.receive_data(b'{"jsonrpc":"2.0","id":0,"result":{}}\\n')
    peer.next_event()           # Response(id=0, method="initialize", ...)

Each side numbers its own requests, so there are two tables: calls of ours that are open, and requests of
theirs that we still owe an answer.
"""

from __future__ import annotations

import enum
import json
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

MAX_LINE = 64 * 1024 * 1024
"""The longest line in bytes that is read; a longer one ends the connection."""

MAX_OUTGOING = 16 * 1024 * 1024
"""The longest message in bytes that we send; some peers refuse more (PROTOCOL §2)."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
AUTH_REQUIRED = -32000
NOT_FOUND = -32002
CANCELLED = -32800

Id: TypeAlias = int | str | float | None
"""A request id as it was on the wire. Never a bool; a float only where its value is whole."""

EMPTY = Raw(b"{}")


class LocalProtocolError(Exception):
    """We tried to say something the protocol forbids: a defect on our side, or text that is no Unicode."""


class RpcError(Exception):
    """An error answer: one that came from the other side, or one to be sent to it (agents may raise it).

    `message` is one sentence; `data` is any JSON value, often the useful part.
    """

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(code, message, data)
        self.code = code
        self.message = message
        self.data = data

    def __str__(self) -> str:
        return self.message if self.data is None else f"{self.message} ({_short(self.data)})"


class Request(Struct, frozen=True, gc=False):
    """A call from the other side. It must be answered exactly once, by `send_result` or `send_error`."""

    id: Id
    method: str
    params: Raw
    """A JSON object; absent and null arrive as `{}`."""
    repaired: bool = False
    """True when a lone surrogate in the line was replaced by U+FFFD."""


class Notification(Struct, frozen=True, gc=False):
    """A message from the other side that wants no answer."""

    method: str
    params: Raw
    """JSON; absent and null arrive as `{}`. Whether it is an object shows when it is decoded."""
    repaired: bool = False


class Response(Struct, frozen=True, gc=False):
    """The good answer to a call of ours; `context` is what `send_request` was given."""

    id: int
    method: str
    context: Any
    result: Raw


class ErrorResponse(Struct, frozen=True):
    """The error answer to a call of ours; also made for an answer that has neither result nor error."""

    id: int
    method: str
    context: Any
    error: RpcError


class Junk(Struct, frozen=True, gc=False):
    """A line that is no message, or one that breaks the rules. Log it; write `reply` when there is one."""

    line: bytes
    reason: str
    reply: bytes | None = None


class Closed(Struct, frozen=True, gc=False):
    """No further message will come. `reason` is empty at the plain end of input."""

    reason: str = ""


class NeedData(enum.Enum):
    """The type of `NEED_DATA`."""

    NEED_DATA = enum.auto()


NEED_DATA = NeedData.NEED_DATA
Event: TypeAlias = Request | Notification | Response | ErrorResponse | Junk | Closed


_ABSENT = Raw(b"")
_NULL = Raw(b"null")


class _Envelope(Struct, gc=False):
    jsonrpc: Literal["2.0"]
    method: str | UnsetType = UNSET
    id: int | str | float | UnsetType | None = UNSET
    params: Raw = _ABSENT
    result: Raw = _ABSENT
    error: Raw = _ABSENT


class _Error(Struct, gc=False):
    code: int
    message: str = ""
    data: Any = None


_envelope = msgspec.json.Decoder(_Envelope).decode
_error = msgspec.json.Decoder(_Error).decode
_encode = msgspec.json.Encoder().encode


class Peer:
    """One side of one connection.

    `answer_junk` is for agents: a line that is no JSON gets `-32700`, and what is no message `-32600`, both
    with a null id. A client leaves it off, because an answer to a log line can crash an agent. Either side
    answers a broken request whose id is usable.

    `shortcut` is a strict decoder for the one message that makes up nearly all traffic. It is tried on every line
    first, and what it returns is the event; what it refuses (ValueError) takes the ordinary way.

    `tap(sent, line)`, when set, sees every line as it was sent or received, without its newline.
    """

    def __init__(
        self,
        *,
        answer_junk: bool = False,
        max_line: int = MAX_LINE,
        shortcut: Callable[[bytes], Any] | None = None,
    ) -> None:
        self.tap: Callable[[bool, bytes], None] | None = None
        self._answer_junk = answer_junk
        self._max_line = max_line
        self.shortcut = shortcut
        self._lines: deque[bytes] = deque()
        self._tail = bytearray()
        self._end: Closed | None = None
        self._next_id = 0
        self._calls: dict[int, tuple[str, Any]] = {}
        self._owed: dict[Any, int] = {}

    # -- bytes in, events out ------------------------------------------------------------------------------

    def receive_data(self, data: bytes) -> None:
        """Take bytes as they came. Only new bytes are searched for a newline, so long lines stay linear."""
        if self._end is not None or not data:
            return
        first, newline, rest = data.partition(b"\n")
        if len(self._tail) + len(first) > self._max_line:
            self._end = Closed(f"a line longer than {self._max_line >> 20} MiB")
            self._tail.clear()
            return
        if not newline:
            self._tail += first
            return
        if self._tail:
            self._tail += first
            self._lines.append(bytes(self._tail))
            self._tail.clear()
        else:
            self._lines.append(first)
        if rest:
            lines = rest.split(b"\n")
            self._tail += lines.pop()
            self._lines.extend(lines)

    def receive_eof(self) -> None:
        """The input ended: a last line without its newline still counts, then comes `Closed`."""
        if self._end is None:
            if self._tail:
                self._lines.append(bytes(self._tail))
                self._tail.clear()
            self._end = Closed()

    @property
    def backlog(self) -> int:
        """How many received lines have not been looked at."""
        return len(self._lines)

    def next_event(self) -> Any:
        """Return the next `Event` (or what `shortcut` made of a line), or `NEED_DATA` when more bytes are wanted."""
        while self._lines:
            line = self._lines.popleft()
            if self.tap is not None:
                self.tap(False, line)
            event = self._read(line)
            if event is not None:
                return event
        return NEED_DATA if self._end is None else self._end

    def _read(self, line: bytes) -> Any:
        try:
            if not line.isascii():
                line.decode()
            if self.shortcut is not None:
                try:
                    return self.shortcut(line)
                except ValueError:
                    pass
            message = _envelope(line)
        except (ValueError, RecursionError):
            return self._read_odd(line)
        if message.method is UNSET:
            return self._read_answer(message, line)
        return self._read_call(message, line, False)

    def _read_call(self, message: _Envelope, line: bytes, repaired: bool) -> Event:
        method, id_, params = message.method, message.id, message.params
        assert isinstance(method, str)
        if params is _ABSENT or params == _NULL:
            params = EMPTY
        if id_ is UNSET:
            return Notification(method, params, repaired)
        if memoryview(params)[0] != 0x7B:
            return self._broken(line, id_, INVALID_PARAMS, "params is not an object")
        if isinstance(id_, float) and not id_.is_integer():
            return self._broken(line, UNSET, INVALID_REQUEST, "an id must be a string or a whole number")
        if message.result is not _ABSENT or message.error is not _ABSENT:
            return self._broken(line, id_, INVALID_REQUEST, "a message is a call or an answer, not both")
        self._owe(id_)
        return Request(id_, method, params, repaired)

    def _read_answer(self, message: _Envelope, line: bytes) -> Event:
        call = self._take_call(message.id)
        has_result = message.result is not _ABSENT
        has_error = message.error is not _ABSENT
        if call is None and not has_result and not has_error:
            return self._broken(line, message.id, INVALID_REQUEST, "the message has no method")
        if call is None:
            return Junk(line, "an answer to no open call")
        id_, (method, context) = call
        if has_error and message.error != _NULL:
            return ErrorResponse(id_, method, context, read_error(message.error))
        if not has_result:
            error = RpcError(INTERNAL_ERROR, "the answer has neither a result nor an error")
            return ErrorResponse(id_, method, context, error)
        return Response(id_, method, context, message.result)

    def _take_call(self, id_: object) -> tuple[int, tuple[str, Any]] | None:
        """Find our open call for an answer's id; a number that came back as text or as 3.0 is accepted."""
        if isinstance(id_, str) and id_.isascii() and id_.isdigit() and len(id_) < 19:
            id_ = int(id_)
        if isinstance(id_, float) and id_.is_integer():
            id_ = int(id_)
        if not isinstance(id_, int) or id_ not in self._calls:
            return None
        return id_, self._calls.pop(id_)

    # -- lines that are not plainly a message --------------------------------------------------------------

    def _read_odd(self, line: bytes) -> Event | None:
        """Look once more, by the standard library, at a line the fast decoder refused."""
        if not line.strip():
            return None
        try:
            value = json.loads(line.decode("utf-8-sig"), strict=False, parse_constant=lambda _: None)
        except (ValueError, RecursionError):
            return Junk(line, "not JSON", self._junk_reply(PARSE_ERROR, "Parse error"))
        if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
            return Junk(line, "not a message", self._junk_reply(INVALID_REQUEST, "Invalid request"))
        id_ = value.get("id", UNSET)
        if isinstance(id_, bool) or not isinstance(id_, int | str | float | UnsetType | None):
            id_ = UNSET
        if not isinstance(value.get("method", ""), str):
            return self._broken(line, id_, INVALID_REQUEST, "the message has no method")
        try:
            message, repaired = _rebuild(value, id_)
        except (ValueError, RecursionError):
            return self._broken(line, id_, INVALID_REQUEST, "the message cannot be read")
        if message.method is UNSET:
            return self._read_answer(message, line)
        if id_ is UNSET and "id" in value:
            return self._broken(line, UNSET, INVALID_REQUEST, "an id must be a string or a whole number")
        return self._read_call(message, line, repaired)

    def _broken(self, line: bytes, id_: Any, code: int, why: str) -> Junk:
        """Report a message that breaks the rules, with an error answer where its id can be used."""
        if id_ is UNSET or (isinstance(id_, float) and not id_.is_integer()):
            return Junk(line, why, self._junk_reply(code, why) if code == INVALID_REQUEST else None)
        return Junk(line, why, self._error_line(id_, code, why))

    def _error_line(self, id_: Id, code: int, message: str, data: Any = None) -> bytes:
        return self._line({"jsonrpc": "2.0", "id": id_, "error": _error_body(code, message, data)})

    def _junk_reply(self, code: int, message: str) -> bytes | None:
        if not self._answer_junk:
            return None
        return self._error_line(None, code, message)

    # -- messages out --------------------------------------------------------------------------------------

    def send_request(self, method: str, params: object, context: Any = None) -> tuple[int, bytes]:
        """Return the id of a new call and the line that makes it. `context` comes back with the answer."""
        id_ = self._next_id
        data = self._line({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})
        self._next_id += 1
        self._calls[id_] = (method, context)
        return id_, data

    def send_notification(self, method: str, params: object) -> bytes:
        """Return the line of a notification."""
        return self._line({"jsonrpc": "2.0", "method": method, "params": params})

    def send_result(self, id_: Id, result: object) -> bytes:
        """Return the good answer to their request. LocalProtocolError when that id is not owed one."""
        self._check_owed(id_)
        data = self._line({"jsonrpc": "2.0", "id": id_, "result": result})
        self._settle(id_)
        return data

    def send_error(self, id_: Id, error: RpcError) -> bytes:
        """Return the error answer to their request. LocalProtocolError when that id is not owed one."""
        self._check_owed(id_)
        data = self._error_line(id_, error.code, error.message, error.data)
        self._settle(id_)
        return data

    def abandon(self) -> list[tuple[int, str, Any]]:
        """Forget all open calls and debts, as at the end; return the calls as (id, method, context)."""
        calls = [(id_, method, context) for id_, (method, context) in self._calls.items()]
        self._calls.clear()
        self._owed.clear()
        return calls

    def _line(self, message: dict[str, Any]) -> bytes:
        try:
            data: bytes = _encode(message)
        except UnicodeEncodeError as error:
            raise LocalProtocolError("the message holds half a character (a lone surrogate)") from error
        if self.tap is not None:
            self.tap(True, data)
        return data + b"\n"

    # -- what we owe ---------------------------------------------------------------------------------------

    def _owe(self, id_: Any) -> None:
        key = _key(id_)
        self._owed[key] = self._owed.get(key, 0) + 1

    def _check_owed(self, id_: Id) -> None:
        if _key(id_) not in self._owed:
            raise LocalProtocolError(f"no request {id_!r} is waiting for an answer")

    def _settle(self, id_: Id) -> None:
        key = _key(id_)
        left = self._owed[key] - 1
        if left:
            self._owed[key] = left
        else:
            del self._owed[key]


def bounded(message: object) -> Raw:
    """Encode a message. LocalProtocolError when it is longer than peers accept or no Unicode text."""
    try:
        data: bytes = _encode(message)
    except UnicodeEncodeError as error:
        raise LocalProtocolError("the text holds half a character (a lone surrogate)") from error
    if len(data) > MAX_OUTGOING:
        raise LocalProtocolError(f"too large to send: {len(data) >> 20} MiB, at most {MAX_OUTGOING >> 20}")
    return Raw(data)


def read_error(raw: Raw) -> RpcError:
    """Read an error object leniently: whatever came becomes an `RpcError` that can be shown."""
    try:
        error = _error(raw)
        return RpcError(error.code, clean(error.message), error.data)
    except (ValueError, RecursionError):
        shown = bytes(raw)[:200].decode("utf-8", "replace")
        return RpcError(INTERNAL_ERROR, "an error that cannot be read", shown)


def clean(text: str) -> str:
    """Replace lone surrogates, which cannot be sent or stored, by U+FFFD."""
    if not _has_surrogate(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _has_surrogate(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _error_body(code: int, message: str, data: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"code": code, "message": clean(message)}
    if data is not None:
        try:
            body["data"] = Raw(_encode(data))
        except (UnicodeEncodeError, TypeError):
            body["data"] = clean(str(data))
    return body


def _rebuild(value: dict[str, Any], id_: Any) -> tuple[_Envelope, bool]:
    """Make an envelope of a message that only the standard library could read, repairing lone surrogates."""
    repaired = False
    parts: dict[str, Raw] = {}
    for name in ("params", "result", "error"):
        if name in value:
            text = json.dumps(value[name], ensure_ascii=False)
            repaired = repaired or _has_surrogate(text)
            parts[name] = Raw(clean(text).encode())
    method = value.get("method", UNSET)
    if isinstance(id_, str):
        id_ = clean(id_)
    return _Envelope("2.0", clean(method) if isinstance(method, str) else UNSET, id_, **parts), repaired


def _key(id_: Any) -> Any:
    """A table key that keeps 1, "1" and 1.0 apart."""
    return ("float", id_) if isinstance(id_, float) else id_


def _short(data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    return text if len(text) <= 300 else text[:300] + "…"
