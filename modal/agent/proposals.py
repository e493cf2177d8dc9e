"""A change that an agent asks leave for, compared and edited before it is allowed (spec AGENTS §8, §10).

Here: the buffer in which the user edits the text that is proposed, the windows that compare it with what is there, and
what becomes of the write that follows. Which request is meant and when that write comes is the bridge's.
"""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.agent import panes
from tpy.modal.agent.agentcmds import show_beside
from tpy.modal.agent.lines import one_line
from tpy.modal.agent.permission import Request
from tpy.modal.agent.toolcalls import Piece
from tpy.modal.engine import diffing
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import EX, Buffer
from tpy.modal.view.layout import ROW
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk


class Edited(NamedTuple):
    """A proposal that the user has changed: where, the text the agent proposed, the text that takes its place."""

    shown: str
    proposed: str
    text: str

    def apply(self, content: str) -> str | None:
        """Return what is to be written in place of an agent's content, `None` where that holds another text.

        A proposal may be a part of the file only.
        """
        if content == self.proposed:
            return self.text
        if self.proposed and content.count(self.proposed) == 1:
            return content.replace(self.proposed, self.text)
        return None

    def note(self) -> str:
        """Return what the agent is told."""
        before, after = self.proposed.splitlines(), self.text.splitlines()
        diff = "\n".join(difflib.unified_diff(before, after, "proposed", "written", lineterm=""))
        return f"I edited your proposal for {self.shown} before I allowed it; written was:\n```diff\n{diff}\n```"


def edit(host: Agents, talk: Talk, request: Request, row: int) -> None:
    """Show the text that is proposed, to be edited. `row` is the line of the block under the cursor, from 0.

    Raises `CommandFailed` where nothing is.
    """
    show_beside(host, _buffer(talk, request, row))
    host.editor.echo("Change the text; :allow accepts it as it is here, :deny refuses it")


def compare(host: Agents, talk: Talk, request: Request, row: int) -> None:
    """Show the text that is proposed beside the one that is there, in diff mode. Raises `CommandFailed`."""
    buffer = _buffer(talk, request, row)
    piece = request.proposal
    assert piece is not None
    window = show_beside(host, buffer)
    old = host.editor.buffer_named(buffer.name + "/before")
    if old is None:
        old = host.editor.add_buffer(name=buffer.name + "/before")
        old.options.update(buftype="nofile", undofile=False, syntax=buffer.options.get("syntax", ""))
        old.extra["talk"] = talk
        path = os.path.join(host.project, piece.path)
        text = piece.old if piece.old is not None else host.files.text_for_prompt(path)
        with old.step("before", EX):
            old.replace(0, len(old.lines), _lines(text or ""))
        old.modifiable = False
    if old not in [other.buffer for other in host.editor.layout.windows()]:
        left = Window(old)
        host.editor.layout.split(window, left, ROW, after=False)
        diffing.join(host.editor, left)
        diffing.join(host.editor, window)


def window_closing(talk: Talk, window: Window) -> None:
    """A window of a session is about to be closed: the sides of a comparison, opened by one key, go together, and the
    cursor returns to the conversation. What was edited is kept until the request is answered."""
    name = window.buffer.name
    proposal = talk.buffer.name + "/proposal"
    other = {proposal: proposal + "/before", proposal + "/before": proposal}.get(name)
    layout = next((layout for layout in talk.editor.tabs if window in layout.windows()), None)
    if other is None or layout is None:
        return
    here = layout.windows()
    back = [each for each in here if each.buffer is talk.buffer]
    if back and layout.current.buffer.name in (name, other):
        layout.focus(back[0])
    for partner in [each for each in here if each.buffer.name == other and len(here) > 2]:
        panes.close_window(talk.editor, partner, (partner.buffer,))


def _buffer(talk: Talk, request: Request, row: int) -> Buffer:
    """Return the buffer of a proposal, made when it is first asked for."""
    name = talk.buffer.name + "/proposal"
    buffer = talk.editor.buffer_named(name)
    if buffer is not None and request.proposal is not None:
        return buffer
    piece = request.proposal_at(row)
    if piece is None or request.subject is None:
        raise CommandFailed("This request proposes no text to edit")
    buffer = talk.editor.add_buffer(name=name)
    buffer.options.update(buftype="nofile", undofile=False, syntax=_language(piece))
    buffer.extra["talk"] = talk
    buffer.extra["write"] = lambda: "Kept; :allow accepts it as it is here, :deny refuses it"
    with buffer.step("proposal", EX):
        buffer.replace(0, len(buffer.lines), _lines(piece.text))
    request.proposal = piece
    closed = request.closed

    def close() -> None:
        closed()
        for each in (name, name + "/before"):
            talk.remove_buffer(each)

    request.closed = close
    return buffer


def _language(piece: Piece) -> str:
    return os.path.splitext(piece.path)[1].removeprefix(".").lower()


def _lines(text: str) -> list[str]:
    return text.removesuffix("\n").split("\n")


def take_edit(talk: Talk, request: Request) -> None:
    """A request is about to be allowed: what the user has made of its proposal holds for the next write of the path."""
    buffer, piece = talk.editor.buffer_named(talk.buffer.name + "/proposal"), request.proposal
    if buffer is None or piece is None:
        return
    end = "\n" if piece.text.endswith("\n") or not piece.text else ""
    text = "\n".join(buffer.lines) + end
    if text != piece.text:
        path = os.path.realpath(os.path.join(talk.agents.project, piece.path))
        talk.edits[path] = Edited(piece.path, piece.text, text)


def edited(talk: Talk, path: str, content: str) -> str:
    """Return what is to be written to a path where an agent gave a content; the agent hears of a change by the next
    prompt, the user of an edit that does not fit."""
    change = talk.edits.pop(path, None)
    if change is None:
        return content
    text = change.apply(content)
    if text is None:
        told = f"{one_line(talk.name)} wrote another text to {one_line(change.shown)} than it had proposed"
        talk.tell(f"{told}: your edit of the proposal was not used.")
        return content
    talk.notes.append(change.note())
    return text


def drop_edits(talk: Talk) -> None:
    """A turn is over: say which edits no write has come for."""
    for change in talk.edits.values():
        talk.tell(
            f"{one_line(talk.name)} did not write {one_line(change.shown)} through the editor:"
            " your edit of the proposal was not used."
        )
    talk.edits.clear()
