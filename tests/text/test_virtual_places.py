"""Places beyond the text: how they compare, and what drops their cells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.text.position import Pos, Virtual, beyond

PLACES = st.builds(beyond, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))


def _cell(place: Pos) -> tuple[int, int, int]:
    return (place.line, place.col, place.add)


@given(PLACES, PLACES)
def test_places_are_ordered_by_their_cells(one: Pos, other: Pos) -> None:
    assert (one == other) == (_cell(one) == _cell(other))
    assert (one != other) == (_cell(one) != _cell(other))
    assert (one < other) == (_cell(one) < _cell(other))
    assert (one <= other) == (_cell(one) <= _cell(other))
    assert (one > other) == (_cell(one) > _cell(other))
    assert (one >= other) == (_cell(one) >= _cell(other))
    if one == other:
        assert hash(one) == hash(other)


@given(PLACES)
def test_who_does_not_ask_gets_the_character(place: Pos) -> None:
    line, col = place
    assert Pos(line, col) == Pos(*place)
    assert Pos(*place).add == 0
    assert isinstance(place, Virtual) == (place.add > 0)


def test_a_moved_line_leaves_the_character() -> None:
    moved = beyond(1, 2, 3)._replace(line=5)
    assert moved == Pos(5, 2)
    assert Pos(5, 2) == moved
    assert moved.add == 0
