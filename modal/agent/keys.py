"""The keys of agent windows: `keymaps/agent.toml` laid over the editor's, the lists, the keys inside a request.

The rows that keys are bound to are in `actions.py` and `places.py`; this decides which table a key is looked up in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tpy.modal.agent import actions as rows
from tpy.modal.agent import places
from tpy.modal.agent.completion import Lists
from tpy.modal.engine.context import Context
from tpy.modal.engine.grammar import Keymap
from tpy.modal.keymap import parse_keys
from tpy.modal.registry import actions
from tpy.modal.shipped import shipped_text
from tpy.modal.text.buffer import Buffer

if TYPE_CHECKING:
    from tpy.modal.agent.bridge.agents import Agents
    from tpy.modal.agent.bridge.talk import Talk

# An `<Esc>` within this time of one that left something, in seconds, cancels no turn.
ESCAPE_AFTER = 0.5
assert rows is not None
assert places is not None


def _laid_over(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return a keymap's tables with those of a kind of agent buffer over them."""
    modes = base.get("actions", {})
    return {
        **base,
        "motions": {**base.get("motions", {}), **own.get("motions", {})},
        "objects": {**base.get("objects", {}), **own.get("objects", {})},
        "actions": {
            **modes,
            "normal": {**modes.get("normal", {}), **own.get("normal", {})},
            "visual": {**modes.get("visual", {}), **own.get("visual", {})},
        },
    }


class Keys:
    """The key tables of agent windows, and the hook that looks at each key first."""

    def __init__(self, agents: Agents) -> None:
        import tomli

        self.agents = agents
        self.engine = agents.engine
        # Both may have the user's rows in them (`keymaps.toml`).
        tables = self.engine.editor.extra.get("key-tables", {})
        own, base = (tables.get(name) or tomli.loads(shipped_text(name)) for name in ("agent.toml", "vim.toml"))
        kinds = {kind: own[kind] for kind in ("conversation", "prompt", "page")}
        kinds["subagent"] = {**own["conversation"], **own["subagent"]}
        self.keymaps = {kind: Keymap(_laid_over(base, tables)) for kind, tables in kinds.items()}
        self.insert = _by_key(own["prompt"]["insert"])
        self.list = _by_key(own["list"])
        self.ask = _by_key(own["ask"])
        self.lists = Lists(agents)
        self._left = -1.0
        self.engine.key_hooks.append(self.look)

    def adopt(self, buffer: Buffer, kind: str) -> None:
        """Give a buffer the keys of a kind: "conversation", "prompt", "subagent" or "page"."""
        buffer.extra["keymap"] = self.keymaps[kind]

    def look(self, key: str) -> bool:
        """Look at a key before the mode's handler does; true when it was acted on."""
        engine = self.engine
        if key == "<Esc>" and (engine.mode != "n" or engine.normal.busy):
            self._left = engine.editor.clock()
        talk = self.agents.talk_of(engine.editor.buffer)
        if talk is None or engine.prompt is not None:
            self.lists.close()
            return False
        if engine.editor.buffer is talk.prompt.buffer and engine.insert.active:
            return self._insert_key(talk, key)
        self.lists.close()
        if engine.mode == "n" and key == "<C-c>" and engine.normal.busy:
            engine.normal.reset()
            return True
        if (
            engine.mode == "n"
            and not engine.normal.busy
            and key in self.ask
            and places.request_here(talk, engine.editor.window)
        ):
            self.run(self.ask[key], key)
            return True
        return False

    def _insert_key(self, talk: Talk, key: str) -> bool:
        if self.engine.insert.asking is not None:
            return False  # the argument of a key such as <C-v>
        if self.lists.picker is not None and key in self.list:
            if key == "<Esc>":
                self._left = self.engine.editor.clock()
            self.run(self.list[key], key)
            return True
        if key in self.insert:
            self.lists.close()
            self.run(self.insert[key], key)
            return True
        self.lists.take_key(talk, key)
        return True

    def run(self, name: str, key: str = "") -> None:
        """Run an action by name."""
        actions[name].function(Context(self.engine, arg=key))

    def just_left(self) -> bool:
        """Whether an `<Esc>` has left a mode, a list or a pending command a moment ago."""
        return self.engine.editor.clock() - self._left < ESCAPE_AFTER


def _by_key(table: dict[str, str]) -> dict[str, str]:
    return {parse_keys(notation)[0]: name for notation, name in table.items()}
