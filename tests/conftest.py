"""What holds for all tests: random input is the same in every run, so that a run says something of the change alone.

`HYPOTHESIS_PROFILE=random pytest …` looks for new examples.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("random", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))
