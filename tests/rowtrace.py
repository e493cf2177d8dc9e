"""Which registry rows a piece of work uses, and taking one row away: what `rowcheck.py` is built on.

A row is written `kind:name`: `motion operator textobject action command` of `tpy.modal.registry`, `option`, `key` (a
key sequence of a mode, `key:normal:dd`) and the kinds of the protocol (`update:plan`, `method:fs/read_text_file`, … see
`acprows.py`).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import acprows

from tpy.acp import session
from tpy.modal import assembly, options, registry
from tpy.modal.engine import grammar
from tpy.modal.engine.grammar import Keymap
from tpy.modal.keymap import Trie

REGISTRIES: dict[str, Any] = {
    "motion": registry.motions,
    "operator": registry.operators,
    "textobject": registry.textobjects,
    "action": registry.actions,
    "command": registry.commands,
}
MODES = ("normal", "visual", "operator")

used: set[str] = set()


def tries() -> dict[str, Trie[Any]]:
    """Return the tries of the built-in keys by mode."""
    keymap: Keymap = assembly.builtin_keymap()
    return {mode: getattr(keymap, mode) for mode in MODES}


def rows() -> list[str]:
    """Return every row there is."""
    load()
    found = [f"{kind}:{row.name}" for kind, table in REGISTRIES.items() for row in table]
    found += [f"option:{name}" for name in options.OPTIONS]
    found += [f"key:{mode}:{''.join(keys)}" for mode, trie in tries().items() for keys, _ in trie.items()]
    found += [row.key for row in acprows.rows() if row.ours]
    return found


def load() -> None:
    """Have every room register its rows, also those that wait for the first agent."""
    assembly.builtin_keymap()
    for room in ("actions", "places"):
        importlib.import_module(f"tpy.modal.agent.{room}")


def watch() -> None:
    """Have `used` collect the rows that are used from now on."""
    load()
    for kind, table in REGISTRIES.items():
        for row in table:
            row.function = _noting(f"{kind}:{row.name}", row.function)
    bound = grammar._bound

    def note_key(pending: Any, binding: Any, *, visual: bool) -> Any:
        mode = "operator" if pending.operator is not None else "visual" if visual else "normal"
        used.add(f"key:{mode}:{''.join(binding.keys)}")
        return bound(pending, binding, visual=visual)

    grammar._bound = note_key
    for struct, fold in list(session._FOLDS.items()):
        session._FOLDS[struct] = _noting(f"update:{struct.__struct_config__.tag}", fold)
    acprows.on_the_wire(lambda message: bool(used.update(acprows.seen(message))))
    get, find = options.Options.get, options.find

    def note_get(self: Any, name: str, local: Any = None) -> Any:
        used.add(f"option:{name}")
        return get(self, name, local)

    def note_find(name: str) -> Any:
        option = find(name)
        if option is not None:
            used.add(f"option:{option.name}")
        return option

    options.Options.get = note_get  # type: ignore[method-assign]
    options.find = note_find


def _noting(row: str, function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        used.add(row)
        return function(*args, **kwargs)

    return call


def remove(row: str) -> None:
    """Take a row away from the running program, with the keys that are bound to it."""
    kind, _, name = row.partition(":")
    if kind == "key":
        mode, _, keys = name.partition(":")
        trie = tries()[mode]
        for sequence, _ in list(trie.items()):
            if "".join(sequence) == keys:
                trie.remove(sequence)
    elif kind == "option":
        del options.OPTIONS[name]
    elif kind == "update":
        for struct in list(session._FOLDS):
            if struct.__struct_config__.tag == name:
                del session._FOLDS[struct]
    elif kind in acprows.KINDS:
        acprows.on_the_wire(lambda message: acprows.without(row, message))
    else:
        assembly.builtin_keymap()
        REGISTRIES[kind].remove(name)
        binding_kind = {"textobject": "object"}.get(kind, kind)
        for trie in tries().values():
            for sequence, binding in list(trie.items()):
                if name in binding.names and binding.kind in (binding_kind, "shorthand"):
                    trie.remove(sequence)
