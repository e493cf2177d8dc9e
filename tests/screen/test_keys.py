"""What the terminal sends, as the real editor takes it: CASES C-01 ... C-07, A-08 is in `test_agent_processes.py`."""

from __future__ import annotations

import pytest
from harness import Editor
from starting import Start, ready

REPORTS = [
    b"\x1b[I",
    b"\x1b[O",
    b"\x1b[12;40R",
    b"\x1b[?62;4c",
    b"\x1b]11;rgb:0000/0000/0000\x07",
    b"\x1b[M !!",
    b"\x1bP1$r0m\x1b\\",
    b"\x1b[?1u",
    b"\x1b[>41;354;0c",
    b"\x1b_Gi=1;OK\x1b\\",
]


@pytest.fixture
def editor(tpy: Start) -> Editor:
    """An editor without the kitty protocol, as most terminals are."""
    tpy.file("f", "")
    return ready(tpy("f", kitty=False))


def written(tpy: Start, editor: Editor) -> bytes:
    """What the file holds after `:w`."""
    editor.keys("<Esc>")
    editor.keys(":w<CR>")
    editor.wait("written")
    return (tpy.work / "f").read_bytes()


@pytest.mark.parametrize("char", ["日", "é", "ă", "😀"])
def test_c01_a_character_in_pieces(tpy: Start, editor: Editor, char: str) -> None:
    editor.keys("i")
    editor.wait("INSERT")
    for byte in char.encode():
        editor.send(bytes([byte]))
        editor.read_ready()
    editor.wait(char)
    assert written(tpy, editor) == char.encode() + b"\n"


@pytest.mark.parametrize("lone", [b"\xff", b"\xe9", b"\xc3"])
def test_c01_lone_bytes_run_no_command(tpy: Start, editor: Editor, lone: bytes) -> None:
    editor.keys("i")
    editor.wait("INSERT")
    editor.send(lone + b"x")
    editor.wait("x")
    assert written(tpy, editor) in (lone + b"x\n", b"x\n")


def test_c02_escape_and_a_letter_that_is_not_ascii(tpy: Start, editor: Editor) -> None:
    editor.keys("iab")
    editor.wait("ab")
    editor.send(b"\x1b\xc3\xa9")
    editor.wait(lambda e: "INSERT" not in e.text)
    editor.send(b":wq\r")
    assert editor.exit_status() == 0
    assert (tpy.work / "f").read_bytes() == b"ab\n"


@pytest.mark.parametrize(
    ("sent", "result"),
    [
        (b"ione\rtwo\x1bkix\x1bjiy", b"onxe\ntwyo\n"),
        (b"iabc\x1bdd", b""),
        (b"iabc\x1b\x1bx", b"ab\n"),
        (b"iabc\x1b[D\x1b[Dx", b"axbc\n"),
        (b"iabc\x1bOHx\x1b[Fy\x1b[1~z\x1b[4~w", b"zxabcyw\n"),
        (b"iabc\x1b[H\x1b[3~\x1b[8~\x7f", b"b\n"),
    ],
)
def test_c03_c06_keys_in_one_write(tpy: Start, editor: Editor, sent: bytes, result: bytes) -> None:
    editor.send(sent)
    assert written(tpy, editor) == result


def test_c03_write_and_leave_in_one_write(tpy: Start, editor: Editor) -> None:
    editor.send(b"iabc\x1b:wq\r")
    assert editor.exit_status() == 0
    assert (tpy.work / "f").read_bytes() == b"abc\n"


def test_c03_a_lone_escape_acts_by_itself(editor: Editor) -> None:
    editor.keys("iabc")
    editor.wait("INSERT")
    editor.send(b"\x1b")
    editor.wait(lambda e: "INSERT" not in e.text)
    assert editor.cursor == (0, 2)


@pytest.mark.parametrize("mode", ["", "i", ":", "/"])
def test_c05_reports_are_no_text(tpy: Start, editor: Editor, mode: str) -> None:
    editor.keys(f"iabc<Esc>0{mode}")
    editor.wait("abc")
    for report in REPORTS:
        editor.send(report)
    editor.send(b"\x1b[<64;10;5M\x1b[27;5;106~\x1b[106;5u" if not mode else b"\x1b[<64;10;5M")
    editor.keys("x")
    if mode in (":", "/"):
        editor.wait(lambda e: e.row(-1) == f"{mode}x")
        assert editor.row(0) == "abc"
    else:
        editor.wait(lambda e: e.row(0) == ("xabc" if mode else "bc"))


def test_c06_flow_control_keys_reach_the_editor(tpy: Start, editor: Editor) -> None:
    """`<C-s>` freezes nothing and `<C-q>` is `<C-v>`; a control character typed bare is inserted, as in Vim."""
    editor.keys("ia")
    editor.send(b"\x13")
    editor.send(b"b\x11\x11c")
    editor.wait("c")
    assert written(tpy, editor) in (b"a\x13b\x11c\n", b"ab\x11c\n")


def test_c06_enter_works_in_every_prompt(editor: Editor) -> None:
    editor.keys("ione<Esc>")
    editor.wait("one")
    editor.send(b":s/one/two/\r")
    editor.wait(lambda e: e.row(0) == "two")
    editor.send(b":s/two/three/\n")
    editor.wait(lambda e: e.row(0) == "three")


@pytest.mark.parametrize("line", ["❤️x", "👨‍👩‍👧x", "👍🏽x", "🇫🇷x", "1️⃣x", "한x", "e\u0301x"])
def test_c07_wide_and_joined_characters(tpy: Start, line: str) -> None:
    file = tpy.file("f", f"{line}\n")
    editor = ready(tpy("f"))
    editor.keys("$rX0A!<Esc>")
    editor.keys(":w<CR>")
    editor.wait("written")
    assert file.read_text() == f"{line[:-1]}X!\n"
    editor.keys("Go0123456789<Esc>k:vsplit<CR>j")
    editor.wait(lambda e: e.row(1).count("0123456789") == 2)
    assert [editor.cell(row, 40).data for row in range(3)] == ["|", "|", "|"]
    assert editor.cell(0, 41).data == editor.cell(0, 0).data


def test_kitty_keys_tell_escape_and_control_apart(tpy: Start) -> None:
    tpy.file("f", "one two\n")
    editor = ready(tpy("f"))
    assert editor.kitty_flags
    editor.keys("A!<Esc>0<C-a>x:w<CR>")
    editor.wait("written")
    assert (tpy.work / "f").read_text() == "ne two!\n"
    editor.keys(":q<CR>")
    editor.exit_status()
    assert editor.kitty_flags == []
