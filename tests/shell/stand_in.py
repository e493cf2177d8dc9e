"""A stand-in agent for the checker's tests: what it does is its first argument."""

import json
import os
import sys
import time


def say(**message: object) -> None:
    """Write a message of JSON-RPC."""
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def hello(version: object = 1, methods: object = ()) -> dict[str, object]:
    """What `initialize` is answered with."""
    info = {"name": "stand-in", "version": "7"}
    return {"protocolVersion": version, "agentInfo": info, "authMethods": list(methods), "agentCapabilities": {}}  # type: ignore[call-overload]


def main(kind: str) -> None:
    """Behave as an agent of a kind does: `banner`, `exit`, `silent`, `login`, …"""
    if kind == "banner":
        print("Loading model \x1b[31m...")
        print("done", flush=True)
    if kind == "exit":
        print("env: node: not found\x1b[2J", file=sys.stderr)
        print("secret is " + os.environ.get("API_KEY", "none"), file=sys.stderr)
        sys.exit(127)
    if kind == "silent":
        print("still loading", file=sys.stderr, flush=True)
    for line in sys.stdin:
        call = json.loads(line)
        method, ident = call.get("method"), call.get("id")
        if kind == "silent":
            continue
        if method == "initialize":
            methods = [{"id": "l", "name": "Browser login"}] if kind == "login" else []
            version = {"version": 2, "text version": "1", "no version": None}.get(kind, 1)
            say(id=ident, result=hello(version, methods))
        elif method == "session/new" and kind == "silent at new":
            continue
        elif method == "session/new" and kind == "login":
            say(id=ident, error={"code": -32000, "message": "Authentication required"})
        elif method == "session/new" and kind == "error":
            say(id=ident, error={"code": -32603, "message": "no model configured"})
        elif method == "session/new":
            assert os.path.isdir(call["params"]["cwd"])
            say(id=ident, result={"sessionId": "s1"})
            if kind == "asks":
                options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
                tool = {"toolCallId": "t"}
                params = {"sessionId": "s1", "toolCall": tool, "options": options}
                say(id="p", method="session/request_permission", params=params)
        elif kind == "asks" and ident == "p":
            with open(sys.argv[2], "w") as out:
                json.dump(call["result"], out)
    if kind == "stubborn":
        time.sleep(600)


main(sys.argv[1])
