"""AGENTS §4: streaming costs the same however long the conversation is; the bars of CPU, as ratios in one process."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from tpy.acp.connection import Connection
from tpy.acp.events import UpdateReceived
from tpy.acp.handler import EVERYTHING
from tpy.acp.jsonrpc import NEED_DATA
from tpy.acp.session import Session
from tpy.acp.turnstate import Turns
from tpy.modal.agent import panes
from tpy.modal.agent.bridge.drawing import Drawing
from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.folding import Folder
from tpy.modal.agent.styles import Styles
from tpy.modal.assembly import make_engine
from tpy.modal.engine.folding import folds_of
from tpy.modal.ui.render import Hold, Renderer
from tpy.modal.ui.screen import Screen

SIZE = (120, 50)
WORDS = "The quick brown fox jumps over the lazy dog; über alles `code` and **bold**.\n- item one\n- item two\n"


class Stream:
    """A conversation beside a file: bytes of an agent go through the protocol into its buffer and to the screen."""

    def __init__(self, lines: int) -> None:
        engine = make_engine()
        self.editor = engine.editor
        self.editor.layout.arrange(SIZE[1] - 1, SIZE[0])
        self.editor.buffer.replace(0, 1, [f"line {number} of the file" for number in range(200)])
        buffer, prompt = (self.editor.add_buffer(name=name) for name in ("agent://Bob", "agent://Bob/prompt"))
        talk = Conversation(buffer, self.editor.windows)
        buffer.extra.update(styles=Styles(talk), status=lambda window: "Bob")
        panes.open_pane(self.editor, buffer, prompt)
        self.editor.focus(self.editor.layout.windows()[0])
        self.buffer = buffer
        self.connection = Connection(EVERYTHING)
        self.connection.sessions["s"] = Turns()
        self.session = Session("s", "/")
        self.session.begin_turn("go", [])
        folder = Folder(talk, self.editor.windows, lambda window: folds_of(self.editor, window))
        self.drawing = Drawing(talk, folder, "Bob", "/", who=lambda session: "Bob")
        self.renderer, self.screen = Renderer(engine), Screen()
        self.screen.resize(*SIZE)
        self.number = lines * 100  # what is said differs, since what is found out about a text is kept for all
        if lines:
            self.take([update("".join(f"earlier *line* {number}\n" for number in range(lines)))])
        self.show(Hold.NOTHING)

    def chunks(self, count: int) -> list[bytes]:
        """The next lines of the agent."""
        first, self.number = self.number, self.number + count
        return [update(chunk(number)) for number in range(first, first + count)]

    def take(self, lines: list[bytes]) -> None:
        """Read the lines, as the client does."""
        self.connection.receive_data(b"".join(lines))
        while (event := self.connection.next_event()) is not NEED_DATA:
            assert isinstance(event, UpdateReceived)
            self.session.apply(event.update)

    def show(self, hold: Hold = Hold.THE_REST) -> None:
        """Draw what is new."""
        self.drawing.draw(self.session)
        frame = self.renderer.frame(*SIZE, hold=hold)
        self.screen.frame(frame.rows, frame.cursor)

    def second(self, chunks: int, frames: int) -> float:
        """The seconds of CPU that a second of a stream takes."""
        lines = self.chunks(chunks)
        each = -(-chunks // frames)
        began = time.process_time()
        for at in range(0, chunks, each):
            self.take(lines[at : at + each])
            self.show()
        return time.process_time() - began


def update(text: str) -> bytes:
    said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    params = {"sessionId": "s", "update": said}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}).encode() + b"\n"


def chunk(number: int) -> str:
    return f"#{number:07} " + WORDS[:51] + ("\n" if number % 8 == 7 else "")


def ratio(one: Callable[[], float], other: Callable[[], float]) -> float:
    """How much more `one` takes than `other`: the best of several, in turns, so that a busy machine slows down both."""
    found = [(one(), other()) for _ in range(15)]
    return min(first for first, _ in found) / min(second for _, second in found)


def test_a_conversation_of_20000_lines_costs_what_an_empty_one_costs() -> None:
    long, empty = Stream(20_000), Stream(0)
    assert len(long.buffer.lines) > 20_000
    for stream in (long, empty):
        stream.second(500, 10)  # what is kept is warm
    assert ratio(lambda: long.second(300, 6), lambda: empty.second(300, 6)) <= 1.2


def parsed(lines: list[bytes]) -> float:
    began = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - began


@pytest.mark.perf
def test_500_chunks_a_second_cost_15_times_the_parsing_of_their_json() -> None:
    stream = Stream(1000)
    lines = stream.chunks(500)
    frames = 10  # more than the pace of drawing gives
    stream.second(500, frames)
    assert ratio(lambda: stream.second(500, frames), lambda: parsed(lines)) <= 15


def test_the_end_of_a_stream_is_on_the_screen() -> None:
    stream = Stream(0)
    stream.second(100, 10)
    stream.take([update("THE END")])
    stream.show()
    assert any("THE END" in row.text for row in stream.renderer.frame(*SIZE, hold=Hold.THE_REST).rows)
