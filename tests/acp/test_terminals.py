"""`acp/terminals.py`: `terminal/*` served by real commands."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.acp.entries import Message
from tpy.acp.terminals import command_line

HELLO = ["hello"]
PROMPT = ["on", "session/prompt"]


def call(method: str, **params: Any) -> list[Any]:
    return ["req", f"terminal/{method}", {"sessionId": "s1", **params}]


def known(method: str, number: int = 1) -> list[Any]:
    return call(method, terminalId=f"term-{number}")


def run(stage: Any, *steps: list[Any]) -> list[Any]:
    """Play the steps in a turn; return the client's answers in order."""
    stage.start(HELLO, PROMPT, *steps, ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    text = "".join(e.text for e in stage.handler.session.entries if isinstance(e, Message) and e.kind == "agent")
    return [json.loads(line) for line in text.splitlines()]


def python(code: str) -> dict[str, Any]:
    return {"command": sys.executable, "args": ["-c", code]}


def test_a_command_from_creation_to_release(stage: Any, validate: Callable[[str, Any], None]) -> None:
    code = "import sys; print('out'); sys.stdout.flush(); print('err', file=sys.stderr); sys.exit(3)"
    created, ended, output, killed, released, gone = run(
        stage,
        call("create", **python(code)),
        known("wait_for_exit"),
        known("output"),
        known("kill"),
        known("release"),
        known("output"),
    )
    assert created == {"terminalId": "term-1"}
    assert ended == {"exitCode": 3}
    assert output == {"output": "out\nerr\n", "truncated": False, "exitStatus": {"exitCode": 3}}
    assert (killed, released) == ({}, {})
    assert (gone["code"], gone["data"]) == (-32002, {"terminalId": "term-1"})
    validate("CreateTerminalResponse", created)
    validate("WaitForTerminalExitResponse", ended)
    validate("TerminalOutputResponse", output)
    view = stage.handler.session.terminals["term-1"]
    assert (view.text, view.released, view.exit_status.exit_code) == ("out\nerr\n", True, 3)
    assert len(stage.client._terminals) == 0


def test_environment_and_directory(stage: Any) -> None:
    (stage.folder / "sub").mkdir()
    code = "import os; print(os.environ['A'], os.environ['PATH'] != '', os.getcwd())"
    answers = run(
        stage,
        call("create", **python(code), env=[{"name": "A", "value": "b c"}], cwd=str(stage.folder / "sub")),
        known("wait_for_exit"),
        known("output"),
        call("create", **python("import os; print(os.getcwd())")),
        known("wait_for_exit", 2),
        known("output", 2),
    )
    assert answers[2]["output"] == f"b c True {stage.folder / 'sub'}\n"
    assert answers[5]["output"] == f"{stage.folder}\n"


def test_a_whole_command_line_goes_through_the_shell(stage: Any, tmp_path: Path) -> None:
    answers = run(stage, call("create", command="echo one | tr o 0"), known("wait_for_exit"), known("output"))
    assert answers[2]["output"] == "0ne\n"
    odd = tmp_path / "my prog"
    odd.write_text("")
    assert command_line("my prog", [], str(tmp_path)) == ["my prog"]
    assert command_line("ls -l", ["x"], "/") == ["ls -l", "x"]
    assert command_line("ls", [], "/") == ["ls"]
    assert command_line("a;b", [], "/") == ["/bin/sh", "-c", "a;b"]


def test_output_is_cut_at_the_beginning_on_a_character(stage: Any) -> None:
    answers = run(
        stage,
        call("create", **python("print('é' * 100, end='')"), outputByteLimit=9),
        known("wait_for_exit"),
        known("output"),
        call("create", **python("print('abc', end='')"), outputByteLimit=0),
        known("wait_for_exit", 2),
        known("output", 2),
    )
    assert (answers[2]["output"], answers[2]["truncated"]) == ("é" * 4, True)
    assert (answers[5]["output"], answers[5]["truncated"]) == ("", True)


def test_output_that_is_no_text_is_shown_as_well_as_it_can(stage: Any) -> None:
    code = "import os; os.write(1, b'a\\xff'); os.write(1, b'\\xc3'); os.write(1, b'\\xa9')"
    answers = run(stage, call("create", **python(code)), known("wait_for_exit"), known("output"))
    assert answers[2]["output"] == "a�é"


def test_a_signal_is_named_and_never_a_negative_code(stage: Any) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM)"
    answers = run(stage, call("create", **python(code)), known("wait_for_exit"))
    assert answers[1] == {"signal": "SIGTERM"}


def test_a_program_that_is_not_there(stage: Any) -> None:
    [refused] = run(stage, call("create", command="/nowhere/prog", args=["x"]))
    assert refused["code"] == -32603
    assert refused["message"] == "cannot start /nowhere/prog: there is no such program"


def test_kill_ends_the_group_and_keeps_the_output(stage: Any, lives: Callable[[int], bool]) -> None:
    pid_file = stage.folder / "pid"
    line = f"sleep 600 & echo ready; echo $! > {pid_file}.new; mv {pid_file}.new {pid_file}; wait"
    stage.start(
        HELLO, PROMPT, call("create", command=line), ["until", str(pid_file)], known("kill"),
        known("wait_for_exit"), known("output"), known("release"), ["end", "end_turn"],
    )  # fmt: skip
    stage.prompt()
    stage.until("ended")
    text = stage.handler.session.entries[1].text
    answers = [json.loads(line) for line in text.splitlines()]
    assert answers[2] == {"signal": "SIGTERM"}
    assert answers[3]["output"] == "ready\n"
    stage.run_until(lambda: not lives(int(pid_file.read_text())))


@pytest.mark.parametrize("way", ["release", "close", "stop", "die"])
def test_nothing_runs_on_when_its_terminal_is_gone(stage: Any, lives: Callable[[int], bool], way: str) -> None:
    pid_file = stage.folder / "pid"
    code = (
        f"import os, signal, time; signal.signal(15, signal.SIG_IGN); "
        f"open('{pid_file}n', 'w').write(str(os.getpid())); "
        f"os.rename('{pid_file}n', '{pid_file}'); time.sleep(600)"
    )
    steps = {"release": [known("release")], "die": [["exit", 1]]}.get(way, [["reply", "session/close", {}]])
    waiting = ["ask", *known("wait_for_exit")[1:]]
    stage.start(HELLO, PROMPT, call("create", **python(code)), waiting, ["until", str(pid_file)], *steps)
    stage.prompt()
    stage.run_until(pid_file.exists)
    pid = int(pid_file.read_text())
    if way == "close":
        stage.client.manage_session("session/close", "s1")
    elif way == "stop":
        stage.client.stop()
    stage.run_until(lambda: not lives(pid), "the end of the command")
    if way == "release":
        stage.run_until(lambda: {"signal": "SIGKILL"} in [m.get("result") for m in stage.sent])


def test_a_wait_can_be_taken_back_and_the_command_lives(stage: Any) -> None:
    go = stage.folder / "go"
    code = f"import os, time\nwhile not os.path.exists('{go}'): time.sleep(0.005)"
    stage.start(
        HELLO,
        PROMPT,
        call("create", **python(code)),
        ["ask", *known("wait_for_exit")[1:]],
        ["note", "$/cancel_request", {"requestId": 2}],
        known("output"),
        ["mark", str(go)],
        known("wait_for_exit"),
        ["end", "end_turn"],
    )
    stage.prompt()
    stage.until("ended")
    errors = [m["error"]["code"] for m in stage.sent if "error" in m]
    assert errors == [-32800]
    answers = [json.loads(line) for line in stage.handler.session.entries[1].text.splitlines()]
    assert answers[1] == {"output": "", "truncated": False}
    assert answers[2] == {"exitCode": 0}


def test_terminals_belong_to_their_session(stage: Any) -> None:
    stage.start(
        HELLO,
        ["reply", "session/new", {"sessionId": "s2"}],
        PROMPT,
        call("create", command="true"),
        ["req", "terminal/output", {"sessionId": "s2", "terminalId": "term-1"}],
        ["end", "end_turn"],
    )
    stage.until("opened")
    stage.client.new_session("/elsewhere")
    stage.until("opened", 2)
    stage.prompt()
    stage.until("ended")
    assert '"code": -32002' in stage.handler.session.entries[1].text


def test_output_shows_in_the_tool_call_while_it_runs(stage: Any) -> None:
    go = stage.folder / "go"
    shown = {
        "sessionUpdate": "tool_call",
        "toolCallId": "t",
        "title": "run",
        "content": [{"type": "terminal", "terminalId": "term-1"}],
    }
    line = f"echo first; while [ ! -e {go} ]; do sleep 0.01; done; echo second"
    stage.start(
        HELLO, PROMPT, call("create", command=line), ["upd", shown], known("wait_for_exit"), ["end", "end_turn"]
    )
    stage.prompt()
    stage.run_until(lambda: "term-1" in stage.handler.session.terminals)
    session = stage.handler.session
    stage.run_until(lambda: session.terminals["term-1"].text == "first\n" and session.tool("t") is not None)
    seen = session.revision
    os.close(os.open(go, os.O_CREAT))
    stage.until("ended")
    assert session.terminals["term-1"].since(6) == "second\n"
    assert session.tool("t") in session.changed_since(seen)
