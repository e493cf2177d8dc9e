"""The undo tree as bytes: what comes back, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.text.test_undo import LINES, STEPS, walk

from tpy.modal.text.buffer import Buffer
from tpy.modal.text.undofile import MAGIC, BadUndoFile, dump, load


@given(LINES, STEPS)
def test_a_tree_comes_back_whole(lines: list[str], steps: list[tuple[str, int, list[str]]]) -> None:
    walker = walk(lines, steps)
    written = walker.buffer
    again = Buffer(list(written.lines), clock=lambda: 0.0)
    again.undo = load(dump(written.undo, written.lines), again.lines, lambda: 0.0)
    assert again.undo.current == written.undo.current
    for number in range(len(again.undo.steps)):
        again.go_to(number)
        assert again.lines == walker.texts[number]


def tree_of(text: str) -> bytes:
    """Return the undo file of a buffer in which something was typed."""
    buffer = Buffer([text], clock=lambda: 0.0)
    buffer.set_line(0, text + "!")
    return dump(buffer.undo, buffer.lines)


def test_bytes_that_are_no_text_survive() -> None:
    buffer = Buffer(["\udcff!"])
    tree = load(tree_of("\udcff"), buffer.lines, lambda: 0.0)
    assert tree.steps[1].splices[0].old == ("\udcff",)


def test_another_text_is_refused() -> None:
    with pytest.raises(BadUndoFile, match="changed"):
        load(tree_of("a"), ["b!"], lambda: 0.0)


@pytest.mark.parametrize("data", [b"", b"x", MAGIC, MAGIC + b"[]", MAGIC + b"{}", MAGIC + b'{"text": 1}'])
def test_what_is_no_undo_file_is_refused(data: bytes) -> None:
    with pytest.raises(BadUndoFile):
        load(data, ["a"], lambda: 0.0)


@given(st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_file_is_refused_or_harmless(at: int, byte: int) -> None:
    data = bytearray(tree_of("abc"))
    data[at % len(data)] = byte
    buffer = Buffer(["abc!"])
    try:
        buffer.undo = load(bytes(data), buffer.lines, lambda: 0.0)
    except BadUndoFile:
        return
    assert 0 <= buffer.undo.current < len(buffer.undo.steps)


def test_writes_and_empty_buffers_come_back() -> None:
    buffer = Buffer(["one"], clock=lambda: 0.0)
    buffer.undo.writes.add(0)
    buffer.delete(0, 1)
    tree = load(dump(buffer.undo, buffer.lines), buffer.lines, lambda: 0.0)
    assert tree.writes == {0}
    assert tree.steps[1].empty_after
    assert not tree.steps[1].empty_before


def test_a_cut_file_is_refused() -> None:
    data = tree_of("abc")
    for size in range(len(data)):
        with pytest.raises(BadUndoFile):
            load(data[:size], ["abc!"], lambda: 0.0)
