"""What the tests of the protocol room share: data files, a scripted agent in memory, a client with a real one."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from sentcheck import sent_is_valid

from tpy.acp import jsonrpc, schema
from tpy.acp.client import EVERYTHING, Client
from tpy.acp.connection import Connection
from tpy.acp.jsonrpc import NEED_DATA
from tpy.acp.plainloop import PlainLoop

# What takes how long is the business of the tests marked `perf`, not of every example on a busy machine.
hypothesis.settings.register_profile("acp", deadline=None)
hypothesis.settings.load_profile("acp")

__all__ = ["sent_is_valid"]

HERE = Path(__file__).parent
DATA = HERE / "data"


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of the test data."""
    return DATA


@pytest.fixture(scope="session")
def validate() -> Callable[[str, Any], None]:
    """`validate(definition, value)` against the official schema, unstable features included."""
    import jsonschema

    whole = json.loads((DATA / "schema.unstable.json").read_text())
    made: dict[str, Any] = {}

    def check(name: str, value: Any) -> None:
        if name not in made:
            made[name] = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": whole["$defs"]})
        made[name].validate(value)

    return check


class Pair:
    """A `Connection` and an agent-side `Peer`, back to back in memory. `chunk` is the size of the pieces."""

    def __init__(self, capabilities: schema.ClientCapabilities = EVERYTHING, chunk: int = 1 << 30) -> None:
        self.client = Connection(capabilities)
        self.agent = jsonrpc.Peer(answer_junk=True)
        self.chunk = chunk
        self.events: list[Any] = []
        self.heard: list[Any] = []

    def pump(self) -> list[Any]:
        """Carry what the client sent to the agent; return the client's events since the last pump."""
        fresh: list[Any] = []
        while (event := self.client.next_event()) is not NEED_DATA:
            fresh.append(event)
            if type(event).__name__ == "Ended":
                break
        for line in self.client.data_to_send():
            line.decode()
            self.agent.receive_data(line)
        while (event := self.agent.next_event()) is not NEED_DATA:
            self.heard.append(event)
        self.events += fresh
        return fresh

    def raw(self, data: bytes) -> list[Any]:
        """The agent writes these bytes."""
        for start in range(0, len(data), self.chunk):
            self.client.receive_data(data[start : start + self.chunk])
        return self.pump()

    def tell(self, method: str, params: Any) -> list[Any]:
        """The agent sends a notification."""
        return self.raw(self.agent.send_notification(method, params))

    def update(self, session_id: str, kind: str, /, **fields: Any) -> list[Any]:
        """The agent sends a `session/update`."""
        return self.tell("session/update", {"sessionId": session_id, "update": {"sessionUpdate": kind, **fields}})

    def ask(self, method: str, params: Any) -> list[Any]:
        """The agent makes a call."""
        return self.raw(self.agent.send_request(method, params)[1])

    def answer(self, result: Any = None, *, error: jsonrpc.RpcError | None = None, method: str = "") -> list[Any]:
        """The agent answers the oldest call it heard (of that method)."""
        self.pump()
        calls = [e for e in self.heard if isinstance(e, jsonrpc.Request) and method in ("", e.method)]
        call = calls[0]
        self.heard.remove(call)
        if error is not None:
            return self.raw(self.agent.send_error(call.id, error))
        return self.raw(self.agent.send_result(call.id, result))

    def answers(self) -> list[Any]:
        """The answers of the client that the agent has heard so far; they are taken."""
        self.pump()
        kinds = (jsonrpc.Response, jsonrpc.ErrorResponse)
        found = [e for e in self.heard if isinstance(e, kinds)]
        self.heard = [e for e in self.heard if not isinstance(e, kinds)]
        return found

    def hello(self, session_id: str = "s1") -> None:
        """Initialize, and open a session."""
        self.client.call("initialize", schema.InitializeRequest(1))
        self.answer({"protocolVersion": 1})
        self.client.call("session/new", schema.NewSessionRequest("/project", []))
        self.answer({"sessionId": session_id})
        self.events.clear()

    def prompt(self, text: str = "go", session_id: str = "s1") -> None:
        """Start a turn."""
        self.client.prompt(session_id, [schema.TextContent(text)])
        self.pump()


@pytest.fixture
def pair() -> Pair:
    """A client and an agent that have greeted and share the session s1."""
    made = Pair()
    made.hello()
    return made


@pytest.fixture
def make_pair() -> type[Pair]:
    """The class `Pair`, for tests that need another one."""
    return Pair


class Recorder:
    """A `Handler` that writes down what it is told; `answers` says what to do with each kind of ask."""

    capabilities = EVERYTHING

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []
        self.asks: list[Any] = []
        self.answers: dict[str, Callable[[Any], Any]] = {}
        self.session: Any = None

    def of(self, kind: str) -> list[Any]:
        """Return what was told under this name, in order."""
        return [what for name, what in self.told if name == kind]

    def _ask(self, name: str, ask: Any) -> None:
        self.told.append((name, ask))
        self.asks.append(ask)
        if name in self.answers:
            self.answers[name](ask)

    def ready(self, client: Client) -> None:
        self.told.append(("ready", client.info))

    def slow(self, client: Client, method: str) -> None:
        self.told.append(("slow", method))

    def session_opened(self, client: Client, session: Any) -> None:
        self.session = self.session or session
        self.told.append(("opened", session))

    def session_changed(self, client: Client, session: Any, update: Any) -> None:
        self.told.append(("changed", update))

    def turn_ended(self, client: Client, session: Any, end: Any) -> None:
        self.told.append(("ended", end))

    def permission_asked(self, client: Client, ask: Any) -> None:
        self._ask("permission", ask)

    def elicitation_asked(self, client: Client, ask: Any) -> None:
        self._ask("elicitation", ask)

    def elicitation_done(self, client: Client, elicitation_id: str) -> None:
        self.told.append(("elicitation_done", elicitation_id))

    def ask_withdrawn(self, client: Client, ask: Any) -> None:
        self.told.append(("withdrawn", ask))

    def read_file(self, client: Client, ask: Any) -> None:
        self._ask("read", ask)

    def write_file(self, client: Client, ask: Any) -> None:
        self._ask("write", ask)

    def login_wanted(self, client: Client, error: Any) -> None:
        self.told.append(("login", error))

    def auth_changed(self, client: Client, status: Any) -> None:
        self.told.append(("auth", status))

    def failed(self, client: Client, message: str) -> None:
        self.told.append(("failed", message))

    def closed(self, client: Client, message: str) -> None:
        self.told.append(("closed", message))

    def log(self, client: Client, kind: str, text: str) -> None:
        self.told.append((f"log {kind}", text))


class Clock:
    """A clock that runs, and can be set forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead

    def advance(self, seconds: float) -> None:
        """Let time pass at once."""
        self.ahead += seconds


class Stage:
    """A client with a scripted agent process (see `fake_agent.py` for the steps)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = Clock()
        self.loop = PlainLoop(self.clock)
        self.handler = Recorder()
        self.client: Any = None
        self.sent: list[dict[str, Any]] = []
        self.received: list[bytes] = []

    def _tap(self, sent: bool, line: bytes) -> None:
        if sent:
            self.sent.append(json.loads(line))
        else:
            self.received.append(line)

    def start(self, *steps: list[Any], argv: list[str] | None = None, **options: Any) -> Stage:
        """Start the agent with its script; the session is asked for at once."""
        program = [sys.executable, str(HERE / "fake_agent.py"), json.dumps(steps)]
        self.client = Client(
            self.loop,
            self.handler,
            argv or program,
            cwd=str(self.folder),
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
            tap=self._tap,
            **options,
        )
        self.client.start()
        self.client.new_session(str(self.folder))
        return self

    def until(self, kind: str, count: int = 1) -> Any:
        """Run until the handler was told this so often; return the last of it."""
        enough = self.loop.run_until(lambda: len(self.handler.of(kind)) >= count, 20)
        assert enough, f"no {kind!r} came; told: {self.handler.told[-8:]}; {self.client.stderr}"
        return self.handler.of(kind)[count - 1]

    def run_until(self, done: Callable[[], bool], what: str = "what was wanted") -> None:
        """Run until `done()`, which need not be something the loop hears of."""
        end = time.monotonic() + 20
        while not done():
            assert time.monotonic() < end, f"{what} did not happen; told: {self.handler.told[-8:]}"
            self.loop.turn(0.01)

    def prompt(self, text: str = "go") -> None:
        """Open the session if need be, and start a turn."""
        self.until("opened")
        self.client.prompt(self.handler.session, [schema.TextContent(text)], text)

    def close(self) -> None:
        """Make sure that nothing is left."""
        if self.client is not None and self.client.pid is not None:
            self.client.kill()
            self.loop.run_until(lambda: bool(self.handler.of("closed")), 10)
        self.loop.close()


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A client that waits for its agent's script."""
    made = Stage(tmp_path)
    yield made
    made.close()


def pid_lives(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def lives() -> Callable[[int], bool]:
    """Whether a process is there and no zombie."""
    return pid_lives
