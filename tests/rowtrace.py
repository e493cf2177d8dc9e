"""Which registry rows a piece of work uses, and taking one row away: what `rowcheck.py` is built on.

A row is written `kind:name`: `motion operator textobject action command` of `tpy.modal.registry`, `option`, `effect`
(an option that stays at its default for all but `:set`), `key` (a key sequence of a mode, `key:normal:dd`) and the
kinds of the protocol (`update:plan`, `method:fs/read_text_file`, … see `acprows.py`).
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import acprows

from tpy.acp import session
from tpy.modal import assembly, options, registry
from tpy.modal.editor import Editor
from tpy.modal.engine import grammar
from tpy.modal.engine.grammar import Keymap
from tpy.modal.ex import settings
from tpy.modal.keymap import Binding, Trie
from tpy.modal.options import Options
from tpy.modal.view.window import Window

REGISTRIES: dict[str, Any] = {
    "motion": registry.motions,
    "operator": registry.operators,
    "textobject": registry.textobjects,
    "action": registry.actions,
    "command": registry.commands,
}
MODES = ("normal", "visual", "operator")
# How the help of an option begins that may be set but changes nothing.
IDLE = "kept for compatibility"

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
    found += [f"effect:{option.name}" for option in options.OPTIONS.values() if not option.help.startswith(IDLE)]
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
    _read_through(_note_option)
    settings.find = _finding(settings.find)
    set_option = Editor.set_option

    def note_set(self: Any, name: str, value: Any, **kwargs: Any) -> None:
        _note_option(name, value, self.options.default(name))
        set_option(self, name, value, **kwargs)

    Editor.set_option = note_set  # type: ignore[method-assign]


def _finding(find: Callable[[str], Any]) -> Callable[[str], Any]:
    """Have the options that `:set` names noted, also those that can only be what they are ('encoding')."""

    def find_and_note(name: str) -> Any:
        option = find(name)
        if option is not None:
            used.add(f"option:{option.name}")
        return option

    return find_and_note


def _note_option(name: str, value: Any, default: Any) -> Any:
    if value != default:
        used.update((f"option:{name}", f"effect:{name}"))
    return value


def _read_through(look: Callable[[str, Any, Any], Any]) -> None:
    """Have every value of an option pass through `look(name, value, default)`, but for what `:set` shows."""
    begin, option, get, current = Options.__init__, Editor.option, Options.get, settings.current
    begin_window, all_values = Window.__init__, Editor.values
    showing: list[bool] = []

    class Values(dict[str, Any]):
        """The values of an editor's options, or all for a window."""

        store: Options

        def __getitem__(self, name: str) -> Any:
            value = super().__getitem__(name)
            return value if showing else look(name, value, self.store.default(name))

    class Local(dict[str, Any]):
        """The values of a window, for what looks at them without an editor."""

        def get(self, name: str, otherwise: Any = None) -> Any:
            if name not in self or showing:
                return super().get(name, otherwise)
            return look(name, self[name], options.OPTIONS[name].ours)

    def new_begin_window(self: Any, *args: Any, **kwargs: Any) -> None:
        begin_window(self, *args, **kwargs)
        self.options = Local(self.options)

    def new_begin(self: Any, *args: Any, **kwargs: Any) -> None:
        begin(self, *args, **kwargs)
        self.values = Values(self.values)
        self.values.store = self

    def new_option(self: Any, name: str, window: Any = None) -> Any:
        value = option(self, name, window)
        return value if showing else look(name, value, self.options.default(name))

    def new_values(self: Any, window: Any) -> Any:
        found = Values(all_values(self, window))
        found.store = self.options
        return found

    def new_get(self: Any, name: str, local: Any = None) -> Any:
        return look(name, get(self, name, local), self.default(name))

    def new_current(*args: Any, **kwargs: Any) -> Any:
        showing.append(True)
        try:
            return current(*args, **kwargs)
        finally:
            showing.pop()

    Options.__init__, Editor.option, Options.get = new_begin, new_option, new_get  # type: ignore[method-assign]
    settings.current, Window.__init__, Editor.values = new_current, new_begin_window, new_values  # type: ignore[method-assign]


def _noting(row: str, function: Any) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        used.add(row)
        return function(*args, **kwargs)

    return call


def _bind_what_is_there() -> None:
    """Have keymaps that are read from now on leave out the keys of rows that are gone, as if nobody had bound them."""
    add = Keymap._add

    def add_known(self: Keymap, kind: str, table: dict[str, Any], tries: Any) -> None:
        known = {}
        for keys, names in table.items():
            binding = Binding(kind, (names,) if isinstance(names, str) else tuple(names), ())
            if not grammar.missing(binding):
                known[keys] = names
        add(self, kind, known, tries)

    Keymap._add = add_known  # type: ignore[method-assign]


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
        options._BY_SHORT.pop(options.OPTIONS.pop(name).short, None)
    elif kind == "effect":
        _read_through(lambda option, value, default: default if option == name else value)
        settings._EFFECTS.pop(name, None)
        run_hooks = Editor.run_hooks
        Editor.run_hooks = lambda self, hook, *args: (  # type: ignore[method-assign]
            None if hook == "option-set" and args[0] == name else run_hooks(self, hook, *args)
        )
    elif kind == "update":
        for struct in list(session._FOLDS):
            if struct.__struct_config__.tag == name:
                del session._FOLDS[struct]
    elif kind in acprows.KINDS:
        acprows.on_the_wire(lambda message: acprows.without(row, message))
    else:
        assembly.builtin_keymap()
        REGISTRIES[kind].remove(name)
        _bind_what_is_there()
        binding_kind = {"textobject": "object"}.get(kind, kind)
        for trie in tries().values():
            for sequence, binding in list(trie.items()):
                if name in binding.names and binding.kind in (binding_kind, "shorthand"):
                    trie.remove(sequence)
