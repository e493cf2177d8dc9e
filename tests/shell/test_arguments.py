"""The editor's command line, read as Vim reads it (spec AGENTS §2; `:help starting`)."""

from __future__ import annotations

import pytest

from tpy.modal.arguments import HELP, VERSION, UsageError, help_text, read_arguments
from tpy.modal.cli import main
from tpy.modal.startup import Startup

CASES = {
    "": Startup(),
    "a b": Startup(files=("a", "b")),
    "+ a": Startup(files=("a",), commands=("$",)),
    "+12 a": Startup(files=("a",), commands=("12",)),
    "a +12": Startup(files=("a",), commands=("12",)),
    "+/x a": Startup(files=("a",), commands=("/x",)),
    "+1 -c two +3 a": Startup(files=("a",), commands=("1", "two", "3")),
    "-c two a": Startup(files=("a",), commands=("two",)),
    "-ctwo a": Startup(files=("a",), commands=("two",)),
    "--cmd one --cmd two": Startup(pre_commands=("one", "two")),
    "--cmd=one": Startup(pre_commands=("one",)),
    "-R a": Startup(files=("a",), readonly=True),
    "-Rd a b": Startup(files=("a", "b"), readonly=True, diff=True),
    "-o a b": Startup(files=("a", "b"), split="horizontal"),
    "-O a b": Startup(files=("a", "b"), split="vertical"),
    "-O2 a": Startup(files=("a",), split="vertical", split_count=2),
    "-p a b": Startup(files=("a", "b"), split="tabs"),
    "-p3R": Startup(split="tabs", split_count=3, readonly=True),
    "-d a b": Startup(files=("a", "b"), diff=True),
    "-q errors": Startup(quickfix_file="errors"),
    "-qerrors": Startup(quickfix_file="errors"),
    "-r": Startup(recover=True),
    "-r a": Startup(files=("a",), recover=True),
    "-u mine a": Startup(files=("a",), config_file="mine"),
    "-u NONE": Startup(config_file="NONE"),
    "--clean": Startup(clean=True),
    "-": Startup(stdin=True),
    "-R -": Startup(readonly=True, stdin=True),
    "-- -R +12 a": Startup(files=("-R", "+12", "a")),
    "./agents": Startup(files=("./agents",)),
    "-- agents": Startup(files=("agents",)),
}


@pytest.mark.parametrize(("line", "startup"), CASES.items(), ids=CASES.keys())
def test_command_line(line: str, startup: Startup) -> None:
    assert read_arguments(line.split()) == startup


def test_values_are_taken_whole() -> None:
    found = read_arguments(["-c", "normal a b", "+set ts=4", "my file", ""])
    assert found == Startup(files=("my file", ""), commands=("normal a b", "set ts=4"))


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("-z", 'unknown option: "-z" in "-z"'),
        ("-Rz", 'unknown option: "-z" in "-Rz"'),
        ("--nonsense", 'unknown option: "--nonsense"'),
        ("--clean=1", 'unknown option: "--clean=1"'),
        ("-c", '"-c" wants a CMD after it'),
        ("a --cmd", '"--cmd" wants a CMD after it'),
        ("-u", '"-u" wants a FILE after it'),
    ],
)
def test_what_cannot_be_read_is_named(line: str, problem: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_arguments(line.split())
    assert str(caught.value) == problem


@pytest.mark.parametrize(("word", "answer"), [("--help", HELP), ("-h", HELP), ("--version", VERSION)])
def test_help_and_version_win(word: str, answer: str) -> None:
    assert read_arguments(["a", word, "-z"]) == answer


def test_help_fits_a_terminal_of_80_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert all(len(line) < 80 for line in capsys.readouterr().out.splitlines())


def test_help_names_every_option_of_the_specification() -> None:
    text = help_text([("agents check", "try them")])
    words = "+LINE +CMD -c --cmd -R -o -O -p -d -q -r -u --clean --version --help - tpy agents check"
    for option in words.split():
        assert option in text
    assert max(map(len, text.splitlines())) < 100
