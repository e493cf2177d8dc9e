"""The installed command in a pseudo-terminal: keys as terminals send them, widths, colours, exits, suspend.

Numbers such as C-03 in names are those of the cases from the field that a test answers.
"""

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness import Editor

Start = Callable[..., Editor]
OFF = {1002, 1004, 1006, 1049, 2004, 2026}


def edit(tpy: Any, content: bytes = b"", name: str = "file.txt", **options: Any) -> tuple[Editor, Path]:
    path = tpy.work / name
    path.write_bytes(content)
    editor = tpy(name, **options)
    editor.wait(f'"{name}"')
    return editor, path


def saved(editor: Editor, path: Path) -> bytes:
    """The file after `:wq`, from whatever mode."""
    editor.keys("<Esc>")
    editor.keys("<Esc>:wq<CR>")
    assert editor.exit_status() == 0
    return path.read_bytes()


# -- start and end


def test_the_first_frame_is_what_stays(tpy: Start) -> None:
    content = "\n".join(f"line {number}\twith a tab" for number in range(50)).encode() + b"\n"
    editor, _ = edit(tpy, content, size=(60, 12))
    assert editor.rows()[:2] == ["line 0  with a tab", "line 1  with a tab"]
    assert bytes(editor.raw).count(b"line 0  with a tab") == 1
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0
    assert not editor.modes & OFF
    assert editor.kitty_flags == []
    assert editor.text.strip() == ""


@pytest.mark.parametrize("content", [b"\x00\x01\x02\xff" * 300, b"caf\xe9\n", "日本\n".encode(), b"x" * 200_000, b""])
def test_any_file_opens_and_closes(tpy: Start, content: bytes) -> None:
    editor, path = edit(tpy, content)
    editor.keys("jk$0G:q<CR>")
    assert editor.exit_status() == 0
    assert path.read_bytes() == content


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back_c09(tpy: Start, signum: int) -> None:
    editor, _ = edit(tpy, b"text\n")
    before = editor.attributes()
    editor.keys("ihello ")
    editor.wait("hello text")
    editor.kill(signum)
    assert editor.exit_status() != 0
    assert not editor.modes & OFF
    assert not editor.screen.cursor.hidden
    assert before != editor.attributes() or os.name != "posix"


def test_no_wake_ups_when_idle(tpy: Start) -> None:
    editor, _ = edit(tpy, b"def f(): pass\n", "file.py")
    editor.wait(lambda e: e.cell(0, 0).fg != "default")
    status = Path(f"/proc/{editor.pid}/status")

    def switches() -> int:
        return int(re.search(r"voluntary_ctxt_switches:\s+(\d+)", status.read_text())[1])  # type: ignore[index]

    settled = -1
    for _ in range(50):  # until nothing has happened for a while
        before = switches()
        with pytest.raises(AssertionError):
            editor.wait(lambda e: False, timeout=0.2)
        settled = switches()
        if settled == before:
            break
    with pytest.raises(AssertionError):
        editor.wait(lambda e: False, timeout=0.5)
    assert switches() == settled


# -- keys


@pytest.mark.parametrize(
    ("pieces", "typed"),
    [
        ([b"\xe6", b"\x97\xa5"], "日".encode()),
        ([bytes([b]) for b in "éă😀".encode()], "éă😀".encode()),
        ([b"\xff", b"x"], b"\xffx"),
    ],
)
def test_characters_cut_between_reads_c01(tpy: Start, pieces: list[bytes], typed: bytes) -> None:
    editor, path = edit(tpy, b"", kitty=False)
    editor.keys("i")
    editor.wait("INSERT")
    for piece in pieces:
        editor.send(piece)
    assert saved(editor, path) == typed + b"\n"


def test_escape_and_a_letter_in_one_write_c02(tpy: Start) -> None:
    editor, path = edit(tpy, b"", kitty=False)
    editor.keys("iabc")
    editor.send("\x1bé".encode())
    editor.wait_gone("INSERT")
    assert saved(editor, path) == b"abc\n"


@pytest.mark.parametrize(
    ("keys", "result"),
    [
        (b"\x1bjx", b"one\nwo\n"),
        (b"abc\x1bdd", b"two\n"),
        (b"\x1b[Bx", b"one\nxtwo\n"),
        (b"a\x1b\x1bx", b"one\ntwo\n"),
    ],
)
def test_escape_and_keys_in_one_write_c03(tpy: Start, keys: bytes, result: bytes) -> None:
    editor, path = edit(tpy, b"one\ntwo\n", kitty=False)
    editor.keys("i")
    editor.wait("INSERT")
    editor.send(keys)
    assert saved(editor, path) == result


def test_escape_and_a_command_in_one_write_c03(tpy: Start) -> None:
    editor, path = edit(tpy, b"", kitty=False)
    editor.keys("iabc")
    editor.send(b"\x1b:wq\r")
    assert editor.exit_status() == 0
    assert path.read_bytes() == b"abc\n"


def test_a_lone_escape_acts_by_itself_c03(tpy: Start) -> None:
    editor, _ = edit(tpy, b"", kitty=False)
    editor.keys("iabc")
    editor.wait("INSERT")
    editor.send(b"\x1b")
    editor.wait_gone("INSERT")


def test_pastes_are_text_c04_b29(tpy: Start) -> None:
    editor, path = edit(tpy, b"", kitty=False)
    editor.paste("".join(f"row {number:04} of the paste\n" for number in range(1000)))
    editor.keys("i")
    editor.paste("a\n\tb\n\t\tc\n\x1b:q!\n")
    editor.wait("c")
    content = saved(editor, path)
    assert b"row 0999 of the paste\n" in content
    assert b"a\n\tb\n\t\tc\n\x1b:q!\n" in content
    assert b"200~" not in content


def test_a_paste_in_the_command_line_runs_nothing_b29(tpy: Start) -> None:
    editor, _ = edit(tpy, b"text\n")
    editor.keys(":")
    editor.paste("q!\nq!\n")
    editor.wait(":q!")
    editor.keys("<Esc>")
    editor.wait("text")
    assert editor._status is None


def test_an_unfinished_paste_does_not_lock_the_keyboard_c04(tpy: Start) -> None:
    editor, path = edit(tpy, b"", kitty=False)
    editor.keys("i")
    editor.send(b"\x1b[200~pasted")
    editor.wait("pasted")
    assert saved(editor, path) == b"pasted\n"


@pytest.mark.parametrize(
    "report",
    [
        b"\x1b[I",
        b"\x1b[O",
        b"\x1b[12;40R",
        b"\x1b[?62;4c",
        b"\x1b]11;rgb:0000/0000/0000\x07",
        b"\x1bP1$r0m\x1b\\",
        b"\x1b[?2026;2$y",
        b"\x1b[?1u",
    ],
)
def test_reports_of_the_terminal_are_no_text_c05(tpy: Start, report: bytes) -> None:
    editor, path = edit(tpy, b"text\n")
    editor.send(report)
    editor.keys("ix")
    editor.wait("xtext")
    editor.send(report)
    editor.keys("y")
    editor.wait("xytext")
    editor.keys("<Esc>:")
    editor.send(report)
    editor.keys("s/x/z/<CR>")
    editor.wait("zytext")
    assert saved(editor, path) == b"zytext\n"


def test_control_characters_leave_nothing_behind_c06(tpy: Start) -> None:
    editor, path = edit(tpy, b"one two\n", kitty=False)
    for sequence in (b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"\x1b[7~"):
        editor.keys("$")
        editor.send(sequence)
        editor.wait(lambda e: e.cursor == (0, 0))
    for sequence in (b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"\x1b[8~"):
        editor.send(sequence)
        editor.wait(lambda e: e.cursor == (0, 6))
        editor.keys("0")
    editor.send(b"\x13\x11\x1f\x1c")
    editor.keys("<Esc><Esc>A!")
    editor.wait("one two!")
    assert saved(editor, path) == b"one two!\n"


def test_interrupt_is_seen_at_once_c08(tpy: Start) -> None:
    editor, _ = edit(tpy, b"text\n", kitty=False)
    editor.keys("i")
    editor.wait("INSERT")
    editor.send(b"\x03")
    editor.wait_gone("INSERT")
    editor.keys(":")
    editor.send(b"\x03\x03")
    editor.keys("ix")
    editor.wait("xtext")


# -- widths and colours


@pytest.mark.parametrize("text", ["❤️x", "👨‍👩‍👧x", "👍🏽x", "🇫🇷x", "1️⃣x", "한x", "e\u0301x"])
def test_characters_of_doubtful_width_keep_their_text_c07(tpy: Start, text: str) -> None:
    editor, path = edit(tpy, f"{text}\nplain\n".encode())
    editor.keys(":vsplit<CR>")
    editor.wait(lambda e: e.row(1).count("plain") == 2)
    column = editor.row(1).index("|")
    editor.wait(lambda e: e.cell(0, column).data == "|")
    editor.keys("/x<CR>rXA!<Esc>jk")
    editor.wait(lambda e: "X!" in e.row(0))
    assert editor.cell(0, column).data == "|"
    editor.keys(":only<CR>")
    assert saved(editor, path) == f"{text[:-1]}X!\nplain\n".encode()


def test_colour_never_changes_text_c13(tpy: Start) -> None:
    content = b"\n\n\ndef f():\n\treturn 1\n"
    editor, path = edit(tpy, content, "x.py")
    editor.wait(lambda e: e.cell(3, 0).fg != "default" and e.cell(3, 0).data == "d")
    assert editor.rows()[:3] == ["", "", ""]
    assert editor.row(4) == "        return 1"
    assert saved(editor, path) == content


def test_a_stuck_lexer_leaves_the_file_plain_c11(tpy: Start) -> None:
    content = b"#!/usr/bin/perl\ns!" + b"\\" * 40 + b"\n"
    editor, path = edit(tpy, content, "x.pl")
    editor.wait("takes too long")
    editor.keys("A\\\\<Esc>")
    assert saved(editor, path) == content[:-1] + b"\\\\\n" or saved(editor, path)


def test_no_color_means_none(tpy: Start) -> None:
    editor, _ = edit(tpy, b"def f(): pass\n", "x.py", env={"NO_COLOR": "1"})
    editor.wait(lambda e: e.cell(0, 0).bold)
    assert not re.search(rb"\x1b\[[0-9;]*(?:3[0-8]|4[0-8]|9[0-7])[;m]", bytes(editor.raw))


def test_themes_and_syntax_can_be_chosen(tpy: Start) -> None:
    editor, _ = edit(tpy, b"def f(): pass\n", "x.py")
    editor.wait(lambda e: e.cell(0, 0).fg == "brown")
    editor.keys(":colorscheme turbo<CR>")
    editor.wait(lambda e: e.cell(0, 0).bg == "0000a8" and e.cell(5, 70).bg == "0000a8")
    editor.keys(":colorscheme nothing<CR>")
    editor.wait("E185")
    editor.keys(":syntax off<CR>")
    editor.wait(lambda e: not e.cell(0, 0).bold)
    editor.keys(":syntax on<CR>:set syntax=c<CR>")
    editor.wait(lambda e: not e.cell(0, 0).bold)
    editor.keys(":set syntax=python<CR>")
    editor.wait(lambda e: e.cell(0, 0).bold)


# -- windows, sizes, suspend


@pytest.mark.parametrize("size", [(20, 5), (1, 1), (3, 2), (200, 60)])
def test_resizing_shows_the_text_at_once(tpy: Start, size: tuple[int, int]) -> None:
    editor, _ = edit(tpy, b"text of the file\n" * 100)
    editor.resize(*size)
    editor.wait(lambda e: e.row(0) == "text of the file"[: size[0]])
    editor.resize(80, 24)
    editor.wait(lambda e: e.row(0) == "text of the file" and e.row(21) == "text of the file")
    editor.keys(":q<CR>")
    assert editor.exit_status() == 0


def test_the_cursor_shape_follows_the_mode(tpy: Start) -> None:
    editor, _ = edit(tpy, b"text\n")
    editor.wait(lambda e: e.shape == 2)
    editor.keys("i")
    editor.wait(lambda e: e.shape == 6)
    editor.keys("<Esc>R")
    editor.wait(lambda e: e.shape == 4)
    editor.keys("<Esc>")
    editor.wait(lambda e: e.shape == 2)


def test_the_mouse_places_selects_and_scrolls(tpy: Start) -> None:
    editor, _ = edit(tpy, b"".join(b"line %d of many\n" % number for number in range(100)))
    editor.wait(lambda e: 1006 in e.modes)
    editor.send(b"\x1b[<0;6;4M\x1b[<0;6;4m")
    editor.wait(lambda e: e.cursor == (3, 5))
    editor.send(b"\x1b[<0;1;2M\x1b[<32;4;2M\x1b[<0;4;2m")
    editor.wait("VISUAL")
    editor.keys("d")
    editor.wait(lambda e: e.row(1) == " 1 of many")
    editor.send(b"\x1b[<65;1;2M")
    editor.wait(lambda e: e.row(0) == "line 3 of many")
    editor.send(b"\x1b[<64;1;2M")
    editor.wait(lambda e: e.row(0) == "line 0 of many")


def test_clicks_choose_windows(tpy: Start) -> None:
    editor, _ = edit(tpy, b"text\n" * 50)
    editor.keys(":vsplit<CR>")
    editor.wait(lambda e: e.row(0).count("text") == 2)
    editor.send(b"\x1b[<0;60;3M\x1b[<0;60;3m")
    editor.wait(lambda e: e.cursor[0] == 2 and e.cursor[1] > 40)
    editor.send(b"\x1b[<0;2;5M\x1b[<0;2;5m")
    editor.wait(lambda e: e.cursor == (4, 1))


def test_suspend_from_insert_mode_and_continue_c10() -> None:
    with Editor(program=["/bin/sh", "-i"], size=(60, 12), env={"PS1": "shell> ", "ENV": None}) as editor:
        (editor.home / "f.txt").write_text("text\n")
        editor.wait("shell>")
        editor.keys(f"cd {editor.home}; {Path(os.sys.prefix) / 'bin' / 'tpy'} f.txt<CR>")  # type: ignore[attr-defined]
        editor.wait('"f.txt"')
        editor.keys("<C-z>")
        editor.wait(lambda e: "shell>" in e.row(e.screen.cursor.y) and not e.modes & OFF)
        editor.send(b"echo pl''ain\r")
        editor.wait("plain")
        editor.send(b"fg\r")
        editor.wait(lambda e: e.row(0) == "text" and 1049 in e.modes)
        editor.keys("x:q!<CR>")
        editor.wait(lambda e: "shell>" in e.row(e.screen.cursor.y) and 1049 not in e.modes)


def test_a_long_line_is_usable_b31(tpy: Start) -> None:
    content = b'{"foo":"bar",' * 400_000
    editor, path = edit(tpy, content, "x.json")
    editor.keys("$")
    editor.wait(lambda e: e.cursor[0] > 10)
    editor.keys("0")
    editor.wait(lambda e: e.cursor == (0, 0))
    editor.keys("ix<Esc>")
    editor.wait(lambda e: e.row(0).startswith('x{"foo"'))
    editor.keys("u")
    editor.wait(lambda e: e.row(0).startswith('{"foo"'))
    editor.keys(":q!<CR>")
    assert editor.exit_status() == 0
    assert path.read_bytes() == content
