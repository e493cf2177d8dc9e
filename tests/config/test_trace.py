"""The trace: what is written, what is never written, what breaks nothing, reading back (spec AGENTS §11)."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from tpy.acp import trace
from tpy.acp.trace import RECEIVED, SENT, Trace

NOON = 1_780_000_000.25


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def test_lines_hold_time_agent_direction_and_message(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    log = Trace(str(path), lambda: NOON)
    log.record("Bob", SENT, b'{"jsonrpc":"2.0","id":0,"method":"initialize"}\n')
    log.record("my agent", RECEIVED, "banner é".encode())
    log.close()
    assert lines(path) == [
        '2026-05-28T20:26:40.250Z Bob -> {"jsonrpc":"2.0","id":0,"method":"initialize"}',
        "2026-05-28T20:26:40.250Z my%20agent <- banner é",
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_appends_and_closes_an_open_mode(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_text("before\n")
    path.chmod(0o644)
    log = Trace.from_environment({"TURBO_ACP_TRACE": str(path)})
    log.record("Bob", SENT, b"{}")
    assert lines(path)[0] == "before"
    assert len(lines(path)) == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "message",
    [
        {"params": {"env": [{"name": "K", "value": "s3cr3t"}], "command": "x"}},
        {"params": {"mcpServers": [{"env": [{"name": "K", "value": "s3cr3t"}]}]}},
        {"result": {"authMethods": [{"env": {"K": "s3cr3t"}}]}},
        {"params": {"mcpServers": [{"headers": [{"name": "K", "value": "s3cr3t"}]}]}},
    ],
)
def test_values_of_env_are_never_written(tmp_path: Path, message: dict[str, object]) -> None:
    path = tmp_path / "trace"
    log = Trace(str(path), lambda: NOON)
    text = json.dumps(message)
    log.tap("Bob")(True, text.encode())
    log.record("Bob", SENT, text.replace('"env"', '"\\u0065nv"').replace('"headers"', '"\\u0068eaders"').encode())
    written = path.read_text()
    assert "s3cr3t" not in written
    assert written.count(trace.HIDDEN) == 2
    assert "K" in written
    assert all("s3cr3t" not in record.line for record in log.recent("Bob"))


def test_a_line_without_secrets_is_as_on_the_wire() -> None:
    line = b'{ "odd" :  "spacing \\u00e9", "environment": 1}'
    assert trace.without_secrets(line) is line


def test_stray_lines_are_cut_and_messages_are_not(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    log = Trace(str(path), lambda: NOON)
    log.record("Bob", RECEIVED, b"x" * (2 * trace.LONGEST_STRAY_LINE))
    log.record("Bob", RECEIVED, b'{"' + b"y" * (2 * trace.LONGEST_STRAY_LINE) + b'":1}')
    first, second = lines(path)
    assert first.count("x") == trace.LONGEST_STRAY_LINE
    assert second.count("y") == 2 * trace.LONGEST_STRAY_LINE


@pytest.mark.parametrize("kind", ["directory", "missing directory", "fifo", "NUL"])
def test_a_file_that_cannot_be_opened_means_no_trace(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x"
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    name = {"missing directory": str(path / "y"), "NUL": "a\0b"}.get(kind, str(path))
    log = Trace(name, lambda: NOON)
    log.record("Bob", SENT, b"{}")
    assert [r.line for r in log.recent("Bob")] == ["{}"]


def test_a_disk_that_is_full_ends_the_trace_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = Trace(str(tmp_path / "trace"), lambda: NOON)

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        log.record("Bob", SENT, b"{}")
    log.record("Bob", SENT, b"{}")
    assert len(log.recent("Bob")) == 2
    assert (tmp_path / "trace").read_text() == ""


def test_memory_is_bounded() -> None:
    log = Trace("", lambda: NOON)
    for _ in range(2000):
        log.record("Bob", RECEIVED, b"z" * 100_000)
    kept = log.recent("Bob")
    assert sum(len(record.line) for record in kept) <= 3 * 1024 * 1024
    assert kept[-1].line == "z" * 65536


def test_reading_back_matches_requests_and_answers() -> None:
    def line(second: float, direction: str, message: object) -> str:
        text = message if isinstance(message, str) else json.dumps(message)
        return trace.format_head(NOON + second, "Bob", direction) + text + "\n"

    ask = {"jsonrpc": "2.0", "id": 0, "method": "session/new", "params": {"cwd": "/p", "mcpServers": []}}
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hi\x1b[2J"}}
    text = list(
        trace.readable(
            [
                line(0, SENT, ask),
                line(0.5, RECEIVED, {"jsonrpc": "2.0", "id": 0, "result": {"sessionId": "s1"}}),
                line(1, RECEIVED, {"jsonrpc": "2.0", "method": "session/update", "params": {"update": update}}),
                line(1, RECEIVED, {"jsonrpc": "2.0", "id": 0, "method": "x/y"}),
                line(2, SENT, {"jsonrpc": "2.0", "id": 0, "error": {"code": -32601, "message": "no"}}),
                line(2, RECEIVED, "loading\x1b[31m"),
                "not a line of ours\n",
            ]
        )
    )
    assert text == [
        '20:26:40.250 Bob -> session/new #0 {"cwd": "/p", "mcpServers": []}',
        '20:26:40.750 Bob <- answer #0 to session/new after 500 ms: {"sessionId": "s1"}',
        '20:26:41.250 Bob <- session/update agent_message_chunk "hi\\u001b[2J"',
        "20:26:41.250 Bob <- x/y #0",
        '20:26:42.250 Bob -> answer #0 to x/y after 1000 ms: error {"code": -32601, "message": "no"}',
        "20:26:42.250 Bob <- no message: loading^[[31m",
        "? not a line of ours",
    ]


@pytest.mark.parametrize("name", ["Bob", "my agent", "100%", "tab\there", "ünï", "%zz"])
def test_names_survive(name: str) -> None:
    record = trace.parse_line(trace.format_head(NOON, name, SENT) + "{}")
    assert record == (NOON, name, SENT, "{}")
