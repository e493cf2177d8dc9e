"""`make rowcheck`: take every registry row away in turn and see that some test fails without it.

    python tests/rowcheck.py [KIND:NAME …]      # `protocol` stands for all rows of the protocol

First everything runs once with the use of rows noted: Vim's recorded cases, and the in-process tests. Then, for each
row, a process of its own removes the row and runs what used it, until something fails. A row that nothing misses is
reported, and the exit status is 1.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "oracle"), str(HERE / "screen")]

import acprows  # noqa: E402
import rowtrace  # noqa: E402
from cases import cases, differences  # noqa: E402

from tpy.modal.headless import run_case  # noqa: E402

# The tests that run in one process and so can miss a row.
FOLDERS = ("engine/test_cases.py", "ex", "agent", "acp")
# Those among them that can miss a row of the protocol.
PROTOCOL_FOLDERS = ("agent", "acp")
JOBS = os.cpu_count() or 1
# So many witnesses of each kind are tried for a row before it counts as missed by nobody.
MOST_CASES, MOST_TESTS = 40, 12

NAMES = json.loads((HERE / "oracle" / "names.json").read_text(encoding="utf-8"))

Witnesses = dict[str, list[str]]


class _Noting:
    """A pytest plugin that keeps which rows each test used, and whether it passed."""

    def __init__(self) -> None:
        self.by_row: Witnesses = {}
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        rowtrace.used.clear()
        start = time.perf_counter()
        yield
        self.seconds[item.nodeid] = time.perf_counter() - start
        for row in rowtrace.used:
            self.by_row.setdefault(row, []).append(item.nodeid)


def trace_cases() -> Witnesses:
    """Return, for each row, the ids of Vim's cases that pass and use it."""
    by_row: Witnesses = {}
    for name, case in cases().items():
        rowtrace.used.clear()
        if not differences(case["want"], run_case(case)):
            for row in rowtrace.used:
                by_row.setdefault(row, []).append(name)
    return by_row


def trace_tests(names: tuple[str, ...]) -> Witnesses:
    """Return, for each row, the tests in these folders that pass and use it, quickest first."""
    noting = _Noting()
    folders = [str(HERE / folder) for folder in names if (HERE / folder).exists()]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-q", "-p", "no:cacheprovider", *folders], plugins=[noting])
    for name in sorted(noting.failed):
        print(f"{name} fails already and proves nothing")
    return {
        row: sorted((test for test in tests if test not in noting.failed), key=lambda test: noting.seconds[test])
        for row, tests in noting.by_row.items()
    }


def by_name(row: str) -> list[str]:
    """Return the tests that look a row up by its name, as Vim has it: commands, options, keys."""
    kind, _, name = row.partition(":")
    if kind == "command" and name in NAMES["commands"]:
        return [f"{HERE}/oracle/test_names.py::test_commands_are_as_short_as_in_vim[{name}]"]
    if kind == "option":
        return [f"{HERE}/oracle/test_names.py::test_options_have_the_names_and_defaults_of_vim[{name}]"]
    if name.startswith("agent-"):
        return [f"{HERE}/agent/test_places.py"]
    if kind in ("key", "action", "motion", "operator", "textobject"):
        return [f"{HERE}/oracle/test_index.py"]
    return []


def missed_by_nobody(row: str, by_case: Witnesses, by_test: Witnesses) -> bool:
    """Remove the row (in this process, for good) and return whether nothing fails."""
    rowtrace.remove(row)
    for name in by_case.get(row, [])[:MOST_CASES]:
        case = cases()[name]
        try:
            if differences(case["want"], run_case(case)):
                return False
        except Exception:
            return False
    tests = [*by_name(row), *by_test.get(row, [])[:MOST_TESTS]]
    if not tests:
        return True
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return pytest.main(["-q", "-x", "-p", "no:cacheprovider", *tests]) == 0


def check(rows: list[str], by_case: Witnesses, by_test: Witnesses) -> list[str]:
    """Return the rows that nothing misses; each is tried in a process of its own."""
    running: dict[int, str] = {}
    missed: list[str] = []
    waiting = list(reversed(rows))
    while waiting or running:
        while waiting and len(running) < JOBS:
            row = waiting.pop()
            child = os.fork()
            if child == 0:
                os._exit(1 if missed_by_nobody(row, by_case, by_test) else 0)
            running[child] = row
        child, status = os.wait()
        row = running.pop(child, "")  # a process that a test has left is none of ours
        if status and row:
            missed.append(row)
            why = "no test fails without it" if row in by_case or row in by_test else "no test uses it"
            print(f"{row}: {why}", flush=True)
    return missed


def main() -> int:
    """Check all rows, or those that are named."""
    start = time.monotonic()
    os.chdir(tempfile.mkdtemp(prefix="tpy-rowcheck-"))  # what a case writes, it writes there
    rowtrace.watch()
    named = [row.key for row in acprows.rows() if row.ours] if "protocol" in sys.argv else sys.argv[1:]
    rows = named or rowtrace.rows()
    if all(row.partition(":")[0] in acprows.KINDS for row in rows):
        by_case, by_test = {}, trace_tests(PROTOCOL_FOLDERS)
    else:
        by_case, by_test = trace_cases(), trace_tests(FOLDERS)
    missed = check(rows, by_case, by_test)
    print(f"{len(rows)} rows, {len(missed)} that nothing misses, {time.monotonic() - start:.0f} s")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
