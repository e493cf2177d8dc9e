"""Known deviations of named agents that need another answer from us: one declared row each (PROTOCOL §13, §21).

A row is used when the agent's own name (`agentInfo.name`) is in it. A deviation that a tolerant client copes with
anyway needs no row. Each row names the version in which it was seen and the recording that shows it.
"""

from __future__ import annotations

from typing import NamedTuple

from tpy.acp.schema import Implementation


class Quirk(NamedTuple):
    """One row. `missing_file_is_empty`: a read of a missing file is answered with empty text, not an error."""

    agent: str
    seen_in: str
    trace: str
    missing_file_is_empty: bool = False


QUIRKS = (
    # It reads a file before it creates it and takes any error for a failure.
    Quirk("gemini-cli", "0.61", "gemini-missing-as-empty.jsonl", missing_file_is_empty=True),
)
NONE = Quirk("", "", "")


def for_agent(info: Implementation | None) -> Quirk:
    """Return the row for an agent, or `NONE`."""
    name = "" if info is None else info.name
    return next((quirk for quirk in QUIRKS if quirk.agent == name), NONE)
