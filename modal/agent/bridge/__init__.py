"""Where the editor and the agents' package meet: the only part of `tpy.modal` that imports `tpy.acp`.

`install` costs nothing: the agents' package is imported when the first command needs it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from tpy.modal.editor import Editor
from tpy.modal.text.places import working_directory

if TYPE_CHECKING:
    from tpy.acp.child import Loop
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.engine.dispatch import Engine


class _Later:
    """What `Agents` will be made of."""

    __slots__ = ("engine", "environ", "loop", "project")

    def __init__(self, engine: Engine, loop: Loop, project: str, environ: Mapping[str, str]) -> None:
        self.engine = engine
        self.loop = loop
        self.project = project
        self.environ = environ


def install(
    engine: Engine, loop: Loop, *, project: str | None = None, environ: Mapping[str, str] | None = None
) -> None:
    """Make agents available to an engine. `project` is the directory the editor was started in.

    `loop` is watched for the agents' pipes. At the end call `stop`, and run the loop until what it returns is false.
    """
    editor = engine.editor
    environ = os.environ if environ is None else environ
    editor.extra["agents"] = _Later(engine, loop, project or working_directory(), environ)
    editor.extra["agent-words"] = lambda kind, prefix: agents_of(editor).words(kind, prefix)


def agents_of(editor: Editor) -> Agents:
    """Return the agents of an editor. Raises `CommandFailed` where there is no loop to run them."""
    from tpy.modal.registry import CommandFailed

    found = editor.extra.get("agents")
    if isinstance(found, _Later):
        from tpy.modal.agent.bridge.agents import Agents

        found = editor.extra["agents"] = Agents(found.engine, found.loop, found.project, found.environ)
    if found is None:
        raise CommandFailed("E319: agents are not available here")
    result: Agents = found
    return result


def existing(editor: Editor) -> Agents | None:
    """Return the agents of an editor if any command has needed them yet."""
    found = editor.extra.get("agents")
    return None if found is None or isinstance(found, _Later) else found


def stop(editor: Editor) -> Callable[[], bool]:
    """Stop all agents, politely first; return what tells whether a process of one is still there."""
    found = existing(editor)
    if found is None:
        return lambda: False
    host = found
    host.stop_all()
    return lambda: host.running


def kill(editor: Editor) -> None:
    """End all agents' processes at once, for an end at which the loop can run no more."""
    if existing(editor) is not None:
        from tpy.acp.child import kill_all

        kill_all()
