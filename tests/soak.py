"""`make soak`: for long what the tests do a little of: editors killed while typing, editing and saving with faults.

Prints its seed; `SEED=n` repeats a run. Ends with status 1 and what went wrong.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "recovery"))

from kills import JOURNAL, kill_many
from modelrun import Faults, Run

STEPS_A_RUN = 500


def kills(count: int, seed: int) -> bool:
    """Kill editors while they are typed into; say what came back."""
    with tempfile.TemporaryDirectory() as folder:
        outcomes = kill_many(count, seed, Path(folder))
    ways = collections.Counter(one.way for one in outcomes)
    bad = [one for one in outcomes if one.problem]
    print(
        f"{count} editors killed ({', '.join(f'{n} {way}' for way, n in sorted(ways.items()))}): {len(bad)} lost text"
    )
    for one in bad:
        print(f"  {one.way}: {one.problem}")
    return not bad and ways[JOURNAL] * 5 >= count


def steps(count: int, seed: int) -> bool:
    """Edit and save at random, with faults, beside the model; say where they differ."""
    faults = Faults()
    faults.lay(setattr)
    for run in range(0, count, STEPS_A_RUN):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")
            work = Path(folder) / "work"
            work.mkdir()
            os.chdir(work)
            try:
                Run(work, seed + run, faults).steps(min(STEPS_A_RUN, count - run))
            except Exception as problem:
                print(f"the run with seed {seed + run}: {type(problem).__name__}: {problem}")
                return False
            finally:
                os.chdir("/")
    print(f"{count} steps of editing and saving: all texts and files are those of the model")
    return True


def main() -> int:
    """Run all of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--kills", type=int, default=500)
    options.add_argument("--steps", type=int, default=100_000)
    given = options.parse_args()
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    good = kills(given.kills, given.seed)
    good = steps(given.steps, given.seed) and good
    print(f"{'all is well' if good else 'FAILED'} after {time.monotonic() - began:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
