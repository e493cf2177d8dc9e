"""The register bank (`:help registers`): what is yanked and deleted goes here and comes from here.

The read-only registers are answered by a provider that
the editor hands in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tpy.modal.text.position import BLOCK, CHAR, LINE

READ_ONLY = ".%:#/="
WRITABLE = '"-*+_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'


class Register(NamedTuple):
    """Contents of a register: `lines`, the kind (`CHAR`, `LINE`, `BLOCK`) and, for a block, its width in cells."""

    lines: tuple[str, ...]
    kind: str = CHAR
    width: int = 0

    def text(self) -> str:
        """Return it as one string, as `getreg()` gives it: a linewise one ends in a line break."""
        joined = "\n".join(self.lines)
        return joined + "\n" if self.kind == LINE else joined


def from_text(text: str, kind: str | None = None) -> Register:
    """Return the register that a string stands for: linewise if it ends in a line break, unless `kind` says."""
    if kind is None:
        kind = LINE if text.endswith("\n") else CHAR
    if kind == LINE and text.endswith("\n"):
        text = text[:-1]
    return Register(tuple(text.split("\n")), kind)


class RegisterBank:
    """All registers of an editor.

    `provide` answers the read-only names (`. % # : / =`); `copied` is told of text for `+` and `*`, and
    `pasted` may answer them (`None`: what was put there last).
    """

    def __init__(self, provide: Callable[[str], Register | None] = lambda name: None) -> None:
        self.provide = provide
        self.copied: Callable[[Register], None] = lambda register: None
        self.pasted: Callable[[], Register | None] = lambda: None
        self._held: dict[str, Register] = {}
        # The register that `""` stands for.
        self.unnamed = "0"

    def get(self, name: str = '"') -> Register | None:
        """Return what `name` holds, `None` when it is empty; `_` holds an empty text."""
        if name == '"':
            name = self.unnamed
        if name == "_":
            return Register(("",))
        if name in READ_ONLY:
            return self.provide(name)
        if name in "+*":
            return self.pasted() or self._held.get("+")
        return self._held.get(name.lower())

    def set(self, name: str, register: Register) -> None:
        """Put `register` into `name`; a capital letter appends. The register that `""` stands for stays."""
        if name == "_":
            return
        if name == '"':
            name = "0"
        if name in "+*":
            self._held["+"] = register
            self.copied(register)
        elif name.isupper():
            self._held[name.lower()] = _appended(self._held.get(name.lower()), register)
        else:
            self._held[name] = register

    def yank(self, name: str | None, register: Register) -> None:
        """Fill registers as a yank into `name` does (`None`: none was named)."""
        if name == "_":
            return
        if name is None or name == '"':
            name = "0"
        self.set(name, register)
        self._use(name)

    def delete(self, name: str | None, register: Register, *, small: bool, numbered: bool) -> None:
        """Fill registers as a delete or change does (`:help quote_number`, `:help quote_-`).

        `numbered`: the text goes to `"1` and shifts the others. `small`: it is less than a line, and goes to `"-`
        unless a register was named. Both can be, as for `d%` inside a line.
        """
        if name == "_":
            return
        if name is not None:
            self.set(name, register)
            self._use(name)
        if numbered:
            for digit in "98765432":
                held = self._held.get(str(int(digit) - 1))
                if held is not None:
                    self._held[digit] = held
                else:
                    self._held.pop(digit, None)
            self._held["1"] = register
            if name is None or not name.isupper():
                self.unnamed = "1"
        if small and name is None:
            self._held["-"] = register
            self.unnamed = "-"

    def _use(self, name: str) -> None:
        """Make `""` stand for the register that was written to."""
        self.unnamed = "0" if name == '"' else "+" if name in "+*" else name.lower()

    def names(self) -> list[str]:
        """Return the names of all registers that hold something, in the order of `:registers`; `=` holds no text."""
        order = '"0123456789-abcdefghijklmnopqrstuvwxyz+.:%#/'
        return [name for name in order if self.get(name) is not None]


def _appended(old: Register | None, new: Register) -> Register:
    """Return `old` with `new` behind it: linewise if either is; a block grows by lines (`:help quotea`)."""
    if old is None:
        return new
    if new.kind == LINE or old.kind == LINE:
        return Register(old.lines + new.lines, LINE)
    if old.kind == BLOCK:
        return Register(old.lines + new.lines, BLOCK, old.width)
    joined = (*old.lines[:-1], old.lines[-1] + new.lines[0], *new.lines[1:])
    return Register(joined, CHAR)
