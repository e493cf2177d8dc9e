"""Running an agent as a process: its standard input and output carry the protocol, nothing else does.

    sys.exit(stdio.run(MyAgent()))

Here: keeping stdout for messages (what prints, also in child processes, goes to stderr), reading, writing
and timers in one `select` loop, the end when stdin ends. Not here: the protocol (`serve.py`).
"""

from __future__ import annotations

import os
import select
import sys
import time

from tpy.acp.agent import Agent
from tpy.acp.serve import Server

_READ = 65536


def run(agent: Agent) -> int:
    """Serve until stdin ends; returns the exit status."""
    source, sink = take_over_streams()
    server = Server(agent, log=_log)
    try:
        _loop(server, source, sink)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
    return 0


def take_over_streams() -> tuple[int, int]:
    """Move stdin and stdout to private descriptors and return them.

    Afterwards `print`, libraries and children write to stderr, and read an empty stdin.
    """
    source, sink = os.dup(0), os.dup(1)
    os.set_inheritable(source, False)
    os.set_inheritable(sink, False)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return source, sink


def _loop(server: Server, source: int, sink: int) -> None:
    pending = bytearray()
    while not server.closed or pending:
        pending += server.data_to_send()
        readers = [] if server.closed else [source, *server.watched()]
        timeout = _seconds_left(server)
        ready, writable, _ = select.select(readers, [sink] if pending else [], [], timeout)
        if writable:
            # A pipe that select calls writable takes this many bytes without blocking, so that a client
            # that does not read cannot keep us from hearing its cancel or its end.
            del pending[: os.write(sink, pending[: select.PIPE_BUF])]
        for descriptor in ready:
            if descriptor != source:
                server.readable(descriptor)
                continue
            data = os.read(source, _READ)
            if data:
                server.receive_data(data)
            else:
                server.receive_eof()
                _last_words(sink, pending + server.data_to_send())
                return
        server.expire()


def _seconds_left(server: Server) -> float | None:
    """How long `select` may wait; None is for ever."""
    if server.closed:
        return 0
    due = server.deadline()
    return None if due is None else max(0.0, due - time.monotonic())


def _last_words(sink: int, pending: bytearray) -> None:
    """Write what the other end still takes at once, and drop the rest: it is gone or not reading."""
    while pending and select.select([], [sink], [], 0)[1]:
        try:
            del pending[: os.write(sink, pending[: select.PIPE_BUF])]
        except OSError:
            return


def _log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
