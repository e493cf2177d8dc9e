"""Random editing and saving with random faults ends with the texts and files of a model that knows no editor.

5,000 steps here, 100,000 in `make soak`.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from modelrun import Faults, Run


@pytest.mark.parametrize("seed", range(10))
def test_random_work_with_random_faults(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, state = tmp_path / "work", tmp_path / "state"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    faults = Faults()
    faults.lay(monkeypatch.setattr)
    Run(folder, seed, faults).steps(500)


def test_the_model_knows_nothing_of_the_editor() -> None:
    tree = ast.parse((Path(__file__).parent / "model.py").read_text())
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "dataclasses"}
