"""Reading files, and knowing whether they changed since.

Lives here: `load`, the stamp of a file, its identity, `check_disk`. Not here: bytes and lines (`encoding.py`),
writing (`saving.py`). Everything touches the world through a `FileSystem`.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import NamedTuple

from tpy.modal.text.encoding import FileText, Format, Tick, decode, no_tick
from tpy.modal.text.filesystem import REAL, FileSystem
from tpy.modal.text.hashing import blake2b

MAX_BYTES = 2 << 30
"""The largest file that is opened."""
_CHUNK = 1 << 22
_MAX_LINKS = 40
_COARSE_NS = 2_100_000_000
"""File times may be as coarse as two seconds (FAT): younger ones prove nothing."""

UNCHANGED, CHANGED, GONE = "unchanged", "changed", "gone"


class FileProblem(Exception):
    """A file cannot be read or written; the text is Vim's message with the cause. `code` is the errno or 0."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


class Stamp(NamedTuple):
    """What a file was when we last read or wrote it. `settled`: its time was old enough to be trusted."""

    device: int
    inode: int
    mtime_ns: int
    size: int
    digest: bytes
    settled: bool = True


class Loaded(NamedTuple):
    """A file read. A new one has no stamp and one empty line; `readonly` when it may not be written."""

    text: FileText
    stamp: Stamp | None
    readonly: bool = False


class DiskState(NamedTuple):
    """Whether the file changed since a stamp (`UNCHANGED CHANGED GONE`) and its newer stamp, if any."""

    kind: str
    stamp: Stamp | None


def reason(error: OSError) -> str:
    """Return the system's words for an error."""
    return os.strerror(error.errno) if error.errno else str(error)


def digest(data: bytes) -> bytes:
    """Return what stands for the content of a file."""
    return blake2b(data, digest_size=16).digest()


def make_stamp(info: os.stat_result, content: bytes, now_ns: int) -> Stamp:
    """Return the stamp of a file whose content is known."""
    settled = 0 <= info.st_mtime_ns < now_ns - _COARSE_NS
    return Stamp(info.st_dev, info.st_ino, info.st_mtime_ns, info.st_size, digest(content), settled)


def resolve(path: str, fs: FileSystem = REAL) -> str:
    """Follow the links a path ends in, also one whose target does not exist yet. Raises OSError for a loop."""
    for _ in range(_MAX_LINKS):
        try:
            info = fs.lstat(path)
        except FileNotFoundError:
            return path
        if not stat.S_ISLNK(info.st_mode):
            return path
        path = os.path.join(os.path.dirname(path), fs.readlink(path))
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)


def identity(path: str, fs: FileSystem = REAL) -> tuple[int, int] | None:
    """Return (device, inode) of a file: the same for all its names. None when it does not exist."""
    try:
        info = fs.stat(path)
    except OSError:
        return None
    return info.st_dev, info.st_ino


def kind_problem(path: str, mode: int) -> str:
    """Return the message for something that is no ordinary file, empty for one that is."""
    if stat.S_ISREG(mode):
        return ""
    if stat.S_ISDIR(mode):
        return f'E17: "{path}" is a directory'
    names = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISCHR, "a device"))
    what = next((name for test, name in names if test(mode)), "a device")
    return f'E503: "{path}" is not a file: it is {what}'


def read_all(fd: int, fs: FileSystem, path: str, tick: Tick = no_tick, expected: int = 0) -> bytes:
    """Read an open file to its end; `tick` is told how far that is on the way to `expected`. Raises FileProblem when it
    is larger than MAX_BYTES."""
    parts: list[bytes] = []
    total = 0
    while part := fs.read(fd, _CHUNK):
        total += len(part)
        if total > MAX_BYTES:
            raise FileProblem(f'"{path}" is larger than {MAX_BYTES >> 30} GiB: too large to edit', errno.EFBIG)
        parts.append(part)
        tick(total, 2 * max(expected, total))
    return b"".join(parts)


def read_bytes(path: str, fs: FileSystem = REAL, tick: Tick = no_tick) -> tuple[bytes, os.stat_result]:
    """Return the content of a regular file and its description. Raises FileProblem, FileNotFoundError."""
    try:
        mode = fs.stat(path).st_mode
        if problem := kind_problem(path, mode):  # opening a device may already do something
            raise FileProblem(problem + (": use :find to open files under it" if stat.S_ISDIR(mode) else ""))
        fd = fs.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe that appeared just now must not block
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileProblem(f"E484: Can't open file {path}: {reason(error)}", error.errno or 0) from None
    try:
        info = fs.fstat(fd)
        if problem := kind_problem(path, info.st_mode):
            raise FileProblem(problem)
        if info.st_size > MAX_BYTES:
            raise FileProblem(f'"{path}" is larger than {MAX_BYTES >> 30} GiB: too large to edit', errno.EFBIG)
        data = read_all(fd, fs, path, tick, info.st_size)
        if len(data) != info.st_size:
            info = fs.fstat(fd)  # it grew meanwhile, or has no size, as in /proc
        return data, info
    except OSError as error:
        raise FileProblem(f"E484: Can't read file {path}: {reason(error)}", error.errno or 0) from None
    finally:
        with suppress(OSError):
            fs.close(fd)


def load(
    path: str,
    *,
    encoding: str | None = None,
    fileformat: str | None = None,
    fs: FileSystem = REAL,
    tick: Tick = no_tick,
) -> Loaded:
    """Read a file into lines. A name that does not exist yet gives an empty text without a stamp, and so does one
    that cannot exist (too long, or below a file): writing tells what is wrong with it.

    `tick` is told how far that is, and may raise. Raises FileProblem for directories, pipes, devices, files that are
    too large and read errors.
    """
    try:
        data, info = read_bytes(path, fs, tick)
    except (FileNotFoundError, FileProblem) as problem:
        if isinstance(problem, FileProblem) and problem.code not in (errno.ENAMETOOLONG, errno.ENOTDIR):
            raise
        return Loaded(FileText([""], Format(fileformat=fileformat or "unix", eol=False)), None)
    text = decode(data, encoding, fileformat, tick)
    # A file that nobody may write is read-only for root, too, who may write all.
    readonly = not info.st_mode & 0o222 or not fs.writable(path) or not is_writable_place(path)
    return Loaded(text, make_stamp(info, data, fs.now_ns()), readonly)


def is_writable_place(path: str) -> bool:
    """Say whether a path is not one of the kernel's own, where a write is a command and not a file."""
    return not os.path.abspath(path).startswith(("/proc/", "/sys/"))


def check_disk(path: str, stamp: Stamp, fs: FileSystem = REAL) -> DiskState:
    """Say whether a file changed since its stamp. A touch or a copy of the same content is no change.

    Device, inode, time and size tell that it may have; the content decides. Raises FileProblem when it
    cannot be read.
    """
    try:
        info = fs.stat(path)
    except FileNotFoundError:
        return DiskState(GONE, None)
    except OSError as error:
        raise FileProblem(f"E484: Can't open file {path}: {reason(error)}", error.errno or 0) from None
    same = (info.st_dev, info.st_ino, info.st_mtime_ns, info.st_size) == stamp[:4]
    if same and stamp.settled:
        return DiskState(UNCHANGED, stamp)
    try:
        data, info = read_bytes(path, fs)
    except FileNotFoundError:
        return DiskState(GONE, None)
    newer = make_stamp(info, data, fs.now_ns())
    return DiskState(UNCHANGED if newer.digest == stamp.digest else CHANGED, newer)
