"""Editors that are killed in the middle of a burst of typing, and what comes back of it (EDITOR.md "Recovery").

`kill_many(count, seed, folder)` forks that many editors, some at a time, each on a terminal of its own, types into them
faster than people do, with pauses and writes between, and has them die by SIGKILL in one of three ways: from outside at
any moment, at any call of the port for files before or after it, or inside a write to the journal, of which only a part
is on disk then. It returns what became of each.

What an editor has acted on, and when, it notes itself: one time for each key, in a file that survives it.
"""

from __future__ import annotations

import fcntl
import os
import random
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tpy.modal import app
from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.loop import Loop
from tpy.modal.opening import Opening
from tpy.modal.recovery import Recovery
from tpy.modal.startup import Startup
from tpy.modal.text.filesystem import RealFileSystem

OUTSIDE, CALL, JOURNAL = "from outside", "at a call", "inside a write to the journal"
MOST_LOST = 2.0
"""Seconds of typing that may be missing."""
AT_A_TIME = 6
TEXT, COMMAND, SAVES = "text", "command", "saves"
_CALLS = ("open", "write", "seek", "truncate", "fsync", "close", "replace", "unlink")


class Plan(NamedTuple):
    """How an editor dies: the way, at which call counted from the first key, and where in or around that call."""

    way: str
    at: int
    part: float


class Key(NamedTuple):
    """A key as the terminal sends it, and what it is for."""

    char: str
    kind: str


class Outcome(NamedTuple):
    """What became of an editor: how it died, and what is wrong with the text that came back, "" for nothing."""

    way: str
    problem: str


# --- in the editor that will be killed


class Mine:
    """The notes of an editor about itself, and its end."""

    def __init__(self, plan: Plan, notes: str) -> None:
        self.plan = plan
        self.notes = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.journals: set[int] = set()
        self.count = self.depth = 0
        self.typing = False

    def lay(self) -> None:
        """Put it under the port for files and around the engine's door for keys."""
        for name in _CALLS:
            self._around_call(name, getattr(RealFileSystem, name))
        feed, feed_run = Engine.feed, Engine.feed_run

        def one(engine: Engine, key: str) -> None:
            self.depth += 1
            feed(engine, key)
            self.depth -= 1
            if not self.depth:
                self._note(1)

        def several(engine: Engine, keys: Any) -> bool:
            self.depth += 1
            taken = feed_run(engine, keys)
            self.depth -= 1
            if taken and not self.depth:
                self._note(len(keys))
            return taken

        Engine.feed, Engine.feed_run = one, several  # type: ignore[method-assign]

    def _note(self, keys: int) -> None:
        self.typing = True
        os.write(self.notes, struct.pack("d", time.monotonic()) * keys)

    def _die(self) -> None:
        os.write(self.notes, struct.pack("d", -time.monotonic()))
        os.kill(os.getpid(), signal.SIGKILL)

    def _around_call(self, name: str, call: Callable[..., Any]) -> None:
        def around(fs: RealFileSystem, *arguments: Any) -> Any:
            mine = self._is_mine(name, arguments)
            if mine and name == "write":
                os.write(arguments[0], bytes(arguments[1])[: int(len(arguments[1]) * self.plan.part)])
            if mine and (name == "write" or self.plan.part < 0.5):
                self._die()
            result = call(fs, *arguments)
            if mine:
                self._die()
            if name == "open" and arguments[0].endswith(".journal"):
                self.journals.add(result)
            return result

        setattr(RealFileSystem, name, around)

    def _is_mine(self, name: str, arguments: tuple[Any, ...]) -> bool:
        """Whether the editor dies at this call."""
        if not self.typing or self.plan.way == OUTSIDE:
            return False
        if self.plan.way == JOURNAL and not (name == "write" and arguments[0] in self.journals):
            return False
        self.count += 1
        return self.count == self.plan.at


# --- outside


class Victim:
    """An editor on a terminal, with a schedule of keys and a way to die."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self.folder = folder
        (folder / "f.txt").write_text("start\n")
        way = rng.choice((OUTSIDE, CALL, JOURNAL, JOURNAL))
        self.plan = Plan(way, rng.randrange(1, 50 if way == CALL else 6), rng.uniform(0.01, 0.99))
        self.keys, self.pauses = _burst(rng, rng.choice((0.0, 0.08)) if way == OUTSIDE else 0.08)
        self.sent = 0
        self.end = 0.0
        self.lasts = rng.uniform(0.2, 4.0) if way == OUTSIDE else 6.0
        self.first = self.due = 0.0
        self.pid, self.fd = os.forkpty()
        if self.pid == 0:
            try:
                self._edit()
            finally:
                os._exit(1)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 8, 60, 0, 0))
        os.set_blocking(self.fd, False)

    def _edit(self) -> None:
        os.environ.update(_environment(self.folder), TERM="xterm-256color")
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        os.chdir(self.folder)
        Mine(self.plan, str(self.folder / "notes")).lay()
        from tpy.modal.ui import ttymode

        ttymode.tty.open()
        ttymode.tty.make_raw()
        os._exit(app.run(Startup(files=("f.txt",))))

    def turn(self, now: float) -> bool:
        """Type what is due and read what is drawn; False once the editor is dead."""
        try:
            while os.read(self.fd, 1 << 16):
                self.first = self.first or now
        except BlockingIOError:
            pass
        except OSError:
            self._gone()
            return False
        if not self.first:
            return True
        if self.sent == len(self.keys) or now - self.first > self.lasts:
            self.end = time.monotonic()
            os.kill(self.pid, signal.SIGKILL)
            self._gone()
            return False
        if now >= self.due:
            try:
                os.write(self.fd, self.keys[self.sent].char.encode())
            except BlockingIOError:
                return True
            except OSError:
                self._gone()
                return False
            self.due = now + self.pauses.get(self.sent, 0.004)
            self.sent += 1
        return True

    def _gone(self) -> None:
        os.close(self.fd)
        _, status = os.waitpid(self.pid, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL, f"it ended by itself: {status}"

    def outcome(self) -> Outcome:
        """Recover, and compare with what was typed."""
        data = (self.folder / "notes").read_bytes()
        times = [time for (time,) in struct.iter_unpack("d", data)]
        way = self.plan.way if times and times[-1] < 0 else OUTSIDE
        end = -times.pop() if times and times[-1] < 0 else self.end
        acted = self.keys[: len(times)]
        text, whole = _text(acted), _text(self.keys)
        kept = _text(acted[: sum(at <= end - MOST_LOST for at in times)])
        saved = _text(acted[: max((number for number, key in enumerate(acted) if key.kind == SAVES), default=0)])
        disk = (self.folder / "f.txt").read_text()
        back = _recovered(self.folder)
        least = saved
        for what, found in (("the file", disk), ("what was recovered", back)):
            typed = found.removeprefix("start\n").removesuffix("\n").replace("\n", "\r")
            if not found.startswith("start\n") or not whole.startswith(typed):
                return Outcome(way, f"{what} is not what was typed: {found!r}")
            if len(typed) < len(least):
                return Outcome(way, f"{what} ends at {typed[-9:]!r}, {least[-9:]!r} must be there of {text[-9:]!r}")
            least = max(typed, kept, key=len)  # what came back holds all that is in the file
        return Outcome(way, "")


def _burst(rng: random.Random, often: float) -> tuple[list[Key], dict[int, float]]:
    """Return keys, most of them text, some `:w`, and pauses in seconds after some; `often` is their odds."""
    keys = [Key("G", COMMAND), Key("o", COMMAND)]
    pauses: dict[int, float] = {}
    for word in range(500):
        keys += [Key(char, TEXT) for char in (f"{word} " if word % 8 else f"{word}\r")]
        if rng.random() < often:
            pauses[len(keys) - 1] = rng.uniform(0.1, 0.4)
        if rng.random() < often:
            keys += [Key(char, SAVES if char == "\r" else COMMAND) for char in "\x1b:w\ra"]
    return keys, pauses


def _text(keys: list[Key]) -> str:
    return "".join(key.char for key in keys if key.kind == TEXT)


def _environment(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}


def _recovered(folder: Path) -> str:
    """Return the text as `tpy -r f.txt` brings it back, or as it is on disk where nothing was left."""
    before = {name: os.environ.get(name) for name in _environment(folder)}
    os.environ.update(_environment(folder))
    engine, loop = make_engine(), Loop()
    try:
        name = str(folder / "f.txt")
        Opening(engine, Startup(files=(name,), recover=True), Recovery(engine, loop), None).begin()
        return "\n".join(engine.editor.buffer.lines) + "\n"
    finally:
        loop.close()
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.__setitem__(name, value)


def kill_many(count: int, seed: int, folder: Path) -> list[Outcome]:
    """Kill so many editors, as the seed says; return what became of each."""
    rng = random.Random(seed)
    outcomes: list[Outcome] = []
    running: list[Victim] = []
    begun = 0
    while begun < count or running:
        while begun < count and len(running) < AT_A_TIME:
            place = folder / str(begun)
            place.mkdir()
            running.append(Victim(rng, place))
            begun += 1
        select.select([victim.fd for victim in running], [], [], 0.002)
        now = time.monotonic()
        alive = [victim for victim in running if victim.turn(now)]
        outcomes += [victim.outcome() for victim in running if victim not in alive]
        running = alive
    return outcomes
