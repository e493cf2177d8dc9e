"""The recorded answers of real Vim (9.0, settings of defaults.vim) and how an answer is compared with them.

`vim9.jsonl` holds a case a line: `id`, `group`, `text`, `cursor`, `keys`, `options`, and `want`, what Vim did.
`keys.jsonl` has two cases for each built-in key of each mode, all on the text of `keys-text.json` (`want` leaves out
a text that stays). `found.jsonl` has what `tests/fuzz` found, cut down, in the form of `vim9.jsonl`.
`rows.jsonl` has a case for each row of the registries that no other case would miss: its `id` is the row; a `text` may
be the name of one in `rows-texts.json`, and `want` leaves out a text that stays.
`differs.txt` names the cases in which we knowingly differ; each stands in `docs/differences.md`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
COMPARED = '"0123456789-abcdefghijklmnopqrstuvwxyz/'


@cache
def cases() -> dict[str, dict[str, Any]]:
    """Return all cases by id."""
    rows = []
    for name in ("vim9.jsonl", "found.jsonl"):
        with (HERE / name).open(encoding="utf-8") as lines:
            rows += [json.loads(line) for line in lines]
    shared = json.loads((HERE / "keys-text.json").read_text(encoding="utf-8"))
    with (HERE / "keys.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = {**json.loads(line), **shared}
            row["want"].setdefault("text", shared["text"])
            rows.append(row)
    texts = json.loads((HERE / "rows-texts.json").read_text(encoding="utf-8"))
    with (HERE / "rows.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if isinstance(row["text"], str):
                row["text"] = texts[row["text"]]
            row["want"].setdefault("text", row["text"])
            rows.append(row)
    return {row["id"]: row for row in rows}


def differing() -> set[str]:
    """Return the ids of the cases that are known to differ."""
    names = (HERE / "differs.txt").read_text(encoding="utf-8").split("\n")
    return {name for name in names if name and not name.startswith("#")}


def _registers(result: dict[str, Any], opaque: list[str]) -> dict[str, Any]:
    values, types = result.get("registers") or {}, result.get("regtype") or {}
    return {
        name: (values[name], None if name == "/" else types.get(name))
        for name in COMPARED
        if values.get(name) and name not in opaque
    }


def differences(want: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """Return the names of what differs between Vim's result and ours, empty when they agree."""
    if "fail" in got:
        return [got["fail"]]
    found = [field for field in ("text", "mode") if got[field] != want[field]]
    if want["mode"] != "c" and got["cursor"] != want["cursor"]:
        found.append("cursor")
    opaque = want.get("opaque", [])
    if _registers(got, opaque) != _registers(want, opaque):
        found.append("registers")
    found += [field for field in ("visual", "cmdline") if field in want and got.get(field) != want[field]]
    return found
