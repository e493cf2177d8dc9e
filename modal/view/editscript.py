"""The shortest edit script between two sequences of numbers (E. Myers, 1986), made as xdiff and so Vim show it.

Lines are numbers here, equal ones the same. The cost is bounded: what differs too much is cut at lines that both have
once, and what still does is taken as changed whole.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

# An edit script of more steps than this is not looked for, between lines that both have once of fewer.
MOST_STEPS = 200
MOST_STEPS_BETWEEN = 16
# More changed items than this are not slid to where they look best.
MOST_SLID = 30_000

# Items are compared by so many at once.
_BLOCK = 64

Hunk = tuple[int, int, int, int]


def edits(old: Sequence[int], new: Sequence[int]) -> list[Hunk]:
    """Return the parts that differ as `(start, end, new_start, new_end)`, in order, equal parts between."""
    gone, come = bytearray(len(old) + 1), bytearray(len(new) + 1)
    # What the other sequence has not at all is changed, whatever the rest is.
    one, other = _common(old, set(new), gone), _common(new, set(old), come)
    script = _Script([old[at] for at in one], [new[at] for at in other])
    script.compare(0, len(one), 0, len(other))
    for at in script.gone:
        gone[one[at]] = 1
    for at in script.come:
        come[other[at]] = 1
    if gone.count(1) + come.count(1) <= MOST_SLID:
        _slide(old, gone, come)
        _slide(new, come, gone)
    return _hunks(gone, come)


def _common(items: Sequence[int], others: set[int], changed: bytearray) -> list[int]:
    """Return the places of the items that are among the others; the rest is marked."""
    for at, item in enumerate(items):
        if item not in others:
            changed[at] = 1
    return [at for at, item in enumerate(items) if item in others]


def _hunks(gone: bytearray, come: bytearray) -> list[Hunk]:
    hunks = []
    x = y = 0
    ends = len(gone) - 1, len(come) - 1
    while x < ends[0] or y < ends[1]:
        # As many lines are equal as are left before the next change in either.
        next_x, next_y = gone.find(1, x), come.find(1, y)
        same = min(next_x - x if next_x >= 0 else ends[0] - x, next_y - y if next_y >= 0 else ends[1] - y)
        x, y = x + same, y + same
        start, new_start = x, y
        while gone[x]:
            x += 1
        while come[y]:
            y += 1
        if x == start and y == new_start:
            break
        hunks.append((start, x, new_start, y))
    return hunks


class _Script:
    """What is to go from one sequence and to come from the other: a part is split where the shortest way from its
    start meets the shortest from its end."""

    def __init__(self, old: Sequence[int], new: Sequence[int]) -> None:
        self.old, self.new = old, new
        self.gone: list[int] = []
        self.come: list[int] = []

    def compare(self, x: int, x_end: int, y: int, y_end: int, *, anchored: bool = False) -> None:
        """Compare `old[x:x_end]` with `new[y:y_end]`."""
        old, new = self.old, self.new
        same = _run(old, x, new, y, min(x_end - x, y_end - y))
        x, y = x + same, y + same
        same = _run_back(old, x_end, new, y_end, min(x_end - x, y_end - y))
        x_end, y_end = x_end - same, y_end - same
        if x == x_end or y == y_end:
            self.gone.extend(range(x, x_end))
            self.come.extend(range(y, y_end))
            return
        found = _split(old, x, x_end, new, y, y_end, MOST_STEPS_BETWEEN if anchored else MOST_STEPS)
        if found is not None:
            self.compare(x, found[0], y, found[1], anchored=anchored)
            self.compare(found[0], x_end, found[1], y_end, anchored=anchored)
            return
        anchors = [] if anchored else _anchors(old[x:x_end], new[y:y_end])
        for i, j in [*((x + i, y + j) for i, j in anchors), (x_end, y_end)]:
            if anchors:
                self.compare(x, i, y, j, anchored=True)
            else:
                self.gone.extend(range(x, i))
                self.come.extend(range(y, j))
            x, y = i + 1, j + 1


def _split(
    old: Sequence[int], x: int, x_end: int, new: Sequence[int], y: int, y_end: int, most: int
) -> tuple[int, int] | None:
    """Return where the shortest ways from both ends of a part meet; `None` where that takes too many steps."""
    lowest, highest = x - y_end, x_end - y  # diagonals, `x - y`
    low = high = x - y
    low_back = high_back = x_end - y_end
    odd = (low - low_back) & 1
    far = x_end + 1
    ahead, back = {low: x}, {low_back: x_end}
    for _ in range(most):
        low, high = _widened(ahead, low, high, lowest, highest, -1)
        for k in range(high, low - 1, -2):
            i = ahead[k - 1] + 1 if ahead[k - 1] >= ahead[k + 1] else ahead[k + 1]
            j = i - k
            if i < x_end and j < y_end and old[i] == new[j]:
                same = _run(old, i, new, j, min(x_end - i, y_end - j))
                i, j = i + same, j + same
            ahead[k] = i
            if odd and low_back <= k <= high_back and back[k] <= i:
                return i, j
        low_back, high_back = _widened(back, low_back, high_back, lowest, highest, far)
        for k in range(high_back, low_back - 1, -2):
            i = back[k - 1] if back[k - 1] < back[k + 1] else back[k + 1] - 1
            j = i - k
            if i > x and j > y and old[i - 1] == new[j - 1]:
                same = _run_back(old, i, new, j, min(i - x, j - y))
                i, j = i - same, j - same
            back[k] = i
            if not odd and low <= k <= high and i <= ahead[k]:
                return i, j
    return None


def _run(old: Sequence[int], x: int, new: Sequence[int], y: int, most: int) -> int:
    """Return how many items are equal from `x` and `y` on, at most `most`."""
    same = 0
    while most - same >= _BLOCK and old[x + same : x + same + _BLOCK] == new[y + same : y + same + _BLOCK]:
        same += _BLOCK
    while same < most and old[x + same] == new[y + same]:
        same += 1
    return same


def _run_back(old: Sequence[int], x: int, new: Sequence[int], y: int, most: int) -> int:
    """Return how many items are equal before `x` and `y`, at most `most`."""
    same = 0
    while most - same >= _BLOCK and old[x - same - _BLOCK : x - same] == new[y - same - _BLOCK : y - same]:
        same += _BLOCK
    while same < most and old[x - same - 1] == new[y - same - 1]:
        same += 1
    return same


def _widened(reached: dict[int, int], low: int, high: int, lowest: int, highest: int, none: int) -> tuple[int, int]:
    """Return the diagonals of the next step, one more on each side where there is one."""
    if low > lowest:
        low -= 1
        reached[low - 1] = none
    else:
        low += 1
    if high < highest:
        high += 1
        reached[high + 1] = none
    else:
        high -= 1
    return low, high


def _anchors(old: Sequence[int], new: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of places of items that both have exactly once, the most that do not cross."""
    counts, others = Counter(old), Counter(new)
    places = {item: at for at, item in enumerate(new) if others[item] == 1}
    pairs = [(at, places[item]) for at, item in enumerate(old) if counts[item] == 1 and item in places]
    # The longest rising row of places in `new`.
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for number, (_, at) in enumerate(pairs):
        length = bisect_left(ends, at)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [at]
        last[length : length + 1] = [number]
    chain = []
    number = last[-1] if last else -1
    while number >= 0:
        chain.append(pairs[number])
        number = before[number]
    return chain[::-1]


class _Group:
    """A run of changed items, which may be empty, between two equal ones."""

    def __init__(self, changed: bytearray) -> None:
        self.changed = changed
        self.start = 0
        self.end = 0
        while changed[self.end]:
            self.end += 1

    def jump(self, steps: int = 1) -> None:
        """Go `steps` equal items on."""
        while steps:
            following = self.changed.find(1, self.end + 1)
            step = steps if following < 0 else min(steps, following - self.end)
            self.start = self.end = self.end + step
            steps -= step
            while self.changed[self.end]:
                self.end += 1

    def previous(self) -> None:
        """Go to the group of changed items before this one; there must be one."""
        self.start = self.end = self.start - 1
        while self.start and self.changed[self.start - 1]:
            self.start -= 1

    def up(self, items: Sequence[int]) -> bool:
        """Slide up by one item, joining what is met; `False` where that changes the meaning."""
        if not self.start or items[self.start - 1] != items[self.end - 1]:
            return False
        self.start, self.end = self.start - 1, self.end - 1
        self.changed[self.start], self.changed[self.end] = 1, 0
        while self.start and self.changed[self.start - 1]:
            self.start -= 1
        return True

    def down(self, items: Sequence[int]) -> bool:
        """Slide down by one item, joining what is met; `False` where that changes the meaning."""
        if self.end >= len(items) or items[self.start] != items[self.end]:
            return False
        self.changed[self.start], self.changed[self.end] = 0, 1
        self.start, self.end = self.start + 1, self.end + 1
        while self.changed[self.end]:
            self.end += 1
        return True


def _slide(items: Sequence[int], changed: bytearray, others: bytearray) -> None:
    """Let each group of changed items end as low as it can, or beside a change of the other sequence."""
    group, other = _Group(changed), _Group(others)
    while True:
        if group.end > group.start:
            _slide_group(items, group, other)
        following = changed.find(1, group.end)
        if following < 0:
            return
        steps = following - group.end
        group.jump(steps)
        other.jump(steps)


def _slide_group(items: Sequence[int], group: _Group, other: _Group) -> None:
    while True:
        size = group.end - group.start
        while group.up(items):
            other.previous()
        highest = group.end
        matching = group.end if other.end > other.start else -1
        while group.down(items):
            other.jump()
            if other.end > other.start:
                matching = group.end
        if size == group.end - group.start:
            break
    if group.end != highest and matching >= 0:
        while other.end == other.start:
            group.up(items)
            other.previous()
