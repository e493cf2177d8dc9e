"""The health check of an agent, step by step, without sending a prompt (spec AGENTS §2).

One checker feeds `tpy agents check`, `:agenthealth`, the list page and the error texts:

    check(entry, project, environ)              # waits; for the shell
    Check(loop, entry, project, environ, …)     # does not wait; for the editor's loop

Steps: the files and their merge (`file_steps`), then for each agent trust, program, started, initialize,
session. Not here: what is printed (`shell.py`), asking for trust (handed in).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tpy.acp import config, known, launch, schema, trust
from tpy.acp.agententry import BUILT_IN, GIVEN, AgentEntry, remarks
from tpy.acp.asks import ElicitationAsk, FileRead, FileWrite, PermissionAsk
from tpy.acp.child import Loop
from tpy.acp.client import Client
from tpy.acp.handler import ClientError, Handler
from tpy.acp.jsonrpc import METHOD_NOT_FOUND, RpcError
from tpy.acp.link import Stage
from tpy.acp.session import Session
from tpy.acp.trace import Trace

OK, REMARK, FAILED = "ok", "remark", "failed"

LINGER = 0.25
"""Seconds an agent that is well may go on talking, so that what it asks without a prompt is seen."""

TIME_LIMIT = 20.0
"""Seconds for the handshake where the entry states no `timeout` of its own."""

AskTrust = Callable[[AgentEntry, str], bool]
"""Asks the user whether an entry of a project may start: entry, project directory."""


class Step(NamedTuple):
    """One line of a report. `text` may go on over further lines; `seconds` is None where no time was taken."""

    name: str
    status: str
    text: str
    seconds: float | None = None

    def json(self) -> dict[str, Any]:
        """The step for programs."""
        return {"step": self.name, "status": self.status, "text": self.text, "seconds": self.seconds}


class Report(NamedTuple):
    """What was found out about one agent."""

    name: str
    steps: tuple[Step, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing failed; remarks do not count."""
        return all(step.status != FAILED for step in self.steps)

    def json(self) -> dict[str, Any]:
        """The report for programs."""
        return {"name": self.name, "ok": self.ok, "steps": [step.json() for step in self.steps]}


# --- what needs no process ------------------------------------------------------------------------------


def file_steps(found: config.Agents, environ: Mapping[str, str]) -> Iterable[Step]:
    """A step for each place of an agents file, and one for the merged list."""
    for file in found.files:
        path = config.display_path(file.path, environ)
        if file.error:
            yield Step("file", FAILED, file.error)
        elif file.found:
            yield Step("file", OK, f"{path}: {file.agents} agent{'' if file.agents == 1 else 's'}")
        else:
            yield Step("file", OK, f"{path}: there is none")
    rows = [f"{entry.name} ({_origin(entry)})" for entry in found.entries]
    yield Step("merge", OK, ", ".join(rows) or "no agent")


def _origin(entry: AgentEntry) -> str:
    if entry.source == BUILT_IN:
        return BUILT_IN
    return "project" if entry.project_file else "user"


def trust_step(entry: AgentEntry, project: str, environ: Mapping[str, str], ask: AskTrust | None) -> Step:
    """Whether the entry may be started; `ask`, where there is somebody to ask, may change that."""
    if not trust.needs_approval(entry):
        why = {BUILT_IN: "ships with tpy", GIVEN: "given on the command line"}
        return Step("trust", OK, why.get(entry.source, "not from a project's file"))
    if trust.is_trusted(entry, project, environ):
        return Step("trust", OK, "approved by you")
    if ask is not None and ask(entry, project):
        return Step("trust", OK, "approved by you now")
    path = config.display_path(entry.source, environ)
    return Step("trust", FAILED, f"not trusted: {path} names this program; start it in the editor and say yes")


def program_step(entry: AgentEntry, project: str, environ: Mapping[str, str]) -> tuple[Step, launch.Launch | None]:
    """Whether the program is there, with its full path, and how to start it."""
    try:
        found = launch.launch(entry, project, environ)
        launch.mcp_servers(entry, project, environ)
    except launch.LaunchError as error:
        hint = known.missing_program_hint(entry.command, launch.child_environment(entry, environ))
        return Step("program", FAILED, f"{error}; {hint}" if hint else str(error)), None
    return Step("program", OK, config.display_path(found.argv[0], environ)), found


def describe(info: schema.InitializeResponse) -> str:
    """What an agent says of itself at `initialize`: protocol, name, version, what it can do."""
    agent = info.agent_info
    who = "an agent without a name" if agent is None else f"{agent.title or agent.name} {agent.version}"
    can = info.agent_capabilities
    prompt, mcp, sessions = can.prompt_capabilities, can.mcp_capabilities, can.session_capabilities
    abilities = {
        "embedded files": prompt.embedded_context,
        "images": prompt.image,
        "audio": prompt.audio,
        "load": can.load_session,
        "resume": sessions.resume is not None,
        "list": sessions.list is not None,
        "fork": sessions.fork is not None,
        "close": sessions.close is not None,
        "delete": sessions.delete is not None,
        "extra directories": sessions.additional_directories is not None,
        "MCP over http": mcp.http,
        "MCP over sse": mcp.sse,
        "logout": can.auth.logout is not None,
    }
    names = [name for name, there in abilities.items() if there]
    logins = [method.name for method in info.auth_methods]
    text = f"protocol {info.protocol_version}, {who}; can: {', '.join(names) or 'prompts'}"
    return text + (f"; logins: {', '.join(logins)}" if logins else "")


# --- with a process -------------------------------------------------------------------------------------


class Check(Handler):
    """One agent being checked on a loop. It announces nothing and answers everything with no.

    `on_step` gets each step as it is known, `on_slow` what is waited for after 3 s, `on_done` the report, once.
    `stop` gives up.
    """

    capabilities = schema.ClientCapabilities()

    def __init__(
        self,
        loop: Loop,
        entry: AgentEntry,
        project: str,
        environ: Mapping[str, str],
        *,
        fast: bool = False,
        ask: AskTrust | None = None,
        on_step: Callable[[Step], None] = lambda step: None,
        on_slow: Callable[[str], None] = lambda text: None,
        on_done: Callable[[Report], None] = lambda report: None,
    ) -> None:
        self.report: Report | None = None
        self._loop, self._entry, self._project, self._environ = loop, entry, project, environ
        self._fast, self._ask, self._on_step, self._on_done = fast, ask, on_step, on_done
        self._on_slow = on_slow
        self._limit = entry.timeout if "timeout" in entry.own_keys else TIME_LIMIT
        self._steps: list[Step] = []
        self._client: Client | None = None
        self._stage = "started"
        self._since = 0.0
        self._directory = ""
        self._notes: dict[str, int] = {}
        self._stray = ""

    def start(self) -> None:
        """Take the steps that need no process, then start it."""
        trusted = trust_step(self._entry, self._project, self._environ, self._ask)
        self._tell(trusted)
        program, found = program_step(self._entry, self._project, self._environ)
        self._tell(program)
        for text in remarks(self._entry):
            self._tell(Step("remark", REMARK, text))
        if self._fast or found is None or trusted.status == FAILED:
            self._finish()
            return
        self._run(found)

    def stop(self) -> None:
        """Give up: end the process at once."""
        if self._client is not None and self.report is None:
            self._client.kill()

    def _run(self, found: launch.Launch) -> None:
        import tempfile

        entry = self._entry
        trace = Trace.from_environment(self._environ)
        self._since = self._loop.time()
        self._client = Client(
            self._loop,
            self,
            found.argv,
            cwd=found.cwd,
            env=found.env,
            name=entry.name,
            timeout=self._limit,
            protocol=entry.protocol,
            tap=trace.tap(entry.name),
        )
        self._directory = tempfile.mkdtemp(prefix="tpy-check-")
        try:
            self._client.start()
        except ClientError as error:
            self._fail(str(error))
            self._finish()
            return
        self._tell(Step("started", OK, f"process {self._client.pid}", self._passed()))
        self._stage = "initialize"
        self._client.new_session(self._directory, mcp_servers=launch.mcp_servers(entry, self._project, self._environ))

    # -- telling -------------------------------------------------------------------------------------------

    def _tell(self, step: Step) -> None:
        step = step._replace(text=self._without_secrets(step.text))
        self._steps.append(step)
        self._on_step(step)

    def _fail(self, text: str) -> None:
        """The stage that was under way failed; told once."""
        if self._stage:
            self._tell(Step(self._stage, FAILED, text))
            self._stage = ""

    def _passed(self) -> float:
        """Seconds since the last call; the next stage counts from now."""
        now = self._loop.time()
        passed, self._since = now - self._since, now
        return round(passed, 3)

    def _without_secrets(self, text: str) -> str:
        """The text with the values of the entry's variables taken out: an agent may print them (CASES D-15)."""
        for value in self._entry.env.values():
            if len(value) >= 6:
                text = text.replace(value, "***")
        return text

    def _finish(self) -> None:
        if self._directory:
            import shutil

            shutil.rmtree(self._directory, ignore_errors=True)
        client = self._client
        if client is not None and client.stray_lines:
            count = client.stray_lines
            what = "1 line" if count == 1 else f"{count} lines"
            self._tell(Step("remark", REMARK, f"{what} on stdout were no messages; the first: {self._stray[:200]}"))
        for note, count in self._notes.items():
            self._tell(Step("remark", REMARK, note if count == 1 else f"{note} ({count} times)"))
        self.report = Report(self._entry.name, tuple(self._steps))
        self._on_done(self.report)

    def _note(self, text: str) -> None:
        self._notes[text] = self._notes.get(text, 0) + 1

    # -- client.Handler ------------------------------------------------------------------------------------

    def ready(self, client: Client) -> None:
        """`initialize` was answered."""
        seconds = self._passed()
        self._tell(Step("initialize", OK, f"answered in {seconds:.2f} s: {describe(client.info)}", seconds))
        self._stage = "session/new"

    def session_opened(self, client: Client, session: Session) -> None:
        """All is well: close the session again, where that can be asked for, and stop."""
        if not self._stage:
            return
        seconds = self._passed()
        self._tell(Step("session/new", OK, f"answered in {seconds:.2f} s", seconds))
        self._stage = ""
        self._loop.call_later(LINGER, lambda: self._leave(client, session))

    def _leave(self, client: Client, session: Session) -> None:
        if client.stage is Stage.READY and client.capabilities.session_capabilities.close is not None:
            client.manage_session("session/close", session.session_id, lambda result: client.stop())
        else:
            client.stop()

    def login_wanted(self, client: Client, error: RpcError) -> None:
        """The agent is well but wants a login first."""
        names = ", ".join(method.name for method in client.auth_methods)
        self._fail(
            f"the agent wants to be logged in first ({names}): {error}. Start it in the editor, which offers the "
            "login, or log in with its own command"
        )
        client.stop()

    def failed(self, client: Client, message: str) -> None:
        """`initialize` or `session/new` failed."""
        self._fail(message)
        client.stop()

    def closed(self, client: Client, message: str) -> None:
        """The process is over."""
        self._fail(message or "the check was stopped")
        self._finish()

    def slow(self, client: Client, method: str) -> None:
        """Three seconds without an answer."""
        self._on_slow(f"waiting for the answer to {method}, {self._limit:g} s at most")

    def permission_asked(self, client: Client, ask: PermissionAsk) -> None:
        """Nobody is there to ask."""
        self._note("a permission was asked for without a prompt, and answered cancelled")
        ask.cancel()

    def elicitation_asked(self, client: Client, ask: ElicitationAsk) -> None:
        """Nobody is there to ask."""
        self._note("a form was sent without a prompt, and cancelled")
        ask.cancel()

    def read_file(self, client: Client, ask: FileRead) -> None:
        """Not announced, so not served."""
        ask.fail(METHOD_NOT_FOUND, "files are not offered during a check")

    def write_file(self, client: Client, ask: FileWrite) -> None:
        """Not announced, so not served."""
        ask.fail(METHOD_NOT_FOUND, "files are not offered during a check")

    def log(self, client: Client, kind: str, text: str) -> None:
        """Keep the first line of stdout that was no message."""
        if kind == "stdout" and not self._stray:
            self._stray = text


def check(
    entry: AgentEntry,
    project: str,
    environ: Mapping[str, str] = os.environ,
    *,
    fast: bool = False,
    ask: AskTrust | None = None,
    on_step: Callable[[Step], None] = lambda step: None,
    on_slow: Callable[[str], None] = lambda text: None,
) -> Report:
    """Check one agent and wait for the end of it."""
    from tpy.acp.plainloop import PlainLoop

    loop = PlainLoop()
    checking = Check(loop, entry, project, environ, fast=fast, ask=ask, on_step=on_step, on_slow=on_slow)
    try:
        checking.start()
        loop.run_until(lambda: checking.report is not None)
    finally:
        if checking.report is None:
            checking.stop()
            loop.run_until(lambda: checking.report is not None, 5.0)
        loop.close()
    assert checking.report is not None
    return checking.report
