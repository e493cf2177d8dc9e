"""A frame that goes on from the ones before is the one that would be drawn from nothing, on the terminal as well."""

from __future__ import annotations

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st

from tpy.modal.assembly import make_engine
from tpy.modal.keymap import parse_keys
from tpy.modal.text.buffer import INTERNAL, Buffer
from tpy.modal.text.splice import Splice
from tpy.modal.ui.render import Hold, Renderer
from tpy.modal.ui.screen import Screen
from tpy.modal.view.layout import ROW
from tpy.modal.view.popup import Popup, PopupItem
from tpy.modal.view.window import Window

KEYS = (
    "ix<Esc>", "o漢字\twide<Esc>", "A word<Esc>", "Oe\u0301<Esc>", "dd", "yyp", "u", "j", "k", "G", "gg", "$", "<C-e>",
    "<C-d>", "zfj", "zo", "v", "V", "<Esc>", ">>", "xi", ":", ":split<CR>", ":vsplit<CR>", ":close<CR>", ":only<CR>",
    "<C-w>w", "<C-w>+", ":set number!<CR>", ":set wrap!<CR>", ":set list!<CR>", ":set cursorline!<CR>", ":tabnew<CR>",
    ":tabclose<CR>", "/o<CR>", ":nohlsearch<CR>", ":registers<CR>", ":no such command<CR>",
    ":set showbreak=>><CR>", ":set breakindent!<CR>", ":set cursorcolumn!<CR>",
)  # fmt: skip
STEPS = st.one_of(
    st.sampled_from(KEYS),
    st.sampled_from(["chunk", "popup", "no popup"]),
    st.tuples(st.integers(1, 60), st.integers(1, 14)),
)


class Plain:
    """A conversation's colours: none."""

    def spans(self, line: int) -> tuple[tuple[int, int, str], ...]:
        return ()


class Both:
    """One engine, a screen that goes on and a terminal that shows it."""

    def __init__(self) -> None:
        self.engine = make_engine()
        self.editor = self.engine.editor
        self.renderer = Renderer(self.engine)
        self.talk = Buffer(["said"])
        self.talk.extra["styles"] = Plain()
        self.editor.buffer.lines[:] = [f"line {number} of the text" for number in range(30)]
        self.editor.layout.split(self.editor.window, Window(self.talk), ROW, after=True)
        self.screen = Screen()
        self.resize(40, 10)

    def resize(self, columns: int, rows: int) -> None:
        self.size = columns, rows
        self.screen.resize(columns, rows)
        self.screen.forget()
        self.model = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.model)

    def step(self, step: str | tuple[int, int]) -> Hold:
        """Do something; which windows are left alone by the frame that follows."""
        if isinstance(step, tuple):
            self.resize(*step)
        elif step == "chunk":
            last = len(self.talk.lines) - 1
            self.talk.apply(Splice(last, (self.talk.lines[last],), (self.talk.lines[last] + " more", "ü")), INTERNAL)
            return Hold.THE_REST
        elif step == "popup":
            self.editor.extra["popup"] = Popup([PopupItem("one"), PopupItem("two")], 0, column=3)
        elif step == "no popup":
            self.editor.extra.pop("popup", None)
        else:
            for key in parse_keys(step):
                self.engine.feed(key)
        return Hold.NOTHING

    def check(self, hold: Hold) -> None:
        columns, rows = self.size
        frame = self.renderer.frame(columns, rows, hold=hold)
        self.stream.feed(self.screen.frame(frame.rows, frame.cursor))
        fresh = Renderer(self.engine)
        for name in ("_pager", "_shown_message", "_shown_mode", "_covered"):
            setattr(fresh, name, getattr(self.renderer, name))
        wanted = fresh.frame(columns, rows)
        assert [row.ansi for row in frame.rows] == [row.ansi for row in wanted.rows]
        assert frame.cursor == wanted.cursor
        screen, model = Screen(), pyte.Screen(columns, rows)
        screen.resize(columns, rows)
        pyte.Stream(model).feed(screen.frame(wanted.rows, wanted.cursor))
        assert self.model.display == model.display


@settings(deadline=None, max_examples=60)
@given(st.lists(STEPS, max_size=12))
def test_frames_go_on_from_each_other(steps: list[str | tuple[int, int]]) -> None:
    both = Both()
    both.check(Hold.NOTHING)
    for step in steps:
        both.check(both.step(step))
