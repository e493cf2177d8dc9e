"""The recovery journal: what survives a crash at any byte, its timing, other editors, failing disks."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from fakedisk import FakeDisk
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal import journal
from tpy.modal.journal import Info, Journal, Owner, decode, find_journals, read_journal, rebuild

OWNER = Owner(4_000_000, "1")
INFO = Info("/p/f.txt", "d1", OWNER, {"encoding": "utf-8"})
LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=6), min_size=1, max_size=5)


def written(lines: list[str], edits: list[tuple[int, int, list[str]]]) -> bytes:
    """Return the bytes of a journal."""
    parts = [journal.encode_header(INFO), journal.encode_text(lines)]
    return b"".join([*parts, *(journal.encode_edit(*edit) for edit in edits)])


@given(LINES, st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), LINES), max_size=5))
def test_a_journal_leads_to_the_text(lines: list[str], wishes: list[tuple[int, int, list[str]]]) -> None:
    text = list(lines)
    edits = []
    for line, old, new in wishes:
        line = min(line, len(text))
        old = min(old, len(text) - line)
        text[line : line + old] = new
        edits.append((line, old, new))
    contents = decode(written(lines, edits))
    assert contents.info == INFO
    assert rebuild(contents, None) == (text, True)


@given(st.integers(0, 2000))
def test_cut_anywhere_it_keeps_what_is_whole(size: int) -> None:
    texts = [["base"], ["one", "base"], ["one", "two"], ["one", "two", "three"]]
    whole = written(["base"], [(0, 0, ["one"]), (1, 1, ["two"]), (2, 0, ["three"])])
    contents = decode(whole[:size])
    text, complete = rebuild(contents, None)
    assert text in [[""], *texts]
    assert complete == (text in texts and not contents.damaged)
    if size >= len(whole):
        assert text == texts[-1]


@given(st.binary(max_size=200), st.integers(0, 150), st.integers(0, 255))
def test_no_damage_raises(noise: bytes, at: int, value: int) -> None:
    whole = bytearray(written(["base"], [(0, 1, ["x"])]))
    whole[at % len(whole)] = value
    for data in (noise, journal.MAGIC + noise, bytes(whole), bytes(whole) + noise):
        text, _ = rebuild(decode(data), ["disk"])
        assert text


def test_a_large_file_is_counted_from_the_disk() -> None:
    data = journal.encode_header(INFO) + journal.encode_edit(1, 1, ["B"])
    assert rebuild(decode(data), ["a", "b"]) == (["a", "B"], True)
    assert rebuild(decode(data), None) == ([""], False)
    assert rebuild(decode(data), []) == ([""], False)


def make(disk: FakeDisk, lines: list[str]) -> Journal:
    """Return a journal on a disk in memory."""
    return Journal("/d", INFO, lambda: lines, fs=disk)


def on_disk(disk: FakeDisk) -> tuple[list[str], bool]:
    """Return what would be recovered now."""
    (data,) = [node.data for node in disk.names.values()]
    return rebuild(decode(data), None)


def test_the_first_flush_writes_all_then_only_edits() -> None:
    disk, lines = FakeDisk(), ["a", "b"]
    writer = make(disk, lines)
    assert writer.deadline() is None
    lines[0] = "A"
    writer.note(0, 1, ["A"], 10.0)
    assert writer.flush() == ""
    assert on_disk(disk) == (["A", "b"], True)
    size = len(disk.names[writer.name].data)
    lines[1:] = ["B", "C"]
    writer.note(1, 1, ["B", "C"], 11.0)
    writer.flush(durable=True)
    assert on_disk(disk) == (["A", "B", "C"], True)
    assert len(disk.names[writer.name].data) < size + 60
    writer.close()
    assert not disk.names
    assert not disk.handles


def test_it_is_due_when_idle_and_never_later_than_two_seconds() -> None:
    writer = make(FakeDisk(), ["x"])
    writer.note(0, 1, ["x"], 100.0)
    assert writer.deadline() == pytest.approx(100.0 + journal.IDLE)
    for tenth in range(1, 40):
        writer.note(0, 1, ["x"], 100.0 + tenth / 10)
    assert writer.deadline() == pytest.approx(100.0 + journal.LAG)
    assert journal.LAG < 2
    writer.flush()
    assert writer.deadline() is None


def test_after_a_save_there_is_nothing_to_lose() -> None:
    disk, lines = FakeDisk(), ["x"]
    writer = make(disk, lines)
    writer.note(0, 1, ["x"], 1.0)
    writer.flush()
    writer.start_over(INFO._replace(digest="d2"))
    (node,) = disk.names.values()
    contents = decode(node.data)
    assert contents.info is not None
    assert contents.info.digest == "d2"
    assert not contents.has_text
    lines[0] = "y"
    writer.note(0, 1, ["y"], 2.0)
    writer.flush()
    assert on_disk(disk) == (["y"], True)


def test_edits_that_outgrow_the_text_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_GROWTH", 500)
    disk, lines = FakeDisk(), ["x"]
    writer = make(disk, lines)
    for count in range(40):
        lines[0] = f"line {count}"
        writer.note(0, 1, list(lines), float(count))
        writer.flush()
        writer.compact()
        assert on_disk(disk) == (lines, True)
    assert len(disk.names[writer.name].data) < 900


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("short", [False, True])
def test_a_failing_disk_is_told_once_and_made_good_later(code: int, short: bool) -> None:
    for at in range(30):
        disk, lines = FakeDisk(), ["a"]
        disk.fail(at, code)
        disk.short = short
        writer = make(disk, lines)
        problems = [writer.problem] if writer.problem else []
        for count in range(4):
            lines.append(f"line {count}")
            writer.note(len(lines) - 1, 0, lines[-1:], float(count))
            if problem := writer.flush():
                problems.append(problem)
        writer.note(0, 1, ["a"], 9.0)
        writer.flush()
        assert len(problems) <= 1
        assert on_disk(disk) == (lines, True)


def test_journals_are_private_and_found_by_their_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    directory = journal.recovery_directory()
    assert stat.S_IMODE(os.stat(directory).st_mode) == 0o700
    writer = Journal(directory, INFO, lambda: ["text"])
    other = Journal(directory, INFO._replace(path="/p/other"), lambda: ["text"])
    assert stat.S_IMODE(os.stat(writer.name).st_mode) == 0o600
    (Path(directory) / "half.journal").write_bytes(b"tpy jour")
    writer.note(0, 1, ["text"], 1.0)
    writer.flush()
    (found,) = find_journals(directory, "/p/f.txt")
    assert found.contents.has_text
    assert not found.alive
    assert len(find_journals(directory)) == 3
    other.close()
    journal.remove_journal(found)
    assert [one.contents.info for one in find_journals(directory)] == [None]
    assert read_journal(found.journal) is None


CHILD = """
import sys
from tpy.modal.journal import *
lines = ["start"]
writer = Journal(sys.argv[1], Info("/p/f", "", this_process(), {}), lambda: lines)
count = 0
while True:
    count += 1
    lines.append(f"line {count}")
    writer.note(len(lines) - 1, 0, lines[-1:], 0.0)
    writer.flush()
    print(count, flush=True)
"""


def test_a_killed_editor_loses_nothing_it_wrote_and_a_living_one_is_told(tmp_path: Path) -> None:
    for _ in range(5):
        child = subprocess.Popen([sys.executable, "-c", CHILD, tmp_path], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        for _ in range(20):
            child.stdout.readline()
        (found,) = find_journals(str(tmp_path), "/p/f")
        assert found.alive
        journal.remove_journal(found)
        child.send_signal(signal.SIGKILL)
        told = [int(line) for line in child.stdout.read().split()]
        child.stdout.close()
        child.wait(30)
        (found,) = find_journals(str(tmp_path), "/p/f")
        assert not found.alive
        lines, _ = rebuild(found.contents, None)
        assert lines == ["start", *(f"line {n}" for n in range(1, len(lines)))]
        assert len(lines) - 1 >= max(told, default=20)
        journal.remove_journal(found)


def test_a_process_number_used_again_is_not_the_owner() -> None:
    assert journal.is_alive(journal.this_process())
    if journal.process_start(os.getpid()):
        assert not journal.is_alive(Owner(os.getpid(), "1"))
    assert not journal.is_alive(OWNER)
