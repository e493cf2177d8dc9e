"""`make fuzz-vim`: random sequences in the editor and in real Vim, what differs cut down to the shortest case.

    python tests/fuzz/run.py [--seed N] [--cases N] [--seconds N] [--found FILE] [--coverage]
                             [--rows PATTERN] [--option NAME=VALUE]

`--rows '^key:visual:' --option virtualedit=block` draws only the keys of Visual mode, with that option in every case.
Prints the seed and each difference with the shortest keys and text that show it. What is
found becomes a line of `tests/oracle/found.jsonl` with Vim's answer, once it is understood.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
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

Case = dict[str, Any]
# What a case of our own may take, in seconds: it is far less, but a loop that never ends must be seen.
LIMIT = 10


class TooSlow(Exception):
    """A case took longer than `LIMIT`."""


def _too_slow(number: int, frame: object) -> None:
    raise TooSlow(f"more than {LIMIT} s")


def ours(case: Case) -> dict[str, Any]:
    """Return what we do with a case; `fail` says why it could not be done."""
    signal.signal(signal.SIGALRM, _too_slow)
    signal.alarm(LIMIT)
    try:
        return run_case(case)
    except Exception as error:
        return {"fail": f"{type(error).__name__}: {error}"}
    finally:
        signal.alarm(0)


def comparable(want: dict[str, Any] | None) -> bool:
    """Whether Vim came to an end without a question, with one window, and without codes of keys in the text: its own
    or those that keys are typed with here."""
    if want is None or want["asked"] or want["windows"] > 1:
        return False
    codes = {"\x80", "\ufffd", *realvim.CODES.values()}
    return not any(codes & set(line) for line in want["text"])


def differs(case: Case) -> list[str] | None:
    """Return what differs between Vim and us, `None` where that cannot be said."""
    want = realvim.ask(case)
    if want is None or not comparable(want):
        return None
    return differences(want, ours(case))


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


def check(case: Case) -> tuple[Case | None, list[str]]:
    """Return the shortest form of a case that differs, with what differs; ["?"] where nothing can be said."""
    found = differs(case)
    if found is None:
        return None, ["?"]
    if not found or not differs(case):
        return None, []
    small = shortest(case)
    return small, differs(small) or found


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()), help="decides all cases")
    parser.add_argument("--cases", type=int, default=100_000, help="how many at most")
    parser.add_argument("--seconds", type=float, default=60, help="how long at most")
    parser.add_argument("--jobs", type=int, default=4 * (os.cpu_count() or 1), help="how many at a time")
    parser.add_argument("--found", type=Path, help="file to add what differs to, with Vim's answers")
    parser.add_argument("--rows", default="", help="draw only the rows this regular expression is found in")
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE, set in every case")
    parser.add_argument("--coverage", action="store_true", help="print how often each row was drawn")
    return parser.parse_args()


def _recorded(case: Case) -> str:
    want = realvim.ask(case) or {}
    kept = {key: case[key] for key in ("id", "group", "text", "cursor", "keys", "options") if key in case}
    fields = ("text", "cursor", "mode", "registers", "regtype", "opaque", "visual", "cmdline")
    answer = {key: want[key] for key in fields if key in want and (key != "opaque" or want[key])}
    return json.dumps({**kept, "want": answer}, ensure_ascii=False) + "\n"


def main() -> int:
    """Run, print, return 1 when something differs."""
    options = _arguments()
    if realvim.VIM is None:
        print("no vim on this machine: nothing compared")
        return 0
    # What a sequence writes, it writes there.
    os.chdir(tempfile.mkdtemp(prefix="tpy-fuzz-"))
    source, end = (
        Source(options.seed, options.rows, dict(one.split("=", 1) for one in options.option)),
        time.monotonic() + options.seconds,
    )
    print(f"seed {options.seed}", flush=True)
    ran = commands = unsaid = 0
    found: list[Case] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        while ran < options.cases and time.monotonic() < end:
            batch = [source.case(f"f-{options.seed}-{ran + n}") for n in range(min(100, options.cases - ran))]
            ran += len(batch)
            commands += sum(len(case["commands"]) for case in batch)
            for small, names in pool.map(check, batch, chunksize=2):
                unsaid += names == ["?"]
                if small is not None:
                    found.append(small)
                    text = json.dumps(small["text"], ensure_ascii=False)
                    print(f"{small['id']}: {small['keys']!r} {names}\n  {text} {small['cursor']}", flush=True)
    counts = [source.drawn[row] for row in source.rows]
    if options.coverage:
        print("".join(f"{source.drawn[row]:6} {row}\n" for row in source.rows), end="")
    print(f"{ran} cases, {commands / max(ran, 1):.1f} commands each, {unsaid} not comparable (Vim asked something)")
    print(f"{len(counts)} rows of the scope drawn {min(counts)} to {max(counts)} times")
    print(f"{len(found)} differ, {100 * len(found) / max(ran, 1):.2f} %")
    if options.found is not None:
        with options.found.open("a", encoding="utf-8") as out:
            out.writelines(_recorded(case) for case in found)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
