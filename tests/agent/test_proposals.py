"""AGENTS §8, §10: `e` and `d` in the block of a request: the proposal is edited and compared before it is allowed."""

from __future__ import annotations

from typing import Any

import pytest
from agentworld import World

OPTIONS = [
    {"optionId": "no", "name": "No", "kind": "reject_once"},
    {"optionId": "yes", "name": "Yes", "kind": "allow_once"},
]


def turn(world: World, old: str | None, new: str, *, write: str | None) -> list[Any]:
    """A turn that asks leave to change a.txt, and perhaps writes it."""
    path = str(world.project / "a.txt")
    change = {"type": "diff", "path": path, "oldText": old, "newText": new}
    call = {"toolCallId": "t1", "title": "Edit a.txt", "kind": "edit", "content": [change]}
    steps: list[Any] = [
        ["req", "session/request_permission", {"sessionId": "$SID", "toolCall": call, "options": OPTIONS}]
    ]
    if write is not None:
        steps.append(["req", "fs/write_text_file", {"sessionId": "$SID", "path": path, "content": write}])
    return [*steps, ["say", "finished"]]


def asked(world: World, old: str | None, new: str, *, write: str | None) -> None:
    world.agent("Bob", turn(world, old, new, write=write), [["say", "second"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    assert world.shows("e edits what is proposed, d compares it with what is there")
    world.keys("<Esc><Tab>]a")


@pytest.mark.parametrize(
    ("write", "written"),
    [("one\ntwo\n", "one\n2\n"), ("zero\none\ntwo\nthree\n", "zero\none\n2\nthree\n")],
    ids=["whole", "part"],
)
@pytest.mark.parametrize("keep", ["", ":wq<CR>"])
def test_s10_e_edits_the_proposal_before_it_is_allowed(world: World, write: str, written: str, keep: str) -> None:
    world.open("a.txt", b"zero\none\nthree\n")
    asked(world, "one\n", "one\ntwo\n", write=write)
    world.keys("e")
    assert world.editor.buffer.lines == ["one", "two"]
    world.keys(f"Gcc2<Esc>{keep}:allow<CR>")
    world.wait_for("finished")
    world.idle()
    assert (world.project / "a.txt").read_text() == written
    assert world.answers()[0]["outcome"] == {"outcome": "selected", "optionId": "yes"}
    assert world.editor.buffer_named("agent://Bob/proposal") is None
    world.ex("ask and now")
    world.wait_for("second")
    told, prompt = world.calls("session/prompt")[1]["prompt"]
    assert told["text"].startswith("I edited your proposal for a.txt before I allowed it; written was:\n```diff\n")
    assert "-two\n+2\n" in told["text"]
    assert prompt["text"] == "and now"


def test_s10_a_write_of_another_text_is_left_alone_and_told(world: World) -> None:
    asked(world, "", "one\n", write="other\n")
    world.keys("ecc1<Esc>:allow<CR>")
    world.wait_for("finished")
    assert (world.project / "a.txt").read_text() == "other\n"
    assert world.shows("Bob wrote another text to a.txt than it had proposed: your edit of the proposal was not used.")


def test_s10_an_edit_that_no_write_comes_for_is_told(world: World) -> None:
    asked(world, "", "one\n", write=None)
    world.keys("ecc1<Esc>:allow<CR>")
    world.wait_for("your edit of the proposal was not used")
    assert not world.talk.edits


def test_s10_a_proposal_left_as_it_was_changes_nothing(world: World) -> None:
    asked(world, "", "one\n", write="one\n")
    world.keys("e:allow<CR>")
    world.wait_for("finished")
    assert (world.project / "a.txt").read_text() == "one\n"
    assert not world.talk.notes


def test_s10_d_compares_it_with_what_is_there(world: World) -> None:
    asked(world, "one\nthree\n", "one\ntwo\nthree\n", write=None)
    world.keys("d")
    before, after = [w for w in world.editor.layout.windows() if world.editor.option("diff", w)]
    assert (before.buffer.lines, after.buffer.lines) == (["one", "three"], ["one", "two", "three"])
    assert world.editor.window is after
    world.ex("deny")
    world.wait_for("finished")
    assert not [w for w in world.editor.layout.windows() if world.editor.option("diff", w)]


@pytest.mark.parametrize("go", ["", "<C-w>h"], ids=["proposal", "before"])
@pytest.mark.parametrize("leave", [":q<CR>", ":close<CR>", "<C-w>c", "ZZ"])
def test_s10_one_command_leaves_the_comparison(world: World, go: str, leave: str) -> None:
    asked(world, "one\nthree\n", "one\ntwo\nthree\n", write="one\ntwo\nthree\n")
    before = world.editor.layout.windows()
    world.keys(f"dGcc3<Esc>{go}{leave}")
    assert world.editor.layout.windows() == before
    assert world.editor.buffer.name == "agent://Bob"
    world.keys("y")
    world.wait_for("finished")
    assert (world.project / "a.txt").read_text() == "one\ntwo\n3\n"


def test_s10_a_comparison_alone_on_the_tab_page_is_left_side_by_side(world: World) -> None:
    asked(world, "one\n", "two\n", write=None)
    world.keys("d")
    for window in world.editor.layout.windows():
        if not world.editor.option("diff", window):
            world.editor.layout.close(window)
    world.keys(":close<CR>")
    assert [window.buffer.name for window in world.editor.layout.windows()] == ["agent://Bob/proposal/before"]


def test_s10_e_and_d_need_a_text_and_stay_vims_keys_elsewhere(world: World) -> None:
    ask = {"toolCallId": "t1", "title": "Run", "kind": "execute"}
    step = ["req", "session/request_permission", {"sessionId": "$SID", "toolCall": ask, "options": OPTIONS}]
    world.agent("Bob", [step, ["say", "finished"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.keys("<Esc><Tab>]ae")
    assert world.message == "This request proposes no text to edit"
    world.keys("ggd")
    assert world.engine.normal.busy  # an operator that waits for its motion
