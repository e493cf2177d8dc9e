"""Commands that the user defines: `:command`, `:delcommand`, `:comclear` (`:help user-commands`).

They are lines of ex commands with `<args>`, `<line1>` and the like filled in; they live in the editor, not in the
registry.
"""

from __future__ import annotations

import re

from tpy.modal.ex.context import ExContext, Work
from tpy.modal.ex.run import run_line
from tpy.modal.registry import Command, CommandFailed, command, commands

_ATTRIBUTE = re.compile(r"-(\w+)(?:=(\S*))?\s*")
_PLACE = re.compile(r"<(lt|line1|line2|range|count|bang|mods|reg|register|q-args|f-args|args|q-mods)>")
_ADDRESSES = {"lines": "", "arguments": "arguments", "buffers": "buffers", "loaded_buffers": "buffers",
              "windows": "windows", "tabs": "tabs", "quickfix": "quickfix", "other": "count"}  # fmt: skip
_KINDS = {"file": "file", "dir": "directory", "buffer": "buffer", "command": "command", "option": "option",
          "help": "help", "file_in_path": "file", "event": "event"}  # fmt: skip


def _table(ctx: ExContext) -> dict[str, Command]:
    table: dict[str, Command] = ctx.editor.extra.setdefault("user-commands", {})
    return table


class _Attributes:
    """The attributes of a definition, such as `-nargs=*` and `-range=%`."""

    def __init__(self) -> None:
        self.arguments = "0"
        self.range = ""
        self.bang = self.bar = self.register = False
        self.complete = "rest"
        self.default_count: int | None = None

    def read(self, name: str, value: str | None) -> None:
        """Take one attribute. Raises `CommandFailed` (E176, E181)."""
        if name == "nargs":
            if value not in ("0", "1", "*", "?", "+"):
                raise CommandFailed("E176: Invalid number of arguments")
            self.arguments = value
        elif name == "range":
            self.range = "%" if value == "%" else "." if not value else "count"
            if value and value.isdigit():
                self.default_count = int(value)
        elif name == "count":
            self.range, self.default_count = "count", int(value) if value and value.isdigit() else 0
        elif name == "bang":
            self.bang = True
        elif name == "bar":
            self.bar = True
        elif name in ("register", "reg"):
            self.register = True
        elif name in ("addr",):
            self.range = _ADDRESSES.get(value or "", "count") or self.range
        elif name in ("complete", "comp"):
            self.complete = _KINDS.get((value or "").split(",")[0], "rest")
        elif name not in ("buffer", "keepscript"):
            raise CommandFailed(f"E181: Invalid attribute: {name}{'=' + value if value else ''}")


@command("com[mand]", bang=True, args="usercommand", bar=False)
def command_(ctx: ExContext) -> None:
    """Define a command of your own, or show those there are."""
    text = ctx.args
    attributes = _Attributes()
    while (match := _ATTRIBUTE.match(text)) is not None:
        attributes.read(match[1], match[2])
        text = text[match.end() :]
    name, _, body = text.partition(" ")
    body = body.strip(" \t")
    if not body:
        _show(ctx, name)
        return
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9]*", name):
        raise CommandFailed("E182: Invalid command name")
    if not name[0].isupper():
        raise CommandFailed("E183: User defined commands must start with an uppercase letter")
    if name in ("X", "Next", "Print") or name in commands:
        raise CommandFailed("E841: Reserved name, cannot be used for user defined command")
    if name in _table(ctx) and not ctx.bang:
        raise CommandFailed(f"E174: Command already exists: add ! to replace it: {name}")
    _table(ctx)[name] = _row(name, attributes, body)


def _row(name: str, attributes: _Attributes, body: str) -> Command:
    """Return the row of a command that runs `body`."""

    def _run(ctx: ExContext) -> Work:
        if attributes.arguments in ("1", "+") and not ctx.args:
            raise CommandFailed("E471: Argument required")
        if attributes.arguments == "0" and ctx.args:
            raise CommandFailed("E488: Trailing characters: " + ctx.args)
        yield from run_line(ctx.engine, _filled(ctx, body, attributes))

    _run.__doc__ = body
    return Command(
        name,
        _run,
        notation=name,
        range=attributes.range,
        bang=attributes.bang,
        args="" if attributes.arguments == "0" else attributes.complete,
        bar=attributes.bar,
        register=attributes.register,
        count=attributes.range == "count",
        flags=False,
        need=attributes.arguments in ("1", "+"),
        modifies=False,
    )


def _filled(ctx: ExContext, body: str, attributes: _Attributes) -> str:
    """Return the line with what was typed filled in."""
    args = ctx.args.strip(" \t")
    count = ctx.count if ctx.count is not None else attributes.default_count
    if attributes.range != "count" and ctx.lines_typed:
        count = ctx.call.last
    words = re.findall(r"(?:\\.|\S)+", args)
    values = {
        "lt": "<",
        "line1": str(ctx.call.first),
        "line2": str(ctx.call.last),
        "range": str(min(ctx.lines_typed, 2)),
        "count": str(count if count is not None else -1),
        "bang": "!" if ctx.bang else "",
        "mods": " ".join(name for name in ctx.call.modifiers),
        "reg": ctx.register or "",
        "register": ctx.register or "",
        "args": args,
        "q-args": _quoted(args),
        "q-mods": _quoted(" ".join(ctx.call.modifiers)),
        "f-args": ", ".join(_quoted(re.sub(r"\\(.)", r"\1", word)) for word in words),
    }
    return _PLACE.sub(lambda match: values[match[1]], body)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _show(ctx: ExContext, prefix: str) -> None:
    rows = [row for name, row in sorted(_table(ctx).items()) if name.startswith(prefix)]
    if not rows:
        ctx.echo("No user-defined commands found")
        return
    ctx.show("\n".join(["    Name              Definition", *(f"    {row.name:<17} {row.help}" for row in rows)]))


@command("delc[ommand]", args="usercommand", need=True)
def delcommand(ctx: ExContext) -> None:
    """Forget a command of your own."""
    if _table(ctx).pop(ctx.args, None) is None:
        raise CommandFailed(f"E184: No such user-defined command: {ctx.args}")


@command("comc[lear]")
def comclear(ctx: ExContext) -> None:
    """Forget all commands of your own."""
    _table(ctx).clear()
