"""The same cases typed into the real editor in a pseudo-terminal: the file written must be Vim's text."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from cases import cases, differing
from harness import Editor

WANTED = 200
# Each case has an editor of its own; so many run side by side, since each waits for its terminal half of the time.
BESIDE = 4
CHUNKS = 10


def _typable() -> list[str]:
    """Return ids of cases that can be typed: they end in Normal mode, set no options first and leave one window."""
    known = differing()
    usable = [
        name
        for name, case in cases().items()
        if case["want"]["mode"] == "n"
        and name not in known
        and not case.get("options")
        and not case["group"].startswith(("key-", "row-"))
        and case["group"] not in ("window", "mapping-abbrev", "macro", "cmdline")
        and "<C-z>" not in case["keys"]
        and not case["keys"].endswith(("<C-v>", "<C-k>"))  # which wait for a key
        and case["want"]["text"] != [""]  # which may be no line or an empty one: they make different files
    ]
    return [usable[number * len(usable) // WANTED] for number in range(WANTED)]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_typed_cases_write_the_text_of_vim(tmp_path: Path, chunk: int) -> None:
    """Edit, type the keys, write, compare the bytes."""
    names = _typable()[chunk * WANTED // CHUNKS : (chunk + 1) * WANTED // CHUNKS]
    assert len(set(names)) == WANTED // CHUNKS
    for at in range(0, len(names), BESIDE):
        _type(tmp_path, names[at : at + BESIDE])


def _type(root: Path, names: list[str]) -> None:
    with ExitStack() as open_editors:
        editors = {}
        for name in names:
            folder = root / name
            folder.mkdir()
            (folder / "case.txt").write_text("\n".join(cases()[name]["text"]) + "\n", encoding="utf-8")
            editors[name] = open_editors.enter_context(Editor(["--clean", "case.txt"], cwd=folder, timeout=30.0))
        for name, tpy in editors.items():
            tpy.wait("case.txt")
            line, column = cases()[name]["cursor"]
            move = f"{line}G0" + (f"{column}l" if column else "")
            tpy.keys(move + cases()[name]["keys"] + "<Esc>:w! out.txt<CR>:qa!<CR>")
        for name, tpy in editors.items():
            assert tpy.exit_status() == 0, name
            written = (root / name / "out.txt").read_bytes().decode("utf-8")
            # What Vim shows as a line feed within a line is a NUL in the file.
            lines = [line.replace("\n", "\0") for line in cases()[name]["want"]["text"]]
            # A buffer whose lines were all deleted is written as no bytes, one with an empty line as a line break.
            wanted = {"\n".join(lines) + "\n", "\n".join(lines)} if lines == [""] else {"\n".join(lines) + "\n"}
            assert written in wanted, f"{name}: {cases()[name]['keys']}"
