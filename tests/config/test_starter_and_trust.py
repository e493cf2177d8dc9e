"""The starter file and the memory of approvals (spec AGENTS §2, §10; CASES D-06, D-11)."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tpy.acp import config, known, starter, trust
from tpy.acp.agententry import AgentEntry


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("gemini", "claude", "docker"):
        (tools / name).write_text("#!/bin/sh\n")
        (tools / name).chmod(0o755)
    return {"HOME": str(tmp_path / "home"), "PATH": str(tools)}


@pytest.fixture
def project(tmp_path: Path) -> str:
    path = tmp_path / "project"
    path.mkdir()
    return str(path)


def uncommented(text: str) -> str:
    """The starter as a user would make it who wants every agent."""
    body = text.split("\n\n", 1)[1]
    rows = []
    for line in body.split("\n"):
        bare = line.removeprefix("# ")
        rows.append(bare if bare.startswith(("[[", "name =", "command =", "args =")) else line)
    return "\n".join(rows)


def test_found_agents_are_active_and_the_rest_commented(environ: dict[str, str]) -> None:
    text = starter.starter_text(environ)
    active = config.parse(text.encode(), "f")
    assert [(e.name, e.command, e.args) for e in active] == [("Gemini", "gemini", ("--acp",))]
    everything = config.parse(uncommented(text).encode(), "f")
    assert {e.name for e in everything} == {row.name for row in known.known_agents()}
    assert all(e.own_keys == () for e in everything)


def test_nothing_found_still_reads_back(environ: dict[str, str]) -> None:
    text = starter.starter_text({**environ, "PATH": "/nowhere"})
    assert config.parse(text.encode(), "f") == []
    assert "None of the agents below was found in PATH" in text


def test_one_agent_alone(environ: dict[str, str]) -> None:
    (entry,) = config.parse(starter.starter_text(environ, "claude").encode(), "f")
    assert (entry.name, entry.command) == ("Claude", "claude-agent-acp")
    with pytest.raises(LookupError, match="Nobody is none of the known agents: Claude, Codex"):
        starter.starter_text(environ, "Nobody")


def test_adapter_and_agent_are_told_apart(environ: dict[str, str]) -> None:
    assert known.missing_program_hint("claude-agent-acp", environ) == (
        "claude is there, its adapter claude-agent-acp is not; "
        "install it: npm install -g @agentclientprotocol/claude-agent-acp"
    )
    assert known.missing_program_hint("codex-acp", environ).startswith("install it: npm install")
    assert known.missing_program_hint("something-else", environ) == ""


def test_init_writes_and_approves_what_it_wrote(project: str, environ: dict[str, str]) -> None:
    path = starter.init(project, environ)
    assert path == os.path.join(project, ".turbo-python", "acp.toml")
    (entry,) = config.load(project, environ).entries
    assert trust.is_trusted(entry, project, environ)
    assert not trust.is_trusted(entry._replace(args=("--other",)), project, environ)


@pytest.mark.parametrize("before", ["", "# mine\n"], ids=["empty", "full"])
def test_d11_init_never_overwrites_without_force(project: str, environ: dict[str, str], before: str) -> None:
    path = Path(config.project_file(project))
    path.parent.mkdir()
    path.write_text(before)
    path.chmod(0o640)
    with pytest.raises(starter.StarterExists):
        starter.init(project, environ)
    assert path.read_text() == before
    starter.init(project, environ, force=True)
    assert path.read_text() == starter.starter_text(environ)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [p.name for p in path.parent.iterdir()] == ["acp.toml"]


def test_d11_a_forced_write_goes_through_the_link(project: str, environ: dict[str, str], tmp_path: Path) -> None:
    shared = tmp_path / "shared.toml"
    shared.write_text("# shared\n")
    path = Path(config.project_file(project))
    path.parent.mkdir()
    path.symlink_to(shared)
    with pytest.raises(starter.StarterExists):
        starter.init(project, environ)
    starter.init(project, environ, force=True)
    assert path.is_symlink()
    assert shared.read_text() == starter.starter_text(environ)


def test_d11_nothing_half_written_stays(project: str, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        starter.init(project, environ)
    assert list(Path(project, ".turbo-python").iterdir()) == []


def test_d06_approval_is_private_and_belongs_to_one_project(
    project: str, environ: dict[str, str], tmp_path: Path
) -> None:
    entry = AgentEntry("helper", "sh", ("-c", "x"), project_file=True)
    assert not trust.is_trusted(entry, project, environ)
    trust.approve(entry, project, environ)
    assert trust.is_trusted(entry, project, environ)
    other = tmp_path / "other"
    other.mkdir()
    assert not trust.is_trusted(entry, str(other), environ)
    assert not trust.is_trusted(entry._replace(name="other"), project, environ)
    home = Path(environ["HOME"], ".local/state/turbo-python")
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert [stat.S_IMODE(p.stat().st_mode) for p in (home / "trust").iterdir()] == [0o600]
    assert trust.revoke(entry, project, environ)
    assert not trust.is_trusted(entry, project, environ)
    assert not trust.revoke(entry, project, environ)


def test_d06_a_link_to_the_project_is_the_same_project(project: str, environ: dict[str, str], tmp_path: Path) -> None:
    entry = AgentEntry("helper", "sh", project_file=True)
    trust.approve(entry, project, environ)
    link = tmp_path / "link"
    link.symlink_to(project)
    assert trust.is_trusted(entry, str(link), environ)


def test_entries_of_the_user_never_ask(project: str, environ: dict[str, str]) -> None:
    assert trust.is_trusted(AgentEntry("mine", "sh"), project, environ)
