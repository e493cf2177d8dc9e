"""AGENTS §7: Markdown is shown as such: the columns of tables stand below each other."""

from __future__ import annotations

import pytest
from agentworld import World
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.tables import align, cells
from tpy.modal.editor import Editor
from tpy.modal.text.width import column_of

RAW = ["|name|count|note|", "|:--|--:|:-:|", "|a|1|x|", "| longer \u6f22 | 1000 |"]
ALIGNED = [
    "| name      | count | note |",
    "| :-------- | ----: | :--: |",
    "| a         |     1 |  x   |",
    "| longer \u6f22 |  1000 |      |",
]


def test_columns_stand_below_each_other() -> None:
    assert align(RAW, 80) == ALIGNED
    assert align(ALIGNED, 80) == ALIGNED


@pytest.mark.parametrize(
    "rows",
    [RAW[:1], ["|a|b|", "|c|d|"], ["|a|", "||"], ["|x|", "|-|"] + ["|y|"] * 2000],
    ids=["one row", "no rule", "empty rule", "very long"],
)
def test_what_is_no_table_stays(rows: list[str]) -> None:
    assert align(rows, 80) == rows


def test_a_table_that_would_be_too_wide_stays() -> None:
    assert align(RAW, 27) == RAW
    assert align(RAW, 28) == ALIGNED


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("| a | b |", ["a", "b"]),
        ("|a|b", ["a", "b"]),
        ("| `x|y` | b |", ["`x", "y`", "b"]),
        (r"| a \| b | c |", [r"a \| b", "c"]),
        ("|  | b |", ["", "b"]),
        ("|", []),
        ("| a \\", ["a \\"]),
    ],
)
def test_cells_of_a_row(row: str, found: list[str]) -> None:
    assert cells(row) == found


@given(st.lists(st.lists(st.text("ab |`\\\u6f22", max_size=5), min_size=1, max_size=4), min_size=1, max_size=6))
def test_aligning_changes_blanks_alone(table: list[list[str]]) -> None:
    rows = ["|" + "|".join(row) + "|" for row in table]
    rows.insert(1, "|" + "---|" * max(map(len, table)))
    aligned = align(rows, 1000)
    assert [cells(row) for row in aligned[:1] + aligned[2:]] == [cells(row) for row in rows[:1] + rows[2:]]
    if aligned != rows:
        assert len({column_of(row, len(row), 8) for row in aligned}) == 1
    assert align(aligned, 1000) == aligned


@given(st.lists(st.integers(1, 9), max_size=20))
def test_a_streamed_table_is_aligned_however_it_is_cut(sizes: list[int]) -> None:
    editor = Editor()
    editor.layout.arrange(40, 100)
    talk = Conversation(editor.buffer, editor.windows)
    item = talk.message("agent", "Bob")
    text = "before\n" + "\n".join(RAW) + "\n\nafter"
    for size in [*sizes, len(text)]:
        talk.append(item, text[:size])
        text = text[size:]
    assert talk.buffer.lines == ["Bob", "before", *ALIGNED, "", "after"]


def test_a_table_at_the_end_of_a_turn_is_aligned(world: World) -> None:
    world.agent("Bob", [["say", "\n".join(RAW)]])
    world.start()
    world.say("|as|typed|\n|-|-|")
    world.idle()
    assert world.shown[-4:] == ALIGNED
    assert "|as|typed|" in "".join(world.shown)
