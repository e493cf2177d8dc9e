"""AGENTS §4, §6, §7 (display): items in a buffer. CASES A-38 … A-41."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.modal.agent import lines as kinds
from tpy.modal.agent import panes
from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.diffs import diff_lines
from tpy.modal.agent.lines import Line
from tpy.modal.agent.regions import region_at, region_text, selected_text
from tpy.modal.agent.styles import Styles
from tpy.modal.agent.toolcalls import Piece, ToolView, tool_lines
from tpy.modal.editor import Editor
from tpy.modal.text.buffer import Buffer, NotModifiable
from tpy.modal.text.position import Pos


@pytest.fixture
def editor() -> Editor:
    return Editor()


@pytest.fixture
def talk(editor: Editor) -> Conversation:
    return Conversation(editor.buffer, editor.windows, reveal=lambda window: panes.reveal_end(editor, window))


def say(talk: Conversation, *chunks: str, kind: str = "agent") -> None:
    item = talk.message(kind, "Bob")
    for chunk in chunks:
        talk.append(item, chunk)


def test_a40_chunks_are_shown_exactly_as_they_came(talk: Conversation) -> None:
    say(talk, "```py\nx = 1", "\n``", "`\nab\r", "\ncd e", "\u0301f", "")
    assert talk.buffer.lines == ["Bob", "```py", "x = 1", "```", "ab", "cd e\u0301f"]
    assert [talk.code(line) for line in range(6)] == ["label", "fence", "code py", "fence", "text", "text"]


def test_a38_control_characters_are_made_visible(talk: Conversation) -> None:
    say(talk, "\x1b[31mred\x1b[0m \x07 a\rb \x00 \x9b5n \u202e end\tx")
    assert talk.buffer.lines[1] == "^[[31mred^[[0m ^G a^Mb ^@ <9b>5n <202e> end\tx"


def test_a38_titles_and_tool_output_are_made_visible() -> None:
    view = ToolView("\x1b]0;t\x07", "execute", "completed", pieces=(Piece("text", "a\x1bb"),))
    assert [line.text for line in tool_lines(view)] == ["execute: ^[]0;t^G (completed)", "a^[b"]


def test_terminal_output_loses_colours_and_obeys_carriage_returns() -> None:
    view = ToolView("make", "execute", "completed", pieces=(Piece("terminal", "\x1b[32mok\x1b[0m\r\n10%\r20%\n"),))
    assert [line.text for line in tool_lines(view)[1:]] == ["ok", "20%"]


def test_conversation_refuses_edits_and_keeps_no_undo(talk: Conversation) -> None:
    say(talk, "hello")
    with pytest.raises(NotModifiable):
        talk.buffer.set_line(0, "x")
    assert talk.buffer.undo_once() is None


def test_items_are_separated_by_one_empty_line_but_for_tool_calls(talk: Conversation) -> None:
    say(talk, "one")
    talk.add("tool", [Line("read: a (completed)", kinds.HEADER)])
    talk.add("tool", [Line("read: b (completed)", kinds.HEADER)])
    say(talk, "two")
    assert talk.buffer.lines == ["Bob", "one", "", "read: a (completed)", "read: b (completed)", "", "Bob", "two"]


def test_message_that_ends_in_a_line_end_is_separated_once(talk: Conversation) -> None:
    say(talk, "one\n")
    say(talk, "two")
    assert talk.buffer.lines == ["Bob", "one", "", "Bob", "two"]


def test_update_of_an_earlier_item_moves_only_what_follows(talk: Conversation) -> None:
    tool = talk.add("tool", [Line("run (pending)", kinds.HEADER)])
    say(talk, "after")
    talk.redraw(tool, [Line("run (completed)", kinds.HEADER), Line("out", kinds.OUTPUT)])
    assert talk.buffer.lines == ["run (completed)", "out", "", "Bob", "after"]
    assert talk.item_at(1) is tool
    assert talk.item_at(4) is talk.items[1]


def test_interleaved_messages_each_grow_at_their_own_end(talk: Conversation) -> None:
    one = talk.message("agent", "Bob")
    talk.append(one, "a")
    two = talk.message("thought", "thinking")
    talk.append(two, "x")
    talk.append(one, "\nb")
    assert talk.buffer.lines == ["Bob", "a", "b", "", "thinking", "x"]


def test_image_stands_between_texts_as_a_line_of_its_own(talk: Conversation) -> None:
    item = talk.message("agent", "Bob")
    talk.append(item, "before")
    talk.append_lines(item, [Line("[image image/png 12 KiB]", kinds.DIM)])
    talk.append(item, "after")
    assert talk.buffer.lines == ["Bob", "before", "[image image/png 12 KiB]", "after"]


def test_cursor_on_the_last_line_follows_and_one_elsewhere_is_not_moved(editor: Editor, talk: Conversation) -> None:
    say(talk, "one\ntwo")
    assert editor.window.cursor == Pos(2, 0)
    editor.window.cursor = Pos(1, 2)
    say(talk, "three")
    say(talk, "four")
    talk.add("tool", [Line("x (pending)", kinds.HEADER)])
    assert editor.window.cursor == Pos(1, 2)
    assert talk.unseen(editor.window) == 3


def test_following_never_enters_an_open_request(editor: Editor, talk: Conversation) -> None:
    editor.window.height = 5
    say(talk, "\n".join("abcdefgh"))
    ask = talk.add("ask", [Line("Bob asks: run?", kinds.ASK), Line("1 Allow", kinds.OPTION)], open=True)
    assert talk.item_at(editor.window.cursor.line) is talk.items[0]
    assert editor.window.top + editor.window.height >= len(talk.buffer.lines)
    talk.close(ask, [Line("allowed: run", kinds.DIM)])
    assert editor.window.cursor.line == len(talk.buffer.lines) - 1


@pytest.mark.parametrize("before", ["", "one"])
def test_item_without_lines_leaves_no_trace(talk: Conversation, before: str) -> None:
    if before:
        say(talk, before)
    note = talk.add("notice", [Line("waiting", kinds.DIM), Line("…", kinds.DIM)])
    talk.redraw(note, [])
    assert talk.buffer.lines == (["Bob", "one"] if before else [""])
    say(talk, "two")
    assert talk.buffer.lines == (["Bob", "one", "", "Bob", "two"] if before else ["Bob", "two"])
    assert talk.item_at(len(talk.buffer.lines) - 1) is talk.items[-1]


def test_selecting_user_is_not_moved(editor: Editor) -> None:
    talk = Conversation(editor.buffer, editor.windows, lambda window: True)
    say(talk, "one\ntwo\nthree")
    assert editor.window.cursor == Pos(0, 0)


def test_copying_takes_the_region_without_furniture(talk: Conversation) -> None:
    say(talk, "Look:\n\n  ```py\n  if x:\n      y\n  ```\nDone.")
    code = region_at(talk, 4)
    assert code is not None
    assert region_text(talk, code) == ["if x:", "    y"]
    label = region_at(talk, 0)
    assert label is not None
    assert region_text(talk, label) == ["Bob"]
    prose = region_at(talk, 1)
    assert prose is not None
    assert region_text(talk, prose) == ["Look:"]
    assert selected_text(talk, 0, 2) == ["Look:", ""]


def test_output_of_a_tool_call_is_copied_without_its_header(talk: Conversation) -> None:
    talk.add("tool", [Line("run (completed)", kinds.HEADER), Line("a", kinds.OUTPUT), Line("b", kinds.OUTPUT)])
    region = region_at(talk, 2)
    assert region is not None
    assert region_text(talk, region) == ["a", "b"]


def test_styles_name_the_classes_of_section_12(talk: Conversation) -> None:
    say(talk, "a **b** c\n```python\nx\n```")
    say(talk, "hm", kind="thought")
    talk.add("tool", tool_lines(ToolView("t", "read", "failed")))
    styles = Styles(talk)
    assert styles.spans(0) == ((0, 3, "syntax.keyword"),)
    assert styles.spans(1) == ((2, 4, "syntax.comment"), (4, 5, "markup.strong"), (5, 7, "syntax.comment"))
    code = styles.code(3)
    assert code is not None
    assert code == ("python", 3, 3)
    assert styles.code(1) is None
    assert styles.spans(7) == ((0, 2, "syntax.comment"),)
    assert styles.spans(9) == ((0, 16, "diagnostic.error"),)


def test_drawing_an_item_again_touches_only_lines_that_differ(talk: Conversation) -> None:
    seen: list[tuple[int, int, int]] = []
    tool = talk.add("tool", [Line(f"line {n}", kinds.OUTPUT) for n in range(100)])

    def note(buffer: Buffer, splice: object, origin: str) -> None:
        line, old, new = splice  # type: ignore[misc]
        seen.append((line, len(old), len(new)))

    talk.buffer.listeners.append(note)
    talk.redraw(tool, [Line(f"line {n}" if n != 50 else "other", kinds.OUTPUT) for n in range(100)])
    assert seen == [(50, 1, 1)]


@st.composite
def scripts(draw: st.DrawFn) -> list[tuple[str, int, str]]:
    """What may happen to a conversation: (what, which item, text)."""
    text = st.text(alphabet="ab`\n\r# ", max_size=8)
    step = st.tuples(st.sampled_from(["message", "tool", "append", "redraw", "note", "empty"]), st.integers(0, 9), text)
    return draw(st.lists(step, max_size=25))


@given(scripts())
def test_items_and_buffer_agree_whatever_happens(script: list[tuple[str, int, str]]) -> None:
    editor = Editor()
    talk = Conversation(editor.buffer, editor.windows)
    for what, which, text in script:
        item = talk.items[which % len(talk.items)] if talk.items else None
        lines = [Line(row, kinds.OUTPUT) for row in text.split("\n")] if text else []
        if what == "message":
            talk.append(talk.message("agent", "Bob"), text)
        elif what == "tool":
            talk.add("tool", lines)
        elif item is not None and item.kind == "tool":
            talk.redraw(item, lines)
        elif item is not None and what == "empty":
            talk.empty(item)
        elif item is not None and what == "append" and not item.noted:
            talk.append(item, text)
        elif item is not None and what == "note":
            talk.note(item, "noted")
        height = sum(len(one.codes) for one in talk.items)
        assert len(talk.buffer.lines) == max(height, 1)
        starts = [talk.start(one) for one in talk.items]
        assert starts == [sum(len(other.codes) for other in talk.items[:at]) for at in range(len(talk.items))]
        for one in talk.items:
            if one.kind == "agent" and not one.noted:
                assert talk.buffer.lines[talk.end(one) - 1] == one.tail


def _streaming_time(talk: Conversation) -> float:
    item = talk.message("agent", "Bob")
    best = 1.0
    for _ in range(3):
        began = time.perf_counter()
        for _ in range(1000):
            talk.append(item, "some words ")
            talk.append(item, "and\n")
        best = min(best, time.perf_counter() - began)
    return best


@pytest.mark.perf
def test_streaming_costs_the_same_in_a_long_conversation() -> None:
    short_editor, long_editor = Editor(), Editor()
    short = Conversation(short_editor.buffer, short_editor.windows)
    long = Conversation(long_editor.buffer, long_editor.windows)
    for _ in range(2000):
        say(long, "\n".join("abcdefghi"))
    assert len(long.buffer.lines) > 20_000
    assert _streaming_time(long) < 3 * _streaming_time(short) + 0.02


def test_a_part_of_a_file_is_numbered_as_its_file_is() -> None:
    lines = diff_lines("a", "x\ny\n", "x\nz\n", 41)
    assert [line.text for line in lines] == ["a", "@@ -41,2 +41,2 @@", " x", "-y", "+z"]
    assert diff_lines("a", "x\n" * 2001, "y\n", 7)[1].text == "@@ -7,2001 +7,1 @@"
