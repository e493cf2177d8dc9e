"""`acp/child.py` and `acp/transport.py`: real processes that behave badly, and none that stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.acp import child, schema
from tpy.acp.child import Exit
from tpy.acp.plainloop import PlainLoop
from tpy.acp.transport import PACE, QUEUE_CAP, STDERR_CAP, Tail, Transport

HELLO = ["hello"]
PROMPT = ["on", "session/prompt"]


def pid_in(stage: Any, path: Path) -> int:
    stage.run_until(path.exists)
    return int(path.read_text())


def wait_gone(stage: Any, lives: Callable[[int], bool], *pids: int) -> None:
    end = time.monotonic() + 10
    while any(map(lives, pids)):
        assert time.monotonic() < end, "a process stayed"
        stage.loop.turn(0.01)


def stop_stubbornly(stage: Any) -> None:
    """Stop, letting the stop ladder's seconds pass at once."""
    stage.client.stop()
    pass_steps(stage, 1.1, 1.5)


def pass_steps(stage: Any, *steps: float) -> None:
    """Let these seconds pass one after another, with a moment after each for the process to react."""
    for seconds in steps:
        stage.clock.advance(seconds)
        stage.loop.turn(0)
        stage.loop.run_until(lambda: bool(stage.handler.of("closed")), 0.3)
    stage.until("closed")


# -- stopping ----------------------------------------------------------------------------------------------


def test_a_polite_agent_leaves_at_the_end_of_its_input(stage: Any) -> None:
    stage.start(HELLO)
    stage.until("opened")
    stage.client.stop()
    assert stage.client.stage.value == "stopping"
    assert stage.until("closed") == ""
    assert (stage.client.exit.code, stage.client.exit.signal) == (0, None)


def test_A07_an_agent_that_ignores_the_end_and_TERM(stage: Any, lives: Callable[[int], bool]) -> None:
    stage.start(["stubborn"], HELLO, ["mark", str(stage.folder / "set")], ["hang"])
    stage.until("opened")
    stage.run_until((stage.folder / "set").exists)
    stop_stubbornly(stage)
    assert stage.client.exit.signal == "SIGKILL"
    assert not lives(stage.client.pid)


def test_an_agent_that_only_heeds_TERM(stage: Any) -> None:
    stage.start(HELLO, ["mark", str(stage.folder / "set")], ["hang"])
    stage.until("opened")
    stage.run_until((stage.folder / "set").exists)
    stop_stubbornly(stage)
    assert stage.client.exit.signal == "SIGTERM"


@pytest.mark.parametrize("way", ["stop", "kill"])
def test_A06_a_wrapper_and_its_grandchild_go_together(stage: Any, lives: Callable[[int], bool], way: str) -> None:
    inner = stage.folder / "inner.sh"
    agent = Path(__file__).parent / "fake_agent.py"
    pid_file, child_file = stage.folder / "pid", stage.folder / "child"
    script = f'[["hello"],["pid","{pid_file}"],["grandchild","{child_file}"],["hang"]]'
    inner.write_text(f"{sys.executable} {agent} '{script}'\n")
    stage.start(argv=["sh", "-c", f"sh {inner}; :"])
    stage.until("opened")
    real, grandchild = pid_in(stage, pid_file), pid_in(stage, child_file)
    assert lives(real)
    assert lives(grandchild)
    assert stage.client.pid not in (real, grandchild)
    if way == "stop":
        stop_stubbornly(stage)
    else:
        stage.client.kill()
        stage.until("closed")
    wait_gone(stage, lives, stage.client.pid, real, grandchild)


def test_a_grandchild_that_holds_the_pipe_delays_nothing(stage: Any, lives: Callable[[int], bool]) -> None:
    child_file = stage.folder / "child"
    stage.start(HELLO, PROMPT, ["say", "last"], ["grandchild", str(child_file)], ["exit", 5])
    stage.prompt()
    assert stage.until("closed") == "The agent stopped. (exit status 5)"
    assert stage.handler.session.entries[1].text == "last"
    wait_gone(stage, lives, pid_in(stage, child_file))


def test_an_agent_that_closes_its_output_and_stays_is_stopped(stage: Any) -> None:
    stage.start(HELLO, ["stubborn"], ["mark", str(stage.folder / "set")], ["close", "stdout"], ["hang"])
    stage.run_until((stage.folder / "set").exists)
    stage.loop.turn(0.05)
    pass_steps(stage, 0.3, 1.1, 1.5)
    assert stage.until("closed").startswith("The agent stopped. (killed by SIGKILL)")


def test_an_agent_that_closes_its_input_and_stays_is_stopped(stage: Any) -> None:
    stage.start(HELLO, ["stubborn"], ["close", "stdin"], ["mark", str(stage.folder / "set")], ["hang"])
    stage.until("opened")
    stage.run_until((stage.folder / "set").exists)
    stage.client.prompt(stage.handler.session, [schema.TextContent("x")], "x")
    pass_steps(stage, 0.3, 1.1, 1.5)
    assert "SIGKILL" in stage.until("closed")
    assert stage.until("ended").failed


def test_after_a_kill_of_the_parent_the_child_gets_a_signal(tmp_path: Path, lives: Callable[[int], bool]) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux can do this")
    pid_file = tmp_path / "pid"
    program = (
        "import os, sys, time\n"
        "from tpy.acp.child import Child\n"
        "from tpy.acp.plainloop import PlainLoop\n"
        "loop = PlainLoop()\n"
        "made = Child(loop, ['sleep', '600'], cwd='/', env=os.environ, with_stdin=True, merge_stderr=False,"
        " on_exit=print)\n"
        f"open({str(pid_file)!r} + 'x', 'w').write(str(made.pid))\n"
        f"os.rename({str(pid_file)!r} + 'x', {str(pid_file)!r})\n"
        "time.sleep(600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program])
    end = time.monotonic() + 20
    while not pid_file.exists():
        assert time.monotonic() < end
    pid = int(pid_file.read_text())
    assert lives(pid)
    parent.kill()
    parent.wait()
    while lives(pid):
        assert time.monotonic() < end, "the child outlived its parent"


def test_kill_all_ends_every_group(stage: Any, lives: Callable[[int], bool]) -> None:
    stage.start(["stubborn"], HELLO, ["hang"])
    stage.until("opened")
    child.kill_all()
    stage.until("closed")
    wait_gone(stage, lives, stage.client.pid)


# -- the child's surroundings ------------------------------------------------------------------------------


def test_A08_A09_the_child_has_its_own_session_and_no_terminal(stage: Any) -> None:
    pid_file = stage.folder / "pid"
    stage.start(["pid", str(pid_file)], HELLO)
    stage.until("opened")
    pid = pid_in(stage, pid_file)
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    group, session, terminal = map(int, fields[2:5])
    assert (group, session, terminal) == (pid, pid, 0)
    assert session != os.getsid(0)


def test_no_descriptor_of_ours_leaks_into_the_child(stage: Any) -> None:
    reader, writer = os.pipe()
    pid_file = stage.folder / "pid"
    stage.start(["pid", str(pid_file)], HELLO)
    stage.until("opened")
    pid = pid_in(stage, pid_file)
    theirs = {os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()}
    assert os.readlink(f"/proc/self/fd/{reader}") not in theirs
    os.close(reader)
    os.close(writer)


def test_no_descriptor_stays_open_after_the_end(stage: Any) -> None:
    before = len(os.listdir("/proc/self/fd"))
    stage.start(HELLO)
    stage.until("opened")
    stage.client.stop()
    stage.until("closed")
    assert len(os.listdir("/proc/self/fd")) == before


# -- reading and writing -----------------------------------------------------------------------------------


def test_a_flood_on_stderr_stops_nothing_and_its_end_is_kept(stage: Any) -> None:
    stage.start(["flood", 3_000_000], HELLO, PROMPT, ["stderr", "the end\n"], ["end", "end_turn"])
    stage.prompt()
    stage.until("ended")
    stage.run_until(lambda: stage.client.stderr[-1:] == ["the end"])
    assert len(stage.client.stderr_text) <= STDERR_CAP


def test_an_agent_that_does_not_read_is_queued_for_and_blocks_nobody(stage: Any) -> None:
    go = stage.folder / "go"
    stage.start(HELLO, ["until", str(go)], PROMPT, ["end", "end_turn"])
    stage.until("opened")
    stage.client.prompt(stage.handler.session, [schema.TextContent("x" * (8 << 20))], "x")
    for _ in range(5):
        stage.loop.turn(0.01)
    assert stage.client._transport.queued > 1 << 20
    go.touch()
    stage.until("ended")
    assert stage.client._transport.queued == 0


def test_an_agent_that_never_reads_is_stopped_in_the_end(stage: Any) -> None:
    stage.start(HELLO, ["until", str(stage.folder / "never")])
    stage.until("opened")
    text = "x" * (15 << 20)
    for _ in range(QUEUE_CAP // len(text) + 1):
        assert stage.client.stage.value == "ready"
        stage.client.set_title(stage.handler.session, text)
    message = stage.until("closed")
    assert message.startswith("The agent stopped. (it has stopped reading;")


def test_a_flood_leaves_room_for_others(stage: Any) -> None:
    """While an agent sends as fast as it can, timers are served, and the pipe pushes back."""
    stage.start(HELLO, PROMPT, *[["big", 200_000]] * 300, ["end", "end_turn"])
    stage.prompt()
    gaps: list[float] = []
    last = time.monotonic()

    def tick() -> None:
        nonlocal last
        now = time.monotonic()
        gaps.append(now - last)
        last = now
        if not stage.handler.of("ended"):
            stage.loop.call_later(0.001, tick)

    tick()
    stage.until("ended")
    gaps.sort()
    assert gaps[len(gaps) // 2] < 0.05
    [entry] = [e for e in stage.handler.session.entries if getattr(e, "kind", "") == "agent"]
    assert entry.size + entry.dropped == 300 * 200_000


def test_a_line_without_end_stops_the_agent(stage: Any) -> None:
    stage.start(HELLO, PROMPT, ["endless", 3_000_000], ["hang"])
    stage.client._connection.peer._max_line = 1 << 20
    stage.prompt()
    stage.run_until(lambda: stage.client.stage.value == "stopping")
    stage.clock.advance(1.1)
    stage.loop.turn(0)
    assert stage.until("closed").startswith("The agent stopped. (a line longer than 1 MiB)")
    assert stage.until("ended").failed


def test_the_tail_of_a_stream() -> None:
    tail = Tail(cap=10)
    tail.append(b"one\ntwo\n")
    seen = tail.total
    tail.append(b"three\n")
    assert tail.text == "two\nthree\n"
    assert tail.since(seen) == "three\n"
    assert tail.since(0) == "two\nthree\n"
    assert tail.since(tail.total) == ""
    assert tail.lines(1) == ["three"]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: path.write_text("#!/nowhere/python\n") and path.chmod(0o755), "there is no such program"),
        (lambda path: path.write_text("x") and None, "it may not be run; is it executable?"),
        (lambda path: path.write_bytes(b"\x7fELFjunk") and path.chmod(0o755), "Exec format error"),
        (lambda path: path.mkdir(), "it may not be run; is it executable?"),
    ],
)
def test_why_a_program_does_not_start(tmp_path: Path, make: Any, told: str, stage: Any) -> None:
    program = tmp_path / "agent"
    make(program)
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(child.StartError) as caught:
        child.Child(
            stage.loop,
            [str(program)],
            cwd=str(tmp_path),
            env={},
            with_stdin=True,
            merge_stderr=False,
            on_exit=print,
        )
    assert str(caught.value) == f"cannot start {program}: {told}"
    assert len(os.listdir("/proc/self/fd")) == before


def test_an_exit_is_named() -> None:
    assert str(child.Exit(code=3)) == "exit status 3"
    assert str(child.Exit(signal="SIGSEGV")) == "killed by SIGSEGV"
    assert str(child.Exit()) == "it did not end"
    assert child._signal_name(signal.SIGTERM) == "SIGTERM"
    assert child._signal_name(63) == "signal 63"


@pytest.mark.parametrize("waitid", [True, False])
@pytest.mark.parametrize(("step", "how"), [(["exit", 4], "exit status 4"), (["die", 9], "killed by SIGKILL")])
def test_an_exit_is_noticed_where_the_system_offers_less(
    stage: Any, monkeypatch: pytest.MonkeyPatch, waitid: bool, step: list[Any], how: str
) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    if not waitid:
        monkeypatch.delattr(os, "waitid", raising=False)
    stage.start(HELLO, step)
    stage.until("opened")
    for _ in range(5):
        stage.clock.advance(0.2)
        stage.loop.turn(0.02)
    assert stage.until("closed") == f"The agent stopped. ({how})"
    assert not Path(f"/proc/{stage.client.pid}").exists()


def test_an_agent_that_was_sent_more_than_it_reads_still_gets_everything_in_order(stage: Any) -> None:
    """While it does not read, prompts, answers and cancels are queued; it finds them in their order."""
    go = stage.folder / "go"
    stage.start(HELLO, ["until", str(go)], PROMPT, ["on", "session/cancel"], ["end", "cancelled"])
    stage.until("opened")
    stage.client.prompt(stage.handler.session, [schema.TextContent("y" * (4 << 20))], "y")
    stage.client.cancel(stage.handler.session)
    go.touch()
    assert stage.until("ended").message == "The turn ended: cancelled"


# -- a stream ----------------------------------------------------------------------------------------------


class Listener:
    """What a transport tells, as bytes and how many reads they came in."""

    def __init__(self) -> None:
        self.heard, self.reads = b"", 0

    def received(self, data: bytes) -> None:
        self.heard += data
        self.reads += 1

    def work(self, deadline: float) -> bool:
        return False

    def stuck(self, message: str) -> None:
        raise AssertionError(message)

    def gone(self, status: Exit) -> None:
        self.heard += b"."


@pytest.fixture
def fifo(tmp_path: Path) -> Path:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    return path


def test_small_reads_that_follow_quickly_are_taken_together(fifo: Path) -> None:
    now = 100.0
    loop, listener = PlainLoop(lambda: now), Listener()
    program = f"cat {fifo} & cat >{fifo}.heard; wait"
    transport = Transport(loop, listener, ["sh", "-c", program], cwd="/", env=os.environ)
    agent = os.open(fifo, os.O_WRONLY)

    def hears(data: bytes) -> None:
        assert loop.run_until(lambda: listener.heard == data, 10), listener.heard

    for heard in (b"1", b"12"):
        os.write(agent, heard[-1:])
        hears(heard)
    os.write(agent, b"3")
    loop.turn(0.1)
    os.write(agent, b"4")
    loop.turn(0.1)
    assert listener.heard == b"12"
    now += PACE
    hears(b"1234")
    assert listener.reads == 3
    os.write(agent, b"5")
    loop.turn(0.1)
    assert listener.reads == 3
    transport.write([b"an answer is read at once\n"])
    hears(b"12345")
    os.write(agent, b"6")
    os.close(agent)
    transport.kill()
    now += 1
    assert loop.run_until(lambda: listener.heard.endswith(b"."), 10)
