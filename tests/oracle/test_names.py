"""Names, abbreviations and defaults as Vim has them; `names.json` was written by Vim 9.0 itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tpy.modal import options
from tpy.modal.assembly import load_rooms
from tpy.modal.ex import parse

NAMES: dict[str, Any] = json.loads((Path(__file__).parent / "names.json").read_text(encoding="utf-8"))
OURS = ("agentwrite", "agentinsert", "agentignore", "agenthistory")
# `:errorformat`'s default is a subset of Vim's, see docs/differences.md.
DIFFERENT = ("errorformat",)


@pytest.mark.parametrize("name", NAMES["commands"])
def test_commands_are_as_short_as_in_vim(name: str) -> None:
    """The shortest form means the command, one letter less does not."""
    load_rooms()
    shortest = NAMES["commands"][name]
    found = parse.find_command(shortest)
    assert found is not None
    assert found.name == name
    if len(shortest) > 1:
        shorter = parse.find_command(shortest[:-1])
        assert shorter is None or shorter.name != name


@pytest.mark.parametrize("name", [*NAMES["options"], *OURS, *DIFFERENT])
def test_options_have_the_names_and_defaults_of_vim(name: str) -> None:
    """Each option is found by both its names and starts as in Vim with its `defaults.vim`."""
    option = options.find(name)
    assert option is not None
    if name in NAMES["options"]:
        short, default = NAMES["options"][name]
        assert option.short == short
        assert option.vim == default
        if short:
            assert options.find(short) is option
    else:
        assert option.help
        assert options.Options(vim=True).values[name] == option.vim
