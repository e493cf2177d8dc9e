"""Real agents in the real editor: every one does what it can, the screen and the files are right, nothing is left.

The run writes the matrix of `docs/acp.md`: agent, version, date, what worked.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import peeragents
import pytest
from harness import Editor
from peeragents import AGENTS, STEPS, Peer
from processes import left_after

pytestmark = [pytest.mark.peers, pytest.mark.timeout(400)]
DOCS = Path(__file__).parents[2] / "docs"
results: dict[str, dict[str, str]] = {}


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """A scripted model."""
    with peeragents.model() as address:
        yield address


@pytest.fixture(scope="module", autouse=True)
def matrix() -> Iterator[None]:
    """Write what worked into the page: the rows of the agents that ran, beside those of earlier runs."""
    yield
    if not results:
        return
    sys.path.insert(0, str(DOCS))
    import acp_table

    today = datetime.date.today().isoformat()
    kept = {line.split("|")[1].strip(): line for line in acp_table.matrix().splitlines() if line.startswith("| ")}
    for name, row in results.items():
        cells = [name, AGENTS[name].version, today, *(row.get(step, "–") for step in STEPS)]
        kept[name] = f"| {' | '.join(cells)} |"
    lines = [kept[name] for name in AGENTS if name in kept]
    head = [f"| agent | version | date | {' | '.join(STEPS)} |", "|---" * (len(STEPS) + 3) + "|"]
    note = "Driven through the editor in a terminal, with a scripted model; – is beyond the agent.\n\n"
    acp_table.put_matrix(note + "\n".join([*head, *lines]) + "\n")


class Session:
    """One agent in one editor, with a file open above it."""

    def __init__(self, editor: Editor, name: str, work: Path) -> None:
        self.editor = editor
        self.name = name
        self.work = work

    def ask(self, text: str) -> None:
        """Send a prompt."""
        self.idle()
        self.editor.keys(f":ask {text.replace('<', '<lt>')}<CR>")

    def idle(self) -> None:
        self.editor.wait(lambda _: self.resting, 60)

    @property
    def resting(self) -> bool:
        """Whether the status line says that no turn runs."""
        return any(row.startswith(self.name) and "  idle" in row for row in self.editor.rows())

    @property
    def asked(self) -> bool:
        """Whether the message line tells of a request."""
        return "asks:" in self.editor.row(-1)

    def answered(self) -> None:
        """Say yes to every question until the turn has ended."""
        while True:
            self.editor.wait(lambda _: self.asked or self.resting, 60)
            if not self.asked:
                return
            self.allow()

    def allow(self) -> None:
        """Say yes to one question."""
        drawn = len(self.editor.raw)
        self.editor.keys(":allow<CR>")
        self.editor.wait(lambda e: len(e.raw) > drawn and ":allow" not in e.row(-1)[:8], 20)

    def has(self, name: str, text: str) -> None:
        path = self.work / name
        self.editor.wait(lambda _: path.exists() and path.read_text() == text, 30)

    # -- the steps

    def start(self) -> None:
        self.editor.keys(f":agent {self.name}<CR>")
        self.editor.wait(lambda _: self.resting, 60)
        self.editor.keys("<Esc>")  # out of the prompt; in a turn the key would cancel it
        self.editor.wait(lambda e: "INSERT" not in e.text)

    def answer(self) -> None:
        self.ask("hello")
        wanted = {"py-echo": "Client sent:", "ts-example": "help you with that"}
        self.editor.wait(wanted.get(self.name, "Hello from the fake model"), 60)
        self.answered()

    def thought(self) -> None:
        self.ask("think")
        self.editor.wait("thinking", 60)
        self.answered()

    def read(self) -> None:
        self.ask(f"read {self.work}/a.txt")
        self.editor.wait("Done.", 60)
        self.answered()

    def edit(self) -> None:
        self.ask(f"edit {self.work}/a.txt beta => BETA")
        self.editor.wait(lambda _: self.asked, 60)
        self.answered()
        self.has("a.txt", "alpha\nBETA\ngamma\n")
        self.editor.wait(lambda e: e.row(1) == "BETA" or e.row(1).endswith(" BETA"), 30)

    def write(self) -> None:
        self.ask(f"write {self.work}/new.txt brand new text")
        self.editor.wait(lambda e: self.asked or (self.work / "new.txt").exists(), 60)
        self.answered()
        self.editor.wait(lambda _: (self.work / "new.txt").read_text().rstrip("\n") == "brand new text", 30)

    def command(self) -> None:
        self.ask("run echo LOUD-42 | tr A-Z a-z > made.txt; cat made.txt")
        self.editor.wait(lambda e: self.asked or "loud-42" in e.text, 60)
        self.answered()
        self.editor.wait("loud-42", 30)
        self.has("made.txt", "loud-42\n")

    def cancel(self) -> None:
        self.ask("slow 60")
        self.editor.wait(lambda _: not self.resting, 30)
        if self.name != "ts-example":
            self.editor.wait("slow", 60)
        self.editor.keys(":cancel<CR>")
        self.editor.wait("The turn ended: cancelled", 60)
        self.idle()

    def cancel_asked(self) -> None:
        self.ask("run touch never.txt")
        self.editor.wait(lambda _: self.asked, 60)
        self.editor.keys(":cancel<CR>")
        self.editor.wait(lambda _: not self.asked, 30)
        self.idle()
        assert not (self.work / "never.txt").exists()
        assert self.editor.text.count("The turn ended: cancelled") >= 1

    def close(self) -> None:
        family = [self.editor.pid, *self.editor.children()]
        self.editor.keys(":qa!<CR>")
        assert self.editor.exit_status(20) == 0
        assert left_after(family, 6) == []


@pytest.mark.parametrize("name", AGENTS)
def test_agent_in_the_editor(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    peer = AGENTS[name]
    if not peer.here:
        pytest.skip(f"{name} is not installed")
    address = request.getfixturevalue("model") if peer.env else ""
    row = results.setdefault(name, {})
    with started(peer, name, address, tmp_path) as editor:
        session = Session(editor, name, tmp_path / "work")
        for step in peer.steps:
            row[step] = "failed"
            _step(session, step)()
            row[step] = "yes"


def _step(session: Session, step: str) -> Callable[[], None]:
    found: Callable[[], None] = getattr(session, step.replace(" ", "_"))
    return found


def started(peer: Peer, name: str, address: str, root: Path) -> Editor:
    """An editor with a file, in a project of its own, and an agents file with the agent."""
    home, work = root / "home", root / "work"
    folder = home / ".config" / "turbo-python"
    folder.mkdir(parents=True)
    work.mkdir()
    (work / "a.txt").write_text("alpha\nbeta\ngamma\n")
    argv = peer.command()
    peeragents.settle(name, root / "agent", address)
    settings = peer.environment(address, root / "agent")
    env = "".join(f"{key} = {json.dumps(value)}\n" for key, value in settings.items())
    (folder / "acp.toml").write_text(
        f"[[agent]]\nname = {json.dumps(name)}\ncommand = {json.dumps(argv[0])}\nargs = {json.dumps(argv[1:])}\n"
        f"[agent.env]\n{env}"
    )
    return Editor(["a.txt"], cwd=work, home=home, size=(110, 46), timeout=40)
