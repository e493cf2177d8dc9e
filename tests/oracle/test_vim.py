"""Real Vim's recorded answers: what we do must be equal, case by case."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cases import cases, differences, differing

from tpy.modal.headless import run_case

GROUPS = sorted({case["group"] for case in cases().values()})


@pytest.mark.parametrize("group", GROUPS)
def test_cases_end_as_in_vim(group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All cases of a group agree but for those that `differs.txt` names, and those do differ."""
    monkeypatch.chdir(tmp_path)
    failed: dict[str, Any] = {}
    known = differing()
    for name, case in cases().items():
        if case["group"] == group:
            found = differences(case["want"], run_case(case))
            if found:
                failed[name] = (case["keys"], found)
    surprising = {name: failed[name] for name in failed if name not in known}
    assert not surprising
    healed = {name for name in known if cases()[name]["group"] == group} - set(failed)
    assert not healed, "these agree with Vim now: take them out of differs.txt"


def test_driver_answers_line_by_line_and_survives_a_bad_case() -> None:
    """The driver is a process that answers each line in order, whatever the line before was."""
    first = next(iter(cases().values()))
    asked = [first, {"id": "broken"}, {**first, "id": "again"}]
    process = subprocess.Popen(
        [sys.executable, "-m", "tpy.modal.headless"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = []
        for case in asked:
            process.stdin.write(json.dumps(case) + "\n")
            process.stdin.flush()
            answers.append(json.loads(process.stdout.readline()))
        process.stdin.close()
    assert [answer["id"] for answer in answers] == [first["id"], "broken", "again"]
    assert "fail" in answers[1]
    assert differences(first["want"], answers[0]) == differences(first["want"], answers[2])
