"""Three-way merge."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.text.merge import Conflict, merge3

LINES = st.lists(st.sampled_from("abcd"), max_size=8)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "merged"),
    [
        ("abcdef", "aBcdef", "abcdEf", "aBcdEf"),
        ("abcdef", "xabcdef", "abcdefy", "xabcdefy"),
        ("abc", "aXc", "aXc", "aXc"),
        ("abcdef", "acdef", "abcde", "acde"),
        ("ab", "Ab", "aB", "AB"),
        ("", "x", "", "x"),
        ("", "", "y", "y"),
    ],
)
def test_changes_apart_are_joined(base: str, mine: str, theirs: str, merged: str) -> None:
    assert merge3(list(base), list(mine), list(theirs)) == list(merged)


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "place"),
    [
        ("abc", "aXc", "aYc", (1, 2)),
        ("abc", "ac", "aYc", (1, 2)),
        ("ab", "aXb", "aYb", (1, 1)),
        ("ab", "aXb", "aB", (1, 2)),
        ("", "x", "y", (0, 0)),
    ],
)
def test_changes_in_one_place_are_a_conflict(base: str, mine: str, theirs: str, place: tuple[int, int]) -> None:
    assert merge3(list(base), list(mine), list(theirs)) == Conflict(*place)


@given(LINES, LINES)
def test_one_side_alone_wins(base: list[str], changed: list[str]) -> None:
    assert merge3(base, changed, base) == changed
    assert merge3(base, base, changed) == changed
    assert merge3(base, changed, changed) == changed


@given(LINES, LINES, LINES)
def test_both_orders_agree(base: list[str], mine: list[str], theirs: list[str]) -> None:
    one, other = merge3(base, mine, theirs), merge3(base, theirs, mine)
    assert one == other


@given(LINES, LINES, LINES, LINES)
def test_edits_in_different_parts_never_conflict(
    head: list[str], tail: list[str], head2: list[str], tail2: list[str]
) -> None:
    rest = ["="] * 3
    merged = merge3(head + rest + tail, head2 + rest + tail, head + rest + tail2)
    assert merged == head2 + rest + tail2


def test_a_huge_middle_is_one_change() -> None:
    base = [str(n) for n in range(20_000)]
    mine = ["x", *base]
    theirs = [*base[:5_000], *(f"new {n}" for n in range(9_000)), *base[14_000:]]
    assert merge3(base, mine, theirs) == ["x", *theirs]
