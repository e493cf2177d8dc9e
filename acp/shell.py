"""`tpy agents …` in the shell: click commands over the agents files, the checker and traces.

Here: what is printed and the exit statuses (spec AGENTS §2). Not here: what is checked (`checker.py`), how a
file is read (`config.py`), how a trace is read (`trace.py`), the editor's own options.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from tpy.acp import config, launch, starter, trust
from tpy.acp.agententry import GIVEN, AgentEntry, origins, remarks
from tpy.acp.trace import readable, visible

ALL_WELL, AGENT_FAILS, CALL_WRONG = 0, 1, 2


def project_directory() -> str:
    """The directory tpy was started in; exits when it is gone."""
    try:
        return os.getcwd()
    except OSError as error:
        raise click.ClickException(f"the current directory cannot be used: {error.strerror}") from None


def read_all(project: str) -> config.Agents:
    """Both files and the Tutor."""
    return config.load(project, os.environ, [config.tutor_entry()])


@click.group(help="Agents: programs that speak the Agent Client Protocol.")
def agents() -> None:
    """The group itself does nothing."""


# --- init -----------------------------------------------------------------------------------------------


@agents.command(short_help="write a starter file for this project")
@click.option("--user", is_flag=True, help="write your own file, for every project")
@click.option("--agent", "agent", metavar="NAME", default="", help="write that known agent alone")
@click.option("--force", is_flag=True, help="replace a file that is there")
def init(user: bool, agent: str, force: bool) -> None:
    """Write a starter agents file: agents found in PATH active, the other known ones commented out."""
    project = project_directory()
    path = config.user_file(os.environ) if user else config.project_file(project)
    shown = config.display_path(path, os.environ)
    try:
        starter.init(project, os.environ, user=user, only=agent, force=force)
    except starter.StarterExists:
        click.echo(f"{shown} is there already and was left alone; --force replaces it", err=True)
        sys.exit(AGENT_FAILS)
    except LookupError as error:
        click.echo(str(error.args[0]), err=True)
        sys.exit(CALL_WRONG)
    except OSError as error:
        click.echo(f"writing {shown}: {error.strerror or error}", err=True)
        sys.exit(AGENT_FAILS)
    written = config.read_agents(path, os.environ, from_project=not user) or []
    click.echo(f"Wrote {shown}" + (f" with {', '.join(entry.name for entry in written)}" if written else ""))
    first = written[0].name if written else "Tutor"
    click.echo(f"Next: tpy agents check, or in the editor :agent {first}")


# --- list -----------------------------------------------------------------------------------------------


def listed(entry: AgentEntry, project: str) -> dict[str, Any]:
    """One row of `tpy agents list --json`: names of variables only, never their values."""
    directory = project if entry.cwd is None else launch.absolute(entry.cwd, project, os.environ)
    return {
        "name": entry.name,
        "command": entry.command,
        "args": list(entry.args),
        "env": list(entry.env),
        "cwd": directory,
        "source": entry.source,
        "trusted": trust.is_trusted(entry, project, os.environ),
    }


@agents.command(name="list", short_help="the merged list and where each value came from")
@click.option("--json", "as_json", is_flag=True, help="for programs")
@click.option("--names", is_flag=True, hidden=True)
def list_(as_json: bool, names: bool) -> None:
    """Show the agents of both files as they are merged, and where each value came from."""
    project = project_directory()
    found = read_all(project)
    for error in found.errors:
        click.echo(visible(error), err=True)
    if as_json:
        click.echo(json.dumps([listed(entry, project) for entry in found.entries], indent=2, ensure_ascii=False))
    else:
        for entry in found.entries:
            _print_entry(entry, project)
    sys.exit(CALL_WRONG if found.errors else ALL_WELL)


def _print_entry(entry: AgentEntry, project: str) -> None:
    row = listed(entry, project)
    where = {key: config.display_path(source, os.environ) for key, source in origins(entry).items()}
    values = {
        "command": entry.command,
        "args": " ".join(json.dumps(arg, ensure_ascii=False) for arg in entry.args) or "(none)",
        "env": " ".join(entry.env) or "(none)",
        "cwd": config.display_path(row["cwd"], os.environ),
    }
    values |= dict.fromkeys(entry.own_keys, "(set)")
    click.echo(visible(entry.name) + ("" if row["trusted"] else "   not trusted: its first start asks"))
    for key, value in values.items():
        click.echo(f"  {key:<9} {visible(value):<40}  {visible(where[key])}")
    for remark in remarks(entry):
        click.echo(f"  remark    {remark}")


# --- check ----------------------------------------------------------------------------------------------


class _Check(click.Command):
    """A command that keeps what follows `--` apart: a program with its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.obj = args[at + 1 :]
            args = args[:at]
            if not ctx.obj:
                raise click.UsageError("-- wants a command after it", ctx)
        return super().parse_args(ctx, args)


@agents.command(cls=_Check, short_help="try the agents, one line a step")
@click.argument("names", nargs=-1, metavar="[NAME]... [-- COMMAND [ARG]...]")
@click.option("--fast", is_flag=True, help="start nothing: stop after looking the program up")
@click.option("--json", "as_json", is_flag=True, help="for programs")
@click.pass_context
def check(ctx: click.Context, names: tuple[str, ...], fast: bool, as_json: bool) -> None:
    """Try agents without sending a prompt: files, trust, program, start, initialize, session/new.

    Exit status 0 when all is well, 1 when an agent fails, 2 when a file or the call is wrong. With -- a
    program that is in no file is tried.
    """
    from tpy.acp import checker

    project = project_directory()
    entries: tuple[AgentEntry, ...]
    files: tuple[checker.Step, ...] = ()
    if ctx.obj:
        if names:
            raise click.UsageError("either names or -- COMMAND, not both", ctx)
        entries = (AgentEntry(os.path.basename(ctx.obj[0]), ctx.obj[0], tuple(ctx.obj[1:]), source=GIVEN),)
    else:
        entries, files = _chosen(read_all(project), names)
    show: Callable[[checker.Step], None] = (lambda step: None) if as_json else _print_step
    for step in files:
        show(step)
    reports = []
    for entry in entries:
        if not as_json:
            click.echo(visible(entry.name))
        ask = None if as_json or fast or not sys.stdin.isatty() else _ask_trust
        found = checker.check(entry, project, os.environ, fast=fast, ask=ask, on_step=show, on_slow=_print_slow)
        reports.append(found)
    wrong = any(step.status == checker.FAILED for step in files)
    status = CALL_WRONG if wrong else ALL_WELL if all(report.ok for report in reports) else AGENT_FAILS
    if as_json:
        value = {"files": [s.json() for s in files], "agents": [r.json() for r in reports], "exit": status}
        click.echo(json.dumps(value, indent=2, ensure_ascii=False))
    sys.exit(status)


def _chosen(found: config.Agents, names: tuple[str, ...]) -> tuple[tuple[AgentEntry, ...], tuple[Any, ...]]:
    """The entries asked for, all of them when none is named, with the steps about the files."""
    from tpy.acp import checker

    steps = tuple(checker.file_steps(found, os.environ))
    if not names:
        return found.entries, steps
    chosen = []
    for name in names:
        entry = found.find(name)
        if entry is None:
            for step in steps:
                if step.status == checker.FAILED:
                    click.echo(visible(step.text), err=True)
            there = ", ".join(entry.name for entry in found.entries)
            click.echo(visible(f"no agent is called {name}; there are: {there}"), err=True)
            sys.exit(CALL_WRONG)
        chosen.append(entry)
    return tuple(chosen), steps


def _print_step(step: Any) -> None:
    first, *more = [visible(line) for line in step.text.split("\n")]
    click.echo(f"  {step.name:<12} {step.status:<7} {first}")
    for line in more:
        click.echo(f"  {'':<20} {line}")


def _print_slow(text: str) -> None:
    """Where somebody watches, say what takes so long; not part of the report."""
    if sys.stderr.isatty():
        click.echo(f"  {'':<20} … {text}", err=True)


def _ask_trust(entry: AgentEntry, project: str) -> bool:
    """Show what a project file wants to start, and ask; a yes is remembered."""
    click.echo(f"  {config.display_path(entry.source, os.environ)} wants to start:")
    click.echo("    " + visible(" ".join([entry.command, *entry.args])))
    if entry.env:
        click.echo("    with " + visible(", ".join(entry.env)) + " set")
    if not click.confirm("  Start it?", default=False):
        return False
    trust.approve(entry, project, os.environ)
    return True


# --- trace ----------------------------------------------------------------------------------------------


@agents.command(short_help="show a trace in readable form")
@click.argument("file", metavar="FILE")
def trace(file: str) -> None:
    """Show a file that TURBO_ACP_TRACE wrote, one line a message."""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            for line in readable(stream):
                click.echo(line)
    except BrokenPipeError:
        raise
    except OSError as error:
        click.echo(f"reading {file}: {error.strerror or error}", err=True)
        sys.exit(CALL_WRONG)
