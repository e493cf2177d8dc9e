"""The user's settings in the real program: `keymaps.toml` and `tpyrc`, and what is wrong with them."""

from __future__ import annotations

from starting import Start, ready


def settings(tpy: Start, name: str, text: str) -> None:
    """Write a file of the user's settings."""
    folder = tpy.home / ".config" / "turbo-python"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def test_keys_are_taken_from_the_users_file_and_tpyrc_goes_over_them(tpy: Start) -> None:
    settings(tpy, "keymaps.toml", '[keys]\n"<F5>" = "xx"\n"<F6>" = "x"\n[shorthands]\n"Z" = ["delete", "line-end"]\n')
    settings(tpy, "tpyrc", "map <F6> xxx\n")
    path = tpy.file("a.txt", "123456789\n")
    editor = ready(tpy("a.txt"))
    editor.keys("<F5><F6>llZ:wq<CR>")
    assert editor.exit_status() == 0
    assert path.read_text() == "67\n"


def test_a_bad_row_is_told_at_the_start_and_clean_reads_none(tpy: Start) -> None:
    settings(tpy, "keymaps.toml", '[motions]\n"Z" = "nowhere"\n[shorthands]\n"X" = ["delete", "line-end"]\n')
    path = tpy.file("a.txt", "123456789\n")
    editor = tpy("a.txt", size=(120, 10))
    editor.wait('keymaps.toml: [motions] "Z": there is no motion "nowhere"')
    editor.keys("<CR>llX:wq<CR>")
    assert editor.exit_status() == 0
    assert path.read_text() == "12\n"
    editor = ready(tpy("--clean", "a.txt"))
    assert "nowhere" not in editor.text
    editor.keys("lX:wq<CR>")
    assert editor.exit_status() == 0
    assert path.read_text() == "2\n"


def test_the_window_is_titled_while_the_program_runs(tpy: Start) -> None:
    settings(tpy, "tpyrc", "set title\n")
    tpy.file("a.txt", "one\n")
    editor = ready(tpy("a.txt"))
    editor.wait(lambda it: it.title.startswith("a.txt (") and it.title.endswith(") - tpy"))
    editor.keys("x")
    editor.wait(lambda it: it.title.startswith("a.txt + ("))
