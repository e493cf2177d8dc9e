"""`a` in `'formatoptions'`: what the user changes is formatted, and nothing else (`found.jsonl` has Vim's answers)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.text.buffer import AGENT
from tpy.modal.text.splice import Splice

LONG = "a line that is longer than it should be"
OPTIONS = {"formatoptions": "tcqa", "textwidth": 20}


def test_changes_of_an_agent_stay_as_they_are(typist: Callable[..., Any]) -> None:
    """Also while the user types in another paragraph of the same text, before and behind."""
    typed = typist("\n".join(["first", "", "¦own words", "here", "", "last"]), OPTIONS).type("i")
    buffer = typed.editor.buffer
    with buffer.step("agent", AGENT):
        buffer.apply(Splice(5, ("last",), (LONG,)))
        buffer.apply(Splice(0, ("first",), (LONG, "x")))
    assert [line for line in typed.lines if line == LONG] == [LONG, LONG]
    typed.type("my very ")
    assert typed.lines == [LONG, "x", "", "my very own words", "here", "", LONG]
    typed.type("<Esc>")
    assert typed.lines[0] == typed.lines[-1] == LONG


@pytest.mark.parametrize("command", [":s/own/really their own/", ":2,3d|put", ":$put ='x'", ":1>"])
def test_ex_commands_do_not_format(typist: Callable[..., Any], command: str) -> None:
    results = [
        typist("own¦ words and more\nhere", {**OPTIONS, "formatoptions": options}).type(command + "<CR>").lines
        for options in ("tcqa", "tcq")
    ]
    assert results[0] == results[1]
