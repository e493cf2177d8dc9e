"""The keys that Vim's `:help index` lists for Normal and Visual mode and as text objects: each means something here.

`index.json` was read off that page (Vim 9.0); what `tpy` leaves out stands in docs/differences.md.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tpy.modal.assembly import builtin_keymap
from tpy.modal.engine.grammar import missing
from tpy.modal.keymap import parse_keys

INDEX: dict[str, list[str]] = json.loads((Path(__file__).parent / "index.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("mode", INDEX)
def test_keys_of_the_index_are_bound(mode: str) -> None:
    keymap = builtin_keymap()
    trie = keymap.normal if mode == "normal" else keymap.operator if mode == "operator" else keymap.visual
    unbound = []
    for keys in INDEX[mode]:
        binding = trie.exact(parse_keys(keys))
        if binding is None or missing(binding):
            unbound.append(keys)
    assert not unbound
