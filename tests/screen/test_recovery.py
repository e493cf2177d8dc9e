"""What is left when the editor is killed, and how it comes back (EDITOR.md "Recovery", CASES B-30)."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from harness import Editor
from starting import Start, ready

QUESTION = "(R)ecover, (O)pen, (D)iff, (F)orget?"


def journalled(tpy: Start, text: str) -> bool:
    """Whether a journal holds a text."""
    return any(text.encode() in path.read_bytes() for path in tpy.journals())


def killed(tpy: Start, *args: str, keys: str = "ounsaved text<Esc>", text: str = "unsaved text") -> None:
    """Type something, wait until the journal has it, and kill the editor."""
    editor = ready(tpy(*args))
    editor.keys(keys)
    editor.wait(lambda e: journalled(tpy, text), timeout=10)
    editor.kill(signal.SIGKILL)
    assert editor.exit_status() == -signal.SIGKILL


def leave(editor: Editor) -> None:
    editor.keys(":qa!<CR>")
    assert editor.exit_status() == 0


def test_b30_recover_and_write(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    assert file.read_text() == "one\n"
    editor = tpy("a.txt", "+2")
    editor.wait(QUESTION)
    assert editor.rows()[:2] == ["one", "~"]
    editor.keys("x")
    editor.keys("r")
    editor.wait("Recovered: look through the text and write it with :w")
    editor.wait(lambda e: e.rows()[:2] == ["one", "unsaved text"])
    editor.wait("2,1")  # the commands of the start come after the answer
    editor.keys("u")
    editor.wait(lambda e: e.row(1) == "~")
    editor.keys("<C-r>:w<CR>")
    editor.wait("written")
    leave(editor)
    assert file.read_text() == "one\nunsaved text\n"
    assert tpy.journals() == []
    editor = ready(tpy("a.txt"))
    assert QUESTION not in editor.text


def test_open_as_it_is_then_recover_by_option(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    editor = tpy("a.txt")
    editor.wait(QUESTION)
    editor.keys("o")
    editor.wait("The unsaved text is kept: `tpy -r a.txt` brings it back")
    assert editor.row(1) == "~"
    editor.keys(":recover<CR>")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved text"
    editor.kill(signal.SIGKILL)
    assert editor.exit_status() == -signal.SIGKILL
    editor = ready(tpy())
    editor.keys(":recover a.txt<CR>")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved text"
    editor.keys(":recover<CR>")
    editor.wait("E37: No write since last change")
    editor.keys(":recover!<CR>")
    editor.wait('E305: No unsaved text of "a.txt" was kept')
    editor.keys("u:w<CR>")
    editor.wait("written")
    leave(editor)
    tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    editor = tpy.shell("tpy -r", size=(300, 10))
    editor.wait(f"tpy -r {tpy.work / 'a.txt'}")
    assert editor.exit_status() == 0
    editor = tpy("-r", "a.txt")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved text"
    leave(editor)


def test_a_command_typed_over_the_question_is_typed_on(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    tpy.file("read.txt", "read\n")
    killed(tpy, "a.txt")
    editor = tpy("a.txt")
    editor.wait(QUESTION)
    editor.keys(":r read.txt<CR>")
    editor.wait(lambda e: e.rows()[:2] == ["one", "read"])
    editor.keys("u:recover!<CR>")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved text"
    leave(editor)


def test_difference_then_forget(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    editor = tpy("a.txt")
    editor.wait(QUESTION)
    editor.keys("d")
    editor.wait("+unsaved text")
    editor.wait(QUESTION)
    editor.keys("f")
    editor.wait(lambda e: QUESTION not in e.text)
    leave(editor)
    assert tpy.journals() == []


def test_recover_without_anything_says_so(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    editor = tpy("-r", "a.txt")
    editor.wait('E305: No unsaved text of "a.txt" was kept')
    editor = tpy.shell("tpy -r")
    editor.wait("being edited by process")
    editor = tpy.shell("HOME=/nonexistent tpy -r")
    assert editor.exit_status() == 0


def test_text_without_a_name_is_listed_and_comes_back(tpy: Start) -> None:
    killed(tpy, keys="inameless<Esc>", text="nameless")
    [journal] = tpy.journals()
    editor = tpy.shell("tpy -r", size=(300, 10))
    editor.wait(f"tpy -r {journal}  (a buffer without a name)")
    editor = tpy("-r", str(journal))
    editor.wait("Recovered")
    assert editor.row(0) == "nameless"
    editor.keys(":w found<CR>")
    editor.wait("written")
    leave(editor)
    assert tpy.journals() == []


def test_b30_without_unsaved_text_nothing_is_asked(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys("ix<Esc>")
    editor.wait(lambda e: journalled(tpy, "xone"))
    editor.keys(":w<CR>")
    editor.wait("written")
    editor.kill(signal.SIGKILL)
    editor.exit_status()
    editor = ready(tpy("a.txt"))
    assert editor.row(-1) == '"a.txt" 1L, 5B'
    leave(editor)
    assert file.read_text() == "xone\n"
    assert tpy.journals() == []


def test_b30_the_same_text_on_disk_is_no_loss(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    file.write_text("one\nunsaved text\n")
    editor = ready(tpy("a.txt"))
    assert QUESTION not in editor.text


def test_b30_a_newer_file_is_told(tpy: Start) -> None:
    file = tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    file.write_text("changed since\n")
    os.utime(file, (4e9, 4e9))
    editor = tpy("a.txt", size=(120, 10))
    editor.wait("(the file is newer)")
    editor.keys("r")
    editor.wait(lambda e: e.rows()[:2] == ["one", "unsaved text"])
    editor.keys("u")
    editor.wait("changed since")


def test_b30_a_second_editor_is_told(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    first = ready(tpy("a.txt"))
    second = tpy("a.txt")
    second.wait(f'W: "a.txt" is being edited by another tpy, process {first.pid}')
    first.keys("ifirst <Esc>:w<CR>")
    first.wait("written")
    second.keys("isecond <Esc>:w<CR>")
    second.wait("E13: The file has been changed since reading it")
    leave(first)


@pytest.mark.parametrize(
    "damage", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"\0random\xff" * 9]
)
def test_b30_damaged_journals_do_no_harm(tpy: Start, damage: object) -> None:
    tpy.file("a.txt", "one\n")
    killed(tpy, "a.txt")
    [journal] = tpy.journals()
    assert callable(damage)
    journal.write_bytes(damage(journal.read_bytes()))
    editor = tpy("a.txt")
    editor.wait(lambda e: QUESTION in e.text or "damaged" in e.text or '"a.txt" 1L' in e.text)
    assert editor.row(0) == "one"
    editor.keys("o:<Esc>")
    editor.keys(":qa!<CR>")
    assert editor.exit_status() == 0


def test_b30_through_a_link(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    (tpy.work / "link").symlink_to("a.txt")
    killed(tpy, "link")
    editor = tpy("a.txt")
    editor.wait(QUESTION)


def test_files_gone_to_later_are_asked_about(tpy: Start) -> None:
    tpy.file("a.txt", "one\n")
    tpy.file("b.txt", "bee\n")
    killed(tpy, "a.txt")
    editor = ready(tpy("b.txt"))
    editor.keys(":e a.txt<CR>")
    editor.wait(QUESTION)
    editor.keys("r")
    editor.wait("Recovered")
    assert editor.row(1) == "unsaved text"


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_signals_keep_the_text_and_say_how_it_comes_back(tpy: Start, signum: signal.Signals) -> None:
    file = tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.keys("ofresh text")  # in Insert mode, within the time a journal may lag behind
    editor.wait("fresh text")
    editor.kill(signum)
    assert editor.exit_status() == 1
    assert editor.rows()[:2] == [
        f"tpy: ended by {signum.name}",
        "tpy: unsaved text of a.txt is kept; `tpy -r a.txt` brings it back",
    ]
    assert file.read_text() == "one\n"
    editor = tpy("-r", "a.txt")
    editor.wait("Recovered")
    assert editor.row(1) == "fresh text"


def test_the_state_directory_cannot_be_used(tpy: Start) -> None:
    """Without a place for journals editing goes on, and one message says so."""
    (tpy.home / ".local").write_text("not a directory")
    tpy.file("a.txt", "one\n")
    editor = tpy("a.txt")
    editor.wait("no recovery journal")
    editor.keys("ix<Esc>:w<CR>")
    editor.wait("written")
    leave(editor)
    assert Path(tpy.work / "a.txt").read_text() == "xone\n"
