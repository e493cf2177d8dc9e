"""Answers of a real Vim 9.0, recorded as JSON lines in `data/` beside this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def recorded(name: str) -> list[Any]:
    """Return the rows of one record."""
    text = (Path(__file__).parent / "data" / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
