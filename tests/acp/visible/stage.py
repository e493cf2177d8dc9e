"""The hostile agent in the editor: one row played from the first key to the last, and all that came of it.

    python tests/acp/visible/stage.py NAME      # print what a row comes to, as a line of `rows.jsonl`

A line says how a row is played (`row`, `start`, `words`, `entry`, `steps`, `end`) and what is exactly so: `on_the_way`
before each step the state, the message and the open request as it is shown; in the end `answers` (what the client
answered to the agent's requests), `calls` (all else that it said), `shown` (the conversation), `state`, `message`,
`prompt` (the draft), `queue`, `commands` (offered after a slash), `odd` and `stray` (what was dropped), `files`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[2] / "agent")]

from agentworld import World  # noqa: E402

ROWS = Path(__file__).with_name("rows.jsonl")
BEHAVES = "I behave, until you choose otherwise: `/` lists the ways."
FILES = {"notes.txt": b"one\ntwo\nthree\n", "dos.txt": b"a\r\nb\r\n"}
# What a line says on how its row is played.
PLAYED = ("row", "how", "seen", "start", "words", "entry", "steps", "end")
# What differs from run to run.
VOLATILE = ((r"\bterm-\d+\b", "term-N"), (r"process \d+, grandchild \d+", "process N, grandchild N"))

Line = dict[str, Any]


class Stage:
    """An editor with the hostile agent, and all that went over its pipes. `root` is an empty directory."""

    def __init__(self, root: Path, start: str = "", **entry: Any) -> None:
        self.world = World(root)
        self.said: list[Line] = []
        self.on_the_way: list[Line] = []
        self.world.agents.trace.tap = lambda name: self._tap  # type: ignore[method-assign, assignment]
        for name, data in FILES.items():
            (self.world.project / name).write_bytes(data)
        (self.world.project / "big.txt").write_text("x" * (1 << 20))
        args = ["-P", "-m", "tpy.acp.agents.hostile", *(["--start", start] if start else [])]
        settings = {"command": sys.executable, "args": args, **entry}
        folder = self.world.home / ".config" / "turbo-python"
        folder.mkdir(parents=True)
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
        (folder / "acp.toml").write_text('[[agent]]\nname = "Bob"\n' + "".join(lines))

    def _tap(self, sent: bool, line: bytes) -> None:
        if sent:
            self.said.append(json.loads(line))

    def play(self, row: str, steps: list[list[str]], end: str) -> None:
        """Start the agent, give it a prompt, take the steps (wait; ex command or `keys …`) and wait for the end."""
        world = self.world
        world.ex("agent Bob")
        world.say(row)
        for wait, command in steps:
            world.until(self._condition(wait))
            self.on_the_way.append(self._now())
            if command.startswith("keys "):
                world.keys(command.removeprefix("keys "))
            else:
                world.ex(command)
        world.until(self._condition(end))
        world.talk.draw()

    def _now(self) -> Line:
        """Return what is to be seen of a turn or a start that goes on."""
        talk = self.world.talk
        talk.draw()
        found: Line = {"state": _without_time(talk.status.state()), "message": self.world.message}
        if talk.requests and talk.requests[0].item is not None:
            item = talk.requests[0].item
            found["request"] = self.world.shown[talk.conversation.first(item) : talk.conversation.end(item)]
        return found

    def _condition(self, wait: str) -> Callable[[], object]:
        world = self.world
        talk = world.talk
        return {
            "ask": lambda: talk.requests,
            "asks again": lambda: talk.requests and world.shows("The login had no effect"),
            "idle": lambda: talk.session is not None and not talk.busy and not talk.queue.texts,
            "gone": lambda: talk.gone,
            "answered": lambda: not talk.requests and not talk.busy,
            "cancelling": lambda: talk.status.state().startswith("cancelling"),
        }.get(wait, lambda: world.shows(wait))

    def result(self) -> Line:
        """Return what came of it."""
        world, talk = self.world, self.world.talk
        answers = [{k: v for k, v in m.items() if k != "jsonrpc"} for m in self.said if "method" not in m]
        calls = [m["method"] for m in self.said if "method" in m]
        session, client = talk.session, talk.client
        files = {
            str(path.relative_to(world.root)): path.read_bytes().decode("latin-1")
            for path in sorted([*world.project.rglob("*"), *world.root.glob("*.txt")])
            if path.is_file() and path.stat().st_size < 1000
        }
        changed = {n: t for n, t in files.items() if FILES.get(n.removeprefix("project/"), b"").decode("latin-1") != t}
        found = {
            "on_the_way": self.on_the_way,
            "answers": answers,
            "calls": calls,
            "shown": world.shown,
            "state": _without_time(talk.status.state()),
            "message": world.message,
            "prompt": talk.prompt.text,
            "queue": talk.queue.status(),
            "commands": [c.name for c in talk.slash_commands()][: 0 if not session or session.commands[10:] else None],
            "odd": session.odd_updates if session is not None else 0,
            "stray": client.stray_lines if client is not None else 0,
            "files": changed,
        }
        text = json.dumps(found, ensure_ascii=False).replace(str(world.root), "ROOT")
        for pattern, stable in VOLATILE:
            text = re.sub(pattern, stable, text)
        result: Line = json.loads(text)
        for answer in result["answers"]:
            content = (answer.get("result") or {}).get("content")
            if isinstance(content, str) and len(content) > 1000:
                answer["result"]["content"] = f"{len(content)} characters"
        return result


def _without_time(state: str) -> str:
    return re.sub(r" \d+s", "", state)


def lines() -> dict[str, Line]:
    """Return the lines by the name of their row, with what is special about them where a row has several."""
    found = [json.loads(line) for line in ROWS.read_text(encoding="utf-8").splitlines()]
    return {" ".join(filter(None, (line["row"], line.get("words"), line.get("how")))): line for line in found}


def played(stage: Stage, line: Line) -> Line:
    """Play a line on a stage and return what came of it."""
    row = line["row"]
    prompt = line.get("words", "hello") if line.get("start") else f"/{row} {line.get('words', '')}".rstrip()
    stage.play(prompt, line.get("steps", []), line.get("end", "idle"))
    return stage.result()


def make(root: Path, line: Line) -> Stage:
    """Return the stage for a line."""
    return Stage(root, line["row"] if line.get("start") else "", **line.get("entry", {}))


def main() -> None:
    """Print rows as they come out now, after the words on how they are played that `rows.jsonl` has."""
    import tempfile

    for name in sys.argv[1:]:
        how = lines()[name]
        with tempfile.TemporaryDirectory() as folder:
            stage = make(Path(folder), how)
            kept = {
                key: how[key] for key in ("row", "how", "seen", "start", "words", "entry", "steps", "end") if key in how
            }
            try:
                print(json.dumps(kept | played(stage, how), ensure_ascii=False), flush=True)
            except AssertionError as error:
                print(f"{name}: {error}", file=sys.stderr)
            stage.world.close()


if __name__ == "__main__":
    main()
