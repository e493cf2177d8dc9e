"""The client of the official Python SDK driving an agent: python sdk_client.py DIRECTORY AGENT…

Prints one JSON object: what the agent said, which tool calls there were, how the turns ended. Each line of standard
input is a prompt; permissions are given, files read and written in the directory.
"""

# ruff: noqa: TID251  (here `acp` is the SDK)

import asyncio
import json
import sys
from pathlib import Path

from acp import PROTOCOL_VERSION, Client, spawn_agent_process, text_block
from acp.schema import (
    AllowedOutcome,
    ClientCapabilities,
    FileSystemCapabilities,
    ReadTextFileResponse,
    RequestPermissionResponse,
    WriteTextFileResponse,
)


class Recorder(Client):
    """Says yes to everything and keeps what it is told."""

    def __init__(self):
        self.text, self.kinds, self.tools, self.asked = "", set(), {}, 0

    async def session_update(self, session_id, update, **kwargs):
        """Note what an update brings."""
        self.kinds.add(update.session_update)
        if update.session_update == "agent_message_chunk":
            self.text += getattr(update.content, "text", "")
        if update.session_update in ("tool_call", "tool_call_update") and update.status:
            self.tools[update.tool_call_id] = update.status

    async def request_permission(self, options, session_id, tool_call, **kwargs):
        """Allow it once."""
        self.asked += 1
        chosen = next(option for option in options if option.kind == "allow_once")
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen.option_id))

    async def read_text_file(self, path, session_id, limit=None, line=None, **kwargs):
        """Return the lines that are asked for."""
        lines = Path(path).read_text().splitlines(keepends=True)
        start = (line or 1) - 1
        return ReadTextFileResponse(content="".join(lines[start : None if limit is None else start + limit]))

    async def write_text_file(self, content, path, session_id, **kwargs):
        """Write the file, with its directories."""
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text(content)
        return WriteTextFileResponse()


async def main():
    """Initialize, open a session, send the prompts, print what came."""
    directory, *command = sys.argv[1:]
    recorder = Recorder()
    prompts = [line.strip() for line in sys.stdin if line.strip()]
    async with spawn_agent_process(recorder, *command, cwd=directory) as (agent, _process):
        fs = FileSystemCapabilities(read_text_file=True, write_text_file=True)
        hello = await agent.initialize(PROTOCOL_VERSION, client_capabilities=ClientCapabilities(fs=fs))
        session = await agent.new_session(cwd=directory, mcp_servers=[])
        stops = []
        for prompt in prompts:
            answer = await agent.prompt(session_id=session.session_id, prompt=[text_block(prompt)])
            stops.append(answer.stop_reason)
    found = {"agent": hello.agent_info.name, "stops": stops, "text": recorder.text, "kinds": sorted(recorder.kinds)}
    print(json.dumps(found | {"tools": sorted(set(recorder.tools.values())), "asked": recorder.asked}))


asyncio.run(main())
