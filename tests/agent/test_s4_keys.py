"""AGENTS §4, row by row: the keys and the mouse in an agent window, the prompt's queue, how the view follows."""

from __future__ import annotations

from typing import Any

import pytest
from agentworld import HANG, World, prompts


def tool(ident: str, title: str, status: str, *, output: str = "", kind: str = "other") -> list[Any]:
    content = [{"type": "content", "content": {"type": "text", "text": output}}] if output else []
    update = {"toolCallId": ident, "title": title, "status": status, "kind": kind, "content": content}
    return ["upd", {"sessionUpdate": "tool_call", **update}]


@pytest.fixture
def bob(world: World) -> World:
    world.agent("Bob", [["say", "hello"]], [["say", "again"]], [["say", "third"]])
    world.start()
    return world


@pytest.fixture
def working(world: World) -> World:
    """A session in whose turn nothing ends by itself."""
    world.agent("Bob", HANG, [["say", "second"]], [["say", "third"]])
    world.start()
    world.say("go")
    world.wait_for("working")
    return world


def test_s4_enter_sends_in_insert_and_normal_mode_and_blanks_are_not_sent(bob: World) -> None:
    bob.keys("  <CR>")
    bob.keys("<Esc><CR>")
    assert prompts(bob) == []
    bob.keys("0Cone<CR>")
    bob.see("hello")
    bob.idle()
    bob.keys("two<Esc><CR>")
    bob.see("again")
    assert prompts(bob) == ["one", "two"]


@pytest.mark.parametrize("key", ["<M-CR>", "<C-j>", "<S-CR>"])
def test_s4_other_enters_begin_a_line(bob: World, key: str) -> None:
    bob.keys(f"one{key}two<CR>")
    bob.see("hello")
    assert prompts(bob) == ["one\ntwo"]


def test_s4_tab_goes_to_the_other_half_in_normal_mode(bob: World) -> None:
    bob.keys("draft<Tab>")
    assert bob.editor.buffer.name == "agent://Bob"
    assert not bob.sees("-- INSERT --")
    bob.keys("<Tab>")
    assert bob.editor.buffer.name == "agent://Bob/prompt"
    assert not bob.sees("-- INSERT --")
    bob.keys("<Tab>")
    assert bob.editor.buffer.name == "agent://Bob"


@pytest.mark.parametrize("half", ["prompt", "conversation"])
def test_s4_escape_cancels_with_nothing_selected_or_pending(working: World, half: str) -> None:
    working.keys("<Esc>")
    working.now += 1
    if half == "conversation":
        working.keys("<Tab>")
    for before in ("v", "2", "d", ":x"):
        working.keys(before + "<Esc>")
        working.now += 1
        assert working.calls("session/cancel") == []
    working.keys("<Esc>")
    working.see("The turn ended: cancelled")


def test_s4_escape_soon_after_another_names_cancel(working: World) -> None:
    for leaving in ("<Esc>", "iv<Esc>", "v<Esc>", ":x<Esc>", "2<Esc>"):
        working.keys(leaving)
        working.now += 0.4
        working.keys("<Esc>")
        assert working.sees(":cancel or <Esc> once more cancels it")
        working.now += 1
    assert working.calls("session/cancel") == []


@pytest.mark.parametrize("key", ["<C-c>", "<C-Insert>"])
def test_s4_copy_key_takes_selection_region_or_draft(bob: World, key: str) -> None:
    bob.keys("hi<CR>")
    bob.see("hello")
    bob.idle()
    bob.keys(f"one<C-j>two<Esc>{key}")
    assert bob.copied == ["one\ntwo\n"]
    bob.keys(f"<Tab>G{key}")
    assert bob.copied[1:] == ["hello\n"]
    bob.keys(f"ggVj{key}")
    assert bob.copied[2:] == ["hi\n"]
    assert bob.sees("1 line copied")


def test_s4_interrupt_key_first_ends_what_is_pending(bob: World) -> None:
    bob.keys("one<Esc>d<C-c>")
    assert bob.copied == []
    bob.keys("i<C-c>")
    assert bob.copied == []
    assert not bob.sees("-- INSERT --")
    assert bob.editor.buffer.lines == ["one"]


@pytest.mark.parametrize(("earlier", "later"), [("<C-p>", "<C-n>"), ("<Up>", "<Down>")])
def test_s4_earlier_prompts_and_past_the_newest_the_draft(bob: World, earlier: str, later: str) -> None:
    for text, shown in (("one", "hello"), ("two", "again")):
        bob.keys(text + "<CR>")
        bob.see(shown)
        bob.idle()
    bob.keys("draft<Esc>")
    for key, row in ((earlier, "two"), (earlier, "one"), (later, "two"), (later, "draft")):
        bob.keys(key)
        assert bob.editor.buffer.lines == [row]


def test_s4_arrows_move_in_a_draft_of_several_lines(bob: World) -> None:
    bob.keys("sent<CR>")
    bob.see("hello")
    bob.keys("a<C-j>b<C-j>c<Esc><Up>")
    assert bob.here == "b"
    bob.keys("<Up><Up>")
    assert bob.editor.buffer.lines == ["sent"]


def test_s4_completion_keys_of_insert_mode_stay_vims(bob: World) -> None:
    bob.keys("sent<CR>")
    bob.see("hello")
    bob.keys("special spec<C-p>")
    assert bob.editor.buffer.lines == ["special special"]


def test_s4_keys_of_insertion_go_to_the_prompt(bob: World) -> None:
    for key in "iaoAI":
        bob.keys(f"<Esc><Tab>{key}")
        assert bob.editor.buffer.name == "agent://Bob/prompt"
        assert bob.sees("-- INSERT --")


@pytest.fixture
def told(world: World) -> World:
    """A conversation with something of every kind, the cursor on its first line."""
    old, new = "a\n" * 9, "b\n" + "a\n" * 8 + "b\n"
    diff = {"type": "diff", "path": f"{world.project}/a.txt", "oldText": old, "newText": new}
    edit = {"sessionUpdate": "tool_call", "toolCallId": "d", "title": "Edit", "status": "pending", "content": [diff]}
    world.agent(
        "Bob",
        [
            ["think", "hm"],
            ["say", "intro\n```py\n  x = 1\n```\nend"],
            tool("t1", "Good", "completed", output="out 1\nout 2"),
            tool("t2", "Bad", "failed", output="oops"),
            ["upd", edit],
        ],
        [["say", "last"]],
    )
    world.start()
    for text in ("first", "second"):
        world.say(text)
        world.idle()
    world.wait_for("last")
    world.keys("<Esc><Tab>zRgg")
    return world


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("]]", "You"),
        ("]]j[[", "You"),
        ("]m", "thinking"),
        ("2]m", "Bob"),
        ("G[m", "Bob"),
        ("]t", "Good (completed)"),
        ("2]t", "Bad (failed)"),
        ("G[t", "Edit (stale)"),
        ("]e", "Bad (failed)"),
        ("G[e", "Bad (failed)"),
        ("]c", "@@ -1,3 +1,4 @@"),
        ("]c]c", "@@ -6,4 +7,4 @@"),
        ("G[c", "@@ -6,4 +7,4 @@"),
        ("<End>", "last"),
        ("G<Home>", "You"),
        ("j$x0", "first"),
        ("G<PageUp><PageUp><PageUp>gg", "You"),
    ],
)
def test_s4_motions_of_the_conversation(told: World, keys: str, line: str) -> None:
    told.keys(keys)
    assert told.here == line, told.shown
    assert told.sees(line)


def test_s4_shift_extends_a_linewise_selection(told: World) -> None:
    told.keys("<S-Down><S-Down><S-Up>")
    assert told.sees("-- VISUAL LINE --")
    told.keys("<C-c>gg<S-End><C-c>")
    told.keys("G<S-Home><S-PageDown><Esc>")
    assert told.copied[0] == "first\n"
    assert told.copied[1].endswith("second\nlast\n")


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("/intro<CR>yim", "intro\n```py\n  x = 1\n```\nend\n"),
        ("/intro<CR>yam", "Bob\nintro\n```py\n  x = 1\n```\nend\n"),
        ("/out 1<CR>yik", "out 1\nout 2\n"),
        ("/out 1<CR>yak", "Good (completed)\nout 1\nout 2\n"),
        ("/x = 1<CR>yif", "  x = 1\n"),
        ("/x = 1<CR>yaf", "```py\n  x = 1\n```\n"),
        ("/out 1<CR>yir", "out 1\nout 2\n"),
        ("/intro<CR>yar", "intro\n"),
    ],
)
def test_s4_text_objects_of_the_conversation(told: World, keys: str, text: str) -> None:
    told.keys(keys)
    told.to_file()
    told.keys("pggdd")
    assert told.editor.buffer.lines == text.splitlines()


def test_s4_folds_close_by_themselves_but_for_failures(world: World) -> None:
    good = tool("t1", "Good", "completed", output="\n".join(f"out {n}" for n in range(30)))
    bad = tool("t2", "Bad", "failed", output="oops 1\noops 2")
    world.agent("Bob", [["think", "hm one\nhm two"], good, bad, ["say", "done"]])
    world.start()
    world.say("go")
    world.see("done")
    world.idle()
    assert not world.sees("hm two")
    assert not world.sees("out 9")
    assert world.sees("oops 2")
    world.keys("<Esc><Tab>gg]tzo")
    world.see("out 9")
    world.keys("zc")
    assert not world.sees("out 9")
    world.keys("zR")
    assert world.sees("hm two")
    world.keys("ggzjzM")
    assert not world.sees("hm two")


def test_s4_wheel_scrolls_three_lines_without_the_cursor(world: World) -> None:
    world.agent("Bob", [["say", "\n".join(f"line {n}" for n in range(60))]])
    world.start()
    world.say("go")
    world.see("line 59")
    world.idle()
    row, column = world.cell("line 50")
    world.mouse("<ScrollWheelUp>", row, column)
    assert world.screen[row + 3] == "line 50"
    world.keys("<Esc><Tab>")
    assert world.here == "line 59"


def test_s4_mouse_places_and_selects_whole_lines(told: World) -> None:
    row, column = told.cell("intro")
    told.mouse("<LeftMouse>", row, column + 2)
    assert told.here == "intro"
    told.mouse("<LeftDrag>", row + 2, column + 3)
    assert told.sees("-- VISUAL LINE --")
    told.mouse("<LeftRelease>", row + 2, column + 3)
    told.keys("<C-c>")
    assert told.copied == ["intro\n```py\n  x = 1\n"]


def test_s4_status_line_buttons(bob: World) -> None:
    bob.keys("<Esc>")
    row, _ = bob.cell("Bob  idle")
    bob.mouse("<LeftMouse>", row, 2)
    assert bob.editor.buffer.name == "agent://Bob"
    bob.mouse("<LeftMouse>", row, bob.screen[row].index("[■]"))
    assert bob.editor.window.height > 25
    row, _ = bob.cell("Bob  idle")
    bob.mouse("<LeftMouse>", row, bob.screen[row].index("[x]"))
    assert not bob.sees("prompt for Bob")


def test_s4_keys_from_anywhere(bob: World) -> None:
    bob.keys("<Esc>")
    keys = (("<F6>", ""), ("<M-2>", "agent://Bob"), ("<M-3>", "agent://Bob/prompt"), ("i<M-1>", ""), ("<M-9>", ""))
    for key, name in keys:
        bob.keys(key)
        assert bob.editor.buffer.name == name
        assert not bob.sees("-- INSERT --")
    bob.keys("<C-w>_")
    assert bob.editor.window.height > 25
    bob.keys("<C-w>=")
    assert bob.editor.window.height < 25
    bob.keys("<M-a>")
    assert bob.sees("Configured")


def test_s4_windows_have_numbers_up_to_nine(world: World) -> None:
    world.keys(":new<CR>" * 8)
    windows = world.editor.layout.windows()
    for number in range(9, 0, -1):
        world.keys(f"<M-{number}>")
        assert world.editor.window is windows[number - 1]


def test_s4_prompts_before_the_handshake_are_held_and_sent_in_order(world: World) -> None:
    world.agent("Bob", [["say", "first"]], [["say", "second"]])
    world.ex("agent Bob")
    world.say("one")
    world.say("two")
    assert world.sees("2 queued")
    world.see("second")
    world.idle()
    assert prompts(world) == ["one", "two"]
    assert [line for line in world.shown if line] == ["You", "one", "Bob", "first", "You", "two", "Bob", "second"]


@pytest.mark.parametrize("release", ["i<CR>", "<CR>", ":agentqueue<CR>"])
def test_s4_queue_is_held_after_any_other_end_until_it_is_released(working: World, release: str) -> None:
    working.say("two")
    working.say("three")
    assert working.sees("2 queued")
    working.ex("cancel")
    working.see("2 held")
    assert prompts(working) == ["go"]
    working.keys(release)
    working.see("third")
    assert prompts(working) == ["go", "two", "three"]


def test_s4_files_are_read_at_the_moment_of_sending(world: World) -> None:
    gate = world.root / "gate"
    (world.project / "a.txt").write_text("old\n")
    embeds = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": {"embeddedContext": True}}}
    world.agent("Bob", [["say", "working"], ["gate", str(gate)]], [["say", "second"]], initialize=embeds)
    world.start()
    world.say("go")
    world.wait_for("working")
    world.say("read @a.txt")
    (world.project / "a.txt").write_text("new\n")
    gate.touch()
    world.see("second")
    assert world.calls("session/prompt")[1]["prompt"][1]["resource"]["text"] == "new\n"


START_FAILS = {"initialize": {"error": {"code": -32603, "message": "no"}}}
REFUSED = {"new": {"error": {"code": -32000, "message": "Log in"}}}


@pytest.mark.parametrize("script", [START_FAILS, REFUSED], ids=["failed start", "refused login"])
def test_s4_typed_text_comes_back_above_the_draft(world: World, script: dict[str, Any]) -> None:
    world.agent("Bob", [], **script)
    world.ex("agent Bob")
    world.say("question")
    world.keys("draft")
    world.until(lambda: not world.talk.queue.texts)
    assert world.editor.buffer.lines == ["question", "", "draft"]
    assert world.sees("draft")


def test_s4_dead_agent_gives_the_text_back_and_u_after_sending_too(bob: World) -> None:
    bob.keys("hi<CR>")
    bob.see("hello")
    bob.idle()
    bob.keys("<Esc>u")
    assert bob.sees("hi")
    assert bob.editor.buffer.lines == ["hi"]


def test_s4_reader_elsewhere_sees_how_much_is_new(world: World) -> None:
    gate = world.root / "gate"
    world.agent("Bob", [["say", "\n".join(f"line {n}" for n in range(60))], ["gate", str(gate)],
                        tool("t1", "One", "completed"), tool("t2", "Two", "completed"), ["say", "end"]])  # fmt: skip
    world.start()
    world.say("one")
    world.see("line 59")
    world.keys("<Esc><Tab>gg")
    before = world.screen[19:34]
    assert before[0] == "You"
    gate.touch()
    world.see("3 new")
    assert world.screen[19:34] == before
    world.keys("G")
    assert world.sees("end")
    assert not world.sees("3 new")


def test_s4_following_never_enters_an_open_request(world: World) -> None:
    option = {"optionId": "y", "name": "Yes", "kind": "allow_once"}
    call = {"toolCallId": "t", "title": "Run"}
    request = {"sessionId": "$SID", "toolCall": call, "options": [option]}
    world.agent("Bob", [["say", "text"], ["req", "session/request_permission", request]])
    world.start()
    world.say("go")
    world.keys("<Esc><Tab>G")
    world.see("[1 y] Yes")
    world.keys("y<Esc>")
    assert world.answers() == []
    assert world.sees("Bob asks: Run (:allow / :deny)")
