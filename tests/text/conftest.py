"""What the tests of `modal/text` share: the folder on the path of imports, a step counter as stop signal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def stop_after() -> Callable[[int], Callable[[], bool]]:
    """Return a maker of stop signals that answer True from the n-th question on."""

    def make(count: int) -> Callable[[], bool]:
        asked = iter(range(count))
        return lambda: next(asked, None) is None

    return make
