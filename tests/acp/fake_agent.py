"""An agent that follows a script: `python fake_agent.py '[["hello"], ["say", "hi"], …]'`.

One step after another: the notation of the test cases (`on`, `say`, `upd`, `req`, `end`, `err`, `raw`, `exit`,
`hang`), and what only a process can do. It uses nothing but blocking reads and writes. Steps:

    ["on", METHOD]            wait for a call; initialize and session/new are answered, others stay open
    ["hello"]                 on initialize, on session/new
    ["reply", METHOD, RESULT] answer an open call          ["err", METHOD, CODE, TEXT]
    ["upd", UPDATE] ["say", TEXT] ["note", METHOD, PARAMS] ["end", REASON]
    ["req", METHOD, PARAMS]   a call; the answer is waited for, and sent back as text of a chunk
    ["ask", METHOD, PARAMS]   a call whose answer is not waited for
    ["raw", TEXT] ["drip", TEXT]                           bytes as they are, at once or one by one
    ["stderr", TEXT, TIMES] ["flood", BYTES] ["big", BYTES] a chunk of that size, ["endless", BYTES] no line
    ["close", "stdin"|"stdout"] ["deaf"] (ignore TERM) ["stubborn"] (and the end of input)
    ["grandchild", FILE]      leave a sleeping child in the group, its pid in FILE; ["pid", FILE]
    ["mark", FILE]            create a file, as a sign
    ["until", FILE]           wait for a file (the test's sign), or for the end of input
    ["eof"]                   wait for the end of input    ["hang"] do nothing for ever
    ["exit", N] ["die", SIGNAL]
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from typing import Any


class Agent:
    """What the steps act on."""

    def __init__(self) -> None:
        self.buffer = b""
        self.open: dict[str, list[Any]] = {}
        self.answers: dict[Any, Any] = {}
        self.next_id = 0
        self.stubborn = False

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(1, view) :]

    def send(self, message: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n")

    def read(self) -> None:
        """Take one message."""
        while b"\n" not in self.buffer:
            data = os.read(0, 65536)
            if not data:
                if self.stubborn:
                    self.step_hang()
                sys.exit(0)
            self.buffer += data
        line, _, self.buffer = self.buffer.partition(b"\n")
        message = json.loads(line)
        if "method" in message:
            self.open.setdefault(message["method"], []).append(message.get("id"))
        else:
            self.answers[message["id"]] = message.get("result", message.get("error"))

    def wait_for(self, method: str) -> Any:
        while not self.open.get(method):
            self.read()
        return self.open[method][0]

    def step_on(self, method: str) -> None:
        id_ = self.wait_for(method)
        if method == "initialize":
            self.step_reply(method, {"protocolVersion": 1})
        elif method == "session/new":
            self.step_reply(method, {"sessionId": "s1"})
        elif id_ is None:
            self.open[method].pop(0)

    def step_hello(self) -> None:
        self.step_on("initialize")
        self.step_on("session/new")

    def step_reply(self, method: str, result: Any) -> None:
        id_ = self.wait_for(method)
        self.open[method].pop(0)
        self.send({"id": id_, "result": result})

    def step_err(self, method: str, code: int, text: str, data: Any = None) -> None:
        id_ = self.wait_for(method)
        self.open[method].pop(0)
        self.send({"id": id_, "error": {"code": code, "message": text, "data": data}})

    def step_end(self, reason: str) -> None:
        self.step_reply("session/prompt", {"stopReason": reason})

    def step_note(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def step_upd(self, update: dict[str, Any], session: str = "s1") -> None:
        self.step_note("session/update", {"sessionId": session, "update": update})

    def step_say(self, text: str) -> None:
        self.step_upd({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}})

    def step_ask(self, method: str, params: Any) -> int:
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def step_req(self, method: str, params: Any) -> None:
        id_ = self.step_ask(method, params)
        while id_ not in self.answers:
            self.read()
        self.step_say(json.dumps(self.answers[id_], ensure_ascii=False) + "\n")

    def step_raw(self, text: str) -> None:
        self.write(text.encode("utf-8", "surrogateescape"))

    def step_drip(self, text: str) -> None:
        for byte in text.encode():
            self.write(bytes([byte]))

    def step_endless(self, size: int) -> None:
        self.write(b"x" * size)

    def step_big(self, size: int) -> None:
        self.step_say("x" * size)

    def step_stderr(self, text: str, times: int = 1) -> None:
        sys.stderr.write(text * times)
        sys.stderr.flush()

    def step_flood(self, size: int) -> None:
        line = b"stderr noise " * 80 + b"\n"
        for _ in range(size // len(line) + 1):
            os.write(2, line)

    def step_close(self, name: str) -> None:
        os.close({"stdin": 0, "stdout": 1}[name])

    def step_deaf(self) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def step_stubborn(self) -> None:
        self.step_deaf()
        self.stubborn = True

    def step_grandchild(self, path: str) -> None:
        child = subprocess.Popen(
            [sys.executable, "-c", "import signal,time; signal.signal(15, signal.SIG_IGN); time.sleep(600)"]
        )
        with open(path + ".new", "w") as file:
            file.write(str(child.pid))
        os.rename(path + ".new", path)

    def step_pid(self, path: str) -> None:
        with open(path + ".new", "w") as file:
            file.write(str(os.getpid()))
        os.rename(path + ".new", path)

    def step_mark(self, path: str) -> None:
        with open(path, "w"):
            pass

    def step_until(self, path: str) -> None:
        while not os.path.exists(path):
            if select.select([0], [], [], 0.005)[0]:
                data = os.read(0, 65536)
                if not data:
                    sys.exit(0)
                self.buffer += data

    def step_eof(self) -> None:
        while True:
            self.read()

    def step_hang(self) -> None:
        while True:
            time.sleep(600)

    def step_exit(self, code: int) -> None:
        os._exit(code)

    def step_die(self, number: int) -> None:
        os.kill(os.getpid(), number)
        self.step_hang()


def main() -> None:
    """Run the script, then read until the end of input."""
    agent = Agent()
    for name, *values in json.loads(sys.argv[1]):
        getattr(agent, f"step_{name}")(*values)
    agent.step_eof()


if __name__ == "__main__":
    main()
