"""A stranger's project: opened, completed, listed and checked, it runs nothing, writes nothing and reaches no terminal.

It has an agents file that names programs, files and directories whose names are control sequences, option lines or
commands, settings of other editors, links that lead out of it or in circles, pipes, devices (AGENTS §10, CASES D-06).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import Editor
from starting import Start, ready

ESCAPES = (
    b"\x1b]0;evil\x07",
    b"\x1b[31mevil",
    b"\x1bPevil\x1b\\",
    b"\xc2\x9b31mevil",
    b"\x1b]52;c;ZXZpbA==\x07",
    b"evil\x07",
    b"evil\rlive",
)
NAMES = [*ESCAPES, b"evil\nlive", "evil\u202egpj".encode(), b"bad\xff\xfe", b"-c", b"+!touch OWNED", b"|!touch OWNED"]
TEXT = b"text \x1b]0;evil\x07 \x1b[31mevil\x1b[0m\n# vim: set shell=./OWNER : \n# ex: !touch OWNED\n"
AGENTS = r"""
[[agent]]
name = "helper"
command = "sh"
args = ["-c", "touch OWNED"]

[[agent]]
name = "evil\u001b]0;evil\u0007\u001b[31mevil"
command = "./OWNER"
args = ["\u001b[31mevil"]
env = { "\u001b]0;evil\u0007" = "x" }
"""


@pytest.fixture
def project(tpy: Start) -> Path:
    """A hostile project in the working directory, beside one that its links lead to."""
    outside = tpy.root / "outside"
    (outside / "folder").mkdir(parents=True)
    (outside / "secret.txt").write_text("secret\n")
    tpy.agents_file(AGENTS, project=True)
    work = os.fsencode(tpy.work)
    for name in NAMES:
        Path(os.fsdecode(work + b"/" + name)).write_bytes(TEXT)
        os.makedirs(work + b"/folder/" + name)
    tpy.file("README", TEXT)
    owner = tpy.file("OWNER", "#!/bin/sh\ntouch OWNED\n")
    owner.chmod(0o755)
    for name in (".vimrc", ".exrc", "_vimrc", "tpyrc", ".tpyrc", ".turbo-python/tpyrc", ".turbo-python/keymaps.toml"):
        (tpy.work / name).write_text("!touch OWNED\n")
    farm = tpy.work / "farm"
    farm.mkdir()
    (farm / "circle").symlink_to("circle")
    (farm / "up").symlink_to("..")
    (farm / "self").symlink_to(".")
    (farm / "out").symlink_to(outside)
    (farm / "root").symlink_to("/")
    (farm / "zero").symlink_to("/dev/zero")
    os.mkfifo(farm / "pipe")
    os.mkfifo(tpy.work / ".gitignore")
    (farm / ".gitignore").symlink_to("/dev/zero")
    for number in range(50):
        (farm / f"chain{number}").symlink_to(f"chain{number + 1}")
    return tpy.work


def state_of(folder: Path) -> dict[bytes, tuple[int, int, bytes]]:
    """Everything below a folder: name, mode and time, and what it holds or where it leads."""
    found = {}
    for here, folders, files in os.walk(os.fsencode(folder)):
        for name in [b"", *folders, *files]:
            path = os.path.join(here, name)
            info = os.lstat(path)
            data = os.readlink(path) if os.path.islink(path) else b""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    data = file.read()
            found[path] = info.st_mode, info.st_mtime_ns, data
    return found


def unharmed(editor: Editor) -> None:
    """No sequence of the project's went to the terminal."""
    editor.read_ready()
    for sequence in ESCAPES[:4]:
        assert sequence not in editor.raw
    assert b"\x1b]52" not in editor.raw  # the clipboard is the user's
    assert b"evil\x07" not in editor.raw
    assert b"evil\r" not in editor.raw
    assert b"evil\n" not in editor.raw
    assert "\u202e".encode() not in editor.raw
    assert not editor.title.startswith("evil")


def test_it_is_opened_completed_and_listed(tpy: Start, project: Path) -> None:
    before = state_of(tpy.root / "outside"), state_of(project)
    editor = ready(tpy("README", size=(100, 30)))
    assert "^[]0;evil^G" in editor.row(0)
    for line in ("e ", "find ", "agent ", "cd ", "e farm/", "e farm/out/../", "e folder/"):
        editor.keys(f":{line}")
        editor.wait(lambda e, line=line: e.row(-1).startswith(f":{line.strip()}"))
        for _ in range(3):
            editor.keys("<Tab>")
        editor.keys("<Esc><Esc>:<Esc>")
    editor.keys(":args<CR>:ls<CR>:agentstatus<CR>")
    editor.wait("helper")
    unharmed(editor)
    editor.keys("<CR>:<Esc>:agent<CR>")
    editor.wait("evil^[]0;evil^G")
    editor.keys(":qa!<CR>")
    assert editor.exit_status() == 0
    unharmed(editor)
    assert (state_of(tpy.root / "outside"), state_of(project)) == before


def test_its_files_are_opened(tpy: Start, project: Path) -> None:
    before = state_of(project)
    editor = tpy("--", *[os.fsdecode(name) for name in NAMES], "farm/circle", "farm/zero", "farm/pipe", size=(100, 30))
    ready(editor)
    for number in range(1, len(NAMES)):
        editor.keys(":n<CR>")
        editor.wait(lambda e, number=number: f"({number + 1} of" in e.text or "text ^[" in e.row(0))
    editor.keys(":ls<CR>")
    editor.wait("Press ENTER")
    editor.keys("<CR>:e farm/circle<CR>")
    editor.wait("symbolic links")
    editor.keys(":e farm/zero<CR>")
    editor.wait("is a device")
    editor.keys(":e farm/pipe<CR>")
    editor.wait("is a pipe")
    editor.keys(":qa!<CR>")
    assert editor.exit_status() == 0
    unharmed(editor)
    assert state_of(project) == before


def test_its_files_are_mentioned(tpy: Start, project: Path) -> None:
    before = state_of(tpy.root / "outside"), state_of(project)
    editor = ready(tpy("README", size=(100, 40)))
    editor.keys(":agent Tutor<CR>")
    editor.wait("INSERT")
    editor.keys("@")
    editor.wait("OWNER")
    assert "secret.txt" not in editor.text
    for key in ("<Down>", "<Down>", "<PageDown>", "e", "v"):
        editor.keys(key)
    editor.wait("@ev")
    editor.wait("evil<202e>gpj")
    editor.keys("<Esc><Esc>:qa!<CR>")
    assert editor.exit_status() == 0
    unharmed(editor)
    assert (state_of(tpy.root / "outside"), state_of(project)) == before


@pytest.mark.parametrize(
    "command",
    ["agents check", "agents check --json", "agents check --fast", "agents list", "agents list --json",
     "agents list --names", "agents check helper", "completion zsh"],
)  # fmt: skip
def test_it_is_checked(tpy: Start, project: Path, command: str) -> None:
    before = state_of(tpy.root / "outside"), state_of(project)
    done = subprocess.run(
        [Path(sys.prefix) / "bin" / "tpy", *command.split()],
        cwd=project, env={"HOME": str(tpy.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    told = (done.stdout + done.stderr).decode()
    assert "Traceback" not in told
    if "names" not in command and "zsh" not in command:
        assert "helper" in told
        assert command == "agents list" or done.returncode == ("check" in command)
    assert all(char.isprintable() or char in "\n\t" for char in told) or "zsh" in command
    assert not (project / "OWNED").exists()
    assert (state_of(tpy.root / "outside"), state_of(project)) == before
