"""What lasts is told in the message line with how far it is, and a stop leaves text and file whole."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.progress import AFTER, EVERY, Interrupted, Progress

TEXT = "¦" + "\n".join(f"line {number}" for number in range(5_000))


def told(typed: Any, step: float = AFTER) -> list[str]:
    """Have each look for an interrupt take `step` seconds; the list fills with what is told."""
    shown: list[str] = []
    now = 0.0
    progress = typed.editor.progress

    def interrupted() -> bool:
        nonlocal now
        now += step
        progress.tick()
        return False

    progress.clock, progress.show = lambda: now, shown.append
    typed.engine.interrupted = interrupted
    return shown


@pytest.mark.parametrize(
    "command",
    ["%s/line/LINE/", r"%s/\(e\) \ze\d/\1/g", r"%s/e/\=1+1/", "g/9/s/e/E/|s/1/2/", "g/9/t.", "%norm Ax", "sort"],
)
def test_commands_tell_how_far_they_are(typist: Callable[..., Any], command: str) -> None:
    """The command is named with a share that grows, whatever it does with many lines."""
    typed = typist(TEXT)
    shown = told(typed)
    typed.type(f":{command}<CR>".replace("<Esc>", ""))
    assert shown
    assert all(text.startswith(f":{command}…") and text.endswith("(<C-c> stops)") for text in shown)
    if command != "sort":
        shares = [int(share) for share in re.findall(r"… (\d+)%", " ".join(shown))]
        assert shares == sorted(shares)
        assert shares[-1] >= 50


@pytest.mark.parametrize(("keys", "what"), [("gqG", "Formatting"), ("gg=G", "Indenting")])
def test_operators_tell_how_far_they_are(typist: Callable[..., Any], keys: str, what: str) -> None:
    typed = typist(TEXT)
    shown = told(typed)
    typed.type(keys)
    shares = [int(share) for share in re.findall(rf"{what}… (\d+)%", " ".join(shown))]
    assert len(shares) == len(shown) > 1
    assert shares == sorted(shares)
    assert shares[-1] >= 50


def test_quick_commands_tell_nothing(typist: Callable[..., Any]) -> None:
    """Nothing is said of what takes less than half a second."""
    typed = typist(TEXT)
    shown = told(typed, AFTER / 100)
    typed.type(":%s/line/LINE/<CR>:10,20norm Ax<CR>")
    assert not shown


def test_files_tell_how_far_they_are(typist: Callable[..., Any], tmp_path: Path, monkeypatch: Any) -> None:
    """Reading, searching and writing name the command; a stop in the middle leaves buffer and file as they were."""
    monkeypatch.setattr("tpy.modal.text.encoding._PIECE", 1000)
    names = [tmp_path / f"{number}.txt" for number in range(4)]
    for name in names:
        name.write_text("some text\n" * 1000)
    typed = typist("¦one")
    shown = told(typed)
    typed.type(f":e {names[0]}<CR>")
    assert len(typed.lines) == 1000
    assert shown[0].startswith(f":e {names[0]}… 50%")
    shown.clear()
    typed.type(f":w! {names[1]}<CR>")
    assert shown
    assert shown[-1].startswith(f":w! {names[1]}… 100%")
    shown.clear()
    typed.type(f":vimgrep /text/j {tmp_path}/*.txt<CR>")
    assert [text.split("…")[1][:4].strip() for text in shown][:1] == ["0%"]
    assert "75%" in shown[-1]

    typed.engine.interrupted = lambda: True
    typed.editor.buffer.set_line(0, "changed")
    for command in (f":w! {names[2]}<CR>", f":e! {names[3]}<CR>", ":w<CR>"):
        with pytest.raises(Interrupted):
            typed.type(command)
        typed.engine.stop_all()
    assert typed.lines[0] == "changed"
    assert typed.editor.buffer.modified
    assert [name.read_text() for name in names] == ["some text\n" * 1000] * 4
    assert not [path for path in tmp_path.iterdir() if path not in names]


def test_what_is_part_of_something_else_is_not_named() -> None:
    """The outermost name counts, one without a name is `Working`; the time begins with the outermost."""
    now, shown = 0.0, []
    progress = Progress(lambda: now)
    progress.show = shown.append
    with progress.of():
        now = AFTER
        progress.tick()
        with progress.of("Outer"), progress.of("Inner"):
            progress.at(1, 3)
            now += EVERY / 2
            progress.tick()
            now += EVERY
            progress.tick()
    progress.tick()
    assert shown == ["Working… (<C-c> stops)", "Outer… 33% (<C-c> stops)"]
