"""The user's `keymaps.toml`: tables of keys laid over the built-in ones, each row checked by itself.

Here is what a row means and what is wrong with it; which file it is and when it is read is the application's matter. A
bad row is a problem to be told, with file, table and key, and never drops another.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tpy.modal.keymap import Mapping as KeyMapping
from tpy.modal.keymap import canonical, parse_keys
from tpy.modal.registry import Registry, actions, motions, operators, textobjects

# The tables of names, by the path of their names, with the registries that a row's names are looked up in.
_TABLES: dict[tuple[str, ...], tuple[Registry[Any], ...]] = {
    ("motions",): (motions,),
    ("operators",): (operators,),
    ("objects",): (textobjects,),
    ("visual_operators",): (operators,),
    ("shorthands",): (operators, motions),
    ("actions", "normal"): (actions,),
    ("actions", "visual"): (actions,),
    ("actions", "operator"): (actions,),
}
# The modes that the keys of a table are for, where keys of several tables meet.
_MODES_OF = {
    ("motions",): "nxo", ("operators",): "nx", ("objects",): "xo", ("visual_operators",): "x", ("shorthands",): "n",
    ("actions", "normal"): "n", ("actions", "visual"): "x",
}  # fmt: skip
_PARTS: dict[str, tuple[Registry[Any], ...]] = {
    "normal": (actions,), "visual": (actions,), "insert": (actions,), "motions": (motions,), "objects": (textobjects,),
}  # fmt: skip
# The tables of agent windows' keys: what each kind of buffer has, the rest are tables themselves.
_AGENT: dict[tuple[str, ...], tuple[Registry[Any], ...]] = {
    ("list",): (actions,),
    ("ask",): (actions,),
    **{(kind, part): where for kind in ("prompt", "conversation", "page") for part, where in _PARTS.items()},
}
# The tables of keys that stand for keys: the modes they are for, and whether what they stand for is mapped again.
_KEYS = {"keys": ("nxso", True), "insert": ("i", False), "cmdline": ("c", False)}
_MODES = frozenset("nxsoic")
_NAME = re.compile(r"<[^<>\s]+>")


class UserMapping(NamedTuple):
    """A row of keys that stand for keys: modes, the keys typed, what they stand for."""

    modes: str
    left: list[str]
    mapping: KeyMapping


class KeyFile(NamedTuple):
    """What a file comes to: tables with its rows over the built-in ones, mappings, what is wrong with the rest."""

    tables: dict[str, Any]
    agent: dict[str, Any]
    mappings: list[UserMapping]
    problems: list[str]


def lay_over(base: Mapping[str, Any], agent: Mapping[str, Any], own: Mapping[str, Any], name: str) -> KeyFile:
    """Lay the tables of the file `name` over the built-in ones and those of agent windows."""
    problems: list[str] = []

    def _tell(place: str, key: str | None, what: str) -> None:
        where = f'[{place}] "{key}": ' if key is not None else f"[{place}] "
        problems.append(f"{name}: {where}{what}")

    rest = {key: value for key, value in own.items() if key not in (*_KEYS, "agent")}
    tables = _merged(_without(base, rest), rest, _TABLES, _tell)
    agent_own = own.get("agent", {})
    if not isinstance(agent_own, dict):
        _tell("agent", None, "is to be a table")
        agent_own = {}
    merged = _merged(agent, agent_own, _AGENT, lambda place, key, what: _tell(f"agent.{place}", key, what))
    mappings = []
    for table, (modes, remap) in _KEYS.items():
        rows = own.get(table, {})
        if not isinstance(rows, dict):
            _tell(table, None, "is to be a table")
            continue
        for key, value in rows.items():
            found = _mapping(key, value, modes, remap, name)
            if isinstance(found, str):
                _tell(table, key, found)
            else:
                mappings.append(found)
    return KeyFile(tables, merged, mappings, problems)


def _merged(
    base: Mapping[str, Any],
    own: Mapping[str, Any],
    known: Mapping[tuple[str, ...], tuple[Registry[Any], ...]],
    tell: Callable[[str, str | None, str], None],
) -> dict[str, Any]:
    """Return copies of the tables with the rows of `own` in them; a row of "" takes a key's meaning away."""
    merged = {key: _copied(value) for key, value in base.items()}
    for path, rows in _tables_in(own, {path[0] for path in known if len(path) > 1}):
        where = ".".join(path)
        registries = known.get(path)
        if registries is None or not isinstance(rows, dict):
            likely = _likely(where, (".".join(each) for each in known))
            tell(where, None, f"is not a table this file has{likely}" if registries is None else "is to be a table")
            continue
        target: dict[str, Any] = merged
        for part in path:
            target = target.setdefault(part, {})
        spelled = {tuple(parse_keys(key)): key for key in target}
        for key, value in rows.items():
            problem = _problem(key, value, registries)
            if problem:
                tell(where, key, problem)
                continue
            before = spelled.get(tuple(parse_keys(key)))
            if before is not None:
                target.pop(before, None)
            if value:
                target[key] = value
    return merged


def _without(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Return the built-in tables without what the user's rows stand in for: the same keys, or longer ones, in any
    table of the same mode. Else `Z` would wait for the rest of `ZZ`."""
    tables: dict[str, Any] = _copied(base)
    for path, rows in _tables_in(own, {"actions"}):
        modes = _MODES_OF.get(path, "")
        if not isinstance(rows, dict) or not modes:
            continue
        right = [key for key, value in rows.items() if value and not _problem(key, value, _TABLES[path])]
        keys = [tuple(parse_keys(key)) for key in right]
        for other, others_modes in _MODES_OF.items():
            target = tables.get(other[0], {}) if len(other) == 1 else tables.get(other[0], {}).get(other[1], {})
            if set(modes) & set(others_modes):
                for known in [key for key in target if any(_begins(parse_keys(key), own_key) for own_key in keys)]:
                    del target[known]
    return tables


def _begins(keys: list[str], start: tuple[str, ...]) -> bool:
    return bool(start) and tuple(keys[: len(start)]) == start


def _copied(value: Any) -> Any:
    return {key: _copied(inner) for key, inner in value.items()} if isinstance(value, dict) else value


def _tables_in(own: Mapping[str, Any], nested: set[str]) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Yield the tables with their paths."""
    for key, value in own.items():
        if key in nested and isinstance(value, dict):
            for inner, rows in value.items():
                yield (key, inner), rows
        else:
            yield (key,), value


def key_problem(notation: str) -> str:
    """Return what is wrong with keys in Vim's notation, "" for nothing."""
    if not notation:
        return "there is no key"
    wrong = [name for name in _NAME.findall(notation) if canonical(name[1:-1]) is None]
    return f"{wrong[0]} is no key (write <lt> for a `<`)" if wrong else ""


def _problem(key: str, value: Any, registries: tuple[Registry[Any], ...]) -> str:
    return key_problem(key) or _name_problem(value, registries)


def _name_problem(value: Any, registries: tuple[Registry[Any], ...]) -> str:
    """Return what is wrong with the names that a key is bound to."""
    if value == "":
        return ""
    names = [value] if isinstance(value, str) else value
    kinds = " and ".join(f"{'an' if r.kind[0] in 'aeiou' else 'a'} {r.kind}" for r in registries)
    if not isinstance(names, list) or len(names) != len(registries) or not all(isinstance(n, str) for n in names):
        return f"the name of {kinds} is wanted"
    for name, registry in zip(names, registries, strict=True):
        if name not in registry:
            return f'there is no {registry.kind} "{name}"{_likely(name, (row.name for row in registry))}'
    return ""


def _likely(name: str, known: Iterable[str]) -> str:
    import difflib

    close = difflib.get_close_matches(name, list(known), 1)
    return f'; perhaps "{close[0]}"' if close else ""


def _mapping(key: str, value: Any, modes: str, remap: bool, source: str) -> UserMapping | str:
    """Return the mapping of a row, or what is wrong with it."""
    if isinstance(value, dict):
        unknown = [word for word in value if word not in ("to", "remap", "modes")]
        if unknown:
            return f"{unknown[0]} is not a key a row has (to, remap, modes)"
        modes, remap, value = value.get("modes", modes), value.get("remap", remap), value.get("to")
        if not isinstance(modes, str) or not modes or set(modes) - _MODES or not isinstance(remap, bool):
            return "modes are letters of `nxsoic`, remap is true or false"
    if not isinstance(value, str):
        return "keys in quotes are wanted"
    problem = key_problem(key) or (key_problem(value) if value else "")
    if problem:
        return problem
    left = parse_keys(key)
    return UserMapping(modes, left, KeyMapping(key, tuple(parse_keys(value)), remap, source=source))
