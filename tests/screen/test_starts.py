"""How `tpy` is started: its options, standard input and output, the environment."""

from __future__ import annotations

import os
import re
import signal
import sys
import termios

import pytest
from starting import Start, ready

from tpy.modal import stage0
from tpy.modal.ui.ttymode import TtyMode


def test_line_pattern_and_commands(tpy: Start) -> None:
    tpy.file("notes.txt", "".join(f"line {n}\n" for n in range(1, 101)))
    editor = ready(tpy("+57", "notes.txt"))
    editor.wait("57,1")
    editor = ready(tpy("+/line 8", "notes.txt"))
    editor.wait("8,1")
    editor = ready(tpy("+", "notes.txt"))
    editor.wait("100,1")
    editor = ready(tpy("--cmd", "set number", "-c", "2", "-c", "normal dd", "notes.txt"))
    editor.wait(lambda e: e.rows()[:3] == ["  1 line 1", "  2 line 3", "  3 line 4"])


def test_the_cursor_begins_on_what_is_no_blank(tpy: Start) -> None:
    file = tpy.file("a.txt", "\tone\n")
    editor = ready(tpy("a.txt"))
    editor.keys("ix<Esc>:wq<CR>")
    assert editor.exit_status() == 0
    assert file.read_text() == "\txone\n"


def test_commands_and_settings_in_vims_order(tpy: Start) -> None:
    tpy.file("a.txt", "a\n")
    rc = tpy.home / ".config" / "turbo-python"
    rc.mkdir(parents=True)
    (rc / "tpyrc").write_text("set number\nnosuchcommand\nset nowrap\n")
    editor = tpy("a.txt")
    editor.wait("tpyrc:2: E492")
    assert editor.row(0) == "  1 a"
    editor.keys(":<Esc>:set wrap?<CR>")
    editor.wait("nowrap")
    assert ready(tpy("-u", "NONE", "a.txt")).row(0) == "a"
    assert ready(tpy("--clean", "a.txt")).row(0) == "a"


def test_read_only(tpy: Start) -> None:
    file = tpy.file("a.txt", "abc\n")
    editor = ready(tpy("-R", "a.txt"))
    editor.keys("x:w<CR>")
    editor.wait("E45: 'readonly' option is set (add ! to override)")
    assert file.read_text() == "abc\n"
    editor.keys(":w!<CR>")
    editor.wait("written")
    assert file.read_text() == "bc\n"


@pytest.mark.parametrize("option", ["-o", "-O", "-p", "-d"])
def test_several_files(tpy: Start, option: str) -> None:
    tpy.file("one.txt", "first\n")
    tpy.file("two.txt", "second\n")
    editor = ready(tpy(option, "one.txt", "two.txt"))
    first, second = editor.find("first"), editor.find("second")
    assert first is not None
    if option == "-o":
        assert first[0] == 0
        assert second is not None
        assert second[0] > 1
    elif option == "-p":
        assert (first[0], second) == (1, None)
        assert "one.txt" in editor.row(0)
        assert "two.txt" in editor.row(0)
        editor.keys("gt")
        editor.wait(lambda e: e.find("second") == (1, 0))
    else:
        assert second is not None
        assert first[0] == second[0]
        assert second[1] > 35


def test_the_rest_of_the_files_are_arguments(tpy: Start) -> None:
    tpy.file("one.txt", "first\n")
    tpy.file("two.txt", "second\n")
    editor = ready(tpy("one.txt", "two.txt"))
    editor.keys(":q<CR>")
    editor.wait("E173: 1 more file to edit")
    editor.keys(":n<CR>")
    editor.wait("second")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


def test_quickfix_file(tpy: Start) -> None:
    tpy.file("a.txt", "one\ntwo\nthree\n")
    tpy.file("errors", "a.txt:3:2:here it is\n")
    editor = tpy("-q", "errors")
    editor.wait("three")
    editor.wait(lambda e: e.cursor == (2, 1))
    editor = tpy("-q", "none")
    editor.wait("none")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


@pytest.mark.parametrize(("keys", "status"), [(":q<CR>", 0), (":cq<CR>", 1), (":wq<CR>", 0), (":3cq<CR>", 3)])
def test_exit_status(tpy: Start, keys: str, status: int) -> None:
    tpy.file("a.txt", "a\n")
    editor = ready(tpy("a.txt"))
    editor.keys(keys)
    assert editor.exit_status() == status


def test_b25_as_the_editor_of_another_program(tpy: Start) -> None:
    """A caller that hands over a file: `:wq` gives 0 and the text, `:cq` gives 1, `:q` of a new one makes no file."""
    line = '"$EDITOR" message; echo "status $?"; cat message'
    editor = tpy.shell(f"EDITOR=tpy; {line}")
    ready(editor).keys("ihello<Esc>:wq<CR>")
    assert editor.exit_status() == 0
    assert "status 0\nhello" in editor.text
    editor = tpy.shell(f"EDITOR=tpy; {line}")
    ready(editor).keys("ccbye<Esc>:cq<CR>")
    editor.exit_status()
    assert "status 1\nhello" in editor.text
    editor = tpy.shell("EDITOR=tpy; $EDITOR fresh; echo status $?; ls fresh")
    ready(editor).keys(":q<CR>")
    editor.exit_status()
    assert "status 0" in editor.text
    assert not (tpy.work / "fresh").exists()


def test_standard_input_is_edited(tpy: Start) -> None:
    editor = tpy.shell("printf 'caf\\351\\nb' | tpy -")
    editor.wait("café")
    editor.keys(":q<CR>")
    editor.wait("E37")
    editor.keys("u:w out<CR>")
    editor.wait("written")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0
    assert (tpy.work / "out").read_bytes() == b"caf\xe9\nb\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("tpy -", "tpy: - edits what comes on standard input, and that is the terminal"),
        ("tpy a.txt >out", "tpy needs a terminal: its output is not one"),
        ("tpy +1 a.txt >out", "tpy needs a terminal: its output is not one"),
        ("setsid -w tpy a.txt </dev/null >out", "tpy needs a terminal: neither its input nor its output is one"),
        ("tpy --nonsense", 'tpy: unknown option: "--nonsense". See tpy --help'),
    ],
)
def test_no_terminal_is_told_at_once(tpy: Start, line: str, told: str) -> None:
    editor = tpy.shell(f"({line}) 2>told; echo status $?; cat told", size=(100, 10))
    editor.exit_status()
    assert editor.rows()[:2] == ["status 1", told]
    assert 1049 not in editor.modes


def test_keys_typed_before_the_first_frame_are_the_editors(tpy: Start) -> None:
    tpy.file("a.txt", "".join(f"line {n}\n" for n in range(2000)))
    # A file that is slow to come: the terminal is raw before it is looked at.
    editor = tpy("a.txt")
    editor.wait(lambda e: not e.attributes()[3] & termios.ICANON)
    editor.send(b"dw\x12u\x12A\x16065\x15gone\x17B\x1b")
    editor.wait(lambda e: e.row(0).endswith("B"))
    assert editor.row(0) == "0B"


def test_the_terminal_is_raw_before_the_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    did: list[str] = []

    class Tty(TtyMode):
        def open(self) -> int:
            return 1

        def make_raw(self) -> None:
            did.append("raw")

        def size(self) -> tuple[int, int]:
            return 80, 24

        def write(self, data: bytes) -> None:
            did.append("drawn")

    monkeypatch.setattr(stage0, "beginning", lambda name: did.append("read") or ["text"])
    stage0.first_frame(Tty(), "f")
    assert did == ["raw", "read", "raw", "drawn"]


HELD = """
import sys
class Gate:
    def find_spec(self, name, path=None, target=None):
        if name == "tpy.modal.app":
            open("gate").read()
sys.meta_path.insert(0, Gate())
sys.argv[0] = "tpy"
from tpy.modal import stage0
stage0.main()
"""


@pytest.mark.parametrize("options", [(), ("+2",), ("-R", "-c", "set number")])
def test_keys_typed_while_it_loads_are_neither_shown_nor_lost(tpy: Start, options: tuple[str, ...]) -> None:
    tpy.file("a.txt", "one\ntwo\n")
    os.mkfifo(tpy.work / "gate")
    editor = tpy("-c", HELD, *options, "a.txt", program=[sys.executable])
    editor.wait(lambda e: not e.attributes()[3] & termios.ECHO)
    editor.send(b"otyped early\x1b")
    with open(tpy.work / "gate", "w"):
        pass
    editor.wait("typed early")
    editor.wait(re.compile(r"\d,11"))
    assert editor.row(2 if options[:1] == ("+2",) else 1).endswith("typed early")
    assert b"otyped" not in editor.raw


@pytest.mark.parametrize("options", [(), ("+2",)])
def test_ended_while_it_loads_it_gives_the_terminal_back(tpy: Start, options: tuple[str, ...]) -> None:
    tpy.file("a.txt", "one\ntwo\n")
    os.mkfifo(tpy.work / "gate")
    editor = tpy("-c", HELD, *options, "a.txt", program=[sys.executable])
    editor.wait(lambda e: not e.attributes()[3] & termios.ECHO)
    editor.kill(signal.SIGTERM)
    editor.wait(lambda e: e.attributes()[3] & termios.ECHO)
    assert editor.exit_status() == 1
