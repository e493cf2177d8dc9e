"""Files in a disk in memory that are saved in different ways, and what each call of a save may fail with."""

from __future__ import annotations

import errno
import os

from fakedisk import FakeDisk

OLD, NEW = b"the old text\n" * 5, b"something new\n" * 9


def _codes(names: str) -> list[int]:
    return [getattr(errno, name) for name in names.split()]


_PATH = "EACCES ELOOP ENAMETOOLONG ENOMEM ENOTDIR EIO ESTALE "
ERRNOS = {
    "open": _codes(
        _PATH + "EDQUOT EEXIST EFBIG EINVAL EISDIR EMFILE ENFILE ENODEV ENOENT ENOSPC ENXIO EOVERFLOW EPERM EROFS "
        "ETXTBSY EBUSY EOPNOTSUPP"
    ),
    "read": _codes("EIO EISDIR EINVAL EAGAIN ESTALE"),
    "write": _codes("EAGAIN EDQUOT EFBIG EINVAL EIO ENOSPC EPERM EPIPE ESTALE"),
    "seek": _codes("EINVAL EOVERFLOW ESPIPE ENXIO"),
    "truncate": _codes("EACCES EFBIG EINVAL EIO EPERM EROFS ETXTBSY ENOSPC"),
    "fsync": _codes("EIO ENOSPC EDQUOT EROFS EINVAL ESTALE"),
    "close": _codes("EIO ENOSPC EDQUOT"),
    "stat": _codes(_PATH + "EOVERFLOW"),
    "lstat": _codes(_PATH + "EOVERFLOW"),
    "fstat": _codes("ENOMEM EOVERFLOW EIO ESTALE"),
    "readlink": _codes(_PATH + "EINVAL ENOENT"),
    "replace": _codes(_PATH + "EBUSY EDQUOT EINVAL EISDIR EMLINK ENOENT ENOSPC ENOTEMPTY EPERM EROFS EXDEV"),
    "unlink": _codes(_PATH + "EBUSY EISDIR ENOENT EPERM EROFS"),
    "mkdir": _codes(_PATH + "EDQUOT EMLINK ENOENT ENOSPC EPERM EROFS"),
    "chmod": _codes("EIO EPERM EROFS"),
    "chown": _codes("EIO EPERM EROFS EDQUOT EINVAL"),
    "attributes": _codes("E2BIG EACCES EIO ENODATA ENOTSUP EPERM ERANGE ENOMEM"),
    "set_attribute": _codes("EACCES EDQUOT EIO EINVAL ENODATA ENOSPC ENOTSUP EPERM ERANGE E2BIG"),
}
"""What the manual pages of Linux name for each call, but for what a program causes itself (EBADF, EFAULT), and for
EINTR, after which Python calls again. That `stat` finds no file, or `mkdir` one, is no failure but another scene."""


def names_the_cause(message: str, code: int) -> bool:
    """Whether a message tells of an error in the system's words, or which directory is missing."""
    missing = code in (errno.ENOENT, errno.ENOTDIR) and "there is no directory /d" in message
    return os.strerror(code) in message or missing


def replaced() -> FakeDisk:
    """A file that is replaced by a new one."""
    return FakeDisk({"/d/f": OLD})


def with_attributes() -> FakeDisk:
    """A file with an owner and attributes that the new one must get."""
    disk = FakeDisk({"/d/f": OLD})
    disk.xattrs = {"user.note": b"x", "security.label": b"y"}
    disk.owner = 7
    return disk


def hard_linked() -> FakeDisk:
    """A file with two names, written in place."""
    disk = FakeDisk({"/d/f": OLD})
    disk.names["/d/f"].links = 2
    return disk


def shrinking() -> FakeDisk:
    """A longer file with two names."""
    disk = FakeDisk({"/d/f": OLD * 20})
    disk.names["/d/f"].links = 2
    return disk


def closed_directory() -> FakeDisk:
    """A file in a directory where nothing can be made."""
    disk = FakeDisk({"/d/f": OLD})
    disk.forbidden.add("/d")
    return disk


def linked() -> FakeDisk:
    """A symbolic link to a file."""
    disk = FakeDisk({"/d/real": OLD})
    disk.links["/d/f"] = "/d/real"
    return disk


def missing() -> FakeDisk:
    """A file that does not exist yet."""
    return FakeDisk({})


SCENES = [replaced, with_attributes, hard_linked, shrinking, closed_directory, linked, missing]


def target(disk: FakeDisk) -> str:
    """Return the file that `/d/f` stands for."""
    return disk.links.get("/d/f", "/d/f")
