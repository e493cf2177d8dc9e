"""The command line of the editor itself, read as Vim reads it, into a `Startup`.

    startup = read_arguments(["+12", "-R", "notes.txt"])

The options are rows of `OPTIONS`; the help text and the completion scripts are made from the same rows.
Not here: `tpy agents …` and `tpy completion …` (`cli.py`). No click: this is on the way to the first frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tpy.modal.startup import Startup


class UsageError(Exception):
    """A command line that cannot be obeyed; the text is for the user."""


class Option(NamedTuple):
    """One option: its letter or long name with dashes, what it does, and what kind of value follows.

    `value` is "" (none), "FILE", "CMD" (both wanted) or "N" (a number that may be attached, as in `-O2`).
    """

    name: str
    help: str
    value: str = ""


OPTIONS = (
    Option("-c", "run an ex command after the first file is loaded", "CMD"),
    Option("--cmd", "run an ex command before any file of yours is read", "CMD"),
    Option("-R", "read only: writing needs !"),
    Option("-o", "a window for each file, one below the other", "N"),
    Option("-O", "a window for each file, side by side", "N"),
    Option("-p", "a tab page for each file", "N"),
    Option("-d", "show the differences between the files"),
    Option("-q", "go through the places that FILE lists", "FILE"),
    Option("-r", "recover what a crash left of a file; with no file, list it"),
    Option("-u", "read FILE in place of tpyrc; NONE reads nothing", "FILE"),
    Option("--clean", "Vim's own defaults, no file of yours, nothing remembered"),
    Option("--version", "print the version"),
    Option("--help", "print this text"),
)

_ALIASES = {"-h": "--help", "-?": "--help"}
_SPLITS = {"-o": "horizontal", "-O": "vertical", "-p": "tabs"}
_BY_NAME = {option.name: option for option in OPTIONS}

HELP = "--help"
VERSION = "--version"


def read_arguments(argv: Sequence[str]) -> Startup | str:
    """What to start with, or `HELP` or `VERSION` when one of them is asked for; raises `UsageError`.

    `--` ends the options; short ones may be joined (`-Rd`), and a value may touch its option (`-qerrors`).
    """
    reader = _Reader(argv)
    while reader.rest:
        word = reader.rest.pop(0)
        if word == "--":
            reader.files += reader.rest
            break
        if word.startswith("+"):
            reader.commands.append(word[1:] or "$")
        elif word == "-":
            reader.values["stdin"] = True
        elif not word.startswith("-"):
            reader.files.append(word)
        else:
            asked = reader.long(word) if word.startswith("--") or word in _ALIASES else reader.short(word)
            if asked:
                return asked
    return reader.startup()


class _Reader:
    """The words still to read, and what was understood so far."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.rest = list(argv)
        self.files: list[str] = []
        self.commands: list[str] = []
        self.pre_commands: list[str] = []
        self.values: dict[str, object] = {}

    def long(self, word: str) -> str:
        """Read `--name`, `--name=value` or an alias; returns `HELP` or `VERSION` when it is one of them."""
        name, equals, value = word.partition("=")
        option = _BY_NAME.get(_ALIASES.get(name, name))
        if option is None or (equals and not option.value):
            raise UsageError(f'unknown option: "{word}"')
        if option.name in (HELP, VERSION):
            return option.name
        if option.name == "--cmd":
            self.pre_commands.append(value if equals else self._value(option))
        else:
            self.values["clean"] = True
        return ""

    def short(self, word: str) -> str:
        """Read `-x`, several of them joined, the last perhaps with its value attached."""
        letters = word[1:]
        while letters:
            option = _BY_NAME.get("-" + letters[0])
            if option is None:
                raise UsageError(f'unknown option: "-{letters[0]}" in "{word}"')
            letters = letters[1:]
            if option.value == "N":
                count = letters[: len(letters) - len(letters.lstrip("0123456789"))]
                letters = letters[len(count) :]
                self.values |= {"split": _SPLITS[option.name], "split_count": int(count[:6] or 0)}
            elif option.value:
                self._take(option.name, letters or self._value(option))
                return ""
            else:
                self.values[{"-R": "readonly", "-d": "diff", "-r": "recover"}[option.name]] = True
        return ""

    def _value(self, option: Option) -> str:
        if not self.rest:
            raise UsageError(f'"{option.name}" wants a {option.value} after it')
        return self.rest.pop(0)

    def _take(self, name: str, value: str) -> None:
        if name == "-c":
            self.commands.append(value)
        else:
            self.values[{"-q": "quickfix_file", "-u": "config_file"}[name]] = value

    def startup(self) -> Startup:
        """Return what the command line asks for, once all its words are read."""
        return Startup(
            files=tuple(self.files),
            commands=tuple(self.commands),
            pre_commands=tuple(self.pre_commands),
            **self.values,  # type: ignore[arg-type]
        )


def help_text(subcommands: Sequence[tuple[str, str]]) -> str:
    """The text of `tpy --help`."""
    rows = [("+LINE", "start at that line; + alone at the last"), ("+CMD", "as -c CMD, such as +/pattern")]
    rows += [(f"{o.name}[N]" if o.value == "N" else f"{o.name} {o.value}".rstrip(), o.help) for o in OPTIONS]
    rows += [("-", "edit what comes on standard input"), ("--", "only file names follow")]
    lines = ["Usage: tpy [OPTION…] [FILE…]", *(f"       tpy {name}" for name, _ in subcommands), ""]
    lines += [f"  {name:<14} {text}" for name, text in rows]
    lines += ["", *(f"  tpy {name:<30} {text}" for name, text in subcommands), ""]
    lines += ["In the editor, :help tells more, and :agent Tutor shows how agents work.", ""]
    return "\n".join(lines)
