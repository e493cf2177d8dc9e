"""Select mode: a selection that typing replaces (`:help Select-mode`).

Selecting itself is in `selection.py`; `normal.py` asks `take` before a key is looked up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tpy.modal.editor import Visual
from tpy.modal.engine.context import Context
from tpy.modal.engine.execute import execute, leave_visual
from tpy.modal.engine.grammar import Command
from tpy.modal.engine.selection import begin
from tpy.modal.registry import action, operators
from tpy.modal.text.position import Pos
from tpy.modal.text.registers import WRITABLE

if TYPE_CHECKING:
    from tpy.modal.engine.dispatch import Engine

# The argument that `<C-r>` asks for.
REGISTER = "select-register"
# Cursor keys with Shift, and those without that may end a selection.
SHIFTED = {f"<S-{name}>": f"<{name}>" for name in ("Up", "Down", "Left", "Right", "Home", "End", "PageUp", "PageDown")}
_UNSHIFTED = frozenset({*SHIFTED.values(), "<C-Left>", "<C-Right>", "<C-Home>", "<C-End>"})
# Keys that are typed text, though they have names; a tab is none of them, as in Vim.
_TYPED = ("<CR>", "<C-j>")


@action("select")
def select(ctx: Context) -> None:
    """Select characters for typing to replace."""
    begin(ctx, "v", select=True)


@action("select-lines")
def select_lines(ctx: Context) -> None:
    """Select whole lines for typing to replace."""
    begin(ctx, "V", select=True)


@action("select-block")
def select_block(ctx: Context) -> None:
    """Select a block for typing to replace."""
    begin(ctx, "<C-v>", select=True)


@action("toggle-select")
def toggle_select(ctx: Context) -> None:
    """Change between Visual and Select mode."""
    if ctx.visual is not None:
        ctx.visual.select = not ctx.visual.select


def name_register(engine: Engine, name: str) -> None:
    """Have what typing replaces go into a register (`:help v_CTRL-R`); any other key means none."""
    visual = engine.editor.visual
    if visual is not None:
        visual.register = name if len(name) == 1 and name != '"' and name in WRITABLE else None


def resume(engine: Engine, visual: Visual | None) -> None:
    """Go back to Select mode after the one command of `<C-o>`, where the selection is still there."""
    if visual is not None and visual.once and engine.editor.visual is visual:
        visual.select, visual.once = True, False


def by_shift(engine: Engine, key: str) -> str:
    """Begin or end a selection where a cursor key does that (`:help 'keymodel'`); return the key to act on then."""
    model = str(engine.editor.option("keymodel"))
    visual = engine.editor.visual
    if "startsel" in model and key in SHIFTED:
        if visual is None:
            context = Context(engine)
            begin(context, "v", select="key" in context.text("selectmode"))
        return SHIFTED[key]
    if "stopsel" in model and visual is not None and key in _UNSHIFTED:
        leave_visual(engine)
    return key


def take(engine: Engine, key: str) -> bool:
    """Act on a key in Select mode; `False` where it means what it does in Visual mode."""
    visual = engine.editor.visual
    if visual is None or not visual.select:
        return False
    if key in ("<BS>", "<C-h>"):
        execute(engine, Command(operator=operators["delete"], register=visual.register))
        return True
    if key == "<C-o>":
        visual.select, visual.once = False, True
        return True
    if key == "<C-r>":
        engine.normal.want = REGISTER
        return True
    if len(key) == 1 or key in _TYPED:
        # From Insert mode it is deleted, and Insert mode goes on.
        name = "change" if engine.insert.resume is None else "delete"
        if visual.kind == "V" and name == "change":
            # Whole lines are replaced with their line breaks.
            window = engine.editor.window
            first, last = sorted((visual.start.line, window.cursor.line))
            visual.kind, visual.start = "v", Pos(first, 0)
            window.cursor = Pos(last, len(window.buffer.lines[last]))
        execute(engine, Command(operator=operators[name], register=visual.register))
        engine.push([key], remap=False)
        return True
    return False
