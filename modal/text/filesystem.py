"""The one port through which files are touched: every call that can fail, so that tests can make it fail.

Lives here: the `FileSystem` protocol and the real one. Not here: what the calls are for (`files.py`,
`saving.py`, `journal.py`). All methods raise OSError as `os` does.
"""

from __future__ import annotations

import os
import time
from typing import Protocol


class FileSystem(Protocol):
    """The calls, named and behaving like those of `os`."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        """Open a file; close-on-exec."""

    def read(self, fd: int, size: int) -> bytes:
        """Read up to `size` bytes."""

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write some of the data; return how much."""

    def seek(self, fd: int, offset: int) -> None:
        """Set the place of the next read or write."""

    def truncate(self, fd: int, size: int) -> None:
        """Cut the file to a size."""

    def fsync(self, fd: int) -> None:
        """Make the content durable."""

    def close(self, fd: int) -> None:
        """Close; a delayed write error may show here."""

    def stat(self, path: str) -> os.stat_result:
        """Describe what a path leads to."""

    def lstat(self, path: str) -> os.stat_result:
        """Describe the path itself, a link as a link."""

    def fstat(self, fd: int) -> os.stat_result:
        """Describe an open file."""

    def readlink(self, path: str) -> str:
        """Return where a link leads."""

    def replace(self, source: str, target: str) -> None:
        """Rename, in place of what was there."""

    def unlink(self, path: str) -> None:
        """Remove a file."""

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        """Make a directory."""

    def chmod(self, fd: int, mode: int) -> None:
        """Set the mode of an open file."""

    def chown(self, fd: int, uid: int, gid: int) -> None:
        """Set the owner of an open file."""

    def attributes(self, path: str) -> dict[str, bytes]:
        """Return the extended attributes, access lists among them."""

    def set_attribute(self, fd: int, name: str, value: bytes) -> None:
        """Set one extended attribute of an open file."""

    def writable(self, path: str) -> bool:
        """Say whether this process may write to it."""

    def now_ns(self) -> int:
        """Return the time of day in nanoseconds, as file times count."""

    def token(self) -> str:
        """Return some letters that make a file name unique."""


class RealFileSystem:
    """The real calls."""

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        """Open a file; close-on-exec."""
        return os.open(path, flags | os.O_CLOEXEC, mode)

    def read(self, fd: int, size: int) -> bytes:
        """Read up to `size` bytes."""
        return os.read(fd, size)

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """Write some of the data; return how much."""
        return os.write(fd, data)

    def seek(self, fd: int, offset: int) -> None:
        """Set the place of the next read or write."""
        os.lseek(fd, offset, os.SEEK_SET)

    def truncate(self, fd: int, size: int) -> None:
        """Cut the file to a size."""
        os.ftruncate(fd, size)

    def fsync(self, fd: int) -> None:
        """Make the content durable."""
        os.fsync(fd)

    def close(self, fd: int) -> None:
        """Close; a delayed write error may show here."""
        os.close(fd)

    def stat(self, path: str) -> os.stat_result:
        """Describe what a path leads to."""
        return os.stat(path)

    def lstat(self, path: str) -> os.stat_result:
        """Describe the path itself, a link as a link."""
        return os.lstat(path)

    def fstat(self, fd: int) -> os.stat_result:
        """Describe an open file."""
        return os.fstat(fd)

    def readlink(self, path: str) -> str:
        """Return where a link leads."""
        return os.readlink(path)

    def replace(self, source: str, target: str) -> None:
        """Rename, in place of what was there."""
        os.replace(source, target)

    def unlink(self, path: str) -> None:
        """Remove a file."""
        os.unlink(path)

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        """Make a directory."""
        os.mkdir(path, mode)

    def chmod(self, fd: int, mode: int) -> None:
        """Set the mode of an open file."""
        os.fchmod(fd, mode)

    def chown(self, fd: int, uid: int, gid: int) -> None:
        """Set the owner of an open file."""
        os.fchown(fd, uid, gid)

    def attributes(self, path: str) -> dict[str, bytes]:
        """Return the extended attributes, access lists among them."""
        if not hasattr(os, "listxattr"):
            return {}
        return {name: os.getxattr(path, name) for name in os.listxattr(path)}

    def set_attribute(self, fd: int, name: str, value: bytes) -> None:
        """Set one extended attribute of an open file."""
        if hasattr(os, "setxattr"):
            os.setxattr(fd, name, value)

    def writable(self, path: str) -> bool:
        """Say whether this process may write to it."""
        return os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids)

    def now_ns(self) -> int:
        """Return the time of day in nanoseconds, as file times count."""
        return time.time_ns()

    def token(self) -> str:
        """Return some letters that make a file name unique."""
        return os.urandom(6).hex()


REAL = RealFileSystem()
