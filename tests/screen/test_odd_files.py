"""Files that are not what an editor likes: each is told in a clear line, and nothing of it is lost.

CASES B-21, B-23 ... B-28, at the level of the real program; what can be judged without a screen is in `tests/text/`.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import Editor
from starting import Start, ready


def written(editor: Editor) -> None:
    """Write the file and wait for the message."""
    editor.keys(":w<CR>")
    editor.wait("written")


@pytest.mark.parametrize(
    ("data", "keys", "result"),
    [
        (b"x\x00y\xff\xfez\n", "A!<Esc>", b"x\x00y\xff\xfez!\n"),
        (b"a\r\nb\nc\r\n", "ix<Esc>", b"xa\r\nb\nc\r\n"),
        (b"a\r\nb\r\n", "ix<Esc>oN<Esc>", b"xa\r\nN\r\nb\r\n"),
        (b"a\rb\n", "", b"a\rb\n"),
        (b"\xef\xbb\xbfa\n", "ix<Esc>", b"\xef\xbb\xbfxa\n"),
        (b"\xff\xfea\x00\n\x00", "ix<Esc>", b"\xff\xfex\x00a\x00\n\x00"),
        (b"\x1b[31mred\x07\x9b\x7f\n", "A.<Esc>", b"\x1b[31mred\x07\x9b\x7f.\n"),
        (b"\n\n\ndef f():\n\treturn 1", "", b"\n\n\ndef f():\n\treturn 1"),
        (b"caf\xe9\n", "A!<Esc>", b"caf\xe9!\n"),
    ],
)
def test_b26_b27_bytes_come_back(tpy: Start, data: bytes, keys: str, result: bytes) -> None:
    file = tpy.file("f.py", data)
    editor = ready(tpy("f.py"))
    editor.keys(keys)
    written(editor)
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0
    assert file.read_bytes() == result


def test_b27_random_bytes_are_written_as_they_were(tpy: Start) -> None:
    data = random.Random(1).randbytes(1 << 20)
    file = tpy.file("noise", data)
    editor = tpy("noise")
    editor.wait("noise")
    editor.keys(":<Esc>")
    editor.keys(":w!<CR>")
    editor.wait("written")
    assert file.read_bytes() == data


def test_control_characters_are_shown_and_not_sent(tpy: Start) -> None:
    tpy.file("f", b"a\x1b]2;title\x07\x1b[2J\x9b5nb\n")
    editor = ready(tpy("f"))
    assert editor.row(0) == "a^[]2;title^G^[[2J<9b>5nb"
    assert editor.title == ""


@pytest.mark.parametrize(
    ("name", "make", "told"),
    [
        ("folder", os.mkdir, "is a directory"),
        ("pipe", os.mkfifo, "is not a file: it is a pipe"),
        ("/dev/zero", None, "is not a file: it is a device"),
    ],
)
def test_what_is_no_file_is_told(tpy: Start, name: str, make: Callable[[Path], None] | None, told: str) -> None:
    if make is not None:
        make(tpy.work / name)
    editor = tpy(name)
    editor.wait(told)
    editor.keys("ihello<Esc>:w<CR>")
    editor.wait("E32: No file name")
    editor.keys(f":w {name}<CR>")
    editor.wait(lambda e: "E17" in e.text or "E503" in e.text or "E13" in e.text)
    editor.keys(":q<CR>")
    editor.wait("E37")
    assert editor.row(0) == "hello"


def test_a_file_over_two_gigabytes_is_told(tpy: Start) -> None:
    os.truncate(tpy.file("huge", b""), (2 << 30) + 1)
    tpy.file("small", "small\n")
    editor = tpy("huge", size=(200, 10))
    editor.wait("is larger than 2 GiB: too large to edit")
    editor.keys(":e small<CR>")
    editor.wait('"small" 1L')
    editor.keys(":e huge<CR>")
    editor.wait("too large to edit")
    assert editor.row(0) == "small"
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("no/such/place.txt", "there is no directory"),
        ("x" * 300, "File name too long"),
        ("file/x", "there is no directory"),
    ],
)
def test_b21_a_failed_write_keeps_the_buffer_modified(tpy: Start, name: str, told: str) -> None:
    tpy.file("file", "f\n")
    editor = ready(tpy(name))
    editor.keys("ihello<Esc>:w<CR>")
    editor.wait("E212")
    assert told.replace(" ", "") in "".join(editor.rows()).replace(" ", "")
    editor.keys(":wq<CR>")
    editor.keys(":q<CR>")
    editor.wait("E37: No write since last change (add ! to override)")
    assert editor.row(0) == "hello"
    editor.keys(":w saved<CR>")
    editor.wait("written")
    assert (tpy.work / "saved").read_text() == "hello\n"


# Root is somebody whom modes do not stop. Without capabilities it is a user like others, and can still enter the closed
# directory that Python or the tests may lie in, which somebody else could not.
WITHOUT_CAPABILITIES = """
import ctypes, os, sys
SECUREBITS, NO_ROOT = 28, 3
if os.getuid() == 0 and ctypes.CDLL(None, use_errno=True).prctl(SECUREBITS, NO_ROOT, 0, 0, 0):
    sys.exit("cannot give up the rights of root")
os.execv(sys.argv[1], sys.argv[1:])
"""


@pytest.fixture
def unprivileged(tpy: Start) -> Callable[..., Editor]:
    """Start `tpy` without root's rights over files."""
    program = [sys.executable, "-c", WITHOUT_CAPABILITIES, str(Path(sys.prefix) / "bin" / "tpy")]
    return lambda *args: tpy(*args, program=program)


def test_b21_a_read_only_file_needs_force(tpy: Start, unprivileged: Callable[..., Editor]) -> None:
    file = tpy.file("ro.txt", "abc\n")
    file.chmod(0o444)
    editor = unprivileged("ro.txt")
    editor.wait('"ro.txt" [readonly] 1L, 4B')
    assert "[RO]" in editor.text
    editor.keys("x:w<CR>")
    editor.wait("E45: 'readonly' option is set (add ! to override)")
    editor.keys(":wq<CR>:q<CR>")
    editor.wait("E37")
    assert file.read_text() == "abc\n"
    editor.keys(":w!<CR>")
    editor.wait("written")
    assert file.read_text() == "bc\n"


def test_an_unreadable_file_is_told(tpy: Start, unprivileged: Callable[..., Editor]) -> None:
    file = tpy.file("secret.txt", "secret\n")
    file.chmod(0)
    editor = unprivileged("secret.txt")
    editor.wait("Permission denied")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


def test_b23_links_stay_links(tpy: Start) -> None:
    tpy.file("a", "text\n")
    (tpy.work / "b").symlink_to("a")
    (tpy.work / "c").symlink_to("b")
    editor = ready(tpy("c"))
    editor.keys("ix<Esc>")
    written(editor)
    assert (tpy.work / "a").read_text() == "xtext\n"
    assert os.readlink(tpy.work / "c") == "b"
    assert os.readlink(tpy.work / "b") == "a"
    (tpy.work / "dangling").symlink_to("new")
    editor.keys(":e dangling<CR>")
    editor.wait('"dangling"')
    editor.keys("inew<Esc>")
    written(editor)
    assert (tpy.work / "new").read_text() == "new\n"


def test_b24_no_false_alarm_and_a_true_one(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    for text in "xyz":
        editor.keys(f"i{text}<Esc>")
        editor.keys(":w<CR>")
        editor.wait(lambda e, t=text: t in e.row(0) and "[+]" not in e.text)
    os.utime(file, (1, 1))
    file.chmod(0o600)
    editor.keys("iu<Esc>:w<CR>")
    editor.wait(lambda e: "u" in file.read_text())
    file.write_text("somebody else\n")
    editor.keys("iv<Esc>:w<CR>")
    editor.wait("E13: The file has been changed since reading it")
    assert file.read_text() == "somebody else\n"


def test_changes_by_others_are_noticed_when_the_window_gets_the_focus(tpy: Start) -> None:
    clean = tpy.file("clean.txt", "old\n")
    editor = ready(tpy("clean.txt"))
    clean.write_text("new\n")
    editor.send(b"\x1b[O\x1b[I")
    editor.wait(lambda e: e.row(0) == "new")
    editor.keys("ix<Esc>")
    editor.wait(lambda e: e.row(0) == "xnew")
    clean.write_text("newer\n")
    editor.send(b"\x1b[I")
    editor.wait("changed on disk: :e! / :w! / :diffdisk")
    assert editor.row(0) == "xnew"


def test_b25_forced_write_of_new_files(tpy: Start) -> None:
    editor = ready(tpy("new.txt"))
    editor.keys("ihi<Esc>:w!<CR>")
    editor.wait("written")
    editor.keys(":w! other.txt<CR>")
    editor.wait('"other.txt"')
    editor.wait("written")
    mask = os.umask(0)
    os.umask(mask)
    for name in ("new.txt", "other.txt"):
        assert (tpy.work / name).read_text() == "hi\n"
        assert (tpy.work / name).stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("name", [b"bad\xe9name.txt", b"two\nlines", b"-dash", b"per%cent#hash", b"blank and 'quote"])
def test_b28_odd_names(tpy: Start, name: bytes) -> None:
    path = os.fsencode(tpy.work) + b"/" + name
    Path(os.fsdecode(path)).write_text("text\n")
    editor = tpy("--", os.fsdecode(name))
    editor.wait(lambda e: e.row(0) == "text")
    editor.keys("ix<Esc>")
    written(editor)
    with open(path, "rb") as file:
        assert file.read() == b"xtext\n"
    editor.keys(":ls<CR>")
    editor.wait("line 1")
    editor.keys("<CR>:q<CR>")
    assert editor.exit_status() == 0
    assert len(os.listdir(os.fsencode(tpy.work))) == 1


def test_the_working_directory_is_deleted(tpy: Start) -> None:
    """What is typed can still be written somewhere else, and nothing comes to lie in another directory."""
    editor = tpy.shell("mkdir gone && cd gone && rmdir ../gone && exec tpy f.txt", size=(300, 10))
    ready(editor)
    editor.keys("ihello<Esc>:w<CR>")
    editor.wait(f"E212: Can't open file for writing: {tpy.work}/gone/f.txt: there is no directory {tpy.work}/gone")
    editor.keys(":pwd<CR>")
    editor.wait(lambda e: e.row(-1) == f"{tpy.work}/gone")
    editor.keys(f":cd {tpy.work}<CR>:w saved<CR>")
    editor.wait('"saved" [New] 1L, 6B written')
    editor.keys(":qa!<CR>")
    assert editor.exit_status() == 0
    assert (tpy.work / "saved").read_text() == "hello\n"
