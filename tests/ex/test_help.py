"""`:help`: topics in all the spellings of Vim."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.ex.helptext import find_topic
from tpy.modal.ui.statusline import status_strip

KEYMAP = make_engine(vim=True).keymap


@pytest.mark.parametrize(
    ("topic", "row", "about"),
    [
        ("dd", 0, "dd  Delete the text."),
        ("gUU", 0, "gUU  Change all letters to capitals."),
        ("g~g~", 0, "g~g~  "),
        ("dw", 1, "w  Go `count` words on."),
        ("diw", 1, "iw  "),
        ("CTRL-W_s", 0, "<C-w>s  Split the window"),
        ("CTRL-W_CTRL-V", 0, "<C-w><C-v>  Split the window side by side"),
        ("v_d", 0, "v_d  Delete"),
        ("i_CTRL-W", 0, "i_<C-w>  Delete the word before the cursor."),
        ("c_CTRL-R", 0, "c_<C-r>  Insert what a register holds."),
        (":w", 0, ":[range]w[rite][!] [file]"),
        ("'tabstop'", 0, "'tabstop', 'ts'"),
    ],
)
def test_a_topic_is_found(topic: str, row: int, about: str) -> None:
    found = find_topic(KEYMAP, topic)
    assert found is not None
    assert " ".join(found[row].split()).startswith(" ".join(about.split()))


@pytest.mark.parametrize("topic", ["dz", "i_CTRL-_", "c_CTRL-O", "nosuch"])
def test_what_is_no_topic_is_none(topic: str) -> None:
    assert find_topic(KEYMAP, topic) is None


def test_the_status_line_says_help_once(session: Callable) -> None:  # type: ignore[type-arg]
    s = session()
    s.ex("help dd")
    strip = status_strip(s.engine, s.editor.window, 60, active=True)
    assert "".join(text for text, _ in strip.pieces).startswith("[Help] [-] ")


def test_all_options_are_shown_in_columns(session: Callable) -> None:  # type: ignore[type-arg]
    s = session()
    s.editor.layout.arrange(23, 80)
    head, *rows = s.ex("set all").split("\n")
    assert head == "--- Options ---"
    assert all(len(row) <= 80 for row in rows)
    assert any(row.startswith("noautoindent        ") and len(row.split()) > 2 for row in rows)
    assert sum("tabstop=8" in row for row in rows) >= 1
    shown = [row for row in rows if len(row.split()) == 1]
    assert len(rows) < 60
    assert all("=" in row for row in shown[1:])
