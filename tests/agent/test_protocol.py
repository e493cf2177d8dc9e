"""AGENTS §7: how starts, logins, turns and deaths are told. CASES A-01, A-02, A-05, A-10, A-12 … A-14, A-17 … A-20."""

from __future__ import annotations

from typing import Any

import pytest
from agentworld import World
from sentcheck import ANNOUNCED

METHODS = [{"id": "login", "name": "Browser login"}, {"id": "key", "name": "API key"}]
LOGIN = {"error": {"code": -32000, "message": "Authentication required"}}


def initialized(**more: Any) -> dict[str, Any]:
    return {"protocolVersion": 1, "agentCapabilities": {}, **more}


def fails(world: World, **script: Any) -> None:
    """Start an agent that cannot be started, with a prompt typed meanwhile."""
    world.agent("Bob", [], **script)
    world.ex("agent Bob")
    world.say("typed early")
    talk = world.talk
    world.until(lambda: talk.gone)


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ({"initialize": {"protocolVersion": 2}}, "the agent speaks protocol version 2; this editor speaks 1"),
        ({"initialize": {"error": {"code": -32603, "message": "no licence"}}},
         "the agent would not start a conversation: no licence"),
        ({"new": {"error": {"code": -32603, "message": "no room"}}}, "the agent would not open a session: no room"),
        ({"new": {"sessionId": ""}}, "the agent opened a session with no id"),
        ({"new": LOGIN}, "the agent wants to be logged in first (Bob); log in with its own command and start it again"),
    ],
)  # fmt: skip
def test_failed_start_says_why_and_the_text_goes_back(world: World, script: dict[str, Any], message: str) -> None:
    fails_quickly = {"new": script["new"]} if "new" in script else script
    world.agent("Bob", [], **fails_quickly)
    world.ex("agent Bob")
    world.say("typed early")
    world.until(lambda: world.shows(message.partition(" (Bob)")[0]))
    assert message in world.shown
    assert world.message == message
    assert world.talk.prompt.text == "typed early"
    assert world.calls("session/prompt") == []


def test_a17_no_session_is_asked_for_after_a_wrong_version(world: World) -> None:
    fails(world, initialize={"protocolVersion": "1"})
    assert world.calls("session/new") == []
    assert world.talk.status.state() == "stopped"


def test_a05_start_that_dies_shows_status_and_stderr_made_harmless(world: World) -> None:
    world.agent("Bob", [], stderr="env: \x1b[31mnode\x1b[0m: not found\n", exit=127)
    world.ex("agent Bob")
    world.until(lambda: world.shows("not found"))
    text = "\n".join(world.shown)
    assert "127" in text
    assert "env: ^[[31mnode^[[0m: not found" in text
    assert "\x1b" not in text


def test_program_that_is_not_there_says_so(world: World) -> None:
    directory = world.home / ".config" / "turbo-python"
    directory.mkdir(parents=True)
    (directory / "acp.toml").write_text('[[agent]]\nname = "Bob"\ncommand = "no-such-program"\n')
    world.ex("agent Bob")
    assert "no-such-program was not found in PATH" in world.message
    world.say("hello")
    assert world.message.startswith("The agent is not running: ")
    assert world.talk.prompt.text == "hello"


def test_broken_file_is_told_and_hides_no_other(world: World) -> None:
    world.agent("Bob", [])
    (world.project / ".turbo-python").mkdir()
    (world.project / ".turbo-python" / "acp.toml").write_text("[[agent]]\n")
    world.start()
    assert any("agent 1 has no name" in message.text for message in world.editor.messages)


def test_a18_slow_start_is_told_and_can_be_given_up(world: World) -> None:
    world.agent("Bob", [], hang="initialize", stderr="warming up\n")
    world.ex("agent Bob")
    world.say("typed early")
    world.until(lambda: world.talk.client is not None and world.talk.client.stderr)
    client = world.talk.client
    assert client is not None
    world.agents.handler(world.talk).slow(client, "initialize")
    assert world.shown[-2:] == [
        "Waiting for the answer to initialize; :cancel or :agentclose gives up.",
        "warming up",
    ]
    assert "starting for initialize" in world.talk.status(world.editor.window)
    world.ex("cancel")
    world.until(lambda: world.talk.gone)
    assert world.talk.prompt.text == "typed early"


def test_a19_login_is_offered_and_then_one_new_session_is_asked_for(world: World) -> None:
    world.agent("Bob", [["say", "hi"]], initialize=initialized(authMethods=METHODS), new=[LOGIN, {"sessionId": "s1"}])
    world.ex("agent Bob")
    world.say("hello")
    world.until(lambda: world.talk.requests)
    assert "[1] Browser login" in world.shown
    assert "[2] API key" in world.shown
    world.ex("agentlogin API key")
    world.wait_for("hi")
    assert world.calls("authenticate") == [{"methodId": "key"}]
    assert len(world.calls("session/new")) == 2
    assert not world.talk.requests


def test_a19_second_refusal_is_shown_and_nothing_loops(world: World) -> None:
    """PROTOCOL 21.35: a login without effect is taken up by a new process, once; then the refusal is final."""
    world.agent("Bob", [], initialize=initialized(authMethods=METHODS), new=LOGIN)
    world.ex("agent Bob")
    world.say("hello")
    for _ in range(2):
        world.until(lambda: world.talk.requests)
        world.ex("agentlogin login")
        world.until(lambda: not world.talk.requests)
    assert "The login had no effect; the agent is started again." in world.shown
    world.wait_for("the agent would not open a session")
    assert len(world.calls("initialize")) == 2
    assert len(world.calls("session/new")) == 4
    assert world.talk.prompt.text == "hello"


def test_login_is_chosen_by_its_number_in_the_block(world: World) -> None:
    world.agent("Bob", [["say", "hi"]], initialize=initialized(authMethods=METHODS), new=[LOGIN, {"sessionId": "s1"}])
    world.ex("agent Bob")
    world.until(lambda: world.talk.requests)
    world.keys("<Esc><Tab>]a1")
    world.until(lambda: world.talk.session is not None)
    assert world.calls("authenticate") == [{"methodId": "login"}]


def test_a20_prompt_that_ran_into_a_login_comes_back_and_is_not_sent_by_itself(world: World) -> None:
    world.agent("Bob", [["err", {"code": -32000, "message": "expired"}]], [["say", "again"]],
                initialize=initialized(authMethods=METHODS))  # fmt: skip
    world.start()
    world.say("long text")
    world.until(lambda: world.talk.requests)
    assert world.talk.prompt.text == "long text"
    assert "The turn failed: expired" in world.shown
    world.ex("agentlogin login")
    world.until(lambda: not world.talk.login.wanted)
    world.keys("<Esc>i<CR>")
    world.wait_for("again")
    assert len(world.calls("session/prompt")) == 2


def test_a10_commands_announced_before_the_session_is_known_are_there(world: World) -> None:
    update = {"sessionUpdate": "available_commands_update", "availableCommands": [{"name": "/web", "description": "D"}]}
    world.agent("Bob", [], before_new=[update])
    world.start()
    assert [command.name for command in world.talk.slash_commands()] == ["web"]


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("end_turn", None),
        ("max_tokens", "The turn ended: max_tokens"),
        ("refusal", "The turn ended: refusal"),
        ("from_the_future", "The turn ended: from_the_future"),
    ],
)
def test_end_of_a_turn_is_silent_or_told_with_advice(world: World, reason: str, shown: str | None) -> None:
    world.agent("Bob", [["say", "x"], ["end", reason]])
    world.start()
    world.say("go")
    world.wait_for("x")
    world.idle()
    if shown is None:
        assert world.shown[-1] == "x"
    else:
        assert world.shown[-2] == shown
        assert world.shown[-1]


@pytest.mark.parametrize(
    "ending", [["end", "end_turn"], ["end", "max_tokens"], ["err", {"code": -32603, "message": "x"}]]
)
def test_after_our_cancel_every_end_is_cancelled_without_error(world: World, ending: list[Any]) -> None:
    world.agent("Bob", [["say", "w"], ["cancelled"], ending])
    talk = world.start()
    world.say("go")
    world.wait_for("w")
    world.ex("cancel")
    world.idle()
    assert world.shown[-1] == "The turn ended: cancelled"
    assert not talk.conversation.items[-1].failed
    assert talk.conversation.code(len(world.shown) - 1) == "dim"


def test_a12_error_is_shown_with_its_data_and_the_next_turn_is_its_own(world: World) -> None:
    error = {"code": -32603, "message": "backend said 401", "data": {"hint": "key"}}
    world.agent("Bob", [["err", error]], [["say", "two"]])
    world.start()
    world.say("one")
    world.wait_for("The turn failed: backend said 401")
    assert any("hint" in line for line in world.shown)
    world.idle()
    world.say("second")
    world.wait_for("two")
    assert world.shown[-2:] == ["Bob", "two"]


def test_turn_without_any_output_says_so(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.say("go")
    world.wait_for("The turn ended without any output.")


@pytest.mark.parametrize(("code", "words"), [(0, "0"), (3, "3")])
def test_a02_death_in_a_turn_keeps_the_text_and_tells_once(world: World, code: int, words: str) -> None:
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t1", "title": "T", "status": "in_progress"}
    world.agent("Bob", [["upd", tool], ["say", "partial"], ["stderr", "oops\n"], ["exit", code]])
    talk = world.start()
    world.say("go")
    world.wait_for("The agent stopped.")
    text = "\n".join(world.shown)
    assert text.count("The agent stopped.") == 1
    assert words in text[text.index("The agent stopped.") :]
    assert "oops" in text
    assert "partial" in text
    assert "T (stale)" in text
    assert talk.status.state() == "stopped"
    assert talk.prompt.text == "go"
    world.say(" on")
    assert world.message == f"The agent is not running: exit status {words} (:agentrestart starts it again)"
    assert talk.prompt.text == "go on"
    world.keys("<Esc>")
    world.ex("agent Bob")
    world.until(lambda: talk.session is not None and talk.alive)
    assert talk.prompt.text == "go on"


def test_queued_prompts_go_back_above_the_draft_when_the_agent_dies(world: World) -> None:
    gate = world.root / "gate"
    world.agent("Bob", [["say", "working"], ["gate", str(gate)], ["exit", 1]])
    talk = world.start()
    world.say("one")
    world.wait_for("working")
    world.say("two")
    world.say("three")
    world.keys("draft")
    gate.touch()
    world.wait_for("The agent stopped.")
    assert talk.prompt.text == "one\n\ntwo\n\nthree\n\ndraft"


def test_a13_odd_updates_are_counted_and_harm_nothing(world: World) -> None:
    world.agent("Bob", [["upd", {"sessionUpdate": "from_the_future", "x": [1]}], ["upd", {}], ["say", "ok"]])
    world.start()
    world.say("go")
    world.wait_for("ok")
    world.idle()
    world.ex("agentstatus")
    text = "\n".join(world.editor.buffer.lines)
    assert "updates not understood: 2" in text


def test_a14_unknown_request_is_refused_at_once(world: World) -> None:
    world.agent("Bob", [["req", "x/unknown", {}], ["say", "ok"]])
    world.start()
    world.say("go")
    world.wait_for("ok")
    assert [answer["code"] for answer in world.answers()] == [-32601]


def test_a43_only_what_works_is_announced(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    told = world.calls("initialize")[0]["clientCapabilities"]
    assert told["fs"] == {"readTextFile": True, "writeTextFile": True}
    assert told["terminal"] is True
    assert "terminal" not in told["auth"]
    assert told["subagents"] == {}


def test_all_that_works_is_announced(world: World) -> None:
    """With the real terminal at hand, as in the editor on a screen."""
    world.editor.extra["run-in-terminal"] = lambda argv, env, cwd: None
    world.agent("Bob", [])
    world.start()
    assert world.calls("initialize")[0]["clientCapabilities"] == ANNOUNCED


@pytest.mark.parametrize(
    ("entry", "given"),
    [
        ('command = "/bin/true"', {"command": "/bin/true", "args": [], "env": []}),
        ('type = "http"\nurl = "http://localhost/"', {"type": "http", "url": "http://localhost/", "headers": []}),
        ('type = "sse"\nurl = "http://localhost/"', {"type": "sse", "url": "http://localhost/", "headers": []}),
    ],
)
def test_mcp_servers_of_the_agents_file_are_given_to_the_session(world: World, entry: str, given: object) -> None:
    can = {"mcpCapabilities": {"http": True, "sse": True}}
    world.agent("Bob", [], initialize=initialized(agentCapabilities=can))
    with (world.home / ".config" / "turbo-python" / "acp.toml").open("a") as file:
        file.write(f'[[agent.mcp]]\nname = "one"\n{entry}\n')
    world.start()
    assert isinstance(given, dict)
    assert world.calls("session/new")[0]["mcpServers"] == [{"name": "one", **given}]


def test_login_in_the_real_terminal_restarts_the_agent(world: World) -> None:
    ran: list[list[str]] = []
    world.editor.extra["run-in-terminal"] = lambda argv, env, cwd: ran.append(argv)
    method = {"id": "tty", "name": "Terminal", "type": "terminal", "args": ["--login"]}
    world.agent("Bob", [], initialize=initialized(authMethods=[method]), new=[LOGIN, {"sessionId": "s1"}])
    world.ex("agent Bob")
    world.until(lambda: world.talk.requests)
    world.ex("agentlogin Terminal")
    assert ran[0][-1] == "--login"


def test_session_options_and_modes_can_be_shown_and_set(world: World) -> None:
    option = {"id": "model", "name": "Model", "category": "model", "type": "select", "currentValue": "big",
              "options": [{"value": "big", "name": "Big"}, {"value": "small", "name": "Small one"}]}  # fmt: skip
    flag = {"id": "web", "name": "Web", "type": "boolean", "currentValue": False}
    changed = {"configOptions": [dict(option, currentValue="small"), flag]}
    opened = {"sessionId": "s1", "configOptions": [option, flag]}
    world.agent("Bob", [], new=opened, **{"session/set_config_option": changed})
    world.start()
    world.ex("agentset")
    assert world.message == "model (Model): [big], small\nweb (Web): off"
    world.ex("agentmodel small")
    world.ex("agentset web")
    world.until(lambda: len(world.calls("session/set_config_option")) == 2)
    first, second = world.calls("session/set_config_option")
    assert first == {"sessionId": "s1", "configId": "model", "value": "small"}
    assert second == {"sessionId": "s1", "configId": "web", "value": True, "type": "boolean"}
    session = world.talk.session
    world.until(lambda: session and session.config_options and session.config_options[0].current_value == "small")
    world.ex("agentmodel")
    assert world.message == "model: big, [small]"
    world.ex("agentset colour=red")
    assert world.message == "colour is no option of this agent; it has: model, web"
    world.ex("agentmode plan")
    assert world.message == "plan is none of: nothing"


def test_reports_are_live_buffers(world: World) -> None:
    world.agent("Bob", [["stderr", "warn \x1b[1m\n"], ["say", "ok"]], stderr="begin\n")
    world.start()
    world.ex("agenttrace")
    trace = world.editor.buffer
    assert trace.name == "agent://Bob/trace"
    assert any('"session/new"' in line for line in trace.lines)
    world.ex("agentlog")
    log = world.editor.buffer
    assert "begin" in log.lines
    world.ex("ask hello")
    world.until(lambda: "warn ^[[1m" in log.lines)
    world.until(lambda: any('"ok"' in line for line in trace.lines) or trace is not world.editor.buffer)


def test_agents_page_goes_to_a_session(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.keys("<Esc>")
    world.ex("agents")
    assert world.editor.buffer.lines == ["Bob  idle"]
    world.keys("<CR>")
    assert world.editor.buffer is world.talk.prompt.buffer


def test_list_page_is_never_empty_and_starts_what_is_under_the_cursor(world: World) -> None:
    world.ex("agent")
    assert any(line.strip().startswith("Tutor") for line in world.editor.buffer.lines)
    world.keys("<CR>")
    world.until(lambda: world.agents.talks and world.talk.session is not None)
    assert world.talk.name == "Tutor"


def test_health_reports_every_agent(world: World) -> None:
    world.agent("Bob", [])
    world.ex("agenthealth")
    page = world.editor.buffer
    world.until(lambda: page.lines[-1] == "done")
    assert "Bob" in page.lines
    assert any("ok   started" in line for line in page.lines)


def test_follow_goes_to_the_last_place_that_is_a_file(world: World) -> None:
    world.open("a.txt", b"one\ntwo\nthree\n")
    places = [{"path": f"{world.project}/a.txt:1-20"}, {"path": f"{world.project}/**"}, {"path": str(world.project)},
              {"path": f"{world.project}/gone.txt"}, {"path": f"{world.project}/a.txt", "line": 99999}]  # fmt: skip
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T", "locations": places}
    world.agent("Bob", [["upd", tool], ["say", "ok"]])
    world.start()
    world.say("go")
    world.wait_for("ok")
    before = len(world.editor.buffers)
    world.ex("agentfollow")
    assert world.editor.buffer.name.endswith("a.txt")
    assert world.editor.window.cursor.line == 2
    assert len(world.editor.buffers) == before


def test_restart_keeps_the_windows_and_starts_a_new_process(world: World) -> None:
    world.agent("Bob", [["say", "hi"]])
    talk = world.start()
    first = talk.client
    world.ex("agentrestart")
    world.until(lambda: talk.alive and talk.session is not None and talk.client is not first)
    assert [w.buffer.name for w in world.editor.layout.windows()] == ["", "agent://Bob", "agent://Bob/prompt"]


def chunk(kind: str, text: str) -> dict[str, Any]:
    return {"sessionUpdate": kind, "content": {"type": "text", "text": text}}


def test_restart_in_mid_start_is_no_failure_and_keeps_the_prompt(world: World) -> None:
    world.agent("Bob", [["say", "here"]])
    world.ex("agent Bob")
    world.say("hello")
    world.ex("agentrestart")
    world.wait_for("here")
    world.idle()
    assert world.shown == ["You", "hello", "", "Bob", "here"]
    assert len(world.calls("session/new")) == 1


def test_restart_without_the_old_session_says_that_the_agent_knows_nothing(world: World) -> None:
    world.agent("Bob", [["say", "hi"]])
    world.start()
    world.say("hello")
    world.wait_for("hi")
    world.idle()
    world.ex("agentrestart")
    world.say("again")
    world.until(lambda: world.shown.count("hi") == 2)
    told = "A new session: Bob knows nothing of what was said before."
    assert world.shown == ["You", "hello", "", "Bob", "hi", "", told, "", "You", "again", "", "Bob", "hi"]


def test_restart_loads_the_session_again_where_the_agent_can(world: World) -> None:
    replay = [chunk("user_message_chunk", "hello"), chunk("agent_message_chunk", "hi again")]
    world.agent("Bob", [["say", "hi"]], initialize=initialized(agentCapabilities={"loadSession": True}), replay=replay)
    talk = world.start()
    world.say("hello")
    world.wait_for("hi")
    world.idle()
    world.ex("agentrestart")
    world.say("meanwhile")
    world.wait_for("hi again")
    world.until(lambda: len(world.calls("session/prompt")) == 2)
    assert world.calls("session/load")[0]["sessionId"] == "s1"
    assert [line for line in world.shown if line][:4] == ["You", "hello", "Bob", "hi again"]
    assert talk.session is not None


def test_restart_resumes_without_a_replay_where_the_agent_can(world: World) -> None:
    resumes = {"sessionCapabilities": {"resume": {}}}
    world.agent("Bob", [["say", "hi"]], initialize=initialized(agentCapabilities=resumes))
    talk = world.start()
    world.say("hello")
    world.wait_for("hi")
    world.idle()
    first = talk.client
    world.ex("agentrestart")
    world.until(lambda: talk.session is not None and talk.client is not first)
    assert len(world.calls("session/resume")) == 1
    assert len(world.calls("session/new")) == 1
    assert world.shown == ["You", "hello", "", "Bob", "hi"]


def test_message_about_a_waiting_prompt_goes_when_it_is_sent(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.ex("agent Bob")
    world.say("early")
    assert world.message == "The prompt waits: 1 queued (:agentqueue)"
    world.wait_for("ok")
    assert world.message == ""


def test_conversation_can_be_written_to_a_file(world: World) -> None:
    world.agent("Bob", [["say", "hi"]])
    world.start()
    world.say("hello")
    world.wait_for("hi")
    world.keys("<Esc><Tab>")
    world.ex(f"w {world.project}/talk.md")
    assert (world.project / "talk.md").read_text() == "You\nhello\n\nBob\nhi\n"
