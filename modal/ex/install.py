"""Giving an engine its command line: prompts, lines of ex commands, the registers `:` and `/`."""

from __future__ import annotations

from tpy.modal.engine.dispatch import Engine
from tpy.modal.ex import cmdwindow, complete, directories
from tpy.modal.ex.expressions import evaluate_text
from tpy.modal.ex.prompt import CommandLine
from tpy.modal.ex.run import run_ex

# The modules whose import registers ex commands.
EX_ROOMS = tuple(
    f"tpy.modal.ex.{name}"
    for name in (
        "linecmds", "substitute", "globalcmds", "settings", "filecmds", "leavecmds", "maps", "textcmds", "sort",
        "shellcmds", "undocmds", "keys", "viewcmds", "buffercmds", "quickfix",
        "infocmds", "directories", "diffcmds", "undofiles", "autocmds", "scripts", "exprcmds", "foldcmds", "usercmds",
        "unsupported", "help", "filekeys", "occurrencecmds",
    )
)  # fmt: skip


def install(engine: Engine) -> None:
    """Let the engine open command lines and run ex commands."""
    editor = engine.editor
    engine.prompt_factory = CommandLine
    engine.run_ex = lambda line: run_ex(engine, line)
    cmdwindow.follow(engine)
    directories.follow(editor)
    editor.read_only["="] = lambda: engine.evaluate(str(editor.extra.get("expression", "")))
    editor.extra["command-words"] = lambda text: complete.words(engine, text)
    engine.evaluate = lambda text: evaluate_text(engine, text)
    editor.read_only[":"] = lambda: editor.extra.get("command-line")
    editor.read_only["%"] = lambda: editor.buffer.name or None
    editor.read_only["#"] = lambda: _alternate(engine)
    editor.read_only["/"] = lambda: _last_pattern(engine)


def _alternate(engine: Engine) -> str | None:
    number = engine.editor.window.alternate
    buffer = engine.editor.buffers.get(number) if number is not None else None
    return buffer.name or None if buffer is not None else None


def _last_pattern(engine: Engine) -> str | None:
    search = engine.editor.search
    return (search.substitute_pattern if search.last_is_substitute else search.pattern) or None
