"""What can be done again: the last change (`.`) and macros (`q`, `@`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.engine.grammar import MOST_COUNT, Command, Shape
from tpy.modal.keymap import to_text
from tpy.modal.registry import CommandFailed, actions
from tpy.modal.text.registers import Register

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine


class Repeat:
    """The dot record and the macro recorder of an engine.

    The dot record is the last command that declares `dot`, with the keys of the insert session it started.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.command: Command | None = None
        # The size of what the last Visual operator worked on, for a count before `v`.
        self.shape: Shape | None = None
        # The first and last display column of the last selection that did not end in `$`.
        self.columns = (0, 0)
        self.insert_keys: list[str] = []
        self._before: tuple[Command | None, list[str]] = (None, [])
        self.replaying = False
        self.recording: str | None = None
        self._recorded: list[str] = []
        self.last_macro: str | None = None
        # Whether the next operator fills a numbered register whatever it deletes.
        self.numbers_next = False
        # Whether the shell command that is run next belongs to the operator `!`, for `.` to type it again.
        self.filtering = False
        # Whether keys come from a register, where `q` does nothing.
        self.executing = False

    # Dot

    def begin(self, command: Command) -> None:
        """Remember a command as the last change; the keys of an insert session may follow."""
        if not self.replaying:
            self._before = self.command, self.insert_keys
            self.command = command
            self.insert_keys = []

    def cancel(self) -> None:
        """Keep the change before as the last one, as the command that began cannot be done."""
        if not self.replaying:
            self.command, self.insert_keys = self._before

    def filtered(self, line: str) -> None:
        """Note the shell command that lines are put through; it belongs to the operator `!` where that was typed."""
        if self.filtering:
            self.filtering = False
            self.insert_keys = [*line, "<CR>"]

    def recount(self, count: int) -> None:
        """Have the command that is done repeated with another count than was typed."""
        if self.command is not None:
            self.command = self.command._replace(times=count)

    def inserted(self, keys: list[str], *, moved: bool) -> None:
        """Remember the keys of an insert session; after the cursor was moved (`moved`) they are an insert of their
        own (`:help ins-special-special`)."""
        if self.replaying:
            return
        if moved:
            self.command = Command(action=actions["insert"])
        self.insert_keys = keys

    def again(self, count: int | None, named: str | None = None) -> None:
        """Do the last change again, with another count if one is given, and in the register `named` where it had none
        (`:help .`). Raises `CommandFailed`."""
        from tpy.modal.engine.execute import execute

        insert, resume = self.engine.insert, self.engine.insert.resume
        last = (self.command, self.insert_keys)
        if resume is not None and not insert.moved:
            # After `<C-o>` the change before the insert that goes on is meant.
            self.command, self.insert_keys = self._before
        if self.command is None:
            self.command, self.insert_keys = last
            raise CommandFailed
        if count is not None and named is not None:
            # In Vim a register keeps the count, which multiplies the one that the change is repeated with.
            count = min(count * count, MOST_COUNT)
        if count is not None and self.command.shape is None:
            self.command = self.command._replace(times=count)
        register = self.command.register
        if register is not None and register in "12345678":
            # So that `"1p...` brings back one delete after the other (`:help redo-register`).
            self.command = self.command._replace(register=chr(ord(register) + 1))
        command = self.command
        if register is None and named is not None:
            command = command._replace(register=named)
            if command.shape is None:
                self.command = command
        self.replaying = True
        try:
            execute(self.engine, command)
            if insert.active:
                if command.operator is not None and not command.operator.name.startswith("insert-"):
                    # As when the operator is typed after `<C-o>`: its insert is the one that ends.
                    resume = None
                insert.replay(self.insert_keys)
            elif self.engine.prompt is not None:
                self.engine.push(self.insert_keys, remap=False)
        finally:
            self.replaying = False
            if resume is not None:
                insert.resume = resume

    # Macros

    @property
    def busy(self) -> bool:
        """Whether keys are recorded or come from a register, so that `q` asks for no register."""
        return self.executing or self.recording is not None

    def typed(self, key: str) -> None:
        """Note a key as it is typed, before mappings, while a macro is recorded."""
        self.engine.editor.keys_typed += 1
        if self.recording is not None:
            self._recorded.append(key)

    def start_recording(self, name: str) -> None:
        """Record typed keys into a register until `stop_recording`."""
        self.recording = name
        self._recorded = []

    def stop_recording(self) -> None:
        """End the recording; the key that ended it is not part of it."""
        name, self.recording = self.recording, None
        if name is None:
            return
        registers = self.engine.editor.registers
        text = to_text(self._recorded[:-1])
        old = registers.get(name.lower()) if name.isupper() else None
        if old is not None:
            recorded = Register((*old.lines[:-1], old.lines[-1] + text), old.kind, old.width)
        else:
            recorded = Register((text,))
        registers.set(name.lower(), recorded)
