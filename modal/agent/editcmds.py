"""`:agentedit` and `:agentcommit`: one question to the agent, whose answer's last fence is put to use after a look."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tpy.modal.agent.agentcmds import quoted_lines, show_beside
from tpy.modal.agent.bridge import agents_of
from tpy.modal.agent.lines import one_line
from tpy.modal.ex.context import ExContext
from tpy.modal.registry import CommandFailed, command
from tpy.modal.text.buffer import AGENT, EX, Buffer
from tpy.modal.text.splice import Splice

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk

_ONE_FENCE = "Answer with {} alone, in one fenced block. Change no files yourself."


class Tracked:
    """Lines of a buffer that are followed while an agent thinks about them; `lost` when they were changed."""

    def __init__(self, buffer: Buffer, first: int, last: int) -> None:
        self.buffer = buffer
        self.first = first
        self.old = buffer.lines[first : last + 1]
        self.lost = False
        buffer.listeners.append(self._follow)

    @property
    def end(self) -> int:
        """The line after the last one."""
        return self.first + len(self.old)

    def _follow(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        if splice.line + len(splice.old) <= self.first:
            self.first += len(splice.new) - len(splice.old)
        elif splice.line < self.end:
            self.lost = True

    def replace(self, new: list[str]) -> None:
        """Put other lines in their place, as one undo step. Raises `CommandFailed` where they were changed."""
        self.forget()
        if self.lost or self.buffer.lines[self.first : self.end] != self.old:
            raise CommandFailed("The lines were changed meanwhile: nothing is replaced")
        with self.buffer.step("agent edit", AGENT):
            self.buffer.replace(self.first, self.end, new)

    def forget(self) -> None:
        """Follow the lines no more."""
        if self._follow in self.buffer.listeners:
            self.buffer.listeners.remove(self._follow)


@command("agentedit", range=".", args="rest", bar=False, modifies=True)
def agentedit(ctx: ExContext) -> None:
    """Have the current agent change the lines as told; what it answers is shown as a diff and applied by `:allow`."""
    host = agents_of(ctx.editor)
    talk = host.current()
    wish = ctx.args.strip()
    if not wish:
        raise CommandFailed("E471: Argument required")
    place = host.files.shown_name(ctx.buffer)
    lines = quoted_lines(host, ctx.buffer, ctx.first, ctx.last)
    tracked = Tracked(ctx.buffer, ctx.first, ctx.last)

    def answered(new: list[str] | None) -> None:
        if new is None:
            tracked.forget()
            talk.editor.echo(f"{one_line(talk.name)} gave no text for the lines", error=True)
        else:
            talk.offer_change(place, tracked.old, new, lambda: tracked.replace(new), tracked.forget)

    _ask(talk, f"{wish}\n\n{_ONE_FENCE.format('the new text of these lines')}\n\n{lines}", answered)


@command("agentcommit")
def agentcommit(ctx: ExContext) -> None:
    """Have the current agent write a commit message for what is staged; it goes into this buffer or a new one."""
    host = agents_of(ctx.editor)
    talk = host.current()
    diff = host.staged_diff()
    if not diff.strip():
        raise CommandFailed("Nothing is staged")
    here = ctx.buffer if ctx.buffer.name.endswith("COMMIT_EDITMSG") else None

    def answered(new: list[str] | None) -> None:
        if new is None:
            talk.editor.echo(f"{one_line(talk.name)} gave no message", error=True)
        elif here is not None:
            with here.step("commit message", AGENT):
                here.insert(0, new)
        else:
            name = talk.buffer.name + "/commit"
            buffer = ctx.editor.buffer_named(name) or ctx.editor.add_buffer(name=name)
            buffer.options.update(buftype="nofile", undofile=False)
            with buffer.step("commit message", EX):
                buffer.replace(0, len(buffer.lines), new)
            show_beside(host, buffer)

    wish = "Write a commit message for these staged changes."
    _ask(talk, f"{wish} {_ONE_FENCE.format('the message')}\n\n````diff\n{diff.rstrip()}\n````", answered)


def _ask(talk: Talk, text: str, answered: Callable[[list[str] | None], None]) -> None:
    """Send a prompt now; `answered` gets the lines of the answer's last fence, `None` where there is none."""
    if talk.busy or talk.queue.texts:
        raise CommandFailed(f"{one_line(talk.name)} is working: wait, or :cancel")
    talk.after_turn = lambda plain: answered(talk.last_fence() if plain else None)
    talk.submit(text)
