"""What options do that Vim's recorded text cannot tell: what is shown, told, kept and waited for."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tpy.modal.app import App
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys
from tpy.modal.ui import mouse
from tpy.modal.ui.keydecode import KeyDecoder, Mouse
from tpy.modal.ui.theme import ANSI, Style, Theme
from tpy.modal.ui.title import Title

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("option", "keys", "shown_row", "text"),
    [
        ("ruler", "l", -2, "1,2"),
        ("showcmd", '"a2', -1, '"a2'),
        ("showmode", "i", -1, "-- INSERT --"),
    ],
)
def test_the_last_rows_show(shown: Make, option: str, keys: str, shown_row: int, text: str) -> None:
    screen = shown("one", size=(60, 6))
    screen.keys(keys)
    assert text in screen.rows[shown_row]
    screen.set(**{option: False})
    assert text not in screen.rows[shown_row]


class Window:
    """A terminal's window, as far as its title goes."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.titled = False

    def set_title(self, title: str) -> None:
        """Show a title."""
        self.said.append(title)
        self.titled = True

    def give_title(self) -> None:
        """Show the first one again."""
        self.said.append("")
        self.titled = False


def test_the_terminals_window_has_a_title(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words are those of Vim 9.0, with our name."""
    monkeypatch.setenv("HOME", "/people")
    window = Window()
    title = Title(engine, window)
    for keys in (
        ":set title<CR>", "ix<Esc>", ":file /people/a/f.txt<CR>", ":set nomod<CR>", ":set ro<CR>", ":set noma<CR>", "l",
        ":set titlestring=%t\\ %l%=%%<CR>", ":set notitle<CR>", "h",
    ):  # fmt: skip
        for key in parse_keys(keys):
            engine.feed(key)
        title.show()
    named = [f"f.txt{sign} (~/a) - tpy" for sign in (" +", "", " =", " -")]
    assert window.said == ["[No Name] - tpy", "[No Name] + - tpy", *named, "f.txt 1 %", ""]
    engine.run_ex("set title")
    title.show()
    window.titled = False  # the terminal was given back and taken again
    title.show()
    assert window.said[-2:] == ["f.txt 1 %", "f.txt 1 %"]


def test_nomouse_leaves_clicks_to_the_terminal(shown: Make) -> None:
    screen = shown("one", "two", size=(40, 6))
    screen.set(mouse="")
    mouse.act(screen.engine, screen.renderer, Mouse("<LeftMouse>", 1, 1))
    assert screen.editor.window.cursor == (0, 0)
    screen.set(mouse="a")
    mouse.act(screen.engine, screen.renderer, Mouse("<LeftMouse>", 1, 1))
    assert screen.editor.window.cursor == (1, 1)


def test_the_app_tells_the_terminal_how_long_a_key_code_may_take(engine: Engine) -> None:
    decoder = KeyDecoder()
    app: Any = SimpleNamespace(terminal=SimpleNamespace(decoder=decoder))
    engine.editor.on("option-set", lambda name, value: App._option_set(app, name, value))
    engine.run_ex("set ttimeoutlen=70")
    assert decoder.ttimeout == 0.07


def test_incsearch_shows_the_match_while_it_is_typed(shown: Make) -> None:
    screen = shown(*(f"line {number}" for number in range(1, 50)), size=(40, 8))
    screen.keys("/line 40")
    assert "line 40" in screen.rows
    screen.keys("<Esc>")
    screen.set(incsearch=False)
    screen.keys("/line 40")
    assert "line 40" not in screen.rows


def test_hlsearch_marks_every_match(shown: Make) -> None:
    screen = shown("one two one", size=(40, 6))
    screen.keys("/one<CR>gg0w")
    screen.renderer.theme = Theme("test", {"editor.search": Style(attributes=frozenset({"reverse"}))}, ANSI)
    assert screen.draw().rows[0].ansi.count("\x1b[7m") == 2
    screen.set(hlsearch=False)
    assert screen.draw().rows[0].ansi.count("\x1b[7m") == 0


@pytest.mark.parametrize(
    ("options", "left"),
    [
        ({"sidescroll": 0}, 20),
        ({"sidescroll": 1}, 1),
        ({"sidescroll": 7}, 7),
        ({"sidescroll": 1, "sidescrolloff": 5}, 6),
    ],
)
def test_text_goes_sideways_by_steps(shown: Make, options: dict[str, int], left: int) -> None:
    """The cursor goes one column beyond a window of forty; without a step the column comes to its middle."""
    screen = shown("x" * 200, size=(40, 6))
    screen.set(wrap=False, **{"sidescrolloff": 0, **options})
    screen.keys("40l")
    assert screen.editor.window.left == left


def test_syntax_chooses_the_language(shown: Make) -> None:
    screen = shown("import os  # so", size=(40, 6))
    language = screen.renderer._language
    assert language(screen.editor.buffer) == ""
    screen.engine.run_ex("set syntax=python")
    assert language(screen.editor.buffer) == "python"
    screen.engine.run_ex("set syntax=")
    assert language(screen.editor.buffer) == ""


def test_statusline_names_the_filetype(shown: Make) -> None:
    screen = shown("one", size=(40, 6))
    screen.set(statusline="%f %y%Y", laststatus=2)
    assert "[python],PYTHON" not in screen.rows[-2]
    screen.set(filetype="python")
    assert "[python],PYTHON" in screen.rows[-2]


def test_history_keeps_so_many_lines(engine: Engine) -> None:
    engine.run_ex("set history=2")
    for key in parse_keys(":1<CR>:2<CR>:3<CR>"):
        engine.feed(key)
    assert engine.editor.histories[":"] == ["2", "3"]


@pytest.mark.parametrize(("report", "message"), [(2, "4 substitutions on 4 lines"), (4, None)])
def test_more_changed_lines_than_report_are_told(engine: Engine, report: int, message: str | None) -> None:
    engine.editor.buffer.lines[:] = ["a"] * 4
    engine.run_ex(f"set report={report}")
    engine.run_ex("%s/a/b/")
    told = engine.editor.message
    assert (told.text if told else None) == message


def test_a_half_typed_mapping_waits_as_long_as_timeoutlen(engine: Engine) -> None:
    now = [0.0]
    engine.editor.clock = lambda: now[0]
    engine.run_ex("map ab x")
    for option, due in (("timeoutlen=200", 0.2), ("timeoutlen=3000", 3.0), ("notimeout", None)):
        engine.run_ex(f"set {option}")
        engine.feed("a")
        assert engine.deadline() == due
        engine.feed("<Esc>")


@pytest.mark.parametrize(("isprint", "left"), [("@,161-255", "\x01b!"), ("1-255", "")])
def test_isprint_says_what_is_printable(engine: Engine, isprint: str, left: str) -> None:
    engine.editor.buffer.lines[:] = ["\x01b!"]
    engine.run_ex(f"set isprint={isprint}")
    engine.run_ex(r"s/^\p*//")
    assert engine.editor.buffer.lines == [left]


@pytest.mark.parametrize(("bound", "top"), [(True, 5), (False, 0)])
def test_scrollbind_scrolls_the_other_window_too(shown: Make, bound: bool, top: int) -> None:
    screen = shown(*(f"line {number}" for number in range(1, 50)), size=(80, 20))
    screen.keys(f":set {'' if bound else 'no'}scrollbind<CR><C-w>v5<C-e>")
    assert [window.top for window in screen.editor.layout.windows()] == [5, top]
