"""AGENTS §5: which words are mentions, which files are listed, how lists narrow."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.agent import mentions
from tpy.modal.agent.gitignore import Rules
from tpy.modal.agent.mentions import Piece, narrow, pieces, project_files
from tpy.modal.agent.picker import Offer, Picker, SlashCommand, command_choices, file_choices, offer_at


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("docs/README.md", "main.go", "my file.txt", "src/a.b", "src/a"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
    (tmp_path / "outside.txt").write_text("x\n")
    (root / "link.txt").symlink_to(tmp_path / "outside.txt")
    return root


def text(value: str) -> Piece:
    return Piece("text", value)


def file(name: str) -> Piece:
    return Piece("file", name)


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("explain @docs/README.md please", [text("explain "), file("docs/README.md"), text(" please")]),
        ("@main.go", [file("main.go")]),
        ("see @main.go, then", [text("see "), file("main.go"), text(", then")]),
        ("(@main.go)", [text("(@main.go)")]),
        ("@main.gopher", [text("@main.gopher")]),
        ("@src/a.b", [file("src/a.b")]),
        ("@src/a.", [file("src/a"), text(".")]),
        ("me@main.go", [text("me@main.go")]),
        ("@../outside.txt", [text("@../outside.txt")]),
        ("@/etc/passwd", [text("@/etc/passwd")]),
        ("@~/x", [text("@~/x")]),
        ("@link.txt", [text("@link.txt")]),
        ('@"my file.txt" now', [file("my file.txt"), text(" now")]),
        ("@docs/", [Piece("directory", "docs/")]),
        ("@docs", [text("@docs")]),
        ("@main.go @src/a", [file("main.go"), file("src/a")]),
        ("fix @:diff", [text("fix "), Piece("named", ":diff")]),
        ("@nothing here", [text("@nothing here")]),
        ("a\n@main.go\nb", [text("a\n"), file("main.go"), text("\nb")]),
    ],
)
def test_mentions_are_words_that_name_a_file_of_the_project(project: Path, typed: str, wanted: list[Piece]) -> None:
    assert pieces(typed, str(project)) == wanted


@given(st.text(alphabet='ab @"./:~\n', max_size=30))
def test_no_text_is_lost_by_finding_mentions(typed: str) -> None:
    assert "".join(piece.text for piece in pieces(typed, "/no/such/place")) == (typed if typed.strip() else "")


def test_files_leave_out_git_and_what_gitignore_excludes(project: Path) -> None:
    (project / ".git").mkdir()
    (project / ".git" / "config").write_text("")
    (project / "build").mkdir()
    (project / "build" / "out.o").write_text("")
    (project / ".gitignore").write_text("*.o\n/build/\n!keep.o\n")
    (project / "keep.o").write_text("")
    found = project_files(str(project))
    assert "main.go" in found
    assert "keep.o" in found
    assert not [name for name in found if name.startswith((".git/", "build/"))]
    assert "build/out.o" in project_files(str(project), "")


def test_walk_holds_a_bounded_number_of_files(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mentions, "MOST_FILES", 3)
    assert len(project_files(str(project))) == 3


@pytest.mark.parametrize(
    ("pattern", "path", "directory", "excluded"),
    [
        ("*.pyc", "a/b.pyc", False, True),
        ("/a", "a", False, True),
        ("/a", "b/a", False, None),
        ("doc/*.txt", "doc/a.txt", False, True),
        ("doc/*.txt", "doc/x/a.txt", False, None),
        ("**/foo", "x/y/foo", False, True),
        ("abc/**", "abc/x/y", False, True),
        ("a/**/b", "a/x/y/b", False, True),
        ("a/**/b", "a/b", False, True),
        ("build/", "build", True, True),
        ("build/", "build", False, None),
        ("# x", "# x", False, None),
        ("\\#x", "#x", False, True),
        ("[ab].c", "b.c", False, True),
        ("[!ab].c", "b.c", False, None),
        ("?.c", "ab.c", False, None),
    ],
)
def test_gitignore_patterns(pattern: str, path: str, directory: bool, excluded: bool | None) -> None:
    assert Rules(pattern).excludes(path, directory=directory) is excluded


def test_files_narrow_by_name_then_path_then_letters() -> None:
    files = ["zebra/main.py", "main/zoo.py", "m/a/i/n.txt", "Main.txt", "other"]
    assert narrow(files, "main") == ["zebra/main.py", "Main.txt", "main/zoo.py", "m/a/i/n.txt"]


def test_list_says_how_many_more_there_are() -> None:
    choices, last = file_choices([f"f{number}" for number in range(300)], "f")
    assert len(choices) == 200
    assert "100 more" in last


@pytest.mark.parametrize(
    ("line", "text", "col", "wanted"),
    [
        (0, "/he", 3, Offer("/", 0, "he")),
        (0, "/memory sh", 10, Offer("/", 0, "memory sh")),
        (1, "/he", 3, None),
        (0, " /he", 4, None),
        (0, "see @do", 7, Offer("@", 4, "do")),
        (0, "a@b", 3, None),
        (0, '@"my fi', 7, Offer("@", 0, "my fi")),
        (0, "@a b", 4, None),
        (1, "@", 1, Offer("@", 0, "")),
    ],
)
def test_which_list_fits_the_text_before_the_cursor(line: int, text: str, col: int, wanted: Offer | None) -> None:
    assert offer_at(line, text, col) == wanted


def test_commands_narrow_by_prefix_whatever_the_case() -> None:
    known = [SlashCommand("memory show", "Shows it", ""), SlashCommand("Model", "Chooses", "name")]
    assert [c.row for c in command_choices(known, "m")] == ["/memory show", "/Model <name>"]
    assert [c.text for c in command_choices(known, "MO")] == ["/Model "]
    assert [c.text for c in command_choices(known, "memory s")] == ["/memory show"]
    assert command_choices(known, "memory x") == []


def test_complete_word_with_an_unmoved_highlight_is_sent() -> None:
    choices = command_choices([SlashCommand("help", "", ""), SlashCommand("help me", "", "")], "help")
    picker = Picker(Offer("/", 0, "help"), choices)
    assert picker.complete
    picker.move(1)
    assert not picker.complete
    assert picker.current.name == "help me"
