"""Files for agents: `fs/read_text_file` and `fs/write_text_file` from buffers and disk (PROTOCOL §13, spec AGENTS §7).

Here is the policy: which paths, buffer or disk, one undo step, what is told. Bytes and safe writing are those of `:w`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.acp.asks import FileRead, FileWrite
from tpy.acp.jsonrpc import INTERNAL_ERROR, INVALID_PARAMS
from tpy.modal.agent import fileaccess, proposals
from tpy.modal.agent.fileaccess import Missing
from tpy.modal.agent.mentions import inside
from tpy.modal.agent.permission import ALLOW_ALWAYS, REJECT_ONCE, Option, Request
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.files import FileProblem

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk


# A write that must wait is tried again after this time, in seconds.
LATER = 0.05
# So many characters of a file are searched for the place of a diff.
MOST_SEARCHED = 1024 * 1024


class FileServer:
    """Serves the files of all sessions of an editor."""

    def __init__(self, agents: Agents) -> None:
        self.agents = agents
        self.editor = agents.editor

    def read(self, talk: Talk, ask: FileRead) -> None:
        """Answer a read, once it is known that it may be."""

        def serve(path: str) -> None:
            try:
                text = fileaccess.read_text(self.editor, path)
            except Missing:
                ask.missing()
                return
            except FileProblem as problem:
                ask.fail(INTERNAL_ERROR, str(problem))
                return
            if ask.limit is None and (ask.line or 1) <= 1:
                talk.served[path] = text
            else:
                talk.served.setdefault(path, None)
            ask.answer(part(text, ask.line, ask.limit))

        self._permit(talk, ask, "read", serve)

    def write(self, talk: Talk, ask: FileWrite) -> None:
        """Do a write, once it is known that it may be, and answer what became of it."""

        def serve(path: str) -> None:
            if not ask.is_open:
                return
            if self._asking():
                # A command is asking the user about each change: the text is its until it is done.
                self.agents.loop.call_later(LATER, lambda: serve(path))
                return
            try:
                content = proposals.edited(talk, path, ask.content)
                told = fileaccess.write_text(self.editor, path, content, talk.served.get(path, fileaccess.FROM_DISK))
            except FileProblem as problem:
                ask.fail(INTERNAL_ERROR, str(problem))
                self.editor.echo(f"{talk.name} could not write {self.shown(path)}: {problem}", error=True)
                return
            talk.served[path] = ask.content
            ask.answer()
            self.agents.event("AgentWrite", talk)
            if told:
                self.editor.echo(f"{talk.name}: {self.shown(path)}: {told}")
            self.agents.redraw()

        self._permit(talk, ask, "write", serve)

    def _asking(self) -> bool:
        """Whether a command waits for a key with its work half done, such as `:s///c`."""
        prompt = self.agents.engine.prompt
        return prompt is not None and prompt.kind == ""

    def _permit(self, talk: Talk, ask: FileRead | FileWrite, what: str, serve: Callable[[str], None]) -> None:
        """Go on with `serve` where the path may be used; ask the user about a directory outside the project once."""
        path = ask.path
        if path.startswith("~") or "\0" in path or not path:
            ask.fail(INVALID_PARAMS, f"the path must be absolute: {path}")
            return
        if not os.path.isabs(path):
            talk.log.append(f"note: a relative path was taken from the session's directory: {path}")
        # The real place counts, for the policy as for the file: a link stays a link, its target is meant.
        real = os.path.realpath(os.path.join(ask.session.cwd, path))
        # A subagent works in a directory of its own; what may be used without asking is the session's all the same.
        session = talk.session or ask.session
        roots = [session.cwd, *talk.roots]
        directory = os.path.dirname(real)
        if any(inside(real, root) for root in roots) or _covered(talk.allowed, directory):
            serve(real)
            return

        def refuse() -> None:
            ask.fail(INTERNAL_ERROR, f"outside the project: {ask.path}")

        if _refused(talk.allowed, directory):
            refuse()
            return

        def answer(choice: str | None) -> None:
            if choice is not None:
                talk.allowed[directory] = choice == "allow"
            if choice == "allow":
                serve(real)
            else:
                refuse()

        def settled(choice: str | None) -> None:
            waiting = talk.outside.pop(directory, [])
            for one in waiting:
                one(choice)

        if directory in talk.outside:
            talk.outside[directory].append(answer)
            return
        talk.outside[directory] = [answer]
        options = [
            Option("allow", "Allow files of this directory in this session", ALLOW_ALWAYS),
            Option("refuse", "Refuse", REJECT_ONCE),
        ]
        talk.add_request(
            Request(f"{what} outside the project: {self.shown(real)}", options, settled, purpose=directory, ours=True)
        )

    def shown(self, path: str) -> str:
        """Return a path for people."""
        return os.path.relpath(path, self.agents.project) if inside(path, self.agents.project) else path

    def is_shown(self, buffer: Buffer, path: str) -> bool:
        """Whether a buffer is the one of a file."""
        return fileaccess.buffer_for(self.editor, path) is buffer

    def escaped(self, path: str) -> str:
        """Return a path as it is typed after `:edit`."""
        return re.sub(r"([\\ %#|\t\"])", r"\\\1", path)

    def shown_name(self, buffer: Buffer) -> str:
        """Return a buffer's name for people and agents."""
        path = fileaccess.path_of(buffer)
        return self.shown(path) if path is not None else buffer.name or "[No Name]"

    def text_for_prompt(self, path: str) -> str | None:
        """Return the text of a mentioned file, `None` where it cannot be read as text."""
        try:
            return fileaccess.read_text(self.editor, path)
        except (FileProblem, Missing):
            return None

    def line_of(self, path: str, text: str) -> int:
        """Return the number of the line of a file of the project at which a text begins, 1 where it does not."""
        path = os.path.realpath(path)
        if not inside(path, self.agents.project) or not os.path.isfile(path):
            return 1
        buffer = fileaccess.buffer_for(self.editor, path)
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                whole = file.read(MOST_SEARCHED) if buffer is None else "\n".join([*buffer.lines, ""])
        except OSError:
            return 1
        at = whole.find(text)
        while at > 0 and whole[at - 1] != "\n":
            at = whole.find(text, at + 1)
        return whole.count("\n", 0, at) + 1 if at > 0 else 1


def part(text: str, line: int | None, limit: int | None) -> str:
    """Return `limit` lines from line `line` on (from 1; 0 is 1), line ends included; what is not there is empty."""
    if limit is None and (line or 1) <= 1:
        return text
    rows = text.split("\n")
    ends = [row + "\n" for row in rows[:-1]] + ([rows[-1]] if rows[-1] else [])
    first = max(line or 1, 1) - 1
    return "".join(ends[first:] if limit is None else ends[first : first + limit])


def _covered(allowed: dict[str, bool], directory: str) -> bool:
    return any(yes and inside(directory, known) for known, yes in allowed.items())


def _refused(allowed: dict[str, bool], directory: str) -> bool:
    return any(not yes and inside(directory, known) for known, yes in allowed.items())
