"""The headless client that `acpbench` measures: the same `Client` that the editor uses, without a screen.

It speaks the measuring protocol of the benchmark: `ACPBENCH_AGENT` (argv as JSON), `ACPBENCH_SESSIONS`,
`ACPBENCH_UPDATES`; it opens the sessions, prompts in all of them at once, prints a DONE line with the digest of
what it kept, and waits for the end of its input. Run it as `python -m tpy.acp.bench`.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import sys
from typing import Any

from tpy.acp import schema
from tpy.acp.client import Client
from tpy.acp.entries import TurnEnd
from tpy.acp.handler import Handler
from tpy.acp.plainloop import PlainLoop
from tpy.acp.session import Session


class Kept:
    """What one session has been told: a running hash of its text, and its tool calls."""

    def __init__(self) -> None:
        self.text = hashlib.sha256()
        self.calls: dict[str, list[str]] = {}

    def hexdigest(self) -> str:
        """Return the session's hash as the benchmark defines it."""
        self.text.update(b"\0")
        for call, (status, output) in self.calls.items():
            self.text.update(f"{call}\x1f{status}\x1f{output}\x1e".encode())
        return self.text.hexdigest()


class Counter(Handler):
    """Counts and hashes."""

    def __init__(self) -> None:
        self.updates = 0
        self.size = 0
        self.ended = 0
        self.kept: dict[str, Kept] = {}
        self.problem = ""

    def session_opened(self, client: Client, session: Session) -> None:
        """Make room for what it will be told."""
        self.kept[session.session_id] = Kept()

    def session_changed(self, client: Client, session: Session, update: Any) -> None:
        """Count and hash."""
        if update is None:
            return
        self.updates += 1
        if type(update) is schema.AgentMessageChunk:
            content = update.content
            if type(content) is schema.TextContent:
                text = content.text
                self.size += len(text)
                self.kept[session.session_id].text.update(text.encode())
        elif isinstance(update, schema.ToolCallFields):
            call = self.kept[session.session_id].calls.setdefault(update.tool_call_id, ["", ""])
            if update.status is not None:
                call[0] = update.status
            if update.content is not None:
                call[1] = "".join(map(_output, update.content))

    def turn_ended(self, client: Client, session: Session, end: TurnEnd) -> None:
        """Count."""
        self.ended += 1

    def failed(self, client: Client, message: str) -> None:
        """Remember why."""
        self.problem = message

    def closed(self, client: Client, message: str) -> None:
        """Remember why."""
        self.problem = self.problem or message or "closed"


def _output(item: schema.ToolCallContent) -> str:
    if isinstance(item, schema.Content):
        return item.content.text if isinstance(item.content, schema.TextContent) else ""
    return item.new_text if isinstance(item, schema.Diff) else ""


def main() -> int:
    """Run one measurement; 1 when the agent fails."""
    argv: list[str] = json.loads(os.environ["ACPBENCH_AGENT"])
    sessions = int(os.environ["ACPBENCH_SESSIONS"])
    updates = int(os.environ["ACPBENCH_UPDATES"])
    loop, handler = PlainLoop(), Counter()
    client = Client(loop, handler, argv, cwd=os.getcwd(), env=os.environ)
    client.start()
    for _ in range(sessions):
        client.new_session(os.getcwd())
    loop.run_until(lambda: len(handler.kept) == sessions or bool(handler.problem))
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # as the editor does
    for session in list(client.sessions.values()):
        client.prompt(session, [schema.TextContent("go")], "go")
    loop.run_until(lambda: (handler.ended == sessions and handler.updates >= updates) or bool(handler.problem))
    if handler.problem:
        print(handler.problem, file=sys.stderr)
        return 1
    whole = hashlib.sha256("".join(kept.hexdigest() for kept in handler.kept.values()).encode())
    done = {"updates": handler.updates, "bytes": handler.size, "digest": whole.hexdigest()}
    print("DONE " + json.dumps(done), flush=True)
    sys.stdin.read()
    client.stop()
    loop.run_until(lambda: bool(handler.problem), 5)
    return 0


if __name__ == "__main__":
    sys.exit(main())
