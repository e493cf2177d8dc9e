"""How a session begins: where it works, and logins that fail, end or do not end (CASES A-19, A-20, A-37)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from agentworld import World

LOGIN = {"error": {"code": -32000, "message": "Log in"}}
WEB = {"id": "web", "name": "Browser"}
TTY = {"id": "tty", "name": "Terminal", "type": "terminal", "args": ["--login"]}


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., World]]:
    """Make a world whose agent wants a login by these methods."""
    made: list[World] = []

    def world(*methods: dict[str, Any], root: Path = tmp_path, **script: Any) -> World:
        one = World(root)
        made.append(one)
        hello = {"protocolVersion": 1, "agentCapabilities": {}, "authMethods": list(methods)}
        one.agent("Bob", [["say", "hi"]], initialize=hello, **script)
        return one

    yield world
    for one in made:
        one.close()


def asked(world: World) -> World:
    """Start, send a prompt, wait until the ways to log in are offered."""
    world.ex("agent Bob")
    world.say("question")
    world.until(lambda: world.talk.requests)
    return world


def test_a37_the_session_and_its_process_are_in_the_editors_directory(
    make: Callable[..., World], tmp_path: Path
) -> None:
    root = tmp_path / "a b ü"
    root.mkdir()
    world = make(root=root)
    world.open("sub/one.txt", b"x\n")
    world.start()
    assert world.calls("session/new")[0]["cwd"] == str(root / "project")
    client = world.talk.client
    assert client is not None
    assert Path(f"/proc/{client.pid}/cwd").resolve() == root / "project"


def test_a19_terminal_login_that_fails_says_why_and_the_ways_are_offered_again(make: Callable[..., World]) -> None:
    world = make(TTY, new=[LOGIN])
    world.editor.extra["run-in-terminal"] = lambda argv, env, cwd: "bob returned 3"
    asked(world)
    world.ex("agentlogin tty")
    assert "The login failed: bob returned 3" in world.shown
    assert world.talk.prompt.text == "question"
    assert world.shown[-1] == "[1] Terminal"
    assert len(world.calls("initialize")) == 1


def test_a19_terminal_login_that_works_goes_on_with_a_new_process(make: Callable[..., World]) -> None:
    world = make(TTY, new=[LOGIN])
    world.editor.extra["run-in-terminal"] = lambda argv, env, cwd: ""
    asked(world)
    world.ex("agentlogin tty")
    world.until(lambda: len(world.calls("session/new")) == 2)
    assert world.calls("authenticate") == []


def test_a20_refusing_to_log_in_gives_the_prompt_back(make: Callable[..., World]) -> None:
    world = asked(make(WEB, new=[LOGIN]))
    world.ex("deny")
    assert world.talk.prompt.text == "question"
    assert world.talk.status.state() == "wants a login (:agentlogin)"
    world.ex("cancel")
    assert world.message == "No login is running: :agentlogin METHOD begins one, :agentclose ends the session"


def test_a20_login_that_never_ends_is_seen_and_given_up(make: Callable[..., World]) -> None:
    world = asked(make(WEB, new=[LOGIN, {"sessionId": "s1"}], hang="authenticate"))
    world.ex("agentlogin web")
    assert world.talk.status.state().startswith("logging in 0s (:cancel)")
    assert world.shown[-1] == "Logging in with Browser; :cancel gives up."
    redraws = world.redraws
    world.until(lambda: world.talk.status.state() == "logging in 1s (:cancel)")
    assert world.redraws >= redraws
    world.ex("cancel")
    assert "The login failed: authenticate was cancelled" in world.shown
    assert not world.shows("Logging in with")
    assert world.talk.prompt.text == "question"
    assert [m["method"] for m in world.sent if "method" in m][-1] in ("authenticate", "$/cancel_request")
    world.ex("agentclose")
    assert world.agents.talks == [] or world.talk.closing
