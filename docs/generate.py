"""Write the reference pages in `docs/reference/` from the registries: what they say is what the editor does.

python docs/generate.py            # write them
python docs/generate.py --check    # exit 1 when one is stale
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import acp_table

from tpy.modal import assembly, options, registry
from tpy.modal.keymap import Binding, Trie

HERE = Path(__file__).parent / "reference"
HEAD = "<!-- Written by docs/generate.py from the registries; change the rows, not this page. -->\n"
TYPES = {bool: "on/off", int: "number", str: "text"}


def _table(columns: str, rows: Iterable[Iterable[str]]) -> str:
    names = columns.split("|")
    lines = [f"| {' | '.join(names)} |", f"|{'---|' * len(names)}"]
    lines += [f"| {' | '.join(cell.replace('|', '&#124;').replace(chr(10), ' ') for cell in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    """Return a text as code that a table can hold, a backtick and a bar among it."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "&#124;")
    return f"<code>{shown.replace('`', '&#96;').replace('*', '&#42;').replace('_', '&#95;')}</code>"


def _meaning(binding: Binding) -> str:
    if binding.kind == "shorthand":
        operator = registry.operators[binding.names[0]].summary
        return f"{operator} ({registry.motions[binding.names[1]].summary})"
    tables: dict[str, registry.Registry[Any]] = {
        "motion": registry.motions,
        "operator": registry.operators,
        "object": registry.textobjects,
        "action": registry.actions,
    }
    return str(tables[binding.kind][binding.names[0]].summary)


def _keys(trie: Trie[Binding], kinds: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(_code("".join(keys)), _meaning(binding)) for keys, binding in trie.items() if binding.kind in kinds]


def keys_page() -> str:
    """Return the page of the built-in keys."""
    keymap = assembly.builtin_keymap()
    parts = [f"{HEAD}# Keys\n"]
    sections = (
        ("Motions (Normal, Visual, after an operator)", keymap.operator, ("motion",)),
        ("Operators", keymap.normal, ("operator", "shorthand")),
        ("Text objects (Visual, after an operator)", keymap.operator, ("object",)),
        ("Other commands of Normal mode", keymap.normal, ("action",)),
        ("Commands that begin with an operator", keymap.after_operator, ("action",)),
        ("Other commands of Visual mode", keymap.visual, ("action",)),
    )
    for title, trie, kinds in sections:
        parts.append(f"## {title}\n\n{_table('keys|effect', _keys(trie, kinds))}")
    return "\n".join(parts)


def commands_page() -> str:
    """Return the page of the ex commands."""
    assembly.load_rooms()
    rows = sorted(registry.commands, key=lambda row: row.name)
    there = [row for row in rows if not row.summary.startswith("Not in tpy")]
    cells = ((_code(f":{row.notation}{'[!]' if row.bang else ''}"), row.summary) for row in there)
    table = _table("command|effect", cells)
    absent = ", ".join(_code(f":{row.notation}") for row in rows if row not in there)
    return (
        f"{HEAD}# Ex commands\n\nWhat stands in brackets may be left out.\n\n{table}\n"
        f"Commands of Vim that `tpy` does not have, and says so: {absent}.\n"
    )


def options_page() -> str:
    """Return the page of the options."""
    rows = sorted(options.OPTIONS.values(), key=lambda option: option.name)

    def cells(option: options.Option) -> tuple[str, ...]:
        default = str(option.ours).lower() if option.type is bool else str(option.ours)
        vim = "" if option.ours == option.vim else f" ({_code(str(option.vim))} with --clean)"
        kinds = TYPES[option.type] + (f": {', '.join(v for v in option.values if v)}" if option.values else "")
        return (_code(option.name), _code(option.short), kinds, (_code(default) if default else "") + vim,
                option.scope, option.help)  # fmt: skip

    return f"{HEAD}# Options\n\n{_table('option|short|type|default|scope|effect', map(cells, rows))}"


PAGES = {
    "keys.md": keys_page,
    "commands.md": commands_page,
    "options.md": options_page,
    "../acp.md": acp_table.page,
    "../conformance.md": acp_table.conformance,
}


def main() -> int:
    """Write the pages, or say which are stale."""
    stale = []
    HERE.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        text, path = page(), HERE / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv:
                path.write_text(text, encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"stale: {', '.join(stale)}; run `make docs`")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
