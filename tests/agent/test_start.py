"""AGENTS §4, §7, §10: starts that fail: what is said, which windows stay, what the user can do."""

from __future__ import annotations

from agentworld import World


def entry(world: World, name: str, command: str, *args: str, user: bool = True, more: str = "") -> None:
    """Add an entry to the user's agents file, or the project's."""
    directory = world.home / ".config" / "turbo-python" if user else world.project / ".turbo-python"
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "acp.toml").open("a") as file:
        file.write(f'[[agent]]\nname = "{name}"\ncommand = "{command}"\nargs = {list(args)}\n{more}')


def test_failed_starts_leave_one_pane_and_the_file_its_room(world: World) -> None:
    for name, command in (("Ann", "false"), ("Bob", "no-such-program"), ("Eve", "false")):
        entry(world, name, command)
    for name in ("Ann", "Bob", "Eve", "Eve", "Ann"):
        world.ex(f"agent {name}")
        world.until(lambda: world.talk.gone and world.talk.why_dead)
        names = [window.buffer.name for window in world.editor.layout.windows()]
        assert names == ["", f"agent://{name}", f"agent://{name}/prompt"]
        assert world.editor.layout.windows()[0].height >= 10
        assert any("cannot be started" in line or "would not start" in line for line in world.shown)


def test_draft_of_a_failed_start_comes_back_with_its_agent(world: World) -> None:
    for name in ("Ann", "Eve"):
        entry(world, name, "false")
    world.ex("agent Ann")
    world.keys("a draft")
    for name in ("Eve", "Ann"):
        world.until(lambda: world.talk.gone and world.talk.why_dead)
        world.ex(f"agent {name}")
    assert world.talk.name == "Ann"
    assert world.talk.prompt.text == "a draft"


def test_dead_agent_is_started_as_its_entry_is_now(world: World) -> None:
    entry(world, "Bob", "false")
    world.ex("agent Bob")
    world.until(lambda: world.talk.gone and world.talk.why_dead)
    (world.home / ".config" / "turbo-python" / "acp.toml").unlink()
    world.agent("Bob", [])
    world.start()
    assert len(world.agents.talks) == 1


def test_missing_program_of_a_project_file_is_said_before_anything_is_asked(world: World) -> None:
    entry(world, "Bob", "no-such-program", user=False)
    world.ex("agent Bob")
    assert world.engine.prompt is None
    assert world.message == "Bob cannot be started: no-such-program was not found in PATH"
    assert not world.agents.talks


def test_bad_agents_file_is_told_in_one_row(world: World) -> None:
    entry(world, "Bob", "false", more="comand = 3\n")
    world.start("Tutor")
    assert "\n" not in world.message
    assert len(world.message) < world.editor.layout.width
    assert "acp.toml: agent.comand is not a key" in world.message
    assert world.message.endswith(" (:agentstatus)")


def test_old_message_makes_room_for_the_mode_when_the_pane_opens(world: World) -> None:
    world.agent("Bob", [])
    world.editor.echo("an old message")
    world.start()
    assert world.message == ""


def test_start_that_ends_at_once_names_agent_and_likely_cause(world: World) -> None:
    entry(world, "Bob", "false")
    world.ex("agent Bob")
    world.until(lambda: world.talk.gone and world.talk.why_dead)
    assert world.shown[0] == "the agent would not start a conversation: exit status 1"
    assert world.shown[1].startswith("Bob (false) ended before it answered")
    assert world.message == world.shown[0]  # one row: it covers no status line


def test_start_of_what_speaks_no_acp_shows_what_it_printed(world: World) -> None:
    entry(world, "Bob", "echo", "some text")
    world.ex("agent Bob")
    world.until(lambda: world.talk.gone and world.talk.why_dead)
    assert world.shown == [
        "the agent would not start a conversation: exit status 0",
        "What Bob (echo some text) printed was not ACP: 1 line that was no message, the last: some text",
    ]


def test_flood_of_other_things_is_counted_in_the_pane_and_ends_at_the_time_limit(world: World) -> None:
    entry(world, "Bob", "yes", more="timeout = 4\n")
    world.ex("agent Bob")
    world.until(lambda: world.shows("lines that were no messages, the last: y"))
    assert world.talk.status.state().startswith("starting")
    world.until(lambda: world.talk.gone)
    assert world.shown[0] == "the agent would not start a conversation: no answer to initialize within 4 s"
    assert world.shown[1].startswith("What Bob (yes) printed was not ACP: ")


def test_cancel_ends_the_start_of_a_flood(world: World) -> None:
    entry(world, "Bob", "yes")
    world.ex("agent Bob")
    world.until(lambda: world.shows("lines that were no messages"))
    world.ex("cancel")
    world.until(lambda: world.talk.gone)
    assert world.shown[-1] == "The start was given up."
    assert len([line for line in world.shown if line]) == 1
