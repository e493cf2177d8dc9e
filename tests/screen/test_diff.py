"""`tpy -d` and `:diffdisk` in the real program."""

from __future__ import annotations

from starting import Start, ready


def test_two_files_are_shown_side_by_side_and_changes_are_copied(tpy: Start) -> None:
    lines = [f"line {n}" for n in range(40)]
    tpy.file("a", "\n".join(lines) + "\n")
    other = tpy.file("b", "\n".join([*lines[:3], *lines[5:30], "changed", *lines[31:]]) + "\n")
    editor = tpy("-d", "a", "b", size=(61, 24))
    editor.wait("+-- ")
    rows = editor.rows()
    assert rows[3] == "  line 3                      |  " + "-" * 28
    assert rows[5].split("|")[0].strip() == rows[5].split("|")[1].strip() == "line 5"
    assert rows[11].startswith("+ +-- 13 lines: line 11")
    editor.keys("]cdp]cdp<C-w>w:wq<CR>:q<CR>")
    assert editor.exit_status() == 0
    assert other.read_text().split("\n")[:-1] == lines


def test_the_buffer_is_shown_against_the_disk(tpy: Start) -> None:
    path = tpy.file("a", "one\ntwo\n")
    editor = ready(tpy("a"))
    editor.keys("omine<Esc>")
    editor.wait("mine")
    path.write_text("one\ntheirs\ntwo\n")
    editor.keys(":checktime<CR>")
    editor.wait(":e! / :w! / :diffdisk")
    editor.keys(":diffdisk<CR>")
    editor.wait("theirs")
    editor.keys(":%diffget<CR>:w!<CR>:qa<CR>")
    assert editor.exit_status() == 0
    assert path.read_text() == "one\ntheirs\ntwo\n"
