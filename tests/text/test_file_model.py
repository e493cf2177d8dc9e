"""Random saving, foreign writes, touches and faults, against a model that is a dictionary of bytes."""

from __future__ import annotations

import errno
import random
import subprocess
import tempfile
from pathlib import Path

import pytest
from fakedisk import FakeDisk

from tpy.modal.text.encoding import encode
from tpy.modal.text.files import CHANGED, GONE, UNCHANGED, FileProblem, Stamp, check_disk, load
from tpy.modal.text.saving import save

NAMES = ("/d/a", "/d/b", "/d/link")


def name_of(path: str) -> str:
    """Return the file a path leads to in this test."""
    return "/d/a" if path == "/d/link" else path


@pytest.mark.parametrize("seed", range(20))
def test_random_work_with_random_faults(seed: int) -> None:
    rng = random.Random(seed)
    disk = FakeDisk({"/d/a": b"first\n"})
    disk.links["/d/link"] = "/d/a"
    model: dict[str, bytes] = {"/d/a": b"first\n"}
    stamps: dict[str, tuple[Stamp, bytes]] = {}
    for _ in range(250):
        path = rng.choice(NAMES)
        name = name_of(path)
        data = bytes(rng.choices(b"ab\r\n\0\xe9\xc3", k=rng.randrange(12)))
        disk.fail_at = -1
        disk.short = rng.random() < 0.3
        action = rng.randrange(6)
        if action < 2:
            if name in disk.names:
                disk.names[name].links = rng.choice((1, 2))
            if rng.random() < 0.6:
                code = rng.choice((errno.EIO, errno.ENOSPC, errno.EACCES))
                disk.fail(len(disk.calls) + rng.randrange(16), code)
            try:
                stamps[name] = save(path, data, backup_directory="/b", fs=disk).stamp, data
                model[name] = data
            except FileProblem:
                pass  # then nothing may have changed
        elif action == 2 and name in disk.names:
            disk.names[name].data = model[name] = data
            disk.clock += 10**9
            disk.names[name].mtime = disk.clock
        elif action == 3 and name in disk.names:
            disk.clock += 10**10
            disk.names[name].mtime = disk.clock
        elif action == 4:
            loaded = load(path, fs=disk)
            assert encode(loaded.text.lines, loaded.text.format) == model.get(name, b"")
            if loaded.stamp is not None:
                stamps[name] = loaded.stamp, model[name]
        elif name in stamps:
            stamp, content = stamps[name]
            wanted = GONE if name not in model else UNCHANGED if model[name] == content else CHANGED
            assert check_disk(path, stamp, disk).kind == wanted
        assert {known: disk.content(known) for known in model} == model
        assert not disk.handles


def test_cases_b22_a_full_disk() -> None:
    with tempfile.TemporaryDirectory() as place:
        options = ["-t", "tmpfs", "-o", "size=32k,mode=0755", "tpy-test", place]
        try:
            subprocess.run(["mount", *options], check=True, capture_output=True, timeout=20)
        except (OSError, subprocess.CalledProcessError):
            pytest.skip("no file system of our own can be mounted here")
        try:
            old, new = b"x" * 3000, b"y" * 60_000
            plain, linked = Path(place) / "plain", Path(place) / "linked"
            for file in (plain, linked):
                file.write_bytes(old)
            (Path(place) / "second-name").hardlink_to(linked)
            for file in (plain, linked):
                with pytest.raises(FileProblem, match=r"E514: Write error.*No space left"):
                    save(str(file), new)
                assert file.read_bytes() == old
            assert sorted(p.name for p in Path(place).iterdir()) == ["linked", "plain", "second-name"]
            save(str(plain), b"z" * 8000)
            assert plain.read_bytes() == b"z" * 8000
        finally:
            subprocess.run(["umount", place], check=True, timeout=20)
