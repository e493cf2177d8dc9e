"""AGENTS §10: a request that waits stays in sight, whatever the status line and whichever key moves nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agentworld import World

from tpy.modal.programs import open_url

OPTIONS = [
    {"optionId": "yes", "name": "Yes, do it", "kind": "allow_once"},
    {"optionId": "no", "name": "No", "kind": "reject_once"},
]


def asked(world: World, lines: int) -> None:
    new = "".join(f"line {number}\n" for number in range(lines))
    call: dict[str, Any] = {"toolCallId": "t1", "title": "Edit", "kind": "edit"}
    call["content"] = [{"type": "diff", "path": str(world.project / "a.txt"), "oldText": "", "newText": new}]
    ask = ["req", "session/request_permission", {"sessionId": "$SID", "toolCall": call, "options": OPTIONS}]
    world.agent("Bob", [["say", "so far"], ask, ["say", "finished"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)


def sees(world: World, text: str) -> bool:
    return any(text in row for row in world.screen)


@pytest.mark.parametrize("key", ["l", "$", "0", "<Right>", "h"])
def test_s10_a_key_that_stays_on_its_line_does_not_scroll_a_request_away(world: World, key: str) -> None:
    asked(world, 60)
    assert sees(world, "Yes, do it")
    world.keys("<Esc><Tab>")
    assert sees(world, "Yes, do it")
    world.keys(key)
    assert sees(world, "Yes, do it")
    world.keys("k")
    assert not sees(world, "Yes, do it")


@pytest.mark.parametrize("lines", [2, 60])
def test_s10_typing_in_the_prompt_leaves_it_in_sight(world: World, lines: int) -> None:
    asked(world, lines)
    world.keys("<Esc>ione<C-j>two<C-j>three<C-j>four<C-j>five<Up><Left><Down>")
    assert sees(world, "Yes, do it")
    assert sees(world, "five")


def test_s10_a_status_line_of_the_users_own_does_not_hide_who_waits(world: World) -> None:
    world.editor.set_option("statusline", "%f of mine")
    asked(world, 2)
    assert sees(world, "of mine")
    assert sees(world, "asks you")
    assert sum("Bob asks: Edit (:allow / :deny)" in row for row in world.screen) >= 2
    world.keys("<Esc>")
    world.ex("setlocal statusline=here\\ too")
    assert sees(world, "here too")


def test_s10_an_address_goes_to_the_users_browser(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$#" "$1" >{heard}.new\nmv {heard}.new {heard}\n')
    browser.chmod(0o755)
    environ = {"BROWSER": str(browser), "PATH": "/usr/bin:/bin"}
    url = "https://example.org/a?b='$(touch x)'&c=%20d"
    assert open_url(url, environ) == ""
    while not heard.exists():
        pass
    assert heard.read_text() == f"1 {url}\n"


@pytest.mark.parametrize(
    ("url", "why"),
    [("file:///etc/passwd", "it is no address of the web"), ("https://example.org", "no browser was found")],
)
def test_s10_an_address_that_cannot_be_opened_says_why(tmp_path: Path, url: str, why: str) -> None:
    assert why in open_url(url, {"PATH": str(tmp_path)})
