"""curtsies, imported without blessed.

curtsies' window module imports blessed, which costs most of the start-up time and, once a `Terminal` is
built, asks the terminal questions and waits up to ten seconds for answers. The parts used here (`FmtStr`,
the window's row comparison, the key tables) need none of it, so a stand-in takes its place during the import
and is taken away afterwards. Nothing else lives here; `terminal.py` draws, `keydecode.py` reads.
"""

from __future__ import annotations

import sys
import types


class _StandIn(types.ModuleType):
    """In `sys.modules` as `blessed` while curtsies is imported; any real use imports the real thing."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get("blessed") is self:
            del sys.modules["blessed"]
        import blessed

        return getattr(blessed, name)


_stand_in = _StandIn("blessed")
sys.modules.setdefault("blessed", _stand_in)

from curtsies.events import Keynames, get_key  # noqa: E402
from curtsies.formatstring import FmtStr  # noqa: E402
from curtsies.window import FullscreenWindow  # noqa: E402

if sys.modules.get("blessed") is _stand_in:
    del sys.modules["blessed"]

__all__ = ["FmtStr", "FullscreenWindow", "Keynames", "get_key"]
