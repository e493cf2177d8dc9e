"""`make soak`: what the tests do a little of, for long: editors killed while typing.

Prints its seed; `SEED=n` repeats a run. Ends with status 1 and what went wrong.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "recovery"))

from kills import JOURNAL, kill_many


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


def main() -> int:
    """Run all of it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    options.add_argument("--kills", type=int, default=500)
    given = options.parse_args()
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    good = kills(given.kills, given.seed)
    print(f"{'all is well' if good else 'FAILED'} after {time.monotonic() - began:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
