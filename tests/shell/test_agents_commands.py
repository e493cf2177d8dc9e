"""`tpy agents init`, `list` and `trace`, as real processes (spec AGENTS §2; CASES D)."""

from __future__ import annotations

import json
import subprocess

import pytest
from click.testing import CliRunner
from tests.shell.conftest import Shell, agent

from tpy.acp import config, trace
from tpy.acp.shell import agents

# --- init -----------------------------------------------------------------------------------------------


def test_init_says_where_and_what_next(shell: Shell) -> None:
    (shell.bin / "gemini").symlink_to("/bin/true")
    done = shell.tpy("agents", "init")
    assert done.returncode == 0
    path = config.project_file(str(shell.project))
    assert done.stdout == f"Wrote {path} with Gemini\nNext: tpy agents check, or in the editor :agent Gemini\n"
    assert [e.name for e in config.load(str(shell.project), shell.environ).entries] == ["Gemini"]
    # What our own init wrote is approved: the check starts it.
    assert "approved by you" in shell.tpy("agents", "check", "--fast", "Gemini").stdout


def test_init_for_the_user_and_for_one_agent(shell: Shell) -> None:
    done = shell.tpy("agents", "init", "--user", "--agent", "codex")
    assert done.returncode == 0
    assert done.stdout.startswith("Wrote ~/.config/turbo-python/acp.toml with Codex\n")
    assert [e.command for e in config.load(str(shell.project), shell.environ).entries] == ["codex-acp"]


def test_d11_init_twice_refuses_names_the_file_and_the_way(shell: Shell) -> None:
    path = shell.project_file("# mine\n")
    done = shell.tpy("agents", "init")
    assert done.returncode != 0
    assert done.stderr == f"{path} is there already and was left alone; --force replaces it\n"
    assert path.read_text() == "# mine\n"
    assert shell.tpy("agents", "init", "--force").returncode == 0
    assert "Agents for tpy" in path.read_text()


def test_init_of_an_agent_nobody_knows(shell: Shell) -> None:
    done = shell.tpy("agents", "init", "--agent", "Nobody")
    assert done.returncode == 2
    assert done.stderr.startswith("Nobody is none of the known agents: Claude,")
    assert not (shell.project / ".turbo-python").exists()


def test_init_where_nothing_can_be_written(shell: Shell) -> None:
    (shell.project / ".turbo-python").write_text("a file\n")
    done = shell.tpy("agents", "init")
    assert done.returncode == 1
    assert done.stderr.startswith("writing ")
    assert "Traceback" not in done.stderr


# --- list -----------------------------------------------------------------------------------------------


def test_list_json_has_the_promised_form(shell: Shell) -> None:
    user = shell.user(agent("main", "good") + agent("mine", "m", more='cwd = "sub"\nenv = { KEY = "s3cr3t-value" }'))
    project = shell.project_file(agent("main", "other", "--x"))
    done = shell.tpy("agents", "list", "--json")
    assert done.returncode == 0
    rows = json.loads(done.stdout)
    assert rows[0] == {
        "name": "main",
        "command": "other",
        "args": ["--x"],
        "env": [],
        "cwd": str(shell.project),
        "source": str(project),
        "trusted": False,
    }
    assert rows[1] == {
        "name": "mine",
        "command": "m",
        "args": [],
        "env": ["KEY"],
        "cwd": str(shell.project / "sub"),
        "source": str(user),
        "trusted": True,
    }
    assert (rows[2]["name"], rows[2]["source"]) == ("Tutor", "built in")
    assert "s3cr3t" not in done.stdout


def test_list_tells_where_each_value_came_from(shell: Shell) -> None:
    shell.user(agent("mine", "m", "a b", more='env = { KEY = "s3cr3t-value" }\ntimeout = 5'))
    lines = shell.tpy("agents", "list").stdout.splitlines()
    assert lines[0] == "mine"
    values = {line.split()[0]: line.split()[1:] for line in lines[1:6]}
    assert values["command"] == ["m", "~/.config/turbo-python/acp.toml"]
    assert values["args"] == ['"a', 'b"', "~/.config/turbo-python/acp.toml"]
    assert values["env"] == ["KEY", "~/.config/turbo-python/acp.toml"]
    assert values["cwd"] == [str(shell.project), "default:", "the", "project"]
    assert values["timeout"] == ["(set)", "~/.config/turbo-python/acp.toml"]
    assert "Turbo Python refuses a file with timeout" in lines[6]
    assert "s3cr3t" not in "".join(lines)


def test_d04_list_shows_the_good_file_and_says_what_is_wrong_with_the_other(shell: Shell) -> None:
    shell.user(agent("a", "x") + "zzz = 1\n")
    shell.project_file(agent("c", "y"))
    done = shell.tpy("agents", "list", "--json")
    assert done.returncode == 2
    assert [row["name"] for row in json.loads(done.stdout)] == ["c", "Tutor"]
    assert done.stderr == "reading ~/.config/turbo-python/acp.toml: agent.zzz is not a key this file has\n"


# --- trace ----------------------------------------------------------------------------------------------


def test_trace_is_shown_and_drives_no_terminal(shell: Shell) -> None:
    path = shell.project / "t"
    line = json.dumps({"jsonrpc": "2.0", "method": "x/note", "params": {"a": 1}})
    path.write_text(trace.format_head(0.0, "Bob", "<-") + line + "\n" + "\x1b[2Jjunk\n")
    done = shell.tpy("agents", "trace", "t")
    assert done.returncode == 0
    assert done.stdout == '00:00:00.000 Bob <- x/note {"a": 1}\n? ^[[2Jjunk\n'


def test_trace_of_no_file_is_a_wrong_call(shell: Shell) -> None:
    done = shell.tpy("agents", "trace", "gone")
    assert (done.returncode, done.stderr) == (2, "reading gone: No such file or directory\n")


def test_a_reader_that_leaves_early_makes_no_noise(shell: Shell) -> None:
    path = shell.project / "t"
    line = trace.format_head(0.0, "Bob", "<-") + '{"jsonrpc":"2.0","method":"x"}\n'
    path.write_text(line * 20000)
    command = f"{shell.tpy_script} agents trace t | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command], cwd=shell.project, env=shell.environ, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "00:00:00.000 Bob <- x\n"
    assert "Traceback" not in done.stderr


# --- the call itself ------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [["nonsense"], ["check", "--nonsense"], ["trace"], ["check", "--"]])
def test_a_wrong_call_is_status_2(args: list[str]) -> None:
    result = CliRunner().invoke(agents, args)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize("name", ["init", "list", "check", "trace"])
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(agents, [name, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: agents {name}")


def test_help_version_and_a_wrong_option(shell: Shell) -> None:
    assert "tpy agents init|check|list|trace" in shell.tpy("--help").stdout
    assert shell.tpy("--version").stdout == "tpy 0.1.0\n"
    wrong = shell.tpy("-z")
    assert (wrong.returncode, wrong.stderr) == (1, 'tpy: unknown option: "-z" in "-z". See tpy --help\n')
    assert shell.tpy("completion", "tcsh").returncode == 2


@pytest.mark.parametrize("args", [["-R", "notes.txt"], ["+12", "notes.txt"], ["--clean"]])
def test_editing_without_a_terminal_says_so(shell: Shell, args: list[str]) -> None:
    done = subprocess.run(
        [str(shell.tpy_script), *args], cwd=shell.project, env=shell.environ, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=60, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "tpy needs a terminal: neither its input nor its output is one\n"
