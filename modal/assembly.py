"""Putting the rooms together: an `Engine` with every command registered, without terminal and agents.

`app.py` (with a screen) and `headless.py` (without) both start here.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable

import tomli

from tpy.modal.editor import Editor
from tpy.modal.engine.diffing import follow_windows
from tpy.modal.engine.dispatch import Engine
from tpy.modal.engine.folding import follow_options
from tpy.modal.engine.grammar import Keymap
from tpy.modal.engine.virtual import follow_option
from tpy.modal.ex.install import EX_ROOMS, install
from tpy.modal.keymap import Mapping, parse_keys
from tpy.modal.shipped import shipped_text

# The rooms whose import registers rows, in the order of the layers.
ROOMS = (
    "tpy.modal.engine.motions",
    "tpy.modal.engine.words",
    "tpy.modal.engine.charsearch",
    "tpy.modal.engine.screenlines",
    "tpy.modal.engine.sentences",
    "tpy.modal.engine.paragraphs",
    "tpy.modal.engine.brackets",
    "tpy.modal.engine.textobjects",
    "tpy.modal.engine.scrolling",
    "tpy.modal.engine.windows",
    "tpy.modal.engine.foldcmds",
    "tpy.modal.engine.searches",
    "tpy.modal.engine.wordsearch",
    "tpy.modal.engine.occurrences",
    "tpy.modal.engine.leftout",
    "tpy.modal.engine.matchselect",
    "tpy.modal.engine.marksjumps",
    "tpy.modal.engine.macros",
    "tpy.modal.engine.selection",
    "tpy.modal.engine.operators",
    "tpy.modal.engine.blockedit",
    "tpy.modal.engine.case",
    "tpy.modal.engine.indent",
    "tpy.modal.engine.reindent",
    "tpy.modal.engine.formatting",
    "tpy.modal.engine.joining",
    "tpy.modal.engine.put",
    "tpy.modal.engine.numbers",
    "tpy.modal.engine.changes",
    "tpy.modal.engine.visual",
    "tpy.modal.engine.selectmode",
    "tpy.modal.engine.charinfo",
    "tpy.modal.engine.actions",
    "tpy.modal.engine.screenactions",
    "tpy.modal.engine.undoing",
    "tpy.modal.engine.diffkeys",
    *EX_ROOMS,
    "tpy.modal.agent.agentcmds",
    "tpy.modal.agent.reportcmds",
    "tpy.modal.agent.settingcmds",
    "tpy.modal.agent.editcmds",
    "tpy.modal.agent.operators",
)

# What Vim's `defaults.vim` maps: modes, keys, and what they stand for.
DEFAULT_MAPPINGS = (("nxo", "Q", "gq"), ("i", "<C-u>", "<C-g>u<C-u>"))

_keymap: Keymap | None = None


def load_rooms() -> None:
    """Import every room that registers motions, operators, objects, actions or commands."""
    for room in ROOMS:
        importlib.import_module(room)


def builtin_keymap() -> Keymap:
    """Return the keymap of `keymaps/vim.toml`, read once."""
    global _keymap
    if _keymap is None:
        load_rooms()
        _keymap = Keymap(tomli.loads(shipped_text("vim.toml")))
    return _keymap


def make_engine(*, vim: bool = False, clock: Callable[[], float] = time.time) -> Engine:
    """Return an engine on a new editor with one empty buffer; `vim` takes Vim's own option defaults."""
    keymap = builtin_keymap()
    engine = Engine(Editor(vim=vim, clock=clock), keymap)
    install(engine)
    follow_options(engine.editor)
    follow_option(engine)
    follow_windows(engine.editor)
    for modes, left, right in DEFAULT_MAPPINGS:
        engine.mappings.add(modes, parse_keys(left), Mapping(left, tuple(parse_keys(right)), remap=False))
    return engine
