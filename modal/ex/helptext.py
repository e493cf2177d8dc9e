"""The help, made of what the registries declare: topics, and the text of each.

Topics are spelled as in Vim: `:write`, `'number'`, `dw`, `i_CTRL-V`. The pages of `docs/` are made of the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from tpy.modal.engine.grammar import Keymap
from tpy.modal.keymap import Binding, parse_keys
from tpy.modal.options import OPTIONS, Option, find
from tpy.modal.registry import Command, Row, actions, commands, motions, operators, textobjects

_TABLES = {"motion": motions, "operator": operators, "object": textobjects, "action": actions}
_WIDTH = 24
# Topics that are pages of their own, by the module whose `page()` gives the lines; it is imported when it is asked for.
PAGES = {"agents": "tpy.modal.agent.helppage"}
# Vim's other way to spell `<C-x>`, as in `CTRL-W_s`.
_CONTROL = re.compile(r"_?CTRL-(.)_?")


def topics() -> list[str]:
    """Return all topics that have a name of their own: commands, options and pages."""
    names = [f":{row.name}" for row in commands if row.name != "goto-line"]
    return sorted(names) + sorted(f"'{name}'" for name in OPTIONS) + sorted(PAGES)


def bindings(keymap: Keymap) -> Iterator[tuple[str, Binding]]:
    """Yield every built-in key sequence of Normal, Visual and Operator-pending mode, in Vim's notation."""
    for prefix, trie in (("", keymap.normal), ("v_", keymap.visual), ("o_", keymap.operator)):
        for keys, binding in trie.items():
            yield prefix + "".join(keys), binding


def summary(binding: Binding) -> str:
    """Return what a key sequence does, in one line."""
    if binding.kind == "shorthand":
        operator, motion = operators.get(binding.names[0]), motions.get(binding.names[1])
        parts = [row.summary for row in (operator, motion) if row is not None]
        return " ".join(parts)
    row: Row | None = _TABLES[binding.kind].get(binding.names[0])  # type: ignore[attr-defined]
    return row.summary if row is not None else ""


def command_help(row: Command) -> list[str]:
    """Return the help of an ex command."""
    parts = [":"]
    if row.range:
        parts.append("[count]" if row.range in ("count", "buffers", "tabs", "windows", "quickfix") else "[range]")
    parts.append(row.notation + ("[!]" if row.bang else ""))
    if row.register:
        parts.append(" [x]")
    if row.count:
        parts.append(" [count]")
    if row.args:
        parts.append(f" {{{row.args}}}" if row.need else f" [{row.args}]")
    return ["".join(parts), "", *(f"    {line.strip()}" for line in row.help.split("\n"))]


def option_help(option: Option) -> list[str]:
    """Return the help of an option."""
    short = f", '{option.short}'" if option.short else ""
    kind = {bool: "on or off", int: "a number", str: "text"}[option.type]
    lines = [
        f"'{option.name}'{short}",
        "",
        f"    {option.help}",
        "",
        f"    {kind}, {option.scope}, default: {option.ours}",
    ]
    if option.values:
        lines.append(f"    values: {' '.join(option.values)}")
    return lines


def find_topic(keymap: Keymap, word: str) -> list[str] | None:
    """Return the help for a topic, `None` where there is none of that name."""
    from tpy.modal.ex.parse import find_command

    if not word:
        return overview(keymap)
    if word in PAGES:
        lines: list[str] = import_module(PAGES[word]).page()
        return lines
    if word.startswith(":"):
        row = find_command(word[1:])
        return command_help(row) if row is not None else None
    if word.startswith("'") and len(word) > 1:
        option = find(word.strip("'"))
        return option_help(option) if option is not None else None
    rows = _key_rows(keymap, word)
    if rows:
        return [f"{shown:<{_WIDTH}}{told}" for shown, told in rows]
    row = find_command(word)
    if row is not None:
        return command_help(row)
    option = find(word)
    if option is not None:
        return option_help(option)
    found = [topic for topic in topics() if word in topic]
    if found:
        return [f"Topics with {word} in them:", "", *(f"    :help {topic}" for topic in found)]
    return None


def _key_rows(keymap: Keymap, word: str) -> list[tuple[str, str]]:
    """Return keys with what they do: `dd`, `dw`, `<C-w>s` or `CTRL-W_s`, `v_d`, `i_CTRL-W`, `c_CTRL-R`."""
    prefix, keys = (word[:2], word[2:]) if word[:2] in ("i_", "c_", "v_", "o_") and len(word) > 2 else ("", word)
    keys = _CONTROL.sub(lambda found: f"<C-{found[1].lower()}>", keys)
    if prefix in ("i_", "c_"):
        return _typing_rows(prefix, keys)
    known = dict(bindings(keymap))
    binding = known.get(prefix + keys)
    if binding is not None:
        return [(prefix + keys, summary(binding))]
    for at in range(1, len(keys)):  # an operator with what it works on
        first, second = keys[:at], keys[at:]
        binding = known.get(first)
        if binding is None or binding.kind != "operator":
            continue
        if second in (first, first[-1]):
            return [(keys, f"{summary(binding)} Works on `count` lines.")]
        other = known.get(f"o_{second}") or known.get(second)
        if other is not None and other.kind in ("motion", "object"):
            return [(first, summary(binding)), (second, summary(other))]
    return []


def _typing_rows(prefix: str, keys: str) -> list[tuple[str, str]]:
    """Return what a key does while text (`i_`) or a command line (`c_`) is typed, for several keys the first one."""
    from tpy.modal.engine.insertkeys import KEYS
    from tpy.modal.ex.prompt import KEYS as PROMPT_KEYS

    table: dict[str, Any] = dict(KEYS) if prefix == "i_" else dict(PROMPT_KEYS)
    key = parse_keys(keys)[0]
    function = table.get(key)
    if function is None:
        return []
    return [(prefix + key, (function.__doc__ or "").partition("\n")[0])]


def overview(keymap: Keymap) -> list[str]:
    """Return the help without a topic: all keys, commands and options, a line each."""
    lines = [
        "tpy: a modal editor with agents",
        "",
        "    :help :write     about an ex command",
        "    :help 'number'   about an option",
        "    :help dw         about a key of Normal mode",
        "    :help agents     about agents and their windows",
        "    :q               closes this window",
        "",
        "Ex commands",
        "",
    ]
    lines.extend(f"    :{row.notation:<{_WIDTH}}{row.summary}" for row in sorted(commands, key=lambda row: row.name))
    lines.extend(["", "Keys", ""])
    lines.extend(
        f"    {shown:<{_WIDTH}} {summary(binding)}" for shown, binding in bindings(keymap) if "_" not in shown[:2]
    )
    lines.extend(["", "Options", ""])
    lines.extend(f"    {option.name:<{_WIDTH}} {option.help}" for option in OPTIONS.values())
    return lines
