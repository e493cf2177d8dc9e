"""Recording and playing macros, repeating commands: `q @ . @:` (`:help complex-repeat`)."""

from __future__ import annotations

from tpy.modal.engine.context import Context
from tpy.modal.engine.windows import COMMAND_WINDOW
from tpy.modal.keymap import WINDOW_KEY, from_text
from tpy.modal.registry import CommandFailed, action
from tpy.modal.text.registers import READ_ONLY, WRITABLE


@action("record", arg="macro")
def record(ctx: Context) -> None:
    """Record typed keys into a register, or end the recording; with `:`, `/` or `?` open the command-line window."""
    repeat = ctx.engine.repeat
    name = ctx.arg
    if repeat.executing:
        return
    if repeat.recording is not None:
        repeat.stop_recording()
    elif name is not None and len(name) == 1 and (name == '"' or (name.isascii() and name.isalnum())):
        repeat.start_recording(name)
    elif name in (":", "/", "?"):
        if COMMAND_WINDOW in ctx.editor.extra:
            raise CommandFailed("E1292: Command-line window is already open")
        ctx.engine.push([name, WINDOW_KEY], remap=False)
    else:
        raise CommandFailed


@action("play", arg="macro-register")
def play(ctx: Context) -> None:
    """Act on the keys in a register `count` times; `@@` does the last one again, `@:` the last ex command."""
    engine, name = ctx.engine, ctx.arg or ""
    if name == "@":
        if engine.repeat.last_macro is None:
            raise CommandFailed("E748: No previously used register")
        name = engine.repeat.last_macro
    if name == "=":
        engine.open_prompt("=", lambda line: _play_text(ctx, line))
        return
    play_register(ctx, name, ctx.count)


def play_register(ctx: Context, name: str, count: int) -> None:
    """Put the keys of a register before all that wait. Raises `CommandFailed` where it has none."""
    engine = ctx.engine
    if len(name) != 1 or name in "%#" or name not in READ_ONLY + WRITABLE:
        raise CommandFailed(f"E354: Invalid register name: '{name}'")
    engine.repeat.last_macro = name
    if name == "_":
        return
    register = ctx.editor.registers.get(name)
    if register is None:
        if name == ":":
            raise CommandFailed("E30: No previous command line")
        if name == ".":
            raise CommandFailed("E29: No inserted text yet")
        raise CommandFailed
    if name == ":":
        text = register.text()
        if ctx.visual is not None:
            text = text.removeprefix("'<,'>")
        keys = [":", *(part for char in text for part in _quoted(char)), "<CR>"]
        engine.push(keys, remap=False, times=count)
        return
    engine.push(from_text(register.text()), times=count)
    engine.repeat.executing = name != "."


def _quoted(char: str) -> list[str]:
    """Return the keys that type a character of a command line, control characters behind `<C-v>`."""
    keys = from_text(char)
    return ["<C-v>", *keys] if char < " " or char == "\x7f" else keys


def _play_text(ctx: Context, line: str) -> None:
    register = ctx.editor.registers.get("=")
    ctx.engine.repeat.last_macro = "="
    if register is not None:
        ctx.engine.push(from_text(register.text()), times=ctx.count)


@action("repeat")
def repeat(ctx: Context) -> None:
    """Do the last change again, `count` replacing the count it had."""
    ctx.engine.repeat.again(ctx.count if ctx.explicit else None, ctx.register)
