"""Recovery: every buffer with text of the user has a journal, kept a moment behind the typing.

The format and the files are `journal.py`'s. Here is when they are written, when they go, and what is asked when a file
is opened that has one (`:help recovery`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Protocol

from tpy.modal import journal
from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex.context import Ask
from tpy.modal.ex.dialog import KeyDialog
from tpy.modal.ex.filestate import FileState, open_buffer, state_of
from tpy.modal.journal import Found, Info, Journal
from tpy.modal.registry import CommandFailed
from tpy.modal.text.buffer import RELOAD, Buffer
from tpy.modal.text.splice import Splice, between

QUESTION = '"{name}": unsaved text of {when}. (R)ecover, (O)pen, (D)iff, (F)orget? '


class Timers(Protocol):
    """What is needed of the loop."""

    time: Callable[[], float]

    def call_later(self, delay: float, callback: Callable[[], None]) -> object:
        """Call back once, `delay` seconds from now."""


class Recovery:
    """The journals of an editor's buffers."""

    def __init__(self, engine: Engine, timers: Timers) -> None:
        self._engine = engine
        self._editor = editor = engine.editor
        self._timers = timers
        self._directory = ""
        self._journals: dict[Buffer, Journal] = {}
        self._known: set[Buffer] = set()
        # What others left of the files of buffers, until the user was asked.
        self._left: dict[Buffer, list[Found]] = {}
        # Buffers with recovered text that no file has yet: thrown away, it can be recovered again (`:help recovery`).
        self._recovered: set[Buffer] = set()
        self._armed = False
        self._complained = False
        editor.extra["recover"] = self.recover
        editor.on("file-loaded", self._settled)
        editor.on("file-writing", self._writing)
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
        """After keys: look for new buffers, ask about unsaved text, have what was typed written when it is time."""
        for buffer in self._editor.buffers.values():
            if buffer not in self._known:
                self._meet(buffer)
        if self._left:
            self._ask()
        self._arm()

    def _meet(self, buffer: Buffer) -> None:
        self._known.add(buffer)
        buffer.listeners.append(self._changed)
        if state_of(buffer) is not None:
            self._look(buffer)
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
        return Info(_place(state), digest, journal.this_process(), form)

    def _changed(self, buffer: Buffer, splice: Splice, origin: str) -> None:
        own = self._begin(buffer)
        if own is not None:
            own.note(splice.line, len(splice.old), splice.new, self._timers.time())

    def _changed_whole(self, buffer: Buffer) -> None:
        own = self._begin(buffer)
        if own is not None:
            own.note_all(self._timers.time())

    def _writing(self, buffer: Buffer) -> None:
        """The file is about to hold the text: killed right after that, the journal must not hold an older one."""
        own = self._journals.get(buffer)
        if own is not None:
            self._complain(own.flush())

    def _settled(self, buffer: Buffer) -> None:
        """The file holds the buffer's text now: nothing of it has to be kept."""
        self._recovered.discard(buffer)
        own = self._journals.get(buffer)
        if own is not None:
            own.start_over(self._info(buffer), from_disk=journal.is_large(buffer.lines))

    def _removed(self, buffer: Buffer) -> None:
        self._known.discard(buffer)
        self._left.pop(buffer, None)
        own = self._journals.pop(buffer, None)
        if own is not None:
            self._end(buffer, own, keep=False)
        self._recovered.discard(buffer)

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
            self._end(buffer, own, keep=keep)
        if not keep:
            self._journals.clear()

    def _end(self, buffer: Buffer, own: Journal, *, keep: bool) -> None:
        if buffer in self._recovered:
            own.flush(durable=True)
        elif not (keep and buffer.modified):
            own.close()

    def kept(self) -> list[tuple[str, str]]:
        """Return the names of the buffers whose journals stay, each with what `tpy -r` is to be given."""
        kept = [(buffer, own) for buffer, own in self._journals.items() if buffer.modified]
        return [(buffer.name or "[No Name]", buffer.name or own.name) for buffer, own in kept]

    def _complain(self, problem: str) -> None:
        if problem and not self._complained:
            self._complained = True
            self._editor.echo(f"tpy: {problem}; what you type is safe once you write it", error=True)

    # What a crash left

    def _look(self, buffer: Buffer) -> None:
        """Tell of another editor on the buffer's file, and note the unsaved text that a dead one left."""
        state = state_of(buffer)
        if state is None or not self.directory():
            return
        for found in journal.find_journals(self._directory, _place(state)):
            contents = found.contents
            if found.alive and contents.info is not None:
                pid = contents.info.owner.pid
                self._editor.echo(f'W: "{buffer.name}" is being edited by another tpy, process {pid}', error=True)
            elif contents.has_text and not self._holds(buffer, found):
                self._left.setdefault(buffer, []).append(found)
            else:
                if contents.damaged:
                    self._editor.echo(f'A damaged journal of "{buffer.name}" held no text', error=True)
                journal.remove_journal(found)

    def _holds(self, buffer: Buffer, found: Found) -> bool:
        """Whether the buffer has the unsaved text already."""
        lines, whole = self._text(buffer, found)
        return whole and lines == buffer.lines

    def _ask(self) -> None:
        """Ask about the buffer in the window, where keys are not meant for text; others when they are gone to."""
        engine, buffer = self._engine, self._editor.buffer
        if buffer in self._left and engine.prompt is None and engine.mode == "n" and not engine.normal.busy:
            self._question(buffer, self._left[buffer][0])

    def _question(self, buffer: Buffer, left: Found) -> None:
        state = state_of(buffer)
        stamp = state.stamp if state is not None else None
        newer = stamp is not None and stamp.mtime_ns > left.mtime * 1e9
        when = _when(left.mtime) + (" (the file is newer)" if newer else "")
        ask = Ask(QUESTION.format(name=buffer.name, when=when), tuple("rodfRODF:"))
        engine = self._engine
        engine.prompt = KeyDialog(engine, ask, lambda key: self._answered(buffer, (key or "o").lower()))

    def _answered(self, buffer: Buffer, answer: str) -> None:
        if answer == "d":
            left = self._left[buffer]
            _show_difference(self._engine, buffer, self._text(buffer, left[0])[0])
            self._question(buffer, left[0])
            return
        left = self._left.pop(buffer)
        if answer == "r":
            self._recover(buffer, left[0])
        elif answer == "f":
            for found in left:
                journal.remove_journal(found)
        else:
            self._editor.echo(f"The unsaved text is kept: `tpy -r {buffer.name}` brings it back")
            if answer == ":":  # a command was meant, and is typed on
                self._engine.push([answer])

    def recover(self, buffer: Buffer) -> None:
        """Put the newest unsaved text into the buffer without asking (`tpy -r`). Raises `CommandFailed` (E305)."""
        if buffer not in self._known:
            self._meet(buffer)
        elif buffer not in self._left:
            self._look(buffer)
        left = self._left.pop(buffer, None)
        if left is None:
            raise CommandFailed(f'E305: No unsaved text of "{buffer.name}" was kept')
        self._recover(buffer, left[0])

    def open_journal(self, found: Found) -> Buffer:
        """Return the buffer of a journal's file, or a new one, with the journal's text (`tpy -r FILE.journal`).

        Raises `CommandFailed` where there is none, or its editor still runs.
        """
        info = found.contents.info
        if found.alive or info is None or not found.contents.has_text:
            what = "belongs to a tpy that runs" if found.alive else "holds no text"
            raise CommandFailed(f"E305: {found.journal} {what}")
        buffer = open_buffer(self._editor, info.path) if info.path else self._editor.add_buffer()
        self._meet(buffer)
        self._left.pop(buffer, None)
        self._recover(buffer, found)
        return buffer

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
        self._recovered.add(buffer)
        own = self._journals.get(buffer)
        if own is not None and not own.flush(durable=True):
            journal.remove_journal(found)
        note = "" if whole else " as far as it could be read"
        self._editor.echo(f"Recovered{note}: look through the text and write it with :w")


def _place(state: FileState | None) -> str:
    """Return the real path of a file, the same by whatever link it was opened; empty without one."""
    return "" if state is None else os.path.realpath(state.path)


def kept_texts() -> list[str]:
    """Return a line for each journal with text: whose it is, when, and what to do (`tpy -r`)."""
    import shlex

    try:
        found = journal.find_journals(journal.recovery_directory())
    except OSError as error:
        return [f"the journals cannot be read: {error.strerror}"]
    lines = []
    for one in found:
        info = one.contents.info
        if info is None or not (one.contents.has_text or one.alive):
            continue
        if one.alive:
            told = f"{info.path or '[No Name]'} is being edited by process {info.owner.pid}"
        else:
            told = f"tpy -r {shlex.quote(info.path or one.journal)}" + (
                "" if info.path else "  (a buffer without a name)"
            )
        lines.append(f"{_when(one.mtime)}  {told}")
    return lines


def _when(mtime: float) -> str:
    import time

    return time.strftime("%d %b %H:%M", time.localtime(mtime))


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
