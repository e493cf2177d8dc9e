"""`make streamcost`: what a stream of an agent costs the editor, in a real process on a pseudo-terminal.

Says the processor time of the editor per update and how long after the agent's last write the end is on the screen.
Nobody types. The time is given as two multiples of `json.loads` of the same lines: of parsing many in a row, which no
program that waits for them can do, and of a bare reader, a process that parses each line as the same agent writes it,
at the same rate, and does nothing with it. Linux (`/proc`).
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = "The quick brown fox jumps over the lazy dog; über alles `code` and **bold**.\n- item one\n- item two\n"
END = "THE END OF IT"
SIZE = (120, 50)


def line(number: int) -> str:
    """An update of about 60 characters of text, as agents write it."""
    text = f"#{number:07} {WORDS[:51]}" + ("\n" if number % 8 == 7 else "")
    return _update(text)


def _update(text: str) -> str:
    said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    params = {"sessionId": "s", "update": said}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}, ensure_ascii=False)


def agent(rate: float, count: int, log: str) -> None:
    """Speak as an agent that answers a prompt with `count` updates, `rate` a second."""

    def say(text: str) -> None:
        os.write(1, text.encode() + b"\n")

    for message in map(json.loads, sys.stdin):
        answer = {"initialize": {"protocolVersion": 1}, "session/new": {"sessionId": "s"}}.get(
            message.get("method"), {}
        )
        if message.get("method") == "session/prompt":
            began = time.monotonic()
            for number in range(count):
                time.sleep(max(began + number / rate - time.monotonic(), 0))
                say(line(number))
            answer = {"stopReason": "end_turn"}
            Path(log).write_text(str(time.monotonic()))
            say(_update(f"\n\n{END}\n"))
        if "id" in message:
            say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": answer}))


def cpu(pid: int) -> float:
    """The seconds of processor time a process has used, to the nanosecond."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


def read_to(fd: int, text: bytes) -> list[float]:
    """Read what the editor draws, as cheaply as can be, until a text is in it.

    Four times a second some lines are parsed, on the machine as it is just then: the seconds for each of them.
    """
    lines = [line(number).encode() for number in range(100)]
    parsed: list[float] = []
    seen = b""
    due = time.monotonic() + 0.25
    while text not in seen:
        select.select([fd], [], [])
        seen = seen[-len(text) :] + os.read(fd, 1 << 16)
        if time.monotonic() > due:
            due += 0.25
            began = time.process_time()
            for each in lines:
                json.loads(each)
            parsed.append((time.process_time() - began) / len(lines))
    return parsed


READER = "import json, sys\nfor line in sys.stdin.buffer:\n    json.loads(line)\n"


def bare(rate: float, seconds: float) -> float:
    """The processor time per update of a process that only parses what the agent writes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, __file__, "--agent", f"{folder}/log", "--rate", str(rate), "--seconds", str(seconds)]
        speaker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        reader = subprocess.Popen([sys.executable, "-c", READER], stdin=speaker.stdout)
        assert speaker.stdin is not None
        speaker.stdin.write(b'{"method": "session/prompt"}\n')
        speaker.stdin.flush()
        time.sleep(seconds / 4)  # started and at work
        before, began = cpu(reader.pid), time.monotonic()
        time.sleep(seconds / 2)
        spent = (cpu(reader.pid) - before) / (rate * (time.monotonic() - began))
        for process in (speaker, reader):
            process.kill()
            process.wait()
        return spent


def measure(rate: float, seconds: float) -> tuple[float, float, float]:
    """The editor's seconds of processor time per update, those of `json.loads`, those until the end was shown."""
    from harness import Editor

    with tempfile.TemporaryDirectory() as folder:
        work, log = Path(folder), Path(folder) / "written"
        settings = work / ".config" / "turbo-python"
        settings.mkdir(parents=True)
        args = json.dumps([__file__, "--agent", log.as_posix(), "--rate", str(rate), "--seconds", str(seconds)])
        entry = f'[[agent]]\nname = "Flood"\ncommand = "{sys.executable}"\nargs = {args}\n'
        (settings / "acp.toml").write_text(entry)
        (work / "notes.txt").write_text("".join(f"line {number} of the file\n" for number in range(200)))
        with Editor(["notes.txt"], size=SIZE, cwd=work, home=work, timeout=seconds + 30) as tpy:
            tpy.wait("line 1 of the file")
            tpy.keys(":agent Flood<CR>")
            tpy.wait("Flood  idle")
            tpy.keys("<Esc><C-w>t:ask go<CR>")
            read_to(tpy.fd, b"#0")
            before, first = cpu(tpy.pid), time.monotonic()
            parsed = read_to(tpy.fd, END.encode())
            spent, shown = cpu(tpy.pid) - before, time.monotonic()
            written = float(log.read_text())
    return spent / (rate * (written - first)), statistics.mean(parsed), shown - written


def main() -> None:
    """Measure some rounds of some rates and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, action="append", help="updates a second; 500 and 50 unless given")
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--agent", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.agent:
        agent(args.rate[0], int(args.rate[0] * args.seconds), args.agent)
        return
    sys.path.insert(0, str(Path(__file__).parent / "screen"))
    for rate in args.rate or (500.0, 50.0):
        found = [measure(rate, args.seconds) for _ in range(args.rounds)]
        bases = [bare(rate, args.seconds) for _ in range(args.rounds)]
        spent, _, lag = (statistics.median(column) for column in zip(*found, strict=True))
        times = statistics.median(ours / base for ours, base, _ in found)
        worst = max(seconds for _, _, seconds in found)
        print(
            f"{rate:.0f} updates a second: {spent * 1e6:.0f} µs each, {times:.1f} times json.loads in a row,"
            f" {spent / statistics.median(bases):.1f} times a reader that does json.loads as they come;"
            f" the end is shown {lag * 1e3:.0f} ms after it was written (at most {worst * 1e3:.0f})",
            flush=True,
        )


if __name__ == "__main__":
    main()
