"""The Tutor: its shows through a scripted client, then as a real process (spec AGENTS §13)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.agents.conftest import ALL, Process, Script, answers, requests, text_of, updates

from tpy.acp.agents.tutor import lessons, remark
from tpy.acp.agents.tutor.agent import Tutor

MODULE = "tpy.acp.agents.tutor"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text("one\ntwo\n")
    return tmp_path


@pytest.fixture
def client(project: Path) -> Script:
    script = Script(Tutor())
    script.hello(cwd=str(project))
    params = {"sessionId": script.session, "configId": "pace", "value": "instant"}
    script.call("session/set_config_option", params)
    return script


def run(client: Script, text: str, *blocks: dict[str, Any]) -> list[dict[str, Any]]:
    """Prompt and let time pass until the agent waits for us or is done."""
    return client.prompt(text, *blocks) + client.pass_time(60)


def stop_reason(messages: list[dict[str, Any]]) -> Any:
    (answer,) = answers(messages)
    return answer["result"]["stopReason"]


def allow(client: Script, ask: dict[str, Any], option: str = "allow") -> list[dict[str, Any]]:
    outcome = {"outcome": {"outcome": "selected", "optionId": option}}
    return client.answer(ask, outcome) + client.pass_time(60)


def resource(path: Path) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": path.as_uri(), "text": path.read_text()}}


# --- what it announces and says -------------------------------------------------------------------------


def test_commands_follow_the_new_session(project: Path) -> None:
    (commands,) = updates(Script(Tutor()).hello(cwd=str(project)))
    names = [command["name"] for command in commands["availableCommands"]]
    assert {"lesson", "edit", "slow", "plan", "permission", "terminal", "help"} <= set(names)
    assert [c.get("input") for c in commands["availableCommands"] if c["name"] == "slow"] == [{"hint": "seconds"}]


def test_first_prompt_is_welcomed_and_the_second_is_not(client: Script) -> None:
    first, second = run(client, "hi"), run(client, "hi")
    assert text_of(first) == lessons.WELCOME
    assert text_of(second) == lessons.DEFAULT
    assert stop_reason(first) == "end_turn"


def test_texts_stream_in_many_chunks_of_one_message(client: Script) -> None:
    chunks = updates(run(client, "/help"))
    assert len(chunks) > 20
    assert len({chunk["messageId"] for chunk in chunks}) == 1


def test_pace_is_a_matter_of_the_clock(client: Script) -> None:
    client.call("session/set_config_option", {"sessionId": client.session, "configId": "pace", "value": "natural"})
    first = text_of(client.prompt("/help"))
    assert 0 < len(first) < 10
    assert answers(client.pass_time(0.5)) == []
    assert stop_reason(client.pass_time(30)) == "end_turn"


def test_think_and_plan(client: Script) -> None:
    thought = run(client, "/think")
    assert text_of(thought, "agent_thought_chunk") == lessons.THOUGHT
    plans = updates(run(client, "/plan"), "plan")
    assert [e["status"] for e in plans[0]["entries"]] == ["in_progress", *["pending"] * 3]
    assert [e["status"] for e in plans[-1]["entries"]] == ["completed"] * 4


@pytest.mark.parametrize(
    ("prompt", "shown"),
    [
        ("please be slow", "I count to 10"),
        ("slow 3 please", "I count to 3"),
        ("/slow 2", "I count to 2"),
        ("/slow nonsense", "I count to 10"),
        ("/slow 999999999999999999999", "I count to 600"),
        ("could you help me?", "| you type"),
        ("show me a form", "A form"),
    ],
)
def test_a_word_is_enough(client: Script, prompt: str, shown: str) -> None:
    messages = client.prompt(prompt) + client.pass_time(0.5)
    if shown == "A form":
        assert requests(messages)[0]["method"] == "elicitation/create"
    else:
        assert text_of(messages).startswith(shown)


# --- changing a file ------------------------------------------------------------------------------------


def start_edit(client: Script, prompt: str, *blocks: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """Up to the permission request, the file being read as `text`."""
    (read,) = requests(run(client, prompt, *blocks))
    assert read["method"] == "fs/read_text_file"
    return [read, *client.answer(read, {"content": text}), *client.pass_time(60)]


def test_edit_reads_asks_and_writes_what_it_showed(client: Script, project: Path) -> None:
    text = "one\nunsaved\n"
    read, *told = start_edit(client, "/edit notes.txt", text=text)
    path = str(project / "notes.txt")
    assert read["params"]["path"] == path
    (call,) = updates(told, "tool_call")
    (diff,) = call["content"]
    wanted = text + "The Tutor was here (edit 1). Press u to take this line back.\n"
    assert (diff["path"], diff["oldText"], diff["newText"]) == (path, text, wanted)
    assert call["locations"] == [{"path": path, "line": 3}]
    (ask,) = requests(told)
    assert ask["params"]["toolCall"]["toolCallId"] == call["toolCallId"]
    (write,) = requests(allow(client, ask))
    assert (write["method"], write["params"]["path"], write["params"]["content"]) == (
        "fs/write_text_file",
        path,
        wanted,
    )
    done = client.answer(write, {}) + client.pass_time(60)
    assert updates(done, "tool_call_update")[0]["status"] == "completed"
    assert [e["status"] for e in updates(done, "plan")[-1]["entries"]] == ["completed"] * 3
    assert "line 3 of `notes.txt`" in text_of(done)
    assert stop_reason(done) == "end_turn"
    assert (project / "notes.txt").read_text() == "one\ntwo\n"


@pytest.mark.parametrize(
    ("prompt", "mentioned"),
    [
        ("edit @notes.txt please", None),
        ('please change "my file.md".', None),
        ("improve sub/code.py", None),
        ("edit this", "sub/code.py"),
        ("/edit ", "my file.md"),
    ],
)
def test_the_file_a_prompt_names_is_the_one(client: Script, project: Path, prompt: str, mentioned: str | None) -> None:
    (project / "my file.md").write_text("# x\n")
    (project / "sub").mkdir()
    (project / "sub/code.py").write_text("x = 1\n")
    blocks = [resource(project / mentioned)] if mentioned else []
    expected = mentioned or next(n for n in ("notes.txt", "my file.md", "sub/code.py") if n in prompt)
    (read,) = requests(run(client, prompt, *blocks))
    assert read["params"]["path"] == str(project / expected)


@pytest.mark.parametrize("prompt", ["edit new.txt please", "/edit new.txt", "change @sub/new.txt, please"])
def test_a_file_that_only_a_buffer_has_is_asked_for(client: Script, project: Path, prompt: str) -> None:
    (read,) = requests(run(client, prompt))
    assert read["params"]["path"] == str(project / ("sub/new.txt" if "sub" in prompt else "new.txt"))


def test_a_link_is_as_good_as_the_text(client: Script, project: Path) -> None:
    link = {"type": "resource_link", "uri": (project / "notes.txt").as_uri(), "name": "notes.txt"}
    (read,) = requests(run(client, "edit ", link))
    assert read["params"]["path"] == str(project / "notes.txt")


def test_the_only_file_needs_no_name_and_several_do(client: Script, project: Path) -> None:
    (project / ".hidden").write_text("x")
    (project / "image.bin").write_bytes(b"\0\1")
    (read,) = requests(run(client, "edit something"))
    assert read["params"]["path"] == str(project / "notes.txt")
    client.cancel()
    (project / "other.txt").write_text("x")
    assert text_of(run(client, "/edit")) == lessons.NO_CHOICE
    (project / "README.md").write_text("x")
    (read,) = requests(run(client, "/edit"))
    assert read["params"]["path"] == str(project / "README.md")


def test_a_denial_fails_the_call_and_the_turn_goes_on(client: Script) -> None:
    ask = requests(start_edit(client, "/edit notes.txt", text="x\n"))[-1]
    messages = allow(client, ask, "reject")
    assert updates(messages, "tool_call_update")[0]["status"] == "failed"
    assert requests(messages) == []
    assert text_of(messages) == lessons.DENIED.format(name="notes.txt")
    assert stop_reason(messages) == "end_turn"


def test_always_and_auto_ask_no_more(client: Script) -> None:
    ask = requests(start_edit(client, "/edit notes.txt", text="x\n"))[-1]
    (write,) = requests(allow(client, ask, "always"))
    client.answer(write, {})
    client.pass_time(60)
    assert requests(start_edit(client, "/edit notes.txt", text="x\n"))[-1]["method"] == "fs/write_text_file"
    other = Script(Tutor())
    other.hello(cwd=client.server.session(client.session).cwd)
    other.call("session/set_mode", {"sessionId": other.session, "modeId": "auto"})
    assert requests(start_edit(other, "/edit notes.txt", text="x\n"))[-1]["method"] == "fs/write_text_file"


@pytest.mark.parametrize("step", ["read", "write"])
def test_a_refused_read_or_write_is_told(client: Script, step: str) -> None:
    if step == "read":
        (call,) = requests(run(client, "/edit gone.txt"))
    else:
        ask = requests(start_edit(client, "/edit notes.txt", text="x\n"))[-1]
        (call,) = requests(allow(client, ask))
    messages = client.refuse(call, -32603, "disk full") + client.pass_time(60)
    assert updates(messages, "tool_call_update")[0]["status"] == "failed"
    assert "That did not work: disk full" in text_of(messages)
    assert stop_reason(messages) == "end_turn"


def test_without_files_it_says_so(project: Path) -> None:
    script = Script(Tutor())
    script.hello({"fs": {"readTextFile": True}}, cwd=str(project))
    messages = run(script, "/edit notes.txt")
    assert requests(messages) == []
    assert "(fs.writeTextFile)" in text_of(messages)
    assert stop_reason(messages) == "end_turn"


def test_a_mentioned_file_is_read_and_described(client: Script, project: Path) -> None:
    (read,) = requests(run(client, "explain ", resource(project / "notes.txt")))
    messages = client.answer(read, {"content": "a b\nc"}) + client.pass_time(60)
    assert "`notes.txt` has 2 lines and 3 words" in text_of(messages)


CHANGES = {
    "plain": ("a.txt", "x\n", "x\n{}\n"),
    "no last newline": ("a.txt", "x", "x\n{}"),
    "empty": ("a.txt", "", "{}\n"),
    "python": ("a.py", "x = 1\n", "x = 1\n# {}\n"),
    "javascript": ("a.js", "x\n", "x\n// {}\n"),
    "html": ("a.html", "<p>\n", "<p>\n<!-- {} -->\n"),
    "carriage returns": ("a.txt", "x\r\ny\r\n", "x\r\ny\r\n{}\r\n"),
    "no extension": ("LICENSE", "x\n", "x\n{}\n"),
    "by name": ("Makefile", "x:\n", "x:\n# {}\n"),
}


@pytest.mark.parametrize(("path", "before", "after"), CHANGES.values(), ids=CHANGES.keys())
def test_the_remark_fits_the_file(path: str, before: str, after: str) -> None:
    first = remark.change(path, before)
    assert first is not None
    line = "The Tutor was here (edit {}). Press u to take this line back."
    assert first.new == after.format(line.format(1))
    second = remark.change(path, first.new)
    assert second is not None
    assert second.new == first.new.replace("(edit 1)", "(edit 2)")
    assert second.line == first.line


@pytest.mark.parametrize("path", ["a.json", "a.csv", "poetry.lock"])
def test_a_file_without_remarks_is_left_alone(path: str) -> None:
    assert remark.change(path, "{}\n") is None


# --- permission, terminal, form, cancel -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("option", "kind", "status"),
    [
        ("allow", "allow_once", "completed"),
        ("always", "allow_always", "completed"),
        ("reject", "reject_once", "failed"),
        ("never", "reject_always", "failed"),
    ],
)
def test_every_answer_to_the_question_is_told(client: Script, option: str, kind: str, status: str) -> None:
    *_, ask = run(client, "/permission")
    messages = allow(client, ask, option)
    assert updates(messages, "tool_call_update")[0]["status"] == status
    assert text_of(messages) == lessons.ANSWERS[kind]


def test_terminal_is_asked_for_embedded_waited_for_and_released(client: Script, project: Path) -> None:
    ask = requests(run(client, "/terminal make test"))[-1]
    (create,) = requests(allow(client, ask))
    assert create["params"]["command"] == "sh"
    assert create["params"]["args"] == ["-c", "make test"]
    assert create["params"]["cwd"] == str(project)
    told = client.answer(create, {"terminalId": "t1"})
    assert updates(told, "tool_call_update")[0]["content"] == [{"type": "terminal", "terminalId": "t1"}]
    (output,) = requests(client.answer(requests(told)[0], {"exitCode": 3, "signal": None}))
    (release,) = requests(client.answer(output, {"output": "x", "truncated": False}))
    assert release["method"] == "terminal/release"
    done = client.answer(release, {}) + client.pass_time(60)
    assert updates(done, "tool_call_update")[0]["status"] == "failed"
    assert "ended with status 3" in text_of(done)


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"action": "accept", "content": {"name": "Ann", "keys": 3}}, "You answered: name = Ann, keys = 3."),
        ({"action": "decline"}, "You declined"),
        ({"action": "cancel"}, "You declined"),
    ],
)
def test_form(client: Script, result: dict[str, Any], said: str) -> None:
    (ask,) = requests(run(client, "/form"))
    messages = client.answer(ask, result) + client.pass_time(60)
    assert text_of(messages).startswith(said)


@pytest.mark.parametrize(("command", "what"), [("/terminal", "terminal"), ("/form", "elicitation.form")])
def test_what_the_editor_lacks_is_said(project: Path, command: str, what: str) -> None:
    script = Script(Tutor())
    script.hello({}, cwd=str(project))
    messages = run(script, command)
    assert f"({what})" in text_of(messages)
    assert stop_reason(messages) == "end_turn"


def test_slow_counts_and_can_be_cancelled(client: Script) -> None:
    messages = client.prompt("/slow 30") + client.pass_time(3.5)
    assert text_of(messages).endswith("1 2 3 ")
    messages = client.cancel()
    assert updates(messages, "tool_call_update")[0]["status"] == "failed"
    assert "Stopped at 3 of 30" in text_of(messages)
    assert stop_reason(messages) == "cancelled"
    assert text_of(run(client, "/slow 2")).rstrip().endswith("in Normal mode here.")


@pytest.mark.parametrize("command", ["/edit notes.txt", "/permission", "/help", "/plan", "/form", "/terminal"])
def test_every_show_can_be_cancelled_wherever_it_waits(client: Script, command: str) -> None:
    client.call("session/set_config_option", {"sessionId": client.session, "configId": "pace", "value": "slow"})
    messages = client.prompt(command) + client.pass_time(0.2)
    assert answers(messages) == []
    opened = [u["toolCallId"] for u in updates(messages, "tool_call")]
    messages = client.cancel()
    assert stop_reason(messages) == "cancelled"
    closed = [u["toolCallId"] for u in updates(messages, "tool_call_update") if u["status"] == "failed"]
    assert closed == opened
    assert client.pass_time(60) == []


# --- as a process ---------------------------------------------------------------------------------------


def test_a_whole_conversation_with_the_process(start: Callable[..., Process], project: Path) -> None:
    agent = start(MODULE, cwd=str(project))
    opened, _ = agent.until_answer(
        agent.call("initialize", {"protocolVersion": 1, "clientCapabilities": ALL}),
    )
    assert opened["result"]["agentInfo"]["name"] == "tutor"
    opened, _ = agent.until_answer(agent.call("session/new", {"cwd": str(project), "mcpServers": []}))
    session = opened["result"]["sessionId"]
    written: list[str] = []

    def serve(request: dict[str, Any]) -> Any:
        params = request["params"]
        if request["method"] == "fs/read_text_file":
            return {"content": Path(params["path"]).read_text()}
        if request["method"] == "fs/write_text_file":
            written.append(params["content"])
            return {}
        return {"outcome": {"outcome": "selected", "optionId": "allow"}}

    agent.until_answer(
        agent.call("session/set_config_option", {"sessionId": session, "configId": "pace", "value": "instant"})
    )
    prompt = [{"type": "text", "text": "edit notes.txt"}]
    answer, seen = agent.until_answer(agent.call("session/prompt", {"sessionId": session, "prompt": prompt}), serve)
    assert answer["result"] == {"stopReason": "end_turn"}
    assert written == ["one\ntwo\nThe Tutor was here (edit 1). Press u to take this line back.\n"]
    assert "is mine" in text_of(seen)

    prompt = [{"type": "text", "text": "/slow 60"}]
    ident = agent.call("session/prompt", {"sessionId": session, "prompt": prompt})
    while "count to 60" not in str(agent.message()).lower():
        pass
    agent.send({"method": "session/cancel", "params": {"sessionId": session}})
    answer, _ = agent.until_answer(ident)
    assert answer["result"] == {"stopReason": "cancelled"}
    assert agent.close() == 0


def test_the_project_cannot_put_its_own_modules_in(start: Callable[..., Process], tmp_path: Path) -> None:
    for name in ("json.py", "msgspec.py", "tpy.py"):
        (tmp_path / name).write_text("open('OWNED', 'w')\n")
    agent = start(MODULE, cwd=str(tmp_path))
    agent.until_answer(agent.call("initialize", {"protocolVersion": 1}))
    assert agent.close() == 0
    assert not (tmp_path / "OWNED").exists()


def test_end_of_input_ends_it_even_in_a_turn(start: Callable[..., Process], project: Path) -> None:
    agent = start(MODULE, cwd=str(project))
    agent.until_answer(agent.call("initialize", {"protocolVersion": 1}))
    opened, _ = agent.until_answer(agent.call("session/new", {"cwd": str(project), "mcpServers": []}))
    prompt = [{"type": "text", "text": "/slow 600"}]
    agent.call("session/prompt", {"sessionId": opened["result"]["sessionId"], "prompt": prompt})
    agent.message()
    assert agent.close() == 0


def test_a_reader_that_stops_does_not_stop_it_from_ending(start: Callable[..., Process], project: Path) -> None:
    agent = start(MODULE, cwd=str(project))
    agent.until_answer(agent.call("initialize", {"protocolVersion": 1}))
    opened, _ = agent.until_answer(agent.call("session/new", {"cwd": str(project), "mcpServers": []}))
    session = opened["result"]["sessionId"]
    agent.call("session/set_config_option", {"sessionId": session, "configId": "pace", "value": "instant"})
    big = {"type": "text", "text": "/markdown"}
    for _ in range(60):
        agent.call("session/prompt", {"sessionId": session, "prompt": [big]})
    assert agent.close() == 0
