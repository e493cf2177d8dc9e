"""AGENTS §4: no typed text is ever lost: closed windows, another editor, an editor that was killed."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from agentworld import World

from tpy.acp.plainloop import PlainLoop
from tpy.modal.agent.drafts import Drafts, Keeper
from tpy.modal.editor import Editor


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path / "state" / "drafts")


def keeper() -> Keeper:
    return Keeper(PlainLoop(), Editor(), lambda: "")


def killed(place: str, project: str = "/p", *, agent: str, text: str, more: str = "") -> None:
    """An editor that keeps a draft, perhaps that of a second session, and is gone without a word."""
    pid = os.fork()
    if not pid:
        drafts = Drafts(place, project)
        for each in filter(None, (text, more)):
            drafts.open(agent)[0].keep(each)
        os._exit(0)
    os.waitpid(pid, 0)


def test_a_draft_of_a_killed_editor_is_taken_over_once(place: str) -> None:
    killed(place, agent="Bob", text="half a\nthought \udce9")
    draft, text = Drafts(place, "/p").open("Bob")
    assert text == "half a\nthought \udce9"
    assert os.listdir(place) == [os.path.basename(draft.path)]
    assert os.stat(draft.path).st_mode & 0o777 == 0o600


def test_drafts_of_others_are_left_alone(place: str) -> None:
    killed(place, agent="Bob", text="for Bob")
    killed(place, "/elsewhere", agent="Alice", text="of another project")
    mine = Drafts(place, "/p")
    assert mine.open("Alice")[1] == ""
    running = keeper()
    running.draft, _ = mine.open("Carol")
    running.draft.keep("being typed")
    assert mine.open("Carol")[1] == ""
    mine.close("Carol", running)
    assert mine.open("Carol")[1] == "being typed"


def test_several_are_joined_and_empty_ones_leave_no_file(place: str) -> None:
    killed(place, agent="Bob", text="one", more="two")
    draft, text = Drafts(place, "/p").open("Bob")
    assert sorted(text.split("\n\n")) == ["one", "two"]
    draft.keep("")
    assert os.listdir(place) == []


def test_damaged_files_are_no_drafts(place: str) -> None:
    killed(place, agent="Bob", text="x")
    [name] = os.listdir(place)
    Path(place, name).write_bytes(b'{"half')
    assert Drafts(place, "/p").open("Bob")[1] == ""


def test_without_agenthistory_nothing_is_written_and_a_closed_window_loses_nothing(place: str) -> None:
    drafts = Drafts(place, "/p")
    left = keeper()
    left.draft, _ = drafts.open("Bob")
    left.draft.keep("secret", on_disk=False)
    assert not os.path.exists(place)
    drafts.close("Bob", left)
    assert drafts.open("Bob")[1] == "secret"


def kept(world: World) -> list[str]:
    place = Path(world.environ["HOME"], ".local", "state", "turbo-python", "drafts")
    return [path.read_text() for path in place.glob("*.json")]


def test_s4_what_is_typed_is_kept_in_a_moment_and_gone_when_sent(world: World) -> None:
    world.agent("Bob", [["say", "ok"]])
    world.start()
    world.keys("half a thought")
    world.until(lambda: kept(world) == ['"half a thought"'])
    world.keys("<CR>")
    world.wait_for("ok")
    world.until(lambda: kept(world) == [])


def test_s4_prompts_that_wait_are_kept_with_the_draft(world: World) -> None:
    world.agent("Bob", [["say", "working"], ["cancelled"], ["end", "cancelled"]])
    world.start()
    world.say("first")
    world.wait_for("working")
    world.keys("second<CR>and a draft")
    world.until(lambda: kept(world) == ['"second\\n\\nand a draft"'])
    world.agents.stop_all()
    assert kept(world) == ['"second\\n\\nand a draft"']


def test_noagenthistory_keeps_no_draft_on_disk() -> None:
    editor = Editor()
    kept: list[tuple[str, bool]] = []
    keeper = Keeper(PlainLoop(), editor, lambda: "typed")
    draft: Any = SimpleNamespace(keep=lambda text, on_disk: kept.append((text, on_disk)))
    keeper.draft = draft
    keeper.now()
    editor.set_option("agenthistory", False)
    keeper.now()
    assert kept == [("typed", True), ("typed", False)]
