"""Every built-in key with the largest count: it must not hang, and not make more text than memory can hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tpy.modal import registry
from tpy.modal.assembly import builtin_keymap

COUNT = "999999999"
TEXT = "¦foo bar (baz) [1] {x}\n\n\tindented 12 line. Next one.\n<b>tag</b> \"quoted\" 'q'\nlast word"
ARGUMENTS = {"/": "o<CR>", "?": "o<CR>", ":": "+1<CR>", "!": "cat<CR>", "=": "1<CR>"}
# CPU seconds; each is far below on any machine.
LIMIT = 1.5
MOST_TEXT = 5_000_000
# They stop the program, start another or end the editor.
LEFT_OUT = ("<C-z>", "!", "<C-w>q", "<C-w>c", "ZZ", "ZQ")


def _rows(mode: str) -> Iterator[tuple[str, str]]:
    """Yield the keys of every row of a mode, with an argument where one is asked for, and its kind."""
    for keys, binding in getattr(builtin_keymap(), mode).items():
        name = "".join("<lt>" if key == "<" else key for key in keys)
        if name in LEFT_OUT:
            continue
        tables: dict[str, Any] = {"motion": registry.motions, "action": registry.actions}
        row = tables[binding.kind][binding.names[0]] if binding.kind in tables else None
        want = row.arg if row is not None else None
        yield name + (ARGUMENTS.get(want, "a") if want else ""), binding.kind


def _commands(mode: str) -> Iterator[str]:
    for keys, kind in _rows(mode):
        if mode == "normal" and kind == "operator":
            yield from (f"{COUNT}{keys}{target}" for target in ("w", "j", "ip"))
            yield f"{keys}{COUNT}j"
        elif mode == "normal":
            yield COUNT + keys
            yield f"x{COUNT}{keys}yo<Esc>"
        elif mode == "visual":
            yield from (f"{start}{COUNT}{keys}" for start in ("v", "V", "<C-v>j"))
        else:
            yield f"d{COUNT}{keys}"


@pytest.mark.perf
@pytest.mark.parametrize("mode", ["normal", "visual", "operator"])
def test_every_key_bears_the_largest_count(typist: Callable[..., Any], mode: str) -> None:
    """Each row ends in time, and the engine takes keys afterwards."""
    slow: dict[str, float] = {}
    for keys in _commands(mode):
        typed = typist(TEXT)
        began = time.process_time()
        typed.type(keys + "<Esc><Esc>")
        took = time.process_time() - began
        if took > LIMIT or sum(map(len, typed.lines)) > MOST_TEXT:
            slow[keys] = took
        assert typed.engine.mode in ("n", "i", "R"), keys
    assert not slow


@pytest.mark.perf
@pytest.mark.parametrize(
    "command",
    ["d", "y", ">", "<lt>", "j", "t.", "s/o/x/", "left", "right", "center", "retab", "undo", "earlier", "norm! x"],
)
def test_ex_commands_bear_the_largest_count(typist: Callable[..., Any], command: str) -> None:
    """As a count behind the command and as a number in its range."""
    for keys in (f":{command} {COUNT}<CR>", f":1,{COUNT}{command}<CR>", f":{COUNT}{command}<CR>"):
        typed = typist(TEXT)
        began = time.process_time()
        typed.type(keys + "n<Esc>")
        assert time.process_time() - began < LIMIT, keys
        assert sum(map(len, typed.lines)) < MOST_TEXT
