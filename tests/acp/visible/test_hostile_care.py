"""Rows of the hostile agent that take time, a real terminal, or more than one look (CASES A, PROTOCOL §21)."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from agentworld import World
from harness import Editor


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    (made.project / "big.txt").write_text("x" * (1 << 20))
    yield made
    made.close()


def hostile(home: Path, *args: str) -> None:
    """Write an agents file with the hostile agent as Bob."""
    folder = home / ".config" / "turbo-python"
    folder.mkdir(parents=True)
    argv = json.dumps(["-P", "-m", "tpy.acp.agents.hostile", *args])
    (folder / "acp.toml").write_text(f'[[agent]]\nname = "Bob"\ncommand = "{sys.executable}"\nargs = {argv}\n')


def lives(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def said(world: World) -> str:
    """All that the agent said in its last message."""
    start = len(world.shown) - 1 - world.shown[::-1].index("Bob")
    return "\n".join(world.shown[start + 1 :])


def test_21_42_flood_arrives_whole(world: World) -> None:
    hostile(world.home)
    world.start()
    world.say("/flood 20000")
    world.wait_for("end")
    world.idle()
    assert said(world) == "".join(f"{number} " for number in range(20000)) + "\nend\n"


def test_21_3_a39_line_of_8_mib_is_read_and_kept_to_its_first_mib(world: World) -> None:
    hostile(world.home)
    world.start()
    world.say("/long-line 8")
    world.idle()
    assert max(map(len, world.shown)) <= 1 << 20
    assert "[7340037 bytes more were not kept: one entry holds at most 1 MiB]" in world.shown


def test_21_42_prompts_and_cancels_wait_for_an_agent_that_stopped_reading(world: World) -> None:
    hostile(world.home)
    talk = world.start()
    world.say("/stops-reading")
    world.until(lambda: talk.busy)
    slowest = 0.0
    world.say("and now behave")
    world.ex("cancel")
    while not world.shows("reading again"):
        began = time.monotonic()
        world.keys("<Esc>")
        world.loop.turn(0.02)
        slowest = max(slowest, time.monotonic() - began)
        assert talk.alive, world.describe()
    assert slowest < 1
    world.idle()
    assert "The turn ended: cancelled" in world.shown
    assert talk.queue.status() == "1 held"
    world.keys("<Esc>i<CR>")
    world.wait_for("I behave")


def test_21_38_a07_nothing_survives_closing_the_window(world: World) -> None:
    hostile(world.home)
    talk = world.start()
    world.say("/survivor")
    world.wait_for("grandchild")
    pids = [int(word) for word in said(world).replace(",", " ").split() if word.isdecimal()]
    world.ex("agentclose")
    world.until(lambda: talk.gone and not any(map(lives, pids)))
    assert len(pids) == 2
    assert world.agents.talks == []


def test_21_41_a18_slow_start_names_the_call_and_then_opens(world: World) -> None:
    hostile(world.home, "--start", "slow")
    world.ex("agent Bob")
    world.say("hello")
    world.wait_for("Waiting for the answer to initialize; :cancel or :agentclose gives up.")
    world.wait_for("I behave")
    assert not world.shows("Waiting for")


def test_21_29_a29_file_changed_behind_an_open_clean_buffer_is_reloaded(world: World) -> None:
    hostile(world.home)
    buffer = world.open("notes.txt", b"one\n")
    world.start()
    world.say("/behind")
    world.idle()
    world.until(lambda: buffer.lines == ["one", "written behind your back"])
    assert not buffer.modified


def test_21_40_slash_of_a_command_name_is_dropped(world: World) -> None:
    hostile(world.home)
    talk = world.start()
    world.say("/slash-names")
    world.idle()
    assert [command.name for command in talk.slash_commands()] == ["help", "memory show"]


def test_21_39_late_commands_are_taken_over(world: World) -> None:
    hostile(world.home, "--start", "late-commands")
    talk = world.start()
    assert talk.slash_commands() == []
    world.say("hello")
    world.idle()
    assert [command.name for command in talk.slash_commands()] == ["late"]


def test_21_37_old_models_and_modes_are_listed_and_set(world: World) -> None:
    hostile(world.home, "--start", "legacy-models")
    talk = world.start()
    world.ex("agentset model=m2")
    session = talk.session
    assert session is not None
    world.until(lambda: session.models is not None and session.models.current_model_id == "m2")
    world.ex("agentset mode=b")
    world.until(lambda: session.mode_id == "b")


def test_21_45_nothing_of_an_earlier_session_with_the_same_id_is_shown(world: World) -> None:
    hostile(world.home, "--start", "same-session")
    for prompt in ("first", "second"):
        world.start()
        world.say(prompt)
        world.wait_for("I behave")
        assert world.shown[:4] == ["You", prompt, "", "Bob"]
        assert len(world.shown) == 6
        world.ex("agentclose")
        world.until(lambda: not world.agents.talks)


def test_a25_question_takes_no_key_that_is_meant_for_text(world: World) -> None:
    hostile(world.home)
    buffer = world.open("notes.txt", b"one\n")
    talk = world.start()
    world.say("/asks-in-between")
    world.wait_for("asking soon")
    world.to_file()
    world.keys("iyes, ")
    world.until(lambda: talk.requests)
    world.keys("yes, 1 y<Esc>y")
    assert buffer.lines == ["yes, yes, 1 yone"]
    assert [request.item is not None for request in talk.requests] == [True]
    assert world.message == "Bob asks: Did you see me coming? (:allow / :deny)"
    world.ex("deny")
    world.wait_for('"optionId": "no"')


def test_a27_unsaved_text_is_read_whatever_is_on_disk(world: World) -> None:
    hostile(world.home)
    buffer = world.open("notes.txt", b"old\n")
    world.start()
    world.to_file()
    world.keys("ccnew<Esc>")
    world.ex("ask /stale")
    world.wait_for("after:")
    assert said(world) == 'before: {"content": "new\\n"}\nafter: {"content": "new\\n"}\n'
    assert (buffer.lines, buffer.modified) == (["new"], True)
    assert (world.project / "notes.txt").read_bytes() == b"nnn\n"


def test_a42_typing_goes_on_while_an_agent_writes_the_same_file(world: World) -> None:
    hostile(world.home)
    buffer = world.open("notes.txt", b"one\ntwo\n")
    talk = world.start()
    world.to_file()
    world.keys("jAa")
    talk.submit("/writes-in-between")
    world.wait_for("{}")
    world.keys("b<Esc>")
    assert buffer.lines == ["first", "one", "twoab"]
    for lines in (["first", "one", "twoa"], ["one", "twoa"], ["one", "two"]):
        world.keys("u")
        assert buffer.lines == lines


def test_a08_interrupt_key_is_the_editors(tmp_path: Path) -> None:
    hostile(tmp_path)
    with Editor(["notes.txt"], cwd=tmp_path, home=tmp_path, timeout=30) as editor:
        editor.wait("notes.txt")
        editor.keys(":agent Bob<CR>")
        editor.wait("Bob")
        editor.keys("<Esc>:ask /interrupts 3<CR>")
        editor.wait("counting")
        editor.keys(":wincmd t<CR>")
        for keys, shown in (("ihello", "hello"), (":foo", ":foo"), ("/foo", "/foo")):
            editor.keys(keys)
            editor.wait(shown)
            editor.keys("<C-c>")
        editor.wait("signals: 0")
        editor.keys(":qa!<CR>")
        assert editor.exit_status() == 0


def test_a09_agent_that_grabs_the_terminal_takes_no_key_and_no_mode(tmp_path: Path) -> None:
    hostile(tmp_path)
    with Editor(["notes.txt"], cwd=tmp_path, home=tmp_path, timeout=30) as editor:
        editor.wait("notes.txt")
        before = editor.attributes()
        editor.keys(":agent Bob<CR>")
        editor.wait("Bob")
        editor.keys("<Esc>:ask /terminal-grab<CR>")
        editor.wait("status ")
        assert editor.attributes() == before
        editor.keys(":wincmd t<CR>itext<Esc>:w<CR>")
        editor.wait(lambda _: (tmp_path / "notes.txt").exists() and (tmp_path / "notes.txt").read_text() == "text\n")
        editor.keys(":qa!<CR>")
        assert editor.exit_status() == 0


def test_21_42_keys_come_first_while_an_agent_floods(tmp_path: Path) -> None:
    hostile(tmp_path)
    with Editor(["notes.txt"], cwd=tmp_path, home=tmp_path, size=(100, 30), timeout=60) as editor:
        editor.wait("notes.txt")
        editor.keys(":agent Bob<CR>")
        editor.wait("Bob")
        editor.keys("<Esc>:ask /flood 100000<CR>")
        editor.wait("0 1 2 3")
        editor.keys(":wincmd t<CR>i")
        for word in ("alpha", "beta", "gamma"):
            began = time.monotonic()
            editor.keys(word)
            editor.wait(word, 5)
            assert time.monotonic() - began < 3
        editor.keys("<Esc>:qa!<CR>")
        assert editor.exit_status() == 0
