"""Vim's command grammar: keys in, a whole `Command` out, with everything half-typed in one `Pending` value.

No text is touched here. Which keys mean what comes from a `Keymap` built of `keymaps/vim.toml`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tpy.modal.keymap import Binding, Trie, parse_keys
from tpy.modal.registry import (
    Action,
    Motion,
    Operator,
    TextObject,
    actions,
    motions,
    operators,
    textobjects,
)

MOST_COUNT = 999_999_999


class Shape(NamedTuple):
    """The size of a Visual selection, so that `.` can work on as much text: kind, lines, and columns (of the last
    line, or display width of a block), `dollar` where it went to the line ends."""

    kind: str
    lines: int
    columns: int
    dollar: bool


class Command(NamedTuple):
    """A complete command. One of `motion`, `object` or `action` is its target, or the Visual selection; `times` is the
    count typed; `shape` is set when it is repeated by `.`."""

    times: int | None = None
    register: str | None = None
    operator: Operator | None = None
    motion: Motion | None = None
    object: TextObject | None = None
    action: Action | None = None
    force: str | None = None
    arg: str | None = None
    shape: Shape | None = None
    keys: tuple[str, ...] = ()


class Pending:
    """Half a command: what was typed of it so far."""

    __slots__ = (
        "binding",
        "count",
        "force",
        "inner",
        "keys",
        "operator",
        "operator_count",
        "operator_keys",
        "register",
        "typed",
    )

    def __init__(self) -> None:
        self.typed: list[str] = []
        self.register: str | None = None
        self.operator: Operator | None = None
        self.operator_keys: tuple[str, ...] = ()
        self.operator_count: int | None = None
        self.count: int | None = None
        # A count typed after `z` or `<C-w>`, as in `z20<CR>`.
        self.inner: int | None = None
        self.force: str | None = None
        self.keys: list[str] = []
        # A binding that waits for its argument.
        self.binding: Binding | None = None

    @property
    def empty(self) -> bool:
        """Whether nothing has been typed."""
        return not self.typed

    def multiply(self) -> None:
        """Keep the count typed so far, to be multiplied with one that follows."""
        self.operator_count, self.count = self.total(), None

    def total(self) -> int | None:
        """Return all counts multiplied, `None` where none was typed (`:help count`)."""
        product = None
        for count in (self.operator_count, self.count, self.inner):
            if count is not None:
                product = count if product is None else min(product * count, MOST_COUNT)
        return product


class Incomplete(NamedTuple):
    """More keys are needed; `want` names the argument that is asked for ("char", "/", "?", "register"…)."""

    want: str = ""


class Cancel(NamedTuple):
    """The keys are no command."""


Outcome = Incomplete | Command | Cancel


class Keymap:
    """The built-in keys of the Normal, Visual and Operator-pending modes, one trie each."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.normal: Trie[Binding] = Trie()
        self.visual: Trie[Binding] = Trie()
        self.operator: Trie[Binding] = Trie()
        self._add("motion", tables.get("motions", {}), (self.normal, self.visual, self.operator))
        self._add("operator", tables.get("operators", {}), (self.normal, self.visual))
        self._add("object", tables.get("objects", {}), (self.visual, self.operator))
        self._add("shorthand", tables.get("shorthands", {}), (self.normal,))
        modes = tables.get("actions", {})
        self._add("action", modes.get("normal", {}), (self.normal,))
        self._add("action", modes.get("visual", {}), (self.visual,))
        self._add("operator", tables.get("visual_operators", {}), (self.visual,))
        # Commands that begin with the key of an operator (`do`).
        self.after_operator: Trie[Binding] = Trie()
        self._add("action", modes.get("operator", {}), (self.after_operator,))

    def _add(self, kind: str, rows: dict[str, Any], tries: Iterable[Trie[Binding]]) -> None:
        for notation, names in rows.items():
            keys = tuple(parse_keys(notation))
            binding = Binding(kind, (names,) if isinstance(names, str) else tuple(names), keys)
            for name in missing(binding):
                raise ValueError(f"vim.toml binds {notation} to {name}, which is not registered")
            for trie in tries:
                trie.add(keys, binding)


def missing(binding: Binding) -> list[str]:
    """Return the names of the binding that no registry has."""
    kinds: dict[str, tuple[Any, ...]] = {
        "motion": (motions,),
        "operator": (operators,),
        "object": (textobjects,),
        "action": (actions,),
        "shorthand": (operators, motions),
    }
    tables = kinds[binding.kind]
    return [name for name, table in zip(binding.names, tables, strict=True) if name not in table]


# The keys that a count may stand behind, and what was typed then as far as the bindings know.
_COUNTED = {"z": ["z", "0"], "<C-w>": ["<C-w>"]}


def step(pending: Pending, key: str, keymap: Keymap, *, visual: bool) -> Outcome:
    """Take one key. The caller gives the argument that `Incomplete.want` asks for to `finish` instead."""
    pending.typed.append(key)
    if not pending.keys:
        if key.isascii() and key.isdigit() and (key != "0" or pending.count is not None):
            pending.count = min((pending.count or 0) * 10 + int(key), MOST_COUNT)
            return Incomplete()
        if key == "<Del>" and pending.count is not None:
            pending.count = pending.count // 10 or None
            return Incomplete()
        if key == '"' and pending.operator is None:
            return Incomplete("register")
        if pending.operator is not None and key in ("v", "V", "<C-v>"):
            pending.force = key
            pending.multiply()
            return Incomplete()
    if pending.keys and len(key) == 1 and _least_digit(pending) <= key <= "9":
        pending.inner = min((pending.inner or 0) * 10 + int(key), MOST_COUNT)
        # Digits after `z` are bound as one 0, those after `<C-w>` are a count as before it.
        pending.keys = _COUNTED[pending.keys[0]].copy()
        return Incomplete()
    if pending.inner is not None and key == "<CR>":
        # A window's height is not multiplied.
        pending.count = None
    elif pending.inner == 0:
        # As a count of columns it is none.
        pending.inner = None
    pending.keys.append(key)
    if pending.operator is not None and _doubles(pending):
        return _command(pending, motion=motions["lines"])
    if pending.operator is not None:
        special = keymap.after_operator.exact((*pending.operator_keys, *pending.keys))
        if special is not None:
            return _bound(pending, special, visual=visual)
    trie = keymap.operator if pending.operator is not None else keymap.visual if visual else keymap.normal
    if pending.operator is not None and pending.keys[0] == "<C-\\>":
        # It gives up the operator.
        trie = keymap.normal
        if len(pending.keys) > 1:
            pending.operator = None
    found = trie.find(pending.keys)
    if found.longer:
        return Incomplete()
    if found.value is None or found.length < len(pending.keys):
        return Cancel()
    return _bound(pending, found.value, visual=visual)


def _least_digit(pending: Pending) -> str:
    """Return the least digit that is one of a count behind the key typed, ":" where none is."""
    first = pending.keys[0]
    return "0" if first == "z" or pending.inner is not None else "1" if first in _COUNTED else ":"


def _doubles(pending: Pending) -> bool:
    """Whether the keys repeat the operator (`dd`, `gUU`, `gUgU`), which makes it linewise."""
    keys, own = tuple(pending.keys), pending.operator_keys
    if own == ("z", "y"):
        return keys == ("y",)
    # In `gww` the last `w` is a motion, in `g@@` the last `@` no command there.
    return keys == own or (len(own) == 2 and own[0] == "g" and keys == own[1:] and keys[0] not in "w@")


def _bound(pending: Pending, binding: Binding, *, visual: bool) -> Outcome:
    """Go on with the row that the keys are bound to."""
    pending.keys = []
    if binding.kind == "operator":
        row = operators[binding.names[0]]
        if visual and row.arg is not None:
            pending.binding = binding
            return Incomplete(row.arg)
        if visual:
            return _command(pending, operator=row)
        pending.operator, pending.operator_keys = row, binding.keys
        pending.multiply()
        return Incomplete()
    if binding.kind == "shorthand":
        if binding.keys == ("<Del>",):
            # Unlike `x` it does not take the register that was named: so does Vim.
            pending.register = None
        pending.operator = operators[binding.names[0]]
        return _command(pending, motion=motions[binding.names[1]])
    want = None
    if binding.kind == "motion":
        want = motions[binding.names[0]].arg
    elif binding.kind == "action":
        want = actions[binding.names[0]].arg
        pending.operator = None
    if want is not None:
        pending.binding = binding
        return Incomplete(want)
    return finish(pending, binding, None)


def finish(pending: Pending, binding: Binding, arg: str | None) -> Command:
    """Return the command of a binding once its argument, if it has one, is there."""
    name = binding.names[0]
    if binding.kind == "motion":
        return _command(pending, motion=motions[name], arg=arg)
    if binding.kind == "object":
        return _command(pending, object=textobjects[name])
    if binding.kind == "operator":
        return _command(pending, operator=operators[name], arg=arg)
    return _command(pending, action=actions[name], arg=arg)


def _command(
    pending: Pending,
    *,
    operator: Operator | None = None,
    motion: Motion | None = None,
    object: TextObject | None = None,
    action: Action | None = None,
    arg: str | None = None,
) -> Command:
    return Command(
        times=pending.total(),
        register=pending.register,
        operator=operator or pending.operator,
        motion=motion,
        object=object,
        action=action,
        force=pending.force,
        arg=arg,
        keys=tuple(pending.typed),
    )
