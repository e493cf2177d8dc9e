"""AGENTS §3, row by row: what holds for all ex commands; those that start, list and stop agents."""

from __future__ import annotations

import re
from typing import Any

import pytest
from agentworld import HANG, World, prompts

from tpy.modal.registry import commands

COMMANDS = (
    "agent agentinit cancel agentstatus agents agentreload agentrestart agentclose ask agentsend allow deny "
    "agentpermissions agentset agentmode agentmodel agentqueue steer agentfollow agentlogin agentlogout agentanswer "
    "agentdecline agentlog agenttrace agenthealth agentedit agentcommit"
).split()


def initialized(**more: Any) -> dict[str, Any]:
    return {"protocolVersion": 1, "agentCapabilities": {}, **more}


@pytest.mark.parametrize("name", COMMANDS)
def test_s3_every_command_completes_and_has_help(world: World, name: str) -> None:
    world.keys(f":{name}<Tab>")
    assert world.engine.prompt is not None
    assert world.engine.prompt.text.startswith(name)
    world.keys("<Esc>")
    world.ex(f"help :{name}")
    assert re.search(rf":(\[range\])?{name}\b", world.here), world.here
    assert world.sees(world.here.strip()[:60])


def test_s3_no_command_takes_an_abbreviation_of_vims(world: World) -> None:
    assert [commands[name].notation for name in COMMANDS] == COMMANDS  # whole names only: no `[…]` in any
    for typed in ("a", "as", "al", "de", "c", "ag", "can", "st"):
        world.ex(typed)
        assert not world.agents.talks
        assert not any(f":{name}" in world.message for name in COMMANDS), typed


@pytest.mark.parametrize(
    "way",
    [":nnoremap gz :ask hi<lt>CR><CR>gz", "qq:ask hi<CR>q", ":1global/./ask hi<CR>"],
    ids=["mapping", "macro", "global"],
)
def test_s3_commands_work_in_mappings_macros_and_global(world: World, way: str) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.to_file()
    world.keys("iline<Esc>")
    world.keys(way)
    world.see("ok")
    assert prompts(world)[0].startswith("hi")
    if way.startswith("qq"):
        world.idle()
        world.keys("@q")
        world.until(lambda: len(prompts(world)) == 2)


def test_s3_agent_starts_in_a_new_window_or_goes_to_it(world: World) -> None:
    world.agent("Bob", [])
    world.ex("agent Bob")
    world.see("Bob  idle")
    assert world.sees("prompt for Bob")
    world.to_file()
    world.ex("agent bob")
    assert world.editor.buffer.name == "agent://Bob/prompt"
    assert len(world.calls("initialize")) == 1
    world.ex("agent! Bob")
    world.see("Bob 2  idle")
    assert len(world.calls("initialize")) == 2


@pytest.mark.parametrize(
    ("typed", "started", "said"),
    [
        ("Bob", "Bob", ""),
        ("bob", "Bob", ""),
        ("Bobb", "Bobby", ""),
        ("alice b", "Alice B", ""),
        ("Alice B | x", None, "No agent is called Alice B | x; there are: Bob, Bobby, Alice B, Tutor"),
        ("Bo", None, "Bo may be: Bob, Bobby"),
    ],
)
def test_s3_agent_name_is_exact_then_of_other_case_then_a_prefix(
    world: World, typed: str, started: str | None, said: str
) -> None:
    for name in ("Bob", "Bobby", "Alice B"):
        world.agent(name, [])
    world.ex(f"agent {typed}")
    if started is not None:
        world.see(f"{started}  idle")
    assert not said or world.sees(said)
    assert len(world.agents.talks) == (started is not None)


def test_s3_agent_without_a_name_is_the_list_page(world: World) -> None:
    world.agent("Bob", [])
    world.ex("agent")
    assert world.sees("Configured")
    assert world.sees("  Bob ")
    assert world.sees("  Tutor ")
    assert not world.agents.talks


def test_s3_agentinit_writes_the_starter_and_opens_it(world: World) -> None:
    world.ex("agentinit")
    assert world.sees("take the # away from what you want, then :agent NAME")
    assert any(row.startswith(("# name = ", "# [[agent]]", "#[[agent]]")) for row in world.screen)
    path = world.project / ".turbo-python" / "acp.toml"
    path.write_text("# mine\n")
    world.ex("agentinit")
    assert world.sees("exists already (add ! to write it anew)")
    assert path.read_text() == "# mine\n"
    world.ex("agentinit!")
    assert path.read_text() != "# mine\n"


def test_s3_cancel_is_of_this_window_the_named_one_or_the_only_one(world: World) -> None:
    world.agent("Bob", HANG)
    world.agent("Eve", HANG)
    world.start("Bob")
    world.ex("cancel")
    assert world.sees("No turn is running")
    for name in ("Bob", "Eve"):
        talk = world.start(name)
        world.say("go")
        world.until(lambda talk=talk: "working" in talk.buffer.lines)
    world.to_file()
    world.ex("cancel")
    assert world.sees("Several turns are running: :cancel Bob | Eve")
    assert world.calls("session/cancel") == []
    world.ex("cancel eve")
    world.idle()
    assert world.calls("session/cancel") == [{"sessionId": "s1"}]
    world.ex("cancel")
    world.until(lambda: len(world.calls("session/cancel")) == 2)


def test_s3_second_cancel_of_a_turn_offers_to_stop_the_agent(world: World) -> None:
    world.agent("Bob", [["say", "working"], ["gate", str(world.root / "never")]])
    world.start()
    world.say("go")
    world.see("working")
    world.ex("cancel")
    assert world.sees("Bob  cancelling")
    world.ex("cancel")
    assert world.sees("Bob has not ended its turn yet. Stop the agent (y/n)?")
    world.keys("y")
    world.see("The agent was stopped.")
    world.see("Bob  stopped")


def test_s3_agentstatus_tells_all_that_is_known(world: World) -> None:
    commands = [{"name": "web", "description": "Looks it up"}]
    known = {"sessionUpdate": "available_commands_update", "availableCommands": commands}
    usage = {"sessionUpdate": "usage_update", "used": 1200, "size": 9000, "cost": {"amount": 0.5, "currency": "USD"}}
    modes = {"currentModeId": "a", "availableModes": [{"id": "a", "name": "Ask"}, {"id": "b", "name": "Auto"}]}
    world.agent(
        "Bob",
        [
            ["upd", known],
            ["upd", usage],
            ["upd", {"sessionUpdate": "tool_call"}],
            ["raw", "no message\n"],
            ["say", "ok"],
        ],
        initialize=initialized(agentInfo={"name": "bobby", "title": "Bobby T", "version": "2.1"}),
        new={"sessionId": "s1", "modes": modes},
        stderr="a warning\n",
    )
    (world.project / ".turbo-python").mkdir()
    (world.project / ".turbo-python" / "acp.toml").write_text("[[agent]]\nname = 3\n")
    world.resize(160, 70)
    world.start()
    world.say("go")
    world.see("ok")
    world.idle()
    world.ex("agentstatus")
    world.ex("only!")
    for text in (
        "~/.config/turbo-python/acp.toml: 1 agents",
        ".turbo-python/acp.toml: agent 1: name must be a string",
        "scripted_agent.py",
        "agent://Bob: idle",
        "program: Bobby T 2.1",
        "protocol: 1  process: ",
        "last message: ",
        "session: s1  in ",
        "usage: 1200/9000 tokens 0.50 USD",
        "/web  Looks it up",
        "modes: [Ask], Auto",
        "updates not understood: 1, the last: tool_call: ",
        "lines on stdout that were no messages: 1",
        "    a warning",
    ):
        assert world.sees(text), "\n".join([text, *world.screen])


def test_s3_agentstatus_names_an_update_without_a_kind(world: World) -> None:
    world.agent("Bob", [["send", "x/y", {}], ["upd", {}], ["say", "ok"]])
    world.start()
    world.say("go")
    world.see("ok")
    world.ex("agentstatus")
    assert any("the last: an update: " in line for line in world.editor.buffer.lines)


def test_s3_agentstatus_tells_for_how_long_a_turn_runs(world: World) -> None:
    world.agent("Bob", HANG)
    world.start()
    world.say("go")
    world.see("working")
    now = world.loop.time()
    world.agents.loop.time = lambda: now + 75  # type: ignore[method-assign,misc]
    world.ex("agentstatus")
    assert world.sees("agent://Bob: working 75s")
    assert world.sees("last message: 75 s ago")


def test_s3_agents_lists_all_sessions_and_enter_goes_there(world: World) -> None:
    world.agent("Bob", HANG)
    world.agent("Eve", [])
    world.start("Bob")
    world.say("go")
    world.see("working")
    world.start("Eve")
    world.ex("agents")
    assert world.sees("Bob  working")
    assert world.sees("Eve  idle")
    world.keys("gg<CR>")
    assert world.editor.buffer.name == "agent://Bob/prompt"


def test_s3_agents_without_any_says_how_to_start_one(world: World) -> None:
    world.ex("agents")
    assert world.sees("No agent is running: :agent lists those there are")


def test_s3_agentreload_restarts_those_whose_entry_changed(world: World) -> None:
    world.agent("Bob", [])
    world.agent("Eve", [])
    world.start("Bob")
    world.start("Eve")
    path = world.home / ".config" / "turbo-python" / "acp.toml"
    path.write_text(path.read_text() + 'env = { X = "1" }\n')
    world.ex("agentreload")
    assert world.sees("3 agents, 1 restarted")
    world.until(lambda: len(world.calls("session/new")) == 3)
    path.write_text("[[agent]]\n")
    world.ex("agentreload")
    assert world.sees("reading ~/.config/turbo-python/acp.toml: agent 1 has no name")
    assert len(world.agents.talks) == 2


def test_s3_agentrestart_loads_the_session_again(world: World) -> None:
    replay = [
        {"sessionUpdate": "user_message_chunk", "content": {"type": "text", "text": "hello"}},
        {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hi again"}},
    ]
    world.agent("Bob", [["say", "hi"]], initialize=initialized(agentCapabilities={"loadSession": True}), replay=replay)
    world.start()
    world.say("hello")
    world.see("hi")
    world.idle()
    world.to_file()
    world.ex("agentrestart Bob")
    world.see("hi again")
    assert [params["sessionId"] for params in world.calls("session/load")] == ["s1"]


def test_s3_agentclose_ends_the_session_and_needs_a_bang_in_a_turn(world: World) -> None:
    world.agent("Bob", HANG)
    talk = world.start()
    world.say("go")
    world.see("working")
    world.to_file()
    world.ex("agentclose Bob")
    assert world.sees("E948: Bob is working (add ! to stop it)")
    world.ex("agentclose! Bob")
    assert not world.sees("prompt for Bob")
    world.until(lambda: talk.gone)


def test_s3_every_command_of_the_section_is_one(world: World) -> None:
    assert set(COMMANDS) <= {row.name for row in commands}
