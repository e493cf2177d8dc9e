"""Running lines of ex commands: modifiers, `|`, errors, and the questions that commands ask.

What a line means is read by `parse.py`; what a command does is in the modules of the commands.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import GeneratorType
from typing import TYPE_CHECKING

from tpy.modal.engine import reporting
from tpy.modal.ex.address import closed_fold
from tpy.modal.ex.conditions import conditions_of
from tpy.modal.ex.context import Ask, ExContext, Work
from tpy.modal.ex.dialog import KeyDialog
from tpy.modal.ex.parse import parse
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import Buffer
from tpy.modal.text.position import Pos

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# Commands that take the whole of a closed fold for one line (`:help fold-behavior`).
_WHOLE_FOLDS = frozenset(
    "change copy center delete fold foldclose foldopen global join left list move number print Print put read "
    "right sort substitute smagic snomagic t update vglobal write yank z < > = ! & # ~ @".split()
)
# Kinds of range that count something else than lines.
_LINES = frozenset({".", "%", "0", "$"})


def run_ex(engine: Engine, line: str) -> None:
    """Run a line of ex commands that was typed or mapped; a question opens a prompt and the rest runs later."""
    conditions = conditions_of(engine)
    if "sourcing" not in engine.editor.extra or not engine.editor.extra["sourcing"]:
        conditions.open.clear()
    try:
        Run(engine, run_line(engine, line), f":{line}").resume(None)
    finally:
        # Only now, so that `:@:` does not run itself; it leaves what it ran to be run again.
        extra = engine.editor.extra
        if extra.pop("ran-again", False):
            extra["command-line"] = extra.get("ran-line")
        else:
            extra["ran-line"] = line


class Run:
    """A line under way: `resume` goes on to the next question or to the end. Raises `CommandFailed`."""

    def __init__(self, engine: Engine, work: Work, what: str = "") -> None:
        """`what` is said of it while it lasts."""
        self.engine = engine
        self.work = work
        self.what = what

    def resume(self, answer: str | None) -> None:
        """Give the answer to the last question (`None` to begin, or when the user gave up)."""
        engine = self.engine
        try:
            with engine.editor.progress.of(self.what):
                asked = self.work.send(answer)
        except StopIteration:
            engine.check_jump()
            return
        if isinstance(asked, Ask):
            engine.prompt = KeyDialog(engine, asked, self.resume)
        else:
            engine.open_prompt(asked.kind, self.resume, lambda: self.resume(None), asked.text)


def run_line(engine: Engine, line: str, source: Iterator[str] | None = None) -> Work:
    """Run the commands of a line one after the other; the first that fails ends it."""
    rest: str | None = line
    while rest is not None:
        rest = conditions_of(engine).skipped(rest)
        call = parse(engine, rest) if rest is not None else None
        if call is None:
            return
        context = ExContext(engine, call, source)
        silent = call.modifiers.get("silent", 0)
        if silent == 2:
            try:
                yield from run_call(context)
            except CommandFailed as failure:
                engine.editor.extra["last-error"] = failure.message
        else:
            yield from run_call(context)
        rest = context.rest


def run_call(context: ExContext) -> Work:
    """Check the range of a command and run it under its modifiers."""
    call = context.call
    row = call.command
    editor = context.editor
    if row.range:
        swapped = yield from _checked(context)
        if swapped is None:
            return
        context.call = call = swapped
    if row.modifies:
        context.require_modifiable()
    buffer = editor.buffer
    marks = _held_marks(buffer) if "lockmarks" in call.modifiers else None
    keep_jumps, editor.keep_jumps = editor.keep_jumps, editor.keep_jumps or "keepjumps" in call.modifiers
    message = editor.message if "silent" in call.modifiers else None
    lines = reporting.size(buffer)
    try:
        result = row.function(context)
        if isinstance(result, GeneratorType):
            yield from result
        if row.name in reporting.COUNTED and editor.buffer is buffer:
            reporting.came_or_went(editor, buffer, lines)
    finally:
        editor.keep_jumps = keep_jumps
        if marks is not None:
            buffer.marks.named, buffer.marks.changes = marks
        if "silent" in call.modifiers and (editor.message is None or not editor.message.error):
            editor.message = message


def _held_marks(buffer: Buffer) -> tuple[dict[str, Pos], list[Pos]]:
    return dict(buffer.marks.named), list(buffer.marks.changes)


def _checked(context: ExContext) -> Work:
    """Return the call with its range put right, `None` to give up.

    Backwards ranges are asked about, 0 becomes 1 where it has no meaning, closed folds are taken whole.
    """
    call = context.call
    first, last = call.first, call.last
    lines = len(context.lines)
    if first > last:
        if context.source is not None:
            raise CommandFailed("E493: Backwards range given")
        if not call.modifiers.get("silent"):
            answer = yield Ask("Backwards range given, OK to swap (y/n)?", ("y", "n"))
            if answer != "y":
                return None
        first, last = last, first
    if call.command.range not in _LINES:
        return call._replace(first=first, last=last)
    if call.command.range != "0":
        first, last = max(first, 1) if first == 0 else first, max(last, 1) if last == 0 else last
    # The line behind the last one is for `:diffget` to name what is missing there.
    below = 1 if call.command.name == "diffget" else 0
    if first < 0 or last < 0 or last > lines + below:
        raise CommandFailed("E16: Invalid range")
    if (call.addresses >= 2 or call.command.name in _WHOLE_FOLDS) and "global" not in context.editor.extra:
        for_first, for_last = closed_fold(context.window, first - 1), closed_fold(context.window, last - 1)
        first = first if for_first is None else for_first[0] + 1
        last = last if for_last is None else for_last[1] + 1
    if call.number is not None:
        first, last = last, min(last + call.number - 1, lines)
    return call._replace(first=first, last=last)
