"""Writing files: every failing call, every crash, and the real file system with its links and rights."""

from __future__ import annotations

import errno
import os
import resource
import stat
import struct
import subprocess
import sys
import tempfile
import textwrap
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from fakedisk import FakeDisk
from scenes import ERRNOS, NEW, OLD, SCENES, names_the_cause, replaced, target, with_attributes

from tpy.modal.text import files
from tpy.modal.text.files import FileProblem, check_disk, load
from tpy.modal.text.saving import make_parents, save


def write(disk: FakeDisk) -> None:
    """Save the new text."""
    save("/d/f", NEW, backup_directory="/b", fs=disk)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("short", [False, True])
def test_a_save_without_faults(scene: Callable[[], FakeDisk], short: bool) -> None:
    disk = scene()
    disk.short = short
    write(disk)
    assert disk.content(target(disk)) == NEW
    assert set(disk.names) == {target(disk)}
    assert disk.names[target(disk)].durable == NEW
    assert not disk.handles
    if scene is with_attributes:
        assert disk.names["/d/f"].uid == 1000
        assert disk.calls.count("set_attribute") == 2


def calls_of(scene: Callable[[], FakeDisk], short: bool = False) -> list[str]:
    """Return the calls of a save, in order."""
    disk = scene()
    disk.short = short
    write(disk)
    return disk.calls


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("from_then_on", [False, True])
@pytest.mark.parametrize("short", [False, True])
def test_every_failing_call_leaves_old_or_new_whole(
    scene: Callable[[], FakeDisk], from_then_on: bool, short: bool
) -> None:
    for at, call in enumerate(calls_of(scene, short)):
        for code in ERRNOS[call]:
            disk = scene()
            disk.short = short
            old = disk.content(target(disk))
            disk.fail(at, code, from_then_on=from_then_on)
            try:
                write(disk)
                saved, message = True, ""
            except FileProblem as problem:
                saved, message = False, str(problem)
            case = (call, os.strerror(code), message)
            if saved:
                assert disk.content(target(disk)) == NEW, case
            elif "old content is in" in message:
                assert disk.content(message.rpartition(" ")[2]) == old, case
            else:
                assert disk.content(target(disk)) == old, case
                assert names_the_cause(message, code), case
            if not from_then_on:
                left = set(disk.names) - {target(disk)}
                assert not left or call == "unlink", case
            assert not disk.handles, case


@pytest.mark.parametrize("scene", SCENES)
def test_no_power_failure_takes_both(scene: Callable[[], FakeDisk]) -> None:
    disk = scene()
    old = disk.content(target(disk))
    states = 0

    def check() -> None:
        nonlocal states
        for held in disk.crashes():
            states += 1
            content = held.get(target(disk))
            backups = [data for name, data in held.items() if name.endswith("~")]
            assert content in (old, NEW) or old in backups

    disk.observe = check
    write(disk)
    check()
    assert states > 5
    assert all(held.get(target(disk)) == NEW for held in disk.crashes())


def test_a_directory_that_cannot_be_synced_is_a_warning() -> None:
    disk = replaced()
    disk.fail(len(calls_of(replaced)) - 2, errno.EIO)
    assert "could not be synced" in save("/d/f", NEW, fs=disk).warning
    assert disk.content("/d/f") == NEW


# --- the real file system


def test_modes_links_and_nothing_left(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(OLD)
    file.chmod(0o751)
    save(str(file), NEW)
    assert file.read_bytes() == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o751
    assert os.listdir(tmp_path) == ["f"]


def test_a_new_file_has_the_modes_of_umask(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        save(str(tmp_path / "new"), NEW)
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_hard_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    os.link(tmp_path / "a", tmp_path / "b")
    save(str(tmp_path / "a"), NEW)
    assert (tmp_path / "b").read_bytes() == NEW
    assert sorted(os.listdir(tmp_path)) == ["a", "b"]


def test_cases_b23_chains_of_symbolic_links(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(OLD)
    (tmp_path / "b").symlink_to("a")
    (tmp_path / "c").symlink_to("b")
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "e").symlink_to("../a")
    (tmp_path / "dangling").symlink_to("made")
    for link in ("c", "d/e"):
        save(str(tmp_path / link), link.encode())
        assert (tmp_path / "a").read_bytes() == link.encode()
        assert (tmp_path / link).is_symlink()
    save(str(tmp_path / "dangling"), NEW)
    assert (tmp_path / "made").read_bytes() == NEW
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(FileProblem, match=r"E212: .*symbolic links"):
        save(str(tmp_path / "loop"), NEW)


def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(OLD)
    try:
        os.setxattr(file, "user.note", b"kept")
    except OSError:
        pytest.skip("no extended attributes here")
    save(str(file), NEW)
    assert os.getxattr(file, "user.note") == b"kept"


def test_an_access_list_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(OLD)
    entries = ((0x01, 6, -1), (0x02, 4, 1234), (0x04, 4, -1), (0x10, 4, -1), (0x20, 0, -1))  # user 1234 may read
    access = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
    try:
        os.setxattr(file, "system.posix_acl_access", access)
    except OSError:
        pytest.skip("no access lists here")
    inode = file.stat().st_ino
    save(str(file), NEW)
    assert file.stat().st_ino != inode, "it was replaced, and the new file has the list"
    assert os.getxattr(file, "system.posix_acl_access") == access


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to give files away")
def test_a_foreign_owner_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(OLD)
    os.chown(file, 1234, 4321)
    file.chmod(0o4640)
    save(str(file), NEW)
    info = file.stat()
    assert (info.st_uid, info.st_gid, stat.S_IMODE(info.st_mode)) == (1234, 4321, 0o4640)


def test_a_file_over_two_gigabytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge"
    file.touch()
    os.truncate(file, (2 << 30) + 1)
    tracemalloc.start()
    try:
        with pytest.raises(FileProblem, match=r'huge" is larger than 2 GiB: too large to edit'):
            load(str(file))
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, message in (
        (tmp_path, 'E17: ".*" is a directory'),
        (tmp_path / "pipe", "E503: .* is a pipe"),
        (Path("/dev/full"), "E503: .* is a device"),
        (Path("/proc/self/comm"), "E503: .* kernel"),
        (tmp_path / "no" / "such" / "place.txt", "E212: .* there is no directory .*no/such"),
        (tmp_path / ("x" * 300), "E212: .*too long"),
    ):
        with pytest.raises(FileProblem, match=message):
            save(str(path), NEW)
    with pytest.raises(FileProblem, match=r"E503: .* is a pipe"):
        load(str(tmp_path / "pipe"))
    with pytest.raises(FileProblem, match="E17"):
        load(str(tmp_path))
    with pytest.raises(FileProblem, match=r"E503: .* is a device"):
        load("/dev/zero")


def test_parents_are_made(tmp_path: Path) -> None:
    make_parents(str(tmp_path / "x" / "y" / "f"))
    save(str(tmp_path / "x" / "y" / "f"), NEW)
    assert (tmp_path / "x" / "y" / "f").read_bytes() == NEW
    with pytest.raises(FileProblem, match=r"E212|E739"):
        make_parents(str(tmp_path / "x" / "y" / "f" / "g" / "h"))


@pytest.fixture
def public_directory() -> Iterator[Path]:
    """A directory everybody can look into; pytest's own are closed, and closed again by every other run."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        directory.chmod(0o755)
        yield directory


def run_as_nobody(source: str, directory: Path) -> str:
    """Run some lines of Python as an unprivileged user in a directory; return what they print.

    The rights are given up after a first save has loaded what saving needs: Python may stand where only root can look.
    """
    code = "import os, sys\nfrom tpy.modal.text.files import *\nfrom tpy.modal.text.saving import save\n"
    code += (
        "save('warm', b'up', backup_directory='.')\nsave('warm', b'up again')\nos.unlink('warm')\nload('script.py')\n"
    )
    code += "os.setgroups([])\nos.setgid(65534)\nos.setuid(65534)\n"
    code += "def try_save(path, **more):\n    try:\n        save(path, b'new', **more)\n        print('ok')\n"
    code += "    except FileProblem as problem:\n        print(problem)\n"
    script = directory / "script.py"
    script.write_text(code + textwrap.dedent(source))
    done = subprocess.run(
        [sys.executable, script], cwd=directory, capture_output=True, text=True, timeout=60, check=False
    )
    assert not done.stderr, done.stderr
    return done.stdout


@pytest.mark.skipif(os.getuid() != 0, reason="needs root to become somebody else")
def test_rights_of_an_unprivileged_user(public_directory: Path) -> None:
    tmp_path = public_directory
    (tmp_path / "readonly").write_bytes(OLD)
    (tmp_path / "readonly").chmod(0o444)
    (tmp_path / "foreign").write_bytes(OLD)
    (tmp_path / "foreign").chmod(0o666)
    own = tmp_path / "own"
    own.mkdir()
    os.chown(own, 65534, 65534)
    (own / "theirs").write_bytes(OLD)
    (own / "theirs").chmod(0o666)
    (own / "mine").write_bytes(OLD)
    os.chown(own / "mine", 65534, 65534)
    (own / "mine").chmod(0o444)
    out = run_as_nobody(
        """
        try_save("readonly"); try_save("newfile"); try_save("foreign"); try_save("foreign", backup_directory="own")
        try_save("own/theirs"); try_save("own/mine"); try_save("own/mine", force=True)
        print(load("readonly").readonly, load("own/theirs").readonly)
        """,
        tmp_path,
    ).splitlines()
    assert out[0] == 'E505: "readonly" is read-only (add ! to override)'
    assert out[1] == "E212: Can't open file for writing: newfile: Permission denied"
    assert out[2].startswith('E509: Cannot create backup file for "foreign": Permission denied')
    assert out[3:5] == ["ok", "ok"]
    assert out[5] == 'E505: "own/mine" is read-only (add ! to override)'
    assert out[6:] == ["ok", "True False"]
    assert (tmp_path / "readonly").read_bytes() == OLD
    assert (tmp_path / "foreign").read_bytes() == (own / "theirs").read_bytes() == b"new"
    assert (own / "theirs").stat().st_uid == 0
    assert stat.S_IMODE((own / "mine").stat().st_mode) == 0o444
    assert sorted(os.listdir(own)) == ["mine", "theirs"]


def test_cases_b22_a_file_that_may_not_grow(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(OLD)
    os.link(file, tmp_path / "other")
    code = (
        "import resource, sys\nfrom tpy.modal.text.saving import save\nfrom tpy.modal.text.files import FileProblem\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "for name in sys.argv[1:]:\n"
        "    try:\n        save(name, b'x' * 9000)\n        print('saved')\n"
        "    except FileProblem as problem:\n        print(problem)\n"
    )
    (tmp_path / "plain").write_bytes(OLD)
    done = subprocess.run(
        [sys.executable, "-c", code, str(file), str(tmp_path / "plain")],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert [line.startswith("E514: Write error") for line in done.stdout.splitlines()] == [True, True]
    assert file.read_bytes() == (tmp_path / "plain").read_bytes() == OLD
    assert sorted(os.listdir(tmp_path)) == ["f", "other", "plain"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 4096


# --- reading and its faults


@pytest.mark.parametrize("code", [errno.EIO, errno.EACCES, errno.ENOENT, errno.ELOOP])
def test_every_failing_call_of_a_read_is_told(code: int) -> None:
    disk = replaced()
    stamp = load("/d/f", fs=disk).stamp
    assert stamp is not None
    for at in range(8):
        for young in (False, True):
            disk = replaced()
            disk.fail(at, code)
            with suppress(FileProblem):
                loaded = load("/d/f", fs=disk)
                assert loaded.text.lines == OLD.decode().split("\n")[:-1] or code == errno.ENOENT
            disk = replaced()
            disk.fail(at, code)
            with suppress(FileProblem):
                state = check_disk("/d/f", stamp._replace(settled=not young), disk)
                assert state.kind == "unchanged" or code == errno.ENOENT
            assert not disk.handles


def test_a_file_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 10)
    with pytest.raises(FileProblem, match="too large"):
        load("/d/f", fs=replaced())
    growing = replaced()
    monkeypatch.setattr(growing, "fstat", lambda fd: growing.describe(growing.names["/d/f"].__class__(1, b"")))
    with pytest.raises(FileProblem, match="too large"):
        load("/d/f", fs=growing)


def test_files_of_the_kernel_can_be_read_and_not_written() -> None:
    loaded = load("/proc/self/status")
    assert loaded.readonly
    assert any("Name:" in line for line in loaded.text.lines)


def test_a_file_that_may_not_be_written_is_forced_only_on_demand() -> None:
    disk = replaced()
    disk.names["/d/f"].mode = 0o444
    assert load("/d/f", fs=disk).readonly
    with pytest.raises(FileProblem, match="E505"):
        save("/d/f", NEW, fs=disk)
    save("/d/f", NEW, fs=disk, force=True)
    assert disk.content("/d/f") == NEW
    assert disk.names["/d/f"].mode == 0o444


def test_a_write_that_takes_nothing_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    disk = replaced()
    monkeypatch.setattr(disk, "write", lambda fd, data: 0)
    with pytest.raises(FileProblem, match="E514"):
        save("/d/f", NEW, fs=disk)
    assert disk.content("/d/f") == OLD


def test_identity_is_the_same_for_all_names(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"")
    (tmp_path / "link").symlink_to("a")
    os.link(tmp_path / "a", tmp_path / "hard")
    ids = {files.identity(str(tmp_path / name)) for name in ("a", "link", "hard")}
    assert len(ids) == 1
    assert files.identity(str(tmp_path / "none")) is None


# --- changed on disk


def test_cases_b24_only_content_is_a_change(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(OLD)
    stamp = save(str(file), NEW).stamp
    assert check_disk(str(file), stamp).kind == "unchanged"
    stamp = save(str(file), OLD).stamp
    assert check_disk(str(file), stamp).kind == "unchanged"
    os.utime(file, (1, 1))
    file.chmod(0o600)
    state = check_disk(str(file), stamp)
    assert state.kind == "unchanged"
    assert state.stamp is not None
    assert state.stamp.settled
    file.write_bytes(b"X" + OLD[1:])
    assert check_disk(str(file), state.stamp).kind == "changed"
    file.unlink()
    assert check_disk(str(file), stamp).kind == "gone"


def test_a_young_file_is_compared_though_its_time_is_the_same() -> None:
    disk = replaced()
    node = disk.names["/d/f"]
    node.mtime = disk.clock
    stamp = load("/d/f", fs=disk).stamp
    assert stamp is not None
    assert not stamp.settled
    node.data = node.data[::-1]
    assert check_disk("/d/f", stamp, disk).kind == "changed"
