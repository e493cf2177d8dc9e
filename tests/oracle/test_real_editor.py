"""The same cases typed into the real editor in a pseudo-terminal: the file written must be Vim's text."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases, differing
from harness import Editor

WANTED = 50


def _typable() -> list[str]:
    """Return ids of cases that can be typed: they end in Normal mode and set no options first."""
    known = differing()
    usable = [
        name
        for name, case in cases().items()
        if case["want"]["mode"] == "n"
        and name not in known
        and not case.get("options")
        and not case["group"].startswith("key-")
        and case["group"] not in ("window", "mapping-abbrev", "macro", "cmdline")
        and "<C-z>" not in case["keys"]
    ]
    step = len(usable) // WANTED
    return usable[: step * WANTED : step]


@pytest.mark.parametrize("chunk", range(5))
def test_typed_cases_write_the_text_of_vim(tmp_path: Path, chunk: int) -> None:
    """Ten cases a process: edit, type the keys, write, compare the bytes."""
    names = _typable()[chunk * WANTED // 5 : (chunk + 1) * WANTED // 5]
    assert len(names) == WANTED // 5
    for name in names:
        case = cases()[name]
        line, column = case["cursor"]
        folder = tmp_path / name
        folder.mkdir()
        (folder / "case.txt").write_text("\n".join(case["text"]) + "\n", encoding="utf-8")
        with Editor(["--clean", "case.txt"], cwd=folder) as tpy:
            tpy.wait("case.txt")
            move = f"{line}G0" + (f"{column}l" if column else "")
            tpy.keys(move + case["keys"] + "<Esc>:w! out.txt<CR>:qa!<CR>")
            assert tpy.exit_status() == 0, name
        assert (folder / "out.txt").read_text(encoding="utf-8") == "\n".join(case["want"]["text"]) + "\n", name
