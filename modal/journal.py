"""The recovery journal: what was typed since the last write, kept outside the file, so that no crash loses it.

Lives here: the format, the writer with its timing, reading a damaged journal, finding journals of a file, and
whether their owner lives. Not here: asking the user (`ex/`), timers (the caller asks `deadline`).

A journal is a header and records, each with length and checksum: a text as a whole, or lines that replaced
lines. The first flush writes the whole text (or names the file on disk when that is large and unchanged),
later ones only edits. A torn last record is dropped; everything before it counts.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from tpy.modal.text.files import reason
from tpy.modal.text.filesystem import REAL, FileSystem
from tpy.modal.text.hashing import blake2b
from tpy.modal.text.places import private_directory

LAG = 1.5
"""Seconds an edit may stay unwritten while typing goes on: with a busy machine and a slow disk less than two."""
IDLE = 0.2
"""Seconds without an edit after which it is written at once."""
MAGIC = b"tpy journal 1\n"
_SUFFIX = ".journal"
_LARGE = 8 << 20
"""A text longer than this is not copied into the journal when the file on disk holds it."""
_GROWTH = 4 << 20
_HEADER, _TEXT, _EDIT = b"H", b"T", b"E"


class Owner(NamedTuple):
    """The process that writes a journal: its id, and when it began, since ids are used again."""

    pid: int
    started: str


class Info(NamedTuple):
    """Whose journal it is: the file (empty for a buffer without a name), its content's digest, the owner."""

    path: str
    digest: str
    owner: Owner
    fileformat: dict[str, object]


class Contents(NamedTuple):
    """A journal read. `lines` is None when it begins from the file on disk; `edits` follow it.

    `damaged` says that something at its end could not be read.
    """

    info: Info | None
    lines: list[str] | None
    edits: list[tuple[int, int, list[str]]]
    damaged: bool

    @property
    def has_text(self) -> bool:
        """Say whether there is anything to lose."""
        return self.lines is not None or bool(self.edits)


class Found(NamedTuple):
    """A journal in the directory: its file, what it holds, whether its owner still runs, when it was written."""

    journal: str
    contents: Contents
    alive: bool
    mtime: float


# --- format, pure ---------------------------------------------------------------------------------------------


def _record(kind: bytes, head: object, lines: Sequence[str] = ()) -> bytes:
    body = kind + json.dumps(head).encode() + b"\n" + "\n".join(lines).encode("utf-8", "surrogatepass")
    return len(body).to_bytes(8, "big") + zlib.crc32(body).to_bytes(4, "big") + body


def encode_header(info: Info) -> bytes:
    """Return the beginning of a journal."""
    return MAGIC + _record(_HEADER, [info.path, info.digest, *info.owner, info.fileformat])


def encode_text(lines: Sequence[str]) -> bytes:
    """Return the record of a whole text."""
    return _record(_TEXT, len(lines), lines)


def encode_edit(line: int, old: int, new: Sequence[str]) -> bytes:
    """Return the record of `old` lines from `line` on replaced by `new`."""
    return _record(_EDIT, [line, old, len(new)], new)


def _bodies(data: bytes) -> tuple[list[bytes], bool]:
    """Return the bodies of the whole records, and whether something was left over."""
    at = len(MAGIC)
    bodies: list[bytes] = []
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 8], "big")
        body = data[at + 12 : at + 12 + size]
        if len(body) < size or zlib.crc32(body) != int.from_bytes(data[at + 8 : at + 12], "big"):
            return bodies, True
        bodies.append(body)
        at += 12 + size
    return bodies, at != len(data)


def decode(data: bytes) -> Contents:
    """Read a journal as far as it is whole; never fails."""
    info: Info | None = None
    lines: list[str] | None = None
    edits: list[tuple[int, int, list[str]]] = []
    if not data.startswith(MAGIC):
        return Contents(None, None, [], True)
    bodies, damaged = _bodies(data)
    for body in bodies:
        try:
            first, _, rest = body.partition(b"\n")
            head = json.loads(first[1:])
            if first[:1] == _HEADER:
                path, digest, pid, started, fileformat = head
                info = Info(path, digest, Owner(pid, started), fileformat)
                lines, edits = None, []
                continue
            text = rest.decode("utf-8", "surrogatepass").split("\n")
            if first[:1] == _TEXT:
                lines, edits = text if head else [], []
            else:
                line, old, new = head
                edits.append((line, old, text if new else []))
        except (ValueError, TypeError):
            return Contents(info, lines, edits, True)
    return Contents(info, lines, edits, damaged)


def rebuild(contents: Contents, disk: Sequence[str] | None) -> tuple[list[str], bool]:
    """Return the text a journal leads to, and whether all of it could be used.

    `disk` are the lines of the file, for a journal without a text of its own; the caller checks the digest.
    """
    start = contents.lines if contents.lines is not None else disk
    if start is None:
        return [""], False
    lines = list(start)
    for line, old, new in contents.edits:
        if not 0 <= line <= line + old <= len(lines):
            return lines or [""], False
        lines[line : line + old] = new
    return lines or [""], not contents.damaged


# --- processes ------------------------------------------------------------------------------------------------


def process_start(pid: int) -> str:
    """Return when a process began, in the system's own terms; empty where that cannot be known.

    One that has ended and only waits to be collected gives "ended".
    """
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
            return "ended" if fields[0] in (b"Z", b"X") else fields[19].decode()
    except (OSError, IndexError):
        return ""


def this_process() -> Owner:
    """Return the owner of the journals this process writes."""
    return Owner(os.getpid(), process_start(os.getpid()))


def is_alive(owner: Owner) -> bool:
    """Say whether the owner still runs, and is not another process with the same number."""
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass  # it runs as somebody else
    started = process_start(owner.pid)
    return not (owner.started and started) or started == owner.started


# --- writing --------------------------------------------------------------------------------------------------


def recovery_directory() -> str:
    """Return where journals live, in the state directory; make it, readable by the user alone."""
    return private_directory("recovery")


def _key(path: str) -> str:
    return blake2b(path.encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()


class Journal:
    """The journal of one buffer. It makes a file at once, so that a second editor notices this one.

    `text` returns the lines as they are now. Nothing raises: a failure is what `flush` returns, editing goes
    on, and the next flush writes the whole text anew.
    """

    def __init__(self, directory: str, info: Info, text: Callable[[], Sequence[str]], *, fs: FileSystem = REAL) -> None:
        self.info = info
        self._text = text
        self._fs = fs
        self._directory = directory
        self._name = self._fresh_name()
        self._fd = -1
        self._size = 0
        # Edits that wait: `old` lines from a line on became others. Of a line that is edited again and again the last
        # text is enough.
        self._pending: list[tuple[int, int, Sequence[str]]] = []
        self._whole_needed = True
        self._first: float | None = None
        self._last = 0.0
        self.problem = self._begin()

    @property
    def name(self) -> str:
        """Return the path of the journal file."""
        return self._name

    def _fresh_name(self) -> str:
        name = f"{_key(self.info.path)}-{self.info.owner.pid}-{self._fs.token()}{_SUFFIX}"
        return os.path.join(self._directory, name)

    def _begin(self) -> str:
        """Make the file with its header; return the problem or an empty text."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        try:
            self._fd = self._fs.open(self._name, flags, 0o600)
            self._size = 0
            self._append(encode_header(self.info))
        except OSError as error:
            self._drop()
            return f"no recovery journal: {reason(error)}"
        return ""

    def _append(self, data: bytes) -> None:
        """Append a record whole, or cut the file back to what it was."""
        view = memoryview(data)
        try:
            while view:
                count = self._fs.write(self._fd, view)
                if count <= 0:
                    raise OSError(5, os.strerror(5))
                view = view[count:]
        except OSError:
            with suppress(OSError):
                self._fs.truncate(self._fd, self._size)
                self._fs.seek(self._fd, self._size)
            raise
        self._size += len(data)

    def _drop(self) -> None:
        """Close and remove the file."""
        if self._fd >= 0:
            with suppress(OSError):
                self._fs.close(self._fd)
            with suppress(OSError):
                self._fs.unlink(self._name)
        self._fd = -1

    def note(self, line: int, old: int, new: Sequence[str], now: float) -> None:
        """Remember an edit: `old` lines from `line` on became `new`."""
        if self._first is None:
            self._first = now
        self._last = now
        if not self._whole_needed:
            pending = self._pending
            if pending and old == len(new) == 1 and pending[-1][0] == line and len(pending[-1][2]) == 1:
                pending[-1] = (line, pending[-1][1], new)
            else:
                pending.append((line, old, new))

    def note_all(self, now: float) -> None:
        """Remember that the whole text changed, as after a reload."""
        self._first = now if self._first is None else self._first
        self._last = now
        self._whole_needed = True
        self._pending.clear()

    def deadline(self) -> float | None:
        """Return when `flush` is due; None when nothing waits."""
        return None if self._first is None else min(self._first + LAG, self._last + IDLE)

    def flush(self, *, durable: bool = False) -> str:
        """Write what waits; return the problem or an empty text. `durable` also survives a power failure."""
        if self._first is None:
            return ""
        try:
            if self._fd < 0 and (problem := self._begin()):
                raise OSError(problem)
            if self._whole_needed:
                self._append(encode_text(self._text()))
            elif self._pending:
                self._append(b"".join([encode_edit(*edit) for edit in self._pending]))
            if durable:
                self._fs.fsync(self._fd)
        except OSError as error:
            self._whole_needed = True
            self._pending.clear()
            self._first = self._last  # tried again when the next edit is due
            self.problem = f"recovery journal: {reason(error)}"
            return self.problem
        self._pending.clear()
        self._whole_needed, self._first, self.problem = False, None, ""
        return ""

    def start_over(self, info: Info, *, from_disk: bool = False) -> None:
        """Forget everything, after a save or a reload: the file on disk now holds the text.

        `from_disk`: the text is large; the next edits count from the file with the digest in `info`.
        """
        self.info = info
        self._pending.clear()
        self._first = None
        self._whole_needed = not from_disk
        try:
            if self._fd < 0:
                self._begin()
                return
            self._fs.truncate(self._fd, 0)
            self._fs.seek(self._fd, 0)
            self._size = 0
            self._append(encode_header(info))
        except OSError as error:
            self._drop()  # the next flush begins a new one
            self.problem = f"recovery journal: {reason(error)}"

    def compact(self) -> None:
        """Write the whole text to a fresh journal when the edits have outgrown it; the old one goes last."""
        if self._fd < 0 or self._size < _GROWTH or self._size < 4 * sum(map(len, self._text())):
            return
        old = self._fd, self._name, self._size
        self._name = self._fresh_name()
        try:
            if problem := self._begin():
                raise OSError(problem)
            self._append(encode_text(self._text()))
        except OSError:
            self._drop()
            self._fd, self._name, self._size = old
            return
        with suppress(OSError):
            self._fs.close(old[0])
        with suppress(OSError):
            self._fs.unlink(old[1])
        self._pending.clear()
        self._whole_needed, self._first = False, None

    def close(self) -> None:
        """Remove the journal, after a clean end."""
        self._drop()


def is_large(lines: Sequence[str]) -> bool:
    """Say whether a text is better counted from its file than copied into the journal."""
    total = 0
    for line in lines:
        total += len(line) + 1
        if total > _LARGE:
            return True
    return False


# --- finding --------------------------------------------------------------------------------------------------


def read_journal(name: str) -> Found | None:
    """Read one journal; None when there is none. Never raises: a damaged one says so."""
    try:
        with open(name, "rb") as file:
            data = file.read()
            mtime = os.fstat(file.fileno()).st_mtime
    except OSError:
        return None
    contents = decode(data)
    alive = contents.info is not None and is_alive(contents.info.owner)
    return Found(name, contents, alive, mtime)


def find_journals(directory: str, path: str | None = None) -> list[Found]:
    """Return the journals of a file (None: all), the newest first, without this process's own."""
    try:
        names = sorted(os.listdir(directory))
    except OSError:
        return []
    prefix = "" if path is None else _key(path)
    found = [
        journal
        for name in names
        if name.startswith(prefix) and name.endswith(_SUFFIX)
        if (journal := read_journal(os.path.join(directory, name))) is not None
    ]
    own = this_process()
    others = [one for one in found if one.contents.info is None or one.contents.info.owner != own]
    return sorted(others, key=lambda one: -one.mtime)


def remove_journal(found: Found) -> None:
    """Remove a journal that was recovered or is not wanted. One of a living editor stays."""
    if not found.alive:
        with suppress(OSError):
            os.unlink(found.journal)
