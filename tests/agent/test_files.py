"""AGENTS §7, rows fs, saving, typed in between, outside the project. CASES A-26 … A-35, A-42."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from agentworld import World

from tpy.modal.agent.bridge.fileserver import part
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos


def read(path: object, **more: Any) -> list[Any]:
    return ["req", "fs/read_text_file", {"sessionId": "$SID", "path": str(path), **more}]


def write(path: object, content: str) -> list[Any]:
    return ["req", "fs/write_text_file", {"sessionId": "$SID", "path": str(path), "content": content}]


def run(world: World, *steps: list[Any]) -> list[Any]:
    """Have an agent take the steps in one turn, and return the answers it got."""
    world.agent("Bob", [*steps, ["say", "finished"]])
    world.start()
    world.say("go")
    world.wait_for("finished")
    world.idle()
    return world.answers()


@pytest.mark.parametrize(
    ("line", "limit", "wanted"),
    [
        (None, None, "one\ntwo\nthree\n"),
        (1, 2, "one\ntwo\n"),
        (3, 100, "three\n"),
        (4, 1, ""),
        (10, None, ""),
        (1, 0, ""),
        (0, 1, "one\n"),
        (2, None, "two\nthree\n"),
    ],
)
def test_a26_line_and_limit(line: int | None, limit: int | None, wanted: str) -> None:
    assert part("one\ntwo\nthree\n", line, limit) == wanted


def test_a26_a_last_line_without_an_end_keeps_having_none() -> None:
    assert part("a\nb", 2, 1) == "b"
    assert part("a\nb", None, None) == "a\nb"


def test_a26_null_is_absent_and_text_for_a_number_is_refused(world: World) -> None:
    path = world.project / "f"
    path.write_bytes(b"one\ntwo\n")
    got = run(world, read(path, line=None, limit=None), read(path, line="2", limit=1))
    assert got[0] == {"content": "one\ntwo\n"}
    assert got[1]["code"] == -32602


def test_a27_unsaved_text_is_what_the_agent_reads(world: World) -> None:
    buffer = world.open("a.txt", b"old\n")
    buffer.set_line(0, "new")
    assert run(world, read(world.project / "a.txt")) == [{"content": "new\n"}]
    assert (world.project / "a.txt").read_bytes() == b"old\n"
    assert buffer.modified


def test_a28_clean_buffer_that_has_gone_stale_is_read_from_disk_and_shown(world: World) -> None:
    buffer = world.open("a.txt", b"1111\n")
    (world.project / "a.txt").write_bytes(b"2222\n")
    assert run(world, read(world.project / "a.txt")) == [{"content": "2222\n"}]
    assert buffer.lines == ["2222"]
    assert not buffer.modified


def test_missing_file_is_told_in_the_words_agents_look_for(world: World) -> None:
    path = str(world.project / "nope")
    got = run(world, read(path))
    assert got == [{"code": -32002, "message": f"Resource not found: {path}", "data": {"uri": f"file://{path}"}}]


def test_directory_and_binary_are_errors_with_a_reason(world: World) -> None:
    (world.project / "bin").write_bytes(b"\x00\x01\xff")
    got = run(world, read(world.project), read(world.project / "bin"))
    assert [answer["code"] for answer in got] == [-32603, -32603]
    assert "directory" in got[0]["message"]
    assert "binary" in got[1]["message"]


@pytest.mark.parametrize("is_open", [True, False])
def test_a32_line_ends_of_the_file_are_kept(world: World, is_open: bool) -> None:
    path = world.project / "dos.txt"
    path.write_bytes(b"a\r\nb\r\n")
    if is_open:
        world.open("dos.txt")
    gate = world.root / "gate"
    world.agent("Bob", [read(path), write(path, "a\nB\n"), ["say", "one"], ["gate", str(gate)],
                        write(path, "a\r\nC\r\n"), ["say", "two"]])  # fmt: skip
    world.start()
    world.say("go")
    world.wait_for("one")
    assert path.read_bytes() == b"a\r\nB\r\n"
    gate.touch()
    world.wait_for("onetwo")
    assert path.read_bytes() == b"a\r\nC\r\n"
    assert world.answers()[0] == {"content": "a\nb\n"}


@pytest.mark.parametrize("is_open", [True, False])
def test_newline_at_the_end_is_exactly_what_was_sent(world: World, is_open: bool) -> None:
    path = world.project / "f.txt"
    path.write_bytes(b"a\n")
    if is_open:
        world.open("f.txt")
    assert run(world, write(path, "b")) == [{}]
    assert path.read_bytes() == b"b"


def test_a33_latin1_is_written_back_to_the_same_bytes(world: World) -> None:
    path = world.project / "l1.txt"
    path.write_bytes(b"caf\xe9\n")
    got = run(world, read(path), write(path, "caf\u00e9\n"), write(path, "\u20ac\n"))
    assert got[0] == {"content": "caf\u00e9\n"}
    assert got[1] == {}
    assert got[2]["code"] == -32603
    assert "20AC" in got[2]["message"]
    assert path.read_bytes() == b"caf\xe9\n"


def test_a31_success_is_told_only_after_it_and_failure_with_its_reason(world: World) -> None:
    (world.project / "dir").mkdir()
    deep = world.project / "new" / "deep" / "f.txt"
    got = run(world, write(world.project / "dir", "x"), write(deep, "made\n"))
    assert got[0]["code"] == -32603
    assert got[1] == {}
    assert deep.read_bytes() == b"made\n"


def test_a31_failed_save_takes_the_change_of_the_buffer_back(world: World) -> None:
    buffer = world.open("a.txt", b"one\n")
    buffer.options["readonly"] = True
    got = run(world, write(world.project / "a.txt", "two\n"))
    assert got[0]["code"] == -32603
    assert buffer.lines == ["one"]
    assert not buffer.modified
    assert (world.project / "a.txt").read_bytes() == b"one\n"


@pytest.mark.parametrize(
    ("policy", "unsaved", "on_disk", "modified"),
    [
        ("auto", False, b"agent\n", False),
        ("auto", True, b"disk\n", True),
        ("buffer", False, b"disk\n", True),
        ("save", False, b"agent\n", False),
    ],
)
def test_agentwrite_says_whether_a_buffer_is_saved(
    world: World, policy: str, unsaved: bool, on_disk: bytes, modified: bool
) -> None:
    world.editor.set_option("agentwrite", policy)
    buffer = world.open("a.txt", b"disk\n")
    if unsaved:
        buffer.set_line(0, "typed")
    run(world, read(world.project / "a.txt"), write(world.project / "a.txt", "agent\n"))
    assert buffer.lines == ["agent"]
    assert (world.project / "a.txt").read_bytes() == on_disk
    assert buffer.modified is modified


def type_in_between(world: World, buffer: Buffer, line: int, content: str) -> None:
    """Have an agent read a.txt and write it, with a line typed after it has read."""
    gate = world.root / "gate"
    path = world.project / "a.txt"
    world.agent("Bob", [read(path), ["say", "read"], ["gate", str(gate)], write(path, content), ["say", "x"]])
    world.start()
    world.say("go")
    world.wait_for("read")
    buffer.set_line(line, "typed")
    gate.touch()
    world.wait_for("readx")


def test_text_typed_in_between_is_merged(world: World) -> None:
    buffer = world.open("a.txt", b"a\nb\nc\nd\ne\n")
    type_in_between(world, buffer, 4, "A\nb\nc\nd\ne\n")
    assert buffer.lines == ["A", "b", "c", "d", "typed"]
    assert buffer.modified
    assert "merged" in world.message
    buffer.undo_once()
    assert buffer.lines == ["a", "b", "c", "d", "typed"]


def test_conflict_takes_the_agents_text_as_one_step_and_warns(world: World) -> None:
    buffer = world.open("a.txt", b"a\nb\n")
    type_in_between(world, buffer, 0, "agent\nb\n")
    assert buffer.lines == ["agent", "b"]
    assert "WARNING" in world.message
    buffer.undo_once()
    assert buffer.lines == ["typed", "b"]


def test_no_base_after_partial_reads_only(world: World) -> None:
    buffer = world.open("a.txt", b"a\nb\nc\nd\n")
    buffer.set_line(3, "typed")
    run(world, read(world.project / "a.txt", line=1, limit=1), write(world.project / "a.txt", "A\nb\nc\nd\n"))
    assert buffer.lines == ["A", "b", "c", "d"]
    assert "WARNING" in world.message


def test_a42_typing_and_the_agents_text_are_separate_steps(world: World) -> None:
    body = "".join(f"line {number}\n" for number in range(200))
    buffer = world.open("a.txt", body.encode())
    gate = world.root / "gate"
    world.agent("Bob", [["say", "ready"], ["gate", str(gate)],
                        write(world.project / "a.txt", "first\n" + body), ["say", "done"]])  # fmt: skip
    world.start()
    world.say("go")
    world.wait_for("ready")
    world.keys("<Esc>")
    window = world.editor.layout.windows()[0]
    world.editor.focus(window)
    window.cursor = Pos(99, 4)
    world.keys("ia")
    gate.touch()
    world.wait_for("readydone")
    assert world.engine.mode == "i"
    assert window.cursor == Pos(100, 5)
    world.keys("bc<Esc>")
    assert buffer.lines[0] == "first"
    assert buffer.lines[100] == "lineabc 99"
    world.keys("u")
    assert buffer.lines[100] == "linea 99"
    world.keys("u")
    assert buffer.lines[0] == "line 0"
    assert buffer.lines[99] == "linea 99"
    world.keys("u")
    assert buffer.lines == body.splitlines()


@pytest.mark.parametrize("name", ["out/f", "../other/f", "a/../../other/f", "l"])
def test_a34_all_ways_out_of_the_project_are_asked_about(world: World, name: str) -> None:
    other = world.root / "other"
    other.mkdir()
    (world.project / "out").symlink_to(other)
    (world.project / "a").mkdir()
    (world.project / "l").symlink_to(other / "g")
    world.agent("Bob", [write(f"{world.project}/{name}", "x\n"), ["say", "finished"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    assert "outside the project" in world.talk.requests[0].title
    world.ex("deny")
    world.wait_for("finished")
    assert world.answers()[0]["code"] == -32603
    assert world.answers()[0]["message"] == f"outside the project: {world.project}/{name}"
    assert os.listdir(other) == []


def test_a35_allowed_directory_is_asked_about_once(world: World) -> None:
    other = world.root / "other"
    other.mkdir()
    world.agent("Bob", [write(other / "one", "1\n"), write(other / "two", "2\n"), ["say", "finished"]])
    world.start()
    world.say("go")
    world.until(lambda: world.talk.requests)
    world.ex("allow")
    world.wait_for("finished")
    assert (other / "one").read_text() == "1\n"
    assert (other / "two").read_text() == "2\n"


def test_a34_link_inside_the_project_is_not_asked_about_and_stays_a_link(world: World) -> None:
    (world.project / "real.txt").write_text("a\n")
    (world.project / "link.txt").symlink_to("real.txt")
    assert run(world, write(world.project / "link.txt", "b\n")) == [{}]
    assert (world.project / "link.txt").is_symlink()
    assert (world.project / "real.txt").read_text() == "b\n"


def test_a35_relative_paths_are_the_sessions_and_tilde_is_refused(world: World) -> None:
    (world.project / "a.txt").write_text("here\n")
    got = run(world, read("a.txt"), read("~/x.txt"), write("~/x.txt", "x"))
    assert got[0] == {"content": "here\n"}
    assert [answer["code"] for answer in got[1:]] == [-32602, -32602]
    assert not (world.project / "~").exists()


def test_file_is_found_open_under_another_name(world: World) -> None:
    buffer = world.open("real.txt", b"a\n")
    (world.project / "hard.txt").hardlink_to(world.project / "real.txt")
    run(world, write(world.project / "hard.txt", "b\n"))
    assert buffer.lines == ["b"]


def test_file_that_is_gone_is_made_again(world: World) -> None:
    buffer = world.open("a.txt", b"one\n")
    (world.project / "a.txt").unlink()
    assert run(world, write(world.project / "a.txt", "two\n")) == [{}]
    assert (world.project / "a.txt").read_bytes() == b"two\n"
    assert buffer.lines == ["two"]
    assert not buffer.modified


def test_a03_agent_that_dies_without_reading_its_answer_harms_nobody(world: World) -> None:
    path = world.project / "big.txt"
    path.write_bytes(b"x" * 79 + b"\n" * 1 + b"line of text\n" * 400_000)
    send = ["send", "fs/read_text_file", {"sessionId": "$SID", "path": str(path)}]
    world.agent("Bob", [send, ["exit", 1]])
    world.start()
    world.say("go")
    world.wait_for("The agent stopped.")
    assert sum("The agent stopped." in line for line in world.shown) == 1
    assert json.dumps(world.shown)


def test_write_waits_while_a_command_asks_about_each_change(world: World) -> None:
    buffer = world.open("a.txt", b"a\na\n")
    gate = world.root / "gate"
    path = world.project / "a.txt"
    world.agent("Bob", [["say", "ready"], ["gate", str(gate)], ["send", *write(path, "agent\n")[1:]],
                        ["say", " sent"], ["wait"], ["say", " done"]])  # fmt: skip
    world.start()
    world.say("go")
    world.wait_for("ready")
    world.keys("<Esc>")
    world.editor.focus(world.editor.layout.windows()[0])
    world.ex("%s/a/b/c")
    assert world.engine.prompt is not None, world.message
    gate.touch()
    world.wait_for("ready sent")
    assert world.answers() == []
    assert buffer.lines == ["a", "a"]
    world.keys("yy")
    world.wait_for("ready sent done")
    assert world.answers() == [{}]
    assert buffer.lines == ["agent"]
