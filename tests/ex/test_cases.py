"""Ex commands against what real Vim 9.0 did (`cases/*.toml`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.headless import run_case

CASES = [
    pytest.param(case, id=f"{path.stem} {case['name']}")
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


@pytest.mark.parametrize("case", CASES)
def test_does_what_vim_does(case: dict[str, Any]) -> None:
    result = run_case({"id": "", **{key: case[key] for key in ("text", "cursor", "keys", "options") if key in case}})
    assert result["text"] == case["after"]
    assert result["mode"] == case.get("mode", "n")
    if "at" in case:
        assert result["cursor"] == case["at"]
    assert {name: text for name, text in result["registers"].items() if text} == case.get("registers", {})
    if "cmdline" in case:
        assert result.get("cmdline") == case["cmdline"]


def test_there_are_cases() -> None:
    assert len(CASES) > 150
