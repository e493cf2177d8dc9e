"""AGENTS §10, row by row: permission requests, the keys in their block, rules, notices."""

from __future__ import annotations

import json
from typing import Any

import pytest
from agentworld import World
from asking import OPTIONS, ask, asked, outcomes


@pytest.mark.parametrize(
    ("call", "heading"),
    [
        ({"title": "Edit a.py", "name": "edit", "kind": "edit"}, "Edit a.py"),
        ({"title": None, "name": "shell", "kind": "execute"}, "shell"),
        ({"title": None, "kind": "execute"}, "execute"),
        ({"title": None}, "the agent"),
    ],
)
def test_s10_heading_is_title_name_kind_or_the_agent(world: World, call: dict[str, Any], heading: str) -> None:
    asked(world, ask(**call))
    assert f"Bob asks: {heading}" in world.shown
    assert f"Bob asks: {heading}" in world.screen
    assert world.message == f"Bob asks: {heading} (:allow / :deny)"
    assert f"Bob asks: {heading} (:allow / :deny)" in world.screen


def test_s10_block_has_purpose_diff_and_options_in_their_order(world: World) -> None:
    diff = {"type": "diff", "path": f"{world.project}/a.py", "oldText": "a\nb\n", "newText": "a\nc\n"}
    asked(world, ask("Edit", content=[diff], rawInput={"path": f"{world.project}/x.py"}))
    rows = world.screen[world.cell("Bob asks: Edit")[0] :]
    for number, row in enumerate(["Bob asks: Edit", "x.py", "a.py", "@@ -1,2 +1,2 @@", " a", "-b", "+c"]):
        assert rows[number] == row
    options = [row for row in rows if row.startswith("[")]
    assert [row.split("  ")[0] for row in options] == ["[1 n] No", "[2 N] Never", "[3 y] Yes", "[4 Y] Always"]


def test_s10_command_is_the_line_of_what_it_would_do(world: World) -> None:
    asked(world, ask("Run it", kind="execute", rawInput={"command": "make test"}))
    assert world.screen[world.cell("Bob asks: Run it")[0] + 1] == "make test"


def test_s10_input_that_is_no_command_and_no_path_is_not_shown_beside_the_diff(world: World) -> None:
    diff = {"type": "diff", "path": f"{world.project}/a.py", "oldText": "a\n", "newText": "c\n"}
    asked(world, ask("Edit", content=[diff], rawInput={"call_id": "call_a51", "changes": {}}))
    at = world.cell("Bob asks: Edit")[0]
    assert world.screen[at + 1 : at + 3] == ["a.py", "@@ -1 +1 @@"]


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("end", ["allow", "close"])
def test_s10_room_of_a_comparison_goes_back_to_the_conversation(world: World, size: tuple[int, int], end: str) -> None:
    world.resize(*size)
    diff = {"type": "diff", "path": f"{world.project}/a.py", "oldText": "a\n", "newText": "c\n"}
    asked(world, ask("Edit", content=[diff]))
    heights = [window.height for window in world.editor.windows()]
    world.keys("<Esc>]ad")
    assert world.editor.buffer.name == "agent://Bob/proposal"
    world.ex(end)
    if end == "close":
        world.ex(end)
    left = [window.height for window in world.editor.windows()]
    assert left[-1] == heights[-1]  # the prompt
    assert sum(left) == sum(heights)


def test_s10_going_to_a_request_shows_it_whole_where_other_windows_left_it_no_room(world: World) -> None:
    diff = {"type": "diff", "path": f"{world.project}/a.py", "oldText": "a\nb\n", "newText": "a\nc\n"}
    asked(world, ask("Edit", content=[diff]))
    world.resize(100, 30)
    for _ in range(3):
        world.ex("new")
    assert "+c" not in world.screen
    world.keys("]a")
    first = world.screen.index("Bob asks: Edit")
    assert "+c" in world.screen[first:]
    assert any("Always" in row for row in world.screen[first:])


def test_s10_request_takes_no_focus_and_rings_once(world: World) -> None:
    world.open("a.txt", b"text\n")
    before = world.editor.bells
    asked(world, ask())
    assert world.editor.bells == before + 1
    assert world.editor.buffer.name == "agent://Bob/prompt"
    assert world.sees("-- INSERT --") is False  # the message line tells of the request instead
    status = [row for row in world.screen if "Bob asks: Run (:allow / :deny)" in row]
    assert len(status) == 3  # message line and both status lines
    world.to_file()
    world.keys("iy n 1<Esc>")
    assert world.editor.buffer.lines == ["y n 1text"]
    assert world.answers() == []
    world.ex("allow")
    assert outcomes(world) == ["y"]


@pytest.mark.parametrize(
    ("key", "option"),
    [*zip("1234yYnN", ("n1", "n2", "y", "Y", "y", "Y", "n1", "n2"), strict=True), ("<Esc>", "n1")],
)
def test_s10_keys_in_the_block_answer(world: World, key: str, option: str) -> None:
    asked(world, ask())
    world.keys(f"<Esc><Tab>]a{key}")
    assert outcomes(world) == [option]
    assert world.calls("session/cancel") == []


@pytest.mark.parametrize("way", ["]a", "/Bob asks<CR>", "jj", "click"])
def test_s10_the_user_moves_into_the_block_after_it_was_drawn(world: World, way: str) -> None:
    asked(world, ["say", "before"], ask())
    world.keys("<Esc><Tab>y")
    assert world.answers() == []
    world.keys("<Esc>")
    if way == "click":
        row, column = world.cell("[3 y] Yes")
        world.mouse("<LeftMouse>", row, column)
    else:
        world.keys(way)
    world.keys("y")
    assert outcomes(world) == ["y"]


@pytest.mark.parametrize("half", ["file", "prompt", "elsewhere in the conversation"])
def test_s10_everywhere_else_the_keys_keep_vims_meaning(world: World, half: str) -> None:
    world.open("a.txt", b"one\ntwo\n")
    asked(world, ["say", "before"], ask())
    world.keys("<Esc>" if half == "prompt" else "<Esc><Tab>gg")
    if half == "file":
        world.to_file()
    world.keys("yyn1N" if half != "prompt" else "yyn1NY")
    assert world.answers() == []
    world.ex("deny")
    assert outcomes(world) == ["n1"]


@pytest.mark.parametrize(
    ("line", "option"),
    [("allow", "y"), ("deny", "n1"), ("allow Always", "Y"), ("allow 2", "n2"), ("deny no", "n1"), ("allow alw", "Y")],
)
def test_s10_commands_answer_from_anywhere(world: World, line: str, option: str) -> None:
    asked(world, ask())
    world.to_file()
    world.ex(line)
    assert outcomes(world) == [option]


@pytest.mark.parametrize(
    ("kinds", "sent"),
    [
        (["allow_once", "reject_always", "reject_once"], "2"),
        (["allow_once", "reject_always"], "1"),
        (["allow_once", "allow_always"], "cancelled"),
        (["allow_once", "other_kind"], "cancelled"),
        ([], "cancelled"),
    ],
)
@pytest.mark.parametrize("way", [":deny<CR>", "<Tab>]a<Esc>"])
def test_s10_dismissing_and_denying_send_a_refusal_or_cancelled(
    world: World, kinds: list[str], sent: str, way: str
) -> None:
    options = [{"optionId": str(at), "name": kind, "kind": kind} for at, kind in enumerate(kinds)]
    asked(world, ask(options=options))
    world.keys("<Esc>" + way)
    assert outcomes(world) == [sent]
    assert world.calls("session/cancel") == []


def test_s10_cancelling_the_turn_answers_cancelled_once(world: World) -> None:
    world.agent("Bob", [ask(), ["cancelled"], ["say", "finished"], ["end", "cancelled"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("cancel")
    assert outcomes(world) == ["cancelled"]
    world.ex("allow")
    assert world.sees("No request is waiting")
    assert len(world.answers()) == 1


def test_s10_closing_the_window_answers_cancelled(world: World) -> None:
    talk = asked(world, ask()).talk
    world.ex("q!")
    world.until(lambda: talk.gone)
    assert {"outcome": {"outcome": "cancelled"}} in world.answers()


# Rules


def rule(world: World, line: str) -> None:
    world.ex("agentpermissions")
    world.keys(f"Go{line}<Esc>")
    world.ex("q")


def test_s10_writing_the_rules_says_how_many_are_kept(world: World) -> None:
    world.ex("agentpermissions")
    world.keys("Goallow kind=read<CR>deny kind=other<Esc>")
    world.ex("wq")
    assert world.message == "Rules kept: 2"
    assert world.editor.buffer.name != "agent://permissions"


@pytest.mark.parametrize(
    ("line", "call", "answer"),
    [
        ("allow", {}, "y"),
        ("allow agent=Bob", {}, "y"),
        ("allow agent=Eve", {}, None),
        ("allow kind=read", {"kind": "read"}, "y"),
        ("allow kind=read", {"kind": "edit"}, None),
        ("deny kind=edit", {"kind": "edit"}, "n1"),
        ("allow path=src/*", {"locations": [{"path": "$P/src/a.py"}]}, "y"),
        ("allow path=src/*", {"locations": [{"path": "$P/a.py"}]}, None),
        ("allow path=src/*", {"locations": [{"path": "$P/src/a.py"}, {"path": "$P/b.py"}]}, None),
        ("allow command='make *'", {"kind": "execute", "rawInput": {"command": "make test"}}, "y"),
        ("allow command='make *'", {"kind": "execute", "rawInput": {"command": "rm -r x"}}, None),
        ("ask", {}, None),
    ],
)
def test_s10_rules_by_agent_kind_path_and_command(
    world: World, line: str, call: dict[str, Any], answer: str | None
) -> None:
    rule(world, line)
    filled = json.loads(json.dumps(call).replace("$P", str(world.project)))
    world.agent("Bob", [ask(**filled), ["say", "finished"]])
    world.start()
    world.say("go")
    if answer is None:
        world.see("Bob asks: Run (:allow / :deny)")
        assert world.answers() == []
        world.ex("allow Always")
        assert outcomes(world) == ["Y"]
    else:
        assert outcomes(world) == [answer]


def test_s10_strictest_rule_wins(world: World) -> None:
    rule(world, "allow")
    rule(world, "deny kind=edit")
    world.agent("Bob", [ask(kind="edit"), ask(kind="read"), ["say", "finished"]])
    world.start()
    world.say("go")
    assert outcomes(world) == ["n1", "y"]


def test_s10_allow_rule_that_finds_no_allow_once_asks(world: World) -> None:
    rule(world, "allow")
    world.agent("Bob", [ask(options=[OPTIONS[0], OPTIONS[3]]), ["say", "finished"]])
    world.start()
    world.say("go")
    world.see("Bob asks: Run (:allow / :deny)")
    world.ex("deny")
    assert outcomes(world) == ["n1"]


def test_s10_rules_apply_to_waiting_requests(world: World) -> None:
    asked(world, ask(kind="execute", rawInput={"command": "make test"}))
    rule(world, "allow command='make *'")
    assert outcomes(world) == ["y"]
    assert not world.sees("(:allow / :deny)")


def test_s10_rules_are_kept_over_restarts_listed_and_revoked(world: World, tmp_path: Any) -> None:
    rule(world, "allow kind=read path=docs/*")
    kept = world.home / ".local" / "state" / "turbo-python" / "permissions.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    from tpy.modal.agent import bridge
    from tpy.modal.assembly import make_engine

    other = make_engine()
    bridge.install(other, world.loop, project=str(world.project), environ=world.environ)
    other.run_ex("agentpermissions")
    assert other.editor.buffer.lines[-1] == "allow kind='read' path='docs/*'"
    world.ex("agentpermissions")
    assert world.sees("allow kind='read' path='docs/*'")
    world.keys("Gdd")
    world.ex("q")
    assert json.loads(kept.read_text()) == []
    asked(world, ask(kind="read", locations=[{"path": f"{world.project}/docs/x"}]))
    assert world.answers() == []


def test_s10_line_that_is_no_rule_is_told(world: World) -> None:
    world.ex("agentpermissions")
    world.keys("Gopermit all<Esc>")
    assert world.sees("[line 3 is no rule: a rule begins with allow, ask or deny]")
    world.keys("0cwdeny<Esc>")
    assert world.sees("[line 3 is no rule: all is none of agent=")
    world.keys("0D")
    assert not world.sees("is no rule")


# Notices


@pytest.mark.parametrize("how", ["bell", "osc9", "osc777", "none"])
def test_s10_hidden_agent_tells_that_it_waits_and_that_it_is_done(world: World, how: str) -> None:
    told: list[tuple[str, str]] = []
    world.editor.on("notify", lambda *words: told.append(words))
    world.ex(f"set agentnotice={how}")
    world.agent("Bob", [ask(), ["say", "finished"]])
    world.start()
    world.to_file()
    world.ex("only")
    bells = world.editor.bells
    world.ex("ask go")
    world.see("Bob asks: Run (:allow / :deny)")
    assert world.editor.bells == bells + 1
    world.ex("allow")
    world.see("Bob is done")
    assert world.editor.bells == bells + (2 if how == "bell" else 1)
    assert told == ([(how, "Bob asks: Run"), (how, "Bob is done")] if how.startswith("osc") else [])


def test_s10_agent_in_sight_tells_nothing_unless_the_terminal_is_left(world: World) -> None:
    world.agent("Bob", [["say", "one"]], [["say", "two"]])
    world.start()
    bells = world.editor.bells
    world.say("go")
    world.see("one")
    world.idle()
    assert world.editor.bells == bells
    world.editor.run_hooks("focus-lost")
    world.say("go")
    world.see("two")
    world.idle()
    assert world.editor.bells == bells + 1
