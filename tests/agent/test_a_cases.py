"""CASES A-04, A-36, A-37: what has no place among the sections."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from agentworld import World

from tpy.modal.agent import bridge
from tpy.modal.assembly import make_engine
from tpy.modal.ex.filestate import open_buffer

WORDS = "日本語 😀 é"


def test_a04_characters_cut_between_two_reads_are_whole(world: World) -> None:
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": WORDS}}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s1", "update": update}}
    write = {"sessionId": "$SID", "path": f"{world.project}/a.txt", "content": WORDS + "\n"}
    line = json.dumps(message, ensure_ascii=False) + "\n"
    world.agent("Bob", [["drip", line], ["req", "fs/write_text_file", write], ["say", "\nend"]])
    world.start()
    world.say("go")
    world.see("end")
    assert world.sees(WORDS)
    assert "\ufffd" not in "\n".join(world.screen)
    assert (world.project / "a.txt").read_text() == WORDS + "\n"


@pytest.mark.parametrize(
    ("place", "line"),
    [("a.txt:1-20", None), ("**", None), ("", None), ("gone.txt", None), ("a.txt", 99999)],
)
def test_a36_only_locations_that_are_files_are_gone_to(world: World, place: str, line: int | None) -> None:
    world.open("a.txt", b"one\ntwo\nthree\n")
    where: dict[str, Any] = {"path": f"{world.project}/{place}".rstrip("/"), **({"line": line} if line else {})}
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Look", "locations": [where]}
    world.agent("Bob", [["upd", tool], ["say", "ok"]])
    world.start()
    world.say("go")
    world.see("ok")
    before = len(world.editor.buffers)
    world.ex("agentfollow")
    if line is None:
        assert world.sees("The agent has not told where it works")
    else:
        assert world.here == "three"
    assert len(world.editor.buffers) == before


@pytest.mark.parametrize("opened", ["sub/one.txt", ""])
def test_a37_session_is_told_the_directory_the_editor_was_started_in(
    world: World, opened: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = world.root / "an ü directory"
    (project / "sub").mkdir(parents=True)
    (project / "sub" / "one.txt").write_text("x\n")
    monkeypatch.chdir(project)
    engine = make_engine()
    bridge.install(engine, world.loop, environ=world.environ)
    if opened:
        engine.editor.window.show(open_buffer(engine.editor, opened))
    world.agent("Bob", [])
    engine.run_ex("agent Bob")
    world.until(lambda: world.calls("session/new"))
    assert world.calls("session/new")[0]["cwd"] == str(project)
    client = bridge.agents_of(engine.editor).talks[0].client
    assert client is not None
    assert Path(os.readlink(f"/proc/{client.pid}/cwd")) == project
    bridge.stop(engine.editor)
