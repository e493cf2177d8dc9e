"""An engine with agents on a loop of its own, a screen, and scripted agents that are real child processes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tpy.acp.child import kill_all
from tpy.acp.plainloop import PlainLoop
from tpy.modal.agent import bridge
from tpy.modal.agent.bridge.agents import Agents
from tpy.modal.agent.bridge.talk import Talk
from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex.filestate import open_buffer
from tpy.modal.keymap import parse_keys
from tpy.modal.text.buffer import Buffer
from tpy.modal.ui import mouse
from tpy.modal.ui.keydecode import Mouse
from tpy.modal.ui.render import Renderer

SCRIPTED = Path(__file__).with_name("scripted_agent.py")
LIMIT = 20.0
# The steps of a turn that goes on until it is cancelled.
HANG: list[Any] = [["say", "working"], ["cancelled"], ["end", "cancelled"]]


class World:
    """An editor in a project directory with an agents file, driven by keys and commands."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.project = root / "project"
        self.project.mkdir()
        self.home = root / "home"
        self.home.mkdir()
        self.wire = root / "wire.jsonl"
        self.wire.touch()
        self.environ = {
            "HOME": str(self.home),
            "PATH": "/usr/bin:/bin",
            "WIRE": str(self.wire),
            "PYTHONPATH": ":".join(path for path in sys.path if path),
        }
        self.now = 1_000_000.0
        self.loop = PlainLoop()
        self.engine: Engine = make_engine(clock=lambda: self.now)
        self.editor = self.engine.editor
        self.size = (100, 41)
        self.editor.layout.arrange(40, 100)
        bridge.install(self.engine, self.loop, project=str(self.project), environ=self.environ)
        self.redraws = 0
        self.editor.on("redraw", self._redrawn)
        self.renderer = Renderer(self.engine)
        # What would have gone to the terminal's clipboard.
        self.copied: list[str] = []
        self.editor.registers.copied = lambda register: self.copied.append(register.text())

    def _redrawn(self) -> None:
        self.redraws += 1

    @property
    def agents(self) -> Agents:
        """The editor's agents."""
        return bridge.agents_of(self.editor)

    @property
    def talk(self) -> Talk:
        """The session opened last."""
        return self.agents.talks[-1]

    @property
    def shown(self) -> list[str]:
        """The lines of the conversation."""
        return self.talk.buffer.lines

    @property
    def names(self) -> list[str]:
        """The names of the buffers in the windows, from the top left."""
        return [window.buffer.name for window in self.editor.layout.windows()]

    @property
    def message(self) -> str:
        """The text of the message line, "" where there is none."""
        return self.editor.message.text if self.editor.message is not None else ""

    # The screen

    def resize(self, columns: int, rows: int) -> None:
        """Give the screen another size."""
        self.size = (columns, rows)
        self.editor.layout.arrange(rows - 1, columns)

    @property
    def screen(self) -> list[str]:
        """The rows of the screen as they are drawn now, without the blanks at their ends."""
        return [row.text.rstrip() for row in self.renderer.frame(*self.size).rows]

    def sees(self, text: str) -> bool:
        """Whether a text stands in one row of the screen."""
        return any(text in row for row in self.screen)

    def see(self, text: str) -> None:
        """Run the loop until the screen shows a text."""
        found = self.loop.run_until(lambda: self.sees(text), LIMIT)
        assert found, "\n".join(["not on the screen: " + text, *self.screen])

    def cell(self, text: str) -> tuple[int, int]:
        """Return where a text stands on the screen: row and column."""
        return next((at, row.index(text)) for at, row in enumerate(self.screen) if text in row)

    def mouse(self, key: str, row: int, column: int) -> None:
        """Use the mouse on a cell of the screen."""
        assert self.screen
        mouse.act(self.engine, self.renderer, Mouse(key, row, column))

    def to_file(self) -> None:
        """Go to the first window in Normal mode."""
        self.keys("<Esc>" if self.engine.mode != "n" else "")
        self.editor.focus(self.editor.layout.windows()[0])

    @property
    def here(self) -> str:
        """The line under the cursor."""
        return self.editor.buffer.lines[self.editor.window.cursor.line]

    def agent(self, name: str, *steps: Any, user: bool = True, **more: Any) -> None:
        """Add a scripted agent to the user's agents file (or the project's)."""
        script = self.root / f"{name.replace('/', '-')}.json"
        script.write_text(json.dumps({"steps": steps, **more}))
        directory = self.home / ".config" / "turbo-python" if user else self.project / ".turbo-python"
        directory.mkdir(parents=True, exist_ok=True)
        with (directory / "acp.toml").open("a") as file:
            file.write(f'[[agent]]\nname = "{name}"\ncommand = "{sys.executable}"\n')
            file.write(f"args = {json.dumps([str(SCRIPTED), str(script)])}\n")

    def keys(self, notation: str) -> None:
        """Type keys in Vim's notation."""
        for key in parse_keys(notation):
            self.engine.feed(key)

    def ex(self, line: str) -> None:
        """Run an ex command as if typed."""
        self.keys("<Esc>" if self.engine.mode != "n" else "")
        self.keys(":" + line.replace("<", "<lt>") + "<CR>")

    def until(self, done: Callable[[], object]) -> None:
        """Run the loop until something is true."""
        assert self.loop.run_until(lambda: bool(done()), LIMIT), self.describe()

    def describe(self) -> str:
        """What a test that waits in vain is told: the message, the conversation, the wire."""
        shown = "\n".join(self.shown) if self.agents.talks else "(no session)"
        return f"nothing of the kind happened; message: {self.message!r}; conversation:\n{shown}\nwire: {self.sent}"

    def start(self, name: str = "Bob") -> Talk:
        """Start an agent and wait for its session."""
        self.ex(f"agent {name}")
        self.until(lambda: self.talk.session is not None)
        return self.talk

    def say(self, text: str) -> None:
        """Type a prompt and send it."""
        self.keys(("" if self.engine.insert.active else "i") + text.replace("<", "<lt>") + "<CR>")

    def shows(self, text: str) -> bool:
        """Whether a line of the conversation holds a text."""
        return any(text in line for line in self.shown)

    def close(self) -> None:
        """Stop the agents; what they had open is closed, and no process is left."""
        running = bridge.stop(self.editor)
        kill_all()
        assert self.loop.run_until(lambda: not running(), 10), "an agent's process is left"
        self.loop.close()

    def wait_for(self, text: str) -> None:
        """Run the loop until the conversation shows a text."""
        self.until(lambda: self.shows(text))

    def idle(self) -> None:
        """Run the loop until no turn runs."""
        self.until(lambda: not self.talk.busy)

    @property
    def sent(self) -> list[dict[str, Any]]:
        """What the scripted agents have received, in order."""
        text = self.wire.read_text()
        return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]

    def calls(self, method: str) -> list[Any]:
        """The params of all messages of a method that the agents have received."""
        return [message.get("params") for message in self.sent if message.get("method") == method]

    def answers(self) -> list[Any]:
        """The results or errors that agents got for their own requests, in order."""
        return [m.get("result", m.get("error")) for m in self.sent if "method" not in m]

    def open(self, name: str, data: bytes | None = None) -> Buffer:
        """Open a file of the project in the first window, with its content on disk."""
        path = self.project / name
        if data is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        buffer = open_buffer(self.editor, str(path))
        self.editor.layout.windows()[0].show(buffer)
        return buffer


def prompts(world: World) -> list[str]:
    """Return the texts of all prompts that agents got."""
    return ["".join(block.get("text", "") for block in params["prompt"]) for params in world.calls("session/prompt")]
