"""What editing and saving should do, as simple as it can be said: a model that imports nothing of the editor.

A file is bytes, a buffer is lines with a way to store them and the states that undo goes through. Names that lead to
the same file share a `File`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

MARK = b"\xef\xbb\xbf"


class Refused(Exception):
    """The editor has to say no, and nothing may have changed."""


@dataclass
class File:
    """The content of a file."""

    data: bytes


@dataclass(frozen=True)
class Form:
    """How lines are stored."""

    encoding: str = "utf-8"
    mark: bool = False
    dos: bool = False
    eol: bool = True


@dataclass(frozen=True)
class State:
    """A text that undo can come back to. `none`: it has no line, not even an empty one."""

    lines: tuple[str, ...]
    none: bool = False


@dataclass
class Buffer:
    """A buffer. `known` is what the file held when it was last read or written, None where there was no file."""

    path: str
    form: Form
    states: list[State]
    known: bytes | None
    at: int = 0
    saved: int = 0
    gone: bool = False

    @property
    def state(self) -> State:
        """The text now."""
        return self.states[self.at]

    @property
    def modified(self) -> bool:
        """Whether leaving would lose something."""
        return self.at != self.saved

    def change(self, state: State) -> None:
        """Go to a new text, one undo step further."""
        if self.saved > self.at:
            self.saved = -1
        del self.states[self.at + 1 :]
        self.states.append(state)
        self.at += 1


def read(data: bytes | None) -> tuple[State, Form]:
    """What a file is in a buffer."""
    if data is None or data == b"":
        return State(("",), none=True), Form(eol=False)
    mark, text, encoding = False, "", "utf-8"
    try:
        mark = data.startswith(MARK)
        text = data[len(MARK) * mark :].decode()
    except UnicodeDecodeError:
        mark, encoding, text = False, "latin-1", data.decode("latin-1")
    breaks = text.count("\n")
    dos = breaks > 0 and text.count("\r\n") == breaks
    lines = text.split("\r\n" if dos else "\n")
    eol = lines[-1] == "" and len(lines) > 1
    return State(tuple(lines[:-1] if eol else lines), text == ""), Form(encoding, mark, dos, eol)


def stored(state: State, form: Form) -> bytes:
    """What a buffer is in a file. Raises `Refused` where a character has no place in its encoding."""
    end = "\r\n" if form.dos else "\n"
    text = "" if state.none else end.join(state.lines) + end * form.eol
    try:
        return MARK * form.mark + text.encode(form.encoding)
    except UnicodeEncodeError:
        raise Refused from None


@dataclass
class World:
    """Files, links among them, and buffers."""

    files: dict[str, File] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    buffers: dict[str, Buffer] = field(default_factory=dict)

    def copy(self) -> World:
        """Another world like this one."""
        twins = {id(file): File(file.data) for file in self.files.values()}
        return World(
            {path: twins[id(file)] for path, file in self.files.items()},
            self.links,
            {path: replace(buffer, states=list(buffer.states)) for path, buffer in self.buffers.items()},
        )

    def data(self, path: str) -> bytes | None:
        """What is read there."""
        file = self.files.get(self.links.get(path, path))
        return None if file is None else file.data

    def put(self, path: str, data: bytes) -> None:
        """Write there: all names of the file show it."""
        path = self.links.get(path, path)
        if path in self.files:
            self.files[path].data = data
        else:
            self.files[path] = File(data)

    def open(self, path: str) -> None:
        """`:edit` of a file that has no buffer."""
        data = self.data(path)
        state, form = read(data)
        self.buffers[path] = Buffer(path, form if data is not None else replace(form, eol=True), [state], data)

    def reload(self, buffer: Buffer) -> None:
        """`:edit!`."""
        data = self.data(buffer.path)
        state, form = read(data)
        if state != buffer.state:
            buffer.change(state)
        buffer.form = form if data is not None else replace(form, eol=True)
        buffer.known, buffer.saved, buffer.gone = data, buffer.at, False

    def write(self, buffer: Buffer, *, force: bool = False, agent: bool = False) -> None:
        """`:write`, or an agent's write of an open buffer. Raises `Refused`."""
        now = self.data(buffer.path)
        if not force and now is not None and now != buffer.known:
            raise Refused
        form = replace(buffer.form, eol=buffer.form.eol or (buffer.modified and not agent))
        data = stored(buffer.state, form)
        self.put(buffer.path, data)
        buffer.form = buffer.form if buffer.state.none else form
        buffer.known, buffer.saved, buffer.gone = data, buffer.at, False

    def look(self, buffer: Buffer) -> None:
        """`:checktime` for one buffer."""
        if buffer.known is None:
            return
        data = self.data(buffer.path)
        if data is None:
            if not buffer.gone:
                buffer.gone, buffer.saved = True, -1
            return
        buffer.gone = False
        if data != buffer.known and not buffer.modified:
            self.reload(buffer)

    def agent_writes(self, path: str, content: str) -> None:
        """An agent writes a file that it has read in parts at most. Raises `Refused`."""
        buffer = self.buffers.get(path)
        if buffer is None:
            data = self.data(path)
            self.put(path, stored(*agents_text(read(data) if data is not None else None, content)))
            return
        modified = buffer.modified
        self.look(buffer)
        known = modified or buffer.known is not None
        state, form = agents_text((buffer.state, buffer.form) if known else None, content)
        stored(state, form)
        before = replace(buffer, states=list(buffer.states))
        if state != buffer.state:
            buffer.change(state)
        buffer.form = form
        if not modified:
            try:
                self.write(buffer, agent=True)
            except Refused:
                self.buffers[path] = before
                raise


def agents_text(old: tuple[State, Form] | None, content: str) -> tuple[State, Form]:
    """What an agent's text becomes in a file that is there, or in a new one."""
    if old is None:
        return read(content.encode())
    state, form = old
    if form.dos or not any(line.endswith("\r") for line in state.lines):
        content = content.replace("\r\n", "\n")
    lines = content.split("\n")
    eol = lines[-1] == "" and len(lines) > 1
    return State(tuple(lines[:-1] if eol else lines), content == ""), replace(form, eol=eol)
