"""Every message an agents file can earn, as data (spec AGENTS §1, CASES D-01 … D-04)."""

from __future__ import annotations

import pytest

from tpy.acp import config
from tpy.acp.agententry import ConfigError

ONE = '[[agent]]\nname = "one"\ncommand = "x"\n'
FILE = "~/p/.turbo-python/acp.toml"

MESSAGES = {
    # The exact ones of the specification.
    "no name": ('[[agent]]\ncommand = "x"\n', "agent 1 has no name"),
    "an empty name": ('[[agent]]\nname = ""\ncommand = "x"\n', "agent 1 has no name"),
    "the second has no name": (ONE + '[[agent]]\ncommand = "y"\n', "agent 2 has no name"),
    "no command": ('[[agent]]\nname = "Bob"\n', 'agent "Bob" has no command'),
    "an empty command": ('[[agent]]\nname = "Bob"\ncommand = ""\n', 'agent "Bob" has no command'),
    "one name twice": (ONE + ONE, 'two agents are called "one"'),
    # Misspelt keys: D-02.
    "agent.comand": (
        '[[agent]]\nname = "Bob"\ncomand = "x"\n',
        'agent.comand is not a key this file has. Did you mean "command"?',
    ),
    "args_": (ONE + "args_ = []\n", 'agent.args_ is not a key this file has. Did you mean "args"?'),
    "Name": ('[[agent]]\nName = "x"\n', 'agent.Name is not a key this file has. Did you mean "name"?'),
    "no key is near": (ONE + "zzz = 1\n", "agent.zzz is not a key this file has"),
    "top level": (
        'defualt = "one"\n',
        'defualt is not a key this file has. Did you mean "defaults", inside an [[agent]] block?',
    ),
    "agents": ("[[agents]]\n", 'agents is not a key this file has. Did you mean "agent"?'),
    "a top key like none": ("zzz = 1\n", "zzz is not a key this file has"),
    "inside mcp": (
        ONE + '[[agent.mcp]]\nname = "m"\ncomand = "x"\n',
        'agent.mcp.comand is not a key this file has. Did you mean "command"?',
    ),
    # Wrong types: D-04.
    "[agent]": ('[agent]\nname = "x"\n', "agent must be blocks headed [[agent]], not a table"),
    "agent = []": ("agent = [1]\n", "agent must be blocks headed [[agent]], not a list"),
    "name": ("[[agent]]\nname = 5\n", "agent 1: name must be a string, not an integer"),
    "command": (
        '[[agent]]\nname = "b"\ncommand = 5\n',
        'agent "b": command must be a string, not an integer',
    ),
    "args": (ONE + 'args = "x"\n', 'agent "one": args must be a list of strings, not a string'),
    "args item": (
        ONE + 'args = ["a", 1]\n',
        'agent "one": args must be a list of strings; item 2 is an integer',
    ),
    "env": (ONE + "env = []\n", 'agent "one": env must be a table of strings, not a list'),
    "env value": (ONE + "env = {A = true}\n", 'agent "one": env.A must be a string, not a boolean'),
    "cwd": (ONE + "cwd = 1979-05-27\n", 'agent "one": cwd must be a string, not a date or time'),
    "NUL": (ONE + 'cwd = "a\\u0000b"\n', 'agent "one": cwd must not contain a NUL character'),
    "protocol": (ONE + "protocol = 3\n", 'agent "one": protocol must be 1 or 2, not 3'),
    "protocol boolean": (ONE + "protocol = true\n", 'agent "one": protocol must be 1 or 2, not a boolean'),
    "timeout": (
        ONE + 'timeout = "5"\n',
        'agent "one": timeout must be a number of seconds, not a string',
    ),
    "timeout 0": (
        ONE + "timeout = nan\n",
        'agent "one": timeout must be a number of seconds between 0 and 86400',
    ),
    "defaults": (
        ONE + "defaults = {mode = 1}\n",
        'agent "one": defaults.mode must be a string or a boolean, not an integer',
    ),
    "roots": (ONE + "roots = [2]\n", 'agent "one": roots must be a list of strings; item 1 is an integer'),
    "mcp": (ONE + "mcp = {}\n", 'agent "one": mcp must be blocks headed [[agent.mcp]], not a table'),
    "mcp without name": (ONE + "[[agent.mcp]]\n", 'agent "one": MCP server 1 has no name'),
    "mcp without command": (
        ONE + '[[agent.mcp]]\nname = "m"\n',
        'agent "one": MCP server "m" has no command',
    ),
    "mcp without url": (
        ONE + '[[agent.mcp]]\nname = "m"\ntype = "http"\n',
        'agent "one": MCP server "m" has no url',
    ),
    "mcp of an unknown type": (
        ONE + '[[agent.mcp]]\nname = "m"\ntype = "ws"\n',
        'agent "one": mcp.type must be "http" or "sse", not "ws"',
    ),
    # Twice: D-03.
    "top key twice": ("x = 1\nx = 2\n", "line 2, column 6: x is there twice"),
    "command twice": (ONE + 'command = "y"\n', "agent 1: line 4, column 14: command is there twice"),
    "env dotted and as a table": (
        ONE + 'env.A = "1"\n[agent.env]\nB = "2"\n',
        "agent 1: line 5, column 11: agent.env is there twice",
    ),
    # Not TOML at all: D-01, D-04.
    "a mark in the middle": (
        ONE + "\ufeff" + ONE,
        "agent 1: line 4, column 1: invalid statement, at the character U+FEFF ZERO WIDTH NO-BREAK SPACE",
    ),
    "no value": (ONE + "cwd =\n", "agent 1: line 4, column 6: invalid value"),
    "an open string": (ONE + 'cwd = "un', "agent 1: line 4, column 10: unterminated string"),
}


@pytest.mark.parametrize(("text", "problem"), MESSAGES.values(), ids=MESSAGES.keys())
def test_message_is_exact(text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config.parse(text.encode(), FILE)
    assert str(caught.value) == f"reading {FILE}: {problem}"


def test_bad_utf8_names_line_column_and_byte() -> None:
    with pytest.raises(ConfigError) as caught:
        config.parse(b'[[agent]]\nname = "caf\xe9"\n', FILE)
    assert str(caught.value) == (
        f"reading {FILE}: agent 1: line 2, column 12: the byte 0xe9 is not UTF-8. Save the file as UTF-8"
    )


@pytest.mark.parametrize("end", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_d01_byte_order_mark_is_accepted(end: bytes) -> None:
    data = b"\xef\xbb\xbf" + b'[[agent]]\nname = "one"\ncommand = "x"\n'.replace(b"\n", end)
    (entry,) = config.parse(data, FILE)
    assert (entry.name, entry.command) == ("one", "x")


def test_first_problem_in_file_order_wins() -> None:
    with pytest.raises(ConfigError, match="agent 1 has no name"):
        config.parse(b'[[agent]]\ncommand = "x"\n[[agent]]\nname = "b"\nzzz = 1\n', FILE)


def test_no_message_holds_the_value_of_a_variable() -> None:
    with pytest.raises(ConfigError) as caught:
        config.parse((ONE + 'env = {KEY = "s3cr3t", OTHER = 1}\n').encode(), FILE)
    assert "s3cr3t" not in str(caught.value)


def test_every_key_is_read() -> None:
    text = """
        [[agent]]
        name = "all"
        command = "~/bin/agent"
        args = ["--root", "$HOME/x", "a~b"]
        cwd = "sub"
        protocol = 2
        timeout = 5
        roots = ["~/other"]
        defaults = { mode = "ask", web = true }
        [agent.env]
        KEY = "v"
        [[agent.mcp]]
        name = "files"
        command = "mcp-files"
        args = ["."]
        env = { A = "b" }
        [[agent.mcp]]
        name = "web"
        type = "http"
        url = "https://example.com/mcp"
        headers = { Authorization = "x" }
    """
    (entry,) = config.parse(text.encode(), FILE, source="/f", from_project=True)
    assert entry.args == ("--root", "$HOME/x", "a~b")
    assert (entry.command, entry.cwd, entry.env) == ("~/bin/agent", "sub", {"KEY": "v"})
    assert (entry.protocol, entry.timeout, entry.roots) == (2, 5.0, ("~/other",))
    assert entry.defaults == {"mode": "ask", "web": True}
    assert [(s.name, s.type, s.command or s.url) for s in entry.mcp] == [
        ("files", "stdio", "mcp-files"),
        ("web", "http", "https://example.com/mcp"),
    ]
    assert set(entry.own_keys) == {"mcp", "defaults", "protocol", "timeout", "roots"}
    assert entry.project_file
    assert "v" not in repr(entry).split("env=")[1].split("]")[0].replace("KEY", "")
