"""`tpy agents check`: a clear line and the right status for every kind of agent (spec AGENTS §2; CASES A, D)."""

from __future__ import annotations

import json
import os
import pty
import select
import sys
import time
from pathlib import Path

import pytest
from tests.shell.conftest import Shell, agent

STAND_IN = str(Path(__file__).with_name("stand_in.py"))


def stand_in(kind: str, *args: str, more: str = "") -> str:
    return agent(kind, sys.executable, STAND_IN, kind, *args, more=more)


def steps(shell: Shell, *args: str) -> tuple[int, dict[str, tuple[str, str]]]:
    """The exit status and the steps of the only agent asked for."""
    done = shell.tpy("agents", "check", "--json", *args)
    (report,) = json.loads(done.stdout)["agents"]
    assert json.loads(done.stdout)["exit"] == done.returncode
    return done.returncode, {step["step"]: (step["status"], step["text"]) for step in report["steps"]}


def test_all_is_well_with_nothing_but_the_tutor(shell: Shell) -> None:
    done = shell.tpy("agents", "check")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert lines[0] == "file ok ~/.config/turbo-python/acp.toml: there is none"
    assert lines[2] == "merge ok Tutor (built in)"
    assert lines[3] == "Tutor"
    assert [line.split()[:2] for line in lines[4:]] == [
        ["trust", "ok"],
        ["program", "ok"],
        ["started", "ok"],
        ["initialize", "ok"],
        ["session/new", "ok"],
    ]
    assert "protocol 1, Tutor 1; can: embedded files, close" in lines[7]


def test_a_healthy_agent_of_a_file(shell: Shell) -> None:
    shell.user(stand_in("healthy"))
    status, found = steps(shell, "healthy")
    assert status == 0
    assert found["program"] == ("ok", sys.executable.replace(str(shell.home), "~"))
    assert "protocol 1, stand-in 7; can: prompts" in found["initialize"][1]
    assert found["session/new"][0] == "ok"


def test_a_program_that_is_missing(shell: Shell) -> None:
    (shell.bin / "claude").symlink_to("/bin/true")
    shell.user(agent("Claude", "claude-agent-acp"))
    status, found = steps(shell, "Claude")
    assert status == 1
    assert found["program"] == (
        "failed",
        "claude-agent-acp was not found in PATH; claude is there, its adapter claude-agent-acp is not; "
        "install it: npm install -g @agentclientprotocol/claude-agent-acp",
    )
    assert "started" not in found


def test_a05_d15_one_that_exits_at_once_and_prints_its_secrets(shell: Shell) -> None:
    shell.user(stand_in("exit", more='env = { API_KEY = "s3cr3t-value" }'))
    done = shell.tpy("agents", "check", "exit")
    assert done.returncode == 1
    assert "exit status 127" in done.stdout
    assert "env: node: not found^[[2J" in done.stdout
    assert "\x1b" not in done.stdout
    assert "secret is ***" in done.stdout
    assert "s3cr3t" not in done.stdout + done.stderr
    status, found = steps(shell, "exit")
    assert status == 1
    assert found["initialize"][0] == "failed"


@pytest.mark.parametrize(("kind", "stage"), [("silent", "initialize"), ("silent at new", "session/new")])
def test_a18_one_that_is_silent(shell: Shell, kind: str, stage: str) -> None:
    shell.user(stand_in(kind, more="timeout = 0.7"))
    before = time.monotonic()
    status, found = steps(shell, kind)
    assert time.monotonic() - before < 10
    assert status == 1
    assert found[stage][0] == "failed"
    assert f"no answer to {stage} within 0.7 s" in found[stage][1]


def test_one_that_prints_a_banner_first(shell: Shell) -> None:
    shell.user(stand_in("banner"))
    done = shell.tpy("agents", "check", "banner")
    assert done.returncode == 0
    (remark,) = [line for line in done.stdout.splitlines() if "no messages" in line]
    assert " ".join(remark.split()) == (
        "remark remark 2 lines on stdout were no messages; the first: Loading model ^[[31m..."
    )


@pytest.mark.parametrize(("kind", "spoken"), [("version", "2"), ("text version", '"1"'), ("no version", "null")])
def test_a17_a_version_that_does_not_fit(shell: Shell, kind: str, spoken: str) -> None:
    shell.user(stand_in(kind))
    status, found = steps(shell, kind)
    assert status == 1
    assert found["initialize"] == (
        "failed",
        f"the agent speaks protocol version {spoken}; this editor speaks 1",
    )
    assert "session/new" not in found


def test_a19_one_that_wants_a_login(shell: Shell) -> None:
    shell.user(stand_in("login"))
    status, found = steps(shell, "login")
    assert status == 1
    assert "logins: Browser login" in found["initialize"][1]
    state, text = found["session/new"]
    assert state == "failed"
    assert text.startswith("the agent wants to be logged in first (Browser login): Authentication required")


def test_one_that_opens_no_session(shell: Shell) -> None:
    shell.user(stand_in("error"))
    status, found = steps(shell, "error")
    assert status == 1
    assert found["session/new"] == ("failed", "the agent would not open a session: no model configured")


def test_a_permission_is_answered_cancelled_and_reported(shell: Shell) -> None:
    out = shell.project / "answer"
    shell.user(stand_in("asks", str(out)))
    status, found = steps(shell, "asks")
    assert status == 0
    assert found["remark"] == (
        "remark",
        "a permission was asked for without a prompt, and answered cancelled",
    )
    assert json.loads(out.read_text()) == {"outcome": {"outcome": "cancelled"}}


def test_a07_one_that_ignores_the_end_of_its_input(shell: Shell) -> None:
    shell.user(stand_in("stubborn"))
    before = time.monotonic()
    status, _ = steps(shell, "stubborn")
    assert status == 0
    assert time.monotonic() - before < 10


# --- which agents, which status -------------------------------------------------------------------------


def test_status_2_for_a_broken_file_and_the_other_one_still_counts(shell: Shell) -> None:
    shell.user('[[agent]]\nname = "Bob"\ncomand = "x"\n')
    shell.project_file(stand_in("healthy"))
    done = shell.tpy("agents", "check", "--fast")
    assert done.returncode == 2
    assert (
        "reading ~/.config/turbo-python/acp.toml: agent.comand is not a key this file has. "
        'Did you mean "command"?' in done.stdout
    )
    assert "healthy (project), Tutor (built in)" in done.stdout


def test_status_2_for_a_name_that_is_not_there(shell: Shell) -> None:
    shell.user(agent("a", "sh") + agent("b", "sh"))
    done = shell.tpy("agents", "check", "c")
    assert (done.returncode, done.stderr) == (2, "no agent is called c; there are: a, b, Tutor\n")


def test_fast_starts_nothing(shell: Shell) -> None:
    shell.user(agent("a", "sh", "-c", f"touch {shell.project}/OWNED"))
    done = shell.tpy("agents", "check", "--fast", "a")
    assert done.returncode == 0
    assert "program      ok      /" in done.stdout
    assert "started" not in done.stdout
    assert not (shell.project / "OWNED").exists()


def test_a_command_that_is_in_no_file(shell: Shell) -> None:
    shell.project_file("broken")
    done = shell.tpy("agents", "check", "--", sys.executable, STAND_IN, "healthy")
    assert " ".join(done.stdout.split()).count("trust ok given on the command line") == 1
    assert done.returncode == 0
    assert "protocol 1, stand-in 7" in done.stdout
    gone = shell.tpy("agents", "check", "--", "no-such-program", "--acp")
    assert gone.returncode == 1
    assert "no-such-program was not found in PATH" in gone.stdout
    assert shell.tpy("agents", "check", "name", "--", "sh").returncode == 2


def test_d13_a_whole_command_line_in_one_string(shell: Shell) -> None:
    shell.user(agent("a", "python3 -m agent --acp"))
    _, found = steps(shell, "a")
    assert 'put "python3" into command and the rest into args' in found["program"][1]


def test_d05_remarks_are_shown_and_harmless(shell: Shell) -> None:
    shell.user(stand_in("healthy", "~/x"))
    status, found = steps(shell, "healthy")
    assert status == 0
    assert found["remark"][1] == "args: item 3 looks as if it should be expanded; it is passed as written"


# --- trust ----------------------------------------------------------------------------------------------


def test_d06_without_a_terminal_nothing_unapproved_starts(shell: Shell) -> None:
    shell.project_file(agent("helper", "sh", "-c", f"touch {shell.project}/OWNED"))
    for _ in range(2):
        done = shell.tpy("agents", "check")
        assert done.returncode == 1
        assert "not trusted" in done.stdout
    for args in (["agents", "list"], ["agents", "list", "--names"], ["completion", "bash"]):
        shell.tpy(*args)
    assert not (shell.project / "OWNED").exists()


def on_terminal(shell: Shell, answer: bytes, *args: str) -> tuple[int, str]:
    """Run `tpy` on a pty and answer its first question."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(shell.project)
        os.execve(shell.tpy_script, [str(shell.tpy_script), *args], {**shell.environ, "TERM": "dumb"})
    seen, asked, end = b"", False, time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            data = os.read(terminal, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
        if not asked and b"[y/N]" in seen:
            asked = True
            os.write(terminal, answer)
    os.close(terminal)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status), seen.decode()


def test_d06_on_a_terminal_the_command_line_is_shown_and_asked_for(shell: Shell) -> None:
    shell.project_file(stand_in("healthy", more='env = { API_KEY = "s3cr3t-value" }'))
    status, seen = on_terminal(shell, b"n\r", "agents", "check", "healthy")
    assert status == 1
    assert "stand_in.py healthy" in seen
    assert "API_KEY" in seen
    assert "s3cr3t" not in seen
    status, seen = on_terminal(shell, b"y\r", "agents", "check", "healthy")
    assert (status, "approved by you now" in seen) == (0, True)
    # The yes is remembered; a changed entry asks again.
    assert shell.tpy("agents", "check", "healthy").returncode == 0
    shell.project_file(stand_in("healthy", "more"))
    assert shell.tpy("agents", "check", "healthy").returncode == 1


def test_a18_somebody_who_watches_is_told_what_is_waited_for(shell: Shell) -> None:
    shell.user(stand_in("silent", more="timeout = 4"))
    status, seen = on_terminal(shell, b"", "agents", "check", "silent")
    assert status == 1
    assert "waiting for the answer to initialize, 4 s at most" in seen


def test_d07_a_project_entry_under_a_trusted_name_is_not_trusted(shell: Shell) -> None:
    shell.user(stand_in("healthy"))
    assert shell.tpy("agents", "check", "healthy").returncode == 0
    shell.project_file(agent("healthy", "sh", "-c", f"touch {shell.project}/OWNED"))
    done = shell.tpy("agents", "check", "healthy")
    assert done.returncode == 1
    assert "healthy (project)" in done.stdout
    assert not (shell.project / "OWNED").exists()


def test_the_trace_covers_a_check(shell: Shell) -> None:
    shell.environ["TURBO_ACP_TRACE"] = str(shell.project / "t")
    shell.user(stand_in("banner", more='env = { API_KEY = "s3cr3t-value" }'))
    assert shell.tpy("agents", "check", "banner").returncode == 0
    text = (shell.project / "t").read_text()
    assert ' banner -> {"jsonrpc":"2.0","id":0,"method":"initialize"' in text
    assert " banner <- Loading model" in text
    assert "s3cr3t" not in text
    shown = shell.tpy("agents", "trace", "t").stdout
    assert "session/new #1" in shown
    assert "no message: Loading model ^[[31m..." in shown
