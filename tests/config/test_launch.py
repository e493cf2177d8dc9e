"""What an entry means on this machine: programs, directories, environment (CASES D-05, D-12, D-13, D-14)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tpy.acp.agententry import AgentEntry, McpServer
from tpy.acp.launch import Launch, LaunchError, launch, mcp_servers, roots


def program(path: Path, mode: int = 0o755) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return str(path)


class Scene:
    def __init__(self, root: Path) -> None:
        self.project, self.home = root / "p", root / "home"
        self.project.mkdir()
        self.home.mkdir()
        self.environ = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "KEEP": "1"}

    def launch(self, command: str, **values: object) -> Launch:
        return launch(AgentEntry("x", command, **values), str(self.project), self.environ)  # type: ignore[arg-type]

    def error(self, command: str, **values: object) -> str:
        with pytest.raises(LaunchError) as caught:
            self.launch(command, **values)
        return str(caught.value)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def test_d12_a_command_with_a_separator_is_relative_to_the_project(scene: Scene) -> None:
    path = program(scene.project / "tools/agent")
    (scene.project / "sub").mkdir()
    found = scene.launch("./tools/agent", cwd="sub", args=("rel.txt",))
    assert found == ((path, "rel.txt"), scene.environ, str(scene.project / "sub"))


def test_d12_a_missing_directory_is_named(scene: Scene) -> None:
    assert scene.error("sh", cwd="sub") == f"the directory {scene.project}/sub does not exist (cwd of x)"


def test_d05_tilde_is_expanded_in_command_cwd_and_roots_only(scene: Scene) -> None:
    path = program(scene.home / "bin/agent")
    found = scene.launch("~/bin/agent", cwd="~", args=("~/a", "$HOME"), env={"CFG": "~/c"})
    assert found.argv == (path, "~/a", "$HOME")
    assert found.cwd == str(scene.home)
    assert found.env == {**scene.environ, "CFG": "~/c"}
    entry = AgentEntry("x", "y", roots=("~/o", "rel", "/abs/../a"))
    assert roots(entry, str(scene.project), scene.environ) == [
        f"{scene.home}/o",
        f"{scene.project}/rel",
        "/a",
    ]


def test_d14_the_childs_path_decides(scene: Scene) -> None:
    path = program(scene.project / "bin/agent")
    assert scene.error("agent") == "agent was not found in PATH"
    found = scene.launch("agent", env={"PATH": f"{scene.project}/bin"})
    assert found.argv == (path,)
    assert found.env["PATH"] == f"{scene.project}/bin"


@pytest.mark.parametrize("path", ["", ":/usr/bin", "/usr/bin:", ".:/usr/bin", "bin:/usr/bin", "/usr/bin::/bin"])
def test_d14_nothing_comes_from_the_project_by_a_relative_part(
    scene: Scene, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(scene.project / "agent")
    program(scene.project / "bin/agent")
    monkeypatch.chdir(scene.project)
    assert scene.error("agent", env={"PATH": path}).startswith("agent was not found")


def test_d13_a_whole_command_line_earns_a_hint(scene: Scene) -> None:
    assert scene.error("python3 -m agent --acp") == (
        "python3 -m agent --acp was not found in PATH: "
        'put "python3" into command and the rest into args, one string each'
    )
    for command in ("sh ", " sh"):
        assert 'there are blanks around "sh"; take them out of command' in scene.error(command)
    assert scene.error("  ").endswith("the command is nothing but blanks")


def test_d13_a_name_that_has_a_blank_works(scene: Scene) -> None:
    path = program(scene.project / "bin/my agent")
    assert scene.launch("my agent", env={"PATH": f"{scene.project}/bin"}).argv == (path,)
    assert scene.launch("bin/my agent").argv == (path,)


def test_what_is_there_but_cannot_run_is_told_apart(scene: Scene) -> None:
    program(scene.home / "plain", 0o644)
    assert scene.error("~/plain") == "~/plain may not be run: make it executable with chmod +x"
    assert scene.error("~/") == "~ is a directory, not a program"
    assert scene.error("./gone") == f"{scene.project}/gone does not exist"


def test_mcp_servers_take_the_wire_form(scene: Scene) -> None:
    path = program(scene.project / "bin/server")
    entry = AgentEntry(
        "x",
        "sh",
        mcp=(
            McpServer("files", command="bin/server", args=("a",), env={"K": "v"}),
            McpServer("web", "http", url="https://example.com", headers={"H": "1"}),
        ),
    )
    assert mcp_servers(entry, str(scene.project), scene.environ) == [
        {"name": "files", "command": path, "args": ["a"], "env": [{"name": "K", "value": "v"}]},
        {
            "type": "http",
            "name": "web",
            "url": "https://example.com",
            "headers": [{"name": "H", "value": "1"}],
        },
    ]
    broken = AgentEntry("x", "sh", mcp=(McpServer("m", command="no-such-server"),))
    with pytest.raises(LaunchError, match='MCP server "m": no-such-server was not found in PATH'):
        mcp_servers(broken, str(scene.project), scene.environ)


def test_no_repr_shows_a_secret(scene: Scene) -> None:
    found = scene.launch("sh", env={"API_KEY": "s3cr3t-value"})
    assert os.path.basename(found.argv[0]) == "sh"
    assert "s3cr3t" not in repr(found)
    server = McpServer("m", "http", url="u", headers={"Authorization": "s3cr3t"})
    assert "s3cr3t" not in repr(server)
