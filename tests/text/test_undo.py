"""Laws of the undo tree: every state is found again, whatever way leads there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.text.buffer import EX, Buffer
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice

LINES = st.lists(st.sampled_from(["", "a", "b", "  c", "d\te"]), max_size=4)


class Walker:
    """A buffer with the text of every state its undo tree knows, by number."""

    def __init__(self, lines: list[str]) -> None:
        self.buffer = Buffer(list(lines) or [""], clock=lambda: 0.0)
        self.texts = {0: list(self.buffer.lines)}

    def change(self, first: int, count: int, new: list[str]) -> None:
        """Replace lines and note the state that gives."""
        buffer = self.buffer
        first %= len(buffer.lines) + 1
        last = min(first + count, len(buffer.lines))
        buffer.replace(first, last, new)
        self.texts[buffer.undo.current] = list(buffer.lines)


ACTS = st.sampled_from(["change", "change", "undo", "redo", "go", "seal"])
STEPS = st.lists(st.tuples(ACTS, st.integers(0, 9), LINES), max_size=25)


def walk(lines: list[str], steps: list[tuple[str, int, list[str]]]) -> Walker:
    """Do the steps one after the other."""
    walker = Walker(lines)
    buffer = walker.buffer
    for what, number, new in steps:
        if what == "change":
            walker.change(number, number % 3, new)
        elif what == "undo":
            buffer.undo_once()
        elif what == "redo":
            buffer.redo_once()
        elif what == "go":
            buffer.go_to(number % len(buffer.undo.steps))
        else:
            buffer.undo.seal()
    return walker


@given(LINES, STEPS)
def test_every_state_has_the_text_it_had(lines: list[str], steps: list[tuple[str, int, list[str]]]) -> None:
    walker = walk(lines, steps)
    buffer = walker.buffer
    assert buffer.lines == walker.texts[buffer.undo.current]
    for number in [*range(len(buffer.undo.steps)), *reversed(range(len(buffer.undo.steps)))]:
        buffer.go_to(number)
        assert buffer.lines == walker.texts[number]


@given(LINES, STEPS)
def test_undo_and_redo_lead_back(lines: list[str], steps: list[tuple[str, int, list[str]]]) -> None:
    buffer = walk(lines, steps).buffer
    text, state = list(buffer.lines), buffer.undo.current
    undone = 0
    while buffer.undo_once() is not None:
        undone += 1
    assert buffer.undo.current == 0
    for _ in range(undone):
        assert buffer.redo_once() is not None
    assert buffer.undo.current == state
    assert buffer.lines == text


@given(LINES, STEPS)
def test_an_exception_inside_a_step_takes_its_changes_back(
    lines: list[str], steps: list[tuple[str, int, list[str]]]
) -> None:
    buffer = walk(lines, steps).buffer
    text = list(buffer.lines)

    def fail() -> None:
        with buffer.step("test", EX):
            buffer.insert(0, ["new"])
            buffer.set_line(len(buffer.lines) - 1, "other")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert buffer.lines == text


def test_typing_in_one_line_is_one_splice() -> None:
    buffer = Buffer(["", "x"])
    for text in ("a", "ab", "abc"):
        buffer.set_line(0, text)
    buffer.replace(0, 1, ["abc", "d"])
    assert buffer.undo.steps[1].splices == [Splice(0, ("",), ("abc", "d"))]


def test_modified_means_another_state_than_the_saved_one() -> None:
    buffer = Buffer(["a"])
    buffer.set_line(0, "b")
    buffer.undo.mark_saved()
    assert not buffer.modified
    buffer.undo_once()
    assert buffer.modified
    buffer.redo_once()
    assert not buffer.modified


def test_marks_come_back_with_their_lines() -> None:
    buffer = Buffer(["a", "b", "c"])
    buffer.marks.set("m", Pos(1, 0))
    buffer.delete(0, 3)
    assert buffer.marks.get("m") is None
    buffer.undo_once()
    assert buffer.marks.get("m") == Pos(1, 0)


def test_a_buffer_without_lines_is_told_from_one_empty_line() -> None:
    buffer = Buffer(["a"])
    buffer.set_line(0, "")
    assert not buffer.no_lines
    buffer.delete(0, 1)
    assert buffer.no_lines
    assert buffer.lines == [""]
    buffer.undo_once()
    assert not buffer.no_lines
    buffer.redo_once()
    assert buffer.no_lines
