"""Mappings, abbreviations, the user's own commands and digraphs (`:help map.txt`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tpy.modal.engine.typeahead import MappingTable
from tpy.modal.ex.context import ExContext
from tpy.modal.keymap import Mapping, parse_keys, to_text
from tpy.modal.registry import Command as CommandRow
from tpy.modal.registry import CommandFailed, command, commands
from tpy.modal.text.buffer import Buffer

# The modes that each command maps in.
_MODES = {
    "": "nxso", "n": "n", "v": "xs", "x": "x", "s": "s", "o": "o", "i": "i", "c": "c", "l": "", "t": "", "!": "ic",
}  # fmt: skip
_SPECIAL = re.compile(r"[ \t]*<(buffer|silent|unique|nowait|special|script|expr)>[ \t]*", re.I)


def _table(ctx: ExContext, *, local: bool, abbreviations: bool) -> MappingTable:
    """Return the table of the whole editor, or that of the buffer."""
    if not local:
        return ctx.engine.abbreviations if abbreviations else ctx.engine.mappings
    return buffer_table(ctx.buffer, "abbreviations" if abbreviations else "mappings")


def buffer_table(buffer: Buffer, kind: str = "mappings") -> MappingTable:
    """Return a buffer's own table, made when it is first asked for."""
    table = buffer.extra.get(kind)
    if not isinstance(table, MappingTable):
        table = MappingTable()
        buffer.extra[kind] = table
    return table


class Sides:
    """The argument of a mapping command: `left` and `right` as typed, and the special arguments in `<>`."""

    def __init__(self, args: str) -> None:
        self.special: set[str] = set()
        while (match := _SPECIAL.match(args)) is not None:
            self.special.add(match[1].lower())
            args = args[match.end() :]
        self.left, self.right = _split(args)
        self.right_given = bool(args.strip(" \t")[len(self.left) :].strip(" \t")) if self.left else False


def _split(args: str) -> tuple[str, str]:
    """Cut the left side off at the first blank that no <C-v> protects."""
    args = args.lstrip(" \t")
    at = 0
    while at < len(args) and args[at] not in " \t":
        at += 2 if args[at] == "\x16" and at + 1 < len(args) else 1
    return args[:at], args[at:].lstrip(" \t")


def keys_of(ctx: ExContext, text: str) -> list[str]:
    """Return the keys of one side: notation, `<leader>`, and characters behind <C-v> as they are."""
    leader = str(ctx.editor.extra.get("leader", "\\"))
    keys: list[str] = []
    for part in re.split(r"(\x16.)", text, flags=re.S):
        if part.startswith("\x16") and len(part) == 2:
            keys.extend(parse_keys(part[1]) if part[1] != "<" else ["<"])
            continue
        pieces = re.split(r"(<(?:local)?leader>)", part, flags=re.I)
        for piece in pieces:
            keys.extend(leader if re.fullmatch(r"<(local)?leader>", piece, re.I) else parse_keys(piece))
    return keys


def _map(ctx: ExContext, modes: str, *, remap: bool, abbreviation: bool = False) -> None:
    """Define a mapping or show those there are."""
    if ctx.bang:
        modes = "ic"
    sides = Sides(ctx.args)
    table = _table(ctx, local="buffer" in sides.special, abbreviations=abbreviation)
    if not sides.right_given:
        _show(ctx, table, modes, sides.left, abbreviation=abbreviation)
        return
    left = keys_of(ctx, sides.left)
    right = [] if sides.right.lower() == "<nop>" else keys_of(ctx, sides.right)
    if abbreviation:
        _check_abbreviation(ctx, to_text(left))
    if "unique" in sides.special and any(table.tries[mode].exact(left) is not None for mode in modes):
        kind = "abbreviation" if abbreviation else "mapping"
        code = "E226" if abbreviation else "E227"
        raise CommandFailed(f"{code}: {kind.capitalize()} already exists for {sides.left}")
    mapping = Mapping(
        to_text(left) if abbreviation else sides.left,
        tuple(right),
        remap,
        "silent" in sides.special,
        expr="expr" in sides.special,
        nowait="nowait" in sides.special,
    )
    table.add(modes, left, mapping)


def _check_abbreviation(ctx: ExContext, left: str) -> None:
    """Refuse what could never be typed as an abbreviation (E474)."""
    from tpy.modal.text import chars

    keyword = chars.parse_option(ctx.option("iskeyword"))
    kinds = [chars.is_word(char, keyword) for char in left]
    if kinds and kinds[-1] and len(set(kinds[:-1])) > 1:
        raise CommandFailed("E474: Invalid argument")
    if kinds and kinds[-1] and len(kinds) > 1 and not all(kinds) and any(kinds[:-1]):
        raise CommandFailed("E474: Invalid argument")
    if kinds and not kinds[-1] and any(char in " \t" for char in left):
        raise CommandFailed("E474: Invalid argument")


def _unmap(ctx: ExContext, modes: str, *, abbreviation: bool = False) -> None:
    """Remove a mapping, by its left side; an abbreviation also by what it stands for."""
    if ctx.bang:
        modes = "ic"
    sides = Sides(ctx.args)
    if not sides.left:
        raise CommandFailed("E474: Invalid argument")
    table = _table(ctx, local="buffer" in sides.special, abbreviations=abbreviation)
    left = keys_of(ctx, sides.left + (" " + sides.right if sides.right else ""))
    if table.remove(modes, left):
        return
    if abbreviation:
        found = {keys for mode in modes for keys, mapping in table.tries[mode].items() if mapping.right == tuple(left)}
        if sum(table.remove(modes, keys) for keys in found):
            return
        raise CommandFailed("E24: No such abbreviation")
    raise CommandFailed("E31: No such mapping")


def _clear(ctx: ExContext, modes: str, *, abbreviation: bool = False) -> None:
    """Remove all mappings of some modes."""
    local = ctx.args.strip().lower() == "<buffer>"
    if ctx.args.strip() and not local:
        raise CommandFailed("E474: Invalid argument")
    table = _table(ctx, local=local, abbreviations=abbreviation)
    for mode in "ic" if ctx.bang else modes:
        for keys, _ in list(table.tries[mode].items()):
            table.tries[mode].remove(keys)


def _show(ctx: ExContext, table: MappingTable, modes: str, left: str, *, abbreviation: bool) -> None:
    """Show the mappings whose left side begins with `left`."""
    prefix = keys_of(ctx, left)
    rows: dict[tuple[tuple[str, ...], Mapping], str] = {}
    tables = [table] if table is not ctx.engine.mappings else [buffer_table(ctx.buffer), table]
    for each in tables:
        for mode in modes:
            for keys, mapping in each.tries[mode].items():
                if list(keys[: len(prefix)]) == prefix:
                    rows[keys, mapping] = rows.get((keys, mapping), "") + mode
    lines = [_row(where, mapping) for (_, mapping), where in rows.items()]
    if not lines:
        lines = ["No abbreviation found" if abbreviation else "No mapping found"]
    ctx.show("\n".join(lines))


def _row(modes: str, mapping: Mapping) -> str:
    """Return a mapping as `:map` shows it."""
    where = {"nxso": "", "xs": "v", "ic": "!"}.get(modes, modes)
    right = "".join("<lt>" if key == "<" else key for key in mapping.right)
    source = f"\n\tLast set from {mapping.source}" if mapping.source else ""
    return f"{where:<3}{mapping.left:<12}{'' if mapping.remap else '* ':<2}{right or '<Nop>'}{source}"


def _declare(prefixes: Iterable[tuple[str, str, str]]) -> None:
    """Declare the four commands of each mode."""
    for letter, short, tail in prefixes:
        modes = _MODES[letter]
        bang = letter == ""
        words = _words(letter)

        def _maps(ctx: ExContext, modes: str = modes) -> None:
            _map(ctx, modes, remap=True)

        def _maps_once(ctx: ExContext, modes: str = modes) -> None:
            _map(ctx, modes, remap=False)

        def _unmaps(ctx: ExContext, modes: str = modes) -> None:
            _unmap(ctx, modes)

        def _clears(ctx: ExContext, modes: str = modes) -> None:
            _clear(ctx, modes)

        _maps.__doc__ = f"Map keys{words}; what they stand for is mapped again."
        _maps_once.__doc__ = f"Map keys{words} to keys that are not mapped again."
        _unmaps.__doc__ = f"Remove a mapping{words}."
        _clears.__doc__ = f"Remove all mappings{words}."
        command(_notation(letter, short, "map"), bang=bang, args="mapping")(_maps)
        command(_notation(letter, tail, "noremap"), bang=bang, args="mapping")(_maps_once)
        unmap_form = {"": "unm[ap]", "s": "sunm[ap]"}.get(letter, f"{letter}u[nmap]")
        command("nun[map]" if letter == "n" else unmap_form, bang=bang, args="mapping")(_unmaps)
        command(f"{letter}mapc[lear]", bang=bang, args="mapping")(_clears)


def _notation(letter: str, short: str, name: str) -> str:
    short_name = letter + short
    full = letter + name
    return full if short_name == full else f"{short_name}[{full[len(short_name) :]}]"


def _words(letter: str) -> str:
    names = {
        "": " in Normal, Visual and Operator-pending mode, with `!` in Insert mode and on the command line",
        "n": " in Normal mode", "v": " in Visual and Select mode", "x": " in Visual mode", "s": " in Select mode",
        "o": " while an operator waits", "i": " in Insert mode", "c": " on the command line",
    }  # fmt: skip
    return names[letter]


_declare(
    [
        ("", "map", "no"), ("n", "m", "n"), ("v", "m", "n"), ("x", "m", "n"), ("s", "map", "nor"), ("o", "m", "no"),
        ("i", "m", "no"), ("c", "m", "no"),
    ]
)  # fmt: skip


@command("ab[breviate]", args="abbreviation")
def abbreviate(ctx: ExContext) -> None:
    """Have a word replaced as it is typed, in Insert mode and on the command line."""
    _map(ctx, "ic", remap=True, abbreviation=True)


@command("norea[bbrev]", args="abbreviation")
def noreabbrev(ctx: ExContext) -> None:
    """Have a word replaced by one that is not mapped."""
    _map(ctx, "ic", remap=False, abbreviation=True)


@command("una[bbreviate]", args="abbreviation")
def unabbreviate(ctx: ExContext) -> None:
    """Remove an abbreviation."""
    _unmap(ctx, "ic", abbreviation=True)


@command("abc[lear]", args="abbreviation")
def abclear(ctx: ExContext) -> None:
    """Remove all abbreviations."""
    _clear(ctx, "ic", abbreviation=True)


@command("ia[bbrev]", args="abbreviation")
def iabbrev(ctx: ExContext) -> None:
    """Have a word replaced in Insert mode."""
    _map(ctx, "i", remap=True, abbreviation=True)


@command("inorea[bbrev]", args="abbreviation")
def inoreabbrev(ctx: ExContext) -> None:
    """Have a word replaced in Insert mode by one that is not mapped."""
    _map(ctx, "i", remap=False, abbreviation=True)


@command("iuna[bbrev]", args="abbreviation")
def iunabbrev(ctx: ExContext) -> None:
    """Remove an abbreviation of Insert mode."""
    _unmap(ctx, "i", abbreviation=True)


@command("iabc[lear]", args="abbreviation")
def iabclear(ctx: ExContext) -> None:
    """Remove all abbreviations of Insert mode."""
    _clear(ctx, "i", abbreviation=True)


@command("ca[bbrev]", args="abbreviation")
def cabbrev(ctx: ExContext) -> None:
    """Have a word replaced on the command line."""
    _map(ctx, "c", remap=True, abbreviation=True)


@command("cnorea[bbrev]", args="abbreviation")
def cnoreabbrev(ctx: ExContext) -> None:
    """Have a word replaced on the command line by one that is not mapped."""
    _map(ctx, "c", remap=False, abbreviation=True)


@command("cuna[bbrev]", args="abbreviation")
def cunabbrev(ctx: ExContext) -> None:
    """Remove an abbreviation of the command line."""
    _unmap(ctx, "c", abbreviation=True)


@command("cabc[lear]", args="abbreviation")
def cabclear(ctx: ExContext) -> None:
    """Remove all abbreviations of the command line."""
    _clear(ctx, "c", abbreviation=True)


__all__ = ["CommandRow", "Sides", "buffer_table", "commands", "keys_of"]
