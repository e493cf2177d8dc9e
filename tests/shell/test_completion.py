"""Completion in real shells, and that the shipped scripts are the generated ones (CASES D-08, D-09, D-10)."""

from __future__ import annotations

import os
import pty
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.shell.conftest import Shell, agent

from tpy.modal import completion
from tpy.modal.cli import SHELLS, completion_script

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source '{script}'; bind 'set bell-style none'; PS1='@@ '"),
    "zsh": (
        ["zsh", "-f", "-i"],
        "autoload -Uz compinit; compinit -u -D; source '{script}'; unsetopt beep; PROMPT='@@ '",
    ),
}


@pytest.mark.parametrize("shell_name", SHELLS)
def test_shipped_script_is_the_generated_one(shell_name: str) -> None:
    assert completion_script(shell_name) == completion.script(shell_name), "run python -m tpy.modal.completion"


@pytest.mark.parametrize("shell_name", SHELLS)
def test_tpy_completion_prints_it(shell: Shell, shell_name: str) -> None:
    assert shell.tpy("completion", shell_name).stdout == completion_script(shell_name)


class Interactive:
    """A shell on a pty with our completion loaded. `tpy` there only writes its arguments to a file."""

    def __init__(self, shell: Shell, name: str) -> None:
        real = shell.bin / "real"
        shell.tpy_script.rename(real)
        self.out = shell.project / "out"
        shell.tpy_script.write_text(
            '#!/bin/sh\nif [ "$*" = "agents list --names" ]; then exec real "$@"; fi\n'
            f"for a in \"$@\"; do printf '%s\\n' \"$a\"; done >'{self.out}.new'\n"
            f"mv '{self.out}.new' '{self.out}'\n"
        )
        shell.tpy_script.chmod(0o755)
        script = shell.home / f"tpy.{name}"
        script.write_text(completion_script(name))
        argv, setup = START[name]
        environ = {**shell.environ, "TERM": "vt100", "INPUTRC": "/dev/null", "SHELL": "/bin/sh"}
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(shell.project)
            os.execvpe(argv[0], argv, environ)
        self.seen = b""
        self.type(setup.format(script=script) + "; echo READY-$((40 + 2))\r")
        self.wait_for(lambda: "@@ " in self.plain().partition("READY-42")[2])

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def wait_for(self, condition: Callable[[], bool], seconds: float = 30.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, self.seen.decode(errors="replace")
            if select.select([self.terminal], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self.terminal, 65536)
                except OSError:
                    return

    def complete(self, line: str) -> list[str]:
        """Type a line with its tabs, wait until they took effect, run it; gives the arguments tpy got."""
        self.out.unlink(missing_ok=True)
        typed, _, _ = line.partition("\t")
        self.seen = b""
        self.type(line)
        self.wait_for(lambda: len(self.plain()) > len(typed))
        self.type("\r")
        self.wait_for(self.out.exists)
        return self.out.read_text().splitlines()

    def listing(self, line: str, wanted: str) -> str:
        """Type a line that ends in tabs and wait for a text in what is listed; then drop the line."""
        self.seen = b""
        self.type(line)
        self.wait_for(lambda: wanted in self.plain())
        shown = self.plain()
        self.type("\x03")
        return shown

    def plain(self) -> str:
        return re.sub(r"\x1b[\[(][0-9;?]*[a-zA-Z]|\x1b[=>]|[\r\x07]", "", self.seen.decode(errors="replace"))

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.terminal)


@pytest.fixture(params=sorted(START))
def typed(shell: Shell, request: pytest.FixtureRequest) -> Iterator[Callable[[], Interactive]]:
    """Start the shell under test; skipped where it is not installed."""
    if shutil.which(request.param) is None:
        pytest.skip(f"no {request.param} here")
    running: list[Interactive] = []

    def start() -> Interactive:
        running.append(Interactive(shell, request.param))
        return running[-1]

    yield start
    for one in running:
        one.close()


def test_subcommands_options_and_names(shell: Shell, typed: Callable[[], Interactive]) -> None:
    shell.user(agent("plain", "sh"))
    session = typed()
    assert session.complete("tpy ag\tch\tpl\t") == ["agents", "check", "plain"]
    assert session.complete("tpy agents init --f\t") == ["agents", "init", "--force"]
    assert session.complete("tpy agents init --agent Cod\t") == ["agents", "init", "--agent", "Codex"]
    assert session.complete("tpy completion z\t") == ["completion", "zsh"]
    assert session.complete("tpy --cl\t") == ["--clean"]


def test_d08_names_with_colons_and_blanks_come_out_whole(shell: Shell, typed: Callable[[], Interactive]) -> None:
    shell.user(agent("one:two", "a:", "b") + agent("my agent", "sh") + agent("it's", "sh"))
    session = typed()
    assert session.complete("tpy agents check one\t") == ["agents", "check", "one:two"]
    assert session.complete("tpy agents check one:t\t") == ["agents", "check", "one:two"]
    assert session.complete("tpy agents check my\t") == ["agents", "check", "my agent"]
    assert session.complete("tpy agents check it\t") == ["agents", "check", "it's"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh here")
def test_d08_descriptions_stand_apart_in_zsh(shell: Shell) -> None:
    shell.user(agent("one:two", "a:", "b") + agent("one:three", "sh"))
    session = Interactive(shell, "zsh")
    try:
        shown = session.listing("tpy agents check one:t\t\t\t", "one:three")
    finally:
        session.close()
    assert re.search(r"one:two +-- a: b", shown)
    assert re.search(r"one:three +-- sh", shown)
    assert "\\" not in shown


def test_files_are_completed_where_files_are_wanted(shell: Shell, typed: Callable[[], Interactive]) -> None:
    (shell.project / "notes.txt").write_text("")
    session = typed()
    assert session.complete("tpy -R not\t") == ["-R", "notes.txt"]
    assert session.complete("tpy agents trace not\t") == ["agents", "trace", "notes.txt"]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="no zsh here")
def test_zsh_loads_it_from_fpath_as_well(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = "cp '{script}' {home}/_tpy; fpath=({home} $fpath); autoload -Uz compinit; compinit -u -D; PROMPT='@@ '"
    monkeypatch.setitem(START, "zsh", (["zsh", "-f", "-i"], setup.replace("{home}", str(shell.home))))
    session = Interactive(shell, "zsh")
    try:
        assert session.complete("tpy agents ch\tTut\t") == ["agents", "check", "Tutor"]
        assert session.complete("tpy agents ch\tTut\t") == ["agents", "check", "Tutor"]
    finally:
        session.close()


def fish(shell: Shell, line: str) -> list[tuple[str, str]]:
    """What fish would offer for a line: (candidate, description) each."""
    script = shell.home / "tpy.fish"
    script.write_text(completion_script("fish"))
    command = f"source {script}; complete -C {line!r}"
    done = subprocess.run(
        ["fish", "--no-config", "-c", command],
        cwd=shell.project, env=shell.environ, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    rows = [row.partition("\t") for row in done.stdout.splitlines()]
    return [(name, about) for name, _, about in rows]


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
def test_fish_offers_the_same(shell: Shell) -> None:
    shell.user(agent("one:two", "a:", "b") + agent("my agent", "sh"))
    (shell.project / "notes.txt").write_text("")
    assert [name for name, _ in fish(shell, "tpy ag")] == ["agents"]
    assert [name for name, _ in fish(shell, "tpy agents ")] == ["check", "init", "list", "trace"]
    assert fish(shell, "tpy agents check ") == [("my agent", "sh"), ("one:two", "a: b"), ("Tutor", "built in")]
    assert fish(shell, "tpy agents init --agent Cod") == [("Codex", "write that known agent alone")]
    assert [name for name, _ in fish(shell, "tpy completion z")] == ["zsh"]
    assert [name for name, _ in fish(shell, "tpy --cl")] == ["--clean"]
    assert [name for name, _ in fish(shell, "tpy -R not")] == ["notes.txt"]
    assert [name for name, _ in fish(shell, "tpy agents trace not")] == ["notes.txt"]
    assert [name for name, _ in fish(shell, "tpy agents list not")] == []


BROKEN = ["syntax error", "directory", "fifo", "loop"]


@pytest.mark.parametrize("kind", BROKEN)
def test_d09_a_broken_file_prints_candidates_or_nothing(shell: Shell, kind: str) -> None:
    shell.user(agent("good", "sh"))
    path = shell.project_file("[[agent\n")
    if kind != "syntax error":
        path.unlink()
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    done = shell.tpy("agents", "list", "--names", seconds=20)
    assert (done.returncode, done.stdout, done.stderr) == (0, "good\tsh\nTutor\tbuilt in\n", "")


def test_d09_stdout_closed_or_the_directory_gone(shell: Shell) -> None:
    closed = subprocess.run(
        ["sh", "-c", f"{shell.tpy_script} agents list --names >&-"],
        cwd=shell.project, env=shell.environ, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (closed.returncode, closed.stderr) == (0, "")
    gone = subprocess.run(
        ["sh", "-c", f"mkdir d; cd d; rmdir ../d; {shell.tpy_script} agents list --names"],
        cwd=shell.project, env=shell.environ, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert gone.returncode == 0
    assert "Traceback" not in gone.stderr


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize("setup", ["", "COMP_WORDS=()", "COMP_WORDS=(tpy agents check) COMP_CWORD=9", "COMP_CWORD=0"])
def test_d09_odd_words_do_no_harm(shell: Shell, setup: str) -> None:
    command = f"source /dev/stdin\n{setup}\n_tpy; echo status $?"
    done = subprocess.run(
        ["bash", "-c", command], input=completion_script("bash"), cwd=shell.project, env=shell.environ,
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "status 0\n"
    assert done.stderr == ""


def test_control_characters_of_names_reach_no_shell(shell: Shell) -> None:
    shell.user('[[agent]]\nname = "a\\tb"\ncommand = "x"\n[[agent]]\nname = "c"\ncommand = "x\\u001b[2J"\n')
    assert shell.tpy("agents", "list", "--names").stdout == "c\tx [2J\nTutor\tbuilt in\n"


CALLS = [["--help"], ["--version"], ["completion", "zsh"], ["agents", "list", "--names"]]


@pytest.mark.parametrize("args", CALLS, ids=[" ".join(args) for args in CALLS])
def test_d10_quick_calls_load_little_and_start_nothing(shell: Shell, args: list[str]) -> None:
    shell.user(agent("a", "sh"))
    probe = (
        "import sys, os\n"
        "def audit(name, values):\n"
        "    if name in ('subprocess.Popen', 'os.fork', 'os.exec', 'os.posix_spawn', 'socket.connect'):\n"
        "        os.write(2, f'STARTED {name}'.encode())\n"
        "sys.addaudithook(audit)\n"
        "from tpy.modal.cli import main\n"
        f"status = main({args!r})\n"
        "heavy = {'click', 'curtsies', 'pygments', 'msgspec', 'asyncio', 'subprocess', 'tpy.acp.client'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
        "sys.exit(status)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", probe],
        cwd=shell.project, env=shell.environ, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "[]\n")


@pytest.mark.perf
@pytest.mark.parametrize("args", CALLS, ids=[" ".join(args) for args in CALLS])
def test_d10_quick_calls_are_quick(shell: Shell, args: list[str]) -> None:
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        shell.tpy(*args)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    # Processor seconds: what others do on the machine does not count.
    assert min(times) < 0.5
    assert Path(shell.project).is_dir()
