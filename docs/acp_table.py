"""Write `docs/acp.md`: all of version 1 of the protocol, and what of it tpy does; called by `generate.py`.

The rows come from `tests/acprows.py`. The matrix of agents between the markers is written by
`tests/peers/test_agents.py` and kept as it is.
"""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = Path(__file__).parent / "acp.md"
BEGIN, END = "<!-- agents: written by tests/peers/test_agents.py -->\n", "<!-- end of agents -->\n"

sys.path.insert(0, str(ROOT / "tests"))

import acprows  # noqa: E402

HEAD = """<!-- Written by docs/generate.py from the schemas and the code; change those, not this page. -->
# What tpy does of the Agent Client Protocol

All that version 1 of the protocol has, stable and unstable, by the official schemas; *yes* where the code does it. Each
*yes* has a test that fails without it: `python tests/rowcheck.py method:fs/read_text_file`. How to use the client is in
[acp-client.md](acp-client.md), how to write an agent in [acp-agent.md](acp-agent.md), how to test a client in
[conformance.md](conformance.md).

Beyond the schema: steering, prompt queueing and output of commands that the agent runs (`_meta`, see
`acp/extensions.py`), the older `session/set_model`, and the draft of version 2 with `protocol = 2` in the agents file
(`acp/draft2.py`), with `tool_call/cancel` and `terminal/cancel` where an agent offers them (`:agentstop`).
"""
TITLES = {
    "method": "Methods",
    "update": "Updates (`session/update`)",
    "capability": "Capabilities",
    "content": "Content blocks, in prompts and in what agents say",
    "tool-content": "Content of tool calls",
    "tool-kind": "Kinds of tool calls",
    "tool-status": "Status of tool calls",
    "config": "Session options",
    "permission": "Options of permissions",
    "elicitation": "Ways to ask for input",
    "field": "Fields of forms",
    "login": "Ways to log in",
    "mcp": "MCP servers",
    "stop": "Stop reasons",
}


def page() -> str:
    """Return the page; the matrix is taken from the page as it is."""
    parts = [HEAD]
    for kind, rows in groupby(acprows.rows(), key=lambda row: row.kind):
        lines = [f"\n## {TITLES[kind]}\n", "| name | direction | | tpy |", "|---|---|---|---|"]
        for row in rows:
            stable = "" if row.stable else "unstable"
            lines.append(f"| `{row.name}` | {row.direction} | {stable} | {row.answer} |")
        parts.append("\n".join(lines) + "\n")
    parts.append(f"\n## Agents that were tried\n\n{BEGIN}{matrix()}{END}")
    return "".join(parts)


def conformance() -> str:
    """Return the page of the conformance kit with the tables of its two agents as their code has them."""
    from tpy.acp.agents.exerciser import features
    from tpy.acp.agents.hostile import __main__ as hostile

    text = (PAGE.parent / "conformance.md").read_text(encoding="utf-8")
    for name, table in (("exerciser", features.table()), ("hostile", hostile.tables())):
        before, mark, rest = text.partition(f"<!-- {name}: written by docs/generate.py -->\n")
        text = before + mark + table + "<!-- end -->" + rest.partition("<!-- end -->")[2]
    return text


def matrix() -> str:
    """Return the matrix of agents that is in the page, empty where there is none."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return text.partition(BEGIN)[2].partition(END)[0]


def put_matrix(table: str) -> None:
    """Write another matrix into the page."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    PAGE.write_text(before + BEGIN + table + END + rest.partition(END)[2], encoding="utf-8")
