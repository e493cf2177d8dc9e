"""Ways to misbehave on the wire and as a process: broken frames, odd ids, floods, deaths, noise."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

from tpy.acp.agents.hostile.wire import UNANSWERED, Wire, outcome, turn


@turn("banner", "21.1", "dropped into the log and counted; the text is shown")
def banner(wire: Wire, words: str) -> None:
    """A banner and log lines on stdout."""
    wire.raw(b"Loading model...\n\x1b[32mINFO\x1b[0m ready\n\n")
    wire.say("ok\n")


@turn("scalars", "21.2", "only objects of the right shape count")
def scalars(wire: Wire, words: str) -> None:
    """JSON on stdout that is no message."""
    wire.raw(b'5\n"text"\nnull\n[]\n{"level":"info","msg":"log"}\n{"jsonrpc":"1.0","method":"x"}\n')
    wire.raw(b'[{"jsonrpc":"2.0","method":"session/update","params":{}}]\n')
    wire.say("ok\n")


@turn("broken-frames", "A-16", "-32600, nothing, nothing, -32602")
def broken_frames(wire: Wire, words: str) -> None:
    """Bad method, bad JSON, an answer to nobody, bad params."""
    wire.raw(b'{"jsonrpc":"2.0","id":9,"method":42}\n{broken\n{"jsonrpc":"2.0","id":12345,"result":{}}\n')
    wire.raw(b'{"jsonrpc":"2.0","id":10,"method":"fs/read_text_file","params":[]}\n')
    answer = wire.request("fs/read_text_file", {}, 11)
    wire.say(f"ok, {outcome(answer)}\n")


@turn("ids", "21.4, A-15", "each comes back as it was")
def ids(wire: Wire, words: str) -> None:
    """Its own ids are 0, "0", "abc-1", 7 and -1."""
    for ident in (0, "0", "abc-1", 7, -1):
        wire.say(f"{ident!r}: {outcome(wire.request('x/unknown', {}, ident))}\n")


@turn("long-line", "21.3, A-39", "read; every key answered in 0.2 s")
def long_line(wire: Wire, words: str) -> None:
    """One line of 8 MiB, or of as many as you say."""
    wire.say("x" * ((int(words) if words.isdecimal() else 8) << 20))
    wire.say("\nend\n")


@turn("flood", "21.42", "keys come first; all text arrives")
def flood(wire: Wire, words: str) -> None:
    """20,000 chunks as fast as the pipe takes them."""
    for number in range(int(words) if words.isdecimal() else 20000):
        wire.say(f"{number} ")
    wire.say("\nend\n")


@turn("byte-by-byte", "A-04", "exact text, no U+FFFD")
def byte_by_byte(wire: Wire, words: str) -> None:
    """A line of wide characters, one byte at a time."""
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "日本語 😀 é\n"}}
    params = {"sessionId": wire.session, "update": update}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": params}
    for byte in json.dumps(message, ensure_ascii=False).encode() + b"\n":
        wire.raw(bytes([byte]))
        time.sleep(0.002)


@turn("surrogate", "A-33", "no crash; the write is refused")
def surrogate(wire: Wire, words: str) -> None:
    """Half a character as a JSON escape, in text and in a write."""
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "half \ud800 one\n"}}
    chunk = {"method": "session/update", "params": {"sessionId": wire.session, "update": update}}
    params = {"sessionId": wire.session, "path": wire.path("half.txt"), "content": "\ud800"}
    for message in (chunk, {"id": "half", "method": "fs/write_text_file", "params": params}):
        wire.raw(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")


@turn("no-newline", "A-01", "the turn ends well, then the exit is told")
def no_newline(wire: Wire, words: str) -> None:
    """The last answer has no newline; then it exits."""
    wire.say("done\n")
    wire.raw(json.dumps({"jsonrpc": "2.0", "id": wire.prompt_id, "result": {"stopReason": "end_turn"}}).encode())
    os._exit(0)


@turn("dies", "A-02", "text kept, status or signal told")
def dies(wire: Wire, words: str) -> None:
    """Leaves in the middle of a turn; say 3 or KILL for how."""
    wire.tool("t1", title="Long work", status="in_progress")
    wire.say("partial")
    print("last words", file=sys.stderr, flush=True)
    if words.upper() == "KILL":
        os.kill(os.getpid(), signal.SIGKILL)
    os._exit(int(words) if words.isdecimal() else 0)


@turn("dies-asking", "A-03", "no traceback, told once")
def dies_asking(wire: Wire, words: str) -> None:
    """Asks for a file and leaves without reading the answer."""
    wire.ask("fs/read_text_file", {"path": wire.path(words or "big.txt")})
    os._exit(1)


@turn("stderr-noise", "A-05", "the screen is untouched; the agent never blocks")
def stderr_noise(wire: Wire, words: str) -> None:
    """Escape codes and 200 KiB on stderr."""
    for _ in range(2000):
        print("warn \x1b[31mred\x1b[2J".ljust(100, "."), file=sys.stderr, flush=True)
    wire.say("ok\n")


@turn("survivor", "21.38, A-06, A-07", "all gone in seconds")
def survivor(wire: Wire, words: str) -> str:
    """Ignores SIGTERM and the end of input, with a grandchild."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    child = subprocess.Popen(["sh", "-c", "trap '' TERM HUP; sleep 600; :"])
    wire.say(f"process {os.getpid()}, grandchild {child.pid}\n")
    wire.end()
    while True:
        time.sleep(600)


@turn("interrupts", "A-08", "the interrupt key sends it none")
def interrupts(wire: Wire, words: str) -> None:
    """Counts the signals of a second, or of as many as you say."""
    got: list[int] = []
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, lambda number, _: got.append(number))
    wire.say("counting\n")
    wire.meanwhile(int(words) if words.isdecimal() else 1)
    wire.say(f"signals: {len(got)}\n")


@turn("terminal-grab", "A-09", "the editor loses no key and no mode")
def terminal_grab(wire: Wire, words: str) -> None:
    """Reads from and sets up /dev/tty."""
    done = subprocess.run(["sh", "-c", "stty sane </dev/tty; head -c 1 </dev/tty"], capture_output=True, check=False)
    wire.say(f"status {done.returncode}\n")


@turn("stops-reading", "21.42", "prompts and cancels are queued")
def stops_reading(wire: Wire, words: str) -> None:
    """Reads nothing for 10 seconds while it asks for files."""
    for _ in range(50):
        wire.ask("fs/read_text_file", {"path": wire.path(words or "big.txt")})
    time.sleep(10)
    wire.say("reading again\n")


@turn("silence", "21.53", "says that there was none")
def silence(wire: Wire, words: str) -> None:
    """A turn with no output."""


@turn("never-answers", "21.20, A-22", "shows that the turn is open")
def never_answers(wire: Wire, words: str) -> str:
    """Says all and never answers the prompt."""
    wire.say("All done.\n")
    return UNANSWERED


@turn("error", "A-12", "the error under its own question")
def error(wire: Wire, words: str) -> str:
    """An error answer with data; the next prompt works."""
    wire.error(wire.prompt_id, -32603, "backend said 401", {"status": 401})
    return UNANSWERED


@turn("login-lost", "A-20", "the text is still there and can be sent again")
def login_lost(wire: Wire, words: str) -> str:
    """The prompt is answered -32000."""
    wire.error(wire.prompt_id, -32000, "Authentication required")
    return UNANSWERED


@turn("busy", "21.22, 21.54", "the second one waits in the client")
def busy(wire: Wire, words: str) -> None:
    """Takes one prompt at a time."""
    wire.say("one thing at a time\n")
    for call in wire.meanwhile(1):
        wire.say(f"{call['method']} came in between\n")


@turn("odd-stop", "8", "the turn ends, the reason is shown")
def odd_stop(wire: Wire, words: str) -> str:
    """A stop reason nobody knows."""
    return wire.end("ran_away")


@turn("cancel-ends", "21.17", "shown as cancelled")
def cancel_ends(wire: Wire, words: str) -> str:
    """Answers a cancel by end_turn."""
    wire.say("Cancel me.\n")
    wire.wait_for_cancel()
    return wire.end("end_turn")


@turn("cancel-errors", "21.17", "shown as cancelled, without error colour")
def cancel_errors(wire: Wire, words: str) -> str:
    """Answers a cancel by an error."""
    wire.say("Cancel me.\n")
    wire.wait_for_cancel()
    wire.error(wire.prompt_id, -32603, "aborted")
    return UNANSWERED


@turn("cancel-ignored", "21.17, A-21", "a second cancel offers to stop it")
def cancel_ignored(wire: Wire, words: str) -> str:
    """Reads on and never answers a cancel."""
    wire.say("Cancel me.\n")
    wire.wait_for_cancel()
    return UNANSWERED
