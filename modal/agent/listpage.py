"""The list page (`:agent` without a name): what an agent is, the configured ones, the known ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.agent.agentcmds import show_beside
from tpy.modal.agent.lines import one_line, visible
from tpy.modal.text.buffer import INTERNAL
from tpy.modal.text.position import Pos
from tpy.modal.text.splice import Splice

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents

NAME = "agent://"
_ABOUT = (
    "An agent is a program that works with you: it reads, writes and runs things, and asks before it does.",
    "<CR> on a line starts that agent, or writes its entry into the project's agents file.",
    "Everything is an ex command: :agent NAME, :cancel, :allow, :deny, :agentstatus; :help agents tells all.",
)


def open_page(host: Agents) -> None:
    """Show the list page, freshly made."""
    buffer = host.editor.buffer_named(NAME) or host.editor.add_buffer(name=NAME)
    buffer.options.update(buftype="nofile", undofile=False, buflisted=False)
    buffer.modifiable = False
    buffer.keeps_undo = False
    rows = page_rows(host)
    buffer.apply(Splice(0, tuple(buffer.lines), tuple(text for text, _ in rows)), INTERNAL)
    buffer.extra["agent-page"] = [name for _, name in rows]
    host.keys.adopt(buffer, "page")
    window = show_beside(host, buffer)
    line = next((at for at, (_, name) in enumerate(rows) if name), 0)
    window.cursor = Pos(line, 0)


def page_rows(host: Agents) -> list[tuple[str, str]]:
    """Return the lines of the page, each with the command that `<CR>` runs on it, "" for none."""
    loaded = host.load()
    rows: list[tuple[str, str]] = [(text, "") for text in _ABOUT]
    rows += [("", ""), ("Configured", "")]
    running = {talk.name: talk for talk in host.talks}
    width = max((len(one_line(entry.name, 30)) for entry in loaded.entries), default=0)
    for entry in loaded.entries:
        talk = running.get(entry.name)
        state = talk.status.state() if talk is not None else host.program_state(entry)
        trusted = "" if host.is_trusted(entry) else "  (asks first: from this project's file)"
        command = one_line(" ".join((entry.command, *entry.args)), 80)
        rows.append((f"  {one_line(entry.name, 30):{width}}  {state}{trusted}  {command}", command_for(entry.name)))
    for error in loaded.errors:
        rows += [(visible(line), "") for line in error.split("\n")]
    known = host.known_programs({entry.name for entry in loaded.entries})
    if known:
        rows += [("", ""), ("Known", "")]
    for name, how, there in known:
        row = f"  {'✓' if there else ' '} {one_line(name, 30)}  {one_line(how, 100)}"
        rows.append((row, command_for(name, "agentinit") if there else ""))
    return rows


def command_for(name: str, command: str = "agent") -> str:
    """Return the command that `<CR>` runs for a name; none for one that could be read as more than a name."""
    return f"{command} {name}" if name.isprintable() else ""
