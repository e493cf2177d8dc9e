"""Directories: the state directory, where the editor keeps what is the user's alone, and the working directory; how
names are shown."""

from __future__ import annotations

import os

from tpy.modal.text.filesystem import REAL, FileSystem


def state_directory() -> str:
    """Return the state directory, `$XDG_STATE_HOME/turbo-python`; a relative `XDG_STATE_HOME` does not count."""
    base = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".local", "state")
    return os.path.join(base, "turbo-python")


def private_directory(name: str, fs: FileSystem = REAL) -> str:
    """Return a directory of the state directory, made if need be, open to the user alone. Raises OSError."""
    path = os.path.join(state_directory(), name)
    make_directories(path, fs, 0o700)
    fd = fs.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fs.chmod(fd, 0o700)
    finally:
        fs.close(fd)
    return path


def working_directory() -> str:
    """Return the working directory; where somebody has removed it, a path below which nothing can be written."""
    try:
        return os.getcwd()
    except OSError:
        pass
    try:
        return os.readlink("/proc/self/cwd").removesuffix(" (deleted)")
    except OSError:
        return "/the working directory was removed"


def absolute(name: str) -> str:
    """Return the path of a name, as `os.path.abspath` does, also where the working directory is gone."""
    return os.path.normpath(os.path.join(working_directory(), name))


def make_directories(path: str, fs: FileSystem = REAL, mode: int = 0o777) -> None:
    """Make a directory and those above it that are missing. Raises OSError with the one that cannot be made."""
    missing: list[str] = []
    while True:
        try:
            fs.stat(path)
            break
        except FileNotFoundError:
            if path == os.path.dirname(path):
                raise  # a disk without a root is no disk
            missing.append(path)
            path = os.path.dirname(path)
    for directory in reversed(missing):
        try:
            fs.mkdir(directory, mode)
        except FileExistsError:
            continue
        except OSError as error:
            error.filename = directory
            raise


def visible(text: str) -> str:
    """Return text, such as the name of a file, with control characters as `^X`."""
    if text.isprintable():
        return text
    return "".join(f"^{chr(ord(char) ^ 64)}" if char < " " or char == "\x7f" else char for char in text)
