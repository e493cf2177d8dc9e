"""AGENTS §4, row by row: the two windows of a session, their names and status line, what ends it."""

from __future__ import annotations

import re

import pytest
from agentworld import HANG, World, prompts

WINDOWS = ["", "agent://Bob", "agent://Bob/prompt"]


@pytest.fixture
def bob(world: World) -> World:
    """A session that has said `hello` once."""
    world.agent("Bob", [["say", "hello"]], [["say", "again"]])
    world.start()
    world.say("hi there")
    world.see("hello")
    world.idle()
    world.keys("<Esc>")
    return world


@pytest.fixture
def working(world: World) -> World:
    """A session in whose turn nothing ends by itself."""
    world.agent("Bob", HANG, [["say", "second"]])
    world.start()
    world.say("go")
    world.wait_for("working")
    world.keys("<Esc>")
    return world


def test_s4_two_windows_one_above_the_other(bob: World) -> None:
    assert bob.names == WINDOWS
    assert bob.cell("hello")[0] < bob.cell("Bob  idle")[0] < bob.cell("prompt for Bob")[0]
    bob.keys("<Tab>ggx")
    assert bob.sees("E21: Cannot make changes, 'modifiable' is off")
    bob.keys("<Tab>itext<Esc>")
    assert bob.sees("text")


def test_s4_second_session_has_a_number_in_its_names(bob: World) -> None:
    bob.ex("agent! Bob")
    bob.see("Bob 2  idle")
    assert {"agent://Bob/2", "agent://Bob/2/prompt"} < set(bob.names)
    bob.ex("agent Bob/2")
    assert bob.editor.buffer.name == "agent://Bob/2/prompt"
    bob.to_file()
    bob.ex("agentclose Bob/2")
    assert bob.names == WINDOWS


def test_s4_odd_characters_of_a_name_are_encoded_in_buffer_names(world: World) -> None:
    world.agent("a b/c#d%e|f", [])
    world.start("a b/c#d%e|f")
    world.ex("ls")
    assert world.sees('"agent://a%20b%2Fc%23d%25e%7Cf"')
    world.keys("<CR>")
    assert world.sees("a b/c#d%e|f  idle")


def test_s4_labels_use_the_file_s_name_and_the_program_s_only_in_agentstatus(world: World) -> None:
    info = {"name": "x", "title": "Xerxes", "version": "1"}
    world.agent("Bob", [["say", "hello"]], initialize={"protocolVersion": 1, "agentInfo": info})
    world.start()
    world.say("hi")
    world.see("hello")
    assert world.shown[:4] == ["You", "hi", "", "Bob"]
    assert not world.sees("Xerxes")
    world.ex("agentstatus")
    assert any("Xerxes" in line for line in world.editor.buffer.lines)


def test_s4_status_line_has_name_title_state_spinner_usage_and_queue(world: World) -> None:
    title = {"sessionUpdate": "session_info_update", "title": "Fixing it"}
    usage = {"sessionUpdate": "usage_update", "used": 1200, "size": 200000, "cost": {"amount": 0.5, "currency": "USD"}}
    world.agent("Bob", [["upd", title], ["upd", usage], *HANG])
    world.start()
    assert world.sees("Bob  idle  ")
    world.say("go")
    world.wait_for("working")
    world.say("more")
    row = world.screen[world.cell("Bob Fixing it  ")[0]]
    assert re.search(r"Bob Fixing it  working \ds [⠁-⣿]  1200/200k tokens 0\.50 USD  1 queued", row), row


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("ggjjjj", "hello"),
        ("gg/hell<CR>", "hello"),
        ("G?You<CR>", "You"),
        ("gg/Bob\\|You<CR>n", "You"),
        ("ggG", "hello"),
        ("ggjmaGgg'a", "hi there"),
        ("ggG<C-o>", "You"),
        ("qqj@qq", "hi there"),
        ("ggj*", "hi there"),
    ],
    ids=["motions", "/", "?", "n", "G", "marks", "jump list", "macros", "*"],
)
def test_s4_conversation_is_a_buffer_for_vims_keys(bob: World, keys: str, line: str) -> None:
    bob.keys("<Tab>gg")
    bob.keys(keys)
    assert bob.here == line


def test_s4_conversation_is_a_buffer_for_registers_and_visual_modes(bob: World) -> None:
    bob.keys('<Tab>gg"ayy')
    bob.keys("jv$hy")
    bob.to_file()
    bob.keys('p"ap')
    assert bob.editor.buffer.lines == ["hi there", "You"]


def test_s4_conversation_is_a_buffer_for_commands(bob: World) -> None:
    bob.ex("ls")
    assert bob.sees('"agent://Bob"')
    assert bob.sees('"agent://Bob/prompt"')
    bob.keys("<CR>")
    bob.to_file()
    bob.ex("b agent://Bob")
    assert bob.editor.buffer.name == "agent://Bob"
    bob.keys("<C-^>")
    assert bob.editor.buffer.name == ""
    bob.keys("<C-w>j")
    bob.ex("sp")
    assert bob.names.count("agent://Bob") == 2
    bob.ex("g/hello/y")
    register = bob.editor.registers.get('"')
    assert register is not None
    assert register.text() == "hello\n"
    bob.ex(f"w {bob.project}/talk.md")
    assert (bob.project / "talk.md").read_text() == "You\nhi there\n\nBob\nhello\n"


def test_s4_both_are_nofile_and_writing_never_sends(bob: World) -> None:
    bob.keys("idraft<Esc>")
    bob.ex("w")
    assert bob.sees("E382: Cannot write, 'buftype' option is set")
    bob.keys("<Tab>")
    bob.ex("w")
    assert bob.sees("E382")
    bob.to_file()
    bob.open("a.txt", b"a\n").set_line(0, "b")
    bob.ex("wa")
    assert (bob.project / "a.txt").read_text() == "b\n"
    assert prompts(bob) == ["hi there"]


@pytest.mark.parametrize("line", ["xa", "wqa"])
def test_s4_writing_all_and_leaving_skips_them(bob: World, line: str) -> None:
    bob.keys("idraft<Esc>")
    bob.ex(line)
    assert bob.editor.quit_requested
    assert prompts(bob) == ["hi there"]


@pytest.mark.parametrize(
    ("half", "keys"),
    [("conversation", keys) for keys in (":q<CR>", ":close<CR>", "ZZ", "ZQ", "<C-w>c", ":agentclose<CR>", ":bd<CR>")]
    + [("prompt", keys) for keys in (":q<CR>", "ZZ", "<C-w>c", ":bw<CR>")],
)
def test_s4_closing_the_last_window_ends_the_session(bob: World, half: str, keys: str) -> None:
    talk = bob.talk
    if half == "conversation":
        bob.keys("<Tab>")
    bob.keys(keys)
    assert bob.names == [""]
    bob.until(lambda: talk.gone)


@pytest.mark.parametrize(
    "keys",
    [
        ":sp<CR>:q<CR>",
        ":hide<CR>",
        ":only<CR>",
        ":tabnew<CR>",
        ":e a.txt<CR>",
        ":b 1<CR>",
    ],
)
def test_s4_other_ways_to_leave_the_window_keep_the_session(bob: World, keys: str) -> None:
    bob.keys("<Tab>" if "sp" in keys or "hide" in keys else "<C-w>t" if "only" in keys else "<Tab>")
    bob.keys(keys)
    assert bob.talk.alive
    bob.ex("agent Bob")
    bob.say("more")
    bob.see("again")


@pytest.mark.parametrize("keys", [":q<CR>", ":qa<CR>", ":close<CR>", "ZZ", "<C-w>c", ":bd<CR>"])
def test_s4_closing_needs_a_bang_while_a_turn_runs(working: World, keys: str) -> None:
    working.keys(keys)
    assert working.sees("E948: Bob is working (add ! to stop it)")
    assert working.names == WINDOWS
    working.ex("q!")
    assert working.names == [""]
    working.until(lambda: working.calls("session/cancel"))


def test_s4_unsent_text_is_offered_next_time(bob: World) -> None:
    bob.keys("ihalf a thought<Esc>")
    bob.ex("q")
    bob.until(lambda: not bob.agents.talks)
    bob.ex("agent Bob")
    assert bob.sees("half a thought")
    assert bob.sees("What you had not sent to it is in the prompt")


@pytest.mark.parametrize(("columns", "right"), [(120, True), (119, False)])
def test_s4_pane_opens_to_the_right_where_there_is_room(world: World, columns: int, right: bool) -> None:
    world.resize(columns, 41)
    world.agent("Bob", [])
    world.start()
    row, column = world.cell("Bob  idle")
    assert (column >= columns // 2) is right
    assert (row > 30) is True
    top = world.editor.layout.rects[world.editor.layout.windows()[1]].top
    assert top == 0 if right else 18 <= top <= 21


def test_s4_prompt_has_three_lines_and_grows_to_eight(bob: World) -> None:
    bob.keys("i")
    for lines in range(1, 12):
        assert bob.editor.window.height == min(max(lines, 3), 8)
        bob.keys("x<C-j>")
    bob.keys("<Esc>ggdG")
    assert bob.editor.window.height == 3


@pytest.mark.parametrize(("option", "mode"), [("agentinsert", "-- INSERT --"), ("noagentinsert", "")])
def test_s4_cursor_is_in_the_prompt_in_insert_mode(world: World, option: str, mode: str) -> None:
    world.ex(f"set {option}")
    world.agent("Bob", [])
    world.start()
    assert world.editor.buffer.name == "agent://Bob/prompt"
    assert world.sees("-- INSERT --") is bool(mode)


def test_s4_small_screen_shows_the_half_with_the_cursor(world: World) -> None:
    world.resize(40, 12)
    world.agent("Bob", [["say", "hello"]])
    world.start()
    assert world.sees("prompt for Bob")
    world.say("go")
    world.wait_for("hello")
    world.keys("<Esc><Tab>")
    assert world.sees("hello")
    assert not world.sees("prompt for Bob")
    world.keys("i")
    assert world.sees("prompt for Bob")


def test_s4_named_files_open_in_the_file_window_used_last(world: World) -> None:
    world.open("a.txt", b"one\n")
    (world.project / "b.txt").write_text("1\n2\n3\n")
    world.ex("sp")
    world.agent("Bob", [["say", "see b.txt:2"]])
    world.start()
    world.say("go")
    world.see("see b.txt:2")
    world.idle()
    world.keys("<Esc>")
    top, upper, _, bottom = world.editor.layout.windows()
    world.editor.focus(bottom)
    world.editor.focus(upper)
    world.keys("G$gF")
    assert world.names[-1].endswith("b.txt")
    assert top.buffer.name.endswith("a.txt")
    assert world.here == "2"


def test_s4_each_session_has_a_process_of_its_own(bob: World) -> None:
    bob.ex("agent! Bob")
    bob.see("Bob 2  idle")
    pids = {talk.client.pid for talk in bob.agents.talks if talk.client is not None}
    assert len(pids) == 2


def test_s4_spinners_turn_in_phase_and_the_title_stands_still(world: World) -> None:
    world.agent("Bob", HANG)
    world.agent("Eve", HANG)
    for name in ("Bob", "Eve"):
        talk = world.start(name)
        world.say("go")
        world.until(lambda talk=talk: "working" in talk.buffer.lines)
    now = world.loop.time()
    seen = []
    for step in range(20):
        world.agents.loop.time = lambda step=step: now + step / 6  # type: ignore[method-assign,misc]
        spinners = re.findall(r"(?:Bob|Eve)  working \d+s ([⠁-⣿])", "\n".join(world.screen))
        assert len(spinners) == 2
        assert len(set(spinners)) == 1
        seen.append(spinners[0])
    assert seen[0] != seen[1]
    assert seen[:10] == seen[10:]


def test_s4_nothing_is_redrawn_when_no_turn_runs(bob: World) -> None:
    bob.loop.run_until(lambda: False, 0.2)
    before = bob.redraws
    bob.loop.run_until(lambda: False, 0.5)
    assert bob.redraws == before


@pytest.mark.parametrize("small", [(30, 6), (12, 4), (1, 1), (200, 5)])
def test_s4_a_screen_that_was_small_shows_the_end_and_the_whole_prompt_again(
    world: World, small: tuple[int, int]
) -> None:
    world.agent("Bob", [["say", "\n\n".join(f"line {n}" for n in range(40))], *HANG])
    world.start()
    world.say("go")
    world.wait_for("working")
    for size in ((80, 24), small, (80, 24)):
        world.size = size
        assert len(world.screen) == size[1]
    assert world.editor.window.height == 3
    rows = world.screen[: world.cell("Bob  working")[0]]
    assert "working" in rows[-1]
    assert "line 38" in rows[-3]
