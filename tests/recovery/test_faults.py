"""`:w` where the disk fails: at every call of a save, with every error that the call may give, once or from then on,
with writes taken whole or in parts. The old or the new content is whole, the buffer intact and modified, and the
message names the cause.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable

import pytest
from fakedisk import FakeDisk
from hypothesis import given
from hypothesis import strategies as st
from scenes import ERRNOS, SCENES, names_the_cause, target

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex.filestate import attach, reload
from tpy.modal.registry import CommandFailed


class Writer:
    """An editor with the file `/d/f` of a disk in memory, changed and not yet written."""

    def __init__(self, engine: Engine, scene: Callable[[], FakeDisk], *, short: bool = False) -> None:
        self.engine, self.editor, self.buffer = engine, engine.editor, engine.editor.buffer
        self.scene, self.short = scene, short
        self.state = attach(self.buffer, "/d/f")
        self.disk = self.state.fs = scene()
        reload(self.editor, self.buffer)
        self.stamp = self.state.stamp
        self.old = self.disk.content(target(self.disk))
        self.buffer.insert(len(self.buffer.lines), ["A line more."])
        self.lines = list(self.buffer.lines)
        self.new = "".join(line + "\n" for line in self.lines).encode()

    def again(self) -> None:
        """Take a fresh disk; the buffer is as it was before it was written."""
        self.disk = self.state.fs = self.scene()
        self.disk.short = self.short
        self.state.stamp = self.stamp
        self.buffer.undo.mark_unsaved()

    def write(self, line: str = "w") -> str:
        """Write; return the message."""
        self.editor.message = None
        try:
            self.engine.run_ex(line)
        except CommandFailed as failure:
            return failure.message
        assert self.editor.message is not None
        return self.editor.message.text


BYTES = st.lists(st.sampled_from([*b"ab \t\r\n\0\x1b\x80\xc3\xa9\xff\xfe", *range(256)]), max_size=40).map(bytes)
MARKS = st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])


@given(MARKS, BYTES | st.lists(BYTES, max_size=6).map(b"\r\n".join) | st.lists(BYTES, max_size=6).map(b"\n".join))
def test_what_is_not_changed_is_written_as_it_was(mark: bytes, data: bytes) -> None:
    disk = FakeDisk({"/d/f": mark + data})
    attach(UNCHANGED.editor.buffer, "/d/f").fs = disk
    reload(UNCHANGED.editor, UNCHANGED.editor.buffer)
    UNCHANGED.run_ex("w")
    assert disk.content("/d/f") == mark + data
    UNCHANGED.editor.buffer.insert(0, ["more"])
    UNCHANGED.editor.buffer.undo_once()
    UNCHANGED.run_ex("w!")
    assert disk.content("/d/f") == mark + data


UNCHANGED = make_engine(vim=True)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine with room for long messages; backups that find no place beside a file go below `/b`."""
    monkeypatch.setenv("XDG_STATE_HOME", "/b")
    made = make_engine(vim=True)
    made.editor.layout.arrange(23, 400)
    return made


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("from_then_on", [False, True])
@pytest.mark.parametrize("short", [False, True])
def test_every_error_of_every_call(
    engine: Engine, scene: Callable[[], FakeDisk], from_then_on: bool, short: bool
) -> None:
    one = Writer(engine, scene, short=short)
    one.again()
    assert "written" in one.write()
    calls = one.disk.calls
    assert {"stat", "open", "write", "fsync", "close"} <= set(calls)
    failed = 0
    for at, call in enumerate(calls):
        for code in ERRNOS[call]:
            one.again()
            one.disk.fail(at, code, from_then_on=from_then_on)
            message = one.write()
            case = (call, os.strerror(code), message)
            assert one.buffer.lines == one.lines, case
            assert not one.disk.handles, case
            content = one.disk.content(target(one.disk))
            if "written" in message and not message.startswith("E"):
                assert content == one.new, case
                assert not one.buffer.modified, case
                continue
            failed += 1
            assert one.buffer.modified, case
            assert names_the_cause(message, code), case
            if "its old content is in" in message:
                content = one.disk.content(message.rpartition(" ")[2])
            assert content == one.old, case
    assert failed > len(calls)


@pytest.mark.parametrize("scene", SCENES)
def test_after_the_fault_is_gone_it_is_written(engine: Engine, scene: Callable[[], FakeDisk]) -> None:
    one = Writer(engine, scene)
    for at in range(25):
        one.again()
        one.disk.fail(at, errno.EIO, from_then_on=True)
        message = one.write()
        assert one.buffer.modified == ("written" not in message)
        one.disk.fail_at = -1
        torn = "its old content is in" in message  # that is no longer the file that was read
        assert "written" in one.write("w!" if torn else "w")
        assert one.disk.content(target(one.disk)) == one.new
