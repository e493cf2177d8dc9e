"""The user's `keymaps.toml`: what its rows do, and that a bad one drops no other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.engine.dispatch import Engine
from tpy.modal.userkeys import use


@pytest.fixture
def taken(tmp_path: Path, typist: Callable[..., Any]) -> Callable[..., tuple[Any, list[str]]]:
    """Make a typist on a text whose engine has taken the keys of a file; with it, what was wrong with the file."""

    def take(file: str, before: str = "¦one two\nthree") -> tuple[Any, list[str]]:
        path = tmp_path / "keymaps.toml"
        path.write_text(file, encoding="utf-8")
        typed = typist(before)
        return typed, [problem.replace(f"{path}: ", "") for problem in use(typed.engine, str(path))]

    return take


@pytest.mark.parametrize(
    ("file", "keys", "after"),
    [
        ('[motions]\n"ö" = "word-forward"', "dö", "¦two\nthree"),
        ('[motions]\n"<C-Right>" = "line-end"', "d<C-Right>", "¦\nthree"),
        ('[operators]\n"gz" = "uppercase"', "gzw", "¦ONE two\nthree"),
        ('[objects]\n"aq" = "inner-word"', "daq", "¦ two\nthree"),
        ('[shorthands]\n"Z" = ["delete", "word-forward"]', "Z", "¦two\nthree"),
        ('[shorthands]\n"Y" = ["yank", "line-end"]', "wYP", "one tw¦otwo\nthree"),
        ('[actions.normal]\n"é" = "undo"', "xé", "¦one two\nthree"),
        ('[actions.visual]\n"<F2>" = "leave"', "v<F2>x", "¦ne two\nthree"),
        ('[insert]\n"<C-s>" = "<Esc>x"', "aX<C-s>", "o¦ne two\nthree"),
        ('[cmdline]\n"<C-s>" = "s/o/X/<CR>"', ":<C-s>", "¦Xne two\nthree"),
        ('[keys]\n"<F5>" = "dw"', "<F5>", "¦two\nthree"),
        ('[keys]\n"Q" = { to = "x", modes = "n", remap = false }\n"x" = "dd"', "Q", "¦ne two\nthree"),
        ('[keys]\n"Q" = "x"\n"x" = "dd"', "Q", "¦three"),
        ('[shorthands]\n"x" = ""', "x", "¦one two\nthree"),
        ('[motions]\n"x" = "word-forward"', "dx", "¦two\nthree"),
        ('[motions]\n"x" = "word-forward"', "xD", "one¦ \nthree"),
        ('[actions.normal]\n"g" = "undo"', "xg", "¦one two\nthree"),
        ("", "x", "¦ne two\nthree"),
        ('\ufeff[keys]\n"Q" = "x"', "Q", "¦ne two\nthree"),
    ],
)
def test_rows_are_laid_over_the_built_in_ones(taken: Any, file: str, keys: str, after: str) -> None:
    typed, problems = taken(file)
    assert problems == []
    assert typed.type(keys).after == after


BAD = [
    ('[motions]\n"ö" = "word-forwrd"', '[motions] "ö": there is no motion "word-forwrd"; perhaps "word-forward"'),
    ('[motions]\n"<Foo>" = "left"', '[motions] "<Foo>": <Foo> is no key (write <lt> for a `<`)'),
    ('[motions]\n"" = "left"', '[motions] "": there is no key'),
    ('[motions]\n"ö" = 3', '[motions] "ö": the name of a motion is wanted'),
    ('[objects]\n"ö" = "left"', '[objects] "ö": there is no textobject "left"'),
    ('[shorthands]\n"ö" = "delete"', '[shorthands] "ö": the name of an operator and a motion is wanted'),
    ('[actions.normal]\n"ö" = "nothing"', '[actions.normal] "ö": there is no action "nothing"'),
    ('[motion]\n"ö" = "left"', '[motion] is not a table this file has; perhaps "motions"'),
    ('motions = "left"', "[motions] is to be a table"),
    ("keys = 1", "[keys] is to be a table"),
    ('[actions.norml]\n"ö" = "undo"', '[actions.norml] is not a table this file has; perhaps "actions.normal"'),
    ('[keys]\n"ö" = 3', '[keys] "ö": keys in quotes are wanted'),
    ('[keys]\n"ö" = { to = "x", mode = "n" }', '[keys] "ö": mode is not a key a row has (to, remap, modes)'),
    (
        '[keys]\n"ö" = { to = "x", modes = "q" }',
        '[keys] "ö": modes are letters of `nxsoic`, remap is true or false',
    ),
    ('[agent.prompt.normal]\n"ö" = "none"', '[agent.prompt.normal] "ö": there is no action "none"'),
    ('[agent.promt.normal]\n"ö" = "x"', "[agent.promt] is not a table this file has"),
]


@pytest.mark.parametrize(("file", "problem"), BAD, ids=lambda value: value.replace("\n", " ")[:40])
def test_a_bad_row_is_told_and_drops_no_other(taken: Any, file: str, problem: str) -> None:
    good = '\n[operators]\n"gz" = "uppercase"\n'
    typed, problems = taken(file + good)
    assert len(problems) == 1
    assert problems[0].startswith(problem)
    assert typed.type("gzw").after == "¦ONE two\nthree"


@pytest.mark.parametrize("file", ["[keys", 'a = "\\x"', '[keys]\n"x" = "a"\n"x" = "b"'])
def test_bad_toml_is_told_with_its_place(taken: Any, file: str) -> None:
    typed, problems = taken(file)
    assert len(problems) == 1
    assert "line" in problems[0] or "end of document" in problems[0]
    assert typed.type("x").after == "¦ne two\nthree"


def test_a_file_that_cannot_be_read_is_told(engine: Engine, tmp_path: Path) -> None:
    assert use(engine, str(tmp_path)) == [f"{tmp_path}: Is a directory"]
    (tmp_path / "a").write_bytes(b"\xff")
    assert use(engine, str(tmp_path / "a")) == [f"{tmp_path / 'a'}: it is not UTF-8"]


def test_map_shows_where_a_row_came_from(taken: Any) -> None:
    typed, _ = taken('[keys]\n"<F5>" = "dw"')
    typed.type(":map <lt>F5><CR>")
    shown = typed.editor.message.text
    assert shown.startswith("   <F5>          dw\n\tLast set from ")
    assert shown.endswith("keymaps.toml")


def test_agent_windows_have_the_rows_too(taken: Any) -> None:
    typed, problems = taken('[agent.prompt.normal]\n"ö" = "agent-send"\n[motions]\n"é" = "left"')
    assert problems == []
    tables = typed.editor.extra["key-tables"]
    assert tables["agent.toml"]["prompt"]["normal"]["ö"] == "agent-send"
    assert tables["agent.toml"]["prompt"]["normal"]["<CR>"] == "agent-send"
    assert tables["vim.toml"]["motions"]["é"] == "left"
