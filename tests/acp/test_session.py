"""`acp/session.py` and `acp/entries.py`: updates in, snapshot out."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tpy.acp import schema
from tpy.acp.entries import (
    TEXT_CAP,
    Compaction,
    Letter,
    Message,
    NoticeEntry,
    PlanState,
    RawTooLarge,
    Subagent,
    TerminalView,
    ToolUse,
    TurnEnd,
)
from tpy.acp.jsonrpc import RpcError
from tpy.acp.session import Session


def make() -> Session:
    return Session("s1", "/project")


def tell(session: Session, kind: str, /, **fields: Any) -> None:
    raw = json.dumps({"sessionId": "s1", "update": {"sessionUpdate": kind, **fields}}).encode()
    session.apply(schema.decode(raw, schema.SessionNotification).update)


def say(session: Session, text: str, message_id: str | None = None, kind: str = "agent_message_chunk") -> None:
    tell(session, kind, content={"type": "text", "text": text}, messageId=message_id)


def think(session: Session, text: str, message_id: str | None = None) -> None:
    say(session, text, message_id, "agent_thought_chunk")


def lines(session: Session) -> list[tuple[str, str]]:
    """The messages and tool calls, as (kind, text)."""
    shown = []
    for entry in session.entries:
        if isinstance(entry, Message):
            shown.append((entry.kind, entry.text))
        elif isinstance(entry, ToolUse):
            shown.append(("tool", f"{entry.heading}:{entry.shown_status}"))
    return shown


def end(session: Session, reason: str = "end_turn", *, cancelled: bool = False) -> TurnEnd:
    return session.end_turn(reason, None, None, cancelled=cancelled)


# -- messages ----------------------------------------------------------------------------------------------


def test_A40_chunks_are_joined_exactly_and_thoughts_are_apart() -> None:
    session = make()
    session.begin_turn("go", [])
    chunks = ["```py\nx = 1", "\n``", "`\nab\r", "\ncd e", "́f", ""]
    for chunk in chunks:
        say(session, chunk)
    think(session, "hm")
    say(session, "g")
    end(session)
    assert lines(session) == [("user", "go"), ("agent", "".join(chunks)), ("thought", "hm"), ("agent", "g")]


def test_an_empty_chunk_makes_no_message() -> None:
    session = make()
    say(session, "")
    say(session, "", "m1")
    assert session.entries == []


def test_the_key_of_a_message_is_kind_and_id() -> None:
    session = make()
    think(session, "t", "m1")
    say(session, "a", "m1")
    think(session, "u", "m1")
    say(session, "b", "m1")
    say(session, "c", "m2")
    assert lines(session) == [("thought", "tu"), ("agent", "ab"), ("agent", "c")]


def test_a_chunk_without_id_never_joins_a_message_with_one() -> None:
    session = make()
    say(session, "a", "m1")
    say(session, "b")
    say(session, "c", "m1")
    say(session, "d")
    assert lines(session) == [("agent", "ac"), ("agent", "b"), ("agent", "d")]


def test_something_between_starts_another_message() -> None:
    session = make()
    say(session, "a")
    tell(session, "tool_call", toolCallId="t1", title="T")
    say(session, "b")
    tell(session, "tool_call_update", toolCallId="t1", status="completed")
    say(session, "c")
    assert lines(session) == [("agent", "a"), ("tool", "T:completed"), ("agent", "bc")]


def test_user_messages_of_a_loaded_session_stay_apart() -> None:
    session = make()
    session.loading = True
    say(session, "one", "u1", "user_message_chunk")
    say(session, "two", "u2", "user_message_chunk")
    say(session, "answer", "a1")
    say(session, "three", "u3", "user_message_chunk")
    assert lines(session) == [("user", "one"), ("user", "two"), ("agent", "answer"), ("user", "three")]
    assert [entry.turn for entry in session.entries] == [1, 2, 2, 3]


@pytest.mark.parametrize("message_id", [None, "u1"])
def test_the_echo_of_a_prompt_is_not_shown_twice(message_id: str | None) -> None:
    session = make()
    session.begin_turn("hello there", [])
    say(session, "hello ", message_id, "user_message_chunk")
    say(session, "there", message_id, "user_message_chunk")
    tell(session, "available_commands_update", availableCommands=[])
    say(session, "answer")
    say(session, "again" if message_id is None else "more", message_id, "user_message_chunk")
    shown = [("user", "hello there"), ("agent", "answer")]
    assert lines(session) == (shown if message_id else [*shown, ("user", "again")])
    first = session.entries[0]
    assert isinstance(first, Message)
    assert first.message_id == message_id


def test_A11_late_text_stands_before_the_next_question() -> None:
    session = make()
    session.begin_turn("first", [])
    say(session, "one")
    end(session)
    say(session, " late")
    session.begin_turn("second", [])
    say(session, "two")
    end(session)
    assert lines(session) == [
        ("user", "first"),
        ("agent", "one"),
        ("agent", " late"),
        ("user", "second"),
        ("agent", "two"),
    ]
    assert [e.in_turn for e in session.entries if isinstance(e, Message)] == [True, True, False, True, True]


def test_content_that_is_no_text_is_a_part() -> None:
    session = make()
    say(session, "see ")
    tell(session, "agent_message_chunk", content={"type": "image", "data": "AA==", "mimeType": "image/png"})
    tell(session, "agent_message_chunk", content={"type": "smell"})
    say(session, " there")
    [entry] = session.entries
    assert isinstance(entry, Message)
    assert [type(part).__name__ for part in entry.parts] == ["str", "ImageContent", "UnknownContent", "str"]
    assert entry.text == "see  there"


def test_an_entry_keeps_a_mebibyte_and_says_what_it_dropped() -> None:
    session = make()
    say(session, "é" * 400_000)
    say(session, "x" * 400_000)
    [entry] = session.entries
    assert isinstance(entry, Message)
    assert len(entry.text.encode()) == TEXT_CAP
    assert entry.dropped == 800_000 + 400_000 - TEXT_CAP
    say(session, "more")
    assert entry.dropped == 800_000 + 400_000 - TEXT_CAP + 4


def test_the_cut_never_halves_a_character() -> None:
    session = make()
    say(session, "x" * (TEXT_CAP - 1))
    say(session, "éa")
    [entry] = session.entries
    assert isinstance(entry, Message)
    assert entry.size == TEXT_CAP - 1
    assert entry.dropped == 3


# -- tool calls --------------------------------------------------------------------------------------------


def test_A41_gaps_in_tool_updates() -> None:
    session = make()
    session.begin_turn("go", [])
    tell(session, "tool_call_update", toolCallId="t9", status="completed")
    tell(session, "tool_call", toolCallId="t1", title="", kind=None, content=None)
    tell(session, "tool_call_update", toolCallId="t1", content=[{"type": "text", "text": "x"}], kind="read")
    tell(session, "tool_call_update", toolCallId="t1", status="failed", rawOutput={"exitCode": 2})
    t9, t1 = session.tool("t9"), session.tool("t1")
    assert t9 is not None
    assert t1 is not None
    assert (t9.heading, t9.status) == ("t9", "completed")
    assert (t1.heading, t1.status, t1.kind, t1.raw_output) == ("read", "failed", "read", {"exitCode": 2})
    assert len(t1.content) == 1
    tell(session, "tool_call_update", toolCallId="t1", content=[])
    assert t1.content == []
    assert t1.status == "failed"


def test_a_repeated_call_patches_and_may_go_backwards() -> None:
    session = make()
    session.begin_turn("go", [])
    tell(session, "tool_call", toolCallId="t1", title="one", status="completed")
    tell(session, "tool_call", toolCallId="t1", title="again", status="in_progress")
    assert lines(session)[1:] == [("tool", "again:in_progress")]


def test_an_id_of_an_earlier_turn_is_a_new_call() -> None:
    session = make()
    session.begin_turn("a", [])
    tell(session, "tool_call", toolCallId="t", title="first", status="completed")
    end(session)
    session.begin_turn("b", [])
    tell(session, "tool_call_update", toolCallId="t", title="late news")
    tell(session, "tool_call", toolCallId="t", title="second")
    assert [text for kind, text in lines(session) if kind == "tool"] == [
        "late news:completed",
        "second:pending",
    ]


def test_A02_unfinished_calls_are_stale_at_the_end_and_cancelled_by_a_cancel() -> None:
    session = make()
    session.begin_turn("a", [])
    tell(session, "tool_call", toolCallId="t1", title="x", status="in_progress")
    end(session)
    assert lines(session)[1:] == [("tool", "x:stale")]
    session.begin_turn("b", [])
    tell(session, "tool_call", toolCallId="t2", title="y", status="in_progress")
    session.mark_cancelling()
    assert lines(session)[-1] == ("tool", "y:cancelled")
    tell(session, "tool_call_update", toolCallId="t2", status="completed")
    end(session, cancelled=True)
    assert lines(session)[-1] == ("tool", "y:completed")
    tell(session, "tool_call", toolCallId="t3", title="z", status="in_progress")
    session.died()
    assert session.in_turn is False


def test_output_is_capped_and_diffs_are_whole() -> None:
    session = make()
    big = "é" * TEXT_CAP
    tell(
        session,
        "tool_call",
        toolCallId="t",
        title="x",
        rawInput={"a": big},
        rawOutput="small",
        content=[
            {"type": "content", "content": {"type": "text", "text": big}},
            {"type": "diff", "path": "/p", "newText": big},
            {"type": "text", "text": "tail"},
        ],
    )
    tool = session.tool("t")
    assert tool is not None
    first, diff, tail = tool.content
    assert isinstance(first, schema.Content)
    assert isinstance(first.content, schema.TextContent)
    assert len(first.content.text) == TEXT_CAP // 2
    assert isinstance(diff, schema.Diff)
    assert diff.new_text == big
    assert tail == schema.TextContent("")
    assert tool.dropped == TEXT_CAP + 4
    assert isinstance(tool.raw_input, RawTooLarge)
    assert tool.raw_output == "small"


def test_a_subagents_call_names_its_parent() -> None:
    session = make()
    meta = {"claudeCode": {"parentToolUseId": "p"}}
    tell(session, "tool_call", toolCallId="t", title="x", _meta=meta)
    tell(session, "agent_message_chunk", content={"type": "text", "text": "m"}, _meta=meta)
    tool, message = session.entries
    assert isinstance(tool, ToolUse)
    assert isinstance(message, Message)
    assert (tool.parent, message.parent) == ("p", "p")


# -- the rest ----------------------------------------------------------------------------------------------


def steps(*texts: str) -> list[dict[str, str]]:
    return [{"content": text, "priority": "high", "status": "pending"} for text in texts]


def test_a_plan_is_replaced_in_place_and_anew_in_the_next_turn() -> None:
    session = make()
    session.begin_turn("a", [])
    tell(session, "plan", entries=steps("x", "y"))
    say(session, "text")
    tell(session, "plan", entries=[*steps("z"), "junk"])
    plans = [e for e in session.entries if isinstance(e, PlanState)]
    assert [[step.content for step in plan.steps] for plan in plans] == [["z"]]
    end(session)
    session.begin_turn("b", [])
    tell(session, "plan", entries=[])
    assert len([e for e in session.entries if isinstance(e, PlanState)]) == 2


def test_plans_by_id() -> None:
    session = make()
    tell(session, "plan_update", plan={"type": "items", "planId": "p", "entries": steps("x")})
    tell(session, "plan_update", plan={"type": "markdown", "planId": "q", "content": "# md"})
    tell(session, "plan_update", plan={"type": "file", "planId": "p", "uri": "file:///p.md"})
    tell(session, "plan_removed", planId="q")
    tell(session, "plan_removed", planId="nobody")
    p, q = session.entries
    assert isinstance(p, PlanState)
    assert isinstance(q, PlanState)
    assert (p.uri, p.steps, p.removed) == ("file:///p.md", [], False)
    assert (q.text, q.removed) == ("# md", True)


def test_notices_and_compactions() -> None:
    session = make()
    tell(session, "notice", severity="warning", title="low", description="really")
    tell(session, "compaction_summary_chunk", compactionId="c", content={"type": "text", "text": "a"})
    tell(session, "compaction_summary_chunk", compactionId="c", content={"type": "text", "text": "b"})
    tell(session, "compaction_update", compactionId="c", status="failed", error="full")
    notice, compaction = session.entries
    assert isinstance(notice, NoticeEntry)
    assert (notice.severity, notice.title, notice.description) == ("warning", "low", "really")
    assert isinstance(compaction, Compaction)
    assert (compaction.text, compaction.status, compaction.error) == ("ab", "failed", "full")
    tell(session, "compaction_update", compactionId="c", status="completed", summary=None, error=None)
    assert (compaction.text, compaction.error, compaction.generation) == ("", None, 1)


def test_a_subagent_is_patched_with_three_states() -> None:
    session = make()
    tell(
        session,
        "subagent_update",
        sessionId="c",
        title="T",
        description="D",
        capabilities={"cancel": {}},
        state={"state": "running"},
    )
    tell(session, "subagent_update", sessionId="c", title=None, state={"state": "idle", "stopReason": "end_turn"})
    [entry] = session.entries
    assert isinstance(entry, Subagent)
    assert (entry.title, entry.description, entry.can_cancel) == (None, "D", True)
    assert (entry.state, entry.stop_reason) == ("idle", "end_turn")
    tell(session, "subagent_update", sessionId="c", capabilities=None, state=None)
    assert (entry.can_cancel, entry.state) == (False, "")


def test_messages_between_sessions() -> None:
    session = make()
    text = {"type": "text", "text": "a"}
    tell(session, "session_message", messageId="m", senderSessionId="x", recipientSessionId="y", content=[text])
    tell(session, "session_message_chunk", messageId="m", content=text)
    [entry] = session.entries
    assert isinstance(entry, Letter)
    assert (entry.sender, entry.recipient, entry.text) == ("x", "y", "aa")


def test_what_is_true_of_the_session() -> None:
    session = make()
    tell(session, "usage_update", used=1, size=2, cost={"amount": 0.5, "currency": "credits"})
    tell(session, "usage_update", used=3, size=2)
    tell(session, "session_info_update", title="T", updatedAt="2026-01-01")
    tell(session, "session_info_update", updatedAt=None)
    tell(session, "current_mode_update", modeId="plan")
    assert session.usage is not None
    assert session.usage.used == 3
    assert session.usage.cost == schema.Cost(0.5, "credits")
    assert (session.title, session.updated_at, session.mode_id) == ("T", None, "plan")
    assert session.info_revision == 5


def test_the_longest_announced_command_is_meant() -> None:
    session = make()
    names = ["/memory", "memory show", "skill:x", "a.b"]
    tell(
        session,
        "available_commands_update",
        availableCommands=[{"name": n, "description": "d", "input": None} for n in names],
    )
    for text, name in [
        ("/memory", "memory"),
        ("/memory show all", "memory show"),
        ("/memory showing", "memory"),
        ("/skill:x y", "skill:x"),
        ("/a.b", "a.b"),
    ]:
        command = session.command(text)
        assert command is not None
        assert command.name == name
    assert session.command("/nothing") is None


def test_A13_odd_updates_are_counted() -> None:
    session = make()
    tell(session, "from_the_future", x=[1])
    session.note_odd("", "no kind")
    assert (session.odd_updates, session.last_odd) == (2, "an update: no kind")


@pytest.mark.parametrize(
    ("reason", "error", "cancelled", "message"),
    [
        ("end_turn", None, False, ""),
        ("max_tokens", None, False, "The turn ended: max_tokens"),
        ("bored", None, False, "The turn ended: bored"),
        ("", RpcError(-1, "no", "why"), False, "The turn failed: no (why)"),
        ("", RpcError(-1, "no"), True, "The turn ended: cancelled"),
        ("end_turn", None, True, "The turn ended: cancelled"),
    ],
)
def test_how_an_end_is_told(reason: str, error: Any, cancelled: bool, message: str) -> None:
    session = make()
    session.begin_turn("a", [])
    told = session.end_turn(reason, error, None, cancelled=cancelled)
    assert told.message == message
    assert told.failed == (error is not None and not cancelled)
    assert told.silent
    assert bool(told.advice) == (reason == "max_tokens")


# -- terminals ---------------------------------------------------------------------------------------------


def test_a_terminal_shows_in_the_call_that_names_it() -> None:
    session = make()
    tell(session, "tool_call", toolCallId="t", title="x", content=[{"type": "terminal", "terminalId": "term"}])
    seen = session.revision
    session.terminal("term").append("out")
    session.terminal_changed("term")
    assert [entry.index for entry in session.changed_since(seen)] == [0]


def test_output_of_a_command_the_agent_runs_itself() -> None:
    session = make()
    tell(
        session,
        "tool_call",
        toolCallId="t",
        title="x",
        content=[{"type": "terminal", "terminalId": "a1"}],
        _meta={"terminal_info": {"terminal_id": "a1"}},
    )
    for data in ("one\n", "two\n"):
        tell(
            session,
            "tool_call_update",
            toolCallId="t",
            _meta={"terminal_output_delta": {"terminal_id": "a1", "data": data}},
        )
    tell(
        session,
        "tool_call_update",
        toolCallId="t",
        _meta={"terminal_exit": {"terminal_id": "a1", "exit_code": 2, "signal": None}},
    )
    view = session.terminals["a1"]
    assert view.text == "one\ntwo\n"
    assert view.exit_status == schema.TerminalExitStatus(2)


def test_a_view_keeps_the_end_and_tells_what_is_new() -> None:
    view = TerminalView("t")
    view.append("a" * TEXT_CAP)
    view.append("b" * TEXT_CAP)
    view.append("c")
    assert len(view.text) == TEXT_CAP
    assert view.text.endswith("bc")
    assert view.dropped == TEXT_CAP + 1
    assert view.since(view.total - 2) == "bc"
    assert view.since(view.total) == ""
    assert len(view.since(0)) <= view.total


# -- laws --------------------------------------------------------------------------------------------------

chunk = st.tuples(
    st.sampled_from(["agent_message_chunk", "agent_thought_chunk", "user_message_chunk"]),
    st.text(max_size=5),
    st.sampled_from([None, "m1", "m2"]),
)
tool = st.tuples(
    st.just("tool"),
    st.sampled_from(["t1", "t2"]),
    st.sampled_from([None, "pending", "in_progress", "completed", "failed"]),
)
turn = st.tuples(st.sampled_from(["begin", "end", "cancel"]), st.just(""), st.just(None))


def play(session: Session, steps: list[tuple[str, str, str | None]]) -> None:
    for kind, text, more in steps:
        if kind == "tool":
            tell(session, "tool_call", toolCallId=text, title=text, status=more)
        elif kind == "begin" and not session.in_turn:
            session.begin_turn("p", [])
        elif kind == "end" and session.in_turn:
            end(session)
        elif kind == "cancel":
            session.mark_cancelling()
        elif kind.endswith("chunk"):
            say(session, text, more, kind)


@given(st.lists(st.one_of(chunk, tool, turn), max_size=30))
def test_a_reader_of_changes_always_sees_the_whole(steps: list[tuple[str, str, str | None]]) -> None:
    """Someone who follows `changed_since` after every step has what someone has who reads all at the end."""
    session = make()
    seen = 0
    copy: dict[int, str] = {}
    for step in steps:
        play(session, [step])
        for entry in session.changed_since(seen):
            if isinstance(entry, Message):
                copy[entry.index] = entry.text
            elif isinstance(entry, ToolUse):
                copy[entry.index] = entry.shown_status
        seen = session.revision
    for entry in session.entries:
        assert session.entries[entry.index] is entry
        if isinstance(entry, Message):
            assert copy[entry.index] == entry.text
        elif isinstance(entry, ToolUse):
            assert copy[entry.index] == entry.shown_status
    revisions = [entry.revision for entry in session.entries]
    assert len(set(revisions)) == len(revisions)


@given(st.lists(chunk, max_size=30))
def test_no_text_of_an_agent_is_lost(steps: list[tuple[str, str, str | None]]) -> None:
    session = make()
    session.begin_turn("p", [])
    play(session, list(steps))
    for kind, name in (("agent", "agent_message_chunk"), ("thought", "agent_thought_chunk")):
        shown = sum(len(e.text) for e in session.entries if isinstance(e, Message) and e.kind == kind)
        assert shown == sum(len(text) for sort, text, _ in steps if sort == name)
