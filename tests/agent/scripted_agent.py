"""An agent that does what a script says: a real process for tests. `python scripted_agent.py SCRIPT.json`.

The script is an object: `steps` (one list a prompt), and optionally `initialize`, `new` (results, or a list of results
and `{"error": …}` for one call after the other), `before_new` and `replay` (updates), `hang` (a method never
answered), `stderr`, `at_once` (results of calls answered also while a turn runs).
A step: ["say", text] ["think", text] ["upd", update] ["req", method, params] (waits for the answer; params may use
"$SID") ["send", method, params] (does not wait) ["note", method, params] (a notification) ["wait"] (for all answers)
["cancelled"] (waits for a cancel) ["called", method] (waits for a call of that method) ["exit", code] ["err", error]
["end", reason] ["stderr", text] ["raw", text] ["drip", text] (byte by byte) ["gate", file] (waits until it exists).
Everything received is appended to the file named by WIRE.
"""

import json
import os
import sys
import time


class Agent:
    """The agent: what of its script is done, and the calls that wait until a turn is over."""

    def __init__(self, script):
        self.script = script
        self.id = 0
        self.cancelled = False
        self.answered = set()
        self.backlog = []
        self.turns = 0
        self.calls = {}
        self.seen = set()

    def send(self, **message):
        """Write a message of JSON-RPC."""
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()

    def receive(self):
        """Return the next message, noted in the record; the end of input ends the agent."""
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        message = json.loads(line)
        with open(os.environ["WIRE"], "a") as file:
            file.write(json.dumps(message) + "\n")
        if message.get("method") == "session/cancel":
            self.cancelled = True
        elif "method" not in message:
            self.answered.add(message["id"])
        return message

    def update(self, update):
        """Send an update of the session."""
        self.send(method="session/update", params={"sessionId": "s1", "update": update})

    def request(self, method, params):
        """Send a request, with the session for "$SID"; return its id."""
        self.id += 1
        text = json.dumps(params).replace("$SID", "s1")
        self.send(id=self.id, method=method, params=json.loads(text))
        return self.id

    def wait(self, done):
        """Take messages until `done()`; calls that come meanwhile are answered at once or kept for later."""
        while not done():
            message = self.receive()
            if "method" in message and "id" in message:
                self.seen.add(message["method"])
                at_once = self.script.get("at_once", {})
                if message["method"] in at_once:
                    self.send(id=message["id"], result=at_once[message["method"]])
                else:
                    self.backlog.append(message)

    def step(self, step):
        """Do one step of the script, but for those that end the turn."""
        kind, *args = step
        if kind in ("say", "think"):
            name = "agent_message_chunk" if kind == "say" else "agent_thought_chunk"
            self.update({"sessionUpdate": name, "content": {"type": "text", "text": args[0]}})
        elif kind == "upd":
            self.update(args[0])
        elif kind == "req":
            wanted = self.request(*args)
            self.wait(lambda: wanted in self.answered)
        elif kind == "send":
            self.request(*args)
        elif kind == "note":
            self.send(method=args[0], params=args[1])
        elif kind == "wait":
            self.wait(lambda: len(self.answered) >= self.id)
        elif kind == "cancelled":
            self.wait(lambda: self.cancelled)
        elif kind == "called":
            self.wait(lambda: args[0] in self.seen)
        elif kind == "exit":
            sys.stdout.flush()
            os._exit(args[0])
        elif kind == "stderr":
            sys.stderr.write(args[0])
            sys.stderr.flush()
        elif kind == "raw":
            sys.stdout.write(args[0])
            sys.stdout.flush()
        elif kind == "drip":
            for byte in args[0].encode():
                os.write(1, bytes([byte]))
        elif kind == "gate":
            while not os.path.exists(args[0]):
                time.sleep(0.005)

    def turn(self, message):
        """Do the steps of one prompt and answer it."""
        steps = self.script["steps"]
        chosen = steps[min(self.turns, len(steps) - 1)] if steps else []
        self.turns += 1
        self.cancelled = False
        for step in chosen:
            if step[0] == "err":
                self.send(id=message["id"], error=step[1])
                return
            if step[0] == "end":
                self.send(id=message["id"], result={"stopReason": step[1]})
                return
            self.step(step)
        self.send(id=message["id"], result={"stopReason": "end_turn"})

    def scripted(self, name, default):
        """Return the script's result for a call, of a list the next, else the default."""
        value = self.script.get(name, default)
        if isinstance(value, list):
            at = self.calls.get(name, 0)
            self.calls[name] = at + 1
            value = value[min(at, len(value) - 1)]
        return value

    def handle(self, message):
        """Answer one call."""
        method, id_ = message.get("method"), message.get("id")
        if id_ is None or method == self.script.get("hang"):
            return
        if method == "session/prompt":
            self.turn(message)
            return
        if method == "initialize":
            result = self.scripted("initialize", {"protocolVersion": 1, "agentCapabilities": {}})
        elif method == "session/new":
            for update in self.script.get("before_new", []):
                self.update(update)
            result = self.scripted("new", {"sessionId": "s1"})
        else:
            for update in self.script.get("replay", []) if method == "session/load" else []:
                self.update(update)
            result = self.scripted(method, {})
        if "error" in result:
            self.send(id=id_, error=result["error"])
        else:
            self.send(id=id_, result=result)

    def run(self):
        """Serve until the end of input."""
        if "stderr" in self.script:
            sys.stderr.write(self.script["stderr"])
            sys.stderr.flush()
        if "exit" in self.script:
            sys.exit(self.script["exit"])
        while True:
            self.handle(self.backlog.pop(0) if self.backlog else self.receive())


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        Agent(json.load(file)).run()
