"""How C is indented: texts of every kind, C and not, with what Vim 9.0 made of them by `=G` (`cindent.jsonl`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.keymap import parse_keys
from tpy.modal.progress import Interrupted
from tpy.modal.text.position import Pos

CASES = [
    json.loads(line) for line in Path(__file__).with_name("cindent.jsonl").read_text(encoding="utf-8").splitlines()
]


def indented(text: list[str], options: dict[str, Any], first: int = 0) -> list[str]:
    """What `=G` from a line on makes of a text."""
    engine = make_engine(vim=True, clock=lambda: 0.0)
    engine.editor.buffer.lines[:] = text
    for name, value in options.items():
        engine.editor.set_option(name, value)
    engine.editor.window.cursor = Pos(first, 0)
    for key in parse_keys("=G"):
        engine.feed(key)
    return list(engine.editor.buffer.lines)


@pytest.mark.parametrize("number", range(0, len(CASES), 25))
def test_lines_are_indented_as_vim_does(number: int) -> None:
    """Each text gets the indents that Vim gives it, whatever `'cinoptions'` says."""
    wrong = {}
    for at, case in enumerate(CASES[number : number + 25], number):
        options = {name: case[name] for name in ("cinoptions", "shiftwidth", "tabstop")}
        if indented(case["text"], options, case["first"]) != case["want"]:
            wrong[at] = case
    assert not wrong


def test_a_text_of_many_lines_is_gone_through_once() -> None:
    """Ten thousand lines that tell nothing of each other take a time that grows with their number alone."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    per_line = []
    for lines in (100, 800):
        calls = 0
        sys.setprofile(count)
        try:
            indented(["words of a plain text", "{ x } and others"] * (lines // 2), {})
        finally:
            sys.setprofile(None)
        per_line.append(calls / lines)
    assert per_line[1] < 2 * per_line[0]


def test_a_long_search_can_be_stopped() -> None:
    """Braces that nothing opens are looked for far away, until `<C-c>`; the text stays whole then."""
    engine = make_engine(vim=True, clock=lambda: 0.0)
    text = [" }"] * 3000
    engine.editor.buffer.lines[:] = text
    calls = 0

    def typed() -> bool:
        nonlocal calls
        calls += 1
        return calls > 3

    engine.interrupted = typed
    engine.feed("=")
    with pytest.raises(Interrupted):
        engine.feed("G")
    assert engine.editor.buffer.lines == text
