"""Recovery: every buffer with text of the user has a journal, kept a moment behind the typing.

The format and the files are `journal.py`'s. Here is when they are written, when they go, and what is asked when a file
is opened that has one (`:help recovery`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from tpy.modal import journal
from tpy.modal.editor import Editor
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex.context import Ask
from tpy.modal.ex.dialog import KeyDialog
from tpy.modal.ex.filestate import state_of
from tpy.modal.journal import Found, Info, Journal
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import RELOAD, Buffer
from tpy.modal.text.splice import Splice, between

QUESTION = 'Unsaved text of "{name}" was found, from {when}: (R)ecover, (O)pen as it is, show the (D)ifference? '


class Timers(Protocol):
    """What is needed of the loop."""

    time: Callable[[], float]

    def call_later(self, delay: float, callback: Callable[[], None]) -> object:
        """Call back once, `delay` seconds from now."""


class Recovery:
    """The journals of an editor's buffers."""

    def __init__(self, editor: Editor, timers: Timers) -> None:
        self._editor = editor
        self._timers = timers
        self._directory = ""
        self._journals: dict[Buffer, Journal] = {}
        self._known: set[Buffer] = set()
        self._armed = False
        self._complained = False
        editor.on("file-loaded", self._settled)
        editor.on("file-written", self._settled)
        editor.on("buffer-removed", self._removed)

    def directory(self) -> str:
        """Return where journals are, "" where they cannot be."""
        if not self._directory:
            try:
                self._directory = journal.recovery_directory()
            except OSError as error:
                self._complain(f"no recovery journal: {error.strerror or error}")
        return self._directory

    # Keeping journals

    def soon(self) -> None:
        """Look for buffers that are new, and have what was typed written when it is time."""
        for buffer in self._editor.buffers.values():
            if buffer not in self._known:
                self._meet(buffer)
        self._arm()

    def _meet(self, buffer: Buffer) -> None:
        self._known.add(buffer)
        buffer.listeners.append(self._changed)
        if state_of(buffer) is not None:
            self._begin(buffer)
        if buffer.modified:
            self._changed_whole(buffer)

    def _begin(self, buffer: Buffer) -> Journal | None:
        """Return the buffer's journal, begun if need be; `None` for buffers that need none."""
        found = self._journals.get(buffer)
        if found is not None or not self._wanted(buffer) or not self.directory():
            return found
        fresh = Journal(self._directory, self._info(buffer), lambda: buffer.lines)
        self._complain(fresh.problem)
        self._journals[buffer] = fresh
        return fresh

    def _wanted(self, buffer: Buffer) -> bool:
        return buffer.keeps_undo and not buffer.options.get("buftype") and "://" not in buffer.name

    def _info(self, buffer: Buffer) -> Info:
        state = state_of(buffer)
        digest = state.stamp.digest.hex() if state is not None and state.stamp is not None else ""
        form: dict[str, object] = {
            name: buffer.options[name] for name in ("fileencoding", "fileformat", "bomb") if name in buffer.options
        }
        return Info(state.path if state is not None else "", digest, journal.this_process(), form)

    def _changed(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        own = self._begin(buffer)
        if own is not None:
            own.note(splice.line, len(splice.old), splice.new, self._timers.time())

    def _changed_whole(self, buffer: Buffer) -> None:
        own = self._begin(buffer)
        if own is not None:
            own.note_all(self._timers.time())

    def _settled(self, buffer: Buffer) -> None:
        """The file holds the buffer's text now: nothing of it has to be kept."""
        own = self._journals.get(buffer)
        if own is not None:
            own.start_over(self._info(buffer), from_disk=journal.is_large(buffer.lines))

    def _removed(self, buffer: Buffer) -> None:
        self._known.discard(buffer)
        own = self._journals.pop(buffer, None)
        if own is not None:
            own.close()

    def _arm(self) -> None:
        """Have the loop come back when the first journal is due."""
        if self._armed:
            return
        times = [due for own in self._journals.values() if (due := own.deadline()) is not None]
        if times:
            self._armed = True
            self._timers.call_later(max(min(times) - self._timers.time(), 0.0), self._due)

    def _due(self) -> None:
        self._armed = False
        now = self._timers.time()
        for own in self._journals.values():
            when = own.deadline()
            if when is not None and when <= now:
                self._complain(own.flush())
                own.compact()
        self._arm()

    def flush(self) -> None:
        """Write everything now."""
        self.soon()
        for own in self._journals.values():
            self._complain(own.flush(durable=True))

    def close(self, *, keep: bool) -> None:
        """End: journals go, with `keep` only those of buffers whose text is in the files."""
        for buffer, own in self._journals.items():
            if not (keep and buffer.modified):
                own.close()
        if not keep:
            self._journals.clear()

    def kept(self) -> list[str]:
        """Return the names of the buffers whose journals stay."""
        return [buffer.name or "[No Name]" for buffer in self._journals if buffer.modified]

    def _complain(self, problem: str) -> None:
        if problem and not self._complained:
            self._complained = True
            self._editor.echo(f"tpy: {problem}; what you type is safe once you write it", error=True)

    # Opening

    def found_for(self, buffer: Buffer) -> list[Found]:
        """Return the journals that others left for the buffer's file, newest first."""
        state = state_of(buffer)
        if state is None or not self.directory():
            return []
        return journal.find_journals(self._directory, state.path)

    def offer(self, engine: Engine, buffer: Buffer, *, recover: bool = False) -> None:
        """Ask what to do with unsaved text of the file, or recover it at once; tell of a second editor on it."""
        found = self.found_for(buffer)
        for other in found:
            if other.alive and other.contents.info is not None:
                pid = other.contents.info.owner.pid
                engine.editor.echo(f'W: "{buffer.name}" is being edited by another tpy, process {pid}', error=True)
        left = [one for one in found if not one.alive and one.contents.has_text]
        for one in found:
            if not one.alive and not one.contents.has_text:
                journal.remove_journal(one)
        if not left:
            if recover:
                raise CommandFailed(f'E305: No recovery journal found for "{buffer.name}"')
            return
        if recover:
            self._recover(buffer, left[0])
            return
        question = QUESTION.format(name=buffer.name, when=_when(left[0].mtime))
        engine.prompt = KeyDialog(
            engine, Ask(question, ("r", "o", "d", "R", "O", "D")), lambda key: self._answered(engine, buffer, left, key)
        )

    def _answered(self, engine: Engine, buffer: Buffer, left: list[Found], key: str | None) -> None:
        answer = (key or "o").lower()
        if answer == "r":
            self._recover(buffer, left[0])
        elif answer == "d":
            _show_difference(engine, buffer, self._text(buffer, left[0])[0])
            self.offer(engine, buffer)
        else:
            self._editor.echo(f'The unsaved text stays; `tpy -r {buffer.name}` or `:recover` brings it back')

    def _text(self, buffer: Buffer, found: Found) -> tuple[list[str], bool]:
        info = found.contents.info
        same = info is not None and info.digest == self._info(buffer).digest
        return journal.rebuild(found.contents, buffer.lines if same else None)

    def _recover(self, buffer: Buffer, found: Found) -> None:
        """Put the unsaved text into the buffer as one undo step; its journal goes when this one's is written."""
        lines, whole = self._text(buffer, found)
        if not whole and found.contents.lines is None and lines == [""]:
            raise CommandFailed(f'E308: The file of "{buffer.name}" has changed; its journal {found.journal} is kept')
        with buffer.step("recover", RELOAD):
            for splice in between(buffer.lines, lines):
                buffer.apply(splice)
        self._changed_whole(buffer)
        own = self._journals.get(buffer)
        if own is not None and not own.flush(durable=True):
            journal.remove_journal(found)
        note = "" if whole else " as far as it could be read"
        self._editor.echo(f'Recovered{note}: look through "{buffer.name}" and write it with :w')


def _when(mtime: float) -> str:
    import time

    return time.strftime("%Y-%m-%d %H:%M", time.localtime(mtime))


def _show_difference(engine: Engine, buffer: Buffer, lines: list[str]) -> None:
    """Show how the unsaved text differs, in a window of its own."""
    import difflib

    from tpy.modal.view.layout import COLUMN
    from tpy.modal.view.window import Window

    diff = [*difflib.unified_diff(buffer.lines, lines, "on disk", "unsaved", lineterm="")]
    shown = engine.editor.add_buffer(diff or ["(no difference)"], name=f"recovery://{buffer.name}")
    shown.options.update(buftype="nofile", buflisted=False, syntax="diff")
    shown.modifiable = False
    layout = engine.editor.layout
    layout.split(layout.current, Window(shown), COLUMN, after=False)
