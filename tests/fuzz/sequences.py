"""Random but sensible key sequences over random texts, drawn so that every row of the scope comes up equally often.

A *row* is a built-in key of a mode (`key:normal:dd`), a key of Insert or Command-line mode (`insert:<C-w>`,
`cmdline:<C-u>`), a form of an ex command (`ex:sort`), an option (`option:sw=4`) or a phrase of several things that
belong together (`phrase:macro`). Rows come from a bag that is refilled when it is empty. What they are made of is in
`material.py`.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import material
import rowtrace

from tpy.modal import registry
from tpy.modal.keymap import Binding
from tpy.modal.text.chars import is_combining

# Keys that stop Vim or ask something, need a second file, or only show something.
SKIPPED = {
    "<C-z>", "ZZ", "ZQ", "gQ", "Q", "K", "<C-]>", "gf", "gF", "gx", "<F6>", "<C-l>", "<C-g>", "<C-c>", "<S-Insert>",
    "<C-Insert>", "<C-^>", "gs", "<C-PageUp>", "<C-PageDown>", "gt", "gT", "g<Tab>", "do", "dp", "q", "@",
    "<M-a>", ":", "z^", "z+", "<F1>", "z=",
}  # fmt: skip
PLACEHOLDER = re.compile(r"\{([atprfmoeinbk])\}")


def rows() -> list[str]:
    """Return every row that can be compared with Vim."""
    found = []
    for mode, trie in rowtrace.tries().items():
        for keys, binding in trie.items():
            name = "".join(keys)
            if name in SKIPPED or name.startswith(("<C-w>", "<M-")) or binding.names[0].startswith("agent"):
                continue
            found.append(f"key:{mode}:{name}")
    tables: dict[str, Any] = {
        "insert": material.INSERTED, "cmdline": material.TYPED, "ex": material.EX, "option": material.OPTIONS,
        "phrase": material.PHRASES,
    }  # fmt: skip
    return found + [f"{kind}:{name}" for kind, names in tables.items() for name in names]


class Source:
    """Draws cases. `seed` decides all of them; `drawn` counts the rows.

    `only` is a regular expression that the rows are to match; `options` are set in every case.
    """

    def __init__(self, seed: int, only: str = "", options: dict[str, str] | None = None) -> None:
        self.random = random.Random(seed)
        self.options = options or {}
        every = rows()
        self.rows = [row for row in every if re.search(only, row)]
        self.drawn: Counter[str] = Counter()
        self._bag: list[str] = []
        self._bindings: dict[str, Binding] = {
            f"key:{mode}:{''.join(keys)}": binding
            for mode, trie in rowtrace.tries().items()
            for keys, binding in trie.items()
        }
        self._operators = [row for row in every if self._kind(row) == "operator" and row.startswith("key:normal:")]
        self._targets = [row for row in every if row.startswith("key:operator:")]
        self._kinds: dict[str, Callable[[str], str]] = {
            "key": self._key, "insert": self._insert, "cmdline": self._cmdline, "ex": self._ex, "option": self._option,
            "phrase": lambda name: self._filled(self._pick(material.PHRASES[name])),
        }  # fmt: skip
        self._fillers: dict[str, tuple[str, ...]] = {
            "a": material.ADDRESSES, "t": ("0", "$", ".", "2", "'a", "-1"), "p": material.PATTERNS,
            "r": material.REPLACEMENTS, "f": material.FLAGS, "m": material.MOTIONS, "o": material.OBJECTS,
            "e": material.EDITS, "i": material.TEXTS, "n": ("", "", "2", "3", "5"),
            "k": ("x<Esc>", "<Esc>", "ab<Esc>", "<CR>y<Esc>", "<Tab><Esc>", "<BS>"),
        }  # fmt: skip

    def case(self, identity: str) -> dict[str, Any]:
        """Return a fresh case with its commands apart, as `commands`."""
        pick = self.random
        text = [self._line() for _ in range(pick.randint(1, 12))]
        line = pick.randrange(len(text))
        column = pick.randrange(max(sum(not is_combining(char) for char in text[line]), 1))
        commands = [self._command() for _ in range(pick.randint(3, 8))]
        return {
            "id": identity, "group": "found", "text": text, "cursor": [line + 1, column], "commands": commands,
            "keys": "".join(commands), "options": self.options,
        }  # fmt: skip

    def _pick(self, choices: tuple[str, ...]) -> str:
        return self.random.choice(choices)

    def _line(self) -> str:
        if self.random.random() < 0.5:
            return self._pick(material.LINES)
        return " ".join(self.random.choices(material.WORDS, k=self.random.randint(1, 7)))

    def _command(self) -> str:
        if not self._bag:
            self._bag = self.rows[:]
            self.random.shuffle(self._bag)
        row = self._bag.pop()
        self.drawn[row] += 1
        kind, _, name = row.partition(":")
        return self._kinds[kind](name)

    # The kinds of rows

    def _insert(self, keys: str) -> str:
        before, after = self._pick(("", "ab", "foo ", "x", "\t")), self._pick(("", "z", " a"))
        return self._pick(material.STARTS) + before + keys + after + "<Esc>"

    def _cmdline(self, keys: str) -> str:
        return self._pick(material.LINES_TYPED).replace("{k}", keys)

    def _ex(self, name: str) -> str:
        return ":" + self._filled(self._pick(material.EX[name])) + "<CR>"

    def _option(self, setting: str) -> str:
        return f":set {setting}<CR>" + self._filled(self._pick(material.AFTER_OPTION))

    def _key(self, row: str) -> str:
        mode, _, _ = row.partition(":")
        return {"normal": self._normal, "visual": self._visual, "operator": self._target}[mode](f"key:{row}")

    def _normal(self, row: str) -> str:
        binding = self._bindings[row]
        keys = self._count() + self._keys(row)
        if binding.kind == "motion":
            return keys
        keys = self._register() + keys
        if binding.kind == "operator":
            doubled = binding.keys[-1].replace("<", "<lt>") if len(binding.keys[-1]) == 1 else "".join(binding.keys)
            drawn = self._keys(self.random.choice(self._targets))
            keys += self._count() + (drawn if self.random.random() < 0.5 else doubled)
            if binding.names[0] == "filter":
                keys += "sort<CR>"
        return self._ended(keys, binding.names[-1])

    def _visual(self, row: str) -> str:
        binding = self._bindings[row]
        keys = self._pick(("v", "V", "<C-v>")) + self._moves()
        keys += self._register() * (binding.kind != "motion") + self._keys(row)
        if binding.kind in ("motion", "object"):
            return self._ended(keys + self._pick(material.AFTER_SELECTION), "")
        if binding.names[0].startswith("filter"):
            keys += "sort<CR>"
        return self._ended(keys, binding.names[0])

    def _target(self, row: str) -> str:
        operator = self.random.choice(self._operators)
        keys = self._keys(operator)
        force = self._pick(("", "", "", "", "v", "V", "<C-v>"))
        ended = "sort<CR>" if self._bindings[operator].names[0] == "filter" else ""
        return self._ended(
            self._register() + keys + self._count() + force + self._keys(row) + ended, self._bindings[operator].names[0]
        )

    # Parts of commands

    def _kind(self, row: str) -> str:
        binding = self._bindings.get(row)
        return binding.kind if binding is not None else ""

    def _keys(self, row: str) -> str:
        """Return a row's keys with the argument it asks for."""
        binding = self._bindings[row]
        keys = "".join("<lt>" if key == "<" else key for key in binding.keys)
        table: dict[str, Any] = {"motion": registry.motions, "action": registry.actions, "operator": registry.operators}
        want = table[binding.kind][binding.names[0]].arg if binding.kind in table else None
        if binding.kind == "operator" and row.startswith("key:normal:"):
            want = None
        return keys + (self._filled(self._pick(material.ARGUMENTS.get(want, ("a",)))) if want else "")

    def _count(self) -> str:
        return self._pick(("", "", "", "2", "3", "5"))

    def _register(self) -> str:
        return self._pick(("", "", "", '"a', '"A', '"_', '"1', '"-'))

    def _moves(self) -> str:
        return "".join(self.random.choices(material.MOVES, k=self.random.randint(0, 3)))

    def _ended(self, keys: str, name: str) -> str:
        """Return the keys with text and `<Esc>` behind what may have begun to insert; elsewhere they do no harm."""
        inserts = ("insert", "change", "append", "open", "substitute", "replace-mode", "virtual")
        if any(part in name for part in inserts):
            return keys + self._filled("{i}") + "<Esc>"
        return keys + "<Esc>"

    def _filled(self, template: str) -> str:
        """Return a template with everything filled in, also what its parts ask for."""

        def fill(match: re.Match[str]) -> str:
            name = match[1]
            return self._moves() if name == "b" else self._pick(self._fillers[name])

        return PLACEHOLDER.sub(fill, template)
