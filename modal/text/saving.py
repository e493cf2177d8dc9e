"""Writing files so that the old or the new content is always whole on disk.

Lives here: `save`: beside the file and renamed where that keeps everything about it, else in place behind a
backup. Not here: what to write (`encoding.py`), whether it may be written (`ex/filecmds.py`).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from tpy.modal.text.encoding import Tick, no_tick
from tpy.modal.text.files import (
    FileProblem,
    Stamp,
    is_writable_place,
    kind_problem,
    make_stamp,
    read_all,
    reason,
    resolve,
)
from tpy.modal.text.filesystem import REAL, FileSystem
from tpy.modal.text.places import absolute, make_directories, private_directory

_NO_PLACE_BESIDE = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
_NO_RENAME = frozenset({errno.EACCES, errno.EPERM, errno.EBUSY, errno.EXDEV, errno.EROFS})
_NO_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EACCES, errno.EPERM})
_UNSUPPORTED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EPERM, errno.ENODATA})
# So much is written at a time.
_CHUNK = 1 << 22
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


class Saved(NamedTuple):
    """A finished write: the new stamp, and a warning when the directory could not be made durable."""

    stamp: Stamp
    warning: str = ""


class _CannotReplace(Exception):
    """The file cannot be replaced by a new one that is like it: write in place."""


def save(
    path: str,
    data: bytes,
    *,
    force: bool = False,
    backup_directory: str | None = None,
    fs: FileSystem = REAL,
    tick: Tick = no_tick,
) -> Saved:
    """Write a file. Links are followed and stay links. `force` overrides a read-only file (`:w!`).

    `backup_directory` takes the backup when the file's own directory cannot; by default it is the user's own.
    `tick` is told how far it is and may raise, which leaves the old content.
    Raises FileProblem; then the old content is whole in the file, or in the backup that the message names.
    """
    try:
        target = resolve(path, fs)
        old = _existing(target, fs)
    except OSError as error:
        raise _cannot_open(path, error) from None
    if not is_writable_place(target):
        raise FileProblem(f'E503: "{path}" is not a file or writable device: it belongs to the kernel')
    if old is not None and not force and not fs.writable(target):
        raise FileProblem(f'E505: "{path}" is read-only (add ! to override)', errno.EACCES)
    if old is not None and old.st_nlink > 1:
        return _write_in_place(target, data, path, backup_directory, fs, tick)
    try:
        return _replace(target, data, old, path, fs, tick)
    except _CannotReplace as error:
        if old is None:
            cause = error.__cause__
            raise _cannot_open(path, cause if isinstance(cause, OSError) else OSError()) from None
        return _write_in_place(target, data, path, backup_directory, fs, tick)


def make_parents(path: str, fs: FileSystem = REAL) -> None:
    """Make the directories a new file needs. Raises FileProblem."""
    parent = os.path.dirname(absolute(path))
    try:
        make_directories(parent, fs)
    except OSError as error:
        directory = error.filename or parent
        raise FileProblem(f"E739: Cannot create directory {directory}: {reason(error)}", error.errno or 0) from None


def _existing(target: str, fs: FileSystem) -> os.stat_result | None:
    try:
        info = fs.stat(target)
    except FileNotFoundError:
        return None
    if problem := kind_problem(target, info.st_mode):
        raise FileProblem(problem)
    return info


def _cannot_open(path: str, error: OSError) -> FileProblem:
    """Return the message for a file that cannot be created or opened, with the likely cause."""
    cause = reason(error) if error.errno else "unknown error"
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        parent = os.path.dirname(absolute(path))
        cause = f"there is no directory {parent}"
    return FileProblem(f"E212: Can't open file for writing: {path}: {cause}", error.errno or 0)


def _write_error(path: str, error: OSError) -> FileProblem:
    return FileProblem(f'E514: Write error: "{path}": {reason(error)}; the file is as it was', error.errno or 0)


def _write_all(fd: int, data: bytes, fs: FileSystem, tick: Tick = no_tick) -> None:
    """Write everything, also when the system takes it in pieces."""
    view = memoryview(data)
    while view:
        count = fs.write(fd, view[:_CHUNK])
        if count <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        view = view[count:]
        tick(len(data) - len(view), len(data))


def _quietly(call: Callable[..., object], *arguments: object) -> None:
    """Do something whose failure changes nothing."""
    with suppress(OSError):
        call(*arguments)


def _replace(target: str, data: bytes, old: os.stat_result | None, path: str, fs: FileSystem, tick: Tick) -> Saved:
    """Write a new file beside the target and rename it. Raises _CannotReplace before the target is touched."""
    directory = os.path.dirname(target)
    temporary = os.path.join(directory, f".tpy-{fs.token()}.tmp")
    try:
        fd = fs.open(temporary, _NEW | os.O_NOFOLLOW, 0o666 if old is None else 0o600)
    except OSError as error:
        if error.errno in _NO_PLACE_BESIDE:
            raise _CannotReplace from error
        raise _cannot_open(path, error) from None
    opened = True
    try:
        if old is not None:
            _copy_owner(fd, old, fs)
            _copy_attributes(fd, target, fs)
            fs.chmod(fd, old.st_mode & 0o7777)
        _write_all(fd, data, fs, tick)
        fs.fsync(fd)
        info = fs.fstat(fd)
        opened = False
        fs.close(fd)
        _rename(temporary, target, fs)
    except BaseException as error:
        if opened:
            _quietly(fs.close, fd)
        _quietly(fs.unlink, temporary)
        if isinstance(error, OSError):
            raise _write_error(path, error) from None
        raise
    return Saved(make_stamp(info, data, fs.now_ns()), _sync_directory(directory, fs))


def _rename(temporary: str, target: str, fs: FileSystem) -> None:
    try:
        fs.replace(temporary, target)
    except OSError as error:
        if error.errno in _NO_RENAME:  # such as a file that is a mount point of its own
            raise _CannotReplace from error
        raise


def _copy_owner(fd: int, old: os.stat_result, fs: FileSystem) -> None:
    """Give the new file the owner and group of the old one."""
    new = fs.fstat(fd)
    if (new.st_uid, new.st_gid) == (old.st_uid, old.st_gid):
        return
    try:
        fs.chown(fd, old.st_uid, old.st_gid)
    except OSError as error:
        raise _CannotReplace from error


def _copy_attributes(fd: int, target: str, fs: FileSystem) -> None:
    """Give the new file the access list and the extended attributes of the old one."""
    try:
        attributes = fs.attributes(target)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return
        raise
    for name, value in attributes.items():
        try:
            fs.set_attribute(fd, name, value)
        except OSError as error:
            if not name.startswith(("security.", "trusted.")):  # those are the system's to give
                raise _CannotReplace from error


def _sync_directory(directory: str, fs: FileSystem) -> str:
    """Make the rename durable; return a warning when that failed."""
    try:
        fd = fs.open(directory or ".", os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return ""  # it may be searchable but not readable
    try:
        fs.fsync(fd)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            return f"written, but the directory could not be synced: {reason(error)}"
    finally:
        _quietly(fs.close, fd)
    return ""


def _write_in_place(
    target: str, data: bytes, path: str, backup_directory: str | None, fs: FileSystem, tick: Tick
) -> Saved:
    """Overwrite the file behind a backup; put the old content back when that fails."""
    try:
        fd = fs.open(target, os.O_RDWR)
    except OSError as error:
        raise _cannot_open(path, error) from None
    backup = ""
    try:
        content = read_all(fd, fs, path)
        backup = _write_backup(target, content, path, backup_directory, fs)
        try:
            _overwrite(fd, data, len(content), fs, tick)
            info = fs.fstat(fd)
        except BaseException as error:
            if not _restore(fd, content, fs):
                cause = reason(error) if isinstance(error, OSError) else str(error)
                problem = f'E514: Write error: "{path}": {cause}; its old content is in {backup}'
                backup = ""
                raise FileProblem(problem, getattr(error, "errno", 0) or 0) from None
            if isinstance(error, OSError):
                raise _write_error(path, error) from None
            raise
    except OSError as error:
        raise _write_error(path, error) from None
    finally:
        _quietly(fs.close, fd)
        if backup:
            _quietly(fs.unlink, backup)
    return Saved(make_stamp(info, data, fs.now_ns()))


def _overwrite(fd: int, data: bytes, old_size: int, fs: FileSystem, tick: Tick) -> None:
    fs.seek(fd, 0)
    _write_all(fd, data, fs, tick)
    if len(data) < old_size:
        fs.truncate(fd, len(data))
    fs.fsync(fd)


def _restore(fd: int, content: bytes, fs: FileSystem) -> bool:
    """Put the old content back; say whether it is there again."""
    try:
        fs.seek(fd, 0)
        _write_all(fd, content, fs)
        fs.truncate(fd, len(content))
        fs.fsync(fd)
    except OSError:
        return False
    return True


def _write_backup(target: str, content: bytes, path: str, elsewhere: str | None, fs: FileSystem) -> str:
    """Write a durable copy of the old content; return its name. Raises FileProblem when nowhere can."""
    name = f".tpy-{fs.token()}-{os.path.basename(target)[:100]}~"
    failure: OSError | None = None
    for place in (os.path.dirname(target), elsewhere):
        try:
            directory = private_directory("backup", fs) if place is None else place
            backup = os.path.join(directory, name)
            fd = fs.open(backup, _NEW | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            failure = error
            continue
        try:
            try:
                _write_all(fd, content, fs)
                fs.fsync(fd)
            finally:
                fs.close(fd)
        except OSError as error:
            _quietly(fs.unlink, backup)
            failure = error
            continue
        _sync_directory(directory, fs)
        return backup
    cause = reason(failure) if failure is not None else "there is no place for it"
    raise FileProblem(
        f'E509: Cannot create backup file for "{path}": {cause}; the file is as it was',
        failure.errno or 0 if failure is not None else 0,
    )
