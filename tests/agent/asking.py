"""What tests about requests share: a request of a scripted agent, and how it was answered."""

from __future__ import annotations

from typing import Any

from agentworld import World

OPTIONS = [
    {"optionId": "n1", "name": "No", "kind": "reject_once"},
    {"optionId": "n2", "name": "Never", "kind": "reject_always"},
    {"optionId": "y", "name": "Yes", "kind": "allow_once"},
    {"optionId": "Y", "name": "Always", "kind": "allow_always"},
]


def ask(title: str | None = "Run", options: list[dict[str, str]] = OPTIONS, **call: Any) -> list[Any]:
    """Return the step of a scripted agent that asks for permission."""
    tool = {"toolCallId": "t1", **({"title": title} if title else {}), **call}
    return ["req", "session/request_permission", {"sessionId": "$SID", "toolCall": tool, "options": options}]


def asked(world: World, *steps: list[Any]) -> World:
    """Start an agent whose turn takes the steps, and wait for its first request."""
    world.agent("Bob", [*steps, ["say", "finished"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    return world


def outcomes(world: World) -> list[Any]:
    """Run the turn to its end; the answers on the wire: ids of options, or `cancelled`."""
    world.wait_for("finished")
    world.idle()
    return [answer["outcome"].get("optionId", answer["outcome"]["outcome"]) for answer in world.answers()]
