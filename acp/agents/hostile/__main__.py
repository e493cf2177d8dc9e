"""Run the hostile agent.

python -m tpy.acp.agents.hostile                 # well behaved until a prompt such as /banner
python -m tpy.acp.agents.hostile --start NAME    # misbehaves before the first prompt
python -m tpy.acp.agents.hostile --list          # all rows as Markdown tables
"""

import contextlib
import sys

from tpy.acp.agents.hostile import frames, starts, turns  # noqa: F401 (the rows register themselves)
from tpy.acp.agents.hostile.starts import hello
from tpy.acp.agents.hostile.wire import STARTS, TURNS, UNANSWERED, EndOfInput, Json, Row, Wire
from tpy.acp.stdio import take_over_streams


def serve(wire: Wire, row: Row | None) -> None:
    """Serve until stdin ends; the row chosen at the start sees every call first."""
    while True:
        call = wire.next_call()
        if "method" not in call or (row is not None and row.act(wire, call)):
            continue
        if call["method"] == "initialize":
            wire.result(call["id"], hello())
        elif call["method"] == "session/new":
            wire.cwd = call["params"]["cwd"]
            wire.result(call["id"], {"sessionId": wire.session})
            rows = [{"name": row.name, "description": row.does} for row in TURNS.values()]
            wire.update("available_commands_update", availableCommands=rows)
        elif call["method"] == "session/prompt":
            _prompt(wire, call)
        elif "id" in call:
            wire.error(call["id"], -32601, f"Method not found: {call['method']}")


def _prompt(wire: Wire, call: Json) -> None:
    text = "".join(block.get("text", "") for block in call["params"]["prompt"] if block.get("type") == "text")
    name, _, words = text.strip().removeprefix("/").partition(" ")
    wire.prompt_id, wire.cancelled = call["id"], False
    row = TURNS.get(name)
    if row is None:
        wire.say("I behave, until you choose otherwise: `/` lists the ways.\n")
    if row is None or row.act(wire, words.strip()) != UNANSWERED:
        wire.end()


def tables() -> str:
    """All rows as two Markdown tables, for `docs/conformance.md`."""
    head = "| row | seen | what the agent does | what a client should do |\n| --- | --- | --- | --- |\n"
    parts = []
    for prefix, rows in (("--start ", STARTS), ("/", TURNS)):
        lines = [f"| `{prefix}{r.name}` | {r.seen} | {r.does} | {r.wanted} |\n" for r in rows.values()]
        parts.append(head + "".join(lines))
    return "\n".join(parts)


def main(argv: list[str]) -> int:
    """Run the agent, or print its rows."""
    if argv == ["--list"]:
        print(tables(), end="")
        return 0
    row = None
    if argv:
        if argv[0] != "--start" or len(argv) != 2 or argv[1] not in STARTS:
            print(f"usage: --list | --start NAME; the names: {', '.join(STARTS)}", file=sys.stderr)
            return 2
        row = STARTS[argv[1]]
    wire = Wire(*take_over_streams())
    with contextlib.suppress(EndOfInput, BrokenPipeError):
        serve(wire, row)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
