"""The lessons of vimtutor worked through: the text at the end must be the one Vim ends with.

python tests/vimtutor/test_lessons.py     # asks the Vim of this machine, prints the digests to put into lessons.toml
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest
import tomli

from tpy.modal.headless import run_case

TUTOR = Path("/usr/share/vim/vim90/tutor/tutor")
LESSONS: list[dict[str, Any]] = tomli.loads((Path(__file__).parent / "lessons.toml").read_text(encoding="utf-8"))[
    "lesson"
]


def _case(lesson: dict[str, Any]) -> dict[str, Any]:
    text = TUTOR.read_text(encoding="utf-8").split("\n")[:-1]
    return {"id": lesson["name"], "text": text, "cursor": [1, 0], "keys": lesson["keys"], "options": {}}


def _digest(text: list[str]) -> str:
    return hashlib.sha256("\n".join(text).encode()).hexdigest()


@pytest.mark.skipif(not TUTOR.exists() and not os.environ.get("CI"), reason="the package vim-runtime is not installed")
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson["name"])
def test_a_lesson_ends_with_the_text_of_vim(lesson: dict[str, Any]) -> None:
    result = run_case(_case(lesson))
    assert result["mode"] == "n"
    assert _digest(result["text"]) == lesson["digest"]


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1] / "fuzz"))
    import realvim

    for one in LESSONS:
        answer = realvim.ask(_case(one))
        assert answer is not None
        changed = sum(a != b for a, b in zip(answer["text"], _case(one)["text"], strict=False))
        print(
            f'{one["name"]}: {answer["mode"]} {changed} lines {answer["error"]}\ndigest = "{_digest(answer["text"])}"'
        )
