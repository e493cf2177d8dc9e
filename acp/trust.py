"""Which entries of project files the user has approved: the memory of those answers.

A cloned repository may name any program, so the first start of an entry from a project file asks (spec
AGENTS §10; CASES D-06, D-07). An answer is one small file in the user's state directory, named by project
and agent, holding the entry's fingerprint: a changed entry asks again, another project asks for itself, and
two editors never overwrite each other's answers. Only "yes" is remembered.
Not here: asking (`modal/agent/permission.py`, `checker.py`).
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from tpy.acp.agententry import AgentEntry, fingerprint
from tpy.acp.config import home_directory


def state_directory(environ: Mapping[str, str]) -> str:
    """Where the editor keeps what is the user's alone: `$XDG_STATE_HOME/turbo-python`."""
    base = environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(base):
        base = os.path.join(home_directory(environ), ".local", "state")
    return os.path.join(base, "turbo-python")


def needs_approval(entry: AgentEntry) -> bool:
    """Whether an entry is of the kind that asks at all: one that a project file brought."""
    return entry.project_file


def is_trusted(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> bool:
    """Whether the entry may start without asking: not from a project file, or approved as it stands."""
    if not needs_approval(entry):
        return True
    try:
        with open(_answer_path(entry, project, environ), encoding="utf-8") as answer:
            return answer.readline().strip() == fingerprint(entry)
    except (OSError, UnicodeDecodeError):
        return False


def approve(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> None:
    """Remember the user's yes to this entry, as it stands, in this project; raises `OSError`."""
    path = _answer_path(entry, project, environ)
    # The two lines after the hash are for people who look into the directory.
    text = f"{fingerprint(entry)}\n{os.path.realpath(project)!r}\n{entry.name!r}\n"
    write_private(path, text.encode())


def revoke(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> bool:
    """Forget the answer; False when there was none."""
    try:
        os.unlink(_answer_path(entry, project, environ))
    except FileNotFoundError:
        return False
    return True


def write_private(path: str, data: bytes) -> None:
    """Write a file of the state directory whole or not at all: directories 0700, file 0600."""
    directory = os.path.dirname(path)
    os.makedirs(os.path.dirname(directory), mode=0o700, exist_ok=True)
    os.makedirs(directory, mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _answer_path(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> str:
    import hashlib

    place = os.path.realpath(project)
    key = hashlib.sha256(f"{place}\0{entry.name}".encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return os.path.join(state_directory(environ), "trust", key)
