"""Two files to one list: places, order, errors, origins (spec AGENTS §1, CASES D-03, D-04, D-07)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tpy.acp import config
from tpy.acp.agententry import BUILT_IN, fingerprint, origins, remarks


class Place:
    """A home and a project of one test."""

    def __init__(self, root: Path) -> None:
        self.home = root / "home"
        self.project = root / "project"
        self.environ = {"HOME": str(self.home), "PATH": "/usr/bin"}
        self.home.mkdir()
        self.project.mkdir()

    def write(self, *, user: str | None = None, project: str | None = None) -> None:
        for path, text in (
            (config.user_file(self.environ), user),
            (config.project_file(str(self.project)), project),
        ):
            if text is not None:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                Path(path).write_text(text)

    def load(self) -> config.Agents:
        return config.load(str(self.project), self.environ, [config.tutor_entry()])


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def agent(name: str, command: str) -> str:
    return f'[[agent]]\nname = "{name}"\ncommand = "{command}"\n'


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HOME": "/h"}, "/h/.config/turbo-python/acp.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/c"}, "/c/turbo-python/acp.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "relative"}, "/h/.config/turbo-python/acp.toml"),
        ({"HOME": "/h", "XDG_CONFIG_HOME": "/c", "TURBO_PYTHON_DIR": "/t"}, "/t/acp.toml"),
        ({"HOME": "/h", "TURBO_PYTHON_DIR": ""}, "/h/.config/turbo-python/acp.toml"),
    ],
)
def test_place_of_the_user_file(environ: dict[str, str], expected: str) -> None:
    assert config.user_file(environ) == expected


def test_no_file_is_no_error(place: Place) -> None:
    found = place.load()
    assert [entry.name for entry in found.entries] == ["Tutor"]
    assert found.errors == ()
    assert [file.found for file in found.files] == [False, False]
    assert found.entries[0].source == BUILT_IN


def test_project_replaces_whole_and_keeps_the_place(place: Place) -> None:
    place.write(
        user=agent("a", "a1") + agent("main", "good") + 'args = ["kept?"]\n' + agent("z", "z1"),
        project=agent("new", "n") + agent("main", "evil") + agent("last", "l"),
    )
    found = place.load()
    assert [e.name for e in found.entries] == ["a", "main", "z", "new", "last", "Tutor"]
    main = found.find("main")
    assert main is not None
    assert (main.command, main.args, main.project_file) == ("evil", (), True)
    assert main.source == config.project_file(str(place.project))
    assert origins(main) == {
        "name": main.source,
        "command": main.source,
        "args": "default: none",
        "env": "default: the editor's",
        "cwd": "default: the project",
    }


def test_d07_a_partial_entry_is_not_merged_into_the_trusted_one(place: Place) -> None:
    place.write(user=agent("main", "good"), project='[[agent]]\nname = "main"\nenv = {PATH = "./bin"}\n')
    found = place.load()
    assert found.errors == (f'reading {place.project}/.turbo-python/acp.toml: agent "main" has no command',)
    main = found.find("main")
    assert main is not None
    assert (main.command, main.env) == ("good", {})


def test_own_tutor_replaces_the_built_in_one(place: Place) -> None:
    place.write(user=agent("Tutor", "mine") + agent("b", "b"))
    assert [(e.name, e.command) for e in place.load().entries] == [("Tutor", "mine"), ("b", "b")]


def test_d04_a_broken_file_never_hides_the_other(place: Place) -> None:
    place.write(user=agent("a", "a") + "zzz = 1\n", project=agent("c", "c"))
    found = place.load()
    assert [e.name for e in found.entries] == ["c", "Tutor"]
    assert found.errors == ("reading ~/.config/turbo-python/acp.toml: agent.zzz is not a key this file has",)


@pytest.mark.parametrize("kind", ["directory", "fifo", "unreadable"])
def test_d09_a_file_that_cannot_be_read_is_said(place: Place, kind: str) -> None:
    path = Path(config.project_file(str(place.project)))
    path.parent.mkdir()
    if kind == "directory":
        path.mkdir()
        expected = "it is a directory"
    elif kind == "fifo":
        os.mkfifo(path)
        expected = "it is not an ordinary file"
    else:
        path.symlink_to(path)
        expected = "Too many levels of symbolic links"
    found = place.load()
    assert found.errors == (f"reading {path}: {expected}",)
    assert [file.found for file in found.files] == [False, True]


def test_d05_remarks_name_what_looks_unexpanded_and_no_value() -> None:
    text = (
        agent("one", "~/bin/agent")
        + 'args = ["--root", "$HOME/x", "${XDG:-y}", "100%", "a~b", "~/z", "cost $5"]\n'
        + 'cwd = "~/p"\nenv = {CFG = "~/c", P = "$PATH:/x", N = "fine", M = "a~b"}\ntimeout = 5\n'
    )
    (entry,) = config.parse(text.encode(), "f")
    said = remarks(entry)
    assert [line.split(" looks")[0] for line in said[:-1]] == [
        "args: item 2",
        "args: item 3",
        "args: item 6",
        "env: the value of CFG",
        "env: the value of P",
    ]
    assert said[-1] == "Turbo Python refuses a file with timeout: keys of this editor alone"
    assert "~/c" not in "".join(said)


BASE = agent("x", "c") + 'args = ["a"]\nenv = {K = "v"}\ncwd = "d"\n'
CHANGED = {
    "command": BASE.replace('"c"', '"d"'),
    "args": BASE.replace('"a"', '"b"'),
    "env": BASE.replace('"v"', '"w"'),
    "cwd": BASE.replace('"d"', '"e"'),
    "mcp": BASE + '[[agent.mcp]]\nname = "m"\ncommand = "m"\n',
}


@pytest.mark.parametrize("text", CHANGED.values(), ids=CHANGED.keys())
def test_fingerprint_changes_with_what_decides_the_program(text: str) -> None:
    before, after = (config.parse(t.encode(), "f")[0] for t in (BASE, text))
    assert fingerprint(before) != fingerprint(after)


@pytest.mark.parametrize("line", ["timeout = 5\n", 'roots = ["/x"]\n', 'defaults = {mode = "a"}\n', "# note\n"])
def test_fingerprint_stays_with_the_rest(line: str) -> None:
    before, after = (config.parse(t.encode(), "f")[0] for t in (BASE, BASE + line))
    assert fingerprint(before) == fingerprint(after)
