"""`make fuzz-vim`: random sequences in the editor and in real Vim, what differs cut down to the shortest case.

    python tests/fuzz/run.py [--seed N] [--cases N] [--seconds N] [--found FILE]

Prints the seed, how often every row was drawn, and each difference with the shortest keys and text that show it. What is
found becomes a line of `tests/oracle/found.jsonl` with Vim's answer, once it is understood.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "oracle")]

import realvim  # noqa: E402
from cases import differences  # noqa: E402
from sequences import Source  # noqa: E402

from tpy.modal.headless import run_case  # noqa: E402

# Differences of these kinds are understood and stand in docs/differences.md: part of the keys -> why.
Case = dict[str, Any]


def differs(case: Case) -> list[str]:
    """Return what differs between Vim and us, empty when nothing does or Vim did not end."""
    want = realvim.ask(case)
    if want is None or want["mode"].startswith("r") or want["windows"] > 1:
        return []
    try:
        got = run_case(case)
    except Exception as error:
        got = {"fail": f"{type(error).__name__}: {error}"}
    return differences(want, got)


def shortest(case: Case, most: int = 60) -> Case:
    """Return the case with as few commands and lines as still differ, trying at most `most` smaller ones."""
    best, tries = case, 0
    smaller = True
    while smaller and tries < most:
        smaller = False
        for fewer in _fewer(best):
            tries += 1
            if differs(fewer):
                best, smaller = fewer, True
                break
            if tries >= most:
                break
    return best


def _fewer(case: Case) -> list[Case]:
    commands, text = case["commands"], case["text"]
    found = [
        {**case, "commands": kept, "keys": "".join(kept)}
        for at in range(len(commands))
        if (kept := commands[:at] + commands[at + 1 :])
    ]
    row, column = case["cursor"]
    for at in range(len(text)):
        if len(text) > 1 and at + 1 != row:
            found.append({**case, "text": text[:at] + text[at + 1 :], "cursor": [row - (at + 1 < row), column]})
    return found


def check(case: Case) -> tuple[Case, list[str]] | None:
    """Return the shortest form of a case that differs, with what differs; `None` when it agrees."""
    if not differs(case):
        return None
    small = shortest(case)
    return small, differs(small) or differs(case)


def main() -> int:
    """Run, print, return 1 when something differs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--found", type=Path)
    options = parser.parse_args()
    if realvim.VIM is None:
        print("no vim on this machine: nothing compared")
        return 0
    source, end = Source(options.seed), time.monotonic() + options.seconds
    print(f"seed {options.seed}")
    ran = commands = 0
    found: list[tuple[Case, list[str]]] = []
    with ProcessPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        while ran < options.cases and time.monotonic() < end:
            batch = [source.case(f"f-{options.seed}-{ran + n}") for n in range(min(200, options.cases - ran))]
            ran += len(batch)
            commands += sum(len(case["commands"]) for case in batch)
            for result in pool.map(check, batch, chunksize=4):
                if result is not None:
                    found.append(result)
                    print(
                        f"{result[0]['id']}: {result[0]['keys']!r} {result[1]}\n  {json.dumps(result[0]['text'], ensure_ascii=False)} {result[0]['cursor']}",
                        flush=True,
                    )
    counts = [source.drawn[row] for row in source.rows]
    print(
        f"{ran} cases, {commands / max(ran, 1):.1f} commands each, {len(counts)} rows drawn {min(counts)} to {max(counts)} times"
    )
    print(f"{len(found)} differ, {100 * len(found) / max(ran, 1):.2f} %")
    if options.found is not None:
        with options.found.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(case, ensure_ascii=False) + "\n" for case, _ in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
