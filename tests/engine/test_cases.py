"""Cases as data: what is typed on a text, and what Vim made of it (`cases/*.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.headless import result_of

HERE = Path(__file__).parent / "cases"
CASES = [
    pytest.param(case, id=f"{path.stem}: {case['name']}")
    for path in sorted(HERE.glob("*.toml"))
    for case in tomllib.loads(path.read_text(encoding="utf-8"))["case"]
]


@pytest.mark.parametrize("case", CASES)
def test_what_is_typed_does_what_it_does_in_vim(typist: Callable[..., Any], case: dict[str, Any]) -> None:
    before = case["before"] if "before" in case else "\n".join(f"line {n}" for n in range(1, case["lines"] + 1))
    typed = typist(before, case.get("options")).type(case["keys"])
    result = result_of(typed.engine, case["name"])
    if "after" in case:
        assert typed.after == case["after"]
    else:
        assert result["cursor"] == case["cursor"]
    assert result["mode"] == case.get("mode", "n")
    if "registers" in case:
        assert {name: text for name, text in result["registers"].items() if text} == case["registers"]


def test_names_are_unique() -> None:
    names = [parameter.id for parameter in CASES]
    assert len(names) == len(set(names)) > 150
