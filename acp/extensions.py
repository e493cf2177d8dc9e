"""What agents put into `_meta` beyond the protocol, as far as we use it (PROTOCOL §18).

Each function reads one extension and returns None (or False) when it is not there or not what it should be.
"""

from __future__ import annotations

from typing import Any

from tpy.acp import schema


def parent_call(meta: dict[str, Any]) -> str | None:
    """Return the tool call that a subagent's message or call belongs to."""
    return _text(_object(meta, "claudeCode"), "parentToolUseId")


def steers(info: schema.InitializeResponse) -> bool:
    """Whether the agent takes words into a running turn."""
    return _object(info.meta, "steering").get("supported") is True


def queues_prompts(info: schema.InitializeResponse) -> bool:
    """Whether the agent takes a second prompt while a turn runs."""
    return _object(info.agent_capabilities.meta, "claudeCode").get("promptQueueing") is True


def commands(info: schema.InitializeResponse) -> schema.AvailableCommandsUpdate | None:
    """Return the commands that some agents list in the answer to `initialize`."""
    listed = (info.meta or {}).get("availableCommands")
    if not isinstance(listed, list):
        return None
    return schema.convert({"availableCommands": listed}, schema.AvailableCommandsUpdate)


def terminal_output(meta: dict[str, Any]) -> tuple[str, str] | None:
    """Return terminal id and new output of a command that the agent runs itself."""
    delta = _object(meta, "terminal_output_delta")
    terminal_id, data = _text(delta, "terminal_id"), _text(delta, "data")
    return None if terminal_id is None or data is None else (terminal_id, data)


def terminal_exit(meta: dict[str, Any]) -> tuple[str, schema.TerminalExitStatus] | None:
    """Return terminal id and end of a command that the agent runs itself."""
    ended = _object(meta, "terminal_exit")
    terminal_id, code = _text(ended, "terminal_id"), ended.get("exit_code")
    if terminal_id is None:
        return None
    usable = isinstance(code, int) and not isinstance(code, bool) and code >= 0
    return terminal_id, schema.TerminalExitStatus(code if usable else None, _text(ended, "signal"))


def _object(meta: dict[str, Any] | None, name: str) -> dict[str, Any]:
    value = (meta or {}).get(name)
    return value if isinstance(value, dict) else {}


def _text(value: dict[str, Any], name: str) -> str | None:
    text = value.get(name)
    return text if isinstance(text, str) else None
