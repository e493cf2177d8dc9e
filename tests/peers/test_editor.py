"""The example agents of the official SDKs, beside a file in the real editor."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness import Editor
from processes import alive, left_after
from starting import Start, ready

pytestmark = pytest.mark.peers
TITLE = "Modifying critical configuration file"
BEGUN = "Let me start by reading some files"


@pytest.fixture
def beside(tpy: Start, peers: dict[str, list[str]]) -> Callable[[str], Editor]:
    """Start an editor with a file and one of the agents, ready for a prompt."""

    def start(name: str) -> Editor:
        tpy.agent(name, command=peers[name])
        tpy.file("a.txt", "one\ntwo\n")
        editor = ready(tpy("a.txt", size=(160, 40), timeout=60))
        editor.keys(f":agent {name}<CR>")
        editor.wait(f"{name}  idle")
        return editor

    return start


def leave(editor: Editor, command: str = "qa") -> None:
    """Leave the editor; nothing it started is there afterwards."""
    pids = [editor.pid, *editor.children()]
    assert len(alive(pids)) >= 2
    editor.keys("<Esc>")
    editor.keys(f":{command}<CR>")
    assert editor.exit_status() == 0
    assert left_after(pids) == []


def to_permission(editor: Editor) -> None:
    """Send a prompt and wait for the question."""
    editor.keys("please do it<CR>")
    editor.wait(BEGUN)
    editor.wait(f"ts-example asks: {TITLE} (:allow / :deny)")


def test_py_echo_answers(beside: Callable[[str], Editor]) -> None:
    editor = beside("py-echo")
    editor.keys("héllo @a.txt 日本<CR>")
    editor.wait("Client sent:")
    editor.wait(lambda e: e.text.count("日本") == 2)
    editor.keys("again<CR>")
    editor.wait(lambda e: e.text.count("Client sent:") == 2)
    editor.wait("py-echo  idle")
    editor.keys("<Esc>:agentstatus<CR>")
    editor.wait("Example Agent 0.1.0")
    leave(editor)


def test_ts_example_allowed(beside: Callable[[str], Editor]) -> None:
    editor = beside("ts-example")
    to_permission(editor)
    assert "Reading project files" in editor.text
    editor.keys("<Esc>:allow<CR>")
    editor.wait("Perfect! I've successfully updated the configuration.")
    editor.wait("ts-example  idle")
    leave(editor)


def test_ts_example_denied(beside: Callable[[str], Editor]) -> None:
    editor = beside("ts-example")
    to_permission(editor)
    editor.keys("<Esc>:deny<CR>")
    editor.wait("I understand you prefer not to make that change.")
    editor.wait("ts-example  idle")
    leave(editor)


def test_ts_example_cancelled_in_mid_answer(beside: Callable[[str], Editor]) -> None:
    editor = beside("ts-example")
    editor.keys("please do it<CR>")
    editor.wait(BEGUN)
    editor.keys("<Esc>:q<CR>")
    editor.wait("E948")
    editor.keys(":cancel<CR>")
    editor.wait("The turn ended: cancelled")
    editor.keys("inow again<CR>")
    editor.wait(lambda e: e.text.count("Let me start") == 2)
    leave(editor, "qa!")


def test_ts_example_cancelled_in_mid_permission(beside: Callable[[str], Editor]) -> None:
    editor = beside("ts-example")
    to_permission(editor)
    editor.keys("<Esc>:cancel<CR>")
    editor.wait("The turn ended: cancelled")
    editor.wait("ts-example  idle")
    leave(editor)


@pytest.mark.parametrize("name", ["py-echo", "ts-example"])
def test_agentclose_leaves_nothing(beside: Callable[[str], Editor], name: str) -> None:
    editor = beside(name)
    pids = editor.children()
    editor.keys("hello<CR>")
    editor.wait("Client sent:" if name == "py-echo" else BEGUN)
    editor.keys("<Esc>:agentclose!<CR>")
    editor.wait(lambda e: name not in e.text)
    assert left_after(pids) == []
    editor.keys(":qa<CR>")
    assert editor.exit_status() == 0
