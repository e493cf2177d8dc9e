"""Themes: every shipped one is whole, colours come as near as the terminal allows, mistakes are named."""

from pathlib import Path

import pytest
import tomli

from tpy.modal.ui import theme
from tpy.modal.ui.theme import ANSI, INDEXED, PLAIN, TRUE, Style, Theme, ThemeError

SHIPPED = ["default", "light", "mono", "turbo"]


@pytest.mark.parametrize(
    ("environment", "depth"),
    [
        ({"TERM": "xterm-256color"}, INDEXED),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, TRUE),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, PLAIN),
        ({"TERM": "xterm", "NO_COLOR": ""}, ANSI),
        ({"TERM": "dumb"}, PLAIN),
        ({}, PLAIN),
        ({"TERM": "xterm-direct"}, TRUE),
    ],
)
def test_depth_follows_the_environment(environment: dict[str, str], depth: int) -> None:
    assert theme.color_depth(environment) == depth


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("depth", [PLAIN, ANSI, INDEXED, TRUE])
def test_shipped_themes_show_every_class_of_the_interface(name: str, depth: int) -> None:
    loaded = theme.load_theme(name, depth)
    for shown in ("editor.selection", "ui.statusline", "ui.menu.selected", "diagnostic.error"):
        sequence = loaded.sgr((shown,))
        if depth == PLAIN:
            assert set(sequence[2:-1].split(";")) <= {"", *map(str, theme.ATTRIBUTES.values())}
        else:
            assert sequence


def test_names_are_the_shipped_files_and_the_users(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TURBO_PYTHON_DIR", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert theme.theme_names() == SHIPPED
    own = Path(theme.user_directory())
    own.mkdir(parents=True)
    (own / "mine.toml").write_text('[styles]\n"text" = { fg = "red" }\n')
    assert "mine" in theme.theme_names()
    assert theme.load_theme("mine", ANSI).sgr(()) == "\x1b[31m"


@pytest.mark.parametrize(
    ("color", "depth", "code"),
    [
        ("red", TRUE, "31"),
        ("bright-red", ANSI, "91"),
        (208, INDEXED, "38;5;208"),
        (208, ANSI, "33"),
        ("#ff8700", TRUE, "38;2;255;135;0"),
        ("#ff8700", INDEXED, "38;5;208"),
        ("#fe0000", ANSI, "91"),
    ],
)
def test_colours_by_depth(color: object, depth: int, code: str) -> None:
    style = Style(theme.parse_color(color, {}))
    assert Theme("t", {"x": style}, depth).sgr(("x",)) == f"\x1b[{code}m"


def test_classes_fall_back_to_their_family_and_lie_over_each_other() -> None:
    styles = theme.parse_styles(
        tomli.loads('[styles]\n"syntax.keyword" = {fg = "red"}\n"editor.search" = {bg = "blue", bold = true}'), "t"
    )
    shown = Theme("t", styles, ANSI)
    assert shown.sgr(("syntax.keyword.import",)) == "\x1b[31m"
    assert shown.sgr(("syntax.keyword", "editor.search")) == "\x1b[1;31;44m"
    assert shown.sgr(("unknown",)) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "needs a table"),
        ('[styles]\n"a" = "red"', '"a" must be a table'),
        ('[styles]\n"a" = {fg = "rde"}', "'rde' is no colour"),
        ('[styles]\n"a" = {fg = 256}', "256 is no colour"),
        ('[styles]\n"a" = {colour = 1}', "unknown key 'colour'"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(ThemeError, match=message):
        theme.parse_styles(tomli.loads(text), "mine.toml")


@pytest.mark.parametrize("name", ["nothing", "../default", ""])
def test_no_such_theme(name: str) -> None:
    with pytest.raises(ThemeError, match="E185"):
        theme.load_theme(name, ANSI)
