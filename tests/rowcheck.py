"""`make rowcheck`: take every registry row away in turn and see that some test fails without it.

    python tests/rowcheck.py [KIND:NAME …]

`protocol` stands for all rows of the protocol, `agent` for what the editor has for agents, `editor` for the rest.

First everything runs once with the use of rows noted: Vim's recorded cases, and the in-process tests. Then, for each
row, a process of its own removes the row and runs what used it, until something fails. At last each test that failed
runs in a process of its own with all rows there, and must pass. A row that nothing misses is reported, and the exit
status is 1.

pytest collects once; all processes are forked from there, so each begins with the same state and loads nothing.
"""

from __future__ import annotations

import gc
import importlib
import inspect
import json
import os
import pkgutil
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, TextIO

import pytest

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "oracle"), str(HERE / "screen")]

import acprows  # noqa: E402
import rowtrace  # noqa: E402
from cases import cases, differences  # noqa: E402

import tpy  # noqa: E402
from tpy.modal.headless import run_case  # noqa: E402

# The tests that run in one process and prove what rows do. Those that look rows up by name are not among them.
FOLDERS = "engine ex ui agent acp".split()
# Those among them that can miss a row of the protocol, or one that is about agents.
AGENT_FOLDERS = ["agent", "acp"]
# Those among them that are about no row: random messages, floods, speed, rows looked up by name.
LEFT_OUT = [
    *(f"acp/test_{name}.py" for name in ("fuzz", "bench", "replay", "jsonrpc", "transport")),
    *(f"ui/test_{name}.py" for name in "clusters frames highlight holding keydecode loop screen stage0 theme".split()),
    *(f"engine/test_{name}.py" for name in ("bad_input", "bulk", "huge_counts", "interrupts", "keymaps_file", "laws")),
]
JOBS = os.cpu_count() or 1
# So many witnesses of each kind are tried for a row before it counts as missed by nobody.
MOST_CASES, MOST_TESTS = 400, 60
# Seconds a test may take when a row is gone; it then counts as failed.
LIMIT = 30

Witnesses = dict[str, list[str]]


def in_processes(work: Iterable[tuple[str, Callable[[], str]]]) -> Iterator[tuple[str, str]]:
    """Do pieces of work in forked processes, `JOBS` at a time; yield each one's name with what it returned.

    A process that ends without an answer has crashed, which is the answer "crash".
    """
    with tempfile.TemporaryDirectory(prefix="tpy-rowcheck-") as answers:
        waiting, running = iter(work), {}
        more = True
        while more or running:
            while more and len(running) < JOBS:
                name, function = next(waiting, ("", str))
                more = bool(name)
                if not more:
                    break
                child = os.fork()
                if child == 0:
                    try:
                        answer = function()
                        Path(answers, str(os.getpid())).write_text(answer, encoding="utf-8")
                    finally:
                        os._exit(0)
                running[child] = name
            if running:
                child, _ = os.wait()
                if child in running:  # a process that a test has left is none of ours
                    path = Path(answers, str(child))
                    yield running.pop(child), path.read_text(encoding="utf-8") if path.exists() else "crash"


class RowCheck:
    """A pytest plugin that takes the place of running the tests. `missed` is what it found."""

    def __init__(self, rows: list[str], out: TextIO) -> None:
        self.rows = rows
        self.out = out
        self.missed: list[str] = []
        self.items: dict[str, pytest.Item] = {}
        self.failed = self.done = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that the test that runs has failed."""
        self.failed = self.failed or report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Trace, remove each row, and run alone what failed."""
        self.items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        by_case, by_test = self.traced()
        alone: dict[str, list[str]] = {}
        work = ((row, lambda row=row: self.who_misses(row, by_case, by_test)) for row in self.rows)
        for row, answer in in_processes(work):
            if answer in self.items:
                alone.setdefault(answer, []).append(row)
            elif not answer:
                why = "no test fails without it" if row in by_case or row in by_test else "no test uses it"
                self.report(row, why)
        for test, answer in in_processes((test, lambda test=test: self.run(test)[0]) for test in alone):
            if answer:
                for row in alone[test]:
                    self.report(row, f"{test} fails without it, but also alone")
        self.done = True
        return True

    def report(self, row: str, why: str) -> None:
        """Tell that nothing misses a row."""
        self.missed.append(row)
        print(f"{row}: {why}", file=self.out, flush=True)

    def run(self, test: str) -> tuple[str, float]:
        """Run a test; return "failed" or "", and the seconds."""
        self.failed = False
        start = time.perf_counter()
        item = self.items[test]
        try:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        except BaseException:  # also where the test, or what it tests, would end the process
            self.failed = True
        return "failed" if self.failed else "", time.perf_counter() - start

    def traced(self) -> tuple[Witnesses, Witnesses]:
        """Return, for each row, the cases that use it and pass, and such tests, quickest first."""
        names = [*cases(), *self.items] if _needs_cases(self.rows) else list(self.items)
        shares = {str(number): names[number::JOBS] for number in range(JOBS)}
        by_case: Witnesses = {}
        timed: dict[str, list[tuple[float, str]]] = {}
        work = ((number, lambda share=share: json.dumps(list(self.trace(share)))) for number, share in shares.items())
        for _, answer in in_processes(work):
            if answer == "crash":
                raise RuntimeError("the tests do not run to their end; see `make test`")
            for name, failed, seconds, used in json.loads(answer):
                if failed:
                    print(f"{name} fails already and proves nothing", file=self.out, flush=True)
                    continue
                for row in used:
                    if name in self.items:
                        timed.setdefault(row, []).append((seconds, name))
                    else:
                        by_case.setdefault(row, []).append(name)
        return by_case, {row: [name for _, name in sorted(tests)] for row, tests in timed.items()}

    def trace(self, names: list[str]) -> Iterator[tuple[str, str, float, list[str]]]:
        """Run cases and tests; yield for each whether it failed, its seconds and the rows it used."""
        for name in names:
            rowtrace.used.clear()
            failed, seconds = self.run(name) if name in self.items else (_case_fails(name), 0.0)
            yield name, failed, seconds, list(rowtrace.used)

    def who_misses(self, row: str, by_case: Witnesses, by_test: Witnesses) -> str:
        """Remove the row (in this process, for good) and return the name of the first that fails, "" if none does."""
        rowtrace.remove(row)
        for name in by_case.get(row, [])[:MOST_CASES]:
            if _case_fails(name):
                return name
        tests = sorted(by_test.get(row, []), key=lambda name: _distance(self.items[name], row))
        for name in tests[:MOST_TESTS]:
            if self.run(name)[0]:
                return name
        return ""


def _distance(item: pytest.Item, row: str) -> int:
    """Return how far a test is from a row: 0 where it, or a table it names, has the row's own word, 1 where its module
    does, else 2."""
    word = re.split(r"[:./]", row)[-1] or row
    test = getattr(item, "function", None)
    module = getattr(item, "module", None)
    if word in item.name or (test is not None and (word in _source(test) or word in _tables(test))):
        return 0
    return 1 if module is not None and word in _source(module) else 2


@cache
def _tables(test: Any) -> str:
    """Return what the tables hold that a test names."""
    test = inspect.unwrap(test)
    named = [test.__globals__.get(name) for name in test.__code__.co_names]
    return "".join(repr(value) for value in named if isinstance(value, dict | list | tuple | str))


@cache
def _source(thing: Any) -> str:
    return inspect.getsource(thing)


def _case_fails(name: str) -> str:
    case = cases()[name]
    os.chdir(tempfile.mkdtemp())  # what a case writes, it writes there
    try:
        return "failed" if differences(case["want"], run_case(case)) else ""
    except Exception:
        return "failed"


def _about_agents(row: str) -> bool:
    return row.partition(":")[0] not in acprows.KINDS and row.partition(":")[2].startswith("agent")


def _needs_cases(rows: list[str]) -> bool:
    return any(row.partition(":")[0] not in acprows.KINDS and not _about_agents(row) for row in rows)


def _folders(rows: list[str]) -> list[str]:
    return FOLDERS if _needs_cases(rows) else AGENT_FOLDERS


def main() -> int:
    """Check all rows, or those that are named."""
    start = time.monotonic()
    words = sys.argv[1:]
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for module in pkgutil.walk_packages(tpy.__path__, "tpy."):
        if "__main__" not in module.name:
            importlib.import_module(module.name)
    rowtrace.watch()
    protocol = [row.key for row in acprows.rows() if row.ours]
    others = [row for row in rowtrace.rows() if row not in protocol]
    groups = {"protocol": protocol, "agent": [row for row in others if _about_agents(row)]}
    groups["editor"] = [row for row in others if not _about_agents(row)]
    rows = [row for word in words or groups for row in groups.get(word, [word])]
    folders = [str(HERE / name) for name in _folders(rows)]
    ignored = [f"--ignore={HERE / name}" for name in LEFT_OUT]
    quiet = os.open(os.devnull, os.O_RDWR)
    os.dup2(quiet, 0)
    os.dup2(quiet, 1)
    checking = RowCheck(rows, out)
    with tempfile.TemporaryDirectory(prefix="rc-") as folder:
        tempfile.tempdir = folder  # for everything that is written from here on
        status = pytest.main(
            ["-q", "-s", "-p", "no:cacheprovider", "--rootdir", str(HERE.parent), "-o", f"timeout={LIMIT}",
             "-c", str(HERE.parent / "pyproject.toml"), *ignored, *folders],
            plugins=[checking],
        )  # fmt: skip
    if not checking.done:
        print(f"the tests do not run to their end (pytest: {status}); see `make test`", file=out, flush=True)
        return 2
    seconds = time.monotonic() - start
    print(f"{len(rows)} rows, {len(checking.missed)} that nothing misses, {seconds:.0f} s", file=out, flush=True)
    return 1 if checking.missed else 0


if __name__ == "__main__":
    sys.exit(main())
