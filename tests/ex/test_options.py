"""Each option is set, shown, set for this buffer or window alone, and given its default again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tpy.modal.options import GLOBAL, OPTIONS, Option

# Another value for the texts that have no list of what they may be.
TEXTS = {
    "colorcolumn": "80", "diffopt": "filler", "fileencoding": "latin1", "foldmarker": "<,>", "matchpairs": "<:>",
    "signcolumn": "yes", "listchars": "eol:$,tab:>-", "comments": ":%", "isfname": "@", "isident": "@",
    "iskeyword": "@", "isprint": "@", "errorformat": "%m",
}  # fmt: skip
# These are what the buffer is: asked and given below.
STATES = ("modified", "modifiable", "encoding", "fileformat", "readonly")


def _other(option: Option) -> str:
    """Return a value that is not the default, as it is typed."""
    default = option.vim
    if isinstance(default, int):
        return str(default + 1)
    if option.list == "flags":
        return (default + "".join(flag for flag in option.values if flag not in default))[::-1][:1]
    return TEXTS.get(option.name) or next((value for value in option.values if value != default), "some")


@pytest.mark.parametrize("name", [name for name in OPTIONS if name not in STATES])
def test_it_keeps_what_it_is_set_to(session: Callable[[], Any], name: str) -> None:
    s = session()
    option = OPTIONS[name]
    default = s.ex(f"set {name}?")
    if isinstance(option.vim, bool):
        words = (f"inv{name}", f"  {name}" if not option.vim else f"no{name}")
    else:
        words = (f"{name}={_other(option)}", f"  {name}={_other(option)}")
    assert s.ex(f"set {words[0]}") == ""
    assert s.ex(f"set {name}?") == words[1] != default
    if option.short:
        assert s.ex(f"set {option.short}?") == words[1]
    assert words[1].strip() in s.ex("set").split()
    assert s.ex(f"set {name}&") == ""
    assert s.ex(f"set {name}?") == default
    s.ex(f"setlocal {words[0]}")
    assert s.ex(f"setglobal {name}?") == (words[1] if option.scope == GLOBAL else default)
    assert s.ex(f"setlocal {name}?") == words[1]


def test_states_of_the_buffer_can_be_set(session: Callable[[], Any]) -> None:
    s = session()
    s.ex("set nomodifiable")
    s.type("ix<Esc>")
    assert s.lines == [""]
    assert s.ex("set modifiable?") == "nomodifiable"
    s.ex("set modified")
    assert s.editor.buffer.modified
    assert s.ex("set modified?") == "  modified"
    assert s.ex("set encoding=latin1") == "E474: Invalid argument: encoding=latin1"
    assert s.ex("set encoding?") == "  encoding=utf-8"
