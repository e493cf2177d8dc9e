"""AGENTS §3, row by row: the ex commands that prompt an agent, set something of it or show what it does."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from agentworld import HANG, World, prompts


def initialized(**more: Any) -> dict[str, Any]:
    return {"protocolVersion": 1, "agentCapabilities": {}, **more}


def test_s3_ask_prompts_from_anywhere_and_sends_a_range(world: World) -> None:
    world.open("a.txt", b"one\ntwo\nthree\n")
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.to_file()
    world.ex("ask why?")
    world.see("ok")
    world.idle()
    world.ex("2,3ask and this?")
    world.idle()
    world.keys("ggVj:ask these<CR>")
    world.until(lambda: len(prompts(world)) == 3)
    assert prompts(world) == [
        "why?",
        "and this?\n\na.txt:2-3\n```\ntwo\nthree\n```",
        "these\n\na.txt:1-2\n```\none\ntwo\n```",
    ]
    assert world.editor.buffer.name.endswith("a.txt")


def test_s3_agentsend_and_gb_put_text_into_the_prompt(world: World) -> None:
    world.open("a.txt", b"one\ntwo\nthree\nfour five\n")
    world.agent("Bob", [["say", "ok"]])
    talk = world.start()
    world.to_file()
    world.ex("1,2agentsend")
    assert talk.prompt.text == "a.txt:1-2\n```\none\ntwo\n```"
    assert world.sees("2 lines are in the prompt of Bob")
    talk.prompt.show("")
    world.keys("gggbj")
    assert talk.prompt.text == "a.txt:1-2\n```\none\ntwo\n```"
    world.keys("j.")
    assert talk.prompt.text.endswith("a.txt:2-3\n```\ntwo\nthree\n```")
    talk.prompt.show("")
    world.keys("Gwgbiw")
    assert talk.prompt.text == "a.txt:4\n```\nfive\n```"
    talk.prompt.show("")
    world.keys("ggVjgb")
    assert talk.prompt.text == "a.txt:1-2\n```\none\ntwo\n```"
    assert prompts(world) == []


def test_s3_gB_sends_at_once_and_dot_repeats_it(world: World) -> None:
    world.open("a.txt", b"one\ntwo\n")
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.to_file()
    world.keys("gB$")
    world.until(lambda: len(prompts(world)) == 1)
    world.idle()
    world.keys("j.")
    world.until(lambda: len(prompts(world)) == 2)
    world.idle()
    world.keys("VgB")
    world.until(lambda: len(prompts(world)) == 3)
    assert prompts(world) == ["a.txt:1\n```\none\n```", *["a.txt:2\n```\ntwo\n```"] * 2]


def test_s3_agentset_mode_and_model_show_and_set(world: World) -> None:
    option = {"id": "think", "name": "Thinking", "type": "select", "currentValue": "low",
              "options": [{"value": "low", "name": "Low"}, {"value": "high", "name": "High"}]}  # fmt: skip
    modes = {"currentModeId": "a", "availableModes": [{"id": "a", "name": "Ask"}, {"id": "b", "name": "Auto"}]}
    models = {
        "currentModelId": "m1",
        "availableModels": [{"modelId": "m1", "name": "M1"}, {"modelId": "m2", "name": "M2"}],
    }
    opened = {"sessionId": "s1", "configOptions": [option], "modes": modes, "models": models}
    done = {"configOptions": [dict(option, currentValue="high")]}
    world.agent("Bob", [], new=opened, **{"session/set_config_option": done})
    world.start()
    world.ex("agentset")
    for row in ("think (Thinking): [low], high", "mode: [a], b", "model: [m1], m2"):
        assert world.sees(row)
    world.ex("agentset think=high")
    world.ex("agentmode auto")
    world.ex("agentmodel m2")
    world.until(lambda: world.calls("session/set_model"))
    assert world.calls("session/set_config_option") == [{"sessionId": "s1", "configId": "think", "value": "high"}]
    assert world.calls("session/set_mode") == [{"sessionId": "s1", "modeId": "b"}]
    assert world.calls("session/set_model") == [{"sessionId": "s1", "modelId": "m2"}]
    world.until(lambda: (world.ex("agentset think"), world.sees("think (Thinking): low, [high]"))[1])


def test_s3_agentqueue_is_an_editable_buffer(world: World) -> None:
    world.agent("Bob", HANG, [["say", "second"]])
    world.start()
    world.say("one")
    world.see("working")
    for text in ("two", "three", "four"):
        world.say(text)
    world.see("3 queued")
    world.ex("agentqueue")
    assert world.editor.buffer.lines == ["two", "-" * 20, "three", "-" * 20, "four"]
    world.keys("cwTWO<Esc>Gdd")
    assert world.sees("2 queued")
    world.keys("u")
    assert world.sees("3 queued")
    world.keys("<C-r>")
    world.to_file()
    world.ex("cancel")
    world.see("2 held")
    world.ex("agent Bob")
    world.ex("agentqueue")  # lets it go
    world.until(lambda: len(prompts(world)) == 3)
    assert prompts(world) == ["one", "TWO", "three"]


@pytest.mark.parametrize("leave", ["w", "wq", "q"])
def test_s3_what_is_added_to_the_queue_of_an_idle_agent_is_sent(world: World, leave: str) -> None:
    world.agent("Bob", [["say", "heard"]])
    world.start()
    world.ex("agentqueue")
    world.keys("ione<Esc>")
    assert not prompts(world)  # it may be half typed
    world.ex(leave)
    world.until(lambda: prompts(world) == ["one"])
    world.see("heard")


STEERS = initialized(_meta={"steering": {"supported": True}})


@pytest.mark.parametrize("outcome", ["injected", "failed"])
def test_s3_steer_speaks_into_the_running_turn(world: World, outcome: str) -> None:
    steps = [["say", "working"], ["called", "_session/steering"], ["say", "\nfirst over"]]
    answer = {"_session/steering": {"outcome": outcome}}
    world.agent("Bob", steps, [["say", "second"]], initialize=STEERS, at_once=answer)
    world.start()
    world.say("one")
    world.see("working")
    world.to_file()
    world.ex("steer go left")
    world.see("first over")
    (call,) = world.calls("_session/steering")
    assert call["prompt"] == [{"type": "text", "text": "go left"}]
    if outcome == "failed":
        world.see("second")
        assert prompts(world) == ["one", "go left"]
    else:
        world.see("You, into the running turn: go left")
        assert prompts(world) == ["one"]


def test_s3_steer_queues_where_the_agent_has_no_such_thing(world: World) -> None:
    world.agent("Bob", HANG)
    world.start()
    world.say("one")
    world.see("working")
    world.ex("steer left")
    assert world.sees("The prompt waits: 1 queued (:agentqueue)")
    world.ex("steer")
    assert world.sees("E471")


def test_s3_agentfollow_jumps_and_each_jump_is_in_the_jump_list(world: World) -> None:
    world.open("a.txt", b"a1\na2\na3\n")
    (world.project / "b.txt").write_text("b1\nb2\nb3\n")
    root = str(world.project)
    places = [{"path": f"{root}/a.txt", "line": 3}, {"path": f"{root}/b.txt", "line": 2}, {"path": f"{root}/**"}]
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "Look", "locations": places}
    world.agent("Bob", [["upd", tool], ["say", "ok"]])
    world.start()
    world.say("go")
    world.see("ok")
    world.idle()
    world.ex("agentfollow")
    assert world.here == "b2"
    world.keys("<C-o>")
    assert world.here == "a1"
    # All the places are in the location list of the file's window.
    world.ex("agentfollow")
    world.ex("lfirst")
    assert world.here == "b2"
    world.ex("lnext")
    assert world.here == "a3"
    world.resize(300, 41)  # the paths of tests are long
    world.ex("lopen")
    assert world.sees("a.txt|3 col 1| Look")


def test_s3_agentfollow_without_a_place_says_so(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.ex("agentfollow")
    assert world.sees("The agent has not told where it works")


def test_s3_agentlogin_by_a_method_and_agentlogout(world: World) -> None:
    methods = [{"id": "key", "name": "API key"}, {"id": "web", "name": "Browser"}]
    refused = {"error": {"code": -32000, "message": "Authentication required"}}
    capabilities = {"auth": {"logout": {}}}
    world.agent(
        "Bob",
        [["say", "ok"]],
        initialize=initialized(authMethods=methods, agentCapabilities=capabilities),
        new=[refused, {"sessionId": "s1"}],
    )
    world.ex("agent Bob")
    world.see("Bob asks: log in first: Authentication required")
    assert world.sees("[1] API key")
    world.ex("agentlogin")
    assert world.sees("Bob offers: API key, Browser")
    world.ex("agentlogin web")
    world.see("Bob  idle")
    assert world.calls("authenticate") == [{"methodId": "web"}]
    assert len(world.calls("session/new")) == 2
    world.ex("agentlogout")
    world.see("logout: done")
    assert world.calls("logout") == [{}]


def test_s3_agentlogout_where_there_is_none(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.ex("agentlogout")
    assert world.sees("Bob does not offer to log out")


@pytest.mark.parametrize("line", ["agentanswer", "agentdecline"])
def test_s3_agentanswer_without_a_form_says_so(world: World, line: str) -> None:
    world.ex(line)
    assert world.sees("No form is waiting")


def test_s3_agentlog_and_agenttrace_are_live_buffers(world: World) -> None:
    world.agent("Bob", [["stderr", "warn \x1b[1m\n"], ["say", "ok"]], stderr="begin\n")
    world.start()
    world.to_file()
    world.ex("agentlog Bob")
    world.see("begin")
    world.ex("ask hello")
    world.see("warn ^[[1m")
    world.ex("agenttrace Bob")
    world.see(' -> {"jsonrpc":"2.0"')
    assert any('<- {"jsonrpc"' in line for line in world.editor.buffer.lines)


def test_s3_agenthealth_is_the_checkers_report(world: World) -> None:
    world.agent("Bob", [])
    world.ex("agenthealth")
    world.see("ok   session/new")
    assert world.sees("ok   program in PATH") or world.sees("ok   PATH") or world.sees("ok   program")


def test_s3_agentedit_is_one_undo_step_after_review(world: World) -> None:
    world.open("a.txt", b"one\ntwo\nthree\n")
    world.agent("Bob", [["say", "Sure:\n```\nTWO\n"], ["say", "more\n```\n"]])
    world.start()
    world.to_file()
    world.ex("2agentedit shout")
    world.see("Bob asks: change a.txt (:allow / :deny)")
    assert world.sees("-two")
    assert world.sees("+TWO")
    assert world.editor.buffer.lines == ["one", "two", "three"]
    world.ex("allow")
    assert world.editor.buffer.lines == ["one", "TWO", "more", "three"]
    world.keys("u")
    assert world.editor.buffer.lines == ["one", "two", "three"]
    assert prompts(world)[0].startswith("shout\n")
    assert "a.txt:2\n```\ntwo\n```" in prompts(world)[0]


def test_s3_agentedit_that_is_denied_changes_nothing(world: World) -> None:
    world.open("a.txt", b"one\n")
    world.agent("Bob", [["say", "```\nTWO\n```"]], [["say", "no fence"]])
    world.start()
    world.to_file()
    world.ex("1agentedit shout")
    world.see("Bob asks: change a.txt")
    world.ex("deny")
    assert world.editor.buffer.lines == ["one"]
    world.ex("1agentedit again")
    world.see("Bob gave no text for the lines")


def git(world: World, *args: str) -> None:
    environ = {"PATH": "/usr/bin:/bin", "HOME": str(world.home)}
    subprocess.run(["git", *args], cwd=world.project, env=environ, check=True, capture_output=True)


def test_s3_agentcommit_writes_a_message_for_what_is_staged(world: World) -> None:
    git(world, "init", "-q")
    (world.project / "a.txt").write_text("one\n")
    world.agent("Bob", [["say", "Here:\n```\nAdd a\n\nIt was missing.\n```"]])
    world.start()
    world.to_file()
    world.ex("agentcommit")
    assert world.sees("Nothing is staged")
    git(world, "add", "a.txt")
    world.ex("agentcommit")
    world.see("It was missing.")
    assert "+one" in prompts(world)[0]
    world.until(lambda: world.editor.buffer.lines == ["Add a", "", "It was missing."])


def test_s3_agentcommit_fills_the_message_that_git_opened(world: World) -> None:
    git(world, "init", "-q")
    (world.project / "a.txt").write_text("one\n")
    git(world, "add", "a.txt")
    world.agent("Bob", [["say", "```\nAdd a\n```"]])
    world.start()
    world.to_file()
    buffer = world.open(".git/COMMIT_EDITMSG", b"\n# Please enter\n")
    world.ex("agentcommit")
    world.until(lambda: buffer.lines[0] == "Add a")
    assert buffer.lines == ["Add a", "", "# Please enter"]


EVENTS = {
    "AgentStart": [],
    "AgentPrompt": [["say", "ok"]],
    "AgentTurnEnd": [["say", "ok"]],
    "AgentPermission": [["req", "session/request_permission", {
        "sessionId": "$SID", "toolCall": {"toolCallId": "t", "title": "Run"},
        "options": [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]}]],
    "AgentWrite": [["req", "fs/write_text_file", {"sessionId": "$SID", "path": "$ROOT/w.txt", "content": "x\n"}]],
    "AgentExit": [["exit", 0]],
}  # fmt: skip


@pytest.mark.parametrize("event", EVENTS)
def test_s3_autocmd_knows_the_agent_events(world: World, event: str) -> None:
    steps = json.loads(json.dumps(EVENTS[event]).replace("$ROOT", str(world.project)))
    world.agent("Bob", steps)
    world.agent("Eve", [])
    world.ex(f"autocmd {event} agent://Bob let g:seen = 1")
    world.ex(f"autocmd {event} agent://Eve let g:seen = 2")
    world.start()
    world.say("go")
    world.until(lambda: "seen" in world.editor.extra.get("variables", {}))
    world.ex("echo 'seen' g:seen")
    assert world.sees("seen 1")
    world.ex(f"autocmd! {event}")
