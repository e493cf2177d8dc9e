"""A disk in memory that can fail at any call, write short, and lose everything that was not synced.

It follows the `FileSystem` protocol. Names are flat: only the directories it is given exist. What a crash can
leave is enumerated by `crashes`: names as after any number of the renames, links and removals since the last
sync of a directory, and for each file not synced its old, its new or a torn content.
"""

from __future__ import annotations

import errno
import itertools
import os
import stat
from collections.abc import Callable, Iterator
from types import SimpleNamespace


class Node:
    """A file: what a reader sees, and what a crash cannot take away."""

    def __init__(self, number: int, data: bytes = b"", mode: int = 0o644, uid: int = 1000, links: int = 1) -> None:
        self.number = number
        self.data = self.durable = data
        self.mode = mode
        self.uid = self.gid = uid
        self.links = links
        self.mtime = number


class FakeDisk:
    """The disk. `fail(n, code)` makes the n-th call fail; `observe` is called after every call."""

    def __init__(self, files: dict[str, bytes] | None = None, directories: tuple[str, ...] = ("/d", "/b")) -> None:
        self.numbers = itertools.count(1)
        self.names: dict[str, Node] = {path: Node(next(self.numbers), data) for path, data in (files or {}).items()}
        self.kept_names = dict(self.names)
        self.pending: list[dict[str, Node]] = []
        self.links: dict[str, str] = {}
        self.directories = set(directories)
        self.forbidden: set[str] = set()
        self.handles: dict[int, tuple[str, Node | None, list[int]]] = {}
        self.descriptors = itertools.count(3)
        self.calls: list[str] = []
        self.fail_at = -1
        self.fail_code = 0
        self.fail_on = False
        self.short = False
        self.observe: Callable[[], None] = lambda: None
        self.clock = 10**18
        self.xattrs: dict[str, bytes] = {}
        self.owner = 1000

    # --- faults and crashes

    def fail(self, at: int, code: int, *, from_then_on: bool = False) -> None:
        """Make one call fail, or all from it on."""
        self.fail_at, self.fail_code, self.fail_on = at, code, from_then_on

    def step(self, name: str) -> None:
        """Count a call and fail when it is its turn."""
        at = len(self.calls)
        self.calls.append(name)
        if at == self.fail_at or (self.fail_on and at > self.fail_at >= 0):
            raise OSError(self.fail_code, os.strerror(self.fail_code))

    def crashes(self) -> Iterator[dict[str, bytes]]:
        """Yield what the disk may hold after a power failure now: name -> content."""
        for names in [self.kept_names, *self.pending]:
            loose = [node for node in {id(n): n for n in names.values()}.values() if node.data != node.durable]
            for choice in itertools.product((0, 1, 2), repeat=len(loose)):
                torn = {
                    id(node): (node.durable, node.data, node.data[: len(node.data) // 2])[which]
                    for node, which in zip(loose, choice, strict=True)
                }
                yield {name: torn.get(id(node), node.data) for name, node in names.items()}

    def changed_names(self) -> None:
        """Remember the names as one more state a crash may find."""
        self.pending.append(dict(self.names))

    def content(self, path: str) -> bytes | None:
        """Return what a reader finds."""
        node = self.names.get(path)
        return None if node is None else node.data

    # --- the protocol

    def describe(self, node: Node | None) -> os.stat_result:
        if node is None:
            return os.stat_result((stat.S_IFDIR | 0o755, 1, 1, 2, 0, 0, 0, 0, 0, 0))
        return SimpleNamespace(  # type: ignore[return-value]
            st_mode=stat.S_IFREG | node.mode, st_ino=node.number, st_dev=1, st_nlink=node.links, st_uid=node.uid,
            st_gid=node.gid, st_size=len(node.data), st_mtime_ns=node.mtime,
        )  # fmt: skip

    def open(self, path: str, flags: int, mode: int = 0o666) -> int:
        self.step("open")
        fd = next(self.descriptors)
        path = path if flags & os.O_NOFOLLOW else self.links.get(path, path)
        if path in self.directories:
            self.handles[fd] = (path, None, [0])
            return fd
        parent = os.path.dirname(path)
        if flags & os.O_CREAT and path not in self.names:
            if parent not in self.directories:
                raise FileNotFoundError(errno.ENOENT, "no directory")
            if parent in self.forbidden:
                raise PermissionError(errno.EACCES, "forbidden")
            self.names[path] = Node(next(self.numbers), b"", mode, self.owner)
            self.changed_names()
        elif path not in self.names:
            raise FileNotFoundError(errno.ENOENT, "no file")
        elif flags & os.O_EXCL:
            raise FileExistsError(errno.EEXIST, "exists")
        self.handles[fd] = (path, self.names[path], [0])
        self.observe()
        return fd

    def file(self, fd: int) -> tuple[Node, list[int]]:
        _, node, place = self.handles[fd]
        assert node is not None
        return node, place

    def read(self, fd: int, size: int) -> bytes:
        self.step("read")
        node, place = self.file(fd)
        part = node.data[place[0] : place[0] + size]
        place[0] += len(part)
        return part

    def write(self, fd: int, data: bytes | memoryview) -> int:
        self.step("write")
        node, place = self.file(fd)
        part = bytes(data)[: max(len(data) // 2, 1)] if self.short else bytes(data)
        node.data = node.data[: place[0]] + part + node.data[place[0] + len(part) :]
        place[0] += len(part)
        self.clock += 10**9
        node.mtime = self.clock
        self.observe()
        return len(part)

    def seek(self, fd: int, offset: int) -> None:
        self.step("seek")
        self.file(fd)[1][0] = offset

    def truncate(self, fd: int, size: int) -> None:
        self.step("truncate")
        node = self.file(fd)[0]
        node.data = node.data[:size]
        self.observe()

    def fsync(self, fd: int) -> None:
        self.step("fsync")
        path, node, _ = self.handles[fd]
        if node is not None:
            node.durable = node.data
        elif path in self.directories:
            self.kept_names, self.pending = dict(self.names), []
        self.observe()

    def close(self, fd: int) -> None:
        del self.handles[fd]
        self.step("close")

    def stat(self, path: str) -> os.stat_result:
        self.step("stat")
        if path in self.directories:
            return self.describe(None)
        path = self.links.get(path, path)
        if path not in self.names:
            raise FileNotFoundError(errno.ENOENT, "no file")
        return self.describe(self.names[path])

    def lstat(self, path: str) -> os.stat_result:
        self.step("lstat")
        if path in self.links:
            return SimpleNamespace(st_mode=stat.S_IFLNK | 0o777)  # type: ignore[return-value]
        if path not in self.names and path not in self.directories:
            raise FileNotFoundError(errno.ENOENT, "no file")
        return self.describe(self.names.get(path))

    def fstat(self, fd: int) -> os.stat_result:
        self.step("fstat")
        return self.describe(self.handles[fd][1])

    def readlink(self, path: str) -> str:
        self.step("readlink")
        return self.links[path]

    def replace(self, source: str, target: str) -> None:
        self.step("replace")
        self.names[target] = self.names.pop(source)
        self.changed_names()
        self.observe()

    def unlink(self, path: str) -> None:
        self.step("unlink")
        del self.names[path]
        self.changed_names()
        self.observe()

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        self.step("mkdir")
        self.directories.add(path)

    def chmod(self, fd: int, mode: int) -> None:
        self.step("chmod")
        node = self.handles[fd][1]
        if node is not None:
            node.mode = mode

    def chown(self, fd: int, uid: int, gid: int) -> None:
        self.step("chown")
        node = self.file(fd)[0]
        node.uid, node.gid = uid, gid

    def attributes(self, path: str) -> dict[str, bytes]:
        self.step("attributes")
        return self.xattrs

    def set_attribute(self, fd: int, name: str, value: bytes) -> None:
        self.step("set_attribute")

    def writable(self, path: str) -> bool:
        return bool(self.names[self.links.get(path, path)].mode & 0o200)

    def now_ns(self) -> int:
        return self.clock

    def token(self) -> str:
        return f"t{next(self.numbers)}"
