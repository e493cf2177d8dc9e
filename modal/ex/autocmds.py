"""Ex commands that run when something happens: `:autocmd`, `:augroup`, `:doautocmd` (`:help autocmd`).

Rooms tell of events with the hook "autocmd"(event, buffer); here the user's commands for them are kept and run.
"""

from __future__ import annotations

import fnmatch
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# The events there are; Vim's other names for some of them.
EVENTS = (
    "BufRead BufNewFile BufWritePre BufWritePost BufEnter BufLeave FocusGained VimEnter VimLeave FileType "
    "AgentStart AgentPrompt AgentTurnEnd AgentPermission AgentWrite AgentExit"
).split()
_ALIASES = {"bufreadpost": "BufRead", "bufwrite": "BufWritePre", "vimleavepre": "VimLeave"}
_NAMES = {**{event.lower(): event for event in EVENTS}, **_ALIASES}
# How deep commands of events may run others.
_MOST_NESTED = 10


class Autocommand(NamedTuple):
    """One command: its group, event, pattern of file names, and whether it goes after the first time."""

    group: str
    event: str
    pattern: str
    line: str
    once: bool = False


class Autocommands:
    """All of an editor's, with the group that new ones belong to."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.rows: list[Autocommand] = []
        self.groups: set[str] = set()
        self.group = ""
        self._depth = 0

    def run(self, event: str, buffer: Buffer | None = None, name: str | None = None) -> None:
        """Run the commands for an event; a failure is told and ends that command only."""
        if self._depth >= _MOST_NESTED or not self.rows:
            return
        editor = self.engine.editor
        name = name if name is not None else (buffer.name if buffer is not None else "")
        self._depth += 1
        before = editor.extra.get("autocmd-file")
        editor.extra["autocmd-file"] = name
        # The commands work on the buffer the event is about, also before a window shows it.
        window, shown = editor.window, editor.window.buffer
        place = window.cursor, window.top
        if buffer is not None and buffer is not shown and buffer.number in editor.buffers:
            window.buffer, window.cursor, window.top = buffer, Pos(0, 0), 0
        try:
            for row in [row for row in self.rows if row.event == event and matches(row.pattern, name)]:
                if row.once and row in self.rows:
                    self.rows.remove(row)
                try:
                    self.engine.run_ex(row.line)
                except CommandFailed as failure:
                    editor.fail(failure)
        finally:
            self._depth -= 1
            if window.buffer is buffer and buffer is not shown:
                window.buffer = shown
                window.cursor, window.top = place
            editor.extra["autocmd-file"] = before


def of(engine: Engine) -> Autocommands:
    """Return the autocommands of an engine, made when they are first asked for."""
    found = engine.editor.extra.get("autocommands")
    if not isinstance(found, Autocommands):
        found = Autocommands(engine)
        engine.editor.extra["autocommands"] = found
        engine.editor.on("autocmd", found.run)
    return found


def matches(pattern: str, name: str) -> bool:
    """Whether a file name fits a pattern such as `*.py` or `*.{c,h}` (`:help autocmd-pattern`)."""
    tail = os.path.basename(name)
    return any(fnmatch.fnmatchcase(name if "/" in each else tail, each) for each in _alternatives(pattern))


def _alternatives(pattern: str) -> list[str]:
    """Return a pattern with `,` and `{a,b}` taken apart."""
    brace = re.search(r"\{([^{}]*)\}", pattern)
    if brace is not None:
        found: list[str] = []
        for part in brace[1].split(","):
            found.extend(_alternatives(pattern[: brace.start()] + part + pattern[brace.end() :]))
        return found
    return pattern.split(",")


def _events(text: str) -> list[str]:
    """Return the events a word names. Raises `CommandFailed` (E216)."""
    if text == "*":
        return list(EVENTS)
    names = []
    for word in text.split(","):
        if word.lower() not in _NAMES:
            raise CommandFailed(f"E216: No such group or event: {word}")
        names.append(_NAMES[word.lower()])
    return names


@command("au[tocmd]", bang=True, args="event", bar=False)
def autocmd(ctx: ExContext) -> None:
    """Have a command run when something happens to a file that fits; with `!` remove such commands."""
    own = of(ctx.engine)
    words = ctx.args.split(None, 1)
    group = own.group
    if words and words[0] in own.groups:
        group = words[0]
        words = words[1].split(None, 1) if len(words) > 1 else []
    events = _events(words[0]) if words else list(EVENTS)
    rest = words[1] if len(words) > 1 else ""
    parts = rest.split(None, 1)
    pattern = parts[0] if parts else ""
    line = parts[1] if len(parts) > 1 else ""
    if ctx.bang:
        own.rows = [
            row
            for row in own.rows
            if not (row.event in events and (not pattern or row.pattern == pattern) and row.group == group)
        ]
        if not line:
            return
    if not line:
        shown = [row for row in own.rows if row.event in events and (not pattern or row.pattern == pattern)]
        ctx.echo(
            "\n".join(["--- Autocommands ---", *(f"{r.group} {r.event} {r.pattern} {r.line}".strip() for r in shown)])
        )
        return
    once = False
    while (flag := re.match(r"\+\+(once|nested)\s+|nested\s+", line)) is not None:
        once = once or flag[1] == "once"
        line = line[flag.end() :]
    own.rows.extend(Autocommand(group, event, pattern, line, once) for event in events)


@command("aug[roup]", bang=True, args="rest", need=True)
def augroup(ctx: ExContext) -> None:
    """Name the group that the commands which follow belong to; `END` ends it, `!` deletes one."""
    own = of(ctx.engine)
    name = ctx.args
    if ctx.bang:
        if name not in own.groups:
            raise CommandFailed(f'E367: No such group: "{name}"')
        own.groups.discard(name)
        own.rows = [row for row in own.rows if row.group != name]
    elif name.upper() == "END":
        own.group = ""
    else:
        own.groups.add(name)
        own.group = name


@command("do[autocmd]", args="event", need=True)
def doautocmd(ctx: ExContext) -> None:
    """Run the commands for an event as if it had happened."""
    words = ctx.args.split()
    if words[0] == "<nomodeline>":
        words = words[1:]
    for event in _events(words[0]):
        of(ctx.engine).run(event, ctx.buffer, words[1] if len(words) > 1 else None)
