"""Words from files (`<C-x><C-k>`, `<C-x><C-t>`), in the order in which Vim 9.0 offered them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WORDS = "alpha beta\ngamma alphabet\nalert, alarm\n"


@pytest.mark.parametrize(
    ("option", "keys", "text"),
    [
        ("dictionary", "al<C-x><C-k> y", "alpha y"),
        ("dictionary", "al<C-x><C-k><C-k><C-n> y", "alert y"),
        ("dictionary", "al<C-x><C-k><C-p><C-p> y", "alarm y"),
        ("dictionary", "zz<C-x><C-k>y", "zzy"),
        ("thesaurus", "al<C-x><C-t><C-t> y", "beta y"),
        ("thesaurus", "al<C-x><C-t><C-p><C-p> y", "alarm y"),
        ("thesaurus", "gam<C-x><C-t><C-n> y", "alphabet y"),
    ],
)
def test_words_come_from_files(typist: Callable[..., Any], tmp_path: Path, option: str, keys: str, text: str) -> None:
    (tmp_path / "words").write_text(WORDS)
    typed = typist("¦", {option: f"{tmp_path}/none,{tmp_path}/words"})
    assert typed.type("i" + keys).lines == [text]


def test_case_counts_as_in_a_search(typist: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "words").write_text(WORDS)
    typed = typist("¦", {"dictionary": f"{tmp_path}/words", "ignorecase": True})
    assert typed.type("iAL<C-x><C-k>").lines == ["alpha"]


@pytest.mark.parametrize("key", ["<C-]>", "<C-o>", "<C-u>", "s"])
def test_what_is_not_there_is_told(typist: Callable[..., Any], key: str) -> None:
    typed = typist("¦").type(f"ial<C-x>{key}")
    assert typed.editor.message.text == "This kind of completion is not there"
    assert typed.lines == ["al"]
