"""AGENTS §3, §4: finding an agent, its windows, sending, queueing, cancelling, closing. CASES A-11, A-21, A-22."""

from __future__ import annotations

import pytest
from agentworld import HANG, World

from tpy.modal.agent.panes import buffer_name
from tpy.modal.registry import CommandFailed
from tpy.modal.text.position import Pos


def test_wide_screen_opens_the_pane_to_the_right_with_half_the_room(world: World) -> None:
    world.editor.layout.arrange(40, 120)
    world.agent("Bob", [])
    world.start()
    rects = list(world.editor.layout.rects.values())
    assert rects[0].left == 0
    assert rects[1].left > 55
    assert rects[2].height == 3


@pytest.mark.parametrize(
    ("typed", "started"), [("Bob", "Bob"), ("bob", "Bob"), ("Bobb", "Bobby"), ("alice b", "Alice B"), ("B", None)]
)
def test_name_exact_then_case_then_unique_prefix(world: World, typed: str, started: str | None) -> None:
    for name in ("Bob", "Bobby", "Alice B"):
        world.agent(name, [])
    world.ex(f"agent {typed}")
    if started is None:
        assert not world.agents.talks
        assert "Bob, Bobby" in world.message
    else:
        assert [talk.name for talk in world.agents.talks] == [started]


def test_unknown_name_lists_what_there_is_and_starts_nothing(world: World) -> None:
    world.agent("Bob", [])
    world.ex("agent Eve")
    assert world.message.startswith("No agent is called Eve; there are: Bob, Tutor")
    assert not world.agents.talks


def test_agent_again_goes_to_its_window_and_bang_opens_a_second_session(world: World) -> None:
    world.agent("Bob", [])
    first = world.start()
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("agent Bob")
    assert world.editor.buffer is first.prompt.buffer
    assert len(world.agents.talks) == 1
    world.ex("agent! Bob")
    assert [talk.buffer.name for talk in world.agents.talks] == ["agent://Bob", "agent://Bob/2"]
    assert world.editor.buffer.name == "agent://Bob/2/prompt"
    world.ex("agent Bob/2")
    assert len(world.agents.talks) == 2


@pytest.mark.parametrize(("name", "wanted"), [("Bob", "agent://Bob"), ("a b/c#d%e|f", "agent://a%20b%2Fc%23d%25e%7Cf")])
def test_buffer_names_are_encoded(name: str, wanted: str) -> None:
    assert buffer_name(name, 1) == wanted
    assert buffer_name(name, 2) == wanted + "/2"


def test_both_halves_are_nofile_and_the_conversation_refuses_edits(world: World) -> None:
    world.agent("Bob", [["say", "hello"]])
    world.start()
    world.ex("w")
    assert world.message.startswith("E382")
    assert world.calls("session/prompt") == []
    world.say("x")
    world.wait_for("hello")
    world.keys("<Esc><Tab>")
    assert world.editor.buffer is world.talk.buffer
    world.keys("ggx")
    assert world.message.startswith("E21")


def test_no_agentinsert_opens_in_normal_mode(world: World) -> None:
    world.editor.set_option("agentinsert", False)
    world.agent("Bob", [])
    world.start()
    assert world.engine.mode == "n"


def test_blank_prompt_is_not_sent(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.say("   ")
    assert world.calls("session/prompt") == []
    assert world.editor.buffer.lines == ["   "]


def test_undo_after_sending_brings_the_text_back(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.say("hello")
    world.wait_for("ok")
    world.keys("<Esc>u")
    assert world.editor.buffer.lines == ["hello"]


def test_newline_keys_make_a_prompt_of_several_lines(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.keys("one<C-j>two<M-CR>three<CR>")
    world.wait_for("ok")
    assert world.calls("session/prompt")[0]["prompt"] == [{"type": "text", "text": "one\ntwo\nthree"}]


def test_prompt_grows_with_its_lines_up_to_eight(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    for count, height in ((3, 4), (3, 7), (4, 8)):
        world.keys("x<C-j>" * count)
        assert world.editor.window.height == height


def test_prompts_before_the_handshake_are_held_and_sent_in_order(world: World) -> None:
    world.agent("Bob", [["say", "first"]], [["say", "second"]])
    world.ex("agent Bob")
    world.say("one")
    world.say("two")
    assert world.talk.queue.status() == "2 queued"
    world.wait_for("second")
    world.idle()
    assert [params["prompt"][0]["text"] for params in world.calls("session/prompt")] == ["one", "two"]
    assert [line for line in world.shown if line] == ["You", "one", "Bob", "first", "You", "two", "Bob", "second"]


def test_prompt_during_a_turn_waits_and_queue_is_held_after_a_cancel(world: World) -> None:
    world.agent("Bob", HANG, [["say", "second"]])
    world.start()
    world.say("one")
    world.wait_for("working")
    world.say("two")
    assert "1 queued" in world.talk.status(world.editor.layout.windows()[1])
    world.ex("cancel")
    world.idle()
    assert "1 held" in world.talk.status(world.editor.layout.windows()[1])
    assert len(world.calls("session/prompt")) == 1
    world.keys("i<CR>")
    world.wait_for("second")
    assert len(world.calls("session/prompt")) == 2


def test_queue_is_a_buffer_that_can_be_edited(world: World) -> None:
    world.agent("Bob", HANG, [["say", "second"]])
    world.start()
    world.say("one")
    world.wait_for("working")
    world.say("two")
    world.say("three")
    world.ex("agentqueue")
    assert world.editor.buffer.lines == ["two", "-" * 20, "three"]
    world.ex("1s/two/TWO/")
    assert world.talk.queue.texts == ["TWO", "three"]
    world.ex("%d")
    assert world.talk.queue.texts == []


def test_a21_cancel_is_one_notification_and_a_second_one_offers_to_stop_the_agent(world: World) -> None:
    world.agent("Bob", [["say", "working"], ["gate", str(world.root / "never")]])
    talk = world.start()
    world.say("one")
    world.wait_for("working")
    world.ex("cancel")
    assert talk.status.state().startswith("cancelling")
    world.ex("cancel")
    assert "Stop the agent (y/n)?" in (world.engine.prompt.text if world.engine.prompt else "")
    world.keys("y")
    world.until(lambda: talk.gone)
    assert talk.status.state() == "stopped"
    assert "The agent was stopped." in world.shown
    world.keys("<Esc>i")
    world.say("more")
    assert world.message.startswith("The agent is not running: ")
    assert talk.prompt.text == "more"
    world.ex("agent Bob")
    world.until(lambda: talk.alive and talk.session is not None)
    assert len(world.agents.talks) == 1


def test_cancel_without_a_turn_says_so(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.ex("cancel")
    assert world.message == "No turn is running"


def test_cancel_from_elsewhere_asks_for_a_name_when_several_run(world: World) -> None:
    world.agent("Bob", HANG)
    world.agent("Eve", HANG)
    for name in ("Bob", "Eve"):
        talk = world.start(name)
        world.say("go")
        world.until(lambda talk=talk: "working" in talk.buffer.lines)
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("cancel")
    assert world.message == "Several turns are running: :cancel Bob | Eve"
    assert all(talk.busy for talk in world.agents.talks)
    world.ex("cancel eve")
    world.idle()
    assert world.agents.talks[0].busy


def test_escape_in_normal_mode_cancels_but_not_just_after_leaving_insert(world: World) -> None:
    world.agent("Bob", HANG)
    talk = world.start()
    world.say("go")
    world.wait_for("working")
    world.keys("<Esc>")
    world.now += 0.4
    world.keys("<Esc>")
    assert ":cancel" in world.message
    assert talk.status.state().startswith("working")
    world.now += 0.6
    world.keys("<Esc>")
    world.idle()
    assert world.shown[-1] == "The turn ended: cancelled"


def test_a11_late_text_is_placed_before_the_next_question(world: World) -> None:
    gate = world.root / "gate"
    world.agent("Bob", [["say", "one"]], [["say", "two"]])
    world.start()
    world.say("first")
    world.wait_for("one")
    world.idle()
    late = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": " late"}}
    from tpy.acp import schema

    session = world.talk.session
    assert session is not None
    session.apply(schema.convert(late, schema.AgentMessageChunk))
    world.talk.draw()
    assert not world.talk.busy
    world.say("second")
    world.wait_for("two")
    shown = [line.strip() for line in world.shown if line]
    assert shown == ["You", "first", "Bob", "one", "Bob (between turns)", "late", "You", "second", "Bob", "two"]
    assert not gate.exists()


def test_quit_in_the_prompt_closes_the_pair_and_ends_the_agent(world: World) -> None:
    world.agent("Bob", [])
    talk = world.start()
    world.ex("q")
    assert world.names == [""]
    world.until(lambda: talk.gone)
    assert not world.agents.talks


def test_a22_quit_needs_bang_while_a_turn_runs(world: World) -> None:
    world.agent("Bob", HANG)
    talk = world.start()
    world.say("go")
    world.wait_for("working")
    for line in ("q", "qa"):
        world.ex(line)
        assert world.message.startswith("E948")
        assert world.names == ["", "agent://Bob", "agent://Bob/prompt"]
    world.ex("q!")
    assert world.names == [""]
    world.until(lambda: talk.gone)


def test_closing_another_window_on_the_conversation_keeps_the_session(world: World) -> None:
    world.agent("Bob", [])
    talk = world.start()
    world.keys("<Esc><Tab>")
    upper = world.editor.window
    from tpy.modal.view.layout import COLUMN
    from tpy.modal.view.window import Window

    world.editor.layout.split(upper, Window(talk.buffer), COLUMN, after=False)
    world.ex("close")
    assert talk.alive
    assert world.names.count("agent://Bob") == 1


def test_unsent_text_is_offered_next_time(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.keys("half a thought<Esc>")
    world.ex("q")
    world.until(lambda: not world.agents.talks)
    world.start()
    assert world.editor.buffer.lines == ["half a thought"]


def test_reader_elsewhere_is_not_moved_and_sees_how_much_is_new(world: World) -> None:
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T", "status": "completed"}
    world.agent("Bob", [["say", "a\nb\nc"]], [["say", "d"], ["upd", tool]])
    talk = world.start()
    world.say("one")
    world.wait_for("c")
    world.idle()
    upper = world.editor.layout.windows()[1]
    assert upper.cursor.line == len(talk.buffer.lines) - 1
    world.say("two")
    upper.cursor = Pos(1, 0)
    talk.status(upper)
    world.wait_for("T (completed)")
    world.idle()
    assert upper.cursor == Pos(1, 0)
    assert "2 new" in talk.status(upper)
    upper.cursor = Pos(len(talk.buffer.lines) - 1, 0)
    assert "new" not in talk.status(upper)


def test_history_goes_back_and_forth_and_returns_the_draft(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    for text in ("one", "two"):
        world.say(text)
        world.idle()
    world.keys("draft<Esc><C-p>")
    assert world.editor.buffer.lines == ["two"]
    world.keys("<C-p>")
    assert world.editor.buffer.lines == ["one"]
    world.keys("<C-n><C-n>")
    assert world.editor.buffer.lines == ["draft"]
    world.keys("<Up>")
    assert world.editor.buffer.lines == ["two"]


def test_conversation_keys_go_to_the_prompt(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    for key in "iaoAI":
        world.keys(f"<Esc><Tab>{key}")
        assert world.engine.mode == "i"
        assert world.editor.buffer is world.talk.prompt.buffer


def test_motions_go_from_item_to_item(world: World) -> None:
    tool = {"sessionUpdate": "tool_call", "toolCallId": "t", "title": "T", "status": "failed"}
    world.agent("Bob", [["think", "hm"], ["say", "one"], ["upd", tool], ["say", "two"]])
    world.start()
    world.say("first")
    world.wait_for("two")
    world.idle()
    world.say("second")
    world.idle()
    world.keys("<Esc><Tab>gg")
    lines = world.shown

    def at(keys: str) -> str:
        world.keys(keys)
        return lines[world.editor.window.cursor.line]

    assert at("]m") == "thinking"
    assert at("]m") == "Bob"
    assert at("]t") == "T (failed)"
    assert at("gg]e") == "T (failed)"
    assert at("gg]]") == "You"
    assert world.editor.window.cursor.line > 5
    assert at("[[") == "You"
    assert world.editor.window.cursor.line == 0
    world.keys("]a")
    assert world.message == "No request is waiting"


def test_text_objects_yank_what_they_name(world: World) -> None:
    world.agent("Bob", [["say", "see:\n```py\nx = 1\ny = 2\n```\ndone"]])
    world.start()
    world.say("go")
    world.wait_for("done")
    world.idle()

    def yanked(keys: str) -> str:
        world.keys(keys)
        register = world.editor.registers.get('"')
        assert register is not None
        return register.text()

    world.keys("<Esc><Tab>")
    assert yanked("gg6jyif") == "x = 1\ny = 2\n"
    assert yanked("yaf") == "```py\nx = 1\ny = 2\n```\n"
    assert yanked("yim") == "see:\n```py\nx = 1\ny = 2\n```\ndone\n"
    assert yanked("yam").startswith("Bob\nsee:")


def test_copying_without_a_selection_takes_the_region(world: World) -> None:
    world.agent("Bob", [["say", "see:\n\n```py\n  x = 1\n```\ndone"]])
    world.start()
    world.say("go")
    world.wait_for("done")
    world.idle()
    world.keys("<Esc><Tab>gg7j<C-c>")
    assert world.message == "1 line copied"
    for name in '"+':
        register = world.editor.registers.get(name)
        assert register is not None
        assert register.text() == "x = 1\n"


def test_copying_a_selection_leaves_labels_out(world: World) -> None:
    world.agent("Bob", [["say", "one\ntwo"]])
    world.start()
    world.say("go")
    world.wait_for("two")
    world.idle()
    world.keys("<Esc><Tab>ggvG<C-c>")
    register = world.editor.registers.get("+")
    assert register is not None
    assert register.text() == "go\none\ntwo\n"
    assert world.engine.mode == "n"


def test_copying_in_the_prompt_takes_the_whole_draft(world: World) -> None:
    world.agent("Bob", [])
    world.start()
    world.keys("one<C-j>two<Esc><C-c>")
    register = world.editor.registers.get("+")
    assert register is not None
    assert register.text() == "one\ntwo\n"


def test_ask_from_anywhere_sends_a_range_as_context(world: World) -> None:
    world.open("a.txt", b"one\ntwo\nthree\n")
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("2,3ask what is this?")
    world.wait_for("ok")
    text = world.calls("session/prompt")[0]["prompt"][0]["text"]
    assert text == "what is this?\n\na.txt:2-3\n```\ntwo\nthree\n```"


def test_agentsend_puts_lines_into_the_prompt(world: World) -> None:
    world.open("a.txt", b"one\ntwo\n")
    world.agent("Bob", [["say", "ok"]])
    talk = world.start()
    world.keys("explain<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("1agentsend")
    assert talk.prompt.text == "explain\na.txt:1\n```\none\n```"


def test_prompt_to_nobody_says_so(world: World) -> None:
    world.ex("ask hello")
    assert world.message == "There is no agent here: start one with :agent NAME"
    with pytest.raises(CommandFailed):
        world.agents.current()


def test_title_comes_after_the_name_and_usage_once_told(world: World) -> None:
    world.agent("Bob", [["upd", {"sessionUpdate": "session_info_update", "title": "Fixing"}],
                        ["upd", {"sessionUpdate": "usage_update", "used": 1200, "size": 200000,
                                 "cost": {"amount": 0.5, "currency": "USD"}}], ["say", "ok"]])  # fmt: skip
    talk = world.start()
    upper = world.editor.layout.windows()[1]
    assert talk.status(upper) == "Bob  idle"
    world.say("go")
    world.wait_for("ok")
    world.idle()
    assert talk.status(upper) == "Bob Fixing  idle  1200/200k tokens 0.50 USD"


@pytest.mark.parametrize("line", ["bd", "bw", "agentclose"])
def test_deleting_the_buffer_ends_the_session(world: World, line: str) -> None:
    world.agent("Bob", [])
    talk = world.start()
    world.keys("<Esc><Tab>")
    world.ex(line)
    assert world.names == [""]
    world.until(lambda: talk.gone)
    world.start()
    assert world.talk is not talk
    assert world.talk.buffer.lines == [""]
    assert world.names == ["", "agent://Bob", "agent://Bob/prompt"]


def test_hiding_and_only_keep_the_session(world: World) -> None:
    world.agent("Bob", [])
    talk = world.start()
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("only")
    assert world.names == [""]
    assert talk.alive
    world.ex("agent Bob")
    assert world.names == ["", "agent://Bob", "agent://Bob/prompt"]
    assert world.talk is talk


def test_writing_all_skips_agents(world: World) -> None:
    buffer = world.open("a.txt", b"a\n")
    buffer.set_line(0, "b")
    world.agent("Bob", [])
    world.start()
    world.keys("draft<Esc>")
    world.ex("wa")
    assert (world.project / "a.txt").read_bytes() == b"b\n"
    assert world.calls("session/prompt") == []


def test_agentedit_shows_a_diff_and_applies_it_as_one_step(world: World) -> None:
    buffer = world.open("a.txt", b"one\ntwo\nthree\n")
    world.agent("Bob", [["say", "Sure:\n```\nTWO\n"], ["say", "more\n```\n"]])
    world.start()
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("2agentedit shout")
    world.until(lambda: world.talk.requests)
    assert "-two" in world.shown
    assert "+TWO" in world.shown
    assert buffer.lines == ["one", "two", "three"]
    buffer.insert(0, ["zero"])
    world.ex("allow")
    assert buffer.lines == ["zero", "one", "TWO", "more", "three"]
    buffer.undo_once()
    assert buffer.lines == ["zero", "one", "two", "three"]


def test_agentedit_leaves_lines_alone_that_were_changed_meanwhile(world: World) -> None:
    buffer = world.open("a.txt", b"one\ntwo\n")
    world.agent("Bob", [["say", "```\nTWO\n```"]])
    world.start()
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("2agentedit shout")
    world.until(lambda: world.talk.requests)
    buffer.set_line(1, "mine")
    world.ex("allow")
    assert buffer.lines == ["one", "mine"]
    assert "changed meanwhile" in world.message


def test_file_named_in_the_conversation_opens_in_the_file_window(world: World) -> None:
    world.open("a.txt", b"one\n")
    (world.project / "b.txt").write_text("1\n2\n3\n")
    world.agent("Bob", [["say", "see `b.txt:2`."]])
    world.start()
    world.say("go")
    world.wait_for("see")
    world.idle()
    world.keys("<Esc><Tab>G$hhhgf")
    assert world.editor.buffer.name == f"{world.project}/b.txt"
    assert world.editor.window.cursor.line == 1
    assert world.names[1:] == ["agent://Bob", "agent://Bob/prompt"]


def test_events_run_the_users_commands(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.ex("autocmd AgentTurnEnd * ask again")
    world.start()
    world.say("go")
    world.until(lambda: len(world.calls("session/prompt")) >= 2)
    assert world.calls("session/prompt")[1]["prompt"] == [{"type": "text", "text": "again"}]
    world.ex("autocmd! AgentTurnEnd")


def test_init_writes_the_starter_and_opens_it(world: World) -> None:
    world.ex("agentinit")
    assert world.editor.buffer.name.endswith(".turbo-python/acp.toml")
    assert (world.project / ".turbo-python" / "acp.toml").exists()
    world.ex("agentinit")
    assert "already" in world.message or "exist" in world.message


def test_reload_restarts_what_has_changed(world: World) -> None:
    world.agent("Bob", [])
    talk = world.start()
    first = talk.client
    world.ex("agentreload")
    assert talk.client is first
    path = world.home / ".config" / "turbo-python" / "acp.toml"
    path.write_text(path.read_text() + 'env = { X = "1" }\n')
    world.ex("agentreload")
    world.until(lambda: talk.session is not None and talk.client is not first)
    assert talk.entry.env == {"X": "1"}


def test_steer_speaks_into_the_turn_where_that_is_offered_else_queues(world: World) -> None:
    world.agent("Bob", HANG)
    steers = {"protocolVersion": 1, "agentCapabilities": {}, "_meta": {"steering": {"supported": True}}}
    world.agent("Eve", [["say", "working"], ["wait"], ["cancelled"], ["end", "cancelled"]], initialize=steers)
    talk = world.start("Bob")
    world.say("go")
    world.wait_for("working")
    world.ex("steer left")
    assert talk.queue.texts == ["left"]


def test_pending_key_is_interrupted_and_nothing_copied(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.say("go")
    world.wait_for("ok")
    world.keys("<Esc><Tab>2<C-c>")
    assert world.editor.registers.get("+") is None
    assert not world.engine.normal.busy
    world.keys("d<C-c>")
    assert world.editor.registers.get("+") is None


def test_small_screen_shows_one_half_at_a_time(world: World) -> None:
    world.editor.layout.arrange(11, 40)
    world.agent("Bob", [["say", "hello"]])
    talk = world.start()
    assert world.names == ["", "agent://Bob/prompt"]
    world.say("go")
    world.wait_for("hello")
    world.keys("<Esc><Tab>")
    assert world.names == ["", "agent://Bob"]
    world.keys("i")
    assert world.names == ["", "agent://Bob/prompt"]
    assert world.engine.mode == "i"
    world.ex("q")
    assert world.names == [""]
    world.until(lambda: talk.gone)
