"""One ex command out of a line: modifiers, range, name, `!`, register, count, argument, what follows `|`.

The result is an `ExCall`; nothing is run here. Addresses are read by `address.py`, which may move the cursor for
`;`. Source: `:help cmdline-lines`, `:help cmdline-ranges`, `:help :bar`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tpy.modal.ex.address import Addresses, Range
from tpy.modal.registry import Command, CommandFailed, commands
from tpy.modal.text.pattern import split_pattern

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# Modifiers that may stand before a command, by their shortest form (`:help :command-modifiers`).
_MODIFIERS = (
    "abo[veleft] bel[owright] bo[tright] bro[wse] conf[irm] hid[e] keepa[lt] keepj[umps] kee[pmarks] keepp[atterns] "
    "lefta[bove] loc[kmarks] leg[acy] noa[utocmd] nos[wapfile] rightb[elow] san[dbox] sil[ent] tab to[pleft] "
    "uns[ilent] verb[ose] vert[ical]"
).split()
_MODIFIER = re.compile(r"[ \t]*(\d*)([a-z]+)(?![A-Za-z])(!?)")
# Some names have digits, and an argument may follow others at once.
_NAME = re.compile(r"(?:py|vim9)[A-Za-z0-9]*|[A-Za-z]+")
_USER_NAME = re.compile(r"[A-Z][A-Za-z0-9]*")
_PUNCTUATION = "@*!=><&~#"
_DELETE_FLAGS = re.compile(r"d(?:e(?:l(?:e(?:te?)?)?)?)?([lp])$")
# Argument kinds in which <C-v> stays and `"` begins no comment.
_RAW = frozenset({"mapping", "abbreviation"})
_NO_COMMENT = frozenset({"mapping", "abbreviation", "usercommand"})
_FILES = frozenset({"file", "files", "directory", "buffer"})
_NUMBERS = frozenset({"count", "buffers", "tabs", "windows", "arguments", "quickfix"})
# Commands that a `!` behind them belongs to the argument of.
_NO_BANG = frozenset({"!", "&", "substitute", "smagic", "snomagic"})
_MOST = 2_147_483_647


class ExCall(NamedTuple):
    """A command with all that was typed with it.

    `first` and `last` count from 1, `addresses` tells how many were typed. `number` is the count, `None`
    where none was typed.
    `rest` is what follows `|`, `None` for nothing; a command whose row has `bar=False` finds it itself.
    """

    command: Command
    first: int
    last: int
    addresses: int
    bang: bool
    args: str
    register: str | None
    number: int | None
    flags: str
    modifiers: dict[str, int]
    rest: str | None
    typed: str


def _unfold(notation: str) -> tuple[str, list[str]]:
    """Return the full name of a notation and every abbreviation that means it."""
    short, _, tail = notation.rstrip("]").partition("[")
    return short + tail, [short + tail[:n] for n in range(len(tail) + 1)]


_modifier_names = {form: name for notation in _MODIFIERS for name, forms in [_unfold(notation)] for form in forms}
_forms: dict[str, Command] = {}
_forms_of = 0


def find_command(name: str) -> Command | None:
    """Return the row of a command by any form of its name that Vim takes."""
    global _forms_of
    if _forms_of != len(commands):
        _forms.clear()
        for row in commands:
            for form in _unfold(row.notation)[1]:
                _forms.setdefault(form, row)
        _forms_of = len(commands)
    return _forms.get(name)


def find_user_command(engine: Engine, name: str) -> Command | None:
    """Return the user's command of that name, or the only one that begins so. Raises `CommandFailed` (E464)."""
    table: dict[str, Command] = engine.editor.extra.get("user-commands", {})
    if name in table:
        return table[name]
    found = [row for key, row in table.items() if key.startswith(name)]
    if len(found) > 1:
        raise CommandFailed("E464: Ambiguous use of user-defined command")
    return found[0] if found else None


def _modifiers(text: str, at: int) -> tuple[dict[str, int], int]:
    """Read the modifiers at the start; `:silent!` is "silent" with 2, `:tab` and `:verbose` hold their number."""
    found: dict[str, int] = {}
    while True:
        # A range before `:tab` and `:verbose` is skipped where it is more than a number.
        behind = _skip_range(text, at) if text[at : at + 1] not in ("", " ") and not text[at].isalnum() else at
        match = _MODIFIER.match(text, behind)
        if behind != at and match is not None and _modifier_names.get(match[2]) not in ("tab", "verbose"):
            match = None
        if match is None:
            return found, at
        name = _modifier_names.get(match[2])
        end = match.end()
        if name is None or (match[1] and name not in ("tab", "verbose")) or (match[3] and name != "silent"):
            return found, at
        if name == "hide" and not text[end:].lstrip(" \t|"):
            return found, at
        if name == "silent":
            found[name] = 2 if match[3] else 1
        elif name == "tab":
            found[name] = int(match[1]) if match[1] else -1
        else:
            found[name] = int(match[1]) if match[1] else 1
        at = _skip(text, end)


def _skip(text: str, at: int, chars: str = " \t:") -> int:
    while at < len(text) and text[at] in chars:
        at += 1
    return at


def parse(engine: Engine, text: str) -> ExCall | None:
    """Return the first command of a line, `None` where there is nothing to do. Raises `CommandFailed`.

    A range alone is the command `:goto-line`, a range before `|` is `:print` (`:help :range`).
    """
    at = _skip(text, 0)
    if at >= len(text) or text[at] == '"':
        return None
    modifiers, at = _modifiers(text, at)
    # The kind of the command decides what `.` and `$` are, so its name is looked up behind the range first.
    start = at
    name_at = _skip_range(text, at)
    row, name_end, flags, bare = _name(engine, text, name_at)
    kind = row.range if row is not None else ""
    if text[start:name_at].strip(" \t:"):
        _refuse_range(text, start, name_at, row)
    addresses = Addresses(engine, text, start, kind, keeps="keeppatterns" in modifiers)
    lines = addresses.read()
    at = _skip(text, addresses.at)
    if at >= len(text) or text[at] in '"|\n':
        return _range_only(engine, text, at, lines, modifiers)
    if row is None or (at < name_at and text[at] == "'"):
        raise CommandFailed(f"E492: Not an editor command: {text[_skip(text, 0) :]}")
    return _complete(engine, text, name_end, row, lines, modifiers, flags, bare)


def _refuse_range(text: str, start: int, end: int, row: Command | None) -> None:
    """Raise `CommandFailed` (E481, E14) for a range that the command cannot have, before anything is searched for."""
    if row is None:
        return
    if (not row.range or row.range in _NUMBERS) and any(char in "/?\\'" for char in text[start:end]):
        raise CommandFailed("E14: Invalid address" if row.range else "E481: No range allowed")


def _skip_range(text: str, at: int) -> int:
    """Return where the command's name begins behind the addresses, without resolving them."""
    while at < len(text):
        char = text[at]
        if char == "'":
            at += 2
        elif char == "\\":
            if text[at + 1 : at + 2] not in ("/", "?", "&"):
                break
            at += 2
        elif char in "/?":
            rest = split_pattern(text[at + 1 :], char)[1]
            at = len(text) - len(rest or "")
        elif char in " \t:0123456789.$%,;+-*":
            at += 1
        else:
            break
    return at


def _range_only(engine: Engine, text: str, at: int, lines: Range, modifiers: dict[str, int]) -> ExCall | None:
    rest = text[at + 1 :] if at < len(text) and text[at] in "|\n" else None
    if at < len(text) and text[at] == "|":
        # Nothing is asked about a backwards range here.
        if not 0 <= lines.first <= lines.last <= len(engine.editor.buffer.lines):
            raise CommandFailed("E16: Invalid range")
        row = commands["print"]
        return ExCall(row, lines.first, lines.last, lines.typed, False, "", None, None, "", modifiers, rest, text)
    if lines.typed == 0 and rest is None:
        return None
    row = commands["goto-line"]
    last = min(lines.last, len(engine.editor.buffer.lines))
    if last < 0:
        raise CommandFailed("E16: Invalid range")
    return ExCall(row, last, last, lines.typed, False, "", None, None, "", modifiers, rest, text)


def _name(engine: Engine, text: str, at: int) -> tuple[Command | None, int, str, bool]:
    """Return the row named at `at`, where the name ends, flags within the name (`:dl`), and whether it is
    the short form of `:k` or `:s` whose argument follows at once."""
    if text.startswith("k", at) and text[at + 1 : at + 3] != "ee":
        return commands.get("k"), at + 1, "", True
    if _substitutes(text[at : at + 5]):
        return commands.get("substitute"), at + 1, "", True
    match = _NAME.match(text, at)
    if match is None:
        char = text[at : at + 1]
        if char and char in _PUNCTUATION:
            return find_command(char), at + 1, "", False
        return None, at, "", False
    name = match[0]
    if name[0].isupper():
        match = _USER_NAME.match(text, at)
        assert match is not None
        row = commands.get(match[0]) or find_user_command(engine, match[0])
        return row, match.end(), "", False
    flagged = _DELETE_FLAGS.match(name)
    if flagged is not None:
        return commands.get("delete"), match.end(), {"l": "l", "p": "p"}[flagged[1]], False
    return find_command(name), match.end(), "", False


def _substitutes(text: str) -> bool:
    """Whether this is `:s` with flags right behind it (`:sc`, `:sg`, `:si`, `:sI`, `:sr`) and no longer name."""
    if not text.startswith("s"):
        return False
    one, two, three, four = (text[n : n + 1] for n in (1, 2, 3, 4))
    if one == "c":
        return not two or (two not in "sr" and (not three or (three != "i" and four != "p")))
    if one == "i":
        return not two or two not in "mlg"
    return one in ("g", "I") or (one == "r" and two != "e")


def _complete(
    engine: Engine,
    text: str,
    at: int,
    row: Command,
    lines: Range,
    modifiers: dict[str, int],
    flags: str,
    bare: bool,
) -> ExCall:
    """Read what follows the name."""
    bang = False
    if text.startswith("!", at) and not bare and row.name not in _NO_BANG:
        bang = True
        at += 1
    if bang and not row.bang:
        raise CommandFailed("E477: No ! allowed")
    if lines.typed and not row.range:
        raise CommandFailed("E481: No range allowed")
    if row.name != "!":
        at = _skip(text, at, " \t")
    args, rest = text[at:], None
    filters = row.name in ("read", "write") and (args.startswith("!") or (row.name == "read" and bang))
    if row.bar and not filters:
        args, rest = split_bar(args, row)
    first, last = lines.first, lines.last
    count = lines.typed
    if count == 0 and row.range == "%":
        first, last = 1, len(engine.editor.buffer.lines)
    elif count == 0 and row.range == "$":
        first = last = len(engine.editor.buffer.lines)
    if row.args == "shift":
        more = args[: len(args) - len(args.lstrip(row.name))]
        flags, args = flags + more, args[len(more) :].lstrip(" \t")
    register, args = _register(row, args)
    number, args = _count(row, args)
    if number is None and row.range in _NUMBERS and count:
        number = last
    if row.flags:
        more = args[: len(args) - len(args.lstrip("lp#"))]
        flags, args = flags + more, args[len(more) :].lstrip(" \t")
    if not row.args and args and row.bar and not args.startswith(('"',)):
        raise CommandFailed(f"E488: Trailing characters: {args}")
    if row.need and not args.strip(" \t"):
        raise CommandFailed("E471: Argument required")
    return ExCall(row, first, last, count, bang, args, register, number, flags, modifiers, rest, text)


def _register(row: Command, args: str) -> tuple[str | None, str]:
    """Take the register name from the front of the argument, where the command has one."""
    if not row.register or not args or (row.count and args[0].isdigit()):
        return None, args
    name = args[0]
    writable = '"-*+_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
    readable = ".%:#/=" if row.name == "put" else ""
    if name not in writable + readable or not name.isascii():
        return None, args
    return name, args[1:].lstrip(" \t")


def _count(row: Command, args: str) -> tuple[int | None, str]:
    """Take the count from the front of the argument, where the command has one."""
    if not row.count or not args[:1].isdigit() or not args[:1].isascii():
        return None, args
    match = re.match(r"[0-9]+", args)
    assert match is not None
    if row.args == "buffer" and args[match.end() :].strip(" \t"):
        return None, args
    number = min(int(match[0]), _MOST)
    if number == 0 and row.range not in ("0", *_NUMBERS):
        raise CommandFailed("E939: Positive count required")
    return number, args[match.end() :].lstrip(" \t")


def split_bar(args: str, row: Command) -> tuple[str, str | None]:
    """Cut the argument at the first `|` or comment that is not escaped (`:help :bar`)."""
    if "|" not in args and '"' not in args and "\x16" not in args and "\n" not in args:
        return args if row.args in _NO_COMMENT else _stripped(args), None
    kept: list[str] = []
    at = 0
    rest = None
    while at < len(args):
        char = args[at]
        if char == "\x16":
            if row.args in _RAW or row.args in _FILES:
                kept.append(char)
            kept.append(args[at + 1 : at + 2])
            at += 2
            continue
        if char in "|\n" or (char == '"' and row.args not in _NO_COMMENT and not (row.name in "@*" and at == 0)):
            if kept and kept[-1] == "\\":
                kept[-1] = char
                at += 1
                continue
            rest = args[at + 1 :] if char in "|\n" else None
            break
        kept.append(char)
        at += 1
    joined = "".join(kept)
    return (joined if row.args in _NO_COMMENT else _stripped(joined)), rest


def _stripped(args: str) -> str:
    """Remove blanks at the end, except one that a backslash or <C-v> protects."""
    end = len(args)
    while end > 0 and args[end - 1] in " \t" and args[end - 2 : end - 1] not in ("\\", "\x16"):
        end -= 1
    return args[:end]
