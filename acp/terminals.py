"""The client side of `terminal/*`: commands that agents run through us (PROTOCOL §14).

Each command is a child process in its own group without a terminal; stdout and stderr come in order through
one pipe. Nothing here blocks: `wait_for_exit` is answered when the command ends. Requests come in, and answers go
out, through `Connection`; the output is also shown, in the session's `TerminalView`.
"""

from __future__ import annotations

import codecs
import os
import signal
from collections.abc import Callable, Mapping

from tpy.acp import jsonrpc, schema
from tpy.acp.child import READ, Child, Exit, Loop, StartError, Timer
from tpy.acp.connection import Connection
from tpy.acp.events import Incoming
from tpy.acp.jsonrpc import RpcError
from tpy.acp.session import Session

DEFAULT_LIMIT = 1024 * 1024
LARGEST_LIMIT = 2 * 1024 * 1024
"""Bytes of output kept; escaped as JSON it must stay below the longest message."""
KILL_AFTER = 1.0
_SHELL_CHARS = frozenset(" \t\n|&;<>()$`\"'*?[]{}~#=")


class Terminal:
    """One command, running or ended."""

    def __init__(self, terminal_id: str, session: Session, limit: int) -> None:
        self.terminal_id = terminal_id
        self.session = session
        self.limit = limit
        self.output = bytearray()
        self.truncated = False
        self.waiting: list[Incoming] = []
        self.child: Child | None = None
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.kill_timer: Timer | None = None

    def append(self, text: str) -> None:
        """Keep output, dropping from the start at a character boundary when it is too long."""
        self.output += text.encode()
        surplus = len(self.output) - self.limit
        if surplus > 0:
            self.truncated = True
            while surplus < len(self.output) and self.output[surplus] & 0xC0 == 0x80:
                surplus += 1
            del self.output[:surplus]
        self.session.terminal(self.terminal_id).append(text)
        self.session.terminal_changed(self.terminal_id)

    @property
    def status(self) -> schema.TerminalExitStatus | None:
        """How the command ended, None while it runs."""
        status = self.child.exit if self.child is not None else Exit()
        return None if status is None else schema.TerminalExitStatus(status.code, status.signal)


class Terminals:
    """All terminals of one client. `changed(session)` is called when output or an exit is there to show."""

    def __init__(
        self, loop: Loop, connection: Connection, env: Mapping[str, str], changed: Callable[[Session], None]
    ) -> None:
        self._loop = loop
        self._connection = connection
        self._env = env
        self._changed = changed
        self._terminals: dict[str, Terminal] = {}
        self._count = 0

    def __len__(self) -> int:
        return len(self._terminals)

    def serve(self, request: Incoming, session: Session) -> None:
        """Answer a `terminal/*` request, now or when its command ends."""
        if isinstance(request.params, schema.CreateTerminalRequest):
            self._create(request, request.params, session)
            return
        terminal = self._terminals.get(request.params.terminal_id)
        if terminal is None or terminal.session is not session:
            unknown = request.params.terminal_id
            data = {"terminalId": unknown}
            self._connection.refuse(request, RpcError(jsonrpc.NOT_FOUND, f"Terminal not found: {unknown}", data))
        elif request.method == "terminal/output":
            self._connection.answer(request, _output(terminal))
        elif request.method == "terminal/wait_for_exit":
            terminal.waiting.append(request)
            self._answer_waiting(terminal)
        elif request.method == "terminal/kill":
            self._kill(terminal)
            self._connection.answer(request, schema.Empty())
        else:
            self._release(terminal)
            self._connection.answer(request, schema.Empty())

    def _create(self, request: Incoming, params: schema.CreateTerminalRequest, session: Session) -> None:
        self._count += 1
        limit = DEFAULT_LIMIT if params.output_byte_limit is None else params.output_byte_limit
        terminal = Terminal(f"term-{self._count}", session, min(limit, LARGEST_LIMIT))
        cwd = os.path.join(session.cwd, params.cwd or "")
        env = {**self._env, **{pair.name: pair.value for pair in params.env}}
        argv = command_line(params.command, params.args, cwd)
        try:
            terminal.child = Child(
                self._loop,
                argv,
                cwd=cwd,
                env=env,
                with_stdin=False,
                merge_stderr=True,
                on_exit=lambda _: self._on_exit(terminal),
            )
        except StartError as error:
            self._connection.refuse(request, RpcError(jsonrpc.INTERNAL_ERROR, str(error)))
            return
        self._terminals[terminal.terminal_id] = terminal
        session.terminal(terminal.terminal_id).command = " ".join([params.command, *params.args])
        self._loop.watch(terminal.child.stdout, READ, lambda: self._on_readable(terminal))
        self._connection.answer(request, schema.CreateTerminalResponse(terminal.terminal_id))

    def _on_readable(self, terminal: Terminal) -> None:
        self._on_output(terminal)

    def _on_output(self, terminal: Terminal) -> bool:
        """Read once; False when there is nothing to read now."""
        child = terminal.child
        if child is None or child.stdout < 0:
            return False
        try:
            data = os.read(child.stdout, 64 * 1024)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        text = terminal.decoder.decode(data, not data)
        if text:
            terminal.append(text)
            self._changed(terminal.session)
        if not data:
            self._loop.unwatch(child.stdout)
        return bool(data)

    def _on_exit(self, terminal: Terminal) -> None:
        """The command ended: what it wrote before is in the pipe, and counts."""
        for _ in range(64):
            if not self._on_output(terminal):
                break
        view = terminal.session.terminal(terminal.terminal_id)
        view.exit_status = terminal.status
        terminal.session.terminal_changed(terminal.terminal_id)
        self._answer_waiting(terminal)
        self._changed(terminal.session)

    def _answer_waiting(self, terminal: Terminal) -> None:
        status = terminal.status
        if status is not None:
            for request in terminal.waiting:
                self._connection.answer(request, status)
            terminal.waiting.clear()

    def _kill(self, terminal: Terminal) -> None:
        child = terminal.child
        if child is not None and child.exit is None:
            child.signal_group(signal.SIGTERM)
            terminal.kill_timer = self._loop.call_later(KILL_AFTER, lambda: child.signal_group(signal.SIGKILL))

    def stop(self, terminal_id: str, session: Session) -> bool:
        """End a command for the user; its agent sees the exit. False where there is none that runs."""
        terminal = self._terminals.get(terminal_id)
        if terminal is None or terminal.session is not session or terminal.status is not None:
            return False
        self._kill(terminal)
        return True

    def _release(self, terminal: Terminal) -> None:
        """Forget a terminal, killing what still runs; its output stays in the session's view."""
        del self._terminals[terminal.terminal_id]
        view = terminal.session.terminal(terminal.terminal_id)
        view.released = True
        if terminal.kill_timer is not None:
            terminal.kill_timer.cancel()
        running = terminal.child is not None and terminal.child.exit is None
        if terminal.child is not None:
            terminal.child.dispose()
        if running:
            view.exit_status = schema.TerminalExitStatus(signal="SIGKILL")
            for request in terminal.waiting:
                self._connection.answer(request, view.exit_status)
        terminal.session.terminal_changed(terminal.terminal_id)

    def release_session(self, session: Session | None) -> None:
        """Kill and forget the terminals of a session that is over; of all of them when it is None."""
        for terminal in list(self._terminals.values()):
            if session is None or terminal.session is session:
                self._release(terminal)


def command_line(command: str, args: list[str], cwd: str) -> list[str]:
    """Return what to run. A whole shell line in `command`, which some agents send, goes through the shell."""
    if not args and not os.path.isfile(os.path.join(cwd, command)) and _SHELL_CHARS.intersection(command):
        return ["/bin/sh", "-c", command]
    return [command, *args]


def _output(terminal: Terminal) -> schema.TerminalOutputResponse:
    return schema.TerminalOutputResponse(terminal.output.decode(), terminal.truncated, terminal.status)
