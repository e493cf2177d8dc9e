"""The files that come with tpy: key tables and themes, in `keymaps` beside the code.

`importlib.resources` would do, too, but importing it costs as much as a third of the rest of the start.
"""

from __future__ import annotations

import os

import tpy


def shipped_path(*names: str) -> str:
    """Return the path of a file, or directory, in `keymaps`."""
    return os.path.join(os.path.dirname(tpy.__file__), "keymaps", *names)


def shipped_text(*names: str) -> str:
    """Return the text of a file in `keymaps`. Raises OSError where there is none."""
    with open(shipped_path(*names), encoding="utf-8") as file:
        return file.read()
