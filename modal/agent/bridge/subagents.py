"""Subagents: the sessions that an agent opens for its helpers, each with a conversation of its own (PROTOCOL §19).

They take no prompts and come and go with their agent; nothing of them takes the cursor. What they ask is asked in the
conversation of their agent. `:agentsub` shows them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.acp.session import Session
from tpy.modal.agent import panes
from tpy.modal.agent.bridge.drawing import Drawing, child_state
from tpy.modal.agent.bridge.pace import Pace
from tpy.modal.agent.conversation import Conversation
from tpy.modal.agent.folding import Folder
from tpy.modal.agent.lines import one_line
from tpy.modal.agent.styles import Styles
from tpy.modal.engine.folding import folds_of
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import Buffer
from tpy.modal.view.window import Window

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.talk import Talk


class Subagent:
    """One child session with its conversation. `number` tells the children of an agent apart, from 1."""

    def __init__(self, talk: Talk, session: Session, number: int) -> None:
        self.talk = talk
        self.editor = talk.editor
        self.number = number
        self._pace = Pace(talk.agents.loop, self.draw, talk.agents.streamed)
        self.show_session(session)

    def show_session(self, session: Session) -> None:
        """Show a session from its beginning, in the buffer of the one before where there is one."""
        self.session = session
        name = f"{self.talk.buffer.name}/sub/{self.number}"
        self.buffer = self.editor.buffer_named(name) or self.editor.add_buffer(name=name)
        self.buffer.options.update(buftype="nofile", undofile=False, textwidth=0)
        self.conversation = Conversation(self.buffer, self.editor.windows, self._selecting, self._reveal)
        self.conversation.clear()
        self.folder = Folder(self.conversation, self.editor.windows, lambda window: folds_of(self.editor, window))
        siblings = self.talk.subagents
        self.drawing = Drawing(
            self.conversation, self.folder, self.name, self.talk.agents.project,
            you=siblings.who(session.parent or ""), who=siblings.who, find_line=self.talk.agents.files.line_of,
        )  # fmt: skip
        self.buffer.extra.update(
            styles=Styles(self.conversation), status=self.status, talk=self.talk, conversation=self.conversation
        )
        self.talk.agents.keys.adopt(self.buffer, "subagent")
        self.draw()

    @property
    def name(self) -> str:
        """What it is called: its title, else its number."""
        return one_line(self.session.title, 40) if self.session.title else f"subagent {self.number}"

    @property
    def state(self) -> str:
        """What it is doing, as far as its agent has told."""
        return child_state(self.session.told) if self.session.told is not None else ""

    def status(self, window: Window) -> str:
        """Return the status line of a window on it."""
        unseen = self.conversation.unseen(window)
        parts = [f"{one_line(self.talk.name, 40)}: {self.name}", self.state, f"{unseen} new" if unseen else ""]
        return "  ".join(part for part in parts if part)

    def draw(self) -> None:
        """Draw what is new now."""
        self.drawing.name = self.name
        self.drawing.draw(self.session)

    def draw_soon(self) -> None:
        """Draw what is new in a moment."""
        self._pace.soon()

    def open(self) -> None:
        """Go to its window, opening one where there is none."""
        from tpy.modal.agent.agentcmds import show_beside

        if self.buffer.number not in self.editor.buffers:  # it was deleted
            self.show_session(self.session)
        window = show_beside(self.talk.agents, self.buffer)
        if window.extra.get("agent") is None:
            panes.as_conversation(window)
            self.folder.adopt(window)
            self.conversation.to_end(window)

    def cancel(self) -> None:
        """Have it stop its work. Raises `CommandFailed` where its agent does not offer that."""
        client = self.talk.client
        if client is None or not client.cancel_child(self.session):
            agent = one_line(self.talk.name, 40)
            raise CommandFailed(f"{self.name} cannot be cancelled alone; :cancel {agent} ends the turn it works for")
        self.editor.echo(f"Cancelling {self.name}")

    def _selecting(self, window: Window) -> bool:
        return self.editor.visual is not None and window is self.editor.window

    def _reveal(self, window: Window) -> None:
        panes.reveal_end(self.editor, window)


class Subagents:
    """The subagents of one session, in the order in which they were announced."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self.all: list[Subagent] = []

    def add(self, session: Session) -> None:
        """A child session was announced; a new process may announce one again."""
        old = self.of(session.session_id)
        if old is not None:
            old.show_session(session)
        else:
            self.all.append(Subagent(self.talk, session, len(self.all) + 1))

    def changed(self, session: Session) -> None:
        """There is something new in a child session."""
        found = self.of(session.session_id)
        if found is not None:
            found.draw_soon()

    def of(self, session_id: str) -> Subagent | None:
        """Return the subagent of a session id."""
        return next((one for one in self.all if one.session.session_id == session_id), None)

    def told(self, shown: object) -> Subagent | None:
        """Return the subagent that an item of a conversation tells of (its `data`)."""
        return next((one for one in self.all if one.session.told is shown), None) if shown is not None else None

    def at(self, buffer: Buffer) -> Subagent | None:
        """Return the subagent that a buffer shows."""
        return next((one for one in self.all if one.buffer is buffer), None)

    def who(self, session_id: str) -> str:
        """Return what the owner of a session is called: the agent, or one of its subagents."""
        found = self.of(session_id)
        return found.name if found is not None else self.talk.name

    def named(self, text: str) -> Subagent:
        """Return the one meant by a number, a name or the beginning of one. Raises `CommandFailed`."""
        if not self.all:
            raise CommandFailed(f"{one_line(self.talk.name)} has no subagents")
        low = text.lower()
        exact = [one for one in self.all if text == str(one.number) or low == one.name.lower()]
        found = exact or [one for one in self.all if one.name.lower().startswith(low)]
        if len(found) != 1:
            names = " | ".join(f"{one.number} {one.name}" for one in found or self.all)
            raise CommandFailed(f"Which subagent? :agentsub {names}")
        return found[0]
