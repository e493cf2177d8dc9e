"""What holds for all tests: random input is the same in every run, so that a run says something of the change alone.

`HYPOTHESIS_PROFILE=random pytest …` looks for new examples.
"""

from __future__ import annotations

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

# Neither the time of an example nor that of making them says anything on a machine that has other work.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("same", derandomize=True, **UNTIMED)
settings.register_profile("random", **UNTIMED)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_collection_finish() -> None:
    """The tests themselves, some hundred megabytes of objects, are no garbage: the collector need not look at them."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)  # as the editor does


@pytest.fixture(autouse=True)
def heap_of_its_own(request: pytest.FixtureRequest) -> None:
    """What a `perf` test measures is not the garbage collector going through what thousands of other tests left.

    The editor freezes its own heap after start-up in the same way.
    """
    if request.node.get_closest_marker("perf"):
        gc.freeze()
