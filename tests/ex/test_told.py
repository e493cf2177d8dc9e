"""Commands and keys whose work is a message, a hook or the end: what is told and what follows."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tpy.modal.ex.unsupported import _LEFT_OUT

Make = Callable[[], Any]

BUFFERS = '  2 %a + "f"                            line 2\n  3      "g"                            line 0'
MARKS = "mark line  col file/text\n a      2    0 tw words"
LONG_CHANGE = "change line  col text\n    1     2    0 " + "a^I" * 20 + "a\n>"
LONG_JUMP = " jump line  col file/text\n    1     1    0 " + "a^I" * 21 + "\n>"
FOUND = " 1 h:1 col 2-3: no\n 2 h:2 col 1-2: or"


@pytest.fixture
def s(session: Make) -> Any:
    """A file of three lines: a mark on its second one, where a character was put in register a and two deleted."""
    s = session()
    s.write("f", "one\ntwo words\nthree\n")
    s.write("g", "x\n")
    s.write("h", "no\nor\n")
    s.write("m", "h:2:1: a\tb\nc\td\nh:1: e\n")
    s.write("n", "c\td\n")
    s.ex("e f")
    s.type('2Gma"aylllx')
    return s


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        (["ascii"], "< >  32,  Hex 20,  Oct 040, Digr SP"),
        (["registers a -"], 'Type Name Content\n  c  "-   o\n  c  "a   t'),
        (["display a"], 'Type Name Content\n  c  "a   t'),
        (["marks a"], MARKS),
        ([r'2s/.*/\=repeat("a\t", 90)/', "changes"], LONG_CHANGE),
        (["1", "clearjumps", r's/.*/\=repeat("a\t", 90)/', "normal G", "jumps"], LONG_JUMP),
        (["jumps"], " jump line  col file/text\n    1     1    0 one\n>"),
        (["2", "clearjumps", "jumps"], " jump line  col file/text\n>"),
        (["changes"], "change line  col text\n    1     2    2 tw words\n>"),
        (["undolist"], "number changes  when               saved\n     1       1  0 seconds ago"),
        (["history :"], "      #  cmd history\n      1  e f\n>     2  history :"),
        (["badd g", "buffers"], BUFFERS),
        (["badd g", "files"], BUFFERS),
        (["badd g", "ls"], BUFFERS),
        (["2#"], "  2 tw words"),
        (["2number"], "  2 tw words"),
        (["2list"], "tw words$"),
        (["2Print"], "tw words"),
        (["1z2"], "one\ntw words"),
        (["2="], "2"),
        (["tabs"], "Tab page 1\n> + f"),
        (["args h g", "w", "args h g", "args"], "[h] g"),
        (["version"], "tpy 0.1.0"),
        (["echo 'a' 1 + 1"], "a 2"),
        (["echon 'a' 'b'"], "ab"),
        (["echomsg 'hey'", "echo", "messages"], '"f" 3L, 20B\nhey'),
        (["echoerr 'bad'"], "bad"),
        (["w", "vimgrep /o/ h", "clist"], FOUND),
        (["w", "lvimgrep /o/ h", "llist"], FOUND),
        ([r"vimgrep /no\nor/ h", "copen", "echo getline(1)"], "h|1-2 col 1-3| no"),
        (["cfile! m", "clist"], " 1 h:2 col 1: a       b\n 3 h:1: e"),
        (["cfile! n", "clist"], " 1: c       d"),
        (["filetype"], "filetype detection:ON  plugin:OFF  indent:OFF"),
        (["setfiletype python", "set ft?"], "  filetype=python"),
        (["set ft=c", "setfiletype python", "set ft?"], "  filetype=c"),
        (["w", "recover"], 'E305: No unsaved text of "f" was kept'),
        (["w", "recover g"], 'E305: No unsaved text of "g" was kept'),
        (["colorscheme none-such"], "E185: Cannot find color scheme 'none-such'"),
    ],
)
def test_it_is_told(s: Any, commands: list[str], message: str) -> None:
    """Numbers and columns are those of Vim 9.0, but for its buffer 1: the empty one is gone from the list here too."""
    s.editor.on("theme", _only_known_themes)
    for line in commands[:-1]:
        s.ex(line)
    assert s.ex(commands[-1]) == message


def _only_known_themes(name: str) -> None:
    raise KeyError(name)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("ga", "<t>  116,  Hex 74,  Octal 164"),
        ("vga", "<t>  116,  Hex 74,  Octal 164"),
        ("réga", "<é> 233, Hex 00e9, Oct 351, Digr e'"),
        ("r😀ga", "<😀> 128512, Hex 0001f600, Octal 373000"),
        ("r<C-v>u0085ga", "<<85>> 133, Hex 0085, Oct 205, Digr NL"),
        ("r<C-a>ga", "<^A>  1,  Hex 01,  Oct 001, Digr SH"),
        ("axx<C-v>u0301<Esc>ga", "<x>  120,  Hex 78,  Octal 170 < \u0301> 769, Hex 0301, Octal 1401"),
        ("g8", "74"),
        ("vg8", "74"),
        ("<C-g>", '"f" [Modified] 3 lines --66%--'),
    ],
)
def test_keys_tell(s: Any, keys: str, message: str) -> None:
    assert s.type("2G0" + keys) == message


@pytest.mark.parametrize(
    "keys",
    [
        "<Esc>",
        "<C-c>",
        "2<Esc>",
        '"a<Esc>',
        "2<C-c>",
        "2<C-\\><C-n>",
        "2<C-\\><C-g>",
        "d<Esc>",
        "d<C-c>",
        "d<C-\\><C-n>",
        "d<C-\\><C-g>",
    ],
)
def test_giving_up_is_no_error_and_forgets_the_count(s: Any, keys: str) -> None:
    bells = s.editor.bells
    s.type("1G0" + keys)
    assert s.editor.bells == bells
    s.type("x")
    assert s.lines[0] == "ne"


@pytest.mark.parametrize(
    ("keys", "tab"), [("<C-PageDown>", 2), ("<C-PageUp>", 0), ("v<C-PageDown>", 2), ("v<C-PageUp>", 0)]
)
def test_page_keys_go_through_the_tab_pages(s: Any, keys: str, tab: int) -> None:
    for command in ("tab split", "tab split", "tabnext 2"):
        s.ex(command)
    s.type(keys)
    assert s.editor.tab == tab


@pytest.mark.parametrize("command", ["cd", "chdir", "lcd", "lchdir", "tcd"])
def test_the_directory_is_changed(s: Any, command: str) -> None:
    (s.folder / "below").mkdir()
    s.ex(f"{command} below")
    assert s.ex("pwd") == str(Path(s.folder, "below").resolve())
    assert Path.cwd() == Path(s.folder, "below").resolve()


@pytest.mark.parametrize(
    ("keys", "hook"),
    [
        (":stop<CR>", "suspend"),
        (":suspend<CR>", "suspend"),
        ("<C-z>", "suspend"),
        ("v<C-z>", "suspend"),
        ("<C-l>", "clear-screen"),
        (":redraw!<CR>", "clear-screen"),
        (":mode<CR>", "clear-screen"),
        (":redraw<CR>", "redraw"),
        (":redrawstatus<CR>", "redraw"),
        (":redrawtabline<CR>", "redraw"),
        (":syntax on<CR>", "redraw"),
    ],
)
def test_the_screen_is_asked(s: Any, keys: str, hook: str) -> None:
    asked: list[str] = []
    s.editor.on(hook, lambda: asked.append(hook))
    s.type(keys)
    assert asked == [hook]


def test_f6_goes_to_the_next_window(s: Any) -> None:
    s.ex("split")
    upper = s.editor.window
    s.type("<F6>")
    assert s.editor.window is not upper
    s.type("<F6>")
    assert s.editor.window is upper


def test_recover_brings_back_what_was_kept(s: Any) -> None:
    kept: list[str] = []
    s.editor.extra["recover"] = lambda buffer: kept.append(buffer.name)
    s.ex("w")
    s.ex("recover g")
    assert kept == ["g"]
    assert s.lines == ["x"]


@pytest.mark.parametrize(("command", "off"), [("syntax off", True), ("syntax on", False)])
def test_colours_are_turned_off_and_on(s: Any, command: str, off: bool) -> None:
    s.editor.extra["syntax-off"] = not off
    s.ex(command)
    assert s.editor.extra["syntax-off"] is off


def test_matches_are_hidden_until_the_next_search(s: Any) -> None:
    s.ex("set hlsearch")
    s.type("/o<CR>")
    assert s.editor.search.shown
    s.ex("nohlsearch")
    assert not s.editor.search.shown
    s.type("n")
    assert s.editor.search.shown


@pytest.mark.parametrize("command", ["exit", "xit", "wq", "wqall", "xall", "quitall!", "qall!", "cquit"])
def test_the_editor_ends(s: Any, command: str) -> None:
    s.ex(command)
    assert s.editor.quit_requested
    saved = s.read("f") == b"one\ntw words\nthree\n"
    assert saved is (command[0] in "ewx")
    assert s.editor.exit_status == (1 if command == "cquit" else 0)


def test_exit_writes_only_what_was_changed(s: Any) -> None:
    s.ex("w")
    s.write("f", "of another\n")
    s.ex("exit")
    assert s.read("f") == b"of another\n"


LEFT_OUT = {
    notation.replace("[", "").replace("]", ""): instead for instead, names in _LEFT_OUT for notation in names.split()
}
NAMES = json.loads((Path(__file__).parent.parent / "oracle" / "names.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", LEFT_OUT)
def test_what_is_left_out_says_what_to_do_instead(s: Any, name: str) -> None:
    """Also with a range, a bang and an argument, and under the shortest name it has in Vim."""
    before = s.lines
    wanted = f"E319: :{name} is not in tpy: {LEFT_OUT[name]}"
    assert s.ex(name) == wanted
    assert s.ex(f"%{NAMES['commands'].get(name, name)}! some | thing") == wanted
    assert s.lines == before
