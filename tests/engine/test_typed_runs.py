"""Characters that wait in Insert mode and are put in at once do what they do one by one."""

from __future__ import annotations

import pytest

from tpy.modal.assembly import make_engine
from tpy.modal.engine.dispatch import Engine
from tpy.modal.keymap import parse_keys

RUN = "some text, {and} more #of it"


def typed(before: str, after: str, *, at_once: bool) -> tuple[list[str], object, object, bool]:
    """Return the text, the cursor, the last message and whether the run was taken at once."""
    engine: Engine = make_engine(vim=True, clock=lambda: 0.0)
    engine.editor.layout.arrange(23, 80)
    for key in parse_keys(before):
        engine.feed(key)
    taken = at_once and engine.feed_run(RUN)
    for key in (*(() if taken else RUN), *parse_keys(after)):
        engine.feed(key)
    editor = engine.editor
    return list(editor.buffer.lines), editor.window.cursor, editor.buffer.marks.get("["), taken


@pytest.mark.parametrize(
    ("before", "quick"),
    [
        ("iab\N{LATIN SMALL LETTER E WITH ACUTE} x", True),
        ("i\tab c<CR>d", True),
        ("ia b<Left><Left>", True),
        ("3ia b", True),
        (":set ai<CR>i  a<CR>x", True),
        (":set ai<CR>i  a<CR>", False),
        (":set tw=20<CR>ia b", False),
        (":set si<CR>ia b", False),
        (":iab text long<CR>ia b", False),
        (":imap x y<CR>ia b", False),
        ("qqia b", False),
        ("Ra b", False),
        ("ia b<C-v>", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("after", ["<Esc>", "<BS><C-w><Esc>", "<Esc>u", "<Esc>.", "<CR>x<Esc>u<C-r>2."])
def test_a_run_is_what_its_keys_are(before: str, quick: bool, after: str) -> None:
    one_by_one = typed(before, after, at_once=False)
    at_once = typed(before, after, at_once=True)
    assert at_once[:3] == one_by_one[:3]
    assert at_once[3] == quick
