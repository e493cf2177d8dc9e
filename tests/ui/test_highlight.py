"""Colours follow edits exactly, stay out of the way, and never touch the text."""

import random
import signal
import time
from typing import Any

import pytest

from tpy.modal.text.buffer import Buffer
from tpy.modal.ui import highlight, languages
from tpy.modal.ui.highlight import Colouring, Colours, View
from tpy.modal.ui.recorder import recording
from tpy.modal.ui.tokens import line_spans, shifted

PYTHON = '''import os
# a comment
class Thing(Base):
    """Documentation
    over lines."""

    @property
    def value(self):
        return f"{self.x!r} and {os.sep}" + 'it\\'s' + r"\\d"

def other(a, b=None):
    x = """open
still open
""" + str(1.5e3)
    return [i for i in range(10) if i not in (1, 2)]
'''
C = """#include <stdio.h>
/* a comment
   over lines */
#define MAX(a, b) \\
    ((a) > (b) ? (a) : (b))
static int main(int argc, char **argv) {
    const char *s = "text \\n";
    if (argc > 1) { return 'x'; } // end
#if 0
    nothing here
#endif
    return 0;
}
"""
SAMPLES = {
    "python": PYTHON * 6,
    "c": C * 6,
    "bash": 'if [ "$x" = "y" ]; then\n  echo "a $(ls)" <<EOF\ntext $x\nEOF\nfi # done\n' * 12,
    "toml": '[a.b]\nx = """\nmany\nlines"""\ny = [1, "two"] # c\n' * 12,
    "markdown": "# Head\n\nText *em* `code`\n\n```python\nx = 1\n```\n\n- item\n" * 8,
    "javascript": "/* c */ function f(a) {\n  return `t ${a + 1} x`; // y\n}\nvar r = /a[b]/g;\n" * 12,
    "lua": "--[[ long\ncomment ]]\nlocal x = [[long\nstring]]\nfunction f() return nil end\n" * 12,
}


def whole(language: str, lines: list[str]) -> list[Any]:
    tokens = languages.lexer_class(language)().get_tokens_unprocessed("\n".join(lines) + "\n")
    return line_spans(tokens, len(lines))


def colour_all(colouring: Colouring, buffer: Buffer) -> list[Any]:
    while colouring.pending(0, len(buffer.lines) - 1):
        colouring.work(0, len(buffer.lines) - 1, 0.0)
    return [colouring.spans(line) for line in range(len(buffer.lines))]


@pytest.mark.parametrize("language", SAMPLES)
def test_colours_after_any_edits_are_those_of_the_whole_text(language: str) -> None:
    source = random.Random(language)
    buffer = Buffer(SAMPLES[language].split("\n"))
    colouring = Colouring(buffer, languages.lexer_class(language))
    buffer.listeners.append(lambda _, splice, origin: colouring.changed(splice))
    assert colour_all(colouring, buffer) == whole(language, buffer.lines)
    for _ in range(60):
        line = source.randrange(len(buffer.lines))
        text = buffer.lines[line]
        at = source.randrange(len(text) + 1)
        kind = source.randrange(6)
        if kind == 0:
            buffer.replace(line, line + 1, [text[:at], text[at:]])
        elif kind == 1 and line + 1 < len(buffer.lines):
            buffer.replace(line, line + 2, [text + buffer.lines[line + 1]])
        elif kind == 2 and len(buffer.lines) > 3:
            buffer.replace(line, min(line + source.randrange(1, 4), len(buffer.lines) - 1), [])
        else:
            buffer.set_line(
                line, text[:at] + source.choice(['"', "'", '"""', "#", "/*", "*/", "(", "x", "\\"]) + text[at:]
            )
        if source.random() < 0.6:
            assert colour_all(colouring, buffer) == whole(language, buffer.lines)
    assert colour_all(colouring, buffer) == whole(language, buffer.lines)


def test_an_edit_lexes_a_few_lines_only(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = Buffer((PYTHON * 100).split("\n"))
    colouring = Colouring(buffer, languages.lexer_class("python"))
    buffer.listeners.append(lambda _, splice, origin: colouring.changed(splice))
    colour_all(colouring, buffer)
    finished: list[int] = []
    assert colouring._head is not None
    finish = colouring._head._finish

    def counted(line: int, *rest: Any) -> bool:
        finished.append(line)
        return finish(line, *rest)

    monkeypatch.setattr(colouring._head, "_finish", counted)
    buffer.set_line(700, buffer.lines[700] + " + 1")
    colour_all(colouring, buffer)
    assert 0 < len(finished) < 25


def test_old_colours_are_shown_until_the_new_are_there() -> None:
    buffer = Buffer(["x = 'text' # note"])
    colouring = Colouring(buffer, languages.lexer_class("python"))
    buffer.listeners.append(lambda _, splice, origin: colouring.changed(splice))
    colour_all(colouring, buffer)
    buffer.set_line(0, "xyz = 'text' # note")
    assert (6, 12, "syntax.string") in colouring.spans(0)
    assert (13, 19, "syntax.comment") in colouring.spans(0)


@pytest.mark.parametrize(
    ("spans", "old", "new", "moved"),
    [
        (((0, 3, "k"), (4, 7, "s")), "def abc", "def xabc", ((0, 3, "k"), (4, 8, "s"))),
        (((0, 3, "k"),), "def abc", "deef abc", ((0, 4, "k"),)),
        (((4, 7, "s"),), "def abc", "def a", ((4, 5, "s"),)),
        (((4, 7, "s"),), "def abc", "", ()),
        ((), "a", "b", ()),
    ],
)
def test_colours_beside_a_change_stay_in_place(spans: Any, old: str, new: str, moved: Any) -> None:
    assert shifted(spans, old, new) == moved


def far_below(text: str) -> tuple[Buffer, Colouring, int]:
    """A buffer coloured at its end only."""
    buffer = Buffer(text.split("\n"))
    colouring = Colouring(buffer, languages.lexer_class("python"))
    buffer.listeners.append(lambda _, splice, origin: colouring.changed(splice))
    top = len(buffer.lines) - 40
    while colouring.pending(top, top + 39):
        colouring.work(top, top + 39, 0.0)
    return buffer, colouring, top


def test_far_below_only_what_is_near_is_lexed() -> None:
    buffer, colouring, top = far_below(PYTHON * 300)
    assert colouring._head is not None
    assert colouring._local is not None
    assert colouring._head.end == 0
    assert colouring._local.base == top - highlight.ABOVE
    expected = whole("python", buffer.lines)
    assert [colouring.spans(line) for line in range(top, top + 39)] == expected[top : top + 39]
    buffer.insert(0, ["new first line"])
    buffer.set_line(top + 5, "x = 'changed'")
    while colouring.pending(top, top + 39):
        colouring.work(top, top + 39, 0.0)
    assert (4, 13, "syntax.string") in colouring.spans(top + 5)
    assert colouring._head.end == 0


def test_quiet_times_join_what_was_lexed_apart() -> None:
    buffer, colouring, top = far_below(PYTHON * 300)
    while colouring.unsettled():
        assert not colouring.settle(top, top + 39, 0.0)
    assert colouring._local is None
    assert not colouring.pending(top, top + 39)
    expected = whole("python", buffer.lines)
    assert [colouring.spans(line) for line in range(top + 39)] == expected[: top + 39]


def test_quiet_times_find_out_what_began_far_above() -> None:
    _, colouring, top = far_below('x = """\n' + "def f(): pass\n" * 2000)
    assert colouring.spans(top) == ((0, 3, "syntax.keyword"), (4, 5, "syntax.function"), (9, 13, "syntax.keyword"))
    while colouring.unsettled():
        colouring.settle(top, top + 39, 0.0)
    while colouring.pending(top, top + 39):
        colouring.work(top, top + 39, 0.0)
    assert colouring.spans(top) == ((0, 13, "syntax.string"),)


def test_work_keeps_to_the_deadline() -> None:
    buffer = Buffer((PYTHON * 300).split("\n"))
    now = iter(float(n) for n in range(10**6))
    colouring = Colouring(buffer, languages.lexer_class("python"), lambda: next(now))
    assert colouring._head is not None
    for _ in range(2000):
        colouring.work(0, 3000, 0.0)  # each call is over its time at the first look at the clock
        if colouring._head.valid:
            break
    assert 0 < colouring._head.valid < 200


@pytest.mark.perf
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.pl", "#!/usr/bin/perl\ns!" + "\\" * 40),
        ("x.rell", '"' + "\\" * 40),
        ("x.smithy", '"""' + "\\" * 40),
    ],
)
def test_a_stuck_lexer_is_stopped(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setattr(highlight, "STUCK", 0.05)
    before = signal.getsignal(signal.SIGVTALRM)
    buffer = Buffer(text.split("\n"), name=name)
    notes: list[str] = []
    colours = Colours(lambda b: languages.language_of(b.name, b.lines[0]), notes.append)
    begin = time.process_time()
    for _ in range(5):
        colours.work([View(buffer, 0, 1)], time.monotonic() + 10)
    assert time.process_time() - begin < 2
    assert len(notes) == 1
    assert "takes too long" in notes[0]
    assert not colours.pending([View(buffer, 0, 1)])
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert buffer.lines == text.split("\n")


def test_a_very_long_line_leaves_its_buffer_plain() -> None:
    buffer = Buffer(['{"a": 1}' * 10_000], name="x.json")
    notes: list[str] = []
    colours = Colours(lambda b: "json", notes.append)
    colours.work([View(buffer, 0, 0)], time.monotonic() + 10)
    assert notes == ["no colours: a line is longer than 20000 characters"]
    assert colours.spans(buffer, 0) == ()


def test_leading_blank_lines_tabs_and_form_feeds_stay_where_they_are() -> None:
    buffer = Buffer(["", "", "", "def f():", "\treturn 1\f"], name="x.py")
    colours = Colours(lambda b: "python", lambda note: None)
    colours.work([View(buffer, 0, 4)], time.monotonic() + 10)
    assert (0, 3, "syntax.keyword") in colours.spans(buffer, 3)
    assert (1, 7, "syntax.keyword") in colours.spans(buffer, 4)


def test_another_language_colours_anew() -> None:
    buffer = Buffer(["def f(): pass"], name="x")
    language = [""]
    colours = Colours(lambda b: language[0], lambda note: None)
    colours.work([View(buffer, 0, 0)], time.monotonic() + 10)
    assert colours.spans(buffer, 0) == ()
    assert not colours.pending([View(buffer, 0, 0)])
    language[0] = "python"
    assert colours.pending([View(buffer, 0, 0)])
    assert colours.work([View(buffer, 0, 0)], time.monotonic() + 10)
    assert colours.spans(buffer, 0)
    language[0] = ""
    assert colours.work([View(buffer, 0, 0)], time.monotonic() + 10)
    assert colours.spans(buffer, 0) == ()
    colours.forget(buffer)
    assert colours.spans(buffer, 0) == ()


@pytest.mark.parametrize(
    ("name", "first", "language"),
    [
        ("a.py", "", "python"),
        ("dir/Makefile", "", "make"),
        (".bashrc", "", "bash"),
        ("a.H", "", "cpp"),
        ("a.h", "", "cpp"),
        ("x.t", "", "perl"),
        ("x.pm", "", "perl"),
        ("Dockerfile", "", "dockerfile"),
        ("x.yml", "", "yaml"),
        ("script", "#!/usr/bin/env python3", "python"),
        ("script", "#! /bin/sh -e", "bash"),
        ("script", "#!/usr/bin/env -S node --x", "javascript"),
        ("x", "<?xml version='1.0'?>", "xml"),
        ("x", "<!DOCTYPE html>", "html"),
        ("notes.txt", "#!/bin/sh", ""),
        ("README", "anything", ""),
        ("", "{" * 1000, ""),
        ("x.smithy", "", "smithy"),
    ],
)
def test_language_by_name_and_first_line(name: str, first: str, language: str) -> None:
    assert languages.language_of(name, first) == language


@pytest.mark.parametrize("language", [*languages._TABLE, *languages._ALIASES])
def test_every_language_of_the_table_has_a_lexer(language: str) -> None:
    assert languages.lexer_class(language)().get_tokens_unprocessed("")


def test_unknown_languages_and_none() -> None:
    assert languages.lexer_class("no such language") is None
    assert languages.lexer_class("off") is None


def test_lexers_whose_states_are_more_than_names_are_not_recorded() -> None:
    assert recording(languages.lexer_class("yaml")) is None
    assert recording(languages.lexer_class("json")) is None


def test_a_fence_has_the_colours_of_its_language() -> None:
    buffer = Buffer(["Look:", "def f():", "    pass", "done"])
    colours = Colours(lambda b: "", lambda note: None)
    assert (0, 3, "syntax.keyword") in colours.fence(buffer, "python", 1, 2, 1)
    assert (4, 8, "syntax.keyword") in colours.fence(buffer, "py", 1, 2, 2)
    assert colours.fence(buffer, "nonsense", 1, 2, 1) == ()
