"""Giving an engine the user's keys: reading `keymaps.toml` and laying it over the built-in tables.

What rows mean and what is wrong with them is in `keyfile.py`.
"""

from __future__ import annotations

import importlib
import os
from typing import Any

import tomli

from tpy.modal.engine.dispatch import Engine
from tpy.modal.engine.grammar import Keymap
from tpy.modal.keyfile import lay_over
from tpy.modal.shipped import shipped_text

# The rooms whose rows only agent windows' keys are bound to.
_AGENT_ROOMS = ("tpy.modal.agent.actions", "tpy.modal.agent.places")


def use(engine: Engine, path: str) -> list[str]:
    """Take the keys of a file; return what is wrong with some of its rows, or with the file."""
    home = os.path.expanduser("~/")
    shown = "~/" + path[len(home) :] if path.startswith(home) else path
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8-sig")
        own = tomli.loads(text)
    except OSError as error:
        return [f"{shown}: {error.strerror or error}"]
    except UnicodeDecodeError:
        return [f"{shown}: it is not UTF-8"]
    except tomli.TOMLDecodeError as error:
        return [f"{shown}: {error}"]
    base, agent = _builtin("vim.toml"), _builtin("agent.toml")
    if "agent" in own:
        for room in _AGENT_ROOMS:
            importlib.import_module(room)
    found = lay_over(base, agent, own, shown)
    engine.default_keymap = Keymap(found.tables)
    engine.editor.extra["key-tables"] = {"vim.toml": found.tables, "agent.toml": found.agent}
    for modes, left, mapping in found.mappings:
        engine.mappings.add(modes, left, mapping)
    return found.problems


def _builtin(name: str) -> dict[str, Any]:
    return tomli.loads(shipped_text(name))
