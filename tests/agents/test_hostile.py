"""The hostile agent, as a real process, against the editor's own client: the client survives every row."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tpy.acp import schema
from tpy.acp.agents.hostile import __main__ as hostile
from tpy.acp.agents.hostile.wire import STARTS, TURNS
from tpy.acp.client import Client
from tpy.acp.entries import Message, TurnEnd
from tpy.acp.handler import EVERYTHING
from tpy.acp.link import Stage
from tpy.acp.plainloop import PlainLoop
from tpy.acp.session import Session

LIMIT = 30.0


class Owner:
    """A handler that says yes to everything, serves files from the disk, and remembers what it was told."""

    def __init__(self, root: Path) -> None:
        self.capabilities = EVERYTHING
        self.root = root
        self.loop = PlainLoop()
        self.told: list[str] = []
        self.ends: list[TurnEnd] = []
        self.session: Session | None = None
        self.logins = self.asked = 0
        self.gone = False

    def start(self, *args: str, timeout: float = 20.0) -> Client:
        argv = [sys.executable, "-P", "-m", "tpy.acp.agents.hostile", *args]
        self.client = Client(self.loop, self, argv, cwd=str(self.root), env=os.environ, timeout=timeout)
        self.client.start()
        self.client.new_session(str(self.root))
        self.until(lambda: self.session is not None or bool(self.told) or bool(self.logins))
        return self.client

    def until(self, condition: Any, seconds: float = LIMIT) -> None:
        assert self.loop.run_until(condition, seconds), (self.told, self.text())

    def run(self, text: str) -> None:
        """One turn, or whatever comes of it."""
        assert self.session is not None
        self.client.prompt(self.session, [schema.TextContent(text)], text)
        ends = len(self.ends)
        self.until(lambda: len(self.ends) > ends or self.gone)

    def text(self) -> str:
        """All that the agent said."""
        entries = [] if self.session is None else self.session.entries
        return "".join(e.text for e in entries if isinstance(e, Message) and e.kind == "agent")

    # -- client.Handler ------------------------------------------------------------------------------------

    def session_opened(self, client: Client, session: Session) -> None:
        self.session = self.session or session

    def turn_ended(self, client: Client, session: Session, end: TurnEnd) -> None:
        self.ends.append(end)

    def permission_asked(self, client: Client, ask: Any) -> None:
        self.asked += 1
        if ask.options and "Cancel me" not in (ask.tool.title or ""):
            ask.choose(ask.options[0])
        elif not ask.options:
            ask.cancel()

    def elicitation_asked(self, client: Client, ask: Any) -> None:
        ask.decline()

    def read_file(self, client: Client, ask: Any) -> None:
        path = Path(ask.request.params.path)
        if path.is_file():
            ask.answer(path.read_text())
        else:
            ask.missing()

    def write_file(self, client: Client, ask: Any) -> None:
        path = Path(ask.request.params.path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(ask.request.params.content)
        except (OSError, UnicodeError) as error:
            ask.fail(-32603, str(error))
        else:
            ask.answer()

    def failed(self, client: Client, message: str) -> None:
        self.told.append(message)

    def closed(self, client: Client, message: str) -> None:
        self.gone = True
        if message:
            self.told.append(message)

    def login_wanted(self, client: Client, error: Any) -> None:
        self.logins += 1

    def _nothing(self, *args: Any) -> None:
        """For what is of no interest here."""

    ready = slow = session_changed = elicitation_done = ask_withdrawn = auth_changed = log = _nothing


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    (tmp_path / "notes.txt").write_text("one\ntwo\nthree\n")
    (tmp_path / "dos.txt").write_bytes(b"a\r\nb\r\n")
    (tmp_path / "big.txt").write_text("x" * (1 << 20))
    found = Owner(tmp_path)
    yield found
    found.client.kill()
    found.until(lambda: found.gone)
    found.loop.close()


NEEDS_A_CANCEL = {"cancel-ends", "cancel-errors", "cancel-ignored", "cancel-permission", "never-answers"}
ENDS_THE_PROCESS = {"no-newline", "dies", "dies-asking"}
SLOW = {"flood", "long-line"}
ODD = NEEDS_A_CANCEL | ENDS_THE_PROCESS | {"survivor", "login-lost", "stops-reading", "terminal-grab"}


@pytest.mark.parametrize("name", sorted(set(TURNS) - ODD))
def test_a_turn_ends_and_the_next_one_works(owner: Owner, name: str) -> None:
    owner.start()
    argument = {"flood": " 3000", "long-line": " 2"}.get(name, "")
    owner.run(f"/{name}{argument}")
    owner.run("and now behave")
    assert owner.text().endswith("`/` lists the ways.\n")
    assert owner.ends[-1].stop_reason == "end_turn"
    assert owner.client.stage is Stage.READY


SAID = {
    "banner": "ok\n",
    "scalars": "ok\n",
    "byte-by-byte": "日本語 😀 é\n",
    "split-chunks": "```py\nx = 1\n```\nab\r\ncd e\u0301fg\n",
    "surrogate": "half \ufffd one\n",
    "odd-updates": "ok\n",
    "private-notes": "ok\n",
    "stranger": "ok\n",
    "echo": "ok\n",
    "broken-frames": "ok, error -32602",
    "unknown-requests": "x/unknown: error -32601",
    "missing-file": "error -32002 Resource not found: ",
    "terminal-line": '"output": "one\\ntwo\\n"',
    "many-permissions": "asked three times\n",
    "ids": "-1: error -32601",
}


@pytest.mark.parametrize("name", SAID)
def test_the_good_parts_are_there(owner: Owner, name: str) -> None:
    owner.start()
    owner.run(f"/{name}")
    assert SAID[name] in owner.text()


@pytest.mark.parametrize("name", sorted(NEEDS_A_CANCEL - {"cancel-ignored", "never-answers"}))
def test_a_cancel_ends_it_as_cancelled(owner: Owner, name: str) -> None:
    client = owner.start()
    assert owner.session is not None
    client.prompt(owner.session, [schema.TextContent(f"/{name}")], name)
    owner.until(lambda: "Cancel me" in owner.text() or owner.asked > 0)
    assert client.cancel(owner.session)
    owner.until(lambda: bool(owner.ends))
    assert owner.ends[0].cancelled
    owner.run("and now behave")
    assert owner.ends[-1].stop_reason == "end_turn"


@pytest.mark.parametrize("name", ["cancel-ignored", "never-answers"])
def test_what_is_never_answered_can_still_be_stopped(owner: Owner, name: str) -> None:
    client = owner.start()
    assert owner.session is not None
    client.prompt(owner.session, [schema.TextContent(f"/{name}")], name)
    owner.until(lambda: owner.text() != "")
    client.cancel(owner.session)
    client.stop()
    owner.until(lambda: owner.gone, 10)


@pytest.mark.parametrize(("words", "how"), [("", "exit status 0"), ("3", "exit status 3"), ("KILL", "SIGKILL")])
def test_a02_a_death_is_told_once_with_how_and_the_last_words(owner: Owner, words: str, how: str) -> None:
    owner.start()
    owner.run(f"/dies {words}")
    owner.until(lambda: owner.gone)
    assert owner.text() == "partial"
    (message,) = owner.told
    assert how in message
    assert "last words" in message


def test_a01_the_last_answer_counts_without_its_newline(owner: Owner) -> None:
    owner.start()
    owner.run("/no-newline")
    assert [end.stop_reason for end in owner.ends] == ["end_turn"]
    owner.until(lambda: owner.gone)


def test_a07_a_survivor_does_not_survive(owner: Owner) -> None:
    client = owner.start()
    owner.run("/survivor")
    pids = [int(word) for word in owner.text().replace(",", " ").split() if word.isdecimal()]
    assert len(pids) == 2
    client.stop()
    owner.until(lambda: owner.gone, 10)
    for pid in pids:
        end = time.monotonic() + 10
        while _lives(pid):
            assert time.monotonic() < end
            owner.loop.turn(0.05)


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


REFUSED = {
    "version-2": "the agent speaks protocol version 2; this editor speaks 1",
    "version-0": "the agent speaks protocol version 0; this editor speaks 1",
    "version-text": 'the agent speaks protocol version "1"; this editor speaks 1',
    "version-true": "the agent speaks protocol version true; this editor speaks 1",
    "version-null": "the agent speaks protocol version null; this editor speaks 1",
    "version-missing": "the agent speaks protocol version null; this editor speaks 1",
    "exit-127": "env: node: not found",
    "bad-initialize": "the agent would not start a conversation: no license",
    "bad-new": "the agent would not open a session: no model configured",
    "no-id": "the agent opened a session with no id",
    "hang": "no answer to initialize within 1 s",
    "hang-new": "no answer to session/new within 1 s",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_start_that_cannot_work_is_told(owner: Owner, name: str) -> None:
    owner.start("--start", name, timeout=1.0 if name.startswith("hang") else 20.0)
    assert owner.session is None
    assert REFUSED[name] in owner.told[0]


@pytest.mark.parametrize("name", sorted(set(STARTS) - set(REFUSED) - {n for n in STARTS if n.startswith("login")}))
def test_a_start_that_is_only_odd_works(owner: Owner, name: str) -> None:
    owner.start("--start", name)
    owner.run("behave")
    assert owner.ends[-1].stop_reason == "end_turn"


@pytest.mark.parametrize("name", [n for n in STARTS if n.startswith("login")])
def test_a19_a_login_is_offered_once_and_never_loops(owner: Owner, name: str) -> None:
    client = owner.start("--start", name)
    assert owner.logins == 1
    method = client.auth_methods[0].id
    answers: list[Any] = []
    client.authenticate(method, answers.append)
    if name == "login-silent":
        owner.loop.run_until(lambda: False, 0.5)
        assert answers == []
        client.cancel_calls()
        assert len(answers) == 1
    else:
        owner.until(lambda: owner.session is not None or bool(owner.told))
        assert (owner.session is None) == (name == "login-useless")
    assert owner.logins == 1


def test_21_45_a_session_with_the_id_of_a_deleted_one_is_empty(owner: Owner) -> None:
    client = owner.start("--start", "same-session")
    owner.run("old words")
    old, gone, opened = owner.session, list[Any](), list[Any]()
    client.manage_session("session/delete", "s1", gone.append)
    client.new_session(str(owner.root), done=opened.append)
    owner.until(lambda: bool(gone and opened))
    assert opened[0].session_id == "s1"
    assert opened[0] is client.sessions["s1"] is not old
    assert opened[0].entries == []


def test_the_guide_lists_every_row() -> None:
    guide = Path(__file__).parents[2] / "docs" / "conformance.md"
    assert f"\n{hostile.tables()}<!-- end -->" in guide.read_text()


def test_every_row_of_section_21_and_every_case_of_agents_has_a_command() -> None:
    seen = {place for row in (*STARTS.values(), *TURNS.values()) for place in row.seen.split(", ")}
    assert {f"21.{number}" for number in range(1, 57)} <= seen
    assert {f"A-{number:02}" for number in range(1, 44)} <= seen


def test_a_wrong_start_names_the_right_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert hostile.main(["--start", "nonsense"]) == 2
    assert "version-2" in capsys.readouterr().err
