"""Frames that show some windows as the one before did: those that a key or an agent cannot have changed."""

from collections.abc import Callable
from typing import Any

from tpy.modal.text.buffer import Buffer
from tpy.modal.ui.render import Hold
from tpy.modal.view.layout import ROW
from tpy.modal.view.window import Window


class Plain:
    """A conversation's colours: none."""

    def spans(self, line: int) -> list[tuple[int, int, str]]:
        return []


def test_a_frame_for_conversations_looks_at_nothing_else(shown: Callable[..., Any]) -> None:
    screen = shown("file", size=(21, 5))
    talk = Window(Buffer(["said"]))
    talk.buffer.extra["styles"] = Plain()
    screen.editor.layout.split(screen.editor.window, talk, ROW, after=True)
    screen.draw()
    screen.editor.buffer.set_line(0, "FILE")
    talk.buffer.set_line(0, "more")
    for hold, row in ((Hold.THE_REST, "file      |more"), (Hold.NOTHING, "FILE      |more")):
        screen.frame = screen.renderer.frame(*screen.size, hold=hold)
        assert screen.rows[0] == row
    assert screen.frame.cursor == (0, 0)
    talk.buffer.set_line(0, "last")
    screen.editor.buffer.set_line(0, "key")
    screen.frame = screen.renderer.frame(*screen.size, hold=Hold.CONVERSATIONS)
    assert screen.rows[0] == "key       |more"
