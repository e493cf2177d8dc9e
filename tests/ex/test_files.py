"""Reading, writing and leaving files (`:help editing.txt`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[[], Any]


def test_a_file_is_read_and_written(session: Make) -> None:
    s = session()
    s.write("f", "one\ntwo\n")
    assert s.ex("e f") == '"f" 2L, 8B'
    assert s.lines == ["one", "two"]
    s.type("x")
    assert s.editor.buffer.modified
    assert s.ex("w") == '"f" 2L, 7B written'
    assert s.read("f") == b"ne\ntwo\n"
    assert not s.editor.buffer.modified
    s.type("u")
    assert s.editor.buffer.modified


def test_a_new_file_appears_when_it_is_written(session: Make) -> None:
    s = session()
    assert s.ex("e new") == '"new" [New]'
    s.type("ihi<Esc>")
    assert s.ex("w!") == '"new" [New] 1L, 3B written'
    assert s.read("new") == b"hi\n"


@pytest.mark.parametrize(
    "data", [b"a\r\nb\r\n", b"a\nb", b"\xef\xbb\xbfa\n", b"x\x00y\xff\xfe\n", b"a\r\nb\nc\r\n", b""]
)
def test_bytes_survive_a_forced_write(session: Make, data: bytes) -> None:
    s = session()
    s.write("f", data)
    s.ex("e f")
    s.ex("set nofixeol")
    s.ex("w!")
    assert s.read("f") == data


@pytest.mark.parametrize(("option", "data"), [("nofixeol", b"\nb"), ("fixeol", b"\nb\n")])
def test_a_changed_file_gets_its_last_line_end_by_fixendofline(session: Make, option: str, data: bytes) -> None:
    s = session()
    s.write("f", b"a\nb")
    s.ex("e f")
    s.ex(f"set {option}")
    s.type("x")
    s.ex("w")
    assert s.read("f") == data


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("w other", "E13: File exists (add ! to override)"),
        ("1w", "E140: Use ! to write partial buffer"),
        ("e other", "E37: No write since last change (add ! to override)"),
        ("e", "E37: No write since last change (add ! to override)"),
        ("q", "E37: No write since last change (add ! to override)"),
        ("qa", "E37: No write since last change (add ! to override)"),
        ("close", "E444: Cannot close last window"),
        ("b 99", "E86: Buffer 99 does not exist"),
        ("b zz", "E94: No matching buffer for zz"),
        ("bm 1 2", "E488: Trailing characters: 2"),
        ("next", "E163: There is only one file to edit"),
        ("cn", "E42: No Errors"),
        ("so nothing", "E484: Can't open file nothing"),
        ("r nothing", "E484: Can't open file nothing"),
        ("cd nothing", 'E344: Can\'t find directory "nothing" in cdpath: No such file or directory'),
        ("foo", "E492: Not an editor command: foo"),
        ("set foo", "E518: Unknown option: foo"),
        ("set backup", "E519: Option not supported: backup"),
        ("set ts=0", "E487: Argument must be positive: ts=0"),
        ("set ts=x", "E521: Number required after =: ts=x"),
        ("set sel=x", "E474: Invalid argument: sel=x"),
        ("nunmap x", "E31: No such mapping"),
        ("delm", "E471: Argument required"),
        ("d!", "E477: No ! allowed"),
        ("2;5undo 1 2", "E488: Trailing characters: 2"),
        ("1quit!|x", ""),
    ],
)
def test_refusals_have_vims_words(session: Make, command: str, message: str) -> None:
    s = session()
    s.write("f", "one\ntwo\n")
    s.write("other", "kept\n")
    s.ex("e f")
    s.type("x")
    assert s.ex(command) == message or (not message and s.editor.quit_requested)
    assert s.read("other") == b"kept\n"


def test_a_file_changed_by_another_is_not_overwritten(session: Make) -> None:
    s = session()
    path = s.write("f", "one\n")
    s.ex("e f")
    s.type("x")
    path.write_bytes(b"theirs\n")
    assert s.ex("w").startswith("E13: The file has been changed since reading it")
    assert s.read("f") == b"theirs\n"
    assert s.editor.buffer.modified
    s.ex("w!")
    assert s.read("f") == b"ne\n"


def test_a_touch_is_no_change(session: Make) -> None:
    s = session()
    path = s.write("f", "one\n")
    s.ex("e f")
    s.type("x")
    os.utime(path, (1, 1))
    assert s.ex("w") == '"f" 1L, 3B written'


def test_checktime_reads_a_clean_buffer_again_as_one_undo_step(session: Make) -> None:
    s = session()
    path = s.write("f", "one\n")
    s.ex("e f")
    s.ex("set autoread")
    path.write_bytes(b"theirs\n")
    s.ex("checktime")
    assert s.lines == ["theirs"]
    assert not s.editor.buffer.modified
    s.type("u")
    assert s.lines == ["one"]


@pytest.mark.parametrize(("old", "new"), [(b"", b"\n"), (b"\n", b""), (b"", b"x"), (b"x\n", b"\n")])
def test_what_is_read_again_is_written_as_it_was(session: Make, old: bytes, new: bytes) -> None:
    s = session()
    path = s.write("f", old)
    s.ex("e f")
    s.ex("set autoread")
    path.write_bytes(new)
    s.ex("checktime")
    s.ex("w")
    assert path.read_bytes() == new
    s.ex("earlier 1f")
    s.ex("w")
    assert path.read_bytes().rstrip(b"\n") == old.rstrip(b"\n")


def test_checktime_only_tells_of_a_changed_buffer(session: Make) -> None:
    s = session()
    path = s.write("f", "one\n")
    s.ex("e f")
    s.type("x")
    path.write_bytes(b"theirs\n")
    assert s.ex("checktime") == 'W12: "f" changed on disk: :e! / :w! / :diffdisk'
    assert s.lines == ["ne"]


def test_edit_again_can_be_undone(session: Make) -> None:
    s = session()
    s.write("f", "one\n")
    s.ex("e f")
    s.type("x")
    s.ex("e!")
    assert s.lines == ["one"]
    s.type("u")
    assert s.lines == ["ne"]


def test_a_read_only_file_needs_force(session: Make) -> None:
    s = session()
    s.write("f", "one\n")
    s.ex("view f")
    s.type("x")
    assert s.ex("w") == "E45: 'readonly' option is set (add ! to override)"
    s.ex("w!")
    assert s.read("f") == b"ne\n"


def test_a_file_nobody_may_write_is_read_only_for_root_too(session: Make) -> None:
    s = session()
    path = s.write("f", "one\n")
    path.chmod(0o444)
    assert s.ex("e f") == '"f" [readonly] 1L, 4B'
    assert s.type("x") == "W10: Warning: Changing a readonly file"
    s.editor.message = None
    assert s.type("x") == ""
    assert s.ex("w") == "E45: 'readonly' option is set (add ! to override)"
    assert s.read("f") == b"one\n"
    assert s.ex("w!") == '"f" 1L, 2B written'
    assert s.read("f") == b"e\n"
    assert s.type("x") == '"f" 1L, 2B written'


def test_a_link_stays_a_link(session: Make) -> None:
    s = session()
    s.write("a", "one\n")
    os.symlink("a", s.folder / "b")
    s.ex("e b")
    s.type("x")
    s.ex("w")
    assert (s.folder / "b").is_symlink()
    assert s.read("a") == b"ne\n"


def test_save_as_goes_on_with_the_new_file(session: Make) -> None:
    s = session()
    s.write("f", "one\n")
    s.ex("e f")
    s.ex("sav g")
    assert s.editor.buffer.name == "g"
    assert s.read("g") == b"one\n"
    assert s.ex("sav f") == "E13: File exists (add ! to override)"


def test_appending_and_parts_and_reading(session: Make) -> None:
    s = session()
    s.write("f", "1\n2\n3\n")
    s.ex("e f")
    s.ex("2w g")
    s.ex("3w >> g")
    assert s.read("g") == b"2\n3\n"
    s.ex("0r g")
    assert s.lines == ["2", "3", "1", "2", "3"]


def test_a_missing_directory_keeps_the_buffer(session: Make) -> None:
    s = session()
    s.ex("e no/such/f")
    s.type("ihello<Esc>")
    assert "there is no directory" in s.ex("w")
    assert s.ex("wq").startswith("E212:")
    assert s.editor.buffer.modified
    assert not s.editor.quit_requested


def test_leaving(session: Make) -> None:
    s = session()
    s.write("f", "one\n")
    s.ex("e f")
    s.type("x")
    s.ex("x")
    assert s.editor.quit_requested
    assert s.read("f") == b"ne\n"
    s = session()
    s.ex("cq 3")
    assert (s.editor.quit_requested, s.editor.exit_status) == (True, 3)


def test_programs_take_and_give_lines(session: Make) -> None:
    s = session()
    s.type("ib<CR>a<Esc>")
    s.ex("%!sort")
    assert s.lines == ["a", "b"]
    s.ex("w !cat > out")
    assert s.read("out") == b"a\nb\n"
    s.ex("$r !echo c")
    assert s.lines[-1] == "c"
    assert s.ex("!false") == "shell returned 1"


def test_buffers_and_arguments(session: Make) -> None:
    s = session()
    for name in "abc":
        s.write(name, name + "\n")
    s.ex("set hidden")
    s.ex("args a b c")
    assert s.editor.buffer.name == "a"
    s.ex("n")
    assert s.editor.buffer.name == "b"
    assert s.ex("la|n") == "E165: Cannot go beyond last file"
    s.ex("argdo s/$/!/")
    assert [b.lines for b in s.editor.buffers.values()] == [["a!"], ["b!"], ["c!"]]
    s.ex("wa")
    assert s.read("b") == b"b!\n"
    s.ex("b a")
    assert s.editor.buffer.name == "a"
    s.ex("bd c")
    assert "c" not in s.ex("ls")
    s.ex("b#")
    assert s.editor.buffer.name == "c"


def test_quickfix_goes_to_matches(session: Make) -> None:
    s = session()
    s.write("a", "x\nfoo\n")
    s.write("b", "foo foo\n")
    s.ex("vimgrep /foo/g a b")
    assert (s.editor.buffer.name, s.editor.window.cursor) == ("a", (1, 0))
    s.ex("cn")
    s.ex("cn")
    assert (s.editor.buffer.name, s.editor.window.cursor) == ("b", (0, 4))
    assert s.ex("cn") == "E553: No more items"
    s.ex("copen")
    assert s.lines[0] == "a|2 col 1-4| foo"
    s.ex("cclose")
    s.ex("set hidden")
    s.ex("cfdo %s/foo/bar/g")
    s.ex("wa")
    assert (s.read("a"), s.read("b")) == (b"x\nbar\n", b"bar bar\n")
    assert s.ex("vimgrep /nothing/ a b") == "E480: No match: nothing"


def test_windows_and_tabs(session: Make) -> None:
    s = session()
    s.ex("sp")
    s.ex("vs")
    assert len(s.editor.windows()) == 3
    s.ex("windo let n = 1")
    s.ex("only")
    assert len(s.editor.windows()) == 1
    s.ex("tabnew")
    assert len(s.editor.tabs) == 2
    s.ex("tabc")
    assert s.ex("tabc") == "E784: Cannot close last tab page"


def test_scripts_tell_where_they_fail(session: Make) -> None:
    s = session()
    s.write(
        "rc",
        'set sw=3\nfoo\nlet mapleader = ","\nnmap <leader>x\n      \\ dd\nif 0\nfoo\nelse\nset ts=4\nendif\na\nx\n.\n',
    )
    assert s.ex("so rc") == "rc:2: E492: Not an editor command: foo"
    assert (s.editor.option("shiftwidth"), s.editor.option("tabstop")) == (3, 4)
    assert s.lines == ["x"]
    s.type(",x")
    assert s.lines == [""]


def test_events_run_commands(session: Make) -> None:
    s = session()
    s.write("f.py", "one\n")
    s.ex("au BufRead *.py set sw=2")
    s.ex("au BufWritePre *.py %s/$/!/")
    s.ex("e f.py")
    assert s.editor.option("shiftwidth") == 2
    s.ex("w")
    assert s.read("f.py") == b"one!\n"
    s.ex("au! BufWritePre")
    s.ex("w")
    assert s.read("f.py") == b"one!\n"
    assert s.ex("au Foo * d") == "E216: No such group or event: Foo"


def test_help_is_made_of_the_rows(session: Make) -> None:
    s = session()
    s.ex("h :w")
    assert s.lines[0] == ":[range]w[rite][!] [file]"
    s.ex("h 'ts'")
    assert s.lines[0] == "'tabstop', 'ts'"
    assert s.ex("h nothing-like-it") == "E149: Sorry, no help for nothing-like-it"
    s.ex("q")
    assert len(s.editor.windows()) == 1


def test_what_is_left_out_says_so_in_one_line(session: Make) -> None:
    s = session()
    message = s.ex("tag foo")
    assert message.startswith("E319: :tag is not in tpy")
    assert "\n" not in message


def test_completion_goes_through_names(session: Make) -> None:
    s = session()
    s.write("alpha one", "")
    s.write("alphabet", "")
    s.type(":e alp<Tab>")
    assert s.engine.prompt is not None
    assert s.engine.prompt.text == "e alpha\\ one"
    s.type("<Tab>")
    assert s.engine.prompt.text == "e alphabet"
    s.type("<Tab>")
    assert s.engine.prompt.text == "e alp"
    s.type("<C-u>se nonum<Tab>")
    assert s.engine.prompt.text == "se nonumber"


def test_a_million_lines_are_no_obstacle(session: Make) -> None:
    s = session()
    s.editor.buffer.lines[:] = [f"line {n} foo" for n in range(50_000)]
    s.ex("%s/foo/bar/")
    assert s.lines[123] == "line 123 bar"
    s.ex("g/5 bar/d")
    assert len(s.lines) == 45_000
    s.ex("g/./m0")
    assert s.lines[0] == "line 49999 bar"
    s.type("u")
    s.type("u")
    assert len(s.lines) == 50_000
    s.type("u")
    assert s.lines[5] == "line 5 foo"
