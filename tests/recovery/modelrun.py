"""Random editing and saving with random faults, in the editor and in the model of `model.py`, compared at each step.

Faults enter at the port for files: a call fails with an error, or all do from it on, or writes take only a part. What
was to be done is then done whole or not at all, and the message names the cause.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from model import Buffer, File, Refused, State, World

from tpy.modal.agent.fileaccess import write_text
from tpy.modal.assembly import make_engine
from tpy.modal.ex.filestate import state_of
from tpy.modal.keymap import parse_keys
from tpy.modal.text.files import FileProblem, digest
from tpy.modal.text.filesystem import RealFileSystem

ERRORS = [getattr(errno, name) for name in "ENOSPC EIO EACCES EPERM EROFS EDQUOT EBUSY EXDEV ENOTSUP EFBIG".split()]
CONTENTS = (
    b"one\ntwo\n", b"one\r\ntwo\r\n", b"no end", b"caf\xe9\n", b"\xef\xbb\xbfmark\n", b"", b"\n", b"a\r\nb\n",
    b"x\0y\n", "wide 日本\n".encode(), b"\n\nlast\n", b"many\n" * 30,
)  # fmt: skip
WORDS = ("word", "é", "→", "two words", "a", "\t", "0")
NAMES = ("a", "b", "c", "link")
CALLS = (
    "open", "read", "write", "seek", "truncate", "fsync", "close", "stat", "lstat", "fstat", "readlink", "replace",
    "unlink", "mkdir", "chmod", "chown", "attributes", "set_attribute",
)  # fmt: skip


class Faults:
    """What may go wrong at the port: call number `at` from now, once or from then on; short writes."""

    def __init__(self) -> None:
        self.at, self.code, self.on, self.short = -1, 0, False, False
        self.count = 0
        self.hit: list[str] = []

    def arm(self, at: int, code: int, *, on: bool, short: bool) -> None:
        """Set what goes wrong next; `at` below 0 is nothing."""
        self.at, self.code, self.on, self.short, self.count, self.hit = at, code, on, short, 0, []

    def lay(self, patch: Callable[[Any, str, Any], None]) -> None:
        """Put it under the port; `patch` is like `setattr`."""
        for name in CALLS:
            patch(RealFileSystem, name, self._around(name, getattr(RealFileSystem, name)))

    def _around(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def around(fs: RealFileSystem, *arguments: Any) -> Any:
            number, self.count = self.count, self.count + 1
            if self.at >= 0 and (number == self.at or (self.on and number > self.at)):
                self.hit.append(name)
                if name == "close":
                    call(fs, *arguments)  # as the kernel does: it is closed whatever it says
                raise OSError(self.code, os.strerror(self.code))
            if name == "fsync":
                return None
            if name == "write" and self.short:
                return call(fs, arguments[0], bytes(arguments[1])[: max(len(arguments[1]) // 2, 1)])
            return call(fs, *arguments)

        return around


class Run:
    """An editor and a model in the same state."""

    def __init__(self, folder: Path, seed: int, faults: Faults) -> None:
        self.folder = folder
        self.rng = random.Random(seed)
        self.faults = faults
        self.world = World(links={self.path("link"): self.path("real")})
        (folder / "link").symlink_to("real")
        self.engine = make_engine(vim=True, clock=lambda: 0.0)
        self.editor = self.engine.editor
        self.editor.layout.arrange(23, 200)
        self.editor.options.values["hidden"] = True
        self.editor.options.values["autoread"] = True
        self.done: list[str] = []
        self.ex("e a")
        self.world.open(self.path("a"))
        self.check("the start")

    def path(self, name: str) -> str:
        """The path of a name."""
        return str(self.folder / name)

    def ex(self, line: str) -> str:
        """Run a line of commands; return the message."""
        self.editor.message = None
        return self.type(":" + line.replace("<", "<lt>") + "<CR>")

    def type(self, keys: str) -> str:
        """Type keys; return the message."""
        for key in parse_keys(keys):
            self.engine.feed(key)
        self.engine.expire()
        assert self.engine.prompt is None
        return self.editor.message.text if self.editor.message is not None else ""

    @property
    def buffer(self) -> Buffer:
        """The model of the buffer in the window."""
        return self.world.buffers[self.path(os.path.basename(self.editor.buffer.name))]

    def steps(self, count: int) -> None:
        """Do random things."""
        kinds = (self.edit, self.history, self.save, self.others, self.look, self.agent)
        for _ in range(count):
            self.rng.choices(kinds, (3, 1, 2, 1, 1, 1))[0]()

    # --- what is done

    def edit(self) -> None:
        """Change the text by a command, or go to another buffer."""
        rng, buffer = self.rng, self.buffer
        lines, word = list(buffer.state.lines), rng.choice(WORDS)
        line = rng.randrange(len(lines))
        go = f"{line + 1}G"
        what = rng.randrange(7)
        if what == 0:
            keys, new = f"{go}o{word}<Esc>", [*lines[: line + 1], word, *lines[line + 1 :]]
        elif what == 1:
            keys, new = f"{go}dd", lines[:line] + lines[line + 1 :]
        elif what == 2:
            keys, new = f"{go}A{word}<Esc>", [*lines[:line], lines[line] + word, *lines[line + 1 :]]
        elif what == 3:
            keys, new = f"{go}cc{word}<Esc>", [*lines[:line], word, *lines[line + 1 :]]
        elif what == 4:
            keys, new = f":1,{line + 1}t$<CR>", lines + lines[: line + 1]
            if len(new) > 60:
                keys, new = ":2,$d<CR>", lines[:1]
        elif what == 5:
            keys, new = ":%s/o/0o/ge<CR>", [text.replace("o", "0o") for text in lines]
        else:
            self.go_to(rng.choice(NAMES))
            return
        if buffer.state.none and what == 1:
            return  # there is no line to delete
        self.type(keys)
        if new != lines or what == 3:
            buffer.change(State(tuple(new) or ("",), none=not new))
        self.check(keys)

    def go_to(self, name: str) -> None:
        """Go to the buffer of a file; the one that is there already is read again, if that loses nothing."""
        path = self.path(name)
        if path not in self.world.buffers:
            self.world.open(path)
        elif path == self.buffer.path and not self.buffer.modified:
            self.world.reload(self.buffer)
        self.ex(f"e {name}")
        self.check(f"edit {name}")

    def history(self) -> None:
        """Undo or redo."""
        buffer, back = self.buffer, self.rng.random() < 0.6
        self.type("u" if back else "<C-r>")
        buffer.at = max(buffer.at - 1, 0) if back else min(buffer.at + 1, len(buffer.states) - 1)
        self.check("u" if back else "redo")

    def save(self) -> None:
        """Write, or take what is on disk."""
        line = self.rng.choice(("w", "w", "w", "w!", "e!"))
        buffer = self.buffer

        def model(world: World) -> None:
            mine = world.buffers[buffer.path]
            world.reload(mine) if line == "e!" else world.write(mine, force=line == "w!")

        self.with_faults(line, lambda: self.ex(line), model)

    def look(self) -> None:
        """Look whether files have changed."""
        self.with_faults("checktime", lambda: self.ex("checktime") and "", _look_at_all)

    def agent(self) -> None:
        """An agent writes a file."""
        path = self.path(self.rng.choice((*NAMES[:3], "other")))
        content = self.rng.choice(("agent\n", "one\nagent", "one\r\ntwo\r\n", "→\n", "", "\n"))

        def act() -> str:
            try:
                return write_text(self.editor, path, content, None) and ""
            except FileProblem as problem:
                return str(problem)

        self.with_faults(f"agent {path} {content!r}", act, lambda world: world.agent_writes(path, content))

    def others(self) -> None:
        """Somebody else does something to a file."""
        rng, name = self.rng, self.rng.choice(("a", "b", "c", "real", "other"))
        path, what = self.path(name), self.rng.randrange(6)
        data = rng.choice(CONTENTS)
        if what < 2:
            self.world.put(path, data)
            Path(path).write_bytes(data)
        elif what == 2:
            self.world.files[path] = File(data)
            Path(path + ".new").write_bytes(data)
            os.replace(path + ".new", path)
        elif path in self.world.files:
            if what == 3:
                del self.world.files[path]
                os.unlink(path)
            elif what == 4:
                os.utime(path, (1, 1))
            elif what == 5 and path + ".hard" not in self.world.files:
                self.world.files[path + ".hard"] = self.world.files[path]
                os.link(path, path + ".hard")
        self.check(f"others {what} {name}")

    # --- what is compared

    def with_faults(self, what: str, act: Callable[[], str], model: Callable[[World], None]) -> None:
        """Do it in both, perhaps with faults: then it is done whole, for some files or not at all."""
        rng, faults = self.rng, self.faults
        faulty = rng.random() < 0.5
        code, on = rng.choice(ERRORS), rng.random() < 0.3
        faults.arm(rng.randrange(26) if faulty else -1, code, on=on, short=rng.random() < 0.3)
        message = act()
        hit = list(faults.hit)
        faults.arm(-1, 0, on=False, short=False)
        self.done.append(f"{what} [{os.strerror(code)} at {hit}] {message}")
        self.take_back(message, hit)
        outcomes = self.outcomes(model, faulty=bool(hit))
        for outcome in outcomes:
            if self.difference(outcome) is None:
                self.world = outcome
                break
        else:
            raise AssertionError(f"{self.difference(outcomes[0])}\n" + "\n".join(self.done[-12:]))
        named = what in ("w", "w!", "e!") or (message and "E13" not in message)
        if hit and outcome is not outcomes[0] and named:
            assert os.strerror(code) in message, f"{message!r} does not name the cause: {self.done[-1]}"

    def outcomes(self, model: Callable[[World], None], *, faulty: bool) -> list[World]:
        """What the world may be after it: with faults also as before, or with only some buffers looked at."""
        done = self.world.copy()
        with suppress(Refused):
            model(done)
        if not faulty:
            return [done]
        some = []
        for path in self.world.buffers:
            looked = self.world.copy()
            looked.look(looked.buffers[path])
            some.append(looked)
        return [done, self.world.copy(), *some]

    def take_back(self, message: str, hit: list[str]) -> None:
        """What a user does where the disk failed for good: the backup that a message names goes back in its place."""
        if "old content is in" in message:
            backup = Path(message.rpartition(" ")[2])
            Path(message.split('"')[1]).resolve().write_bytes(backup.read_bytes())
            backup.unlink()
        for left in self.folder.glob(".tpy-*"):
            assert "unlink" in hit, f"{left} was left: {self.done[-1]}"
            left.unlink()

    def check(self, what: str) -> None:
        """Compare, after something without faults."""
        self.done.append(what)
        difference = self.difference(self.world)
        assert difference is None, f"{difference}\n" + "\n".join(self.done[-12:])

    def difference(self, world: World) -> str | None:
        """What differs between the editor and a model, None for nothing."""
        there = [entry.path for entry in os.scandir(self.folder) if not entry.is_symlink()]
        files = {path: Path(path).read_bytes() for path in there}
        model = {path: file.data for path, file in world.files.items()}
        for path in files | model:
            if files.get(path) != model.get(path):
                return f"{path} holds {files.get(path)}, the model has {model.get(path)}"
        for window in self.editor.windows():
            assert window.cursor.line < len(window.buffer.lines), f"the cursor is below the text: {window.cursor}"
        for buffer in self.editor.buffers.values():
            mine = world.buffers[self.path(os.path.basename(buffer.name))]
            state = State(tuple(buffer.lines), buffer.no_lines)
            if state != mine.state:
                return f"{mine.path} is {state}, the model has {mine.state}"
            file = state_of(buffer)
            stamp = file.stamp.digest if file is not None and file.stamp is not None else None
            if stamp != (None if mine.known is None else digest(mine.known)):
                return f"{mine.path} is taken to have another content than the model has, {mine.known}"
            if buffer.modified != mine.modified:
                return f"{mine.path} is {'' if buffer.modified else 'not '}modified"
        return None


def _look_at_all(world: World) -> None:
    for buffer in world.buffers.values():
        world.look(buffer)
